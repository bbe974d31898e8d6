//! Several workspaces on one log: each follows the others, and nothing that a client got a reply for is lost.

use std::cell::Cell;
use std::collections::BTreeMap;

use hornbook_book::Revision;
use hornbook_engine::protocol::Bounds;
use hornbook_engine::reply::{BadReply, Changes, ChangesControl, Changing, Parts, Reply};
use hornbook_engine::scripted::ScriptedHost;
use hornbook_store::memory::{Seat, SeatStore, SharedMemory};
use hornbook_store::{Appended, Opened};
use proptest::prelude::*;

use super::*;

/// One of several processes.
struct Member {
    workspace: Workspace,
    host: Rc<ScriptedHost>,
}

/// Several processes that share a log, on one bench.
struct Table {
    bench: Bench,
    log: Rc<SharedMemory>,
    members: Vec<Member>,
}

impl Table {
    fn new(count: usize) -> Self {
        Table::with(count, Limits::default())
    }

    fn with(count: usize, limits: Limits) -> Self {
        let mut table = Table {
            bench: Bench::new(),
            log: Rc::default(),
            members: Vec::new(),
        };
        for _ in 0..count {
            table.join(limits.clone());
        }
        table
    }

    fn join(&mut self, limits: Limits) {
        self.sit(self.log.seat(), limits);
    }

    fn sit(&mut self, seat: Rc<Seat>, limits: Limits) {
        let store = Rc::new(SeatStore(seat));
        let opened = Journal::open(store, &limits, &Pace::unbroken()).now_or_never();
        let opened = opened.expect("at once").expect("opened");
        let host = Rc::<ScriptedHost>::default();
        let options = Options {
            limits,
            ..Options::default()
        };
        let workspace = self.bench.open_on(host.clone(), options, Some(opened));
        self.members.push(Member { workspace, host });
        self.bench.settle();
    }

    fn run<T: 'static, F>(&mut self, member: usize, operation: impl FnOnce(Workspace) -> F) -> T
    where
        F: Future<Output = T> + 'static,
    {
        self.bench.run(operation(self.members[member].workspace.clone()))
    }

    /// Carry out operations at the same time, one per member. Returns the results in order.
    fn at_once(&mut self, steps: &[(usize, Step)]) -> Vec<Result<(), Fault>> {
        let started: Vec<_> = steps
            .iter()
            .map(|(member, step)| {
                let workspace = self.members[*member].workspace.clone();
                self.bench.start(carry_out(workspace, step.clone()))
            })
            .collect();
        self.bench.run(async {});
        let mut results = Vec::new();
        for cell in started {
            results.push(loop {
                if let Some(result) = cell.take() {
                    break result;
                }
                self.bench.step();
            });
        }
        results
    }

    fn assert(&mut self, member: usize, text: &str) {
        self.at_once(&[(member, Step::Assert(text.to_owned()))])
            .remove(0)
            .expect("asserted");
    }

    fn ask(&mut self, member: usize, query: &str) -> Result<Answers, Fault> {
        let start = QueryStart {
            query: query.to_owned(),
            take: Some(10),
            ..QueryStart::default()
        };
        self.run(member, |workspace| async move {
            workspace.query_start(start, &Control::default()).await
        })
        .map(|started| started.answers.expect("answers"))
    }

    /// What a member's book has, what its engine has, and the book that results from the log.
    fn states(&mut self, member: usize) -> [Vec<String>; 3] {
        // An empty request makes sure that there is an engine, and that it is up to date.
        self.ask(member, "zzz").expect("an engine");
        let plain = |text: &str| text.trim().trim_end_matches('.').to_owned();
        let of = |book: &Book| {
            let clauses = book.entries().filter(|(_, entry)| entry.is_clause());
            clauses
                .map(|(_, entry)| plain(entry.code()))
                .collect::<Vec<String>>()
        };
        let Member { workspace, host } = &self.members[member];
        let engine = host.clauses().iter().map(|clause| plain(clause)).collect();
        let book = of(&workspace.0.book.borrow());
        [book.clone(), in_order_of(&book, engine), of(&self.kept())]
    }

    /// The book that results from the log.
    fn kept(&self) -> Book {
        let store = Rc::new(MemoryStore::holding(&self.log.bytes()));
        let opened = Journal::open(store, &Limits::default(), &Pace::unbroken()).now_or_never();
        opened.expect("at once").expect("opened").book
    }

    #[track_caller]
    fn hold(&mut self, clauses: &[&str]) {
        for member in 0..self.members.len() {
            let [book, engine, kept] = self.states(member);
            assert_eq!(book, clauses, "the book of {member}");
            assert_eq!(engine, clauses, "the engine of {member}");
            assert_eq!(kept, clauses, "the log");
        }
    }
}

#[derive(Debug, Clone)]
pub(super) enum Step {
    Assert(String),
    Retract(String),
    /// A clause, and what replaces it.
    Replace(String, String),
    /// A goal.
    Query(String),
    Import(u8, String),
    Unimport(u8),
    Save(u8, String),
    Set(String, String),
    Undo(usize, Whose),
    Redo(usize, Whose),
    Reset,
}

pub(super) async fn carry_out(workspace: Workspace, step: Step) -> Result<(), Fault> {
    let control = Control::default();
    match step {
        Step::Assert(text) => workspace.assert_clauses(vec![text], &control).await.map(drop),
        Step::Retract(text) => {
            let report = workspace.retract_clauses(vec![text], &control).await?;
            match &report.outcomes[0].result {
                OutcomeResult::Success => Ok(()),
                OutcomeResult::Error { message, .. } => {
                    Err(Fault::new(FaultKind::ExistenceError, message.clone()))
                }
            }
        }
        Step::Replace(old, new) => workspace.replace_clause(&old, &[new], &control).await.map(drop),
        Step::Query(query) => {
            let start = QueryStart {
                query,
                take: Some(1),
                ..QueryStart::default()
            };
            workspace.query_start(start, &control).await.map(drop)
        }
        Step::Import(file, text) => {
            let name = format!("f{file}.pl");
            workspace.import(&name, Some(text), &control).await.map(drop)
        }
        Step::Unimport(file) => workspace
            .unimport(&format!("f{file}.pl"), &control)
            .await
            .map(drop),
        Step::Save(file, text) => workspace
            .save(&format!("f{file}.pl"), text, None, &control)
            .await
            .map(drop),
        Step::Set(key, value) => {
            let plan = || {
                let action = "set".to_owned();
                let cells = vec![(key.clone(), Some(value.clone()))];
                (CellEdit { action, cells }, ())
            };
            workspace.edit_cells("memory", &control, plan).await.map(drop)
        }
        Step::Undo(steps, whose) => workspace.undo(steps, whose, None, &control).await.map(drop),
        Step::Redo(steps, whose) => workspace.redo(steps, whose, None, &control).await.map(drop),
        Step::Reset => workspace.reset(&control).await.map(drop),
    }
}

fn text(text: &str) -> String {
    text.to_owned()
}

#[test]
fn what_one_asserts_another_finds_at_once() {
    let mut table = Table::new(2);
    table.assert(0, "p(1).");
    assert_eq!(texts(&table.ask(1, "p(X)").unwrap()), ["p(1)."]);
    table.assert(1, "q(1).");
    assert_eq!(texts(&table.ask(0, "q(X)").unwrap()), ["q(1)."]);
    table.hold(&["p(1)", "q(1)"]);
    assert_eq!(table.members[0].host.spawned.get(), 1, "the engine followed");
    assert_eq!(table.members[1].host.spawned.get(), 1, "the engine followed");
}

#[test]
fn listeners_hear_of_what_others_do_though_nobody_asks() {
    let mut table = Table::new(2);
    let heard = listen(&table.members[1].workspace);
    table.assert(0, "p.");
    table.bench.settle();
    assert_eq!(heard.borrow().len(), 1);
    assert!(heard.borrow()[0].clauses);
}

#[test]
fn of_two_who_write_at_once_both_are_kept_in_one_order() {
    let mut table = Table::new(2);
    let steps = [(0, Step::Assert(text("a. b."))), (1, Step::Assert(text("c. d.")))];
    let results = table.at_once(&steps);
    assert!(results.iter().all(Result::is_ok), "{results:?}");
    assert!(table.log.conflicts.get() > 0);
    table.hold(&["a", "b", "c", "d"]);
    for member in &table.members {
        assert_eq!(member.host.spawned.get(), 1, "no engine is built again for it");
    }
}

#[test]
fn who_comes_second_keeps_its_ids_and_what_its_engine_has() {
    let mut table = Table::new(2);
    table.assert(0, "p(0).");
    let steps = [
        (0, Step::Assert(text("p(1). q."))),
        (1, Step::Assert(text("p(2). r."))),
    ];
    let asked = table.members[1].host.requests.borrow().len();
    assert!(table.at_once(&steps).iter().all(Result::is_ok));
    table.hold(&["p(0)", "p(1)", "q", "p(2)", "r"]);
    let ids = |member: &Member| {
        member
            .workspace
            .0
            .book
            .borrow()
            .entries()
            .map(|(id, _)| id)
            .collect::<Vec<_>>()
    };
    let [first, second] = [ids(&table.members[0]), ids(&table.members[1])];
    assert_eq!(first, second);
    let requests = table.members[1].host.requests.borrow()[asked..].to_vec();
    let added = requests
        .iter()
        .find(|request| request.starts_with("add("))
        .expect("an addition");
    assert!(added.contains(&format!("[{}-", first[3])), "{added}");
    // The clause that stands behind the other's is taken out, and read again behind it; `r` stays.
    let removed = requests.iter().filter(|request| request.starts_with("remove("));
    let removed: Vec<_> = removed.collect();
    assert_eq!(removed, [&format!("remove([{}-1])", first[3])]);
    let reloads: Vec<_> = requests
        .iter()
        .filter(|request| request.starts_with("reload("))
        .collect();
    assert!(
        matches!(&reloads[..], [one] if !one.contains("r.")),
        "{reloads:?}"
    );
}

#[test]
fn of_two_who_replace_a_clause_one_hears_that_it_is_gone() {
    let mut table = Table::new(2);
    table.assert(0, "p(1). p(2). p(3).");
    let replace = |new: &str| Step::Replace(text("p(2)"), text(new));
    let results = table.at_once(&[(0, replace("p(a). p(b). p(c).")), (1, replace("p(d)."))]);
    assert!(results[0].is_ok());
    assert_eq!(results[1].clone().unwrap_err().kind, FaultKind::ExistenceError);
    table.hold(&["p(1)", "p(a)", "p(b)", "p(c)", "p(3)"]);
    let between = |old: &str, new: &str| Step::Replace(text(old), text(new));
    let steps = [
        (0, between("p(b)", "p(b). p(e).")),
        (1, between("p(c)", "q. p(c).")),
    ];
    assert!(table.at_once(&steps).iter().all(Result::is_ok));
    table.hold(&["p(1)", "p(a)", "p(b)", "p(e)", "q", "p(c)", "p(3)"]);
    for member in [1, 0] {
        let undone = table.at_once(&[(member, Step::Undo(1, Whose::Own))]).remove(0);
        undone.expect("undone");
    }
    table.hold(&["p(1)", "p(a)", "p(b)", "p(c)", "p(3)"]);
}

#[test]
fn a_clause_is_retracted_once_and_the_other_hears_that_it_is_gone() {
    let mut table = Table::new(2);
    table.assert(0, "a.");
    let steps = [(0, Step::Retract(text("a"))), (1, Step::Retract(text("a")))];
    let results = table.at_once(&steps);
    assert!(results[0].is_ok());
    assert_eq!(results[1].clone().unwrap_err().message, "No clause matches.");
    table.hold(&[]);
}

#[test]
fn an_operation_that_nobody_answered_is_a_fault_that_says_so_and_comes_into_the_book_if_it_was_written() {
    let mut table = Table::new(2);
    table.assert(0, "a.");
    table.log.is_silent.set(true);
    let results = table.at_once(&[(0, Step::Assert(text("b.")))]);
    assert_eq!(
        results[0].clone().unwrap_err().message,
        "It is not known whether this was saved: the memory does not answer. It has not been carried out yet, but may still \
         reach the book: check before repeating it."
    );
    table.log.is_silent.set(false);
    table.assert(1, "c.");
    table.hold(&["a", "b", "c"]);
}

#[test]
fn what_a_goal_retracts_and_another_has_taken_is_a_conflict_that_changes_nothing() {
    let mut table = Table::new(2);
    table.assert(0, "a.");
    let steps = [
        (0, Step::Retract(text("a"))),
        (1, Step::Query(text("assertz(b), retract(a)"))),
    ];
    let results = table.at_once(&steps);
    let fault = results[1].clone().unwrap_err();
    assert_eq!(fault.kind, FaultKind::Conflict);
    assert_eq!(
        fault.message,
        "Another process has changed the book at the same time, and this was not carried out: `a.` is gone."
    );
    table.hold(&[]);
}

#[test]
fn a_clause_that_an_undo_brings_and_takes_out_again_leaves_its_predicate_known_to_the_engine() {
    let mut table = Table::new(2);
    table.assert(0, "p(0).");
    table.assert(1, "p(1).");
    for (member, step) in [
        (1, Step::Retract(text("p(1)"))),
        (0, Step::Reset),
        (1, Step::Undo(2, Whose::Own)),
    ] {
        table.at_once(&[(member, step)]).remove(0).expect("done");
    }
    let differences = table.run(1, |workspace| async move { workspace.differences().await });
    assert_eq!(differences, Ok(Vec::new()));
    let known = table.kept().predicates().count();
    assert_eq!(known, 1);
}

#[test]
fn undo_takes_back_ones_own_operations_unless_all_are_meant() {
    let mut table = Table::new(2);
    table.assert(0, "a.");
    table.assert(1, "b.");
    table.assert(0, "c.");
    let undo = |table: &mut Table, member, whose| table.at_once(&[(member, Step::Undo(1, whose))]).remove(0);
    undo(&mut table, 1, Whose::Own).expect("undone");
    table.hold(&["a", "c"]);
    let fault = undo(&mut table, 1, Whose::Own).unwrap_err();
    assert_eq!(fault.kind, FaultKind::NothingToUndo);
    assert!(fault.next.contains("all: true"), "{}", fault.next);
    undo(&mut table, 1, Whose::All).expect("undone");
    table.hold(&["a"]);
    table
        .at_once(&[(1, Step::Redo(1, Whose::Own))])
        .remove(0)
        .expect("redone");
    table.hold(&["a", "c"]);
    // Changes of others name their author; a member's own do not.
    let history = table.members[1].workspace.history(2, Some(2)).expect("told");
    let by: Vec<Option<&str>> = history
        .revisions
        .iter()
        .map(|info| info.event.by.as_deref())
        .collect();
    assert_eq!(by, [None, Some("seat-1")]);
}

#[test]
fn whoever_is_opened_in_the_place_of_another_has_done_what_that_one_did_and_still_does() {
    let mut table = Table::new(2);
    table.assert(0, "a.");
    table.assert(1, "b.");
    let heritage = table.members[0].workspace.heritage().expect("shared");
    table.sit(table.log.seat_after(heritage), Limits::default());
    table.assert(0, "c.");
    table.assert(2, "d.");
    let by = |table: &Table, member: usize| -> Vec<Option<String>> {
        let history = table.members[member].workspace.history(4, Some(4)).expect("told");
        history.revisions.into_iter().map(|info| info.event.by).collect()
    };
    table.run(2, |workspace| async move { workspace.freshen().await });
    assert_eq!(by(&table, 2), [None, None, Some("seat-2".to_owned()), None]);
    // A third in the row has what both did.
    let heritage = table.members[2].workspace.heritage().expect("shared");
    table.sit(table.log.seat_after(heritage), Limits::default());
    assert_eq!(by(&table, 3), [None, None, Some("seat-2".to_owned()), None]);
    table
        .at_once(&[(3, Step::Undo(3, Whose::Own))])
        .remove(0)
        .expect("undone");
    table.hold(&["b"]);
}

#[test]
fn what_another_has_built_on_is_not_undone_before_that() {
    let mut table = Table::new(2);
    table.assert(0, "t(1).");
    table
        .at_once(&[(1, Step::Retract(text("t(1)")))])
        .remove(0)
        .expect("retracted");
    table.assert(1, "t(2).");
    let fault = table
        .at_once(&[(0, Step::Undo(1, Whose::Own))])
        .remove(0)
        .unwrap_err();
    assert_eq!(
        fault.message,
        "This can no longer be undone: `t(1).` was removed since, by revision 2 (retract) of seat-2."
    );
    assert_eq!(
        fault.next,
        "Reverse that one first, or give `all: true`: it undoes what anybody did, the newest first. `workspace history` shows later changes."
    );
    table.hold(&["t(2)"]);
    table
        .at_once(&[(1, Step::Undo(2, Whose::Own))])
        .remove(0)
        .expect("undone");
    table.hold(&["t(1)"]);
    table
        .at_once(&[(0, Step::Undo(1, Whose::Own))])
        .remove(0)
        .expect("undone");
    table.hold(&[]);
}

#[test]
fn what_another_has_changed_since_is_not_undone() {
    let mut table = Table::new(2);
    let set = |value: &str| Step::Set(text("key"), text(value));
    table.at_once(&[(0, set("one"))]);
    table.at_once(&[(1, set("two"))]);
    let fault = table
        .at_once(&[(0, Step::Undo(1, Whose::Own))])
        .remove(0)
        .unwrap_err();
    assert_eq!(
        fault.message,
        "This can no longer be undone: key was changed since, by revision 2 (cells) of seat-2."
    );
    assert!(fault.next.contains("`all: true`"), "{}", fault.next);
    assert_eq!(
        table.members[0].workspace.cell("memory", "key").as_deref(),
        Some("two")
    );
}

/// What the block of a node did.
struct Ran(Changes);

#[derive(serde::Deserialize)]
struct RanControl {
    output: bool,
    #[serde(flatten)]
    changes: ChangesControl,
}

impl Reply for Ran {
    type Control = RanControl;

    fn assemble(control: RanControl, parts: &mut Parts<'_>) -> Result<Ran, BadReply> {
        parts.take_if::<String>(control.output)?;
        parts.take::<serde_json::Value>()?;
        Ok(Ran(Changes::assemble(control.changes, parts)?))
    }
}

impl Changing for Ran {
    fn take_changes(&mut self) -> Changes {
        std::mem::take(&mut self.0)
    }
}

#[test]
fn a_block_leaves_nothing_if_the_cell_that_its_plan_follows_on_is_undone_while_it_runs() {
    let mut table = Table::new(2);
    let set = Step::Set(text("record/1"), text("begins"));
    table.at_once(&[(1, set)]).remove(0).expect("set");
    table.run(0, |workspace| async move { workspace.freshen().await });
    // Another process undoes it once the engine has run the block.
    let (log, mut is_undone) = (table.log.clone(), false);
    let undo = move |request: &str, reply: String| {
        if request.starts_with("book_node_run") && !std::mem::replace(&mut is_undone, true) {
            undo_last(&log);
        }
        reply
    };
    table.members[0].host.script.alter.replace(Some(Box::new(undo)));
    let plans = Rc::new(Cell::new(0));
    let counted = plans.clone();
    let ran = table.run(0, |workspace| async move {
        let request = |Bounds { next, .. }: Bounds| {
            let (last, first) = (next.last, next.first);
            format!("book_node_run('assertz(p(1))',[],[],1,{last},{first})")
        };
        let plan = |_: &Ran| {
            counted.set(counted.get() + 1);
            match workspace.cell("memory", "record/1") {
                Some(_) => Ok(CellEdit {
                    action: text("node"),
                    cells: vec![(text("record/2"), Some(text("done")))],
                }),
                None => Err(Fault::new(FaultKind::ExistenceError, "It was undone.")),
            }
        };
        let control = Control::default();
        let ran = workspace.run_with_cells("memory", &control, 1_000, request, plan);
        ran.await.map(drop)
    });
    assert_eq!(ran.unwrap_err().message, "It was undone.");
    assert_eq!(
        plans.get(),
        3,
        "before the undo was read, after it, and of the block that ran again"
    );
    table.hold(&[]);
    assert_eq!(table.members[1].workspace.cells("memory"), []);
}

/// Undo the last revision of a log, as a process of its own does.
fn undo_last(log: &Rc<SharedMemory>) {
    let pace = Pace::unbroken();
    let limits = Limits::default();
    let opened = Journal::open(Rc::new(SeatStore(log.seat())), &limits, &pace).now_or_never();
    let Opened { book, journal, .. } = opened.expect("at once").expect("opened");
    let (operation, delta) = at_once(book.next_undo(|_, _| true, &pace))
        .expect("no clash")
        .expect("something to undo");
    let revision = Rc::new(book.plan(operation, 0, delta).expect("a revision"));
    let appended = journal
        .append(book.revision() + 1, &revision, &pace)
        .now_or_never();
    assert!(appended.expect("at once").expect("appended") == Appended::Done);
}

#[test]
fn a_file_is_imported_once() {
    let mut table = Table::new(2);
    let steps = [
        (0, Step::Import(1, text("a.\n"))),
        (1, Step::Import(1, text("b.\n"))),
    ];
    let results = table.at_once(&steps);
    assert!(results[0].is_ok());
    assert_eq!(results[1].clone().unwrap_err().kind, FaultKind::AlreadyImported);
    table.hold(&["a"]);
}

#[test]
fn a_file_that_is_read_again_leaves_what_others_add_of_predicates_that_it_no_longer_has() {
    let mut table = Table::new(2);
    let import = Step::Import(1, text("p(1).\nq(1).\n"));
    table.at_once(&[(0, import)]).remove(0).expect("imported");
    let steps = [
        (0, Step::Assert(text("q(2)."))),
        (1, Step::Save(1, text("p(2).\n"))),
    ];
    let results = table.at_once(&steps);
    assert!(results.iter().all(Result::is_ok), "{results:?}");
    assert!(table.log.conflicts.get() > 0);
    for member in 0..2 {
        let found = table.ask(member, "q(X)").expect("asked");
        assert_eq!(texts(&found), ["q(2)."], "{member}");
    }
}

/// A constraint.
const NO_BAD: &str = ":- constraint((wrong(X)), \"~w is wrong\"-[X]).";

/// Carry out two steps at the same time, the second of which is refused because of the constraint.
#[track_caller]
fn one_is_refused(first: &str, second: &str, rest: [&str; 2]) {
    let mut table = Table::new(2);
    // Both processes know what the constraint depends on.
    for (member, text) in rest.iter().enumerate() {
        table.assert(member, text);
    }
    let steps = [first, second].map(text).map(Step::Assert);
    let results = table.at_once(&steps.into_iter().enumerate().collect::<Vec<_>>());
    assert!(table.log.conflicts.get() > 0);
    assert_eq!(results[0], Ok(()));
    let refused = results[1].clone().unwrap_err();
    assert_eq!(refused.kind, FaultKind::ConstraintViolation, "{refused:?}");
    assert!(refused.message.contains("a is wrong"), "{refused:?}");
}

#[test]
fn a_rule_of_another_process_lets_a_constraint_see_a_change_that_was_made_at_the_same_time() {
    one_is_refused("wrong(X) :- p(X).", "p(a).", [NO_BAD, "q(1)."]);
}

#[test]
fn a_rule_lets_a_constraint_see_what_another_process_added_at_the_same_time() {
    one_is_refused("p(a).", "wrong(X) :- p(X).", [NO_BAD, "q(1)."]);
}

#[test]
fn a_constraint_of_another_process_sees_a_change_that_was_made_at_the_same_time() {
    one_is_refused(NO_BAD, "wrong(a).", ["q(1).", "q(2)."]);
}

#[test]
fn an_open_query_goes_on_with_the_clauses_that_it_began_with() {
    let mut table = Table::new(2);
    table.assert(0, "p(1). p(2). p(3).");
    let start = QueryStart {
        query: text("p(X)"),
        take: Some(1),
        ..QueryStart::default()
    };
    table
        .run(0, |workspace| async move {
            workspace.query_start(start, &Control::default()).await
        })
        .unwrap();
    table.assert(1, "p(4).");
    let next = QueryNext {
        query_id: None,
        take: Some(10),
        timeout_ms: None,
    };
    let answers = table.run(0, |workspace| async move {
        workspace.query_next(next, &Control::default()).await
    });
    assert_eq!(texts(&answers.unwrap()), ["p(2).", "p(3)."]);
    assert_eq!(
        texts(&table.ask(0, "p(X)").unwrap()),
        ["p(1).", "p(2).", "p(3).", "p(4)."]
    );
}

#[test]
fn an_append_that_fails_leaves_the_books_as_they_were() {
    let mut table = Table::new(2);
    table.assert(0, "a.");
    table.log.space.set(Some(table.log.bytes().len()));
    let results = table.at_once(&[
        (0, Step::Assert(text("b."))),
        (1, Step::Query(text("assertz(c)"))),
    ]);
    for result in results {
        assert_eq!(result.unwrap_err().kind, FaultKind::StorageError);
    }
    table.log.space.set(None);
    table.hold(&["a"]);
}

pub(super) fn step() -> impl Strategy<Value = Step> {
    let name = || (0..6u8).prop_map(|name| format!("c{name}"));
    let clause = || name().prop_map(|name| format!("{name}."));
    let number = || 0..9u8;
    let whose = || prop_oneof![Just(Whose::Own), Just(Whose::All)];
    prop_oneof![
        4 => clause().prop_map(Step::Assert),
        2 => (clause(), clause()).prop_map(|(one, other)| Step::Assert(format!("{one} {other}"))),
        2 => name().prop_map(Step::Retract),
        2 => name().prop_map(|name| Step::Query(format!("assertz({name})"))),
        2 => name().prop_map(|name| Step::Query(format!("asserta({name})"))),
        2 => name().prop_map(|name| Step::Query(format!("retract({name})"))),
        // Clauses of one predicate, whose order can be observed.
        4 => number().prop_map(|number| Step::Assert(format!("p({number})."))),
        2 => number().prop_map(|number| Step::Query(format!("assertz('p({number})')"))),
        2 => number().prop_map(|number| Step::Query(format!("asserta('p({number})')"))),
        3 => (number(), number(), number()).prop_map(|(old, one, other)| {
            Step::Replace(format!("p({old})"), format!("p({one}). p({other})."))
        }),
        1 => (name(), name()).prop_map(|(one, other)| Step::Query(format!("assertz({one}), retract({other})"))),
        2 => (0..2u8, clause()).prop_map(|(file, text)| Step::Import(file, text)),
        1 => (0..2u8, clause()).prop_map(|(file, text)| Step::Import(file, format!(":- op(700, xfx, =>).\n{text}"))),
        1 => (0..2u8).prop_map(Step::Unimport),
        1 => (0..2u8, clause()).prop_map(|(file, text)| Step::Save(file, text)),
        1 => name().prop_map(|name| Step::Assert(format!(":- initialization('assertz({name})')."))),
        2 => (name(), name()).prop_map(|(key, value)| Step::Set(key, value)),
        2 => (1..3usize, whose()).prop_map(|(steps, whose)| Step::Undo(steps, whose)),
        1 => (1..3usize, whose()).prop_map(|(steps, whose)| Step::Redo(steps, whose)),
        1 => Just(Step::Reset),
    ]
}

/// The number of operations of each kind in the log.
fn operations(book: &Book) -> BTreeMap<&'static str, usize> {
    let mut counts = BTreeMap::new();
    for revision in book.journal() {
        let Revision { operation, .. } = &**revision;
        *counts.entry(operation.name()).or_default() += 1;
    }
    counts
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(150) })]

    /// Rounds of operations; those of one round run at the same time.
    #[test]
    fn all_books_and_engines_equal_the_log_and_what_was_answered_is_in_it_once(
        rounds in prop::collection::vec(prop::collection::vec(step(), 1..=3), 1..12),
        compacts in any::<bool>(),
        loses in prop::option::of(1..4usize),
    ) {
        let limits = Limits {
            journal_bytes: if compacts { 2_000 } else { u64::MAX },
            ..Limits::default()
        };
        let mut table = Table::with(3, limits);
        table.log.loses.set(loses);
        let mut asserted = 0;
        for round in rounds {
            let steps: Vec<(usize, Step)> = round.into_iter().enumerate().collect();
            let results = table.at_once(&steps);
            for ((_, step), result) in steps.iter().zip(results) {
                match (step, result) {
                    (Step::Assert(_), result) => {
                        prop_assert!(result.is_ok(), "{:?}", result);
                        asserted += 1;
                    }
                    (_, Err(fault)) => prop_assert!(
                        !matches!(fault.kind, FaultKind::StorageError | FaultKind::BadReply | FaultKind::EngineDied),
                        "{:?}: {:?}", step, fault
                    ),
                    _ => {}
                }
            }
        }
        let kept = table.kept();
        prop_assert_eq!(operations(&kept).get("assert").copied().unwrap_or(0), asserted);
        for member in 0..3 {
            let [book, engine, log] = table.states(member);
            prop_assert_eq!(&book, &log, "the book of {}", member);
            prop_assert_eq!(&engine, &log, "the engine of {}", member);
            let book = table.members[member].workspace.0.book.borrow();
            prop_assert!(book.cells().eq(kept.cells()));
            prop_assert!(book.predicates().eq(kept.predicates()));
            prop_assert_eq!(book.revision(), kept.revision());
            let from = book.forgotten().max(kept.forgotten()) + 1;
            for number in from..=kept.revision() {
                prop_assert_eq!(book.get_revision(number), kept.get_revision(number));
            }
        }
    }
}
