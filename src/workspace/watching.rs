//! Goals that stay: they are asked again after each change that they can see, and whoever watches one is told when
//! its answers are others.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};

use super::constraints::Touch;
use super::request::Watch;
use super::types::*;
use super::{Inner, Workspace};
use hornbook_base::{Control, Fault, FaultKind};
use hornbook_book::Revision;
use hornbook_engine::protocol;
use hornbook_engine::reply::{Reach, Reaches};

/// The most answers of a watched goal that are compared.
const MOST: usize = 1_000;
/// How long it may take, in milliseconds.
const MOST_MS: u64 = 1_000;
/// One that takes more inferences than this, some hundredths of a second, leaves the first engine to writers from then on.
const SHORT: u64 = 200_000;
/// The client that asks watched goals. No client has this number, so no change of a client stands before them.
const ASKING: u64 = u64::MAX;

/// What a watched goal answers after a revision.
#[derive(Debug, Clone, PartialEq)]
pub struct Watched {
    pub answers: Vec<Answer>,
    /// There are more answers than are compared.
    pub more: bool,
    /// Why there are no others.
    pub fault: Option<Fault>,
    pub revision: u64,
}

impl Watched {
    /// Whether both answer the same; the order does not count.
    fn is_like(&self, other: &Watched) -> bool {
        self.more == other.more
            && self.fault == other.fault
            && counted(&self.answers) == counted(&other.answers)
    }
}

/// How often each answer occurs.
fn counted(answers: &[Answer]) -> BTreeMap<String, usize> {
    let mut counts = BTreeMap::new();
    for answer in answers {
        let mut text = String::new();
        for Binding {
            name, text: value, ..
        } in &answer.bindings
        {
            text.push_str(&format!("{name}={value}\n"));
        }
        text.push_str(&answer.residual.join("\n"));
        if answer.undefined {
            text.push('?');
        }
        *counts.entry(text).or_default() += 1;
    }
    counts
}

/// While it lives, its goal is watched.
pub struct Watching {
    _watcher: Rc<Watcher>,
}

struct Watcher {
    goal: String,
    reach: RefCell<Option<Rc<Reach>>>,
    /// It is to be asked again.
    is_due: Cell<bool>,
    /// It took long when it was asked last.
    is_slow: Cell<bool>,
    told: RefCell<Option<Watched>>,
    listener: Box<dyn Fn(&Watched)>,
}

/// A goal that is watched while somebody wants it.
struct Kept {
    /// What it is known by.
    key: String,
    _watching: Watching,
    is_wanted: Rc<dyn Fn() -> bool>,
}

/// The watched goals of a workspace.
#[derive(Default)]
pub(super) struct Watchers {
    watchers: RefCell<Vec<Weak<Watcher>>>,
    kept: RefCell<Vec<Kept>>,
    /// Those that are due are being asked.
    is_asking: Cell<bool>,
    /// The workspace asks them after changes.
    listens: Cell<bool>,
}

impl Watchers {
    pub fn is_empty(&self) -> bool {
        self.watchers.borrow().is_empty()
    }

    /// A change has come into the book.
    pub fn note(&self, touch: &Touch) {
        for watcher in self.watchers.borrow().iter().filter_map(Weak::upgrade) {
            let mut reach = watcher.reach.borrow_mut();
            if reach.as_ref().is_none_or(|reach| touch.meets(reach)) {
                watcher.is_due.set(true);
                if touch.changes_reach() {
                    *reach = None;
                }
            }
        }
    }

    fn forget_unwanted(&self) {
        self.kept.borrow_mut().retain(|kept| (kept.is_wanted)());
    }

    fn next_due(&self) -> Option<Rc<Watcher>> {
        self.forget_unwanted();
        let mut watchers = self.watchers.borrow_mut();
        watchers.retain(|watcher| watcher.strong_count() > 0);
        let due = watchers
            .iter()
            .filter_map(Weak::upgrade)
            .find(|watcher| watcher.is_due.get());
        due.inspect(|watcher| watcher.is_due.set(false))
    }
}

impl Workspace {
    /// Tell `listener` what `goal` answers, now and each time that its answers have changed, until the result is
    /// dropped. Changes that follow each other closely are told at once. What the goal changes is undone. It may take a
    /// second.
    ///
    /// The answers to a goal that cannot be asked are a fault, and may come once the book has what it needs.
    pub fn watch(&self, goal: String, listener: impl Fn(&Watched) + 'static) -> Watching {
        let watchers = &self.0.rooms.watchers;
        let watcher = Rc::new(Watcher {
            goal,
            reach: RefCell::default(),
            is_due: Cell::new(true),
            is_slow: Cell::default(),
            told: RefCell::default(),
            listener: Box::new(listener),
        });
        watchers.watchers.borrow_mut().push(Rc::downgrade(&watcher));
        if !watchers.listens.replace(true) {
            let weak = Rc::downgrade(&self.0);
            self.on_change(move |_| {
                if let Some(inner) = weak.upgrade() {
                    inner.ask_watched();
                }
            });
        }
        self.0.ask_watched();
        Watching { _watcher: watcher }
    }

    /// Like [`Workspace::watch`], while `is_wanted` says so. What is watched so already under this key is not watched
    /// twice.
    pub fn watch_while(
        &self,
        key: String,
        goal: String,
        is_wanted: Rc<dyn Fn() -> bool>,
        listener: impl Fn(&Watched) + 'static,
    ) {
        let watchers = &self.0.rooms.watchers;
        watchers.forget_unwanted();
        if watchers.kept.borrow().iter().any(|kept| kept.key == key) {
            return;
        }
        let _watching = self.watch(goal, listener);
        watchers.kept.borrow_mut().push(Kept {
            key,
            _watching,
            is_wanted,
        });
    }

    /// The first thousand answers of a goal, which may take a second. What it changes is undone.
    pub async fn answers_of(&self, goal: &str, control: &Control) -> Result<Answers, Fault> {
        self.asked(goal, false, control).await
    }

    async fn asked(&self, goal: &str, yields: bool, control: &Control) -> Result<Answers, Fault> {
        let start = QueryStart {
            query: goal.to_owned(),
            assume: Some(Vec::new()),
            take: Some(MOST),
            timeout_ms: Some(self.0.timeout_ms.min(MOST_MS)),
            awaited: true,
            yields,
            ..QueryStart::default()
        };
        let started = self.query_start(start, control).await?;
        self.query_close(Some(&started.query_id), control).await?;
        Ok(started.answers.expect("answers were asked for"))
    }

    /// The number of the book's newest revision.
    pub fn revision(&self) -> u64 {
        self.0.book.borrow().revision()
    }
}

impl Inner {
    /// Ask the watched goals that are due, one after the other, in the background.
    fn ask_watched(self: &Rc<Self>) {
        if self.rooms.watchers.is_asking.replace(true) {
            return;
        }
        let weak = Rc::downgrade(self);
        (self.spawner)(Box::pin(async move {
            while let Some(inner) = weak.upgrade() {
                let Some(watcher) = inner.rooms.watchers.next_due() else {
                    inner.rooms.watchers.is_asking.set(false);
                    return;
                };
                watcher.ask(&Workspace(inner, None)).await;
            }
        }));
    }
}

impl Watcher {
    async fn ask(&self, workspace: &Workspace) {
        let unknown = self.reach.borrow().is_none();
        if unknown {
            let found = self.find_reach(workspace).await;
            // Meanwhile a rule may have changed.
            if !self.is_due.get() {
                *self.reach.borrow_mut() = found.map(Rc::new);
            }
        }
        let control = Control {
            client: ASKING,
            ..Control::default()
        };
        let asked = workspace.asked(&self.goal, self.is_slow.get(), &control).await;
        let is_over = |fault: &Fault| fault.kind == FaultKind::Timeout;
        self.is_slow.set(match &asked {
            Ok(answers) => {
                let inferences = workspace.inferences(&answers.query_id);
                inferences.is_some_and(|count| count > SHORT) || answers.fault.as_ref().is_some_and(is_over)
            }
            Err(fault) => is_over(fault),
        });
        let (answers, more, fault) = match asked {
            Ok(answers) => (answers.answers, answers.more, answers.fault),
            Err(fault) => (Vec::new(), false, Some(fault)),
        };
        let now = Watched {
            answers,
            more,
            fault,
            // What came meanwhile and can be seen makes it due again.
            revision: workspace.revision(),
        };
        let is_new = !self.told.borrow().as_ref().is_some_and(|told| told.is_like(&now));
        if is_new {
            *self.told.borrow_mut() = Some(now.clone());
            (self.listener)(&now);
        }
    }

    /// What its answers depend on; `None` if the goal cannot be read.
    async fn find_reach(&self, workspace: &Workspace) -> Option<Reach> {
        let turn = workspace.0.turn(&Control::default()).await.ok()?;
        let goal = workspace.0.plain(&self.goal).ok()?;
        let request = protocol::goal_reaches(&goal);
        let Reaches(found) = turn.ask(request, Watch::short("watch")).await.ok()?;
        found.into_iter().next()
    }
}

/// Tell constraints and watched goals of a revision that has come into the book.
pub(super) fn note(rooms: &super::cells::Rooms, revision: &Revision) {
    if rooms.constraints.is_empty() && rooms.watchers.is_empty() {
        return;
    }
    let touch = Touch::of(revision, rooms.has_facts(revision));
    rooms.constraints.note(revision, &touch);
    rooms.watchers.note(&touch);
}
