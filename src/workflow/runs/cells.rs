//! The keys of the cells, and what is written in them.

pub(super) use hornbook_book::workflow_room::{HEADERS, files_prefix, header_key, text_key};
use serde::Serialize;

use crate::state::key;

pub(super) fn records_prefix(run: &str) -> String {
    format!("record/{run}/")
}

/// The prefix for the signals of one name that were sent to a run.
pub(super) fn signals_prefix(run: &str, name: &str) -> String {
    format!("signal/{run}/{}/", key::part(name))
}

pub(super) fn record_key(run: &str, number: u64) -> String {
    format!("record/{run}/{number:09}")
}

pub(super) fn written(value: &impl Serialize) -> Result<String, String> {
    serde_json::to_string(value).map_err(|error| format!("A record cannot be written: {error}."))
}

pub(super) fn unreadable(run: &str) -> String {
    format!("The records of the run {run} cannot be read: a newer Hornbook may have written them.")
}
