//! Makes the engine follow the book after revisions were reversed.

use super::edit::Edit;
use super::request::Watch;
use super::touched::Turned;
use super::turn::Turn;
use super::types::Notice;
use hornbook_base::Fault;
use hornbook_book::{Batch, Entry, EntryId, Predicate, runs};
use hornbook_engine::protocol;
use hornbook_engine::reply::{Done, Reloaded};
use hornbook_engine::{Misread, misread_of};

/// Whether an entry is a directive whose effect is removed with the entry, but returns only when the
/// directive is read: it loads a library or file, names a module or describes its predicates, declares operators
/// (alone or with other things), begins or ends a unit of tests, is a constraint, or declares what rules of CHR are about.
fn acts_when_read(entry: &Entry) -> bool {
    const NAMES: [&str; 23] = [
        "use_module",
        "ensure_loaded",
        "autoload",
        "reexport",
        "include",
        "consult",
        "load_files",
        "[|]",
        "module",
        "multifile",
        "meta_predicate",
        "det",
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

/// End an edit whose change is recorded: the engine has made it, or is rebuilt where it cannot. Returns the notice of that.
pub(super) fn end(edit: Edit<'_>, is_beyond_it: bool) -> Option<Notice> {
    if is_beyond_it {
        return anew(edit).1;
    }
    edit.keep();
    None
}

/// Make the engine match the book. On `false`, or a fault, it cannot, and must be rebuilt.
pub(super) async fn follow(turn: &Turn<'_>, turned: &Turned) -> Result<bool, Fault> {
    let workspace = turn.workspace;
    let (supervisor, pace) = (&turn.lane.supervisor, workspace.pace());
    let comes = |(id, entry): &(EntryId, Entry)| acts_when_read(entry) || supervisor.is_fatal(*id);
    let removed = turned
        .removed
        .iter()
        .map(|(_, entry)| entry.makes_known() || names(entry));
    // Rules of CHR are tried in the order of the book, and belong to no predicate.
    let added = turned
        .added
        .iter()
        .map(|one| one.1.makes_known() || comes(one) || one.1.is_chr_rule());
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

/// Make the engine forget predicates. Returns whether it has: if not, it must be rebuilt.
pub(super) async fn forget(turn: &Turn<'_>, predicates: &[Predicate], watch: Watch<'_>) -> bool {
    let forget = || turn.ask::<Done>(protocol::undeclare(predicates), watch);
    predicates.is_empty() || forget().await.is_ok()
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
