//! What a workspace needs of the book that it follows, if it is a draft of one. The part of the crate that has no
//! drafts does not carry what implements it.

use std::rc::{Rc, Weak};

use futures::future::LocalBoxFuture;

use crate::{Inner, Workspace};
use hornbook_base::{Pace, Who};
use hornbook_book::{Book, Effect, Revision};
use hornbook_engine::Permit;
use hornbook_store::{Appended, StoreFault};

/// Where the changes of a draft are kept, and what it follows.
pub(crate) trait Upstream {
    /// The book.
    fn base(&self) -> &Workspace;

    /// The name under which its changes are recorded: they are the draft's own, whichever process makes them.
    fn connection(&self) -> Rc<str>;

    /// Whether this is a draft, and not a change that is being made.
    fn is_kept(&self) -> bool;

    /// Whether only some operations were chosen: then no others can be added.
    fn is_chosen(&self) -> bool;

    /// Whether this is a change that has the turn of the book: nobody else in this process changes that.
    fn holds_base(&self) -> bool;

    /// Whether the book has changed since it was followed last.
    fn is_behind(&self) -> bool;

    /// Make a revision of `who`, which the workspace gets as `number`, part of the draft, unless the book has moved.
    /// `permit` is that of the turn of the draft.
    fn append<'a>(
        &'a self,
        number: u64,
        revision: &'a Revision,
        who: Option<Rc<Who>>,
        permit: &'a Permit,
        pace: &'a Pace,
    ) -> LocalBoxFuture<'a, Result<Appended, StoreFault>>;

    /// What has come into the book, or out of the draft, since the last time; `now` is what the workspace has. `again`
    /// is the permit of a change, which may have been tried before: once the book has moved too often meanwhile, it holds
    /// the book's until the change is made or given up.
    fn news<'a>(
        &'a self,
        now: &'a Book,
        again: Option<&'a Permit>,
        pace: &'a Pace,
    ) -> LocalBoxFuture<'a, Option<News>>;

    /// A client is served here: it is told what was decided about the draft.
    fn serve(&self);

    /// Note a goal that the client of this draft has asked. Returns what writes it, if it is new.
    fn note(&self, goal: &str, draft: Weak<Inner>) -> Option<LocalBoxFuture<'static, ()>>;
}

impl Workspace {
    /// A client is served here: if this is a draft, it is told what was decided about it, and nobody else is.
    pub fn serve(&self) {
        if let Some(upstream) = &self.0.shelf.upstream {
            upstream.serve();
        }
    }

    /// What the client of this draft should know and was not told by what it called, each once: as what was decided. What
    /// concerns clients of a book waits for an operation that tells it.
    pub fn take_untold(&self) -> Vec<String> {
        match self.draft_name() {
            Some(_) => self.0.supervisor.take_remarks(),
            None => Vec::new(),
        }
    }

    /// Note that the client has asked this goal: if this is a draft, whoever decides about it is shown what happens to
    /// its answers.
    pub fn note_asked(&self, goal: &str) {
        if let Some(upstream) = &self.0.shelf.upstream
            && let Some(writing) = upstream.note(goal, Rc::downgrade(&self.0))
        {
            (self.0.spawner)(writing);
        }
    }
}

/// The news for the workspace of a draft.
pub(crate) struct News {
    pub book: Book,
    /// What leads to that book.
    pub change: Revision,
    /// What its client should know, a sentence each.
    pub told: Vec<String>,
}

/// What a workspace has to announce after such news.
pub(crate) fn effect_of(change: &Revision) -> Effect {
    let clauses = !(change.removed.is_empty() && change.added.is_empty());
    Effect {
        clauses,
        symbols: clauses || !change.known.is_empty(),
        cells: !change.cells.is_empty(),
    }
}
