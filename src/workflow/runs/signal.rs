//! Signals: what is sent to a run is kept until the run waits for it.

use super::Runs;
use super::cells::{signals_prefix, written};
use super::listed::Status;
use crate::json::Json;

impl Runs {
    /// Send a signal to a run: the node that waits for this name gets `data`, once.
    pub async fn signal(&self, run: &str, name: &str, data: &Json) -> Result<(), String> {
        if name.is_empty() {
            return Err("A signal needs a name.".into());
        }
        let data = written(data)?;
        let plan = || {
            let over = match self.header(run)?.status {
                Status::Ended => "has ended",
                Status::Cancelled => "was cancelled",
                Status::Running | Status::Waiting | Status::Failed => {
                    let prefix = signals_prefix(run, name);
                    let sent = self.keeper.cells(&prefix);
                    let last = sent
                        .last()
                        .and_then(|(key, _)| key.strip_prefix(&prefix)?.parse::<u64>().ok());
                    let key = format!("{prefix}{:09}", last.unwrap_or(0) + 1);
                    let action = format!("signal {name} for run {run}");
                    return Ok((action, vec![(key, Some(data.clone()))]));
                }
            };
            Err(format!("The run {run} {over}, and takes no signals."))
        };
        self.keeper.keep(Box::new(plan)).await
    }
}
