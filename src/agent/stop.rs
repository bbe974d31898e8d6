//! Why a run ends early.

/// Each holds a plain sentence.
#[derive(Debug, Clone, PartialEq)]
pub enum Stop {
    /// A budget is exhausted.
    Broken(String),
    /// The run took too long, or its engine is gone.
    Late(String),
    /// What happened is not in the recording, or could not be recorded.
    Unrecorded(String),
}
