//! Goals that stay: they are asked again after each change that they can see, and whoever watches one is told when
//! its answers are others.

use std::rc::Rc;

use super::request::Watch;
use super::types::*;
use super::watchers::{Kept, Next, Watched, Watcher, Watching};
use super::{Inner, Workspace};
use hornbook_base::{Control, Fault, FaultKind, Priority};
use hornbook_engine::protocol;
use hornbook_engine::reply::{Reach, Reaches};

/// The most answers of a watched goal that are compared.
const MOST: usize = 1_000;
/// How long it may take, in milliseconds.
const MOST_MS: u64 = 1_000;
/// One that takes more inferences than this, some hundredths of a second, leaves the first engine to writers from then on.
const SHORT: u64 = 200_000;
/// One that took long rests this many times as long before it is asked again.
const REST: u64 = 4;
/// How often one is asked again that got no answer through no fault of its own, and how long it rests before the first
/// time, in milliseconds; before each other, twice as long. Until then nothing is told.
const ATTEMPTS: u32 = 3;
const ATTEMPT_MS: u64 = 1_000;
/// The client that asks watched goals. No client has this number, so no change of a client stands before them.
const ASKING: u64 = u64::MAX;

/// Whether a fault is not the goal's own: its engine was ended or could not be started, or the log could not be read.
fn passes(fault: &Fault) -> bool {
    use FaultKind as Is;
    matches!(
        fault.kind,
        Is::EngineEnded | Is::EngineUnavailable | Is::StorageError
    )
}

impl Workspace {
    /// Tell `listener` what `goal` answers, now and each time that its answers have changed, until the result is
    /// dropped. Changes that follow each other closely are told at once. What the goal changes is undone. It may take a
    /// second.
    ///
    /// The answers to a goal that cannot be asked are a fault, and may come once the book has what it needs.
    pub fn watch(&self, goal: String, listener: impl Fn(&Watched) + 'static) -> Watching {
        self.watch_counted(goal, listener, |_| {})
    }

    /// Like [`Workspace::watch`]. `asking` is told `true` when the goal begins to be asked, and `false` when that has ended.
    pub fn watch_counted(
        &self,
        goal: String,
        listener: impl Fn(&Watched) + 'static,
        asking: impl Fn(bool) + 'static,
    ) -> Watching {
        let watchers = &self.0.rooms.watchers;
        let watcher = Watcher::new(goal, listener, asking);
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
        self.answers_within(goal, MOST_MS, control).await
    }

    /// The same within another time.
    pub(super) async fn answers_within(
        &self,
        goal: &str,
        most_ms: u64,
        control: &Control,
    ) -> Result<Answers, Fault> {
        let start = QueryStart {
            query: goal.to_owned(),
            assume: Some(Vec::new()),
            take: Some(MOST),
            timeout_ms: Some(self.0.timeout_ms.min(most_ms)),
            awaited: true,
            leaves: Leaves::Nothing,
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
                let watchers = &inner.rooms.watchers;
                match watchers.next_due(inner.clock.now_ms()) {
                    Next::Due(watcher) => watcher.ask(&Workspace(inner.clone(), None)).await,
                    next => {
                        watchers.is_asking.set(false);
                        if let Next::Rest(until) = next {
                            inner.ask_watched_at(until);
                        }
                        return;
                    }
                }
            }
        }));
    }

    /// Ask those that are due then.
    fn ask_watched_at(self: &Rc<Self>, then: u64) {
        let looks_at = &self.rooms.watchers.looks_at;
        if looks_at.get().is_some_and(|earlier| earlier <= then) {
            return;
        }
        looks_at.set(Some(then));
        let (weak, clock) = (Rc::downgrade(self), self.clock.clone());
        let left = then.saturating_sub(clock.now_ms()).max(1);
        (self.spawner)(Box::pin(async move {
            clock.sleep(left).await;
            if let Some(inner) = weak.upgrade()
                && inner.rooms.watchers.looks_at.get() == Some(then)
            {
                inner.rooms.watchers.looks_at.set(None);
                inner.ask_watched();
            }
        }));
    }
}

impl Watcher {
    async fn ask(&self, workspace: &Workspace) {
        (self.asking)(true);
        self.ask_now(workspace).await;
        (self.asking)(false);
    }

    async fn ask_now(&self, workspace: &Workspace) {
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
            priority: match self.is_slow.get() {
                true => Priority::Low,
                false => Priority::Normal,
            },
            ..Control::default()
        };
        let clock = workspace.0.clock.clone();
        let begin = clock.now_ms();
        let asked = workspace.answers_of(&self.goal, &control).await;
        let is_over = |fault: &Fault| fault.kind == FaultKind::Timeout;
        self.is_slow.set(match &asked {
            Ok(answers) => {
                let inferences = workspace.inferences(&answers.query_id);
                inferences.is_some_and(|count| count > SHORT) || answers.fault.as_ref().is_some_and(is_over)
            }
            Err(fault) => is_over(fault),
        });
        if self.is_slow.get() {
            let now = clock.now_ms();
            // What it waited for an engine is no work of its own.
            let took = now.saturating_sub(begin).min(MOST_MS);
            self.rest(now, REST * took);
        }
        let (answers, more, fault) = match asked {
            Ok(answers) => (answers.answers, answers.more, answers.fault),
            Err(fault) => (Vec::new(), false, Some(fault)),
        };
        if fault.as_ref().is_some_and(passes) && self.unanswered.get() < ATTEMPTS {
            self.is_due.set(true);
            self.rest(clock.now_ms(), ATTEMPT_MS << self.unanswered.get());
            self.unanswered.set(self.unanswered.get() + 1);
            return;
        }
        self.unanswered.set(0);
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
        let goal = workspace.0.plain(&self.goal).await.ok()?;
        let request = protocol::goal_reaches(&goal);
        let Reaches(found) = turn.ask(request, Watch::short("watch")).await.ok()?;
        found.into_iter().next()
    }
}
