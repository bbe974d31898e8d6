//! What agents are told of a run, within a budget of tokens.

use hornbook_workflow::fault::Fault;
use hornbook_workflow::json::{Json, Object};
use serde_json::{Map, Value, json};

use crate::report::Report;
use crate::schema::Arguments;

/// Characters of a token, about.
const TOKEN_CHARS: usize = 4;

/// How long a reply may be, in characters.
#[derive(Clone, Copy)]
pub struct Budget(pub usize);

impl Budget {
    pub fn of(arguments: &Arguments) -> Budget {
        let tokens = arguments.integer("budget").unwrap_or(1_000).min(10_000);
        Budget(tokens as usize * TOKEN_CHARS)
    }
}

/// How a call ends that ran a run.
pub enum Ended {
    Final,
    Waits { node: String, after: bool },
    Failed { node: String, fault: Fault },
    Cancelled,
}

/// What is told of a run besides its state.
pub struct Told<'a> {
    pub tool: &'static str,
    pub run: &'a str,
    pub ended: Ended,
    /// Goals of nodes that failed.
    pub failed: Vec<String>,
    pub output: String,
}

impl Told<'_> {
    pub fn report(self, state: &Object, budget: Budget) -> Report {
        let run = self.run;
        let (status, sentence, next) = match &self.ended {
            Ended::Final => ("ended", format!("Run {run} ended."), None),
            Ended::Waits { node, after } => (
                "waiting",
                format!(
                    "Run {run} waits {} node '{node}'.",
                    if *after { "after" } else { "before" }
                ),
                Some("Go on with workflow_resume, with `state` for what was decided."),
            ),
            Ended::Failed { node, fault } => {
                let line = fault
                    .line
                    .map(|line| format!(" (line {line})"))
                    .unwrap_or_default();
                let sentence = format!("Run {run} failed at node '{node}'{line}: {}", fault.message);
                let next =
                    "Go on with workflow_resume: with `state`, or `yaml` in which later nodes were changed.";
                ("failed", sentence, Some(next))
            }
            Ended::Cancelled => (
                "interrupted",
                format!("Run {run} was cut off."),
                Some("It goes on with workflow_resume."),
            ),
        };
        let mut structured = json!({ "type": self.tool, "run": run, "status": status });
        let mut lines = vec![sentence.clone()];
        match &self.ended {
            Ended::Waits { node, .. } => structured["node"] = json!(node),
            Ended::Failed { node, fault } => {
                structured["node"] = json!(node);
                structured["error"] =
                    json!({ "kind": fault.kind.word(), "message": fault.message, "line": fault.line });
            }
            _ => {}
        }
        if !self.failed.is_empty() {
            let failed = clipped(&self.failed.join("; "), budget.0 / 4);
            lines.push(format!("Failed, and gave nothing: {failed}"));
            structured["failed"] = json!(failed);
        }
        if !self.output.is_empty() {
            let output = clipped(&self.output, budget.0 / 4);
            lines.push(format!("Output: {}", output.trim_end()));
            structured["output"] = json!(output);
        }
        let shown = state_within(state, budget.0);
        shown.put(&mut lines, &mut structured);
        if let Some(next) = next {
            lines.push(next.to_owned());
            structured["next"] = json!(next);
        }
        let mut report = Report::new(lines.join("\n"), structured);
        report.is_error = matches!(self.ended, Ended::Failed { .. });
        report
    }
}

/// The members of a state that fit, and the lengths of those that do not.
pub struct Shown {
    members: Vec<(String, Json)>,
    left_out: Vec<(String, usize)>,
}

pub fn state_within(state: &Object, chars: usize) -> Shown {
    let mut sizes: Vec<(usize, &String, &Json)> = state
        .iter()
        .map(|(key, value)| (key.len() + value.to_string().len(), key, value))
        .collect();
    sizes.sort_by_key(|(size, key, _)| (*size, *key));
    let mut shown = Shown {
        members: Vec::new(),
        left_out: Vec::new(),
    };
    let mut used = 0;
    for (size, key, value) in sizes {
        used += size;
        if used <= chars {
            shown.members.push((key.clone(), value.clone()));
        } else {
            shown.left_out.push((key.clone(), size));
        }
    }
    shown.members.sort_by(|a, b| a.0.cmp(&b.0));
    shown
}

impl Shown {
    pub fn put(self, lines: &mut Vec<String>, structured: &mut Value) {
        let state: Object = self.members.into_iter().collect();
        lines.push(format!("State: {}", Json::Object(state.clone())));
        structured["state"] = value(&Json::Object(state));
        if self.left_out.is_empty() {
            return;
        }
        let listed: Vec<String> = self
            .left_out
            .iter()
            .take(20)
            .map(|(key, size)| format!("{key} ({size} characters)"))
            .collect();
        let more = match self.left_out.len().saturating_sub(20) {
            0 => String::new(),
            more => format!(" and {more} more"),
        };
        lines.push(format!(
            "Left out: {}{more}. workflow_runs with `run`, `keys` and a larger `budget` shows them.",
            listed.join(", ")
        ));
        let left_out: Map<String, Value> = self
            .left_out
            .into_iter()
            .map(|(key, size)| (key, json!(size)))
            .collect();
        structured["left_out"] = Value::Object(left_out);
    }
}

/// Integers that JSON's readers may not hold are texts.
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
    crate::report::cut(text, chars.max(40))
}
