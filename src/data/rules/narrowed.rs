//! Parts of a program that is narrowed to what a goal needs.

use std::collections::BTreeSet;

use super::checked::{Argument, Clause, Head, Literal, Predicate, Program, Source, What};

/// The program for a goal, its predicate there, and the clause that reads its answers.
pub(super) type Narrowed = (Program, usize, Clause);

/// `answers` with the predicate `copy` in its goal.
pub(super) fn calling(answers: &Clause, copy: usize) -> Clause {
    let mut answers = answers.clone();
    for literal in &mut answers.body {
        if let What::Goal(predicate, _) = &mut literal.what {
            *predicate = copy;
        }
    }
    answers
}

/// A clause without a body.
pub(super) fn fact(arguments: Vec<Argument>) -> Clause {
    Clause {
        number: 0,
        head: arguments.into_iter().map(Head::Plain).collect(),
        body: Vec::new(),
        variables: Vec::new(),
    }
}

impl Program {
    pub(super) fn add(&mut self, predicate: usize, clause: Clause) {
        if let Source::Rules(clauses) = &mut self.predicates[predicate].source {
            clauses.push(clause);
        }
    }

    /// A copy of the predicate `of` without rules, or a table of arguments of its calls.
    pub(super) fn derive(&mut self, of: usize, arity: usize, is_magic: bool) -> usize {
        let name = self.predicates[of].name.clone();
        let original = self.predicates[of].original;
        self.predicates.push(Predicate {
            name,
            arity,
            original,
            is_magic,
            source: Source::Rules(Vec::new()),
        });
        self.predicates.len() - 1
    }
}

/// A goal that is not from the rule.
pub(super) fn added(predicate: usize, arguments: Vec<Argument>) -> Literal {
    Literal {
        what: What::Goal(predicate, arguments),
        text: String::new(),
    }
}

/// The arguments of a head. An aggregate is never selected.
pub(super) fn plain(head: &[Head]) -> Vec<Argument> {
    let argument = |head: &Head| match head {
        Head::Plain(argument) => argument.clone(),
        Head::Aggregate(..) => Argument::Variable(usize::MAX),
    };
    head.iter().map(argument).collect()
}

pub(super) fn variables(arguments: &[Argument]) -> BTreeSet<usize> {
    let variable = |argument: &Argument| match argument {
        Argument::Variable(variable) => Some(*variable),
        Argument::Constant(_) => None,
    };
    arguments.iter().filter_map(variable).collect()
}

/// Whether an argument of a goal is known.
pub(super) fn is_bound(argument: &Argument) -> bool {
    matches!(argument, Argument::Constant(_))
}
