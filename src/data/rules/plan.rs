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
use super::renamed::without_renamings;
use super::select::{Context, Read, described};
use super::stored::Form;
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
        let narrowed = narrowed.filter(|(program, goal, _)| components(program, *goal).is_ok());
        let (mut program, goal, answers) = narrowed.unwrap_or((original, number, answers));
        if !settings.proofs {
            without_renamings(&mut program);
        }
        let components = components(&program, goal)?;
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
                Form::of(kinds)
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
                let mut columns: Vec<String> = (0..self.arity(predicate))
                    .map(|index| {
                        format!(
                            "c{} {} not null",
                            index + 1,
                            self.context.form(predicate, index).sql()
                        )
                    })
                    .collect();
                columns.extend(
                    self.marks(predicate)
                        .map(|mark| format!("{mark} bigint not null")),
                );
                statements.push(plain(format!(
                    "create temporary table {table} ({})",
                    columns.join(", ")
                )));
                if self.has_rounds(component) && self.context.dialect == Engine::Postgres {
                    statements.push(plain(format!("create index on {table} (round)")));
                }
            }
        }
        statements
    }

    /// The columns of a derived table besides those of its arguments: only proofs need the rule, and those and rounds the
    /// round. Without arguments there must be one.
    fn marks(&self, predicate: usize) -> impl Iterator<Item = &'static str> {
        let mut components = self.components.iter();
        let component = components.find(|component| component.predicates.contains(&predicate));
        let has_round = self.arity(predicate) == 0 || component.is_none_or(|one| self.has_rounds(one));
        has_round
            .then_some("round")
            .into_iter()
            .chain(self.proofs.then_some("rule"))
    }

    /// Whether tuples are derived round by round, or proofs need to know in which they were.
    fn has_rounds(&self, component: &Component) -> bool {
        self.proofs || component.is_recursive && self.repeated(component).is_none()
    }

    fn arity(&self, predicate: usize) -> usize {
        self.context.program.predicates[predicate].arity
    }

    pub(super) fn clause(&self, rule: usize) -> &Clause {
        let (predicate, clause) = self.rules[rule];
        &self.context.program.predicates[predicate].clauses()[clause]
    }

    fn forms(&self, predicate: usize) -> Vec<Form> {
        let form = |index| self.context.form(predicate, index);
        (0..self.arity(predicate)).map(form).collect()
    }

    /// Add the tuples that follow in `round` by `rules`, which are all of one predicate, and are not yet known. In a
    /// recursive component the goal at the place that stands with a rule has only tuples of the round before. None if there
    /// cannot be any.
    pub(super) fn insert(
        &self,
        rules: &[(usize, Option<usize>)],
        component: &Component,
        round: u64,
        is_empty: bool,
    ) -> Option<(usize, Statement)> {
        let &(first, _) = rules.first()?;
        let predicate = self.rules[first].0;
        let mut statement = Statement::default();
        let rows = self.all_rows(rules, component, round, &mut statement)?;
        let table = self.context.table(predicate);
        let mut columns = columns(self.arity(predicate), "v.");
        for mark in self.marks(predicate) {
            let value = if mark == "round" { round } else { first as u64 };
            columns.push(value.to_string());
        }
        statement.sql = format!(
            "insert into {table} select {} from ({rows}) as v",
            columns.join(", ")
        );
        if !is_empty {
            let same: Vec<String> = (1..=self.arity(predicate))
                .map(|n| format!("known.c{n} = v.c{n}"))
                .collect();
            let same = if same.is_empty() {
                "true".to_string()
            } else {
                same.join(" and ")
            };
            // DuckDB carries this out faster than `not exists`.
            statement.sql += &format!(" left join {table} as known on {same} where known.round is null");
        }
        Some((predicate, used(statement)))
    }

    /// The tuples that follow by `rules`, as a query without duplicates.
    fn all_rows(
        &self,
        rules: &[(usize, Option<usize>)],
        component: &Component,
        round: u64,
        statement: &mut Statement,
    ) -> Option<String> {
        let clauses = || rules.iter().map(|&(rule, _)| self.clause(rule));
        let are_apart = clauses().enumerate().all(|(at, clause)| {
            let mut others = clauses().skip(at + 1);
            others.all(|other| clause.excludes(other) || other.excludes(clause))
        });
        let mut all = Vec::new();
        for &(rule, delta) in rules {
            let read = |place: usize, called: usize| match delta {
                Some(delta) if component.predicates.contains(&called) => {
                    Read::Rounds(match place.cmp(&delta) {
                        std::cmp::Ordering::Equal => format!("= {}", round - 1),
                        std::cmp::Ordering::Less => format!("< {}", round - 1),
                        std::cmp::Ordering::Greater => format!("< {round}"),
                    })
                }
                _ => Read::All,
            };
            let clause = self.clause(rule);
            let forms = self.forms(self.rules[rule].0);
            let rows = if !are_apart && !clause.has_aggregate() {
                let rows = self.context.repeated_rows(clause, &forms, &read, statement);
                rows.map(|rows| format!("select {rows}"))
            } else {
                self.context.rows(clause, &forms, &read, statement)
            };
            all.extend(rows);
        }
        match all.len() {
            0 => None,
            1 if !are_apart => Some(format!("select distinct * from ({}) as v", all.remove(0))),
            1 => all.pop(),
            _ if are_apart => Some(format!("({})", all.join(") union all ("))),
            _ => Some(format!("({})", all.join(") union ("))),
        }
    }

    /// The only recursive rule of a component of one predicate, if it calls that once, and no proof needs rounds.
    pub(super) fn repeated(&self, component: &Component) -> Option<usize> {
        let &[predicate] = component.predicates.as_slice() else {
            return None;
        };
        let calls = |rule: usize| {
            let goals = self.clause(rule).goals();
            goals.filter(|&(_, called, _)| called == predicate).count()
        };
        let mut recursive =
            (0..self.rules.len()).filter(|&rule| self.rules[rule].0 == predicate && calls(rule) > 0);
        let rule = recursive.next()?;
        let is_one = recursive.next().is_none() && calls(rule) == 1;
        (is_one && !self.proofs && self.arity(predicate) > 0).then_some(rule)
    }

    /// All tuples that follow by the rules `first` and then by `repeated`, in one statement that the engine repeats itself. It
    /// adds at most `most`.
    pub(super) fn closed(
        &self,
        first: &[(usize, Option<usize>)],
        repeated: usize,
        component: &Component,
        round: u64,
        most: u64,
    ) -> Option<(usize, Statement)> {
        let predicate = self.rules[repeated].0;
        let table = self.context.table(predicate);
        let name = quoted(&format!("{}_{predicate}_closed", self.context.prefix));
        let read = |_: usize, called: usize| {
            if called == predicate {
                Read::From(name.clone())
            } else {
                Read::All
            }
        };
        let forms = self.forms(predicate);
        let mut statement = Statement::default();
        let begin = self.all_rows(first, component, round, &mut statement)?;
        let clause = self.clause(repeated);
        let Some(rows) = self.context.repeated_rows(clause, &forms, &read, &mut statement) else {
            return self.insert(first, component, round, true);
        };
        let columns = columns(forms.len(), "").join(", ");
        // Postgres wants the same types on both sides.
        let cast = |(index, form): (usize, &Form)| format!("cast(n.c{} as {})", index + 1, form.sql());
        let cast: Vec<String> = forms.iter().enumerate().map(cast).collect();
        let cast = cast.join(", ");
        statement.sql = format!(
            "insert into {table} with recursive {name}({columns}) as (select {cast} from ({begin}) as n union select {cast} \
             from (select {rows}) as n) select * from {name} limit {most}"
        );
        Some((predicate, used(statement)))
    }
}

/// The names of the columns of a derived table's arguments, after `alias`.
fn columns(arity: usize, alias: &str) -> Vec<String> {
    (1..=arity).map(|n| format!("{alias}c{n}")).collect()
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
