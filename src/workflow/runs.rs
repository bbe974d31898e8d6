//! Stored runs: each record is a cell of a book, so a run can continue where its process ended.

mod agree;
mod cells;
mod follower;
mod header;
mod keeper;
mod kept;
mod ledger;
mod listed;
mod met;
mod over;
mod signal;
mod unfinished;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use futures::channel::oneshot;
use hornbook_base::Who;

use super::fault::{WorkflowFault, WorkflowFaultKind};
use super::prolog::{Block, End, Executed};
use crate::state::{Did, Record, Thread};
use cells::{HEADERS, files_prefix, header_key, record_key, records_prefix, text_key, unreadable, written};
pub use follower::{Come, Tick};
use header::{Header, Shaper};
pub use keeper::{BlockPlan, Cells, Keeper, Plan};
pub use kept::Kept;
pub use ledger::{Ledger, Signal};
pub use listed::{Checkpoint, Filter, Listed, Origin, Status};
pub use unfinished::{Due, Whose};

pub use hornbook_book::workflow_room::ROOM;

/// The runs of a book. Cheap to clone: clones refer to the same runs.
#[derive(Clone)]
pub struct Runs {
    keeper: Rc<dyn Keeper>,
    /// Runs that are in progress, each with how it is told that it is given up.
    live: Rc<RefCell<BTreeMap<String, Option<Cancelling>>>>,
    /// Runs that cannot be read, as somebody was told here: they go on by themselves only once they can be.
    broken: Rc<RefCell<BTreeSet<String>>>,
}

type Cancelling = oneshot::Sender<WorkflowFault>;

impl Runs {
    pub fn new(keeper: Rc<dyn Keeper>) -> Runs {
        Runs {
            keeper,
            live: Rc::default(),
            broken: Rc::default(),
        }
    }

    /// The same runs, with changes made by this keeper: it acts for one client.
    pub fn kept_by(&self, keeper: Rc<dyn Keeper>) -> Runs {
        Runs {
            keeper,
            ..self.clone()
        }
    }

    /// The clients that have begun or resumed a run: it does only what all of them may do. None if it is all the
    /// host's own.
    pub fn shaped_by(&self, run: &str) -> Result<Vec<Who>, String> {
        Ok(self.header(run)?.by.iter().map(Shaper::who).collect())
    }

    /// The same runs, changed only as these clients may.
    pub fn bound_by(&self, others: &[Who]) -> Runs {
        match self.keeper.bound_by(others) {
            Some(keeper) => self.kept_by(keeper),
            None => self.clone(),
        }
    }

    /// All runs, latest first.
    pub fn list(&self) -> Vec<Listed> {
        let live = self.live.borrow();
        let mut runs: Vec<Listed> = self
            .keeper
            .cells(HEADERS)
            .into_iter()
            .filter_map(|(key, value)| {
                let run = key.strip_prefix(HEADERS)?.to_owned();
                let header: Header = serde_json::from_str(&value).ok()?;
                Some(Listed {
                    interrupted: header.status == Status::Running && !live.contains_key(&run),
                    run,
                    workflow: header.workflow,
                    status: header.status,
                    node: header.node,
                    begun_ms: header.begun_ms,
                    due_ms: header.due_ms,
                    signals: header.signals,
                    from: header.from.map(|(run, checkpoint)| Origin { run, checkpoint }),
                })
            })
            .collect();
        runs.sort_by(|a, b| (b.begun_ms, &b.run).cmp(&(a.begun_ms, &a.run)));
        runs
    }

    /// The records of a run that one can go back to.
    pub fn checkpoints(&self, run: &str) -> Result<Vec<Checkpoint>, String> {
        self.header(run)?;
        let records = self.records(run)?;
        Ok(records.into_iter().map(Checkpoint::of).collect())
    }

    /// The text that a run was started with, or last resumed with.
    pub fn text(&self, run: &str) -> Result<String, String> {
        self.told(run, self.stored_text(run))
    }

    fn stored_text(&self, run: &str) -> Result<String, String> {
        let hash = self.header(run)?.text;
        let text = self.keeper.cell(&text_key(&hash));
        text.ok_or_else(|| format!("The text of the run {run} is no longer in this book."))
    }

    /// The files that a run's text names, by name.
    pub fn files(&self, run: &str) -> Result<BTreeMap<String, String>, String> {
        let prefix = files_prefix(&self.header(run)?.text);
        let files = self.keeper.cells(&prefix).into_iter();
        let named = files.filter_map(|(key, text)| Some((key.strip_prefix(&prefix)?.to_owned(), text)));
        Ok(named.collect())
    }

    /// A run at its last record, or at an earlier one.
    pub fn load(&self, run: &str, number: Option<u64>) -> Result<Kept, String> {
        let read = self.read(run, number);
        match number {
            Some(_) => read,
            None => self.told(run, read),
        }
    }

    /// Note a run that somebody is now told cannot be read.
    fn told<T>(&self, run: &str, read: Result<T, String>) -> Result<T, String> {
        if read.is_err() {
            self.broken.borrow_mut().insert(run.to_owned());
        }
        read
    }

    /// Whether a run cannot be read, and somebody was told so.
    fn is_broken(&self, run: &str) -> bool {
        let mut broken = self.broken.borrow_mut();
        if !broken.contains(run) {
            return false;
        }
        let is_whole = self.stored_text(run).is_ok() && self.read(run, None).is_ok();
        if is_whole {
            broken.remove(run);
        }
        !is_whole
    }

    fn read(&self, run: &str, number: Option<u64>) -> Result<Kept, String> {
        let header = self.header(run)?;
        let records = self.records(run)?;
        let (Some(&(first, _)), Some(&(last, _))) = (records.first(), records.last()) else {
            return Err(format!("The run {run} has no records in this book."));
        };
        if let Some(number) = number.filter(|number| !(first..=last).contains(number)) {
            return Err(format!(
                "The run {run} has no checkpoint {number}: there are {first} to {last}."
            ));
        }
        let mut kept = Kept {
            thread: Thread::start(Default::default()),
            number: first,
            through: Vec::new(),
            header,
        };
        for (number, record) in records
            .into_iter()
            .take_while(|(at, _)| number.is_none_or(|to| *at <= to))
        {
            kept.take(run, number, record)?;
        }
        Ok(kept)
    }

    /// Create a run that begins at a checkpoint of another, whose records stay as they are.
    pub async fn fork(&self, run: &str, number: u64, id: String, now_ms: u64) -> Result<(), String> {
        let forked = self.forked(run, number, now_ms)?;
        self.keep_fork(&forked, id, now_ms).await
    }

    /// A run that would begin at a checkpoint of another; nothing is kept of it yet.
    pub fn forked(&self, run: &str, number: u64, now_ms: u64) -> Result<Kept, String> {
        let kept = self.load(run, Some(number))?;
        let header = Header {
            status: Status::Running,
            node: None,
            begun_ms: now_ms,
            from: Some((run.to_owned(), number)),
            due_ms: None,
            signals: Vec::new(),
            by_itself: false,
            follows: None,
            by: Shaper::with(kept.header.by.clone(), &*self.keeper),
            ..kept.header
        };
        let mut forked = Kept {
            thread: Thread::start(Default::default()),
            number: 0,
            through: Vec::new(),
            header,
        };
        forked.take(run, 1, base(kept.thread, now_ms))?;
        Ok(forked)
    }

    /// Create this run.
    pub async fn keep_fork(&self, forked: &Kept, id: String, now_ms: u64) -> Result<(), String> {
        let Some((run, number)) = &forked.header.from else {
            return Err(unreadable(&id));
        };
        let record = base(forked.thread.clone(), now_ms);
        let (header, record) = (written(&forked.header)?, written(&record)?);
        let plan = || {
            self.check_new(&id)?;
            let cells = vec![
                (header_key(&id), Some(header.clone())),
                (record_key(&id, 1), Some(record.clone())),
            ];
            Ok((format!("fork of run {run} at checkpoint {number}"), cells))
        };
        self.keeper.keep(Box::new(plan)).await
    }

    /// Drop the records before the last `keep`: the run can be resumed as before, but only gone back to those
    /// kept. Returns how many were dropped.
    pub async fn prune(&self, run: &str, keep: u64) -> Result<u64, String> {
        self.check_idle(run)?;
        let mut gone = 0;
        let plan = || {
            let (action, cells) = self.pruned(run, keep)?;
            gone = cells.iter().filter(|(_, value)| value.is_none()).count() as u64;
            Ok((action, cells))
        };
        self.keeper.keep(Box::new(plan)).await?;
        Ok(gone)
    }

    fn pruned(&self, run: &str, keep: u64) -> Result<(String, Cells), String> {
        let records = self.records(run)?;
        let gone = (records.len() as u64).saturating_sub(keep.max(1)) as usize;
        if gone == 0 {
            return Ok(Default::default());
        }
        let (first, at_ms) = (records[gone].0, records[gone].1.at_ms);
        let kept = self.load(run, Some(first))?;
        let base = base(kept.thread, at_ms);
        let mut cells: Cells = records[..gone]
            .iter()
            .map(|(number, _)| (record_key(run, *number), None))
            .collect();
        cells.push((record_key(run, first), Some(written(&base)?)));
        Ok((format!("prune of run {run} up to checkpoint {first}"), cells))
    }

    /// Drop a run with all its records, and its text if no other run has it.
    pub async fn forget(&self, run: &str) -> Result<(), String> {
        self.check_idle(run)?;
        let plan = || self.forgotten(run);
        self.keeper.keep(Box::new(plan)).await
    }

    fn forgotten(&self, run: &str) -> Result<(String, Cells), String> {
        let header = self.header(run)?;
        let records = self.keeper.cells(&records_prefix(run));
        let mut cells: Cells = records.into_iter().map(|(key, _)| (key, None)).collect();
        cells.push((header_key(run), None));
        let signals = self.keeper.cells(&format!("signal/{run}/")).into_iter();
        cells.extend(signals.map(|(key, _)| (key, None)));
        let others = self.keeper.cells(HEADERS);
        let shared = others
            .iter()
            .filter(|(key, _)| *key != header_key(run))
            .any(|(_, value)| {
                serde_json::from_str::<Header>(value).is_ok_and(|other| other.text == header.text)
            });
        if !shared {
            cells.push((text_key(&header.text), None));
            let files = self.keeper.cells(&files_prefix(&header.text));
            cells.extend(files.into_iter().map(|(key, _)| (key, None)));
        }
        Ok((format!("end of the records of run {run}"), cells))
    }

    fn check_new(&self, run: &str) -> Result<(), String> {
        match self.keeper.cell(&header_key(run)) {
            Some(_) => Err(format!(
                "There is a run '{run}' already: resume it, or take another name."
            )),
            None => Ok(()),
        }
    }

    /// Run a block in this book for a run stored in another book. The result is stored here under `key`, in
    /// the same revision as the block's effects, so that the block is never run twice for this key. `check`
    /// may reject the result.
    pub async fn run_for_other(
        &self,
        key: Option<&str>,
        action: &str,
        block: Block<'_>,
        check: &dyn Fn(&Executed) -> Result<(), WorkflowFault>,
    ) -> Result<Executed, WorkflowFault> {
        let key = key.map(|key| format!("effect/{key}"));
        let storage = |why| WorkflowFault::new(WorkflowFaultKind::Book, why);
        if let Some(done) = key.as_deref().and_then(|key| self.keeper.cell(key)) {
            return serde_json::from_str(&done).map_err(|_| storage(unreadable(action)));
        }
        let plan = |executed: &Executed| {
            check(executed)?;
            let cells = match &key {
                // What asks runs again.
                Some(key) if !matches!(executed.end, End::Asks(_)) => {
                    vec![(key.clone(), Some(written(executed).map_err(storage)?))]
                }
                _ => Cells::new(),
            };
            Ok((action.to_owned(), cells))
        };
        self.keeper.run(block, Box::new(plan)).await
    }

    /// Whether a run is in progress in this process.
    pub fn is_live(&self, run: &str) -> bool {
        self.live.borrow().contains_key(run)
    }

    fn check_idle(&self, run: &str) -> Result<(), String> {
        match self.is_live(run) {
            true => Err(format!(
                "The run {run} is still running: wait until it ends, or stop it."
            )),
            false => Ok(()),
        }
    }

    fn header(&self, run: &str) -> Result<Header, String> {
        let Some(text) = self.keeper.cell(&header_key(run)) else {
            let runs: Vec<String> = self.list().into_iter().take(5).map(|listed| listed.run).collect();
            let hint = match runs.is_empty() {
                true => "This book keeps no runs.".to_owned(),
                false => format!("The latest are: {}.", runs.join(", ")),
            };
            return Err(format!("There is no run '{run}'. {hint}"));
        };
        serde_json::from_str(&text).map_err(|_| unreadable(run))
    }

    fn records(&self, run: &str) -> Result<Vec<(u64, Record)>, String> {
        let prefix = records_prefix(run);
        let read = |(key, value): (String, String)| {
            let number = key.strip_prefix(&prefix)?.parse::<u64>().ok()?;
            Some((number, serde_json::from_str::<Record>(&value).ok()?))
        };
        let cells = self.keeper.cells(&prefix);
        let records: Option<Vec<_>> = cells.into_iter().map(read).collect();
        let records = records.ok_or_else(|| unreadable(run))?;
        let gap = records.windows(2).find(|pair| pair[0].0 + 1 != pair[1].0);
        match gap {
            Some(pair) => Err(format!(
                "Checkpoint {} of the run {run} is missing. Go on from one before it: from {}.",
                pair[0].0 + 1,
                pair[0].0
            )),
            None => Ok(records),
        }
    }
}

/// The record with which a run begins here.
fn base(thread: Thread, at_ms: u64) -> Record {
    Record {
        at_ms,
        branch: Vec::new(),
        did: Did::Base(Box::new(thread)),
    }
}
