//! Running a workflow.

mod each;
mod event;
mod means;
mod node;
mod record;
mod route;
mod runner;
mod thread;

use std::cell::{Cell, RefCell};
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

pub use event::{Event, Kind};
pub use means::{Code, CodeFailure, Means, NodeHost, NodeProlog};
pub use record::{Did, Ended, Record};
pub use thread::{At, END, Fork, START, Thread};

/// A run. It goes on while its next event is waited for, and ends when it is dropped.
pub struct Run {
    work: RefCell<Option<LocalBoxFuture<'static, ()>>>,
    events: RefCell<UnboundedReceiver<Event>>,
}

/// Where a run begins.
#[derive(Debug, Clone, PartialEq)]
pub enum Begin {
    Start(Object),
    /// Where it was, with this in its state.
    Resume {
        thread: Box<Thread>,
        updates: Object,
    },
}

impl Run {
    /// `id` names the run for actions. With a ledger it is kept.
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
            means,
            events,
            id,
            ledger,
            nodes: Cell::default(),
        };
        Run {
            work: RefCell::new(Some(Box::pin(async move { runner.run(begin).await }))),
            events: RefCell::new(receiver),
        }
    }

    /// The next event; nothing after the last.
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
                    // It may have told something before it began to wait.
                    return match events.poll_next_unpin(context) {
                        Poll::Ready(Some(event)) => Poll::Ready(Some(event)),
                        _ => Poll::Pending,
                    };
                }
            }
        })
        .await
    }

    /// Give up what runs, also for whoever waits for the next event: there is none.
    pub fn stop(&self) {
        // The work has the sender of the events: with it gone, who waits is woken.
        *self.work.borrow_mut() = None;
    }
}
