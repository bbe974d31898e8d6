//! What an engine holds of the book, and how it is given the rest.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use futures::future::{Either, select};

use super::host::EngineProcess;
use super::pool::{Engine, Failed};
use super::protocol;
use super::reading::{Misread, misread_of};
use super::reply::{Done, Reloaded, Reply};
use hornbook_base::{Clock, Limits, Pace};
use hornbook_book::{Batch, Book, EntryId, Known, Predicate, runs};

/// An entry, and whether it is a clause.
type Held = (EntryId, bool);

/// An engine that nobody uses yet, and what it holds of the book. It is ended when it is dropped.
pub struct Projection {
    engine: Engine,
    /// The entries it was given, in order.
    held: Vec<Held>,
    known: Vec<Predicate>,
    /// The entries that it did not take, and why.
    refused: BTreeMap<EntryId, String>,
    /// It is given one source at a time, since it was not clear which of several it misread.
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
    pub fn refused(&self) -> &BTreeMap<EntryId, String> {
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
        let entries = book.entries().map(|(id, _)| id);
        let mut entries = entries.filter(|id| !self.refused.contains_key(id)).peekable();
        for (id, is_clause) in &self.held {
            if pace.is_over(1) {
                pace.rest().await;
            }
            match entries.peek() {
                Some(next) if next < id => return None,
                Some(next) if next == id => drop(entries.next()),
                _ if *is_clause => gone.push(*id),
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
}

impl Loader {
    /// A request to an engine that is not in use yet.
    pub async fn ask<T: Reply>(&self, engine: &Projection, request: String) -> Result<T, String> {
        let limit_ms = self.limits.load_ms(request.len());
        let late = self.clock.sleep(limit_ms);
        match select(Box::pin(engine.engine.ask(request)), late).await {
            Either::Left((reply, _)) => reply.map_err(Failed::reason),
            Either::Right(_) => Err(format!("no answer within {limit_ms} ms")),
        }
    }

    /// Have the engine hold the book as it is now. What it holds already is not sent again where entries have only
    /// come at the end since, and clauses have gone.
    pub async fn update(&self, engine: &mut Projection) -> Result<(), String> {
        let (book, pace) = (self.book.borrow().clone(), Pace::new(self.clock.clone()));
        let gone = engine.gone_entries(&book, &pace).await;
        drop(book);
        match gone {
            Some(gone) => self.remove(engine, gone).await?,
            None => {
                self.reset(engine).await?;
                engine.refused.clear();
            }
        }
        let in_book = |id: &EntryId| self.book.borrow().get(*id).is_some();
        engine.refused.retain(|id, _| in_book(id));
        self.declare(engine).await?;
        while let Some((batches, new)) = self.next(engine).await {
            let Some(misread) = self.load(engine, &batches).await? else {
                engine.singly = true;
                self.reset(engine).await?;
                self.declare(engine).await?;
                continue;
            };
            if misread.entries.is_empty() {
                engine.held.extend(new);
                continue;
            }
            // The ids went to the wrong clauses: once more, without those that are refused.
            engine.refused.extend(misread.entries);
            if misread.astray {
                self.reset(engine).await?;
                self.declare(engine).await?;
            } else {
                let ids: Vec<EntryId> = new.iter().map(|(id, _)| *id).collect();
                let Done = self.ask(engine, protocol::remove(&runs(&ids))).await?;
            }
        }
        Ok(())
    }

    async fn reset(&self, engine: &mut Projection) -> Result<(), String> {
        let Done = self.ask(engine, protocol::reset()).await?;
        (engine.held, engine.known) = (Vec::new(), Vec::new());
        Ok(())
    }

    async fn remove(&self, engine: &mut Projection, gone: Vec<EntryId>) -> Result<(), String> {
        if gone.is_empty() {
            return Ok(());
        }
        let Done = self.ask(engine, protocol::remove(&runs(&gone))).await?;
        engine.held.retain(|(id, _)| gone.binary_search(id).is_err());
        Ok(())
    }

    async fn declare(&self, engine: &mut Projection) -> Result<(), String> {
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
        let after = engine.held.last().map(|(id, _)| *id);
        let skip = |id: &EntryId| engine.refused.contains_key(id);
        let bytes = if engine.singly { 1 } else { self.limits.load_bytes };
        let batches = book.batches_after(after, bytes, skip, &pace).await;
        let mut new = Vec::new();
        for id in batches.iter().flat_map(|batch| &batch.ids) {
            new.push((*id, book.get(*id).is_some_and(|entry| entry.is_clause())));
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        (!new.is_empty()).then_some((batches, new))
    }

    /// The entries that were misread; `None` when it is not clear which were.
    async fn load(&self, engine: &Projection, batches: &[Batch]) -> Result<Option<Misread>, String> {
        let reply: Reloaded = self.ask(engine, protocol::reload(&[], batches)).await?;
        Ok(misread_of(batches, &reply.items, &self.book.borrow()))
    }
}
