//! Programs as they are given: predicates, rules and goals as data.

use std::cmp::Ordering;

use serde::{Deserialize, Serialize};

/// Predicates that may call one another.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Program {
    pub predicates: Vec<Predicate>,
}

/// A predicate, whose tuples stand in a relation or follow from rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Predicate {
    pub name: String,
    pub arity: usize,
    #[serde(flatten)]
    pub source: Source,
}

/// Where the tuples of a predicate come from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Source {
    Relation(Relation),
    Rules(Vec<Rule>),
}

/// A table or view that the engine has.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Relation {
    pub table: String,
    pub columns: Vec<Column>,
}

/// A column of a relation. One of a single kind holds plain values; one of several holds tagged text: see
/// [`Kind::tag`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Column {
    pub name: String,
    pub kinds: Vec<Kind>,
    /// It may hold null, which is the atom `null` in rules.
    #[serde(default)]
    pub nullable: bool,
}

/// A kind of Prolog value.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Kind {
    /// An integer of 64 bits.
    Integer,
    Float,
    Atom,
    String,
    /// Any other term without variables, such as `f(a, 1)` or an integer of more than 64 bits. It can be compared with
    /// others for equality only.
    Other,
}

impl Kind {
    pub(super) const ALL: [Kind; 5] = [Kind::Integer, Kind::Float, Kind::Atom, Kind::String, Kind::Other];

    /// The letter before a value of this kind in a column of several kinds: `i7`, `f0.5`, `aann`, `stext`, and
    /// `tf(a,1)` for any other term, as `write_canonical/1` writes it. An integer of more than 64 bits has `i`, too.
    pub fn tag(self) -> char {
        match self {
            Kind::Integer => 'i',
            Kind::Float => 'f',
            Kind::Atom => 'a',
            Kind::String => 's',
            Kind::Other => 't',
        }
    }

    /// What messages call values of this kind.
    pub(super) fn plural(self) -> &'static str {
        match self {
            Kind::Integer => "integers",
            Kind::Float => "floats",
            Kind::Atom => "atoms",
            Kind::String => "strings",
            Kind::Other => "compound terms",
        }
    }
}

/// A value that a rule names.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Constant {
    Atom(String),
    /// In decimal digits.
    Integer(String),
    Float(f64),
    String(String),
    /// A compound term, as `write_canonical/1` writes it.
    Other(String),
}

impl Constant {
    /// The kind of columns that can hold it.
    pub fn kind(&self) -> Kind {
        match self {
            Constant::Atom(_) => Kind::Atom,
            Constant::Integer(digits) if digits.parse::<i64>().is_ok() => Kind::Integer,
            Constant::Float(_) => Kind::Float,
            Constant::String(_) => Kind::String,
            Constant::Integer(_) | Constant::Other(_) => Kind::Other,
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Constant::Float(_) => 0,
            Constant::Integer(_) => 1,
            Constant::String(_) => 2,
            Constant::Atom(_) => 3,
            Constant::Other(_) => 4,
        }
    }
}

/// As stored values are compared: `1` is not `1.0`, and the two zeros are one.
impl Ord for Constant {
    fn cmp(&self, other: &Self) -> Ordering {
        match (self, other) {
            (Constant::Float(a), Constant::Float(b)) => (a + 0.0).total_cmp(&(b + 0.0)),
            (Constant::Atom(a), Constant::Atom(b))
            | (Constant::String(a), Constant::String(b))
            | (Constant::Other(a), Constant::Other(b)) => a.cmp(b),
            (Constant::Integer(a), Constant::Integer(b)) => match (a.parse::<i128>(), b.parse::<i128>()) {
                (Ok(a), Ok(b)) => a.cmp(&b),
                _ => a.cmp(b),
            },
            _ => self.rank().cmp(&other.rank()),
        }
    }
}

impl PartialOrd for Constant {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl PartialEq for Constant {
    fn eq(&self, other: &Self) -> bool {
        self.cmp(other) == Ordering::Equal
    }
}

impl Eq for Constant {}

/// An argument: a variable by its name, or a constant. Each `_` is a variable of its own.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Term {
    Variable(String),
    #[serde(untagged)]
    Constant(Constant),
}

/// `head :- body`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Rule {
    pub head: Vec<HeadArgument>,
    #[serde(default)]
    pub body: Vec<Literal>,
}

/// An argument of a head. With an aggregate, the head holds once for each binding of its other arguments, over the
/// different solutions of the body; without a solution it does not hold.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum HeadArgument {
    Count,
    /// Of a variable.
    Sum(String),
    Min(String),
    Max(String),
    #[serde(untagged)]
    Term(Term),
}

/// A call of a predicate.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Goal {
    pub name: String,
    pub arguments: Vec<Term>,
}

/// A goal of a body.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Literal {
    True,
    Goal(Goal),
    /// `\+ Goal`.
    Not(Goal),
    /// A comparison of numbers.
    Compare {
        operator: Comparison,
        left: Expression,
        right: Expression,
    },
    /// A comparison of values.
    Values {
        operator: ValueComparison,
        left: Term,
        right: Term,
    },
    Is {
        result: Term,
        expression: Expression,
    },
    Member {
        element: Term,
        list: Vec<Constant>,
    },
}

/// A comparison of numbers.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize, Deserialize)]
pub enum Comparison {
    #[serde(rename = "=:=")]
    Equal,
    #[serde(rename = "=\\=")]
    NotEqual,
    #[serde(rename = "<")]
    Less,
    #[serde(rename = "=<")]
    AtMost,
    #[serde(rename = ">")]
    Greater,
    #[serde(rename = ">=")]
    AtLeast,
}

/// A comparison of values.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize, Deserialize)]
pub enum ValueComparison {
    #[serde(rename = "=")]
    Unify,
    #[serde(rename = "\\=")]
    NotUnifiable,
    #[serde(rename = "==")]
    Identical,
    #[serde(rename = "\\==")]
    NotIdentical,
    #[serde(rename = "@<")]
    Before,
    #[serde(rename = "@=<")]
    NotAfter,
    #[serde(rename = "@>")]
    After,
    #[serde(rename = "@>=")]
    NotBefore,
}

/// An arithmetic expression.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Expression {
    Operation {
        operation: Operation,
        arguments: Vec<Expression>,
    },
    Term(Term),
}

/// A function of arithmetic.
#[derive(Clone, Copy, Debug, Eq, PartialEq, Serialize, Deserialize)]
pub enum Operation {
    #[serde(rename = "+")]
    Add,
    /// With one argument, the negative.
    #[serde(rename = "-")]
    Subtract,
    #[serde(rename = "*")]
    Multiply,
    #[serde(rename = "/")]
    Divide,
    /// Towards zero.
    #[serde(rename = "//")]
    IntegerDivide,
    /// With the sign of the divisor.
    #[serde(rename = "mod")]
    Modulo,
    #[serde(rename = "min")]
    Min,
    #[serde(rename = "max")]
    Max,
    #[serde(rename = "abs")]
    Abs,
}
