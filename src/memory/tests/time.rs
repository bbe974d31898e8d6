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
fn a_relation_keeps_every_interval_at_which_it_held() {
    let mut bench = Bench::new();
    let add = |name: &str| json!({ "action": "add", "name": name, "type": "t", "valid_from": "2000-01-01" });
    let ann = super::id(&bench.graph(add("ann")));
    let acme = super::id(&bench.graph(add("acme")));
    let connect = |from: Option<&str>, to: Option<&str>| {
        json!({ "action": "connect", "source_id": ann, "target_id": acme, "edge_type": "works/at",
            "valid_from": from, "valid_to": to })
    };
    bench.graph(connect(Some("2020-01-01"), Some("2022-06-30")));
    bench.graph(connect(Some("2023-01-01"), None));
    let before = bench.state();
    bench.graph(connect(Some("2010-01-01"), Some("2011-01-01")));
    for taken in [
        connect(None, None),
        connect(Some("2022-01-01"), Some("2022-02-01")),
        connect(Some("2010-06-01"), None),
    ] {
        let refused = bench.error("kn_graph", taken);
        assert!(
            refused.starts_with("Edge already exists: ") && refused.contains(", from 20"),
            "{refused}"
        );
    }
    let count = |bench: &mut Bench, as_of: &str| {
        bench.intel(json!({ "action": "related", "node_id": ann, "as_of": as_of }))["count"].clone()
    };
    for (as_of, held) in [
        ("2009-01-01", 0),
        ("2010-05-01", 1),
        ("2015-01-01", 0),
        ("2021-05-01", 1),
        ("2022-12-01", 0),
        ("2023-05-01", 1),
    ] {
        assert_eq!(count(&mut bench, as_of), held, "{as_of}");
    }
    // What is recorded leads to the same memory, and the last change alone is taken back.
    let mut again = crate::Memory::default();
    for (key, record) in bench.memory.records() {
        again.load(&key, &record.to_string()).expect("a record");
    }
    let records: std::collections::BTreeMap<_, _> = again.records().collect();
    assert_eq!(records, bench.state());
    let last = bench
        .state()
        .into_iter()
        .find(|(key, _)| !before.contains_key(key))
        .expect("one more");
    bench
        .memory
        .apply(&crate::Change {
            key: last.0,
            before: Some(last.1),
            after: None,
        })
        .expect("taken back");
    assert_eq!(bench.state(), before);
    assert_eq!(count(&mut bench, "2021-05-01"), 1);
    // Removing takes the interval that holds now, then the latest; restoring brings the last one back.
    let edge = |action: &str| json!({ "action": action, "source_id": ann, "target_id": acme, "edge_type": "works/at" });
    assert_eq!(bench.graph(edge("remove"))["left"], 1);
    assert_eq!(
        (count(&mut bench, "2021-05-01"), count(&mut bench, "2023-05-01")),
        (json!(1), json!(1))
    );
    assert_eq!(
        bench.intel(json!({ "action": "related", "node_id": ann }))["count"],
        0
    );
    bench.graph(edge("restore"));
    assert_eq!(
        bench.intel(json!({ "action": "related", "node_id": ann }))["count"],
        1
    );
    bench.graph(edge("remove"));
    bench.graph(edge("remove"));
    assert!(bench.error("kn_graph", edge("remove")).contains("not found"));
}

#[test]
fn an_edge_that_begins_before_its_nodes_says_so() {
    let mut bench = Bench::new();
    let (one, two) = (bench.node("alpha"), bench.node("beta"));
    let connect = |from: Option<&str>| json!({ "action": "connect", "source_id": one, "target_id": two, "edge_type": "e", "valid_from": from, "valid_to": "2040-01-01" });
    let backfilled = bench.graph(connect(Some("2020-01-01")));
    let note = backfilled["note"].as_str().unwrap_or_default();
    assert!(note.contains("beta begins only then"), "{backfilled}");
    bench.graph(json!({ "action": "remove", "source_id": one, "target_id": two, "edge_type": "e" }));
    assert_eq!(bench.graph(connect(None))["note"], json!(null));
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
