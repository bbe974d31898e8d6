//! Replies about things that no engine did: each costs an engine, and nothing else.

use std::cell::Cell;

use hornbook_book::{Book, Entry, EntryId, Predicate, Standing};
use hornbook_engine::reply::sealed;
use proptest::prelude::*;

use super::*;

/// The state of the book: its entries, what is known, and what was done.
type State = (Vec<(EntryId, Entry)>, Vec<(Predicate, Standing)>, usize);

impl Desk {
    fn state(&self) -> State {
        let book = self.workspace.0.book.borrow();
        let entries = book.entries().map(|(id, entry)| (id, entry.clone())).collect();
        let known = book.predicates().map(|(name, standing)| (name.clone(), standing));
        (entries, known.collect(), book.journal().len())
    }

    /// Forge the next reply to a request that begins with `request`.
    fn forge(&self, request: &'static str, forge: impl Fn(&str) -> String + 'static) {
        let forged = Cell::new(false);
        *self.bench.host.script.alter.borrow_mut() = Some(Box::new(move |asked, reply| {
            match asked.starts_with(request) && !forged.replace(true) {
                true => forge(&reply),
                false => reply,
            }
        }));
    }

    /// Check that the engine that gave the reply is gone, the book is unchanged, and the next operation
    /// succeeds.
    #[track_caller]
    fn not_believed(&mut self, before: &State, fault: Fault, what: &str) {
        assert_eq!(fault.kind, FaultKind::BadReply, "{what}: {}", fault.message);
        assert_eq!(self.state(), *before, "{what}");
        self.ask("p(X)", 1).expect(what);
        let (engine, book) = self.both();
        assert_eq!(engine, book, "{what}");
    }
}

fn desk() -> Desk {
    let mut desk = Desk::new();
    desk.assert(&["p(1). p(2).", "q(1)."]);
    desk
}

#[test]
fn a_step_changes_nothing_by_ids_or_texts_that_cannot_be() {
    let kept = "\"answers\":0";
    let nothing = "\"removed\":[],\"declared\":[]";
    let forged = [
        // Ids that were not offered: the next is 4, or -1 at the front.
        (
            format!("{{{kept},\"added\":[[3,0]],{nothing}}}"),
            "[\"r\",\"r.\"]\n",
        ),
        (
            format!("{{{kept},\"added\":[[0,0]],{nothing}}}"),
            "[\"r\",\"r.\"]\n",
        ),
        (
            format!("{{{kept},\"added\":[[9223372036854775807,0]],{nothing}}}"),
            "[\"r\",\"r.\"]\n",
        ),
        (
            format!("{{{kept},\"added\":[[-9223372036854775808,0]],{nothing}}}"),
            "[\"r\",\"r.\"]\n",
        ),
        (
            format!("{{{kept},\"added\":[[4,0],[4,0]],{nothing}}}"),
            "[\"r\",\"r.\"]\n[\"r\",\"r.\"]\n",
        ),
        (
            format!("{{{kept},\"added\":[[5,0],[4,0]],{nothing}}}"),
            "[\"r\",\"r.\"]\n[\"r\",\"r.\"]\n",
        ),
        // Texts that are not one clause of that predicate.
        (
            format!("{{{kept},\"added\":[[4,0]],{nothing}}}"),
            "[\"r\",\"r. r.\"]\n",
        ),
        (
            format!("{{{kept},\"added\":[[4,0]],{nothing}}}"),
            "[\"r\",\"r\"]\n",
        ),
        (
            format!("{{{kept},\"added\":[[4,0]],{nothing}}}"),
            "[\"r\",\"\"]\n",
        ),
        (
            format!("{{{kept},\"added\":[[4,0]],{nothing}}}"),
            "[\"r\",\"s.\"]\n",
        ),
        (
            format!("{{{kept},\"added\":[[4,9]],{nothing}}}"),
            "[\"r\",\"r.\"]\n",
        ),
        (
            format!("{{{kept},\"added\":[[4,2000]],{nothing}}}"),
            "[\"r\",\"r.\"]\n",
        ),
        (
            format!("{{{kept},\"added\":[[4,2]],{nothing}}}"),
            "[\"op\",\":- op(700,xfx,=>).\"]\n",
        ),
        // Clauses that are not in the book, or that were already removed.
        (
            format!("{{{kept},\"added\":[],\"removed\":[7],\"declared\":[]}}"),
            "",
        ),
        (
            format!("{{{kept},\"added\":[],\"removed\":[1,1],\"declared\":[]}}"),
            "",
        ),
        (
            format!("{{{kept},\"added\":[],\"removed\":[9223372036854775807],\"declared\":[]}}"),
            "",
        ),
        (format!("{{{kept},\"undone\":1,\"reload\":[1]}}"), "\"nothing\"\n"),
        (
            format!("{{{kept},\"added\":[],\"removed\":[],\"declared\":[1,1]}}"),
            "\"d\"\n\"d\"\n",
        ),
        (
            format!("{{{kept},\"added\":[],\"removed\":[],\"declared\":[4294967295]}}"),
            "\"d\"\n",
        ),
        // More than was asked for.
        (
            "{\"answers\":2}".into(),
            "{\"bindings\":[],\"residual\":[],\"output\":\"\"}\n{\"bindings\":[],\"residual\":[],\"output\":\"\"}\n",
        ),
    ];
    let mut desk = desk();
    for (control, parts) in forged {
        let before = desk.state();
        let reply = format!("ok {control}\n[]\n{parts}");
        let shown = reply.clone();
        desk.forge("query(", move |_| sealed(&reply));
        let fault = desk.ask("p(X)", 1).unwrap_err();
        desk.not_believed(&before, fault, &shown);
    }
}

#[test]
fn what_can_be_is_taken() {
    let mut desk = desk();
    let reply = "ok {\"answers\":0,\"more\":true,\"added\":[[-1,0],[4,1]],\"removed\":[2],\"declared\":[1]}\n\
                 [\"X\"]\n[\"r\",\"r.\"]\n[\"s\",\"s(1) :-\\n    r.\"]\n\"s\"\n";
    desk.forge("query(", move |_| sealed(reply));
    desk.ask("p(X)", 1).unwrap();
    let (_, book) = desk.both();
    assert_eq!(book, ["r", "p(1)", "q(1)", "s(1) :-\n    r"]);
}

#[test]
fn a_retract_removes_a_clause_of_the_book_and_each_once() {
    for (id, text) in [("9", "p(1)"), ("\"1\"", "p(1)"), ("-9223372036854775808", "p(1)")] {
        let mut desk = desk();
        let before = desk.state();
        desk.forge("retract(", move |_| sealed(&format!("ok {{\"removed\":{id}}}\n")));
        let texts = owned(&[text]);
        let fault = desk
            .run(|workspace| async move { workspace.retract_clauses(texts, &Control::default()).await })
            .unwrap_err();
        desk.not_believed(&before, fault, id);
    }
    let mut desk = desk();
    let before = desk.state();
    *desk.bench.host.script.alter.borrow_mut() =
        Some(Box::new(|asked, reply| match asked.starts_with("retract(") {
            true => sealed("ok {\"removed\":1}\n"),
            false => reply,
        }));
    let texts = owned(&["p(1). p(2)."]);
    let fault = desk
        .run(|workspace| async move { workspace.retract_clauses(texts, &Control::default()).await })
        .unwrap_err();
    desk.not_believed(&before, fault, "twice");
}

#[test]
fn an_addition_reads_its_texts_from_their_beginning_clause_by_clause() {
    // The text is `a(1). b(2). c`, of 13 code points.
    let fact = "[\"f\",0,0,5,1],[\"f\",0,5,11,1]";
    let names = "\"a\"\n\"b\"\n";
    let forged = [
        ("[\"f\",0,0,99,1]".into(), "\"a\"\n"),
        ("[\"f\",1,0,5,1]".into(), "\"a\"\n"),
        ("[\"f\",0,5,11,1]".into(), "\"b\"\n"),
        ("[\"f\",0,0,11,1]".into(), "\"a\"\n"),
        ("[\"f\",0,0,4,1]".into(), "\"a\"\n"),
        ("[\"f\",0,0,0,1]".into(), "\"a\"\n"),
        ("[\"f\",0,0,5,1],3".into(), "\"a\"\n"),
        ("[\"f\",0,0,5,1],11".into(), "\"a\"\n"),
        ("[\"f\",0,0,5,1]".into(), "\"z\"\n"),
        ("[\"f\",0,0,5,30]".into(), "\"a\"\n"),
        (format!("{fact},[\"f\",0,5,11,1]"), "\"a\"\n\"b\"\n\"b\"\n"),
        ("[\"d\",0,0,5,3,1]".into(), "\"op\"\n\"evil.\"\n"),
        ("[\"f\",18446744073709551615,0,5,1]".into(), "\"a\"\n"),
    ];
    let mut desk = desk();
    for (items, parts) in forged {
        let before = desk.state();
        let reply = format!("ok {{\"more\":false,\"items\":[{items}]}}\n{parts}");
        let shown = reply.clone();
        desk.forge("add(", move |_| sealed(&reply));
        let texts = owned(&["a(1). b(2). c"]);
        let fault = desk
            .run(|workspace| async move { workspace.assert_clauses(texts, &Control::default()).await })
            .unwrap_err();
        desk.not_believed(&before, fault, &shown);
    }
    let reply = format!("ok {{\"more\":false,\"items\":[{fact},[\"f\",0,11,13,0]]}}\n{names}\"c\"\n");
    desk.forge("add(", move |_| sealed(&reply));
    desk.assert(&["a(1). b(2). c"]);
    assert_eq!(desk.both().1[3..], ["a(1)", "b(2)", "c"]);
}

#[test]
fn an_engine_that_does_not_know_what_it_holds_is_ended() {
    let mut desk = desk();
    let before = desk.state();
    desk.forge("query(", |_| sealed("died {}\n\"it lost its clauses\"\n"));
    let fault = desk.ask("assertz(a)", 1).unwrap_err();
    assert_eq!(fault.kind, FaultKind::EngineDied);
    assert!(fault.message.contains("it lost its clauses"), "{}", fault.message);
    assert_eq!(desk.state(), before);
    desk.ask("p(X)", 1).unwrap();
    desk.holds(&["p(1)", "p(2)", "q(1)"]);
}

/// An alteration of a reply.
#[derive(Debug, Clone)]
enum Alteration {
    /// Change the byte at this fraction of the length.
    Byte(f64, u8),
    Cut(f64),
    /// Duplicate a line, or swap two lines.
    Twice(f64),
    Swap(f64, f64),
    /// Replace a line by one of an earlier reply.
    Splice(f64, f64),
    Number(f64, i64),
}

fn alteration() -> impl Strategy<Value = Alteration> {
    let place = || 0.0..1.0f64;
    prop_oneof![
        (place(), any::<u8>()).prop_map(|(at, byte)| Alteration::Byte(at, byte)),
        place().prop_map(Alteration::Cut),
        place().prop_map(Alteration::Twice),
        (place(), place()).prop_map(|(a, b)| Alteration::Swap(a, b)),
        (place(), place()).prop_map(|(a, b)| Alteration::Splice(a, b)),
        (place(), prop_oneof![-5..9i64, any::<i64>()])
            .prop_map(|(at, number)| Alteration::Number(at, number)),
    ]
}

/// The altered reply without its checksum; `before` are lines of other replies.
fn altered(reply: &str, before: &[String], alteration: &Alteration) -> String {
    let at = |place: f64, length: usize| ((place * length as f64) as usize).min(length.saturating_sub(1));
    let mut lines: Vec<String> = reply.lines().map(|line| format!("{line}\n")).collect();
    let count = lines.len();
    match alteration {
        Alteration::Byte(place, byte) => {
            let mut bytes = reply.as_bytes().to_vec();
            let place = at(*place, bytes.len());
            bytes[place] = *byte;
            return String::from_utf8_lossy(&bytes).into_owned();
        }
        Alteration::Cut(place) => {
            return String::from_utf8_lossy(&reply.as_bytes()[..at(*place, reply.len())]).into();
        }
        Alteration::Twice(place) => lines.insert(at(*place, count), lines[at(*place, count)].clone()),
        Alteration::Swap(a, b) => lines.swap(at(*a, count), at(*b, count)),
        Alteration::Splice(place, of) if !before.is_empty() => {
            lines[at(*place, count)] = before[at(*of, before.len())].clone();
        }
        Alteration::Splice(..) => {}
        Alteration::Number(place, number) => {
            let digits: Vec<usize> = reply
                .char_indices()
                .filter(|(_, c)| c.is_ascii_digit())
                .map(|(at, _)| at)
                .collect();
            let Some(start) = digits.get(at(*place, digits.len())) else {
                return reply.to_owned();
            };
            return format!("{}{number}{}", &reply[..*start], &reply[start + 1..]);
        }
    }
    lines.concat()
}

/// Each operates on the book that the others have made.
const OPERATIONS: [&str; 6] = [
    "p(X)",
    "assertz(a), asserta(b)",
    "retract(a), assertz(c)",
    "fail",
    "say(x)",
    "retract(b), fail",
];

fn operate(desk: &mut Desk, which: usize) {
    let control = Control::default;
    match which.checked_sub(OPERATIONS.len()) {
        None => drop(desk.ask(OPERATIONS[which], 2)),
        Some(0) => {
            let texts = owned(&["r(1). r(2). bad", ":- dynamic(d/1).", "s"]);
            drop(desk.run(|workspace| async move { workspace.assert_clauses(texts, &control()).await }));
        }
        Some(1) => {
            let texts = owned(&["r(2)", "zzz"]);
            drop(desk.run(|workspace| async move { workspace.retract_clauses(texts, &control()).await }));
        }
        _ => drop(desk.undo(1)),
    }
}

/// A desk whose replies are altered from now on; `seal` is applied to the altered text.
fn altering(alterations: Vec<Alteration>, seal: fn(&str, &str) -> String) -> Desk {
    let desk = desk();
    let mut left = alterations.into_iter();
    let mut before = Vec::new();
    *desk.bench.host.script.alter.borrow_mut() = Some(Box::new(move |asked, reply| {
        let (sum, lines) = reply.split_at(8);
        // An engine that is being built has had no request yet.
        let building = ["boot", "reset", "declare(", "reload([],"]
            .iter()
            .any(|name| asked.starts_with(name));
        let reply = match left.next().filter(|_| !building) {
            Some(alteration) => seal(sum, &altered(lines, &before, &alteration)),
            None => reply.clone(),
        };
        before.extend(lines.lines().map(|line| format!("{line}\n")));
        reply
    }));
    desk
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    /// Altered in transit: the checksum reveals it.
    #[test]
    fn a_reply_that_is_altered_on_its_way_changes_nothing_or_what_it_would(
        steps in prop::collection::vec((0..9usize, alteration()), 1..8),
    ) {
        let (operations, alterations): (Vec<usize>, Vec<Alteration>) = steps.into_iter().unzip();
        let mut desk = altering(alterations, |sum, altered| format!("{sum}{altered}"));
        for which in operations {
            let before = desk.state();
            // What the operation does to this book without alterations.
            let mut plain = Desk::new();
            *plain.workspace.0.book.borrow_mut() = Book::replay(desk.workspace.0.book.borrow().journal().to_vec());
            plain.bench.host.end_all();
            operate(&mut plain, which);
            operate(&mut desk, which);
            let after = desk.state();
            let shown = |state: &State| state.0.iter().map(|(id, entry)| (*id, entry.text().to_owned())).collect::<Vec<_>>();
            prop_assert!(
                shown(&after) == shown(&before) || shown(&after) == shown(&plain.state()),
                "{:?} became {:?}", shown(&before), shown(&after)
            );
        }
        *desk.bench.host.script.alter.borrow_mut() = None;
        desk.ask("p(X)", 1).expect("an engine");
        let (engine, book) = desk.both();
        prop_assert_eq!(engine, book);
    }

    /// Altered by an engine that seals what it never did: if a reply is accepted, the book is still like any
    /// other.
    #[test]
    fn a_lying_engine_leaves_a_book_from_which_others_start(
        steps in prop::collection::vec((0..9usize, alteration()), 1..12),
    ) {
        let (operations, alterations): (Vec<usize>, Vec<Alteration>) = steps.into_iter().unzip();
        let mut desk = altering(alterations, |_, altered| sealed(altered));
        for which in operations {
            operate(&mut desk, which);
        }
        *desk.bench.host.script.alter.borrow_mut() = None;
        let book = desk.workspace.0.book.borrow();
        for (id, entry) in book.entries() {
            prop_assert!(id.0.abs() < 1 << 50, "{id}");
            prop_assert_eq!(hornbook_book::text::clause_ranges(entry.text()).len(), 1, "{}", entry.text());
        }
        let replayed = Book::replay(book.journal().to_vec());
        prop_assert!(replayed.entries().eq(book.entries()));
        drop(book);
        desk.bench.host.end_all();
        desk.ask("p(X)", 1).expect("another engine");
        let (engine, book) = desk.both();
        prop_assert_eq!(engine, book);
        if desk.workspace.0.book.borrow().reversible(|_, _| true).0 > 0 {
            desk.undo(usize::MAX).expect("undone");
        }
        prop_assert!(desk.workspace.0.book.borrow().is_empty());
    }
}
