//! Runs that are given up, and those that are over.

use super::Runs;
use super::cells::{header_key, record_key, written};
use super::header::Header;
use super::listed::Status;
use crate::fault::{WorkflowFault, WorkflowFaultKind};
use crate::state::{Did, Record};

impl Runs {
    /// Give a run up: it goes on neither by itself nor when it is resumed. One that is in progress in this process ends at
    /// once, and what it is doing is dropped; elsewhere it ends at its next record.
    pub async fn cancel(&self, run: &str, now_ms: u64) -> Result<(), String> {
        let plan = || {
            let header = self.header(run)?;
            match header.status {
                Status::Ended => return Err(format!("The run {run} has ended.")),
                Status::Cancelled => return Ok(Default::default()),
                Status::Running | Status::Waiting | Status::Failed => {}
            }
            let last = self.records(run)?.last().map_or(0, |(number, _)| *number);
            let record = Record {
                at_ms: now_ms,
                branch: Vec::new(),
                did: Did::Cancelled,
            };
            let header = Header {
                status: Status::Cancelled,
                due_ms: None,
                signals: Vec::new(),
                cancelled_by: self.keeper.client(),
                ..header
            };
            let cells = vec![
                (header_key(run), Some(written(&header)?)),
                (record_key(run, last + 1), Some(written(&record)?)),
            ];
            Ok((format!("run {run} is cancelled"), cells))
        };
        self.keeper.keep(Box::new(plan)).await?;
        let cancelling = self.live.borrow_mut().get_mut(run).and_then(Option::take);
        if let (Some(cancelling), Some(fault)) = (cancelling, self.cancelled(run)) {
            // It may just have ended.
            let _ = cancelling.send(fault);
        }
        Ok(())
    }

    /// With what a run in progress ends if it was cancelled.
    pub(super) fn cancelled(&self, run: &str) -> Option<WorkflowFault> {
        let header = self.header(run).ok()?;
        let by = header
            .cancelled_by
            .map_or(String::new(), |by| format!(" by {by}"));
        let message = format!("The run {run} was cancelled{by}, so it ends here.");
        (header.status == Status::Cancelled)
            .then(|| WorkflowFault::new(WorkflowFaultKind::Cancelled, message))
    }

    /// Drop the runs that have ended or were cancelled, and that began before this time. Returns how many.
    pub async fn forget_before(&self, before_ms: u64) -> Result<u64, String> {
        let mut gone = 0;
        for listed in self.list() {
            let over = matches!(listed.status, Status::Ended | Status::Cancelled);
            if over && listed.begun_ms < before_ms {
                self.forget(&listed.run).await?;
                gone += 1;
            }
        }
        Ok(gone)
    }
}
