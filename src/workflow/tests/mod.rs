//! Workflows from their text to the end of a run, with scripted hands; and the Prolog of nodes, with scripted engines.

mod prolog;

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use futures::FutureExt;
use futures::executor::block_on;
use futures::future::{LocalBoxFuture, ready};
use proptest::prelude::*;

use crate::detect;
use crate::fault::{Fault, FaultKind};
use crate::json::{Json, Object};
use crate::load::{Installed, load};
use crate::mermaid::diagram;
use crate::model::Language;
use crate::prolog::{End, Executed, Place};
use crate::run::{Begin, Code, Coded, Event, Hands, Kind, Run};

/// Its "Prolog" is one word and its arguments: `set K V`, `add K N`, `see K` (gives what the state has as `saw`), `fail`,
/// `throw`; a condition is `K=V`.
#[derive(Default)]
struct Scripted {
    slept: RefCell<Vec<u64>>,
    throws_left: Cell<u64>,
    keys: RefCell<Vec<String>>,
}

impl Hands for Scripted {
    fn prolog<'a>(&'a self, code: &'a str, state: &'a Object) -> LocalBoxFuture<'a, Result<Executed, Fault>> {
        let words: Vec<&str> = code.split_whitespace().collect();
        let given =
            |key: &str, value: Json| Ok(End::Solutions(vec![Object::from([(key.to_owned(), value)])]));
        let end = match words[..] {
            ["set", key, value] => given(key, Json::integer(value).unwrap_or(Json::Text(value.into()))),
            ["add", key, by] => match (state.get(key), by.parse::<i64>()) {
                (Some(Json::Int(number)), Ok(by)) => given(key, Json::Int(number + by)),
                _ => given(key, Json::Int(1)),
            },
            ["see", key] => given("saw", state.get(key).cloned().unwrap_or_default()),
            ["flaky"] if self.throws_left.get() == 0 => given("ok", Json::Bool(true)),
            ["flaky"] => {
                self.throws_left.set(self.throws_left.get() - 1);
                Err(Fault::new(FaultKind::Prolog, "flaky"))
            }
            ["fail"] => Ok(End::Failed(Place {
                line: 1,
                goal: "fail".into(),
            })),
            _ => Err(Fault::new(FaultKind::Prolog, format!("threw {code}"))),
        };
        let executed = end.map(|end| Executed {
            output: String::new(),
            end,
        });
        ready(executed).boxed_local()
    }

    fn condition<'a>(
        &'a self,
        goal: &'a str,
        state: &'a Object,
    ) -> LocalBoxFuture<'a, Result<Option<String>, Fault>> {
        let held = goal.split_once('=').filter(|(key, value)| {
            state
                .get(*key)
                .is_some_and(|found| found.to_string().trim_matches('"') == *value)
        });
        ready(Ok(held.map(|_| "true".to_owned()))).boxed_local()
    }

    fn code<'a>(&'a self, code: Code<'a>) -> LocalBoxFuture<'a, Coded> {
        let result = [("code".to_owned(), Json::Text(code.code.to_owned()))];
        let results = code
            .parallel_results
            .cloned()
            .map(|results| ("results".to_owned(), results));
        let coded = Coded {
            result: Ok(result.into_iter().chain(results).collect()),
            state: None,
        };
        ready(coded).boxed_local()
    }

    fn action<'a>(
        &'a self,
        name: &'a str,
        with: &'a Json,
        _: &'a Object,
        key: &'a str,
    ) -> LocalBoxFuture<'a, Result<Json, Fault>> {
        self.keys.borrow_mut().push(key.to_owned());
        let given = [
            ("name".to_owned(), Json::Text(name.into())),
            ("with".to_owned(), with.clone()),
        ];
        ready(Ok(given.into_iter().collect())).boxed_local()
    }

    fn now_ms(&self) -> u64 {
        0
    }

    fn sleep(&self, ms: u64) -> LocalBoxFuture<'static, ()> {
        self.slept.borrow_mut().push(ms);
        ready(()).boxed_local()
    }
}

fn installed() -> Installed {
    Installed {
        languages: vec![Language::Python],
        actions: vec!["notify".into()],
        ..Installed::default()
    }
}

fn events_of(hands: Rc<Scripted>, text: &str, begin: Begin) -> Vec<Event> {
    let workflow = load(text, &installed()).unwrap_or_else(|fault| panic!("{fault}"));
    let run = Run::new(Rc::new(workflow), hands, "run".into(), begin);
    let mut events = Vec::new();
    while let Some(event) = block_on(run.next()) {
        events.push(event);
    }
    events
}

/// The last event, as JSON.
fn last(text: &str, state: &str) -> String {
    let Json::Object(state) = serde_json::from_str(state).unwrap() else {
        panic!("no object")
    };
    let events = events_of(Rc::default(), text, Begin::Start(state));
    events.last().unwrap().to_json().to_string()
}

fn final_state(text: &str, state: &str) -> String {
    let last = last(text, state);
    let state = last
        .strip_prefix(r#"{"state":"#)
        .and_then(|rest| rest.strip_suffix(r#","type":"final"}"#));
    state.unwrap_or_else(|| panic!("{last}")).to_owned()
}

fn fault(text: &str) -> String {
    load(text, &installed()).expect_err("it is wrong").to_string()
}

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

const ROUTES: &str = "
language: prolog
nodes:
- {name: a, run: add x 1}
- {name: b, run: set out b}
- {name: c, run: set out c}
edges:
- {from: __start__, to: a}
- {from: a, to: __end__, when: 'state.x == 2'}
- {from: a, to: b, when: x=3, language: prolog}
- {from: a, to: c, condition: {type: expression, value: state.x}, when: 4}
- {from: b, to: __end__}
- {from: c, to: __end__}
";

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
    assert_eq!(failed, Some((1, "fail".to_owned())));
    assert_eq!(events.last().unwrap().kind, Kind::Final { state: Object::new() });
}

const BRANCHES: &str = "
language: prolog
nodes:
- {name: s, run: set v 1}
- {name: a, run: add v 10}
- {name: b, run: BRANCH}
- {name: join, language: python, run: join}
edges:
- {from: s, to: a, type: parallel, fan_in: join}
- {from: s, to: b, type: parallel, fan_in: join}
- {from: a, to: join}
- {from: b, to: join}
";

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
  items: '{{ state.items }}'
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
        let hands = Rc::new(Scripted {
            throws_left: Cell::new(throws),
            ..Scripted::default()
        });
        let events = events_of(hands.clone(), text, Begin::Start(Object::new()));
        let last = events.last().unwrap().to_json().to_string();
        (last, hands.slept.borrow().clone())
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
            Kind::Interrupt { after, mut state } => {
                waited.push((last.node.clone().unwrap(), after));
                state.insert("said".into(), Json::Bool(after));
                begin = Begin::Resume {
                    node: last.node.unwrap(),
                    after,
                    state,
                };
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
    let hands = Rc::new(Scripted::default());
    let begin = Begin::Start([("n".to_owned(), Json::Int(5))].into());
    let events = events_of(hands.clone(), text, begin);
    let last = events.last().unwrap().to_json().to_string();
    assert_eq!(
        last,
        r#"{"state":{"n":5,"r":{"name":"notify","with":{}},"sent":5},"type":"final"}"#
    );
    assert_eq!(*hands.keys.borrow(), ["run/a/1", "run/b/1"]);
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
    assert!(fault("state_schema: {x: itn}\nnodes: [{name: a}]").contains("'itn' is no type"));
}

#[test]
fn what_is_wrong_is_told_with_its_place() {
    for (text, expected) in [
        ("nodes:\n- {nmae: a}\n", "line 2, column 3: A node needs a 'name'"),
        (
            "nodes:\n- name: a\n  rnu: x\n",
            "line 3, column 3: Node 'a' has the unknown key 'rnu'. Did you mean 'run'?",
        ),
        (
            "nods: []\n",
            "line 1, column 1: The workflow has the unknown key 'nods'. Did you mean 'nodes'?",
        ),
        ("nodes: []\n", "The workflow has no nodes."),
        (
            "nodes:\n- {name: a}\n- {name: a}\n",
            "line 3, column 10: There are two nodes with the name 'a'.",
        ),
        (
            "nodes:\n- {name: alpha}\nedges:\n- {from: alpha, to: alhpa}\n",
            "line 4, column 21: An edge goes to 'alhpa', which is no node. Did you mean 'alpha'?",
        ),
        (
            "nodes:\n- {name: a, goto: ghost}\n",
            "goto of node 'a' is 'ghost', which is no node. There are: a.",
        ),
        (
            "nodes:\n- {name: a, language: prolgo, run: x}\n",
            "Did you mean 'prolog'?",
        ),
        (
            "nodes:\n- {name: a, run: x, uses: y}\n",
            "'run' and 'uses' of node 'a' exclude each other.",
        ),
        (
            "nodes:\n- {name: a, uses: notfy}\n",
            "Node 'a' uses 'notfy', which is no action. Did you mean 'notify'?",
        ),
        (
            "nodes:\n- {name: a}\nedges:\n- {from: a, to: a, type: parallel}\n",
            "needs 'fan_in'",
        ),
        (
            "nodes:\n- {name: a}\nedges:\n- {from: a, to: a, when: 'state.x ==='}\n",
            "An expression of an edge cannot be read",
        ),
        (
            "nodes:\n- {name: a, type: while_lop}\n",
            "Did you mean 'while_loop'?",
        ),
        (
            "nodes: {a: 1}\n",
            "'nodes' of the workflow must be a list, not a map.",
        ),
        ("- a\n", "The workflow must be a map, not a list."),
        ("nodes: [\n", "This is not YAML"),
    ] {
        let told = fault(text);
        assert!(told.contains(expected), "{text}\n{told}\n{expected}");
    }
}

#[test]
fn a_language_that_is_not_installed_is_told_of_its_node() {
    let text =
        "nodes:\n- {name: p, run: 'state(x, X), return(y, X).'}\n- {name: l, language: lua, run: return 1}\n";
    let told = fault(text);
    for part in [
        "line 3",
        "Node 'l' is in Lua",
        "npm install wasmoon",
        "Nodes in Prolog work without it",
    ] {
        assert!(told.contains(part), "{told}");
    }
    let unsaid = "nodes:\n- {name: p, run: 'x = 1'}\n";
    let told = load(unsaid, &Installed::default()).unwrap_err().to_string();
    assert!(
        told.contains("npm install pyodide") && told.contains("language: prolog"),
        "{told}"
    );
}

#[test]
fn nothing_waits_within_a_branch() {
    let text = BRANCHES.replace("BRANCH}", "see v, interrupt: before}");
    assert!(fault(&text).contains("Node 'b' is in a parallel branch"));
}

#[test]
fn a_graph_that_goes_round_has_an_end() {
    let text = "language: prolog\nnodes:\n- {name: a, goto: b}\n- {name: b, goto: a}\n";
    let last = last(text, "{}");
    assert!(last.contains("came to no end"), "{last}");
}

proptest! {
    #[test]
    fn no_text_makes_detection_panic(code in "[a-zA-Z0-9'\"%#:.,()\\[\\]{}\\-?/*\\\\ \n\u{e4}\u{1F600}]{0,60}") {
        detect::is_prolog(&code);
        detect::is_lua(&code);
    }

    #[test]
    fn no_text_makes_loading_panic(
        node in "[a-z_]{1,12}: [a-z\\[\\]{}:,!'\" \u{e4}|]{0,24}",
        edge in "\\{(from|to|when|type|fan_in): [a-z_{}!. ]{0,12}\\}",
        rest in "\\PC{0,20}",
    ) {
        let text = format!("nodes:\n- name: a\n  {node}\nedges:\n- {edge}\n{rest}\n");
        let _ = load(&text, &installed());
    }

    #[test]
    fn integers_of_yaml_are_exact(digits in "-?[1-9][0-9]{0,45}") {
        let text = format!("initial_state: {{x: {digits}}}\nnodes: [{{name: a}}]");
        let workflow = load(&text, &installed()).unwrap();
        prop_assert_eq!(workflow.initial_state["x"].to_string(), digits);
    }
}

#[test]
fn a_diagram_has_every_node_and_edge() {
    let workflow = load(ROUTES, &installed()).unwrap();
    let expected = "flowchart TD
  start([start])
  n0[\"a<br/><small>prolog</small>\"]
  n1[\"b<br/><small>prolog</small>\"]
  n2[\"c<br/><small>prolog</small>\"]
  finish([end])
  start --> n0
  n0 -->|\"state.x == 2\"| finish
  n0 -->|\"x=3\"| n1
  n0 -->|\"state.x is 4\"| n2
  n1 --> finish
  n2 --> finish
";
    assert_eq!(diagram(&workflow), expected);
}
