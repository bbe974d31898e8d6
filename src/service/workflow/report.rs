//! What agents are told about a run, within a budget of tokens.

use hornbook_workflow::fault::WorkflowFault;
use hornbook_workflow::json::{Json, Object};
use hornbook_workflow::state::{Interrupt, When};
use hornbook_workflow::time;
use serde_json::{Value, json};

use super::results::{NodeError, RunState, RunTool, ShownState, WorkflowResult};
use crate::budget::{most_tokens, most_tokens_of};
use crate::report::Report;
use crate::schema::Arguments;

/// Approximate characters per token.
const TOKEN_CHARS: usize = 4;
/// Omitted members of a state that are listed by name.
const LEFT_OUT_NAMED: usize = 20;

/// How long a reply may be, in tokens.
#[derive(Clone, Copy)]
pub struct Budget(pub usize);

impl Budget {
    pub fn of(arguments: &Arguments) -> Budget {
        let tokens = arguments.integer("budget").unwrap_or(1_000).min(10_000);
        // The rest is for what the reply says besides the state.
        Budget(tokens as usize * 4 / 5)
    }

    /// The budget in characters, approximately.
    pub fn chars(self) -> usize {
        self.0 * TOKEN_CHARS
    }
}

/// Interrupts that are listed.
const LISTED: usize = 20;

/// What a run waits for, after `waits`.
pub fn place_of(interrupt: &Interrupt) -> String {
    let node = &interrupt.node;
    match (interrupt.when, &interrupt.question, &interrupt.signal) {
        (When::Question, Some(question), _) => {
            format!(
                "for an answer to node '{node}': {}",
                clipped(&question.to_string(), 300)
            )
        }
        (When::Signal, _, Some(name)) => format!("for the signal '{name}' before node '{node}'"),
        (When::Time, ..) => {
            let until = interrupt.until_ms.map(time::shown).unwrap_or_default();
            format!("until {until} before node '{node}'")
        }
        (when, ..) => format!("{} node '{node}'", when.word()),
    }
}

/// How a call that runs a workflow ends.
pub enum Ended {
    Final,
    Waits {
        first: Interrupt,
        all: Vec<Interrupt>,
    },
    Failed {
        node: String,
        fault: WorkflowFault,
    },
    Cancelled,
    /// Nobody waits for it any more; it can be resumed.
    CutOff,
    /// It goes on elsewhere in this process.
    Runs,
}

/// A run's result, without its state.
pub struct RunReport<'a> {
    pub tool: RunTool,
    pub run: &'a str,
    pub ended: Ended,
    /// Goals of nodes that failed.
    pub failed: Vec<String>,
    pub output: String,
}

impl RunReport<'_> {
    pub fn report(self, state: &Object, budget: Budget) -> Report {
        let mut lines = vec![self.sentence()];
        let mut part = |label: &str, whole: &str| {
            let shown = (!whole.is_empty()).then(|| clipped(whole, budget.chars() / 8))?;
            lines.push(format!("{label}: {}", shown.trim_end()));
            Some(shown)
        };
        let failed = part("Failed, and gave nothing", &self.failed.join("; "));
        let output = part("Output", &self.output);
        let shown = state_within(state, budget, &mut lines);
        let next = self.ended.next();
        lines.extend(next.map(str::to_owned));
        let is_error = matches!(self.ended, Ended::Failed { .. });
        let status = self.ended.status();
        let (node, error, interrupts) = match self.ended {
            Ended::Final | Ended::Cancelled | Ended::CutOff | Ended::Runs => (None, None, Vec::new()),
            Ended::Waits { first, all } => {
                let usual = all.len() == 1 && matches!(first.when, When::Before | When::After);
                (Some(first.node), None, if usual { Vec::new() } else { all })
            }
            Ended::Failed { node, fault } => (Some(node), Some(fault.into()), Vec::new()),
        };
        let result = WorkflowResult {
            tool: self.tool,
            run: self.run.to_owned(),
            status,
            node,
            interrupts,
            error,
            failed,
            output,
            shown,
            next,
        };
        Report {
            is_error,
            ..Report::new(lines.join("\n"), result)
        }
    }

    fn sentence(&self) -> String {
        let run = self.run;
        match &self.ended {
            Ended::Final if self.failed.is_empty() => format!("Run {run} ended."),
            Ended::Final => format!("Run {run} ended, but not every node succeeded."),
            Ended::Waits { first, all } if all.len() == 1 => format!("Run {run} waits {}.", place_of(first)),
            Ended::Waits { all, .. } => {
                let shown = all.iter().take(LISTED);
                let shown: Vec<String> = shown
                    .map(|one| format!("{} ({})", one.id, place_of(one)))
                    .collect();
                let more = match all.len().saturating_sub(LISTED) {
                    0 => String::new(),
                    more => format!(" and {more} more"),
                };
                format!("Run {run} waits at {}{more}.", shown.join(", "))
            }
            Ended::Failed { node, fault } => {
                let line = fault.line.map(|line| format!(" (line {line})"));
                let line = line.unwrap_or_default();
                format!("Run {run} failed at node '{node}'{line}: {}", fault.message)
            }
            Ended::Cancelled => format!("Run {run} is cancelled: it does not go on."),
            Ended::CutOff => format!("Run {run} was cut off."),
            Ended::Runs => format!("Run {run} goes on elsewhere, and has what was sent."),
        }
    }
}

impl Ended {
    fn status(&self) -> RunState {
        match self {
            Ended::Final => RunState::Ended,
            Ended::Waits { .. } => RunState::Waiting,
            Ended::Failed { .. } => RunState::Failed,
            Ended::Cancelled => RunState::Cancelled,
            Ended::CutOff => RunState::Interrupted,
            Ended::Runs => RunState::Running,
        }
    }

    /// How to continue.
    fn next(&self) -> Option<&'static str> {
        Some(match self {
            Ended::Final => return None,
            Ended::Cancelled => "workflow_resume with `from` begins a new run at one of its checkpoints.",
            Ended::Runs => "workflow_runs tells how far it is.",
            Ended::Waits { first, .. } if first.when == When::Signal => {
                "workflow_resume sends it the signal, by `signals`, and continues it."
            }
            Ended::Waits { first, .. } if first.when == When::Time => {
                "workflow_resume continues it then, or the program that follows its workflow."
            }
            Ended::Waits { first, all } if all.len() == 1 && first.when != When::Question => {
                "Resume it with workflow_resume, with `state` for what was decided."
            }
            Ended::Waits { .. } => {
                "Answer each with workflow_resume: `interrupt` names it, `state` has what was decided, or `answer` for a question."
            }
            Ended::Failed { .. } => {
                "Resume it with workflow_resume: with `state`, or `yaml` in which later nodes were changed."
            }
            Ended::CutOff => "workflow_resume continues it.",
        })
    }
}

impl From<WorkflowFault> for NodeError {
    fn from(fault: WorkflowFault) -> NodeError {
        NodeError {
            kind: fault.kind,
            message: fault.message,
            line: fault.line,
        }
    }
}

/// The members of a state that fit, and the lengths of those that do not; the same is added to `lines` as
/// text.
pub fn state_within(state: &Object, budget: Budget, lines: &mut Vec<String>) -> ShownState {
    let mut sizes: Vec<(usize, &String, &Json)> = state
        .iter()
        .map(|(key, value)| (key.len() + value.to_string().len(), key, value))
        .collect();
    sizes.sort_by_key(|(size, key, _)| (*size, *key));
    let mut members = Object::new();
    let mut left_out = Vec::new();
    let mut used: usize = 0;
    for (size, key, member) in sizes {
        // A value this long cannot fit, so there is no need to count its tokens.
        if size <= budget.chars() * 2 {
            let text = most_tokens(&member.to_string());
            used = used.saturating_add(most_tokens(key) + text.max(most_tokens_of(&value(member))));
        } else {
            used = usize::MAX;
        }
        if used <= budget.0 {
            members.insert(key.clone(), member.clone());
        } else {
            left_out.push((key.clone(), size));
        }
    }
    let state = members.iter().map(|(key, member)| (key.clone(), value(member)));
    let state = state.collect();
    lines.push(format!("State: {}", Json::Object(members)));
    if !left_out.is_empty() {
        let named = left_out.iter().take(LEFT_OUT_NAMED);
        let named: Vec<String> = named
            .map(|(key, size)| format!("{key} ({size} characters)"))
            .collect();
        let more = match left_out.len().saturating_sub(LEFT_OUT_NAMED) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        lines.push(format!(
            "Left out: {}{more}. workflow_runs with `run`, `keys` and a larger `budget` shows what has at most 10,000 tokens.",
            named.join(", ")
        ));
    }
    let left_out = left_out.into_iter().collect();
    ShownState { state, left_out }
}

/// Integers beyond 64 bits become strings: JSON readers would turn them into floats.
fn value(json: &Json) -> Value {
    match json {
        Json::Null => Value::Null,
        Json::Bool(truth) => json!(truth),
        Json::Int(number) => json!(number),
        Json::Big(digits) => json!(digits),
        Json::Float(number) => json!(number),
        Json::Text(text) => json!(text),
        Json::Array(items) => items.iter().map(value).collect(),
        Json::Object(members) => {
            let members = members.iter().map(|(key, member)| (key.clone(), value(member)));
            Value::Object(members.collect())
        }
    }
}

pub fn clipped(text: &str, chars: usize) -> String {
    hornbook_base::cut(text, chars.max(40))
}
