//! What is made of all answers of a conjunction, where SQL has exactly that.

use serde::Deserialize;

use super::super::Argument;
use super::super::cells::{Cell, is_integer};
use super::super::source::{From, Kind};
use super::super::view::is_wide;
use super::{Called, Literal, Making, value};
use crate::sql::Statement;

/// What is made of all answers of a conjunction. A number is that of a variable, of which the columns are integers.
#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Aggregate {
    Count,
    Sum(Argument),
    Max(Argument),
    Min(Argument),
}

impl Aggregate {
    /// The statement for the result over these goals: its row is what `result` reads. `None` if SQL cannot say it
    /// exactly.
    pub fn statement(&self, literals: &[Literal<Called>]) -> Option<Statement> {
        let mut making = Making {
            is_exact: true,
            ..Making::default()
        };
        making.take(literals);
        if making.parts.len() < literals.len() || making.has_more || making.is_empty {
            return None;
        }
        let (function, of) = match self {
            Aggregate::Count => ("count", None),
            Aggregate::Sum(of) => ("sum", Some(of)),
            Aggregate::Max(of) => ("max", Some(of)),
            Aggregate::Min(of) => ("min", Some(of)),
        };
        let column = match of {
            Some(of) => {
                let (table, at) = making.place(of)?;
                let (relation, column) = making.column_of(table, at);
                let is_integer = relation.kind(column) == Kind::Integer && !is_wide(&column.type_name);
                is_integer.then(|| value(table, at))?
            }
            None => "1".to_owned(),
        };
        let undecided = match making.undecided.is_empty() {
            true => "0".to_owned(),
            false => format!("count(CASE WHEN {} THEN 1 END)", making.undecided.join(" OR ")),
        };
        let mut columns = vec![
            "count(*)".to_owned(),
            undecided,
            format!("count({column})"),
            format!("{function}({column})"),
        ];
        // Of a text, the engine sees only what does not fit in a column that it reads.
        for (number, table) in making.tables.iter().enumerate() {
            if let From::Csv { .. } | From::Json(_) = table.of.relation.from {
                let all = 0..table.of.relation.columns.len();
                columns.extend(all.map(|at| format!("count({})", value(number, at))));
            }
        }
        let read: Vec<String> = { columns.iter().enumerate() }
            .map(|(at, column)| format!("CAST({column} AS VARCHAR) AS c{at}"))
            .collect();
        let sql = format!("SELECT {}{}", read.join(", "), making.source(false));
        Some(Statement {
            sql,
            ..making.statement
        })
    }

    /// The result that a row of its statement says, as the text of a term: `value(Result)`, `none` if there is none, or
    /// `apart` if Prolog has to look at the answers.
    ///
    /// # Errors
    /// It is no such row.
    pub fn result(&self, row: &[Cell]) -> Result<String, String> {
        let text = |cell: &Cell| match cell.is_null() {
            true => Some(String::new()),
            false => cell.clone().into_text(),
        };
        let texts: Option<Vec<String>> = row.iter().take(4).map(text).collect();
        let [rows, undecided, numbers, result] = texts
            .and_then(|texts| <[String; 4]>::try_from(texts).ok())
            .ok_or("the result of an aggregate is missing")?;
        Ok(match self {
            _ if undecided != "0" || numbers != rows => "apart".to_owned(),
            Aggregate::Count => format!("value({rows})"),
            Aggregate::Sum(_) if rows == "0" => "value(0)".to_owned(),
            Aggregate::Max(_) | Aggregate::Min(_) if rows == "0" => "none".to_owned(),
            _ if is_integer(&result) => format!("value({result})"),
            _ => return Err("the result of an aggregate is no integer".to_owned()),
        })
    }
}
