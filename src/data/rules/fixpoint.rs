//! Carries a plan out, round by round, until nothing new follows.

use std::collections::BTreeSet;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::sql::Statement;

use super::plan::Plan;

/// How far an evaluation may go.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub struct Limits {
    /// Rounds, over all components.
    pub rounds: u64,
    /// Tuples that are derived, over all predicates.
    pub rows: u64,
}

/// What the host does next.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Step {
    /// Carry out these statements, in order, and say how many rows each added.
    Run(Vec<Statement>),
    /// The tables are complete: [`Plan::answers`] reads them.
    Done,
}

/// How many rows each statement of the last step added; 0 for one that adds none. Empty before the first step.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Outcome(pub Vec<u64>);

/// Why an evaluation stopped early.
#[derive(Clone, Debug, Eq, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Stopped {
    Rounds {
        limit: u64,
        predicates: Vec<String>,
    },
    Rows {
        limit: u64,
        predicates: Vec<String>,
    },
    /// The host said too few or too many numbers.
    Outcome {
        statements: usize,
        numbers: usize,
    },
}

impl fmt::Display for Stopped {
    fn fmt(&self, f: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Stopped::Rounds { limit, predicates } => write!(
                f,
                "{} still had new tuples after {limit} rounds: bound what its rules compute, or raise the limit of rounds",
                predicates.join(", ")
            ),
            Stopped::Rows { limit, predicates } => write!(
                f,
                "more than {limit} tuples follow, the last of {}: bind an argument of the goal, or raise the limit of rows",
                predicates.join(", ")
            ),
            Stopped::Outcome { statements, numbers } => {
                write!(
                    f,
                    "the last step had {statements} statements, but the outcome has {numbers} numbers"
                )
            }
        }
    }
}

impl std::error::Error for Stopped {}

/// A plan that is carried out. The host may stop between any two statements; [`Plan::clear`] then removes the tables.
pub struct Fixpoint {
    plan: Plan,
    limits: Limits,
    /// The component that is evaluated.
    component: usize,
    /// Of all components together, so that premises are always of lower rounds.
    round: u64,
    rows: u64,
    /// Whether the component has had its first round.
    begun: bool,
    /// Whether a statement has repeated the component's rules until nothing new followed.
    closed: bool,
    /// Whether the tables were made.
    created: bool,
    /// The predicate that each statement of the last step adds to.
    running: Vec<Option<usize>>,
    /// The predicates that got tuples in the last round.
    grown: BTreeSet<usize>,
    /// The predicates whose tables may have tuples.
    filled: BTreeSet<usize>,
}

impl Fixpoint {
    pub fn new(plan: Plan, limits: Limits) -> Fixpoint {
        Fixpoint {
            plan,
            limits,
            component: 0,
            round: 0,
            rows: 0,
            begun: false,
            closed: false,
            created: false,
            running: Vec::new(),
            grown: BTreeSet::new(),
            filled: BTreeSet::new(),
        }
    }

    pub fn plan(&self) -> &Plan {
        &self.plan
    }

    /// The plan, once it is carried out.
    pub fn into_plan(self) -> Plan {
        self.plan
    }

    /// How many rounds there were, and how many tuples were derived.
    pub fn totals(&self) -> (u64, u64) {
        (self.round, self.rows)
    }

    /// What to do after `last`.
    pub fn next(&mut self, last: &Outcome) -> Result<Step, Stopped> {
        self.account(last)?;
        if !std::mem::replace(&mut self.created, true) {
            let statements = self.plan.create();
            if !statements.is_empty() {
                self.running = vec![None; statements.len()];
                return Ok(Step::Run(statements));
            }
        }
        while self.component < self.plan.components.len() {
            let is_recursive = self.plan.components[self.component].is_recursive;
            if self.begun && (!is_recursive || self.closed || self.grown.is_empty()) {
                self.closed = false;
                self.component += 1;
                self.begun = false;
                continue;
            }
            if self.round >= self.limits.rounds {
                return Err(Stopped::Rounds {
                    limit: self.limits.rounds,
                    predicates: self.names(),
                });
            }
            self.round += 1;
            let statements = if std::mem::replace(&mut self.begun, true) {
                self.again()
            } else {
                self.first()
            };
            self.grown.clear();
            if !statements.is_empty() {
                let (running, statements) = { statements.into_iter() }
                    .map(|(predicate, statement)| (Some(predicate), statement))
                    .unzip();
                self.running = running;
                return Ok(Step::Run(statements));
            }
        }
        Ok(Step::Done)
    }

    fn account(&mut self, last: &Outcome) -> Result<(), Stopped> {
        let running = std::mem::take(&mut self.running);
        if running.len() != last.0.len() {
            return Err(Stopped::Outcome {
                statements: running.len(),
                numbers: last.0.len(),
            });
        }
        for (predicate, &added) in running.iter().zip(&last.0) {
            if let (Some(predicate), 1..) = (predicate, added) {
                self.grown.insert(*predicate);
                self.rows = self.rows.saturating_add(added);
            }
        }
        if self.rows > self.limits.rows {
            return Err(Stopped::Rows {
                limit: self.limits.rows,
                predicates: self.names(),
            });
        }
        Ok(())
    }

    /// The predicates that grow.
    fn names(&self) -> Vec<String> {
        let names: BTreeSet<String> = self
            .grown
            .iter()
            .map(|&p| self.plan.context.program.predicates[p].indicator())
            .collect();
        names.into_iter().collect()
    }

    /// The rules of the component that do not call it; the others, too, if the engine repeats them itself.
    fn first(&mut self) -> Vec<(usize, Statement)> {
        let component = &self.plan.components[self.component];
        let rules: Vec<(usize, Option<usize>)> = self
            .rules()
            .filter(|&rule| {
                let mut calls = self.plan.clause(rule).goals();
                !component.is_recursive || !calls.any(|(_, called, _)| component.predicates.contains(&called))
            })
            .map(|rule| (rule, None))
            .collect();
        let repeated = self.plan.repeated(component).filter(|_| component.is_recursive);
        if let Some(rule) = repeated {
            // One more than may be, so that it is noticed.
            let most = (self.limits.rows.saturating_sub(self.rows)).saturating_add(1);
            let statement = self.plan.closed(&rules, rule, component, self.round, most);
            self.closed = true;
            return statement.into_iter().collect();
        }
        self.statements(&rules)
    }

    /// The other rules, once for each goal whose predicate has grown.
    fn again(&mut self) -> Vec<(usize, Statement)> {
        let mut rules = Vec::new();
        for rule in self.rules() {
            for (place, called, _) in self.plan.clause(rule).goals() {
                if self.grown.contains(&called) {
                    rules.push((rule, Some(place)));
                }
            }
        }
        self.statements(&rules)
    }

    /// One statement for each predicate; for each rule, if proofs need to know it.
    fn statements(&mut self, rules: &[(usize, Option<usize>)]) -> Vec<(usize, Statement)> {
        let component = &self.plan.components[self.component];
        let of = |&(rule, _): &(usize, Option<usize>)| self.plan.rules[rule].0;
        let mut statements = Vec::new();
        for together in rules.chunk_by(|one, other| !self.plan.proofs && of(one) == of(other)) {
            let is_empty = !self.filled.contains(&of(&together[0]));
            if let Some((predicate, statement)) = self.plan.insert(together, component, self.round, is_empty)
            {
                self.filled.insert(predicate);
                statements.push((predicate, statement));
            }
        }
        statements
    }

    fn rules(&self) -> impl Iterator<Item = usize> {
        let component = &self.plan.components[self.component];
        (0..self.plan.rules.len()).filter(|&rule| component.predicates.contains(&self.plan.rules[rule].0))
    }
}
