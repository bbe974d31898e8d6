use super::*;

#[test]
fn clauses_are_added_in_order_with_an_outcome_each() {
    let mut desk = Desk::new();
    let report = desk.assert(&["a(X, Y)  :-  b(Y). % both\n bad(.", "c"]);
    assert_eq!(
        statuses(&report),
        [
            "a(X, Y)  :-  b(Y). ok",
            "% both\n bad(. 2:1 bad clause: `⟪here⟫ bad(.`",
            "c ok"
        ]
    );
    assert_eq!(desk.snapshot(), "a(X, Y)  :-  b(Y).\nc.");
    assert_eq!(at_once(desk.workspace.snapshot()).clause_count, 2);
}

#[test]
fn a_comment_behind_the_last_clause_of_a_text_stays_with_it() {
    let mut desk = Desk::new();
    desk.assert(&["a. % first", "b % second, without a period", "c"]);
    assert_eq!(desk.snapshot(), "a. % first\nb. % second, without a period\nc.");
}

#[test]
fn characters_beyond_ascii_do_not_shift_the_clauses() {
    let mut desk = Desk::new();
    let report = desk.assert(&["ä('😀'). b('ß').", "é. c."]);
    let clauses: Vec<&str> = report
        .outcomes
        .iter()
        .map(|outcome| outcome.clause.as_str())
        .collect();
    assert_eq!(clauses, ["ä('😀').", "b('ß').", "é.", "c."]);
    assert_eq!(desk.snapshot(), "ä('😀').\nb('ß').\né.\nc.");
}

#[test]
fn a_text_without_a_clause_and_one_that_nests_too_deep_cost_themselves_only() {
    let mut desk = Desk::with(Options {
        limits: Limits {
            nesting: 5,
            ..Limits::default()
        },
        ..Options::default()
    });
    let report = desk.assert(&["a", " % nothing", "\nf([[[[[[]]]]]])", "b"]);
    let statuses = statuses(&report);
    assert_eq!(statuses[1], "% nothing -:- There is no clause in the text.");
    assert_eq!(
        statuses[2],
        "f([[[[[[]]]]]]) 2:- The text is nested too deeply (limit: nesting = 5)."
    );
    desk.holds(&["a", "b"]);
}

#[test]
fn no_texts_are_a_fault() {
    let mut desk = Desk::new();
    let fault =
        desk.run(|workspace| async move { workspace.assert_clauses(Vec::new(), &Control::default()).await });
    assert_eq!(fault.unwrap_err().message, "At least one clause is required.");
}

#[test]
fn a_retract_removes_the_first_match_from_engine_and_book() {
    let mut desk = Desk::new();
    desk.assert(&["a. b.", "a. c."]);
    let report = desk.retract(&["a. zzz.", "c"]);
    assert_eq!(
        statuses(&report),
        ["a. ok", "zzz. -:- No clause matches.", "c ok"]
    );
    desk.holds(&["b", "a"]);
}

#[test]
fn many_clauses_are_added_step_by_step_with_progress() {
    let mut desk = Desk::with(Options {
        limits: Limits {
            step_items: 10,
            ..Limits::default()
        },
        ..Options::default()
    });
    let heard = Rc::new(RefCell::new(Vec::new()));
    let ears = heard.clone();
    let control = Control {
        progress: Some(Rc::new(move |progress: Progress| {
            ears.borrow_mut()
                .push((progress.done, progress.total, progress.message));
        })),
        ..Control::default()
    };
    let texts: Vec<String> = (0..25).map(|n| format!("fact({n:03}).")).collect();
    let report = desk
        .run(|workspace| async move { workspace.assert_clauses(texts, &control).await })
        .unwrap();
    assert_eq!(report.outcomes.len(), 25);
    let progress = [
        (100, Some(250), "bytes read, 10 clauses so far".to_owned()),
        (200, Some(250), "bytes read, 20 clauses so far".to_owned()),
    ];
    assert_eq!(*heard.borrow(), progress);
    let (engine, book) = desk.both();
    assert_eq!(engine, book);
    assert_eq!(engine[24], "fact(024)");
}

#[test]
fn one_who_may_only_read_changes_nothing() {
    let mut desk = Desk::with(Options::default());
    desk.assert(&["kept."]);
    let control = Control {
        read_only: true,
        ..Control::default()
    };
    let texts = vec!["more.".to_owned()];
    let fault = desk
        .run(|workspace| async move { workspace.assert_clauses(texts, &control).await })
        .unwrap_err();
    assert_eq!(fault.kind, FaultKind::ReadOnly);
    desk.holds(&["kept"]);
}

#[test]
fn a_long_addition_that_is_cancelled_leaves_nothing() {
    let mut desk = Desk::with(Options {
        limits: Limits {
            step_items: 1,
            ..Limits::default()
        },
        ..Options::default()
    });
    desk.assert(&["before"]);
    let control = Control::default();
    let cancel = control.cancel.clone();
    let control = Control {
        progress: Some(Rc::new(move |_| cancel.cancel())),
        ..control
    };
    let texts = owned(&["a. b. c."]);
    let fault = desk.run(|workspace| async move { workspace.assert_clauses(texts, &control).await });
    assert_eq!(fault.unwrap_err().kind, FaultKind::Cancelled);
    desk.holds(&["before"]);
    assert_eq!(
        (desk.bench.host.count("add_abort"), desk.bench.host.spawned.get()),
        (1, 1)
    );
    desk.assert(&["after"]);
    desk.holds(&["before", "after"]);
}

#[test]
fn a_full_book_refuses_and_drops_nothing() {
    let limits = Limits {
        entries: 3,
        bytes: 100,
        step_items: 2,
        ..Limits::default()
    };
    let mut desk = Desk::with(Options {
        limits,
        ..Options::default()
    });
    desk.assert(&["a. b."]);
    let over = |texts: &[&str]| {
        let texts = owned(texts);
        |workspace: Workspace| async move { workspace.assert_clauses(texts, &Control::default()).await }
    };
    let fault = desk.run(over(&["c. d. e. f."])).unwrap_err();
    assert_eq!(
        fault.message,
        "Nothing was added: the book has no room for that many entries (limit: entries = 3)."
    );
    let fault = desk.run(over(&["c. d."])).unwrap_err();
    assert_eq!(fault.kind, FaultKind::LimitReached);
    let long = format!("c('{}')", "x".repeat(100));
    let fault = desk.run(over(&[&long])).unwrap_err();
    assert!(fault.message.contains("limit: bytes = 100"), "{}", fault.message);
    desk.bench.settle();
    desk.holds(&["a", "b"]);
    desk.assert(&["c"]);
    desk.holds(&["a", "b", "c"]);
}

#[test]
fn each_operation_is_announced_once() {
    let mut desk = Desk::new();
    let heard = listen(&desk.workspace);
    desk.assert(&["a. a. b."]);
    desk.retract(&["a"]);
    desk.retract(&["zzz"]);
    desk.retract(&["a. b."]);
    let (clauses, symbols) = (true, true);
    let expected = [
        Changed {
            clauses,
            symbols,
            cells: false,
        },
        Changed {
            clauses,
            symbols: false,
            cells: false,
        },
        Changed {
            clauses,
            symbols,
            cells: false,
        },
    ];
    assert_eq!(*heard.borrow(), expected);
}

#[test]
fn symbols_count_clauses_and_know_what_is_dynamic() {
    let mut desk = Desk::new();
    desk.assert(&[":- dynamic d/2, p/1.", "p(1). p(2). q."]);
    desk.ask("assertz(r)", 1).unwrap();
    let symbols: Vec<String> = at_once(desk.workspace.symbols())
        .iter()
        .map(|symbol| format!("{} {} {}", symbol.predicate, symbol.clause_count, symbol.dynamic))
        .collect();
    assert_eq!(symbols, ["d/2 0 true", "p/1 2 true", "q/0 1 false", "r/0 1 true"]);
    assert_eq!(desk.workspace.complete_predicate("p"), ["p/1", "print/1"]);
}

#[test]
fn a_reset_leaves_nothing_behind() {
    let mut desk = Desk::new();
    desk.assert(&[":- dynamic d/1.", "p(1). p(2)."]);
    desk.open("p(X)", "q").unwrap();
    let reset = |workspace: Workspace| async move { workspace.reset(&Control::default()).await };
    let report = desk.run(reset).unwrap();
    assert_eq!(
        report,
        ResetReport {
            clauses_removed: 2,
            queries_closed: 1
        }
    );
    assert_eq!(
        at_once(desk.workspace.snapshot()),
        Snapshot {
            text: String::new(),
            clause_count: 0,
            goes_on: false,
        }
    );
    assert!(at_once(desk.workspace.symbols()).is_empty());
    assert_eq!(desk.next(None, None).unwrap_err().kind, FaultKind::NoSuchQuery);
    desk.holds(&[]);
}

#[test]
fn initialization_goals_run_when_the_clauses_are_in_place() {
    let mut desk = Desk::new();
    let report = desk.assert(&[
        ":- initialization('assertz(made)'). a.",
        ":- initialization(fail).",
    ]);
    let notices: Vec<&str> = report.notices.iter().map(|notice| notice.0.as_str()).collect();
    assert_eq!(notices, ["initialization(fail): the goal failed"]);
    desk.holds(&["a", "made"]);
}

#[test]
fn each_of_many_texts_has_its_own_outcome_and_place() {
    let mut desk = Desk::new();
    let texts = [
        "a(1).",
        "b(2)",
        " c(3). d(4). ",
        "bad(5).",
        "e :- a(X).",
        "f(6). % six",
        "",
        "g(7).\nbad(8).",
        "é('9').",
        "h(10)",
    ];
    let report = desk.assert(&texts);
    let together = statuses(&report);
    let mut one_by_one = Desk::new();
    let alone: Vec<String> = { texts.iter() }
        .flat_map(|text| statuses(&one_by_one.assert(&[text])))
        .collect();
    assert_eq!(together, alone);
    assert_eq!(desk.snapshot(), one_by_one.snapshot());
    // The first four are one text to the engine.
    let together = "a(1).\nb(2).\n c(3). d(4).\nbad(5).".len();
    let request = format!("add(inline,[{together},");
    assert_eq!(desk.bench.host.count(&request), 1);
}

#[test]
fn texts_that_are_joined_are_added_step_by_step() {
    let mut desk = Desk::with(Options {
        limits: Limits {
            step_items: 2,
            ..Limits::default()
        },
        ..Options::default()
    });
    let texts: Vec<String> = (0..7).map(|n| format!("é({n})")).collect();
    let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
    let report = desk.assert(&texts);
    assert_eq!(report.outcomes.len(), 7);
    assert_eq!(statuses(&report)[6], "é(6) ok");
    let (engine, book) = desk.both();
    assert_eq!(engine, book);
    assert_eq!(desk.snapshot().lines().count(), 7);
}
