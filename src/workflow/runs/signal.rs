//! Signals: what is sent to a run is kept until the run waits for it.

use super::Runs;
use super::cells::{signals_prefix, written};
use super::keeper::Cells;
use super::listed::Status;
use crate::json::{Json, Object};
use crate::load::uses;
use crate::signals::check_name;

impl Runs {
    /// Send a signal to a run: the node that waits for this name gets `data`, once.
    pub async fn signal(&self, run: &str, name: &str, data: &Json) -> Result<(), String> {
        self.check_takes_signals(run)?;
        check_name(name, &self.signals(run)?)?;
        self.send(run, &[(name.to_owned(), data.clone())].into()).await
    }

    /// Send signals whose names were checked, all of them or none.
    pub async fn send(&self, run: &str, signals: &Object) -> Result<(), String> {
        let names: Vec<&str> = signals.keys().map(String::as_str).collect();
        let plan = || {
            self.check_takes_signals(run)?;
            let cells = signals.iter().map(|(name, data)| {
                let prefix = signals_prefix(run, name);
                let sent = self.keeper.cells(&prefix);
                let last = sent.last();
                let last = last.and_then(|(key, _)| key.strip_prefix(&prefix)?.parse::<u64>().ok());
                let key = format!("{prefix}{:09}", last.unwrap_or(0) + 1);
                Ok((key, Some(written(data)?)))
            });
            let cells: Cells = cells.collect::<Result<_, String>>()?;
            Ok((format!("signal {} for run {run}", names.join(", ")), cells))
        };
        self.keeper.keep(Box::new(plan)).await
    }

    /// Check that a run is not over.
    pub fn check_takes_signals(&self, run: &str) -> Result<(), String> {
        let over = match self.header(run)?.status {
            Status::Ended => "has ended",
            Status::Cancelled => "was cancelled",
            Status::Running | Status::Waiting | Status::Failed => return Ok(()),
        };
        Err(format!("The run {run} {over}, and takes no signals."))
    }

    /// The names of the signals that nodes of a run's text and its files wait for.
    fn signals(&self, run: &str) -> Result<Vec<String>, String> {
        let texts = [self.text(run)?]
            .into_iter()
            .chain(self.files(run)?.into_values());
        // A program in DML is no YAML, and has none.
        let mut names: Vec<String> = texts
            .filter_map(|text| uses(&text).ok())
            .flat_map(|uses| uses.signals)
            .collect();
        names.sort();
        names.dedup();
        Ok(names)
    }
}
