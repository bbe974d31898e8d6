//! What runs nodes: the engines of Prolog, and the host's languages and actions. Tests have scripted ones.

use futures::future::LocalBoxFuture;

use crate::fault::WorkflowFault;
use crate::json::{Json, Object};
use crate::model::Language;
use crate::prolog::Executed;
use crate::runs::Runs;

pub trait Hands {
    fn prolog<'a>(
        &'a self,
        code: &'a str,
        state: &'a Object,
    ) -> LocalBoxFuture<'a, Result<Executed, WorkflowFault>>;

    /// How long the Prolog of a node may run, in milliseconds.
    fn timeout_ms(&self) -> u64;

    /// Nothing where the goal fails.
    fn condition<'a>(
        &'a self,
        goal: &'a str,
        state: &'a Object,
    ) -> LocalBoxFuture<'a, Result<Option<String>, WorkflowFault>>;

    /// Run code in another language.
    fn code<'a>(&'a self, code: Code<'a>) -> LocalBoxFuture<'a, Result<Json, CodeFailure>>;

    /// The book of this name, where the host has it.
    fn book(&self, name: &str) -> Option<Runs>;

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

    fn now_ms(&self) -> u64;

    fn sleep(&self, ms: u64) -> LocalBoxFuture<'static, ()>;
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
