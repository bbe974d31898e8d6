//! Answers of a query, as text and as data, as many as fit in a reply.

use serde_json::{Value, json};

use super::results::{AnswerValues, BoundValue, Changes, QueryAnswers};
use crate::budget::{NOTE, fitted, most_tokens, most_tokens_of, within};
use crate::report::{Report, advised, count, error_text};
use hornbook_base::{Control, Fault};
use hornbook_workspace::{Answer, Answers, Binding, Workspace};

/// The answers of one call.
pub struct Solutions {
    answers: Answers,
    fault: Option<Fault>,
    /// How many answers are kept for the next call because the reply has no room for them.
    left_out: usize,
    /// Tokens for the reply.
    budget: usize,
}

/// The answers of a goal, one a line, as many as fit; what it changes is undone.
pub async fn answers(workspace: &Workspace, goal: String) -> String {
    let asked = workspace.answers_of(&goal, &Control::default()).await;
    let (answers, more, fault) = match asked {
        Ok(answers) => (answers.answers, answers.more, answers.fault),
        Err(fault) => (Vec::new(), false, Some(fault)),
    };
    let room = workspace.reply_tokens().saturating_sub(4 * NOTE);
    let listed = fitted(
        room,
        answers
            .iter()
            .map(|answer| (format!("{}\n", line(answer).trim_end()), ())),
    );
    let left = answers.len() - listed.data.len();
    let mut text = listed.text;
    match fault {
        Some(fault) => text.push_str(&error_text(&advised(fault))),
        None if answers.is_empty() => text.push_str("% No answers"),
        None if left > 0 || more => {
            let more = if more { "more than " } else { "" };
            text.push_str(&format!("% … and {more}{left} others: query_start has them"));
        }
        None => {}
    }
    text.trim_end().to_owned()
}

impl Solutions {
    /// The answers that fit in a reply of `budget` tokens, and the rest, kept for the next call.
    pub fn of(mut answers: Answers, budget: usize) -> (Solutions, Option<Answers>) {
        // For the heading, the notices and what follows the answers.
        let mut room = budget.saturating_sub(8 * NOTE);
        if !answers.output.is_empty() || answers.fault.is_some() {
            room = room / 3 * 2;
        }
        let items = answers.answers.iter().map(|answer| (line(answer), data(answer)));
        let fit = fitted(room, items).data.len().max(1);
        let rest = (answers.answers.len() > fit).then(|| answers.split_off(fit));
        if let [only] = &mut answers.answers[..] {
            shorten(only, room);
        }
        let fault = answers.fault.take().map(advised);
        let solutions = Solutions {
            answers,
            fault,
            left_out: rest.as_ref().map_or(0, |rest| rest.answers.len()),
            budget,
        };
        (solutions, rest)
    }

    /// `heading` starts the text; `about` is the data about the query besides its answers.
    pub fn report(self, heading: &str, about: QueryAnswers) -> Report {
        let text = self.text(heading);
        let Answers {
            answers,
            more,
            output,
            added,
            removed,
            undone,
            notices,
            ..
        } = &self.answers;
        let (added, removed, undone) = (*added, *removed, *undone);
        let structured = QueryAnswers {
            answers: answers.iter().map(data).collect(),
            more: *more,
            next: more.then_some("query_next"),
            left_out: (self.left_out > 0).then_some(self.left_out),
            output: (!output.is_empty()).then(|| self.last_output(output)),
            changes: (added + removed + undone > 0).then_some(Changes {
                added,
                removed,
                undone,
            }),
            hint: self.answers.hint.clone(),
            error: self.fault.clone(),
            ..about
        };
        let report = Report {
            is_error: self.fault.is_some(),
            ..Report::new(text, structured)
        };
        report.notices(notices)
    }

    /// What was written after the last answer. After an error more of it is cut, because writing too much may
    /// have been the cause and its beginning shows what the goal does.
    fn last_output(&self, output: &str) -> String {
        let part = if self.fault.is_some() { 64 } else { 5 };
        begin_of(output, self.budget / part)
    }

    fn text(&self, heading: &str) -> String {
        let Answers {
            query_id,
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
        let mut say = |line: &str| {
            if !text.is_empty() {
                text.push('\n');
            }
            text.push_str(line);
        };
        for answer in answers {
            say(line(answer).trim_end());
        }
        if !output.is_empty() {
            say(&format!(
                "Output: {}",
                self.last_output(output).trim_end_matches('\n')
            ));
        }
        if let Some(fault) = &self.fault {
            say(&error_text(fault));
        } else if *before + answers.len() == 0 && !more {
            say("No solutions (false).");
        } else if !more {
            say("No more solutions");
        }
        if let Some(hint) = &self.answers.hint {
            say(&format!("Hint: {hint}"));
        }
        if added + removed > 0 {
            let added = count(*added, "clause");
            say(&format!("Workspace: {added} added, {removed} removed"));
        }
        if *undone > 0 {
            let undone = count(*undone, "change");
            say(&format!("Workspace: {undone} of this query rolled back"));
        }
        match (more, self.left_out) {
            (false, _) => {}
            (true, 0) => say(&format!("There may be more: query_next {query_id}")),
            (true, left) => say(&format!(
                "{left} more did not fit (limit: reply_tokens): query_next {query_id}"
            )),
        }
        say(&format!("Status: {}", self.status()));
        text
    }

    fn status(&self) -> &'static str {
        let ended = self.answers.answers.is_empty() && !self.answers.more;
        match (&self.fault, ended) {
            (Some(_), _) => "error",
            (None, true) => "done",
            (None, false) => "success",
        }
    }
}

/// `Solution: X = a` and a newline, after what was written before the answer.
fn line(answer: &Answer) -> String {
    let solution = solution(answer);
    match answer.output.trim_end_matches('\n') {
        "" => format!("Solution: {solution}\n"),
        output => format!("Output: {output}\nSolution: {solution}\n"),
    }
}

/// `X = a, Y = "s"`, then the residual goals; `true` if there are neither. Unbound variables are left out, as
/// at Prolog's own prompt.
pub(super) fn solution(answer: &Answer) -> String {
    let mut text = String::new();
    let add = |text: &mut String, parts: [&str; 3]| {
        if !text.is_empty() {
            text.push_str(", ");
        }
        text.extend(parts);
    };
    for binding in answer.bindings.iter().filter(|binding| binding.text != "_") {
        add(&mut text, [&binding.name, " = ", &binding.text]);
    }
    for goal in &answer.residual {
        add(&mut text, [goal, "", ""]);
    }
    if answer.undefined {
        if text.is_empty() {
            UNDEFINED.into()
        } else {
            format!("{text} ({UNDEFINED})")
        }
    } else if text.is_empty() {
        "true".into()
    } else {
        text
    }
}

/// Of an answer by the well-founded semantics of tabled negation.
const UNDEFINED: &str = "undefined: neither true nor false";

/// `{"X": "a"}`: each value is Prolog text.
fn data(answer: &Answer) -> AnswerValues {
    let value = |binding: &Binding| {
        let text = binding.text.clone();
        match reads_back(binding) {
            true => BoundValue::Text(text),
            false => BoundValue::Both {
                text,
                json: binding.json.clone(),
            },
        }
    };
    let bindings = answer.bindings.iter();
    AnswerValues {
        values: bindings
            .map(|binding| (binding.name.clone(), value(binding)))
            .collect(),
        residual: (!answer.residual.is_empty()).then(|| answer.residual.clone()),
        undefined: answer.undefined.then_some(true),
        output: (!answer.output.is_empty()).then(|| answer.output.clone()),
    }
}

/// Whether the text of a value reads back as that value. It does not if the value is a blob such as a stream,
/// is cut or cyclic, or contains a float that is not a number.
fn reads_back(binding: &Binding) -> bool {
    fn has(json: &Value, keys: &[&str]) -> bool {
        match json {
            Value::Array(items) => items.iter().any(|item| has(item, keys)),
            Value::Object(fields) => {
                keys.iter().any(|key| fields.contains_key(*key))
                    || fields.values().any(|field| has(field, keys))
            }
            _ => false,
        }
    }
    let is_blob = binding.text.starts_with('<') && binding.json == json!(binding.text);
    let is_cut = || binding.text.contains("...") && has(&binding.json, &["cut"]);
    !is_blob && !has(&binding.json, &["float", "cyclic"]) && !is_cut()
}

/// Cut an answer too large for a reply of its own: each part is cut, and says how much of it is missing.
fn shorten(answer: &mut Answer, room: usize) {
    if most_tokens(&line(answer)) <= room && most_tokens_of(&json!(data(answer))) <= room {
        return;
    }
    let parts = answer.bindings.len() + answer.residual.len() + 1;
    let share = (room / parts / 2).saturating_sub(NOTE);
    for binding in &mut answer.bindings {
        binding.text = begin_of(&binding.text, share);
        binding.json = Value::Null;
    }
    for goal in &mut answer.residual {
        *goal = begin_of(goal, share);
    }
    answer.output = begin_of(&answer.output, share);
}

/// The beginning of a text that is too long, and how much is missing.
fn begin_of(text: &str, tokens: usize) -> String {
    let kept = within(text, tokens);
    match text[kept.len()..].chars().count() {
        0 => text.to_owned(),
        left => format!("{kept}… ({left} more characters; ask for a part of it)"),
    }
}
