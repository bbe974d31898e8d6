//! Access to the book for programs: their goals run there as queries.

use futures::future::LocalBoxFuture;
use serde::{Deserialize, Serialize};

/// A request to the book.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
#[serde(tag = "operation", rename_all = "snake_case")]
pub enum BookUse {
    /// Ask for the first answer to a goal, a text whose `variables` variables are `_B1`, `_B2`, and so on.
    Ask { goal: String, variables: usize },
    /// Ask for the next answer of a query.
    More { query: String },
    /// Close a query.
    Close { query: String },
}

/// The book's reply: an answer, an error, or neither if there is no answer.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
#[serde(default)]
pub struct BookReply {
    /// The values of the variables: a term `Values-Residual` as text, where `Values` is a list and `Residual`
    /// the residual goals.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub answer: Option<String>,
    /// Whether the answer is neither true nor false, by the well-founded semantics of the book's tabled negation.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<bool>"))]
    pub undefined: bool,
    /// The query to ask for more answers, if there may be more.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub query: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub error: Option<BookError>,
    /// What the goal wrote.
    #[serde(skip_serializing_if = "String::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<String>"))]
    pub output: String,
    /// Inferences that the goal took.
    #[serde(skip_serializing_if = "is_zero")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<u64>"))]
    pub inferences: u64,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS))]
pub struct BookError {
    /// As in tool replies, such as `unsafe_goal`; or `not_allowed`.
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

    /// The reply to a program that may not use the book.
    pub fn not_allowed() -> BookReply {
        let how = "it is open to programs with `hornbook run --book PATH`, `createDeepClause({ book })`, or the server's --dml-book";
        BookReply::error(
            "not_allowed",
            format!("This program may not use the book; {how}."),
        )
    }
}

/// The book, for one run. Dropping it closes the queries that the run left open.
pub trait ProgramBook {
    fn ask(&self, asked: &BookUse) -> LocalBoxFuture<'static, BookReply>;
    fn close(&self, query: &str);
}
