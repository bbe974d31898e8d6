//! Queries in engines beside the first, while a query that never ends has the turn of the book.

use std::cell::Cell;

use super::*;
use hornbook_engine::Capacity;

type Started = Rc<Cell<Option<Result<QueryStarted, Fault>>>>;

impl Desk {
    fn of_two() -> Desk {
        let mut desk = Desk::with(Options {
            engines: 2,
            ..Options::default()
        });
        desk.assert(&["p(1).", "p(2).", "p(3)."]);
        desk
    }

    /// Begin a query of this client.
    fn begin(&mut self, query: &str, client: u64, take: usize) -> Started {
        let start = QueryStart {
            query: query.to_owned(),
            query_id: Some(query.to_owned()),
            take: Some(take),
            timeout_ms: Some(5_000),
            ..QueryStart::default()
        };
        let (workspace, control) = (self.workspace.clone(), of(client));
        self.bench
            .start(async move { workspace.query_start(start, &control).await })
    }

    /// Let time pass.
    fn pass(&mut self, ms: u64) {
        let clock = self.bench.clock.clone();
        self.bench.run(async move { clock.sleep(ms).await });
        self.bench.settle();
    }

    fn spawned(&self) -> usize {
        self.bench.host.spawned.get()
    }
}

fn of(client: u64) -> Control {
    Control {
        client,
        ..Control::default()
    }
}

fn answers(started: &Started) -> Vec<String> {
    let started = started.take().expect("an answer by now").expect("answers");
    let answers = started.answers.expect("answers");
    texts(&answers)
        .into_iter()
        .map(|text| text.trim_end_matches('.').to_owned())
        .collect()
}

#[test]
fn a_short_query_is_answered_beside_a_long_one_and_one_agent_has_one_engine() {
    let mut desk = Desk::of_two();
    desk.ask("p(X)", 9).unwrap();
    assert_eq!(desk.spawned(), 1);
    let long = desk.begin("loop", 1, 1);
    let short = desk.begin("p(X)", 2, 9);
    desk.pass(100);
    assert_eq!(answers(&short), ["p(1)", "p(2)", "p(3)"]);
    assert_eq!(desk.spawned(), 2);
    // One client may ask for two things at a time.
    let own = desk.begin("p(X)", 1, 2);
    desk.pass(100);
    assert_eq!(answers(&own), ["p(1)", "p(2)"]);
    assert_eq!(desk.spawned(), 2);
    assert_eq!(desk.bench.host.firsts.get(), 1);
    assert!(long.take().is_none());
    desk.pass(6_000);
    let fault = long.take().expect("ended").unwrap_err();
    assert_eq!(fault.kind, FaultKind::Timeout);
    // A query that is open in another engine continues there.
    assert_eq!(texts(&desk.next(Some("p(X)"), Some(9)).unwrap()), ["p(3)."]);
}

#[test]
fn a_query_that_yields_leaves_the_free_first_engine_to_changes() {
    let mut desk = Desk::of_two();
    desk.ask("p(X)", 9).unwrap();
    let start = QueryStart {
        query: "loop".to_owned(),
        take: Some(1),
        timeout_ms: Some(5_000),
        yields: true,
        ..QueryStart::default()
    };
    let (workspace, control) = (desk.workspace.clone(), of(1));
    let long: Started = desk
        .bench
        .start(async move { workspace.query_start(start, &control).await });
    desk.pass(1_000);
    desk.assert(&["p(4)."]);
    assert!(long.take().is_none());
    assert_eq!(desk.spawned(), 2);
}

#[test]
fn a_change_does_not_wait_for_a_query_where_queries_have_waited_for_each_other() {
    let mut desk = Desk::of_two();
    let first = desk.begin("loop", 1, 1);
    let short = desk.begin("p(X)", 2, 9);
    desk.pass(6_000);
    assert_eq!(answers(&short), ["p(1)", "p(2)", "p(3)"]);
    first.take().expect("ended").unwrap_err();
    let long = desk.begin("loop", 3, 1);
    desk.pass(1_000);
    desk.assert(&["p(4)."]);
    assert!(long.take().is_none());
    // Nor does a query, for long: it takes the first engine if no other is to be had.
    let short = desk.begin("p(Y)", 2, 9);
    desk.pass(300);
    assert_eq!(answers(&short), ["p(1)", "p(2)", "p(3)", "p(4)"]);
    // Long after, an agent that asks one thing at a time uses the first engine again.
    desk.pass(120_000);
    let began = desk.bench.host.requests.borrow().len();
    desk.ask("p(Z)", 9).unwrap();
    let requests = desk.bench.host.requests.borrow();
    assert!(
        requests[began..]
            .iter()
            .all(|request| !request.starts_with("beside(query"))
    );
}

#[test]
fn a_change_is_in_every_engine_before_the_next_query_there() {
    let mut desk = Desk::of_two();
    let long = desk.begin("loop", 1, 1);
    let short = desk.begin("p(X)", 2, 1);
    desk.pass(6_000);
    assert_eq!(answers(&short), ["p(1)"]);
    long.take().expect("ended").unwrap_err();
    desk.assert(&["p(4)."]);
    desk.retract(&["p(2)."]);
    desk.import("f.pl", Some("p(5).\n")).unwrap();
    let short = desk.begin("p(Y)", 2, 9);
    desk.pass(100);
    assert_eq!(answers(&short), ["p(1)", "p(3)", "p(4)", "p(5)"]);
    assert!(
        desk.bench
            .host
            .requests
            .borrow()
            .iter()
            .any(|request| request.starts_with("beside(query"))
    );
}

#[test]
fn a_query_that_comes_to_change_clauses_waits_for_the_first_engine() {
    let mut desk = Desk::of_two();
    let _long = desk.begin("loop", 1, 1);
    let change = desk.begin("assertz(made)", 2, 1);
    desk.pass(1_000);
    assert!(change.take().is_none());
    assert!(
        desk.bench
            .host
            .requests
            .borrow()
            .iter()
            .any(|request| request.starts_with("beside(query"))
    );
    desk.pass(6_000);
    let started = change.take().expect("an answer").expect("answers");
    assert_eq!(started.answers.expect("answers").added, 1);
    assert_eq!(desk.both().1, ["p(1)", "p(2)", "p(3)", "made"]);
}

#[test]
fn what_a_client_asks_behind_its_own_change_waits_for_that() {
    let mut desk = Desk::of_two();
    let _long = desk.begin("loop", 1, 1);
    let workspace = desk.workspace.clone();
    let asserted = desk.bench.start(async move {
        let text = owned(&["p(4)."]);
        workspace.assert_clauses(text, &of(2)).await
    });
    let behind = desk.begin("p(X)", 2, 9);
    let other = desk.begin("p(Y)", 3, 9);
    desk.pass(100);
    assert!(behind.take().is_none());
    assert_eq!(answers(&other), ["p(1)", "p(2)", "p(3)"]);
    desk.pass(6_000);
    asserted.take().expect("asserted").unwrap();
    assert_eq!(answers(&behind), ["p(1)", "p(2)", "p(3)", "p(4)"]);
}

#[test]
fn an_engine_that_ends_takes_its_own_queries_alone() {
    let mut desk = Desk::of_two();
    desk.open("p(X)", "first").unwrap();
    let _long = desk.begin("loop", 1, 1);
    let beside = desk.begin("p(Y)", 2, 1);
    desk.pass(100);
    assert_eq!(answers(&beside), ["p(1)"]);
    let died = desk.begin("die", 2, 1);
    desk.pass(100);
    let fault = died.take().expect("ended").unwrap_err();
    assert_eq!(fault.kind, FaultKind::OutOfMemory);
    assert!(
        fault.message.contains("1 open query will continue"),
        "{}",
        fault.message
    );
    desk.pass(6_000);
    // The long query has now ended its engine: both continue.
    assert_eq!(texts(&desk.next(Some("p(Y)"), Some(1)).unwrap()), ["p(2)."]);
    assert_eq!(
        texts(&desk.next(Some("first"), Some(9)).unwrap()),
        ["p(1).", "p(2).", "p(3)."]
    );
}

#[test]
fn a_reset_closes_queries_everywhere_and_an_engine_that_nobody_uses_is_ended() {
    let mut desk = Desk::of_two();
    let _long = desk.begin("loop", 1, 1);
    let beside = desk.begin("p(X)", 2, 1);
    desk.pass(6_000);
    assert_eq!(answers(&beside), ["p(1)"]);
    let reset = desk.run(|workspace| async move { workspace.reset(&Control::default()).await });
    assert_eq!(reset.unwrap().queries_closed, 1);
    let fault = desk.next(Some("p(X)"), None).unwrap_err();
    assert_eq!(fault.kind, FaultKind::NoSuchQuery);
    let alive = desk.bench.host.alive.get();
    desk.bench.clock.step.set(120_000);
    desk.workspace.now_ms();
    desk.bench.clock.step.set(0);
    desk.assert(&["q."]);
    assert_eq!(desk.bench.host.alive.get(), alive - 1);
}

#[test]
fn the_books_of_a_process_share_the_engines_beside_and_those_that_are_idle_change_hands() {
    let mut desk = Desk::of_two();
    // One core has four engines beside the first.
    desk.bench.capacity = Capacity::of(1);
    let options = Options {
        engines: 2,
        ..Options::default()
    };
    let mut books = Vec::new();
    for _ in 0..5 {
        desk.workspace = desk.bench.open(options.clone());
        desk.assert(&["p(1)."]);
        books.push(desk.workspace.clone());
    }
    let spawned = desk.spawned();
    let mut begun = Vec::new();
    for book in &books {
        desk.workspace = book.clone();
        begun.push((desk.begin("loop", 1, 1), desk.begin("p(X)", 2, 9)));
        desk.pass(50);
    }
    desk.pass(1_000);
    assert_eq!(desk.spawned() - spawned, 4);
    for (_, short) in &begun[..4] {
        assert_eq!(answers(short), ["p(1)"]);
    }
    let (long, short) = &begun[4];
    assert!(long.take().is_none() && short.take().is_none());
    // It waits for the first engine of its book, which ends.
    desk.pass(6_000);
    assert_eq!(answers(short), ["p(1)"]);
    desk.pass(11_000);
    let long = desk.begin("loop", 1, 1);
    let short = desk.begin("p(X)", 2, 9);
    desk.pass(1_000);
    assert_eq!(answers(&short), ["p(1)"]);
    assert!(long.take().is_none());
}
