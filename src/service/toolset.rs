//! The seam for capabilities: everything that MCP shows of one, as a single value.

use std::rc::Rc;

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use hornbook_base::Fault;
use hornbook_mcp::{Call, ChangeListener, Object, Reply, RpcError, Subscription};
use serde_json::{Value, json};

use crate::prompt::Prompt;
use crate::report::{Outcome, failed};
use crate::resource::Resource;
use crate::schema::{Argument, Arguments, input_schema};

/// Tools and what belongs to them. `C` is what they work on, such as a workspace.
pub struct Toolset<C: 'static> {
    /// The name a host selects it by: `--tools NAME`.
    pub name: &'static str,
    /// How a model should use it.
    pub instructions: &'static str,
    /// Whether its tools check their arguments themselves, because their errors have a form of their own.
    /// Otherwise a tool is only called with arguments that fit its declarations.
    pub checks_itself: bool,
    /// In the order of `tools/list`.
    pub tools: &'static [&'static Tool<C>],
    pub resources: &'static [Resource<C>],
    pub prompts: &'static [Prompt<C>],
    /// An unguessable id for a call of this tool that should run as a task; `None` to answer when it is done.
    pub task_id: fn(&C, &str) -> Option<String>,
    /// The topics that `help` shows.
    pub topics: &'static [Topic],
    /// Notify this listener of changes from now on.
    pub on_change: fn(&C, ChangeListener),
    /// A client subscribes to the resource of a template, with this text in its URI.
    pub on_subscribe: fn(&C, String, Subscription),
}

/// A section of the help.
pub struct Topic {
    pub name: &'static str,
    pub text: &'static str,
}

/// A tool as clients see it, and its implementation.
pub struct Tool<C: 'static> {
    pub name: &'static str,
    pub title: &'static str,
    pub description: &'static str,
    pub arguments: &'static [Argument],
    pub hints: Hints,
    pub run: fn(C, Arguments, Call) -> LocalBoxFuture<'static, Outcome>,
}

/// What a tool may do to what it works on, and whether it reaches outside.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Hints {
    ReadOnly,
    /// It removes nothing a client would miss; calling it again changes nothing more.
    Tidies,
    Destructive,
    /// It asks a model or a user, and removes nothing.
    AsksOthers,
    /// It asks a model or a user, and may remove something.
    Anything,
}

impl Hints {
    /// Hints equal to the protocol's defaults (`destructiveHint: true`, `readOnlyHint: false`,
    /// `idempotentHint: false`) are omitted: every word of the list costs the client's context.
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
    /// As listed by `tools/list`.
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

/// A toolset bound to its context. `None` means that it has no such tool, resource or prompt.
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
    fn templates(&self) -> Vec<Value>;
    /// Returns whether a template of this toolset has this URI.
    fn subscribe(&self, uri: &str, subscription: Subscription) -> bool;
    fn on_change(&self, listener: ChangeListener);
}

impl<C: Clone + 'static> Toolset<C> {
    /// Bind it to a context.
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
        self.set
            .resources
            .iter()
            .filter_map(Resource::declaration)
            .collect()
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

    fn templates(&self) -> Vec<Value> {
        self.set.resources.iter().filter_map(Resource::template).collect()
    }

    fn subscribe(&self, uri: &str, subscription: Subscription) -> bool {
        let mut resources = self.set.resources.iter();
        let Some(text) = resources.find_map(|resource| resource.parameter(uri)) else {
            return false;
        };
        (self.set.on_subscribe)(&self.context, text, subscription);
        true
    }

    fn on_change(&self, listener: ChangeListener) {
        (self.set.on_change)(&self.context, listener);
    }
}

/// The `CallToolResult` of a tool that runs, or whose arguments were rejected.
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
