//! What clients do, and what they hear.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use hornbook_base::{Control, Fault, FaultKind};
use hornbook_workspace::{
    Answers, CellEdit, ClausesReport, Notice, OutcomeResult, QueryNext, QueryStart, Reversal, Whose,
    Workspace,
};

use super::acts::{Act, Told};
use super::log::SIMULATED;
use super::random::Random;

/// What is said of a log in whose place another was found. A process that says so without cause is not at rest.
const ANOTHER: &str = "it was replaced by another book";
/// How many predicates there are.
const PREDICATES: usize = 4;
/// How many files there are.
const FILES: usize = 3;
/// How many of the clauses that were last asserted a client may remove or replace.
const RECENT: usize = 40;

/// The most revisions of a run that one call makes.
const RECORDS: usize = 20;

/// One call of a client.
#[derive(Debug, Clone)]
pub enum Call {
    Assert(Vec<String>),
    Retract(String),
    Replace(String, Vec<String>),
    Import(String, String),
    Save(String, String),
    Unimport(String),
    /// A goal that changes clauses.
    Change(String),
    Set(String, String),
    Undo(usize, Whose),
    Redo(usize, Whose),
    Reset,
    /// All answers of `predicate(X)`, so many at a time; with the flag the query stays open.
    Query(String, usize, bool),
    Snapshot,
    History,
    /// Watch a goal.
    Watch(String),
    /// Watch the goal no more that was watched first.
    Unwatch,
    /// What is done in the draft of the process.
    Propose(Box<Call>),
    /// A decision about that draft.
    Decide(Decision),
    /// What is done with runs of workflows.
    Flow(Act),
    /// A call of a tool of the memory, with its arguments.
    Remember(&'static str, serde_json::Value),
}

/// What a reviewer decides about a draft.
#[derive(Debug, Clone, Copy)]
pub struct Decision {
    pub accepts: bool,
    /// The first so many operations, if not all.
    pub only: Option<usize>,
}

impl Call {
    /// How many revisions it makes at most, apart from those of records that go along with an undo.
    pub fn revisions(&self) -> usize {
        match self {
            Call::Undo(steps, _) | Call::Redo(steps, _) => *steps,
            Call::Propose(call) => call.revisions(),
            Call::Decide(_) => 2,
            // Each run makes some records.
            Call::Flow(Act::Wake | Act::Tend) => usize::MAX,
            Call::Flow(_) => RECORDS,
            _ => 1,
        }
    }
}

/// Chooses calls. Shared by all clients: what one asserts another retracts.
#[derive(Default)]
pub struct Names {
    made: Cell<u64>,
    recent: RefCell<Vec<String>>,
}

impl Names {
    /// A clause that nobody has asserted before.
    fn clause(&self, random: &Random) -> String {
        let number = self.made.get() + 1;
        self.made.set(number);
        let clause = format!("p{}({number})", random.below(PREDICATES));
        let mut recent = self.recent.borrow_mut();
        if recent.len() == RECENT {
            recent.remove(0);
        }
        recent.push(clause.clone());
        clause
    }

    pub fn clauses(&self, random: &Random) -> Vec<String> {
        let count = random.between(1, 3);
        (0..count).map(|_| format!("{}.", self.clause(random))).collect()
    }

    pub fn known(&self, random: &Random) -> String {
        let recent = self.recent.borrow();
        match recent.is_empty() {
            true => "p0(0)".to_owned(),
            false => random.pick(&recent).clone(),
        }
    }

    pub fn file(&self, random: &Random) -> (String, String) {
        let mut text = String::new();
        if random.chance(2_000) {
            text.push_str(":- op(700, xfx, =>).\n");
        }
        if random.chance(2_000) {
            text.push_str(&format!(":- dynamic(d{}/1).\n", random.below(2)));
        }
        text.push_str(&self.clauses(random).join("\n"));
        text.push('\n');
        (file(random), text)
    }

    pub fn call(&self, random: &Random) -> Call {
        let whose = || *random.pick(&[Whose::Own, Whose::All]);
        let predicate = || format!("p{}", random.below(PREDICATES));
        let quoted = || format!("'{}'", self.clause(random));
        match random.below(100) {
            0..=15 => Call::Assert(self.clauses(random)),
            16..=25 => Call::Retract(self.known(random)),
            26..=31 => Call::Replace(self.known(random), self.clauses(random)),
            32..=36 => {
                let (name, text) = self.file(random);
                Call::Import(name, text)
            }
            37..=39 => {
                let (name, text) = self.file(random);
                Call::Save(name, text)
            }
            40..=44 => Call::Unimport(file(random)),
            45..=48 => Call::Change(format!("assertz({})", quoted())),
            49..=51 => Call::Change(format!("asserta({})", quoted())),
            52..=55 => Call::Change(format!("retract({})", predicate())),
            56..=57 => Call::Change(format!("assertz({}), retract({})", quoted(), predicate())),
            58 => Call::Change(format!("assertz({}), fail", quoted())),
            59..=61 => {
                let value = self.clause(random);
                Call::Set(format!("key{}", random.below(3)), value)
            }
            62..=68 => Call::Undo(random.between(1, 3) as usize, whose()),
            69..=72 => Call::Redo(random.between(1, 3) as usize, whose()),
            73 => Call::Reset,
            74..=91 => Call::Query(predicate(), random.between(1, 8) as usize, random.chance(1_000)),
            92..=96 => Call::Snapshot,
            _ => Call::History,
        }
    }
}

fn file(random: &Random) -> String {
    format!("f{}.pl", random.below(FILES))
}

/// What a client heard.
#[derive(Debug, Clone, PartialEq)]
pub enum Heard {
    /// It was carried out, in so many revisions.
    Done {
        least: usize,
        most: usize,
    },
    /// It was not carried out.
    Refused(FaultKind),
    /// It may have been carried out, or may still be.
    Unknown,
    /// The answers of a query.
    Clauses(Vec<String>),
    Snapshot(String),
    /// The number of the last revision.
    Revision(u64),
    /// What was told of runs.
    Ran(Vec<Told>),
    /// The memory answered, with the id of what it remembers now.
    Remembered(Option<String>),
}

impl Heard {
    fn exactly(count: usize) -> Heard {
        Heard::Done {
            least: count,
            most: count,
        }
    }
}

/// Whether a message says that something may have been carried out.
pub fn is_doubtful(message: &str) -> bool {
    message.contains("It is not known whether") || message.contains("a restart may bring the operation back")
}

/// Carry out a call. The fault is one that should not have come.
pub async fn carry_out(workspace: &Workspace, call: &Call, control: &Control) -> Result<Heard, Fault> {
    heard(call, once(workspace, call, control).await)
}

/// What the client hears of what came of a call.
pub fn heard(call: &Call, result: Result<Heard, Fault>) -> Result<Heard, Fault> {
    match result {
        Ok(heard) => Ok(heard),
        Err(fault) if is_doubtful(&fault.message) => Ok(Heard::Unknown),
        Err(fault) if may_come(call, &fault) => Ok(Heard::Refused(fault.kind)),
        Err(fault) => Err(fault),
    }
}

/// Whether the faults of the world, and what other clients do, explain this fault of a call.
fn may_come(call: &Call, fault: &Fault) -> bool {
    use FaultKind as Is;
    match fault.kind {
        Is::StorageError => fault.message.contains(SIMULATED) || fault.message.contains(ANOTHER),
        Is::ExistenceError | Is::Conflict | Is::AlreadyImported | Is::NotImported => true,
        Is::NothingToUndo | Is::NothingToRedo | Is::NoSuchQuery | Is::QueryStopped => true,
        Is::Timeout | Is::Cancelled | Is::OutOfMemory | Is::EngineEnded | Is::EngineUnavailable => true,
        // A file that changes operators is not changed clause by clause.
        Is::PermissionError => match call {
            Call::Propose(call) => may_come(call, fault),
            call => matches!(call, Call::Replace(..)),
        },
        Is::ConstraintViolation => !matches!(call, Call::Query(..) | Call::Snapshot | Call::History),
        _ => false,
    }
}

async fn once(workspace: &Workspace, call: &Call, control: &Control) -> Result<Heard, Fault> {
    match call {
        Call::Assert(clauses) => {
            let report = workspace.assert_clauses(clauses.clone(), control).await?;
            Ok(Heard::exactly(usize::from(has_success(&report))))
        }
        Call::Retract(clause) => {
            let report = workspace.retract_clauses(vec![clause.clone()], control).await?;
            Ok(Heard::exactly(usize::from(has_success(&report))))
        }
        Call::Replace(old, new) => {
            let report = workspace.replace_clause(old, new, control).await?;
            Ok(Heard::exactly(usize::from(has_success(&report))))
        }
        Call::Import(name, text) => {
            workspace.import(name, Some(text.clone()), control).await?;
            Ok(Heard::exactly(1))
        }
        Call::Save(name, text) => {
            workspace.save(name, text.clone(), None, control).await?;
            Ok(Heard::exactly(1))
        }
        Call::Unimport(name) => {
            workspace.unimport(name, control).await?;
            Ok(Heard::exactly(1))
        }
        Call::Change(goal) => {
            let start = QueryStart {
                query: goal.clone(),
                take: Some(1),
                ..QueryStart::default()
            };
            let answers = started(workspace, start, control).await?;
            if let Some(fault) = answers.fault {
                return Err(fault);
            }
            Ok(Heard::exactly(usize::from(answers.added + answers.removed > 0)))
        }
        Call::Set(key, value) => {
            let plan = || {
                let cells = vec![(key.clone(), Some(value.clone()))];
                let action = "set".to_owned();
                (CellEdit { action, cells }, ())
            };
            workspace.edit_cells("memory", control, plan).await?;
            Ok(Heard::exactly(1))
        }
        Call::Undo(steps, whose) => Ok(reversed(&workspace.undo(*steps, *whose, None, control).await?)),
        Call::Redo(steps, whose) => Ok(reversed(&workspace.redo(*steps, *whose, None, control).await?)),
        Call::Reset => {
            let report = workspace.reset(control).await?;
            Ok(Heard::Done {
                least: usize::from(report.clauses_removed > 0),
                most: 1,
            })
        }
        Call::Query(predicate, take, stays_open) => {
            ask(workspace, predicate, *take, *stays_open, control).await
        }
        Call::Snapshot => {
            workspace.freshen().await;
            Ok(Heard::Snapshot(workspace.snapshot().await.text))
        }
        Call::History => {
            workspace.freshen().await;
            Ok(Heard::Revision(workspace.history(1, None)?.revision))
        }
        Call::Watch(_)
        | Call::Unwatch
        | Call::Propose(_)
        | Call::Decide(_)
        | Call::Flow(_)
        | Call::Remember(..) => {
            unreachable!("a process does this, not its book")
        }
    }
}

fn has_success(report: &ClausesReport) -> bool {
    let outcomes = report.outcomes.iter();
    outcomes
        .into_iter()
        .any(|outcome| outcome.result == OutcomeResult::Success)
}

fn reversed(reversal: &Reversal) -> Heard {
    let doubtful = |Notice(notice): &Notice| is_doubtful(notice);
    Heard::Done {
        // The records of a run are one step.
        least: reversal.revisions.len(),
        most: reversal.revisions.len() + usize::from(reversal.notices.iter().any(doubtful)),
    }
}

async fn started(workspace: &Workspace, start: QueryStart, control: &Control) -> Result<Answers, Fault> {
    let started = workspace.query_start(start, control).await?;
    Ok(started.answers.expect("some were asked for"))
}

async fn ask(
    workspace: &Workspace,
    predicate: &str,
    take: usize,
    stays_open: bool,
    control: &Control,
) -> Result<Heard, Fault> {
    let start = QueryStart {
        query: format!("{predicate}(X)"),
        take: Some(take),
        ..QueryStart::default()
    };
    let mut answers = started(workspace, start, control).await?;
    let mut clauses = Vec::new();
    loop {
        if let Some(fault) = answers.fault {
            return Err(fault);
        }
        let texts = answers.answers.iter().map(|answer| &answer.bindings[0].text);
        clauses.extend(texts.map(|text| text.trim_end_matches('.').to_owned()));
        if stays_open {
            return Ok(Heard::exactly(0));
        }
        if !answers.more {
            return Ok(Heard::Clauses(clauses));
        }
        let next = QueryNext {
            query_id: Some(answers.query_id.clone()),
            take: Some(take),
            timeout_ms: None,
        };
        answers = workspace.query_next(next, control).await?;
    }
}

/// A call of a client, from its beginning to its reply.
pub struct Record {
    /// The name of the client in the book: of this call alone.
    pub name: String,
    pub call: Call,
    /// When it was called, in steps, and how many revisions the log had then.
    pub called: (u64, u64),
    /// The revision of the process's book then.
    pub book: u64,
    /// The same when its reply came; `None` if none came, and none will.
    pub replied: Cell<Option<(u64, u64)>>,
    pub heard: RefCell<Heard>,
    /// The engine held back clauses that had killed others.
    pub is_aside: Cell<bool>,
}

/// All calls since the last quiet point.
pub type Records = Rc<RefCell<Vec<Rc<Record>>>>;
