//! What an engine holds of the book, and how it is given the rest.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use futures::future::{Either, select};

use super::host::EngineProcess;
use super::pool::Engine;
use super::protocol;
use super::reading::{Misread, misread_of};
use super::reply::{Done, Reloaded, Reply};
use super::suspects::Suspects;
use hornbook_base::{Clock, Limits, Pace};
use hornbook_book::{Batch, Book, EntryId, Known, Predicate, Spot, runs};

/// An entry, and whether it is a clause.
type Held = (Spot, bool);

/// An engine that nobody uses yet, and what it holds of the book. It is ended when it is dropped.
pub struct Projection {
    engine: Engine,
    /// The entries it was given, in order.
    held: Vec<Held>,
    known: Vec<Predicate>,
    /// The entries that it did not take, and why.
    refused: BTreeMap<EntryId, Rc<str>>,
    /// It is given one batch at a time, since it was not clear which of several it misread.
    singly: bool,
}

impl Projection {
    /// Of an engine that holds nothing.
    pub fn new(engine: Engine) -> Self {
        Projection {
            engine,
            held: Vec::new(),
            known: Vec::new(),
            refused: BTreeMap::new(),
            singly: false,
        }
    }

    /// The engine, to be used.
    pub fn own(self) -> Rc<dyn EngineProcess> {
        self.engine.release()
    }

    /// Whether the engine died.
    pub fn gone(&self) -> bool {
        self.engine.gone()
    }

    /// The entries that it does not hold, and why.
    pub fn refused(&self) -> &BTreeMap<EntryId, Rc<str>> {
        &self.refused
    }

    /// The entries that the book no longer has; `None` when the engine must begin anew, since it does not hold the
    /// begin of the book, or what went is not clauses alone.
    async fn gone_entries(&self, book: &Book, pace: &Pace) -> Option<Vec<EntryId>> {
        for predicate in &self.known {
            if book.standing(predicate).known == Known::No {
                return None;
            }
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        let mut gone = Vec::new();
        let entries = book.spots();
        let mut entries = entries
            .filter(|spot| !self.refused.contains_key(&spot.id))
            .peekable();
        for (spot, is_clause) in &self.held {
            if pace.is_over(1) {
                pace.rest().await;
            }
            match entries.peek() {
                Some(next) if *next < spot => return None,
                Some(next) if *next == spot => drop(entries.next()),
                _ if *is_clause => gone.push(spot.id),
                _ => return None,
            }
        }
        Some(gone)
    }
}

/// Gives engines the book.
pub struct Loader {
    pub book: Rc<RefCell<Book>>,
    pub clock: Rc<dyn Clock>,
    pub limits: Limits,
    pub suspects: RefCell<Suspects>,
}

/// Why an engine does not hold the book.
#[derive(Debug)]
pub struct NotLoaded {
    /// A part of a sentence.
    pub reason: String,
    /// What it was sent when it died or answered no more; where that may have been its end.
    pub of: Option<Vec<Spot>>,
}

impl From<String> for NotLoaded {
    fn from(reason: String) -> Self {
        NotLoaded { reason, of: None }
    }
}

impl From<Unanswered> for NotLoaded {
    fn from(unanswered: Unanswered) -> Self {
        unanswered.reason.into()
    }
}

/// A request without a reply that could be used.
pub struct Unanswered {
    /// A part of a sentence.
    reason: String,
    /// The engine died by itself, or answers no more.
    died: bool,
}

impl Loader {
    /// A request to an engine that is not in use yet.
    async fn ask<T: Reply>(&self, engine: &Projection, request: String) -> Result<T, Unanswered> {
        let limit_ms = self.limits.load_ms(request.len());
        let late = self.clock.sleep(limit_ms);
        match select(Box::pin(engine.engine.ask(request)), late).await {
            Either::Left((reply, _)) => reply.map_err(|failed| Unanswered {
                died: failed.is_death(),
                reason: failed.reason(),
            }),
            Either::Right(_) => Err(Unanswered {
                reason: format!("no answer within {limit_ms} ms"),
                died: true,
            }),
        }
    }

    /// Have the engine hold the book as it is now. What it holds already is not sent again where entries have only
    /// come at the end since, and clauses have gone. What engines die of is not sent.
    pub async fn update(&self, engine: &mut Projection) -> Result<(), NotLoaded> {
        self.suspects.borrow_mut().begin(&self.book.borrow());
        self.leave_out_fatal(engine);
        let (book, pace) = (self.book.borrow().clone(), Pace::new(self.clock.clone()));
        let gone = engine.gone_entries(&book, &pace).await;
        drop(book);
        match gone {
            Some(gone) => self.remove(engine, gone).await?,
            None => {
                self.reset(engine).await?;
                engine.refused.clear();
                self.leave_out_fatal(engine);
            }
        }
        self.declare(engine).await?;
        if self.load_all(engine).await? {
            // What it holds is as the book is now; what was known under other names is gone.
            self.reset(engine).await?;
            self.declare(engine).await?;
            self.load_all(engine).await?;
        }
        self.suspects.borrow_mut().loaded();
        Ok(())
    }

    /// Load what the engine has not yet. Whether entries of the book have taken other names by that.
    async fn load_all(&self, engine: &mut Projection) -> Result<bool, NotLoaded> {
        let mut renamed = false;
        while let Some((batches, new)) = self.next(engine).await {
            let sent: Vec<Spot> = new.iter().map(|(spot, _)| spot.clone()).collect();
            let misread = match self.load(engine, &batches).await {
                Ok(misread) => misread,
                Err(Unanswered { reason, died }) => {
                    let of = died.then_some(sent);
                    return Err(NotLoaded { reason, of });
                }
            };
            let trial = self.suspects.borrow().is_trial(&sent);
            self.suspects.borrow_mut().survived(&sent);
            self.leave_out_fatal(engine);
            let Some(misread) = misread else {
                engine.singly = true;
                self.reset(engine).await?;
                self.declare(engine).await?;
                continue;
            };
            for (id, predicate) in &misread.renamed {
                self.book.borrow_mut().rename(*id, predicate.clone());
                renamed = true;
            }
            if misread.entries.is_empty() && !trial {
                engine.held.extend(new);
                continue;
            }
            if !trial {
                // The ids went to the wrong clauses: once more, without those that are refused.
                engine.refused.extend(misread.entries);
            }
            if misread.astray || self.goes_on_with_other_operators(&batches) {
                self.reset(engine).await?;
                self.declare(engine).await?;
            } else {
                let ids: Vec<EntryId> = batches.iter().flat_map(|batch| &batch.ids).copied().collect();
                let Done = self.ask(engine, protocol::remove(&runs(&ids))).await?;
            }
        }
        Ok(renamed)
    }

    /// Whether these begin within a source, and change how the rest of it is read: an engine that has read them cannot
    /// read them again as it did.
    fn goes_on_with_other_operators(&self, batches: &[Batch]) -> bool {
        let book = self.book.borrow();
        let changes = |id: &EntryId| book.get(*id).is_some_and(|entry| entry.restore().is_some());
        batches
            .first()
            .is_some_and(|first| !first.begins && first.ids.iter().any(changes))
    }

    /// What engines die of is among what this one does not hold, and nothing there that the book no longer has.
    fn leave_out_fatal(&self, engine: &mut Projection) {
        let book = self.book.borrow();
        let suspects = self.suspects.borrow();
        let fatal = suspects.fatal().iter().map(|(id, why)| (*id, why.clone()));
        engine.refused.extend(fatal);
        engine.refused.retain(|id, _| book.get(*id).is_some());
    }

    async fn reset(&self, engine: &mut Projection) -> Result<(), Unanswered> {
        let Done = self.ask(engine, protocol::reset()).await?;
        (engine.held, engine.known) = (Vec::new(), Vec::new());
        Ok(())
    }

    async fn remove(&self, engine: &mut Projection, mut gone: Vec<EntryId>) -> Result<(), Unanswered> {
        if gone.is_empty() {
            return Ok(());
        }
        gone.sort_unstable();
        let Done = self.ask(engine, protocol::remove(&runs(&gone))).await?;
        engine
            .held
            .retain(|(spot, _)| gone.binary_search(&spot.id).is_err());
        Ok(())
    }

    async fn declare(&self, engine: &mut Projection) -> Result<(), Unanswered> {
        let known: Vec<Predicate> = self
            .book
            .borrow()
            .predicates()
            .map(|(predicate, _)| predicate.clone())
            .collect();
        if known != engine.known {
            let Done = self.ask(engine, protocol::declare(&known)).await?;
            engine.known = known;
        }
        Ok(())
    }

    /// What is to be sent next; clauses that were accepted once may be refused now, and are left out.
    async fn next(&self, engine: &Projection) -> Option<(Vec<Batch>, Vec<Held>)> {
        let (book, pace) = (self.book.borrow().clone(), Pace::new(self.clock.clone()));
        let after = engine.held.last().map(|(spot, _)| spot);
        let until = self.suspects.borrow().until();
        let is_later = |spot: &Spot| until.as_ref().is_some_and(|until| spot > until);
        let skip = |spot: &Spot| engine.refused.contains_key(&spot.id) || is_later(spot);
        let mut batches = book
            .batches_after(after, self.limits.load_bytes, skip, &pace)
            .await;
        if engine.singly {
            batches.truncate(1);
        }
        let mut new = Vec::new();
        for id in batches.iter().flat_map(|batch| &batch.ids) {
            new.push((
                book.spot(*id),
                book.get(*id).is_some_and(|entry| entry.is_clause()),
            ));
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        (!new.is_empty()).then_some((batches, new))
    }

    /// The entries that were misread; `None` when it is not clear which were.
    async fn load(&self, engine: &Projection, batches: &[Batch]) -> Result<Option<Misread>, Unanswered> {
        let reply: Reloaded = self.ask(engine, protocol::reload(&[], batches)).await?;
        Ok(misread_of(batches, &reply.items, &self.book.borrow()))
    }
}
