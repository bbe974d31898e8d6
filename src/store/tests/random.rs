//! Journals of random operations, torn at random places.

use proptest::prelude::*;
use proptest::sample::Index;

use super::*;

#[derive(Debug, Clone)]
enum Step {
    Assert(Vec<u8>),
    Import(Vec<u8>),
    Front(Vec<u8>),
    /// After one of the entries.
    Between(Index, Vec<u8>),
    /// One of three writers writes from now on.
    Writer(u8),
    Remove(Vec<Index>),
    BringBack(Vec<Index>),
    Declare(u8),
    Reset,
}

fn step() -> impl Strategy<Value = Step> {
    let names = || prop::collection::vec(0..5u8, 1..6);
    let some = || prop::collection::vec(any::<Index>(), 1..4);
    prop_oneof![
        4 => names().prop_map(Step::Assert),
        3 => names().prop_map(Step::Import),
        2 => names().prop_map(Step::Front),
        2 => (any::<Index>(), names()).prop_map(|(behind, names)| Step::Between(behind, names)),
        1 => (0..3u8).prop_map(Step::Writer),
        4 => some().prop_map(Step::Remove),
        2 => some().prop_map(Step::BringBack),
        1 => (0..5u8).prop_map(Step::Declare),
        1 => Just(Step::Reset),
    ]
}

const CLAUSES: [&str; 5] = [
    "a(1).",
    "b('ü\u{1f9ee}').",
    "% note \"\n\tc(\\x).",
    ":- op(700, xfx, =>).",
    "d(\u{0}).",
];

impl Step {
    fn carry_out(&self, shelf: &mut Shelf) {
        let text = |names: &[u8]| {
            let clauses: Vec<&str> = names.iter().map(|name| CLAUSES[*name as usize]).collect();
            clauses.join(" ")
        };
        match self {
            Step::Assert(names) => shelf.add(Operation::Assert, Origin::Inline, &text(names), false),
            Step::Import(names) => {
                let name = format!("/f{}.pl", names[0]);
                let origin = Origin::File(name.as_str().into());
                shelf.add(
                    Operation::Import(name),
                    origin,
                    &format!("{}\n% end", text(names)),
                    false,
                );
            }
            Step::Front(names) => {
                shelf.add(
                    Operation::Query("asserta(x)".into()),
                    Origin::Run,
                    &text(names),
                    true,
                );
            }
            Step::Between(behind, names) => {
                let ids: Vec<EntryId> = shelf.book.borrow().entries().map(|(id, _)| id).collect();
                let behind = (!ids.is_empty()).then(|| ids[behind.index(ids.len())]);
                shelf.insert(&text(names), behind);
            }
            Step::Writer(number) => {
                shelf.ids = match number {
                    0 => Ids::default(),
                    number => Ids::of(&number.to_string()),
                };
            }
            Step::Remove(some) => {
                let ids: Vec<EntryId> = shelf.book.borrow().entries().map(|(id, _)| id).collect();
                let pick = |index: &Index| (!ids.is_empty()).then(|| ids[index.index(ids.len())]);
                shelf.remove(some.iter().filter_map(pick).collect());
            }
            Step::BringBack(some) => {
                let mut added: Vec<(EntryId, Entry)> = Vec::new();
                for index in some.iter().filter(|_| !shelf.gone.is_empty()) {
                    let (id, entry) = shelf.gone[index.index(shelf.gone.len())].clone();
                    if shelf.book.borrow().get(id).is_none() && added.iter().all(|(other, _)| *other != id) {
                        added.push((id, entry));
                    }
                }
                let delta = Delta {
                    added,
                    ..Delta::default()
                };
                shelf.carry_out(Operation::Assert, delta);
            }
            Step::Declare(name) => {
                let known = vec![(named(&format!("n{name}")), Known::ByRun)];
                let delta = Delta {
                    known,
                    ..Delta::default()
                };
                shelf.carry_out(Operation::Query("x".into()), delta);
            }
            Step::Reset => {
                let removed = shelf.book.borrow().entries().map(|(id, _)| id).collect();
                let delta = Delta {
                    removed,
                    ..Delta::default()
                };
                shelf.carry_out(Operation::Reset, delta);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(100) })]

    #[test]
    fn a_crash_at_any_byte_of_what_was_not_acknowledged_leaves_the_book_of_its_whole_records(
        steps in prop::collection::vec(step(), 1..20),
        journal_bytes in prop_oneof![Just(500u64), Just(1 << 20)],
        marked in any::<Index>(),
        at in any::<Index>(),
    ) {
        let mut shelf = Shelf::new(&limits(journal_bytes));
        for step in &steps {
            step.carry_out(&mut shelf);
        }
        let mut bytes = shelf.store.bytes.borrow().clone();
        // The disk has an older mark, and part of what came after it.
        let marked = marked.index(shelf.states.len());
        bytes[..HEAD].copy_from_slice(&shelf.heads[marked]);
        let whole = shelf.states[marked].0;
        let cut = whole + at.index(bytes.len() - whole + 1);
        let (length, expected) = shelf.states.iter().rev().find(|(length, _)| *length <= cut).unwrap();
        let (store, opened) = open_bytes(&bytes[..cut]);
        let mut opened = opened.unwrap();
        prop_assert_eq!(&state(&opened.book), expected);
        prop_assert_eq!(opened.notice.is_some(), cut > *length);
        prop_assert_eq!(&store.bytes.borrow()[HEAD..], &bytes[HEAD..*length]);
        prop_assert_eq!(store.aside.borrow().concat(), &bytes[*length..cut]);
        // What it has now has been reported: it is marked.
        let state_now = shelf.states.iter().position(|(other, _)| other == length).unwrap();
        prop_assert_eq!(&store.bytes.borrow()[..HEAD], &shelf.heads[state_now][..]);
        // It can be appended to.
        let delta = Delta { known: vec![(named("news"), Known::ByRun)], ..Delta::default() };
        let revision = opened.book.plan(Operation::Assert, 1, delta).unwrap();
        opened.journal.append(opened.book.revision() + 1, &revision, &Pace::unbroken()).now_or_never().unwrap().unwrap();
        opened.book.apply(revision);
        let again = open_bytes(&store.bytes.borrow()).1.unwrap();
        prop_assert_eq!(state(&again.book), state(&opened.book));
        prop_assert_eq!(again.notice, None);
    }

    #[test]
    fn a_journal_that_lost_acknowledged_bytes_at_its_end_is_refused(
        steps in prop::collection::vec(step(), 1..12),
        journal_bytes in prop_oneof![Just(500u64), Just(1 << 20)],
        at in any::<Index>(),
    ) {
        let mut shelf = Shelf::new(&limits(journal_bytes));
        for step in &steps {
            step.carry_out(&mut shelf);
        }
        let bytes = shelf.store.bytes.borrow().clone();
        // An empty store is nothing yet, which the store distinguishes from a file.
        let line_ends = bytes.iter().enumerate().filter(|(_, byte)| **byte == b'\n').map(|(at, _)| at + 1);
        for cut in line_ends.chain([1 + at.index(bytes.len() - 1)]).filter(|cut| *cut < bytes.len()) {
            let (store, opened) = open_bytes(&bytes[..cut]);
            let message = opened.err().expect("refused");
            let known = ["was cut short", "is damaged", "is not a Hornbook book"].iter().any(|known| message.contains(known));
            prop_assert!(known, "{message}");
            prop_assert_eq!(&store.bytes.borrow()[..], &bytes[..cut]);
        }
    }

    #[test]
    fn a_changed_byte_is_noticed_with_its_line(
        steps in prop::collection::vec(step(), 1..12),
        at in any::<Index>(),
        flip in 1..=255u8,
    ) {
        let mut shelf = Shelf::new(&limits(500));
        for step in &steps {
            step.carry_out(&mut shelf);
        }
        let mut bytes = shelf.store.bytes.borrow().clone();
        let at = at.index(bytes.len());
        let line = 1 + bytes[..at].iter().filter(|byte| **byte == b'\n').count();
        let before = bytes[at];
        bytes[at] ^= flip;
        let (store, opened) = open_bytes(&bytes);
        match opened {
            Err(message) if line == 1 => prop_assert!(message.starts_with("memory"), "{message}"),
            Err(message) => {
                let told = format!("memory: line {line} is damaged");
                prop_assert!(message.starts_with(&told), "{message} at line {line}");
            }
            Ok(opened) => {
                prop_assert_eq!(opened.notice, None);
                prop_assert!(before.is_ascii_hexdigit(), "{before} at line {line}");
                prop_assert_eq!(&state(&opened.book), &shelf.states.last().unwrap().1);
            }
        }
        prop_assert_eq!(&store.bytes.borrow()[..], &bytes[..]);
    }

    #[test]
    fn a_line_that_is_missing_or_there_twice_or_elsewhere_is_noticed(
        steps in prop::collection::vec(step(), 2..12),
        which in any::<Index>(),
        other in any::<Index>(),
    ) {
        let mut shelf = Shelf::new(&limits(1 << 20));
        for step in &steps {
            step.carry_out(&mut shelf);
        }
        let text = shelf.store.text();
        let lines: Vec<&str> = text.split_inclusive('\n').collect();
        prop_assume!(lines.len() > 2);
        let (which, other) = (1 + which.index(lines.len() - 1), 1 + other.index(lines.len() - 1));
        let (mut without, mut twice, mut swapped) = (lines.clone(), lines.clone(), lines.clone());
        without.remove(which);
        twice.insert(which, lines[which]);
        swapped.swap(which, other);
        for changed in [without, twice, swapped].map(|lines| lines.concat()) {
            if changed != text {
                // A copy of the last line at the end looks like something torn by a crash.
                match open_bytes(changed.as_bytes()).1 {
                    Err(_) => {}
                    Ok(opened) => {
                        prop_assert!(changed.starts_with(&text), "{changed}");
                        prop_assert!(opened.notice.is_some());
                    }
                }
            }
        }
    }

    #[test]
    fn a_full_disk_leaves_the_journal_as_it_was(steps in prop::collection::vec(step(), 1..8), room in 0..400usize) {
        let mut shelf = Shelf::new(&limits(1 << 20));
        for step in &steps {
            step.carry_out(&mut shelf);
        }
        let before = shelf.store.text();
        shelf.store.space.set(Some(before.len() + room));
        let delta = Delta { known: vec![(named(&"x".repeat(400)), Known::ByRun)], ..Delta::default() };
        let revision = shelf.book.borrow().plan(Operation::Assert, 1, delta).unwrap();
        let fault = shelf.append(&revision).unwrap_err();
        prop_assert_eq!(fault.to_string(), "no space is left on the device");
        prop_assert_eq!(shelf.store.text(), before);
        shelf.store.space.set(None);
        shelf.append(&revision).unwrap();
        shelf.book.borrow_mut().apply(revision);
        let again = open_bytes(&shelf.store.bytes.borrow()).1.unwrap();
        prop_assert_eq!(state(&again.book), state(&shelf.book.borrow()));
    }
}
