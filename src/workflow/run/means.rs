//! What a run works with.

use std::collections::BTreeMap;
use std::rc::Rc;

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use hornbook_base::Clock;

use crate::fault::WorkflowFault;
use crate::json::{Json, Object};
use crate::language::Language;
use crate::prolog::{Block, Executed, Prolog, Solutions};
use crate::runs::Runs;

/// What runs the nodes of a run.
pub struct Means {
    pub prolog: Rc<dyn NodeProlog>,
    /// How long a node's Prolog may run, in milliseconds.
    pub timeout_ms: u64,
    pub host: Rc<dyn NodeHost>,
    /// The host's books, by the names that nodes use.
    pub books: Rc<BTreeMap<String, Runs>>,
    pub clock: Rc<dyn Clock>,
}

/// Runs the Prolog of nodes: [`Prolog`], or a script in tests.
pub trait NodeProlog {
    /// Run clauses, directives and goals, to their first solution.
    fn block<'a>(&'a self, block: Block<'a>) -> LocalBoxFuture<'a, Result<Executed, WorkflowFault>>;

    /// `None` if the goal fails.
    fn condition<'a>(
        &'a self,
        goal: &'a str,
        state: &'a Object,
        timeout_ms: u64,
    ) -> LocalBoxFuture<'a, Result<Option<String>, WorkflowFault>>;
}

impl NodeProlog for Prolog {
    fn block<'a>(&'a self, block: Block<'a>) -> LocalBoxFuture<'a, Result<Executed, WorkflowFault>> {
        self.run_block(block, Solutions::First).boxed_local()
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

/// Runs the nodes that are not Prolog.
pub trait NodeHost {
    /// Run code in another language, and end it when its time is over.
    fn code<'a>(&'a self, code: Code<'a>) -> LocalBoxFuture<'a, Result<Json, CodeFailure>>;

    /// Call an action. `key` identifies the run, the node and the attempt: an action called again with the
    /// same key need not repeat its work. `tell` takes what it says meanwhile. Dropping the future ends the call.
    fn action<'a>(
        &'a self,
        name: &'a str,
        with: &'a Json,
        state: &'a Object,
        key: &'a str,
        tell: Rc<dyn Fn(Json)>,
    ) -> LocalBoxFuture<'a, Result<Json, WorkflowFault>>;

    /// Run a DML program with an object as parameters. The result has `answer`, a text, if there is one, and
    /// `output`, the texts it wrote. A program that is false is a fault. `tell` takes its events.
    fn program<'a>(
        &'a self,
        code: &'a str,
        params: &'a Json,
        tell: Rc<dyn Fn(Json)>,
    ) -> LocalBoxFuture<'a, Result<Json, WorkflowFault>>;
}

/// Code in a language other than Prolog, and what it sees.
pub struct Code<'a> {
    pub language: Language,
    pub code: &'a str,
    pub state: &'a Object,
    pub variables: &'a Object,
    pub parallel_results: Option<&'a Json>,
    pub timeout_ms: u64,
}

/// Why such code failed.
#[derive(Debug)]
pub struct CodeFailure {
    pub fault: WorkflowFault,
    /// The state as the code left it; the next attempt starts from it.
    pub state: Option<Object>,
}

/// Errors of code that is not in Python at all.
const NOT_PYTHON: &[&str] = &["SyntaxError", "IndentationError", "NameError"];
/// Errors of code that is not in Prolog at all.
const NOT_PROLOG: &[&str] = &["Syntax error"];

impl WorkflowFault {
    /// The failure of code in this language. If that was inferred and the code may be in another one, it says so.
    pub(super) fn taken_for(mut self, language: Language, inferred: bool) -> WorkflowFault {
        let (errors, other) = match language {
            Language::Python => (NOT_PYTHON, Language::Prolog),
            Language::Prolog => (NOT_PROLOG, Language::Python),
            Language::Lua | Language::JavaScript => return self,
        };
        if inferred && errors.iter().any(|error| self.message.starts_with(error)) {
            let said = self.message.trim_end_matches('.');
            self.message = format!(
                "{said}. Nothing says the language of this code, so it was taken for {}: `language: {}` would say it.",
                language.name(),
                other.word(),
            );
        }
        self
    }
}

impl From<WorkflowFault> for CodeFailure {
    fn from(fault: WorkflowFault) -> CodeFailure {
        CodeFailure { fault, state: None }
    }
}
