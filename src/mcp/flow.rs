//! Limits what a client may have in progress; anything beyond waits, first come, first served.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::rc::Rc;
use std::task::{Poll, Waker};

/// Bytes a waiting call counts for in addition to its message.
const CALL_BYTES: usize = 1_000;

/// The calls of one client, and whether it keeps up with reading.
pub struct Flow {
    /// The most calls that may run at once.
    calls: usize,
    /// Once the waiting calls take this many bytes, nothing more should be read.
    bytes: usize,
    running: Cell<usize>,
    congested: Cell<bool>,
    /// In order of arrival, with the bytes each one takes.
    waiting: RefCell<BTreeMap<u64, (Waker, usize)>>,
    next: Cell<u64>,
    /// Tasks waiting until the client reads.
    readers: RefCell<Vec<Waker>>,
}

/// A running call. Dropping it lets the next one start.
pub struct Slot(Rc<Flow>);

impl Flow {
    pub fn new(calls: usize, bytes: usize) -> Rc<Flow> {
        Rc::new(Flow {
            calls,
            bytes,
            running: Cell::new(0),
            congested: Cell::new(false),
            waiting: RefCell::default(),
            next: Cell::new(0),
            readers: RefCell::default(),
        })
    }

    /// Wait until a call may start; `bytes` is the size of its message. Calls start one at a time, so that
    /// whatever the previous one sent has been counted. Dropping the future gives up the place in the queue.
    pub async fn slot(self: &Rc<Flow>, bytes: usize) -> Slot {
        let number = self.next.replace(self.next.get() + 1);
        let place = Place { flow: self, number };
        std::future::poll_fn(|context| {
            let mut waiting = self.waiting.borrow_mut();
            let first = waiting.keys().next().is_none_or(|first| *first >= number);
            if first && self.is_open() {
                return Poll::Ready(());
            }
            waiting.insert(number, (context.waker().clone(), bytes + CALL_BYTES));
            Poll::Pending
        })
        .await;
        self.running.set(self.running.get() + 1);
        drop(place);
        Slot(self.clone())
    }

    /// Wait until the client has read what it was sent.
    pub async fn read(&self) {
        std::future::poll_fn(|context| match self.congested.get() {
            false => Poll::Ready(()),
            true => {
                self.readers.borrow_mut().push(context.waker().clone());
                Poll::Pending
            }
        })
        .await;
    }

    /// Whether so much is waiting that nothing more should be read from the client.
    pub fn is_full(&self) -> bool {
        let waiting = self.waiting.borrow();
        waiting.values().map(|(_, bytes)| bytes).sum::<usize>() >= self.bytes
    }

    /// Set whether the client is behind in reading what it was sent. Nothing starts while it is.
    pub fn set_congested(&self, congested: bool) {
        self.congested.set(congested);
        if !congested {
            self.readers.take().into_iter().for_each(Waker::wake);
            self.wake();
        }
    }

    fn is_open(&self) -> bool {
        !self.congested.get() && self.running.get() < self.calls
    }

    fn wake(&self) {
        if let Some((waker, _)) = self.waiting.borrow().values().next() {
            waker.wake_by_ref();
        }
    }
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.0.running.set(self.0.running.get() - 1);
        self.0.wake();
    }
}

/// A place in the queue.
struct Place<'a> {
    flow: &'a Flow,
    number: u64,
}

impl Drop for Place<'_> {
    fn drop(&mut self) {
        self.flow.waiting.borrow_mut().remove(&self.number);
        self.flow.wake();
    }
}

#[cfg(test)]
mod tests {
    use futures::FutureExt;
    use futures::future::LocalBoxFuture;

    use super::*;

    fn waiting(flow: &Rc<Flow>, bytes: usize) -> LocalBoxFuture<'static, Slot> {
        let flow = flow.clone();
        let mut slot = async move { flow.slot(bytes).await }.boxed_local();
        assert!((&mut slot).now_or_never().is_none());
        slot
    }

    #[test]
    fn calls_begin_in_order_and_no_more_than_so_many_run() {
        let flow = Flow::new(2, 10_000);
        let first = flow.slot(1).now_or_never().expect("free");
        let _second = flow.slot(1).now_or_never().expect("free");
        let mut third = waiting(&flow, 1);
        let mut fourth = waiting(&flow, 1);
        drop(first);
        assert!((&mut fourth).now_or_never().is_none(), "the third is before it");
        let third = (&mut third).now_or_never().expect("its turn");
        assert!((&mut fourth).now_or_never().is_none());
        drop(third);
        assert!(fourth.now_or_never().is_some());
    }

    #[test]
    fn one_who_left_keeps_nobody_waiting() {
        let flow = Flow::new(1, 10_000);
        let first = flow.slot(1).now_or_never().expect("free");
        let second = waiting(&flow, 1);
        let third = waiting(&flow, 1);
        drop(second);
        drop(first);
        assert!(third.now_or_never().is_some());
    }

    #[test]
    fn nothing_begins_while_the_client_does_not_read() {
        let flow = Flow::new(2, 10_000);
        flow.set_congested(true);
        let mut first = waiting(&flow, 1);
        let mut read = flow.read().boxed_local();
        assert!((&mut read).now_or_never().is_none());
        flow.set_congested(false);
        assert!(read.now_or_never().is_some());
        let first = (&mut first).now_or_never().expect("its turn");
        // The client does not read what the call sends, so the next one does not start.
        let mut second = waiting_when_congested(&flow);
        drop(first);
        assert!((&mut second).now_or_never().is_none());
        flow.set_congested(false);
        assert!(second.now_or_never().is_some());
    }

    fn waiting_when_congested(flow: &Rc<Flow>) -> LocalBoxFuture<'static, Slot> {
        flow.set_congested(true);
        waiting(flow, 1)
    }

    #[test]
    fn it_is_full_of_what_waits() {
        let flow = Flow::new(1, 10_000);
        let first = flow.slot(1_000_000).now_or_never().expect("free");
        assert!(!flow.is_full());
        let second = waiting(&flow, 5_000);
        assert!(!flow.is_full());
        let third = waiting(&flow, 5_000);
        assert!(flow.is_full());
        drop(first);
        let _second = second.now_or_never().expect("its turn");
        assert!(!flow.is_full());
        drop(third);
    }
}
