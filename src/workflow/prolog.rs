//! Prolog for the nodes of workflows: blocks, queries and conditions that read the state with `state/2` and
//! return values with `return/2`.

use std::fmt::Write;

use futures::future::{Either, select};
use serde::{Deserialize, Serialize};

use super::engines::Engines;
use super::fault::{WorkflowFault, WorkflowFaultKind};
use super::json::{Json, Object, write_dict};
use hornbook_base::Limits;
use hornbook_engine::protocol::{Bounds, quote, seconds};
use hornbook_engine::reply::{
    BadReply, Changes, ChangesControl, Changing, EngineError, Parts, Refusal, Reply,
};
use hornbook_engine::{DeathKind, Failed, Pool};

/// Runs Prolog for nodes, several at a time. Whatever one leaves behind is gone before the next.
#[derive(Clone)]
pub struct Prolog(Engines);

/// How many solutions of the last goal are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Solutions {
    First,
    All,
}

/// What a block did.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Executed {
    /// What it wrote.
    pub output: String,
    pub end: End,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum End {
    /// The values from `return/2`, for each solution.
    Solutions(Vec<Object>),
    /// This goal failed, so the block returns nothing.
    Failed(Place),
    /// It asks somebody this, and runs again with the answer.
    Asks(Json),
}

/// A goal of a block that failed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "FailedGoal"))]
pub struct Place {
    /// In the block, from 1.
    pub line: u32,
    /// In the text of the node's workflow, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub file_line: Option<u64>,
    pub goal: String,
}

/// Clauses, directives and goals, and what they see.
#[derive(Clone, Copy)]
pub struct Block<'a> {
    pub code: &'a str,
    pub state: &'a Object,
    /// What was asked with `interrupt/2` and answered, in order.
    pub answers: &'a [(Json, Json)],
    pub timeout_ms: u64,
}

impl Block<'_> {
    /// The request to run it, whose reply is [`RanInBook`]; the bounds are filled in when it runs.
    pub fn request(&self) -> Result<impl Fn(Bounds) -> String + use<>, WorkflowFault> {
        let mut request = String::with_capacity(self.code.len() + 256);
        request.push_str("book_node_run(");
        write_run(&mut request, self.code, self.state)?;
        write_answers(&mut request, self.answers);
        Ok(move |Bounds { soft_ms, next, .. }: Bounds| {
            let (seconds, last, first) = (seconds(soft_ms), next.last, next.first);
            format!("{request},{seconds},{last},{first})")
        })
    }
}

/// The reply to [`Block::request`].
pub struct RanInBook {
    output: String,
    end: Result<End, EngineError>,
    changes: Changes,
}

impl RanInBook {
    pub fn executed(&self, timeout_ms: u64) -> Result<Executed, WorkflowFault> {
        let end = self.end.clone().map_err(|error| fault(error, timeout_ms))?;
        Ok(Executed {
            output: self.output.clone(),
            end,
        })
    }
}

impl Prolog {
    /// Use at most `engines` engine workers.
    pub fn new(pool: Pool, limits: Limits, engines: usize) -> Prolog {
        Prolog(Engines::new(pool, limits, engines))
    }

    /// Run clauses, directives and goals.
    pub async fn run_block(&self, block: Block<'_>, solutions: Solutions) -> Result<Executed, WorkflowFault> {
        let Block { code, timeout_ms, .. } = block;
        let mut request = String::with_capacity(code.len() + 256);
        request.push_str("node_run(");
        write_run(&mut request, code, block.state)?;
        write_answers(&mut request, block.answers);
        let wanted = match solutions {
            Solutions::First => "first",
            Solutions::All => "all",
        };
        let _ = write!(request, ",{wanted},{})", seconds(timeout_ms));
        let reply: Ran = self.ask(request, timeout_ms).await?;
        let end = reply.end.map_err(|error| fault(error, timeout_ms))?;
        Ok(Executed {
            output: reply.output,
            end,
        })
    }

    /// The text of `Result` if the goal succeeds and binds it, `true` if it succeeds without binding it;
    /// `None` if it fails.
    pub async fn condition(
        &self,
        goal: &str,
        state: &Object,
        timeout_ms: u64,
    ) -> Result<Option<String>, WorkflowFault> {
        let mut request = String::from("node_condition(");
        write_run(&mut request, goal, state)?;
        let _ = write!(request, ",{})", seconds(timeout_ms));
        let reply: Decided = self.ask(request, timeout_ms).await?;
        reply.result.map_err(|error| fault(error, timeout_ms))
    }

    /// End the engines.
    pub fn close(&self) {
        self.0.close();
    }

    pub(crate) async fn ask<T: Reply + Reusable>(
        &self,
        request: String,
        timeout_ms: u64,
    ) -> Result<T, WorkflowFault> {
        let lease = self.0.take().await;
        let lease = lease.map_err(|reason| WorkflowFault::new(WorkflowFaultKind::Engine, reason))?;
        let hard_ms = timeout_ms.saturating_add(self.0.limits().grace_ms);
        let late = self.0.pool().clock().sleep(hard_ms);
        let answer = Box::pin(lease.engine().ask::<T>(request));
        let answer = match select(answer, late).await {
            Either::Left((answer, _)) => answer,
            Either::Right(_) => return Err(timeout(timeout_ms)),
        };
        match answer {
            Ok(reply) => {
                if !reply.worn() {
                    lease.give_back();
                }
                Ok(reply)
            }
            Err(Failed::Refused(Refusal::Refused(error))) => Err(fault(error, timeout_ms)),
            Err(Failed::Died(death)) => Err(WorkflowFault::new(
                WorkflowFaultKind::Prolog,
                match death.kind {
                    DeathKind::Memory => "The code needs more memory than there is.".into(),
                    DeathKind::Depth => "The code made a term that nests too deeply.".into(),
                    _ => format!("The Prolog engine of the node is gone: {}.", death.reason),
                },
            )),
            Err(failed @ Failed::Refused(_)) => {
                let message = format!("The Prolog engine of the node is gone: {}.", failed.reason());
                Err(WorkflowFault::new(WorkflowFaultKind::Prolog, message))
            }
            Err(failed @ Failed::BadReply(_)) => {
                let message = format!("The Prolog engine of the node is gone: {}.", failed.reason());
                Err(WorkflowFault::new(WorkflowFaultKind::Engine, message))
            }
        }
    }
}

/// `"code",_{state}`.
pub(crate) fn write_run(out: &mut String, code: &str, state: &Object) -> Result<(), WorkflowFault> {
    if let Some((key, _)) = state.iter().find(|(_, value)| value.is_too_deep()) {
        let levels = super::json::MOST_LEVELS;
        let message = format!("The value of {key} in the state nests deeper than {levels} levels.");
        return Err(WorkflowFault::new(WorkflowFaultKind::State, message));
    }
    quote(out, code, '"');
    out.push(',');
    write_dict(out, state);
    Ok(())
}

/// `,[[Question,Answer],…]`.
fn write_answers(out: &mut String, answers: &[(Json, Json)]) {
    out.push_str(",[");
    for (index, (question, answer)) in answers.iter().enumerate() {
        out.push_str(if index > 0 { ",[" } else { "[" });
        question.write_term(out);
        out.push(',');
        answer.write_term(out);
        out.push(']');
    }
    out.push(']');
}

fn timeout(timeout_ms: u64) -> WorkflowFault {
    let seconds = timeout_ms as f64 / 1000.0;
    WorkflowFault::new(
        WorkflowFaultKind::Timeout,
        format!("Prolog execution timeout: the code ran longer than {seconds} s."),
    )
}

pub(crate) fn fault(error: EngineError, timeout_ms: u64) -> WorkflowFault {
    let kind = match error.kind {
        hornbook_base::FaultKind::Timeout => return timeout(timeout_ms),
        hornbook_base::FaultKind::Halted => return WorkflowFault::halted(error.line),
        hornbook_base::FaultKind::UnsafeGoal => WorkflowFaultKind::Sandbox,
        _ => WorkflowFaultKind::Prolog,
    };
    WorkflowFault {
        kind,
        message: error.message,
        line: error.line,
        file_line: None,
        node: None,
    }
}

/// A reply that tells whether its engine can be reused.
pub(crate) trait Reusable {
    fn worn(&self) -> bool;
}

#[derive(Deserialize)]
#[serde(untagged)]
pub(crate) enum EndWord {
    /// True or false.
    Truth(bool),
    Word(Word),
}

#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Word {
    Error,
    Asks,
}

/// The reply to `node_run`.
struct Ran {
    worn: bool,
    output: String,
    end: Result<End, EngineError>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct RanControl {
    end: EndWord,
    worn: bool,
    output: bool,
    #[serde(default)]
    answers: usize,
}

impl EndWord {
    /// The end of a block with this many solutions.
    fn of_block(self, answers: usize, parts: &mut Parts<'_>) -> Result<Result<End, EngineError>, BadReply> {
        Ok(match self {
            EndWord::Truth(true) => Ok(End::Solutions(
                parts
                    .several::<Vec<(String, Json)>>(answers)?
                    .into_iter()
                    .map(Object::from_iter)
                    .collect(),
            )),
            EndWord::Truth(false) => Ok(End::Failed(parts.take()?)),
            EndWord::Word(Word::Asks) => Ok(End::Asks(parts.take()?)),
            EndWord::Word(Word::Error) => Err(parts.take()?),
        })
    }
}

impl Reply for Ran {
    type Control = RanControl;

    fn assemble(control: RanControl, parts: &mut Parts<'_>) -> Result<Self, BadReply> {
        let output = parts.take_if(control.output)?.unwrap_or_default();
        Ok(Ran {
            worn: control.worn,
            output,
            end: control.end.of_block(control.answers, parts)?,
        })
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RanInBookControl {
    end: EndWord,
    output: bool,
    #[serde(default)]
    answers: usize,
    #[serde(flatten)]
    changes: ChangesControl,
}

impl Reply for RanInBook {
    type Control = RanInBookControl;

    fn assemble(control: RanInBookControl, parts: &mut Parts<'_>) -> Result<Self, BadReply> {
        let output = parts.take_if(control.output)?.unwrap_or_default();
        let end = control.end.of_block(control.answers, parts)?;
        let changes = Changes::assemble(control.changes, parts)?;
        if changes.kept() && !matches!(end, Ok(End::Solutions(_))) {
            return Err(BadReply::new(
                "it keeps what a block that did not succeed has changed",
            ));
        }
        Ok(RanInBook { output, end, changes })
    }
}

impl Changing for RanInBook {
    fn take_changes(&mut self) -> Changes {
        std::mem::take(&mut self.changes)
    }
}

impl Reusable for Ran {
    fn worn(&self) -> bool {
        self.worn
    }
}

/// The reply to `node_condition`.
struct Decided {
    worn: bool,
    result: Result<Option<String>, EngineError>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct DecidedControl {
    end: EndWord,
    worn: bool,
}

impl Reply for Decided {
    type Control = DecidedControl;

    fn assemble(control: DecidedControl, parts: &mut Parts<'_>) -> Result<Self, BadReply> {
        let result = match control.end {
            EndWord::Truth(true) => Ok(Some(parts.take()?)),
            EndWord::Truth(false) => Ok(None),
            EndWord::Word(Word::Error) => Err(parts.take()?),
            EndWord::Word(Word::Asks) => return Err(BadReply::new("a condition asks")),
        };
        Ok(Decided {
            worn: control.worn,
            result,
        })
    }
}

impl Reusable for Decided {
    fn worn(&self) -> bool {
        self.worn
    }
}
