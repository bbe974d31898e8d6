//! The service: toolsets served together.

use std::rc::Rc;

use futures::FutureExt;
use futures::future::ready;
use hornbook_mcp::{About, Call, ChangeListener, Features, Object, Reply, RpcError, Service, Subscription};
use hornbook_workspace::Workspace;
use serde_json::{Value, json};

use crate::budget::bound;
use crate::help::{self, Help};
use crate::reference::REFERENCES;
use crate::resource::Resource;
use crate::toolset::Served;
use hornbook_base::cut;

/// Any number of toolsets as one server.
pub struct Hornbook {
    sets: Vec<Rc<dyn Served>>,
    help: Help,
    /// The book that the toolsets read. It is brought up to date with other processes' changes before they
    /// run.
    book: Option<Workspace>,
    /// The most tokens of a reply: for its text, and again for its structured content.
    reply_tokens: usize,
    /// Whether some tools may run as tasks.
    tasks: bool,
}

impl Hornbook {
    /// The tools are listed in the order of the toolsets, `help` last. `book` is the book they read, if any;
    /// `reply_tokens` is the limit of that name.
    pub fn new(sets: Vec<Rc<dyn Served>>, book: Option<Workspace>, reply_tokens: usize) -> Rc<Hornbook> {
        let help = Help::of(&sets);
        let tasks = sets.iter().any(|set| {
            let tools = set.tools().into_iter();
            tools
                .filter_map(|tool| set.task_id(tool["name"].as_str()?))
                .next()
                .is_some()
        });
        Rc::new(Hornbook {
            sets,
            help,
            book,
            reply_tokens,
            tasks,
        })
    }

    fn first<T>(&self, find: impl Fn(&dyn Served) -> Option<T>) -> Option<T> {
        self.sets.iter().find_map(|set| find(&**set))
    }

    /// A `GetPromptResult`.
    pub(crate) fn prompt(&self, name: &str, arguments: &Object) -> Result<Object, RpcError> {
        let mut prompt = self
            .first(|set| set.get_prompt(name, arguments))
            .unwrap_or_else(|| Err(self.unknown_prompt(name)))?;
        bound(&mut prompt, self.reply_tokens);
        Ok(prompt)
    }

    /// The most tokens that a reply to this call may have.
    fn most_tokens(&self, call: &Call) -> usize {
        call.reply_tokens().unwrap_or(self.reply_tokens)
    }

    fn unknown_prompt(&self, name: &str) -> RpcError {
        unknown("prompt", name, &self.prompts())
    }
}

/// An error that lists the known names.
fn unknown(what: &str, name: &str, declared: &[Value]) -> RpcError {
    let name = cut(name, 100);
    let names: Vec<&str> = declared.iter().filter_map(|one| one["name"].as_str()).collect();
    RpcError::invalid_params(format!(
        "Unknown {what} '{name}'; the {what}s are: {}",
        names.join(", ")
    ))
}

/// Add a notice to a `CallToolResult`, apart from its text, which may be JSON.
fn tell(result: &mut Object, notice: &str) {
    let block = json!({ "type": "text", "text": format!("Notice: {notice}") });
    if let Some(Value::Array(content)) = result.get_mut("content") {
        content.push(block);
    }
}

/// What clients of a draft are told.
const DRAFT: &str =
    "Your changes are a draft: your own queries see them, others see them once a person accepts them.";

impl Service for Hornbook {
    fn about(&self) -> About {
        let is_draft = self.book.as_ref().is_some_and(|book| book.draft_name().is_some());
        let instructions = self.sets.iter().map(|set| set.instructions());
        let instructions: Vec<&str> = instructions.chain(is_draft.then_some(DRAFT)).collect();
        About {
            name: "hornbook".into(),
            title: "Hornbook".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            instructions: instructions.join(" "),
            features: Features {
                subscriptions: true,
                tasks: self.tasks,
                ..Features::default()
            },
        }
    }

    fn tools(&self) -> Vec<Value> {
        let help = (!self.help.is_empty()).then(|| self.help.declaration());
        self.sets.iter().flat_map(|set| set.tools()).chain(help).collect()
    }

    fn call_tool(&self, name: String, arguments: Object, call: Call) -> Reply {
        if name == help::NAME && !self.help.is_empty() {
            let most = self.most_tokens(&call);
            let reply = self.help.call(arguments, self.book.clone(), most);
            return async move {
                let mut result = reply.await?;
                bound(&mut result, most);
                Ok(result)
            }
            .boxed_local();
        }
        let Some(reply) = self.first(|set| set.call_tool(&name, arguments.clone(), &call)) else {
            return ready(Err(unknown("tool", &name, &self.tools()))).boxed_local();
        };
        let (book, most) = (self.book.clone(), self.most_tokens(&call));
        async move {
            if let Some(book) = &book {
                book.serve();
                book.freshen().await;
            }
            let mut result = reply.await?;
            bound(&mut result, most);
            // Not every tool tells notices.
            for told in book.iter().flat_map(Workspace::take_untold) {
                tell(&mut result, &told);
            }
            Ok(result)
        }
        .boxed_local()
    }

    fn task_id(&self, tool: &str) -> Option<String> {
        self.first(|set| set.task_id(tool))
    }

    fn resources(&self) -> Vec<Value> {
        let references = REFERENCES.iter().filter_map(Resource::declaration);
        self.sets
            .iter()
            .flat_map(|set| set.resources())
            .chain(references)
            .collect()
    }

    fn resource_templates(&self) -> Vec<Value> {
        self.sets.iter().flat_map(|set| set.templates()).collect()
    }

    fn subscribe(&self, uri: &str, subscription: Subscription) -> bool {
        self.sets
            .iter()
            .any(|set| set.subscribe(uri, subscription.clone()))
    }

    fn read_resource(&self, uri: String, call: Call) -> Reply {
        let contents = self.first(|set| set.read_resource(&uri)).or_else(|| {
            REFERENCES
                .iter()
                .find_map(|reference| reference.contents(&uri, &self.help))
        });
        let Some(contents) = contents else {
            return ready(Err(RpcError::resource_not_found(&uri))).boxed_local();
        };
        let (control, book, most) = (call.control(), self.book.clone(), self.most_tokens(&call));
        async move {
            if let Some(book) = book {
                book.freshen().await;
            }
            let contents = control.unless_cancelled(contents).await;
            let mut contents = contents.map_err(|_| RpcError::cancelled())?;
            bound(&mut contents, most);
            Ok(contents)
        }
        .boxed_local()
    }

    fn prompts(&self) -> Vec<Value> {
        self.sets.iter().flat_map(|set| set.prompts()).collect()
    }

    fn get_prompt(&self, name: String, arguments: Object, _: Call) -> Reply {
        ready(self.prompt(&name, &arguments)).boxed_local()
    }

    fn complete(&self, reference: &Object, argument: &str, value: &str) -> Result<Vec<String>, RpcError> {
        let field = |name: &str| reference.get(name).and_then(Value::as_str);
        match (field("type"), field("name")) {
            (Some("ref/prompt"), Some(name)) => self
                .first(|set| set.complete(name, argument, value))
                .unwrap_or_else(|| Err(self.unknown_prompt(name))),
            _ => Err(RpcError::invalid_params(
                "Only the arguments of prompts can be completed: use ref/prompt with a name",
            )),
        }
    }

    fn on_change(&self, listener: ChangeListener) {
        for set in &self.sets {
            set.on_change(listener.clone());
        }
    }
}
