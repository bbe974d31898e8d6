//! Rules evaluated by definition, as an oracle: each rule over all that is known, until nothing new follows. Of the
//! crate it uses the form of programs only.

use std::collections::{BTreeMap, BTreeSet};

use hornbook_data::rules::{
    Comparison, Constant, Expression, Goal, HeadArgument, Literal, Operation, Program, Rule, Source, Term,
    ValueComparison,
};

pub type Tuple = Vec<Constant>;
pub type Key = (String, usize);
type Bindings<'a> = BTreeMap<&'a str, Constant>;
pub type Known = BTreeMap<Key, BTreeSet<Tuple>>;

/// All tuples that follow from `facts` by the rules of `program`, which was accepted; none if there are many.
pub fn evaluate(program: &Program, goal: &Goal, facts: &Known) -> Option<Known> {
    const ROUNDS: usize = 200;
    let program = &reached(program, goal);
    let mut known = facts.clone();
    let mut rounds = 0;
    let levels = levels(program);
    for level in 0..=levels.values().copied().max().unwrap_or(0) {
        loop {
            let mut added = false;
            for predicate in &program.predicates {
                let key = (predicate.name.clone(), predicate.arity);
                let Source::Rules(rules) = &predicate.source else {
                    continue;
                };
                if levels[&key] != level {
                    continue;
                }
                for rule in rules {
                    for tuple in apply(rule, &known) {
                        added |= known.entry(key.clone()).or_default().insert(tuple);
                    }
                }
            }
            if !added {
                break;
            }
            rounds += 1;
            if rounds > ROUNDS {
                return None;
            }
        }
    }
    Some(known)
}

/// The part of `program` that `goal` calls.
fn reached(program: &Program, goal: &Goal) -> Program {
    let mut reached = BTreeSet::new();
    let mut open = vec![(goal.name.as_str(), goal.arguments.len())];
    while let Some(key) = open.pop() {
        if !reached.insert(key) {
            continue;
        }
        for predicate in program
            .predicates
            .iter()
            .filter(|p| (p.name.as_str(), p.arity) == key)
        {
            let Source::Rules(rules) = &predicate.source else {
                continue;
            };
            for literal in rules.iter().flat_map(|rule| &rule.body) {
                if let Literal::Goal(goal) | Literal::Not(goal) = literal {
                    open.push((&goal.name, goal.arguments.len()));
                }
            }
        }
    }
    let is_reached = |p: &&hornbook_data::rules::Predicate| reached.contains(&(p.name.as_str(), p.arity));
    Program {
        predicates: program.predicates.iter().filter(is_reached).cloned().collect(),
    }
}

/// The instances of `goal`.
pub fn answers(goal: &Goal, known: &Known) -> BTreeSet<Tuple> {
    let all = known.get(&(goal.name.clone(), goal.arguments.len()));
    let is_instance = |tuple: &&Tuple| matches(&goal.arguments, tuple, &BTreeMap::new()).is_some();
    all.into_iter().flatten().filter(is_instance).cloned().collect()
}

/// A number for each predicate: above what it negates or aggregates, and not below what it calls.
fn levels(program: &Program) -> BTreeMap<Key, usize> {
    let key = |goal: &Goal| (goal.name.clone(), goal.arguments.len());
    let keys = program
        .predicates
        .iter()
        .map(|predicate| (predicate.name.clone(), predicate.arity));
    let mut levels: BTreeMap<Key, usize> = keys.map(|key| (key, 0)).collect();
    loop {
        let before = levels.clone();
        for predicate in &program.predicates {
            let Source::Rules(rules) = &predicate.source else {
                continue;
            };
            for rule in rules {
                let aggregates = usize::from(
                    rule.head
                        .iter()
                        .any(|head| !matches!(head, HeadArgument::Term(_))),
                );
                for literal in &rule.body {
                    let least = match literal {
                        Literal::Goal(goal) => levels[&key(goal)] + aggregates,
                        Literal::Not(goal) => levels[&key(goal)] + 1,
                        _ => 0,
                    };
                    let level = levels
                        .entry((predicate.name.clone(), predicate.arity))
                        .or_default();
                    *level = (*level).max(least);
                }
            }
        }
        if levels == before {
            return levels;
        }
    }
}

fn apply(rule: &Rule, known: &Known) -> Vec<Tuple> {
    let mut solutions = Vec::new();
    // Anonymous variables count as variables of solutions: give them names.
    solve(
        &rule.body.iter().collect::<Vec<_>>(),
        BTreeMap::new(),
        Vec::new(),
        known,
        &mut solutions,
    );
    let mut groups: BTreeMap<Tuple, BTreeSet<(Bindings, Tuple)>> = BTreeMap::new();
    // What is no number is not added.
    solutions.retain(|(bindings, _)| {
        rule.head.iter().all(|head| match head {
            HeadArgument::Sum(name) => is_number(&bindings[name.as_str()]),
            _ => true,
        })
    });
    for (bindings, rest) in solutions {
        let plain = rule.head.iter().filter_map(|head| match head {
            HeadArgument::Term(term) => Some(value(term, &bindings).expect("bound")),
            _ => None,
        });
        groups
            .entry(plain.collect())
            .or_default()
            .insert((bindings.clone(), rest));
    }
    let tuple = |(plain, solutions): (Tuple, BTreeSet<(Bindings, Tuple)>)| {
        let mut plain = plain.into_iter();
        let of = |name: &str| {
            solutions
                .iter()
                .map(|(bindings, _)| bindings[name].clone())
                .collect::<Vec<_>>()
        };
        let argument = |head: &HeadArgument| match head {
            HeadArgument::Term(_) => plain.next().expect("an argument of the group"),
            HeadArgument::Count => Constant::Integer(solutions.len().to_string()),
            HeadArgument::Sum(name) => {
                let add = |a, b| operate(Operation::Add, &[a, b]).expect("numbers");
                of(name).into_iter().reduce(add).expect("a solution")
            }
            HeadArgument::Min(name) => of(name).into_iter().min().expect("a solution"),
            HeadArgument::Max(name) => of(name).into_iter().max().expect("a solution"),
        };
        rule.head.iter().map(argument).collect()
    };
    groups.into_iter().map(tuple).collect()
}

/// The solutions of `body`, with what the anonymous variables were.
fn solve<'a>(
    body: &[&'a Literal],
    bindings: Bindings<'a>,
    rest: Tuple,
    known: &Known,
    solutions: &mut Vec<(Bindings<'a>, Tuple)>,
) {
    // Arithmetic that is not yet bound waits.
    let ready = body.iter().position(|literal| is_ready(literal, &bindings));
    let Some(index) = ready else {
        assert!(body.is_empty(), "nothing binds {body:?}");
        solutions.push((bindings, rest));
        return;
    };
    let mut left = body.to_vec();
    let literal = left.remove(index);
    let bind = |term: &'a Term, result: Constant| {
        let mut bindings = bindings.clone();
        unify(term, &result, &mut bindings).then_some(bindings)
    };
    let mut go = |bindings: Option<Bindings<'a>>, rest: Tuple| {
        if let Some(bindings) = bindings {
            solve(&left, bindings, rest, known, solutions);
        }
    };
    match literal {
        Literal::True => go(Some(bindings.clone()), rest),
        Literal::Goal(goal) => {
            for tuple in known
                .get(&(goal.name.clone(), goal.arguments.len()))
                .into_iter()
                .flatten()
            {
                let anonymous = goal
                    .arguments
                    .iter()
                    .zip(tuple)
                    .filter(|(term, _)| is_anonymous(term));
                let rest = rest
                    .iter()
                    .cloned()
                    .chain(anonymous.map(|(_, value)| value.clone()))
                    .collect();
                go(matches(&goal.arguments, tuple, &bindings), rest);
            }
        }
        Literal::Not(goal) => {
            let all = known.get(&(goal.name.clone(), goal.arguments.len()));
            if !all
                .into_iter()
                .flatten()
                .any(|tuple| matches(&goal.arguments, tuple, &bindings).is_some())
            {
                go(Some(bindings.clone()), rest);
            }
        }
        Literal::Compare {
            operator,
            left: a,
            right: b,
        } => {
            if let (Some(a), Some(b)) = (number(a, &bindings), number(b, &bindings))
                && compare(*operator, &a, &b)
            {
                go(Some(bindings.clone()), rest);
            }
        }
        Literal::Is { result, expression } => {
            if let Some(value) = number(expression, &bindings) {
                go(bind(result, value), rest);
            }
        }
        Literal::Member { element, list } => {
            for value in list.iter().collect::<BTreeSet<_>>() {
                go(bind(element, value.clone()), rest.clone());
            }
        }
        Literal::Values {
            operator,
            left: a,
            right: b,
        } => {
            if *operator == ValueComparison::Unify {
                if let Some(b) = value(b, &bindings) {
                    go(bind(a, b), rest);
                } else if let Some(a) = value(a, &bindings) {
                    go(bind(b, a), rest);
                }
                return;
            }
            let a = value(a, &bindings).expect("bound");
            let b = value(b, &bindings).expect("bound");
            let holds = match operator {
                ValueComparison::Unify => unreachable!("handled above"),
                ValueComparison::Identical => a == b,
                ValueComparison::NotIdentical | ValueComparison::NotUnifiable => a != b,
                ValueComparison::Before => a < b,
                ValueComparison::NotAfter => a <= b,
                ValueComparison::After => a > b,
                ValueComparison::NotBefore => a >= b,
            };
            if holds {
                go(Some(bindings.clone()), rest);
            }
        }
    }
}

fn is_anonymous(term: &Term) -> bool {
    matches!(term, Term::Variable(name) if name == "_")
}

fn is_ready(literal: &Literal, bindings: &Bindings) -> bool {
    match literal {
        Literal::Compare { left, right, .. } => is_known(left, bindings) && is_known(right, bindings),
        Literal::Is { expression, .. } => is_known(expression, bindings),
        Literal::Values {
            operator: ValueComparison::Unify,
            left,
            right,
        } => value(left, bindings).is_some() || value(right, bindings).is_some(),
        _ => true,
    }
}

fn is_known(expression: &Expression, bindings: &Bindings) -> bool {
    match expression {
        Expression::Term(term) => value(term, bindings).is_some(),
        Expression::Operation { arguments, .. } => {
            arguments.iter().all(|argument| is_known(argument, bindings))
        }
    }
}

fn value(term: &Term, bindings: &Bindings) -> Option<Constant> {
    match term {
        Term::Variable(name) => bindings.get(name.as_str()).cloned(),
        Term::Constant(constant) => Some(constant.clone()),
    }
}

fn unify<'a>(term: &'a Term, value: &Constant, bindings: &mut Bindings<'a>) -> bool {
    match term {
        Term::Variable(name) if name == "_" => true,
        Term::Variable(name) => bindings.entry(name).or_insert_with(|| value.clone()) == value,
        Term::Constant(constant) => constant == value,
    }
}

fn matches<'a>(arguments: &'a [Term], tuple: &[Constant], bindings: &Bindings<'a>) -> Option<Bindings<'a>> {
    let mut bindings = bindings.clone();
    arguments
        .iter()
        .zip(tuple)
        .all(|(term, value)| unify(term, value, &mut bindings))
        .then_some(bindings)
}

/// The value of `expression`; none if it is no number, which the rules skip.
fn number(expression: &Expression, bindings: &Bindings) -> Option<Constant> {
    match expression {
        Expression::Term(term) => value(term, bindings).filter(is_number),
        Expression::Operation { operation, arguments } => {
            let arguments = arguments.iter().map(|argument| number(argument, bindings));
            operate(*operation, &arguments.collect::<Option<Vec<_>>>()?)
        }
    }
}

fn is_number(value: &Constant) -> bool {
    matches!(value, Constant::Integer(_) | Constant::Float(_))
}

fn operate(operation: Operation, arguments: &[Constant]) -> Option<Constant> {
    let integers: Option<Vec<i128>> = arguments
        .iter()
        .map(|argument| match argument {
            Constant::Integer(digits) => digits.parse().ok(),
            _ => None,
        })
        .collect();
    if let Some(integers) = integers {
        let value = match (operation, integers.as_slice()) {
            (Operation::Add, [a, b]) => a + b,
            (Operation::Subtract, [a]) => -a,
            (Operation::Subtract, [a, b]) => a - b,
            (Operation::Multiply, [a, b]) => a * b,
            (Operation::IntegerDivide, [a, b]) => a.checked_div(*b)?,
            (Operation::Modulo, [a, b]) => ((a.checked_rem(*b)?) + b) % b,
            (Operation::Divide, [_, 0]) => return None,
            (Operation::Divide, [a, b]) if a % b == 0 => a / b,
            (Operation::Divide, [a, b]) => return Some(Constant::Float(*a as f64 / *b as f64)),
            (Operation::Min, [a, b]) => *a.min(b),
            (Operation::Max, [a, b]) => *a.max(b),
            (Operation::Abs, [a]) => a.abs(),
            _ => return None,
        };
        return Some(Constant::Integer(value.to_string()));
    }
    let floats: Vec<f64> = arguments.iter().map(float).collect();
    let value = match (operation, floats.as_slice()) {
        (Operation::Add, [a, b]) => a + b,
        (Operation::Subtract, [a]) => -a,
        (Operation::Subtract, [a, b]) => a - b,
        (Operation::Multiply, [a, b]) => a * b,
        (Operation::Divide, [a, b]) if *b != 0.0 => a / b,
        (Operation::Min, [a, b]) => a.min(*b),
        (Operation::Max, [a, b]) => a.max(*b),
        (Operation::Abs, [a]) => a.abs(),
        _ => return None,
    };
    Some(Constant::Float(value))
}

fn float(number: &Constant) -> f64 {
    match number {
        Constant::Integer(digits) => digits.parse().unwrap_or(f64::NAN),
        Constant::Float(value) => *value,
        _ => f64::NAN,
    }
}

fn compare(operator: Comparison, a: &Constant, b: &Constant) -> bool {
    let (a, b) = (float(a), float(b));
    match operator {
        Comparison::Equal => a == b,
        Comparison::NotEqual => a != b,
        Comparison::Less => a < b,
        Comparison::AtMost => a <= b,
        Comparison::Greater => a > b,
        Comparison::AtLeast => a >= b,
    }
}
