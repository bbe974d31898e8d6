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

/// An engine not yet in use, and what it holds of the book. Dropping it ends the engine.
pub struct Projection {
    engine: Engine,
    /// The entries it was given, in order.
    held: Vec<Held>,
    known: Vec<Predicate>,
    /// The directives that it was told of before it read them.
    naming: Vec<Batch>,
    /// The entries that it refused, and why.
    refused: BTreeMap<EntryId, Rc<str>>,
    /// Whether to give it one batch at a time, because it was unclear which of several it had misread.
    singly: bool,
}

impl Projection {
    /// For an engine that holds nothing.
    pub fn new(engine: Engine) -> Self {
        Projection {
            engine,
            held: Vec::new(),
            known: Vec::new(),
            naming: Vec::new(),
            refused: BTreeMap::new(),
            singly: false,
        }
    }

    /// Hand over the engine for use.
    pub fn own(self) -> Rc<dyn EngineProcess> {
        self.engine.release()
    }

    /// Whether the engine has died.
    pub fn is_dead(&self) -> bool {
        self.engine.is_dead()
    }

    /// The entries that the engine does not hold, and why.
    pub fn refused(&self) -> &BTreeMap<EntryId, Rc<str>> {
        &self.refused
    }

    /// The entries that the book no longer has; `None` if the engine must start over, because what it holds
    /// is not a beginning of the book, or something other than clauses was removed.
    async fn gone_entries(&self, book: &Book, pace: &Pace) -> Option<Vec<EntryId>> {
        // What an engine has read may mean something else under other names.
        if book.naming(pace).await != self.naming {
            return None;
        }
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

/// Loads the book into engines.
pub struct Loader {
    pub book: Rc<RefCell<Book>>,
    pub clock: Rc<dyn Clock>,
    pub limits: Limits,
    pub suspects: RefCell<Suspects>,
}

/// Why an engine does not hold the book.
#[derive(Debug)]
pub struct NotLoaded {
    /// Part of a sentence.
    pub reason: String,
    /// What it had been sent when it died or stopped replying, if that may have been the cause.
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

/// A request without a usable reply.
pub struct Unanswered {
    /// Part of a sentence.
    reason: String,
    /// Whether the engine died by itself, or no longer replies.
    died: bool,
}

/// How often an engine starts over because entries got other names: each time those of one more predicate do.
const MOST_NAMINGS: usize = 8;

impl Loader {
    /// Send a request to an engine that is not in use yet.
    async fn ask<T: Reply>(&self, engine: &Projection, request: String) -> Result<T, Unanswered> {
        let limit_ms = self.limits.load_ms(request.len()) * self.suspects.borrow().patience();
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

    /// Make the engine hold the book as it is now. If entries have only been added at the end and clauses
    /// removed since, what it already holds is not sent again. Entries that engines die of are never sent.
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
        let mut left = MOST_NAMINGS;
        while (self.load_all(engine).await? || self.knows_too_much(engine)) && left > 0 {
            left -= 1;
            // Entries of the book got other names, by this engine's reading or by that of another that is being loaded:
            // start over, so that nothing remains under the old ones. What was known under an old name may have kept
            // others from theirs.
            self.reset(engine).await?;
            self.declare(engine).await?;
        }
        self.suspects.borrow_mut().loaded();
        Ok(())
    }

    /// Whether the engine was told of predicates that the book no longer knows.
    fn knows_too_much(&self, engine: &Projection) -> bool {
        let book = self.book.borrow();
        let is_gone = |predicate: &Predicate| book.standing(predicate).known == Known::No;
        engine.known.iter().any(is_gone)
    }

    /// Load what the engine lacks. Returns whether that has renamed entries of the book.
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
                // Ids went to the wrong clauses: try again without the refused ones.
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

    /// Whether these batches begin within a source and change how the rest of it is read: an engine that has
    /// read them would read them differently the second time.
    fn goes_on_with_other_operators(&self, batches: &[Batch]) -> bool {
        let book = self.book.borrow();
        let changes = |id: &EntryId| book.get(*id).is_some_and(|entry| entry.restore().is_some());
        batches
            .first()
            .is_some_and(|first| !first.begins && first.ids.iter().any(changes))
    }

    /// Count entries that engines die of as refused, and drop those that the book no longer has.
    fn leave_out_fatal(&self, engine: &mut Projection) {
        let book = self.book.borrow();
        let suspects = self.suspects.borrow();
        let fatal = suspects.fatal().iter().map(|(id, why)| (*id, why.clone()));
        engine.refused.extend(fatal);
        engine.refused.retain(|id, _| book.get(*id).is_some());
    }

    async fn reset(&self, engine: &mut Projection) -> Result<(), Unanswered> {
        let Done = self.ask(engine, protocol::reset()).await?;
        (engine.held, engine.known, engine.naming) = (Vec::new(), Vec::new(), Vec::new());
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

    /// Make known what the book defines and what its directives name. Where they stand decides nothing: so
    /// an engine that reads the book means by it what one means that came to it step by step.
    async fn declare(&self, engine: &mut Projection) -> Result<(), Unanswered> {
        let (book, pace) = (self.book.borrow().clone(), Pace::new(self.clock.clone()));
        let naming = book.naming(&pace).await;
        if naming != engine.naming {
            let Done = self.ask(engine, protocol::names(&naming)).await?;
            engine.naming = naming;
        }
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

    /// What to send next. Clauses once accepted may be refused now, and are left out.
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

    /// The misread entries; `None` if it is unclear which were misread.
    async fn load(&self, engine: &Projection, batches: &[Batch]) -> Result<Option<Misread>, Unanswered> {
        let reply: Reloaded = self.ask(engine, protocol::reload(&[], batches)).await?;
        Ok(misread_of(batches, &reply.items, &self.book.borrow()))
    }
}
