//! How a draft is kept in its book, and follows it.

use std::cell::OnceCell;
use std::rc::{Rc, Weak};

use futures::future::{FutureExt, LocalBoxFuture};

use super::along::{Own, moved};
use super::asked::write_soon;
use super::branch::{Branch, Unasked, revisions};
use super::upstream::{News, Upstream};
use super::{
    ROOM, Step, TRIES_WITHOUT_TURN, Verdict, bytes_of, cell, check_room, key, removed_by, steps_prefix,
    verdicts_prefix,
};
use crate::keeping::{Kept, Lead};
use crate::turn::Turn;
use crate::{Inner, Workspace};
use hornbook_base::{Control, Fault, Pace, Who};
use hornbook_book::{Book, Delta, KnownChange, Operation, Revision};
use hornbook_engine::Permit;
use hornbook_store::{Appended, StoreFault, to_text};

impl Upstream for Branch {
    fn base(&self) -> &Workspace {
        &self.base
    }

    fn connection(&self) -> Rc<str> {
        format!("draft {}", self.name).into()
    }

    fn is_kept(&self) -> bool {
        self.is_kept
    }

    fn is_chosen(&self) -> bool {
        self.only.is_some()
    }

    fn holds_base(&self) -> bool {
        self.holds_base()
    }

    fn is_behind(&self) -> bool {
        let state = self.state.borrow();
        state.is_changed || self.base.revision() != state.seen
    }

    fn append<'a>(
        &'a self,
        number: u64,
        revision: &'a Revision,
        who: Option<Rc<Who>>,
        permit: &'a Permit,
        pace: &'a Pace,
    ) -> LocalBoxFuture<'a, Result<Appended, StoreFault>> {
        self.add(number, revision, who, permit, pace).boxed_local()
    }

    fn news<'a>(
        &'a self,
        now: &'a Book,
        again: Option<&'a Permit>,
        pace: &'a Pace,
    ) -> LocalBoxFuture<'a, Option<News>> {
        self.changes(now, again, pace).boxed_local()
    }

    fn serve(&self) {
        if self.is_served.replace(true) {
            return;
        }
        let base = self.base.0.book();
        if base
            .cells_from(ROOM, &verdicts_prefix(&self.name))
            .next()
            .is_some()
        {
            self.state.borrow_mut().is_changed = true;
        }
    }

    fn note(&self, goal: &str, draft: Weak<Inner>) -> Option<LocalBoxFuture<'static, ()>> {
        if !self.is_kept || self.is_chosen() {
            return None;
        }
        let is_new = self.noted.add(goal, &self.base.0.book(), &self.name);
        is_new.then(|| write_soon(draft).boxed_local())
    }
}

impl Branch {
    async fn add(
        &self,
        number: u64,
        revision: &Revision,
        who: Option<Rc<Who>>,
        permit: &Permit,
        pace: &Pace,
    ) -> Result<Appended, StoreFault> {
        let held = permit.take_held();
        let undoes = match &revision.operation {
            Operation::Undo(of) | Operation::Redo(of) => {
                let state = self.state.borrow();
                let position = state.numbers.iter().position(|number| *number == Some(*of));
                position.map(|position| state.steps[position].key.clone())
            }
            _ => None,
        };
        let (sources, removes) = removed_by(revision);
        let by = revision.stamp.by.as_ref().and_then(|by| by.client.clone());
        let mut step = Step {
            key: String::new(),
            at_ms: revision.stamp.at_ms,
            by,
            change: to_text(revision, pace).await,
            undoes,
            sources,
            removes,
            read: OnceCell::new(),
        };
        let seen = self.seen();
        // If the book moves before the step is in it, there is a conflict.
        let is_ruled = self.is_kept && self.is_ruled();
        let value = serde_json::to_string(&step).expect("a step is JSON");
        step.key = key(&steps_prefix(&self.name), seen + 1);
        let kept = match self.is_kept {
            true => {
                let noted = self.noted.cells(&self.base.0.book(), &self.name, seen);
                let mut cells = vec![(step.key.clone(), Some(value))];
                cells.extend(noted.iter().cloned());
                let kept = self.write(seen, cells, step.by.as_deref(), held).await?;
                if kept == Appended::Done {
                    self.noted.forget(&noted);
                }
                kept
            }
            false if self.base.revision() == seen => Appended::Done,
            false => Appended::Conflict,
        };
        if kept == Appended::Conflict {
            self.conflicts.set(self.conflicts.get() + 1);
            return Ok(Appended::Conflict);
        }
        self.conflicts.set(0);
        let mut state = self.state.borrow_mut();
        match self.is_kept {
            true => state.seen = seen + 1,
            false => step.key = key("", number),
        }
        if is_ruled {
            let key = step.key.clone();
            state.unasked.push_back(Unasked { key, who });
        }
        state.steps.push(step);
        state.numbers.push(Some(number));
        Ok(Appended::Done)
    }

    /// Write cells of the draft as the revision of the book after `seen`, in a turn of the book whose permit is `held`,
    /// if one is.
    fn write<'a>(
        &'a self,
        seen: u64,
        cells: Vec<(String, Option<String>)>,
        client: Option<&'a str>,
        held: Option<Rc<Permit>>,
    ) -> LocalBoxFuture<'a, Result<Appended, StoreFault>> {
        // The book may not itself be a draft, but the compiler cannot know.
        Box::pin(self.write_once(seen, cells, client, held))
    }

    /// The turn of the book, within one of the draft, which may hold it already.
    pub(super) async fn turn_of_base<'a>(
        &'a self,
        drafted: &Turn<'_>,
        control: &Control,
    ) -> Result<Turn<'a>, Fault> {
        self.begin_base(drafted.permit.take_held(), control).await
    }

    async fn begin_base<'a>(
        &'a self,
        held: Option<Rc<Permit>>,
        control: &Control,
    ) -> Result<Turn<'a>, Fault> {
        match held {
            Some(permit) => self.base.0.begin_turn(permit, None, control).await,
            None => self.base.0.wait(control).await,
        }
    }

    async fn write_once(
        &self,
        seen: u64,
        cells: Vec<(String, Option<String>)>,
        client: Option<&str>,
        held: Option<Rc<Permit>>,
    ) -> Result<Appended, StoreFault> {
        let base = &*self.base.0;
        let control = Control {
            client_name: client.map(Rc::from),
            ..Control::default()
        };
        let of_base = |fault: Fault| {
            let message = fault.message.trim_end_matches('.');
            let why = message.strip_prefix("This could not be saved, and was not carried out: ");
            StoreFault::new(why.unwrap_or(message))
        };
        let turn = self.begin_base(held, &control).await.map_err(of_base)?;
        if base.book.borrow().revision() != seen {
            return Ok(Appended::Conflict);
        }
        let cells: Vec<_> = cells.into_iter().map(|(key, value)| cell(key, value)).collect();
        check_room(base, bytes_of(&cells)).map_err(of_base)?;
        let delta = Delta {
            cells,
            ..Delta::default()
        };
        let operation = Operation::Draft(self.name.to_string());
        let Some(planned) = turn.planned(operation, delta).await.map_err(of_base)? else {
            return Ok(Appended::Done);
        };
        match turn.keep_once(planned, Lead::Book).await.map_err(of_base)? {
            Kept::Done(_) => Ok(Appended::Done),
            Kept::Conflict(..) => Ok(Appended::Conflict),
        }
    }

    async fn changes(&self, now: &Book, again: Option<&Permit>, pace: &Pace) -> Option<News> {
        if self.holds_base() {
            return self.news_of_base(now, None, pace).await;
        }
        // Another process may have changed the book.
        let turn = Box::pin(self.base.0.wait(&Control::default())).await;
        let is_overtaken = again.is_some() && self.conflicts.get() >= TRIES_WITHOUT_TURN;
        let held = turn.ok().filter(|_| is_overtaken).map(|turn| turn.permit.clone());
        let news = self.news_of_base(now, held.clone(), pace).await;
        if let (Some(permit), Some(held)) = (again, held) {
            permit.hold(held);
        }
        news
    }

    async fn news_of_base(&self, now: &Book, held: Option<Rc<Permit>>, pace: &Pace) -> Option<News> {
        let base = self.base.0.book();
        let seen = self.seen();
        let is_changed = self.state.borrow().is_changed;
        if base.revision() == seen && !is_changed {
            return None;
        }
        let told = self.verdicts(&base, held).await;
        self.followed(now, told, pace).await
    }

    /// What has come into the book, or out of the draft, since the last time, with what its client is to be `told`.
    /// Call it where the book is up to date.
    pub(super) async fn followed(&self, now: &Book, told: Vec<String>, pace: &Pace) -> Option<News> {
        let base = self.base.0.book();
        let (seen, is_changed) = (self.seen(), self.state.borrow().is_changed);
        let since = base
            .journal()
            .iter()
            .skip(seen.saturating_sub(base.forgotten()) as usize);
        let concerns = |revision: &&Rc<Revision>| match &revision.operation {
            Operation::Draft(name) => **name == *self.name,
            _ => true,
        };
        if !is_changed && base.forgotten() <= seen && !since.clone().any(|revision| concerns(&revision)) {
            self.state.borrow_mut().seen = base.revision();
            return None;
        }
        if let Some(news) = self.apart(now, &base, &told, pace).await {
            return Some(news);
        }
        let (mut derived, steps) = self.derive(&base, pace).await;
        // What was accepted keeps its ids.
        derived.book.reserve(now.numbers());
        let mut told = told;
        told.extend(self.newly_dropped(&derived));
        let own_before = revisions(now, &self.state.borrow().numbers);
        let own_after = revisions(&derived.book, &derived.numbers);
        let whole;
        let missed: Vec<&Revision> = match base.forgotten() <= seen {
            true => since.map(|revision| &**revision).collect(),
            // More has happened than is kept: compare all.
            false => {
                whole = everything(now, &derived.book, pace).await;
                vec![&whole]
            }
        };
        let touched = missed
            .into_iter()
            .chain(own_before.iter().map(|revision| &**revision))
            .chain(own_after.iter().map(|revision| &**revision));
        let operation = Operation::Draft(self.name.to_string());
        let at_ms = self.base.now_ms();
        let change = now
            .difference(&derived.book, operation, at_ms, touched, pace)
            .await;
        self.follow(&base, steps, &derived);
        Some(News {
            book: derived.book,
            change,
            told,
        })
    }

    /// What has come into the book since the last time, if that has nothing to do with what the draft changes.
    async fn apart(&self, now: &Book, base: &Book, told: &[String], pace: &Pace) -> Option<News> {
        let own = {
            let state = self.state.borrow();
            if state.is_changed || base.forgotten() > state.seen || !state.dropped.is_empty() {
                return None;
            }
            let own = Own {
                draft: &self.name,
                revisions: revisions(now, &state.numbers),
                held_back: state.held_back.clone(),
            };
            (own.revisions.len() == state.numbers.len()).then_some(own)?
        };
        let seen = self.seen().saturating_sub(base.forgotten()) as usize;
        let since = base.journal().get(seen..)?;
        if !own.is_apart(since) {
            return None;
        }
        let (book, numbers) = moved(now, base, since, &self.numbers(), pace).await;
        let operation = Operation::Draft(self.name.to_string());
        let touched = since.iter().map(|revision| &**revision);
        let change = now
            .difference(&book, operation, self.base.now_ms(), touched, pace)
            .await;
        self.has_seen(base.revision());
        self.state.borrow_mut().numbers = numbers.into_iter().map(Some).collect();
        Some(News {
            book,
            change,
            told: told.to_vec(),
        })
    }

    /// What was said of the draft, which its client is told once.
    async fn verdicts(&self, base: &Book, held: Option<Rc<Permit>>) -> Vec<String> {
        if !self.is_served.get() || self.only.is_some() || !self.is_kept {
            return Vec::new();
        }
        let prefix = verdicts_prefix(&self.name);
        let found: Vec<(String, String)> = base
            .cells_from(ROOM, &prefix)
            .map(|(key, value)| (key.to_owned(), value.to_owned()))
            .collect();
        if found.is_empty() {
            return Vec::new();
        }
        let gone = found.iter().map(|(key, _)| (key.clone(), None)).collect();
        // If that fails, they are told again.
        let _ = self.write(base.revision(), gone, None, held).await;
        let read = |(_, value): (String, String)| serde_json::from_str::<Verdict>(&value).ok();
        let verdicts = found.into_iter().filter_map(read);
        verdicts.map(|verdict| verdict.sentence()).collect()
    }
}

/// A revision that touches all that either book has.
async fn everything(one: &Book, other: &Book, pace: &Pace) -> Revision {
    let entries = |book: &Book| -> Vec<_> { book.entries().map(|(id, entry)| (id, entry.clone())).collect() };
    let mut removed = entries(one);
    removed.extend(entries(other));
    pace.rest().await;
    let cells = one.cells().chain(other.cells());
    let cells = cells.map(|(room, key, _)| hornbook_book::CellChange {
        room: room.clone(),
        key: key.clone(),
        before: None,
        after: None,
    });
    let known = one.predicates().chain(other.predicates());
    let known = known.map(|(predicate, standing)| KnownChange {
        predicate: Rc::new(predicate.clone()),
        before: standing.known,
        after: standing.known,
    });
    Revision {
        operation: Operation::Reset,
        stamp: hornbook_book::Stamp { at_ms: 0, by: None },
        removed,
        added: Vec::new(),
        known: known.collect(),
        cells: cells.collect(),
    }
}
