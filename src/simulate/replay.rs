//! A run without faults, one call after the other, as JSON: what a real book must come to that does the same.

use hornbook_base::Limits;
use hornbook_book::Book;
use serde_json::{Value, json};

use super::calls::{Call, Heard, Record};
use super::plan::{Faults, Kind, Plan, Work};

impl Plan {
    /// The run of a seed in which one client of one process makes all calls, and nothing fails.
    fn undisturbed(self) -> Plan {
        Plan {
            processes: 1,
            clients: 1,
            round: self.operations,
            kind: Kind::File,
            faults: Faults::default(),
            work: Work {
                constraints: self.work.constraints,
                ..Work::default()
            },
            limits: Limits {
                history: Limits::default().history,
                journal_bytes: Limits::default().journal_bytes,
                ..self.limits
            },
            ..self
        }
    }
}

/// The calls of a seed that change the book, with the book's text after each.
///
/// # Errors
/// What is wrong with the run.
pub fn replay(plan: Plan) -> Result<Value, String> {
    let plan = plan.undisturbed();
    let (records, states) = super::run::recorded(&plan)?;
    let mut calls = Vec::new();
    for record in records {
        // Programs have no such call.
        if matches!(record.call, Call::Reset | Call::Set(..)) {
            break;
        }
        if let Some(call) = written(&record, &states) {
            calls.push(call);
        }
    }
    Ok(json!({ "seed": plan.seed, "calls": calls }))
}

/// A call that changed something, or could not.
fn written(record: &Record, states: &[Book]) -> Option<Value> {
    let is_refused = match *record.heard.borrow() {
        Heard::Done { most, .. } if most > 0 => false,
        Heard::Refused(_) => true,
        _ => return None,
    };
    let mut call = match &record.call {
        Call::Assert(clauses) => json!({ "do": "assert", "clauses": clauses }),
        Call::Retract(clause) => json!({ "do": "retract", "clause": clause }),
        Call::Replace(clause, by) => json!({ "do": "replace", "clause": clause, "by": by }),
        // A program's import reads a file again that is there.
        Call::Import(..) if is_refused => return None,
        Call::Import(name, text) | Call::Save(name, text) => {
            json!({ "do": "import", "name": name, "text": text })
        }
        Call::Unimport(name) => json!({ "do": "unimport", "name": name }),
        Call::Change(goal) => json!({ "do": "change", "goal": in_prolog(goal) }),
        Call::Undo(steps, _) => json!({ "do": "undo", "steps": steps }),
        Call::Redo(steps, _) => json!({ "do": "redo", "steps": steps }),
        _ => return None,
    };
    let (_, revisions) = record.replied.get()?;
    call["refused"] = json!(is_refused);
    let source = states.get(revisions as usize)?.snapshot();
    // What SWI-Prolog itself has this operator as.
    call["source"] = json!(source.replace(":- op(0, xfx, =>).", ":- op(1200,xfx,=>)."));
    Some(call)
}

/// A goal of scripted engines, as Prolog has it.
fn in_prolog(goal: &str) -> String {
    let goals = goal.replace('\'', "");
    let each = goals.split(", ").map(|goal| match goal.strip_prefix("retract(") {
        Some(predicate) => format!("ignore(retract({}(_)))", predicate.trim_end_matches(')')),
        None => goal.to_owned(),
    });
    each.collect::<Vec<_>>().join(", ")
}
