//! A run's recording: what came to it from outside, in order (`docs/recordings.md`).

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Poll, Waker};

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

use super::book::{BookReply, BookUse};
use super::files::{FileReply, FileUse};
use super::model::{Choice, ModelFailure, ModelRequest, Turn};
use super::stop::Stop;

/// The version of the format.
pub const VERSION: u32 = 1;

/// One thing that came to a run from outside. The first has the kind `run`, the last `end` or `stopped`.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "RecordEntry"))]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Entry {
    /// The first.
    Run(Start),
    /// What the clock said to the program, as the text of Prolog terms.
    Clock { readings: Vec<String> },
    Model {
        #[serde(flatten)]
        asked: AskedModel,
        /// The text as it came, where it was streamed.
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
    /// The run took too long, or its engine was gone: while it worked on this request, counted from 1, or else
    /// while the host did.
    Stopped {
        message: String,
        #[serde(default, skip_serializing_if = "Option::is_none")]
        request: Option<u64>,
    },
    /// The program has come to its end.
    End,
}

/// What a run began with.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "RecordStart"))]
pub struct Start {
    pub version: u32,
    pub code: String,
    pub params: Map<String, Value>,
    pub args: Vec<Value>,
    /// Of the program's random numbers.
    pub seed: u32,
    /// Whether a model might ask the user.
    pub asks: bool,
    /// Whether it had a folder.
    #[serde(default)]
    pub files: bool,
    /// Which models it asks, and how.
    #[serde(flatten)]
    pub choice: Choice,
}

/// A request to the model.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct AskedModel {
    /// The beginning of its last message, for people.
    pub last: String,
    /// Of all its messages and tools, and of which model it asks and how, where it says so.
    pub digest: String,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum ModelReply {
    Turn(Turn),
    Failure(ModelFailure),
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "snake_case")]
pub enum HostReply {
    Result(Value),
    Error(String),
}

impl From<Result<Value, String>> for HostReply {
    fn from(result: Result<Value, String>) -> HostReply {
        match result {
            Ok(value) => HostReply::Result(value),
            Err(message) => HostReply::Error(message),
        }
    }
}

impl From<HostReply> for Result<Value, String> {
    fn from(reply: HostReply) -> Result<Value, String> {
        match reply {
            HostReply::Result(value) => Ok(value),
            HostReply::Error(message) => Err(message),
        }
    }
}

impl AskedModel {
    pub fn new(request: &ModelRequest) -> AskedModel {
        let last = request.messages.last().map_or("", |message| &message.content);
        let all = match (&request.model, request.temperature) {
            (None, None) => json!([request.messages, request.tools]),
            (model, temperature) => json!([request.messages, request.tools, model, temperature]),
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

/// Where the entries of a recording go. The error says why one could not be kept.
pub type Sink = Rc<dyn Fn(&Entry) -> Result<(), String>>;

/// What is replayed first, and where what comes then is recorded.
pub struct Recorder {
    /// With their numbers in the recording, from 1.
    left: RefCell<VecDeque<(usize, Entry)>>,
    sink: Option<Sink>,
    /// To the engine.
    requests: Cell<u64>,
    in_engine: Cell<bool>,
    /// The goals that run at the same time, and how many of them wait for their turn in the recording.
    live: Cell<usize>,
    waiting: Cell<usize>,
    wakers: RefCell<Vec<Waker>>,
}

impl Recorder {
    pub fn new(replayed: Vec<Entry>, sink: Option<Sink>) -> Recorder {
        let numbered = replayed
            .into_iter()
            .enumerate()
            .map(|(index, entry)| (index + 1, entry));
        let left = numbered.filter(|(_, entry)| !matches!(entry, Entry::Run(_) | Entry::Clock { .. }));
        Recorder {
            left: RefCell::new(left.collect()),
            sink,
            requests: Cell::new(0),
            in_engine: Cell::new(false),
            live: Cell::new(1),
            waiting: Cell::new(0),
            wakers: RefCell::default(),
        }
    }

    /// Whether something is left to be replayed.
    pub fn replays(&self) -> bool {
        !self.left.borrow().is_empty()
    }

    pub fn record(&self, entry: &Entry) -> Result<(), Stop> {
        let Some(sink) = &self.sink else { return Ok(()) };
        sink(entry)
            .map_err(|message| Stop::Unrecorded(format!("The recording could not be written: {message}.")))
    }

    /// The run took too long, or its engine is gone.
    pub fn stop(&self, message: &str) -> Result<(), Stop> {
        let request = self.in_engine.get().then(|| self.requests.get());
        let message = message.to_owned();
        self.record(&Entry::Stopped { message, request })
    }

    /// A request to the engine begins, unless the recorded run was stopped in it.
    pub fn begin_request(&self) -> Result<(), Stop> {
        self.requests.set(self.requests.get() + 1);
        self.in_engine.set(true);
        match self.left.borrow().front() {
            Some((_, Entry::Stopped { message, request })) if *request == Some(self.requests.get()) => {
                Err(Stop::Unrecorded(message.clone()))
            }
            _ => Ok(()),
        }
    }

    /// What `take` finds in the next entry, or `None` where the recording was cut off before. `wanted` says what the
    /// program does. Where goals run at the same time, the one that wants a later entry waits for the others to take those
    /// before it: so all comes in the order in which it came.
    pub async fn next<T>(
        &self,
        wanted: impl FnOnce() -> String,
        take: impl Fn(&Entry) -> Option<T>,
    ) -> Result<Option<T>, Stop> {
        self.in_engine.set(false);
        let _waiting = Waiting::new(self);
        let mut wanted = Some(wanted);
        poll_fn(|context| {
            let front = self.left.borrow().front().cloned();
            let Some((number, entry)) = front else {
                return Poll::Ready(Ok(None));
            };
            if let Entry::Stopped {
                message,
                request: None,
            } = entry
            {
                return Poll::Ready(Err(Stop::Unrecorded(message)));
            }
            if let Some(taken) = take(&entry) {
                self.left.borrow_mut().pop_front();
                self.wake();
                return Poll::Ready(Ok(Some(taken)));
            }
            if self.waiting.get() < self.live.get() {
                self.wakers.borrow_mut().push(context.waker().clone());
                return Poll::Pending;
            }
            let now = wanted.take().map_or_else(String::new, |wanted| wanted());
            let then = action_of(&entry);
            Poll::Ready(Err(Stop::Unrecorded(format!(
                "The program departs from its recording at entry {number}: now it {now}, then it {then}."
            ))))
        })
        .await
    }

    /// A goal waits while others run at the same time, which are opened on what this gives.
    pub fn branch_off(&self) -> Branches<'_> {
        self.live.set(self.live.get() - 1);
        Branches(self)
    }

    fn wake(&self) {
        self.wakers.take().into_iter().for_each(Waker::wake);
    }
}

/// Goals that run at the same time, in the place of the one that waits for them.
pub struct Branches<'a>(&'a Recorder);

impl<'a> Branches<'a> {
    /// One more runs, until this is dropped.
    pub fn open(&self) -> OpenBranch<'a> {
        self.0.live.set(self.0.live.get() + 1);
        OpenBranch(self.0)
    }
}

impl Drop for Branches<'_> {
    fn drop(&mut self) {
        self.0.live.set(self.0.live.get() + 1);
    }
}

/// A goal that runs beside others.
pub struct OpenBranch<'a>(&'a Recorder);

impl Drop for OpenBranch<'_> {
    fn drop(&mut self) {
        self.0.live.set(self.0.live.get() - 1);
        self.0.wake();
    }
}

/// A goal waits for its turn in the recording.
struct Waiting<'a>(&'a Recorder);

impl Waiting<'_> {
    fn new(recorder: &Recorder) -> Waiting<'_> {
        recorder.waiting.set(recorder.waiting.get() + 1);
        // Those who wait look whether all do now.
        recorder.wake();
        Waiting(recorder)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.waiting.set(self.0.waiting.get() - 1);
    }
}

/// What the program did when it got this.
fn action_of(entry: &Entry) -> String {
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

/// What the recorded run began with. The error is a plain sentence.
pub fn start_of(entries: &[Entry]) -> Result<Start, String> {
    match entries.first() {
        Some(Entry::Run(start)) if start.version == VERSION => Ok(start.clone()),
        Some(Entry::Run(start)) => Err(format!(
            "The recording has version {} of the format; version {VERSION} is understood.",
            start.version
        )),
        _ => Err("The first entry of a recording must have the kind run.".into()),
    }
}

/// All that the clock said to the recorded program.
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
    use futures::FutureExt;

    #[test]
    fn entries_are_flat_json() {
        let entries = json!([
            { "kind": "model", "last": "Subtask: t", "digest": "0", "turn": { "text": "x", "calls": [], "usage": null } },
            { "kind": "tool", "tool": "t", "args": {}, "error": "down" },
            { "kind": "file", "operation": "read", "path": "a", "missing": "There is no file a." },
            { "kind": "file", "operation": "write", "path": "a", "text": "x", "result": true },
            { "kind": "user", "prompt": "q", "result": "a" },
            { "kind": "stopped", "message": "late", "request": 2 },
            { "kind": "end" },
        ]);
        let read: Vec<Entry> = serde_json::from_value(entries.clone()).unwrap();
        assert_eq!(serde_json::to_value(&read).unwrap(), entries);
    }

    #[test]
    fn another_request_departs_and_is_named() {
        let recorder = Recorder::new(vec![Entry::Clock { readings: vec![] }, Entry::End], None);
        let departed = recorder
            .next(|| asked_user("q"), |_| None::<()>)
            .now_or_never()
            .expect("nobody else runs");
        let Err(Stop::Unrecorded(message)) = departed else {
            panic!()
        };
        assert_eq!(
            message,
            "The program departs from its recording at entry 2: now it asked the user “q”, then it ended."
        );
        let next = recorder.next(|| ENDED.into(), |entry| (*entry == Entry::End).then_some(()));
        assert!(matches!(next.now_or_never(), Some(Ok(Some(())))));
    }

    #[test]
    fn digests_are_those_of_fnv() {
        assert_eq!(digest(b"a"), "af63dc4c8601ec8c");
    }
}
