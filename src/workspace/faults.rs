//! Faults: what they say and what to do next.

use std::borrow::Cow;

use hornbook_base::{Fault, FaultKind};
use hornbook_book::Book;
use hornbook_engine::reply::EngineError;
use hornbook_engine::{DeathKind, Lost};

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
        let (name, arity) = split(unknown);
        let unknown = &format!("{}/{arity}", cut(name));
        fault.message = format!("Unknown procedure: {unknown}.");
        let users = book
            .predicates()
            .map(|(predicate, _)| (&*predicate.name, predicate.arity.to_string()));
        let builtins = builtins.iter().map(|known| {
            let (name, arity) = split(known);
            (name, arity.to_owned())
        });
        fault.next = match near_names((name, arity), users.chain(builtins)).as_slice() {
            [] => format!("Define it, or declare it with `:- dynamic {unknown}.`"),
            near => format!("Did you mean {}?", near.join(" or ")),
        };
    }
    fault
}

/// Characters of a name that are told.
const TOLD: usize = 100;

/// A name that is longer than so many bytes is near to none.
const LONGEST: usize = 100;

/// So many names are compared, of those that are about as long.
const COMPARED: usize = 5_000;

/// A name as it is told.
fn cut(name: &str) -> Cow<'_, str> {
    match name.char_indices().nth(TOLD) {
        Some((end, _)) => Cow::Owned(format!("{}…", &name[..end])),
        None => Cow::Borrowed(name),
    }
}

/// Up to three indicators that are near to an unknown one, the nearest first; the user's before built-in ones.
fn near_names<'a>(
    (name, arity): (&str, &str),
    known: impl Iterator<Item = (&'a str, String)>,
) -> Vec<String> {
    if name.len() > LONGEST {
        return Vec::new();
    }
    let length = name.chars().count();
    let allowed = match length {
        0..=2 => 0,
        3..=5 => 1,
        6..=8 => 2,
        _ => 3,
    };
    // A character has up to four bytes.
    let comparable = known.filter(|(other, _)| other.len().abs_diff(name.len()) <= 4 * allowed);
    let mut near: Vec<(usize, String)> = Vec::new();
    for (other, other_arity) in comparable.take(COMPARED) {
        let by_name = strsim::osa_distance(name, other);
        let by_arity = usize::from(other_arity != arity);
        if by_name <= allowed && by_name + by_arity > 0 {
            near.push((2 * by_name + by_arity, format!("{other}/{other_arity}")));
        }
    }
    near.sort_by_key(|(distance, _)| *distance);
    let mut names: Vec<String> = Vec::new();
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

    fn near(unknown: &str, known: &[&str]) -> Vec<String> {
        let known = known.iter().map(|known| {
            let (name, arity) = split(known);
            (name, arity.to_owned())
        });
        near_names(split(unknown), known)
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

    #[test]
    fn very_long_names_and_very_many_are_not_all_compared() {
        let long = format!("{}/1", "x".repeat(8 << 20));
        let many: Vec<String> = (0..1_000_000)
            .map(|number| format!("name_{number:07}/1"))
            .collect();
        let many: Vec<&str> = many.iter().map(String::as_str).chain([&*long]).collect();
        assert_eq!(near("name_000003/1", &many)[0], "name_0000003/1");
        assert_eq!(near(&long[1..], &many), [""; 0]);
        let error = EngineError {
            kind: FaultKind::ExistenceError,
            message: String::new(),
            predicate: Some(long),
            line: None,
            column: None,
        };
        let fault = from_engine(error, &Book::default(), &[]);
        assert!(fault.message.len() < 200 && fault.next.len() < 200, "{fault}");
    }
}
