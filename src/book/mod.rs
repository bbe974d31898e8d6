//! The book.

/// A predicate indicator, `name/arity`.
#[derive(Debug, Clone, PartialEq, Eq, Hash, PartialOrd, Ord, serde::Serialize)]
pub struct Predicate {
    pub name: String,
    pub arity: u32,
}
