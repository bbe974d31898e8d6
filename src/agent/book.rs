//! The book that a program may use: its goals are asked there.

use futures::future::LocalBoxFuture;
use serde::{Deserialize, Serialize};

/// What is asked of the book.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "operation", rename_all = "snake_case")]
pub enum BookUse {
    /// The first answer of a goal, a text whose variables are `_B1`, `_B2`, and so on, so many.
    Ask { goal: String, variables: usize },
    /// The next answer of a query.
    More { query: String },
    /// No more answers are wanted of a query.
    Close { query: String },
}

/// What the book says: an answer, or an error, or neither where there is no answer.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(default)]
pub struct BookReply {
    /// The values of the variables: a term `Values-Residual` as text, `Values` a list, `Residual` the goals that hold of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// By which more answers are asked for, where there may be some.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<BookError>,
    /// What the goal wrote.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<String>"))]
    pub output: String,
    /// That it took.
    #[serde(skip_serializing_if = "is_zero")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<u64>"))]
    pub inferences: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct BookError {
    /// As in the replies of tools, as `unsafe_goal`; or `not_allowed`.
    pub kind: String,
    pub message: String,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl BookReply {
    pub fn error(kind: &str, message: impl Into<String>) -> BookReply {
        BookReply {
            error: Some(BookError {
                kind: kind.into(),
                message: message.into(),
            }),
            ..BookReply::default()
        }
    }

    /// To a program that may not use the book.
    pub fn not_allowed() -> BookReply {
        let how = "it is open to programs with `hornbook run --book PATH`, `createDeepClause({ book })`, or the server's --dml-book";
        BookReply::error(
            "not_allowed",
            format!("This program may not use the book; {how}."),
        )
    }
}

/// The book, for one run. Dropped, it closes the queries that the run has left open.
pub trait ProgramBook {
    fn ask(&self, asked: &BookUse) -> LocalBoxFuture<'static, BookReply>;
    fn close(&self, query: &str);
}
