//! Records a run, and replays what was recorded.

use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::future::poll_fn;
use std::rc::Rc;
use std::task::{Poll, Waker};

use super::entry::{Entry, action_of};
use super::stop::Stop;

/// Receives the entries of a recording. The error says why an entry could not be stored.
pub type Sink = Rc<dyn Fn(&Entry) -> Result<(), String>>;

/// Replays a recording first, then records what follows.
pub struct Recorder {
    /// With their numbers in the recording, from 1.
    left: RefCell<VecDeque<(usize, Entry)>>,
    sink: Option<Sink>,
    /// The number of requests to the engine.
    requests: Cell<u64>,
    in_engine: Cell<bool>,
    /// The number of goals running concurrently, and how many of them wait for their turn in the recording.
    live: Cell<usize>,
    waiting: Cell<usize>,
    wakers: RefCell<Vec<Waker>>,
}

impl Recorder {
    pub fn new(replayed: Vec<Entry>, sink: Option<Sink>) -> Recorder {
        let numbered = replayed
            .into_iter()
            .enumerate()
            .map(|(index, entry)| (index + 1, entry));
        let left = numbered.filter(|(_, entry)| !matches!(entry, Entry::Run(_) | Entry::Clock { .. }));
        Recorder {
            left: RefCell::new(left.collect()),
            sink,
            requests: Cell::new(0),
            in_engine: Cell::new(false),
            live: Cell::new(1),
            waiting: Cell::new(0),
            wakers: RefCell::default(),
        }
    }

    /// Whether anything is left to replay.
    pub fn replays(&self) -> bool {
        !self.left.borrow().is_empty()
    }

    pub fn record(&self, entry: &Entry) -> Result<(), Stop> {
        let Some(sink) = &self.sink else { return Ok(()) };
        sink(entry)
            .map_err(|message| Stop::Unrecorded(format!("The recording could not be written: {message}.")))
    }

    /// Record that the run took too long, or that its engine is gone.
    pub fn stop(&self, message: &str) -> Result<(), Stop> {
        let request = self.in_engine.get().then(|| self.requests.get());
        let message = message.to_owned();
        self.record(&Entry::Stopped { message, request })
    }

    /// A request to the engine begins. Fails if the recorded run was stopped in it.
    pub fn begin_request(&self) -> Result<(), Stop> {
        self.requests.set(self.requests.get() + 1);
        self.in_engine.set(true);
        match self.left.borrow().front() {
            Some((_, Entry::Stopped { message, request })) if *request == Some(self.requests.get()) => {
                Err(Stop::Unrecorded(message.clone()))
            }
            _ => Ok(()),
        }
    }

    /// What `take` finds in the next entry, or `None` at the end of a truncated recording. `wanted` describes
    /// what the program does. When goals run concurrently, one that wants a later entry waits for the others
    /// to take the earlier ones, so the recorded order is preserved.
    pub async fn next<T>(
        &self,
        wanted: impl FnOnce() -> String,
        take: impl Fn(&Entry) -> Option<T>,
    ) -> Result<Option<T>, Stop> {
        self.in_engine.set(false);
        let _waiting = Waiting::new(self);
        let mut wanted = Some(wanted);
        poll_fn(|context| {
            let front = self.left.borrow().front().cloned();
            let Some((number, entry)) = front else {
                return Poll::Ready(Ok(None));
            };
            if let Entry::Stopped {
                message,
                request: None,
            } = entry
            {
                return Poll::Ready(Err(Stop::Unrecorded(message)));
            }
            if let Some(taken) = take(&entry) {
                self.left.borrow_mut().pop_front();
                self.wake();
                return Poll::Ready(Ok(Some(taken)));
            }
            if self.waiting.get() < self.live.get() {
                self.wakers.borrow_mut().push(context.waker().clone());
                return Poll::Pending;
            }
            let now = wanted.take().map_or_else(String::new, |wanted| wanted());
            let then = action_of(&entry);
            Poll::Ready(Err(Stop::Unrecorded(format!(
                "The program departs from its recording at entry {number}: now it {now}, then it {then}."
            ))))
        })
        .await
    }

    /// The current goal starts to wait for concurrent goals, which are opened on the result.
    pub fn branch_off(&self) -> Branches<'_> {
        self.live.set(self.live.get() - 1);
        Branches(self)
    }

    fn wake(&self) {
        self.wakers.take().into_iter().for_each(Waker::wake);
    }
}

/// Concurrent goals, running in place of the one that waits for them.
pub struct Branches<'a>(&'a Recorder);

impl<'a> Branches<'a> {
    /// Count one more as running, until the result is dropped.
    pub fn open(&self) -> OpenBranch<'a> {
        self.0.live.set(self.0.live.get() + 1);
        OpenBranch(self.0)
    }
}

impl Drop for Branches<'_> {
    fn drop(&mut self) {
        self.0.live.set(self.0.live.get() + 1);
    }
}

/// A goal that runs concurrently.
pub struct OpenBranch<'a>(&'a Recorder);

impl Drop for OpenBranch<'_> {
    fn drop(&mut self) {
        self.0.live.set(self.0.live.get() - 1);
        self.0.wake();
    }
}

/// A goal that waits for its turn in the recording.
struct Waiting<'a>(&'a Recorder);

impl Waiting<'_> {
    fn new(recorder: &Recorder) -> Waiting<'_> {
        recorder.waiting.set(recorder.waiting.get() + 1);
        // The others check whether everyone is waiting now.
        recorder.wake();
        Waiting(recorder)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.waiting.set(self.0.waiting.get() - 1);
    }
}

#[cfg(test)]
mod tests {
    use super::super::entry::{ENDED, asked_user};
    use super::*;
    use futures::FutureExt;

    #[test]
    fn another_request_departs_and_is_named() {
        let recorder = Recorder::new(vec![Entry::Clock { readings: vec![] }, Entry::End], None);
        let departed = recorder
            .next(|| asked_user("q"), |_| None::<()>)
            .now_or_never()
            .expect("nobody else runs");
        let Err(Stop::Unrecorded(message)) = departed else {
            panic!()
        };
        assert_eq!(
            message,
            "The program departs from its recording at entry 2: now it asked the user “q”, then it ended."
        );
        let next = recorder.next(|| ENDED.into(), |entry| (*entry == Entry::End).then_some(()));
        assert!(matches!(next.now_or_never(), Some(Ok(Some(())))));
    }
}
