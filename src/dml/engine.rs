//! The requests to the engine of one run (`docs/engine-protocol.md`).

use std::fmt::Write;

use serde_json::Value;

use super::term::{write_list, write_value};
use hornbook_agent::{BookReply, FileReply, Outage, Outages, Party};
use hornbook_engine::Failed;
use hornbook_engine::protocol::{list, quote, seconds, text_request};
use hornbook_engine::reply::Refusal;

/// Why the program's engine gave no reply, as a plain sentence.
pub fn why_no_reply(failed: Failed) -> String {
    match failed {
        Failed::Refused(Refusal::Refused(error)) => error.message,
        failed => format!("The program's engine is gone: {}.", failed.reason()),
    }
}

/// An argument of `agent_main`.
#[derive(Debug, Clone, PartialEq)]
pub enum Given {
    Value(Value),
    /// The value given for the parameter of this name, converted to its type, or its default.
    Parameter(String),
}

/// The host's answer to a request.
pub enum Answer {
    /// The goal fails.
    Failed,
    /// The question got no answer: what the goal does depends on the program's mode.
    Outage(Outage),
    /// The reply to an event, the user's answer, or a tool's result.
    Done(Value),
    File(FileReply),
    /// The values of a task's outputs, and what to remember of it.
    Task(Vec<Value>, String),
    /// Why the model could not be asked: an error for the program.
    Refused(String),
    /// Why the model was not asked, given the cost: an error for the program.
    TooDear(String),
    Book(BookReply),
}

impl Answer {
    /// Whether the goal continues after it, instead of failing or raising an error.
    pub fn goes_on(&self) -> bool {
        match self {
            Answer::Failed | Answer::Outage(_) | Answer::Refused(_) | Answer::TooDear(_) => false,
            Answer::Book(reply) => reply.answer.is_some() && reply.error.is_none(),
            Answer::Done(_) | Answer::File(_) | Answer::Task(..) => true,
        }
    }
}

pub fn load(
    text: &str,
    parameters: &serde_json::Map<String, Value>,
    outages: Option<Outages>,
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
    let outages = match outages {
        None => "program",
        Some(Outages::Unknown) => "unknown",
        Some(Outages::Throw) => "throw",
        Some(Outages::Fail) => "fail",
    };
    let _ = write!(out, ",{outages},{seed},");
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
        Given::Parameter(name) => {
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

/// Run one goal of a concurrent group.
pub fn branch(id: u64, group: u64, number: usize, gas: Option<u64>, step_ms: u64) -> String {
    let mut out = format!("dml_branch({id},{group},{number}");
    write_bounds(&mut out, gas, step_ms);
    out
}

/// Abandon the goals of the group.
pub fn leave(group: u64) -> String {
    format!("dml_leave({group})")
}

pub fn next(id: u64, answer: &Answer, step_ms: u64) -> String {
    let mut out = format!("dml_next({id},");
    match answer {
        Answer::Failed => out.push_str("failed"),
        Answer::Outage(outage) => write_outage(&mut out, outage),
        Answer::Done(value) | Answer::File(FileReply::Result(value)) => {
            out.push_str("done(");
            write_value(&mut out, value);
            out.push(')');
        }
        Answer::File(FileReply::Missing(message)) => write_refusal(&mut out, "missing", message),
        Answer::File(FileReply::Refused(message) | FileReply::Failed(message)) => {
            write_refusal(&mut out, "refused", message);
        }
        Answer::Refused(message) => write_refusal(&mut out, "refused", message),
        Answer::TooDear(message) => write_refusal(&mut out, "too_dear", message),
        Answer::Book(reply) => write_book(&mut out, reply),
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

fn write_outage(out: &mut String, Outage { party, message }: &Outage) {
    out.push_str("outage(");
    match party {
        Party::Model(kind) => {
            let _ = write!(out, "model_error({kind},");
        }
        Party::Tool(tool, kind) => {
            out.push_str("tool_error(");
            quote(out, tool, '\'');
            let _ = write!(out, ",{kind},");
        }
        Party::User => out.push_str("input_error("),
    }
    quote(out, message, '"');
    out.push_str("))");
}

fn write_book(out: &mut String, reply: &BookReply) {
    match (&reply.error, &reply.answer) {
        (Some(error), _) => {
            out.push_str("book_error(");
            quote(out, &error.kind, '\'');
            out.push(',');
            quote(out, &error.message, '"');
            out.push(')');
        }
        (None, Some(answer)) => {
            out.push_str(if reply.undefined { "undefined(" } else { "answer(" });
            quote(out, answer, '"');
            out.push(',');
            match &reply.query {
                Some(query) => quote(out, query, '"'),
                None => out.push_str("none"),
            }
            out.push(')');
        }
        (None, None) => out.push_str("failed"),
    }
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
