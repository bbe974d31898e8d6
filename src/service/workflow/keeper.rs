//! Workflow runs in the book of a workspace. Their records are cells, so they are stored like clauses.

use std::rc::Rc;

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use hornbook_base::{Control, Who};
use hornbook_workflow::fault::WorkflowFault;
use hornbook_workflow::prolog::{Block, Executed, RanInBook};
use hornbook_workflow::runs::{BlockPlan, Keeper, Plan, ROOM, Runs};
use hornbook_workspace::{CellEdit, Workspace};

/// The runs in this workspace's book.
pub fn open(workspace: &Workspace) -> Runs {
    Runs::new(Rc::new(Book {
        workspace: workspace.clone(),
        control: Control::default(),
        tools: None,
    }))
}

/// The same runs, changed with the rights of one request only, by a server with these toolsets.
pub fn for_request(runs: &Runs, workspace: &Workspace, control: &Control, tools: Vec<String>) -> Runs {
    runs.kept_by(Rc::new(Book {
        workspace: workspace.clone(),
        control: control.uncancelled(),
        tools: Some(tools),
    }))
}

struct Book {
    workspace: Workspace,
    /// Who changes the runs.
    control: Control,
    /// The toolsets of the server that changes them.
    tools: Option<Vec<String>>,
}

impl Keeper for Book {
    fn bound(&self) -> Vec<Who> {
        let who = self.control.who.iter();
        who.flat_map(|who| who.each()).collect()
    }

    fn bound_by(&self, others: &[Who]) -> Option<Rc<dyn Keeper>> {
        let control = Control {
            who: Who::carrying_on(self.control.who.as_deref(), others),
            ..self.control.clone()
        };
        Some(Rc::new(Book {
            workspace: self.workspace.clone(),
            control,
            tools: self.tools.clone(),
        }))
    }

    fn tools(&self) -> Option<Vec<String>> {
        self.tools.clone()
    }

    fn client(&self) -> Option<String> {
        self.control.client_name.as_deref().map(str::to_owned)
    }

    fn cell(&self, key: &str) -> Option<String> {
        self.workspace.cell(ROOM, key)
    }

    fn cells(&self, prefix: &str) -> Vec<(String, String)> {
        self.workspace.cells_from(ROOM, prefix)
    }

    fn is_undone(&self, key: &str) -> bool {
        self.workspace.is_undone_cell(ROOM, key)
    }

    fn keep<'a>(&'a self, mut plan: Plan<'a>) -> LocalBoxFuture<'a, Result<(), String>> {
        async move {
            let plan = || match plan() {
                Ok((action, cells)) => (CellEdit { action, cells }, Ok(())),
                Err(refused) => (CellEdit::default(), Err(refused)),
            };
            let kept = self.workspace.edit_cells(ROOM, &self.control, plan).await;
            let (planned, _) = kept.map_err(|fault| fault.message)?;
            planned
        }
        .boxed_local()
    }

    fn run<'a>(
        &'a self,
        block: Block<'a>,
        mut plan: BlockPlan<'a>,
    ) -> LocalBoxFuture<'a, Result<Executed, WorkflowFault>> {
        async move {
            let request = block.request()?;
            let plan = |ran: &RanInBook| {
                let (action, cells) = plan(&ran.executed(block.timeout_ms)?)?;
                Ok::<_, WorkflowFault>(CellEdit { action, cells })
            };
            let workspace = &self.workspace;
            let ran = workspace.run_with_cells(ROOM, &self.control, block.timeout_ms, &request, plan);
            ran.await?.executed(block.timeout_ms)
        }
        .boxed_local()
    }
}
