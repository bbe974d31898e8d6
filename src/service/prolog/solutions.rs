//! Answers of a query, as text and as data.

use serde_json::{Value, json};

use crate::report::{Failure, Report, count, cut};
use hornbook_mcp::{Object, object};
use hornbook_workspace::{Answer, Answers};

/// Characters of what a goal wrote before it failed, in the text for the model; the data have all.
const FAILED_OUTPUT_CHARS: usize = 2_000;

/// The answers of one call.
pub struct Solutions {
    answers: Answers,
    failure: Option<Failure>,
}

impl Solutions {
    pub fn of(mut answers: Answers) -> Solutions {
        let failure = answers.fault.take().map(Failure::from);
        Solutions { answers, failure }
    }

    /// `heading` comes first in the text; `structured` gets the fields of the answers beside its own.
    pub fn report(self, heading: &str, structured: Value) -> Report {
        let status = self.status();
        let text = self.text(heading, status);
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
        let mut fields = object(structured);
        fields.insert("solution".into(), json!(answers.first().map(solution)));
        fields.insert("status".into(), json!(status));
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
        fields.insert("answers".into(), answers.into_iter().map(data).collect());
        if added + removed + undone > 0 {
            fields.insert(
                "changes".into(),
                json!({ "added": added, "removed": removed, "undone": undone }),
            );
        }
        if let Some(failure) = &self.failure {
            fields.insert("error".into(), json!(failure));
        }
        Report {
            text,
            structured: fields,
            is_error: self.failure.is_some(),
        }
        .notices(&notices)
    }

    fn text(&self, heading: &str, status: &str) -> String {
        let Answers {
            before,
            answers,
            more,
            output,
            added,
            removed,
            undone,
            ..
        } = &self.answers;
        let mut text = String::from(heading);
        let mut line = |label: &str, rest: &str| {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(label);
            text.push_str(rest);
        };
        for answer in answers {
            if !answer.output.is_empty() {
                line("Output: ", answer.output.trim_end_matches('\n'));
            }
            line("Solution: ", &solution(answer));
        }
        if !output.is_empty() {
            // Where it failed, by writing too much perhaps, the begin tells what it does.
            let told = match self.failure {
                Some(_) => cut(output, FAILED_OUTPUT_CHARS),
                None => output.clone(),
            };
            line("Output: ", told.trim_end_matches('\n'));
        }
        if let Some(failure) = &self.failure {
            line("", &failure.text());
        } else if *before + answers.len() == 0 && !more {
            line("No solutions (false).", "");
        } else if !more {
            line("No more solutions", "");
        }
        if added + removed > 0 {
            line(
                "Workspace: ",
                &format!("{} added, {removed} removed", count(*added, "clause")),
            );
        }
        if *undone > 0 {
            line(
                "Workspace: ",
                &format!("{} of this query taken back", count(*undone, "change")),
            );
        }
        line("Status: ", status);
        text
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
    let mut text = String::new();
    let told = |text: &mut String, parts: [&str; 3]| {
        if !text.is_empty() {
            text.push_str(", ");
        }
        text.extend(parts);
    };
    for binding in answer.bindings.iter().filter(|binding| binding.text != "_") {
        told(&mut text, [&binding.name, " = ", &binding.text]);
    }
    for goal in &answer.residual {
        told(&mut text, [goal, "", ""]);
    }
    if text.is_empty() { "true".into() } else { text }
}

/// An answer as data. Answers come by the thousand, so that their strings are moved and not copied.
fn data(answer: Answer) -> Value {
    let bindings = answer.bindings.into_iter().map(|binding| {
        let mut fields = Object::new();
        fields.insert("name".into(), Value::String(binding.name));
        fields.insert("text".into(), Value::String(binding.text));
        fields.insert("json".into(), binding.json);
        Value::Object(fields)
    });
    let mut fields = Object::new();
    fields.insert("bindings".into(), bindings.collect());
    if !answer.residual.is_empty() {
        fields.insert("residual".into(), answer.residual.into());
    }
    if !answer.output.is_empty() {
        fields.insert("output".into(), Value::String(answer.output));
    }
    Value::Object(fields)
}
