//! From a program as given to a checked one: what is called exists, and each variable is bound before it is needed.
//!
//! Goals of a body are read from left to right, as Prolog runs them. Arithmetic waits until its variables are bound,
//! since Prolog would raise an error. Negation and comparisons of values do not wait, since in Prolog they would mean
//! something else: a variable that is bound only later is an error.

use std::collections::{BTreeMap, BTreeSet};

use super::checked::{self, Aggregate, Argument, Clause, Head, Literal as Checked, What};
use super::equations::Equations;
use super::error::RuleError;
use super::named::{head_variable, needed, variables};
use super::program::{
    Constant, Expression, Goal, HeadArgument, Literal, Operation, Predicate, Program, Relation, Rule, Source,
    Term, ValueComparison,
};

/// Check `program`.
pub(super) fn checked(program: &Program) -> Result<checked::Program, RuleError> {
    let mut numbers = BTreeMap::new();
    for (number, predicate) in program.predicates.iter().enumerate() {
        if numbers
            .insert((predicate.name.as_str(), predicate.arity), number)
            .is_some()
        {
            return Err(RuleError::of(
                indicator(predicate),
                "is given twice: join its rules",
            ));
        }
    }
    let predicate = |(number, predicate): (usize, &Predicate)| {
        let source = match &predicate.source {
            Source::Relation(relation) => {
                check_relation(predicate, relation)?;
                checked::Source::Relation(relation.clone())
            }
            Source::Rules(rules) => {
                let clause = |(index, rule)| {
                    clause(&numbers, predicate, index + 1, rule)
                        .map_err(|error: RuleError| error.in_rule(index + 1))
                };
                checked::Source::Rules(rules.iter().enumerate().map(clause).collect::<Result<_, _>>()?)
            }
        };
        Ok(checked::Predicate {
            name: predicate.name.clone(),
            arity: predicate.arity,
            original: number,
            is_magic: false,
            source,
        })
    };
    let predicates = program.predicates.iter().enumerate().map(predicate);
    Ok(checked::Program {
        predicates: predicates.collect::<Result<_, _>>()?,
    })
}

fn indicator(predicate: &Predicate) -> String {
    format!("{}/{}", predicate.name, predicate.arity)
}

fn check_relation(predicate: &Predicate, relation: &Relation) -> Result<(), RuleError> {
    if relation.columns.len() != predicate.arity {
        let message = format!(
            "has {} columns, not {}: give one column for each argument",
            relation.columns.len(),
            predicate.arity
        );
        return Err(RuleError::of(indicator(predicate), message));
    }
    if let Some(column) = relation.columns.iter().find(|column| column.kinds.is_empty()) {
        let message = format!("the column {} has no kind: give at least one", column.name);
        return Err(RuleError::of(indicator(predicate), message));
    }
    Ok(())
}

fn clause(
    numbers: &BTreeMap<(&str, usize), usize>,
    predicate: &Predicate,
    number: usize,
    rule: &Rule,
) -> Result<Clause, RuleError> {
    let of = indicator(predicate);
    if rule.head.len() != predicate.arity {
        let message = format!(
            "its head has {} arguments, not {}",
            rule.head.len(),
            predicate.arity
        );
        return Err(RuleError::of(of, message));
    }
    let mut reader = Reader::new(numbers, rule);
    for literal in &rule.body {
        let read = reader.literal(literal);
        read.map_err(|message| RuleError::of(&of, message).at(literal))?;
    }
    if let Some((literal, variable)) = reader.first_waiting() {
        let message = format!("nothing binds {variable}: add a goal of a predicate that does");
        return Err(RuleError::of(&of, message).at(literal));
    }
    let head = reader.head(rule).map_err(|message| RuleError::of(&of, message))?;
    let (body, variables) = reader.finish();
    Ok(Clause {
        number,
        head,
        body,
        variables,
    })
}

/// Reads a rule.
struct Reader<'a> {
    numbers: &'a BTreeMap<(&'a str, usize), usize>,
    /// How many literals, and the head, name each variable.
    uses: BTreeMap<&'a str, usize>,
    equations: Equations,
    variables: BTreeMap<&'a str, usize>,
    names: Vec<String>,
    waiting: Vec<&'a Literal>,
    body: Vec<Checked>,
}

impl<'a> Reader<'a> {
    fn new(numbers: &'a BTreeMap<(&'a str, usize), usize>, rule: &'a Rule) -> Self {
        let mut uses = BTreeMap::new();
        let mut count = |names: BTreeSet<&'a str>| {
            for name in names {
                *uses.entry(name).or_insert(0) += 1;
            }
        };
        count(rule.head.iter().filter_map(head_variable).collect());
        for literal in &rule.body {
            count(variables(literal).into_iter().collect());
        }
        Reader {
            numbers,
            uses,
            equations: Equations::default(),
            variables: BTreeMap::new(),
            names: Vec::new(),
            waiting: Vec::new(),
            body: Vec::new(),
        }
    }

    fn variable(&mut self, name: &'a str) -> usize {
        if name != "_"
            && let Some(&variable) = self.variables.get(name)
        {
            return variable;
        }
        let variable = self.equations.variable();
        self.names.push(name.to_string());
        self.variables.insert(name, variable);
        variable
    }

    fn argument(&mut self, term: &'a Term) -> Argument {
        match term {
            Term::Variable(name) => Argument::Variable(self.variable(name)),
            Term::Constant(constant) => Argument::Constant(constant.clone()),
        }
    }

    fn is_bound(&mut self, name: &'a str) -> bool {
        if name == "_" {
            return false;
        }
        let variable = self.variable(name);
        self.equations.is_bound(variable)
    }

    fn bind(&mut self, term: &'a Term) {
        if let Term::Variable(name) = term {
            let variable = self.variable(name);
            self.equations.bind(variable);
        }
    }

    fn called(&mut self, goal: &'a Goal) -> Result<(usize, Vec<Argument>), String> {
        let key = (goal.name.as_str(), goal.arguments.len());
        let unknown = || {
            format!(
                "there is no predicate {}/{}: give its rules or its relation",
                key.0, key.1
            )
        };
        let predicate = *self.numbers.get(&key).ok_or_else(unknown)?;
        let arguments = goal.arguments.iter().map(|term| self.argument(term)).collect();
        Ok((predicate, arguments))
    }

    fn literal(&mut self, literal: &'a Literal) -> Result<(), String> {
        let what = match literal {
            Literal::True => return Ok(()),
            Literal::Goal(goal) => {
                let (predicate, arguments) = self.called(goal)?;
                for term in &goal.arguments {
                    self.bind(term);
                }
                What::Goal(predicate, arguments)
            }
            Literal::Member { element, list } => {
                let argument = self.argument(element);
                self.bind(element);
                What::Member(argument, list.iter().cloned().collect())
            }
            Literal::Not(goal) => {
                for name in variables(literal) {
                    if name != "_" && self.uses[name] > 1 && !self.is_bound(name) {
                        return Err(format!(
                            "{name} is not bound before this: put the goal that binds it before, or write `_`"
                        ));
                    }
                }
                let (predicate, arguments) = self.called(goal)?;
                What::Not(predicate, arguments)
            }
            Literal::Values {
                operator,
                left,
                right,
            } => {
                let (a, b) = (self.argument(left), self.argument(right));
                if *operator == ValueComparison::Unify {
                    self.equations.equate(&a, &b);
                    return self.wake();
                }
                for name in variables(literal) {
                    if !self.is_bound(name) {
                        return Err(format!(
                            "{name} is not bound before this: put the goal that binds it before"
                        ));
                    }
                }
                match operator {
                    ValueComparison::Identical => {
                        self.equations.equate(&a, &b);
                        return Ok(());
                    }
                    ValueComparison::NotIdentical | ValueComparison::NotUnifiable => What::Different(a, b),
                    _ => What::Order(*operator, a, b),
                }
            }
            Literal::Compare { .. } | Literal::Is { .. } => {
                self.waiting.push(literal);
                return self.wake();
            }
        };
        self.add(literal, what);
        self.wake()
    }

    fn add(&mut self, literal: &Literal, what: What) {
        self.body.push(Checked {
            what,
            text: literal.to_string(),
        });
    }

    /// Add the arithmetic whose variables are bound by now.
    fn wake(&mut self) -> Result<(), String> {
        let mut index = 0;
        while index < self.waiting.len() {
            let literal = self.waiting[index];
            if needed(literal).into_iter().any(|name| !self.is_bound(name)) {
                index += 1;
                continue;
            }
            self.waiting.remove(index);
            let what = match literal {
                Literal::Is { result, expression } => {
                    let expression = self.expression(expression)?;
                    let argument = self.argument(result);
                    self.bind(result);
                    What::Is(argument, expression)
                }
                Literal::Compare {
                    operator,
                    left,
                    right,
                } => What::Compare(*operator, self.expression(left)?, self.expression(right)?),
                _ => unreachable!("only arithmetic waits"),
            };
            self.add(literal, what);
            // Its result may be what an earlier one waits for.
            index = 0;
        }
        Ok(())
    }

    fn expression(&mut self, expression: &'a Expression) -> Result<checked::Expression, String> {
        match expression {
            Expression::Term(Term::Variable(name)) => Ok(checked::Expression::Variable(self.variable(name))),
            Expression::Term(Term::Constant(constant)) => match constant {
                Constant::Integer(digits) if digits.parse::<i64>().is_ok() => {
                    Ok(checked::Expression::Constant(constant.clone()))
                }
                Constant::Integer(digits) => Err(format!(
                    "{digits} has more than 64 bits: such integers can only be compared by `==`"
                )),
                Constant::Float(_) => Ok(checked::Expression::Constant(constant.clone())),
                other => Err(format!("{other} is not a number: compare values by `==` or `@<`")),
            },
            Expression::Operation { operation, arguments } => {
                let fits = match operation {
                    Operation::Abs => arguments.len() == 1,
                    Operation::Subtract => matches!(arguments.len(), 1 | 2),
                    _ => arguments.len() == 2,
                };
                if !fits {
                    return Err(format!("{operation} does not take {} arguments", arguments.len()));
                }
                let arguments = arguments.iter().map(|argument| self.expression(argument));
                Ok(checked::Expression::Operation(
                    *operation,
                    arguments.collect::<Result<_, _>>()?,
                ))
            }
        }
    }

    fn first_waiting(&mut self) -> Option<(&'a Literal, &'a str)> {
        let literal = *self.waiting.first()?;
        let name = needed(literal).into_iter().find(|name| !self.is_bound(name))?;
        Some((literal, name))
    }

    fn head(&mut self, rule: &'a Rule) -> Result<Vec<Head>, String> {
        let mut head = Vec::new();
        for argument in &rule.head {
            if let Some(name) = head_variable(argument)
                && !self.is_bound(name)
            {
                return Err(format!("no goal binds {name} of the head: add one that does"));
            }
            let mut of =
                |aggregate, name| Head::Aggregate(aggregate, Some(Argument::Variable(self.variable(name))));
            head.push(match argument {
                HeadArgument::Count => Head::Aggregate(Aggregate::Count, None),
                HeadArgument::Sum(name) => of(Aggregate::Sum, name),
                HeadArgument::Min(name) => of(Aggregate::Min, name),
                HeadArgument::Max(name) => of(Aggregate::Max, name),
                HeadArgument::Term(term) => Head::Plain(self.argument(term)),
            });
        }
        for argument in &mut head {
            if let Head::Plain(argument) | Head::Aggregate(_, Some(argument)) = argument {
                self.equations.settle(argument);
            }
        }
        Ok(head)
    }

    fn finish(mut self) -> (Vec<Checked>, Vec<String>) {
        let mut body = std::mem::take(&mut self.body);
        for literal in &mut body {
            self.equations.settle_literal(&mut literal.what);
        }
        if self.equations.is_false() {
            body.push(Checked {
                what: What::Fail,
                text: "fail".to_string(),
            });
        }
        (body, self.names)
    }
}
