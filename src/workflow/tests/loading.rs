//! Parsing workflows.

use proptest::prelude::*;

use super::*;
use crate::detect;
use crate::drawing::{Drawing, Kind};
use crate::mermaid::diagram;
use crate::model::Work;

#[test]
fn what_is_wrong_is_told_with_its_place() {
    for (text, expected) in [
        ("nodes:\n- {nmae: a}\n", "line 2, column 2: A node needs a 'name'"),
        (
            "nodes:\n- name: a\n  rnu: x\n",
            "line 3, column 2: Node 'a' has the unknown key 'rnu'. Did you mean 'run'?",
        ),
        (
            "nods: []\n",
            "line 1, column 0: The workflow has the unknown key 'nods'. Did you mean 'nodes'?",
        ),
        ("nodes: []\n", "The workflow has no nodes."),
        (
            "nodes:\n- {name: a}\n- {name: a}\n",
            "line 3, column 9: There are two nodes with the name 'a'.",
        ),
        (
            "nodes:\n- {name: alpha}\nedges:\n- {from: alpha, to: alhpa}\n",
            "line 4, column 20: An edge goes to 'alhpa', which is not a node. Did you mean 'alpha'?",
        ),
        (
            "nodes:\n- {name: a, goto: ghost}\n",
            "goto of node 'a' is 'ghost', which is not a node. There are: a.",
        ),
        (
            "nodes:\n- {name: a, language: prolgo, run: x}\n",
            "Did you mean 'prolog'?",
        ),
        (
            "nodes:\n- {name: a, run: x, uses: y}\n",
            "'run' and 'uses' of node 'a' cannot be combined.",
        ),
        (
            "nodes:\n- {name: a, uses: notfy}\n",
            "Node 'a' uses 'notfy', which is not an action. Did you mean 'notify'?",
        ),
        (
            "nodes:\n- {name: a, uses: github.issue}\n",
            "a tool of the MCP server 'github', which is not among those that were given",
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
            "nodes:\n- {name: a, type: dml, steps: []}\n",
            "line 2, column 30: 'steps' of node 'a' has no meaning there: a program in DML stands in 'run', or 'uses' names its file.",
        ),
        ("nodes:\n- {name: a, type: dml}\n", "needs 'run'"),
        (
            "nodes:\n- name: a\n  condition: x\n  max_iterations: 3\n  body: [{run: y = 1}]\n",
            "line 3, column 13: 'condition' of node 'a' has no meaning there: it belongs to a node of 'type: while_loop'.",
        ),
        (
            "nodes:\n- {name: a, items: [], steps: [{run: y = 1}]}\n",
            "'items' of node 'a' has no meaning there: it belongs to a node of 'type: dynamic_parallel'.",
        ),
        (
            "nodes:\n- {name: a, type: while_loop, condition: x, max_iterations: 3, run: y = 1, body: [{run: y = 1}]}\n",
            "'run' of node 'a' has no meaning there: what a loop does stands in its 'body'.",
        ),
        (
            "nodes:\n- {name: a, run: y = 1, output: z}\n",
            "'output' of node 'a' has no meaning there: it belongs to 'uses'",
        ),
        (
            "nodes:\n- name: a\n  uses: notify\n  with: {to: [1, '{{ state.x']}\n",
            "line 4, column 17: An expression of node 'a' cannot be read",
        ),
        (
            "nodes:\n- {name: a, run: 'y = {{ state.x'}\n",
            "line 2, column 17: An expression of node 'a' cannot be read",
        ),
        (
            "nodes:\n- {name: a, run: {type: expression, value: 'state.x +'}}\n",
            "An expression of node 'a' cannot be read",
        ),
        (
            "nodes:\n- {name: a, on_error: {max_retries: -1}}\n",
            "'max_retries' of 'on_error' of node 'a' must be an integer from 0 to 1000, not -1.",
        ),
        (
            "config: {prolog_timeout: -1}\nnodes:\n- {name: a}\n",
            "'prolog_timeout' of 'config' must be 0 or more, not -1.",
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
fn a_server_whose_nodes_are_in_prolog_asks_for_no_package() {
    let only_prolog = Installed {
        only_prolog: true,
        ..Installed::default()
    };
    for (node, guessed) in [("run: 'x = 1'", true), ("language: python, run: 'x = 1'", false)] {
        let text = format!("nodes:\n- {{name: p, {node}}}\n");
        let told = load(&text, &only_prolog).unwrap_err().to_string();
        for part in [
            "Node 'p' is in Python",
            "nodes of this server are in Prolog",
            "`hornbook flow`",
        ] {
            assert!(told.contains(part), "{told}");
        }
        assert!(!told.contains("npm install"), "{told}");
        assert_eq!(told.contains("'language: prolog' would"), guessed, "{told}");
    }
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
    assert_eq!(diagram(&Drawing::of(&workflow)), expected);
}

#[test]
fn a_drawing_knows_the_line_of_each_node_and_the_kind_of_each_edge() {
    let text = "nodes:
- name: a
  uses: send
- name: b
  run: return(x, 1).
  language: prolog
  on_error: {mode: graceful, fallback: d}
- {name: c, language: prolog, run: 'true.'}
- {name: d, language: prolog, run: 'true.'}
edges:
- {from: a, to: b, type: parallel, fan_in: d}
- {from: a, to: c, type: parallel, fan_in: d}
- {from: b, to: d}
- {from: c, to: d}
";
    let installed = Installed {
        actions: vec!["send".into()],
        ..installed()
    };
    let drawing = Drawing::of(&load(text, &installed).unwrap());
    let nodes: Vec<_> = drawing
        .nodes
        .iter()
        .map(|node| (&*node.id, &*node.name, node.does.as_deref().unwrap(), node.line))
        .collect();
    assert_eq!(
        nodes,
        [
            ("n0", "a", "send", 2),
            ("n1", "b", "prolog", 4),
            ("n2", "c", "prolog", 8),
            ("n3", "d", "prolog", 9),
        ]
    );
    let kind_of = |from: &str, to: &str| {
        let mut kinds = drawing
            .edges
            .iter()
            .filter(|edge| edge.from == from && edge.to == to);
        kinds.next().map(|edge| edge.kind)
    };
    assert_eq!(kind_of("start", "n0"), Some(Kind::Next));
    assert_eq!(kind_of("n0", "n1"), Some(Kind::Branch));
    let fallback = drawing
        .edges
        .iter()
        .find(|edge| edge.kind == Kind::Error)
        .unwrap();
    assert_eq!(
        (&*fallback.from, &*fallback.to, &*fallback.label),
        ("n1", "n3", "on error")
    );
}

#[test]
fn only_prolog_uses_the_book() {
    let text = "nodes:\n- {name: a, book: true, run: 'return(a, 1).'}";
    assert!(load(text, &installed()).is_ok());
    for node in [
        "{name: a, book: true, uses: notify}",
        "{name: a, book: true, language: python, run: x}",
        "{name: a, book: true, run: {type: expression, value: '1'}}",
        "{name: a, book: true, type: while_loop, condition: x, max_iterations: 1, body: []}",
    ] {
        let fault = fault(&format!("nodes:\n- {node}"));
        assert!(fault.contains("only Prolog code"), "{node}: {fault}");
    }
}

#[test]
fn what_a_text_uses_is_told_before_it_is_loaded() {
    let text =
        "nodes:\n- {name: a, uses: x.y}\n- name: b\n  steps:\n  - {uses: z}\n  - {run: {code: 'uses: w'}}\n";
    let used = crate::load::uses(text).unwrap();
    assert_eq!(
        used.actions,
        [("x.y".to_owned(), (2, 18)), ("z".to_owned(), (5, 11))]
    );
    assert!(!used.programs);
    let used = crate::load::uses("nodes:\n- {name: a, type: dml, uses: p.dml}\n").unwrap();
    assert_eq!(used.files, [("p.dml".to_owned(), (2, 29))]);
    assert!(used.programs && used.actions.is_empty());
}

#[test]
fn a_program_that_a_node_names_is_part_of_the_text() {
    let text = "nodes:\n- {name: a, type: dml, uses: p.dml}\n- {name: b, type: dml, run: x}\n";
    let with = |program: &str| Installed {
        files: [
            ("p.dml".to_owned(), program.to_owned()),
            ("q.dml".into(), "q".into()),
        ]
        .into(),
        ..installed()
    };
    let (one, other) = (
        load(text, &with("one")).unwrap(),
        load(text, &with("other")).unwrap(),
    );
    assert!(matches!(&one.nodes[0].work, Work::Program { code, .. } if code == "one"));
    assert_eq!(one.files.keys().collect::<Vec<_>>(), ["p.dml"]);
    assert_ne!(one.text_hash, other.text_hash);
    assert_ne!(one.nodes[0].hash, other.nodes[0].hash);
    assert_eq!(one.nodes[1].hash, other.nodes[1].hash);
}

#[test]
fn a_program_that_was_not_given_is_an_error_at_its_place() {
    let node = "nodes:\n- {name: a, type: dml, uses: p.dml}\n";
    let missing = "line 2, column 29: Node 'a' uses the program 'p.dml', which was not given.";
    assert!(fault(node).starts_with(missing), "{}", fault(node));
    let both = fault("nodes:\n- {name: a, type: dml, uses: p.dml, run: x}\n");
    assert!(
        both.contains("'uses' and 'run' of node 'a' cannot be combined"),
        "{both}"
    );
    let untyped = fault("nodes:\n- {name: a, uses: p.dml}\n");
    assert!(untyped.contains("a node with 'type: dml'"), "{untyped}");
}
