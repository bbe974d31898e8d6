//! A new capability: a toolset unknown to everything else is served beside the others.

use std::cell::Cell;
use std::rc::Rc;

use futures::FutureExt;
use futures::future::ready;
use serde_json::json;

use super::{Client, structured};
use crate::{Argument, Contents, Hints, Kind, Report, Resource, Tool, Toolset, Topic};
use hornbook_mcp::testing::text;

/// What the toolset works on.
type Tally = Rc<Cell<u64>>;

const COUNT: Tool<Tally> = Tool {
    name: "tally_count",
    title: "Count",
    description: "Count up.",
    arguments: &[Argument {
        name: "by",
        kind: Kind::Integer(1),
        required: true,
        operations: &[],
        description: "",
    }],
    hints: Hints::Tidies,
    run: |tally, arguments, _| {
        tally.set(tally.get() + arguments.integer("by").unwrap_or_default());
        async move { Ok(Report::new("Counted.", json!({ "count": tally.get() }))) }.boxed_local()
    },
};

fn toolset() -> Toolset<Tally> {
    Toolset {
        name: "tally",
        instructions: "tally_count counts.",
        checks_itself: false,
        tools: &[&COUNT],
        resources: &[Resource {
            uri: "tally://count",
            name: "Count",
            description: "The count",
            mime_type: "text/plain",
            text: Contents::Whole(|tally| ready(tally.get().to_string()).boxed_local()),
        }],
        prompts: &[],
        topics: &[Topic {
            name: "counting",
            text: "`tally_count` counts up.",
        }],
        task_id: |_, _| None,
        on_change: |_, _| {},
        on_subscribe: |_, _, _| {},
    }
}

#[test]
fn a_toolset_brings_its_tools_resources_and_help() {
    let client = Client::with(|prolog| vec![prolog, toolset().on(Tally::default())]);
    let listed = client.request("tools/list", json!({}));
    let names: Vec<&str> = listed["result"]["tools"]
        .as_array()
        .expect("tools")
        .iter()
        .filter_map(|tool| tool["name"].as_str())
        .collect();
    assert!(
        names.ends_with(&["query_close", "tally_count", "help"]),
        "{names:?}"
    );
    let reply = client.call("tally_count", json!({ "by": 3 }));
    assert_eq!(
        (text(&reply), &structured(&reply)["count"]),
        ("Counted.", &json!(3))
    );
    assert_eq!(client.read("tally://count"), "3");
    assert_eq!(
        client.say("help", json!({ "topic": "counting" })),
        "`tally_count` counts up."
    );
    let refused = client.call("tally_count", json!({ "by": 0 }));
    assert_eq!(structured(&refused)["error"]["kind"], "invalid_argument");
}

#[test]
fn a_set_without_topics_is_served_without_help() {
    let quiet = Toolset {
        topics: &[],
        ..toolset()
    };
    let client = Client::with(|_| vec![quiet.on(Tally::default())]);
    let listed = client.request("tools/list", json!({}));
    assert_eq!(listed["result"]["tools"].as_array().map(Vec::len), Some(1));
}
