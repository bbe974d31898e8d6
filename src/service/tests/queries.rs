//! Queries, from JSON-RPC to the scripted engine and back.

use serde_json::json;

use super::{Client, kind, structured};
use hornbook_mcp::testing::text;

#[test]
fn a_query_is_paged_through_to_its_end_and_beyond() {
    let client = Client::new();
    client.assert_clauses(json!(["likes(ann).", "likes(bob).", "likes(cy)."]));
    let reply = client.call("query_start", json!({ "query": "likes(X)" }));
    let id = structured(&reply)["query_id"]
        .as_str()
        .expect("an id")
        .to_string();
    assert_eq!(
        text(&reply),
        format!("Query started: likes(X)\nquery_id: {id}\nStatus: ready")
    );
    let reply = client.call("query_next", json!({}));
    assert_eq!(
        (&structured(&reply)["query_id"], &structured(&reply)["more"]),
        (&json!(id), &json!(true))
    );
    assert!(text(&reply).contains("\nSolution: X = likes(ann)"), "{reply}");
    let reply = client.call("query_next", json!({ "query_id": id, "take": 5 }));
    assert_eq!(structured(&reply)["answers"].as_array().map(Vec::len), Some(2));
    for _ in 0..2 {
        assert_eq!(
            client.say("query_next", json!({ "query_id": id })),
            "No more solutions\nStatus: done"
        );
    }
}

#[test]
fn answers_come_with_the_start_when_they_are_asked_for() {
    let client = Client::new();
    client.assert_clauses(json!("likes(ann). likes(bob)."));
    let reply = client.call(
        "query_start",
        json!({ "query": "likes(X)", "take": 1, "query_id": "mine" }),
    );
    let content = structured(&reply);
    assert_eq!(
        (&content["query_id"], &content["more"]),
        (&json!("mine"), &json!(true))
    );
    assert_eq!(
        client.say("query_close", json!({ "query_id": "mine" })),
        "Session closed"
    );
    assert_eq!(
        client.say("query_close", json!({ "query_id": "mine" })),
        "No active session to close"
    );
}

#[test]
fn a_query_that_cannot_be_asked_is_a_tool_error() {
    let client = Client::new();
    assert_eq!(
        kind(&client.call("query_start", json!({ "query": "bad" }))),
        "syntax_error"
    );
    assert_eq!(kind(&client.call("query_next", json!({}))), "no_such_query");
    assert_eq!(
        kind(&client.call("query_start", json!({ "goal": "true" }))),
        "invalid_argument"
    );
}

#[test]
fn a_query_that_never_ends_is_stopped_and_the_workspace_is_whole() {
    let client = Client::new();
    client.assert_clauses(json!("likes(ann)."));
    let reply = client.call(
        "query_start",
        json!({ "query": "loop", "take": 1, "timeout_ms": 500 }),
    );
    assert_eq!(kind(&reply), "timeout");
    let reply = client.call("query_start", json!({ "query": "likes(X)", "take": 1 }));
    assert!(text(&reply).starts_with("Solution: X = likes(ann)"), "{reply}");
}

#[test]
fn a_stopped_query_says_so_when_it_is_asked_for_more() {
    let client = Client::new();
    client.assert_clauses(json!(["likes(ann).", "likes(bob)."]));
    client.call("query_start", json!({ "query": "likes(X)", "take": 1 }));
    client.call(
        "query_start",
        json!({ "query": "loop", "take": 1, "timeout_ms": 500 }),
    );
    let reply = client.call("query_next", json!({}));
    assert_eq!(kind(&reply), "no_such_query");
    let said = text(&reply);
    assert!(
        said.contains("after 0 solutions: The query was stopped after 500 ms"),
        "{said}"
    );
    assert!(said.contains("Start it again with query_start."), "{said}");
}

#[test]
fn without_an_id_the_query_is_the_newest_of_this_connection_open_or_ended() {
    let client = Client::new();
    client.assert_clauses(json!(["likes(ann).", "likes(bob)."]));
    client.say(
        "query_start",
        json!({ "query": "likes(X)", "query_id": "old", "take": 1 }),
    );
    client.say(
        "query_start",
        json!({ "query": "likes(X)", "query_id": "new", "take": 5 }),
    );
    assert_eq!(
        client.say("query_next", json!({})),
        "query_id: new\nNo more solutions\nStatus: done"
    );
    let other = client.another();
    assert_eq!(kind(&other.call("query_next", json!({}))), "no_such_query");
    other.say(
        "query_start",
        json!({ "query": "likes(X)", "query_id": "others" }),
    );
    assert_eq!(
        client.say("query_next", json!({})),
        "query_id: new\nNo more solutions\nStatus: done"
    );
    assert!(
        other
            .say("query_next", json!({}))
            .starts_with("query_id: others\nSolution: ")
    );
    let listed = client.say("workspace", json!({ "operation": "list_queries" }));
    assert_eq!(
        listed,
        "Open queries (2):\nold: likes(X) (1 solution so far, idle for 0 s)\n\
         others: likes(X) (1 solution so far, idle for 0 s)"
    );
}

#[test]
fn a_client_can_ping_and_cancel_while_a_query_runs() {
    let client = Client::new();
    let running = client.begin(
        "tools/call",
        json!({ "name": "query_start", "arguments": { "query": "loop", "take": 1 } }),
    );
    assert!(client.take_sent().is_empty());
    client.begin("ping", json!({}));
    assert_eq!(client.take_sent().len(), 1);
    let cancel =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": running } });
    client.connection.receive(&cancel.to_string());
    client.settle();
    assert!(client.take_sent().is_empty(), "a cancelled request has no answer");
    // The next call need not wait for the query's time limit.
    client.begin(
        "tools/call",
        json!({ "name": "clauses", "arguments": { "operation": "assert", "clauses": "a(1)." } }),
    );
    let sent = client.take_sent();
    assert!(
        sent.len() == 1 && text(&sent[0]).starts_with("assert: 1/1 successful"),
        "{sent:?}"
    );
}
