//! The seam for a capability: everything that MCP shows of it, as one value.

use std::rc::Rc;

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use hornbook_base::Fault;
use hornbook_mcp::{Call, ChangeListener, Object, Reply, RpcError};
use serde_json::{Value, json};

use crate::prompt::Prompt;
use crate::report::{Outcome, failed};
use crate::resource::Resource;
use crate::schema::{Argument, Arguments, input_schema};

/// A set of tools and what belongs to them. `C` is what they work on, a workspace for example.
pub struct Toolset<C: 'static> {
    /// How a host asks for it: `--tools NAME`.
    pub name: &'static str,
    /// How a model should use it.
    pub instructions: &'static str,
    /// Whether its tools check their arguments themselves, because their refusals have a form of their own; otherwise
    /// none is called with arguments that do not fit their declarations.
    pub checks_itself: bool,
    /// In the order of `tools/list`.
    pub tools: &'static [&'static Tool<C>],
    pub resources: &'static [Resource<C>],
    pub prompts: &'static [Prompt<C>],
    /// A name, which nobody can guess, for a call of this tool that goes on as a task; none where it is answered at once.
    pub task_id: fn(&C, &str) -> Option<String>,
    /// What `help` tells.
    pub topics: &'static [Topic],
    /// Tell this listener what changes from now on.
    pub on_change: fn(&C, ChangeListener),
}

/// A part of the help.
pub struct Topic {
    pub name: &'static str,
    pub text: &'static str,
}

/// A tool as clients see it, and what it does.
pub struct Tool<C: 'static> {
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    pub arguments: &'static [Argument],
    pub hints: Hints,
    pub run: fn(C, Arguments, Call) -> LocalBoxFuture<'static, Outcome>,
}

/// What a tool may do to what it works on, and whether it reaches out of it.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Hints {
    ReadOnly,
    /// It takes nothing away that a client would miss; calling it again changes nothing more.
    Tidies,
    Destructive,
    /// It asks a model or a user, and takes nothing away.
    AsksOthers,
    /// It asks a model or a user, and may take something away.
    Anything,
}

impl Hints {
    /// Hints are left out where the protocol's defaults say the same (`destructiveHint: true`,
    /// `readOnlyHint: false`, `idempotentHint: false`): every word of the list costs the client's context.
    fn annotations(self) -> Value {
        match self {
            Hints::ReadOnly => json!({ "readOnlyHint": true, "openWorldHint": false }),
            Hints::Tidies => {
                json!({ "destructiveHint": false, "idempotentHint": true, "openWorldHint": false })
            }
            Hints::Destructive => json!({ "openWorldHint": false }),
            Hints::AsksOthers => json!({ "destructiveHint": false }),
            Hints::Anything => json!({ "destructiveHint": true }),
        }
    }
}

impl<C> Tool<C> {
    /// As `tools/list` has it.
    pub fn declaration(&self) -> Value {
        declaration(
            self.name,
            self.title,
            self.description,
            self.arguments,
            self.hints,
        )
    }
}

pub(crate) fn declaration(
    name: &str,
    title: &str,
    description: &str,
    arguments: &[Argument],
    hints: Hints,
) -> Value {
    json!({
        "name": name,
        "title": title,
        "description": description,
        "inputSchema": input_schema(arguments),
        "annotations": hints.annotations(),
    })
}

/// A toolset on what it works on. What it does not have is `None`.
pub trait Served {
    fn name(&self) -> &'static str;
    fn instructions(&self) -> &'static str;
    fn topics(&self) -> &'static [Topic];
    /// The declarations, as the list methods return them.
    fn tools(&self) -> Vec<Value>;
    fn task_id(&self, tool: &str) -> Option<String>;
    fn resources(&self) -> Vec<Value>;
    fn prompts(&self) -> Vec<Value>;
    fn call_tool(&self, name: &str, arguments: Object, call: &Call) -> Option<Reply>;
    fn read_resource(&self, uri: &str) -> Option<LocalBoxFuture<'static, Object>>;
    fn get_prompt(&self, name: &str, arguments: &Object) -> Option<Result<Object, RpcError>>;
    fn complete(&self, prompt: &str, argument: &str, value: &str) -> Option<Result<Vec<String>, RpcError>>;
    fn on_change(&self, listener: ChangeListener);
}

impl<C: Clone + 'static> Toolset<C> {
    /// Serve it on this context.
    pub fn on(self, context: C) -> Rc<dyn Served> {
        Rc::new(On { set: self, context })
    }
}

struct On<C: 'static> {
    set: Toolset<C>,
    context: C,
}

impl<C: Clone + 'static> Served for On<C> {
    fn name(&self) -> &'static str {
        self.set.name
    }

    fn instructions(&self) -> &'static str {
        self.set.instructions
    }

    fn topics(&self) -> &'static [Topic] {
        self.set.topics
    }

    fn tools(&self) -> Vec<Value> {
        self.set.tools.iter().map(|tool| tool.declaration()).collect()
    }

    fn task_id(&self, tool: &str) -> Option<String> {
        (self.set.task_id)(&self.context, tool)
    }

    fn resources(&self) -> Vec<Value> {
        self.set.resources.iter().map(Resource::declaration).collect()
    }

    fn prompts(&self) -> Vec<Value> {
        self.set.prompts.iter().map(Prompt::declaration).collect()
    }

    fn call_tool(&self, name: &str, arguments: Object, call: &Call) -> Option<Reply> {
        let tool = self.set.tools.iter().find(|tool| tool.name == name)?;
        let checked = match self.set.checks_itself {
            true => Ok(Arguments::unchecked(arguments)),
            false => Arguments::check(tool.arguments, arguments),
        };
        let outcome = checked.map(|arguments| (tool.run)(self.context.clone(), arguments, call.clone()));
        Some(reply(outcome))
    }

    fn read_resource(&self, uri: &str) -> Option<LocalBoxFuture<'static, Object>> {
        let resources = self.set.resources.iter();
        let mut contents = resources.filter_map(|resource| resource.contents(uri, &self.context));
        contents.next()
    }

    fn get_prompt(&self, name: &str, arguments: &Object) -> Option<Result<Object, RpcError>> {
        let prompt = self.set.prompts.iter().find(|prompt| prompt.name == name)?;
        Some(prompt.get(&self.context, arguments))
    }

    fn complete(&self, prompt: &str, argument: &str, value: &str) -> Option<Result<Vec<String>, RpcError>> {
        let prompt = self.set.prompts.iter().find(|known| known.name == prompt)?;
        Some(prompt.complete(&self.context, argument, value))
    }

    fn on_change(&self, listener: ChangeListener) {
        (self.set.on_change)(&self.context, listener);
    }
}

/// The `CallToolResult` of a tool that runs, or was refused its arguments.
pub(crate) fn reply(outcome: Result<LocalBoxFuture<'static, Outcome>, Fault>) -> Reply {
    async move {
        let outcome = match outcome {
            Ok(running) => running.await,
            Err(fault) => Err(fault),
        };
        let report = outcome.unwrap_or_else(failed);
        Ok(report.into_result())
    }
    .boxed_local()
}
