//! Programs that have been checked: predicates and variables as numbers, literals in an order that binds each variable
//! before it is needed, equations carried out.

use std::collections::BTreeSet;

use super::program::{Comparison, Constant, Operation, Relation, ValueComparison};

#[derive(Clone, Debug)]
pub(super) struct Program {
    pub predicates: Vec<Predicate>,
}

#[derive(Clone, Debug)]
pub(super) struct Predicate {
    pub name: String,
    pub arity: usize,
    /// Its number in the program as given.
    pub original: usize,
    /// Whether it has arguments that another is called with.
    pub is_magic: bool,
    pub source: Source,
}

impl Predicate {
    /// As `name/arity`.
    pub fn indicator(&self) -> String {
        format!("{}/{}", self.name, self.arity)
    }

    pub fn clauses(&self) -> &[Clause] {
        match &self.source {
            Source::Rules(clauses) => clauses,
            Source::Relation(_) => &[],
        }
    }

    pub fn clauses_mut(&mut self) -> &mut [Clause] {
        match &mut self.source {
            Source::Rules(clauses) => clauses,
            Source::Relation(_) => &mut [],
        }
    }

    pub fn is_derived(&self) -> bool {
        matches!(self.source, Source::Rules(_))
    }
}

#[derive(Clone, Debug)]
pub(super) enum Source {
    Relation(Relation),
    Rules(Vec<Clause>),
}

#[derive(Clone, Debug)]
pub(super) struct Clause {
    /// Of the rule as given, the first being 1.
    pub number: usize,
    pub head: Vec<Head>,
    pub body: Vec<Literal>,
    /// Names of the variables.
    pub variables: Vec<String>,
}

impl Clause {
    pub fn has_aggregate(&self) -> bool {
        self.head.iter().any(|head| matches!(head, Head::Aggregate(..)))
    }

    /// Whether no tuple follows by both: this one needs what `other` denies for the same tuple.
    pub fn excludes(&self, other: &Clause) -> bool {
        let denies = |denied: &Argument, argument: &Argument| match denied {
            Argument::Variable(variable) => {
                let is_it =
                    |head: &Head| matches!(head, Head::Plain(Argument::Variable(it)) if it == variable);
                let mut heads = other.head.iter().zip(&self.head);
                other.is_any(*variable)
                    || heads
                        .any(|(head, own)| is_it(head) && matches!(own, Head::Plain(own) if own == argument))
            }
            Argument::Constant(_) => denied == argument,
        };
        other.body.iter().any(|literal| {
            let What::Not(denied, patterns) = &literal.what else {
                return false;
            };
            self.goals().any(|(_, called, arguments)| {
                called == *denied
                    && patterns
                        .iter()
                        .zip(arguments)
                        .all(|(one, other)| denies(one, other))
            })
        })
    }

    /// Whether the variable stands at one place only, where it is any value.
    fn is_any(&self, variable: usize) -> bool {
        let heads = self.head.iter().filter(|head| match head {
            Head::Plain(argument) | Head::Aggregate(_, Some(argument)) => {
                *argument == Argument::Variable(variable)
            }
            Head::Aggregate(_, None) => false,
        });
        let body = self.body.iter().flat_map(|literal| literal.what.variables());
        heads.count() + body.filter(|&it| it == variable).count() == 1
    }

    /// The goals that are not negated: their place in the body, predicate and arguments.
    pub fn goals(&self) -> impl Iterator<Item = (usize, usize, &[Argument])> {
        let goal = |(place, literal): (usize, &'_ Literal)| match &literal.what {
            What::Goal(predicate, _) => Some((place, *predicate)),
            _ => None,
        };
        let places: Vec<(usize, usize)> = self.body.iter().enumerate().filter_map(goal).collect();
        places
            .into_iter()
            .map(|(place, predicate)| (place, predicate, self.body[place].what.arguments()))
    }

    /// The predicates that it calls, and whether under negation or an aggregate.
    pub fn calls(&self) -> impl Iterator<Item = (usize, bool)> {
        let aggregates = self.has_aggregate();
        self.body.iter().filter_map(move |literal| match &literal.what {
            What::Goal(predicate, _) => Some((*predicate, aggregates)),
            What::Not(predicate, _) => Some((*predicate, true)),
            _ => None,
        })
    }
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Argument {
    Variable(usize),
    Constant(Constant),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Head {
    Plain(Argument),
    /// Of an argument, except [`Aggregate::Count`].
    Aggregate(Aggregate, Option<Argument>),
}

#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub(super) enum Aggregate {
    Count,
    Sum,
    Min,
    Max,
}

#[derive(Clone, Debug)]
pub(super) struct Literal {
    pub what: What,
    /// As it was written.
    pub text: String,
}

#[derive(Clone, Debug)]
pub(super) enum What {
    Goal(usize, Vec<Argument>),
    Not(usize, Vec<Argument>),
    Compare(Comparison, Expression, Expression),
    Different(Argument, Argument),
    /// By the standard order of terms.
    Order(ValueComparison, Argument, Argument),
    Is(Argument, Expression),
    Member(Argument, BTreeSet<Constant>),
    Fail,
}

impl What {
    pub fn arguments(&self) -> &[Argument] {
        match self {
            What::Goal(_, arguments) | What::Not(_, arguments) => arguments,
            _ => &[],
        }
    }

    pub fn variables(&self) -> Vec<usize> {
        let mut found = Vec::new();
        let mut of = |argument: &Argument| {
            if let Argument::Variable(variable) = argument {
                found.push(*variable);
            }
        };
        match self {
            What::Goal(_, arguments) | What::Not(_, arguments) => arguments.iter().for_each(of),
            What::Different(left, right) | What::Order(_, left, right) => {
                [left, right].into_iter().for_each(of)
            }
            What::Member(element, _) => of(element),
            What::Is(result, expression) => {
                of(result);
                expression.each_variable(&mut |variable| found.push(variable));
            }
            What::Compare(_, left, right) => {
                left.each_variable(&mut |variable| found.push(variable));
                right.each_variable(&mut |variable| found.push(variable));
            }
            What::Fail => {}
        }
        found
    }
}

#[derive(Clone, Debug)]
pub(super) enum Expression {
    Variable(usize),
    Constant(Constant),
    Operation(Operation, Vec<Expression>),
}

impl Expression {
    pub fn each_variable(&self, found: &mut impl FnMut(usize)) {
        match self {
            Expression::Variable(variable) => found(*variable),
            Expression::Constant(_) => {}
            Expression::Operation(_, arguments) => {
                for argument in arguments {
                    argument.each_variable(found);
                }
            }
        }
    }
}
