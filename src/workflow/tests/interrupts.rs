//! Several interrupts at once, questions of Prolog, times and signals.

use super::kept::{Process, Shelf, process};
use super::*;
use crate::fault::WorkflowFaultKind;
use crate::runs::{Keeper, Status, Whose};
use crate::state::{Did, Record};

const BRANCHES: &str = "
language: prolog
nodes:
- {name: s, run: set v 1}
- {name: legal, interrupt: before, run: see ok}
- {name: price, run: set p 2, interrupt: after}
- {name: join, language: python, run: join}
edges:
- {from: s, to: legal, type: parallel, fan_in: join}
- {from: s, to: price, type: parallel, fan_in: join}
";

const ITEMS: &str = "
language: prolog
initial_state: {xs: [1, 2, 3]}
state_schema: {said: {type: list, reduce: append}}
nodes:
- name: each
  type: dynamic_parallel
  items: state.xs
  fan_in: end
  steps:
  - {name: tell, uses: notify, output: told}
  - {name: sure, run: ask sure}
- {name: end}
";

fn ids(events: &[Event]) -> Vec<String> {
    match &events.last().unwrap().kind {
        Kind::Interrupt { interrupts, .. } => interrupts.iter().map(|one| one.id.clone()).collect(),
        kind => panic!("{kind:?}"),
    }
}

fn end(events: &[Event]) -> String {
    Json::of(events.last().unwrap()).to_string()
}

fn restarted(shelf: &Rc<Shelf>) -> Process {
    process(shelf)
}

#[test]
fn branches_wait_and_are_answered_in_any_order_once() {
    for first in [0, 1] {
        let shelf = Rc::new(Shelf::default());
        let waits = ids(&process(&shelf).begin(BRANCHES, "{}"));
        assert_eq!(waits, ["s[0]/legal:before", "s[1]/price:after"]);
        let listed = &restarted(&shelf).runs.list()[0];
        assert_eq!((listed.status, listed.interrupted), (Status::Waiting, false));
        let unnamed = restarted(&shelf).resume("r", BRANCHES, "{}").unwrap_err();
        assert!(unnamed.contains("name one of 's[0]/legal:before'"), "{unnamed}");
        let answer =
            |index: usize| restarted(&shelf).answer("r", BRANCHES, Some(&waits[index]), r#"{"ok": true}"#);
        assert_eq!(ids(&answer(first).unwrap()), [waits[1 - first].clone()]);
        let twice = answer(first).unwrap_err();
        assert!(twice.contains("it waits at"), "{twice}");
        let ended = end(&answer(1 - first).unwrap());
        assert!(ended.contains(r#""type":"final""#), "{ended}");
        assert!(
            ended.contains(r#""saw":true"#) && ended.contains(r#""p":2"#),
            "{ended}"
        );
        let over = answer(0).unwrap_err();
        assert!(over.contains("nor for anything else"), "{over}");
    }
}

#[test]
fn a_checkpoint_of_a_run_that_no_book_keeps_has_all_interrupts() {
    let mut begin = Begin::Start(Object::new());
    for id in [Some("each[1].sure:1"), Some("each[0].sure:1"), None, None] {
        let events = events_of(Rc::default(), ITEMS, begin);
        let Kind::Interrupt { checkpoint, .. } = &events.last().unwrap().kind else {
            let state = end(&events);
            assert!(
                state.contains(r#""said":["a1","a0","last"]"#) || id.is_none(),
                "{state}"
            );
            assert!(state.contains(r#""type":"final""#), "{state}");
            return;
        };
        let thread: Thread = serde_json::from_str(&checkpoint.to_string()).unwrap();
        begin = resumed(
            thread,
            id,
            [("answer".to_owned(), Json::Text("yes".into()))].into(),
        );
    }
    panic!("it still waits");
}

#[test]
fn items_wait_and_what_they_did_is_not_done_again() {
    let shelf = Rc::new(Shelf::default());
    let begun = process(&shelf);
    let mut waits = ids(&begun.begin(ITEMS, "{}"));
    assert_eq!(waits, ["each[0].sure:1", "each[1].sure:1", "each[2].sure:1"]);
    assert_eq!(begun.script.keys.borrow().len(), 3);
    let refused = restarted(&shelf).answer("r", ITEMS, Some("each[0].sure:1"), r#"{"ok": 1}"#);
    assert!(
        refused
            .unwrap_err()
            .contains("asks \"sure\": give the answer as `answer`")
    );
    for (index, answer) in [(2, "c"), (0, "a"), (0, "b")] {
        let again = restarted(&shelf);
        let id = waits.remove(index);
        let updates = format!(r#"{{"answer": "{answer}"}}"#);
        let events = again.answer("r", ITEMS, Some(&id), &updates).unwrap();
        assert_eq!(again.script.keys.borrow().len(), 0);
        if waits.is_empty() {
            assert!(
                end(&events).contains(r#""said":["a","b","c"]"#),
                "{}",
                end(&events)
            );
        } else {
            assert_eq!(ids(&events), waits);
        }
    }
}

/// Wherever the process ends, no answer is asked for twice and none is lost.
#[test]
fn a_run_that_waits_survives_kills() {
    for records in 1..12 {
        let shelf = Rc::new(Shelf::default());
        shelf.stop_after(records);
        process(&shelf).begin(BRANCHES, "{}");
        shelf.go_on();
        let mut answered = 0;
        for _ in 0..10 {
            let again = restarted(&shelf);
            let Ok(kept) = again.runs.load("r", None) else {
                break;
            };
            let open = kept.thread.interrupts();
            let waiting = again.runs.list()[0].status == Status::Waiting;
            let id = open.first().map(|one| one.id.clone()).filter(|_| waiting);
            let events = again.answer("r", BRANCHES, id.as_deref(), "{}").unwrap();
            answered += usize::from(id.is_some());
            if end(&events).contains("final") {
                break;
            }
        }
        assert_eq!(answered, 2, "{records}");
    }
}

#[test]
fn the_same_question_twice() {
    let text = "language: prolog\nnodes: [{name: a, run: ask sure twice}]";
    let shelf = Rc::new(Shelf::default());
    assert_eq!(ids(&process(&shelf).begin(text, "{}")), ["a:1"]);
    let listed = &restarted(&shelf).runs.list()[0];
    assert_eq!(
        (listed.status, listed.node.as_deref()),
        (Status::Waiting, Some("a"))
    );
    // The only one needs no name.
    let second = restarted(&shelf).resume("r", text, r#"{"answer": 1}"#).unwrap();
    assert_eq!(ids(&second), ["a:2"]);
    let stale = restarted(&shelf).answer("r", text, Some("a:1"), r#"{"answer": 3}"#);
    assert!(stale.unwrap_err().contains("does not wait at 'a:1'"));
    let ended = end(&restarted(&shelf).resume("r", text, r#"{"answer": 2}"#).unwrap());
    assert!(ended.contains(r#""said":[1,2]"#), "{ended}");
}

#[test]
fn a_workflow_within_an_item_waits() {
    let text = "
nodes:
- name: each
  type: dynamic_parallel
  items: [1, 2]
  fan_in: end
  steps:
  - {name: sub, type: workflow, output: r, run: {language: prolog, nodes: [{name: go, interrupt: before, run: see ok}]}}
- {name: end, language: python, run: end}
";
    let shelf = Rc::new(Shelf::default());
    let waits = ids(&process(&shelf).begin(text, "{}"));
    assert_eq!(waits, ["each[0].sub/1/go:before", "each[1].sub/1/go:before"]);
    for (index, id) in waits.iter().enumerate() {
        let events = restarted(&shelf)
            .answer("r", text, Some(id), r#"{"ok": true}"#)
            .unwrap();
        assert_eq!(end(&events).contains("final"), index == 1, "{}", end(&events));
    }
}

const TIMER: &str = "
name: timer
language: prolog
nodes:
- {name: a, run: set x 1}
- {name: b, wait: 10m, run: set y 2}
";

#[test]
fn a_run_waits_for_a_time() {
    let shelf = Rc::new(Shelf::default());
    let begun = process(&shelf);
    begun.script.now_ms.set(1_000);
    assert_eq!(ids(&begun.begin(TIMER, "{}")), ["b:time"]);
    let workflow = load(TIMER, &installed()).unwrap();
    let again = restarted(&shelf);
    let due = again.runs.due(Whose::Workflow(&workflow), 2_000);
    assert_eq!((due.runs.len(), due.next_ms), (0, Some(601_000)));
    assert_eq!(again.runs.list()[0].due_ms, Some(601_000));
    // Nobody's answer, nor a call too early, ends the wait.
    assert_eq!(ids(&again.resume("r", TIMER, "{}").unwrap()), ["b:time"]);
    let named = again.answer("r", TIMER, Some("b:time"), "{}").unwrap_err();
    assert!(named.contains("waits for a time"), "{named}");
    again.script.now_ms.set(601_000);
    assert_eq!(again.runs.due(Whose::Workflow(&workflow), 601_000).runs, ["r"]);
    // What was undone is not done again by itself.
    shelf.undone.borrow_mut().push("run/r".to_owned());
    assert!(
        again
            .runs
            .due(Whose::Workflow(&workflow), 601_000)
            .runs
            .is_empty()
    );
    shelf.undone.borrow_mut().clear();
    // A program began it, with means that no server has.
    let tools = ["prolog".to_owned()];
    assert!(again.runs.due(Whose::Server(&tools), 601_000).runs.is_empty());
    assert!(end(&again.wake("r", TIMER)).contains(r#""y":2"#));
    assert!(
        again
            .runs
            .due(Whose::Workflow(&workflow), 601_000)
            .runs
            .is_empty()
    );
}

#[test]
fn a_run_that_was_cut_off_after_a_time_is_found() {
    let shelf = Rc::new(Shelf::default());
    process(&shelf).begin(TIMER, "{}");
    let workflow = load(TIMER, &installed()).unwrap();
    let woken = restarted(&shelf);
    woken.script.now_ms.set(700_000);
    shelf.stop_after(1);
    woken.wake("r", TIMER);
    shelf.go_on();
    let again = restarted(&shelf);
    assert_eq!(again.runs.unfinished(&workflow), ["r"]);
    assert!(end(&again.resume("r", TIMER, "{}").unwrap()).contains(r#""y":2"#));
    assert!(again.runs.unfinished(&workflow).is_empty());
}

const MIXED: &str = "
name: mixed
language: prolog
nodes:
- {name: s, run: set v 1}
- {name: p, run: ask sure}
- {name: q, wait: {signal: go}}
- {name: r, wait: 10m}
- {name: join}
edges:
- {from: s, to: p, type: parallel, fan_in: join}
- {from: s, to: q, type: parallel, fan_in: join}
- {from: s, to: r, type: parallel, fan_in: join}
";

#[test]
fn a_run_that_was_cut_off_after_an_answer_goes_on_by_itself() {
    let shelf = Rc::new(Shelf::default());
    let waits = ids(&process(&shelf).begin(MIXED, "{}"));
    let workflow = load(MIXED, &installed()).unwrap();
    shelf.stop_after(1);
    let cut = restarted(&shelf).answer("r", MIXED, Some(&waits[0]), r#"{"answer": 1}"#);
    cut.unwrap();
    shelf.go_on();
    let again = restarted(&shelf);
    assert!(again.runs.list()[0].interrupted);
    // Who begins to follow the workflow now resumes it; who followed it already waits for another process first.
    assert_eq!(again.runs.unfinished(&workflow), ["r"]);
    let due = again.runs.due(Whose::Workflow(&workflow), 599_999);
    assert_eq!((due.runs.len(), due.next_ms), (0, Some(600_000)));
    assert_eq!(again.runs.due(Whose::Workflow(&workflow), 600_000).runs, ["r"]);
    again.script.now_ms.set(600_000);
    block_on(again.runs.signal("r", "go", &Json::Null)).unwrap();
    let ended = end(&again.wake("r", MIXED));
    assert!(ended.contains(r#""type":"final""#), "{ended}");
    assert!(again.runs.unfinished(&workflow).is_empty());
}

#[test]
fn a_run_that_fails_after_a_wait_is_tried_again() {
    let shelf = Rc::new(Shelf::default());
    let fails = TIMER.replace("set y 2", "throw");
    process(&shelf).begin(&fails, "{}");
    let workflow = load(&fails, &installed()).unwrap();
    let again = restarted(&shelf);
    again.script.now_ms.set(600_000);
    again.wake("r", &fails);
    assert_eq!(again.runs.list()[0].status, Status::Failed);
    assert_eq!(again.runs.unfinished(&workflow), ["r"]);
    assert!(
        again
            .runs
            .due(Whose::Workflow(&workflow), u64::MAX)
            .runs
            .is_empty()
    );
}

#[test]
fn a_stored_time_beyond_numbers_is_read() {
    let shelf = Rc::new(Shelf::default());
    process(&shelf).begin(TIMER, "{}");
    let header = shelf.cell("run/r").unwrap();
    let plan = || {
        Ok((
            String::new(),
            vec![(
                "run/r".to_owned(),
                Some(header.replace("600000", "18446744073709551615")),
            )],
        ))
    };
    block_on(shelf.keep(Box::new(plan))).unwrap();
    assert_eq!(process(&shelf).runs.list()[0].due_ms, Some(253_402_300_799_999));
}

const NUMBER: &str = "
language: prolog
state_schema: {said: int}
nodes:
- {name: a, run: number how_many}
";

#[test]
fn an_answer_with_which_the_run_failed_is_given_again() {
    for id in [None, Some("a:1")] {
        let shelf = Rc::new(Shelf::default());
        process(&shelf).begin(NUMBER, "{}");
        let failed = end(&restarted(&shelf)
            .resume("r", NUMBER, r#"{"answer": "str"}"#)
            .unwrap());
        assert!(failed.contains("'said' of the state must be"), "{failed}");
        let again = restarted(&shelf);
        let waits = again.runs.load("r", None).unwrap().interrupts();
        assert_eq!(waits.iter().map(|one| &*one.id).collect::<Vec<_>>(), ["a:1"]);
        // Without another answer the node is tried with the one it has.
        let tried = end(&again.resume("r", NUMBER, "{}").unwrap());
        assert!(tried.contains("'said' of the state must be"), "{tried}");
        let ended = end(&again.answer("r", NUMBER, id, r#"{"answer": 7}"#).unwrap());
        assert!(ended.contains(r#""said":7},"type":"final""#), "{ended}");
        let late = again.resume("r", NUMBER, r#"{"answer": 8}"#).unwrap_err();
        assert!(late.contains("has ended"), "{late}");
        assert!(end(&again.resume("r", NUMBER, "{}").unwrap()).contains("final"));
    }
}

#[test]
fn an_answer_is_for_the_text_that_asked() {
    let text = format!("{NUMBER}- {{name: b, run: set x 1}}\n");
    let shelf = Rc::new(Shelf::default());
    process(&shelf).begin(&text, "{}");
    let answered = |text: &str| process(&shelf).resume("r", text, r#"{"answer": 7}"#);
    let refused = answered(&text.replace("how_many", "when")).unwrap_err();
    assert!(refused.contains("Node 'a' was changed"), "{refused}");
    let later = end(&answered(&text.replace("set x 1", "set x 2")).unwrap());
    assert!(later.contains(r#""x":2},"type":"final""#), "{later}");
}

#[test]
fn an_answer_finds_its_question_in_a_run_that_failed() {
    let text = MIXED.replace("{name: q, wait: {signal: go}}", "{name: q, run: throw}");
    let shelf = Rc::new(Shelf::default());
    process(&shelf).begin(&text, "{}");
    let again = restarted(&shelf);
    assert_eq!(again.runs.list()[0].status, Status::Failed);
    again.resume("r", &text, r#"{"answer": 1}"#).unwrap();
    let kept = again.runs.load("r", None).unwrap();
    assert_eq!(kept.thread.state.get("answer"), None);
    let waits: Vec<String> = kept.interrupts().into_iter().map(|one| one.id).collect();
    assert_eq!(waits, ["s[2]/r:time"]);
    // Two questions need a name.
    let text = text.replace("{name: r, wait: 10m}", "{name: r, run: ask why}");
    let shelf = Rc::new(Shelf::default());
    process(&shelf).begin(&text, "{}");
    let unnamed = restarted(&shelf)
        .resume("r", &text, r#"{"answer": 1}"#)
        .unwrap_err();
    assert!(
        unnamed.contains("name one of 's[0]/p:1', 's[2]/r:1'"),
        "{unnamed}"
    );
}

const SIGNAL: &str = "
name: pays
language: prolog
nodes:
- {name: a, run: set x 1}
- {name: paid, wait: {signal: payment, timeout: 1h, output: paid}, run: see paid}
- {name: more, wait: {signal: payment}}
";

#[test]
fn signals_are_kept_and_taken_once() {
    let shelf = Rc::new(Shelf::default());
    assert_eq!(ids(&process(&shelf).begin(SIGNAL, "{}")), ["paid:signal"]);
    let workflow = load(SIGNAL, &installed()).unwrap();
    let runs = restarted(&shelf).runs;
    assert!(runs.due(Whose::Workflow(&workflow), 0).runs.is_empty());
    for data in [Json::Int(7), Json::Int(8)] {
        block_on(runs.signal("r", "payment", &data)).unwrap();
    }
    let other = block_on(runs.signal("r", "paymnt", &Json::Null)).unwrap_err();
    assert!(
        other.contains("waits for the signal 'paymnt'. Did you mean 'payment'?"),
        "{other}"
    );
    assert_eq!(runs.due(Whose::Workflow(&workflow), 0).runs, ["r"]);
    // The process ends right after the first signal was taken.
    shelf.stop_after(1);
    restarted(&shelf).wake("r", SIGNAL);
    shelf.go_on();
    let again = restarted(&shelf);
    let ended = end(&again.resume("r", SIGNAL, "{}").unwrap());
    assert!(ended.contains(r#""paid":7,"payment":8,"saw":7"#), "{ended}");
    let late = block_on(again.runs.signal("r", "payment", &Json::Null)).unwrap_err();
    assert!(late.contains("has ended"), "{late}");
    let unknown = block_on(again.runs.signal("no", "payment", &Json::Null)).unwrap_err();
    assert!(unknown.contains("There is no run 'no'"), "{unknown}");
}

#[test]
fn a_signal_whose_sending_is_undone_meanwhile_is_not_taken() {
    let shelf = Rc::new(Shelf::default());
    process(&shelf).begin(SIGNAL, "{}");
    let again = restarted(&shelf);
    block_on(again.runs.signal("r", "payment", &Json::Int(7))).unwrap();
    let sent = shelf.cells("signal/").into_iter().map(|(key, _)| key).collect();
    shelf.taken_back.replace(sent);
    assert_eq!(ids(&again.wake("r", SIGNAL)), ["paid:signal"]);
    block_on(again.runs.signal("r", "payment", &Json::Int(8))).unwrap();
    let events = again.wake("r", SIGNAL);
    assert_eq!(ids(&events), ["more:signal"]);
    assert!(end(&events).contains(r#""paid":8"#), "{}", end(&events));
}

#[test]
fn a_run_of_which_an_undo_took_a_part_is_due_until_that_was_told_and_again_once_it_is_whole() {
    let shelf = Rc::new(Shelf::default());
    process(&shelf).begin(SIGNAL, "{}");
    let runs = restarted(&shelf).runs;
    let workflow = load(SIGNAL, &installed()).unwrap();
    let due = || runs.due(Whose::Workflow(&workflow), 3_600_000).runs;
    for part in ["record/r/000000002", "text/"] {
        let (key, value) = shelf.cells(part).remove(0);
        let set = |value: Option<String>| {
            let plan = || Ok((String::new(), vec![(key.clone(), value.clone())]));
            block_on(shelf.keep(Box::new(plan))).unwrap();
        };
        set(None);
        assert_eq!(due(), ["r"], "{part}");
        let told = runs.text("r").and_then(|_| runs.load("r", None).map(drop));
        assert!(told.is_err(), "{part}");
        assert!(due().is_empty(), "{part}");
        set(Some(value));
        assert_eq!(due(), ["r"], "{part}");
    }
}

#[test]
fn a_signal_that_does_not_come_in_time_is_null() {
    let shelf = Rc::new(Shelf::default());
    process(&shelf).begin(SIGNAL, "{}");
    let again = restarted(&shelf);
    again.script.now_ms.set(3_600_000);
    let events = again.wake("r", SIGNAL);
    assert_eq!(ids(&events), ["more:signal"]);
    assert!(end(&events).contains(r#""paid":null"#), "{}", end(&events));
}

const PAYS_INT: &str = "
name: pays
language: prolog
state_schema: {paid: int}
nodes:
- {name: paid, wait: {signal: payment, output: paid}}
";

#[test]
fn a_signal_has_the_members_that_the_schema_says() {
    let text = PAYS_INT.replace("paid: int", "paid: {type: dict, members: {sum: float, who: str}}");
    let workflow = load(&text, &installed()).unwrap();
    let why = |data: &str| workflow.check_signal("payment", &serde_json::from_str(data).unwrap());
    assert_eq!(why(r#"{"sum": 40, "who": "ann", "more": 1}"#), Ok(()));
    assert_eq!(
        why(r#"{"sum": 40}"#),
        Err("'paid' of the state lacks 'who', a text.".into())
    );
    assert_eq!(
        why(r#"{"sum": "40", "who": "ann"}"#),
        Err("'sum' in 'paid' of the state must be a number, not a text.".into())
    );
    // What is merged may come one by one.
    let text = PAYS_INT.replace(
        "paid: int",
        "paid: {type: dict, reduce: merge, members: {sum: float, who: str}}",
    );
    let merged = load(&text, &installed()).unwrap();
    let part = |data: &str| merged.check_value("paid", &serde_json::from_str(data).unwrap());
    assert_eq!(part(r#"{"sum": 40}"#), Ok(()));
    assert!(part(r#"{"sum": "40"}"#).is_err());
    let text = PAYS_INT.replace("paid: int", "paid: {type: list, members: {sum: float}}");
    let fault = load(&text, &installed()).unwrap_err();
    assert!(
        fault.message.contains("only a dict has members"),
        "{}",
        fault.message
    );
}

#[test]
fn a_signal_that_does_not_fit_is_dropped() {
    let shelf = Rc::new(Shelf::default());
    process(&shelf).begin(PAYS_INT, "{}");
    let workflow = load(PAYS_INT, &installed()).unwrap();
    let bad = Json::Text("bad".into());
    let why = workflow.check_signal("payment", &bad).unwrap_err();
    assert!(why.contains("'paid' of the state must be"), "{why}");
    assert_eq!(workflow.check_signal("payment", &Json::Int(7)), Ok(()));
    let other = workflow.check_signal("other", &bad).unwrap_err();
    assert!(other.contains("There are: payment."), "{other}");
    let runs = restarted(&shelf).runs;
    block_on(runs.signal("r", "payment", &bad)).unwrap();
    let events = restarted(&shelf).wake("r", PAYS_INT);
    assert_eq!(ids(&events), ["paid:signal"]);
    let told = events.iter().any(|event| {
        matches!(&event.kind, Kind::SignalDropped { node, error, .. } if node == "paid" && *error == why)
    });
    assert!(told, "{events:?}");
    for data in [bad, Json::Int(7)] {
        block_on(runs.signal("r", "payment", &data)).unwrap();
    }
    let ended = end(&restarted(&shelf).wake("r", PAYS_INT));
    assert!(ended.contains(r#""paid":7},"type":"final""#), "{ended}");
}

#[test]
fn a_signal_needs_a_kept_run() {
    assert!(last(SIGNAL, "{}").contains("waits for a signal, and the run is kept in no book"));
}

#[test]
fn runs_are_cancelled_and_forgotten() {
    let shelf = Rc::new(Shelf::default());
    let one = process(&shelf);
    one.begin(TIMER, "{}");
    block_on(one.runs.cancel("r", 5)).unwrap();
    assert_eq!(one.runs.list()[0].status, Status::Cancelled);
    let workflow = load(TIMER, &installed()).unwrap();
    assert!(one.runs.due(Whose::Workflow(&workflow), u64::MAX).runs.is_empty());
    let refused = one.resume("r", TIMER, "{}").unwrap_err();
    assert!(refused.contains("was cancelled"), "{refused}");
    one.begin_as(
        "ended",
        "language: prolog\nnodes: [{name: a, run: set x 1}]",
        "{}",
    );
    assert!(
        block_on(one.runs.cancel("ended", 5))
            .unwrap_err()
            .contains("has ended")
    );
    assert_eq!(block_on(one.runs.forget_before(0)), Ok(0));
    assert_eq!(block_on(one.runs.forget_before(1)), Ok(2));
    assert!(one.runs.list().is_empty());
}

#[test]
fn waits_that_cannot_be_read() {
    for (wait, why) in [
        ("soon", "must be seconds, a duration as '10m'"),
        ("{signal: s, until: 3}", "the 'timeout' of a signal may be a time"),
        ("{until: 3, output: x}", "it belongs to a signal"),
        ("{}", "needs 'signal'"),
        ("'{{ state.x '", "wait"),
    ] {
        let fault = fault(&format!("nodes: [{{name: a, wait: {wait}}}]"));
        assert!(fault.contains(why), "{wait}: {fault}");
    }
    let both = fault("nodes: [{name: a, wait: 3, interrupt: before}]");
    assert!(both.contains("cannot be combined"), "{both}");
}

#[test]
fn several_signals_are_sent_together_or_not_at_all() {
    let shelf = Rc::new(Shelf::default());
    process(&shelf).begin(SIGNAL, "{}");
    let runs = restarted(&shelf).runs;
    let two = [
        ("payment".to_owned(), Json::Int(1)),
        ("more".to_owned(), Json::Int(2)),
    ];
    shelf.stop_after(1);
    block_on(runs.send("r", &two.into())).unwrap();
    shelf.go_on();
    assert_eq!(shelf.cells("signal/r/").len(), 2);
}

#[test]
fn a_run_that_is_cancelled_while_it_runs_ends_at_its_next_record() {
    let shelf = Rc::new(Shelf::default());
    let workflow = load(SIGNAL, &installed()).unwrap();
    let runs = restarted(&shelf).runs;
    let ledger = runs.begin("r", &workflow, SIGNAL, 0).unwrap();
    let record = || Record {
        at_ms: 0,
        branch: Vec::new(),
        did: Did::Base(Box::new(Thread::start(Default::default()))),
    };
    block_on(ledger.append(&record())).unwrap();
    block_on(runs.cancel("r", 1)).unwrap();
    let ends = block_on(ledger.append(&record())).unwrap_err();
    assert!(
        ends.message.contains("was cancelled, so it ends here"),
        "{}",
        ends.message
    );
    assert_eq!(ends.kind, WorkflowFaultKind::Cancelled);
    drop(ledger);
    let listed = runs.list();
    assert_eq!(
        (listed[0].status, listed[0].interrupted),
        (Status::Cancelled, false)
    );
    assert!(runs.due(Whose::Workflow(&workflow), u64::MAX).runs.is_empty());
}

#[test]
fn a_run_that_is_cancelled_names_the_node_in_progress() {
    let text = "language: prolog\nnodes: [{name: a, run: set x 1}, {name: b, uses: hang}]";
    let shelf = Rc::new(Shelf::default());
    let one = process(&shelf);
    let workflow = load(text, &installed()).unwrap();
    let ledger = one.runs.begin("r", &workflow, text, 0).unwrap();
    let begin = Begin::Start(Default::default());
    let run = Run::new(
        Rc::new(workflow),
        means(&one.script),
        "r".into(),
        Some(ledger),
        begin,
    );
    while let Some(Some(_)) = run.next().now_or_never() {}
    block_on(one.runs.cancel("r", 1)).unwrap();
    let Some(Kind::Error { node, fault, .. }) = block_on(run.next()).map(|event| event.kind) else {
        panic!("it ends with an error");
    };
    assert_eq!((&*node, fault.kind), ("b", WorkflowFaultKind::Cancelled));
}

#[test]
fn a_run_that_an_undo_brought_back_wakes_again_once_somebody_has_resumed_it() {
    let shelf = Rc::new(Shelf::default());
    process(&shelf).begin(TIMER, "{}");
    let one = restarted(&shelf);
    let workflow = load(TIMER, &installed()).unwrap();
    let due = || one.runs.due(Whose::Workflow(&workflow), u64::MAX).runs;
    assert_eq!(due(), ["r"]);
    shelf.undone.borrow_mut().push("run/r".to_owned());
    assert!(due().is_empty());
    one.wake("r", TIMER);
    assert_eq!(due(), ["r"]);
}

#[test]
fn a_fork_is_checked_before_it_is_kept() {
    let shelf = Rc::new(Shelf::default());
    process(&shelf).begin(SIGNAL, "{}");
    let runs = restarted(&shelf).runs;
    let forked = runs.forked("r", 1, 7).unwrap();
    assert_eq!(runs.list().len(), 1);
    block_on(runs.keep_fork(&forked, "f".into(), 7)).unwrap();
    let kept = runs.load("f", None).unwrap();
    assert_eq!((kept.thread, kept.number), (forked.thread, forked.number));
}
