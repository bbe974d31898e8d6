//! What one process has room for: engines starting at the same time, and engines beside the first ones of
//! their books.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

use super::queue::{Permit, Queue};
use hornbook_base::Priority;

/// The most engines beside first ones per core. Their queries share the core, so that a short query still
/// ends while long ones run.
const BESIDE_PER_CORE: usize = 4;
/// If there is no room for another, one that has been idle for this many milliseconds makes way. Starting an
/// engine costs some tenths of a second of a core, so engines must not be swapped with every query.
const GIVES_WAY_AFTER_MS: u64 = 10_000;

/// An engine beside the first of its book.
pub trait Beside {
    /// Whether it is running or starting.
    fn is_there(&self) -> bool;
    /// End it if it has been idle for this many milliseconds.
    fn end_if_idle(&self, idle_ms: u64);
}

/// What one process has room for. Cheap to clone: clones share the same room.
#[derive(Clone)]
pub struct Capacity(Rc<Inner>);

struct Inner {
    starting: Queue,
    /// First engines of books start without waiting for the others, however many of those there are.
    starting_first: Queue,
    beside: RefCell<Vec<Weak<dyn Beside>>>,
    most_beside: Cell<usize>,
}

impl Capacity {
    /// The capacity of a process with this many cores.
    pub fn of(cores: usize) -> Capacity {
        let cores = cores.max(1);
        Capacity(Rc::new(Inner {
            // Starting an engine keeps a core busy; starting more at a time only delays each of them.
            starting: Queue::of(cores),
            starting_first: Queue::of(cores),
            beside: RefCell::default(),
            most_beside: Cell::new(cores.saturating_mul(BESIDE_PER_CORE)),
        }))
    }

    /// Make room for at least this many engines beside the first of one book.
    pub fn hold(&self, beside: usize) {
        self.0.most_beside.set(self.0.most_beside.get().max(beside));
    }

    /// Wait to start an engine, first come, first served; the first engines of books among themselves. Hold the permit
    /// until it has started.
    pub async fn start(&self, first: bool) -> Permit {
        match first {
            true => self.0.starting_first.acquire(Priority::Normal).await,
            false => self.0.starting.acquire(Priority::Normal).await,
        }
    }

    /// Whether there is room for this engine beside the others. If so, it counts until it is gone.
    pub fn admit(&self, engine: &Rc<dyn Beside>) -> bool {
        let is_full = || {
            let mut beside = self.0.beside.borrow_mut();
            beside.retain(|one| one.upgrade().is_some_and(|one| one.is_there()));
            beside.len() >= self.0.most_beside.get()
        };
        if is_full() {
            let others: Vec<_> = self.0.beside.borrow().iter().filter_map(Weak::upgrade).collect();
            for other in others {
                other.end_if_idle(GIVES_WAY_AFTER_MS);
            }
            if is_full() {
                return false;
            }
        }
        self.0.beside.borrow_mut().push(Rc::downgrade(engine));
        true
    }
}

impl Default for Capacity {
    /// Without bounds: of a process with as many cores as it needs.
    fn default() -> Self {
        Capacity::of(usize::MAX)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::FutureExt;

    struct One {
        there: Cell<bool>,
        idle_ms: Cell<u64>,
    }

    impl Beside for One {
        fn is_there(&self) -> bool {
            self.there.get()
        }

        fn end_if_idle(&self, idle_ms: u64) {
            if self.idle_ms.get() > idle_ms {
                self.there.set(false);
            }
        }
    }

    fn one() -> (Rc<One>, Rc<dyn Beside>) {
        let one = Rc::new(One {
            there: Cell::new(true),
            idle_ms: Cell::new(0),
        });
        (one.clone(), one)
    }

    #[test]
    fn as_many_start_at_a_time_as_there_are_cores_in_their_order() {
        let capacity = Capacity::of(2);
        let first = capacity.start(false).now_or_never().expect("a core");
        let _second = capacity.start(false).now_or_never().expect("a core");
        let mut third = Box::pin(capacity.start(false));
        let mut fourth = Box::pin(capacity.start(false));
        assert!((&mut third).now_or_never().is_none());
        assert!((&mut fourth).now_or_never().is_none());
        drop(first);
        assert!((&mut fourth).now_or_never().is_none());
        let of_book = capacity.start(true).now_or_never();
        assert!(of_book.is_some(), "it does not wait for the others");
        let third = third.now_or_never().expect("its turn");
        drop(third);
        assert!(fourth.now_or_never().is_some());
    }

    #[test]
    fn engines_beside_are_bounded_and_one_that_is_idle_or_gone_makes_room() {
        let capacity = Capacity::of(1);
        let engines: Vec<_> = (0..BESIDE_PER_CORE).map(|_| one()).collect();
        assert!(engines.iter().all(|(_, engine)| capacity.admit(engine)));
        let (_, more) = one();
        assert!(!capacity.admit(&more));
        engines[1].0.idle_ms.set(GIVES_WAY_AFTER_MS + 1);
        assert!(capacity.admit(&more));
        assert!(!engines[1].0.there.get());
        let (_, last) = one();
        assert!(!capacity.admit(&last));
        engines[2].0.there.set(false);
        assert!(capacity.admit(&last));
        drop(engines);
        assert!(capacity.admit(&one().1));
    }

    #[test]
    fn one_book_has_room_for_all_it_may_have() {
        let capacity = Capacity::of(1);
        capacity.hold(BESIDE_PER_CORE + 1);
        let engines: Vec<_> = (0..BESIDE_PER_CORE + 2).map(|_| one().1).collect();
        let admitted = engines.iter().filter(|engine| capacity.admit(engine)).count();
        assert_eq!(admitted, BESIDE_PER_CORE + 1);
    }
}
