//! Workflows within a workflow.

use super::kept::{Shelf, killed_at_every_record, process, shown};
use super::*;
use crate::runs::Status;

const NESTED: &str = "
language: prolog
nodes:
- {name: a, run: set x 1}
- name: sub
  type: workflow
  with: {n: '{{ state.x + 1 }}'}
  output: {got: '{{ result.m }}'}
  run:
    initial_state: {m: 0}
    state_schema: {m: {type: int, reduce: sum}}
    nodes:
    - {name: a, run: add n 10}
    - {name: b, run: set m 5, goto: [{if: state.n == 12, to: c}]}
    - {name: c, run: set m 6}
- {name: z, run: add got 1}
";

#[test]
fn a_workflow_within_a_node_has_its_own_state_and_schema() {
    assert_eq!(final_state(NESTED, "{}"), r#"{"got":12,"x":1}"#);
    let key = NESTED
        .replace("{got: '{{ result.m }}'}", "got")
        .replace("z, run: add got 1", "z");
    assert_eq!(final_state(&key, "{}"), r#"{"got":{"m":11,"n":12},"x":1}"#);
    let events = events_of(Rc::default(), NESTED, Begin::Start(Object::new()));
    let started = events.iter().filter_map(|event| match &event.kind {
        Kind::NodeStart { node } => Some(node.as_str()),
        _ => None,
    });
    assert_eq!(
        started.collect::<Vec<_>>(),
        ["a", "sub", "sub/a", "sub/b", "sub/c", "z"]
    );
}

#[test]
fn without_values_of_its_own_it_takes_and_gives_the_state_around_it() {
    let text = "
language: prolog
state_schema:
  notes: {type: list, reduce: append}
  total: {type: int, reduce: sum}
nodes:
- name: sub
  type: workflow
  run:
    state_schema:
      notes: {type: list, reduce: append}
      total: {type: int, reduce: sum}
    nodes:
    - {name: a, run: set notes 2}
    - {name: b, run: set total 5}
    - {name: c, run: set new 7}
";
    assert_eq!(
        final_state(text, r#"{"notes": [1], "total": 1, "same": 3}"#),
        r#"{"new":7,"notes":[1,2],"same":3,"total":6}"#
    );
}

/// A workflow that gives what it added to the state around it, directly and through one without reducers.
const ADDS: &str = "
language: prolog
state_schema: &schema
  notes: {type: any, reduce: append}
  pair: {type: any, reduce: {type: prolog, code: g}}
initial_state: {notes: o, pair: 7}
nodes:
- name: sub
  type: workflow
  run:
    state_schema: *schema
    nodes:
    - {name: a, steps: [{run: set notes 1}, {run: set notes 2}]}
    - {name: b, run: set pair 8}
- name: plain
  type: workflow
  run:
    initial_state: {others: 3}
    nodes:
    - {name: c, type: workflow, run: {state_schema: *schema, nodes: [{name: d, run: set notes 4}]}}
    - {name: e, run: set notes o}
    - {name: s}
    - {name: f, run: set notes lost}
    - {name: g, run: set x 1}
    - {name: j}
    edges:
    - {from: s, to: f, type: parallel, fan_in: j}
    - {from: s, to: g, type: parallel, fan_in: j}
- {name: end, run: set notes 5}
";

#[test]
fn what_it_returned_is_added_around_it_once() {
    let (end, records) = killed_at_every_record(ADDS, "{}");
    assert!(
        end.contains(r#"{"notes":["o",1,2,4,"o",5],"others":3,"pair":[7,8]}"#) && records > 15,
        "{records} {end}"
    );
}

#[test]
fn what_it_began_with_by_itself_is_added_around_it() {
    let text = "
language: prolog
state_schema: &schema {notes: {type: list, reduce: append}}
nodes:
- name: sub
  type: workflow
  run: {initial_state: {notes: [0]}, state_schema: *schema, nodes: [{name: a, run: set notes 1}]}
";
    assert_eq!(final_state(text, "{}"), r#"{"notes":[0,1]}"#);
    assert_eq!(final_state(text, r#"{"notes": [9]}"#), r#"{"notes":[9,1]}"#);
}

#[test]
fn an_answer_to_it_fits_its_schema_and_is_added_around_it() {
    let text = "
language: prolog
state_schema: {notes: {type: list, reduce: append}}
nodes:
- name: sub
  type: workflow
  run: {state_schema: {ok: bool}, nodes: [{name: q, interrupt: before, run: set x 1}]}
";
    let shelf = Rc::new(Shelf::default());
    process(&shelf).begin(text, r#"{"notes": [1]}"#);
    let records = process(&shelf).runs.checkpoints("r").unwrap().len();
    let refused = shown(
        &process(&shelf)
            .resume("r", text, r#"{"ok": "nonsense"}"#)
            .unwrap(),
    );
    assert!(
        refused.contains("'ok' of the state must be") && refused.contains(r#""node":"sub/q""#),
        "{refused}"
    );
    assert_eq!(process(&shelf).runs.checkpoints("r").unwrap().len(), records);
    let answer = r#"{"ok": true, "notes": [2]}"#;
    let end = shown(&process(&shelf).resume("r", text, answer).unwrap());
    assert!(end.contains(r#"{"notes":[1,2],"ok":true,"x":1}"#), "{end}");
}

#[test]
fn an_error_within_it_is_an_error_of_the_node() {
    let text = NESTED.replace("run: set m 6", "run: throw");
    let failed = last(&text, "{}");
    assert!(
        failed.contains(r#""node":"sub/c""#) && failed.contains("threw throw"),
        "{failed}"
    );
    let held = text.replace(
        "  type: workflow",
        "  on_error: {mode: graceful}\n  type: workflow",
    );
    let state = final_state(&held, "{}");
    assert!(
        state.contains(r#""__error__":{"message":"threw throw","node":"sub/c","type":"prolog"}"#),
        "{state}"
    );
}

/// A node, steps, items, a round of a loop and a branch with workflows within them, two levels deep.
const EVERYWHERE: &str = "
language: prolog
state_schema: {seen: {type: list, reduce: append}}
nodes:
- name: sub
  type: workflow
  with: {}
  output: {seen: '{{ result.r.name }}'}
  run:
    nodes:
    - {name: tell, uses: notify, output: r}
    - {name: s}
    - {name: p, uses: notify, output: p}
    - name: deep
      type: workflow
      run: {nodes: [{name: one, uses: notify, output: o}, {name: two, run: set t 1}]}
    - {name: j, run: set done yes}
    edges:
    - {from: s, to: p, type: parallel, fan_in: j}
    - {from: s, to: deep, type: parallel, fan_in: j}
- name: steps
  steps:
  - {name: first, run: set seen 1}
  - {name: inner, type: workflow, with: {}, output: {seen: 2}, run: {nodes: [{name: a, uses: notify}, {name: b}]}}
- name: loop
  type: while_loop
  condition: true
  max_iterations: 2
  body:
  - {name: inner, type: workflow, with: {}, output: {seen: 3}, run: {nodes: [{name: a, uses: notify}, {name: b}]}}
- name: each
  type: dynamic_parallel
  items: [1, 2]
  fan_in: end
  steps:
  - {name: inner, type: workflow, with: {}, output: {seen: 4}, run: {nodes: [{name: a, uses: notify}, {name: b}]}}
- {name: end}
";

#[test]
fn a_run_goes_on_within_it() {
    let (end, records) = killed_at_every_record(EVERYWHERE, "{}");
    assert!(
        end.contains(r#""seen":["notify",1,2,3,3,4,4]"#) && records > 35,
        "{records} {end}"
    );
}

#[test]
fn its_actions_have_keys_with_its_path() {
    let script = Rc::new(Scripted::default());
    events_of(script.clone(), EVERYWHERE, Begin::Start(Object::new()));
    let keys = script.keys.borrow();
    for key in [
        "run/sub/1/tell/1",
        "run/sub/1/s[1]/deep/1/one/1",
        "run/steps.inner/1/a/1",
        "run/loop(2).inner/1/a/1",
        "run/each[1].inner/1/a/1",
    ] {
        assert!(keys.iter().any(|known| known == key), "{key} in {keys:?}");
    }
}

#[test]
fn another_attempt_begins_anew() {
    let text = "
language: prolog
nodes:
- name: sub
  type: workflow
  on_error: {mode: retry, max_retries: 1}
  run: {nodes: [{name: a, uses: notify}, {name: b, run: flaky}]}
";
    let script = Rc::new(Scripted {
        throws_left: Cell::new(1),
        ..Scripted::default()
    });
    let events = events_of(script.clone(), text, Begin::Start(Object::new()));
    assert!(matches!(events.last().unwrap().kind, Kind::Final { .. }));
    assert_eq!(*script.keys.borrow(), ["run/sub/1/a/1", "run/sub/2/a/1"]);
}

#[test]
fn another_attempt_begins_anew_although_the_process_was_killed_before_it() {
    let text = "
language: prolog
state_schema: {n: {type: int, reduce: sum}}
nodes:
- name: sub
  type: workflow
  on_error: {mode: retry, max_retries: 1}
  run: {nodes: [{name: a, uses: notify, output: {n: '{{ 5 }}'}}, {name: b, run: flaky}]}
";
    let shelf = Rc::new(Shelf::default());
    // After the record of the failed attempt.
    shelf.stop_after(5);
    let killed = process(&shelf);
    killed.script.throws_left.set(1);
    killed.begin(text, "{}");
    drop(killed);
    let records = process(&shelf).runs.checkpoints("r").unwrap();
    assert_eq!(records.last().unwrap().what, "tried");
    shelf.go_on();
    let second = process(&shelf);
    let end = shown(&second.resume("r", text, "{}").unwrap());
    assert!(end.contains(r#""n":5,"#), "{end}");
    assert_eq!(*second.script.keys.borrow(), ["r/sub/2/a/1"]);
}

const WAITS: &str = "
language: prolog
nodes:
- {name: a, uses: notify}
- name: sub
  type: workflow
  with: {x: 1}
  output: {said: '{{ result.said }}', x: '{{ result.x }}'}
  run:
    nodes:
    - {name: ask, uses: notify, output: r}
    - {name: inner, type: workflow, run: {nodes: [{name: go, run: add x 1, interrupt: before}]}}
";

#[test]
fn a_run_waits_within_it() {
    let events = events_of(Rc::default(), WAITS, Begin::Start(Object::new()));
    let Kind::Interrupt {
        first,
        state,
        checkpoint,
        ..
    } = &events.last().unwrap().kind
    else {
        panic!("{events:?}")
    };
    assert_eq!(
        (first.node.as_str(), state.get("x")),
        ("sub/inner/go", Some(&Json::Int(1)))
    );
    let thread = serde_json::from_str(&checkpoint.to_string()).unwrap();
    let begin = resumed(thread, None, [("said".to_owned(), Json::Bool(true))].into());
    let events = events_of(Rc::default(), WAITS, begin);
    let end = Json::of(events.last().unwrap()).to_string();
    assert!(end.contains(r#""said":true,"with":{},"x":2}"#), "{end}");
}

#[test]
fn a_kept_run_waits_within_it_and_its_text_is_pinned() {
    let shelf = Rc::new(Shelf::default());
    process(&shelf).begin(WAITS, "{}");
    let runs = process(&shelf).runs;
    let listed = &runs.list()[0];
    assert_eq!(
        (listed.status, listed.node.as_deref()),
        (Status::Waiting, Some("sub/inner/go"))
    );
    let shown_nodes = runs
        .checkpoints("r")
        .unwrap()
        .into_iter()
        .filter_map(|checkpoint| checkpoint.node);
    assert!(shown_nodes.into_iter().any(|node| node == "sub/ask"));
    let changed = process(&shelf).resume("r", &WAITS.replace("add x 1", "add x 2"), "{}");
    assert!(changed.unwrap_err().contains("node 'sub' was changed"));
    // Pruned to one record, it continues at the same place.
    block_on(runs.prune("r", 1)).unwrap();
    let changed = process(&shelf).resume("r", &WAITS.replace("add x 1", "add x 2"), "{}");
    assert!(changed.unwrap_err().contains("node 'sub' was changed"));
    let end = process(&shelf);
    let events = end.resume("r", WAITS, r#"{"said": "ok"}"#).unwrap();
    assert!(
        shown(&events).contains(r#""said":"ok","with":{},"x":2}"#),
        "{}",
        shown(&events)
    );
    // What was done before it waited is not done again.
    assert!(end.script.keys.borrow().is_empty());
}

fn with_files(text: &str, files: &[(&str, &str)]) -> Result<crate::model::Workflow, String> {
    let files = files
        .iter()
        .map(|(name, text)| ((*name).to_owned(), (*text).to_owned()));
    let installed = Installed {
        files: files.collect(),
        ..installed()
    };
    load(text, &installed).map_err(|fault| fault.to_string())
}

#[test]
fn a_workflow_may_have_a_file_of_its_own() {
    let text = "nodes: [{name: a, type: workflow, uses: sub.yaml}]";
    let deep = "nodes: [{name: b, type: workflow, uses: deep.yaml}]";
    let last = "nodes: [{name: c, language: prolog, run: set x 1}]";
    let loaded = with_files(
        text,
        &[("sub.yaml", deep), ("deep.yaml", last), ("other.yaml", last)],
    )
    .unwrap();
    assert_eq!(loaded.files.keys().collect::<Vec<_>>(), ["deep.yaml", "sub.yaml"]);
    // The node is pinned to all of its text.
    let changed = with_files(text, &[("sub.yaml", deep), ("deep.yaml", "nodes: [{name: c}]")]).unwrap();
    assert_ne!(loaded.nodes[0].hash, changed.nodes[0].hash);
}

#[test]
fn what_is_wrong_within_it_is_told_when_it_is_loaded() {
    let file = "nodes: [{name: a, type: workflow, uses: sub.yaml}]";
    for (text, files, why) in [
        (
            "nodes:\n- name: a\n  type: workflow\n  run:\n    nodes:\n    - {name: b, got: c}\n",
            &[][..],
            "line 6, column 16: Node 'b' has the unknown key 'got'. Did you mean 'goto'?",
        ),
        (
            "nodes: [{name: a, type: workflow, run: 'true.'}]",
            &[],
            "'run' of node 'a' must be a workflow: a map with 'nodes', not a text.",
        ),
        (
            "nodes: [{name: a, type: workflow}]",
            &[],
            "Node 'a' needs 'run', a workflow, or 'uses', the name of its file.",
        ),
        (
            file,
            &[("subs.yaml", "")],
            "Node 'a' uses the workflow 'sub.yaml', which was not given. Did you mean 'subs.yaml'?",
        ),
        (
            file,
            &[("sub.yaml", "nodes:\n- {name: b, rnu: x}")],
            "line 1, column 40: In sub.yaml, line 2, column 12: Node 'b' has the unknown key 'rnu'. Did you mean 'run'?",
        ),
        (
            file,
            &[
                ("sub.yaml", "nodes: [{name: a, type: workflow, uses: b.yaml}]"),
                ("b.yaml", file),
            ],
            "The workflow 'sub.yaml' is within itself: sub.yaml uses b.yaml uses sub.yaml.",
        ),
        (
            "nodes: [{name: a, type: workflw, run: {nodes: []}}]",
            &[],
            "Did you mean 'workflow'?",
        ),
    ] {
        let fault = with_files(text, files).unwrap_err();
        assert!(fault.contains(why), "{fault}");
    }
    let deep = (0..9).fold("{name: a}".to_owned(), |inner, _| {
        format!("{{name: a, type: workflow, run: {{nodes: [{inner}]}}}}")
    });
    let fault = fault(&format!("nodes: [{deep}]"));
    assert!(fault.contains("nests deeper than 8 workflows"), "{fault}");
}

#[test]
fn it_is_drawn_and_explained_by_its_path() {
    let workflow = load(NESTED, &installed()).unwrap();
    let drawing = crate::drawing::Drawing::of(&workflow);
    assert_eq!(drawing.nodes[1].does.as_deref(), Some("workflow"));
    assert!(crate::mermaid::diagram(&drawing).contains(r#"n1[/"sub<br/><small>workflow</small>"/]"#));
    assert_eq!(workflow.decision("sub/b").unwrap(), "set m 5");
    assert!(
        workflow
            .decision("sub/y")
            .unwrap_err()
            .message
            .contains("There is no node 'y'")
    );
}
