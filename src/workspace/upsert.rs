//! Facts that replace those with the same key.

use super::request::Watch;
use super::sharing::on_the_newest;
use super::types::{Notice, Upsert, Upserted};
use super::{Inner, Workspace, believed, changes};
use hornbook_base::{Control, Fault, FaultKind, Pace};
use hornbook_book::lexer::Lexer;
use hornbook_book::text::unreadable;
use hornbook_book::{Operation, Predicate};
use hornbook_engine::protocol::{self, Bounds};
use hornbook_engine::reply::{BadReply, Step};

impl Workspace {
    /// Bring facts up to date: each row replaces the facts with its key, or is added at the end. Of rows with the same key
    /// the last one counts. On a fault the book is unchanged.
    pub async fn upsert(&self, facts: Upsert, control: &Control) -> Result<Upserted, Fault> {
        let workspace = &*self.0;
        workspace.check_upsert(&facts)?;
        if facts.rows() == 0 {
            return Ok(Upserted::default());
        }
        let rows = facts.text(&workspace.pace()).await;
        on_the_newest(async || workspace.upsert_once(&facts, &rows, control).await).await
    }
}

impl Inner {
    async fn upsert_once(&self, facts: &Upsert, rows: &str, control: &Control) -> Result<Upserted, Fault> {
        let turn = self.turn(control).await?;
        let predicate = Predicate {
            name: facts.predicate.clone(),
            arity: facts.arity as u32,
        };
        let key: Vec<usize> = facts.key.iter().map(|place| place + 1).collect();
        let soft_ms = self.limits.longest_timeout_ms;
        let bounds = Bounds {
            take: 1,
            soft_ms,
            next: turn.next_ids(),
        };
        let request = protocol::upsert(&predicate, &key, rows, bounds);
        let watch = Watch::goal("upsert", soft_ms, control);
        let believe = |step| {
            let mut step = believed::step(&turn, bounds, step)?;
            let counts = match step.error {
                None => counts(&step)?,
                Some(_) => Upserted::default(),
            };
            step.answers.clear();
            Ok((step, counts))
        };
        let ((step, counts), edit) = turn.step(request, watch, believe).await?;
        let fault = step.error.map(|error| turn.goal_fault(error, soft_ms));
        let operation = Operation::Upsert(predicate.to_string());
        changes::take(&turn, edit, step.changes, operation).await?;
        match fault {
            Some(fault) => Err(fault),
            None => Ok(Upserted {
                notices: turn.notices(),
                ..counts
            }),
        }
    }

    fn check_upsert(&self, facts: &Upsert) -> Result<(), Fault> {
        let wrong = |message: String, next: &str| {
            Err(Fault::new(FaultKind::DomainError, message).with_next(next.to_owned()))
        };
        let Upsert {
            predicate,
            arity,
            values,
            key,
        } = facts;
        let place = "Give the places of the arguments that tell facts apart, from 0, as [0].";
        if predicate.trim().is_empty() {
            return wrong(
                "The name of the predicate is empty.".into(),
                "Give it, as `price`.",
            );
        }
        if let Some((name, digits)) = predicate.rsplit_once('/')
            && !name.is_empty()
            && digits.parse::<u32>().is_ok()
        {
            let message = format!("`{predicate}` is not the name of a predicate.");
            return wrong(
                message,
                "Give the name alone: the rows tell how many arguments it has.",
            );
        }
        if no_fact(predicate, *arity) {
            return wrong(
                format!("A fact of `{predicate}` would be a rule or a directive."),
                "Add it with `assert`.",
            );
        }
        if key.is_empty() {
            return wrong("The key is empty.".into(), place);
        }
        if values.is_empty() {
            return Ok(());
        }
        if let Some(beyond) = key.iter().find(|at| *at >= arity) {
            let message = format!("The key has the place {beyond}, and the rows have {arity} values.");
            return wrong(message, place);
        }
        let bytes: usize = values.iter().map(String::len).sum();
        if bytes > self.limits.file_bytes {
            let message = format!("The rows have {bytes} bytes, more than one call may contain");
            return Err(Fault::limit(message, "file_bytes", self.limits.file_bytes));
        }
        let fault = |value: &String| unreadable("A value", value, Lexer::new(value), &self.limits);
        if let Some(fault) = values.iter().find_map(fault) {
            return Err(Fault { line: None, ..fault });
        }
        Ok(())
    }
}

/// A term of this name is not the fact that it looks like: it is a rule, a directive, or of another module.
fn no_fact(name: &str, arity: usize) -> bool {
    match arity {
        1 => matches!(name, ":-" | "?-"),
        2 => matches!(name, ":-" | "-->" | "=>" | "==>" | "<=>" | ":"),
        _ => false,
    }
}

impl Upsert {
    fn rows(&self) -> usize {
        self.values.len() / self.arity.max(1)
    }

    /// The rows as the text of a list.
    async fn text(&self, pace: &Pace) -> String {
        let bytes: usize = self.values.iter().map(|value| value.len() + 2).sum();
        let mut text = String::with_capacity(bytes);
        for row in self.values.chunks_exact(self.arity) {
            text.push_str(if text.is_empty() { "[r(" } else { ",r(" });
            for (at, value) in row.iter().enumerate() {
                if at > 0 {
                    text.push(',');
                }
                text.push_str(value);
            }
            text.push(')');
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        text.push(']');
        text
    }
}

/// What became of the rows, as the engine says.
fn counts(step: &Step) -> Result<Upserted, BadReply> {
    let wrong = || BadReply::new("it does not say what became of the rows");
    let answer = step.answers.first().ok_or_else(wrong)?;
    let count = |at: usize| -> Result<usize, BadReply> {
        let (_, _, value) = answer.bindings.get(at).ok_or_else(wrong)?;
        Ok(value.as_u64().ok_or_else(wrong)? as usize)
    };
    Ok(Upserted {
        added: count(0)?,
        replaced: count(1)?,
        unchanged: count(2)?,
        notices: Vec::<Notice>::new(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use hornbook_base::at_once;

    #[test]
    fn rows_are_a_list() {
        let facts = Upsert {
            predicate: "p".into(),
            arity: 2,
            values: ["a", "1", "b", "2"].map(str::to_owned).to_vec(),
            key: vec![0],
        };
        assert_eq!(at_once(facts.text(&Pace::unbroken())), "[r(a,1),r(b,2)]");
    }
}
