//! The workspace on a scripted engine.

mod beside;
mod cells;
mod clauses;
mod consequences;
mod files;
mod history;
mod initialization;
mod keeping;
mod past;
mod provenance;
mod queries;
mod random;
mod recovery;
mod reloads;
mod replies;
mod restart;
mod review;
mod saving;
mod sharing;
mod slices;
mod standby;
mod upsert;
mod watching;

use std::rc::Rc;

use futures::FutureExt;

use hornbook_base::at_once;

use super::*;
use crate::bench::Bench;
use hornbook_base::{Control, Fault, FaultKind, Limits, Pace, Progress};
use hornbook_store::Journal;
use hornbook_store::memory::MemoryStore;

/// A workspace and its surroundings.
struct Desk {
    bench: Bench,
    workspace: Workspace,
}

impl Desk {
    fn new() -> Self {
        Desk::with(Options::default())
    }

    fn with(options: Options) -> Self {
        let mut bench = Bench::new();
        let workspace = bench.open(options);
        bench.settle();
        Desk { bench, workspace }
    }

    /// A workspace whose book is kept in a store.
    fn keeping(store: &Rc<MemoryStore>, options: Options) -> Self {
        let mut bench = Bench::new();
        let opened = Journal::open(store.clone(), &options.limits, &Pace::unbroken()).now_or_never();
        let opened = opened.expect("at once").expect("opened");
        let workspace = bench.open_with(options, Some(opened));
        bench.settle();
        Desk { bench, workspace }
    }

    /// Carry out an operation.
    fn run<T: 'static, F>(&mut self, operation: impl FnOnce(Workspace) -> F) -> T
    where
        F: Future<Output = T> + 'static,
    {
        self.bench.run(operation(self.workspace.clone()))
    }

    fn assert(&mut self, texts: &[&str]) -> ClausesReport {
        let texts = owned(texts);
        self.run(|workspace| async move { workspace.assert_clauses(texts, &Control::default()).await })
            .expect("asserted")
    }

    fn retract(&mut self, texts: &[&str]) -> ClausesReport {
        let texts = owned(texts);
        self.run(|workspace| async move { workspace.retract_clauses(texts, &Control::default()).await })
            .expect("retracted")
    }

    fn import(&mut self, name: &str, text: Option<&str>) -> Result<ImportReport, Fault> {
        let (name, text) = (name.to_owned(), text.map(str::to_owned));
        self.run(|workspace| async move { workspace.import(&name, text, &Control::default()).await })
    }

    fn unimport(&mut self, name: &str) -> Result<UnimportReport, Fault> {
        let name = name.to_owned();
        self.run(|workspace| async move { workspace.unimport(&name, &Control::default()).await })
    }

    fn start(&mut self, start: QueryStart) -> Result<QueryStarted, Fault> {
        self.run(|workspace| async move { workspace.query_start(start, &Control::default()).await })
    }

    /// Start a query and take some answers.
    fn ask(&mut self, query: &str, take: usize) -> Result<Answers, Fault> {
        let start = QueryStart {
            query: query.to_owned(),
            take: Some(take),
            ..QueryStart::default()
        };
        self.start(start).map(|started| started.answers.expect("answers"))
    }

    fn open(&mut self, query: &str, id: &str) -> Result<QueryStarted, Fault> {
        let query_id = Some(id.to_owned());
        self.start(QueryStart {
            query: query.to_owned(),
            query_id,
            ..QueryStart::default()
        })
    }

    fn next(&mut self, id: Option<&str>, take: Option<usize>) -> Result<Answers, Fault> {
        let next = QueryNext {
            query_id: id.map(str::to_owned),
            take,
            timeout_ms: None,
        };
        self.run(|workspace| async move { workspace.query_next(next, &Control::default()).await })
    }

    fn close(&mut self, id: Option<&str>) -> QueryClosed {
        let id = id.map(str::to_owned);
        self.run(|workspace| async move { workspace.query_close(id.as_deref(), &Control::default()).await })
            .expect("closed")
    }

    fn snapshot(&self) -> String {
        at_once(self.workspace.snapshot()).text
    }

    /// The same while the clock goes on.
    fn snapshot_now(&mut self) -> String {
        self.run(|workspace| async move { workspace.snapshot().await })
            .text
    }

    /// The clauses in the engine and those in the book, without layout and comments.
    fn both(&self) -> (Vec<String>, Vec<String>) {
        let plain = |text: &str| text.trim().trim_end_matches('.').to_owned();
        let book = self.workspace.0.book.borrow();
        let held = |id: &hornbook_book::EntryId| !book.aside().contains_key(id);
        let clauses = book.entries().filter(|(id, entry)| entry.is_clause() && held(id));
        let clauses: Vec<String> = clauses.map(|(_, entry)| plain(entry.text())).collect();
        (in_order_of(&clauses, self.bench.host.clauses()), clauses)
    }

    /// Check that engine and book both hold exactly these clauses.
    #[track_caller]
    fn holds(&self, clauses: &[&str]) {
        let (engine, book) = self.both();
        assert_eq!(book, clauses, "the book");
        assert_eq!(engine, clauses, "the engine");
    }
}

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

/// `success` or the message for each clause.
fn statuses(report: &ClausesReport) -> Vec<String> {
    let status = |outcome: &ClauseOutcome| match &outcome.result {
        OutcomeResult::Success => format!("{} ok", outcome.clause),
        OutcomeResult::Error {
            message,
            line,
            column,
            ..
        } => {
            let place = |place: &Option<u32>| place.map_or("-".to_owned(), |at| at.to_string());
            format!("{} {}:{} {message}", outcome.clause, place(line), place(column))
        }
    };
    report.outcomes.iter().map(status).collect()
}

fn texts(answers: &Answers) -> Vec<&str> {
    answers
        .answers
        .iter()
        .map(|answer| answer.bindings[0].text.as_str())
        .collect()
}

/// What was announced, in order.
fn listen(workspace: &Workspace) -> Rc<RefCell<Vec<Changed>>> {
    let heard = Rc::new(RefCell::new(Vec::new()));
    let ears = heard.clone();
    workspace.on_change(move |changed| ears.borrow_mut().push(changed));
    heard
}

/// The clauses of an engine in the order of the book, provided that those of each predicate are in that
/// order.
fn in_order_of(book: &[String], engine: Vec<String>) -> Vec<String> {
    let by_name = |clauses: &[String]| {
        let mut clauses = clauses.to_vec();
        clauses.sort_by_key(|clause| clause.split(['(', ' ', ':']).next().map(str::to_owned));
        clauses
    };
    match by_name(book) == by_name(&engine) {
        true => book.to_vec(),
        false => engine,
    }
}
