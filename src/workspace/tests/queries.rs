use super::*;

fn with_facts() -> Desk {
    let mut desk = Desk::new();
    desk.assert(&["p(1). p(2). p(3)."]);
    desk
}

#[test]
fn answers_are_taken_a_few_at_a_time_and_their_end_is_told_again_and_again() {
    let mut desk = with_facts();
    let started = desk.open("p(X)", "mine").unwrap();
    assert_eq!((started.variables, started.answers), (vec!["X".to_owned()], None));
    let answers = desk.next(None, None).unwrap();
    assert_eq!((texts(&answers), answers.more), (vec!["p(1)."], true));
    let answers = desk.next(Some("mine"), Some(5)).unwrap();
    assert_eq!((texts(&answers), answers.more), (vec!["p(2).", "p(3)."], false));
    for id in [None, Some("mine"), None] {
        let answers = desk.next(id, None).unwrap();
        assert_eq!(
            (answers.query_id.as_str(), answers.answers.len(), answers.more),
            ("mine", 0, false)
        );
    }
    assert_eq!(desk.bench.host.count("next("), 2);
}

#[test]
fn several_queries_are_open_at_once_and_the_newest_is_meant_though_it_is_closed() {
    let mut desk = with_facts();
    desk.open("p(X)", "first").unwrap();
    let second = desk.ask("p(X)", 1).unwrap();
    assert_eq!(second.query_id, "q2");
    assert_eq!(texts(&desk.next(Some("first"), None).unwrap()), ["p(1)."]);
    assert_eq!(desk.next(None, None).unwrap().query_id, "q2");
    assert_eq!(
        desk.close(None),
        QueryClosed {
            query_id: Some("q2".into()),
            was_open: true
        }
    );
    let fault = desk.next(None, None).unwrap_err();
    assert_eq!(
        (fault.kind, fault.message.as_str()),
        (
            FaultKind::NoSuchQuery,
            "The newest query is not open: it could not be started, or was closed."
        )
    );
    assert_eq!(texts(&desk.next(Some("first"), None).unwrap()), ["p(2)."]);
}

#[test]
fn closing_what_is_not_open_is_no_fault() {
    let mut desk = with_facts();
    assert_eq!(
        desk.next(None, None).unwrap_err().message,
        "No query was started here."
    );
    assert_eq!(
        desk.close(None),
        QueryClosed {
            query_id: None,
            was_open: false
        }
    );
    assert_eq!(
        desk.close(Some("x")),
        QueryClosed {
            query_id: Some("x".into()),
            was_open: false
        }
    );
    desk.ask("p(X)", 9).unwrap();
    assert_eq!(
        desk.close(None),
        QueryClosed {
            query_id: Some("q1".into()),
            was_open: false
        }
    );
}

#[test]
fn both_modes_are_the_same() {
    let mut desk = with_facts();
    let mut answers = |use_engine| {
        let query = "p(X)".to_owned();
        let start = QueryStart {
            query,
            use_engine,
            take: Some(9),
            ..QueryStart::default()
        };
        let started = desk.start(start).unwrap();
        (started.use_engine, texts(&started.answers.unwrap()).join(" "))
    };
    assert_eq!(answers(Some(false)), (false, "p(1). p(2). p(3).".to_owned()));
    assert_eq!(answers(None), (true, "p(1). p(2). p(3).".to_owned()));
}

#[test]
fn an_id_in_use_is_a_fault_and_of_too_many_queries_the_idlest_is_closed() {
    let limits = Limits {
        open_queries: 2,
        ..Limits::default()
    };
    let mut desk = Desk::with(Options {
        limits,
        ..Options::default()
    });
    desk.assert(&["p(1). p(2)."]);
    desk.open("p(X)", "a").unwrap();
    let fault = desk.open("p(X)", "a").unwrap_err();
    assert_eq!(
        (fault.kind, fault.message.as_str()),
        (FaultKind::QueryIdInUse, "A query with the id a is open.")
    );
    desk.open("p(X)", "b").unwrap();
    // A query without choice points does not cost another its place.
    desk.ask("p(2)", 9).unwrap();
    desk.next(Some("a"), Some(1)).unwrap();
    let started = desk.open("p(X)", "c").unwrap();
    assert_eq!(
        started.notices,
        [Notice(
            "Query b, last asked just now, was closed: at most 2 queries may be open (limit: open_queries = 2)."
                .into()
        )]
    );
    let open: Vec<String> = desk
        .workspace
        .open_queries(&Control::default())
        .into_iter()
        .map(|query| format!("{} {} {}", query.query_id, query.query, query.solutions))
        .collect();
    assert_eq!(open, ["a p(X) 1", "c p(X) 0"]);
    let fault = desk.next(Some("b"), None).unwrap_err();
    assert_eq!(
        (fault.kind, fault.message.as_str()),
        (
            FaultKind::QueryStopped,
            "Query b ended just now after 0 solutions: it had been idle longest when the limit of 2 open queries was exceeded."
        )
    );
}

#[test]
fn what_passes_a_limit_is_not_sent() {
    let mut desk = with_facts();
    let mut refused = |start: QueryStart| desk.start(start).unwrap_err();
    let query = || "p(X)".to_owned();
    let fault = refused(QueryStart {
        query: query(),
        take: Some(1001),
        ..QueryStart::default()
    });
    assert_eq!(
        fault.message,
        "take must be from 1 to 1000, not 1001 (limit: take = 1000)."
    );
    let fault = refused(QueryStart {
        query: query(),
        take: Some(0),
        ..QueryStart::default()
    });
    assert_eq!(fault.kind, FaultKind::LimitReached);
    let fault = refused(QueryStart {
        query: query(),
        timeout_ms: Some(600_001),
        ..QueryStart::default()
    });
    assert_eq!(
        fault.message,
        "timeout_ms must be from 1 to 600000, not 600001 (limit: longest_timeout_ms = 600000)."
    );
    let fault = refused(QueryStart {
        query: query(),
        query_id: Some(" ".into()),
        ..QueryStart::default()
    });
    assert_eq!(
        fault.message,
        "The query_id is empty or too long (limit: query_id_chars = 100)."
    );
    let fault = refused(QueryStart {
        query: " ".into(),
        ..QueryStart::default()
    });
    assert_eq!(fault.message, "The query is empty.");
    let fault = refused(QueryStart {
        query: "(".repeat(2000),
        ..QueryStart::default()
    });
    assert_eq!(
        fault.message,
        "The query is nested too deeply (limit: nesting = 1000)."
    );
    let fault = refused(QueryStart {
        query: "é".repeat(100_001),
        ..QueryStart::default()
    });
    assert_eq!(
        fault.message,
        "The query has more characters than are allowed (limit: query_chars = 100000)."
    );
    assert_eq!(desk.bench.host.count("query("), 0);
}

#[test]
fn a_refused_query_is_not_opened_and_says_where() {
    let mut desk = with_facts();
    let fault = desk.ask("bad(", 1).unwrap_err();
    assert_eq!(
        (fault.kind, fault.line, fault.column),
        (FaultKind::SyntaxError, Some(1), Some(2))
    );
    assert_eq!(desk.next(None, None).unwrap_err().kind, FaultKind::NoSuchQuery);
}

#[test]
fn an_unknown_procedure_is_named_with_near_names() {
    let mut desk = Desk::new();
    desk.assert(&["parent(a, b)."]);
    let fault = desk.ask("unknown(parnet/2)", 1).unwrap().fault.expect("a fault");
    assert_eq!(fault.message, "Unknown procedure: parnet/2.");
    assert_eq!(fault.next, "Did you mean parent/2?");
    let fault = desk.ask("unknown(apend/3)", 1).unwrap().fault.expect("a fault");
    assert_eq!(fault.next, "Did you mean append/3?");
    let fault = desk.ask("unknown(zzz/3)", 1).unwrap().fault.expect("a fault");
    assert_eq!(fault.next, "Define it, or declare it with `:- dynamic zzz/3.`");
    assert_eq!(
        desk.next(None, None).unwrap_err().message,
        "Query q3 ended just now after 0 solutions: Unknown procedure: zzz/3."
    );
}

#[test]
fn changes_by_running_code_are_in_the_book_in_their_place() {
    let mut desk = with_facts();
    let heard = listen(&desk.workspace);
    let answers = desk
        .ask(
            "assertz(last), asserta(front), asserta(fronter), retract(p), say(done)",
            1,
        )
        .unwrap();
    assert_eq!((answers.added, answers.removed, answers.undone), (3, 1, 0));
    assert_eq!(answers.output, "done");
    desk.holds(&["fronter", "front", "p(2)", "p(3)", "last"]);
    assert_eq!(heard.borrow().len(), 1);
    desk.assert(&["later"]);
    assert_eq!(desk.snapshot(), "fronter.\nfront.\np(2).\np(3).\nlast.\nlater.");
}

#[test]
fn a_query_that_fails_leaves_the_clauses_as_they_were() {
    let mut desk = with_facts();
    desk.open("p(X)", "other").unwrap();
    let answers = desk.ask("assertz(x), retract(p), retract(p), fail", 1).unwrap();
    assert_eq!(
        (answers.added, answers.removed, answers.undone, answers.more),
        (0, 0, 3, false)
    );
    desk.holds(&["p(1)", "p(2)", "p(3)"]);
    assert_eq!(desk.bench.host.count("reload([p"), 0);
    assert_eq!(desk.bench.host.count("reload(['p'/1]"), 1);
    assert_eq!(texts(&desk.next(Some("other"), None).unwrap()), ["p(1)."]);
}

#[test]
fn clauses_that_need_their_source_are_given_back_by_a_new_engine() {
    let mut desk = Desk::new();
    desk.assert(&[":- op(700, xfx, =>). p(1). p(2)."]);
    desk.open("p(X)", "other").unwrap();
    desk.ask("retract(p), fail", 1).unwrap();
    desk.bench.settle();
    desk.holds(&["p(1)", "p(2)"]);
    let answers = desk.next(Some("other"), None).unwrap();
    assert_eq!(texts(&answers), ["p(1)."]);
    assert_eq!(answers.notices.len(), 1);
}

#[test]
fn changes_that_the_book_has_no_room_for_are_taken_back() {
    let limits = Limits {
        entries: 3,
        ..Limits::default()
    };
    let mut desk = Desk::with(Options {
        limits,
        ..Options::default()
    });
    desk.assert(&["p(1). p(2)."]);
    let fault = desk.ask("assertz(a), assertz(b)", 1).unwrap_err();
    assert_eq!(fault.kind, FaultKind::LimitReached);
    desk.bench.settle();
    desk.holds(&["p(1)", "p(2)"]);
}

#[test]
fn the_engine_s_own_limit_is_a_timeout_that_keeps_the_engine() {
    let mut desk = with_facts();
    let query = "assertz(x), soft".to_owned();
    let start = QueryStart {
        query,
        take: Some(1),
        timeout_ms: Some(1_500),
        ..QueryStart::default()
    };
    let answers = desk.start(start).unwrap().answers.unwrap();
    let fault = answers.fault.expect("a fault");
    assert_eq!(
        (fault.kind, fault.message.as_str()),
        (FaultKind::Timeout, "The query was stopped after 1500 ms.")
    );
    assert_eq!(answers.undone, 1);
    assert!(
        desk.bench
            .host
            .requests
            .borrow()
            .iter()
            .any(|request| request.contains(",1.500,"))
    );
    assert_eq!(desk.bench.host.spawned.get(), 1);
    desk.holds(&["p(1)", "p(2)", "p(3)"]);
}
