//! Validity, and the memory as of a time.

use serde_json::json;

use super::Bench;
use crate::time::iso;

#[test]
fn a_fact_is_seen_while_it_holds() {
    let mut bench = Bench::new();
    let add = |name: &str, from: Option<&str>, to: Option<&str>| json!({ "action": "add", "name": name, "type": "job", "valid_from": from, "valid_to": to });
    bench.graph(add("baker", Some("2019-01-01"), Some("2021-01-01")));
    bench.graph(add("teacher", Some("2021-01-01"), None));
    bench.graph(add("pensioner", Some("2050-01-01"), None));
    assert_eq!(bench.names(json!({})), ["teacher"]);
    assert_eq!(bench.names(json!({ "as_of": "2020-06-01" })), ["baker"]);
    assert_eq!(
        bench.names(json!({ "as_of": "2020-06-01", "text": "baker" })),
        ["baker"]
    );
    assert_eq!(bench.names(json!({ "as_of": "2018-06-01" })).len(), 0);
    assert_eq!(
        bench.names(json!({ "as_of": "2051-01-01" })),
        ["pensioner", "teacher"]
    );
    assert_eq!(bench.names(json!({ "stale": true })), ["teacher", "baker"]);
    assert_eq!(bench.graph(json!({ "action": "query" }))["total"], 1);
}

#[test]
fn an_edge_is_walked_while_it_holds() {
    let mut bench = Bench::new();
    let (one, two) = (bench.node("alpha"), bench.node("beta"));
    bench.graph(json!({ "action": "connect", "source_id": one, "target_id": two, "edge_type": "e", "valid_to": "2030-01-01" }));
    let related = |as_of: &str| json!({ "action": "related", "node_id": one, "as_of": as_of });
    assert_eq!(
        bench.intel(json!({ "action": "related", "node_id": one }))["count"],
        1
    );
    assert_eq!(bench.intel(related("2031-01-01"))["count"], 0);
    assert_eq!(bench.intel(related("2001-01-01"))["count"], 0);
}

#[test]
fn what_was_removed_is_there_as_of_before() {
    let mut bench = Bench::new();
    let (one, two) = (bench.node("alpha"), bench.node("beta"));
    bench.connect(&one, &two, "e");
    let kept =
        bench.experience(json!({ "action": "save", "content": "gamma", "type": "gotcha" }))["id"].clone();
    let then = iso(bench.now_ms - 1);
    bench.advance_days(3);
    bench.graph(json!({ "action": "remove", "node_id": two }));
    bench.experience(json!({ "action": "remove", "experience_id": kept }));
    assert_eq!(bench.names(json!({ "as_of": then })), ["beta", "alpha"]);
    assert_eq!(
        bench.intel(json!({ "action": "related", "node_id": one, "as_of": then }))["count"],
        1
    );
    assert_eq!(
        bench.experience(json!({ "action": "search", "as_of": then, "text": "gamma" }))["count"],
        1
    );
    assert_eq!(
        bench.names(json!({ "stale": true })),
        ["alpha"],
        "removed is not stale"
    );
}

#[test]
fn relevance_is_that_of_the_time() {
    let mut bench = Bench::new();
    bench.experience(json!({ "action": "save", "content": "alpha", "type": "workaround" }));
    let then = iso(bench.now_ms);
    bench.advance_days(50);
    let now = bench.experience(json!({ "action": "search" }));
    assert_eq!(now["experiences"][0]["relevance"], 0.5);
    let then = bench.experience(json!({ "action": "search", "as_of": then }));
    assert_eq!(then["experiences"][0]["relevance"], 1.0);
    assert_eq!(
        bench.experience(json!({ "action": "search", "min_relevance": 0.6 }))["total"],
        0
    );
}

#[test]
fn a_clock_that_goes_back_does_not_hide_what_was_told() {
    let mut bench = Bench::new();
    bench.node("alpha");
    bench.now_ms -= 5_000;
    bench.node("beta");
    assert_eq!(bench.names(json!({})), ["beta", "alpha"]);
}
