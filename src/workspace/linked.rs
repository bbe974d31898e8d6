//! Goals over data that stays where it is (`docs/data.md`): the host has the data, and carries statements and rows.

mod asked;
mod cursors;
mod derived;
mod join;
mod questions;
mod sets;
mod sources;

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::atomic::Ordering;

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use serde::Deserialize;
use serde_json::Value;

use super::Workspace;
use super::links::Links;
use cursors::{CURSORS, Cursor, FIRST_ROWS, Of, Reading};
use hornbook_base::{Clock, Limits};
use hornbook_data::{Aggregate, Argument, Cell, Literal};
use hornbook_engine::protocol::{self, quote};
use sources::{Known, Source};

/// The data that the host names. Requests and results are JSON; what fails is a sentence for people, without secrets.
pub trait DataHost {
    /// What a source consists of, as JSON: its dialect, its files by their format, and a mark that changes with them.
    fn describe(&self, request: String) -> LocalBoxFuture<'static, Result<String, String>>;
    /// Run a statement, whose rows `cursor` reads.
    fn open(&self, cursor: u64, request: String) -> LocalBoxFuture<'static, Result<(), String>>;
    /// The next rows of a cursor, at most this many, and of at most so many bytes of JSON.
    fn fetch(
        &self,
        cursor: u64,
        most: usize,
        bytes: usize,
    ) -> LocalBoxFuture<'static, Result<String, String>>;
    /// Begin a session: a connection to an engine that reads some sources, with temporary tables of its own. False if
    /// there is no such engine.
    fn begin(&self, session: u64, request: String) -> LocalBoxFuture<'static, Result<bool, String>>;
    /// Run a statement that changes the tables of a session, and say how many rows it added.
    fn change(&self, session: u64, request: String) -> LocalBoxFuture<'static, Result<u64, String>>;
    /// What a relation of the host answers to what is known; [`DataHost::close`] of this number cancels it.
    fn ask(&self, number: u64, request: String) -> LocalBoxFuture<'static, Result<String, String>>;
    /// Stop reading, or end a session or a question, at once; there may be none of this number any more.
    fn close(&self, number: u64);
}

impl Workspace {
    /// Set what has the data that goals may ask. Call once, before any query.
    pub fn link_data(&self, host: Rc<dyn DataHost>) {
        let linked = Linked {
            host,
            limits: self.0.limits.clone(),
            clock: self.0.clock.clone(),
            is_past: self.0.past.is_some(),
            may_record: !{ self.0.shelf.journal.as_ref() }.is_some_and(|journal| journal.is_read_only()),
            known: RefCell::default(),
            open: RefCell::default(),
            sets: RefCell::default(),
            answers: RefCell::default(),
        };
        let set = self.0.linked.set(Rc::new(linked));
        assert!(set.is_ok(), "the data of the host is set once");
    }
}

/// What this book knows of the data, and the cursors that its queries read.
pub(super) struct Linked {
    host: Rc<dyn DataHost>,
    limits: Limits,
    clock: Rc<dyn Clock>,
    /// The book is one as it was: relations of the host are what is recorded of them, and the host is not asked.
    is_past: bool,
    /// Whether this process may write the book.
    may_record: bool,
    /// By the source, and the table if it has several.
    known: RefCell<BTreeMap<Vec<String>, Known>>,
    open: RefCell<BTreeMap<u64, Cursor>>,
    sets: RefCell<sets::Sets>,
    answers: RefCell<asked::Answers>,
}

/// A question of the engine: a goal, goals next to one another, the next rows of one, or the names of the columns of a
/// table.
#[derive(Deserialize)]
#[serde(untagged)]
enum Question {
    Goal(Goal),
    Join {
        join: Vec<Literal<Goal>>,
        aggregate: Option<Aggregate>,
    },
    More {
        cursor: u64,
    },
    Columns {
        columns: Vec<String>,
    },
}

/// A linked predicate that is called.
#[derive(Deserialize)]
struct Goal {
    data: Vec<String>,
    name: String,
    arguments: Vec<Argument>,
    /// Whether each row is to have one more argument, which says where it is.
    #[serde(default)]
    placed: bool,
    /// Whether it is tried with other values than a program has: what asks the world does not try.
    #[serde(default)]
    tried: bool,
    /// Whether the book has recorded an answer to it.
    #[serde(default)]
    recorded: bool,
    /// Whether the book may record what it reads.
    #[serde(default)]
    records: bool,
}

/// Rows that the host has read.
#[derive(Deserialize)]
struct Rows {
    rows: Vec<Vec<Cell>>,
    more: bool,
}

impl Links for Linked {
    fn answer(&self, query: u64, question: Value) -> LocalBoxFuture<'_, String> {
        async move {
            if !question["set"].is_null() {
                self.leave(&question);
                return self.set_answer(query, question).await;
            }
            match self.rows(query, question).await {
                Ok(text) => text,
                Err(why) => protocol::text_request("failed", &why),
            }
        }
        .boxed_local()
    }

    fn keep(&self, queries: &[u64]) {
        let mut gone = Vec::new();
        self.open.borrow_mut().retain(|number, cursor| {
            let stays = queries.contains(&cursor.query);
            if !stays {
                gone.push(*number);
            }
            stays
        });
        self.close(&gone);
        self.keep_sets(queries);
        self.keep_answers(queries);
    }

    fn columns<'a>(&'a self, from: &'a [String]) -> LocalBoxFuture<'a, Result<Vec<String>, String>> {
        async move {
            if let Source::Asked { asked } = self.described(from).await? {
                return Ok(asked.names().map(str::to_owned).collect());
            }
            let relation = self.relation(from).await?;
            Ok(relation
                .columns
                .iter()
                .map(|column| column.name.clone())
                .collect())
        }
        .boxed_local()
    }
}

impl Linked {
    /// Close the cursors that a question says are left.
    fn leave(&self, question: &Value) {
        let left = question["left"].as_array().into_iter().flatten();
        let left: Vec<u64> = left.filter_map(Value::as_u64).collect();
        for cursor in &left {
            self.open.borrow_mut().remove(cursor);
        }
        self.close(&left);
    }

    fn close(&self, cursors: &[u64]) {
        for cursor in cursors {
            self.host.close(*cursor);
        }
    }

    async fn rows(&self, query: u64, question: Value) -> Result<String, String> {
        self.leave(&question);
        match serde_json::from_value(question).map_err(|error| error.to_string())? {
            Question::Goal(goal) => self.begin(query, goal).await,
            Question::Join { join, aggregate } => self.join(query, join, aggregate).await,
            Question::More { cursor } => {
                let open = self.open.borrow_mut().remove(&cursor);
                let open = open.ok_or("what it read is closed: ask again")?;
                self.read(cursor, open).await
            }
            Question::Columns { columns } => {
                let relation = self.relation(&columns).await?;
                let mut text = String::from("columns([");
                for (at, column) in relation.columns.iter().enumerate() {
                    text.push_str(if at > 0 { "," } else { "" });
                    quote(&mut text, &column.name, '"');
                }
                Ok(text + "])")
            }
        }
    }

    async fn begin(&self, query: u64, goal: Goal) -> Result<String, String> {
        let Goal {
            data,
            name,
            arguments,
            placed,
            tried,
            recorded,
            records,
        } = goal;
        match self.described(&data).await? {
            Source::Tables(_) => {}
            Source::Asked { .. } if tried => return Ok("rows([],none)".to_owned()),
            Source::Asked { asked } => {
                let is_told = recorded && (self.is_past || !records);
                return self.ask(query, &asked, (data, name), &arguments, is_told).await;
            }
            Source::Unnamed { unnamed } => return Ok(protocol::text_request("unnamed", &unnamed)),
        }
        let relation = self.relation(&data).await?;
        if relation.columns.len() != arguments.len() {
            let columns = relation.columns.iter().map(|column| &*column.name);
            return Err(wrong_arity(columns, &data, &name, arguments.len()));
        }
        let Some(statement) = relation.select(&arguments, placed) else {
            return Ok("rows([],none)".to_owned());
        };
        let request = self.request(&data, Some(statement));
        let of = match placed {
            true => Of::Placed(relation, data.join(".")),
            false => Of::Relation(relation),
        };
        let opened = self.open(query, request, of).await;
        if opened.is_err() {
            // Its columns may be others now.
            self.known.borrow_mut().remove(&data);
        }
        opened
    }

    /// The rows of a statement.
    async fn open(&self, query: u64, request: String, of: Of) -> Result<String, String> {
        self.check_open()?;
        let cursor = CURSORS.fetch_add(1, Ordering::Relaxed);
        let reading = Reading::of(&self.host, cursor);
        self.host.open(cursor, request).await?;
        reading.goes_on();
        let open = Cursor {
            query,
            of,
            session: None,
            rows: FIRST_ROWS.min(self.limits.data_rows),
        };
        self.read(cursor, open).await
    }

    /// Whether one more goal may be open.
    fn check_open(&self) -> Result<(), String> {
        let most = self.limits.data_cursors;
        if self.open.borrow().len() >= most {
            return Err(format!(
                "{most} goals over linked data are open (limit: data_cursors): end them with once/1 or findall/3"
            ));
        }
        Ok(())
    }

    async fn read(&self, number: u64, cursor: Cursor) -> Result<String, String> {
        let host = &self.host;
        let reading = Reading::of(host, number);
        let Rows { mut rows, more } = self.fetch(number, cursor.rows).await?;
        let is_all = cursor.of.take_end(&mut rows, more)?;
        let text = cursor.of.text(&rows)?;
        if is_all {
            return Ok(format!("rows({text},none)"));
        }
        reading.goes_on();
        let rows = (cursor.rows * 4).min(self.limits.data_rows);
        self.open.borrow_mut().insert(number, Cursor { rows, ..cursor });
        Ok(format!("rows({text},more({number}))"))
    }

    async fn fetch(&self, cursor: u64, most: usize) -> Result<Rows, String> {
        let fetched = self
            .host
            .fetch(cursor, most, self.limits.data_batch_bytes)
            .await?;
        serde_json::from_str(&fetched).map_err(|error| error.to_string())
    }
}

/// That a predicate has not as many arguments as its table has columns.
fn wrong_arity<'a>(
    columns: impl Iterator<Item = &'a str>,
    data: &[String],
    name: &str,
    arity: usize,
) -> String {
    let columns: Vec<&str> = columns.collect();
    format!(
        "{} has {} columns, and {name} {arity} arguments: write `:- data({name}/{}, …)`. Its columns are {}",
        data.join("."),
        columns.len(),
        columns.len(),
        columns.join(", ")
    )
}

impl Drop for Linked {
    fn drop(&mut self) {
        let open: Vec<u64> = self.open.borrow().keys().copied().collect();
        self.close(&open);
    }
}
