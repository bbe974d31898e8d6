//! The engine of one run, and what it says (`ARCHITECTURE.md`, "The engine protocol").

use std::fmt::Write;
use std::rc::Rc;

use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::files::{FileReply, FileUse};
use super::term::{write_list, write_value};
use super::tools::Argument;
use hornbook_engine::protocol::{list, quote, seconds, text_request};
use hornbook_engine::reply::{self, EngineError};
use hornbook_engine::{EngineDeath, EngineProcess};

/// An engine worker that ends with its owner.
pub struct Engine(pub Rc<dyn EngineProcess>);

impl Drop for Engine {
    fn drop(&mut self) {
        self.0.end();
    }
}

/// Why there is no reply that could be understood.
#[derive(Debug)]
pub enum Failed {
    Died(EngineDeath),
    /// The engine refused, which it does only when it is asked for something senseless.
    Refused(EngineError),
    NotUnderstood(serde_json::Error),
}

impl Failed {
    /// A plain sentence.
    pub fn told(self) -> String {
        match self {
            Failed::Died(death) => format!("The program's engine is gone: {}.", death.reason),
            Failed::Refused(error) => error.message,
            Failed::NotUnderstood(error) => format!("The engine's reply is not understood: {error}."),
        }
    }
}

impl Engine {
    pub async fn ask<T: DeserializeOwned>(&self, request: String) -> Result<T, Failed> {
        let text = self.0.request(request).await.map_err(Failed::Died)?;
        let reply = reply::decode(&text).map_err(Failed::NotUnderstood)?;
        reply.map_err(Failed::Refused)
    }
}

/// What the engine made of a program.
#[derive(Debug, Clone, Default, PartialEq, Deserialize)]
pub struct Loaded {
    pub errors: Vec<LoadError>,
    /// The names of the parameters of `agent_main`, one list a clause.
    pub mains: Vec<Vec<Option<String>>>,
    pub tools: Vec<ProgramTool>,
    /// The parameters that are declared with a default.
    pub defaults: Vec<String>,
}

/// An argument of `agent_main`.
#[derive(Debug, Clone, PartialEq)]
pub enum Given {
    Value(Value),
    /// The declared default of this parameter.
    Default(String),
}

/// What is wrong with the text of a program.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct LoadError {
    pub kind: hornbook_base::FaultKind,
    pub message: String,
    /// Line from 1 and column from 0.
    pub line: Option<u32>,
    pub column: Option<u32>,
    /// In code points, where the place is not given.
    pub offset: Option<usize>,
}

impl LoadError {
    pub fn is_syntax_error(&self) -> bool {
        self.kind == hornbook_base::FaultKind::SyntaxError
    }
}

/// A clause `tool(Head)` or `tool(Head, Description)`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct ProgramTool {
    pub name: String,
    /// Of its head: the inputs and, as the last, the output.
    pub arity: usize,
    pub description: String,
    pub source: String,
}

/// How far an engine has come.
#[derive(Debug, PartialEq, Deserialize)]
pub struct Step {
    /// Events that come before it.
    pub told: Vec<Asked>,
    /// What the program wrote.
    pub output: String,
    /// What its clock said, unless it was given.
    #[serde(default)]
    pub clock: Vec<String>,
    /// Inferences so far.
    pub used: Option<u64>,
    pub request: Option<Asked>,
    pub end: Option<End>,
    /// At its end: the last request that was not undone.
    pub after: Option<u64>,
    /// What a tool gives.
    #[serde(default)]
    pub value: Value,
    pub error: Option<RunError>,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(untagged)]
pub enum End {
    /// True or false.
    Truth(bool),
    /// `"error"`.
    Error(String),
}

/// What ended a goal.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct RunError {
    pub message: String,
    /// The limit that stopped it, if one did.
    pub stopped: Option<String>,
    /// The error term of the ISO standard, or empty.
    pub term: String,
}

/// A request, and where on its branch of the program it is.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Asked {
    /// Numbers grow; those of events, of which no reply is wanted, are not there.
    pub id: Option<u64>,
    /// The last request before it that was not undone; 0 where there is none.
    pub after: Option<u64>,
    #[serde(flatten)]
    pub request: Request,
}

/// What a program wants of its host.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "kind", rename_all = "lowercase")]
pub enum Request {
    Output { text: String },
    Log { text: String },
    Answer { text: String },
    Input { text: String },
    File(FileUse),
    Exec { tool: String, arguments: Vec<Argument> },
    Task(TaskRequest),
    Prompt(TaskRequest),
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct TaskRequest {
    pub text: String,
    pub outputs: Vec<WantedOutput>,
    pub memory: Vec<Remembered>,
    /// The innermost first.
    pub scope: Vec<Scope>,
    /// The tools of the program that this task runs for.
    pub running: Vec<String>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct WantedOutput {
    pub name: String,
    #[serde(rename = "type")]
    pub kind: String,
}

#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Remembered {
    pub role: super::model::Role,
    pub content: String,
}

/// `with_tools/2` or `without_tools/2`.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "kind", content = "tools", rename_all = "lowercase")]
pub enum Scope {
    With(Vec<String>),
    Without(Vec<String>),
}

/// The host's answer to a request.
pub enum Answer {
    /// The goal fails.
    Failed,
    /// To an event; the answer of a user, the result of a tool.
    Done(Value),
    File(FileReply),
    /// The values of a task's outputs, and what is remembered of it.
    Task(Vec<Value>, String),
}

pub fn load(
    text: &str,
    parameters: &serde_json::Map<String, Value>,
    seed: u32,
    readings: &[String],
) -> String {
    let mut out = String::with_capacity(text.len() + text.len() / 16 + 64);
    out.push_str("dml_load(");
    quote(&mut out, text, '"');
    out.push(',');
    list(&mut out, parameters, |out, (key, value)| {
        quote(out, key, '"');
        out.push_str("- ");
        write_value(out, value);
    });
    let _ = write!(out, ",{seed},");
    write_texts(&mut out, readings);
    out.push(')');
    out
}

pub fn check(text: &str) -> String {
    text_request("dml_check", text)
}

fn write_texts(out: &mut String, texts: &[String]) {
    list(out, texts, |out, text| quote(out, text, '"'));
}

pub fn main(id: u64, arguments: &[Given], gas: Option<u64>, step_ms: u64) -> String {
    let mut out = format!("dml_main({id},");
    list(&mut out, arguments, |out, argument| match argument {
        Given::Value(value) => write_value(out, value),
        Given::Default(name) => {
            out.push_str("'$parameter'(");
            quote(out, name, '"');
            out.push(')');
        }
    });
    write_bounds(&mut out, gas, step_ms);
    out
}

pub fn tool(
    id: u64,
    name: &str,
    inputs: &[Value],
    running: &[String],
    gas: Option<u64>,
    step_ms: u64,
) -> String {
    let mut out = format!("dml_tool({id},");
    quote(&mut out, name, '\'');
    out.push(',');
    write_list(&mut out, inputs);
    out.push(',');
    write_texts(&mut out, running);
    write_bounds(&mut out, gas, step_ms);
    out
}

pub fn next(id: u64, answer: &Answer, step_ms: u64) -> String {
    let mut out = format!("dml_next({id},");
    match answer {
        Answer::Failed => out.push_str("failed"),
        Answer::Done(value) | Answer::File(FileReply::Result(value)) => {
            out.push_str("done(");
            write_value(&mut out, value);
            out.push(')');
        }
        Answer::File(FileReply::Missing(message)) => write_refusal(&mut out, "missing", message),
        Answer::File(FileReply::Refused(message)) => write_refusal(&mut out, "refused", message),
        Answer::Task(values, said) => {
            out.push_str("done(");
            write_list(&mut out, values);
            out.push(',');
            quote(&mut out, said, '"');
            out.push(')');
        }
    }
    let _ = write!(out, ",{})", seconds(step_ms));
    out
}

fn write_refusal(out: &mut String, name: &str, message: &str) {
    let _ = write!(out, "{name}(");
    quote(out, message, '"');
    out.push(')');
}

fn write_bounds(out: &mut String, gas: Option<u64>, step_ms: u64) {
    match gas {
        None => out.push_str(",none"),
        Some(gas) => {
            let _ = write!(out, ",{gas}");
        }
    }
    let _ = write!(out, ",{})", seconds(step_ms));
}
