//! Stored runs: each record is a cell of a book, so a run can continue where its process ended.

mod agree;
mod follower;
mod ledger;
mod met;
mod over;
mod signal;
mod unfinished;

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use futures::future::LocalBoxFuture;
use hornbook_base::Who;
use serde::{Deserialize, Serialize};

use super::fault::{WorkflowFault, WorkflowFaultKind};
use super::json::Object;
use super::model::Workflow;
use super::prolog::{Block, End, Executed};
use super::run::{Did, Interrupt, Part, Record, Thread, key};
pub use follower::{Come, Tick};
pub use ledger::{Ledger, Signal};
pub use unfinished::Due;

/// The room of the cells.
pub const ROOM: &str = "workflow";

/// Keys with their new values; `None` removes a key.
pub type Cells = Vec<(String, Option<String>)>;

/// Where the cells are stored.
pub trait Keeper {
    /// Those whom the rules of the book bind in what this keeper does.
    fn bound(&self) -> Vec<Who> {
        Vec::new()
    }

    /// The same keeper, which does only what these clients may do, too; `None` where no rules bind anybody.
    fn bound_by(&self, _: &[Who]) -> Option<Rc<dyn Keeper>> {
        None
    }

    fn cell(&self, key: &str) -> Option<String>;

    /// The cells whose keys begin with `prefix`, in order.
    fn cells(&self, prefix: &str) -> Vec<(String, String)>;

    /// Store all cells of the plan atomically and durably. `plan` is called when nobody else can change the
    /// cells, and again if another process was faster. If the plan or the book fails, the error is a sentence
    /// and nothing is stored.
    fn keep<'a>(&'a self, plan: Plan<'a>) -> LocalBoxFuture<'a, Result<(), String>>;

    /// Run a block in the book: its effects on the clauses, and the cells that `plan` makes of it, are stored
    /// atomically. If another process has changed what the block used, everything is done again.
    fn run<'a>(
        &'a self,
        block: Block<'a>,
        plan: BlockPlan<'a>,
    ) -> LocalBoxFuture<'a, Result<Executed, WorkflowFault>>;
}

/// A description of the operation for the history, and the cells.
pub type Plan<'a> = Box<dyn FnMut() -> Result<(String, Cells), String> + 'a>;

/// The same, made from what a block did.
pub type BlockPlan<'a> = Box<dyn FnMut(&Executed) -> Result<(String, Cells), WorkflowFault> + 'a>;

/// The runs of a book. Cheap to clone: clones refer to the same runs.
#[derive(Clone)]
pub struct Runs {
    keeper: Rc<dyn Keeper>,
    /// Runs that are in progress.
    live: Rc<RefCell<BTreeSet<String>>>,
}

/// What is known about a run besides its records.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Header {
    workflow: Option<String>,
    status: Status,
    /// Where it waits or failed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    node: Option<String>,
    begun_ms: u64,
    /// The run and the checkpoint it was forked from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    from: Option<(String, u64)>,
    /// If it waits: when the first time comes that it waits for, and the signals.
    #[serde(
        default,
        deserialize_with = "super::time::stored",
        skip_serializing_if = "Option::is_none"
    )]
    due_ms: Option<u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    signals: Vec<String>,
    /// It has waited for what comes by itself: if it is cut off or fails, whoever follows its workflow resumes it.
    #[serde(default, alias = "woken", skip_serializing_if = "std::ops::Not::not")]
    by_itself: bool,
    /// The goal whose answer, or the expression whose time, began it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    follows: Option<String>,
    /// The hash of its text.
    text: String,
    /// The clients that have begun or resumed it.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    by: Vec<Shaper>,
    /// Hashes of what all nodes share, and of each node.
    shared: String,
    nodes: BTreeMap<String, String>,
}

/// A client that has shaped a run: the run does only what the client may do, whoever resumes it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
struct Shaper {
    name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    scope: Option<String>,
}

impl Shaper {
    fn who(&self) -> Who {
        Who {
            name: self.name.as_str().into(),
            scope: self.scope.as_deref().map(Into::into),
            ..Who::default()
        }
    }

    /// These, and those whom a keeper is bound by.
    fn with(mut these: Vec<Shaper>, keeper: &dyn Keeper) -> Vec<Shaper> {
        for who in keeper.bound() {
            let shaper = Shaper {
                name: who.name.to_string(),
                scope: who.scope.as_deref().map(str::to_owned),
            };
            if !these.contains(&shaper) {
                these.push(shaper);
            }
        }
        these
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "RunStatus"))]
#[serde(rename_all = "lowercase")]
pub enum Status {
    /// In progress, or its process ended in the middle of it.
    Running,
    Waiting,
    Failed,
    Ended,
    Cancelled,
}

/// Which runs are wanted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Filter {
    Status(Status),
    /// Cut off: it runs, but nothing runs it.
    Interrupted,
}

impl Filter {
    const WORDS: [(&str, Filter); 6] = [
        ("running", Filter::Status(Status::Running)),
        ("interrupted", Filter::Interrupted),
        ("waiting", Filter::Status(Status::Waiting)),
        ("failed", Filter::Status(Status::Failed)),
        ("ended", Filter::Status(Status::Ended)),
        ("cancelled", Filter::Status(Status::Cancelled)),
    ];

    pub fn of_word(word: &str) -> Result<Filter, String> {
        let known = Filter::WORDS.iter().find(|(known, _)| *known == word);
        known.map(|(_, filter)| *filter).ok_or_else(|| {
            let words = Filter::WORDS.map(|(word, _)| word).join(", ");
            format!("'{word}' is no status of a run; there are: {words}.")
        })
    }

    pub fn takes(self, run: &Listed) -> bool {
        match self {
            Filter::Interrupted => run.interrupted,
            Filter::Status(status) => run.status == status && !run.interrupted,
        }
    }
}

/// A run stored in a book.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(rename = "KeptRun", optional_fields)
)]
pub struct Listed {
    pub run: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub workflow: Option<String>,
    pub status: Status,
    /// It is `running`, but nothing runs it: its process has ended. It can be resumed.
    pub interrupted: bool,
    /// Where it waits or failed.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    /// Milliseconds since 1970.
    pub begun_ms: u64,
    /// When it goes on by itself, if it waits for a time; in milliseconds since 1970.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub due_ms: Option<u64>,
    /// The signals that it waits for.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "typescript", ts(as = "Option<Vec<String>>"))]
    pub signals: Vec<String>,
    /// Set if it is a fork.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<Origin>,
}

/// What a run was forked from.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(rename = "RunOrigin"))]
pub struct Origin {
    pub run: String,
    pub checkpoint: u64,
}

/// One of a run's records.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(
    feature = "typescript",
    derive(ts_rs::TS),
    ts(rename = "KeptCheckpoint", optional_fields)
)]
pub struct Checkpoint {
    pub number: u64,
    /// Milliseconds since 1970.
    pub at_ms: u64,
    /// `base`, `step`, `tried`, `node`, `forked`, `joined`, `waits`, `asks`, `resumed`, `answered`, `arrived`, `failed`,
    /// `ended` or `cancelled`.
    #[cfg_attr(
        feature = "typescript",
        ts(
            type = "\"base\" | \"step\" | \"tried\" | \"node\" | \"forked\" | \"joined\" | \"waits\" | \"asks\" | \"resumed\" | \"answered\" | \"arrived\" | \"failed\" | \"ended\" | \"cancelled\""
        )
    )]
    pub what: &'static str,
    /// The node or the step.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub node: Option<String>,
    /// Whether it belongs to a parallel branch.
    #[serde(rename = "branch")]
    pub in_branch: bool,
}

/// A run as reconstructed from its records.
pub struct Kept {
    pub thread: Thread,
    /// The number of the last record used.
    pub number: u64,
    /// The nodes it went through, each with the record of the first time.
    through: Vec<(u64, String)>,
    header: Header,
}

impl Runs {
    pub fn new(keeper: Rc<dyn Keeper>) -> Runs {
        let live = Rc::default();
        Runs { keeper, live }
    }

    /// The same runs, with changes made by this keeper: it acts for one client.
    pub fn kept_by(&self, keeper: Rc<dyn Keeper>) -> Runs {
        let live = self.live.clone();
        Runs { keeper, live }
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
            .cells("run/")
            .into_iter()
            .filter_map(|(key, value)| {
                let run = key.strip_prefix("run/")?.to_owned();
                let header: Header = serde_json::from_str(&value).ok()?;
                Some(Listed {
                    interrupted: header.status == Status::Running && !live.contains(&run),
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
        Ok(records.into_iter().map(checkpoint).collect())
    }

    /// The text that a run was started with, or last resumed with.
    pub fn text(&self, run: &str) -> Result<String, String> {
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
        let record = Record {
            at_ms: now_ms,
            branch: Vec::new(),
            did: Did::Base(Box::new(kept.thread)),
        };
        let (header, record) = (written(&header)?, written(&record)?);
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
        let base = Record {
            did: Did::Base(Box::new(kept.thread)),
            branch: Vec::new(),
            at_ms,
        };
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
        let others = self.keeper.cells("run/");
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

    fn check_idle(&self, run: &str) -> Result<(), String> {
        match self.live.borrow().contains(run) {
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

fn unreadable(run: &str) -> String {
    format!("The records of the run {run} cannot be read: a newer Hornbook may have written them.")
}

impl Kept {
    fn take(&mut self, run: &str, number: u64, record: Record) -> Result<(), String> {
        self.number = number;
        if let (None, Did::Base(thread)) = (record.graph(), &record.did) {
            self.pass(number, thread);
        }
        let node = match (record.graph(), &record.did) {
            // A workflow within a node belongs to the node's text.
            (Some(path), _) => self.node_of(path),
            (None, Did::Node { node, .. }) => Some(node.clone()),
            _ => None,
        };
        if let Some(node) = node
            && !self.through.iter().any(|(_, known)| *known == node)
        {
            self.through.push((number, node));
        }
        let taken = self.thread.take(&record.branch, record.did);
        taken.ok_or_else(|| unreadable(run))
    }

    /// What a thread went through before it was written as a whole.
    fn pass(&mut self, number: u64, thread: &Thread) {
        let within = thread.within.graphs.keys().filter_map(|path| self.node_of(path));
        let nodes: Vec<String> = thread.visits.keys().cloned().chain(within).collect();
        for node in nodes {
            self.through.push((number, node));
        }
        for branch in thread.fork.iter().flat_map(|fork| &fork.branches) {
            self.pass(number, branch);
        }
    }

    /// The node that the path of a workflow within it begins with.
    fn node_of(&self, path: &str) -> Option<String> {
        let names = self.header.nodes.keys();
        let begins = |name: &&String| {
            path.strip_prefix(&*key::part(name))
                .is_some_and(|rest| rest.is_empty() || rest.starts_with(['#', '.', '(', '[']))
        };
        names.filter(begins).max_by_key(|name| name.len()).cloned()
    }

    /// What resuming it with `updates` does, and to which thread: they answer the interrupt `id` or, if the run waits, its
    /// only one.
    pub fn resumed(
        &self,
        id: Option<&str>,
        updates: &Object,
        workflow: &Workflow,
    ) -> Result<(Vec<Part>, Did), String> {
        if self.header.status == Status::Cancelled {
            return Err(
                "The run was cancelled: begin a new one, or go on from one of its checkpoints.".into(),
            );
        }
        let idle = self.header.status == Status::Waiting || self.thread.waits_alone();
        let (path, did) = self.thread.resumed(id, updates, idle)?;
        agree::check_answer(self, workflow, &path, &did)?;
        Ok((path, did))
    }

    /// What the run waits for; nothing if it is over.
    pub fn interrupts(&self) -> Vec<Interrupt> {
        match self.header.status {
            Status::Ended | Status::Cancelled => Vec::new(),
            Status::Running | Status::Waiting | Status::Failed => self.thread.interrupts(),
        }
    }

    /// Check that the workflow agrees with what the run has done; the error says where it departs.
    pub fn check_agrees(&self, workflow: &Workflow) -> Result<(), String> {
        agree::check(self, workflow)
    }
}

fn checkpoint((number, record): (u64, Record)) -> Checkpoint {
    let (what, node) = match record.did.clone() {
        Did::Base(thread) => ("base", Some(thread.at.node().to_owned())),
        Did::Step { path, .. } => ("step", Some(key::shown(&path))),
        Did::Tried { path, .. } => ("tried", Some(key::shown(&path))),
        Did::Node { node, .. } => ("node", Some(node)),
        Did::Forked { fan_in, .. } => ("forked", Some(fan_in)),
        Did::Joined { .. } => ("joined", None),
        Did::Waits { node, .. } | Did::Paused { node, .. } => ("waits", Some(node)),
        Did::Asks { path, .. } => ("asks", Some(key::shown(&path))),
        Did::Resumed { .. } => ("resumed", None),
        Did::Answered { path, .. } => ("answered", Some(key::shown(&path))),
        Did::Arrived { .. } => ("arrived", None),
        Did::Failed { node, .. } => ("failed", Some(node)),
        Did::Ended => ("ended", None),
        Did::Cancelled => ("cancelled", None),
    };
    Checkpoint {
        number,
        at_ms: record.at_ms,
        what,
        node: node.map(|node| record.named(&node)),
        in_branch: record.in_branch(),
    }
}

fn header_key(run: &str) -> String {
    format!("run/{run}")
}

fn text_key(hash: &str) -> String {
    format!("text/{hash}")
}

/// The prefix for the names of a text's files.
fn files_prefix(hash: &str) -> String {
    format!("text/{hash}/")
}

fn records_prefix(run: &str) -> String {
    format!("record/{run}/")
}

/// The prefix for the signals of one name that were sent to a run.
fn signals_prefix(run: &str, name: &str) -> String {
    format!("signal/{run}/{}/", key::part(name))
}

fn record_key(run: &str, number: u64) -> String {
    format!("record/{run}/{number:09}")
}

fn written(value: &impl Serialize) -> Result<String, String> {
    serde_json::to_string(value).map_err(|error| format!("A record cannot be written: {error}."))
}
