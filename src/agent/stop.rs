//! Why a run ends before what it runs does.

/// All hold a plain sentence.
#[derive(Debug, Clone, PartialEq)]
pub enum Stop {
    /// A budget is spent.
    Broken(String),
    /// The run took too long, or its engine is gone.
    Late(String),
    /// What happened is no part of the recording, or could not be recorded.
    Unrecorded(String),
}
