//! What revisions have touched of the book, and what became of it: what an engine is to follow.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use hornbook_base::Pace;
use hornbook_book::{Book, Delta, Entry, EntryId, Known, Predicate, Revision};

/// What deltas have touched, as it was before the first of them.
#[derive(Default, Clone)]
pub(super) struct Touched {
    /// Each entry, and whether it was in the book.
    entries: BTreeMap<EntryId, (Entry, bool)>,
    predicates: BTreeMap<Rc<Predicate>, Known>,
    /// Entries that left the book, and may be back elsewhere.
    left: BTreeSet<EntryId>,
}

/// What became of the entries and predicates touched.
pub(super) struct Turned {
    pub removed: Vec<(EntryId, Entry)>,
    /// In the order of the book.
    pub added: Vec<(EntryId, Entry)>,
    /// Predicates that are no longer known, sorted.
    pub forgotten: Vec<Predicate>,
    /// Predicates that are now known and have no clauses.
    pub declared: Vec<Predicate>,
}

impl Touched {
    /// Call before `delta` is committed.
    pub async fn note(&mut self, book: &Book, delta: &Delta, pace: &Pace) {
        // An entry that is removed and added again was there.
        for id in &delta.removed {
            self.left.insert(*id);
            if let Some(entry) = book.get(*id) {
                self.entries.entry(*id).or_insert_with(|| (entry.clone(), true));
            }
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        for (id, entry) in &delta.added {
            self.entries.entry(*id).or_insert_with(|| (entry.clone(), false));
            // A clause makes its predicate known, which it stays if a later delta takes the clause out again.
            if entry.is_clause() {
                let known = self.predicates.entry(entry.predicate().clone());
                known.or_insert_with(|| book.standing(entry.predicate()).known);
            }
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        for (predicate, _) in &delta.known {
            let known = book.standing(predicate).known;
            self.predicates.entry(predicate.clone()).or_insert(known);
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
    }

    /// Note a revision that the engine does not follow yet.
    pub async fn note_revision(&mut self, revision: &Revision, pace: &Pace) {
        let added = revision.added.iter().map(|one| (one, false));
        let removed = revision.removed.iter().map(|one| (one, true));
        for ((id, entry), was) in removed.chain(added) {
            if was {
                self.left.insert(*id);
            }
            self.entries.entry(*id).or_insert_with(|| (entry.clone(), was));
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        for change in &revision.known {
            let known = self.predicates.entry(change.predicate.clone());
            known.or_insert(change.before);
        }
    }

    /// Note what the engine has done for a revision that is not, or not yet, in the book: if it stays out,
    /// the engine undoes it.
    pub async fn note_ahead(&mut self, revision: &Revision, pace: &Pace) {
        let added = revision.added.iter().map(|one| (one, true));
        let removed = revision.removed.iter().map(|one| (one, false));
        for ((id, entry), is_there) in removed.chain(added) {
            self.entries.insert(*id, (entry.clone(), is_there));
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        for change in &revision.known {
            self.predicates.insert(change.predicate.clone(), change.after);
        }
    }

    /// Add what was touched later.
    pub fn then(&mut self, later: Touched) {
        for (id, was) in later.entries {
            self.entries.entry(id).or_insert(was);
        }
        for (predicate, known) in later.predicates {
            self.predicates.entry(predicate).or_insert(known);
        }
        self.left.extend(later.left);
    }

    /// Call after the last delta was committed.
    pub async fn turned(self, book: &Book, pace: &Pace) -> Turned {
        let mut turned = Turned {
            removed: Vec::new(),
            added: Vec::new(),
            forgotten: Vec::new(),
            declared: Vec::new(),
        };
        for (id, (entry, was)) in self.entries {
            match (was, book.get(id)) {
                (true, None) => turned.removed.push((id, entry)),
                (false, Some(now)) => turned.added.push((id, now.clone())),
                // Another clause has its id, or it stands elsewhere now, perhaps in another order.
                (true, Some(now))
                    if now.code() != entry.code()
                        || now.predicate() != entry.predicate()
                        || now.place() != entry.place() && self.left.contains(&id) =>
                {
                    turned.added.push((id, now.clone()));
                    turned.removed.push((id, entry));
                }
                _ => {}
            }
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        turned.added.sort_by_key(|(id, entry)| entry.spot(*id));
        for (predicate, before) in self.predicates {
            let standing = book.standing(&predicate);
            match (before, standing.known) {
                (Known::No, Known::No) => {}
                (_, Known::No) => turned.forgotten.push((*predicate).clone()),
                (Known::No, _) if standing.clauses == 0 => turned.declared.push((*predicate).clone()),
                _ => {}
            }
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        keep_declared(book, &BTreeSet::new(), &mut turned.forgotten, pace).await;
        turned
    }
}

/// Leave out predicates that directives of the book declare, other than these entries: an engine that forgot them would lose
/// the declarations, too.
pub(super) async fn keep_declared(
    book: &Book,
    leaving: &BTreeSet<EntryId>,
    forgotten: &mut Vec<Predicate>,
    pace: &Pace,
) {
    if forgotten.is_empty() {
        return;
    }
    let mut declared: BTreeSet<Predicate> = BTreeSet::new();
    for (spot, entry) in book.making_known() {
        if !leaving.contains(&spot.id) {
            declared.extend(book.declared(&spot, entry));
        }
        if pace.is_over(1) {
            pace.rest().await;
        }
    }
    let shares = |one: &Predicate, other: &Predicate| one.is_like(other) && book.shares(other);
    let stays = |predicate: &Predicate| {
        declared.contains(predicate)
            || declared
                .iter()
                .any(|other| other.parts().is_some() && shares(predicate, other))
    };
    forgotten.retain(|predicate| !stays(predicate));
}
