//! The toolset `workflow`: graphs whose nodes run Prolog, in runs that the book keeps.

mod asked;
mod given;
mod host;
mod keeper;
mod look;
mod report;
pub mod results;
mod run;

use std::rc::Rc;

use futures::FutureExt;
use hornbook_base::Clock;
use hornbook_workflow::prolog::Prolog;
use hornbook_workflow::runs::Runs;
use hornbook_workspace::Workspace;

pub use keeper::{for_request, open};

use crate::schema::{Argument, Kind};
use crate::toolset::{Hints, Served, Tool, Toolset, Topic};

/// The context of the toolset.
#[derive(Clone)]
pub struct WorkflowTools {
    pub workspace: Workspace,
    pub runs: Runs,
    pub prolog: Prolog,
    pub clock: Rc<dyn Clock>,
    pub new_id: fn() -> String,
    /// How long to wait for the user's answer, in milliseconds.
    pub user_ms: u64,
    /// The toolsets whose tools nodes may use as actions.
    pub sets: Vec<Rc<dyn Served>>,
}

pub fn toolset(context: WorkflowTools) -> Rc<dyn Served> {
    let set = Toolset {
        name: "workflow",
        instructions: INSTRUCTIONS,
        checks_itself: false,
        tools: &TOOLS,
        resources: &[],
        prompts: &[],
        topics: &TOPICS,
        task_id: |tools, name| matches!(name, "workflow_run" | "workflow_resume").then(tools.new_id),
        on_change: |_, _| {},
        on_subscribe: |_, _, _| {},
    };
    set.on(context)
}

const INSTRUCTIONS: &str = "workflow_run runs a graph in YAML whose nodes are Prolog. Every run is kept: what waits, failed or \
was cut off continues with workflow_resume. help workflow tells how to write one.";

pub(crate) static TOOLS: [&Tool<WorkflowTools>; 3] = [
    &Tool {
        name: "workflow_run",
        title: "Run a workflow",
        description: include_str!("run.md"),
        arguments: &[
            needed("yaml"),
            argument("state", Kind::Object, "to begin with"),
            FILES,
            BUDGET,
        ],
        hints: Hints::AsksOthers,
        run: |tools, arguments, call| tools.run(arguments, call).boxed_local(),
    },
    &Tool {
        name: "workflow_resume",
        title: "Resume a run",
        description: include_str!("resume.md"),
        arguments: &[
            needed("run"),
            argument("state", Kind::Object, "values to change first"),
            argument("interrupt", Kind::Text, "which one `state` answers"),
            argument(
                "signals",
                Kind::Object,
                "sent first: {NAME: DATA}; without `state`, nothing else is answered",
            ),
            argument("from", Kind::Integer(1), "a checkpoint: begins a new run there"),
            argument("cancel", Kind::Flag, "true: give it up for good"),
            argument("yaml", Kind::Text, "a changed text; default: that of the run"),
            FILES,
            BUDGET,
        ],
        hints: Hints::AsksOthers,
        run: |tools, arguments, call| tools.resume(arguments, call).boxed_local(),
    },
    &Tool {
        name: "workflow_runs",
        title: "Look at runs",
        description: include_str!("runs.md"),
        arguments: &[
            argument("run", Kind::Text, ""),
            argument("from", Kind::Integer(1), "the state at this checkpoint"),
            argument("keys", Kind::List, "of the state: only these"),
            BUDGET,
        ],
        hints: Hints::ReadOnly,
        run: |tools, arguments, _| async move { tools.look(&arguments) }.boxed_local(),
    },
];

const fn needed(name: &'static str) -> Argument {
    Argument {
        name,
        kind: Kind::Text,
        required: true,
        description: "",
        operations: &[],
    }
}

const fn argument(name: &'static str, kind: Kind, description: &'static str) -> Argument {
    Argument {
        name,
        kind,
        required: false,
        description,
        operations: &[],
    }
}

const FILES: Argument = argument(
    "files",
    Kind::Object,
    "texts by name, for `uses` of nodes with `type: dml` or `workflow`",
);

const BUDGET: Argument = argument(
    "budget",
    Kind::Integer(1),
    "tokens of the reply; default 1000, at most 10000",
);

static TOPICS: [Topic; 1] = [Topic {
    name: "workflow",
    text: include_str!("help.md"),
}];
