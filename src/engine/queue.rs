//! First come, first served: who may use the engine and change the book.

use std::cell::RefCell;
use std::collections::VecDeque;
use std::rc::Rc;

use futures::channel::oneshot;

/// One permit, given in the order in which it was asked for.
#[derive(Clone, Default)]
pub struct Queue(Rc<RefCell<State>>);

#[derive(Default)]
struct State {
    taken: bool,
    waiting: VecDeque<oneshot::Sender<Permit>>,
}

/// Dropping it lets the next one go on.
pub struct Permit(Queue);

impl Queue {
    /// The permit, where nobody has it.
    pub fn acquire_now(&self) -> Option<Permit> {
        let taken = std::mem::replace(&mut self.0.borrow_mut().taken, true);
        (!taken).then(|| Permit(self.clone()))
    }

    /// Dropping the future leaves the queue.
    pub async fn acquire(&self) -> Permit {
        let turn = {
            let mut state = self.0.borrow_mut();
            if !state.taken {
                state.taken = true;
                return Permit(self.clone());
            }
            let (sender, receiver) = oneshot::channel();
            state.waiting.push_back(sender);
            receiver
        };
        turn.await
            .expect("a sender is only dropped after it gave its permit")
    }
}

impl Drop for Permit {
    fn drop(&mut self) {
        loop {
            let next = self.0.0.borrow_mut().waiting.pop_front();
            match next {
                None => return self.0.0.borrow_mut().taken = false,
                Some(gone) if gone.is_canceled() => {}
                // Should it be dropped unreceived, it goes to the one behind.
                Some(waiting) => return drop(waiting.send(Permit(self.0.clone()))),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use futures::FutureExt;

    #[test]
    fn permits_are_given_in_order_and_leaving_is_allowed() {
        let queue = Queue::default();
        let first = queue.acquire().now_or_never().expect("free");
        let mut second = Box::pin(queue.acquire());
        let mut third = Box::pin(queue.acquire());
        let mut fourth = Box::pin(queue.acquire());
        assert!((&mut second).now_or_never().is_none());
        assert!((&mut third).now_or_never().is_none());
        assert!((&mut fourth).now_or_never().is_none());
        drop(second);
        drop(first);
        assert!((&mut fourth).now_or_never().is_none());
        let permit = (&mut third).now_or_never().expect("its turn");
        drop(permit);
        assert!(fourth.now_or_never().is_some());
        assert!(queue.acquire().now_or_never().is_some());
    }

    #[test]
    fn a_permit_given_to_one_who_left_goes_on() {
        let queue = Queue::default();
        let first = queue.acquire().now_or_never().expect("free");
        let mut second = Box::pin(queue.acquire());
        assert!((&mut second).now_or_never().is_none());
        drop(first);
        drop(second);
        assert!(queue.acquire().now_or_never().is_some());
    }
}
