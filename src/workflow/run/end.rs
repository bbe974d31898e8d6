//! A run that has stopped: it failed, or it waits.

use super::Kind;
use super::done::Stop;
use super::runner::Runner;
use crate::fault::WorkflowFault;
use crate::json::Json;
use crate::state::{Did, Record, Thread};

impl Runner {
    /// Record why it stopped, and tell it.
    pub(super) async fn stopped(&self, stop: Stop, thread: Option<&mut Thread>) {
        let kind = match (stop, thread) {
            (Stop::Waits, Some(thread)) => match self.paused(thread).await {
                Ok(kind) => kind,
                Err(fault) => Kind::Error {
                    node: thread.at.node().to_owned(),
                    fault,
                    state: (*thread.state).clone(),
                    raises: self.workflow.raises,
                },
            },
            (Stop::Waits, None) => return,
            (Stop::Fault { node, state, fault }, thread) => {
                // If the book takes no records, it will not take this one either.
                if let Some(ledger) = &self.ledger
                    && thread.is_some()
                    && !fault.kind.ends_records()
                {
                    let record = Record {
                        at_ms: self.means.clock.now_ms(),
                        branch: Vec::new(),
                        did: Did::Failed {
                            node: node.clone(),
                            error: fault.message.clone(),
                        },
                    };
                    let _ = ledger.append(&record).await;
                }
                Kind::Error {
                    node,
                    fault,
                    state: (*state).clone(),
                    raises: self.workflow.raises,
                }
            }
        };
        self.tell(None, kind);
    }

    /// Tell that somebody has given the run up, of which this is the fault.
    pub(super) fn cancelled(&self, fault: WorkflowFault) {
        let thread = self.ledger.as_ref().and_then(|ledger| ledger.thread());
        let thread = thread.unwrap_or_else(|| Thread::start(Default::default()));
        let running = self.running.borrow().last().cloned();
        self.tell(
            None,
            Kind::Error {
                node: running.unwrap_or_else(|| thread.at.node().to_owned()),
                fault,
                state: (*thread.state).clone(),
                raises: self.workflow.raises,
            },
        );
    }

    /// The event of a run that waits: everything that can go on has done so.
    async fn paused(&self, thread: &mut Thread) -> Result<Kind, WorkflowFault> {
        let interrupts = thread.interrupts();
        if let Some(ledger) = &self.ledger
            && ledger.waits()
        {
            ledger.wait_again(self.means.clock.now_ms()).await?;
        } else if let Some(ledger) = &self.ledger {
            let mut signals: Vec<String> = interrupts.iter().filter_map(|one| one.signal.clone()).collect();
            signals.sort();
            signals.dedup();
            let until_ms = interrupts.iter().filter_map(|one| one.until_ms).min();
            let record = Record {
                at_ms: self.means.clock.now_ms(),
                branch: Vec::new(),
                did: Did::Paused {
                    node: interrupts.first().map(|one| one.node.clone()).unwrap_or_default(),
                    until_ms,
                    signals,
                },
            };
            ledger.append(&record).await?;
        }
        let answered = interrupts.iter().find(|one| one.when.takes_answer());
        let first = answered.or(interrupts.first()).cloned().unwrap_or_default();
        let state = interrupts.iter().position(|one| *one == first);
        let state = state.and_then(|index| thread.interrupted_states().into_iter().nth(index));
        Ok(Kind::Interrupt {
            state: state.map(|state| (*state).clone()).unwrap_or_default(),
            first,
            interrupts,
            checkpoint: Json::of(thread),
        })
    }
}
