//! What is stored, strengthened, corrected, removed and restored.

use serde_json::json;

use super::{Bench, id, texts};

#[test]
fn what_is_learned_again_is_strengthened_and_not_doubled() {
    let mut bench = Bench::new();
    let learn =
        json!({ "action": "learn", "content": "Use WAL for writers", "type": "decision", "tags": ["db"] });
    let first = bench.intel(learn);
    assert_eq!(first.get("strengthened"), None);
    bench.advance_days(100);
    let again = json!({ "action": "learn", "content": " use WAL, for writers! ", "type": "decision", "confidence": "low", "tags": ["sql"] });
    let second = bench.intel(again);
    assert_eq!(second["strengthened"], true);
    assert_eq!(second["times"], 2);
    assert_eq!(second["confidence"], "high");
    assert_eq!(
        (&second["node_id"], &second["experience_id"]),
        (&first["node_id"], &first["experience_id"])
    );
    let status = bench.graph(json!({ "action": "status" }));
    assert_eq!((&status["nodes"], &status["experiences"]), (&json!(1), &json!(1)));
    let found = bench.experience(json!({ "action": "search" }));
    assert!(
        found["experiences"][0]["relevance"].as_f64() > Some(0.999),
        "{found}"
    );
    assert_eq!(found["experiences"][0]["tags"], json!(["db", "sql"]));
}

#[test]
fn what_was_unsure_and_is_learned_as_sure_becomes_a_node() {
    let mut bench = Bench::new();
    let learn = |confidence: &str| json!({ "action": "learn", "content": "alpha", "type": "gotcha", "confidence": confidence });
    assert_eq!(bench.intel(learn("low"))["stored_as"], "experience");
    let sure = bench.intel(learn("high"));
    assert_eq!((&sure["stored_as"], &sure["times"]), (&json!("node"), &json!(2)));
    assert_eq!(bench.intel(learn("medium"))["node_id"], sure["node_id"]);
    assert_eq!(bench.graph(json!({ "action": "status" }))["nodes"], 1);
}

#[test]
fn an_experience_that_is_saved_again_is_strengthened_only_where_it_is_the_same() {
    let mut bench = Bench::new();
    let save = |confidence: &str, context: &str| json!({ "action": "save", "content": "c", "type": "solution", "confidence": confidence, "context": context });
    let first = bench.experience(save("high", "a"));
    assert_eq!(bench.experience(save("high", "a"))["id"], first["id"]);
    assert_ne!(bench.experience(save("low", "a"))["id"], first["id"]);
    assert_ne!(bench.experience(save("high", "b"))["id"], first["id"]);
}

#[test]
fn what_is_superseded_is_hidden_and_can_be_reached() {
    let mut bench = Bench::new();
    let old = bench.intel(json!({ "action": "learn", "content": "The port is 80", "type": "decision" }));
    let before = bench.now_ms;
    bench.advance_days(1);
    for old in [&old["node_id"], &old["experience_id"]] {
        let missing =
            json!({ "action": "learn", "content": "x", "type": "decision", "supersedes": "nothing" });
        assert!(bench.error("kn_intel", missing).contains("nothing"));
        let mut bench = Bench {
            memory: super::Memory::default(),
            ..Bench::new()
        };
        let first =
            bench.intel(json!({ "action": "learn", "content": "The port is 80", "type": "decision" }));
        let old = if *old == first["node_id"] {
            &first["node_id"]
        } else {
            &first["experience_id"]
        };
        let new = bench.intel(
            json!({ "action": "learn", "content": "The port is 443", "type": "decision", "supersedes": old }),
        );
        assert_eq!(new["supersedes"], *old);
        let found = bench.intel(json!({ "action": "recall", "topic": "port" }));
        assert_eq!(found["count"], 1, "{found}");
        assert!(!found.to_string().contains("80"), "{found}");
    }
    bench.intel(json!({ "action": "learn", "content": "The port is 443", "type": "decision", "supersedes": old["node_id"] }));
    let now = bench.intel(json!({ "action": "recall", "topic": "port" }));
    assert!(
        now.to_string().contains("443") && !now.to_string().contains("is 80"),
        "{now}"
    );
    let then = bench.intel(json!({ "action": "recall", "topic": "port", "as_of": crate::time::iso(before) }));
    assert!(
        then.to_string().contains("is 80") && !then.to_string().contains("443"),
        "{then}"
    );
    let all = bench.intel(json!({ "action": "recall", "topic": "port", "stale": true }));
    assert_eq!(all["count"], 2);
    assert!(all.to_string().contains("superseded_by"));
    bench.graph(json!({ "action": "restore", "node_id": old["node_id"] }));
    assert_eq!(bench.names(json!({ "text": "port" })).len(), 2);
    let again =
        json!({ "action": "save", "content": "y", "type": "decision", "supersedes": old["experience_id"] });
    bench.experience(again);
    let gone = json!({ "action": "add", "name": "y", "type": "t", "supersedes": old["experience_id"] });
    assert!(bench.error("kn_graph", gone).contains("removed or superseded"));
}

#[test]
fn what_was_learned_as_one_is_recalled_removed_and_restored_as_one() {
    for by_node in [true, false] {
        let mut bench = Bench::new();
        let learned = bench
            .intel(json!({ "action": "learn", "content": "Olaf prefers metric units", "type": "decision" }));
        let (node, experience) = (learned["node_id"].clone(), learned["experience_id"].clone());
        bench.intel(json!({ "action": "learn", "content": "Metric units are in meters", "type": "gotcha" }));
        for about in [json!({}), json!({ "topic": "metric units" })] {
            let mut recall = about;
            recall["action"] = json!("recall");
            let found = bench.intel(recall);
            assert_eq!(
                (&found["count"], &found["total"]),
                (&json!(2), &json!(2)),
                "{found}"
            );
        }
        let change = |action: &str| match by_node {
            true => ("kn_graph", json!({ "action": action, "node_id": node })),
            false => (
                "kn_experience",
                json!({ "action": action, "experience_id": experience }),
            ),
        };
        let (tool, remove) = change("remove");
        let removed = bench.ok(tool, remove);
        let (other, id) = match by_node {
            true => ("experience_id", &experience),
            false => ("node_id", &node),
        };
        assert_eq!(removed[other], *id, "{removed}");
        let left = bench.intel(json!({ "action": "recall", "topic": "metric units" }));
        assert!(!left.to_string().contains("Olaf"), "{left}");
        let searched = bench.experience(json!({ "action": "search", "text": "olaf" }));
        assert_eq!(searched["count"], 0, "{searched}");
        let (tool, restore) = change("restore");
        assert_eq!(bench.ok(tool, restore)[other], *id);
        assert_eq!(bench.names(json!({ "text": "olaf" })).len(), 1);
        let searched = bench.experience(json!({ "action": "search", "text": "olaf" }));
        assert_eq!(searched["count"], 1, "{searched}");
    }
}

#[test]
fn an_experience_is_recalled_by_its_context_though_its_node_is_not_found() {
    let mut bench = Bench::new();
    bench.intel(json!({ "action": "learn", "content": "Use WAL", "context": "locking", "type": "solution" }));
    let found = bench.intel(json!({ "action": "recall", "topic": "locking" }));
    assert_eq!(found["results"][0]["content"], "Use WAL", "{found}");
}

#[test]
fn removal_is_reversed_by_restore_for_nodes_edges_and_experiences() {
    let mut bench = Bench::new();
    let (one, two) = (bench.node("alpha"), bench.node("beta"));
    bench.connect(&one, &two, "owns");
    let kept = id(&bench.experience(json!({ "action": "save", "content": "alpha", "type": "gotcha" })));
    let edge =
        |action: &str| json!({ "action": action, "source_id": one, "target_id": two, "edge_type": "owns" });
    let before = bench.answers();
    bench.graph(edge("remove"));
    assert_eq!(
        bench.intel(json!({ "action": "related", "node_id": one }))["count"],
        0
    );
    assert_eq!(bench.error("kn_graph", edge("remove")), "Edge not found");
    bench.graph(edge("restore"));
    bench.graph(json!({ "action": "remove", "node_id": one }));
    assert_eq!(
        bench.intel(json!({ "action": "related", "node_id": two }))["count"],
        0
    );
    bench.graph(json!({ "action": "restore", "node_id": one }));
    bench.experience(json!({ "action": "remove", "experience_id": kept }));
    assert_eq!(bench.experience(json!({ "action": "search" }))["count"], 0);
    bench.experience(json!({ "action": "restore", "experience_id": kept }));
    bench.now_ms -= 12;
    assert_eq!(bench.answers(), before);
    assert!(bench.error("kn_graph", edge("restore")).contains("not removed"));
    assert!(
        bench
            .error("kn_graph", json!({ "action": "restore", "node_id": one }))
            .contains("not removed")
    );
}

#[test]
fn an_edge_is_made_once_and_again_after_its_removal() {
    let mut bench = Bench::new();
    let (one, two) = (bench.node("alpha"), bench.node("beta"));
    bench.connect(&one, &two, "owns");
    let edge =
        |action: &str| json!({ "action": action, "source_id": one, "target_id": two, "edge_type": "owns" });
    assert!(
        bench
            .error("kn_graph", edge("connect"))
            .contains("Edge already exists")
    );
    bench.connect(&two, &one, "owns");
    bench.graph(edge("remove"));
    bench.graph(edge("connect"));
    assert_eq!(bench.graph(json!({ "action": "status" }))["edges"], 2);
}

#[test]
fn an_idea_is_linked_by_a_node_that_follows_its_title() {
    let mut bench = Bench::new();
    let (one, two) = (bench.node("alpha"), bench.node("beta"));
    let idea = bench.ok(
        "kn_idea",
        json!({ "action": "create", "title": "first", "link_to": one }),
    );
    for target in [&one, &two] {
        let update =
            json!({ "action": "update", "idea_id": idea["id"], "title": "second", "link_to": target });
        assert_eq!(bench.ok("kn_idea", update)["linked_to"], json!(target));
    }
    let around = bench.intel(json!({ "action": "related", "node_id": idea["id"] }));
    assert_eq!(around["count"], 2);
    assert_eq!(bench.names(json!({ "namespace": "idea" })), ["second"]);
    let missing = bench.ok(
        "kn_idea",
        json!({ "action": "create", "title": "third", "link_to": "none" }),
    );
    assert_eq!(
        (&missing["linked_to"], &missing["link_error"]),
        (&json!(null), &json!("Node not found: none"))
    );
    assert_eq!(bench.ok("kn_idea", json!({ "action": "list" }))["total"], 2);
}

#[test]
fn pruning_takes_what_has_faded_and_restore_brings_it_back() {
    let mut bench = Bench::new();
    let old = id(&bench.experience(
        json!({ "action": "save", "content": "old", "type": "workaround", "confidence": "low" }),
    ));
    bench.advance_days(50);
    bench
        .experience(json!({ "action": "save", "content": "new", "type": "workaround", "confidence": "low" }));
    assert_eq!(
        bench.experience(json!({ "action": "prune", "threshold": 0.0624 }))["pruned_count"],
        0
    );
    let pruned = bench.experience(json!({ "action": "prune", "threshold": 0.0626 }));
    assert_eq!(pruned["pruned_ids"], json!([old]));
    assert_eq!(bench.experience(json!({ "action": "search" }))["total"], 1);
    bench.experience(json!({ "action": "restore", "experience_id": old }));
    assert_eq!(
        texts(
            &bench.experience(json!({ "action": "search" }))["experiences"],
            "content"
        ),
        ["new", "old"]
    );
}

#[test]
fn an_argument_of_another_action_is_left_out_with_a_warning() {
    let mut bench = Bench::new();
    let status = bench.graph(json!({ "action": "status", "limit": 51, "detail": null }));
    assert_eq!(status["nodes"], 0);
    assert_eq!(
        status["warnings"],
        json!(["status does not use limit; its arguments are: budget"])
    );
    let idea = bench.call(
        "kn_idea",
        json!({ "action": "create", "title": "t", "status": "approved" }),
    );
    assert_eq!(idea["status"], "draft");
    assert_eq!(
        idea["warnings"],
        json!(["create does not use status; its arguments are: title, category, score, link_to, budget"])
    );
    let listed = bench.ok("kn_idea", json!({ "action": "list", "limit": 5 }));
    assert_eq!((&listed["count"], listed.get("warnings")), (&json!(1), None));
}

#[test]
fn what_does_not_fit_is_refused_with_what_would() {
    let mut bench = Bench::new();
    for (tool, arguments, message) in [
        (
            "kn_graph",
            json!({}),
            "action is required. Must be one of add, connect, query, update, remove, restore, status",
        ),
        (
            "kn_idea",
            json!({ "action": "x" }),
            "Unknown action: x. Must be one of create, update, list, remove, restore",
        ),
        (
            "kn_idea",
            json!({ "action": 7 }),
            "Unknown action: 7. Must be one of create, update, list, remove, restore",
        ),
        (
            "kn_graph",
            json!({ "action": "status", "nope": 1 }),
            "Unknown argument: nope. The arguments of status are: budget",
        ),
        (
            "kn_graph",
            json!({ "action": "query", "limit": 51 }),
            "Invalid limit: 51. Must be an integer from 1 to 50",
        ),
        (
            "kn_graph",
            json!({ "action": "query", "limit": 1.5 }),
            "Invalid limit: 1.5. Must be an integer from 1 to 50",
        ),
        (
            "kn_graph",
            json!({ "action": "query", "tags": "x" }),
            "Invalid tags: x. Must be an array of strings",
        ),
        (
            "kn_graph",
            json!({ "action": "query", "as_of": "then" }),
            "Invalid as_of: then. Must be a date or a time of ISO 8601, as 2026-01-31 or 2026-01-31T12:00:00Z",
        ),
        (
            "kn_graph",
            json!({ "action": "remove" }),
            "Provide node_id or (source_id + target_id + edge_type)",
        ),
        (
            "kn_intel",
            json!({ "action": "related", "node_id": "x", "depth": 6 }),
            "Invalid depth: 6. Must be an integer from 1 to 5",
        ),
        (
            "kn_experience",
            json!({ "action": "save", "content": "c", "type": "z" }),
            "Invalid experience type: z. Must be one of solution, pattern, decision, workaround, gotcha",
        ),
        (
            "kn_experience",
            json!({ "action": "save", "content": "c", "type": "gotcha", "confidence": "z" }),
            "Invalid confidence level: z. Must be one of high, medium, low",
        ),
        (
            "kn_idea",
            json!({ "action": "list", "status": "z" }),
            "Invalid status: z. Must be one of draft, evaluating, approved, implementing, done, archived",
        ),
        (
            "kn_project",
            json!({ "action": "update", "project_id": "p", "name": "n", "phase": "z" }),
            "Invalid phase: z. Must be one of planning, active, paused, done",
        ),
        (
            "kn_graph",
            json!({ "action": "add", "name": " ", "type": "t" }),
            "name is required for add",
        ),
        (
            "kn_graph",
            json!({ "action": "add", "name": "n", "type": "t", "valid_from": "2026-01-02", "valid_to": "2026-01-01" }),
            "valid_to must be later than valid_from",
        ),
    ] {
        assert_eq!(bench.error(tool, arguments), message);
    }
    let coerced = json!({ "action": "query", "limit": "3", "offset": 0.0, "stale": "true", "text": null, "budget": 500.0 });
    assert_eq!(bench.graph(coerced)["count"], 0);
}
