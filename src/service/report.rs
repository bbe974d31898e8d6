//! What tools give back: text for the model, and the same as data.

use hornbook_base::{Fault, FaultKind, cut};
use hornbook_mcp::{Object, object};
use serde_json::{Value, json};

use crate::advice::next_step;

/// Notices that are told, and characters of one.
const NOTICES: usize = 10;
const NOTICE_CHARS: usize = 500;
/// Characters of a message, and of what to do next.
const MESSAGE_CHARS: usize = 2_500;

/// What a tool gives back.
pub type Outcome = Result<Report, Fault>;

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
    pub fn notices<N: AsRef<str>>(self, notices: &[N]) -> Report {
        self.beside("Notice", "notices", notices)
    }

    /// Say what is perhaps not what was meant.
    pub fn warnings<N: AsRef<str>>(self, warnings: &[N]) -> Report {
        self.beside("Warning", "warnings", warnings)
    }

    fn beside<N: AsRef<str>>(mut self, label: &str, name: &str, all: &[N]) -> Report {
        let told = all.iter().take(NOTICES);
        let mut told: Vec<String> = told.map(|one| cut(one.as_ref(), NOTICE_CHARS)).collect();
        if all.len() > NOTICES {
            told.push(format!("{} more {name}.", all.len() - NOTICES));
        }
        for one in &told {
            self.text.push_str(&format!("\n{label}: {one}"));
        }
        if !told.is_empty() {
            self.structured.insert(name.into(), json!(told));
        }
        self
    }

    /// A `CallToolResult`.
    pub fn into_result(self) -> Object {
        let mut content = object(json!({ "type": "text" }));
        content.insert("text".into(), Value::String(self.text));
        let mut result = Object::new();
        result.insert("content".into(), Value::Array(vec![Value::Object(content)]));
        if !self.structured.is_empty() {
            result.insert("structuredContent".into(), Value::Object(self.structured));
        }
        if self.is_error {
            result.insert("isError".into(), json!(true));
        }
        result
    }
}

/// The fault of a call whose arguments its tool does not take; `next` is what to do about it.
pub fn invalid_argument(message: impl Into<String>, next: impl Into<String>) -> Fault {
    Fault::new(FaultKind::InvalidArgument, message).with_next(next)
}

/// A fault as tools tell it: with what to do next, and bounded.
pub fn advised(fault: Fault) -> Fault {
    Fault {
        next: cut(next_step(&fault), MESSAGE_CHARS),
        message: cut(&fault.message, MESSAGE_CHARS),
        ..fault
    }
}

/// The text of a fault that was [`advised`].
pub fn error_text(fault: &Fault) -> String {
    let mut text = format!("Error: {}", placed(&fault.message, fault.line, fault.column));
    if !fault.next.is_empty() {
        let end = if text.ends_with('.') { "" } else { "." };
        text.push_str(&format!("{end} {}", fault.next));
    }
    text
}

/// Why a tool did not do what it was asked, with the fields of `structured` beside `error`.
pub fn failed(fault: Fault, structured: Value) -> Report {
    let fault = advised(fault);
    let mut structured = object(structured);
    structured.insert("error".into(), json!(fault));
    Report {
        text: error_text(&fault),
        structured,
        is_error: true,
    }
}

/// `message` with its place, as far as it is known: `Operator expected (line 3, column 7).`
pub fn placed(message: &str, line: Option<u32>, column: Option<u32>) -> String {
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

/// `1 clause`, `2 clauses`.
pub fn count(number: usize, noun: &str) -> String {
    match (number, noun) {
        (1, _) => format!("1 {noun}"),
        (_, "query") => format!("{number} queries"),
        _ => format!("{number} {noun}s"),
    }
}
