//! What a workspace needs of the book that it follows, if it is a draft of one. The part of the crate that has no
//! drafts does not carry what implements it.

use std::rc::Rc;

use futures::future::LocalBoxFuture;

use crate::Workspace;
use hornbook_base::{Control, Pace, Who};
use hornbook_book::{Book, Effect, Revision};
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

    /// Whether the book has changed since it was followed last.
    fn is_behind(&self) -> bool;

    /// Make a revision of `who`, which the workspace gets as `number`, part of the draft, unless the book has moved.
    fn append<'a>(
        &'a self,
        number: u64,
        revision: &'a Revision,
        who: Option<Rc<Who>>,
        pace: &'a Pace,
    ) -> LocalBoxFuture<'a, Result<Appended, StoreFault>>;

    /// What has come into the book, or out of the draft, since the last time; `now` is what the workspace has.
    fn news<'a>(&'a self, now: &'a Book, pace: &'a Pace) -> LocalBoxFuture<'a, Option<News>>;

    /// Note a goal that the client has asked. Returns whether it is new.
    fn note(&self, goal: &str) -> bool;

    /// Write what was noted, if there is room for it. Call within a turn of the draft.
    fn write_noted(&self) -> LocalBoxFuture<'_, ()>;
}

impl Workspace {
    /// Note that the client has asked this goal: if this is a draft, whoever decides about it is shown what happens to
    /// its answers.
    pub fn note_asked(&self, goal: &str) {
        let upstream = self.0.shelf.upstream.as_ref();
        if !upstream.is_some_and(|upstream| upstream.note(goal)) {
            return;
        }
        let weak = Rc::downgrade(&self.0);
        (self.0.spawner)(Box::pin(async move {
            if let Some(inner) = weak.upgrade()
                && let Some(upstream) = &inner.shelf.upstream
                && let Ok(_turn) = inner.wait(&Control::default()).await
            {
                upstream.write_noted().await;
            }
        }));
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
