//! What is evaluated for a goal, in which order, in which tables.

use serde::{Deserialize, Serialize};

use super::engine::Engine;
use crate::sql::{Statement, quoted};

use super::check;
use super::checked::{Clause, Head, Literal, What};
use super::error::RuleError;
use super::kinds;
use super::magic;
use super::parameters::used;
use super::program::{Goal, Kind, Literal as Given, Predicate, Program, Rule, Source};
use super::select::{Context, Read, described};
use super::strata::{Component, components};
use super::typed;

/// For which engine a plan is, and what else is wanted of it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Settings {
    pub dialect: Engine,
    /// Begins the names of the temporary tables. No other plan of the same connection may have it.
    pub prefix: String,
    /// Keep what [`Plan::premises`] needs, even where a goal could be answered with less.
    pub proofs: bool,
}

/// How a goal over rules is evaluated. [`super::Fixpoint`] carries it out.
pub struct Plan {
    pub(super) context: Context,
    pub(super) components: Vec<Component>,
    pub(super) proofs: bool,
    /// All rules: the predicate and the clause.
    pub(super) rules: Vec<(usize, usize)>,
    answers: Clause,
    goal: usize,
}

/// A query, and what its columns hold.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Query {
    pub statement: Statement,
    /// The kind of each column's values; none for text with the tag of its kind.
    pub columns: Vec<Option<Kind>>,
}

impl Plan {
    /// Check `program`, and plan what `goal` needs of it.
    pub fn new(program: &Program, goal: &Goal, settings: Settings) -> Result<Plan, RuleError> {
        let (original, number, answers) = with_goal(program, goal)?;
        components(&original, number)?;
        typed::check(&original, &kinds::columns(&original))?;
        let narrowed = magic::narrowed(&original, number, &answers, settings.proofs);
        // What is needed may depend on a negation that depends on it: then compute all.
        let narrowed = narrowed.and_then(|(program, goal, answers)| {
            let components = components(&program, goal).ok()?;
            Some((program, goal, answers, components))
        });
        let (program, goal, answers, components) = match narrowed {
            Some(narrowed) => narrowed,
            None => {
                let components = components(&original, number)?;
                (original, number, answers, components)
            }
        };
        let mut rules = Vec::new();
        for (number, predicate) in program.predicates.iter().enumerate() {
            rules.extend((0..predicate.clauses().len()).map(|clause| (number, clause)));
        }
        let columns = kinds::columns(&program);
        Ok(Plan {
            context: Context {
                dialect: settings.dialect,
                program,
                columns,
                prefix: settings.prefix,
            },
            components,
            proofs: settings.proofs,
            rules,
            answers,
            goal,
        })
    }

    /// The goal's instances, a column for each argument, once the tables are complete. They are sorted: the engine's
    /// threads would give them in another order each time.
    pub fn answers(&self) -> Query {
        let mut query = self.unsorted();
        if !query.columns.is_empty() {
            let columns: Vec<String> = (1..=query.columns.len()).map(|n| n.to_string()).collect();
            query.statement.sql += &format!(" order by {}", columns.join(", "));
        }
        query
    }

    /// How many instances of the goal there are, once the tables are complete.
    pub fn count(&self) -> Query {
        let Statement { sql, parameters } = self.unsorted().statement;
        Query {
            statement: Statement {
                sql: format!("select count(*) as c1 from ({sql}) as answers"),
                parameters,
            },
            columns: vec![Some(Kind::Integer)],
        }
    }

    fn unsorted(&self) -> Query {
        let kinds = kinds::variables(&self.answers, &self.context.columns);
        let forms: Vec<_> = self
            .answers
            .head
            .iter()
            .map(|head| {
                let kinds = match (head, &kinds) {
                    (Head::Plain(argument), Some(kinds)) => kinds::argument_kinds(argument, kinds),
                    _ => kinds::Kinds::default(),
                };
                super::stored::Form::of(kinds)
            })
            .collect();
        let mut statement = Statement::default();
        let rows = self
            .context
            .rows(&self.answers, &forms, &|_, _| Read::All, &mut statement);
        statement.sql = rows.unwrap_or_else(|| {
            let columns: Vec<String> = (1..=forms.len().max(1))
                .map(|n| format!("null as c{n}"))
                .collect();
            format!("select {} where false", columns.join(", "))
        });
        Query {
            statement: used(statement),
            columns: forms.into_iter().map(described).collect(),
        }
    }

    /// The goal's predicate, as [`Plan::premises`] takes it; none if it has no table of tuples that were derived.
    pub fn goal(&self) -> Option<usize> {
        self.context.program.predicates[self.goal]
            .is_derived()
            .then_some(self.goal)
    }

    /// Whether its tables have what [`Plan::premises`] needs.
    pub fn has_proofs(&self) -> bool {
        self.proofs
    }

    /// Remove the tables.
    pub fn clear(&self) -> Vec<Statement> {
        let drop =
            |&predicate: &usize| plain(format!("drop table if exists {}", self.context.table(predicate)));
        self.components
            .iter()
            .flat_map(|component| &component.predicates)
            .map(drop)
            .collect()
    }

    /// Make the tables.
    pub(super) fn create(&self) -> Vec<Statement> {
        let mut statements = Vec::new();
        for component in &self.components {
            for &predicate in &component.predicates {
                let table = self.context.table(predicate);
                let mut columns = String::new();
                for index in 0..self.context.program.predicates[predicate].arity {
                    let sql = self.context.form(predicate, index).sql();
                    columns += &format!("c{} {sql} not null, ", index + 1);
                }
                statements.push(plain(format!(
                    "create temporary table {table} ({columns}round bigint not null, rule bigint not null)"
                )));
                if component.is_recursive && self.context.dialect == Engine::Postgres {
                    statements.push(plain(format!("create index on {table} (round)")));
                }
            }
        }
        statements
    }

    /// Add the tuples that follow by the rule `rule` in `round` and are not yet known. In a recursive component the goal
    /// at the place `delta` has only tuples of the round before. None if there cannot be any.
    pub(super) fn insert(
        &self,
        rule: usize,
        component: &Component,
        delta: Option<usize>,
        round: u64,
    ) -> Option<Statement> {
        let (predicate, clause) = self.rules[rule];
        let head = &self.context.program.predicates[predicate];
        let clause = &head.clauses()[clause];
        let read = |place: usize, called: usize| match delta {
            Some(delta) if component.predicates.contains(&called) => Read::Rounds(match place.cmp(&delta) {
                std::cmp::Ordering::Equal => format!("= {}", round - 1),
                std::cmp::Ordering::Less => format!("< {}", round - 1),
                std::cmp::Ordering::Greater => format!("< {round}"),
            }),
            _ => Read::All,
        };
        let forms: Vec<_> = (0..head.arity)
            .map(|index| self.context.form(predicate, index))
            .collect();
        let mut statement = Statement::default();
        let rows = self.context.rows(clause, &forms, &read, &mut statement)?;
        let table = self.context.table(predicate);
        statement.sql = new_rows(&table, head.arity, &format!("({rows})"), "", round, rule);
        Some(used(statement))
    }

    /// All tuples that follow by the rules of `component` from those that the others gave, in one statement that the
    /// engine repeats itself: for one predicate with one recursive rule that calls it once. It adds no more than makes
    /// `most` tuples in all. None for components of another shape, and where rounds are needed for proofs.
    pub(super) fn closed(&self, component: &Component, round: u64, most: u64) -> Option<(usize, Statement)> {
        let &[predicate] = component.predicates.as_slice() else {
            return None;
        };
        let head = &self.context.program.predicates[predicate];
        let calls = |clause: &Clause| {
            clause
                .goals()
                .filter(|&(_, called, _)| called == predicate)
                .count()
        };
        let mut recursive = (0..self.rules.len()).filter(|&rule| {
            let (of, clause) = self.rules[rule];
            of == predicate && calls(&head.clauses()[clause]) > 0
        });
        let rule = recursive.next()?;
        let clause = &head.clauses()[self.rules[rule].1];
        if self.proofs
            || !component.is_recursive
            || recursive.next().is_some()
            || calls(clause) > 1
            || head.arity == 0
        {
            return None;
        }
        let table = self.context.table(predicate);
        let name = quoted(&format!("{}_{predicate}_closed", self.context.prefix));
        let read = |_: usize, called: usize| {
            if called == predicate {
                Read::From(name.clone())
            } else {
                Read::All
            }
        };
        let forms: Vec<_> = (0..head.arity)
            .map(|index| self.context.form(predicate, index))
            .collect();
        let mut statement = Statement::default();
        let rows = self
            .context
            .repeated_rows(clause, &forms, &read, &mut statement)?;
        let list =
            |column: &dyn Fn(usize) -> String| (0..head.arity).map(column).collect::<Vec<_>>().join(", ");
        let columns = list(&|index| format!("c{}", index + 1));
        // Postgres wants the same types on both sides.
        let cast = list(&|index| format!("cast(n.c{} as {})", index + 1, forms[index].sql()));
        let with = format!(
            "with recursive {name}({columns}) as (select {columns} from {table} union select {cast} from (select {rows}) \
             as n) "
        );
        let from = format!("(select * from {name} limit {most})");
        statement.sql = new_rows(&table, head.arity, &from, &with, round, rule);
        Some((predicate, used(statement)))
    }
}

/// Insert what `from` has, which stands after `with`, and `table` has not.
fn new_rows(table: &str, arity: usize, from: &str, with: &str, round: u64, rule: usize) -> String {
    let columns: String = (1..=arity).map(|n| format!("v.c{n}, ")).collect();
    let same: Vec<String> = (1..=arity).map(|n| format!("known.c{n} = v.c{n}")).collect();
    let same = if same.is_empty() {
        "true".to_string()
    } else {
        same.join(" and ")
    };
    // DuckDB carries this out faster than `not exists`.
    format!(
        "insert into {table} {with}select {columns}{round}, {rule} from {from} as v left join {table} as known on {same} \
         where known.round is null"
    )
}

fn plain(sql: String) -> Statement {
    Statement {
        sql,
        parameters: Vec::new(),
    }
}

/// `program` as checked, the predicate of `goal`, and a clause whose solutions are its instances.
fn with_goal(program: &Program, goal: &Goal) -> Result<(super::checked::Program, usize, Clause), RuleError> {
    // It is checked as the body of a predicate that no program can name.
    let mut with = program.clone();
    with.predicates.push(Predicate {
        name: String::new(),
        arity: 0,
        source: Source::Rules(vec![Rule {
            head: Vec::new(),
            body: vec![Given::Goal(goal.clone())],
        }]),
    });
    let mut checked = check::checked(&with).map_err(|error| {
        if error.predicate == "/0" {
            RuleError::of(format!("{}/{}", goal.name, goal.arguments.len()), error.message)
        } else {
            error
        }
    })?;
    let Some(mut clause) = checked
        .predicates
        .pop()
        .and_then(|predicate| predicate.clauses().first().cloned())
    else {
        return Err(RuleError::of(&goal.name, "is no goal"));
    };
    let [
        Literal {
            what: What::Goal(number, arguments),
            ..
        },
    ] = clause.body.as_slice()
    else {
        return Err(RuleError::of(&goal.name, "is no goal"));
    };
    let number = *number;
    clause.head = arguments.iter().cloned().map(Head::Plain).collect();
    Ok((checked, number, clause))
}
