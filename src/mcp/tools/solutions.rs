//! Answers of a query, as text and as data.

use serde_json::{Value, json};

use super::{Failure, Report, count};
use crate::mcp::jsonrpc;
use crate::workspace::{Answer, Answers};

/// The answers of one call.
pub struct Solutions<'a> {
    answers: &'a Answers,
    failure: Option<Failure>,
}

impl Solutions<'_> {
    pub fn of(answers: &Answers) -> Solutions<'_> {
        Solutions {
            answers,
            failure: answers.fault.clone().map(Failure::from),
        }
    }

    /// `heading` comes first in the text; `structured` gets the fields of the answers beside its own.
    pub fn report(&self, heading: &str, structured: Value) -> Report {
        let Answers {
            answers,
            more,
            output,
            added,
            removed,
            undone,
            notices,
            ..
        } = self.answers;
        let mut lines: Vec<String> = Vec::new();
        if !heading.is_empty() {
            lines.push(heading.to_string());
        }
        for answer in answers {
            if !answer.output.is_empty() {
                lines.push(format!("Output: {}", answer.output.trim_end_matches('\n')));
            }
            lines.push(format!("Solution: {}", solution(answer)));
        }
        if !output.is_empty() {
            lines.push(format!("Output: {}", output.trim_end_matches('\n')));
        }
        if let Some(failure) = &self.failure {
            lines.push(failure.text());
        } else if !more {
            lines.push("No more solutions".into());
        }
        if added + removed > 0 {
            lines.push(format!(
                "Workspace: {} added, {removed} removed",
                count(*added, "clause")
            ));
        }
        if *undone > 0 {
            lines.push(format!(
                "Workspace: {} of this query taken back",
                count(*undone, "change")
            ));
        }
        lines.push(format!("Status: {}", self.status()));
        let mut fields = jsonrpc::object(structured);
        fields.insert("solution".into(), json!(answers.first().map(solution)));
        fields.insert("status".into(), json!(self.status()));
        fields.insert("answers".into(), json!(answers));
        fields.insert("more".into(), json!(more));
        if let Some(residual) = answers
            .first()
            .map(|answer| &answer.residual)
            .filter(|goals| !goals.is_empty())
        {
            fields.insert("residual".into(), json!(residual));
        }
        let all_output: String = answers
            .iter()
            .map(|answer| answer.output.as_str())
            .chain([output.as_str()])
            .collect();
        if !all_output.is_empty() {
            fields.insert("output".into(), json!(all_output));
        }
        if added + removed + undone > 0 {
            fields.insert(
                "changes".into(),
                json!({ "added": added, "removed": removed, "undone": undone }),
            );
        }
        if let Some(failure) = &self.failure {
            fields.insert("error".into(), json!(failure));
        }
        let is_error = self.failure.is_some();
        Report {
            text: lines.join("\n"),
            structured: fields,
            is_error,
        }
        .notices(notices)
    }

    fn status(&self) -> &'static str {
        match (
            &self.failure,
            self.answers.answers.is_empty() && !self.answers.more,
        ) {
            (Some(_), _) => "error",
            (None, true) => "done",
            (None, false) => "success",
        }
    }
}

/// `X = a, Y = "s"`, with the constraints that remain; `true` where there is nothing to tell. Variables without a
/// value are left out, as at Prolog's own prompt.
fn solution(answer: &Answer) -> String {
    let bindings = answer
        .bindings
        .iter()
        .filter(|binding| binding.text != "_")
        .map(|binding| format!("{} = {}", binding.name, binding.text));
    let parts: Vec<String> = bindings.chain(answer.residual.iter().cloned()).collect();
    if parts.is_empty() {
        "true".into()
    } else {
        parts.join(", ")
    }
}
