//! The engine's reply about the text of a program (`docs/engine-protocol.md`).

use serde::{Deserialize, Deserializer};
use serde_json::Value;

use super::output::Type;
use hornbook_base::FaultKind;
use hornbook_engine::reply::{BadReply, Parts, Reply, ordinary};

/// What the engine made of a program.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Loaded {
    pub errors: Vec<LoadError>,
    /// The names of the parameters of `agent_main`, one list per clause.
    pub mains: Vec<Vec<Option<String>>>,
    pub tools: Vec<ProgramTool>,
    pub declared: Vec<Declared>,
}

/// A parameter that a program declares.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct Declared {
    pub name: String,
    /// The type as written, or empty; it may not be one of `kind`.
    pub written: String,
    #[serde(rename = "type")]
    pub kind: Type,
    pub description: String,
    #[serde(default, deserialize_with = "given")]
    pub default: Option<Value>,
}

/// Keeps an explicit `null` as a value.
fn given<'de, D: Deserializer<'de>>(value: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(value).map(Some)
}

/// An error in the text of a program.
#[derive(Debug, Clone, PartialEq, Deserialize)]
pub struct LoadError {
    #[serde(deserialize_with = "ordinary")]
    pub kind: FaultKind,
    pub message: String,
    /// Line from 1 and column from 0.
    pub line: Option<u32>,
    pub column: Option<u32>,
    /// In code points, if line and column are unknown.
    pub offset: Option<usize>,
}

impl LoadError {
    pub fn is_syntax_error(&self) -> bool {
        self.kind == FaultKind::SyntaxError
    }
}

/// A clause `tool(Head)` or `tool(Head, Description)`.
#[derive(Debug, Clone, PartialEq)]
pub struct ProgramTool {
    pub name: String,
    /// The arity of its head: the inputs, and the output as the last argument.
    pub arity: usize,
    pub description: String,
    pub source: String,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LoadedControl {
    errors: usize,
    /// Their arities.
    tools: Vec<usize>,
}

impl Reply for Loaded {
    type Control = LoadedControl;

    fn assemble(control: LoadedControl, parts: &mut Parts<'_>) -> Result<Self, BadReply> {
        let errors = parts.several(control.errors)?;
        let mains = parts.take()?;
        let tools = control.tools.into_iter().map(|arity| {
            let (name, description, source) = parts.take()?;
            Ok(ProgramTool {
                name,
                arity,
                description,
                source,
            })
        });
        Ok(Loaded {
            errors,
            mains,
            tools: tools.collect::<Result<_, BadReply>>()?,
            declared: parts.take()?,
        })
    }
}

/// The engine's reply about a program that it loaded in order to check it.
#[derive(Debug, Default)]
pub struct Checked {
    pub loaded: Loaded,
    pub uses: Vec<Use>,
}

/// Something that a goal needs.
#[derive(Debug)]
pub struct Use {
    pub kind: UseKind,
    pub what: String,
    /// In code points.
    pub offset: usize,
}

#[derive(Debug, Clone, Copy, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum UseKind {
    /// A predicate that is not defined.
    Undefined,
    /// A tool of the host.
    Tool,
    /// A variable named in a text before anything can have bound it.
    Unbound,
    /// A name in a text that is not a variable of its clause.
    Unknown,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckedControl {
    errors: usize,
    tools: Vec<usize>,
    uses: Vec<(UseKind, usize)>,
}

impl Reply for Checked {
    type Control = CheckedControl;

    fn assemble(control: CheckedControl, parts: &mut Parts<'_>) -> Result<Self, BadReply> {
        let CheckedControl { errors, tools, uses } = control;
        let loaded = Loaded::assemble(LoadedControl { errors, tools }, parts)?;
        let uses = uses.into_iter().map(|(kind, offset)| {
            let what = parts.take()?;
            Ok(Use { kind, what, offset })
        });
        Ok(Checked {
            loaded,
            uses: uses.collect::<Result<_, BadReply>>()?,
        })
    }
}
