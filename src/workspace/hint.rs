//! The nearest reason why a query, or a goal within it, has no answer.

use std::collections::BTreeSet;

use super::doubt_texts;
use super::request::Watch;
use super::turn::Turn;
use super::{Answer, Answers, changes};
use crate::open::Open;
use hornbook_base::Control;
use hornbook_engine::protocol::{self, Bounds};
use hornbook_engine::reply::Hint;

/// How long the search for a reason may take, in milliseconds.
const HINT_MS: u64 = 50;

/// How long an engine may take for a reason before it is ended, in milliseconds. Long enough for a busy machine: to lose the
/// engine for a hint would be a poor trade. Short enough for whoever waits: the query has ended, and its own limit with it.
const MOST_MS: u64 = 3_000;

/// A query that took more inferences than this is not run again.
const MOST_INFERENCES: u64 = 100_000;

/// Fewer answers than this are not looked at for repetition.
const MANY_ANSWERS: usize = 8;

/// More answers than this are not looked at.
const FEW_ANSWERS: usize = 20;

/// How many slips of a query are told.
const MOST_SLIPS: usize = 2;

const REPEATING: &str = "The answers repeat. Where a rule goes round in a circle, `:- table name/arity.` ends that; distinct(Goal) leaves repeated answers out.";

/// Whether most of many answers were there before.
fn repeat(answers: &[Answer]) -> bool {
    let texts = |answer: &Answer| -> Vec<String> {
        answer
            .bindings
            .iter()
            .map(|binding| binding.text.clone())
            .collect()
    };
    let different: BTreeSet<Vec<String>> = answers.iter().map(texts).collect();
    answers.len() >= MANY_ANSWERS && different.len() * 2 <= answers.len() && different.len() > 1
}

impl Turn<'_> {
    /// Say in `answers`, those of a query that has ended, why there are none; or, if they are few, which goal
    /// within findall/3, a negation or the like may have none because of a slip, and which cut was passed over.
    /// The query is run once more, where it can change nothing.
    pub(super) async fn explain(&self, query: &Open, answers: &mut Answers, control: &Control) {
        // A program has no use for it.
        if query.awaited {
            return;
        }
        if answers.more && repeat(&answers.answers) {
            answers.hint = Some(REPEATING.to_owned());
            return;
        }
        let few = answers.before + answers.answers.len() <= FEW_ANSWERS;
        if !few || answers.more || answers.fault.is_some() || !self.has_engine() {
            return;
        }
        // What a query without answers has changed is as it was.
        let undone = if answers.answers.is_empty() {
            0
        } else {
            answers.undone
        };
        if answers.added + answers.removed + undone > 0 {
            return;
        }
        let taken = self.workspace.queries.borrow().inferences(&query.id);
        if taken.is_none_or(|taken| taken > MOST_INFERENCES) {
            return;
        }
        answers.hint = self.reason(query, control).await;
    }

    async fn reason(&self, query: &Open, control: &Control) -> Option<String> {
        let bounds = Bounds {
            take: 1,
            soft_ms: HINT_MS,
            next: self.next_ids(),
        };
        let request = protocol::beside(&protocol::hint(
            &query.text,
            query.assume.as_deref().unwrap_or_default(),
            bounds,
        ));
        let watch = Watch::goal("query", self.workspace.timeout_ms.min(MOST_MS), control);
        let (hint, edit) = self.step::<Hint, Hint>(request, watch, Ok).await.ok()?;
        if changes::give_back(self, &hint.taken_back.reload).await.ok()? {
            edit.keep();
        }
        if hint.leaves || hint.taken_back.error.is_some() {
            return None;
        }
        let slips = hint
            .doubts
            .iter()
            .flat_map(|(doubt, words)| words.iter().map(|word| doubt_texts::message(*doubt, word)));
        let slips: Vec<String> = slips.take(MOST_SLIPS).collect();
        match slips.is_empty() {
            true => hint.reason,
            false => Some(slips.join(" ")),
        }
    }
}
