//! What is read of the data by and by: a host numbers it, and closes it when it is told to.

use std::rc::Rc;
use std::sync::atomic::AtomicU64;

use super::DataHost;
use hornbook_data::rules::{self, answer_rows};
use hornbook_data::{Cell, Joined, Relation};

/// Rows of the first batch of a goal, which often needs no more.
pub(super) const FIRST_ROWS: usize = 100;

/// The numbers of cursors: workspaces share a host.
pub(super) static CURSORS: AtomicU64 = AtomicU64::new(1);

/// A statement that is not read to its end.
pub(super) struct Cursor {
    pub query: u64,
    pub of: Of,
    /// The session whose tables it reads.
    pub session: Option<u64>,
    /// How many rows the next batch has.
    pub rows: usize,
}

/// What rows are of.
pub(super) enum Of {
    Relation(Rc<Relation>),
    /// A relation, by the name that people use, whose rows say where they are.
    Placed(Rc<Relation>, String),
    Joined(Joined),
    /// A goal over rules, whose columns are of these kinds.
    Answers(Rc<[Option<rules::Kind>]>),
}

impl Of {
    /// Take the mark of the end off these rows, which `more` follow. Returns whether all are read.
    pub fn take_end(&self, rows: &mut Vec<Vec<Cell>>, more: bool) -> Result<bool, String> {
        match self {
            Of::Relation(relation) | Of::Placed(relation, _) => relation.take_end(rows, more),
            Of::Joined(joined) => joined.take_end(rows, more),
            Of::Answers(_) => Ok(!more),
        }
    }

    pub fn text(&self, rows: &[Vec<Cell>]) -> Result<String, String> {
        match self {
            Of::Relation(relation) => relation.rows(rows),
            Of::Placed(relation, of) => relation.placed_rows(of, rows),
            Of::Joined(joined) => joined.rows(rows),
            Of::Answers(columns) => answer_rows(columns, rows),
        }
    }
}

/// Closes a cursor when it is dropped, unless it goes on.
pub(super) struct Reading<'a> {
    host: &'a Rc<dyn DataHost>,
    cursor: Option<u64>,
}

impl<'a> Reading<'a> {
    pub fn of(host: &'a Rc<dyn DataHost>, cursor: u64) -> Self {
        let cursor = Some(cursor);
        Reading { host, cursor }
    }

    pub fn goes_on(mut self) {
        self.cursor = None;
    }
}

impl Drop for Reading<'_> {
    fn drop(&mut self) {
        if let Some(cursor) = self.cursor {
            self.host.close(cursor);
        }
    }
}
