//! Runs that go on by themselves: those that answers of a goal or times have begun, and those that wait for a time or a
//! signal.

use serde::Serialize;

use super::Runs;
use super::cells::{HEADERS, header_key, signals_prefix};
use super::header::Header;
use super::listed::Status;
use crate::follow::begun_by_itself;
use crate::model::Workflow;

/// The runs that can go on by themselves.
#[derive(Serialize)]
pub struct Due {
    pub runs: Vec<String>,
    /// When the next one can, in milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub next_ms: Option<u64>,
}

/// Whose runs are asked for.
pub enum Whose<'a> {
    /// Those of this workflow, whoever began them.
    Workflow(&'a Workflow),
    /// Those that a server with no other toolsets than these began or resumed last: with the means of a program they would
    /// do something else.
    Server(&'a [String]),
}

impl Whose<'_> {
    fn has(&self, header: &Header) -> bool {
        match self {
            Whose::Workflow(workflow) => of(header, workflow),
            Whose::Server(known) => {
                let tools = header.tools.as_ref();
                tools.is_some_and(|tools| tools.iter().all(|set| known.contains(set)))
            }
        }
    }
}

/// How long a run writes no record before it counts as cut off. Another process may be running it.
const SILENT_MS: u64 = 10 * 60_000;

impl Runs {
    /// The runs that this workflow has begun by itself, or that have waited for what comes by itself, and that failed or
    /// were cut off; earliest first.
    pub fn unfinished(&self, workflow: &Workflow) -> Vec<String> {
        let listed = self.list().into_iter().rev();
        let stopped = listed.filter(|listed| listed.interrupted || listed.status == Status::Failed);
        let own = stopped.filter(|listed| {
            self.header(&listed.run).is_ok_and(|header| {
                let begun = begun_by_itself(&listed.run) && follows(&header, workflow);
                begun || header.by_itself && of(&header, workflow)
            })
        });
        own.map(|listed| listed.run).collect()
    }

    /// The runs that waited for a time that has come, or for a signal that was sent, and those
    /// that were cut off after such a wait. One that cannot be read, since an undo has taken a part of it, rests once
    /// whoever resumed it was told that.
    pub fn due(&self, whose: Whose, now_ms: u64) -> Due {
        let mut due = Due {
            runs: Vec::new(),
            next_ms: None,
        };
        let live = self.live.borrow();
        for (key, value) in self.keeper.cells(HEADERS) {
            let header = serde_json::from_str::<Header>(&value);
            let (Some(run), Ok(header)) = (key.strip_prefix(HEADERS), header) else {
                continue;
            };
            if live.contains_key(run) || !whose.has(&header) {
                continue;
            }
            let goes_on = |due_ms: &u64| *due_ms > now_ms || !self.is_broken(run);
            match self.due_ms(run, &header).filter(goes_on) {
                Some(due_ms) if due_ms <= now_ms => due.runs.push(run.to_owned()),
                Some(due_ms) => due.next_ms = Some(due.next_ms.map_or(due_ms, |next| next.min(due_ms))),
                None => {}
            }
        }
        due
    }

    /// When a run that nobody runs here goes on by itself. One that an undo has taken back waits for somebody to resume it:
    /// otherwise it would do again what was undone.
    fn due_ms(&self, run: &str, header: &Header) -> Option<u64> {
        let is_undone = || self.keeper.is_undone(&header_key(run));
        match header.status {
            Status::Waiting => {
                let signals = header.signals.iter();
                let mut sent = signals.flat_map(|name| self.keeper.cells(&signals_prefix(run, name)));
                if sent.any(|(key, _)| !self.keeper.is_undone(&key)) {
                    return Some(0);
                }
                header.due_ms.filter(|_| !is_undone())
            }
            Status::Running if header.by_itself && !is_undone() => {
                let (_, last) = self.records(run).ok()?.pop()?;
                Some(last.at_ms.saturating_add(SILENT_MS))
            }
            _ => None,
        }
    }
}

/// Whether a run is one of this workflow.
fn of(header: &Header, workflow: &Workflow) -> bool {
    match &workflow.name {
        Some(_) => header.workflow == workflow.name,
        None => header.text == workflow.text_hash,
    }
}

/// Whether what begins runs of this workflow began a run.
fn follows(header: &Header, workflow: &Workflow) -> bool {
    let Some(begun_by) = workflow.begun_by() else {
        return false;
    };
    header.workflow == workflow.name
        && match &header.follows {
            Some(known) => known == begun_by,
            // Begun before the goal was kept.
            None => header.text == workflow.text_hash,
        }
}
