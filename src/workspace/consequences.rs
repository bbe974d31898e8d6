//! What goals answer after one revision of the book and not after another.

use std::collections::BTreeMap;
use std::rc::Rc;

use futures::FutureExt;
use futures::future::LocalBoxFuture;

use super::Workspace;
use super::types::*;
use hornbook_base::{Control, Fault, FaultKind};
use hornbook_book::lexer::{Lexer, Token, TokenKind};

/// The most goals that are compared at a time.
const MOST_GOALS: usize = 50;

/// Opens books as they were after a revision, with all that their goals may use.
pub trait OpenPast {
    fn open(&self, book: Workspace, revision: u64) -> LocalBoxFuture<'_, Result<Workspace, Fault>>;

    /// What the goals answer after one of these revisions and not after the other. All together take at most the time
    /// limit of a query, in equal shares.
    fn compare<'a>(
        &'a self,
        book: Workspace,
        goals: Vec<String>,
        (from, to): (u64, u64),
        control: &'a Control,
    ) -> LocalBoxFuture<'a, Result<Vec<Consequence>, Fault>> {
        async move {
            let share_ms = (book.0.timeout_ms / (2 * goals.len().max(1) as u64)).max(1);
            // One after the other: each is one more engine.
            let mut both = Vec::with_capacity(2);
            for revision in [from, to] {
                let then = control
                    .unless_cancelled(self.open(book.clone(), revision))
                    .await??;
                let mut found = Vec::with_capacity(goals.len());
                for goal in &goals {
                    found.push(then.found(goal, share_ms, control).await?);
                }
                both.push(found);
            }
            let after = both.pop().unwrap_or_default();
            let before = both.pop().unwrap_or_default();
            let both = before.into_iter().zip(after);
            let compared = goals.into_iter().zip(both);
            Ok(compared
                .map(|(goal, (before, after))| Consequence::of(goal, before, after))
                .collect())
        }
        .boxed_local()
    }
}

impl Workspace {
    /// Set how the book as it was is opened, for [`Workspace::consequences`]. Call once.
    pub fn open_past_by(&self, past: Rc<dyn OpenPast>) {
        let set = self.0.past_opener.set(past);
        assert!(set.is_ok(), "what opens the book as it was is set once");
    }

    /// What these goals answer after one of two revisions and not after the other. What they change is dropped.
    ///
    /// # Errors
    /// [`FaultKind::LimitReached`] if there are too many goals.
    pub async fn consequences(
        &self,
        goals: Vec<String>,
        revisions: (u64, u64),
        control: &Control,
    ) -> Result<Vec<Consequence>, Fault> {
        let Some(past) = self.0.past_opener.get() else {
            let message = "Answers of two revisions are not compared in this book.";
            let fault = Fault::new(FaultKind::PermissionError, message);
            return Err(fault.with_next("Leave 'of' out."));
        };
        if goals.len() > MOST_GOALS {
            let message = format!(
                "These are {} goals; at most {MOST_GOALS} are compared.",
                goals.len()
            );
            return Err(Fault::new(FaultKind::LimitReached, message).with_next("Give fewer."));
        }
        past.compare(self.clone(), goals, revisions, control).await
    }

    /// The answers of a goal, as far as they are found within this time.
    ///
    /// # Errors
    /// [`FaultKind::Cancelled`]; other faults are part of what is found.
    async fn found(&self, goal: &str, within_ms: u64, control: &Control) -> Result<Found, Fault> {
        let (answers, more, fault) = match self.answers_within(goal, within_ms, control).await {
            Ok(found) => (found.answers, found.more, found.fault),
            Err(fault) => (Vec::new(), false, Some(fault)),
        };
        let is_undefined = answers.is_empty()
            && fault
                .as_ref()
                .is_some_and(|fault| undefines(&fault.message, goal));
        let is_known = is_undefined || (fault.is_none() && !more);
        let end = match fault {
            Some(fault) if fault.kind == FaultKind::Cancelled => return Err(fault),
            Some(fault) if fault.kind == FaultKind::Timeout => Some(format!(
                "not all answers are known: its share of the time limit, {within_ms} ms, was over"
            )),
            Some(fault) if is_undefined => Some(format!("it was not defined: {}", fault.message)),
            Some(fault) => Some(format!("not all answers are known: {}", fault.message)),
            None if more => Some(format!("only its first {} answers were compared", answers.len())),
            None => None,
        };
        Ok(Found {
            answers,
            end,
            is_known,
        })
    }
}

/// The answers of a goal in one revision.
struct Found {
    answers: Vec<Answer>,
    /// What ended them.
    end: Option<String>,
    /// Whether they are all.
    is_known: bool,
}

/// Whether an error says that what a goal calls is not defined, so that it has no answers: alone, or as a part of a
/// conjunction.
fn undefines(message: &str, goal: &str) -> bool {
    let tokens: Vec<Token> = Lexer::new(goal)
        .filter(|token| token.kind != TokenKind::End)
        .collect();
    let mut depth = 0_usize;
    let mut parts: Vec<&[Token]> = Vec::new();
    let mut begin = 0;
    for (at, token) in tokens.iter().enumerate() {
        match token.kind {
            TokenKind::Open { .. } => depth += 1,
            TokenKind::Close => depth = depth.saturating_sub(1),
            TokenKind::Comma if depth == 0 => {
                parts.push(&tokens[begin..at]);
                begin = at + 1;
            }
            _ if depth > 0 => {}
            // An alternative may have answers.
            _ if matches!(&goal[token.start..token.end], ";" | "|" | "->" | "*->") => return false,
            _ => {}
        }
    }
    parts.push(&tokens[begin..]);
    parts.iter().any(|part| {
        called(goal, part).is_some_and(|called| message == format!("Unknown procedure: {called}."))
    })
}

/// The predicate indicator of a goal, if that is a call of one predicate and no operator.
fn called(text: &str, goal: &[Token]) -> Option<String> {
    let (name, arguments) = goal.split_first()?;
    let (mut depth, mut commas) = (0_usize, 0);
    for (at, token) in arguments.iter().enumerate() {
        match token.kind {
            TokenKind::Open { .. } => depth += 1,
            TokenKind::Close => depth = depth.saturating_sub(1),
            TokenKind::Comma if depth == 1 => commas += 1,
            _ => {}
        }
        if depth == 0 && at + 1 < arguments.len() {
            return None;
        }
    }
    let arity = if arguments.is_empty() { 0 } else { commas + 1 };
    Some(format!("{}/{arity}", &text[name.start..name.end]))
}

impl Consequence {
    fn of(goal: String, before: Found, after: Found) -> Consequence {
        // An answer is new only if all that there were are known.
        let gained = match before.is_known {
            true => without(&after.answers, &before.answers),
            false => Vec::new(),
        };
        let lost = match after.is_known {
            true => without(&before.answers, &after.answers),
            false => Vec::new(),
        };
        Consequence {
            goal,
            gained,
            lost,
            answers: (before.answers.len(), after.answers.len()),
            unknown: (before.end, after.end),
        }
    }
}

/// The answers that are not among `others`, each of which stands for one.
fn without(these: &[Answer], others: &[Answer]) -> Vec<Answer> {
    let mut counts: BTreeMap<_, usize> = BTreeMap::new();
    for other in others {
        *counts.entry(key(other)).or_default() += 1;
    }
    let left = these.iter().filter(|one| match counts.get_mut(&key(one)) {
        Some(count) if *count > 0 => {
            *count -= 1;
            false
        }
        _ => true,
    });
    left.cloned().collect()
}

/// What tells answers apart: not what was written on the way.
fn key(answer: &Answer) -> (Vec<(&str, &str)>, &[String], bool) {
    let bindings = answer.bindings.iter();
    let bindings = bindings.map(|one| (one.name.as_str(), one.text.as_str()));
    (bindings.collect(), &answer.residual, answer.undefined)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(texts: &[&str], end: Option<&str>) -> Found {
        let answer = |text: &&str| Answer {
            bindings: vec![Binding {
                name: "X".into(),
                text: (*text).into(),
                json: serde_json::Value::Null,
            }],
            residual: Vec::new(),
            undefined: false,
            output: format!("looking for {text}"),
        };
        Found {
            answers: texts.iter().map(answer).collect(),
            end: end.map(str::to_owned),
            is_known: end.is_none(),
        }
    }

    fn texts(answers: &[Answer]) -> String {
        let texts: Vec<&str> = answers.iter().map(|one| one.bindings[0].text.as_str()).collect();
        texts.join(" ")
    }

    fn compared(before: Found, after: Found) -> (String, String) {
        let compared = Consequence::of("p(X)".into(), before, after);
        (texts(&compared.gained), texts(&compared.lost))
    }

    #[test]
    fn each_answer_stands_for_one_whatever_their_order() {
        let (gained, lost) = compared(found(&["a", "b", "a"], None), found(&["c", "a", "b", "c"], None));
        assert_eq!((gained.as_str(), lost.as_str()), ("c c", "a"));
    }

    #[test]
    fn what_may_be_among_unknown_answers_is_no_difference() {
        let cut = Some("cut");
        let (gained, lost) = compared(found(&["a", "b"], cut), found(&["b", "c"], None));
        assert_eq!((gained.as_str(), lost.as_str()), ("", "a"));
        let (gained, lost) = compared(found(&["a", "b"], None), found(&["b", "c"], cut));
        assert_eq!((gained.as_str(), lost.as_str()), ("c", ""));
        let (gained, lost) = compared(found(&["a"], cut), found(&["b"], cut));
        assert_eq!((gained.as_str(), lost.as_str()), ("", ""));
    }
    #[test]
    fn a_goal_has_no_answers_where_it_needs_a_predicate_that_is_not_defined() {
        let message = "Unknown procedure: p/2.";
        for goal in ["p(X, Y)", " p(f(X, Z), [a,b]). ", "q(X), p(X, Y), X = 1"] {
            assert!(undefines(message, goal), "{goal}");
        }
        for goal in [
            "p(X, Y) ; q(X)",
            "q(X) -> p(X, Y)",
            "p(X)",
            "q(X)",
            "(p(X, Y))",
            "",
            "\\+ p(X, Y)",
        ] {
            assert!(!undefines(message, goal), "{goal}");
        }
        assert!(undefines("Unknown procedure: p/0.", "p"));
        assert!(!undefines(
            "Unknown procedure: p/2. Raised in q/1, clause 1.",
            "p(X, Y)"
        ));
    }
}
