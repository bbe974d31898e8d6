//! Queries in engines beside the first, while a query that never ends has the turn of the book.

use std::cell::Cell;

use super::*;
use hornbook_base::Priority;
use hornbook_engine::Capacity;
use hornbook_engine::scripted::written;
use serde_json::json;

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
        self.begin_as(query, of(client), take)
    }

    /// Six clients begin queries that take long, which are returned. What another asks meanwhile is answered at once.
    fn short_beside_six_long(&mut self) -> Vec<Started> {
        let long = (1..=6)
            .map(|client| self.begin(&format!("long, n({client})"), client, 1))
            .collect();
        self.pass(1_000);
        for at in 0..20 {
            let short = self.begin(&format!("p(X{at})"), 9, 9);
            self.bench.settle();
            assert_eq!(answers(&short), ["p(1)", "p(2)", "p(3)"], "number {at}");
        }
        long
    }

    fn begin_as(&mut self, query: &str, control: Control, take: usize) -> Started {
        let start = QueryStart {
            query: query.to_owned(),
            query_id: Some(query.to_owned()),
            take: Some(take),
            timeout_ms: Some(5_000),
            ..QueryStart::default()
        };
        let workspace = self.workspace.clone();
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
fn a_query_of_low_priority_leaves_the_free_first_engine_to_changes() {
    let mut desk = Desk::of_two();
    desk.ask("p(X)", 9).unwrap();
    let low = Control {
        priority: Priority::Low,
        ..of(1)
    };
    let long = desk.begin_as("loop", low, 1);
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
fn an_engine_beside_the_first_does_not_keep_what_the_next_first_one_dies_of() {
    let mut desk = Desk::of_two();
    let long = desk.begin("loop", 1, 1);
    let short = desk.begin("p(X)", 2, 9);
    desk.pass(100);
    assert_eq!(answers(&short), ["p(1)", "p(2)", "p(3)"]);
    desk.bench.host.script.die_of.borrow_mut().push("p(2".into());
    // The long query ends the first engine.
    desk.pass(6_000);
    long.take().expect("ended").unwrap_err();
    assert_eq!(desk.workspace.book().aside().len(), 1);
    let short = desk.begin("p(Y)", 2, 9);
    desk.pass(100);
    assert_eq!(answers(&short), ["p(1)", "p(3)"]);
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

/// A book whose queries have waited for each other, and whose engine beside the first is there.
fn contended() -> Desk {
    let mut desk = Desk::of_two();
    let long = desk.begin("loop", 1, 1);
    let short = desk.begin("p(X)", 2, 9);
    desk.pass(6_000);
    assert_eq!(answers(&short).len(), 3);
    long.take().expect("ended").unwrap_err();
    desk
}

#[test]
fn long_queries_leave_the_first_engine_to_what_is_short_and_to_changes() {
    let mut desk = contended();
    let spawned = desk.spawned();
    let long = desk.short_beside_six_long();
    desk.assert(&["p(4)."]);
    // Two of them work, as many as the book may have engines: one more started for them.
    assert_eq!(desk.spawned() - spawned, 1);
    assert!(long.iter().all(|one| one.take().is_none()));
    desk.pass(20_000);
    assert!(
        long.iter()
            .all(|one| one.take().is_some_and(|ended| ended.is_err()))
    );
}

#[test]
fn a_query_in_the_first_engine_for_a_moment_may_still_come_to_change_clauses() {
    let mut desk = contended();
    let _long = desk.begin("loop", 1, 1);
    let change = desk.begin("assertz(made)", 2, 1);
    desk.bench.settle();
    let started = change.take().expect("an answer").expect("answers");
    assert_eq!(started.answers.expect("answers").added, 1);
    assert_eq!(desk.both().1, ["p(1)", "p(2)", "p(3)", "made"]);
}

#[test]
fn a_query_of_high_priority_goes_before_those_that_wait_but_not_before_a_change_of_its_client() {
    let mut desk = Desk::with(Options::default());
    desk.assert(&["p(1)."]);
    let _long = desk.begin("loop", 1, 1);
    let high = |client| Control {
        priority: Priority::High,
        ..of(client)
    };
    let workspace = desk.workspace.clone();
    let waits = desk.bench.start(async move {
        let text = owned(&["p(2)."]);
        workspace.assert_clauses(text, &of(2)).await
    });
    let (before, behind) = (
        desk.begin_as("p(X)", high(3), 9),
        desk.begin_as("p(Y)", high(2), 9),
    );
    desk.pass(1_000);
    assert!(waits.take().is_none());
    desk.pass(6_000);
    waits.take().expect("asserted").unwrap();
    assert_eq!(answers(&before), ["p(1)"]);
    assert_eq!(answers(&behind), ["p(1)", "p(2)"]);
}

#[test]
fn closing_a_query_beside_the_first_engine_does_not_wait_for_another_one_there() {
    let mut desk = Desk::of_two();
    let _first = desk.begin("loop", 1, 1);
    let open = desk.begin("p(X)", 2, 1);
    desk.pass(100);
    assert_eq!(answers(&open), ["p(1)"]);
    let _second = desk.begin("loop, n(2)", 3, 1);
    desk.pass(100);
    let workspace = desk.workspace.clone();
    let closed = desk
        .bench
        .start(async move { workspace.query_close(Some("p(X)"), &of(2)).await });
    desk.bench.settle();
    assert!(closed.take().expect("closed by now").unwrap().was_open);
    assert_eq!(desk.bench.host.count("close"), 0);
}

#[test]
fn an_open_query_that_comes_to_take_long_stays_in_its_engine() {
    let mut desk = contended();
    let busy = desk.begin("loop", 1, 1);
    let open = desk.begin("p(X)", 2, 1);
    desk.bench.settle();
    assert_eq!(answers(&open), ["p(1)"]);
    let long = desk.begin("long, n(2)", 3, 1);
    desk.pass(1_000);
    *desk.bench.host.script.alter.borrow_mut() = Some(Box::new(|request, reply| {
        match request.contains("next(") && request.contains(",0.020,") {
            true => written(json!({"ok": true, "answers": [], "more": false,
                "error": {"kind": "timeout", "message": "late"}})),
            false => reply,
        }
    }));
    let next = QueryNext {
        query_id: Some("p(X)".to_owned()),
        take: Some(9),
        ..QueryNext::default()
    };
    let workspace = desk.workspace.clone();
    let rest = desk
        .bench
        .start(async move { workspace.query_next(next, &of(2)).await });
    desk.bench.settle();
    assert!(busy.take().is_none() && long.take().is_none());
    let rest = rest.take().expect("an answer by now").expect("answers");
    assert_eq!(texts(&rest), ["p(2).", "p(3)."]);
}

#[test]
fn what_is_short_does_not_wait_even_when_the_first_queries_of_all_are_long() {
    let mut desk = Desk::of_two();
    let long = desk.short_beside_six_long();
    assert_eq!(desk.spawned(), 3);
    assert!(long.iter().all(|one| one.take().is_none()));
}
