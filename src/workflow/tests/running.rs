//! Runs with a scripted host.

use super::*;
use crate::code::Part;
use crate::state::When;

#[test]
fn nodes_follow_each_other() {
    let text =
        "language: prolog\nnodes:\n- {name: a, run: add x 1}\n- {name: b, run: add x 10}\n- {name: c}\n";
    assert_eq!(final_state(text, r#"{"x": 1}"#), r#"{"x":12}"#);
}

#[test]
fn the_text_has_a_state_to_begin_with() {
    let text = "language: prolog\ninitial_state: {x: 41, y: 1}\nnodes:\n- {name: a, run: add x 1}\n";
    assert_eq!(final_state(text, r#"{"y": 2}"#), r#"{"x":42,"y":2}"#);
}

#[test]
fn the_first_edge_that_holds_is_followed() {
    assert_eq!(final_state(ROUTES, r#"{"x": 1}"#), r#"{"x":2}"#);
    assert_eq!(final_state(ROUTES, r#"{"x": 2}"#), r#"{"out":"b","x":3}"#);
    assert_eq!(final_state(ROUTES, r#"{"x": 3}"#), r#"{"out":"c","x":4}"#);
    let stuck = last(ROUTES, r#"{"x": 9}"#);
    assert!(
        stuck.contains("No valid next node found from node 'a'") && stuck.contains(r#""kind":"graph""#),
        "{stuck}"
    );
}

#[test]
fn goto_comes_before_edges_and_the_list() {
    let text = "
language: prolog
nodes:
- {name: a, run: set k even, goto: [{if: result.k == 'odd', to: b}, {if: '!nope', to: c}]}
- {name: b, run: set out b}
- {name: c, run: set out c, goto: __end__}
edges:
- {from: a, to: b}
";
    assert_eq!(final_state(text, "{}"), r#"{"k":"even","out":"c"}"#);
}

#[test]
fn a_failed_node_gives_nothing_and_says_so() {
    let events = events_of(
        Rc::default(),
        "language: prolog\nnodes:\n- {name: a, run: fail}\n",
        Begin::Start(Object::new()),
    );
    let failed = events.iter().find_map(|event| match &event.kind {
        Kind::NodeEnd { failed, .. } => failed.clone(),
        _ => None,
    });
    assert_eq!(
        failed.map(|place| (place.line, place.goal)),
        Some((1, "fail".to_owned()))
    );
    assert_eq!(events.last().unwrap().kind, Kind::Final { state: Object::new() });
}

#[test]
fn branches_have_states_of_their_own() {
    let state = final_state(&BRANCHES.replace("BRANCH", "see v"), "{}");
    assert!(
        state.contains(r#""branch":"a","error":null,"retry_count":0,"state":{"v":11},"success":true"#),
        "{state}"
    );
    assert!(
        state.contains(r#""branch":"b","error":null,"retry_count":0,"state":{"saw":1,"v":1},"success":true"#),
        "{state}"
    );
    assert!(state.ends_with(r#""v":1}"#), "{state}");
}

#[test]
fn an_error_in_a_branch_is_that_of_its_node() {
    let last = last(&BRANCHES.replace("BRANCH", "throw"), "{}");
    assert!(
        last.contains(r#""node":"b""#) && last.contains(r#""kind":"prolog""#),
        "{last}"
    );
}

#[test]
fn loops_go_on_while_their_condition_holds() {
    let text = "
language: prolog
nodes:
- name: w
  type: while_loop
  condition: state.n < 10
  max_iterations: MOST
  body:
  - {name: up, run: add n 4}
";
    assert_eq!(
        final_state(&text.replace("MOST", "20"), r#"{"n": 1}"#),
        r#"{"n":13}"#
    );
    assert_eq!(
        final_state(&text.replace("MOST", "2"), r#"{"n": 1}"#),
        r#"{"n":9}"#
    );
    assert!(fault(&text.replace("MOST", "0")).contains("an integer from 1 to 1000"));
}

#[test]
fn the_same_steps_for_every_item() {
    let text = "
language: prolog
nodes:
- name: each
  type: dynamic_parallel
  items: state.items
  item_var: n
  max_concurrency: 2
  fan_in: join
  steps:
  - {name: up, run: add n 100}
- {name: join, language: python, run: join}
";
    let state = final_state(text, r#"{"items": [1, 2, 3]}"#);
    for part in [r#""branch":"each[0]""#, r#""index":2,"items":[1,2,3],"n":103"#] {
        assert!(state.contains(part), "{state}");
    }
    let wrong = last(text, r#"{"items": 3}"#);
    assert!(wrong.contains("must be a list"), "{wrong}");
}

#[test]
fn errors_are_tried_again_or_held() {
    let text = "
language: prolog
nodes:
- {name: a, run: flaky, on_error: {mode: retry, max_retries: 2, base_delay: 0.5}}
";
    let flaky = |throws: u64| {
        let script = Rc::new(Scripted {
            throws_left: Cell::new(throws),
            ..Scripted::default()
        });
        let events = events_of(script.clone(), text, Begin::Start(Object::new()));
        let last = Json::of(events.last().unwrap()).to_string();
        (last, script.slept.borrow().clone())
    };
    let (last, slept) = flaky(2);
    assert_eq!(
        (last.as_str(), slept),
        (r#"{"state":{"ok":true},"type":"final"}"#, vec![500, 1_000])
    );
    assert!(flaky(3).0.contains(r#""error":"flaky""#));

    let held = "
language: prolog
nodes:
- {name: a, run: throw, on_error: {mode: graceful}}
- {name: b, run: see __error__}
";
    assert!(
        final_state(held, "{}").contains(r#""saw":{"message":"threw throw","node":"a","type":"prolog"}"#)
    );
    let elsewhere = "
language: prolog
nodes:
- {name: a, run: throw, on_error: {fallback: c}}
- {name: b, run: set out b}
- {name: c, run: set out c}
";
    assert!(final_state(elsewhere, "{}").contains(r#""out":"c""#));
}

#[test]
fn a_run_waits_where_it_is_told_to() {
    let text = "
language: prolog
nodes:
- {name: a, run: set x 1, interrupt: after}
- {name: b, run: add x 1, interrupt: before}
";
    let mut begin = Begin::Start(Object::new());
    let mut waited = Vec::new();
    let state = loop {
        let events = events_of(Rc::default(), text, begin);
        let last = events.last().unwrap().clone();
        match last.kind {
            Kind::Interrupt {
                first, checkpoint, ..
            } => {
                let after = first.when == When::After;
                waited.push((first.node, after));
                let thread = serde_json::from_str(&serde_json::to_string(&checkpoint).unwrap()).unwrap();
                begin = resumed(thread, None, [("said".to_owned(), Json::Bool(after))].into());
            }
            Kind::Final { state } => break state,
            kind => panic!("{kind:?}"),
        }
    };
    assert_eq!(waited, [("a".to_owned(), true), ("b".to_owned(), false)]);
    assert_eq!(Json::Object(state).to_string(), r#"{"said":false,"x":2}"#);
}

#[test]
fn actions_get_parameters_and_a_key() {
    let text = "
variables: {to: ops}
nodes:
- name: a
  uses: notify
  with: {to: '{{ variables.to }}', n: '{{ state.n }}', all: ['{{ state.n + 1 }}']}
  output: {sent: '{{ result.with.n }}'}
- {name: b, uses: notify, output: r}
";
    let script = Rc::new(Scripted::default());
    let begin = Begin::Start([("n".to_owned(), Json::Int(5))].into());
    let events = events_of(script.clone(), text, begin);
    let last = Json::of(events.last().unwrap()).to_string();
    assert_eq!(
        last,
        r#"{"state":{"n":5,"r":{"name":"notify","with":{}},"sent":5},"type":"final"}"#
    );
    assert_eq!(*script.keys.borrow(), ["run/a/1", "run/b/1"]);
}

#[test]
fn an_action_tells_while_it_goes_on() {
    let script = Rc::new(Scripted::default());
    let text = "nodes:\n- {name: a, uses: speak, output: r}\n";
    let events = events_of(script, text, Begin::Start(Object::new()));
    let told = Json::of(&events[2]).to_string();
    assert_eq!(told, r#"{"event":"half","node":"a","type":"node_event"}"#);
    assert!(matches!(events[3].kind, Kind::NodeEnd { .. }));
}

#[test]
fn templates_are_replaced_in_python_and_not_in_prolog() {
    let text = "variables: {f: 3}\nnodes:\n- {name: a, language: python, run: 'x * {{ variables.f }}'}\n";
    assert_eq!(final_state(text, "{}"), r#"{"code":"x * 3"}"#);
    let text = "nodes:\n- {name: a, language: prolog, run: 'set x {{y}}'}\n";
    assert_eq!(final_state(text, "{}"), r#"{"x":"{{y}}"}"#);
}

#[test]
fn the_state_is_what_its_schema_says() {
    let text = "language: prolog\nstate_schema: {x: int}\nnodes:\n- {name: a, run: set x one}\n";
    let last = last(text, r#"{"x": 1}"#);
    assert!(
        last.contains("'x' of the state must be an integer, not a text"),
        "{last}"
    );
    assert!(self::last(text, r#"{"x": "1"}"#).contains("__start__"));
    assert!(fault("state_schema: {x: itn}\nnodes: [{name: a}]").contains("'itn' is not a state type"));
}

#[test]
fn a_graph_that_goes_round_has_an_end() {
    let text = "language: prolog\nnodes:\n- {name: a, goto: b}\n- {name: b, goto: a}\n";
    let last = last(text, "{}");
    assert!(last.contains("came to no end"), "{last}");
}

#[test]
fn a_run_without_a_book_does_nothing_where_a_node_uses_one() {
    let text = "
language: prolog
nodes:
- {name: a, uses: notify}
- {name: b, steps: [{name: c, book: true, run: x}]}
";
    let script = Rc::new(Scripted::default());
    let events = events_of(script.clone(), text, Begin::Start(Object::new()));
    let last = Json::of(events.last().unwrap()).to_string();
    assert!(last.contains("Node 'b' uses the book"), "{last}");
    assert!(script.keys.borrow().is_empty());
}

#[test]
fn a_program_gets_the_state_or_parameters_and_gives_an_answer() {
    let text = "
initial_state: {n: 1}
nodes:
- {name: whole, type: dml, run: p, output: a}
- {name: some, type: dml, run: q, with: {m: '{{ state.n }}'}, output: {b: '{{ result.answer }}'}}
- {name: wrong, type: dml, run: 'false.', on_error: {mode: graceful}}
- {name: within, steps: [{type: dml, run: r, with: {}, output: c}]}
";
    assert_eq!(
        final_state(text, "{}"),
        r#"{"__error__":{"message":"it was false","node":"wrong","type":"dml"},"a":"p {\"n\":1}","b":"q {\"m\":1}","c":"r {}","n":1}"#
    );
}

#[test]
fn items_tell_their_progress_and_steps_what_they_return() {
    let text = "
language: prolog
initial_state: {n: 0, items: [1, 2, 3]}
nodes:
- {name: e, type: dynamic_parallel, items: '{{ state.items }}', steps: [{name: s, run: set x 1}, {run: throw}], fan_in: z}
- {name: z, run: set y 2}
";
    let events = told(text);
    let of = |kind: &str| {
        let kind = format!(r#""type":"{kind}""#);
        events.iter().filter(move |event| event.contains(&kind))
    };
    let done = |event: &String| {
        let done = event.split("\"done\":").nth(1).unwrap();
        assert!(
            event.contains(r#""error":"Step 'step_1': threw throw""#),
            "{event}"
        );
        assert!(event.contains(r#""total":3"#), "{event}");
        done[..1].parse::<u64>().unwrap()
    };
    assert_eq!(of("item_start").count(), 3);
    assert_eq!(of("item_end").map(done).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(of("step_start").count(), 6);
    let ended: Vec<&String> = of("step_end").collect();
    assert_eq!(
        ended[0],
        r#"{"branch":"e[0]","node":"e.s","type":"step_end","updates":{"x":1}}"#
    );
    assert_eq!(ended.len(), 3);
}

#[test]
fn goals_of_conditions_and_reducers_are_code_too() {
    let text = "\
state_schema:
  k: {type: any, reduce: {type: prolog, code: 'pick'}}
nodes:
- name: a
  type: while_loop
  condition: {type: prolog, code: 'state(n, N), N < 3'}
  max_iterations: 3
  body: [{name: s, language: prolog, run: 'set n 1'}]
  goto: [{if: 'state(n, N), N > 1', to: b}, {to: __end__}]
- {name: b}
- {name: c}
edges:
- {from: b, to: c, when: true, condition: 'state(n, M), M == 4'}
";
    let workflow = load(text, &installed()).unwrap();
    let codes = workflow.codes();
    let goals: Vec<_> = codes
        .iter()
        .filter(|code| code.part != Part::Run)
        .map(|code| (code.node.as_str(), code.part, code.code, code.line))
        .collect();
    assert_eq!(
        goals,
        [
            ("k", Part::Reducer, "pick", 2),
            ("a", Part::Condition, "state(n, N), N < 3", 6),
            ("a", Part::Condition, "state(n, N), N > 1", 9),
            ("b", Part::Condition, "state(n, M), M == 4", 13),
        ]
    );
}

#[test]
fn code_tells_where_it_stands_and_errors_the_line_of_the_file() {
    let text = "\
language: prolog
nodes:
- name: a
  steps:
  - name: s
    run: |
      set x 1
  - {name: t, language: python, run: 'x = 1'}
- name: g
  type: workflow
  run:
    nodes: [{name: i, run: fail}]
";
    let workflow = load(text, &installed()).unwrap();
    let codes: Vec<_> = workflow.codes();
    let places: Vec<_> = codes
        .iter()
        .map(|code| (code.node.as_str(), code.language, code.line, code.column))
        .collect();
    assert_eq!(
        places,
        [
            ("a.s", "prolog", 7, 6),
            ("a.t", "python", 8, 38),
            ("g/i", "prolog", 12, 27)
        ]
    );
    let failed = told(text).into_iter().find(|event| event.contains("failed"));
    assert!(
        failed
            .as_ref()
            .is_some_and(|event| event.contains(r#""file_line":12"#)),
        "{failed:?}"
    );
}

/// The events of a run, as JSON.
fn told(text: &str) -> Vec<String> {
    let events = events_of(Rc::default(), text, Begin::Start(Object::new()));
    events.iter().map(|event| Json::of(event).to_string()).collect()
}

#[test]
fn code_that_was_taken_for_python_says_so_with_an_error_that_may_come_of_that() {
    let told = |language: &str| {
        let text = format!("nodes:\n- {{name: a, {language}run: 'SyntaxError here'}}\n");
        last(&text, "{}")
    };
    assert!(
        told("")
            .contains("SyntaxError here. Nothing says the language of this code, so it was taken for Python")
    );
    assert!(!told("language: python, ").contains("was taken for"));
}
