//! Random operations on a file: the book has what a simple model says, and what was retracted stays so.

use proptest::prelude::*;

use super::*;

/// Clauses are numbers.
#[derive(Debug, Clone)]
enum Act {
    Import(Vec<u8>),
    Retract(Vec<u8>),
    Unimport,
}

#[derive(Debug, Clone)]
enum Step {
    Do(Act),
    /// A program's change, or an accepted draft.
    Change(Vec<Act>),
    Undo,
    Redo,
    Reopen,
}

/// What a file has, and what was retracted from it.
#[derive(Debug, Clone, Default, PartialEq)]
struct Model {
    there: BTreeSet<u8>,
    retracted: BTreeSet<u8>,
}

impl Model {
    fn act(&mut self, act: &Act) {
        match act {
            Act::Import(clauses) => {
                let text: BTreeSet<u8> = clauses.iter().copied().collect();
                self.there = &text - &self.retracted;
                // A text that adds nothing is not kept.
                if !self.there.is_empty() {
                    self.retracted = &text & &self.retracted;
                }
            }
            Act::Retract(clauses) => {
                for clause in clauses.iter().filter(|clause| self.there.remove(clause)) {
                    self.retracted.insert(*clause);
                }
            }
            Act::Unimport => *self = Model::default(),
        }
    }
}

fn numbers<'a>(codes: impl Iterator<Item = &'a str>) -> BTreeSet<u8> {
    let number = |code: &str| code.trim_matches(['c', '.']).parse().expect("a number");
    codes.map(number).collect()
}

fn observed(book: &Book) -> Model {
    let used = book.file("f.pl");
    let entries = used.into_iter().flat_map(|used| book.entries_of(used));
    let gone = used.into_iter().flat_map(|used| book.gone_code(used));
    let emptied = book.emptied("f.pl");
    Model {
        there: numbers(entries.map(|(_, entry)| entry.code())),
        retracted: numbers(gone.chain(emptied.iter().flat_map(|emptied| emptied.gone_code()))),
    }
}

fn act(book: &mut Book, act: &Act) {
    let ids = |book: &Book, goes: &dyn Fn(u8) -> bool| -> Vec<EntryId> {
        let all = book.entries();
        let goes = all.filter(|(_, entry)| numbers(std::iter::once(entry.code())).into_iter().all(goes));
        goes.map(|(id, _)| id).collect()
    };
    let all = ids(book, &|_| true);
    match act {
        Act::Import(clauses) => {
            let retracted = observed(book).retracted;
            let mut clauses = clauses.clone();
            clauses.dedup();
            let text: Vec<String> = clauses.iter().map(|clause| format!("c{clause}.")).collect();
            let mut draft = draft(file("f.pl"), &text.join("\n"), book.next_last());
            draft.pieces.retain(|piece| {
                let code = code_at(piece.start, &draft.text[piece.start..piece.end]);
                numbers(std::iter::once(code)).is_disjoint(&retracted)
            });
            let added = match draft.pieces.is_empty() {
                true => Vec::new(),
                false => book.draft(draft, 7),
            };
            let delta = Delta {
                removed: all,
                added,
                ..Delta::default()
            };
            book.commit(Operation::Import("f.pl".into()), 9, delta);
        }
        Act::Retract(clauses) => {
            let delta = Delta {
                removed: ids(book, &|clause| clauses.contains(&clause)),
                ..Delta::default()
            };
            book.commit(Operation::Retract, 9, delta);
        }
        Act::Unimport => {
            let delta = Delta {
                removed: all,
                ..Delta::default()
            };
            book.commit(Operation::Unimport("f.pl".into()), 9, delta);
        }
    }
}

fn acts() -> impl Strategy<Value = Act> {
    let clauses = prop::collection::btree_set(0..4u8, 1..4).prop_map(|set| set.into_iter().collect());
    prop_oneof![
        2 => clauses.clone().prop_map(Act::Import),
        3 => clauses.prop_map(Act::Retract),
        1 => Just(Act::Unimport),
    ]
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        5 => acts().prop_map(Step::Do),
        3 => prop::collection::vec(acts(), 1..4).prop_map(Step::Change),
        3 => Just(Step::Undo),
        2 => Just(Step::Redo),
        1 => Just(Step::Reopen),
    ];
    prop::collection::vec(step, 1..24)
}

fn change(book: &mut Book, acts: &[Act]) {
    let pace = Pace::unbroken();
    let mut branch = book.branch();
    acts.iter().for_each(|one| act(&mut branch, one));
    let own: Vec<_> = branch.journal()[book.journal().len()..].to_vec();
    let own = own.iter().map(|revision| &**revision);
    let change = at_once(book.difference(&branch, Operation::Change, 9, own, &pace));
    let delta = at_once(book.rebase(change, BRANCH, &pace)).expect("nothing else has changed");
    book.commit(Operation::Change, 9, delta);
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

    #[test]
    fn what_was_retracted_from_a_file_stays_so(steps in steps()) {
        let mut book = Book::default();
        let mut model = Model::default();
        let (mut undoable, mut redoable) = (Vec::new(), Vec::new());
        for step in steps {
            let (before, was) = (book.revision(), model.clone());
            match &step {
                Step::Do(one) => {
                    act(&mut book, one);
                    model.act(one);
                }
                Step::Change(acts) => {
                    change(&mut book, acts);
                    acts.iter().for_each(|one| model.act(one));
                }
                Step::Undo | Step::Redo => {
                    let pace = Pace::unbroken();
                    let (next, from, to) = match step {
                        Step::Undo => (at_once(book.next_undo(all, &pace)), &mut undoable, &mut redoable),
                        _ => (at_once(book.next_redo(all, &pace)), &mut redoable, &mut undoable),
                    };
                    let next = next.expect("it can be reversed");
                    prop_assert_eq!(next.is_some(), !from.is_empty());
                    if let (Some((operation, delta)), Some(back)) = (next, from.pop()) {
                        book.commit(operation, 9, delta);
                        to.push(std::mem::replace(&mut model, back));
                    }
                }
                Step::Reopen => {
                    let again = Book::replay(book.journal().to_vec());
                    prop_assert_eq!(observed(&again), observed(&book));
                    book = again;
                }
            }
            if matches!(step, Step::Do(_) | Step::Change(_)) && book.revision() > before {
                undoable.push(was);
                redoable.clear();
            }
            prop_assert_eq!(observed(&book), model.clone(), "after {:?}", step);
        }
    }
}
