//! What a run works with.

use std::collections::BTreeMap;
use std::rc::Rc;

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use hornbook_base::Clock;

use crate::fault::WorkflowFault;
use crate::json::{Json, Object};
use crate::model::Language;
use crate::prolog::{Executed, Prolog, Solutions};
use crate::runs::Runs;

/// What the nodes of a run are done with.
pub struct Means {
    pub prolog: Rc<dyn NodeProlog>,
    /// How long the Prolog of a node may run, in milliseconds.
    pub timeout_ms: u64,
    pub host: Rc<dyn NodeHost>,
    /// Those that the host has, by the names that nodes have for them.
    pub books: Rc<BTreeMap<String, Runs>>,
    pub clock: Rc<dyn Clock>,
}

/// What runs the Prolog of nodes: [`Prolog`], or a script in tests.
pub trait NodeProlog {
    /// Clauses, directives and goals, to their first solution.
    fn block<'a>(
        &'a self,
        code: &'a str,
        state: &'a Object,
        timeout_ms: u64,
    ) -> LocalBoxFuture<'a, Result<Executed, WorkflowFault>>;

    /// Nothing where the goal fails.
    fn condition<'a>(
        &'a self,
        goal: &'a str,
        state: &'a Object,
        timeout_ms: u64,
    ) -> LocalBoxFuture<'a, Result<Option<String>, WorkflowFault>>;
}

impl NodeProlog for Prolog {
    fn block<'a>(
        &'a self,
        code: &'a str,
        state: &'a Object,
        timeout_ms: u64,
    ) -> LocalBoxFuture<'a, Result<Executed, WorkflowFault>> {
        self.run_block(code, state, Solutions::First, timeout_ms)
            .boxed_local()
    }

    fn condition<'a>(
        &'a self,
        goal: &'a str,
        state: &'a Object,
        timeout_ms: u64,
    ) -> LocalBoxFuture<'a, Result<Option<String>, WorkflowFault>> {
        Prolog::condition(self, goal, state, timeout_ms).boxed_local()
    }
}

/// What runs the nodes that are not Prolog.
pub trait NodeHost {
    /// Run code in another language.
    fn code<'a>(&'a self, code: Code<'a>) -> LocalBoxFuture<'a, Result<Json, CodeFailure>>;

    /// Call an action. `key` names the run, the node and the attempt: an action that is called again with the same key need
    /// not do its work again.
    fn action<'a>(
        &'a self,
        name: &'a str,
        with: &'a Json,
        state: &'a Object,
        key: &'a str,
    ) -> LocalBoxFuture<'a, Result<Json, WorkflowFault>>;

    /// Run a program in DML with parameters, an object. What it gives has `answer`, a text, where there is one, and `output`,
    /// the texts that it put out. One that is false is a fault.
    fn program<'a>(
        &'a self,
        code: &'a str,
        params: &'a Json,
    ) -> LocalBoxFuture<'a, Result<Json, WorkflowFault>>;
}

/// Code in a language other than Prolog, and what it sees.
pub struct Code<'a> {
    pub language: Language,
    pub code: &'a str,
    pub state: &'a Object,
    pub variables: &'a Object,
    pub parallel_results: Option<&'a Json>,
}

/// Why such code failed.
#[derive(Debug)]
pub struct CodeFailure {
    pub fault: WorkflowFault,
    /// The state as the code left it: the next attempt begins with that.
    pub state: Option<Object>,
}

impl From<WorkflowFault> for CodeFailure {
    fn from(fault: WorkflowFault) -> CodeFailure {
        CodeFailure { fault, state: None }
    }
}
