//! First come, first served, by priority, and nobody waits for ever: who may use the engine and change the book, and
//! which engines start.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Poll, Waker};

use futures::channel::oneshot;
use hornbook_base::Priority;

/// How many that came later may go before one that waits, whatever their priority.
const PASSED: usize = 8;

/// One or more permits, granted by priority, and among equals in the order of the requests.
#[derive(Clone, Default)]
pub struct Queue(Rc<RefCell<State>>);

struct State {
    /// 0 while anyone is waiting.
    free: usize,
    waiting: VecDeque<Waiting>,
    /// Wakes the holder of the permit once someone waits for it.
    holder: Option<Waker>,
}

struct Waiting {
    priority: Priority,
    /// How many that came later are before it, or were.
    passed: usize,
    sender: oneshot::Sender<Permit>,
}

/// Dropping it admits the next one.
pub struct Permit {
    queue: Queue,
    /// A permit of another queue, which is given back with this one at the latest.
    held: RefCell<Option<Rc<Permit>>>,
}

impl Default for State {
    fn default() -> Self {
        State {
            free: 1,
            waiting: VecDeque::new(),
            holder: None,
        }
    }
}

impl Queue {
    /// A queue for this many permits.
    pub fn of(permits: usize) -> Queue {
        let queue = Queue::default();
        queue.0.borrow_mut().free = permits;
        queue
    }

    /// A permit, if one is free.
    pub fn acquire_now(&self) -> Option<Permit> {
        let mut state = self.0.borrow_mut();
        state.free = state.free.checked_sub(1)?;
        Some(Permit::of(self))
    }

    /// Dropping the future leaves the queue.
    pub async fn acquire(&self, priority: Priority) -> Permit {
        if let Some(permit) = self.acquire_now() {
            return permit;
        }
        let (sender, turn) = oneshot::channel();
        {
            let mut state = self.0.borrow_mut();
            let gives_way = |waiting: &&mut Waiting| waiting.priority < priority && waiting.passed < PASSED;
            let behind = state.waiting.iter_mut().rev().take_while(gives_way);
            let behind = behind.map(|waiting| waiting.passed += 1).count();
            let place = state.waiting.len() - behind;
            let waiting = Waiting {
                priority,
                passed: 0,
                sender,
            };
            state.waiting.insert(place, waiting);
            if let Some(holder) = state.holder.take() {
                holder.wake();
            }
        }
        turn.await
            .expect("a sender is only dropped after it gave its permit")
    }
}

impl Permit {
    fn of(queue: &Queue) -> Permit {
        Permit {
            queue: queue.clone(),
            held: RefCell::default(),
        }
    }

    /// Hold a permit of another queue until it is taken, or this one is given back.
    pub fn hold(&self, other: Rc<Permit>) {
        *self.held.borrow_mut() = Some(other);
    }

    pub fn take_held(&self) -> Option<Rc<Permit>> {
        self.held.take()
    }

    /// Whether someone is waiting for it.
    pub fn is_wanted(&self) -> bool {
        let state = self.queue.0.borrow();
        state.waiting.iter().any(|waiting| !waiting.sender.is_canceled())
    }

    /// Resolves once someone is waiting for it.
    pub async fn wanted(&self) {
        poll_fn(|context| {
            if self.is_wanted() {
                return Poll::Ready(());
            }
            self.queue.0.borrow_mut().holder = Some(context.waker().clone());
            Poll::Pending
        })
        .await;
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        loop {
            let next = self.queue.0.borrow_mut().waiting.pop_front();
            match next {
                None => return self.queue.0.borrow_mut().free += 1,
                Some(gone) if gone.sender.is_canceled() => {}
                // If it is dropped unreceived, it passes to the next one.
                Some(waiting) => return drop(waiting.sender.send(Permit::of(&self.queue))),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::FutureExt;
    use futures::task::LocalSpawnExt;

    #[test]
    fn permits_are_given_in_order_and_leaving_is_allowed() {
        let queue = Queue::default();
        let first = queue.acquire(Priority::Normal).now_or_never().expect("free");
        let mut second = Box::pin(queue.acquire(Priority::Normal));
        let mut third = Box::pin(queue.acquire(Priority::Normal));
        let mut fourth = Box::pin(queue.acquire(Priority::Normal));
        assert!((&mut second).now_or_never().is_none());
        assert!((&mut third).now_or_never().is_none());
        assert!((&mut fourth).now_or_never().is_none());
        drop(second);
        drop(first);
        assert!((&mut fourth).now_or_never().is_none());
        let permit = (&mut third).now_or_never().expect("its turn");
        drop(permit);
        assert!(fourth.now_or_never().is_some());
        assert!(queue.acquire(Priority::Normal).now_or_never().is_some());
    }

    #[test]
    fn who_has_a_higher_priority_goes_first_and_equals_go_in_order() {
        let queue = Queue::default();
        let mut permit = queue.acquire(Priority::Normal).now_or_never();
        let asked = [
            Priority::Low,
            Priority::Normal,
            Priority::High,
            Priority::Normal,
            Priority::High,
        ];
        let waits = |priority| {
            let mut waiting = Box::pin(queue.acquire(priority));
            assert!((&mut waiting).now_or_never().is_none());
            Some(waiting)
        };
        let mut waiting = asked.map(waits);
        let mut served = Vec::new();
        while served.len() < asked.len() {
            drop(permit.take());
            for (nth, place) in waiting.iter_mut().enumerate() {
                let Some(one) = place else { continue };
                if let Some(granted) = one.now_or_never() {
                    assert!(permit.replace(granted).is_none());
                    *place = None;
                    served.push(nth);
                }
            }
        }
        assert_eq!(served, [2, 4, 1, 3, 0]);
    }

    #[test]
    fn an_endless_stream_of_a_higher_priority_does_not_keep_one_waiting_for_ever() {
        let queue = Queue::default();
        let mut permit = queue.acquire(Priority::Normal).now_or_never();
        let mut low = Box::pin(queue.acquire(Priority::Low));
        assert!((&mut low).now_or_never().is_none());
        for _ in 0..PASSED {
            let mut high = Box::pin(queue.acquire(Priority::High));
            assert!((&mut high).now_or_never().is_none());
            drop(permit.take());
            assert!((&mut low).now_or_never().is_none());
            permit = high.now_or_never();
        }
        let mut high = Box::pin(queue.acquire(Priority::High));
        assert!((&mut high).now_or_never().is_none());
        drop(permit.take());
        let low = low.now_or_never().expect("its turn");
        assert!((&mut high).now_or_never().is_none());
        drop(low);
        assert!(high.now_or_never().is_some());
    }

    #[test]
    fn who_has_the_permit_hears_that_it_is_waited_for() {
        let queue = Queue::default();
        let permit = queue.acquire(Priority::Normal).now_or_never().expect("free");
        let mut pool = futures::executor::LocalPool::new();
        let heard = std::rc::Rc::new(std::cell::Cell::new(false));
        let (permit, hears) = (std::rc::Rc::new(permit), heard.clone());
        let holder = permit.clone();
        let waits = async move {
            holder.wanted().await;
            hears.set(true);
        };
        pool.spawner().spawn_local(waits).expect("spawned");
        pool.run_until_stalled();
        assert!(!heard.get());
        let mut second = Box::pin(queue.acquire(Priority::Normal));
        assert!((&mut second).now_or_never().is_none());
        pool.run_until_stalled();
        assert!(heard.get());
        assert!(permit.is_wanted());
        drop(second);
        assert!(!permit.is_wanted());
    }

    #[test]
    fn a_permit_given_to_one_who_left_goes_on() {
        let queue = Queue::default();
        let first = queue.acquire(Priority::Normal).now_or_never().expect("free");
        let mut second = Box::pin(queue.acquire(Priority::Normal));
        assert!((&mut second).now_or_never().is_none());
        drop(first);
        drop(second);
        assert!(queue.acquire(Priority::Normal).now_or_never().is_some());
    }
}
