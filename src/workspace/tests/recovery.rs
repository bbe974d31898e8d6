use super::*;
use hornbook_book::EntryId;

fn with_clauses() -> Desk {
    let mut desk = Desk::new();
    desk.assert(&["p(1). p(2).", "q % no period"]);
    desk.import("f.pl", Some("% file\n:- op(700, xfx, =>).\nf(1).\n"))
        .unwrap();
    desk.ask("assertz(made), asserta(front)", 1).unwrap();
    desk
}

const CLAUSES: [&str; 6] = ["front", "p(1)", "p(2)", "q", "f(1)", "made"];

impl Desk {
    fn is_whole(&self) {
        let (engine, book) = self.both();
        let plain = |clause: &String| {
            let clause = clause.trim_start_matches("% file\n").trim();
            clause.split(". %").next().unwrap_or(clause).to_owned()
        };
        assert_eq!(engine.iter().map(plain).collect::<Vec<_>>(), CLAUSES);
        assert_eq!(book.iter().map(plain).collect::<Vec<_>>(), CLAUSES);
    }
}

#[test]
fn a_query_that_never_ends_is_stopped_within_the_grace_and_the_workspace_is_whole() {
    let mut desk = with_clauses();
    desk.open("p(X)", "one").unwrap();
    desk.open("p(X)", "two").unwrap();
    let begin = desk.workspace.now_ms();
    let start = QueryStart {
        query: "loop".into(),
        take: Some(1),
        timeout_ms: Some(1000),
        ..QueryStart::default()
    };
    let fault = desk.start(start).unwrap_err();
    assert_eq!(desk.workspace.now_ms() - begin, 1500);
    assert_eq!(fault.kind, FaultKind::Timeout);
    assert_eq!(
        fault.message,
        "The query was stopped after 1000 ms. The engine is restarted and the workspace is intact; \
         2 open queries will continue when asked for more."
    );
    desk.bench.settle();
    desk.is_whole();
    assert_eq!(desk.ask("p(X)", 9).unwrap().answers.len(), 2);
}

#[test]
fn a_query_that_takes_long_tells_for_how_long_it_has_run() {
    let mut desk = with_clauses();
    let heard = Rc::new(RefCell::new(Vec::new()));
    let ears = heard.clone();
    let control = Control {
        progress: Some(Rc::new(move |progress: Progress| {
            ears.borrow_mut().push((progress.done, progress.total));
        })),
        ..Control::default()
    };
    let start = QueryStart {
        query: "loop".into(),
        take: Some(1),
        timeout_ms: Some(2500),
        ..QueryStart::default()
    };
    desk.run(|workspace| async move { workspace.query_start(start, &control).await })
        .unwrap_err();
    assert_eq!(*heard.borrow(), [(1000, Some(2500)), (2000, Some(2500))]);
}

#[test]
fn the_next_engine_is_built_at_once_not_at_the_next_request() {
    let mut desk = with_clauses();
    desk.ask("die", 1).unwrap_err();
    let spawned = desk.bench.host.spawned.get();
    desk.bench.settle();
    desk.is_whole();
    assert!(desk.bench.host.spawned.get() <= spawned + 1);
}

#[test]
fn an_engine_that_dies_is_named_with_its_reason() {
    let mut desk = with_clauses();
    let fault = desk.ask("die", 1).unwrap_err();
    assert_eq!(fault.kind, FaultKind::OutOfMemory);
    assert_eq!(
        fault.message,
        "The query used up the memory of its engine, which is 2 GiB. The engine is restarted and the workspace is intact."
    );
    desk.assert(&["after"]);
    assert_eq!(at_once(desk.workspace.snapshot()).clause_count, 7);
}

#[test]
fn a_standby_engine_stands_in_and_is_replaced() {
    let mut desk = with_clauses();
    desk.ask("die", 1).unwrap_err();
    desk.bench.wait();
    assert_eq!(desk.bench.host.spawned.get(), 3);
    desk.ask("die", 1).unwrap_err();
    desk.bench.settle();
    desk.is_whole();
    assert_eq!(desk.bench.host.spawned.get(), 3);
    desk.bench.wait();
    assert_eq!(
        (desk.bench.host.spawned.get(), desk.bench.host.alive.get()),
        (4, 2)
    );
}

#[test]
fn an_engine_that_dies_while_it_loads_is_replaced_once() {
    let mut desk = with_clauses();
    desk.bench.host.script.die_loading.set(1);
    desk.ask("die", 1).unwrap_err();
    desk.bench.settle();
    desk.is_whole();
    // One death is no evidence against an entry.
    assert_eq!(notices(&mut desk), [""; 0]);
}

#[test]
fn when_no_engine_can_be_built_it_is_said_and_tried_again_at_the_next_request() {
    let mut desk = with_clauses();
    desk.bench.host.script.fail_spawning.set(4);
    desk.ask("die", 1).unwrap_err();
    desk.bench.settle();
    let fault = desk.ask("p(X)", 1).unwrap_err();
    assert_eq!(fault.kind, FaultKind::EngineUnavailable);
    let message = "No Prolog engine could be started: no worker. The workspace is intact.";
    assert_eq!(fault.message, message);
    assert_eq!(at_once(desk.workspace.snapshot()).clause_count, 6);
    assert_eq!(desk.ask("p(X)", 9).unwrap().answers.len(), 2);
    desk.is_whole();
}

#[test]
fn a_reset_needs_no_engine() {
    let mut desk = with_clauses();
    desk.bench.host.script.fail_spawning.set(2);
    desk.ask("die", 1).unwrap_err();
    desk.bench.settle();
    let reset = |workspace: Workspace| async move { workspace.reset(&Control::default()).await };
    assert_eq!(desk.run(reset).unwrap().clauses_removed, 6);
    desk.assert(&["new"]);
    desk.holds(&["new"]);
}

#[test]
fn an_addition_that_an_engine_does_not_survive_leaves_the_book_as_it_was() {
    let limits = Limits {
        step_items: 1,
        ..Limits::default()
    };
    let mut desk = Desk::with(Options {
        limits,
        ..Options::default()
    });
    desk.assert(&["before"]);
    desk.bench.host.script.die_at_more.set(Some(2));
    let texts = owned(&["a. b. c. d."]);
    let add =
        |workspace: Workspace| async move { workspace.assert_clauses(texts, &Control::default()).await };
    assert_eq!(desk.run(add).unwrap_err().kind, FaultKind::OutOfMemory);
    desk.bench.settle();
    desk.holds(&["before"]);
}

#[test]
fn a_clause_that_a_new_engine_refuses_is_named_and_set_aside() {
    let mut desk = with_clauses();
    *desk.bench.host.script.refuse_loading.borrow_mut() = Some("p(1".into());
    desk.ask("die", 1).unwrap_err();
    desk.bench.settle();
    let started = desk.open("p(X)", "x").unwrap();
    let [Notice(notice)] = &started.notices[..] else {
        panic!("{:?}", started.notices)
    };
    let named =
        "`p(1).` (asserted) could not be loaded and is set aside; the engine runs without it: bad clause.";
    assert!(notice.starts_with(named), "{notice}");
    assert_eq!(texts(&desk.next(None, Some(9)).unwrap()), ["p(2)."]);
    assert_eq!(desk.open("p(X)", "y").unwrap().notices, []);
    let snapshot = at_once(desk.workspace.snapshot());
    assert_eq!(snapshot.clause_count, 6);
    assert!(
        snapshot.text.lines().any(|line| line == "% p(1)."),
        "{}",
        snapshot.text
    );
    assert_eq!(statuses(&desk.retract(&["made"])), ["made ok"]);
}

#[test]
fn what_is_set_aside_is_taken_out_by_its_exact_text_and_comes_back_by_undo() {
    let mut desk = with_clauses();
    *desk.bench.host.script.refuse_loading.borrow_mut() = Some("p(1".into());
    desk.ask("die", 1).unwrap_err();
    desk.bench.settle();
    assert_eq!(statuses(&desk.retract(&["p(1)"])), ["p(1) ok"]);
    assert_eq!(at_once(desk.workspace.snapshot()).clause_count, 5);
    *desk.bench.host.script.refuse_loading.borrow_mut() = None;
    desk.undo(1).unwrap();
    assert_eq!(at_once(desk.workspace.snapshot()).clause_count, 6);
    desk.open("p(X)", "x").unwrap();
    assert_eq!(texts(&desk.next(None, Some(9)).unwrap()), ["p(1).", "p(2)."]);
}

#[test]
fn a_running_query_that_is_cancelled_ends_the_engine_at_once() {
    let mut desk = with_clauses();
    let control = Control::default();
    let cancel = control.cancel.clone();
    let workspace = desk.workspace.clone();
    let running = desk.bench.start(async move {
        let start = QueryStart {
            query: "loop".into(),
            take: Some(1),
            ..QueryStart::default()
        };
        workspace.query_start(start, &control).await
    });
    desk.bench.settle();
    cancel.cancel();
    desk.bench.settle();
    let fault = running.take().expect("a reply without waiting").unwrap_err();
    assert_eq!(fault.kind, FaultKind::Cancelled);
    desk.is_whole();
}

#[test]
fn a_waiting_request_that_is_cancelled_leaves_the_queue_and_others_go_on() {
    let mut desk = with_clauses();
    let (first, second) = (Control::default(), Control::default());
    let (end_first, end_second) = (first.cancel.clone(), second.cancel.clone());
    let ask = |query: &str, control: Control| {
        let (workspace, query) = (desk.workspace.clone(), query.to_owned());
        async move {
            let start = QueryStart {
                query,
                take: Some(9),
                ..QueryStart::default()
            };
            workspace.query_start(start, &control).await
        }
    };
    let (looping, waiting, last) = (
        ask("loop", first),
        ask("assertz(never)", second),
        ask("p(X)", Control::default()),
    );
    let looping = desk.bench.start(looping);
    let waiting = desk.bench.start(waiting);
    let last = desk.bench.start(last);
    desk.bench.settle();
    end_second.cancel();
    desk.bench.settle();
    assert_eq!(
        waiting.take().expect("left").unwrap_err().kind,
        FaultKind::Cancelled
    );
    assert!(looping.take().is_none());
    assert!(last.take().is_none());
    end_first.cancel();
    desk.bench.settle();
    let answers = last.take().expect("its turn").unwrap().answers.unwrap();
    assert_eq!(answers.answers.len(), 2);
    desk.is_whole();
}

#[test]
fn a_request_whose_caller_went_away_does_not_leave_a_half_changed_engine() {
    let mut desk = with_clauses();
    let workspace = desk.workspace.clone();
    let mut dropped = Box::pin(async move {
        let start = QueryStart {
            query: "loop".into(),
            take: Some(1),
            ..QueryStart::default()
        };
        workspace.query_start(start, &Control::default()).await
    });
    let polled = desk.bench.run(async move {
        let once = futures::poll!(&mut dropped).is_pending();
        drop(dropped);
        once
    });
    assert!(polled);
    desk.bench.settle();
    desk.is_whole();
    assert_eq!(desk.ask("p(X)", 9).unwrap().answers.len(), 2);
}

#[test]
fn an_edit_that_is_neither_committed_nor_kept_has_the_engine_built_again() {
    let mut desk = with_clauses();
    let before = desk.bench.host.spawned.get();
    desk.run(|workspace| async move {
        let turn = workspace.0.turn(&Control::default()).await.unwrap();
        turn.edit().keep();
    });
    desk.bench.settle();
    assert_eq!(desk.bench.host.spawned.get(), before);
    desk.run(|workspace| async move {
        let turn = workspace.0.turn(&Control::default()).await.unwrap();
        let _edit = turn.edit();
    });
    desk.bench.settle();
    assert!(desk.bench.host.spawned.get() > before);
    desk.is_whole();
}

#[test]
fn dropping_the_workspace_ends_its_engines() {
    let mut desk = with_clauses();
    desk.ask("die", 1).unwrap_err();
    desk.bench.wait();
    assert_eq!(desk.bench.host.alive.get(), 2);
    let Desk { mut bench, workspace } = desk;
    drop(workspace);
    bench.settle();
    assert_eq!(bench.host.alive.get(), 0);
}

/// The notices of a query that is started.
fn notices(desk: &mut Desk) -> Vec<String> {
    let started = desk.open("p(X)", "told").unwrap();
    desk.close(Some("told"));
    started.notices.into_iter().map(|Notice(notice)| notice).collect()
}

#[test]
fn a_clause_that_engines_die_of_is_found_and_set_aside_and_the_others_are_not() {
    let mut desk = with_clauses();
    desk.bench.host.script.die_of.borrow_mut().push("p(2".into());
    desk.ask("die", 1).unwrap_err();
    desk.bench.settle();
    let notices = notices(&mut desk);
    let [notice] = &notices[..] else {
        panic!("{notices:?}")
    };
    let named = "`p(2).` (asserted) could not be loaded and is set aside; the engine runs without it: an engine died of \
                 it (out of memory). Entries";
    assert!(notice.starts_with(named), "{notice}");
    assert_eq!(texts(&desk.ask("p(X)", 9).unwrap()), ["p(1)."]);
    assert_eq!(texts(&desk.ask("f(X)", 9).unwrap()), ["f(1)."]);
    assert_eq!(at_once(desk.workspace.snapshot()).clause_count, 6);
    // The next engines are not tried with it.
    let spawned = desk.bench.host.spawned.get();
    desk.ask("die", 1).unwrap_err();
    desk.bench.settle();
    assert_eq!(texts(&desk.ask("p(X)", 9).unwrap()), ["p(1)."]);
    assert!(desk.bench.host.spawned.get() <= spawned + 2);
}

#[test]
fn what_engines_die_of_is_retracted_and_comes_back_aside() {
    let mut desk = with_clauses();
    desk.bench.host.script.die_of.borrow_mut().push("p(2".into());
    desk.ask("die", 1).unwrap_err();
    desk.bench.settle();
    assert_eq!(statuses(&desk.retract(&["p(2)"])), ["p(2) ok"]);
    assert_eq!(at_once(desk.workspace.snapshot()).clause_count, 5);
    desk.undo(1).unwrap();
    assert_eq!(at_once(desk.workspace.snapshot()).clause_count, 6);
    desk.bench.settle();
    assert_eq!(texts(&desk.ask("p(X)", 9).unwrap()), ["p(1)."]);
}

#[test]
fn an_engine_starts_without_any_entry_when_engines_die_of_each() {
    let mut desk = with_clauses();
    desk.bench.host.script.die_of.borrow_mut().push(".".into());
    desk.ask("die", 1).unwrap_err();
    desk.bench.settle();
    let notices = notices(&mut desk);
    assert!(
        notices[0].contains("The same holds for 6 other entries."),
        "{notices:?}"
    );
    let started = desk.bench.host.spawned.get();
    assert!(started < 40, "{started} engines");
    desk.bench.host.script.die_of.borrow_mut().clear();
    desk.assert(&["new"]);
    assert_eq!(desk.bench.host.clauses(), ["new"]);
}

#[test]
fn names_that_another_engine_corrects_meanwhile_are_not_left_in_an_engine_that_is_being_loaded() {
    let mut desk = Desk::new();
    desk.assert(&["p(1)."]);
    let named = |name: &str| Predicate {
        name: name.to_owned(),
        arity: 1,
    };
    let book = desk.workspace.0.book.clone();
    book.borrow_mut().rename(EntryId(1), named("old"));
    // The other engine's reading comes in while this one is told what the book knows.
    let mut names = Some(named("p"));
    *desk.bench.host.script.alter.borrow_mut() = Some(Box::new(move |asked, reply| {
        if let Some(name) = names.take_if(|_| asked.starts_with("declare(")) {
            book.borrow_mut().rename(EntryId(1), name);
        }
        reply
    }));
    desk.bench.host.end_all();
    desk.ask("p(X)", 1).unwrap();
    assert_eq!(desk.bench.host.known(), ["p/1"]);
}
