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
        let first = tell("The staging database runs on its usual port", json!({}));
        let old = first
            .get("node_id")
            .unwrap_or_else(|| &first["id"])
            .as_str()
            .unwrap()
            .to_owned();
        assert_eq!(first.get("warnings"), None, "{first}");
        let other = tell("The staging cache is cleared by hand", json!({}));
        assert_eq!(other.get("warnings"), None, "{other}");
        let elsewhere = tell(
            "The staging database runs on another port",
            json!({ "namespace": "work" }),
        );
        assert_eq!(elsewhere.get("warnings"), None, "{elsewhere}");
        let near = tell("The staging database runs on another port", json!({}));
        assert_eq!(
            near["warnings"],
            json!([format!(
                "{old} says nearly the same: “The staging database runs on its usual port”. If this replaces it, {action} it again with supersedes: \"{old}\""
            )])
        );
        let again = tell(
            "The staging database runs on another port",
            json!({ "supersedes": old }),
        );
        assert_eq!(again.get("warnings"), None, "{again}");
        let found =
            bench.intel(json!({ "action": "recall", "topic": "staging database", "namespace": "knowledge" }));
        assert!(
            found.to_string().contains("another port") && !found.to_string().contains("usual port"),
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
    assert_eq!((pairs, found, wrong), (40, 11, 1));
}

#[test]
fn what_differs_in_a_number_an_id_or_a_name_is_something_else() {
    let is_told = |one: &str, other: &str| {
        let mut bench = Bench::new();
        let learn = |text: &str| json!({ "action": "learn", "content": text, "type": "pattern" });
        bench.intel(learn(one));
        bench.intel(learn(other)).get("warnings").is_some()
    };
    for (one, other) in [
        (
            "Ticket 1001 was fixed by restarting the worker",
            "Ticket 1002 was fixed by restarting the worker",
        ),
        ("v1.2.3 is broken on linux", "v1.2.4 is broken on linux"),
        (
            "the build fails with error E1234 in auth",
            "the build fails with error E9999 in auth",
        ),
        (
            "Alice Miller works in the Berlin office",
            "Alan Miller works in the Berlin office",
        ),
        (
            "the service `mail` writes to the nightly log",
            "the service `cache` writes to the nightly log",
        ),
    ] {
        assert!(!is_told(one, other), "{one} | {other}");
    }
    for (one, other) in [
        (
            "Deploys are allowed on Fridays",
            "Deploys are not allowed on Fridays",
        ),
        (
            "always run the linter before a commit",
            "never run the linter before a commit",
        ),
        (
            "enable the cache in the test environment",
            "disable the cache in the test environment",
        ),
        (
            "blue is the favourite colour of the team",
            "green is the favourite colour of the team",
        ),
        (
            "sqlite is the store of the session service",
            "postgres is the store of the session service",
        ),
        (
            "bug: the login page loops after a timeout",
            "issue: the login page loops after a timeout",
        ),
        (
            "users get a mail when an order is sent",
            "customers get a mail when an order is sent",
        ),
        (
            "fixed the loop of the login page by a header",
            "solved the loop of the login page by a header",
        ),
        (
            "the session of a user ends after ten minutes",
            "the session of a user ends after twenty minutes",
        ),
        (
            "the cache of Berlin is cleared nightly",
            "the cache of Berlin is cleared hourly, nightly",
        ),
    ] {
        assert!(is_told(one, other), "{one} | {other}");
    }
}

#[test]
fn of_three_hundred_sentences_on_different_things_none_is_told() {
    let mut bench = Bench::new();
    let services = [
        "billing", "search", "orders", "auth", "mail", "cache", "report", "audit",
    ];
    let verbs = ["uses", "needs", "stores", "reads", "writes"];
    let told = (0..300).filter(|&at| {
        let (service, verb) = (services[at % 8], verbs[at % 5]);
        let content = format!(
            "The {service} service {verb} the nightly backup for tenant {at} in region eu{}",
            at % 17
        );
        let learned = bench.intel(json!({ "action": "learn", "content": content, "type": "pattern" }));
        learned.get("warnings").is_some()
    });
    assert_eq!(told.count(), 0);
}
