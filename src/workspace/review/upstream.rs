//! What a workspace needs of the book that it follows, if it is a draft of one. The part of the crate that has no
//! drafts does not carry what implements it.

use std::pin::pin;
use std::rc::Rc;

use futures::channel::oneshot;
use futures::future::{Either, LocalBoxFuture, select};

use crate::{Inner, Workspace};
use hornbook_base::{Control, Pace, Who};
use hornbook_book::{Book, Effect, Revision};
use hornbook_store::{Appended, StoreFault};

/// Goals that a client asked wait at most so long until they are in the log, in milliseconds.
const NOTED_MS: u64 = 30_000;
/// How long a draft that is closed waits for its turn to write them.
const CLOSING_MS: u64 = 2_000;

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

    /// A client is served here: it is told what was decided about the draft.
    fn serve(&self);

    /// Note a goal that the client has asked. Returns whether it is new.
    fn note(&self, goal: &str) -> bool;

    /// Write what was noted, if there is room for it or it is `due`. Returns whether something is left. Call within a
    /// turn of the draft.
    fn write_noted(&self, due: bool) -> LocalBoxFuture<'_, bool>;

    /// For whoever waits to write what is left: it ends with the draft. `None` if somebody waits already.
    fn waits(&self) -> Option<oneshot::Receiver<()>>;
}

impl Workspace {
    /// A client is served here: if this is a draft, it is told what was decided about it, and nobody else is.
    pub fn serve(&self) {
        if let Some(upstream) = &self.0.shelf.upstream {
            upstream.serve();
        }
    }

    /// Note that the client has asked this goal: if this is a draft, whoever decides about it is shown what happens to
    /// its answers.
    pub fn note_asked(&self, goal: &str) {
        let upstream = self.0.shelf.upstream.as_ref();
        if !upstream.is_some_and(|upstream| upstream.note(goal)) {
            return;
        }
        let weak = Rc::downgrade(&self.0);
        (self.0.spawner)(Box::pin(async move {
            let Some(inner) = weak.upgrade() else { return };
            if !inner.write_noted(false).await {
                return;
            }
            let waits = inner
                .shelf
                .upstream
                .as_ref()
                .and_then(|upstream| upstream.waits());
            let Some(mut closed) = waits else { return };
            let clock = inner.clock.clone();
            drop(inner);
            while let Either::Left(_) = select(clock.sleep(NOTED_MS), &mut closed).await
                && let Some(inner) = weak.upgrade()
                && inner.write_noted(true).await
            {}
        }));
    }

    /// Write the goals that the client has asked and that are not in the log yet: this draft is about to be closed.
    pub async fn keep_asked(&self) {
        let late = self.0.clock.sleep(CLOSING_MS);
        drop(select(pin!(self.0.write_noted(true)), late).await);
    }
}

impl Inner {
    /// Write the goals that the client of this draft has asked. Returns whether some are left.
    async fn write_noted(&self, due: bool) -> bool {
        let Some(upstream) = &self.shelf.upstream else {
            return false;
        };
        match self.wait(&Control::default()).await {
            Ok(_turn) => upstream.write_noted(due).await,
            Err(_) => true,
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
