//! A draft and its book at one moment: what is decided about.

use super::branch::{Branch, Derived};
use super::noted::done_with;
use super::{Step, Verdict, cell, key, steps, verdicts_prefix};
use crate::turn::Turn;
use hornbook_base::{Control, Fault, FaultKind, Pace};
use hornbook_book::{Book, Cell, Operation};

/// A draft and its book, at one moment.
pub(super) struct Seen {
    pub base: Book,
    /// The book with the draft.
    pub derived: Derived,
    pub steps: Vec<Step>,
}

impl Branch {
    /// The draft in its book as it is here.
    pub(super) async fn seen_at(&self, base: Book, pace: &Pace) -> Result<Seen, Fault> {
        let (derived, steps) = self.derive(&base, pace).await;
        match steps.is_empty() {
            true => Err(nothing(self)),
            false => Ok(Seen { base, derived, steps }),
        }
    }

    /// The draft as its workspace has it, in the turns of both.
    pub(super) fn seen_in(&self, (drafted, turn): &(Turn<'_>, Turn<'_>)) -> Seen {
        let (derived, steps) = self.followed_in(drafted.book());
        Seen {
            base: turn.book(),
            derived,
            steps,
        }
    }
}

impl Seen {
    /// Check that these are the operations that somebody decides about, and that the rest of the draft undoes none.
    pub fn check(&self, branch: &Branch, only: Option<&[String]>) -> Result<(), Fault> {
        if only.is_some_and(|only| self.steps.iter().map(|step| &step.key).ne(only)) {
            let message = "The draft has changed since it was shown. Nothing was decided.";
            return Err(Fault::new(FaultKind::Conflict, message).with_next("Look at it again."));
        }
        if branch.only.is_some() && is_undone(&self.steps, &steps(&self.base, &branch.name, &self.steps)) {
            let message = "Its client has undone some of these operations. Nothing was decided.";
            let next = "Look at it again, and decide about them together with what undoes them.";
            return Err(Fault::new(FaultKind::Conflict, message).with_next(next));
        }
        Ok(())
    }

    /// The cells once it is decided.
    pub fn without_steps(&self, branch: &Branch) -> Vec<Cell> {
        let steps = self.steps.iter().map(|step| step.key.clone());
        let asked = done_with(&self.base, &branch.name, self.steps.len());
        steps.chain(asked).map(|key| cell(key, None)).collect()
    }

    /// The cell of what its client is to be told.
    pub fn told(&self, branch: &Branch, accepted: bool, reason: Option<&str>, control: &Control) -> Cell {
        let verdict = Verdict {
            accepted,
            by: control.client_name.as_deref().map(str::to_owned),
            reason: reason.map(str::to_owned),
            operations: self.steps.len(),
        };
        let value = serde_json::to_string(&verdict).expect("a verdict is JSON");
        let told = key(&verdicts_prefix(&branch.name), self.base.revision() + 1);
        cell(told, Some(value))
    }
}

pub(super) fn nothing(branch: &Branch) -> Fault {
    let message = format!("The draft {} proposes nothing.", branch.name);
    Fault::new(FaultKind::ExistenceError, message).with_next("There is nothing to decide.")
}

/// Whether one of all steps of a draft undoes one of these, and is none of them.
pub(super) fn is_undone(these: &[Step], all: &[Step]) -> bool {
    let is_here = |key: &str| these.iter().any(|step| step.key == key);
    all.iter()
        .any(|step| step.undoes.as_deref().is_some_and(is_here) && !is_here(&step.key))
}

/// Who proposed these; `None` if nobody has a name.
pub(super) fn proposer(steps: &[Step]) -> Option<String> {
    let mut names: Vec<&str> = steps.iter().filter_map(|step| step.by.as_deref()).collect();
    names.sort_unstable();
    names.dedup();
    (!names.is_empty()).then(|| names.join(", "))
}

impl Step {
    /// The name of its operation.
    pub fn operation(&self) -> String {
        let value: Option<serde_json::Value> = serde_json::from_str(&self.change).ok();
        let operation = value
            .as_ref()
            .and_then(|value| value.pointer("/revision/operation"));
        let read = operation.and_then(|found| serde_json::from_value::<Operation>(found.clone()).ok());
        match read {
            Some(Operation::Cells { room, action }) => format!("{room} {action}"),
            Some(operation) => operation.name().to_owned(),
            None => "change".to_owned(),
        }
    }
}
