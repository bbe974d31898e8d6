//! A tiny interpreter: conjunctions of goals over facts and rules, whose arguments are variables, atoms and
//! numbers. `\+` denies a goal.

use std::collections::{BTreeMap, BTreeSet};

use hornbook_book::lexer::{Lexer, TokenKind};

/// How deep rules may call each other.
const DEEPEST: usize = 20;

/// A goal, or a head.
#[derive(Debug, Clone, PartialEq)]
struct Literal {
    is_denied: bool,
    name: String,
    arguments: Vec<String>,
}

#[derive(Debug, Clone)]
struct Rule {
    head: Literal,
    body: Vec<Literal>,
}

/// The values of variables.
type Bindings = BTreeMap<String, String>;

/// The rules that a goal depends on.
struct Program {
    rules: BTreeMap<String, Vec<Rule>>,
    names: BTreeSet<String>,
}

/// The values of the first variable of a goal, for each of its answers, in order.
pub fn answers(goal: &str, clauses: &[&str]) -> Vec<String> {
    let Some(goals) = goals(goal) else {
        return Vec::new();
    };
    let program = Program::of(&goals, clauses);
    let mut arguments = goals.iter().flat_map(|goal| &goal.arguments);
    let first = arguments.find(|argument| is_variable(argument)).cloned();
    let value = |found: &Bindings| {
        first
            .as_ref()
            .map_or("true".to_owned(), |first| value(found, first))
    };
    program.solve(&goals).iter().map(value).collect()
}

/// The names of the predicates that a goal, or the goal of a constraint, depends on.
pub fn reach(goal: &str, clauses: &[&str]) -> BTreeSet<String> {
    let text = Constraint::of(goal).map_or(goal.to_owned(), |constraint| constraint.goal);
    goals(&text).map_or_else(BTreeSet::new, |goals| Program::of(&goals, clauses).names)
}

/// The messages of what violates a constraint, each once.
pub fn violations(directive: &str, clauses: &[&str]) -> BTreeSet<String> {
    let Some(constraint) = Constraint::of(directive) else {
        return BTreeSet::new();
    };
    let found = answers(&constraint.goal, clauses).into_iter();
    found
        .map(|value| constraint.message.replace("~w", &value))
        .collect()
}

/// `:- constraint((Goal, …), "Message ~w"-[Variable])`, of which the variable is the first of the goals.
struct Constraint {
    goal: String,
    message: String,
}

impl Constraint {
    fn of(directive: &str) -> Option<Constraint> {
        let inner = directive.trim().strip_prefix(":- constraint(")?;
        let (goal, rest) = inner.split_once(", \"")?;
        let (message, _) = rest.split_once('"')?;
        Some(Constraint {
            goal: goal.to_owned(),
            message: message.to_owned(),
        })
    }
}

impl Program {
    fn of(goals: &[Literal], clauses: &[&str]) -> Program {
        let mut program = Program {
            rules: BTreeMap::new(),
            names: BTreeSet::new(),
        };
        let mut wanted: Vec<String> = goals.iter().map(|goal| goal.name.clone()).collect();
        while let Some(name) = wanted.pop() {
            if !program.names.insert(name.clone()) {
                continue;
            }
            let begin = format!("{name}(");
            let own = clauses
                .iter()
                .filter(|clause| clause.trim_start().starts_with(&begin));
            let rules: Vec<Rule> = own.filter_map(|clause| rule(clause)).collect();
            let called = rules.iter().flat_map(|rule| &rule.body);
            wanted.extend(called.map(|goal| goal.name.clone()));
            program.rules.insert(name, rules);
        }
        program
    }

    fn solve(&self, goals: &[Literal]) -> Vec<Bindings> {
        let mut found = Vec::new();
        self.search(goals, Bindings::new(), 0, &mut found);
        found
    }

    fn search(&self, goals: &[Literal], bound: Bindings, depth: usize, found: &mut Vec<Bindings>) {
        let Some((goal, rest)) = goals.split_first() else {
            found.push(bound);
            return;
        };
        if depth == DEEPEST {
            return;
        }
        if goal.is_denied {
            let mut holds = Vec::new();
            let asserted = Literal {
                is_denied: false,
                ..goal.clone()
            };
            self.search(&[asserted], bound.clone(), depth + 1, &mut holds);
            if holds.is_empty() {
                self.search(rest, bound, depth, found);
            }
            return;
        }
        for rule in self.rules.get(&goal.name).into_iter().flatten() {
            let own = |argument: &String| match is_variable(argument) {
                true => format!("{argument}@{depth}"),
                false => argument.clone(),
            };
            let mut now = bound.clone();
            let head = rule.head.arguments.iter().map(own);
            let is_like = rule.head.arguments.len() == goal.arguments.len()
                && head
                    .zip(&goal.arguments)
                    .all(|(one, other)| unify(&mut now, &one, other));
            if !is_like {
                continue;
            }
            let body = rule.body.iter().map(|goal| Literal {
                arguments: goal.arguments.iter().map(own).collect(),
                ..goal.clone()
            });
            let body: Vec<Literal> = body.chain(rest.iter().cloned()).collect();
            self.search(&body, now, depth + 1, found);
        }
    }
}

fn is_variable(argument: &str) -> bool {
    argument.starts_with(|first: char| first.is_uppercase() || first == '_')
}

fn value(bound: &Bindings, argument: &str) -> String {
    let mut now = argument;
    while let Some(next) = bound.get(now) {
        now = next;
    }
    now.to_owned()
}

fn unify(bound: &mut Bindings, one: &str, other: &str) -> bool {
    let (one, other) = (value(bound, one), value(bound, other));
    if one == other {
        return true;
    }
    let (variable, to) = match is_variable(&one) {
        true => (one, other),
        false => (other, one),
    };
    is_variable(&variable) && bound.insert(variable, to).is_none()
}

fn rule(clause: &str) -> Option<Rule> {
    let clause = clause.trim().trim_end_matches('.');
    let (head, body) = clause.split_once(":-").unwrap_or((clause, ""));
    Some(Rule {
        head: goals(head)?.pop()?,
        body: if body.is_empty() { Vec::new() } else { goals(body)? },
    })
}

/// The goals of a conjunction; `None` if it has anything else.
fn goals(text: &str) -> Option<Vec<Literal>> {
    let mut goals: Vec<Literal> = Vec::new();
    let (mut is_denied, mut is_open) = (false, false);
    for token in Lexer::new(text) {
        let word = &text[token.start..token.end];
        match token.kind {
            TokenKind::Open { arguments } => is_open = arguments,
            TokenKind::Close => is_open = false,
            TokenKind::Comma | TokenKind::End => {}
            _ if word == "\\+" => is_denied = true,
            _ if is_open => goals.last_mut()?.arguments.push(word.to_owned()),
            _ => goals.push(Literal {
                is_denied: std::mem::take(&mut is_denied),
                name: word.to_owned(),
                arguments: Vec::new(),
            }),
        }
    }
    (!goals.is_empty()).then_some(goals)
}

#[cfg(test)]
mod tests {
    use super::*;

    const CLAUSES: [&str; 6] = [
        "q(1).",
        "q(2).",
        "s(2).",
        "r(X) :- q(X), s(X).",
        "r(3).",
        "p(b, c).",
    ];

    #[test]
    fn goals_are_answered_from_facts_and_rules_in_order() {
        assert_eq!(answers("(r(X))", &CLAUSES), ["2", "3"]);
        assert_eq!(answers("q(X), \\+ s(X)", &CLAUSES), ["1"]);
        assert_eq!(answers("(p(b, X))", &CLAUSES), ["c"]);
        assert_eq!(answers("(q(2), s(2))", &CLAUSES), ["true"]);
        assert!(answers("(none(X))", &CLAUSES).is_empty());
    }

    #[test]
    fn a_constraint_has_its_messages_and_what_it_depends_on() {
        let directive = ":- constraint((r(X), s(X)), \"both ~w\"-[X]).";
        assert_eq!(
            violations(directive, &CLAUSES),
            BTreeSet::from(["both 2".to_owned()])
        );
        let reach = reach(directive, &CLAUSES).into_iter();
        assert_eq!(reach.collect::<Vec<_>>(), ["q", "r", "s"]);
    }
}
