//! What to do next about a fault, in terms of the tools.

use hornbook_base::{Fault, FaultKind};

/// A sentence; empty if the message already says it.
pub fn next_step(fault: &Fault) -> &str {
    match fault.next.as_str() {
        "" if fault.kind == FaultKind::PermissionError && !fault.message.contains("static procedure") => "",
        "" if says_how(fault) => "",
        "" => by_kind(fault.kind),
        next => next,
    }
}

/// Whether the message says what to do, or the advice of its kind would be about something else.
fn says_how(fault: &Fault) -> bool {
    let message = fault.message.as_str();
    match fault.kind {
        FaultKind::ExistenceError => {
            message.starts_with("Unknown ") && !message.starts_with("Unknown procedure")
        }
        FaultKind::ResourceError => {
            message.contains("too long to show") || message.contains("could not be answered")
        }
        FaultKind::PermissionError => message.contains("it is built in"),
        FaultKind::TypeError | FaultKind::DomainError => [
            "arithmetic",
            "a variable: call it with one",
            "Unknown function on dicts",
            "there is no directive",
            "CLP(FD)",
            "each takes a directive",
        ]
        .iter()
        .any(|known| message.contains(known)),
        _ => false,
    }
}

/// The advice for a kind of fault, used when the fault has none of its own.
fn by_kind(kind: FaultKind) -> &'static str {
    use FaultKind::*;
    match kind {
        SyntaxError => "Correct the text at the place given and send it again.",
        UnsafeGoal => "Use predicates that the sandbox allows; the help topic `security` lists them.",
        ExistenceError => "Define it first, or declare it with `:- dynamic name/arity.`",
        TypeError | DomainError => "Check the arguments of the goal that raised it.",
        InstantiationError => "Give the variable a value before the goal that needs it.",
        Undefined => {
            "Break the cycle through tnot/1; or take the goal into account as call_delays(Goal, Delays), where Delays is true only of what is true."
        }
        EvaluationError => "Check the arithmetic: a division by zero or an undefined value.",
        PermissionError => "Use another name: this predicate cannot be changed.",
        RepresentationError => "Use smaller or simpler terms.",
        ResourceError => "Make the problem smaller, or bound the search.",
        UncaughtException => "Catch it with catch/3, or find out why the program throws it.",
        Halted => "Leave the goal that ends the query out to keep what the others do.",
        Timeout => "Bound the search, ask for fewer answers at once, or give a longer timeout_ms.",
        Cancelled | InvalidArgument | ProgramError => "",
        NoSuchQuery => "Start a query with query_start.",
        QueryStopped => "Start it again with query_start.",
        QueryIdInUse => "Use another query_id, or end that query with query_close.",
        LimitReached => "Send less at once, or remove what is not needed.",
        FileError => "Check the name; files list shows what is imported.",
        FilePathViolation => "Use a path inside the allowed roots, or start the server with another --root.",
        NoRoots => "Give the contents as text, or start the server with --root.",
        AlreadyImported => "",
        NotImported => "files list shows what is imported.",
        NothingToUndo => "workspace history shows what was done.",
        NothingToRedo => "workspace history shows what was done; only what was undone last can be redone.",
        NoSuchRevision => "workspace history shows the revisions.",
        Conflict => "Ask again: the workspace has what the other process did.",
        ConstraintViolation => "Change the data so that the constraint holds, or retract the constraint.",
        ReadOnly => "Leave out what changes the book, or ask for the scope write.",
        StorageError => "Fix the storage problem that the message names, then retry.",
        OutOfMemory => "Keep less at once: bound the search, or ask for answers instead of collecting them.",
        TooDeep => "Use flatter terms, such as lists instead of terms within terms.",
        EngineHalted => "Leave out what ends Prolog, and ask again.",
        EngineEnded => "Ask again.",
        EngineDied => "Retry; if it happens again, remove the goal that crashes the engine.",
        BadReply => "Ask again, for fewer or smaller answers.",
        EngineUnavailable => "Ask again in a moment; workspace reset starts again with an empty book.",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_that_does_not_say_what_to_do_next_gets_the_advice_of_its_kind() {
        let fault = Fault::new(FaultKind::QueryIdInUse, "A query with the id a is open.");
        assert_eq!(
            next_step(&fault),
            "Use another query_id, or end that query with query_close."
        );
        assert_eq!(next_step(&fault.with_next("Wait.")), "Wait.");
        let no_roots = Fault::new(FaultKind::NoRoots, "File access is off.");
        assert!(next_step(&no_roots).contains("--root"));
        assert_eq!(
            serde_json::to_value(no_roots.kind).unwrap(),
            "file_path_violation"
        );
    }
}
