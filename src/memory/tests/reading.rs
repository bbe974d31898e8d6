//! What read calls show: fair shares, pages, budgets, scopes, the edges followed.

use serde_json::json;

use super::{Bench, texts};
use crate::budget::tokens;

#[test]
fn recall_gives_nodes_and_experiences_fair_shares() {
    let mut bench = Bench::new();
    for n in 0..20 {
        bench.graph(json!({ "action": "add", "name": format!("cache node {n}"), "type": "t" }));
        bench.experience(
            json!({ "action": "save", "content": format!("cache experience {n}"), "type": "gotcha" }),
        );
    }
    for topic in [json!("caching"), json!(null)] {
        let found = bench.intel(json!({ "action": "recall", "topic": topic, "limit": 6 }));
        let sources = texts(&found["results"], "source");
        assert_eq!(sources, ["node", "experience"].repeat(3));
        assert_eq!((&found["total"], &found["next_offset"]), (&json!(40), &json!(6)));
        let next = bench.intel(json!({ "action": "recall", "topic": topic, "limit": 6, "offset": 6 }));
        let ids = |reply: &serde_json::Value| texts(&reply["results"], "id");
        assert!(ids(&next).iter().all(|id| !ids(&found).contains(id)));
    }
    let last = bench
        .intel(json!({ "action": "recall", "topic": "cache", "limit": 50, "offset": 38, "budget": 10_000 }));
    assert_eq!((&last["count"], last.get("next_offset")), (&json!(2), None));
}

#[test]
fn a_reply_has_no_more_tokens_than_its_budget_and_says_what_it_left_out() {
    let mut bench = Bench::new();
    for n in 0..30 {
        let content = format!("cache {n} {}", "words and more words ".repeat(40));
        bench.intel(json!({ "action": "learn", "content": content, "type": "gotcha" }));
    }
    for budget in [200, 500, 2_000] {
        for call in [
            json!({ "action": "recall", "topic": "cache", "limit": 50, "budget": budget }),
            json!({ "action": "context", "keywords": "cache", "limit": 50, "detail": "full", "budget": budget }),
            json!({ "action": "context", "keywords": "cache", "limit": 50, "budget": budget }),
        ] {
            let reply = bench.intel(call);
            assert!(tokens(&reply.to_string()) <= budget, "{budget}: {reply}");
            assert!(
                reply["count"].as_u64() > Some(0) && reply["left_out"].as_u64() > Some(0),
                "{reply}"
            );
        }
    }
    let reply = bench.graph(json!({ "action": "query", "limit": 50, "budget": 300 }));
    let (count, next) = (reply["count"].as_u64(), reply["next_offset"].as_u64());
    assert_eq!(count, next);
    let rest = bench.graph(json!({ "action": "query", "limit": 50, "offset": next, "budget": 100_000 }));
    assert_eq!(
        rest["count"]
            .as_u64()
            .zip(count)
            .map(|(rest, count)| rest + count),
        Some(30)
    );
}

#[test]
fn a_traversal_goes_breadth_first_and_tells_the_edges_it_took() {
    let mut bench = Bench::new();
    let ids: Vec<String> = ["n0", "n1", "n2", "n3", "n4"]
        .iter()
        .map(|name| bench.node(name))
        .collect();
    for (from, to) in [(0, 1), (1, 2), (2, 3), (3, 0), (0, 0), (4, 2)] {
        bench.connect(&ids[from], &ids[to], "next");
    }
    let found = bench.intel(json!({ "action": "related", "node_id": ids[0], "depth": 5 }));
    let depths: Vec<u64> = found["results"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|one| one["depth"].as_u64())
        .collect();
    assert_eq!(depths, [1, 1, 2, 3]);
    assert_eq!(
        found["results"][1]["edge"],
        json!({ "source_id": ids[3], "target_id": ids[0], "type": "next", "weight": 1.0 })
    );
    assert_eq!(found["total"], 4);
    let some = bench.intel(json!({ "action": "related", "node_id": ids[0], "depth": 5, "limit": 2 }));
    assert_eq!(
        (&some["count"], &some["total_at_least"], &some["next_offset"]),
        (&json!(2), &json!(3), &json!(2))
    );
    bench.graph(json!({ "action": "remove", "node_id": ids[1] }));
    bench.graph(json!({ "action": "remove", "node_id": ids[3] }));
    assert_eq!(
        bench.intel(json!({ "action": "related", "node_id": ids[0], "depth": 5 }))["count"],
        0
    );
}

#[test]
fn a_namespace_is_kept_to_by_every_reading() {
    let mut bench = Bench::new();
    let mut nodes = Vec::new();
    for namespace in ["ours", "theirs"] {
        let add = json!({ "action": "add", "name": format!("secret of {namespace}"), "type": "t", "namespace": namespace });
        nodes.push(bench.graph(add)["id"].clone());
        bench.experience(json!({ "action": "save", "content": format!("secret {namespace}"), "type": "gotcha", "namespace": namespace }));
        bench.intel(json!({ "action": "learn", "content": format!("a secret: {namespace}"), "type": "gotcha", "namespace": namespace }));
    }
    let crossing =
        json!({ "action": "connect", "source_id": nodes[0], "target_id": nodes[1], "edge_type": "x" });
    bench.graph(crossing);
    for (tool, call) in [
        ("kn_graph", json!({ "action": "query" })),
        ("kn_graph", json!({ "action": "query", "text": "secret" })),
        ("kn_experience", json!({ "action": "search" })),
        ("kn_experience", json!({ "action": "search", "text": "secret" })),
        ("kn_intel", json!({ "action": "recall" })),
        ("kn_intel", json!({ "action": "recall", "topic": "secret" })),
        ("kn_intel", json!({ "action": "crossref", "problem": "secret" })),
        (
            "kn_intel",
            json!({ "action": "context", "keywords": "secret", "detail": "full" }),
        ),
        (
            "kn_intel",
            json!({ "action": "related", "node_id": nodes[0], "depth": 5 }),
        ),
    ] {
        let everything = bench.ok(tool, call.clone()).to_string();
        assert!(everything.contains("theirs"), "{everything}");
        let mut call = call;
        call["namespace"] = json!("ours");
        let reply = bench.ok(tool, call).to_string();
        assert!(reply.contains("ours") && !reply.contains("theirs"), "{reply}");
    }
    let foreign = bench.intel(json!({ "action": "related", "node_id": nodes[1], "namespace": "ours" }));
    assert_eq!(foreign["count"], 0);
}

#[test]
fn words_are_found_in_every_form_and_what_belongs_together_helps() {
    let mut bench = Bench::new();
    bench.graph(
        json!({ "action": "add", "name": "Connection pooling", "type": "pattern", "tags": ["Datenbänke"] }),
    );
    assert_eq!(bench.names(json!({ "text": "pooled connections" })).len(), 1);
    assert_eq!(bench.names(json!({ "text": "DATENBANKE" })).len(), 1);
    for content in ["The trail was long.", "The river was cold."] {
        bench.experience(json!({ "action": "save", "content": content, "type": "solution" }));
    }
    bench.advance_days(1);
    bench.experience(json!({ "action": "save", "content": "The river was warm.", "type": "solution" }));
    let found = bench.intel(json!({ "action": "recall", "topic": "Rivers of the trail" }));
    let told = texts(&found["results"], "content");
    assert_eq!(
        told,
        [
            "The trail was long.",
            "The river was cold.",
            "The river was warm."
        ]
    );
}

#[test]
fn lists_of_nodes_are_narrowed_by_all_that_is_asked() {
    let mut bench = Bench::new();
    for (name, kind, namespace, tags) in [
        ("a1", "t", "n", json!(["x", "y"])),
        ("a2", "t", "m", json!(["x"])),
        ("a3", "u", "n", json!(["y"])),
    ] {
        bench.graph(
            json!({ "action": "add", "name": name, "type": kind, "namespace": namespace, "tags": tags }),
        );
    }
    assert_eq!(bench.names(json!({ "tags": ["x", "y"] })), ["a1"]);
    assert_eq!(
        bench.names(json!({ "tags": ["y"], "namespace": "n" })),
        ["a3", "a1"]
    );
    assert_eq!(bench.names(json!({ "text": "a*", "tags": ["x"] })).len(), 2);
    assert_eq!(bench.names(json!({ "text": "a2", "tags": ["y"] })).len(), 0);
    assert_eq!(
        bench.names(json!({ "node_type": "t", "namespace": "m", "tags": ["x"] })),
        ["a2"]
    );
    let page = bench.graph(json!({ "action": "query", "limit": 1, "offset": 1 }));
    assert_eq!((&page["total"], &page["next_offset"]), (&json!(3), &json!(2)));
}

#[test]
fn resources_and_prompts_keep_to_a_budget_too() {
    let mut bench = Bench::new();
    let long = "long words ".repeat(2_000);
    for _ in 0..60 {
        let project = bench.ok(
            "kn_project",
            json!({ "action": "create", "name": long, "goals": [long] }),
        );
        let log =
            json!({ "action": "log", "project_id": project["id"], "action_text": long, "next_step": long });
        bench.ok("kn_project", log);
        bench.ok(
            "kn_project",
            json!({ "action": "list", "set_active": project["id"] }),
        );
        bench.graph(json!({ "action": "add", "name": "n", "type": "t", "namespace": format!("{} {long}", project["id"]) }));
    }
    let shown = crate::projects(&bench.memory);
    assert!(shown["left_out"].as_u64() > Some(0));
    for reply in [shown, crate::status(&bench.memory)] {
        assert!(tokens(&serde_json::Value::Object(reply).to_string()) <= 2_000);
    }
    let booted = crate::bootup(&bench.memory, bench.now_ms, None);
    assert!(booted.is_ok_and(|text| tokens(&text) <= 2_000));
}
