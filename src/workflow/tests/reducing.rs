//! Keys with reducers: what nodes, branches and items return is combined with what is there.

use std::cmp::Ordering;

use super::*;
use crate::number::{compare, sum};

/// A state with a key for each reducer.
const SCHEMA: &str = "
language: prolog
state_schema:
  notes: {type: list, reduce: append}
  total: {type: int, reduce: sum}
  high: {type: int, reduce: max}
  low: {type: int, reduce: min}
  pair: {type: any, reduce: {type: prolog, code: 'g.'}}
  plain: int
";

fn end(rest: &str, state: &str) -> String {
    final_state(&format!("{SCHEMA}{rest}"), state)
}

#[test]
fn what_a_node_returns_is_combined_with_what_is_there() {
    for (key, state, node, expected) in [
        ("notes", "[1]", "2", "[1,2]"),
        ("total", "40", "2", "42"),
        ("total", "9223372036854775807", "1", "9223372036854775808"),
        ("high", "3", "5", "5"),
        ("high", "5", "3", "5"),
        ("low", "5", "3", "3"),
        ("pair", "7", "8", "[7,8]"),
        ("plain", "1", "2", "2"),
    ] {
        let rest = format!("nodes:\n- {{name: a, run: set {key} {node}}}\n");
        let state = end(&rest, &format!(r#"{{"{key}": {state}}}"#));
        assert_eq!(state, format!(r#"{{"{key}":{expected}}}"#));
        let first = end(&rest, "{}");
        let expected = if key == "notes" {
            format!("[{node}]")
        } else {
            node.to_owned()
        };
        assert_eq!(first, format!(r#"{{"{key}":{expected}}}"#));
    }
}

#[test]
fn the_time_of_a_node_covers_its_reducer() {
    let script = Rc::new(Scripted::default());
    let text = format!(
        "{SCHEMA}nodes:\n- {{name: a, timeout: 1, run: set pair 2}}\n- {{name: b, run: set pair 3}}\n"
    );
    events_of(
        script.clone(),
        &text,
        Begin::Start([("pair".to_owned(), Json::Int(1))].into()),
    );
    assert_eq!(*script.limits.borrow(), [1_000, 1_000, 30_000, 30_000]);
}

#[test]
fn each_step_and_each_round_adds() {
    let steps = "nodes:\n- {name: a, steps: [{run: set notes 1}, {run: set notes 2}]}\n";
    assert_eq!(end(steps, "{}"), r#"{"notes":[1,2]}"#);
    let rounds = "nodes:\n- {name: a, type: while_loop, condition: true, max_iterations: 3, body: [{run: set total 2}]}\n";
    assert_eq!(end(rounds, r#"{"total": 1}"#), r#"{"total":7}"#);
}

const FAN: &str = "
nodes:
- {name: s, run: set notes 0}
- {name: a, steps: [{run: set notes 1}, {run: set total 5}]}
- {name: b, run: set notes 2, goto: b2}
- {name: b2, run: set total 6}
- {name: join, run: set notes 9}
edges:
- {from: s, to: a, type: parallel, fan_in: join}
- {from: s, to: b, type: parallel, fan_in: join}
";

#[test]
fn branches_come_together_in_their_order() {
    assert_eq!(end(FAN, r#"{"total": 1}"#), r#"{"notes":[0,1,2,9],"total":12}"#);
    let text = format!("{SCHEMA}{FAN}");
    let events = events_of(Rc::default(), &text, Begin::Start(Object::new()));
    let updates = events.iter().find_map(|event| match &event.kind {
        Kind::BranchesEnd { updates, .. } => Some(Json::Object(updates.clone()).to_string()),
        _ => None,
    });
    assert_eq!(updates.as_deref(), Some(r#"{"notes":[0,1,2],"total":11}"#));
}

#[test]
fn branches_within_branches_add_once() {
    let rest = "
nodes:
- {name: s, run: set notes 0}
- {name: a, run: set notes 1}
- {name: a1, run: set notes 2}
- {name: a2, run: set notes 3}
- {name: meet, run: set notes 4}
- {name: b, run: set notes 5}
- {name: join}
edges:
- {from: s, to: a, type: parallel, fan_in: join}
- {from: s, to: b, type: parallel, fan_in: join}
- {from: a, to: a1, type: parallel, fan_in: meet}
- {from: a, to: a2, type: parallel, fan_in: meet}
- {from: meet, to: join}
";
    assert_eq!(end(rest, "{}"), r#"{"notes":[0,1,2,3,4,5]}"#);
}

#[test]
fn items_come_together_in_their_order() {
    let rest = "
nodes:
- {name: each, type: dynamic_parallel, items: [1, 2, 3], fan_in: join, steps: [{run: set notes x}, {run: set total 2}]}
- {name: join}
";
    assert_eq!(
        end(rest, r#"{"notes": ["w"]}"#),
        r#"{"notes":["w","x","x","x"],"total":6}"#
    );
}

#[test]
fn a_run_that_is_killed_adds_nothing_twice() {
    let items = "- {name: each, type: dynamic_parallel, items: [1, 2], fan_in: last, steps: [{run: set notes x}, {run: set total 2}]}
- {name: last}
";
    let text = format!("{SCHEMA}{}", FAN.replace("edges:", &format!("{items}edges:")));
    let (end, records) = super::kept::killed_at_every_record(&text, "{}");
    assert!(
        end.contains(r#"{"notes":[0,1,2,9,"x","x"],"total":15}"#) && records > 10,
        "{records} {end}"
    );
}

#[test]
fn a_value_that_a_reducer_cannot_take_is_an_error_of_the_node() {
    let last = last(
        &format!("{SCHEMA}nodes:\n- {{name: a, run: set total many}}\n"),
        "{}",
    );
    assert!(
        last.contains("'total' has the reducer sum, which cannot take a text.")
            && last.contains(r#""kind":"state""#),
        "{last}"
    );
}

#[test]
fn a_reducer_has_to_fit_its_type() {
    for (key, why) in [
        (
            "{type: list, reduce: apend}",
            "line 1, column 39: 'apend' is not a reducer. Did you mean 'append'?",
        ),
        (
            "{type: int, reduce: append}",
            "The reducer append of 'k' of state_schema gives a list, and its type is an integer.",
        ),
        (
            "{type: int, reduce: {type: python, code: x}}",
            "A reducer is a goal in Prolog ({type: prolog, code: G}), not in python.",
        ),
        (
            "{type: int, reduce: 3}",
            "'reduce' of 'k' of state_schema must be the name of a reducer",
        ),
        ("{type: int, redcue: sum}", "Did you mean 'reduce'?"),
    ] {
        let fault = fault(&format!("state_schema: {{k: {key}}}\nnodes: [{{name: a}}]\n"));
        assert!(fault.contains(why), "{fault}");
    }
}

#[test]
fn integers_are_exact_at_any_size() {
    let number = |digits: &str| Json::integer(digits).unwrap();
    for (a, b, expected) in [
        ("9223372036854775807", "1", "9223372036854775808"),
        ("-9223372036854775808", "-1", "-9223372036854775809"),
        ("100000000000000000000", "-1", "99999999999999999999"),
        ("-100000000000000000000", "100000000000000000000", "0"),
        ("1", "-100000000000000000000", "-99999999999999999999"),
    ] {
        assert_eq!(sum(&number(a), &number(b)), Some(number(expected)), "{a} + {b}");
    }
    let (low, high) = (number("-100000000000000000001"), number("-100000000000000000000"));
    assert_eq!(compare(&low, &high), Some(Ordering::Less));
    assert_eq!(compare(&high, &Json::Float(0.5)), Some(Ordering::Less));
    assert_eq!(sum(&Json::Int(1), &Json::Float(0.5)), Some(Json::Float(1.5)));
    for (integer, float, expected) in [
        ("9007199254740993", 9007199254740992.0, Ordering::Greater),
        ("-9007199254740993", -9007199254740992.0, Ordering::Less),
        ("9007199254740992", 9007199254740992.0, Ordering::Equal),
        ("0", -0.0, Ordering::Equal),
        ("0", -0.5, Ordering::Greater),
        ("1", 1.5, Ordering::Less),
        ("100000000000000000000001", 1e23, Ordering::Greater),
    ] {
        let (integer, float) = (number(integer), Json::Float(float));
        assert_eq!(compare(&integer, &float), Some(expected), "{integer} {float}");
        assert_eq!(
            compare(&float, &integer),
            Some(expected.reverse()),
            "{float} {integer}"
        );
    }
}
