//! Faults: what they say and what to do next.

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
