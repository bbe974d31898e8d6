//! What a walk through time needs again at its next step: the book at the last one, and which revision added what.

use std::collections::BTreeMap;
use std::rc::Rc;

use hornbook_base::Pace;
use hornbook_book::{Book, Entry, EntryId, Revision};

/// A step costs what lies between two looks, and what is shown, however long the book and its history are.
#[derive(Default)]
pub(super) struct Walk {
    /// The number of a revision, the revision if it was kept, and what the book had after it.
    then: Option<(u64, Option<Rc<Revision>>, Book)>,
    additions: Additions,
}

impl Walk {
    /// What `now` had after the revision `number`, which is known: entries, predicates and cells, without a history.
    pub async fn book_after(&mut self, now: &Book, number: u64, pace: &Pace) -> Book {
        let here = match self.then.take() {
            // What was rewritten, or forgotten, since is no way from there.
            Some((at, last, then)) if at >= now.forgotten() && is_of(now, at, last.as_ref()) => (at, then),
            _ => (now.revision(), now.clone()),
        };
        let is_nearer = here.0.abs_diff(number) < now.revision().abs_diff(number);
        let from = if is_nearer {
            here
        } else {
            (now.revision(), now.clone())
        };
        let then = now.contents_after(number, from, pace).await;
        self.then = Some((number, kept(now, number).cloned(), then.clone()));
        then
    }

    /// At most `most` entries of `then`, what `now` had after the revision `number`: those that were added last, in the
    /// order of the book, each with the revision that added it, if that is kept.
    pub async fn last_added<'a>(
        &mut self,
        now: &Book,
        (number, then): (u64, &'a Book),
        most: usize,
        pace: &Pace,
    ) -> Vec<(EntryId, &'a Entry, Option<u64>)> {
        self.additions.learn(now, pace).await;
        let most = most.min(then.len());
        let mut found: BTreeMap<EntryId, Option<u64>> = BTreeMap::new();
        'walk: for at in (now.forgotten() + 1..=number).rev() {
            for (id, _) in now.get_revision(at).map_or(&[][..], |revision| &revision.added) {
                if found.len() >= most {
                    break 'walk;
                }
                if self.additions.of(*id, number) == Some(at) && then.get(*id).is_some() {
                    found.insert(*id, Some(at));
                }
                if pace.is_over(1) {
                    pace.rest().await;
                }
            }
        }
        // The others were added before what the history still has.
        let mut others = then.entries();
        while found.len() < most
            && let Some((id, _)) = others.next()
        {
            found.entry(id).or_default();
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        let mut shown = Vec::with_capacity(found.len());
        for (id, added) in found {
            shown.extend(then.get(id).map(|entry| (then.spot(id), id, entry, added)));
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        shown.sort_by(|one, other| one.0.cmp(&other.0));
        shown
            .into_iter()
            .map(|(_, id, entry, added)| (id, entry, added))
            .collect()
    }

    /// The kept revision that added an entry which the book had after the revision `number`, with its text then.
    pub async fn added(&mut self, now: &Book, id: EntryId, number: u64, pace: &Pace) -> Option<u64> {
        self.additions.learn(now, pace).await;
        self.additions
            .of(id, number)
            .filter(|added| *added > now.forgotten())
    }
}

/// Which revisions gave entries their texts. An undo brings an entry back as it was: another text under its id is a
/// new one.
#[derive(Default)]
struct Additions {
    /// The text that each entry got, by its id and the revision.
    texts: BTreeMap<(EntryId, u64), Entry>,
    /// The last revision that is known, and its number.
    until: Option<(u64, Rc<Revision>)>,
}

impl Additions {
    /// Take in what came since the last time.
    async fn learn(&mut self, now: &Book, pace: &Pace) {
        let known = match &self.until {
            Some((number, last)) if *number >= now.forgotten() && is_of(now, *number, Some(last)) => *number,
            _ => {
                self.texts.clear();
                now.forgotten()
            }
        };
        for number in known + 1..=now.revision() {
            let Some(revision) = kept(now, number) else {
                continue;
            };
            for (id, entry) in &revision.added {
                let before = self.before(*id, number);
                if before.is_none_or(|(_, before)| before.code() != entry.code()) {
                    self.texts.insert((*id, number), entry.clone());
                }
                if pace.is_over(1) {
                    pace.rest().await;
                }
            }
            self.until = Some((number, revision.clone()));
        }
    }

    fn of(&self, id: EntryId, number: u64) -> Option<u64> {
        self.before(id, number).map(|(added, _)| added)
    }

    fn before(&self, id: EntryId, number: u64) -> Option<(u64, &Entry)> {
        let mut texts = self.texts.range((id, 0)..=(id, number));
        texts.next_back().map(|((_, added), entry)| (*added, entry))
    }
}

fn kept(book: &Book, number: u64) -> Option<&Rc<Revision>> {
    let at = number.checked_sub(book.forgotten() + 1)?;
    book.journal().get(usize::try_from(at).ok()?)
}

/// Whether the book's revision with this number is `revision`; one that is not kept is not known to be another.
fn is_of(book: &Book, number: u64, revision: Option<&Rc<Revision>>) -> bool {
    match (kept(book, number), revision) {
        (Some(one), Some(other)) => Rc::ptr_eq(one, other),
        _ => number <= book.forgotten(),
    }
}
