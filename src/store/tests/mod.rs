//! The journal: what is written can be read again, however it was torn.

mod admitted;
mod format;
mod opening;
mod random;

use std::rc::Rc;

use futures::FutureExt;

use super::memory::MemoryStore;
use super::*;
use hornbook_base::{Limits, Pace};
use hornbook_book::{
    Book, Cell, DRAFTS, Delta, Draft, Entry, EntryId, Ids, Kind, Known, Numbers, Operation, Origin, Piece,
    Predicate, Revision, Standing, text,
};

fn limits(journal_bytes: u64) -> Limits {
    Limits {
        journal_bytes,
        history: 2,
        ..Limits::default()
    }
}

/// A book that is kept in memory.
struct Shelf {
    store: Rc<MemoryStore>,
    journal: Journal,
    book: std::cell::RefCell<Book>,
    /// The ids of the current writer.
    ids: Ids,
    /// Entries that were removed and may come back.
    gone: Vec<(EntryId, Entry)>,
    /// The length of the store and the book after each record, and the first line of the store then.
    states: Vec<(usize, State)>,
    heads: Vec<Vec<u8>>,
}

/// Everything observable about a book.
type State = (
    Vec<(EntryId, Entry)>,
    String,
    Vec<(Predicate, Standing)>,
    Numbers,
    u64,
);

fn state(book: &Book) -> State {
    let known = book
        .predicates()
        .map(|(predicate, standing)| (predicate.clone(), standing));
    (
        book.entries().map(|(id, entry)| (id, entry.clone())).collect(),
        book.snapshot(),
        known.collect(),
        book.numbers(),
        book.revision(),
    )
}

fn open(store: &Rc<MemoryStore>, limits: &Limits) -> Result<Opened, String> {
    let opened = Journal::open(store.clone(), limits, &Pace::unbroken()).now_or_never();
    opened.expect("at once").map_err(|fault| fault.to_string())
}

fn open_bytes(bytes: &[u8]) -> (Rc<MemoryStore>, Result<Opened, String>) {
    let store = Rc::new(MemoryStore::holding(bytes));
    let opened = open(&store, &Limits::default());
    (store, opened)
}

/// The length of a first line, in bytes.
const HEAD: usize = 46;

fn head(store: &MemoryStore) -> Vec<u8> {
    store.bytes.borrow()[..HEAD].to_vec()
}

impl Shelf {
    fn new(limits: &Limits) -> Self {
        Shelf::holding(b"", limits)
    }

    /// A shelf with a journal that can be read.
    fn holding(bytes: &[u8], limits: &Limits) -> Self {
        let store = Rc::new(MemoryStore::holding(bytes));
        let Opened { journal, book, .. } = open(&store, limits).expect("a journal");
        let length = store.bytes.borrow().len();
        Shelf {
            states: vec![(length, state(&book))],
            heads: vec![head(&store)],
            store,
            journal,
            book: book.into(),
            ids: Ids::default(),
            gone: Vec::new(),
        }
    }

    fn append(&self, revision: &Revision) -> Result<(), StoreFault> {
        let number = self.book.borrow().revision() + 1;
        self.journal
            .append(number, revision, &Pace::unbroken())
            .now_or_never()
            .expect("at once")
            .map(|appended| assert_eq!(appended, Appended::Done))
    }

    fn carry_out(&mut self, operation: Operation, delta: Delta) {
        let Some(revision) = self.book.borrow().plan(operation, 9, delta) else {
            return;
        };
        self.append(&revision).expect("kept");
        self.gone.extend(revision.removed.iter().cloned());
        self.book.borrow_mut().apply(revision);
        let replaced = self.store.replaced.get();
        self.journal
            .compact(&self.book, &Pace::unbroken())
            .now_or_never()
            .expect("at once");
        if self.store.replaced.get() > replaced {
            self.states.clear();
            self.heads.clear();
        }
        let length = self.store.bytes.borrow().len();
        self.states.push((length, state(&self.book.borrow())));
        self.heads.push(head(&self.store));
    }

    fn add(&mut self, operation: Operation, origin: Origin, text: &str, front: bool) {
        let draft = self.draft(origin, text, front);
        self.enter(operation, draft);
    }

    /// Insert directly after an entry; `None` appends.
    fn insert(&mut self, text: &str, behind: Option<EntryId>) {
        let mut draft = self.draft(Origin::Run, text, false);
        if let Some(behind) = behind {
            let places = self.book.borrow().places_behind(behind, draft.pieces.len());
            for (piece, place) in draft.pieces.iter_mut().zip(places) {
                piece.place = Some(place);
            }
        }
        self.enter(Operation::Assert, draft);
    }

    fn draft(&self, origin: Origin, text: &str, front: bool) -> Draft {
        let mut next = match front {
            true => self.book.borrow().next_first(),
            false => self.book.borrow().next_last(),
        };
        let piece = |range: std::ops::Range<usize>| {
            let clause = text[range.clone()].trim();
            let directive = clause.starts_with(":-");
            let id = self.ids.id(next);
            next += if front { -1 } else { 1 };
            Piece {
                id,
                place: self.ids.place(id),
                start: range.start,
                end: range.end,
                kind: if directive { Kind::Directive } else { Kind::Fact },
                predicate: named(&clause[..1]),
                restore: directive.then(|| ":- op(0, xfx, =>).".into()),
            }
        };
        let pieces: Vec<Piece> = text::clause_ranges(text).into_iter().map(piece).collect();
        Draft {
            origin,
            text: text.to_owned(),
            tail: pieces.last().map_or(0, |piece| piece.end),
            pieces,
            module: None,
            is_needed: false,
            replaced: Vec::new(),
        }
    }

    fn enter(&mut self, operation: Operation, draft: Draft) {
        let added = self.book.borrow_mut().draft(draft, 7);
        let delta = Delta {
            added,
            ..Delta::default()
        };
        self.carry_out(operation, delta);
    }

    fn remove(&mut self, ids: Vec<EntryId>) {
        let delta = Delta {
            removed: ids,
            ..Delta::default()
        };
        self.carry_out(Operation::Retract, delta);
    }
}

fn named(name: &str) -> Rc<Predicate> {
    Rc::new(Predicate {
        name: name.to_owned(),
        arity: 1,
    })
}
