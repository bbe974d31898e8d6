//! One book, its engines, and the operations on them.

mod adding;
mod agree;
mod asking;
mod believed;
#[cfg(any(test, feature = "testing"))]
pub mod bench;
mod beside;
mod cells;
mod changes;
mod check;
mod clauses;
mod columns;
mod consequences;
mod constraints;
mod directives;
mod documents;
mod doubt_texts;
mod doubts;
mod edit;
mod elsewhere;
mod facts;
mod faults;
mod files;
mod follow;
mod formats;
mod held;
mod hint;
mod history;
mod inspect;
mod joining;
mod keeping;
mod lanes;
mod linked;
mod links;
mod loads;
mod loose;
mod mark;
mod modules;
mod needs;
mod objections;
mod open;
mod outline;
mod parts;
mod past;
mod paths;
mod places;
mod proof;
mod queries;
mod reading;
mod reloading;
mod replace;
mod request;
mod restart;
mod retracted;
mod review;
mod rooms;
mod savepoints;
mod saving;
mod sharing;
mod slices;
mod steps;
mod tables;
mod telling;
#[cfg(test)]
mod tests;
mod touched;
mod turn;
mod twice;
mod types;
mod unloaded;
mod upsert;
mod waited;
mod walk;
mod watchers;
mod watching;

use std::cell::{Cell, OnceCell, RefCell};
use std::rc::Rc;

pub use asking::HostPredicates;
pub use cells::CellEdit;
pub use consequences::OpenPast;
pub use constraints::ConstraintInfo;
pub use facts::{Asked, CellValue, Facts, Objectors};
pub use formats::{FileFormat, ImportOptions};
pub use hornbook_tables::{About, Column, ColumnKind, Wishes};
pub use linked::DataHost;
pub use objections::Objections;
pub use review::{Decided, Proposal, ProposedCell, ProposedClause, ProposedOperation};
pub use rooms::CellListener;
pub use types::*;
pub use watchers::{Watched, Watching};

use crate::open::Queries;
use hornbook_base::{Clock, Fault, FaultKind, Files, Limits, Pace, Spawner};
use hornbook_book::{Book, Ids, Predicate};
use hornbook_engine::{Capability, Pool, Profile, Queue, Supervisor, Unknown};
use hornbook_store::{Heritage, Journal, Opened};
use hornbook_tables::Reader;
use keeping::Shelf;
use lanes::{Lane, Order};
use links::Links;
use paths::Roots;
use review::{Branch, Upstream};
use rooms::Rooms;

/// One book and its engines. Cheap to clone: clones are the same workspace.
#[derive(Clone)]
pub struct Workspace(
    Rc<Inner>,
    /// The most tokens in a reply, if not the limit `reply_tokens`.
    Option<usize>,
);

/// Returns whether it is to be called again.
type Listener = Rc<dyn Fn(Changed) -> bool>;

struct Inner {
    book: Rc<RefCell<Book>>,
    queries: Rc<RefCell<Queries>>,
    supervisor: Supervisor,
    /// Permits of queries to take long: one fewer than there are engines, which leaves one to what is short.
    long: Queue,
    /// The engines; the first is that of `supervisor`.
    lanes: Rc<[Rc<Lane>]>,
    order: Order,
    /// The query that runs, or has run, in the latest turn of the first engine.
    ran: RefCell<Option<waited::Ran>>,
    spawner: Spawner,
    shelf: Shelf,
    /// Revisions up to this one count as this process's own: no other process had the book when it was
    /// opened.
    inherited: u64,
    /// The connections of this process in whose place this one was opened.
    predecessors: Vec<Rc<str>>,
    /// For the next look at the past.
    walk: RefCell<walk::Walk>,
    /// The revision that the book is as of, if it is not the newest: then it cannot be changed.
    past: Option<u64>,
    /// The draft that this is, if it is one; the shelf knows it as what it follows.
    draft: Option<Rc<Branch>>,
    /// The ids of new entries.
    ids: Ids,
    /// How many workspaces of drafts and changes of this book were opened.
    branches: Cell<u64>,
    clock: Rc<dyn Clock>,
    roots: Roots,
    limits: Limits,
    timeout_ms: u64,
    listeners: Rc<RefCell<Vec<Listener>>>,
    rooms: Rooms,
    predicates: OnceCell<Rc<dyn HostPredicates>>,
    past_opener: OnceCell<Rc<dyn OpenPast>>,
    linked: OnceCell<Rc<dyn Links>>,
    tables: OnceCell<Rc<dyn Reader>>,
}

/// How to set up a workspace.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Directories from which files may be read.
    pub roots: Vec<String>,
    /// Libraries to load in addition to the default ones.
    pub libraries: Vec<String>,
    pub unknown: Unknown,
    /// The capabilities whose predicates goals may use.
    pub capabilities: Vec<Capability>,
    /// Predicates that the host answers; [`Workspace::answer_by`] says how.
    pub host: Vec<Predicate>,
    /// The time limit for one call of a query that sets none, in milliseconds.
    pub timeout_ms: u64,
    /// How many queries may take long at a time, each in an engine; from two on there is one more engine, for what is short.
    /// Those beyond the first start when a query would have to wait.
    pub engines: usize,
    pub limits: Limits,
}

impl Default for Options {
    fn default() -> Self {
        Options {
            roots: Vec::new(),
            libraries: Vec::new(),
            unknown: Unknown::default(),
            capabilities: Vec::new(),
            host: Vec::new(),
            timeout_ms: 30_000,
            engines: 1,
            limits: Limits::default(),
        }
    }
}

impl Workspace {
    /// A workspace with the opened book, or with an empty one that lives only in memory. Its engines come
    /// from `pool`; the first starts in the background.
    pub fn open(pool: Pool, files: Rc<dyn Files>, options: Options, opened: Option<Opened>) -> Workspace {
        let (book, journal, notice) = match opened {
            Some(opened) => (opened.book, Some(Rc::new(opened.journal)), opened.notice),
            None => (Book::default(), None, None),
        };
        let workspace = Workspace::of(pool, files, options, (book, None), journal, None);
        if let Some(notice) = notice {
            workspace.0.supervisor.remark(notice);
        }
        workspace
    }

    /// A workspace with the book of this one and the changes of the draft of this name, which need not exist yet,
    /// or only these of its operations. What is changed there becomes part of the draft.
    ///
    /// # Errors
    /// [`FaultKind::DomainError`] if no draft can be called so.
    pub async fn draft(
        &self,
        name: &str,
        only: Option<Vec<String>>,
        pool: Pool,
        files: Rc<dyn Files>,
        options: Options,
    ) -> Result<Workspace, Fault> {
        if self.0.draft.is_some() {
            let message = "A draft has no drafts of its own.";
            return Err(Fault::new(FaultKind::DomainError, message));
        }
        let only = only.map(|keys| keys.into_iter().collect());
        let (branch, book, told) = Branch::open(self, name, only).await?;
        let workspace = Workspace::of(pool, files, options, (book, None), None, Some(Rc::new(branch)));
        for remark in told {
            workspace.0.supervisor.remark(remark);
        }
        workspace.decide_by_rules();
        Ok(workspace)
    }

    /// A workspace in which changes of this book are made, each as one revision: see [`Workspace::begin_change`].
    pub fn for_changes(
        &self,
        pool: Pool,
        files: Rc<dyn Files>,
        options: Options,
    ) -> Result<Workspace, Fault> {
        if self.0.draft.is_some() {
            let message = "A change is made in a book, and not within a draft or another change.";
            return Err(Fault::new(FaultKind::DomainError, message));
        }
        let (branch, book) = Branch::of_change(self);
        Ok(Workspace::of(
            pool,
            files,
            options,
            (book, None),
            None,
            Some(Rc::new(branch)),
        ))
    }

    /// A workspace with the book as it was after a revision, which cannot be changed.
    ///
    /// # Errors
    /// [`FaultKind::NoSuchRevision`] if there is none, or later changes are no longer kept.
    pub async fn as_of(
        &self,
        revision: u64,
        pool: Pool,
        files: Rc<dyn Files>,
        options: Options,
    ) -> Result<Workspace, Fault> {
        self.freshen().await;
        let book = self.0.book();
        history::known_revision(&book, revision)?;
        let then = book.as_of(revision, &self.0.pace()).await;
        let then = then.expect("the revision is known");
        Ok(Workspace::of(
            pool,
            files,
            options,
            (then, Some(revision)),
            None,
            None,
        ))
    }

    /// The name of the draft that this is; `None` for a book.
    pub fn draft_name(&self) -> Option<Rc<str>> {
        let draft = self.0.draft.as_ref().filter(|branch| branch.is_kept());
        draft.map(|branch| branch.name.clone())
    }

    fn of(
        pool: Pool,
        files: Rc<dyn Files>,
        options: Options,
        (book, past): (Book, Option<u64>),
        journal: Option<Rc<Journal>>,
        branch: Option<Rc<Branch>>,
    ) -> Workspace {
        let Options {
            roots,
            libraries,
            unknown,
            capabilities,
            host,
            timeout_ms,
            engines,
            limits,
        } = options;
        let (clock, spawner) = (pool.clock().clone(), pool.spawner().clone());
        let book = Rc::new(RefCell::new(book));
        let profile = Profile::book(unknown, libraries, capabilities, limits.clone()).with_host(host);
        let supervisor = Supervisor::new(pool, profile, book.clone());
        supervisor.build_soon();
        let shared = journal.as_ref().and_then(|journal| journal.shared());
        let heritage = shared.map_or_else(Heritage::default, |shared| shared.heritage());
        let (inherited, ids) = match (shared, &branch) {
            (_, Some(branch)) => (0, branch.ids()),
            (Some(shared), None) if !shared.was_alone() => (heritage.revision, Ids::of(&shared.connection())),
            _ => (book.borrow().revision(), Ids::default()),
        };
        let queries = Rc::default();
        let lanes = lanes::lanes(&supervisor, engines, &queries, &clock);
        let rooms = Rooms::new(lanes.clone());
        let shelf = Shelf {
            book: book.clone(),
            journal,
            upstream: branch.clone().map(|branch| branch as Rc<dyn Upstream>),
            rooms: rooms.clone(),
            behind: Rc::default(),
            supervisor: supervisor.clone(),
            clock: clock.clone(),
        };
        let inner = Rc::new(Inner {
            book,
            shelf,
            inherited,
            predecessors: heritage.connections,
            walk: RefCell::default(),
            past,
            draft: branch,
            ids,
            branches: Cell::default(),
            queries,
            supervisor,
            long: Queue::of(engines.max(1)),
            lanes,
            order: Order::default(),
            ran: RefCell::default(),
            spawner,
            clock,
            roots: Roots::new(files, roots),
            linked: OnceCell::new(),
            limits,
            timeout_ms,
            listeners: Rc::default(),
            rooms,
            predicates: OnceCell::new(),
            past_opener: OnceCell::new(),
            tables: OnceCell::new(),
        });
        let workspace = Workspace(inner, None);
        workspace.tell_documents();
        workspace.follow_others();
        workspace
    }

    /// `listener` is called once after each operation that changed something.
    pub fn on_change(&self, listener: impl Fn(Changed) + 'static) {
        self.on_changes(move |changed| {
            listener(changed);
            true
        });
    }

    /// Like `on_change`, until `listener` returns `false`.
    fn on_changes(&self, listener: impl Fn(Changed) -> bool + 'static) {
        self.0.listeners.borrow_mut().push(Rc::new(listener));
    }

    /// The most tokens in a reply: in its text, and likewise in its structured content.
    pub fn reply_tokens(&self) -> usize {
        self.1.unwrap_or(self.0.limits.reply_tokens)
    }

    /// The same workspace, for a client with its own bound on the tokens of a reply.
    pub fn with_reply_tokens(self, tokens: Option<usize>) -> Workspace {
        Workspace(self.0, tokens)
    }

    /// The host's clock, in milliseconds since 1970.
    pub fn now_ms(&self) -> u64 {
        self.0.clock.now_ms()
    }
}

impl Inner {
    /// A snapshot of the book, for work in slices.
    fn book(&self) -> Book {
        self.book.borrow().clone()
    }

    fn pace(&self) -> Pace {
        Pace::new(self.clock.clone())
    }

    fn announce(&self, changed: Changed) {
        announce(&self.listeners, changed);
    }
}

fn announce(listeners: &RefCell<Vec<Listener>>, changed: Changed) {
    let told = listeners.borrow().clone();
    for listener in told {
        if !listener(changed) {
            listeners.borrow_mut().retain(|one| !Rc::ptr_eq(one, &listener));
        }
    }
}
