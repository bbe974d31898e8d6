//! Ideas, projects and nodes that are corrected, removed and restored, and what ranks last.

use serde_json::{Value, json};

use super::{Bench, id};

#[test]
fn what_is_superseded_ranks_last_among_what_is_stale() {
    let mut bench = Bench::new();
    let old = bench.graph(
        json!({ "action": "add", "name": "billing port billing port", "type": "fact", "description": "billing port 80" }),
    );
    bench.graph(
        json!({ "action": "add", "name": "billing port 443", "type": "fact", "supersedes": id(&old) }),
    );
    bench.intel(
        json!({ "action": "learn", "content": "The harbour is another port", "type": "decision", "confidence": "low" }),
    );
    for (tool, list, call) in [
        (
            "kn_intel",
            "results",
            json!({ "action": "recall", "topic": "billing port" }),
        ),
        (
            "kn_intel",
            "results",
            json!({ "action": "crossref", "problem": "billing port" }),
        ),
        (
            "kn_graph",
            "nodes",
            json!({ "action": "query", "text": "billing port" }),
        ),
        (
            "kn_intel",
            "nodes",
            json!({ "action": "context", "keywords": "billing port" }),
        ),
    ] {
        let mut call = call;
        call["stale"] = json!(true);
        let found = bench.ok(tool, call);
        let shown = found[list].as_array().unwrap();
        assert!(shown.len() > 1, "{found}");
        assert_eq!(shown.last().unwrap()["id"], old["id"], "{tool}: {found}");
    }
}

#[test]
fn a_node_is_corrected_and_keeps_its_id_and_its_edges() {
    let mut bench = Bench::new();
    let node = bench.graph(
        json!({ "action": "add", "name": "Olaf", "type": "person", "description": "Works at Acme", "tags": ["a"] }),
    );
    let other = bench.graph(json!({ "action": "add", "name": "Acme", "type": "firm" }));
    bench.graph(
        json!({ "action": "connect", "source_id": id(&node), "target_id": id(&other), "edge_type": "works_at" }),
    );
    bench.advance_days(1);
    let update = json!({ "action": "update", "node_id": id(&node), "description": "Left Acme for Zeta", "tags": ["b"] });
    let after = bench.graph(update);
    assert_eq!(
        (
            &after["id"],
            &after["name"],
            &after["description"],
            &after["tags"]
        ),
        (
            &node["id"],
            &json!("Olaf"),
            &json!("Left Acme for Zeta"),
            &json!(["b"])
        )
    );
    assert_eq!(bench.names(json!({ "text": "zeta" })), ["Olaf"]);
    let related = bench.intel(json!({ "action": "related", "node_id": id(&node) }));
    assert_eq!(related["count"], 1, "{related}");
    let nothing = json!({ "action": "update", "node_id": id(&node) });
    assert!(
        bench
            .error("kn_graph", nothing)
            .contains("Nothing to update: give name, type")
    );
    let missing = json!({ "action": "update", "node_id": "none", "name": "x" });
    assert_eq!(bench.error("kn_graph", missing), "Node not found: none");
    let inverted = json!({ "action": "update", "node_id": id(&node), "valid_from": "2030-01-02", "valid_to": "2030-01-01" });
    assert!(
        bench
            .error("kn_graph", inverted)
            .contains("later than valid_from")
    );
}

#[test]
fn what_was_learned_is_corrected_as_one() {
    let mut bench = Bench::new();
    let learned = bench.intel(json!({ "action": "learn", "content": "The port is 80", "type": "decision" }));
    let update =
        json!({ "action": "update", "node_id": learned["node_id"], "description": "The port is 443" });
    assert_eq!(bench.graph(update)["name"], "Decision: The port is 443");
    let found = bench.experience(json!({ "action": "search", "text": "port" }));
    assert_eq!(found["experiences"][0]["content"], "The port is 443");
    let retyped = json!({ "action": "update", "node_id": learned["node_id"], "type": "fact" });
    assert!(bench.error("kn_graph", retyped).contains("use supersedes"));
    // Both still go together.
    let gone = bench.graph(json!({ "action": "remove", "node_id": learned["node_id"] }));
    assert_eq!(gone["experience_id"], learned["experience_id"]);
}

#[test]
fn an_idea_and_its_node_are_removed_and_restored() {
    let mut bench = Bench::new();
    let node = bench.graph(json!({ "action": "add", "name": "n", "type": "t" }));
    let idea = bench.ok(
        "kn_idea",
        json!({ "action": "create", "title": "Solar", "link_to": id(&node) }),
    );
    let ideas = |bench: &mut Bench| bench.ok("kn_idea", json!({ "action": "list" }))["total"].clone();
    let change = |action: &str| json!({ "action": action, "idea_id": id(&idea) });
    assert!(bench.error("kn_idea", change("restore")).contains("not removed"));
    let removed = bench.ok("kn_idea", change("remove"));
    assert_eq!(
        (&removed["removed"], &removed["id"]),
        (&json!("idea"), &idea["id"])
    );
    assert_eq!((ideas(&mut bench), bench.names(json!({})).len()), (json!(0), 1));
    assert!(bench.error("kn_idea", change("remove")).contains("not found"));
    let update = json!({ "action": "update", "idea_id": id(&idea), "title": "Wind" });
    assert!(bench.error("kn_idea", update).contains("not found"));
    assert_eq!(bench.ok("kn_idea", change("restore"))["restored"], "idea");
    assert_eq!((ideas(&mut bench), bench.names(json!({})).len()), (json!(1), 2));
}

#[test]
fn a_removed_project_is_not_the_active_one_and_comes_back_with_its_log() {
    let mut bench = Bench::new();
    let project = bench.ok("kn_project", json!({ "action": "create", "name": "Apollo" }));
    let change = |action: &str| json!({ "action": action, "project_id": id(&project) });
    bench.ok(
        "kn_project",
        json!({ "action": "list", "set_active": id(&project) }),
    );
    bench.ok(
        "kn_project",
        json!({ "action": "log", "project_id": id(&project), "action_text": "begun" }),
    );
    let list = |bench: &mut Bench| -> Value { bench.ok("kn_project", json!({ "action": "list" })) };
    assert_eq!(bench.ok("kn_project", change("remove"))["removed"], "project");
    assert_eq!(list(&mut bench)["total"], 0);
    let late = json!({ "action": "log", "project_id": id(&project), "action_text": "late" });
    assert!(bench.error("kn_project", late).contains("not found"));
    assert_eq!(bench.ok("kn_project", change("restore"))["restored"], "project");
    assert_eq!(list(&mut bench)["projects"][0]["active"], false);
    let one = bench.ok(
        "kn_project",
        json!({ "action": "list", "project_id": id(&project) }),
    );
    assert_eq!(one["log"][0]["action"], "begun");
    assert!(
        bench
            .error("kn_project", change("restore"))
            .contains("not removed")
    );
}
