//! Which variables of a rule are equal, to one another or to a constant.

use super::checked::{Argument, Expression, What};
use super::program::Constant;

/// Classes of equal variables.
#[derive(Default)]
pub(super) struct Equations {
    parents: Vec<usize>,
    bound: Vec<bool>,
    values: Vec<Option<Constant>>,
    is_false: bool,
}

impl Equations {
    /// A variable that nothing equals yet.
    pub fn variable(&mut self) -> usize {
        self.parents.push(self.parents.len());
        self.bound.push(false);
        self.values.push(None);
        self.parents.len() - 1
    }

    fn root(&self, variable: usize) -> usize {
        let mut root = variable;
        while self.parents[root] != root {
            root = self.parents[root];
        }
        root
    }

    pub fn is_bound(&self, variable: usize) -> bool {
        self.bound[self.root(variable)]
    }

    pub fn bind(&mut self, variable: usize) {
        let root = self.root(variable);
        self.bound[root] = true;
    }

    pub fn equate(&mut self, a: &Argument, b: &Argument) {
        match (a, b) {
            (Argument::Variable(a), Argument::Variable(b)) => {
                let (a, b) = (self.root(*a), self.root(*b));
                if a == b {
                    return;
                }
                let (kept, joined) = (a.min(b), a.max(b));
                self.parents[joined] = kept;
                self.bound[kept] |= self.bound[joined];
                if let Some(value) = self.values[joined].take() {
                    self.set(kept, &value);
                }
            }
            (Argument::Variable(variable), Argument::Constant(value))
            | (Argument::Constant(value), Argument::Variable(variable)) => {
                let root = self.root(*variable);
                self.bound[root] = true;
                self.set(root, value);
            }
            (Argument::Constant(a), Argument::Constant(b)) => self.is_false |= a != b,
        }
    }

    fn set(&mut self, root: usize, value: &Constant) {
        match &self.values[root] {
            Some(known) => self.is_false |= known != value,
            None => self.values[root] = Some(value.clone()),
        }
    }

    /// Whether the equations contradict one another.
    pub fn is_false(&self) -> bool {
        self.is_false
    }

    /// Replace a variable by what it equals.
    pub fn settle(&self, argument: &mut Argument) {
        if let Argument::Variable(variable) = argument {
            let root = self.root(*variable);
            *argument = match &self.values[root] {
                Some(value) => Argument::Constant(value.clone()),
                None => Argument::Variable(root),
            };
        }
    }

    /// Replace all variables of `what`.
    pub fn settle_literal(&self, what: &mut What) {
        match what {
            What::Goal(_, arguments) | What::Not(_, arguments) => {
                for argument in arguments {
                    self.settle(argument);
                }
            }
            What::Different(a, b) | What::Order(_, a, b) => {
                self.settle(a);
                self.settle(b);
            }
            What::Compare(_, a, b) => {
                self.settle_expression(a);
                self.settle_expression(b);
            }
            What::Is(result, expression) => {
                self.settle(result);
                self.settle_expression(expression);
            }
            What::Member(element, _) => self.settle(element),
            What::Fail => {}
        }
    }

    fn settle_expression(&self, expression: &mut Expression) {
        match expression {
            Expression::Variable(variable) => {
                let mut argument = Argument::Variable(*variable);
                self.settle(&mut argument);
                *expression = match argument {
                    Argument::Variable(variable) => Expression::Variable(variable),
                    Argument::Constant(constant) => Expression::Constant(constant),
                };
            }
            Expression::Constant(_) => {}
            Expression::Operation(_, arguments) => {
                for argument in arguments {
                    self.settle_expression(argument);
                }
            }
        }
    }
}
