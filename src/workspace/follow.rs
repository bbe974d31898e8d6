//! Makes the engine follow the book after revisions were reversed.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::edit::Edit;
use super::request::Watch;
use super::turn::Turn;
use super::types::Notice;
use hornbook_base::{Fault, Pace};
use hornbook_book::{Batch, Book, Delta, Entry, EntryId, Known, Predicate, Revision, runs};
use hornbook_engine::protocol;
use hornbook_engine::reply::{Done, Reloaded};
use hornbook_engine::{Misread, misread_of};

/// What deltas have touched, as it was before the first of them.
#[derive(Default, Clone)]
pub(super) struct Touched {
    /// Each entry, and whether it was in the book.
    entries: BTreeMap<EntryId, (Entry, bool)>,
    predicates: BTreeMap<Rc<Predicate>, Known>,
    /// Entries that stand elsewhere now, perhaps in another order.
    moved: BTreeSet<EntryId>,
}

/// What became of the entries and predicates touched.
pub(super) struct Turned {
    pub removed: Vec<(EntryId, Entry)>,
    /// In the order of the book.
    pub added: Vec<(EntryId, Entry)>,
    /// Predicates that are no longer known, sorted.
    forgotten: Vec<Predicate>,
    /// Predicates that are now known and have no clauses.
    declared: Vec<Predicate>,
}

impl Touched {
    /// Call before `delta` is committed.
    pub async fn note(&mut self, book: &Book, delta: &Delta, pace: &Pace) {
        // An entry that is removed and added again was there.
        for id in &delta.removed {
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

    /// Note the entries that a revision only moves.
    pub fn note_moves(&mut self, revision: &Revision) {
        let removed: BTreeMap<EntryId, &Entry> =
            revision.removed.iter().map(|(id, entry)| (*id, entry)).collect();
        let is_moved = |(id, entry): &&(EntryId, Entry)| {
            removed
                .get(id)
                .is_some_and(|before| before.place() != entry.place())
        };
        self.moved
            .extend(revision.added.iter().filter(is_moved).map(|(id, _)| *id));
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
        self.moved.extend(later.moved);
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
                (false, Some(_)) => turned.added.push((id, entry)),
                // Another clause has taken its place.
                (true, Some(now))
                    if now.code() != entry.code()
                        || now.predicate() != entry.predicate()
                        || self.moved.contains(&id) =>
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
        if !turned.forgotten.is_empty() {
            // Predicates that a directive declares stay known.
            let directives = book.entries().filter(|(_, entry)| declares(entry));
            let declared: BTreeSet<Predicate> = directives
                .flat_map(|(id, entry)| book.declared(&entry.spot(id), entry))
                .collect();
            let shares = |one: &Predicate, other: &Predicate| one.is_like(other) && book.shares(other);
            let stays = |predicate: &Predicate| {
                declared.contains(predicate)
                    || declared
                        .iter()
                        .any(|other| other.parts().is_some() && shares(predicate, other))
            };
            turned.forgotten.retain(|predicate| !stays(predicate));
        }
        turned
    }
}

/// Whether an entry does more in the engine than add a clause. The effects of other directives end when their
/// source has been read.
pub(super) fn declares(entry: &Entry) -> bool {
    !entry.is_clause() && matches!(&*entry.predicate().name, "dynamic" | "table" | "data")
}

/// Whether an entry is a directive whose effect is removed with the entry, but returns only when the
/// directive is read: it loads a library, names a module or describes its predicates, declares operators
/// (alone or with other things), begins or ends a unit of tests, is a constraint, or declares what rules of CHR are about.
fn acts_when_read(entry: &Entry) -> bool {
    const NAMES: [&str; 16] = [
        "use_module",
        "ensure_loaded",
        "module",
        "multifile",
        "meta_predicate",
        "op",
        ",",
        "begin_tests",
        "end_tests",
        "constraint",
        "chr_constraint",
        "chr_option",
        "chr_type",
        "constraints",
        "handler",
        "rules",
    ];
    !entry.is_clause() && NAMES.contains(&&*entry.predicate().name)
}

/// Whether an entry is a directive without which names mean other predicates: it names a module and its exports, or
/// what modules share.
fn names(entry: &Entry) -> bool {
    !entry.is_clause() && matches!(&*entry.predicate().name, "module" | "multifile" | ",")
}

/// Whether an entry is a directive that tables predicates.
pub(super) fn tables(entry: &Entry) -> bool {
    !entry.is_clause() && entry.predicate().name == "table"
}

/// Rebuild the engine, which cannot follow. Returns how many open queries that closes, and the notice of it.
pub(super) fn anew(edit: Edit<'_>) -> (usize, Option<Notice>) {
    edit.turn.workspace.book.borrow_mut().name_as_recorded();
    let closed = edit.renew();
    let queries = if closed == 1 { "query was" } else { "queries were" };
    let message = format!("The engine was rebuilt for this: {closed} open {queries} closed.");
    (closed, (closed > 0).then_some(Notice(message)))
}

/// Make the engine match the book. On `false`, or a fault, it cannot, and must be rebuilt.
pub(super) async fn follow(turn: &Turn<'_>, turned: &Turned) -> Result<bool, Fault> {
    let workspace = turn.workspace;
    let (supervisor, pace) = (&turn.lane.supervisor, workspace.pace());
    let comes = |(id, entry): &(EntryId, Entry)| acts_when_read(entry) || supervisor.is_fatal(*id);
    let removed = turned
        .removed
        .iter()
        .map(|(_, entry)| declares(entry) || names(entry));
    // Rules of CHR are tried in the order of the book, and belong to no predicate.
    let added = turned
        .added
        .iter()
        .map(|one| declares(&one.1) || comes(one) || one.1.is_chr_rule());
    for is_beyond_it in removed.chain(added) {
        if is_beyond_it {
            return Ok(false);
        }
        if pace.is_over(1) {
            pace.rest().await;
        }
    }
    let book = turn.book();
    let removed = turned.removed.iter().map(|(_, entry)| &**entry.predicate());
    if removed
        .chain(&turned.forgotten)
        .any(|predicate| book.has_namesake(predicate))
    {
        return Ok(false);
    }
    let watch = Watch::short("change of the engine");
    // Forgetting a predicate removes its clauses, too.
    let stays = |entry: &Entry| turned.forgotten.binary_search(entry.predicate()).is_err();
    let removed = turned.removed.iter().filter(|(_, entry)| stays(entry));
    let removed = pace.collect(removed.map(|(id, _)| *id)).await;
    if !removed.is_empty() {
        take_out(turn, &removed, watch).await?;
    }
    if !turned.forgotten.is_empty() {
        turn.ask::<Done>(protocol::undeclare(&turned.forgotten), watch)
            .await?;
    }
    if !turned.declared.is_empty() {
        turn.ask::<Done>(protocol::declare(&turned.declared), watch)
            .await?;
    }
    let Some((later, batches)) = turn.book().batches_with_later(&turned.added, &pace).await else {
        return Ok(false);
    };
    let length: usize = batches.iter().map(|batch| batch.text.len()).sum();
    // A rebuilt engine is given a long text piece by piece.
    match length {
        0 => Ok(true),
        length if length > workspace.limits.load_bytes => Ok(false),
        _ => {
            take_out(turn, &later, watch).await?;
            reload(turn, &[], &batches, watch).await
        }
    }
}

/// The most entries removed in one request, which has a time limit.
const AT_ONCE: usize = 50_000;

/// Remove entries from the engine.
pub(super) async fn take_out(turn: &Turn<'_>, ids: &[EntryId], watch: Watch<'_>) -> Result<(), Fault> {
    for ids in ids.chunks(AT_ONCE) {
        turn.ask::<Done>(protocol::remove(&runs(ids)), watch).await?;
    }
    Ok(())
}

/// Remove the clauses of some predicates from the engine, and load them again from the book. `false` if the
/// engine refuses one of them. If the engine is gone, or goes meanwhile, the next one is built from the book: what is
/// recorded is not undone by that.
pub(super) async fn reload(
    turn: &Turn<'_>,
    predicates: &[Predicate],
    batches: &[Batch],
    watch: Watch<'_>,
) -> Result<bool, Fault> {
    let workspace = turn.workspace;
    let (mut go, mut rest) = (predicates, batches);
    loop {
        let mut length = 0;
        let fit = rest.iter().take_while(|batch| {
            let fits = length < workspace.limits.load_bytes;
            length += batch.text.len().max(1);
            fits
        });
        let (sent, later) = rest.split_at(fit.count());
        if !turn.has_engine() {
            return Ok(true);
        }
        let reply: Reloaded = match turn.ask(protocol::reload(go, sent), watch).await {
            Err(_) if !turn.has_engine() => return Ok(true),
            reply => reply?,
        };
        let misread = misread_of(sent, &reply.items, &turn.book());
        let is_so = |misread: &Misread| misread.entries.is_empty() && misread.renamed.is_empty();
        if !misread.as_ref().is_some_and(is_so) {
            return Ok(false);
        }
        if later.is_empty() {
            return Ok(true);
        }
        (go, rest) = (&[], later);
    }
}
