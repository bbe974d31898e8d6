//! Problems and the outline of a text that is being written.

use hornbook_base::FaultKind;
use serde::Serialize;

/// Something wrong with a text, from `start` to `end` in UTF-16 units. An error's clause would not be added.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct Problem {
    pub start: usize,
    pub end: usize,
    pub severity: Severity,
    /// Of an error, as in the replies of tools: `syntax_error`, `unsafe_goal`; of a warning `singleton`, `branch`, `goal`,
    /// `function`, `hyphen`, `rule`, `quotes`, `undefined`, `shadowed` or `apart`.
    #[cfg_attr(feature = "typescript", ts(type = "string"))]
    pub kind: ProblemKind,
    pub message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum ProblemKind {
    Error(FaultKind),
    Warning(&'static str),
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The clause would not be added.
    Error,
    Warning,
}

/// What a text that is checked can see.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Around {
    /// The module of the file that includes the text.
    pub home: Option<String>,
    /// Modules of files, which need not be in the book.
    pub modules: Vec<String>,
    /// The file of the book whose new text it is.
    pub file: Option<String>,
}

/// A clause or directive of a text, from `start`, where its term begins, to `end`, in UTF-16 units.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct OutlineItem {
    pub kind: OutlineKind,
    pub start: usize,
    pub end: usize,
    /// Comments before the term first, then what stands in it.
    pub marks: Vec<OutlineMark>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum OutlineKind {
    Fact,
    Rule,
    /// A rule of a grammar.
    Grammar,
    Directive,
    /// It cannot be read; it has no marks.
    Error,
    /// No clause, but the comments behind the last one.
    Comments,
}

/// What stands at a place of a text.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct OutlineMark {
    pub kind: OutlineMarkKind,
    pub start: usize,
    pub end: usize,
    /// Of the predicate, where it is one: a rule of a grammar, or a goal that is called with more arguments, has those
    /// counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub name: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub arity: Option<u32>,
    /// What is written before the predicate, as in `lists:append`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "typescript", ts(optional))]
    pub module: Option<String>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(rename_all = "lowercase")]
pub enum OutlineMarkKind {
    /// The name of the predicate that a clause is of.
    Head,
    /// That of a goal.
    Call,
    /// That of a predicate indicator, as in `dynamic`.
    Indicator,
    Variable,
    /// An atom, or the name of a compound.
    Atom,
    Number,
    String,
    Comment,
}
