//! The replies of a run's engine (`docs/engine-protocol.md`).

use serde::Deserialize;
use serde_json::Value;

use super::output::Type;
use hornbook_agent::{Argument, BookUse, FileUse};
use hornbook_base::FaultKind;
use hornbook_engine::reply::{BadReply, Parts, Reply, ordinary};

/// How far an engine got.
#[derive(Debug, PartialEq)]
pub struct Step {
    /// Events that came before.
    pub told: Vec<Asked>,
    /// What the program wrote.
    pub output: String,
    /// Where the first goal that wrote some of it is in the program's text, in code points, if known.
    pub written_at: Option<usize>,
    /// Clock readings, unless they were replayed.
    pub clock: Vec<String>,
    /// Inferences so far.
    pub used: Option<u64>,
    pub next: Next,
}

/// What became of a goal.
#[derive(Debug, PartialEq)]
pub enum Next {
    Request(Asked),
    /// With a tool's result, and the last request that was not undone.
    True {
        value: Value,
        after: u64,
    },
    False,
    Error(RunError),
}

/// The error that ended a goal.
#[derive(Debug, Clone, PartialEq)]
pub struct RunError {
    pub message: String,
    /// The limit that stopped it, if one did.
    pub stopped: Option<Stopped>,
    /// The ISO error term, or empty.
    pub term: String,
    /// The predicate whose clause raised it, if known.
    pub predicate: Option<String>,
    /// Where that clause begins, in code points.
    pub offset: Option<usize>,
}

/// The limits of an engine that a program cannot catch.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stopped {
    Gas,
    Time,
    Inferences,
    OutputChars,
    /// It has answered, but could only report that late.
    Answer,
}

/// A request, and its position on the program's branch.
#[derive(Debug, Clone, PartialEq)]
pub struct Asked {
    /// Increasing; absent for events, which want no reply.
    pub id: Option<u64>,
    /// The last earlier request that was not undone; 0 if there is none.
    pub after: Option<u64>,
    /// Where the goal is in the program's text, in code points.
    pub at: Option<usize>,
    pub request: Request,
}

/// What a program wants of its host.
#[derive(Debug, Clone, PartialEq)]
pub enum Request {
    Output(String),
    Log(String),
    Answer(Answered),
    Input(String),
    File(FileUse),
    Book(BookUse),
    Exec(Call),
    Task(TaskRequest),
    Prompt(TaskRequest),
    Concurrent(Group),
}

/// Goals that run concurrently.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Group {
    pub group: u64,
    pub count: usize,
    pub mode: GroupMode,
}

/// What ends a group.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GroupMode {
    /// A goal that fails or raises an error, or the last solution.
    All,
    /// The first solution; also a failure or an error, unless the others continue after it.
    FirstStopStop,
    FirstContinueStop,
    FirstStopContinue,
    FirstContinueContinue,
}

impl GroupMode {
    /// Whether the others continue after a goal fails.
    pub fn after_failure(self) -> bool {
        matches!(
            self,
            GroupMode::FirstContinueStop | GroupMode::FirstContinueContinue
        )
    }

    /// Whether the others continue after a goal raises an error.
    pub fn after_error(self) -> bool {
        matches!(
            self,
            GroupMode::FirstStopContinue | GroupMode::FirstContinueContinue
        )
    }
}

/// A program's answer.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Answered {
    pub text: String,
    /// If it is a list or a dict.
    #[serde(default)]
    pub value: Option<Value>,
}

/// A call of one of the host's tools.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Call {
    pub tool: String,
    pub arguments: Vec<Argument>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct TaskRequest {
    pub text: String,
    pub outputs: Vec<TypedOutput>,
    pub memory: Vec<Remembered>,
    /// Innermost first.
    pub scope: Vec<Scope>,
    /// The program's tools on whose behalf this task runs.
    pub running: Vec<String>,
    #[serde(flatten)]
    pub choice: hornbook_agent::Choice,
}

/// A variable that a task is to bind.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct TypedOutput {
    pub name: String,
    #[serde(rename = "type")]
    pub kind: Type,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Remembered {
    pub role: hornbook_agent::Role,
    pub content: String,
}

/// `with_tools/2` or `without_tools/2`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "kind", content = "tools", rename_all = "lowercase")]
pub enum Scope {
    With(Vec<String>),
    Without(Vec<String>),
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StepControl {
    told: Vec<Event>,
    output: bool,
    #[serde(default)]
    written_at: Option<usize>,
    used: Option<u64>,
    #[serde(default)]
    request: Option<Event>,
    #[serde(default)]
    end: Option<End>,
    #[serde(default)]
    after: Option<u64>,
    #[serde(default)]
    stopped: Option<Stopped>,
}

/// The request, its id, the request it follows, and where its goal is.
#[derive(Debug, Deserialize)]
struct Event(Kind, Option<u64>, Option<u64>, #[serde(default)] Option<usize>);

#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Kind {
    Output,
    Log,
    Answer,
    Input,
    File,
    Book,
    Exec,
    Task,
    Prompt,
    Concurrent,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum End {
    Truth(bool),
    Error(EndedByError),
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum EndedByError {
    Error,
}

#[derive(Deserialize)]
struct Said {
    #[serde(deserialize_with = "ordinary", rename = "kind")]
    _kind: FaultKind,
    message: String,
    /// The predicate, and whatever else the protocol has there.
    #[serde(default)]
    raised: Vec<Value>,
    /// What led to it, as the recursion of a stack that is full.
    #[serde(default)]
    detail: String,
    #[serde(default)]
    offset: Option<usize>,
}

impl Event {
    fn asked(self, parts: &mut Parts<'_>) -> Result<Asked, BadReply> {
        let Event(kind, id, after, at) = self;
        let request = match kind {
            Kind::Output => Request::Output(parts.take()?),
            Kind::Log => Request::Log(parts.take()?),
            Kind::Answer => Request::Answer(parts.take()?),
            Kind::Input => Request::Input(parts.take()?),
            Kind::File => Request::File(parts.take()?),
            Kind::Book => Request::Book(parts.take()?),
            Kind::Exec => Request::Exec(parts.take()?),
            Kind::Task => Request::Task(parts.take()?),
            Kind::Prompt => Request::Prompt(parts.take()?),
            Kind::Concurrent => Request::Concurrent(parts.take()?),
        };
        let waits = match &request {
            Request::Output(_) | Request::Log(_) | Request::Answer(_) | Request::File(_) => false,
            Request::Book(asked) => !matches!(asked, BookUse::Close { .. }),
            _ => true,
        };
        if waits && id.is_none() {
            return Err(BadReply::new("it asks without a number"));
        }
        Ok(Asked {
            id,
            after,
            at,
            request,
        })
    }
}

impl Reply for Step {
    type Control = StepControl;

    fn assemble(control: StepControl, parts: &mut Parts<'_>) -> Result<Self, BadReply> {
        let told = control.told.into_iter().map(|event| event.asked(parts));
        let told: Vec<Asked> = told.collect::<Result<_, _>>()?;
        if told.iter().any(|asked| asked.id.is_some()) {
            return Err(BadReply::new("it has a question in a notification"));
        }
        let output = parts.take_if(control.output)?.unwrap_or_default();
        let clock = parts.take()?;
        let next = match (control.request, control.end, control.after, control.stopped) {
            (Some(request), None, None, None) => Next::Request(request.asked(parts)?),
            (None, Some(End::Truth(true)), Some(after), None) => Next::True {
                value: parts.take()?,
                after,
            },
            (None, Some(End::Truth(false)), None, None) => Next::False,
            (None, Some(End::Error(EndedByError::Error)), None, stopped) => {
                let said: Said = parts.take()?;
                Next::Error(RunError {
                    message: match &*said.detail {
                        "" => said.message,
                        detail => format!("{} {detail}", said.message),
                    },
                    stopped,
                    term: parts.take()?,
                    predicate: said.raised.first().and_then(Value::as_str).map(str::to_owned),
                    offset: said.offset,
                })
            }
            _ => return Err(BadReply::new("it contradicts itself")),
        };
        Ok(Step {
            told,
            output,
            written_at: control.written_at,
            clock,
            used: control.used,
            next,
        })
    }
}

impl Step {
    /// Check the numbers: `last` was the last number used before, and the reply can only refer to those.
    pub fn believed(self, last: u64) -> Result<Step, BadReply> {
        let before = |after: Option<u64>| after.is_none_or(|after| after <= last);
        let next = match &self.next {
            Next::Request(asked) => asked.id.is_none_or(|id| id > last) && before(asked.after),
            Next::True { after, .. } => *after <= last,
            Next::False | Next::Error(_) => true,
        };
        match next && self.told.iter().all(|told| before(told.after)) {
            true => Ok(self),
            false => Err(BadReply::new("it backtracks to an unknown step")),
        }
    }

    /// The number of its request.
    pub fn asked(&self) -> Option<u64> {
        match &self.next {
            Next::Request(asked) => asked.id,
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hornbook_engine::reply::{decode, sealed};

    fn read(control: &str, parts: &str) -> Result<Step, BadReply> {
        let reply = format!("ok {{\"told\":[],\"output\":false,{control}}}\n[]\n{parts}");
        decode::<Step>(&sealed(&reply))?
            .map_err(|refusal| panic!("{refusal:?}"))
            .and_then(|step| step.believed(3))
    }

    #[test]
    fn a_step_comes_to_one_thing() {
        let asked = read("\"used\":7,\"request\":[\"input\",4,3]", "\"Who?\"\n").unwrap();
        assert_eq!((asked.used, asked.asked()), (Some(7), Some(4)));
        assert_eq!(
            read("\"end\":true,\"after\":2", "[1]\n").unwrap().next,
            Next::True {
                value: serde_json::json!([1]),
                after: 2
            }
        );
        assert_eq!(read("\"end\":false", "").unwrap().next, Next::False);
        let error = "{\"kind\":\"timeout\",\"message\":\"late\"}\n\"\"\n";
        match read("\"end\":\"error\",\"stopped\":\"time\"", error)
            .unwrap()
            .next
        {
            Next::Error(error) => assert_eq!(error.stopped, Some(Stopped::Time)),
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn impossible_states_are_rejected() {
        for (control, parts) in [
            ("\"used\":1", ""),
            ("\"end\":true", "1\n"),
            ("\"end\":\"false\"", ""),
            ("\"end\":false,\"request\":[\"log\",null,0]", "\"\"\n"),
            ("\"end\":false,\"stopped\":\"gas\"", ""),
            (
                "\"end\":\"error\",\"stopped\":\"nothing\"",
                "{\"kind\":\"timeout\",\"message\":\"\"}\n\"\"\n",
            ),
            (
                "\"end\":\"error\"",
                "{\"kind\":\"engine_died\",\"message\":\"\"}\n\"\"\n",
            ),
            ("\"request\":[\"input\",null,0]", "\"\"\n"),
            ("\"request\":[\"input\",3,0]", "\"\"\n"),
            ("\"request\":[\"input\",5,4]", "\"\"\n"),
            ("\"request\":[\"shell\",4,0]", "\"\"\n"),
            ("\"request\":[\"exec\",4,0]", "\"ls\"\n"),
            ("\"used\":-1,\"end\":false", ""),
            ("\"end\":true,\"after\":4", "1\n"),
        ] {
            assert!(read(control, parts).is_err(), "{control}");
        }
    }
}
