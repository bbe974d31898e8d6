//! The book with the changes of a draft, as its client sees it: kept in cells of the book, and derived again when
//! the book moves.

use std::cell::{self, OnceCell, RefCell};
use std::collections::{BTreeSet, VecDeque};
use std::rc::{Rc, Weak};

use super::along::{Own, moved};
use super::asked::{Noted, write_soon};
use super::decide::TRIES_WITHOUT_TURN;
use super::rules::RULES;
use super::upstream::{News, Upstream};
use super::{
    ROOM, Step, Verdict, bytes_of, cell, check_name, check_room, is_of_files, key, removed_by, steps,
    steps_prefix, verdicts_prefix,
};
use futures::future::{FutureExt, LocalBoxFuture};

use crate::keeping::{Kept, Lead};
use crate::{Inner, Workspace};
use hornbook_base::{Control, Fault, Pace, Who};
use hornbook_book::{Book, Clash, Delta, KnownChange, Operation, Predicate, Revision, going};
use hornbook_engine::Permit;
use hornbook_store::{Appended, StoreFault, from_text, to_text};

/// The name of a change that is being made.
const CHANGE: &str = "change";

/// Where the changes of a draft are kept, and what they follow.
pub(crate) struct Branch {
    pub base: Workspace,
    pub name: Rc<str>,
    /// The steps that it has, if not all of the draft.
    only: Option<BTreeSet<String>>,
    /// Whether the steps are kept in cells of the book; if not, they are those of a change that is being made.
    is_kept: bool,
    state: RefCell<State>,
    /// A client is served here: who only reviews the draft does not take what its client is to be told.
    is_served: cell::Cell<bool>,
    /// How often the book has moved before the next step was in it.
    conflicts: cell::Cell<usize>,
    /// Goals of its client that are not in the log yet.
    pub(super) noted: Noted,
}

/// What the workspace of the draft has.
#[derive(Default)]
struct State {
    /// The revision of the book that it follows.
    seen: u64,
    steps: Vec<Step>,
    /// The number of each step among the revisions of the workspace; `None` if it no longer applies.
    numbers: Vec<Option<u64>>,
    /// The keys of the steps that no longer apply, and why.
    dropped: Vec<(String, String)>,
    /// How steps would have predicates known, as far as the book does not let them.
    held_back: Vec<KnownChange>,
    /// The steps that the book's rules have yet to be asked about: those that were made here while there were rules.
    unasked: VecDeque<Unasked>,
    /// The steps are others than those that the workspace has.
    is_changed: bool,
}

/// A step that the book's rules have yet to be asked about.
struct Unasked {
    key: String,
    /// Whom the rules of who may change what take its client for.
    who: Option<Rc<Who>>,
}

/// The book with the changes of a draft.
pub(super) struct Derived {
    pub book: Book,
    numbers: Vec<Option<u64>>,
    /// The keys of the steps that do not apply, and why, a sentence each.
    pub dropped: Vec<(String, String)>,
    held_back: Vec<KnownChange>,
}

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
        self.note_goal(goal).then(|| write_soon(draft).boxed_local())
    }
}

impl Derived {
    /// What leads from the book to the book with the steps.
    pub async fn change(&self, base: &Book, operation: Operation, at_ms: u64, pace: &Pace) -> Revision {
        let own = revisions(&self.book, &self.numbers);
        let own = own.iter().map(|revision| &**revision);
        base.difference(&self.book, operation, at_ms, own, pace).await
    }
}

/// The revisions of a book that have these numbers and are kept.
fn revisions(book: &Book, numbers: &[Option<u64>]) -> Vec<Rc<Revision>> {
    let kept = |number: &u64| {
        let position = number.checked_sub(book.forgotten() + 1)?;
        book.journal().get(position as usize).cloned()
    };
    numbers.iter().flatten().filter_map(kept).collect()
}

/// The book with these steps of a draft, as far as they apply.
pub(super) async fn derive(base: &Book, steps: &[Step], pace: &Pace) -> Derived {
    let mut book = base.branch();
    let (mut numbers, mut dropped) = (Vec::with_capacity(steps.len()), Vec::new());
    let mut held_back = Vec::new();
    for step in steps {
        let undone = step.undoes.as_deref().map(|of| {
            let position = steps.iter().position(|step| step.key == of);
            position.and_then(|position| numbers.get(position).copied().flatten())
        });
        let planned = match undone {
            Some(None) => Err(Clash("the revision that it undoes does not exist".to_owned())),
            Some(of) => replay(&book, step, of, &mut held_back, pace).await,
            None => replay(&book, step, None, &mut held_back, pace).await,
        };
        match planned {
            Ok(Some(revision)) => {
                book.apply_in_slices(revision, pace).await;
                numbers.push(Some(book.revision()));
            }
            Ok(None) => numbers.push(None),
            Err(Clash(why)) => {
                numbers.push(None);
                dropped.push((step.key.clone(), why));
            }
        }
    }
    Derived {
        book,
        numbers,
        dropped,
        held_back,
    }
}

/// A step as a revision of a book that others may have changed since; `None` if it has nothing left to change. What it
/// would have known otherwise than this revision is `held_back`.
async fn replay(
    book: &Book,
    step: &Step,
    of: Option<u64>,
    held_back: &mut Vec<KnownChange>,
    pace: &Pace,
) -> Result<Option<Revision>, Clash> {
    let mut revision = match step.read.get() {
        Some(read) => Revision::clone(read),
        None => {
            let read = from_text(&step.change, book, pace).await;
            let gone = |_| {
                let first = step.removes.first().map_or("what it removes", String::as_str);
                Clash(format!("`{first}` is gone"))
            };
            let read = read.map_err(gone)?;
            if read.removed.is_empty() {
                let _ = step.read.set(Rc::new(read.clone()));
            }
            read
        }
    };
    let operation = match (&revision.operation, of) {
        (Operation::Undo(_), Some(of)) => Operation::Undo(of),
        (Operation::Redo(_), Some(of)) => Operation::Redo(of),
        (operation, _) => operation.clone(),
    };
    if is_of_files(&operation) {
        let other = revision
            .removed
            .iter()
            .find(|(_, entry)| step.sources.binary_search(&entry.source().number).is_err());
        if let Some((_, entry)) = other {
            return Err(Clash(format!("the text of `{}` was changed", entry.code())));
        }
    }
    let goes = going(&revision.removed, pace).await;
    let wanted = revision.known.clone();
    revision.known.retain(|change| book.may_forget(change, &goes));
    book.clashes(&revision, pace).await?;
    let delta = Delta {
        removed: revision.removed.iter().map(|(id, _)| *id).collect(),
        added: revision.added,
        known: revision
            .known
            .into_iter()
            .map(|KnownChange { predicate, after, .. }| (predicate, after))
            .collect(),
        cells: revision.cells.iter().map(|change| change.repeated()).collect(),
    };
    let planned = book.plan_in_slices(operation, step.at_ms, delta, pace).await;
    let planned = planned.map(|mut planned| {
        planned.stamp = revision.stamp;
        // A reset forgets what was known, but not what has got clauses since.
        planned.known.retain(|change| book.may_forget(change, &goes));
        planned
    });
    let made = planned.iter().flat_map(|planned| &planned.known);
    let made: BTreeSet<&Predicate> = made.map(|change| &*change.predicate).collect();
    held_back.extend(
        wanted
            .into_iter()
            .filter(|change| !made.contains(&*change.predicate)),
    );
    Ok(planned)
}

impl Branch {
    /// The draft of this name, or only these steps of it, and the book with its changes.
    pub async fn open(
        base: &Workspace,
        name: &str,
        only: Option<BTreeSet<String>>,
    ) -> Result<(Branch, Book, Vec<String>), Fault> {
        check_name(name)?;
        base.freshen().await;
        let branch = Branch {
            base: base.clone(),
            name: name.into(),
            only,
            is_kept: true,
            state: RefCell::default(),
            is_served: cell::Cell::default(),
            conflicts: cell::Cell::default(),
            noted: Noted::default(),
        };
        let (book, pace) = (base.0.book(), base.0.pace());
        let (derived, steps) = branch.derive(&book, &pace).await;
        let told = branch.newly_dropped(&derived);
        branch.follow(&book, steps, &derived);
        Ok((branch, derived.book, told))
    }

    /// A change of the book that is to be made as one.
    pub fn of_change(base: &Workspace) -> (Branch, Book) {
        let book = base.0.book();
        let branch = Branch {
            base: base.clone(),
            name: CHANGE.into(),
            only: None,
            is_kept: false,
            state: RefCell::new(State {
                seen: book.revision(),
                ..State::default()
            }),
            is_served: cell::Cell::default(),
            conflicts: cell::Cell::default(),
            noted: Noted::default(),
        };
        (branch, book.branch())
    }

    /// Forget the steps of a change.
    pub fn forget(&self) {
        let mut state = self.state.borrow_mut();
        state.is_changed |= !state.steps.is_empty();
        state.steps.clear();
    }

    pub(super) fn steps(&self, book: &Book) -> Vec<Step> {
        if !self.is_kept {
            return self.state.borrow().steps.clone();
        }
        let mut steps = steps(book, &self.name, &self.state.borrow().steps);
        if let Some(only) = &self.only {
            steps.retain(|step| only.contains(&step.key));
        }
        steps
    }

    pub(super) async fn derive(&self, base: &Book, pace: &Pace) -> (Derived, Vec<Step>) {
        let steps = self.steps(base);
        (derive(base, &steps, pace).await, steps)
    }

    fn follow(&self, base: &Book, steps: Vec<Step>, derived: &Derived) {
        let mut state = self.state.borrow_mut();
        let unasked = std::mem::take(&mut state.unasked);
        *state = State {
            seen: base.revision(),
            steps,
            numbers: derived.numbers.clone(),
            dropped: derived.dropped.clone(),
            held_back: derived.held_back.clone(),
            unasked,
            is_changed: false,
        };
    }

    /// What no longer applies since the last time.
    fn newly_dropped(&self, derived: &Derived) -> Vec<String> {
        let state = self.state.borrow();
        let new = derived
            .dropped
            .iter()
            .filter(|(key, _)| state.dropped.iter().all(|(known, _)| known != key));
        new.map(|(_, why)| format!("A change of the draft no longer applies to the book: {why}."))
            .collect()
    }

    /// The next step that the book's rules have yet to be asked about, with its client, and its revision among those
    /// of the workspace.
    pub fn next_unasked(&self, book: &Book) -> Option<(Step, Option<Rc<Who>>, Rc<Revision>)> {
        let mut state = self.state.borrow_mut();
        loop {
            let Unasked { key, who } = state.unasked.pop_front()?;
            let Some(at) = state.steps.iter().position(|step| step.key == key) else {
                continue;
            };
            let number = state.numbers.get(at).copied().flatten();
            let found = revisions(book, &[number]).into_iter().next();
            if let Some(revision) = found {
                return Some((state.steps[at].clone(), who, revision));
            }
        }
    }

    /// Whether the book has rules that accept operations.
    fn is_ruled(&self) -> bool {
        let (name, arity) = RULES;
        let rules = Predicate {
            name: name.to_owned(),
            arity,
        };
        self.base.0.book.borrow().standing(&rules).clauses > 0
    }

    /// The keys of its steps, and the steps that no longer apply, with why.
    pub fn contents(&self) -> (Vec<Step>, Vec<(String, String)>) {
        let state = self.state.borrow();
        (state.steps.clone(), state.dropped.clone())
    }

    /// The revision of the book that it follows.
    pub fn seen(&self) -> u64 {
        self.state.borrow().seen
    }

    /// It has what the book has after this revision.
    pub(super) fn has_seen(&self, revision: u64) {
        self.state.borrow_mut().seen = revision;
    }

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
                let noted = self.noted_cells(&self.base.0.book(), seen);
                let mut cells = vec![(step.key.clone(), Some(value))];
                cells.extend(noted.iter().cloned());
                let kept = self.write(seen, cells, step.by.as_deref(), held).await?;
                if kept == Appended::Done {
                    self.forget_noted(&noted);
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
        let turn = match held {
            Some(permit) => base.begin_turn(permit, None, &control).await,
            None => base.wait(&control).await,
        };
        let turn = turn.map_err(of_base)?;
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

    /// The numbers of its steps among the revisions of the workspace.
    fn numbers(&self) -> Vec<u64> {
        self.state.borrow().numbers.iter().flatten().copied().collect()
    }

    /// The revisions of the draft in a book that has them.
    pub fn revisions(&self, book: &Book) -> Vec<Rc<Revision>> {
        revisions(book, &self.state.borrow().numbers)
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
