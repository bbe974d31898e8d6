//! Runs that are given up, and those that are over.

use super::Runs;
use super::cells::{header_key, record_key, written};
use super::header::Header;
use super::listed::Status;
use crate::state::{Did, Record};

impl Runs {
    /// Give a run up: it goes on neither by itself nor when it is resumed. One in progress ends at its next record.
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
                ..header
            };
            let cells = vec![
                (header_key(run), Some(written(&header)?)),
                (record_key(run, last + 1), Some(written(&record)?)),
            ];
            Ok((format!("run {run} is cancelled"), cells))
        };
        self.keeper.keep(Box::new(plan)).await
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
