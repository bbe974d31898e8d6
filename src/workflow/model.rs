//! A workflow after parsing and checking.

use std::collections::BTreeMap;
use std::rc::Rc;

use super::fault::WorkflowFaultKind;
use super::json::{Json, Object};
use super::language::Language;
use super::schedule::Cron;
use super::template::Names;
use super::yaml::Place;

#[derive(Debug, Clone, Default)]
pub struct Workflow {
    pub name: Option<String>,
    pub names: Names,
    pub initial_state: Object,
    /// The goal whose answers begin runs.
    pub follows: Option<Follows>,
    /// The times when runs begin.
    pub schedule: Option<Schedule>,
    pub schema: Vec<Key>,
    /// Whether an error of a node is thrown, besides being reported as an event.
    pub raises: bool,
    /// How long a node's Prolog code may run, in milliseconds, if the text says so.
    pub timeout_ms: Option<u64>,
    pub nodes: Vec<Node>,
    /// The DML programs and the workflows that nodes name, by name.
    pub files: BTreeMap<String, String>,
    /// From `__start__`.
    pub start: Vec<Edge>,
    /// Hash of the whole text and of the programs it names.
    pub text_hash: String,
    /// Hash of what all nodes share.
    pub shared_hash: String,
}

/// A goal of a book whose answers begin runs.
#[derive(Debug, Clone)]
pub struct Follows {
    pub goal: String,
    /// One run for its first answer, instead of one for each.
    pub once: bool,
}

/// When runs begin, and with which state.
#[derive(Debug, Clone)]
pub struct Schedule {
    pub cron: Cron,
    pub start: Object,
}

impl Workflow {
    /// Whether a run may go on by itself: a node waits for a time or a signal.
    pub fn awaits(&self) -> bool {
        self.nodes.iter().any(Node::awaits)
    }
}

#[derive(Debug, Clone)]
pub struct Node {
    pub name: String,
    pub at: Place,
    pub work: Work,
    pub on_error: OnError,
    /// How long an attempt may take, in milliseconds.
    pub timeout_ms: Option<u64>,
    /// What it waits for before it runs.
    pub wait: Option<Wait>,
    pub interrupt_before: bool,
    pub interrupt_after: bool,
    /// The first edge whose condition holds is followed.
    pub next: Vec<Edge>,
    /// Hash of its text, its edges and the programs it names.
    pub hash: String,
}

impl Node {
    /// Whether it, or a node within it, waits for a time or a signal.
    fn awaits(&self) -> bool {
        self.wait.is_some() || self.work.graphs().any(Workflow::awaits)
    }

    /// Whether it, or a node within it, waits for a signal, which a book keeps.
    pub fn awaits_signal(&self) -> bool {
        let mut inner = self.work.graphs().flat_map(|workflow| &workflow.nodes);
        matches!(self.wait, Some(Wait::Signal { .. })) || inner.any(Node::awaits_signal)
    }
}

/// What a node waits for before it runs.
#[derive(Debug, Clone)]
pub enum Wait {
    /// A duration or a time, or a template that yields one.
    Time(Json),
    Signal {
        /// The name, or a template that yields it.
        name: String,
        /// How long to wait: a duration or a time, or a template that yields one.
        timeout: Option<Json>,
        /// The key for what the signal brings; it is null after the timeout.
        output: String,
    },
}

/// What a node does.
#[derive(Debug, Clone)]
pub enum Work {
    Nothing,
    Code {
        language: Language,
        code: String,
        /// Where it begins in the text of its workflow.
        at: Place,
        /// Whether nothing says the language.
        inferred: bool,
    },
    /// A block of Prolog that uses the run's book, or the named one.
    InBook {
        code: String,
        book: Option<String>,
        /// Where it begins in the text of its workflow.
        at: Place,
    },
    /// Returns the value of an expression as `key`.
    Expression {
        expression: String,
        key: String,
    },
    Action {
        name: String,
        with: Json,
        output: Output,
    },
    /// A DML program. Its parameters are these, or else the state.
    Program {
        code: String,
        with: Option<Json>,
        output: Output,
    },
    /// A workflow with a state of its own. It begins with these values, or else with the whole state.
    Graph {
        workflow: Rc<Workflow>,
        /// The name of its file, if it has one.
        file: Option<String>,
        with: Option<Json>,
        output: Output,
    },
    Steps(Vec<Step>),
    Loop {
        condition: Condition,
        most: u64,
        body: Vec<Step>,
        /// The key that tells how it ended.
        output: Option<String>,
    },
    Each(Each),
}

impl Work {
    /// Whether it or one of its steps uses the run's book.
    pub fn is_in_book(&self) -> bool {
        match self {
            Work::InBook { book, .. } => book.is_none(),
            Work::Steps(steps) | Work::Loop { body: steps, .. } | Work::Each(Each { body: steps, .. }) => {
                steps.iter().any(|step| step.work.is_in_book())
            }
            Work::Graph { workflow, .. } => workflow.nodes.iter().any(|node| node.work.is_in_book()),
            _ => false,
        }
    }

    /// The workflows within it.
    pub(crate) fn graphs(&self) -> Box<dyn Iterator<Item = &Workflow> + '_> {
        match self {
            Work::Steps(steps) | Work::Loop { body: steps, .. } | Work::Each(Each { body: steps, .. }) => {
                Box::new(steps.iter().flat_map(|step| step.work.graphs()))
            }
            Work::Graph { workflow, .. } => Box::new(std::iter::once(&**workflow)),
            _ => Box::new(std::iter::empty()),
        }
    }

    /// Whether what runs it ends it in time by itself.
    pub fn keeps_time(&self) -> bool {
        matches!(self, Work::Code { .. } | Work::InBook { .. })
    }
}

/// One of several things that a node does in sequence.
#[derive(Debug, Clone)]
pub struct Step {
    pub name: String,
    pub work: Work,
    pub on_error: OnError,
    /// How long an attempt may take, in milliseconds.
    pub timeout_ms: Option<u64>,
}

/// The same steps for every item of a list, concurrently.
#[derive(Debug, Clone)]
pub struct Each {
    /// A list, or a template that yields one.
    pub items: Json,
    pub item: String,
    pub index: String,
    pub body: Vec<Step>,
    pub at_once: Option<usize>,
    pub fail_fast: bool,
    /// The node that receives the results.
    pub fan_in: usize,
}

/// Where the result of an action goes.
#[derive(Debug, Clone)]
pub enum Output {
    /// An object is merged into the state; anything else becomes `result`.
    Merged,
    Key(String),
    /// Templates that may refer to `result`.
    Members(Object),
}

#[derive(Debug, Clone, Default)]
pub struct OnError {
    pub mode: ErrorMode,
    pub retries: Retries,
    /// The kinds of errors that are retried; all if `None`.
    pub retry_on: Option<Vec<WorkflowFaultKind>>,
    /// The node to continue with.
    pub fallback: Option<usize>,
}

impl OnError {
    /// Whether an error of this kind in this attempt, from 1, leads to another.
    pub fn retries(&self, kind: WorkflowFaultKind, attempt: u64) -> bool {
        let named = self.retry_on.as_ref().is_none_or(|kinds| kinds.contains(&kind));
        self.mode == ErrorMode::Retry && named && attempt <= self.retries.most
    }
}

#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum ErrorMode {
    #[default]
    Raise,
    Retry,
    /// The error is put into the state as `__error__`, and the run continues.
    Graceful,
}

/// How often to retry, and how long to wait before each retry, in milliseconds.
#[derive(Debug, Clone, Copy)]
pub struct Retries {
    pub most: u64,
    pub base_ms: f64,
    pub factor: f64,
    pub most_ms: f64,
}

impl Default for Retries {
    fn default() -> Self {
        Retries {
            most: 3,
            base_ms: 1_000.0,
            factor: 2.0,
            most_ms: 60_000.0,
        }
    }
}

impl Retries {
    /// The delay before the retry after this many failures, from 1.
    pub fn delay_ms(self, failures: u64) -> u64 {
        let power = i32::try_from(failures.saturating_sub(1)).unwrap_or(i32::MAX);
        (self.base_ms * self.factor.powi(power)).min(self.most_ms) as u64
    }
}

#[derive(Debug, Clone)]
pub struct Edge {
    pub to: Target,
    pub condition: Condition,
    /// Set if the edge starts one of several branches, which end at this node.
    pub fan_in: Option<usize>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Target {
    End,
    Node(usize),
}

#[derive(Debug, Clone)]
pub enum Condition {
    Always(bool),
    /// A key of the state, possibly negated.
    Key {
        key: String,
        negated: bool,
    },
    Template(String),
    Prolog(Goal),
    /// The value of the first equals this one.
    Is(Box<Condition>, Json),
}

/// A Prolog goal, and where it stands in the text.
#[derive(Debug, Clone, PartialEq)]
pub struct Goal {
    pub code: String,
    pub at: Place,
}

/// A key of the state.
#[derive(Debug, Clone)]
pub struct Key {
    pub name: String,
    pub kind: Type,
    /// What a dict must have, and of which type.
    pub members: Vec<(String, Type)>,
    /// How what a node returns for it is combined with what is there; it replaces that if `None`.
    pub reduce: Option<Reduce>,
}

/// How two values of a key are combined.
#[derive(Debug, Clone, PartialEq)]
pub enum Reduce {
    /// The items of a list follow those there; anything else is one item.
    Append,
    Sum,
    /// The members of an object replace those of the same name.
    Merge,
    Max,
    Min,
    /// Called with the old value, the new one, and a variable for the result.
    Goal(Goal),
}

impl Reduce {
    /// The name in workflows.
    pub fn word(&self) -> &'static str {
        match self {
            Reduce::Append => "append",
            Reduce::Sum => "sum",
            Reduce::Merge => "merge",
            Reduce::Max => "max",
            Reduce::Min => "min",
            Reduce::Goal(_) => "prolog",
        }
    }
}

/// The type of a value in the state; null is always allowed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Type {
    Text,
    Integer,
    Number,
    Boolean,
    List,
    Object,
    Any,
}

impl Type {
    pub fn named(name: &str) -> Option<Type> {
        let name = name.trim();
        // `list[str]` is a list.
        let plain = name.split(['[', '<']).next().unwrap_or(name).to_lowercase();
        Some(match plain.as_str() {
            "str" | "string" | "text" => Type::Text,
            "int" | "integer" => Type::Integer,
            "float" | "number" | "double" => Type::Number,
            "bool" | "boolean" => Type::Boolean,
            "list" | "array" | "tuple" => Type::List,
            "dict" | "object" | "map" => Type::Object,
            "any" => Type::Any,
            _ => return None,
        })
    }

    pub fn takes(self, value: &Json) -> bool {
        match (self, value) {
            (Type::Any, _) | (_, Json::Null) => true,
            (Type::Text, Json::Text(_)) => true,
            (Type::Integer | Type::Number, Json::Int(_) | Json::Big(_)) => true,
            (Type::Integer, Json::Float(number)) => number.fract() == 0.0,
            (Type::Number, Json::Float(_)) => true,
            (Type::Boolean, Json::Bool(_)) => true,
            (Type::List, Json::Array(_)) => true,
            (Type::Object, Json::Object(_)) => true,
            _ => false,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Type::Text => "a text",
            Type::Integer => "an integer",
            Type::Number => "a number",
            Type::Boolean => "a boolean",
            Type::List => "a list",
            Type::Object => "an object",
            Type::Any => "anything",
        }
    }
}
