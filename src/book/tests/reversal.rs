//! Operations of two people who share a book: what one of them undoes leaves it as if that had never been done, or is refused
//! because something later depends on it.

use proptest::prelude::*;

use super::*;

#[derive(Debug, Clone)]
enum Act {
    Assert(Vec<u8>),
    /// Of entries by their positions, as with all that follows.
    Retract(Vec<usize>),
    Replace(usize, u8),
    /// A goal that retracts one clause and adds another.
    Exchange(usize, u8),
    Import(Vec<u8>),
    Unimport,
}

#[derive(Debug, Clone)]
enum Step {
    /// Who does what.
    Do(u8, Act),
    /// Whose operations; all of them if it is nobody's.
    Undo(Option<u8>),
    Redo(Option<u8>),
}

/// What an operation took out of the book, and what it brought.
#[derive(Debug, Clone)]
struct Done {
    number: u64,
    by: u8,
    removed: BTreeMap<EntryId, String>,
    added: BTreeMap<EntryId, String>,
}

/// The book, and the operations that stand and that were undone, the last one last.
#[derive(Default)]
struct Shared {
    book: Book,
    standing: Vec<Done>,
    undone: Vec<Done>,
}

fn codes(entries: &[(EntryId, Entry)], others: &[(EntryId, Entry)]) -> BTreeMap<EntryId, String> {
    let others: BTreeSet<_> = others.iter().map(|(id, _)| *id).collect();
    let own = entries.iter().filter(|(id, _)| !others.contains(id));
    own.map(|(id, entry)| (*id, entry.code().to_owned())).collect()
}

/// The clauses after these operations; `None` if one of them takes out what is not there.
fn replayed(operations: &[Done]) -> Option<BTreeMap<EntryId, String>> {
    let mut clauses = BTreeMap::new();
    for done in operations {
        for id in done.removed.keys() {
            clauses.remove(id)?;
        }
        clauses.extend(done.added.clone());
    }
    Some(clauses)
}

impl Shared {
    fn act(&mut self, by: u8, act: &Act) {
        let book = &mut self.book;
        let ids: Vec<EntryId> = book.entries().map(|(id, _)| id).collect();
        let at = |position: &usize| ids.get(position % ids.len().max(1)).copied();
        let text = |clauses: &[u8]| {
            let clauses: Vec<String> = clauses.iter().map(|clause| format!("c{clause}.")).collect();
            clauses.join("\n")
        };
        let (operation, removed, added) = match act {
            Act::Assert(clauses) => {
                let draft = draft(Origin::Inline, &text(clauses), book.next_last());
                (Operation::Assert, Vec::new(), book.draft(draft, 7))
            }
            Act::Retract(positions) => {
                let removed = positions.iter().filter_map(at).collect();
                (Operation::Retract, removed, Vec::new())
            }
            Act::Exchange(position, clause) => {
                let draft = draft(Origin::Run, &text(&[*clause]), book.next_last());
                let removed = at(position).into_iter().collect();
                (Operation::Query("exchange".into()), removed, book.draft(draft, 7))
            }
            Act::Replace(position, clause) => {
                let Some(id) = at(position) else {
                    return;
                };
                let code = text(&[*clause]);
                let mut pieces = draft(Origin::Inline, &code, book.next_last()).pieces;
                pieces[0].place = Some(Rc::new(book.spot(id).place()));
                let of = book.get(id).expect("an entry").source().number;
                let entries = book.entries();
                let removed = entries
                    .filter(|(_, entry)| entry.source().number == of)
                    .map(|(id, _)| id);
                let removed = removed.collect();
                let draft = book.rewritten(id, &code, &pieces).expect("a draft");
                (Operation::Replace, removed, book.draft(draft, 7))
            }
            Act::Import(clauses) => {
                let used = book.file("f.pl");
                let entries = || used.into_iter().flat_map(|used| book.entries_of(used));
                let had: BTreeMap<String, EntryId> = entries()
                    .map(|(id, entry)| (entry.code().to_owned(), id))
                    .collect();
                let removed = entries().map(|(id, _)| id).collect();
                let mut draft = draft(file("f.pl"), &text(clauses), book.next_last());
                for piece in &mut draft.pieces {
                    // What is equal stays the same entry.
                    let code = code_at(piece.start, &draft.text[piece.start..piece.end]);
                    if let Some(id) = had.get(code) {
                        piece.id = *id;
                        piece.place = Some(Rc::new(book.spot(*id).place()));
                    }
                }
                (Operation::Import("f.pl".into()), removed, book.draft(draft, 7))
            }
            Act::Unimport => {
                let used = book.file("f.pl");
                let entries = used.into_iter().flat_map(|used| book.entries_of(used));
                let removed = entries.map(|(id, _)| id).collect();
                (Operation::Unimport("f.pl".into()), removed, Vec::new())
            }
        };
        let before = book.revision();
        let delta = Delta {
            removed,
            added,
            ..Delta::default()
        };
        book.commit(operation, 9, delta);
        if book.revision() == before {
            return;
        }
        let revision = book.get_revision(before + 1).expect("the operation");
        self.standing.push(Done {
            number: before + 1,
            by,
            removed: codes(&revision.removed, &revision.added),
            added: codes(&revision.added, &revision.removed),
        });
        self.undone.clear();
    }

    /// Undo or redo the last operation of somebody, or of anybody. It is as if it had never been done, or had been done
    /// last; or it is refused, which operations of clauses alone are only where another needs them.
    fn reverse(&mut self, undo: bool, whose: Option<u8>, has_files: bool) -> Result<(), TestCaseError> {
        let pace = Pace::unbroken();
        let (from, to) = match undo {
            true => (&mut self.standing, &mut self.undone),
            false => (&mut self.undone, &mut self.standing),
        };
        let is_of = |done: &Done| whose.is_none_or(|whose| whose == done.by);
        let numbers: BTreeSet<u64> = from
            .iter()
            .filter(|done| is_of(done))
            .map(|done| done.number)
            .collect();
        let of = |number: u64, revision: &Revision| numbers.contains(&original(number, revision));
        let next = match undo {
            true => at_once(self.book.next_undo(of, &pace)),
            false => at_once(self.book.next_redo(of, &pace)),
        };
        let Some(position) = from.iter().rposition(is_of) else {
            prop_assert_eq!(next, Ok(None));
            return Ok(());
        };
        let done = from.remove(position);
        let (standing, clauses) = match undo {
            true => (from.clone(), replayed(from)),
            false => {
                let standing: Vec<Done> = to.iter().chain([&done]).cloned().collect();
                let clauses = replayed(&standing);
                (standing, clauses)
            }
        };
        match next {
            Err(superseded) => {
                prop_assert!(
                    whose.is_some(),
                    "the last of all: {:?} in {:?}",
                    superseded,
                    standing
                );
                prop_assert!(has_files || clauses.is_none(), "{:?}", superseded);
                prop_assert!(superseded.by.is_some(), "{:?}", superseded);
                from.insert(position, done);
            }
            Ok(next) => {
                let (operation, delta) = next.expect("an operation");
                self.book.commit(operation, 9, delta);
                to.push(done);
                let there = self.book.entries();
                let there: BTreeMap<_, _> = there.map(|(id, entry)| (id, entry.code().to_owned())).collect();
                prop_assert_eq!(Some(there), clauses);
            }
        }
        Ok(())
    }
}

fn steps(has_files: bool) -> impl Strategy<Value = Vec<Step>> {
    let clauses = || prop::collection::btree_set(0..4u8, 1..4).prop_map(|set| set.into_iter().collect());
    let files = u32::from(has_files);
    let act = prop_oneof![
        4 => clauses().prop_map(Act::Assert),
        3 => prop::collection::vec(0..6usize, 1..3).prop_map(Act::Retract),
        3 => (0..6usize, 4..8u8).prop_map(|(position, clause)| Act::Replace(position, clause)),
        3 => (0..6usize, 4..8u8).prop_map(|(position, clause)| Act::Exchange(position, clause)),
        4 * files => clauses().prop_map(Act::Import),
        files => Just(Act::Unimport),
    ];
    let whose = || prop_oneof![2 => (0..2u8).prop_map(Some), 1 => Just(None)];
    let step = prop_oneof![
        4 => (0..2u8, act).prop_map(|(who, act)| Step::Do(who, act)),
        3 => whose().prop_map(Step::Undo),
        2 => whose().prop_map(Step::Redo),
    ];
    prop::collection::vec(step, 1..20)
}

fn check(steps: Vec<Step>, has_files: bool) -> Result<(), TestCaseError> {
    let mut shared = Shared::default();
    for step in steps {
        match step {
            Step::Do(by, act) => shared.act(by, &act),
            Step::Undo(whose) => shared.reverse(true, whose, has_files)?,
            Step::Redo(whose) => shared.reverse(false, whose, has_files)?,
        }
        let files = shared
            .book
            .entries()
            .filter(|(_, entry)| entry.source().origin.file().is_some());
        let texts: BTreeSet<u32> = files.map(|(_, entry)| entry.source().number).collect();
        prop_assert!(texts.len() <= 1, "a file has one text");
        prop_assert_eq!(&Book::replay(shared.book.journal().to_vec()), &shared.book);
    }
    while !shared.standing.is_empty() {
        shared.reverse(true, None, has_files)?;
    }
    prop_assert!(shared.book.is_empty());
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn an_undo_leaves_what_the_operations_that_still_stand_give_or_is_refused(steps in steps(false)) {
        check(steps, false)?;
    }

    #[test]
    fn so_it_is_with_files_that_are_read_again_and_replaced_in_part(steps in steps(true)) {
        check(steps, true)?;
    }
}
