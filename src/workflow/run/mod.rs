//! Runs workflows.

mod done;
mod each;
mod event;
mod graph;
mod join;
pub(crate) mod key;
mod leaf;
mod means;
mod node;
mod record;
mod reduce;
mod refused;
mod rounds;
mod route;
mod runner;
mod thread;
mod wait;
mod waits;

use std::cell::RefCell;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::rc::Rc;
use std::task::Poll;

use futures::StreamExt;
use futures::channel::mpsc::{UnboundedReceiver, unbounded};
use futures::future::LocalBoxFuture;

use crate::json::Object;
use crate::model::Workflow;
use crate::runs::Ledger;
use runner::Runner;

pub use event::{Event, Kind, LoopEnd};
pub use means::{Code, CodeFailure, Means, NodeHost, NodeProlog};
pub use record::{Did, Ended, Record};
pub use refused::{Refused, RefusedKind};
pub use thread::{Added, Asked, At, Awaits, END, Fork, Part, START, Thread};
pub use waits::{Interrupt, When};

/// A run. It only makes progress while someone awaits its next event, and ends when dropped.
pub struct Run {
    work: RefCell<Option<LocalBoxFuture<'static, ()>>>,
    events: RefCell<UnboundedReceiver<Event>>,
}

/// Where a run begins.
#[derive(Debug, Clone, PartialEq)]
pub enum Begin {
    Start(Object),
    /// Where it was, after this has happened to the thread within it that has this path.
    Resume {
        thread: Box<Thread>,
        path: Vec<Part>,
        did: Did,
    },
    /// Where it waits, for what may have come by itself.
    Wake {
        thread: Box<Thread>,
    },
}

impl Run {
    /// `id` identifies the run to actions. With a ledger, the run is stored.
    pub fn new(
        workflow: Rc<Workflow>,
        means: Means,
        id: String,
        ledger: Option<Ledger>,
        begin: Begin,
    ) -> Run {
        let (events, receiver) = unbounded();
        let runner = Runner {
            workflow,
            timeout_ms: means.timeout_ms,
            means: Rc::new(means),
            events,
            id: id.into(),
            ledger: ledger.map(Rc::new),
            nodes: Rc::default(),
            names: String::new(),
        };
        Run {
            work: RefCell::new(Some(Box::pin(async move { runner.run(begin).await }))),
            events: RefCell::new(receiver),
        }
    }

    /// The next event; `None` after the last.
    pub async fn next(&self) -> Option<Event> {
        poll_fn(|context| {
            let mut events = self.events.borrow_mut();
            let mut work = self.work.borrow_mut();
            loop {
                if let Poll::Ready(event) = events.poll_next_unpin(context)
                    && event.is_some()
                {
                    return Poll::Ready(event);
                }
                let Some(running) = work.as_mut() else {
                    return Poll::Ready(None);
                };
                if pin!(running).poll(context).is_ready() {
                    *work = None;
                } else {
                    // It may have sent something before it began to wait.
                    return match events.poll_next_unpin(context) {
                        Poll::Ready(Some(event)) => Poll::Ready(Some(event)),
                        _ => Poll::Pending,
                    };
                }
            }
        })
        .await
    }

    /// Abandon the run; whoever awaits the next event gets none.
    pub fn stop(&self) {
        // The work owns the sender of the events, so dropping it wakes the waiter.
        *self.work.borrow_mut() = None;
    }
}
