//! Entries that could not be loaded: they stay in the book, and the engine runs without them.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::{Book, EntryId, Origin};

/// How many characters of an entry's text a message shows.
const SHOWN: usize = 100;

impl Book {
    /// The entries that the engine runs without, each with the reason.
    pub fn aside(&self) -> &BTreeMap<EntryId, Rc<str>> {
        &self.aside
    }

    /// From now on the engine in use runs without these entries.
    pub fn set_aside(&mut self, entries: BTreeMap<EntryId, Rc<str>>) {
        self.aside = Rc::new(entries);
    }

    /// The engine in use runs without the entries without which it ran when the book was as `before`, as far as they are
    /// still there.
    pub fn keep_aside(&mut self, before: &Book) {
        let entries = before.aside.iter().filter(|(id, _)| self.get(**id).is_some());
        let entries = entries.map(|(id, why)| (*id, why.clone())).collect();
        self.set_aside(entries);
    }

    /// An entry that is set aside, not in `but`, by its exact text; the last period may be missing.
    pub fn aside_by_text(&self, text: &str, but: &BTreeSet<EntryId>) -> Option<EntryId> {
        let bare = |text: &str| text.trim().trim_end_matches('.').trim_end().to_owned();
        let wanted = bare(text);
        let mut ids = self.aside.keys().filter(|id| !but.contains(id));
        ids.find(|id| {
            let entry = self.get(**id);
            entry.is_some_and(|entry| bare(entry.code()) == wanted || bare(entry.text()) == wanted)
        })
        .copied()
    }

    /// How messages describe an entry: its text, and where it came from.
    pub fn described(&self, id: EntryId) -> String {
        let Some(entry) = self.get(id) else {
            return format!("entry {id}");
        };
        let text = match entry.code() {
            "" => entry.text().trim(),
            code => code,
        };
        let mut shown: String = text.chars().take(SHOWN).collect();
        if shown.len() < text.len() {
            shown.push_str("...");
        }
        let origin = match &entry.source().origin {
            Origin::Inline => "asserted".to_owned(),
            Origin::File(name) => format!("line {} of {name}", entry.line()),
            Origin::Run => "added by a goal".to_owned(),
        };
        format!("`{shown}` ({origin})")
    }
}
