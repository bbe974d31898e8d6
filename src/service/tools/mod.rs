//! The tools, one in a file, and what their results have in common.

mod clauses;
mod files;
mod help;
mod history;
mod query_close;
mod query_next;
mod query_start;
mod solutions;
mod workspace;

#[cfg(test)]
mod tests;

use futures::future::LocalBoxFuture;
use serde::Serialize;
use serde_json::{Value, json};

use super::schema::{Argument, Arguments, input_schema};
use crate::advice::next_step;
use hornbook_base::{Control, Fault, FaultKind};
use hornbook_book::Predicate;
use hornbook_mcp::{Object, object};
use hornbook_workspace::{Notice, Workspace};

/// In the order of `tools/list`.
pub const TOOLS: [&Tool; 7] = [
    &clauses::TOOL,
    &files::TOOL,
    &workspace::TOOL,
    &query_start::TOOL,
    &query_next::TOOL,
    &query_close::TOOL,
    &help::TOOL,
];

/// A tool as clients see it, and what it does.
pub struct Tool {
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    pub arguments: &'static [Argument],
    pub hints: Hints,
    pub run: fn(Workspace, Arguments, Control) -> LocalBoxFuture<'static, Outcome>,
}

/// What a tool may do to the workspace.
#[derive(PartialEq)]
pub enum Hints {
    ReadOnly,
    /// It takes nothing away that a client would miss; calling it again changes nothing more.
    Tidies,
    Destructive,
}

impl Tool {
    /// Hints are left out where the protocol's defaults say the same (`destructiveHint: true`,
    /// `readOnlyHint: false`, `idempotentHint: false`): every word of the list costs the client's context.
    pub fn declaration(&self) -> Value {
        let annotations = match self.hints {
            Hints::ReadOnly => json!({ "readOnlyHint": true, "openWorldHint": false }),
            Hints::Tidies => {
                json!({ "destructiveHint": false, "idempotentHint": true, "openWorldHint": false })
            }
            Hints::Destructive => json!({ "openWorldHint": false }),
        };
        json!({
            "name": self.name,
            "title": self.title,
            "description": self.description,
            "inputSchema": input_schema(self.arguments),
            "annotations": annotations,
        })
    }
}

/// What a tool gives back.
pub type Outcome = Result<Report, Failure>;

/// A result: text for the model, and the same as data.
#[derive(Debug, Default)]
pub struct Report {
    pub text: String,
    pub structured: Object,
    /// Whether the text tells of an error.
    pub is_error: bool,
}

impl Report {
    /// `structured` is an object.
    pub fn new(text: impl Into<String>, structured: Value) -> Report {
        Report {
            text: text.into(),
            structured: object(structured),
            is_error: false,
        }
    }

    /// Say what the caller should know beside the result.
    pub fn notices(mut self, notices: &[Notice]) -> Report {
        for notice in notices {
            self.text.push_str(&format!("\nNotice: {}", notice.0));
        }
        if !notices.is_empty() {
            self.structured.insert("notices".into(), json!(notices));
        }
        self
    }

    /// A `CallToolResult`; `took_ms` is how long the tool ran.
    pub fn into_result(mut self, took_ms: u64) -> Object {
        let mut content = object(json!({ "type": "text" }));
        content.insert("text".into(), Value::String(self.text));
        let mut result = Object::new();
        result.insert("content".into(), Value::Array(vec![Value::Object(content)]));
        if !self.structured.is_empty() {
            self.structured
                .insert("processing_time_ms".into(), json!(took_ms));
            result.insert("structuredContent".into(), Value::Object(self.structured));
        }
        if self.is_error {
            result.insert("isError".into(), json!(true));
        }
        result
    }
}

/// Why a tool did not do what it was asked.
#[derive(Debug, Clone, PartialEq, Serialize)]
pub struct Failure {
    pub kind: Value,
    pub message: String,
    /// What to do next; empty where the message says it.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub next: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub line: Option<u32>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub column: Option<u32>,
}

impl Failure {
    pub fn invalid_argument(message: impl Into<String>, next: impl Into<String>) -> Failure {
        let (message, next) = (message.into(), next.into());
        Failure {
            kind: json!("invalid_argument"),
            message,
            next,
            line: None,
            column: None,
        }
    }

    pub fn is(&self, kind: FaultKind) -> bool {
        self.kind == json!(kind)
    }

    pub fn text(&self) -> String {
        let mut text = format!("Error: {}", placed(&self.message, self.line, self.column));
        if !self.next.is_empty() {
            let end = if text.ends_with('.') { "" } else { "." };
            text.push_str(&format!("{end} {}", self.next));
        }
        text
    }

    /// The failure as a result, with the fields of `structured` beside `error`.
    pub fn report(&self, structured: Value) -> Report {
        let mut structured = object(structured);
        structured.insert("error".into(), json!(self));
        Report {
            text: self.text(),
            structured,
            is_error: true,
        }
    }
}

impl From<Fault> for Failure {
    fn from(fault: Fault) -> Failure {
        let next = next_step(&fault).to_owned();
        let Fault {
            kind,
            message,
            line,
            column,
            ..
        } = fault;
        Failure {
            kind: json!(kind),
            message,
            next,
            line,
            column,
        }
    }
}

/// `message` with its place, as far as it is known: `Operator expected (line 3, column 7).`
fn placed(message: &str, line: Option<u32>, column: Option<u32>) -> String {
    let place = match (line, column) {
        (Some(line), Some(column)) => format!(" (line {line}, column {column})"),
        (Some(line), None) => format!(" (line {line})"),
        _ => String::new(),
    };
    match message.strip_suffix('.') {
        Some(sentence) => format!("{sentence}{place}."),
        None => format!("{message}{place}"),
    }
}

/// `text`, no longer than `limit` characters.
fn cut(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_string(),
    }
}

/// `1 clause`, `2 clauses`.
fn count(number: usize, noun: &str) -> String {
    match (number, noun) {
        (1, _) => format!("1 {noun}"),
        (_, "query") => format!("{number} queries"),
        _ => format!("{number} {noun}s"),
    }
}

/// `name/arity`, as one writes it in Prolog.
pub fn indicator(predicate: &Predicate) -> String {
    format!("{}/{}", quoted(&predicate.name), predicate.arity)
}

/// An atom as one writes it in Prolog.
pub fn quoted(name: &str) -> String {
    const SYMBOLS: &str = "#$&*+-./:<=>?@^~\\";
    let plain = name.starts_with(char::is_lowercase) && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    let symbolic = !name.is_empty() && name.chars().all(|c| SYMBOLS.contains(c));
    if plain || (symbolic && name != ".") || matches!(name, "[]" | "{}" | "!" | ";" | ",") {
        return name.to_string();
    }
    let escaped = name
        .replace('\\', "\\\\")
        .replace('\'', "\\'")
        .replace('\n', "\\n");
    format!("'{escaped}'")
}
