//! What an engine holds of the book, and how it is given the rest.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;

use futures::future::{Either, select};

use super::host::EngineProcess;
use super::protocol;
use super::reply::{self, Done, Found, Refusal, Reply};
use hornbook_base::{Clock, Limits, Pace};
use hornbook_book::{Batch, Book, EntryId, Known, Predicate, runs};

/// An entry, and whether it is a clause.
type Held = (EntryId, bool);

/// An engine that nobody uses yet, and what it holds of the book. It is ended when it is dropped.
pub struct Projection {
    process: Option<Rc<dyn EngineProcess>>,
    /// The entries it was given, in order.
    held: Vec<Held>,
    known: Vec<Predicate>,
    /// The entries that it did not take, and why.
    refused: BTreeMap<EntryId, String>,
}

impl Drop for Projection {
    fn drop(&mut self) {
        if let Some(process) = self.process.take() {
            process.end();
        }
    }
}

impl Projection {
    /// Of an engine that holds nothing.
    pub fn new(process: Rc<dyn EngineProcess>) -> Self {
        Projection {
            process: Some(process),
            held: Vec::new(),
            known: Vec::new(),
            refused: BTreeMap::new(),
        }
    }

    /// The engine, to be used.
    pub fn own(mut self) -> Rc<dyn EngineProcess> {
        self.process.take().expect("owned once")
    }

    /// Whether the engine died.
    pub fn gone(&self) -> bool {
        self.process.as_ref().is_none_or(|process| process.gone())
    }

    /// What users should know of entries that were refused.
    pub fn remark(&self) -> Option<String> {
        let (_, why) = self.refused.first_key_value()?;
        let count = self.refused.len();
        Some(format!(
            "The new engine refused entries of the book, {count} in all: {why}"
        ))
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
        let mut entries = book.entries().map(|(id, _)| id).peekable();
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
        let process = engine.process.clone().ok_or("it was ended")?;
        let limit_ms = self.limits.load_ms(request.len());
        let late = self.clock.sleep(limit_ms);
        let text = match select(process.request(request), late).await {
            Either::Left((reply, _)) => reply.map_err(|death| death.reason)?,
            Either::Right(_) => return Err(format!("no answer within {limit_ms} ms")),
        };
        let reply = reply::decode(&text).map_err(|bad| format!("a reply that is none: {}", bad.0))?;
        reply.map_err(|refusal| match refusal {
            Refusal::Refused(error) => error.message,
            Refusal::Died(reason) => reason,
        })
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
                let Done = self.ask(engine, protocol::reset()).await?;
                (engine.held, engine.known) = (Vec::new(), Vec::new());
                engine.refused.clear();
            }
        }
        self.declare(engine).await?;
        while let Some((batches, new)) = self.next(engine).await {
            let ids: Vec<EntryId> = new.iter().map(|(id, _)| *id).collect();
            let problems = self.load(engine, &batches, &ids).await?;
            if problems.is_empty() {
                engine.held.extend(new);
                continue;
            }
            // The ids went to the wrong clauses: once more, without those that are refused.
            let Done = self.ask(engine, protocol::remove(&runs(&ids))).await?;
            engine.refused.extend(problems);
        }
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
        let batches = book
            .batches_after(after, self.limits.load_bytes, skip, &pace)
            .await;
        let mut new = Vec::new();
        for id in batches.iter().flat_map(|batch| &batch.ids) {
            new.push((*id, book.get(*id).is_some_and(|entry| entry.is_clause())));
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        (!new.is_empty()).then_some((batches, new))
    }

    /// The entries that were refused, and why.
    async fn load(
        &self,
        engine: &Projection,
        batches: &[Batch],
        ids: &[EntryId],
    ) -> Result<Vec<(EntryId, String)>, String> {
        let reply: reply::Reloaded = self.ask(engine, protocol::reload(&[], batches)).await?;
        if reply.items.len() != ids.len() {
            let (read, expected) = (reply.items.len(), ids.len());
            return Err(format!("it read {read} clauses where the book has {expected}"));
        }
        let refused = |(item, id): (reply::Item, &EntryId)| match item.found {
            Found::Refused(error) => Some((*id, error.message)),
            _ => None,
        };
        Ok(reply.items.into_iter().zip(ids).filter_map(refused).collect())
    }
}
