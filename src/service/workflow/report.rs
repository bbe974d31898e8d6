//! What agents are told of a run, within a budget of tokens.

use hornbook_workflow::fault::WorkflowFault;
use hornbook_workflow::json::{Json, Object};
use serde_json::{Map, Value, json};

use crate::budget::{most_tokens, most_tokens_of};
use crate::report::Report;
use crate::schema::Arguments;

/// Characters of a token, about.
const TOKEN_CHARS: usize = 4;

/// How long a reply may be, in tokens.
#[derive(Clone, Copy)]
pub struct Budget(pub usize);

impl Budget {
    pub fn of(arguments: &Arguments) -> Budget {
        let tokens = arguments.integer("budget").unwrap_or(1_000).min(10_000);
        // The rest is for what is told beside the state.
        Budget(tokens as usize * 4 / 5)
    }

    /// About as many characters.
    pub fn chars(self) -> usize {
        self.0 * TOKEN_CHARS
    }
}

/// How a call ends that ran a run.
pub enum Ended {
    Final,
    Waits { node: String, after: bool },
    Failed { node: String, fault: WorkflowFault },
    Cancelled,
}

/// What is told of a run besides its state.
pub struct RunReport<'a> {
    pub tool: &'static str,
    pub run: &'a str,
    pub ended: Ended,
    /// Goals of nodes that failed.
    pub failed: Vec<String>,
    pub output: String,
}

impl RunReport<'_> {
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
            let failed = clipped(&self.failed.join("; "), budget.chars() / 8);
            lines.push(format!("Failed, and gave nothing: {failed}"));
            structured["failed"] = json!(failed);
        }
        if !self.output.is_empty() {
            let output = clipped(&self.output, budget.chars() / 8);
            lines.push(format!("Output: {}", output.trim_end()));
            structured["output"] = json!(output);
        }
        let shown = state_within(state, budget);
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

pub fn state_within(state: &Object, budget: Budget) -> Shown {
    let mut sizes: Vec<(usize, &String, &Json)> = state
        .iter()
        .map(|(key, value)| (key.len() + value.to_string().len(), key, value))
        .collect();
    sizes.sort_by_key(|(size, key, _)| (*size, *key));
    let mut shown = Shown {
        members: Vec::new(),
        left_out: Vec::new(),
    };
    let mut used: usize = 0;
    for (size, key, member) in sizes {
        // A text that is long by itself need not be counted.
        if size <= budget.chars() * 2 {
            let text = most_tokens(&member.to_string());
            used = used.saturating_add(most_tokens(key) + text.max(most_tokens_of(&value(member))));
        } else {
            used = usize::MAX;
        }
        if used <= budget.0 {
            shown.members.push((key.clone(), member.clone()));
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
            "Left out: {}{more}. workflow_runs with `run`, `keys` and a larger `budget` shows what has at most 10,000 tokens.",
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
    hornbook_base::cut(text, chars.max(40))
}
