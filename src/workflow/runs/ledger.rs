//! Writes the records of a run.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;

use futures::channel::oneshot;
use futures::lock::{Mutex, MutexGuard};
use hornbook_base::Who;
use hornbook_book::workflow_room::{ANSWERED, CONTINUES, RESUMED};

use super::Runs;
use super::cells::{files_prefix, header_key, record_key, signals_prefix, text_key, unreadable, written};
use super::header::{Header, Shaper};
use super::keeper::Cells;
use super::kept::Kept;
use super::listed::Status;
use crate::fault::{WorkflowFault, WorkflowFaultKind};
use crate::follow::begun_by_itself;
use crate::json::Json;
use crate::model::{Node, Workflow};
use crate::prolog::{Block, Executed};
use crate::state::{Did, Record, Thread, key};

/// The records of a run in progress. While it lives, nobody else can resume the run.
pub struct Ledger {
    runs: Runs,
    run: String,
    header: RefCell<Header>,
    /// The text and the files it names, if the book does not have them yet.
    texts: Cells,
    /// Tells that somebody has given the run up.
    cancelled: RefCell<Option<oneshot::Receiver<WorkflowFault>>>,
    /// The number of the last record. Branches write one after the other.
    last: Mutex<u64>,
}

impl Runs {
    /// The ledger of a run that begins.
    pub fn begin(&self, run: &str, workflow: &Workflow, text: &str, now_ms: u64) -> Result<Ledger, String> {
        if run.is_empty()
            || !run
                .chars()
                .all(|c| c.is_ascii_alphanumeric() || "-_.".contains(c))
        {
            let message = "The name of a run has letters, digits and the characters - _ . only";
            return Err(format!("{message}, which '{run}' has not."));
        }
        self.check_new(run)?;
        let header = Header {
            workflow: workflow.name.clone(),
            status: Status::Ended,
            node: None,
            begun_ms: now_ms,
            from: None,
            due_ms: None,
            signals: Vec::new(),
            by_itself: false,
            follows: workflow
                .begun_by()
                .filter(|_| begun_by_itself(run))
                .map(str::to_owned),
            again_ms: None,
            cancelled_by: None,
            by: Shaper::with(Vec::new(), &*self.keeper),
            tools: self.keeper.tools(),
            text: workflow.text_hash.clone(),
            shared: workflow.shared_hash.clone(),
            nodes: hashes(workflow),
        };
        self.ledger(run, header, workflow, text, 0)
    }

    /// The ledger of a run that is resumed, with a workflow that agrees with it. It does only what all who have shaped
    /// the run may do.
    pub fn resume(&self, run: &str, kept: &Kept, workflow: &Workflow, text: &str) -> Result<Ledger, String> {
        let shapers: Vec<Who> = kept.header.by.iter().map(Shaper::who).collect();
        let bound = self.bound_by(&shapers);
        let header = Header {
            text: workflow.text_hash.clone(),
            shared: workflow.shared_hash.clone(),
            nodes: hashes(workflow),
            by: Shaper::with(kept.header.by.clone(), &*bound.keeper),
            tools: bound.keeper.tools(),
            ..kept.header.clone()
        };
        bound.ledger(run, header, workflow, text, kept.number)
    }

    fn ledger(
        &self,
        run: &str,
        header: Header,
        workflow: &Workflow,
        text: &str,
        last: u64,
    ) -> Result<Ledger, String> {
        let mut texts = vec![(text_key(&header.text), Some(text.to_owned()))];
        for (name, file) in &workflow.files {
            texts.push((files_prefix(&header.text) + name, Some(file.clone())));
        }
        let known = self.keeper.cell(&text_key(&header.text)).is_some();
        let (cancelling, cancelled) = oneshot::channel();
        match self.live.borrow_mut().entry(run.to_owned()) {
            Entry::Occupied(_) => return Err(format!("The run {run} is already running.")),
            Entry::Vacant(entry) => entry.insert(Some(cancelling)),
        };
        Ok(Ledger {
            runs: self.clone(),
            run: run.to_owned(),
            header: RefCell::new(header),
            texts: if known { Cells::new() } else { texts },
            cancelled: RefCell::new(Some(cancelled)),
            last: Mutex::new(last),
        })
    }
}

fn hashes(workflow: &Workflow) -> BTreeMap<String, String> {
    let hash = |node: &Node| (node.name.clone(), node.hash.clone());
    workflow.nodes.iter().map(hash).collect()
}

impl Ledger {
    /// Whether the last record says that the run waits.
    pub fn waits(&self) -> bool {
        self.header.borrow().status == Status::Waiting
    }

    /// Resolves once somebody in this process has given the run up; for the first who asks.
    pub fn cancelled(&self) -> Option<oneshot::Receiver<WorkflowFault>> {
        self.cancelled.take()
    }

    /// Where the run is by its records.
    pub fn thread(&self) -> Option<Thread> {
        self.runs.load(&self.run, None).ok().map(|kept| kept.thread)
    }

    /// Somebody has resumed the run, and it waits on: if an undo has brought it here, it goes on by itself again.
    pub async fn wait_again(&self, now_ms: u64) -> Result<(), WorkflowFault> {
        let last = self.last.lock().await;
        if self.again_ms(now_ms).is_none() {
            return Ok(());
        }
        let plan = || {
            self.check_next(*last)?;
            let header = Header {
                again_ms: Some(now_ms),
                ..self.header.borrow().clone()
            };
            let action = format!("run {}: waits again", self.run);
            Ok((action, vec![(header_key(&self.run), Some(written(&header)?))]))
        };
        let kept = self.runs.keeper.keep(Box::new(plan)).await;
        kept.map_err(|why| self.fault(why))
    }

    /// This time, if an undo has brought back the header that the run has.
    fn again_ms(&self, now_ms: u64) -> Option<u64> {
        self.runs
            .keeper
            .is_undone(&header_key(&self.run))
            .then_some(now_ms)
    }

    /// The run cannot be recorded on, for this reason.
    fn fault(&self, why: String) -> WorkflowFault {
        self.runs.cancelled(&self.run).unwrap_or_else(|| storage(why))
    }

    /// Write a record durably, and return its number.
    pub async fn append(&self, record: &Record) -> Result<u64, WorkflowFault> {
        let mut last = self.last.lock().await;
        let page = self.page(record, *last + 1)?;
        let plan = || {
            self.check_next(*last)?;
            Ok((page.action.clone(), page.cells.clone()))
        };
        let kept = self.runs.keeper.keep(Box::new(plan)).await;
        kept.map_err(|why| self.fault(why))?;
        Ok(self.turned(&mut last, page.header))
    }

    /// Take the first signal of this name that was sent to the run, and write the record made from what it brings. If no
    /// record can be made of that, the signal is dropped.
    pub async fn take_signal(
        &self,
        name: &str,
        record: impl Fn(Json) -> Result<Record, String>,
    ) -> Result<Signal, WorkflowFault> {
        let mut last = self.last.lock().await;
        loop {
            let sent = self.runs.keeper.cells(&signals_prefix(&self.run, name));
            let Some((key, text)) = sent.into_iter().next() else {
                return Ok(Signal::NotSent);
            };
            let data = serde_json::from_str(&text).map_err(|_| storage(unreadable(&self.run)))?;
            let made = record(data);
            let mut page = match &made {
                Ok(record) => self.page(record, *last + 1)?,
                Err(why) => Page {
                    action: format!("run {}: the signal {name} is dropped: {why}", self.run),
                    cells: Cells::new(),
                    header: None,
                },
            };
            page.cells.push((key.clone(), None));
            // Another process may undo the sending of the signal.
            let mut is_there = true;
            let plan = || {
                self.check_next(*last)?;
                is_there = self.runs.keeper.cell(&key).as_deref() == Some(&*text);
                let cells = if is_there {
                    page.cells.clone()
                } else {
                    Cells::new()
                };
                Ok((page.action.clone(), cells))
            };
            let kept = self.runs.keeper.keep(Box::new(plan)).await;
            kept.map_err(|why| self.fault(why))?;
            if !is_there {
                continue;
            }
            return Ok(match made {
                Ok(record) => {
                    self.turned(&mut last, page.header);
                    Signal::Taken(record)
                }
                Err(why) => Signal::Dropped(why),
            });
        }
    }

    /// Wait until nothing is being recorded: no record begins while this is held.
    pub async fn still(&self) -> MutexGuard<'_, u64> {
        self.last.lock().await
    }

    /// Run a block in the book, and store its effects together with the record made from it.
    pub async fn append_block(
        &self,
        block: Block<'_>,
        record: impl Fn(&Executed) -> Result<Record, WorkflowFault>,
    ) -> Result<(Executed, u64), WorkflowFault> {
        let mut last = self.last.lock().await;
        self.check_next(*last).map_err(|why| self.fault(why))?;
        let number = *last + 1;
        let mut header = None;
        let plan = |executed: &Executed| {
            self.check_next(number - 1).map_err(|why| self.fault(why))?;
            let page = self.page(&record(executed)?, number)?;
            header = page.header;
            Ok((page.action, page.cells))
        };
        let executed = self.runs.keeper.run(block, Box::new(plan)).await?;
        Ok((executed, self.turned(&mut last, header)))
    }

    /// Check that the next record would follow the record `last`: that record still exists, and nobody has
    /// written another one after it.
    fn check_next(&self, last: u64) -> Result<(), String> {
        let run = &self.run;
        let is_there = |number| self.runs.keeper.cell(&record_key(run, number)).is_some();
        if is_there(last + 1) {
            return Err(match last {
                0 => format!("Another process has started a run '{run}': resume it, or take another name."),
                _ => format!("Another process has resumed the run {run}, so it ends here; follow it there."),
            });
        }
        if last > 0 && !is_there(last) {
            return Err(format!(
                "The record {last} of this run was undone while it ran: resume the run."
            ));
        }
        Ok(())
    }

    fn page(&self, record: &Record, number: u64) -> Result<Page, WorkflowFault> {
        let header = self.changed(record);
        let mut cells = self.headed(record, number, header.as_ref()).map_err(storage)?;
        let written = written(record).map_err(storage)?;
        cells.push((record_key(&self.run, number), Some(written)));
        Ok(Page {
            action: action(&self.run, record),
            cells,
            header,
        })
    }

    /// The next record is stored. Returns its number.
    fn turned(&self, last: &mut u64, header: Option<Header>) -> u64 {
        *last += 1;
        if let Some(header) = header {
            *self.header.borrow_mut() = header;
        }
        *last
    }

    /// The new header, if this changes it.
    fn changed(&self, record: &Record) -> Option<Header> {
        let header = self.header.borrow().clone();
        let by_itself = header.by_itself || begins_to_wait_for_itself(record);
        let Some(status) = status_of(record) else {
            return (by_itself != header.by_itself).then_some(Header { by_itself, ..header });
        };
        let node = match &record.did {
            Did::Node { node, .. } | Did::Waits { node, .. } | Did::Asks { node, .. } => {
                Some(record.named(node))
            }
            Did::Failed { node, .. } | Did::Paused { node, .. } => Some(record.named(node)),
            _ => None,
        };
        let (due_ms, signals) = match &record.did {
            Did::Waits {
                awaits: Some(awaits), ..
            } => {
                let signal = awaits.signal.iter().map(|(name, _)| name.clone());
                (awaits.until_ms, signal.collect())
            }
            Did::Paused {
                until_ms, signals, ..
            } => (*until_ms, signals.clone()),
            _ => (None, Vec::new()),
        };
        Some(Header {
            status,
            node,
            due_ms,
            signals,
            by_itself,
            again_ms: self.again_ms(record.at_ms).or(header.again_ms),
            ..header
        })
    }

    fn headed(&self, record: &Record, number: u64, header: Option<&Header>) -> Result<Cells, String> {
        let mut cells = Cells::new();
        if let Some(header) = header {
            cells.push((header_key(&self.run), Some(written(header)?)));
            // A run may be resumed with another text than before.
            let begins = number == 1
                || matches!(
                    record.did,
                    Did::Resumed { .. } | Did::Answered { .. } | Did::Arrived { .. }
                );
            if begins {
                cells.extend(self.texts.iter().cloned());
            }
        }
        Ok(cells)
    }
}

/// What became of a signal that a run waits for.
pub enum Signal {
    NotSent,
    Taken(Record),
    /// It does not fit, for this reason.
    Dropped(String),
}

/// A record in the form in which the book stores it.
struct Page {
    /// A description for the history.
    action: String,
    cells: Cells,
    /// The new header, if it changes.
    header: Option<Header>,
}

fn storage(why: String) -> WorkflowFault {
    WorkflowFault::new(WorkflowFaultKind::Book, why)
}

impl Drop for Ledger {
    fn drop(&mut self) {
        self.runs.live.borrow_mut().remove(&self.run);
    }
}

/// Whether the run begins to wait for a time or a signal, or has waited for one.
fn begins_to_wait_for_itself(record: &Record) -> bool {
    match &record.did {
        Did::Waits { awaits, .. } => awaits.is_some(),
        Did::Paused {
            until_ms, signals, ..
        } => until_ms.is_some() || !signals.is_empty(),
        Did::Arrived { .. } => true,
        _ => false,
    }
}

/// The new status of a run after this, if it changes.
fn status_of(record: &Record) -> Option<Status> {
    match &record.did {
        Did::Base(thread) if thread.at.waits() => Some(Status::Waiting),
        Did::Base(_) | Did::Resumed { .. } | Did::Answered { .. } | Did::Arrived { .. } => {
            Some(Status::Running)
        }
        Did::Waits { .. } | Did::Asks { .. } | Did::Node { waits: true, .. } => {
            record.alone().then_some(Status::Waiting)
        }
        Did::Paused { .. } => Some(Status::Waiting),
        Did::Failed { .. } => Some(Status::Failed),
        Did::Ended => Some(Status::Ended),
        Did::Cancelled => Some(Status::Cancelled),
        _ => None,
    }
}

fn action(run: &str, record: &Record) -> String {
    let what = match &record.did {
        Did::Base(_) if record.graph().is_some() => "the workflow of a node begins".to_owned(),
        Did::Base(_) => "begins".to_owned(),
        Did::Step { path, .. } => format!("step {}", key::shown(path)),
        Did::Tried { path, .. } => format!("{} failed", key::shown(path)),
        Did::Node { node, .. } => format!("node {}", record.named(node)),
        Did::Forked { .. } => "branches begin".to_owned(),
        Did::Joined { .. } => "branches end".to_owned(),
        Did::Waits { node, .. } => format!("waits at {}", record.named(node)),
        Did::Asks { path, .. } => format!("{} asks", key::shown(path)),
        Did::Answered { path, .. } => format!("{} {ANSWERED}", key::shown(path)),
        Did::Paused { .. } => "waits".to_owned(),
        Did::Arrived { .. } => CONTINUES.to_owned(),
        Did::Resumed { .. } => RESUMED.to_owned(),
        Did::Failed { node, .. } => format!("failed at {node}"),
        Did::Ended => "ends".to_owned(),
        Did::Cancelled => "is cancelled".to_owned(),
    };
    format!("run {run}: {what}")
}
