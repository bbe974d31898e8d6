//! What is said again in nearly the same words.

use serde_json::json;

use super::{Bench, id};

#[test]
fn what_says_nearly_the_same_is_told_with_how_to_supersede_it() {
    for (tool, action, kind) in [
        ("kn_intel", "learn", "decision"),
        ("kn_experience", "save", "decision"),
    ] {
        let mut bench = Bench::new();
        let mut tell = |content: &str, more: serde_json::Value| {
            let mut call = json!({ "action": action, "content": content, "type": kind });
            call.as_object_mut()
                .unwrap()
                .extend(more.as_object().unwrap().clone());
            bench.ok(tool, call)
        };
        let first = tell("The staging database runs on port 5432", json!({}));
        let old = first
            .get("node_id")
            .unwrap_or_else(|| &first["id"])
            .as_str()
            .unwrap()
            .to_owned();
        assert_eq!(first.get("warnings"), None, "{first}");
        let other = tell("The staging cache runs on port 6379", json!({}));
        assert_eq!(other.get("warnings"), None, "{other}");
        let elsewhere = tell(
            "The staging database runs on port 5433",
            json!({ "namespace": "work" }),
        );
        assert_eq!(elsewhere.get("warnings"), None, "{elsewhere}");
        let near = tell("The staging database runs on port 5433", json!({}));
        assert_eq!(
            near["warnings"],
            json!([format!(
                "{old} says nearly the same: “The staging database runs on port 5432”. If this replaces it, {action} it again with supersedes: \"{old}\""
            )])
        );
        let again = tell(
            "The staging database runs on port 5433",
            json!({ "supersedes": old }),
        );
        assert_eq!(again.get("warnings"), None, "{again}");
        let found =
            bench.intel(json!({ "action": "recall", "topic": "staging database", "namespace": "knowledge" }));
        assert!(
            found.to_string().contains("5433") && !found.to_string().contains("5432"),
            "{found}"
        );
    }
}

#[test]
fn a_node_like_another_is_told_and_can_take_its_place() {
    let mut bench = Bench::new();
    let old = bench.node("PostgreSQL");
    let new = bench.graph(json!({ "action": "add", "name": "postgresql", "type": "thing" }));
    let new_id = id(&new);
    assert_eq!(
        new["warnings"],
        json!([format!(
            "{old} says nearly the same: “PostgreSQL”. If this replaces it, remove {new_id} and add it again with supersedes: \"{old}\""
        )])
    );
    bench.graph(json!({ "action": "remove", "node_id": new_id }));
    let last =
        bench.graph(json!({ "action": "add", "name": "postgresql", "type": "thing", "supersedes": old }));
    assert_eq!(last.get("warnings"), None, "{last}");
    let other = bench.graph(json!({ "action": "add", "name": "postgresql", "type": "decision" }));
    assert!(other["warnings"].to_string().contains(&id(&last)), "{other}");
}

#[test]
fn of_forty_pairs_those_that_say_the_same_are_told_apart() {
    let (mut found, mut wrong) = (0, 0);
    let mut pairs = 0;
    for pair in include_str!("alike.txt").lines().skip(1) {
        let (is_same, texts) = (pair.starts_with('='), &pair[2..]);
        let (one, other) = texts.split_once(" | ").expect("two texts");
        let mut bench = Bench::new();
        let learn = |text: &str| json!({ "action": "learn", "content": text, "type": "pattern" });
        bench.intel(learn(one));
        let is_told = bench.intel(learn(other)).get("warnings").is_some();
        pairs += 1;
        found += usize::from(is_told && is_same);
        wrong += usize::from(is_told && !is_same);
    }
    assert_eq!((pairs, found, wrong), (40, 19, 1));
}
