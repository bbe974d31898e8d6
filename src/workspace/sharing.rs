//! A book that several processes share: each follows the changes of the others, and rebases its own onto
//! them.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::pin::pin;
use std::rc::{Rc, Weak};

use futures::future::select;

use super::constraints::Verdict;
use super::constraints::known::Met;
use super::edit::Edit;
use super::follow::follow;
use super::keeping::{Behind, Kept, Lead, not_kept};
use super::request::Watch;
use super::touched::Turned;
use super::turn::Turn;
use super::{Inner, Workspace};
use hornbook_base::{Control, Fault, FaultKind, Who};
use hornbook_book::{self as book, Author, Book, Clash, Delta, Entry, EntryId, Operation, Revision};
use hornbook_engine::misread_of;
use hornbook_engine::protocol;
use hornbook_engine::reply::Reloaded;
use hornbook_store::{Admitted, Heritage, Shared};

/// The most attempts at an operation while other processes are faster each time.
const TRIES: usize = 100;
/// The most milliseconds that a read waits for the changes of others.
const FRESH_MS: u64 = 1_000;
/// Milliseconds between attempts after listening for changes of others has failed.
const AGAIN_MS: u64 = 1_000;

impl Workspace {
    /// What whoever is opened in the place of this one takes over; `None` if the book is not shared.
    pub fn heritage(&self) -> Option<Heritage> {
        let own = self.0.shared()?.connection();
        Some(Heritage {
            revision: self.0.inherited,
            connections: self.0.predecessors.iter().cloned().chain([own]).collect(),
        })
    }

    /// Bring the book up to date with all processes, for reads that take no turn. Does not wait long for
    /// whatever has the turn.
    pub async fn freshen(&self) {
        if let Some(branch) = &self.0.shelf.upstream {
            if !branch.holds_base() {
                Box::pin(branch.base().freshen()).await;
            }
            if branch.is_behind() {
                let late = self.0.clock.sleep(FRESH_MS);
                drop(select(pin!(self.0.wait(&Control::default())), late).await);
            }
            return;
        }
        let Some(journal) = self
            .0
            .shelf
            .journal
            .clone()
            .filter(|journal| journal.shared().is_some())
        else {
            return;
        };
        let revision = self.0.book.borrow().revision();
        if journal.is_behind(revision).await {
            let late = self.0.clock.sleep(FRESH_MS);
            drop(select(pin!(self.0.wait(&Control::default())), late).await);
        }
    }

    /// Write a record, unchanged, for a process without access to the store, and apply it to the book. `at`
    /// is how far that process has read, in bytes, and `who` it is, unless it is the host: those whom the rules of
    /// the book bind write none. A fault is the store's.
    pub async fn admit(&self, at: u64, record: Vec<u8>, who: Option<&Who>) -> Result<Admitted, Fault> {
        let Some(journal) = self.0.shelf.journal.clone() else {
            return Err(Fault::new(
                FaultKind::StorageError,
                "This book is in memory only.",
            ));
        };
        let control = Control::default();
        let turn = self.0.wait(&control).await?;
        let admitted = journal.admit(at, record, &turn.book(), who, &self.0.pace()).await;
        drop(turn);
        // The book takes over the record like any other process's.
        self.0.wait(&control).await?;
        admitted.map_err(not_kept)
    }

    /// Follow the changes of other processes while the workspace lives.
    pub(super) fn follow_others(&self) {
        if let Some(branch) = &self.0.shelf.upstream
            && branch.is_kept()
        {
            self.follow_base(branch.base());
        }
        if self.0.shared().is_none() {
            return;
        }
        let weak = Rc::downgrade(&self.0);
        (self.0.spawner)(Box::pin(async move {
            while let Some(failed) = follow_once(&weak).await {
                let Some(clock) = weak.upgrade().map(|inner| inner.clock.clone()) else {
                    return;
                };
                if failed {
                    clock.sleep(AGAIN_MS).await;
                }
            }
        }));
    }
}

impl Workspace {
    /// Follow the changes of the book that a draft belongs to. However many come, one follower at most waits for the turn
    /// of the draft, so whoever changes the draft does not wait for one after the other.
    fn follow_base(&self, base: &Workspace) {
        let weak = Rc::downgrade(&self.0);
        let follows = Rc::new(Cell::new(false));
        base.on_changes(move |_| {
            let Some(inner) = weak.upgrade() else {
                return false;
            };
            if follows.replace(true) {
                return true;
            }
            let (weak, follows) = (weak.clone(), follows.clone());
            (inner.spawner)(Box::pin(async move {
                while let Some(inner) = weak.upgrade()
                    && inner
                        .shelf
                        .upstream
                        .as_ref()
                        .is_some_and(|branch| branch.is_behind())
                {
                    if inner.wait_as_query(&Control::default()).await.is_err() {
                        break;
                    }
                }
                follows.set(false);
            }));
            true
        });
    }
}

/// Wait for changes of others and take them over. Returns whether that failed; `None` if the workspace is
/// gone.
async fn follow_once(weak: &Weak<Inner>) -> Option<bool> {
    let journal = weak.upgrade()?.shelf.journal.clone()?;
    journal.changed().await;
    drop(journal);
    let inner = weak.upgrade()?;
    Some(inner.wait(&Control::default()).await.is_err())
}

impl Inner {
    pub(super) fn shared(&self) -> Option<&Rc<dyn Shared>> {
        self.shelf.journal.as_ref()?.shared()
    }

    /// The name under which this process's changes are recorded, if others may change the book, too.
    pub(super) fn connection(&self) -> Option<Rc<str>> {
        match &self.shelf.upstream {
            Some(branch) => Some(branch.connection()),
            None => self.shared().map(|shared| shared.connection()),
        }
    }

    /// Whether others may change the book, too.
    pub(super) fn has_others(&self) -> bool {
        self.shared().is_some() || self.shelf.upstream.is_some()
    }

    /// The author of the changes of this request.
    pub(super) fn author(&self, control: &Control) -> Option<Author> {
        self.connection().map(|connection| Author {
            connection: connection.to_string(),
            client: control.client_name.as_deref().map(str::to_owned),
        })
    }
}

impl Turn<'_> {
    /// Make the engine match the book after changes of other processes.
    pub(super) async fn catch_up(&self) {
        let Some(behind) = self.take_behind() else {
            return;
        };
        let edit = self.edit();
        let pace = self.workspace.pace();
        let turned = behind.touched.turned(&self.workspace.book(), &pace).await;
        if self.follow_others(turned).await.is_ok_and(|done| done) {
            edit.keep();
            return;
        }
        let open = self.workspace.queries.borrow().open().len();
        self.workspace.book.borrow_mut().name_as_recorded();
        edit.renew();
        let closed = open - self.workspace.queries.borrow().open().len();
        if closed > 0 {
            let queries = if closed == 1 { "query was" } else { "queries were" };
            self.workspace.supervisor.remark(format!(
                "A change by another process made a rebuild of the engine necessary: {closed} open {queries} closed."
            ));
        }
    }

    /// On `false`, or a fault, the engine must be rebuilt.
    pub(super) async fn follow_others(&self, mut turned: Turned) -> Result<bool, Fault> {
        if !come_at_end(&self.book(), &turned.added) {
            return follow(self, &turned).await;
        }
        let added = std::mem::take(&mut turned.added);
        Ok(follow(self, &turned).await? && self.load(&added).await?)
    }

    /// Load the last entries of the book as into a new engine. `false` if the engine refuses some.
    async fn load(&self, added: &[(EntryId, Entry)]) -> Result<bool, Fault> {
        let workspace = self.workspace;
        if added.iter().any(|(id, _)| workspace.supervisor.is_fatal(*id)) {
            return Ok(false);
        }
        let pace = workspace.pace();
        let mut after = self.book().spots().rev().nth(added.len()).cloned();
        loop {
            let book = self.book();
            let bytes = workspace.limits.load_bytes;
            let batches = book.batches_after(after.as_ref(), bytes, |_| false, &pace).await;
            let Some(last) = batches.last().and_then(|batch| batch.ids.last()) else {
                return Ok(true);
            };
            after = Some(book.spot(*last));
            drop(book);
            let request = protocol::reload(&[], &batches);
            let reply: Reloaded = self.ask(request, Watch::short("change of the engine")).await?;
            let misread = misread_of(&batches, &reply.items, &self.book());
            if misread.is_none_or(|misread| !misread.entries.is_empty()) {
                return Ok(false);
            }
        }
    }

    /// What the engine has yet to follow, for a caller that makes it follow more than that.
    pub(super) fn take_behind(&self) -> Option<Behind> {
        let shelf = &self.workspace.shelf;
        let waits = shelf.behind.borrow().is_some();
        waits.then(|| shelf.behind()).flatten()
    }

    /// The planned change, rebased onto the book as others have made it.
    async fn rebase(&self, revision: Rc<Revision>) -> Result<Delta, Clash> {
        let workspace = self.workspace;
        let mut next = workspace.book();
        let revision = Rc::unwrap_or_clone(revision);
        let begun = next.numbers();
        let moved = next.rebase(revision, self.begun.get(), &workspace.pace()).await?;
        self.begun.set(begun);
        *workspace.book.borrow_mut() = next;
        Ok(moved)
    }
}

/// Whether these are the last entries of the book, and include every entry of sources that change how text is
/// read.
fn come_at_end(book: &Book, added: &[(EntryId, Entry)]) -> bool {
    let last = book.spots().rev().take(added.len()).map(|spot| spot.id);
    if !last.eq(added.iter().rev().map(|(id, _)| *id)) {
        return false;
    }
    let of = |number: u32| {
        added
            .iter()
            .filter(move |(_, entry)| entry.source().number == number)
    };
    let is_whole = |number: u32| {
        book.source(number)
            .is_some_and(|used| used.entries == of(number).count())
    };
    let ordered: BTreeSet<u32> = added
        .iter()
        .filter(|(_, entry)| !entry.source().restores.is_empty())
        .map(|(_, entry)| entry.source().number)
        .collect();
    ordered.into_iter().all(is_whole)
}

impl Edit<'_> {
    /// Record in the book what the engine has done. If other processes were faster, the change is rebased
    /// onto theirs. On a fault the book has only their changes.
    pub async fn record(&self, operation: Operation, delta: Delta) -> Result<(), Fault> {
        self.record_with(operation, delta, Ok).await
    }

    /// Like `record`, where the cells of the change were planned on more of the book than what they change: on the
    /// book of others, `anew` makes them again, or refuses.
    pub async fn record_with(
        &self,
        operation: Operation,
        delta: Delta,
        mut anew: impl FnMut(Vec<book::Cell>) -> Result<Vec<book::Cell>, Clash>,
    ) -> Result<(), Fault> {
        let turn = self.turn;
        let mut delta = delta;
        for tries in 1.. {
            let Some(planned) = turn.planned(operation.clone(), delta).await? else {
                break;
            };
            let (lead, met) = match self.admitted(&planned).await? {
                Admittance::As(lead, met) => (lead, met),
                Admittance::Refused(fault) => {
                    self.settled();
                    return Err(fault);
                }
            };
            let again = (lead == Lead::Book).then(|| planned.clone());
            let number = turn.workspace.book.borrow().revision() + 1;
            let revision = match turn.keep_once(planned, lead).await? {
                Kept::Conflict(_, revision) => revision,
                Kept::Done(_) => {
                    turn.learn(met, number);
                    if let Some(planned) = again {
                        turn.workspace.shelf.note_kept(&planned).await;
                        turn.catch_up().await;
                    }
                    break;
                }
            };
            let behind_others = match tries {
                TRIES => Err(Clash("other processes keep changing the book".to_owned())),
                _ if lead == Lead::Book || turn.is_stale(&met) => {
                    Err(Clash("it changed what a constraint depends on".to_owned()))
                }
                _ => turn.rebase(revision).await,
            };
            let planned_again = behind_others.and_then(|moved| {
                let cells = anew(moved.cells)?;
                Ok(Delta { cells, ..moved })
            });
            delta = match planned_again {
                Ok(delta) => delta,
                Err(clash) => {
                    turn.catch_up().await;
                    self.settled();
                    return Err(conflict(&clash));
                }
            };
        }
        turn.begin();
        // Others may have been faster, or have written since, before a lost reply was made up for.
        turn.catch_up().await;
        Ok(())
    }
}

/// Whether the rules and constraints of the book admit a change of the engine.
enum Admittance {
    /// The change may be recorded; with [`Lead::Book`], the engine has undone it.
    As(Lead, Met),
    /// The engine has undone it.
    Refused(Fault),
}

impl Edit<'_> {
    async fn admitted(&self, planned: &Revision) -> Result<Admittance, Fault> {
        let turn = self.turn;
        let verdict = match turn.permit(planned).await {
            Err(fault) => Ok(Verdict::Refused(fault)),
            Ok(()) => turn.verdict(planned).await,
        };
        let verdict = match verdict {
            Ok(verdict) => verdict,
            Err(fault) if turn.has_engine() => Verdict::Refused(fault),
            Err(fault) => return Err(fault),
        };
        if let Verdict::Met(met) = verdict {
            return Ok(Admittance::As(Lead::Engine, met));
        }
        turn.workspace
            .shelf
            .note_ahead(planned, &turn.workspace.pace())
            .await;
        turn.catch_up().await;
        let verdict = match verdict {
            Verdict::Open(open) => turn.closed(open).await,
            verdict => verdict,
        };
        Ok(match verdict.into_met() {
            Ok(met) => Admittance::As(Lead::Book, met),
            Err(fault) => Admittance::Refused(fault),
        })
    }
}

/// Carry out an operation; if it conflicts with a change of another process, repeat it on the new book.
pub(super) async fn on_the_newest<T>(
    mut operation: impl AsyncFnMut() -> Result<T, Fault>,
) -> Result<T, Fault> {
    let mut left = TRIES;
    loop {
        match operation().await {
            Err(fault) if fault.kind == FaultKind::Conflict && left > 1 => left -= 1,
            result => return result,
        }
    }
}

fn conflict(Clash(why): &Clash) -> Fault {
    let message = format!(
        "Another process has changed the book at the same time, and this was not carried out: {why}."
    );
    Fault::new(FaultKind::Conflict, message)
}
