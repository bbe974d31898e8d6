use futures::channel::oneshot;

use super::*;

fn kept() -> (Rc<MemoryStore>, Desk) {
    let store = Rc::new(MemoryStore::default());
    let mut desk = Desk::keeping(&store, Options::default());
    desk.assert(&["p(1). p(2)."]);
    (store, desk)
}

/// The clauses of the book in a store.
fn reopened(store: &Rc<MemoryStore>) -> Vec<String> {
    let copy = Rc::new(MemoryStore::holding(&store.bytes.borrow()));
    Desk::keeping(&copy, Options::default()).both().1
}

#[test]
fn another_process_has_the_book_with_its_engine() {
    let (store, mut desk) = kept();
    desk.import("f.pl", Some(":- dynamic(d/1).\nf(1).\n")).unwrap();
    desk.ask("asserta(front)", 1).unwrap();
    desk.retract(&["p(1)"]);
    let mut other = Desk::keeping(&store, Options::default());
    other.holds(&["front", "p(2)", "f(1)"]);
    assert_eq!(other.workspace.files().len(), 1);
    assert_eq!(
        at_once(other.workspace.symbols()),
        at_once(desk.workspace.symbols())
    );
    other.assert(&["after"]);
    assert_eq!(reopened(&store), ["front", "p(2)", "f(1)", "after"]);
}

#[test]
fn an_operation_that_cannot_be_kept_is_a_fault_and_book_and_engine_are_as_before() {
    let (store, mut desk) = kept();
    store.space.set(Some(store.bytes.borrow().len() + 30));
    let before = store.text();
    let texts = owned(&["q"]);
    let add =
        |workspace: Workspace| async move { workspace.assert_clauses(texts, &Control::default()).await };
    let fault = desk.run(add).unwrap_err();
    assert_eq!(fault.kind, FaultKind::StorageError);
    assert_eq!(
        fault.message,
        "This could not be saved, and was not carried out: no space is left on the device."
    );
    let faults = [
        desk.import("f.pl", Some("f(1).\n")).unwrap_err(),
        desk.ask("assertz(q)", 1).unwrap_err(),
        desk.run(|workspace| async move { workspace.reset(&Control::default()).await })
            .unwrap_err(),
    ];
    assert!(faults.iter().all(|fault| fault.kind == FaultKind::StorageError));
    desk.bench.settle();
    desk.holds(&["p(1)", "p(2)"]);
    assert_eq!(store.text(), before);
    store.space.set(None);
    desk.assert(&["q"]);
    desk.holds(&["p(1)", "p(2)", "q"]);
    assert_eq!(reopened(&store), ["p(1)", "p(2)", "q"]);
}

#[test]
fn the_reply_waits_until_the_operation_is_kept() {
    let (store, mut desk) = kept();
    let (open, gate) = oneshot::channel();
    store.gate.replace(Some(gate));
    let workspace = desk.workspace.clone();
    let adding = desk.bench.start(async move {
        let texts = owned(&["q"]);
        workspace.assert_clauses(texts, &Control::default()).await
    });
    desk.bench.settle();
    assert!(adding.take().is_none());
    assert_eq!(desk.snapshot(), "p(1).\np(2).");
    open.send(()).unwrap();
    desk.bench.settle();
    assert!(adding.take().expect("the reply").is_ok());
    desk.holds(&["p(1)", "p(2)", "q"]);
}

#[test]
fn a_change_is_told_that_the_query_it_waited_for_had_ended() {
    let (store, mut desk) = kept();
    let (open, gate) = oneshot::channel();
    store.gate.replace(Some(gate));
    let workspace = desk.workspace.clone();
    let query = QueryStart {
        query: "assertz(made)".into(),
        query_id: Some("q8".into()),
        take: Some(1),
        ..QueryStart::default()
    };
    let asking = (desk.bench).start(async move { workspace.query_start(query, &Control::default()).await });
    desk.bench.settle();
    assert!(asking.take().is_none());
    let workspace = desk.workspace.clone();
    let adding =
        (desk.bench).start(async move { workspace.assert_clauses(owned(&["q"]), &Control::default()).await });
    desk.bench.settle();
    let clock = desk.bench.clock.clone();
    desk.bench.run(async move { clock.sleep(2_000).await });
    open.send(()).unwrap();
    desk.bench.settle();
    let Notice(told) = &adding.take().expect("the reply").expect("added").notices[0];
    assert!(
        told.starts_with("This waited 2.0 s for query q8, which had ended 2.0 s before:"),
        "{told}"
    );
}

#[test]
fn an_operation_whose_caller_went_away_while_it_was_kept_is_carried_out() {
    let (store, mut desk) = kept();
    let heard = listen(&desk.workspace);
    let (open, gate) = oneshot::channel();
    store.gate.replace(Some(gate));
    let workspace = desk.workspace.clone();
    let (leave, left) = oneshot::channel::<()>();
    desk.bench.start(async move {
        let adding =
            Box::pin(async move { workspace.assert_clauses(owned(&["q"]), &Control::default()).await });
        futures::future::select(adding, left).await;
    });
    desk.bench.settle();
    leave.send(()).unwrap();
    desk.bench.settle();
    assert_eq!(desk.snapshot(), "p(1).\np(2).");
    open.send(()).unwrap();
    desk.bench.settle();
    desk.holds(&["p(1)", "p(2)", "q"]);
    assert_eq!(reopened(&store), ["p(1)", "p(2)", "q"]);
    assert_eq!(heard.borrow().len(), 1);
}

#[test]
fn what_was_cut_off_the_book_is_told_with_the_first_reply() {
    let (store, mut desk) = kept();
    // The first line as a crash leaves it: nobody got a reply for what follows.
    let head = store.text().split_inclusive('\n').next().unwrap().to_owned();
    desk.assert(&["q"]);
    let text = store.text();
    let torn = format!("{head}{}", &text[head.len()..text.len() - 1]);
    let torn = Rc::new(MemoryStore::holding(torn.as_bytes()));
    let mut desk = Desk::keeping(&torn, Options::default());
    desk.holds(&["p(1)", "p(2)"]);
    let notices = desk.assert(&["r"]).notices;
    assert_eq!(notices.len(), 1, "{notices:?}");
    assert!(notices[0].0.starts_with("memory ended in the middle of a record"));
    assert_eq!(desk.assert(&["s"]).notices, []);
    assert_eq!(reopened(&torn), ["p(1)", "p(2)", "r", "s"]);
}

#[test]
fn revisions_beyond_the_limit_are_forgotten_when_the_journal_is_written_anew() {
    let store = Rc::new(MemoryStore::default());
    let limits = Limits {
        journal_bytes: 4_000,
        history: 3,
        ..Limits::default()
    };
    let options = Options {
        limits,
        ..Options::default()
    };
    let mut desk = Desk::keeping(&store, options.clone());
    let mut round = 0;
    while store.replaced.get() == 1 {
        desk.assert(&[&format!("n({round})")]);
        round += 1;
    }
    desk.retract(&["n(0)"]);
    let mut desk = Desk::keeping(&store, options);
    let history = desk.workspace.history(100, None).unwrap();
    let told: Vec<u64> = history.revisions.iter().map(|info| info.event.revision).collect();
    assert_eq!(told, [round + 1, round, round - 1, round - 2]);
    assert_eq!((history.revision, history.undoable), (round + 1, 4));
    let origins = at_once(desk.workspace.provenance("n(0)")).unwrap();
    let clause = &origins.clauses[0];
    assert_eq!((&clause.added, clause.added_until), (&None, Some(round - 3)));
    assert_eq!(
        clause.removed.as_ref().map(|event| event.revision),
        Some(round + 1)
    );
    assert_eq!(
        at_once(desk.workspace.provenance("n(1)")).unwrap().clauses.len(),
        1
    );
    assert_eq!(
        at_once(desk.workspace.diff(Some(round - 3), None)).unwrap().added,
        3
    );
    let fault = at_once(desk.workspace.diff(Some(1), None)).unwrap_err();
    let oldest = round - 3;
    assert_eq!(
        fault.message,
        format!("Revision 1 is no longer kept: the oldest one is {oldest}.")
    );
    assert_eq!(desk.undo(usize::MAX).unwrap().revisions.len(), 4);
    assert_eq!(at_once(desk.workspace.snapshot()).clause_count as u64, oldest);
    assert_eq!(desk.undo(1).unwrap_err().message, "There is nothing to undo.");
    assert_eq!(reopened(&store).len() as u64, oldest);
}

#[test]
fn an_undo_that_cannot_be_kept_stops_there_and_the_engine_follows() {
    let (store, mut desk) = kept();
    desk.assert(&["q"]);
    desk.retract(&["p(1)", "p(2)", "q"]);
    store.space.set(Some(store.bytes.borrow().len() + 250));
    let undone = desk.undo(3).unwrap();
    assert_eq!(undone.revisions.len(), 1);
    assert_eq!(
        undone.notices.last().expect("told").0,
        "This was only partly done. This could not be saved, and was not carried out: no space is left on the device."
    );
    desk.holds(&["p(1)", "p(2)", "q"]);
    assert_eq!(reopened(&store), ["p(1)", "p(2)", "q"]);
    assert_eq!(desk.undo(1).unwrap_err().kind, FaultKind::StorageError);
    desk.holds(&["p(1)", "p(2)", "q"]);
    store.space.set(None);
    desk.undo(2).unwrap();
    desk.holds(&[]);
}
