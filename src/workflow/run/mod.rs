//! Runs workflows.

mod begin;
mod done;
mod each;
mod end;
mod event;
mod graph;
mod join;
mod leaf;
mod means;
mod node;
mod reduce;
mod rounds;
mod route;
mod runner;
mod wait;

use std::cell::RefCell;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::rc::Rc;
use std::task::Poll;

use futures::StreamExt;
use futures::channel::mpsc::{UnboundedReceiver, unbounded};
use futures::future::{Either, LocalBoxFuture, select};

use crate::model::Workflow;
use crate::runs::Ledger;
use crate::state::Begin;
use runner::Runner;

pub use event::{Event, Kind, LoopEnd};
pub use means::{Code, CodeFailure, Means, NodeHost, NodeProlog};

/// A run. It only makes progress while someone awaits its next event, and ends when dropped.
pub struct Run {
    work: RefCell<Option<LocalBoxFuture<'static, ()>>>,
    events: RefCell<UnboundedReceiver<Event>>,
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
            running: Rc::default(),
            names: String::new(),
        };
        let cancelled = runner.ledger.as_ref().and_then(|ledger| ledger.cancelled());
        let work = async move {
            let running = pin!(runner.run(begin));
            let Some(cancelled) = cancelled else {
                return running.await;
            };
            match select(running, cancelled).await {
                // What it is doing is given up.
                Either::Right((Ok(fault), _)) => runner.cancelled(fault),
                Either::Right((Err(_), running)) => running.await,
                Either::Left(_) => {}
            }
        };
        Run {
            work: RefCell::new(Some(Box::pin(work))),
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
