//! The watched goals of a workspace: what each answered last, and which is asked next.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::{Rc, Weak};

use super::constraints::touch::Touch;
use super::types::{Answer, Binding};
use hornbook_base::Fault;
use hornbook_engine::reply::Reach;

/// The longest that a goal rests, in milliseconds.
const MOST_REST_MS: u64 = 4_000;

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
    pub(super) fn is_like(&self, other: &Watched) -> bool {
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
    pub(super) _watcher: Rc<Watcher>,
}

pub(super) struct Watcher {
    pub(super) goal: String,
    pub(super) reach: RefCell<Option<Rc<Reach>>>,
    /// It is to be asked again.
    pub(super) is_due: Cell<bool>,
    /// It took long when it was asked last.
    pub(super) is_slow: Cell<bool>,
    /// Counts the asking: when it was asked last; 0 if it was not.
    pub(super) asked: Cell<u64>,
    /// Until when it rests, in milliseconds since 1970.
    rests_until: Cell<u64>,
    /// How often in a row it got no answer through no fault of its own.
    pub(super) unanswered: Cell<u32>,
    pub(super) told: RefCell<Option<Watched>>,
    pub(super) listener: Box<dyn Fn(&Watched)>,
    /// Is told when it begins to be asked, and when that has ended.
    pub(super) asking: Box<dyn Fn(bool)>,
}

/// Which of the due goals is asked.
pub(super) enum Next {
    Due(Rc<Watcher>),
    /// All of them rest until then, in milliseconds since 1970.
    Rest(u64),
    Nothing,
}

/// A goal that is watched while somebody wants it.
pub(super) struct Kept {
    /// What it is known by.
    pub(super) key: String,
    pub(super) _watching: Watching,
    pub(super) is_wanted: Rc<dyn Fn() -> bool>,
}

/// The watched goals of a workspace.
#[derive(Default)]
pub(super) struct Watchers {
    pub(super) watchers: RefCell<Vec<Weak<Watcher>>>,
    pub(super) kept: RefCell<Vec<Kept>>,
    /// Those that are due are being asked.
    pub(super) is_asking: Cell<bool>,
    /// The workspace asks them after changes.
    pub(super) listens: Cell<bool>,
    /// How often goals were asked.
    count: Cell<u64>,
    /// The same when one was asked that had taken long, or had never been asked.
    last_slow: Cell<u64>,
    /// When somebody looks again for those that rest.
    pub(super) looks_at: Cell<Option<u64>>,
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

    pub(super) fn forget_unwanted(&self) {
        self.kept.borrow_mut().retain(|kept| (kept.is_wanted)());
    }

    /// The next goal to be asked. Each gets its turn, the one that has waited longest first. Between two that take long,
    /// or are new, all others that are due are asked, so those wait for one of them at most.
    pub(super) fn next_due(&self, now: u64) -> Next {
        self.forget_unwanted();
        let mut watchers = self.watchers.borrow_mut();
        watchers.retain(|watcher| watcher.strong_count() > 0);
        let due = watchers.iter().filter_map(Weak::upgrade);
        let due: Vec<Rc<Watcher>> = due.filter(|watcher| watcher.is_due.get()).collect();
        let ready = || due.iter().filter(|watcher| !watcher.rests(now));
        let longest = |slow: bool| {
            let those = ready().filter(|watcher| watcher.may_take_long() == slow);
            those.min_by_key(|watcher| watcher.asked.get())
        };
        let quick = longest(false);
        let next = match quick.filter(|quick| quick.asked.get() < self.last_slow.get()) {
            Some(quick) => Some(quick),
            None => longest(true).or(quick),
        };
        let Some(next) = next else {
            let rests = due.iter().map(|watcher| watcher.rests_until.get()).min();
            return rests.map_or(Next::Nothing, Next::Rest);
        };
        let count = self.count.get() + 1;
        self.count.set(count);
        if next.may_take_long() {
            self.last_slow.set(count);
        }
        next.asked.set(count);
        next.is_due.set(false);
        Next::Due(next.clone())
    }
}

impl Watcher {
    /// One that is due.
    pub(super) fn new(
        goal: String,
        listener: impl Fn(&Watched) + 'static,
        asking: impl Fn(bool) + 'static,
    ) -> Rc<Watcher> {
        Rc::new(Watcher {
            goal,
            reach: RefCell::default(),
            is_due: Cell::new(true),
            is_slow: Cell::default(),
            asked: Cell::default(),
            rests_until: Cell::default(),
            unanswered: Cell::default(),
            told: RefCell::default(),
            listener: Box::new(listener),
            asking: Box::new(asking),
        })
    }

    /// Do not ask it for so many milliseconds.
    pub(super) fn rest(&self, now: u64, ms: u64) {
        self.rests_until.set(now + ms.min(MOST_REST_MS));
    }

    /// Whether it rests now. One that would rest for longer than any does began to before the clock was set back.
    fn rests(&self, now: u64) -> bool {
        let left = self.rests_until.get().saturating_sub(now);
        (1..=MOST_REST_MS).contains(&left)
    }

    fn may_take_long(&self) -> bool {
        self.is_slow.get() || self.asked.get() == 0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn watcher(watchers: &Watchers, goal: &str) -> Rc<Watcher> {
        let watcher = Watcher::new(goal.to_owned(), |_| {}, |_| {});
        watchers.watchers.borrow_mut().push(Rc::downgrade(&watcher));
        watcher
    }

    fn next(watchers: &Watchers, now: u64) -> String {
        match watchers.next_due(now) {
            Next::Due(watcher) => watcher.goal.clone(),
            Next::Rest(until) => format!("rest until {until}"),
            Next::Nothing => "nothing".to_owned(),
        }
    }

    #[test]
    fn each_goal_gets_its_turn_and_a_quick_one_waits_for_one_slow_one_at_most() {
        let watchers = Watchers::default();
        let all: Vec<_> = ["s1", "s2", "s3", "q1", "q2"]
            .map(|goal| watcher(&watchers, goal))
            .into();
        let first: Vec<String> = all.iter().map(|_| next(&watchers, 0)).collect();
        assert_eq!(first, ["s1", "s2", "s3", "q1", "q2"]);
        all[..3].iter().for_each(|slow| slow.is_slow.set(true));
        let mut order = Vec::new();
        for _ in 0..9 {
            // Whatever was asked is due again at once, as while somebody writes fast.
            all.iter().for_each(|watcher| watcher.is_due.set(true));
            order.push(next(&watchers, 0));
        }
        assert_eq!(order, ["q1", "s1", "q2", "q1", "s2", "q2", "q1", "s3", "q2"]);
    }

    #[test]
    fn one_that_rests_is_asked_once_it_has_rested() {
        let watchers = Watchers::default();
        let [slow, quick] = ["slow", "quick"].map(|goal| watcher(&watchers, goal));
        slow.rests_until.set(70);
        assert_eq!(next(&watchers, 50), "quick");
        assert_eq!(next(&watchers, 50), "rest until 70");
        quick.is_due.set(true);
        assert_eq!(next(&watchers, 60), "quick");
        assert_eq!(next(&watchers, 70), "slow");
        assert_eq!(next(&watchers, 70), "nothing");
    }

    #[test]
    fn one_that_rests_is_asked_at_once_after_the_clock_was_set_back() {
        let watchers = Watchers::default();
        let rests = watcher(&watchers, "rests");
        rests.rest(3_600_000, MOST_REST_MS);
        assert_eq!(next(&watchers, 3_600_000), "rest until 3604000");
        assert_eq!(next(&watchers, 0), "rests");
    }
}
