//! A workspace, served: the tools, resources and prompts of Hornbook.

use std::rc::Rc;

use futures::FutureExt;
use futures::future::ready;
use serde_json::Value;

use super::dml::{self, DmlTools};
use super::schema::Arguments;
use super::tools::TOOLS;
use super::{prompts, resources};
use hornbook_mcp::Call;
use hornbook_mcp::{About, Change, ChangeListener, Features, Reply, Service};
use hornbook_mcp::{Object, RpcError};
use hornbook_workspace::Workspace;

const INSTRUCTIONS: &str = "Hornbook reasons with SWI-Prolog over a workspace of clauses that you write. \
Add facts and rules with clauses, or import files; ask with query_start (take: several solutions at once) and \
query_next; see everything with workspace snapshot. Use it for what must follow exactly: rules, constraints \
(clpfd is loaded), puzzles, graphs, schedules, checks. help explains the rest.";

const DML_INSTRUCTIONS: &str = "dml_run runs programs in DML: Prolog with goals that ask your language model and your \
user. Use it where a plan must hold: several tasks whose results are checked, with other ways when one fails.";

/// Which tools are served.
#[derive(Clone)]
pub struct Toolsets {
    /// Those of the workspace.
    pub prolog: bool,
    pub dml: Option<DmlTools>,
}

/// The service of one workspace.
pub struct PrologService {
    workspace: Workspace,
    sets: Toolsets,
}

impl PrologService {
    pub fn new(workspace: Workspace, sets: Toolsets) -> Rc<PrologService> {
        Rc::new(PrologService { workspace, sets })
    }

    fn instructions(&self) -> String {
        match (self.sets.prolog, &self.sets.dml) {
            (true, None) => INSTRUCTIONS.into(),
            (true, Some(_)) => format!("{INSTRUCTIONS} {DML_INSTRUCTIONS}"),
            (false, _) => DML_INSTRUCTIONS.into(),
        }
    }
}

impl Service for PrologService {
    fn about(&self) -> About {
        About {
            name: "hornbook".into(),
            title: "Hornbook".into(),
            version: env!("CARGO_PKG_VERSION").into(),
            instructions: self.instructions(),
            features: Features {
                subscriptions: true,
                ..Features::default()
            },
        }
    }

    fn tools(&self) -> Vec<Value> {
        let prolog = TOOLS.iter().filter(|_| self.sets.prolog);
        let dml = self.sets.dml.iter().map(DmlTools::declaration);
        prolog.map(|tool| tool.declaration()).chain(dml).collect()
    }

    fn call_tool(&self, name: String, arguments: Object, call: Call) -> Reply {
        if let (dml::NAME, Some(dml)) = (name.as_str(), &self.sets.dml) {
            return dml.call(arguments, call);
        }
        let workspace = self.workspace.clone();
        let Some(tool) = TOOLS.iter().find(|tool| self.sets.prolog && tool.name == name) else {
            let tools = self.tools();
            let names: Vec<&str> = tools.iter().filter_map(|tool| tool["name"].as_str()).collect();
            let message = format!("Unknown tool '{name}'; the tools are: {}", names.join(", "));
            return ready(Err(RpcError::invalid_params(message))).boxed_local();
        };
        async move {
            let begun = workspace.now_ms();
            let outcome = match Arguments::check(tool.arguments, arguments) {
                Ok(arguments) => (tool.run)(workspace.clone(), arguments, call.control()).await,
                Err(failure) => Err(failure),
            };
            let report = outcome.unwrap_or_else(|failure| failure.report(Value::Null));
            Ok(report.into_result(workspace.now_ms().saturating_sub(begun)))
        }
        .boxed_local()
    }

    fn resources(&self) -> Vec<Value> {
        resources::declarations()
    }

    fn resource_templates(&self) -> Vec<Value> {
        Vec::new()
    }

    fn read_resource(&self, uri: String, _: Call) -> Reply {
        let contents = resources::read(&self.workspace, &uri);
        async move { contents }.boxed_local()
    }

    fn prompts(&self) -> Vec<Value> {
        prompts::declarations()
    }

    fn get_prompt(&self, name: String, arguments: Object, _: Call) -> Reply {
        async move { prompts::get(&name, &arguments) }.boxed_local()
    }

    fn complete(&self, reference: &Object, argument: &str, value: &str) -> Result<Vec<String>, RpcError> {
        match (
            reference.get("type").and_then(Value::as_str),
            reference.get("name").and_then(Value::as_str),
        ) {
            (Some("ref/prompt"), Some(name)) => {
                let predicates = |prefix: &str| self.workspace.complete_predicate(prefix);
                prompts::complete(name, argument, value, predicates)
            }
            _ => Err(RpcError::invalid_params(
                "Only the arguments of prompts can be completed: use ref/prompt with a name",
            )),
        }
    }

    fn on_change(&self, listener: ChangeListener) {
        self.workspace.on_change(move |changed| {
            if changed.clauses {
                listener(Change::Resource(resources::SNAPSHOT.into()));
            }
            if changed.symbols {
                listener(Change::Resource(resources::SYMBOLS.into()));
            }
        });
    }
}
