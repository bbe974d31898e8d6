//! The sources that the host names: what they consist of, and the columns of their tables.

use std::rc::Rc;
use std::sync::atomic::Ordering;

use serde::{Deserialize, Serialize};

use super::cursors::{CURSORS, Reading};
use super::{Linked, Rows, asked};
use hornbook_data::{Cell, Column, Dialect, From, Relation, Statement, columns, tables};

/// A line of CSV that is always read, of which a row may need few columns.
const LINE_BYTES: usize = 2 << 20;

/// Tables that an error names.
const SHOWN_TABLES: usize = 20;

/// A table as it was when its source had this mark.
pub(super) struct Known {
    pub mark: String,
    pub relation: Rc<Relation>,
}

/// A statement for the host, with the bounds on it.
#[derive(Serialize)]
pub(super) struct Request<'a> {
    pub source: &'a str,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub table: Option<&'a str>,
    /// All sources, if it reads several in one engine.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub sources: Vec<&'a str>,
    /// The session whose tables it reads.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub session: Option<u64>,
    #[serde(flatten)]
    pub statement: Option<Statement>,
    pub memory_bytes: usize,
    pub spill_bytes: usize,
    pub threads: usize,
    pub timeout_ms: u64,
}

impl Request<'_> {
    pub fn text(&self) -> String {
        serde_json::to_string(self).expect("it has only texts and numbers")
    }
}

/// What a source consists of.
#[derive(Deserialize)]
#[serde(untagged)]
pub(super) enum Source {
    Tables(Tables),
    Asked {
        asked: asked::Asked,
    },
    /// The host does not name it, as this sentence says.
    Unnamed {
        unnamed: String,
    },
}

#[derive(Deserialize)]
pub(super) struct Tables {
    dialect: Dialect,
    /// Its files, unless it is a database.
    from: Option<Files>,
    /// Is another when its files have changed.
    mark: String,
}

/// Files that are one table.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Files {
    Parquet(Vec<String>),
    Csv(Vec<String>),
    /// JSON Lines.
    Json(Vec<String>),
}

impl Linked {
    pub(super) async fn described(&self, data: &[String]) -> Result<Source, String> {
        let described = self.host.describe(self.request(data, None)).await?;
        serde_json::from_str(&described).map_err(|error| error.to_string())
    }

    pub(super) async fn relation(&self, data: &[String]) -> Result<Rc<Relation>, String> {
        let source = match self.described(data).await? {
            Source::Tables(source) => source,
            Source::Asked { .. } => {
                let from = data.join(":");
                return Err(format!(
                    "{from} is asked a row at a time, with what is known: it has no rows to join"
                ));
            }
            Source::Unnamed { unnamed } => return Err(unnamed),
        };
        if let Some(known) = self.known.borrow().get(data)
            && known.mark == source.mark
        {
            return Ok(known.relation.clone());
        }
        let dialect = source.dialect;
        let from = match (source.from, data) {
            (Some(Files::Parquet(paths)), [_]) => From::Parquet(paths),
            (Some(Files::Csv(paths)), [_]) => From::Csv {
                paths,
                line_bytes: self.limits.data_batch_bytes.max(LINE_BYTES),
            },
            (Some(Files::Json(paths)), [_]) => From::Json(paths),
            (Some(_), _) => {
                let name = &data[0];
                return Err(format!("{name} is one table: write `:- data(…, {name}).`"));
            }
            (None, _) => self.table_of(data, dialect).await?,
        };
        let listed = self.all_rows(data, columns(dialect, &from)).await?;
        let listed = listed.into_iter();
        let columns = listed.map(|[name, type_name]| Column::listed(&from, name, &type_name));
        let columns = columns.collect();
        let relation = Rc::new(Relation {
            dialect,
            from,
            columns,
        });
        let known = Known {
            mark: source.mark,
            relation: relation.clone(),
        };
        self.known.borrow_mut().insert(data.to_vec(), known);
        Ok(relation)
    }

    /// The table of a database that a program means: by its name, or by its schema and its name.
    async fn table_of(&self, data: &[String], dialect: Dialect) -> Result<From, String> {
        let all = self.all_rows(data, tables(dialect)).await?;
        let found: Vec<&[String; 2]> = match data {
            [_, asked] => {
                let is_meant =
                    |[schema, name]: &&[String; 2]| name == asked || format!("{schema}.{name}") == *asked;
                let found: Vec<_> = all.iter().filter(is_meant).collect();
                let usual = found
                    .iter()
                    .position(|[schema, _]| matches!(&**schema, "main" | "public"));
                usual.map_or(found.clone(), |at| vec![found[at]])
            }
            _ => all.iter().collect(),
        };
        let [[schema, name]] = found[..] else {
            let shown: Vec<String> = all
                .iter()
                .take(SHOWN_TABLES)
                .map(|[schema, name]| match &**schema {
                    "main" | "public" => name.clone(),
                    _ => format!("{schema}.{name}"),
                })
                .collect();
            let more = if all.len() > SHOWN_TABLES { ", …" } else { "" };
            let (source, listed) = (&data[0], shown.join(", "));
            return Err(match data {
                [_, asked] if found.is_empty() => {
                    format!("{source} has no table {asked}. Its tables are {listed}{more}")
                }
                [_, asked] => {
                    format!("{source} has several tables {asked}: write `{source}:'SCHEMA.{asked}'`")
                }
                _ if all.is_empty() => format!("{source} has no tables that can be read"),
                _ => format!("{source} has several tables: write `{source}:TABLE`. They are {listed}{more}"),
            });
        };
        let parts = [schema, name].map(String::clone);
        Ok(From::Table(match dialect {
            Dialect::DuckDb => [&["linked".to_owned()], &parts[..]].concat(),
            Dialect::Postgres | Dialect::Sqlite => parts.to_vec(),
        }))
    }

    /// All rows of a statement whose rows are two texts.
    async fn all_rows(&self, data: &[String], statement: Statement) -> Result<Vec<[String; 2]>, String> {
        let host = &self.host;
        let cursor = CURSORS.fetch_add(1, Ordering::Relaxed);
        let _reading = Reading::of(host, cursor);
        host.open(cursor, self.request(data, Some(statement))).await?;
        let mut all = Vec::new();
        loop {
            let Rows { rows, more } = self.fetch(cursor, self.limits.data_rows).await?;
            for row in rows {
                let texts: Vec<String> = row.into_iter().filter_map(Cell::into_text).collect();
                all.push(<[String; 2]>::try_from(texts).map_err(|_| "a name is missing".to_owned())?);
            }
            if !more {
                return Ok(all);
            }
        }
    }

    pub(super) fn request(&self, data: &[String], statement: Option<Statement>) -> String {
        let source = data.first().map_or("", String::as_str);
        self.bounded(source, data.get(1).map(String::as_str), statement)
            .text()
    }

    pub(super) fn bounded<'a>(
        &self,
        source: &'a str,
        table: Option<&'a str>,
        statement: Option<Statement>,
    ) -> Request<'a> {
        Request {
            source,
            table,
            sources: Vec::new(),
            session: None,
            statement,
            memory_bytes: self.limits.data_memory_bytes,
            spill_bytes: self.limits.data_spill_bytes,
            threads: self.limits.data_threads,
            timeout_ms: self.limits.longest_timeout_ms,
        }
    }
}
