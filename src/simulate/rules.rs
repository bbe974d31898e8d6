//! Constraints: what clients add, and what must hold of the book.

use std::collections::BTreeSet;

use hornbook_book::{Book, Entry, Operation, Revision};
use hornbook_engine::scripted::violations;

use super::calls::Call;
use super::random::Random;

/// How many values the facts that constraints are about have.
const VALUES: usize = 4;
/// How many predicates constraints are about.
const PREDICATES: usize = 3;

/// A fact that constraints may be about. Unlike other clauses, it may be in the book more than once.
fn fact(random: &Random) -> String {
    format!("q{}({})", random.below(PREDICATES), random.below(VALUES))
}

fn rule(random: &Random) -> String {
    random.pick(&RULES).to_string()
}

fn constraint(random: &Random) -> String {
    random.pick(&CONSTRAINTS).to_string()
}

const RULES: [&str; 2] = ["r0(X) :- q0(X), q1(X)", "r0(X) :- q2(X), \\+ q1(X)"];
const CONSTRAINTS: [&str; 5] = [
    ":- constraint((q0(X), q1(X)), \"~w is in both\"-[X])",
    ":- constraint((q1(X), \\+ q2(X)), \"~w is not in q2\"-[X])",
    ":- constraint((r0(X), q2(X)), \"~w is in q2 and follows\"-[X])",
    ":- constraint((r0(X)), \"~w follows\"-[X], warn)",
    ":- constraint((q2(X), \\+ q0(X)), \"~w is not in q0\"-[X])",
];

/// Rules from which the answers of watched goals follow, and of no constraint. They deny rather than join: what is there
/// often gives no more answers than a goal has that is watched.
const WATCHED_RULES: [&str; 4] = [
    "s0(X) :- q0(X), \\+ q1(X)",
    "s0(X) :- q1(X), \\+ q2(X)",
    "s1(X) :- s0(X), \\+ q2(X)",
    "s1(X) :- q2(X), \\+ s0(X)",
];
const WATCHED: [&str; 3] = ["(s0(X))", "(s1(X))", "(q0(X), \\+ s1(X))"];

/// A call about goals that are watched and follow by rules: a goal must see what a rule that comes later depends on.
pub fn call_of_watched(random: &Random) -> Call {
    let rule = || random.pick(&WATCHED_RULES).to_string();
    match random.below(100) {
        0..=19 => Call::Watch(random.pick(&WATCHED).to_string()),
        20..=39 => Call::Assert(vec![format!("{}.", rule())]),
        40..=59 => Call::Retract(rule()),
        60..=79 => Call::Assert(vec![format!("{}.", fact(random))]),
        _ => Call::Retract(fact(random)),
    }
}

/// A call about constraints, or what they see.
pub fn call(random: &Random) -> Call {
    let texts = |one: String| vec![format!("{one}.")];
    match random.below(100) {
        0..=14 => Call::Assert(texts(constraint(random))),
        15..=22 => Call::Retract(constraint(random)),
        23..=47 => Call::Assert(
            (0..random.between(1, 2))
                .map(|_| format!("{}.", fact(random)))
                .collect(),
        ),
        48..=62 => Call::Retract(fact(random)),
        63..=69 => Call::Assert(texts(rule(random))),
        70..=74 => Call::Retract(rule(random)),
        75..=80 => Call::Change(format!("assertz('{}')", fact(random))),
        81..=83 => Call::Change(format!("retract(q{})", random.below(PREDICATES))),
        84..=89 => {
            let text = format!("{}.\n{}.\n", constraint(random), fact(random));
            Call::Save(format!("f{}.pl", random.below(3)), text)
        }
        _ => Call::Query(format!("q{}", random.below(PREDICATES)), 8, false),
    }
}

/// Whether constraints depend on it, or it is one.
fn is_seen(entry: &Entry) -> bool {
    !entry.is_clause() || entry.predicate().name.starts_with(['q', 'r'])
}

/// The clauses of a book.
pub fn texts(book: &Book) -> Vec<&str> {
    let entries = book.entries().filter(|(_, entry)| entry.is_clause());
    entries.map(|(_, entry)| entry.code()).collect()
}

/// What violates each constraint of a book that `is_asked` selects, with its text.
fn violated(book: &Book, is_asked: impl Fn(&str) -> bool) -> BTreeSet<(&str, String)> {
    let texts = texts(book);
    let constraints = book.constraints().map(|(_, entry)| entry.code());
    let asked = constraints.filter(|code| is_asked(code));
    let of_each = asked.flat_map(|code| {
        let found = violations(code, &texts).into_iter();
        found.map(move |message| (code, message))
    });
    of_each.collect()
}

/// Whether a revision brings no violation of a constraint that was there before it, unless that only warns.
pub fn keeps_constraints(before: &Book, after: &Book, revision: &Revision) -> Result<(), String> {
    let warns = matches!(revision.operation, Operation::Undo(_) | Operation::Redo(_));
    let mut changed = revision.added.iter().chain(&revision.removed);
    if warns || before.constraints().next().is_none() || !changed.any(|(_, entry)| is_seen(entry)) {
        return Ok(());
    }
    let there: BTreeSet<&str> = before.constraints().map(|(_, entry)| entry.code()).collect();
    let was = violated(before, |_| true);
    let is_asked = |code: &str| there.contains(code) && !code.contains(", warn)");
    let new: Vec<_> = violated(after, is_asked).difference(&was).cloned().collect();
    match new.is_empty() {
        true => Ok(()),
        false => Err(format!("it violates constraints: {new:?}")),
    }
}

/// What violates the constraints of a book: for each its text and the messages, in their order.
pub fn standing(book: &Book) -> Vec<(String, Vec<String>)> {
    let texts = texts(book);
    let constraints = book.constraints().map(|(_, entry)| entry.code());
    constraints
        .map(|code| (code.to_owned(), violations(code, &texts).into_iter().collect()))
        .collect()
}
