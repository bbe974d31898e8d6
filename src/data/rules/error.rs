//! What is wrong with a program, and where.

use std::fmt;

use serde::Serialize;

/// Why rules cannot be evaluated as sets, and what to write instead.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
pub struct RuleError {
    /// As `name/arity`.
    pub predicate: String,
    /// Its rule, the first being 1.
    pub rule: Option<usize>,
    /// The goal in its body.
    pub goal: Option<String>,
    pub message: String,
}

impl RuleError {
    pub(super) fn of(predicate: impl Into<String>, message: impl Into<String>) -> RuleError {
        RuleError {
            predicate: predicate.into(),
            rule: None,
            goal: None,
            message: message.into(),
        }
    }

    pub(super) fn in_rule(mut self, number: usize) -> RuleError {
        self.rule = Some(number);
        self
    }

    pub(super) fn at(mut self, goal: impl fmt::Display) -> RuleError {
        self.goal = Some(goal.to_string());
        self
    }
}

impl fmt::Display for RuleError {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        f.write_str(&self.predicate)?;
        if let Some(rule) = self.rule {
            write!(f, ", rule {rule}")?;
        }
        if let Some(goal) = &self.goal {
            write!(f, ", `{goal}`")?;
        }
        write!(f, ": {}", self.message)
    }
}

impl std::error::Error for RuleError {}
