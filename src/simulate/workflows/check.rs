//! What must hold of the records of runs, and of what clients are told of them.

use std::collections::BTreeSet;

use hornbook_book::{Book, CellChange, Entry, EntryId, Operation, Revision};
use hornbook_workflow::runs::ROOM;
use serde_json::Value;

use super::Known;
use crate::acts::{Ending, Told};

/// The record that a cell holds: its run, its number and what was done.
fn record_of<'c>(key: &'c str, value: &str) -> Option<(&'c str, u64, Value)> {
    let (run, number) = key.strip_prefix("record/")?.split_once('/')?;
    let mut record: Value = serde_json::from_str(value).ok()?;
    Some((run, number.parse().ok()?, record["did"].take()))
}

/// The node of a record that says that it is done.
fn node_of(did: &Value) -> Option<&str> {
    did["node"]["node"].as_str()
}

/// Whether a revision changes nothing but records of runs.
pub fn is_of_run(revision: &Revision) -> bool {
    let mut cells = revision.cells.iter();
    revision.added.is_empty() && revision.removed.is_empty() && cells.all(|cell| &*cell.room == ROOM)
}

/// The clauses of nodes: run and node.
fn left_by(entries: &[(EntryId, Entry)]) -> Vec<String> {
    let codes = entries
        .iter()
        .map(|(_, entry)| entry.code().trim_end_matches('.'));
    let mut found: Vec<String> = codes
        .filter_map(|code| code.strip_prefix("w(")?.strip_suffix(')'))
        .map(str::to_owned)
        .collect();
    found.sort_unstable();
    found
}

/// The nodes that leave clauses and are done by these values.
fn done_in<'c>(values: impl Iterator<Item = (&'c str, Option<&'c str>)>) -> Vec<String> {
    let mut found: Vec<String> = values
        .filter_map(|(key, value)| record_of(key, value?))
        .filter_map(|(run, _, did)| {
            let node = node_of(&did).filter(|node| node.len() == 1)?;
            Some(format!("{run},{node}"))
        })
        .collect();
    found.sort_unstable();
    found
}

impl Known {
    /// Whether a revision writes one record after the last, with the effect of its node and nothing else; and whether an
    /// undo takes back both.
    pub fn keeps_runs(&self, before: &Book, revision: &Revision, was_reset: bool) -> Result<(), String> {
        let cells: Vec<&CellChange> = revision.cells.iter().filter(|cell| &*cell.room == ROOM).collect();
        let values = |is_new: bool| {
            let cells = cells.iter();
            cells.map(move |cell| {
                let (value, other) = match is_new {
                    true => (&cell.after, &cell.before),
                    false => (&cell.before, &cell.after),
                };
                (&*cell.key, value.as_deref().filter(|_| other.is_none()))
            })
        };
        let (come, gone) = (done_in(values(true)), done_in(values(false)));
        let is_undo = matches!(revision.operation, Operation::Undo(_) | Operation::Redo(_));
        let is_own = matches!(&revision.operation, Operation::Cells { room, .. } if room == ROOM);
        if !is_undo && !is_own {
            return match cells.is_empty() {
                true => Ok(()),
                false => Err("it changes a run".to_owned()),
            };
        }
        let (added, removed) = (left_by(&revision.added), left_by(&revision.removed));
        if is_undo {
            // Clauses of a run that somebody has removed with all others are not there to be taken back.
            return match was_reset || (come == added && gone == removed) {
                true => Ok(()),
                false => Err(format!(
                    "of runs it brings {come:?} and takes {gone:?}, and their clauses {added:?} and {removed:?}"
                )),
            };
        }
        if come != added || !gone.is_empty() || !removed.is_empty() {
            return Err(format!("the nodes {come:?} are done, and leave {added:?}"));
        }
        let records: Vec<_> = cells
            .iter()
            .filter_map(|cell| Some((cell, record_of(&cell.key, cell.after.as_deref()?)?)))
            .collect();
        if records.len() > 1 {
            return Err("it writes several records".to_owned());
        }
        for (cell, (run, number, did)) in records {
            let previous = format!("record/{run}/{:09}", number - 1);
            let follows = number == 1 || before.cell(ROOM, &previous).is_some();
            if cell.before.is_some() || !follows {
                return Err(format!("record {number} of {run} is not the next one"));
            }
            if let Some(node) = node_of(&did)
                && node.starts_with("tell")
                && !self.acted.borrow().contains(&format!("{run}/{node}"))
            {
                return Err(format!("{run} is past {node}, which did not act"));
            }
        }
        Ok(())
    }
}

/// Whether what a client was told of runs is in the revisions it made.
pub fn were_told(told: &[Told], revisions: &[(u64, &Revision)]) -> Result<(), String> {
    let cells = revisions.iter().flat_map(|(_, revision)| &revision.cells);
    let records: Vec<_> = cells
        .filter_map(|cell| record_of(&cell.key, cell.after.as_deref()?))
        .collect();
    for one in told {
        let own: Vec<_> = records.iter().filter(|(run, _, _)| *run == one.run).collect();
        let kept: BTreeSet<u64> = own
            .iter()
            .filter(|(_, _, did)| node_of(did).is_some())
            .map(|(_, number, _)| *number)
            .collect();
        let nodes: BTreeSet<u64> = one.nodes.iter().copied().collect();
        if !nodes.is_subset(&kept) {
            return Err(format!(
                "{} was told to be past {nodes:?}, and is past {kept:?}",
                one.run
            ));
        }
        let last = own.last().map(|(_, _, did)| did);
        let is_so = match &one.end {
            // One that was over already is told as it ended.
            Ending::Final => last.is_none_or(|did| did == "ended") && nodes == kept,
            Ending::Waits => nodes == kept,
            Ending::Failed(_) | Ending::Left => true,
        };
        if !is_so {
            return Err(format!("the last record of {} is {last:?}", one.run));
        }
    }
    Ok(())
}
