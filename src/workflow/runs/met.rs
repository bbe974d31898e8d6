//! What a node of a stored run saw.

use super::Runs;
use crate::json::Object;
use crate::state::Did;

impl Runs {
    /// The state that a node saw, as its code saw it; `number` is the checkpoint at the node's end.
    pub fn met(&self, run: &str, number: u64) -> Result<Object, String> {
        let records = self.records(run)?;
        let record = records.iter().find(|(at, _)| *at == number);
        let Some((_, record)) = record.filter(|(_, record)| matches!(record.did, Did::Node { .. })) else {
            return Err(format!(
                "Checkpoint {number} of the run {run} is not the end of a node."
            ));
        };
        let mut kept = self.load(run, Some(number.saturating_sub(1)))?;
        let thread = kept.thread.branch(&record.branch);
        Ok(thread.ok_or_else(|| super::cells::unreadable(run))?.seen())
    }
}
