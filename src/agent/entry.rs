//! The entries of a run's recording: what it received from outside, in order (`docs/recordings.md`).

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::book::{BookReply, BookUse};
use super::files::{FileReply, FileUse};
use super::model::{Choice, ModelFailure, ModelRequest, Turn};
use super::outage::Outages;

/// The version of the format. In version 1 every outage was a failure of its goal.
pub const VERSION: u32 = 2;

/// Something a run received from outside. The first entry has the kind `run`, the last `end` or `stopped`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "RecordEntry"))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Entry {
    /// The first entry.
    Run(Start),
    /// What the program read from the clock, as the text of Prolog terms.
    Clock { readings: Vec<String> },
    Model {
        #[serde(flatten)]
        asked: AskedModel,
        /// The text in pieces as it arrived, if it was streamed.
        #[serde(default, skip_serializing_if = "Vec::is_empty")]
        pieces: Vec<String>,
        #[serde(flatten)]
        reply: ModelReply,
    },
    Tool {
        tool: String,
        args: Value,
        #[serde(flatten)]
        result: HostReply,
    },
    File {
        #[serde(flatten)]
        asked: FileUse,
        #[serde(flatten)]
        result: FileReply,
    },
    Book {
        #[serde(flatten)]
        asked: BookUse,
        reply: BookReply,
    },
    User {
        prompt: String,
        #[serde(flatten)]
        result: HostReply,
    },
    /// The run took too long or its engine was gone: during this request to the engine, counted from 1, or
    /// else while the host was working.
    Stopped {
        message: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        request: Option<u64>,
    },
    /// The program has ended.
    End,
}

/// What a run started with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "RecordStart"))]
pub struct Start {
    pub version: u32,
    pub code: String,
    pub params: Map<String, Value>,
    pub args: Vec<Value>,
    /// The seed of the program's random numbers.
    pub seed: u32,
    /// Whether a model could ask the user.
    pub asks: bool,
    /// Whether it had a folder.
    #[serde(default)]
    pub files: bool,
    /// Which models it asks, and how.
    #[serde(flatten)]
    pub choice: Choice,
    /// What an outage does, if the host has decided.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub outages: Option<Outages>,
}

/// A request to the model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct AskedModel {
    /// The beginning of its last message, for people.
    pub last: String,
    /// A digest of all its messages and tools, and of the model and its settings if given.
    pub digest: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ModelReply {
    Turn(Turn),
    Failure(ModelFailure),
}

/// What a tool or the user said. All but the result are plain sentences.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum HostReply {
    Result(Value),
    /// The tool failed, or the user could not be asked.
    Error(String),
    /// There was no answer within the time for one call.
    Late(String),
    /// The policy forbids it, there is no such file, or the user gave no answer.
    Refused(String),
}

impl From<FileReply> for HostReply {
    fn from(reply: FileReply) -> HostReply {
        match reply {
            FileReply::Result(value) => HostReply::Result(value),
            FileReply::Missing(message) | FileReply::Refused(message) => HostReply::Refused(message),
            FileReply::Failed(message) => HostReply::Error(message),
        }
    }
}

impl HostReply {
    /// The result, or why there is none.
    pub fn result(self) -> Result<Value, String> {
        match self {
            HostReply::Result(value) => Ok(value),
            HostReply::Error(message) | HostReply::Late(message) | HostReply::Refused(message) => {
                Err(message)
            }
        }
    }
}

impl From<Result<Value, String>> for HostReply {
    fn from(result: Result<Value, String>) -> HostReply {
        match result {
            Ok(value) => HostReply::Result(value),
            Err(message) => HostReply::Error(message),
        }
    }
}

impl AskedModel {
    pub fn new(request: &ModelRequest) -> AskedModel {
        let last = request.messages.last().map_or("", |message| &message.content);
        let (model, temperature) = (&request.model, request.temperature);
        let (most, top_p) = (request.max_output_tokens, request.top_p);
        let (messages, tools) = (&request.messages, &request.tools);
        let all = match (model, temperature, most, top_p) {
            (None, None, None, None) => json!([messages, tools]),
            (_, _, None, None) => json!([messages, tools, model, temperature]),
            _ => json!([messages, tools, model, temperature, most, top_p]),
        };
        let all = all.to_string();
        AskedModel {
            last: last.chars().take(200).collect(),
            digest: digest(all.as_bytes()),
        }
    }
}

/// FNV-1a of 64 bits, in hexadecimal.
fn digest(bytes: &[u8]) -> String {
    let hash = bytes.iter().fold(0xcbf2_9ce4_8422_2325_u64, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3)
    });
    format!("{hash:016x}")
}

/// What the program did when it received this.
pub fn action_of(entry: &Entry) -> String {
    match entry {
        Entry::Model { asked, .. } => asked_model(asked),
        Entry::Tool { tool, args, .. } => called_tool(tool, args),
        Entry::File { asked, .. } => used_file(asked),
        Entry::Book { asked, .. } => asked_book(asked),
        Entry::User { prompt, .. } => asked_user(prompt),
        Entry::Stopped { message, .. } => format!("was stopped ({message})"),
        Entry::Run(_) | Entry::Clock { .. } | Entry::End => ENDED.into(),
    }
}

pub const ENDED: &str = "ended";

pub fn asked_model(asked: &AskedModel) -> String {
    format!("asked the model “{}” (request {})", asked.last, asked.digest)
}

pub fn called_tool(tool: &str, args: &Value) -> String {
    format!("called the tool {tool} with {args}")
}

pub fn used_file(asked: &FileUse) -> String {
    format!("used a file, {}", json!(asked))
}

pub fn asked_book(asked: &BookUse) -> String {
    format!("asked the book, {}", json!(asked))
}

pub fn asked_user(prompt: &str) -> String {
    format!("asked the user “{prompt}”")
}

/// What the recorded run started with. The error is a plain sentence.
pub fn start_of(entries: &[Entry]) -> Result<Start, String> {
    match entries.first() {
        Some(Entry::Run(start)) if start.version == VERSION => Ok(start.clone()),
        Some(Entry::Run(start)) if start.version == 1 => Ok(Start {
            outages: Some(Outages::Fail),
            ..start.clone()
        }),
        Some(Entry::Run(start)) => Err(format!(
            "The recording has version {} of the format; versions 1 and {VERSION} are understood.",
            start.version
        )),
        _ => Err("The first entry of a recording must have the kind run.".into()),
    }
}

/// Everything the recorded program read from the clock.
pub fn readings_of(entries: &[Entry]) -> Vec<String> {
    let readings = entries.iter().filter_map(|entry| match entry {
        Entry::Clock { readings } => Some(readings.clone()),
        _ => None,
    });
    readings.flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_flat_json() {
        let entries = json!([
            { "kind": "model", "last": "Subtask: t", "digest": "0", "turn": { "text": "x", "calls": [], "usage": null } },
            { "kind": "tool", "tool": "t", "args": {}, "error": "down" },
            { "kind": "file", "operation": "read", "path": "a", "missing": "There is not a file a." },
            { "kind": "file", "operation": "write", "path": "a", "text": "x", "result": true },
            { "kind": "user", "prompt": "q", "result": "a" },
            { "kind": "stopped", "message": "late", "request": 2 },
            { "kind": "end" },
        ]);
        let read: Vec<Entry> = serde_json::from_value(entries.clone()).unwrap();
        assert_eq!(serde_json::to_value(&read).unwrap(), entries);
    }

    #[test]
    fn digests_are_those_of_fnv() {
        assert_eq!(digest(b"a"), "af63dc4c8601ec8c");
    }
}
