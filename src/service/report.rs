//! Results of tools: text for the model, and the same as data.

use hornbook_base::{Fault, FaultKind, cut};
use hornbook_mcp::{Object, object};
use serde::Serialize;
use serde_json::{Value, json};

use crate::advice::next_step;
use crate::results::{Failed, Notices};

/// The most notices shown, and the most characters of each.
const NOTICES: usize = 10;
const NOTICE_CHARS: usize = 500;
/// The most characters of a message, and of its advice.
const MESSAGE_CHARS: usize = 2_500;

/// The result of a tool.
pub type Outcome = Result<Report, Fault>;

/// A result: text for the model, and the same as data.
#[derive(Debug, Default)]
pub struct Report {
    pub text: String,
    pub structured: Object,
    /// Whether the text is an error.
    pub is_error: bool,
}

impl Report {
    /// `structured` must serialize to a JSON object.
    pub fn new(text: impl Into<String>, structured: impl Serialize) -> Report {
        Report {
            text: text.into(),
            structured: object(json!(structured)),
            is_error: false,
        }
    }

    /// Add what the caller should know besides the result.
    pub fn notices<N: AsRef<str>>(self, notices: &[N]) -> Report {
        self.with("Notice", notices, |notices| Notices {
            notices,
            ..Notices::default()
        })
    }

    /// Add warnings about what may not have been intended.
    pub fn warnings<N: AsRef<str>>(self, warnings: &[N]) -> Report {
        self.with("Warning", warnings, |warnings| Notices {
            warnings,
            ..Notices::default()
        })
    }

    fn with<N: AsRef<str>>(
        mut self,
        label: &str,
        all: &[N],
        data: impl FnOnce(Option<Vec<String>>) -> Notices,
    ) -> Report {
        if all.is_empty() {
            return self;
        }
        let shown = all.iter().take(NOTICES);
        let mut shown: Vec<String> = shown.map(|one| cut(one.as_ref(), NOTICE_CHARS)).collect();
        if all.len() > NOTICES {
            shown.push(format!("{} more {}s.", all.len() - NOTICES, label.to_lowercase()));
        }
        for one in &shown {
            self.text.push_str(&format!("\n{label}: {one}"));
        }
        self.structured.extend(object(json!(data(Some(shown)))));
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

/// A fault for arguments that a tool rejects; `next` is what to do about it.
pub fn invalid_argument(message: impl Into<String>, next: impl Into<String>) -> Fault {
    Fault::new(FaultKind::InvalidArgument, message).with_next(next)
}

/// A fault as tools report it: with advice, and bounded in length.
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
    followed(&mut text, &fault.next);
    text
}

/// Add a sentence to a message: after a message of several lines, as a line of its own.
pub fn followed(message: &mut String, next: &str) {
    if next.is_empty() {
        return;
    }
    message.push_str(
        match (message.contains('\n'), message.ends_with(['.', '!', '?'])) {
            (true, _) => "\n",
            (false, true) => " ",
            (false, false) => ". ",
        },
    );
    message.push_str(next);
}

/// The result of a tool call that failed.
pub fn failed(fault: Fault) -> Report {
    failed_with(fault, |error| Failed { error })
}

/// The same, with data that the tool makes from the fault.
pub fn failed_with<D: Serialize>(fault: Fault, structured: impl FnOnce(Fault) -> D) -> Report {
    let fault = advised(fault);
    Report {
        is_error: true,
        ..Report::new(error_text(&fault), structured(fault))
    }
}

/// `message` with its position, as far as it is known: `Operator expected (line 3, column 7).`
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
