//! Waits for what comes by itself: times and signals.

use super::Kind;
use super::runner::{Branch, Runner};
use crate::difference::Gave;
use crate::fault::{WorkflowFault, WorkflowFaultKind};
use crate::json::{Json, Object};
use crate::model::Wait;
use crate::runs::Signal;
use crate::state::At;
use crate::state::{Awaits, Did, Record, Thread};
use crate::time;

impl Runner {
    /// What a node waits for, from now on.
    pub(super) fn awaits(&self, wait: &Wait, node: &str, thread: &Thread) -> Result<Awaits, WorkflowFault> {
        let scope = self.scope(&thread.state, None, thread.results.as_ref());
        let until = |given: &Json| {
            let value = scope.values(given)?;
            time::until_ms(&value, self.means.clock.now_ms()).map_err(|why| {
                let message = format!("'wait' of node '{node}' {why}");
                WorkflowFault::new(WorkflowFaultKind::Template, message)
            })
        };
        Ok(match wait {
            Wait::Time(given) => Awaits {
                until_ms: Some(until(given)?),
                signal: None,
            },
            Wait::Signal {
                name,
                timeout,
                output,
            } => Awaits {
                until_ms: timeout.as_ref().map(until).transpose()?,
                signal: Some((scope.text(name)?, output.clone())),
            },
        })
    }

    /// Go on if what the thread waits for has come.
    pub(super) async fn arrived(
        &self,
        thread: &mut Thread,
        branch: Branch<'_>,
    ) -> Result<bool, WorkflowFault> {
        let At::Before {
            awaits: Some(awaits), ..
        } = &thread.at
        else {
            return Ok(false);
        };
        let awaits = awaits.clone();
        let (ledger, now_ms) = (self.ledger.as_ref(), self.means.clock.now_ms());
        let arrived = |thread: &Thread, brought: Option<(String, Json)>| {
            let updates: Object = brought.into_iter().collect();
            let updates = Gave::of(&thread.state, &updates);
            Did::Arrived { updates }
        };
        if let (Some(ledger), Some((name, output))) = (ledger, &awaits.signal) {
            loop {
                let record = |data| {
                    self.workflow.check_value(output, &data)?;
                    Ok(Record {
                        at_ms: now_ms,
                        branch: branch.path.to_vec(),
                        did: arrived(thread, Some((output.clone(), data))),
                    })
                };
                match ledger.take_signal(name, record).await? {
                    Signal::NotSent => break,
                    Signal::Taken(record) => {
                        thread.arrive(branch.path, record.did);
                        return Ok(true);
                    }
                    Signal::Dropped(why) => {
                        let node = self.named(thread.at.node());
                        let signal = name.clone();
                        let error = why;
                        self.tell(branch.name, Kind::SignalDropped { node, signal, error });
                    }
                }
            }
        }
        if awaits.until_ms.is_none_or(|until| now_ms < until) {
            return Ok(false);
        }
        let brought = awaits.signal.map(|(_, output)| (output, Json::Null));
        let did = arrived(thread, brought);
        if let Some(ledger) = ledger {
            let record = Record {
                at_ms: now_ms,
                branch: branch.path.to_vec(),
                did: did.clone(),
            };
            ledger.append(&record).await?;
        }
        thread.arrive(branch.path, did);
        Ok(true)
    }
}
