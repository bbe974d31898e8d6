//! Goals next to one another as one statement (`docs/data.md`).
//!
//! A statement returns at least the rows of the answers, in Prolog's order where files have one. Prolog unifies them with
//! the goals and runs the comparisons again. A row of which Prolog has to decide a comparison, which may be an error,
//! comes up whatever the goals behind it have: their tables are joined to the left then.

mod aggregate;
mod comparisons;
mod equality;

pub use aggregate::Aggregate;

use std::collections::BTreeMap;
use std::fmt::Write;
use std::rc::Rc;

use serde::Deserialize;

use super::cells::{Cell, END, take_end};
use super::source::{Column, From};
use super::{Argument, Condition, Relation, numeric};
use crate::sql::{Dialect, Statement};
use equality::Exactness;

/// Tables in a statement: an engine needs long to find the order in which to join more.
pub const MOST_TABLES: usize = 8;

/// Pairs of rows that comparisons alone may join, all of which an engine holds to sort them.
const MOST_PAIRS: usize = 10_000_000;

/// A goal of a conjunction: `G` is that of a linked predicate.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Literal<G> {
    Goal(G),
    /// `\+` of a goal.
    Not(G),
    /// A comparison of numbers or of terms: its operator and its sides.
    Compare(String, Argument, Argument),
    /// `member(Element, List)`.
    Member(Argument, Vec<Argument>),
}

/// A linked predicate that is called.
#[derive(Clone, Debug)]
pub struct Called {
    pub relation: Rc<Relation>,
    pub arguments: Vec<Argument>,
    /// The source that has its table.
    pub source: String,
}

/// What a statement has of a conjunction.
#[derive(Clone, Debug)]
pub struct Joined {
    /// `None` if there are no rows.
    pub statement: Option<Statement>,
    /// What it has of each goal, from the first on. The goals behind them stay Prolog's.
    /// Asks for `'1'` if the engine holds the pairs of rows that are joined by comparisons alone; `None` if it need not.
    pub pairs: Option<Statement>,
    parts: Vec<Part>,
    has_end: bool,
}

#[derive(Clone, Debug)]
enum Part {
    /// The row of a table: its columns, then, if it may be missing, one that is not null if it is there.
    Row {
        relation: Rc<Relation>,
        is_optional: bool,
    },
    /// A negation: one column, which is null where Prolog has to look.
    Denied,
    /// Prolog checks it.
    Check,
}

/// A table of a statement.
struct Table<'a> {
    of: &'a Called,
    /// Conditions on its rows alone.
    conditions: Vec<String>,
    /// What joins it with those before it.
    on: Vec<String>,
    /// How many comparisons before it Prolog may have to decide.
    undecided: usize,
}

/// A statement that is being made.
#[derive(Default)]
struct Making<'a> {
    tables: Vec<Table<'a>>,
    /// The column that binds a variable: the number of its table, and its own.
    bound: BTreeMap<&'a str, (usize, usize)>,
    /// When Prolog has to decide a comparison.
    undecided: Vec<String>,
    conditions: Vec<String>,
    columns: Vec<String>,
    parts: Vec<Part>,
    statement: Statement,
    is_empty: bool,
    /// Its rows are to be the answers, and no more.
    is_exact: bool,
    /// It would have more.
    has_more: bool,
    /// Tables may be joined by comparisons alone.
    pairs: bool,
    /// The tables that are, and the first.
    paired: Vec<usize>,
}

/// The statement for as many of these goals as it can have, from the first on, whose tables one engine has.
/// `None` if the first is no goal. Without `pairs`, all tables are joined by equal columns.
pub fn joined(literals: &[Literal<Called>], pairs: bool) -> Option<Joined> {
    let mut making = Making {
        pairs,
        ..Making::default()
    };
    making.take(literals);
    making.made()
}

impl<'a> Making<'a> {
    /// Take these goals, from the first on, until one that is not for the statement.
    fn take(&mut self, literals: &'a [Literal<Called>]) {
        for (at, literal) in literals.iter().enumerate() {
            if matches!(literal, Literal::Goal(_) | Literal::Not(_)) && self.count() == MOST_TABLES {
                return;
            }
            let parameters = self.statement.parameters.len();
            let taken = match literal {
                Literal::Goal(of) => self.goal(of, &literals[at + 1..]),
                _ if self.tables.is_empty() => None,
                Literal::Not(of) => Some(self.negation(of)),
                Literal::Compare(operator, left, right) => match numeric::operator(operator) {
                    Some(operator) => self.numbers(operator, left, right),
                    None => self.values(operator, left, right),
                },
                Literal::Member(element, list) => self.member(element, list),
            };
            let Some(part) = taken else {
                self.statement.parameters.truncate(parameters);
                return;
            };
            self.parts.push(part);
            if self.is_empty {
                return;
            }
        }
    }

    /// How many tables it has.
    fn count(&self) -> usize {
        let has_table = |part: &&Part| !matches!(part, Part::Check);
        self.parts.iter().filter(has_table).count()
    }

    fn goal(&mut self, of: &'a Called, behind: &[Literal<Called>]) -> Option<Part> {
        let relation = &*of.relation;
        let number = self.tables.len();
        let (conditions, is_possible) = self.known(of);
        let mut on = Vec::new();
        let mut own = BTreeMap::new();
        for (at, (column, argument)) in relation.columns.iter().zip(&of.arguments).enumerate() {
            let Argument::Variable(name) = argument else {
                continue;
            };
            let Some((table, other)) = self.bound.get(&**name).copied() else {
                own.entry(&**name).or_insert((number, at));
                continue;
            };
            let one = self.column(table, other);
            match relation.equal(one, (column, value(number, at)), self.exactness()) {
                Some(equal) => on.push(equal),
                None => self.has_more = true,
            }
        }
        // All pairs of rows may be more than an engine holds; it counts them where it need not hold them.
        if number > 0 && on.is_empty() && is_possible && !self.is_exact {
            if !self.pairs || !self.is_compared(of, behind) {
                return None;
            }
            if self.paired.is_empty() {
                self.paired.push(0);
            }
            self.paired.push(number);
        }
        if !is_possible {
            self.is_empty = self.undecided.is_empty();
            on.push("1 = 0".to_owned());
        }
        self.bound.extend(own);
        let is_optional = !self.undecided.is_empty();
        for (at, column) in relation.columns.iter().enumerate() {
            self.columns.push(relation.read(column, &value(number, at)));
        }
        if is_optional {
            self.columns.push(format!("t{number}.here"));
            let here = format!("t{number}.here IS NOT NULL");
            self.require(here);
        }
        self.tables.push(Table {
            of,
            conditions,
            on,
            undecided: self.undecided.len(),
        });
        Some(Part::Row {
            relation: of.relation.clone(),
            is_optional,
        })
    }

    /// Whether a comparison behind a goal, before the next, has a number of its row and one of a row before it.
    fn is_compared(&self, of: &Called, behind: &[Literal<Called>]) -> bool {
        let relation = &of.relation;
        let own = |argument: &Argument| {
            let is_variable = matches!(argument, Argument::Variable(_));
            let at = of.arguments.iter().position(|one| is_variable && one == argument);
            at.is_some_and(|at| relation.numeric(&relation.columns[at], "").is_some())
        };
        let before = |argument: &Argument| {
            self.place(argument).is_some_and(|(table, at)| {
                let (relation, column) = self.column_of(table, at);
                relation.numeric(column, "").is_some()
            })
        };
        // None of these ends the statement.
        let is_passed = |literal: &&Literal<Called>| match literal {
            Literal::Compare(operator, ..) => operator != "=" && numeric::operator(operator).is_none(),
            literal => matches!(literal, Literal::Not(_)),
        };
        let Some(Literal::Compare(operator, left, right)) = behind.iter().find(|one| !is_passed(one)) else {
            return false;
        };
        numeric::operator(operator).is_some() && (own(left) && before(right) || before(left) && own(right))
    }

    /// How many pairs of rows there are of tables that are joined by comparisons alone, if the engine holds all rows.
    fn pairs(&self, has_end: bool) -> Option<Statement> {
        if self.paired.is_empty() || !has_end {
            return None;
        }
        let counts: Vec<String> = { self.paired.iter() }
            .map(|number| {
                let rows = self.tables[*number].of.relation.rows_that("", &[]);
                format!("(SELECT CAST(count(*) AS DOUBLE) FROM ({rows}) AS t)")
            })
            .collect();
        Some(Statement {
            sql: format!(
                "SELECT CASE WHEN {} <= {MOST_PAIRS} THEN '1' ELSE '0' END",
                counts.join(" * ")
            ),
            ..Statement::default()
        })
    }

    /// The conditions on the rows of a table for the arguments that are known, and whether any row can match.
    fn known(&mut self, of: &Called) -> (Vec<String>, bool) {
        let mut conditions = Vec::new();
        for (at, (column, argument)) in of.relation.columns.iter().zip(&of.arguments).enumerate() {
            if let Argument::Variable(_) = argument {
                if let Some(other) = of.arguments[..at].iter().position(|other| other == argument) {
                    self.has_more = true;
                    conditions.extend(of.relation.same(other, at));
                }
                continue;
            }
            self.has_more |= !of.relation.is_exact(column, argument);
            match of.relation.condition(column, argument, &mut self.statement) {
                Condition::All => {}
                Condition::None => return (vec!["1 = 0".to_owned()], false),
                Condition::If(text) => conditions.push(text),
            }
        }
        (conditions, true)
    }

    /// What Prolog would ask for each row, if the statement cannot say it exactly.
    fn negation(&mut self, of: &'a Called) -> Part {
        let parameters = self.statement.parameters.len();
        let Some(denied) = self.denied(of) else {
            self.statement.parameters.truncate(parameters);
            self.has_more = true;
            return Part::Check;
        };
        self.columns.push(match self.undecided.is_empty() {
            true => "'1'".to_owned(),
            false => format!("CASE WHEN {} THEN NULL ELSE '1' END", self.undecided.join(" OR ")),
        });
        self.require(denied);
        Part::Denied
    }

    fn denied(&mut self, of: &'a Called) -> Option<String> {
        let relation = &*of.relation;
        let number = self.tables.len() + self.parts.len();
        let mut on = Vec::new();
        let mut conditions = Vec::new();
        for (at, (column, argument)) in relation.columns.iter().zip(&of.arguments).enumerate() {
            match argument {
                Argument::Variable(name) => match self.bound.get(&**name).copied() {
                    Some((table, other)) => {
                        let one = self.column(table, other);
                        let other = (column, format!("n{number}.v{at}"));
                        on.push(relation.equal(one, other, Exactness::Exact)?);
                    }
                    None if of.arguments.iter().filter(|other| *other == argument).count() == 1 => {}
                    None => return None,
                },
                known if relation.is_exact(column, known) => {
                    match relation.condition(column, known, &mut self.statement) {
                        Condition::All => return None,
                        Condition::None => return Some("1 = 1".to_owned()),
                        Condition::If(text) => conditions.push(text),
                    }
                }
                _ => return None,
            }
        }
        let rows = relation.rows_that("", &conditions);
        let on = if on.is_empty() {
            "1 = 1".to_owned()
        } else {
            on.join(" AND ")
        };
        Some(format!(
            "NOT EXISTS (SELECT 1 FROM ({rows}) AS n{number} WHERE {on})"
        ))
    }

    /// A condition on rows of several tables, except where Prolog has to decide a comparison before it.
    fn require(&mut self, condition: String) {
        let condition = match self.undecided.is_empty() {
            true => condition,
            false => format!("({} OR {condition})", self.undecided.join(" OR ")),
        };
        self.conditions.push(condition);
    }

    /// Prolog may have to decide a comparison.
    fn decide(&mut self, when: Option<String>) {
        if let Some(when) = when
            && !self.undecided.contains(&when)
        {
            self.undecided.push(when);
        }
    }

    fn exactness(&self) -> Exactness {
        match self.is_exact {
            true => Exactness::Exact,
            false => Exactness::AtLeast,
        }
    }

    fn place(&self, argument: &Argument) -> Option<(usize, usize)> {
        match argument {
            Argument::Variable(name) => self.bound.get(&**name).copied(),
            _ => None,
        }
    }

    fn column_of(&self, table: usize, at: usize) -> (&'a Relation, &'a Column) {
        let relation = &*self.tables[table].of.relation;
        (relation, &relation.columns[at])
    }

    fn column(&self, table: usize, at: usize) -> (&'a Column, String) {
        (self.column_of(table, at).1, value(table, at))
    }

    /// What stands after the columns of the statement.
    fn source(&self, has_order: bool) -> String {
        let mut sql = String::new();
        for (number, table) in self.tables.iter().enumerate() {
            let mut more = String::new();
            if table.undecided > 0 {
                more.push_str(", '1' AS here");
            }
            if has_order {
                more.push_str(", row_number() OVER () AS place");
            }
            let rows = table.of.relation.rows_that(&more, &table.conditions);
            let join = match (number, table.undecided) {
                (0, _) => " FROM",
                (_, 0) => " JOIN",
                _ => " LEFT JOIN",
            };
            let _ = write!(sql, "{join} ({rows}) AS t{number}");
            if number > 0 {
                let on = if table.on.is_empty() {
                    "1 = 1".to_owned()
                } else {
                    table.on.join(" AND ")
                };
                let _ = write!(sql, " ON {on}");
            }
        }
        if !self.conditions.is_empty() {
            let _ = write!(sql, " WHERE {}", self.conditions.join(" AND "));
        }
        sql
    }

    fn made(mut self) -> Option<Joined> {
        let dialect = self.tables.first()?.of.relation.dialect;
        let has_end = dialect == Dialect::DuckDb;
        let is_file = |table: &Table| !matches!(table.of.relation.from, From::Table(_));
        let is_sorted = self.tables.len() > 1 && has_end;
        let has_order = is_sorted && self.tables.iter().all(is_file);
        let nulls = "NULL, ".repeat(self.columns.len());
        if dialect == Dialect::Sqlite {
            for (at, column) in self.columns.iter_mut().enumerate() {
                // Read by names that are not numbers.
                let _ = write!(column, " AS c{at}");
            }
        }
        let mut sql = format!("SELECT {}", self.columns.join(", "));
        let mut order = Vec::new();
        if is_sorted {
            sql = String::from("SELECT ");
            for (at, column) in self.columns.iter().enumerate() {
                let _ = write!(sql, "{column} AS c{at}, ");
            }
            sql.push_str("NULL AS ended");
            order.push("ended NULLS FIRST".to_owned());
            if has_order {
                for number in 0..self.tables.len() {
                    let _ = write!(sql, ", t{number}.place AS o{number}");
                    order.push(format!("o{number} NULLS LAST"));
                }
            }
        } else if has_end {
            sql.push_str(", NULL");
        }
        sql.push_str(&self.source(has_order));
        if has_end {
            let _ = write!(sql, " UNION ALL SELECT {nulls}'{END}'");
        }
        if is_sorted {
            let places = if has_order {
                ", NULL".repeat(self.tables.len())
            } else {
                String::new()
            };
            let columns: Vec<String> = (0..self.columns.len()).map(|at| format!("c{at}, ")).collect();
            sql = format!(
                "SELECT {}ended FROM ({sql}{places}) AS found ORDER BY {}",
                columns.concat(),
                order.join(", ")
            );
        }
        self.statement.sql = sql;
        Some(Joined {
            pairs: self.pairs(has_end),
            statement: (!self.is_empty).then_some(self.statement),
            parts: self.parts,
            has_end,
        })
    }
}

impl Joined {
    /// What Prolog is to do with each goal, as the text of a list.
    pub fn parts(&self) -> String {
        let parts: Vec<&str> = { self.parts.iter() }
            .map(|part| match part {
                Part::Row { .. } => "row",
                Part::Denied => "denied",
                Part::Check => "check",
            })
            .collect();
        format!("[{}]", parts.join(","))
    }

    /// As `Relation::take_end`.
    ///
    /// # Errors
    /// The rows end without it.
    pub fn take_end(&self, rows: &mut Vec<Vec<Cell>>, more: bool) -> Result<bool, String> {
        take_end(self.has_end, rows, more)
    }

    /// The rows as the text of a list of lists: of each goal with columns the list of its arguments, `none` if its row
    /// is missing; of a negation `true`, or `none` if Prolog has to look.
    ///
    /// # Errors
    /// The value that cannot be read.
    pub fn rows(&self, rows: &[Vec<Cell>]) -> Result<String, String> {
        let mut out = String::from("[");
        for (at, row) in rows.iter().enumerate() {
            out.push_str(if at > 0 { ",[" } else { "[" });
            let mut cells = &row[..];
            let mut is_first = true;
            for part in &self.parts {
                let count = match part {
                    Part::Row {
                        relation,
                        is_optional,
                    } => relation.columns.len() + usize::from(*is_optional),
                    Part::Denied => 1,
                    Part::Check => continue,
                };
                out.push_str(if is_first { "" } else { "," });
                is_first = false;
                let (own, rest) = cells.split_at_checked(count).ok_or("a row is too short")?;
                cells = rest;
                match (part, own.last()) {
                    (Part::Denied, Some(Cell::Null | Cell::Typed(crate::Value::Null)))
                    | (
                        Part::Row {
                            is_optional: true, ..
                        },
                        Some(Cell::Null | Cell::Typed(crate::Value::Null)),
                    ) => out.push_str("none"),
                    (Part::Row { relation, .. }, _) => relation.push_row(&mut out, own)?,
                    _ => out.push_str("true"),
                }
            }
            out.push(']');
        }
        out.push(']');
        Ok(out)
    }
}

fn value(table: usize, at: usize) -> String {
    format!("t{table}.v{at}")
}

#[cfg(test)]
mod tests;
