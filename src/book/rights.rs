//! Who may change what: the facts `may_change(Client, What)` of the book. They are read here and never run, so
//! nothing that a client defines changes what they mean.

use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use hornbook_base::{Pace, Who};

use super::{
    Book, CellChange, DRAFTS, EMPTIED, Entry, EntryId, Kind, Origin, Predicate, Revision, workflow_room,
};
use read::{Fact, Reading};

mod read;
#[cfg(test)]
mod tests;

/// How many of a client's rules a refusal shows.
const SHOWN: usize = 5;

/// Whom a fact is about.
#[derive(Debug, PartialEq)]
enum Client {
    Any,
    Named(String),
    /// Whom the host lets do this.
    Scope(String),
}

/// What a fact lets its client change.
#[derive(Debug, PartialEq)]
enum What {
    Everything,
    /// What stands in this file, or the document of this name.
    File(String),
    /// The clauses of a predicate; of directives, those with such a goal.
    Of(Predicate),
    /// What is kept beside the clauses: one of [`ROOMS`].
    Room(String),
}

/// What is kept beside the clauses and can be named.
const ROOMS: [&str; 3] = ["memory", workflow_room::ROOM, "documents"];

impl Client {
    fn is(&self, who: &Who) -> bool {
        match self {
            Client::Any => true,
            Client::Named(name) => **name == *who.name,
            Client::Scope(scope) => who.scope.as_deref() == Some(scope),
        }
    }
}

impl What {
    /// Whether it has this entry; the facts themselves are for those who may change everything.
    fn has(&self, entry: &Entry) -> bool {
        match (self, &entry.source().origin) {
            (What::Everything, _) => true,
            _ if entry.is_right() => false,
            (What::File(file), Origin::File(name)) => *file == **name,
            (What::Of(predicate), _) => *predicate == **entry.predicate(),
            _ => false,
        }
    }
}

impl fmt::Display for What {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            What::Everything => out.write_str("everything"),
            What::File(name) => write!(out, "the file {name}"),
            What::Of(predicate) => write!(out, "{predicate}"),
            What::Room(room) => write!(out, "`{room}`"),
        }
    }
}

impl Book {
    /// The facts that say who may change what, in the order of their ids. Without any, everybody may change
    /// everything.
    pub fn rights(&self) -> impl Iterator<Item = (EntryId, &Entry)> {
        let rights = self.rights.iter().map(|(id, ())| *id);
        rights.filter_map(|id| Some((id, self.get(id)?)))
    }

    /// Why a client may not make this change of the book: a sentence or two that name the facts which are about the
    /// client. `None` if it may.
    pub async fn forbids(&self, who: &Who, revision: &Revision, pace: &Pace) -> Option<String> {
        let rules = Rules::of(self, who)?;
        let changed = forbidden(&rules.allowed, revision, pace).await?;
        Some(rules.refusal(who, &changed))
    }

    /// Whether a client may change all that one of these others may, or everything.
    pub fn is_as_free(&self, who: &Who, others: &[Who]) -> bool {
        let Some(own) = Rules::of(self, who) else {
            return true;
        };
        let has = |what: &What| own.allowed.contains(what);
        has(&What::Everything)
            || others.iter().any(|other| {
                let rules = Rules::of(self, other);
                rules.is_some_and(|rules| rules.allowed.iter().all(has))
            })
    }

    /// Why a client may not write records of its own making into the log of the book, which could be anything.
    pub fn forbids_records(&self, who: &Who) -> Option<String> {
        let rules = Rules::of(self, who).filter(|rules| !rules.allowed.contains(&What::Everything))?;
        Some(rules.refusal(who, "the book through its log"))
    }
}

/// What the facts of a book say of a client.
struct Rules<'a> {
    allowed: Vec<What>,
    /// The facts about it.
    about: Vec<&'a Entry>,
    first: &'a Entry,
    /// A clause that is no such fact.
    unread: Option<&'a Entry>,
}

impl<'a> Rules<'a> {
    /// `None` if the book has none.
    fn of(book: &'a Book, who: &Who) -> Option<Rules<'a>> {
        let (_, first) = book.rights().next()?;
        let mut unread = None;
        let mut rules = Rules {
            allowed: Vec::new(),
            about: Vec::new(),
            first,
            unread: None,
        };
        for (_, entry) in book.rights() {
            let Reading { client, fact } = Reading::of(entry.code());
            let is_about = client.is_some_and(|client| client.is(who));
            match fact {
                None if is_about => unread = unread.or(Some(entry)),
                None => rules.unread = rules.unread.or(Some(entry)),
                Some(Fact { what }) if is_about => {
                    rules.allowed.extend(what);
                    rules.about.push(entry);
                }
                Some(_) => {}
            }
        }
        // Rather one about the client.
        rules.unread = unread.or(rules.unread);
        Some(rules)
    }

    fn refusal(&self, who: &Who, changed: &str) -> String {
        let name = match &*who.name {
            "" => "A client without a name",
            name => name,
        };
        let rules = match self.about.is_empty() {
            true => format!(
                "The book has rules of who may change what, such as {}, and none is about it.",
                shown(self.first)
            ),
            false => {
                let named: Vec<String> = self.about.iter().take(SHOWN).map(|entry| shown(entry)).collect();
                let more = match self.about.len().saturating_sub(SHOWN) {
                    0 => String::new(),
                    more => format!(" and {more} more"),
                };
                format!("What it may change: {}{more}.", named.join(", "))
            }
        };
        let unread = self.unread.map_or(String::new(), |entry| {
            format!(
                " Nobody may change anything by {}, which is not one of these facts.",
                shown(entry)
            )
        });
        format!("{name} may not change {changed}, and nothing was changed. {rules}{unread}")
    }
}

/// Why a clause lets nobody change anything although it is one of `may_change/2`; `None` if it is another clause, or a
/// fact that can be read.
pub fn doubtful_right(clause: &str) -> Option<String> {
    (read::is_right(clause) && Reading::of(clause).fact.is_none()).then(|| {
        let rooms = ROOMS.join(", ");
        format!(
            "This lets nobody change anything. Write a fact may_change(Client, What), where What is name/arity, \
             file(Name), {rooms}, _ or a list of these."
        )
    })
}

/// How messages name a fact: its text, and where it stands.
fn shown(entry: &Entry) -> String {
    let code = entry.code();
    let code = code.strip_suffix('.').unwrap_or(code);
    match &entry.source().origin {
        Origin::File(name) => format!("`{code}` ({name}:{})", entry.line()),
        Origin::Inline | Origin::Run => format!("`{code}`"),
    }
}

/// The first thing that a revision changes and that is not among what is allowed.
async fn forbidden(allowed: &[What], revision: &Revision, pace: &Pace) -> Option<String> {
    if allowed.contains(&What::Everything) {
        return None;
    }
    // It changes nothing: who may change something may make one.
    if revision.operation.savepoint().is_some() {
        return allowed.is_empty().then(|| "savepoints".to_owned());
    }
    let mut declares = false;
    let mut of_file = BTreeSet::new();
    let after: OnceCell<BTreeMap<EntryId, &Entry>> = OnceCell::new();
    // Where a clause of a file is replaced, the others come back as they were.
    let stays = |id: &EntryId| {
        let before = revision.removed.binary_search_by_key(id, |(id, _)| *id).ok();
        let after = after.get_or_init(|| revision.added.iter().map(|(id, entry)| (*id, entry)).collect());
        before
            .zip(after.get(id))
            .is_some_and(|(before, after)| is_same(&revision.removed[before].1, after))
    };
    for (id, entry) in revision.removed.iter().chain(&revision.added) {
        if pace.is_over(1) {
            pace.rest().await;
        }
        let Some(by) = allowed.iter().find(|what| what.has(entry)) else {
            match stays(id) {
                true => continue,
                false => return Some(named(entry)),
            }
        };
        if matches!(by, What::File(_)) && !stays(id) {
            declares |= !entry.is_clause();
            of_file.insert(entry.predicate());
        }
    }
    for change in &revision.known {
        let has = |what: &What| matches!(what, What::Of(predicate) if *predicate == *change.predicate);
        // A file declares what it likes, by its directives, and the predicates of its clauses.
        let is_of_file = declares || of_file.contains(&&change.predicate);
        if !is_of_file && !allowed.iter().any(has) {
            return Some(change.predicate.to_string());
        }
    }
    let has_entries = !(revision.removed.is_empty() && revision.added.is_empty());
    // That a file is empty then follows from what may become of its entries.
    let follows = |change: &&CellChange| has_entries && &*change.room == EMPTIED;
    for change in revision.cells.iter().filter(|change| !follows(change)) {
        let has = |what: &What| match what {
            What::Room(room) => **room == *change.room,
            What::File(name) => ["documents", EMPTIED].contains(&&*change.room) && **name == *change.key,
            What::Everything | What::Of(_) => false,
        };
        if !allowed.iter().any(has) {
            return Some(match &*change.room {
                "documents" => format!("the document {}", change.key),
                EMPTIED => format!("the file {}", change.key),
                DRAFTS => format!(
                    "the draft {}",
                    change.key.split(['/', '!']).next().unwrap_or_default()
                ),
                room => format!("`{room}`"),
            });
        }
    }
    None
}

/// Whether an entry comes back as it was.
fn is_same(before: &Entry, after: &Entry) -> bool {
    let (was, is) = (before.source(), after.source());
    before.code() == after.code()
        && before.predicate() == after.predicate()
        && before.kind() == after.kind()
        && before.place() == after.place()
        && (&was.origin, &was.module) == (&is.origin, &is.module)
}

/// How a refusal calls what would change.
fn named(entry: &Entry) -> String {
    let predicate = entry.predicate();
    let what = match entry.kind() {
        _ if entry.is_right() => return "who may change what (may_change/2)".to_owned(),
        Kind::Directive => format!("directives like {predicate}"),
        _ => predicate.to_string(),
    };
    match &entry.source().origin {
        Origin::File(name) => format!("{what} in {name}"),
        Origin::Inline | Origin::Run => what,
    }
}
