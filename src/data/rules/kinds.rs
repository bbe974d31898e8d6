//! Which kinds of values the columns of predicates and the variables of rules may have, inferred over all rules.

use super::checked::{
    Aggregate, Argument, Clause, Expression, Head, Literal, Predicate, Program, Source, What,
};
use super::error::RuleError;
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

    fn text(self) -> String {
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

/// Refuse what would compare or compute with values of kinds that have no common meaning.
pub(super) fn check(program: &Program, columns: &Columns) -> Result<(), RuleError> {
    for predicate in &program.predicates {
        for clause in predicate.clauses() {
            check_clause(clause, columns).map_err(|(goal, message)| {
                let error = RuleError::of(predicate.indicator(), message).in_rule(clause.number);
                match goal {
                    Some(goal) => error.at(goal),
                    None => error,
                }
            })?;
        }
    }
    Ok(())
}

type Complaint = (Option<String>, String);

fn check_clause(clause: &Clause, columns: &Columns) -> Result<(), Complaint> {
    let without_arithmetic = Clause {
        body: clause
            .body
            .iter()
            .filter(|literal| !matches!(literal.what, What::Compare(..) | What::Is(..)))
            .cloned()
            .collect(),
        ..clause.clone()
    };
    let Some(plain) = variables(&without_arithmetic, columns) else {
        return Ok(());
    };
    for literal in &clause.body {
        let at = |message: String| (Some(literal.text.clone()), message);
        match &literal.what {
            What::Compare(_, left, right) => {
                are_numbers(clause, left, &plain).map_err(at)?;
                are_numbers(clause, right, &plain).map_err(at)?;
            }
            What::Is(_, expression) => are_numbers(clause, expression, &plain).map_err(at)?,
            _ => {}
        }
    }
    let Some(kinds) = variables(clause, columns) else {
        return Ok(());
    };
    for literal in &clause.body {
        let at = |message: String| (Some(literal.text.clone()), message);
        match &literal.what {
            What::Compare(_, left, right) => {
                one_number(clause, left, &kinds).map_err(at)?;
                one_number(clause, right, &kinds).map_err(at)?;
            }
            What::Is(_, Expression::Operation(operation, arguments)) => {
                for argument in arguments {
                    one_number(clause, argument, &kinds).map_err(at)?;
                }
                operation_fits(*operation, arguments, &kinds).map_err(at)?;
            }
            What::Is(_, expression) => one_number(clause, expression, &kinds).map_err(at)?,
            What::Order(_, left, right) => {
                let (left, right) = (argument_kinds(left, &kinds), argument_kinds(right, &kinds));
                let comparable = match (left.single(), right.single()) {
                    (Some(Kind::Other), _) | (_, Some(Kind::Other)) | (None, _) | (_, None) => false,
                    (Some(a), Some(b)) => a == b || !(Kinds::NUMBERS.has(a) && Kinds::NUMBERS.has(b)),
                };
                if !comparable {
                    return Err(at(format!(
                        "compares {} with {}: the standard order needs one kind on each side, and no compound terms",
                        left.text(),
                        right.text()
                    )));
                }
            }
            _ => {}
        }
    }
    for head in &clause.head {
        let Head::Aggregate(aggregate, Some(argument)) = head else {
            continue;
        };
        let of = argument_kinds(argument, &kinds);
        let of = if *aggregate == Aggregate::Sum {
            of.and(Kinds::NUMBERS)
        } else {
            of
        };
        if of.single().is_none_or(|kind| kind == Kind::Other) {
            let all = argument_kinds(argument, &kinds).text();
            return Err((
                None,
                format!("its aggregate is over {all}: give it values of one kind, such as integers"),
            ));
        }
    }
    Ok(())
}

fn are_numbers(clause: &Clause, expression: &Expression, kinds: &[Kinds]) -> Result<(), String> {
    match expression {
        Expression::Variable(variable) if kinds[*variable].and(Kinds::NUMBERS).is_empty() => Err(format!(
            "{} has {}, not numbers: compare values by `==` or `@<`",
            clause.variables[*variable],
            kinds[*variable].text()
        )),
        Expression::Constant(constant) if !Kinds::NUMBERS.has(constant.kind()) => Err(format!(
            "{constant} is not a number of 64 bits: compare values by `==` or `@<`"
        )),
        Expression::Operation(_, arguments) => arguments
            .iter()
            .try_for_each(|argument| are_numbers(clause, argument, kinds)),
        _ => Ok(()),
    }
}

fn one_number(clause: &Clause, expression: &Expression, kinds: &[Kinds]) -> Result<(), String> {
    match expression {
        Expression::Variable(variable) if kinds[*variable].single().is_none() => Err(format!(
            "{} may be an integer or a float: give it one kind where it is made, as in `X is Y * 1.0`",
            clause.variables[*variable]
        )),
        Expression::Operation(operation, arguments) => {
            for argument in arguments {
                one_number(clause, argument, kinds)?;
            }
            if expression_kinds(expression, kinds) == Kinds::NUMBERS {
                return Err(
                    "the quotient of two integers is an integer or a float: write `//`, or make one a float, as in \
                     `X * 1.0 / Y`"
                        .to_string(),
                );
            }
            operation_fits(*operation, arguments, kinds)
        }
        _ => Ok(()),
    }
}

fn operation_fits(operation: Operation, arguments: &[Expression], kinds: &[Kinds]) -> Result<(), String> {
    let of: Vec<Kinds> = arguments
        .iter()
        .map(|argument| expression_kinds(argument, kinds))
        .collect();
    match operation {
        Operation::IntegerDivide | Operation::Modulo if of.iter().any(|kinds| kinds.has(Kind::Float)) => {
            Err(format!("{operation} takes integers, not floats: use `/`"))
        }
        Operation::Min | Operation::Max if of[0] != of[1] => Err(format!(
            "{operation} of an integer and a float may be either: make both floats, as in `X * 1.0`"
        )),
        _ => Ok(()),
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
