//! Why a run cannot be resumed.

use std::fmt;

/// Why a run cannot be resumed, as programs and people see it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Refused {
    pub kind: RefusedKind,
    pub message: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RefusedKind {
    /// The book keeps no run of this name.
    NoSuchRun,
    /// It waits for several answers, and none was named.
    SeveralInterrupts,
    /// It does not wait there, for instance because that was answered.
    NotWaiting,
    /// Somebody runs it now.
    Running,
    /// It is over.
    Ended,
    /// The text is not that which the run went through.
    ChangedText,
    /// The answer, or the checkpoint, is none.
    Invalid,
}

impl RefusedKind {
    pub const ALL: [RefusedKind; 7] = [
        RefusedKind::NoSuchRun,
        RefusedKind::SeveralInterrupts,
        RefusedKind::NotWaiting,
        RefusedKind::Running,
        RefusedKind::Ended,
        RefusedKind::ChangedText,
        RefusedKind::Invalid,
    ];

    /// The name that hosts see.
    pub fn word(self) -> &'static str {
        match self {
            RefusedKind::NoSuchRun => "no_such_run",
            RefusedKind::SeveralInterrupts => "several_interrupts",
            RefusedKind::NotWaiting => "not_waiting",
            RefusedKind::Running => "running",
            RefusedKind::Ended => "ended",
            RefusedKind::ChangedText => "changed_text",
            RefusedKind::Invalid => "invalid_argument",
        }
    }

    /// The refusal with this message.
    pub fn because(self, message: impl Into<String>) -> Refused {
        Refused {
            kind: self,
            message: message.into(),
        }
    }
}

impl fmt::Display for Refused {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.message)
    }
}

impl From<Refused> for String {
    fn from(refused: Refused) -> String {
        refused.message
    }
}
