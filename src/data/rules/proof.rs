//! Proofs by looking: each tuple knows the rule and the round in which it was first derived, and there are premises of
//! lower rounds. So a proof is read off the tables, a query for each step, without search.

use serde::Serialize;

use crate::sql::Statement;

use super::checked::{Argument, Head, What};
use super::kinds;
use super::parameters::used;
use super::plan::{Plan, Query};
use super::program::{Constant, Kind};
use super::select::{Read, described};
use super::stored::{Equal, Operand, equal};

/// The query for one step of a proof, and how its rows are read.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Step {
    /// Its first row has premises of the tuple. If `is_group`, all rows have: they are the solutions that an aggregate
    /// is over.
    pub query: Query,
    pub is_group: bool,
    /// What is true, in the order of evaluation.
    pub premises: Vec<Premise>,
    /// The column of each variable of the rule that has a name. What `_` reads need not be copied, and is not known.
    pub variables: Vec<(String, usize)>,
}

/// A goal of the rule.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Premise {
    /// A tuple.
    Holds {
        /// As `name/arity`.
        predicate: String,
        arguments: Vec<Value>,
        /// None for a tuple of a relation.
        derived: Option<Derived>,
    },
    /// There is no such tuple. An argument that is none may be anything.
    Fails {
        predicate: String,
        arguments: Vec<Option<Value>>,
    },
    /// A comparison or a result, as the rule has it.
    Computed(String),
}

/// Where an argument of a premise is found.
#[derive(Clone, Debug, PartialEq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Value {
    Constant(Constant),
    /// In a column of the row, the first being 0.
    Column(usize),
}

/// A tuple with a proof of its own.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Derived {
    /// Its predicate, as [`Plan::premises`] takes it.
    pub predicate: usize,
    /// The columns of its round and its rule.
    pub round: usize,
    pub rule: usize,
}

impl Plan {
    /// The predicate and the number of the rule that the column `rule` of a table names.
    pub fn rule(&self, rule: usize) -> Option<(String, usize)> {
        let &(predicate, clause) = self.rules.get(rule)?;
        let predicate = &self.context.program.predicates[predicate];
        Some((predicate.indicator(), predicate.clauses()[clause].number))
    }

    /// The round and the rule of `tuple`: no row if it does not follow.
    pub fn tuple(&self, predicate: usize, tuple: &[Constant]) -> Query {
        let mut statement = Statement::default();
        let mut conditions = Vec::new();
        for (index, value) in tuple.iter().enumerate() {
            let column = Operand::Expression(self.context.column(predicate, index, "t"));
            match equal(&column, &Operand::Constant(value.clone()), &mut statement) {
                Equal::Never => {
                    statement = Statement::default();
                    conditions = vec!["false".to_string()];
                    break;
                }
                Equal::Always => {}
                Equal::When(condition) => conditions.push(condition),
            }
        }
        let filter = if conditions.is_empty() {
            String::new()
        } else {
            format!(" where {}", conditions.join(" and "))
        };
        statement.sql = format!(
            "select t.round as c1, t.rule as c2 from {} as t{filter}",
            self.context.table(predicate)
        );
        Query {
            statement,
            columns: vec![Some(Kind::Integer); 2],
        }
    }

    /// Premises of lower rounds from which `tuple` of `predicate` followed by `rule` in `round`. None if the plan was
    /// made without proofs, or if the tuple does not follow by the rule.
    pub fn premises(&self, predicate: usize, tuple: &[Constant], round: u64, rule: usize) -> Option<Step> {
        let &(of, clause) = self.rules.get(rule).filter(|_| self.proofs)?;
        let program = &self.context.program;
        let mut clause = program.predicates[of].clauses()[clause].clone();
        let is_magic = |what: &What| matches!(what, What::Goal(p, _) if program.predicates[*p].is_magic);
        clause.body.retain(|literal| !is_magic(&literal.what));
        if of != predicate || tuple.len() != clause.head.len() {
            return None;
        }
        let read = |_: usize, called: usize| {
            if program.predicates[called].is_derived() {
                Read::Rounds(format!("< {round}"))
            } else {
                Read::All
            }
        };
        let kinds = kinds::variables(&clause, &self.context.columns)?;
        let mut statement = Statement::default();
        let mut body = self.context.body(&clause, &kinds, &read, &mut statement)?;
        for (head, value) in clause.head.iter().zip(tuple) {
            let Head::Plain(argument) = head else {
                continue;
            };
            let operand = Operand::of(argument, &body.variables)?;
            match equal(&operand, &Operand::Constant(value.clone()), &mut statement) {
                Equal::Never => return None,
                Equal::Always => {}
                Equal::When(condition) => body.require(condition),
            }
        }
        let mut sql = Vec::new();
        let mut columns = Vec::new();
        let mut places = vec![None; clause.variables.len()];
        let mut variables = Vec::new();
        for (variable, value) in body.variables.iter().enumerate() {
            let Some(value) = value else {
                continue;
            };
            let (text, kind) = value.shown();
            places[variable] = Some(columns.len());
            let name = &clause.variables[variable];
            if name != "_" {
                variables.push((name.clone(), columns.len()));
            }
            sql.push(text);
            columns.push(kind);
        }
        let argument = |argument: &Argument| match argument {
            Argument::Variable(variable) => places[*variable].map(Value::Column),
            Argument::Constant(constant) => Some(Value::Constant(constant.clone())),
        };
        let mut premises = Vec::new();
        for (place, literal) in clause.body.iter().enumerate() {
            premises.push(match &literal.what {
                What::Goal(called, arguments) => {
                    let derived = program.predicates[*called].is_derived().then(|| {
                        let round = columns.len();
                        for column in ["round", "rule"] {
                            sql.push(format!("t{}.{column}", place + 1));
                            columns.push(Some(Kind::Integer));
                        }
                        Derived {
                            predicate: *called,
                            round,
                            rule: round + 1,
                        }
                    });
                    Premise::Holds {
                        predicate: program.predicates[*called].indicator(),
                        arguments: arguments.iter().filter_map(argument).collect(),
                        derived,
                    }
                }
                What::Not(called, arguments) => Premise::Fails {
                    predicate: program.predicates[*called].indicator(),
                    arguments: arguments.iter().map(argument).collect(),
                },
                _ => Premise::Computed(literal.text.clone()),
            });
        }
        if sql.is_empty() {
            sql.push("1".to_string());
            columns.push(Some(Kind::Integer));
        }
        let is_group = clause.has_aggregate();
        let sql: Vec<String> = sql
            .iter()
            .enumerate()
            .map(|(index, sql)| format!("{sql} as c{}", index + 1))
            .collect();
        statement.sql = if is_group {
            format!("select distinct {}{}", sql.join(", "), body.text())
        } else {
            format!("select {}{} limit 1", sql.join(", "), body.text())
        };
        Some(Step {
            query: Query {
                statement: used(statement),
                columns,
            },
            is_group,
            premises,
            variables,
        })
    }
}

impl super::stored::Expression {
    /// This value for a reader: its text, and its kind if it is not tagged.
    fn shown(&self) -> (String, Option<Kind>) {
        match described(self.form) {
            Some(kind) => (self.sql.clone(), Some(kind)),
            None => (self.tagged(), None),
        }
    }
}
