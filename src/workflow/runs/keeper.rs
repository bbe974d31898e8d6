//! Where the cells of runs are stored.

use std::rc::Rc;

use futures::future::LocalBoxFuture;
use hornbook_base::Who;

use crate::fault::WorkflowFault;
use crate::prolog::{Block, Executed};

/// Keys with their new values; `None` removes a key.
pub type Cells = Vec<(String, Option<String>)>;

/// Where the cells are stored.
pub trait Keeper {
    /// Those whom the rules of the book bind in what this keeper does.
    fn bound(&self) -> Vec<Who> {
        Vec::new()
    }

    /// The same keeper, which does only what these clients may do, too; `None` where no rules bind anybody.
    fn bound_by(&self, _: &[Who]) -> Option<Rc<dyn Keeper>> {
        None
    }

    /// The toolsets whose tools are the actions of nodes, where a server changes the runs; `None` where a program does, which
    /// has its own.
    fn tools(&self) -> Option<Vec<String>> {
        None
    }

    /// The name of the client that it acts for, if it has one.
    fn client(&self) -> Option<String> {
        None
    }

    fn cell(&self, key: &str) -> Option<String>;

    /// The cells whose keys begin with `prefix`, in order.
    fn cells(&self, prefix: &str) -> Vec<(String, String)>;

    /// Whether an undo gave this cell the value that it has.
    fn is_undone(&self, _key: &str) -> bool {
        false
    }

    /// Store all cells of the plan atomically and durably. `plan` is called when nobody else can change the
    /// cells, and again if another process was faster. If the plan or the book fails, the error is a sentence
    /// and nothing is stored.
    fn keep<'a>(&'a self, plan: Plan<'a>) -> LocalBoxFuture<'a, Result<(), String>>;

    /// Run a block in the book: its effects on the clauses, and the cells that `plan` makes of it, are stored
    /// atomically. If another process has changed what the block used, everything is done again.
    fn run<'a>(
        &'a self,
        block: Block<'a>,
        plan: BlockPlan<'a>,
    ) -> LocalBoxFuture<'a, Result<Executed, WorkflowFault>>;
}

/// A description of the operation for the history, and the cells.
pub type Plan<'a> = Box<dyn FnMut() -> Result<(String, Cells), String> + 'a>;

/// The same, made from what a block did.
pub type BlockPlan<'a> = Box<dyn FnMut(&Executed) -> Result<(String, Cells), WorkflowFault> + 'a>;
