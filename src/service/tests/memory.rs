//! The memory's tools, served on the book of a workspace.

use std::cell::Cell;
use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::{Client, structured};
use crate::memory::{self, READING, Shared, TOOLS};
use crate::{Tool, prolog};
use hornbook_mcp::testing::text;
use hornbook_memory::HalfLives;

fn client() -> Client {
    Client::of(|workspace, clock| {
        let desk = memory::open(&workspace, clock, ids(), HalfLives::default(), None, None);
        vec![prolog::toolset(workspace), memory::toolset(desk)]
    })
}

fn ids() -> impl Fn() -> String {
    let last = Cell::new(0);
    move || {
        last.set(last.get() + 1);
        format!("id{:06}", last.get())
    }
}

/// The answer, which must be the same as text and as data.
fn answer(client: &Client, tool: &str, arguments: Value) -> Value {
    let reply = client.call(tool, arguments);
    let told: Value = serde_json::from_str(text(&reply)).expect("JSON");
    assert_eq!(&told, structured(&reply));
    assert_eq!(told["_v"], "1.0");
    assert_eq!(
        told.get("error").is_some(),
        reply["result"]["isError"] == true,
        "{reply}"
    );
    told
}

#[test]
fn a_tool_describes_each_action_that_its_schema_shows() {
    for tool in TOOLS.iter().chain(READING.iter()) {
        let schema = &tool.declaration()["inputSchema"];
        let actions = schema["properties"]["action"]["enum"].as_array();
        for action in actions.expect("a choice").iter().filter_map(Value::as_str) {
            assert!(tool.description.contains(action), "{} {action}", tool.name);
        }
    }
}

#[test]
fn what_only_reads_takes_nothing_that_changes_something() {
    let taken = |tool: &Tool<Shared>| {
        let schema = tool.declaration()["inputSchema"].clone();
        let names = schema["properties"].as_object().expect("properties").clone();
        let names: BTreeSet<String> = names.into_iter().map(|(name, _)| name).collect();
        (schema["properties"]["action"]["enum"].clone(), names)
    };
    let (actions, names) = taken(TOOLS[1]);
    assert_eq!(
        actions,
        json!(["create", "update", "list", "log", "remove", "restore"])
    );
    assert!(names.contains("set_active") && names.contains("phase"));
    let (actions, names) = taken(READING[1]);
    assert_eq!(actions, json!(["list"]));
    let reading = ["action", "active_only", "budget", "limit", "offset", "project_id"];
    assert_eq!(names, reading.map(str::to_owned).into());
}

#[test]
fn every_refusal_has_the_form_of_the_answers() {
    let client = client();
    for (tool, arguments, part) in [
        ("kn_graph", json!({}), "action is required"),
        ("kn_graph", json!({ "action": ["add"] }), "Unknown action"),
        (
            "kn_intel",
            json!({ "action": "learn", "nope": 1 }),
            "Unknown argument: nope",
        ),
        ("kn_idea", json!({ "action": "list", "limit": 0 }), "limit"),
    ] {
        let refused = answer(&client, tool, arguments);
        assert!(
            refused["error"]
                .as_str()
                .is_some_and(|error| error.contains(part)),
            "{refused}"
        );
    }
}

#[test]
fn undo_and_redo_reach_the_memory_and_history_tells_of_it() {
    let client = client();
    answer(
        &client,
        "kn_intel",
        json!({ "action": "learn", "content": "alpha", "type": "gotcha" }),
    );
    let nodes = |client: &Client| answer(client, "kn_graph", json!({ "action": "status" }))["nodes"].clone();
    let history = client.say("workspace", json!({ "operation": "history" }));
    assert!(history.contains("memory: kn_intel learn"), "{history}");
    client.say("workspace", json!({ "operation": "undo" }));
    assert_eq!(nodes(&client), 0);
    assert_eq!(
        answer(
            &client,
            "kn_intel",
            json!({ "action": "recall", "topic": "alpha" })
        )["count"],
        0
    );
    client.say("workspace", json!({ "operation": "redo" }));
    assert_eq!(nodes(&client), 1);
    client.assert_clauses(json!("fact(a)."));
    assert_eq!(nodes(&client), 1);
}

#[test]
fn what_changes_nothing_makes_no_revision() {
    let client = client();
    let revisions = || {
        client.call("workspace", json!({ "operation": "history" }))["result"]["structuredContent"]["revision"]
            .clone()
    };
    answer(&client, "kn_graph", json!({ "action": "query" }));
    answer(&client, "kn_experience", json!({ "action": "prune" }));
    answer(
        &client,
        "kn_graph",
        json!({ "action": "remove", "node_id": "none" }),
    );
    assert_eq!(revisions(), 0);
    answer(
        &client,
        "kn_graph",
        json!({ "action": "add", "name": "a", "type": "t" }),
    );
    assert_eq!(revisions(), 1);
}

#[test]
fn the_reading_part_changes_nothing_and_says_so() {
    let client = Client::of(|workspace, clock| {
        vec![memory::reading(memory::open(
            &workspace,
            clock,
            ids(),
            HalfLives::default(),
            None,
            None,
        ))]
    });
    let listed = client.request("tools/list", json!({}));
    let tools = listed["result"]["tools"].as_array().expect("tools").clone();
    assert_eq!(tools.len(), 6);
    for tool in &tools {
        assert_eq!(tool["annotations"]["readOnlyHint"], true, "{tool}");
    }
    for (tool, arguments) in [
        ("kn_graph", json!({ "action": "add", "name": "a", "type": "t" })),
        (
            "kn_intel",
            json!({ "action": "learn", "content": "a", "type": "gotcha" }),
        ),
        ("kn_project", json!({ "action": "list", "set_active": "a" })),
        ("kn_experience", json!({ "action": "prune" })),
    ] {
        let refused = answer(&client, tool, arguments);
        assert!(refused.get("error").is_some(), "{refused}");
    }
    assert_eq!(
        answer(&client, "kn_graph", json!({ "action": "status" }))["nodes"],
        0
    );
}

#[test]
fn prompts_and_resources_tell_of_the_project() {
    let client = client();
    let project = answer(
        &client,
        "kn_project",
        json!({ "action": "create", "name": "Apollo" }),
    );
    answer(
        &client,
        "kn_project",
        json!({ "action": "list", "set_active": project["id"] }),
    );
    let prompt = |arguments: Value| {
        client.request(
            "prompts/get",
            json!({ "name": "kn_bootup", "arguments": arguments }),
        )
    };
    let told = prompt(json!({}));
    let shown = told["result"]["messages"][0]["content"]["text"]
        .as_str()
        .unwrap_or_default();
    assert!(shown.contains("## Active Project: Apollo"), "{told}");
    assert!(
        prompt(json!({ "project": "Gemini" }))["error"]["message"]
            .as_str()
            .is_some_and(|error| error.contains("Gemini"))
    );
    let completed = client.request(
        "completion/complete",
        json!({ "ref": { "type": "ref/prompt", "name": "kn_review" }, "argument": { "name": "project", "value": "Ap" } }),
    );
    assert_eq!(completed["result"]["completion"]["values"], json!(["Apollo"]));
    let status: Value = serde_json::from_str(&client.read("kn://status")).expect("JSON");
    assert_eq!(status["active_project"]["name"], "Apollo");
}

#[test]
fn a_subscriber_hears_of_the_resource_that_changed() {
    let client = client();
    client.request("resources/subscribe", json!({ "uri": "kn://projects" }));
    answer(
        &client,
        "kn_graph",
        json!({ "action": "add", "name": "a", "type": "t" }),
    );
    assert!(client.take_sent().is_empty());
    client.begin(
        "tools/call",
        json!({ "name": "kn_project", "arguments": { "action": "create", "name": "p" } }),
    );
    let updated = |message: &Value| message["method"] == "notifications/resources/updated";
    let heard = client
        .take_sent()
        .into_iter()
        .find(updated)
        .expect("a notification");
    assert_eq!(heard["params"]["uri"], "kn://projects");
}
