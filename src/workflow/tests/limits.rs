//! How long nodes may take, which of their errors are retried, and what their loops and programs tell.

use super::*;

fn events(text: &str) -> Vec<String> {
    let events = events_of(Rc::default(), text, Begin::Start(Object::new()));
    events.iter().map(|event| Json::of(event).to_string()).collect()
}

#[test]
fn a_loop_tells_how_it_ended() {
    let text = "
language: prolog
nodes:
- {name: w, type: while_loop, condition: state.n < 3, max_iterations: MOST, output: how, body: [{run: add n 1}]}
";
    for (most, n, how) in [
        ("1", 1, "max_iterations"),
        ("3", 3, "condition"),
        ("9", 3, "condition"),
    ] {
        let text = format!("initial_state: {{n: 0}}{}", text.replace("MOST", most));
        let events = events(&text);
        let end = format!(r#"{{"ended_by":"{how}","node":"w","type":"node_end""#);
        let ended = events.iter().find(|event| event.contains("node_end")).unwrap();
        assert!(ended.starts_with(&end), "{ended}");
        let last = format!(r#"{{"state":{{"how":"{how}","n":{n}}},"type":"final"}}"#);
        assert_eq!(events.last(), Some(&last));
        let rounds =
            (1..=n).map(|round| format!(r#"{{"node":"w.step_0","round":{round},"type":"step_start"}}"#));
        let begun = events.iter().filter(|event| event.contains("step_start"));
        assert!(begun.eq(&rounds.collect::<Vec<_>>()), "{events:?}");
    }
}

#[test]
fn a_node_ends_when_its_time_is_over() {
    for node in [
        "{name: a, uses: hang, timeout: 0.5}",
        "{name: a, timeout: 0.5, steps: [{run: set x 1}, {name: s, uses: hang}]}",
        "{name: a, steps: [{name: s, uses: hang, timeout: 0.5}]}",
    ] {
        let last = last(&format!("language: prolog\nnodes:\n- {node}\n"), "{}");
        assert!(
            last.contains("took longer than its timeout of 0.5 s.") && last.contains(r#""kind":"timeout""#),
            "{last}"
        );
    }
    let retried = "nodes: [{name: a, uses: hang, timeout: 1, on_error: {mode: retry, max_retries: 1}}]";
    assert_eq!(
        events(retried)
            .iter()
            .filter(|event| event.contains("retry"))
            .count(),
        1
    );
}

#[test]
fn a_timeout_has_to_mean_something() {
    for (node, why) in [
        (
            "{name: a, timeout: 0, run: x}",
            "'timeout' of node 'a' must be at least 0.001",
        ),
        ("{name: a, timeout: 1}", "nothing of it takes time"),
        ("{name: a, timeout: soon, run: x}", "must be a number"),
    ] {
        let fault = fault(&format!("language: prolog\nnodes:\n- {node}\n"));
        assert!(fault.contains(why), "{fault}");
    }
}

#[test]
fn only_the_kinds_that_are_named_are_retried() {
    let text = "
language: prolog
nodes:
- {name: a, run: flaky, on_error: {mode: retry, retry_on: [KINDS], fallback: c}}
- {name: b, run: set out b, goto: __end__}
- {name: c, run: set out c}
";
    let out = |kinds: &str| {
        let script = Rc::new(Scripted {
            throws_left: Cell::new(1),
            ..Scripted::default()
        });
        let events = events_of(script, &text.replace("KINDS", kinds), Begin::Start(Object::new()));
        Json::of(events.last().unwrap()).to_string()
    };
    assert!(out("timeout, prolog").contains(r#""out":"b""#));
    assert!(out("timeout, action").contains(r#""out":"c""#));
    assert!(
        fault(&text.replace("KINDS", "timout"))
            .contains("line 4, column 59: 'timout' is not a kind of error. Did you mean 'timeout'?")
    );
    let without = text.replace("mode: retry", "mode: graceful");
    assert!(fault(&without).contains("it belongs to 'mode: retry'"));
}

#[test]
fn a_program_tells_its_events_to_those_of_the_run() {
    let events = events(&BRANCHES.replace("run: BRANCH", "steps: [{name: p, type: dml, run: q}]"));
    let told = r#"{"branch":"b","event":"begun","node":"b.p","type":"node_event"}"#;
    assert!(events.iter().any(|event| event == told), "{events:#?}");
}
