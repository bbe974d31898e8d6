//! Faults: what they say and what to do next.

use super::control::{Fault, FaultKind};
use crate::book::Book;
use crate::engine::reply::EngineError;
use crate::engine::{DeathKind, Lost};

impl Fault {
    /// A fault with the hint of its kind.
    pub(crate) fn new(kind: FaultKind, message: impl Into<String>) -> Self {
        Fault {
            kind,
            message: message.into(),
            next: hint(kind).to_owned(),
            line: None,
            column: None,
        }
    }

    /// Something is beyond a limit: `message` is a sentence without its period, `name` the limit's.
    pub(crate) fn limit(message: impl std::fmt::Display, name: &str, value: impl std::fmt::Display) -> Self {
        Fault::new(
            FaultKind::LimitReached,
            format!("{message} (limit: {name} = {value})."),
        )
    }

    pub(crate) fn with_next(mut self, next: impl Into<String>) -> Self {
        self.next = next.into();
        self
    }
}

/// What to do next, by kind.
fn hint(kind: FaultKind) -> &'static str {
    use FaultKind::*;
    match kind {
        SyntaxError => "Correct the text at the place given and send it again.",
        UnsafeGoal => "Use predicates that the sandbox allows; the help topic `security` tells which.",
        ExistenceError => "Define it first, or declare it with `:- dynamic name/arity.`",
        TypeError | DomainError => "Check the arguments of the goal that the message names.",
        InstantiationError => "Give the variable a value before the goal that the message names.",
        EvaluationError => "Check the arithmetic: a division by zero or an undefined value.",
        PermissionError => "Use another name: this predicate cannot be changed.",
        RepresentationError => "Use smaller or simpler terms.",
        ResourceError => "Make the problem smaller, or bound the search.",
        UncaughtException => "Catch it with catch/3, or find out why the program throws it.",
        Timeout => "Bound the search, ask for fewer answers at once, or give a longer timeout_ms.",
        Cancelled => "",
        NoSuchQuery => "Start a query with query_start.",
        QueryIdInUse => "Use another query_id, or end that query with query_close.",
        TooManyQueries => "End one with query_close.",
        LimitReached => "Send less at once, or remove what is not needed.",
        FileError => "Check the name; files list shows what is imported.",
        FilePathViolation => "Use a path inside the allowed roots, or start the server with another --root.",
        AlreadyImported => "",
        NotImported => "files list shows what is imported.",
        NothingToUndo => "workspace history shows what was done.",
        NothingToRedo => "workspace history shows what was done; only what was undone last can be redone.",
        NoSuchRevision => "workspace history shows the revisions.",
        StorageError => "Mend what the message names where the book is kept, then ask again.",
        OutOfMemory => "Keep less at once: bound the search, or ask for answers instead of collecting them.",
        TooDeep => "Use flatter terms, such as lists instead of terms within terms.",
        EngineHalted => "Leave out what ends Prolog, and ask again.",
        EngineEnded => "Ask again.",
        EngineDied => "Ask again; where it happens again, find out which goal does it and leave it out.",
        BadReply => "Ask again, for fewer or smaller answers.",
        EngineUnavailable => "Ask again in a moment; workspace reset begins anew with an empty book.",
    }
}

/// The kind of fault that the loss of an engine is.
pub(super) fn kind_of(lost: &Lost) -> FaultKind {
    match lost {
        Lost::Late => FaultKind::Timeout,
        Lost::Cancelled => FaultKind::Cancelled,
        Lost::Died(death) => match death.kind {
            DeathKind::Memory => FaultKind::OutOfMemory,
            DeathKind::Depth => FaultKind::TooDeep,
            DeathKind::Halt => FaultKind::EngineHalted,
            DeathKind::Ended => FaultKind::EngineEnded,
            DeathKind::BadReply => FaultKind::BadReply,
            DeathKind::Failed => FaultKind::EngineDied,
        },
    }
}

/// What happened, a sentence without its period. `what` was done, and stopped after `ms` where it was late.
pub(super) fn event(lost: &Lost, what: &str, ms: u64) -> String {
    let death = match lost {
        Lost::Late => return format!("The {what} was stopped after {ms} ms"),
        Lost::Cancelled => return format!("The {what} was cancelled"),
        Lost::Died(death) => death,
    };
    let reason = &death.reason;
    match death.kind {
        DeathKind::Memory => format!("The {what} used up the memory of its engine, which is 2 GiB"),
        DeathKind::Depth => {
            format!("The {what} had to do with a term that nests too deeply for the stack of its engine")
        }
        DeathKind::Halt => format!("The {what} halted Prolog"),
        DeathKind::Ended => format!("The engine was ended from outside during the {what}"),
        DeathKind::BadReply => format!("The {what} got a reply from its engine that is none ({reason})"),
        DeathKind::Failed => format!("The engine failed during the {what} ({reason})"),
    }
}

/// The fault that an engine's error is, with near names for an unknown procedure.
pub(super) fn from_engine(error: EngineError, book: &Book, builtins: &[String]) -> Fault {
    let mut fault = Fault::new(error.kind, error.message);
    fault.line = error.line;
    fault.column = error.column;
    if let (FaultKind::ExistenceError, Some(unknown)) = (error.kind, &error.predicate) {
        fault.message = format!("Unknown procedure: {unknown}.");
        let users: Vec<String> = book
            .predicates()
            .map(|(predicate, _)| predicate.to_string())
            .collect();
        let names = users.iter().chain(builtins).map(String::as_str);
        fault.next = match near_names(unknown, names).as_slice() {
            [] => format!("Define it, or declare it with `:- dynamic {unknown}.`"),
            near => format!("Did you mean {}?", near.join(" or ")),
        };
    }
    fault
}

/// Up to three indicators that are near to an unknown one, the nearest first; the user's before built-in ones.
fn near_names<'a>(unknown: &str, known: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let (name, _) = split(unknown);
    let allowed = match name.chars().count() {
        0..=5 => 1,
        6..=8 => 2,
        _ => 3,
    };
    let mut near: Vec<(usize, &str)> = known
        .filter(|candidate| *candidate != unknown)
        .filter_map(|candidate| {
            let (other, _) = split(candidate);
            let by_name = strsim::osa_distance(name, other);
            let arity = usize::from(split(candidate).1 != split(unknown).1);
            let short = name.chars().count() <= 2 && by_name > 0;
            (by_name <= allowed && !short).then_some((2 * by_name + arity, candidate))
        })
        .collect();
    near.sort_by_key(|(distance, _)| *distance);
    let mut names: Vec<&str> = Vec::new();
    for (_, name) in near {
        if names.len() < 3 && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn split(indicator: &str) -> (&str, &str) {
    indicator.rsplit_once('/').unwrap_or((indicator, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn near<'a>(unknown: &str, known: &'a [&'a str]) -> Vec<&'a str> {
        near_names(unknown, known.iter().copied())
    }

    #[test]
    fn near_names_are_found_by_letters_and_by_arity() {
        let known = ["parent/2", "parents/3", "print/1", "append/3", "grandparent/2"];
        assert_eq!(near("parnet/2", &known), ["parent/2", "parents/3"]);
        assert_eq!(near("append/2", &known), ["append/3"]);
        assert_eq!(near("zzz/1", &known), [""; 0]);
    }

    #[test]
    fn short_names_are_near_to_themselves_only() {
        assert_eq!(near("p/1", &["q/1", "p/2", "is/2"]), ["p/2"]);
    }
}
