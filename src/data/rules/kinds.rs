//! Which kinds of values the columns of predicates and the variables of rules may have, inferred over all rules.

use super::checked::{
    Aggregate, Argument, Clause, Expression, Head, Literal, Predicate, Program, Source, What,
};
use super::program::{Constant, Kind, Operation};

/// A set of kinds.
#[derive(Clone, Copy, Debug, Default, Eq, PartialEq)]
pub(super) struct Kinds(u8);

impl Kinds {
    pub const ALL: Kinds = Kinds(31);
    pub const NUMBERS: Kinds = Kinds(3);

    pub fn of(kind: Kind) -> Kinds {
        Kinds(1 << kind as u8)
    }

    pub fn and(self, other: Kinds) -> Kinds {
        Kinds(self.0 & other.0)
    }

    pub fn or(self, other: Kinds) -> Kinds {
        Kinds(self.0 | other.0)
    }

    pub fn is_empty(self) -> bool {
        self.0 == 0
    }

    pub fn has(self, kind: Kind) -> bool {
        !self.and(Kinds::of(kind)).is_empty()
    }

    /// The kind, if there is one only.
    pub fn single(self) -> Option<Kind> {
        Kind::ALL.into_iter().find(|&kind| self == Kinds::of(kind))
    }

    /// What messages call values of these kinds.
    pub fn text(self) -> String {
        let names: Vec<&str> = Kind::ALL
            .into_iter()
            .filter(|&kind| self.has(kind))
            .map(Kind::plural)
            .collect();
        names.join(" or ")
    }
}

/// The kinds of each predicate's columns.
pub(super) type Columns = Vec<Vec<Kinds>>;

/// Infer the kinds of all columns: the least that hold all tuples that may follow.
pub(super) fn columns(program: &Program) -> Columns {
    let start = |predicate: &Predicate| match &predicate.source {
        Source::Relation(relation) => relation.columns.iter().map(relation_kinds).collect(),
        Source::Rules(_) => vec![Kinds::default(); predicate.arity],
    };
    let mut columns: Columns = program.predicates.iter().map(start).collect();
    loop {
        let mut changed = false;
        for (number, predicate) in program.predicates.iter().enumerate() {
            for clause in predicate.clauses() {
                let Some(variables) = variables(clause, &columns) else {
                    continue;
                };
                for (index, head) in clause.head.iter().enumerate() {
                    let wider = columns[number][index].or(head_kinds(head, &variables));
                    changed |= wider != columns[number][index];
                    columns[number][index] = wider;
                }
            }
        }
        if !changed {
            return columns;
        }
    }
}

fn relation_kinds(column: &super::program::Column) -> Kinds {
    let kinds = column
        .kinds
        .iter()
        .fold(Kinds::default(), |kinds, &kind| kinds.or(Kinds::of(kind)));
    if column.nullable {
        kinds.or(Kinds::of(Kind::Atom))
    } else {
        kinds
    }
}

fn head_kinds(head: &Head, variables: &[Kinds]) -> Kinds {
    match head {
        Head::Plain(argument) => argument_kinds(argument, variables),
        Head::Aggregate(Aggregate::Sum, Some(argument)) => {
            argument_kinds(argument, variables).and(Kinds::NUMBERS)
        }
        Head::Aggregate(_, Some(argument)) => argument_kinds(argument, variables),
        Head::Aggregate(_, None) => Kinds::of(Kind::Integer),
    }
}

pub(super) fn argument_kinds(argument: &Argument, variables: &[Kinds]) -> Kinds {
    match argument {
        Argument::Variable(variable) => variables[*variable],
        Argument::Constant(constant) => Kinds::of(constant.kind()),
    }
}

/// The kinds of the variables of `clause`; none if it has no solution whatever the tables hold.
pub(super) fn variables(clause: &Clause, columns: &Columns) -> Option<Vec<Kinds>> {
    let mut kinds = vec![Kinds::ALL; clause.variables.len()];
    loop {
        let before = kinds.clone();
        for literal in &clause.body {
            if !narrow(literal, columns, &mut kinds) {
                return None;
            }
        }
        if kinds == before {
            return Some(kinds);
        }
    }
}

/// Leave the kinds with which `literal` may hold, if there are any.
fn narrow(literal: &Literal, columns: &Columns, kinds: &mut [Kinds]) -> bool {
    let mut to = |argument: &Argument, allowed: Kinds| match argument {
        Argument::Variable(variable) => {
            kinds[*variable] = kinds[*variable].and(allowed);
            !kinds[*variable].is_empty()
        }
        Argument::Constant(constant) => allowed.has(constant.kind()),
    };
    match &literal.what {
        What::Goal(predicate, arguments) => {
            let allowed = &columns[*predicate];
            arguments
                .iter()
                .zip(allowed)
                .all(|(argument, &allowed)| to(argument, allowed))
        }
        What::Member(element, list) => {
            let allowed = list
                .iter()
                .fold(Kinds::default(), |kinds, value| kinds.or(Kinds::of(value.kind())));
            to(element, allowed)
        }
        What::Compare(_, left, right) => numbers(left, kinds) && numbers(right, kinds),
        What::Is(result, expression) => {
            if !numbers(expression, kinds) {
                return false;
            }
            let allowed = expression_kinds(expression, kinds);
            match result {
                Argument::Variable(variable) => {
                    kinds[*variable] = kinds[*variable].and(allowed);
                    !kinds[*variable].is_empty()
                }
                Argument::Constant(constant) => allowed.has(constant.kind()),
            }
        }
        What::Fail => false,
        What::Not(..) | What::Different(..) | What::Order(..) => true,
    }
}

fn numbers(expression: &Expression, kinds: &mut [Kinds]) -> bool {
    match expression {
        Expression::Variable(variable) => {
            kinds[*variable] = kinds[*variable].and(Kinds::NUMBERS);
            !kinds[*variable].is_empty()
        }
        Expression::Constant(constant) => Kinds::NUMBERS.has(constant.kind()),
        Expression::Operation(_, arguments) => arguments.iter().all(|argument| numbers(argument, kinds)),
    }
}

/// The kinds that `expression` may have.
pub(super) fn expression_kinds(expression: &Expression, variables: &[Kinds]) -> Kinds {
    match expression {
        Expression::Variable(variable) => variables[*variable],
        Expression::Constant(constant) => Kinds::of(constant.kind()),
        Expression::Operation(operation, arguments) => {
            let kinds = arguments
                .iter()
                .map(|argument| expression_kinds(argument, variables));
            let joined = kinds
                .clone()
                .fold(Kinds::default(), Kinds::or)
                .and(Kinds::NUMBERS);
            let integers = kinds.clone().all(|kinds| kinds.has(Kind::Integer));
            match operation {
                _ if kinds.clone().any(Kinds::is_empty) => Kinds::default(),
                Operation::Divide if integers => Kinds::NUMBERS,
                _ if integers => joined,
                _ => Kinds::of(Kind::Float),
            }
        }
    }
}

/// How a value is stored in a table of tuples that were derived.
pub(super) fn stored(kinds: Kinds) -> Option<Kind> {
    kinds.single().filter(|&kind| kind != Kind::Other)
}

/// `constant` in a column of several kinds, unless it is a float, whose text depends on the engine.
pub(super) fn tagged(constant: &Constant) -> Option<String> {
    match constant {
        Constant::Atom(text) => Some(format!("a{text}")),
        Constant::Integer(digits) => Some(format!("i{digits}")),
        Constant::String(text) => Some(format!("s{text}")),
        Constant::Other(text) => Some(format!("t{text}")),
        Constant::Float(_) => None,
    }
}
