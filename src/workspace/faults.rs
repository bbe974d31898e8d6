//! Faults: what they say and what to do next.

use super::elsewhere::{instead_of, instead_of_refused};
use super::modules::private_to;
use super::tables::columns_of;
use hornbook_base::{Fault, FaultKind, cut};
use hornbook_book::{Book, EntryId, Origin};
use hornbook_engine::reply::{EngineError, Raised};
use hornbook_engine::{DeathKind, Lost};

/// The kind of fault for the loss of an engine.
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

/// What happened, a sentence without its period. `what` is the operation, and `ms` the time after which a
/// late one was stopped.
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
            format!("The {what} met a term nested too deeply for its engine's stack")
        }
        DeathKind::Halt => format!("The {what} halted Prolog"),
        DeathKind::Ended => format!("The engine was ended from outside during the {what}"),
        DeathKind::BadReply => format!("The {what} got a malformed reply from its engine ({reason})"),
        DeathKind::Failed => format!("The engine failed during the {what} ({reason})"),
    }
}

/// The fault for an engine's error, with similar names for an unknown procedure, and where it was raised.
pub(super) fn from_engine(error: EngineError, book: &Book, builtins: &[String]) -> Fault {
    let mut fault = Fault::new(error.kind, with(error.message, &error.detail));
    fault.line = error.line;
    fault.column = error.column;
    if let (FaultKind::ExistenceError, Some(unknown)) = (error.kind, &error.predicate) {
        let (name, arity) = split(unknown);
        let unknown = &format!("{}/{arity}", cut(name, TOLD));
        // The engine's message already names the library that has it.
        if !fault.message.contains("use_module") {
            fault.message = format!("Unknown procedure: {unknown}.");
        }
        let private = private_to(book, name, arity);
        let table = columns_of(book, name);
        // An operator is written in parentheses.
        let instead = instead_of(name.trim_matches(['(', ')', ' ']));
        fault.next = match similar_names_in((name, arity), book, builtins).as_slice() {
            [] if instead.is_none() && in_grammar(name, arity, builtins) => {
                "In a grammar rule a goal stands in braces, as in {X > 3}.".to_owned()
            }
            near if instead.is_none() && near.is_empty() => {
                format!("Define it, or declare it with `:- dynamic {unknown}.`")
            }
            [] => instead.unwrap_or_default().to_owned(),
            near => {
                let otherwise = match error.raised {
                    Some(_) => format!("If not, declare it with `:- dynamic {unknown}.`"),
                    None => String::new(),
                };
                format!(
                    "Did you mean {}? {}",
                    near.join(" or "),
                    instead.unwrap_or(&otherwise)
                )
            }
        };
        fault.next.truncate(fault.next.trim_end().len());
        if let Some(table) = table {
            fault.next = format!("There is {table}.");
        }
        if let Some((module, by)) = private {
            fault.next = format!(
                "{unknown} belongs to {by}, which does not export it: call it as {module}:{}, or export it.",
                cut(name, TOLD)
            );
        }
    } else if error.kind == FaultKind::ExistenceError {
        fault.next = match &fault.message {
            said if said.starts_with("No rule with =>") => {
                "Add a rule for it, or check why it is called like this."
            }
            said if said.starts_with("No reset/3 ") => {
                "Call shift/1 within a goal of reset/3 that takes its ball."
            }
            said if said.starts_with("File ") && said.contains(" cannot be opened") => {
                "Import it with files: give its text, or a path under a root."
            }
            said if said.starts_with("It cannot be told: ") => {
                "Ask the book as it is now, or as of a revision that has read it."
            }
            said if said.starts_with("Unknown directory") => {
                "`directory_files('.', Names)` lists the files of the book."
            }
            _ => "Create it before the goal that needs it.",
        }
        .to_owned();
    } else if error.kind == FaultKind::SyntaxError && error.line.is_none() {
        fault.next = match fault.message.starts_with("Syntax error in ") {
            true => "Correct the text there.",
            false => "Give the goal text that can be parsed.",
        }
        .to_owned();
    }
    if let (FaultKind::UnsafeGoal, Some(refused)) = (error.kind, &error.predicate)
        && let Some(instead) = instead_of_refused(split(refused).0.trim_matches(['(', ')', ' ']))
    {
        fault.next = instead.to_owned();
    }
    if let Some(raised) = &error.raised {
        fault.message = with(fault.message, &place(raised, book));
    }
    fault
}

/// Whether an unknown predicate is an operator of the system with two arguments more, as the translation of a grammar
/// rule adds them.
fn in_grammar(name: &str, arity: &str, builtins: &[String]) -> bool {
    let operator = name.strip_prefix('(').and_then(|name| name.strip_suffix(')'));
    let arity = arity.parse::<usize>().ok().and_then(|arity| arity.checked_sub(2));
    match (operator, arity) {
        (Some(operator), Some(arity)) => builtins.contains(&format!("{operator}/{arity}")),
        _ => false,
    }
}

/// Two sentences, of which the second may be empty.
pub(super) fn with(message: String, more: &str) -> String {
    match more {
        "" => message,
        more => format!("{message} {more}"),
    }
}

/// `Raised in foo/2, clause 3 (family.pl:12), calling sum_list/2.`
fn place(Raised(predicate, id, nth, calling): &Raised, book: &Book) -> String {
    let mut text = format!("Raised in {}", cut(predicate, TOLD));
    if let Some(entry) = id.and_then(|id| book.get(EntryId(id))) {
        if let Some(nth) = nth {
            text.push_str(&format!(", clause {nth}"));
        }
        if let Origin::File(name) = &entry.source().origin {
            text.push_str(&format!(" ({name}:{})", entry.line()));
        }
    }
    if let Some(calling) = calling {
        text.push_str(&format!(", calling {}", cut(calling, TOLD)));
    }
    text.push('.');
    text
}

/// The message that a predicate, `name/arity`, is not defined, with similar names.
pub(super) fn undefined(indicator: &str, book: &Book, builtins: &[String]) -> String {
    let (name, arity) = split(indicator);
    let unknown = format!("{}/{arity} is not defined", cut(name, TOLD));
    if let Some((module, by)) = private_to(book, name, arity) {
        return format!(
            "{unknown}: it belongs to {by}, which does not export it: call it as {module}:{}",
            cut(name, TOLD)
        );
    }
    if let Some(table) = columns_of(book, name) {
        return format!("{unknown}: there is {table}");
    }
    match similar_names_in((name, arity), book, builtins).as_slice() {
        [] => unknown,
        near => format!("{unknown}; did you mean {}?", near.join(" or ")),
    }
}

/// Indicators of the book's and the engine's predicates that are similar to an unknown one.
pub(super) fn similar_names_in(unknown: (&str, &str), book: &Book, builtins: &[String]) -> Vec<String> {
    let users = book
        .predicates()
        .map(|(predicate, _)| (&*predicate.name, predicate.arity.to_string()));
    let builtins = builtins.iter().map(|known| {
        let (name, arity) = split(known);
        (name, arity.to_owned())
    });
    most_similar(unknown, users.chain(builtins))
}

/// Like [`similar_names_in`], for predicates local to the module `home`, named as in its own text.
pub(super) fn similar_names_at_home(home: &str, unknown: (&str, &str), book: &Book) -> Vec<String> {
    let users = book
        .predicates()
        .map(|(predicate, _)| (&*predicate.name, predicate.arity.to_string()));
    most_similar(unknown, names_at_home(home, users))
}

fn names_at_home<'a>(
    home: &str,
    known: impl Iterator<Item = (&'a str, String)>,
) -> impl Iterator<Item = (&'a str, String)> {
    known.filter_map(move |(name, arity)| Some((name.strip_prefix(home)?.strip_prefix(':')?, arity)))
}

/// The most similar names in a message.
pub(super) const MOST_NEAR: usize = 3;

/// How many characters of a name a message quotes.
const TOLD: usize = 100;

/// A name longer than this, in bytes, has no similar names.
const LONGEST: usize = 100;

/// The most names compared, of those about as long.
const COMPARED: usize = 5_000;

/// Up to three indicators similar to an unknown one, the nearest first, and the user's before built-in ones.
fn most_similar<'a>(
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
    let comparable =
        known.filter(|(other, _)| plain(other).len().abs_diff(name.len()) <= (4 * allowed).max(2));
    let mut near: Vec<(usize, String)> = Vec::new();
    for (other, other_arity) in comparable.take(COMPARED) {
        let by_name = match is_plural(name, plain(other)) || is_plural(plain(other), name) {
            true => 1,
            false => strsim::osa_distance(name, plain(other)),
        };
        let by_arity = usize::from(other_arity != arity);
        if by_name <= allowed && by_name + by_arity > 0 {
            near.push((2 * by_name + by_arity, format!("{other}/{other_arity}")));
        }
    }
    near.sort_by_key(|(distance, _)| *distance);
    let mut names: Vec<String> = Vec::new();
    for (_, name) in near {
        if names.len() < MOST_NEAR && !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

/// Whether `many` is the plural of `one`.
fn is_plural(many: &str, one: &str) -> bool {
    match many.strip_suffix("ies") {
        Some(stem) => one.strip_suffix('y') == Some(stem),
        None => many.strip_suffix("es") == Some(one),
    }
}

/// The name without the module that a private predicate has before it.
fn plain(name: &str) -> &str {
    match name.split_once(':') {
        Some((module, plain)) if !module.is_empty() && !plain.is_empty() => plain,
        _ => name,
    }
}

pub(super) fn split(indicator: &str) -> (&str, &str) {
    indicator.rsplit_once('/').unwrap_or((indicator, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn similar_names(unknown: &str, known: &[&str]) -> Vec<String> {
        let known = known.iter().map(|known| {
            let (name, arity) = split(known);
            (name, arity.to_owned())
        });
        most_similar(split(unknown), known)
    }

    #[test]
    fn near_names_are_found_by_letters_and_by_arity() {
        assert_eq!(
            similar_names("helpr/1", &["two:helper/1", ":-/1"]),
            ["two:helper/1"]
        );
        let known = ["parent/2", "parents/3", "print/1", "append/3", "grandparent/2"];
        assert_eq!(similar_names("parnet/2", &known), ["parent/2", "parents/3"]);
        assert_eq!(similar_names("append/2", &known), ["append/3"]);
        assert_eq!(similar_names("zzz/1", &known), [""; 0]);
        assert_eq!(
            similar_names("cities/1", &["city/1", "cite/1"]),
            ["city/1", "cite/1"]
        );
        assert_eq!(similar_names("bus/1", &["buses/1"]), ["buses/1"]);
    }

    #[test]
    fn what_a_module_has_for_itself_is_near_by_its_name_alone() {
        let known =
            ["one:step", "one:stop", "two:step", "oneself:step", "steps"].map(|name| (name, "1".to_owned()));
        let near = most_similar(("stop", "2"), names_at_home("one", known.into_iter()));
        assert_eq!(near, ["stop/1", "step/1"]);
    }

    #[test]
    fn short_names_are_near_to_themselves_only() {
        assert_eq!(similar_names("p/1", &["q/1", "p/2", "is/2"]), ["p/2"]);
    }

    #[test]
    fn an_error_says_what_led_to_it_and_where_it_was_raised() {
        let error = |raised| EngineError {
            kind: FaultKind::TypeError,
            message: "Type error.".into(),
            predicate: None,
            line: None,
            column: None,
            detail: "So it came.".into(),
            raised,
        };
        let said = |raised| from_engine(error(raised), &Book::default(), &[]).message;
        assert_eq!(said(None), "Type error. So it came.");
        // A clause that the book lacks is not described.
        let raised = Raised("p/1".into(), Some(7), Some(2), Some("sum_list/2".into()));
        assert_eq!(
            said(Some(raised)),
            "Type error. So it came. Raised in p/1, calling sum_list/2."
        );
    }

    #[test]
    fn what_is_undefined_is_told_with_what_is_near() {
        let builtins = ["append/3".to_owned()];
        assert_eq!(
            undefined("apend/3", &Book::default(), &builtins),
            "apend/3 is not defined; did you mean append/3?"
        );
        assert_eq!(
            undefined("zzz/1", &Book::default(), &builtins),
            "zzz/1 is not defined"
        );
    }

    #[test]
    fn very_long_names_and_very_many_are_not_all_compared() {
        let long = format!("{}/1", "x".repeat(8 << 20));
        let many: Vec<String> = (0..1_000_000)
            .map(|number| format!("name_{number:07}/1"))
            .collect();
        let many: Vec<&str> = many.iter().map(String::as_str).chain([&*long]).collect();
        assert_eq!(similar_names("name_000003/1", &many)[0], "name_0000003/1");
        assert_eq!(similar_names(&long[1..], &many), [""; 0]);
        let error = EngineError {
            kind: FaultKind::ExistenceError,
            message: String::new(),
            predicate: Some(long),
            line: None,
            column: None,
            detail: String::new(),
            raised: None,
        };
        let fault = from_engine(error, &Book::default(), &[]);
        assert!(fault.message.len() < 200 && fault.next.len() < 200, "{fault}");
    }
}
