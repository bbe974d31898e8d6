//! Watching and cancelling an operation.

use std::cell::{Cell, RefCell};
use std::pin::pin;
use std::rc::Rc;

use futures::future::{Either, LocalBoxFuture, select};

use super::{Fault, FaultKind};

/// How one request is watched: whether it was cancelled, and where its progress is reported.
#[derive(Clone, Default)]
pub struct Control {
    pub cancel: CancelToken,
    pub progress: Option<Rc<dyn Fn(Progress)>>,
    /// The requester: a number for each connection, 0 for the host itself.
    pub client: u64,
    /// Who waits for an engine before others.
    pub priority: Priority,
    /// Whether the requester may use only the queries that it started itself.
    pub own_queries_only: bool,
    /// The name that the client gives itself, if any.
    pub client_name: Option<Rc<str>>,
    /// Refuse whatever would change the book.
    pub read_only: bool,
    /// Whom the book's clauses of `may_change/2` take the requester for; they do not bind the host itself.
    pub who: Option<Rc<Who>>,
    /// Asks the client's user for what a goal reads from user input; without it, that input is at its end.
    pub person: Option<Rc<dyn Person>>,
}

/// Who goes first among those that wait; among equals it is who came first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub enum Priority {
    /// It leaves the first engine of a book to others where there are more.
    Low,
    #[default]
    Normal,
    High,
}

/// A client, as the rules of a book know it.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Who {
    /// Empty if it has none.
    pub name: Rc<str>,
    /// What the host lets it do, in the host's own words, such as `write`.
    pub scope: Option<Rc<str>>,
    /// Those whose work it carries on: it may do what they may, too, and nothing else.
    pub with: Rc<[Who]>,
}

impl Who {
    /// It, and those whose work it carries on, each on its own.
    pub fn each(&self) -> impl Iterator<Item = Who> {
        let alone = Who {
            with: Rc::default(),
            ..self.clone()
        };
        std::iter::once(alone).chain(self.with.iter().cloned())
    }

    /// A client, or the host, that carries on the work of others.
    pub fn carrying_on(who: Option<&Who>, others: &[Who]) -> Option<Rc<Who>> {
        let mut all: Vec<Who> = who.into_iter().flat_map(Who::each).collect();
        for other in others {
            if !all.contains(other) {
                all.push(other.clone());
            }
        }
        let (first, with) = all.split_first()?;
        Some(Rc::new(Who {
            with: with.into(),
            ..first.clone()
        }))
    }
}

/// A user who can be asked.
pub trait Person {
    /// Their answer to this prompt, one line; `None` if they give none.
    fn ask(&self, prompt: &str) -> LocalBoxFuture<'static, Option<String>>;
}

impl Control {
    /// The same requester with the same rights, for a part of the work that must complete: it is not cancelled,
    /// reports nothing and asks nobody.
    pub fn uncancelled(&self) -> Control {
        Control {
            client: self.client,
            priority: self.priority,
            own_queries_only: self.own_queries_only,
            client_name: self.client_name.clone(),
            read_only: self.read_only,
            who: self.who.clone(),
            ..Control::default()
        }
    }

    /// The result of work that changes nothing; the work is dropped on cancellation.
    pub async fn unless_cancelled<T>(&self, work: impl Future<Output = T>) -> Result<T, Fault> {
        match select(pin!(work), pin!(self.cancel.cancelled())).await {
            Either::Left((given, _)) => Ok(given),
            Either::Right(_) => Err(Fault::new(FaultKind::Cancelled, "The request was cancelled.")),
        }
    }
}

/// `done` of `total` (if known), in the units that `message` names.
#[derive(Debug, Clone, PartialEq)]
pub struct Progress {
    pub done: u64,
    pub total: Option<u64>,
    pub message: String,
}

/// Set once, when the client no longer wants the answer.
#[derive(Clone, Default)]
pub struct CancelToken {
    cancelled: Rc<Cell<bool>>,
    wakers: Rc<RefCell<Vec<std::task::Waker>>>,
}

impl CancelToken {
    pub fn cancel(&self) {
        self.cancelled.set(true);
        for waker in self.wakers.take() {
            waker.wake();
        }
    }

    pub fn is_cancelled(&self) -> bool {
        self.cancelled.get()
    }

    /// Resolves when [`CancelToken::cancel`] is called.
    pub fn cancelled(&self) -> impl Future<Output = ()> + use<> {
        let token = self.clone();
        std::future::poll_fn(move |context| {
            if token.is_cancelled() {
                return std::task::Poll::Ready(());
            }
            let mut wakers = token.wakers.borrow_mut();
            if !wakers.iter().any(|waker| waker.will_wake(context.waker())) {
                wakers.push(context.waker().clone());
            }
            std::task::Poll::Pending
        })
    }
}
