//! What is wrong with texts and queries, and why a query has no answer.

use serde::Deserialize;

use super::step::{TakenBack, TakenBackControl};
use super::{BadReply, Parts, Reply, ordinary};
use hornbook_base::FaultKind;

/// The reply to `hint`: why a query has no answer.
#[derive(Debug)]
pub struct Hint {
    /// Doubts about the query, and the words in question.
    pub doubts: Vec<(Doubt, Vec<String>)>,
    /// The nearest reason, a sentence.
    pub reason: Option<String>,
    /// The query would have to run elsewhere to be explained.
    pub leaves: bool,
    pub taken_back: TakenBack,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct HintControl {
    doubts: Vec<Doubt>,
    hint: bool,
    #[serde(default)]
    leaves: bool,
    #[serde(flatten)]
    taken_back: TakenBackControl,
}

impl Reply for Hint {
    type Control = HintControl;

    fn assemble(control: HintControl, parts: &mut Parts<'_>) -> Result<Self, BadReply> {
        let doubts = control.doubts.into_iter().map(|doubt| Ok((doubt, parts.take()?)));
        Ok(Hint {
            doubts: doubts.collect::<Result<_, BadReply>>()?,
            reason: parts.take_if(control.hint)?,
            leaves: control.leaves,
            taken_back: TakenBack::assemble(control.taken_back, parts)?,
        })
    }
}

/// The reply to `check`.
#[derive(Debug)]
pub struct Checked {
    pub problems: Vec<Flaw>,
}

/// A problem with the code points `start..end`, one clause.
#[derive(Debug)]
pub struct Flaw {
    pub start: usize,
    pub end: usize,
    pub found: FlawKind,
}

#[derive(Debug)]
pub enum FlawKind {
    Error(CheckError),
    /// It can be added, but may not be what was meant: the variables, predicates or marks in question.
    Doubt(Doubt, Vec<String>),
}

/// Why a clause or goal may not be what was meant (`prolog/read/doubts.pl`).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Doubt {
    /// Variables that occur once.
    #[serde(rename = "names")]
    Singleton,
    /// Variables that occur once in a branch of a disjunction.
    Branch,
    /// A variable that is called though nothing has bound it.
    Goal,
    /// A variable that is unified with an expression instead of its value.
    Value,
    /// `:=` between a call and an expression.
    Function,
    /// A hyphen in a name.
    Hyphen,
    /// A fact of `==>/2`.
    Rule,
    /// Quotation marks outside of ASCII.
    Quotes,
    /// A comment that looks like modulo.
    Modulo,
    /// A variable that a lambda copies with its constraints lost.
    Lambda,
    /// An undefined predicate.
    #[serde(rename = "calls")]
    Undefined,
    /// A predicate of the system or a library.
    #[serde(rename = "shadows")]
    Shadowed,
    /// A predicate whose clauses are not together.
    Apart,
    /// A negation or comparison of terms before the goal that binds its variable.
    Early,
    /// `X is X+1`.
    Increment,
    /// `bagof/3` or `setof/3` with a variable that occurs nowhere else.
    Collects,
    /// `+` between texts.
    Joins,
    /// An expression in a head.
    Term,
    /// An expression that a recursive call passes on.
    Argument,
    /// Texts compared as numbers.
    Order,
    /// A variable of the head that only one branch binds.
    Output,
    /// An atom where a variable is meant.
    Word,
    /// An expression that `==` compares with a number.
    Compared,
    /// A predicate that is not tabled and calls itself first, with variables only.
    Left,
    /// A predicate that has only clauses that call it again, perhaps through others.
    Endless,
    /// `[H,T]` where `[H|T]` is meant.
    Two,
    /// `[T]` where the tail T is meant.
    Nested,
    /// A list whose tail is an element.
    Tail,
    /// A variable that only the goal inside another one has had.
    Inside,
    /// A clause after one that matches everything and cuts.
    Unreached,
    /// A clause after one that matches everything and calls the predicate again without a condition.
    Behind,
    /// A goal whose rows are those that an aggregation after it collects for each of them.
    Rows,
    /// A date in an expression.
    Date,
    /// A first argument that `aggregate_all/3` does not know.
    Aggregate,
    /// A function of an expression that is a predicate.
    Evaluable,
    /// A goal where `findall/4` has its list.
    Goals,
    /// A variable that `findall/3` collects, and that has a value before.
    Template,
    /// A fact that is added with an expression in it.
    Stored,
    /// A constraint in a negation, in `forall/2` or in a condition.
    Undone,
    /// An option of `labeling/2` that chooses a variable.
    Labeling,
    /// A path whose backslashes are escapes.
    Escape,
    /// A declaration of a predicate with another number of arguments.
    Arity,
}

/// Why a clause would not be added. `offset` is a code point of the text.
#[derive(Debug, Deserialize)]
pub struct CheckError {
    #[serde(deserialize_with = "ordinary")]
    pub kind: FaultKind,
    pub message: String,
    pub predicate: Option<String>,
    pub offset: Option<usize>,
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct CheckedControl {
    problems: Vec<(FlawTag, usize, usize)>,
}

#[derive(Debug, Deserialize)]
#[serde(untagged)]
enum FlawTag {
    Doubt(Doubt),
    Error(ErrorTag),
}

#[derive(Debug, Deserialize)]
#[serde(rename_all = "snake_case")]
enum ErrorTag {
    Error,
}

impl Reply for Checked {
    type Control = CheckedControl;

    fn assemble(control: CheckedControl, parts: &mut Parts<'_>) -> Result<Self, BadReply> {
        let problems = control.problems.into_iter().map(|(tag, start, end)| {
            let found = match tag {
                FlawTag::Error(ErrorTag::Error) => FlawKind::Error(parts.take()?),
                FlawTag::Doubt(doubt) => FlawKind::Doubt(doubt, parts.take()?),
            };
            Ok(Flaw { start, end, found })
        });
        Ok(Checked {
            problems: problems.collect::<Result<_, BadReply>>()?,
        })
    }
}
