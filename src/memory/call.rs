//! A call of a tool: its answer and its changes.

use serde_json::json;

use crate::arguments;
use crate::crossref::crossref;
use crate::draft::{CallContext, Draft, envelope, warn};
use crate::memory::Memory;
use crate::record::Change;
use crate::results::Failed;
use crate::tools::Object;
use crate::{context, correct, experience, graph, idea, intel, project, update};

/// The result of a call. The answer is valid once the changes are kept.
#[derive(Debug, Default, PartialEq)]
pub struct Outcome {
    pub reply: Object,
    /// In order; applying them one after the other leads to the state that the answer describes.
    pub changes: Vec<Change>,
}

/// Call a tool. An error is the message for [`error`].
pub fn call(memory: &Memory, tool: &str, arguments: Object, given: CallContext) -> Result<Outcome, String> {
    let (tool, action, arguments) = arguments::read(tool, arguments, given.only_reading)?;
    let mut draft = Draft::new(memory, given);
    let budget = arguments.budget();
    let reply = match (tool.name, action.name) {
        ("kn_graph", "add") => graph::add(&mut draft, &arguments),
        ("kn_graph", "connect") => graph::connect(&mut draft, &arguments),
        ("kn_graph", "query") => graph::query(&draft, &arguments),
        ("kn_graph", "update") => update::update(&mut draft, &arguments),
        ("kn_graph", "remove") => correct::remove(&mut draft, &arguments),
        ("kn_graph", "restore") => correct::restore(&mut draft, &arguments),
        ("kn_graph", "status") => Ok(json!(graph::status(memory))),
        ("kn_project", "create") => project::create(&mut draft, &arguments),
        ("kn_project", "update") => project::update(&mut draft, &arguments),
        ("kn_project", "list") => project::list(&mut draft, &arguments),
        ("kn_project", "log") => project::log(&mut draft, &arguments),
        ("kn_project", "remove") => project::remove(&mut draft, &arguments),
        ("kn_project", "restore") => project::restore(&mut draft, &arguments),
        ("kn_experience", "save") => experience::save(&mut draft, &arguments),
        ("kn_experience", "search") => experience::search(&draft, &arguments),
        ("kn_experience", "prune") => experience::prune(&mut draft, &arguments),
        ("kn_experience", "remove") => experience::remove(&mut draft, &arguments),
        ("kn_experience", "restore") => experience::restore(&mut draft, &arguments),
        ("kn_idea", "create") => idea::create(&mut draft, &arguments),
        ("kn_idea", "update") => idea::update(&mut draft, &arguments),
        ("kn_idea", "list") => Ok(json!(idea::list(memory, &arguments))),
        ("kn_idea", "remove") => idea::remove(&mut draft, &arguments),
        ("kn_idea", "restore") => idea::restore(&mut draft, &arguments),
        ("kn_intel", "learn") => intel::learn(&mut draft, &arguments),
        ("kn_intel", "recall") => intel::recall(&draft, &arguments),
        ("kn_intel", "context") => context::context(&draft, &arguments),
        // The desk handles these, with an engine and with other books.
        ("kn_intel", "infer") => Err("infer needs a book with an engine".into()),
        ("kn_intel", "crossref") => Ok(json!(crossref(memory, &[], &arguments, draft.now))),
        ("kn_intel", "related") => intel::related(&draft, &arguments),
        (tool, action) => Err(format!("{tool} has no action {action}")),
    }?;
    let mut reply = envelope(crate::budget::fitted(reply, budget));
    warn(&mut reply, arguments.warnings);
    warn(&mut reply, draft.warnings);
    Ok(Outcome {
        reply,
        changes: draft.changes,
    })
}

/// The reply to a call that failed.
pub fn error(message: &str) -> Object {
    envelope(json!(Failed {
        error: message.to_owned()
    }))
}
