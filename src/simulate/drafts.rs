//! Drafts: what clients propose, what reviewers decide, and what must hold of both.

use std::collections::BTreeSet;

use hornbook_base::{Control, Fault, FaultKind};
use hornbook_book::{Book, CellChange, DRAFTS, Operation, Revision};
use hornbook_workspace::{Decided, Whose, Workspace};

use super::calls::{Call, Decision, Heard, Names};
use super::random::Random;
use super::rules;

/// The name of the draft of a process; some share one.
pub fn name(process: usize) -> String {
    format!("d{}", process % 2)
}

/// A call about the draft of a process.
pub fn call(names: &Names, random: &Random) -> Call {
    let propose = |call| Call::Propose(Box::new(call));
    match random.below(100) {
        0..=24 => propose(Call::Assert(names.clauses(random))),
        25..=36 => propose(Call::Retract(names.known(random))),
        37..=42 => propose(Call::Replace(names.known(random), names.clauses(random))),
        43..=50 => propose(rules::call(random)),
        51..=56 => {
            let (name, text) = names.file(random);
            propose(Call::Save(name, text))
        }
        57..=62 => propose(Call::Undo(random.between(1, 2) as usize, Whose::Own)),
        63..=65 => propose(Call::Redo(1, Whose::Own)),
        66..=71 => propose(Call::Query(
            format!("p{}", random.below(4)),
            8,
            random.chance(1_000),
        )),
        _ => Call::Decide(Decision {
            accepts: random.chance(6_500),
            only: random.chance(4_000).then(|| random.between(1, 2) as usize),
        }),
    }
}

/// Decide about a draft; `open` opens some operations of it.
pub async fn decide(
    draft: &Workspace,
    decision: Decision,
    open: impl AsyncFn(Vec<String>) -> Result<Workspace, Fault>,
    control: &Control,
) -> Result<Heard, Fault> {
    let reason = Some("it was looked at");
    let chosen = match decision.only {
        None => None,
        Some(count) => {
            let proposal = draft.proposal(control).await?;
            let keys = proposal.operations.into_iter().map(|operation| operation.key);
            Some(keys.take(count).collect::<Vec<String>>())
        }
    };
    let reviewed = match &chosen {
        None => draft.clone(),
        Some(keys) => open(keys.clone()).await?,
    };
    let decided = match decision.accepts {
        true => reviewed.accept(chosen.as_deref(), reason, control).await,
        false => reviewed.reject(chosen.as_deref(), reason, control).await,
    };
    let Decided { operations, .. } = decided?;
    if decision.only.is_some_and(|count| operations > count) {
        let message = format!("{operations} operations were decided about");
        return Err(Fault::new(FaultKind::DomainError, message));
    }
    // Its client is told with an acceptance, or after it.
    Ok(Heard::Done {
        least: 1,
        most: 1 + usize::from(decision.accepts),
    })
}

/// Whether a revision does to drafts what its operation may do, and nothing of a draft counts before it is accepted.
pub fn keeps_drafts(before: &Book, revision: &Revision) -> Result<(), String> {
    let of_drafts = revision.cells.iter().filter(|cell| &*cell.room == DRAFTS);
    let of_drafts: Vec<&CellChange> = of_drafts.collect();
    match &revision.operation {
        Operation::Draft(name) => {
            let counts =
                !(revision.added.is_empty() && revision.removed.is_empty() && revision.known.is_empty());
            let is_its = |cell: &CellChange| &*cell.room == DRAFTS && cell.key.starts_with(&**name);
            match counts || !revision.cells.iter().all(is_its) {
                true => Err("what a draft proposes counts".to_owned()),
                false => Ok(()),
            }
        }
        Operation::Accept { draft, by } => {
            let begin = format!("{draft}/");
            let steps = of_drafts.iter().filter(|cell| cell.key.starts_with(&begin));
            if steps.clone().any(|cell| cell.after.is_some()) || steps.clone().next().is_none() {
                return Err("what is accepted stays in the draft".to_owned());
            }
            let names: BTreeSet<String> = steps.filter_map(|cell| proposer(before, &cell.key)).collect();
            let names: Vec<String> = names.into_iter().collect();
            match by.as_deref() == Some(&*names.join(", ")) {
                true => Ok(()),
                false => Err(format!("it was proposed by {names:?}, and names {by:?}")),
            }
        }
        Operation::Undo(_) | Operation::Redo(_) => Ok(()),
        _ if of_drafts.is_empty() => Ok(()),
        _ => Err("it changes a draft".to_owned()),
    }
}

/// The name of the client who proposed a step.
fn proposer(book: &Book, key: &str) -> Option<String> {
    let (_, value) = book.cells_from(DRAFTS, key).next()?;
    let (_, rest) = value.split_once("\"by\":\"")?;
    rest.split_once('"').map(|(name, _)| name.to_owned())
}

/// What two drafts of a book have must be the same.
pub fn are_equal(one: &Book, other: &Book) -> Result<(), String> {
    let codes = |book: &Book| -> Vec<String> {
        let codes = book.entries().map(|(_, entry)| entry.code().to_owned());
        codes.collect()
    };
    match codes(one) == codes(other) {
        true => Ok(()),
        false => Err(format!(
            "it has {:?}, and opened anew {:?}",
            codes(one),
            codes(other)
        )),
    }
}
