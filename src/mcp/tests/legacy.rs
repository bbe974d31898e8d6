//! The `initialize` era.

use serde_json::json;

use super::{Bench, request, text};
use crate::Change;

#[test]
fn initialize_agrees_on_every_legacy_revision() {
    for revision in ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"] {
        Bench::initialized(revision, json!({}));
    }
}

#[test]
fn initialize_with_an_unknown_revision_offers_the_newest_legacy_one() {
    let reply = Bench::new().request(1, "initialize", json!({ "protocolVersion": "1999-01-01" }));
    assert_eq!(reply["result"]["protocolVersion"], "2025-11-25");
}

#[test]
fn initialize_tells_who_the_server_is_and_what_it_can_do() {
    let reply = Bench::new().request(
        1,
        "initialize",
        json!({ "protocolVersion": "2025-11-25", "capabilities": {} }),
    );
    let result = &reply["result"];
    assert_eq!(
        result["serverInfo"],
        json!({ "name": "sample", "title": "Sample", "version": "1.2.3" })
    );
    assert_eq!(result["instructions"], "Be kind.");
    assert_eq!(
        result["capabilities"],
        json!({
            "completions": {},
            "logging": {},
            "prompts": { "listChanged": true },
            "resources": { "subscribe": true },
            "tasks": { "list": {}, "cancel": {}, "requests": { "tools": { "call": {} } } },
            "tools": { "listChanged": true },
        })
    );
}

#[test]
fn results_have_no_modern_fields() {
    let bench = Bench::initialized("2025-11-25", json!({}));
    let tools = bench.request(1, "tools/list", json!({}));
    assert_eq!(
        tools["result"].as_object().map(|result| result.len()),
        Some(1),
        "{tools}"
    );
    assert_eq!(bench.request(2, "ping", json!({}))["result"], json!({}));
}

#[test]
fn a_tool_can_be_called_before_initialize() {
    let reply = Bench::new().request(
        1,
        "tools/call",
        json!({ "name": "echo", "arguments": { "a": 1 } }),
    );
    assert_eq!(text(&reply), r#"{"a":1}"#);
}

#[test]
fn a_resource_that_is_not_there_has_the_code_of_the_era() {
    let reply = Bench::new().request(1, "resources/read", json!({ "uri": "sample://two" }));
    assert_eq!(reply["error"]["code"], -32002);
    assert_eq!(reply["error"]["data"], json!({ "uri": "sample://two" }));
    let long = Bench::new().request(1, "resources/read", json!({ "uri": "x".repeat(100_000) }));
    assert!(
        long.to_string().len() < 10_000,
        "what is sent is not sent back whole"
    );
}

#[test]
fn faulty_messages_get_the_codes_of_json_rpc() {
    let bench = Bench::new();
    let code = |text: &str| {
        let sent = bench.receive_text(text);
        assert_eq!(sent.len(), 1, "{text}: {sent:?}");
        (sent[0]["id"].clone(), sent[0]["error"]["code"].as_i64())
    };
    assert_eq!(code("{"), (json!(null), Some(-32700)));
    assert_eq!(code(&"[".repeat(10_000)), (json!(null), Some(-32700)));
    assert_eq!(code("7"), (json!(null), Some(-32600)));
    let deep = format!(
        r#"{{"jsonrpc":"2.0","method":"ping","params":{{"x":{}1{}}},"id":4}}"#,
        "[".repeat(200),
        "]".repeat(200)
    );
    assert_eq!(code(&deep), (json!(4), Some(-32700)));
    assert_eq!(
        code(r#"{"jsonrpc":"2.0","id":"half","method":"ping","params":{"x":"\ud83d"}}"#),
        (json!("half"), Some(-32700))
    );
    assert_eq!(code("{}"), (json!(null), Some(-32600)));
    assert_eq!(
        code(r#"{"jsonrpc":"1.0","id":3,"method":"ping"}"#),
        (json!(3), Some(-32600))
    );
    assert_eq!(
        code(r#"{"jsonrpc":"2.0","id":null,"method":"ping"}"#),
        (json!(null), Some(-32600))
    );
    assert_eq!(
        code(r#"{"jsonrpc":"2.0","id":"a","method":4}"#),
        (json!("a"), Some(-32600))
    );
    assert_eq!(
        code(r#"{"jsonrpc":"2.0","id":"a","method":"ping","params":[]}"#),
        (json!("a"), Some(-32602))
    );
    assert_eq!(
        code(r#"{"jsonrpc":"2.0","id":5,"method":"no/such"}"#),
        (json!(5), Some(-32601))
    );
    assert_eq!(
        code(r#"{"jsonrpc":"2.0","id":6,"method":"tools/call","params":{}}"#),
        (json!(6), Some(-32602))
    );
    assert_eq!(
        code(r#"{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"echo","arguments":[]}}"#),
        (json!(7), Some(-32602))
    );
    assert_eq!(
        code(r#"{"jsonrpc":"2.0","id":8,"method":"tools/list","params":{"cursor":"x"}}"#),
        (json!(8), Some(-32602))
    );
}

#[test]
fn unknown_notifications_and_stray_responses_are_ignored() {
    let bench = Bench::new();
    assert!(
        bench
            .receive(&json!({ "jsonrpc": "2.0", "method": "notifications/whatever" }))
            .is_empty()
    );
    assert!(
        bench
            .receive(&json!({ "jsonrpc": "2.0", "id": "server-1", "result": {} }))
            .is_empty()
    );
    let cancelled =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 9 } });
    assert!(bench.receive(&cancelled).is_empty());
}

#[test]
fn a_batch_is_answered_as_one_where_the_revision_has_batches() {
    let bench = Bench::initialized("2025-03-26", json!({}));
    let batch = json!([
        request(1, "ping", json!({})),
        { "jsonrpc": "2.0", "method": "notifications/initialized" },
        request(2, "tools/call", json!({ "name": "echo" })),
        { "jsonrpc": "2.0", "id": 3 },
    ]);
    let sent = bench.receive(&batch);
    assert_eq!(sent.len(), 1);
    let mut ids: Vec<i64> = sent[0]
        .as_array()
        .unwrap()
        .iter()
        .map(|reply| reply["id"].as_i64().unwrap())
        .collect();
    ids.sort();
    assert_eq!(ids, [1, 2, 3]);
}

#[test]
fn a_cancelled_request_of_a_batch_does_not_hold_up_the_others() {
    let bench = Bench::initialized("2025-03-26", json!({}));
    let batch = json!([
        request(1, "tools/call", json!({ "name": "wait" })),
        request(2, "ping", json!({}))
    ]);
    assert!(bench.receive(&batch).is_empty());
    let cancel =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } });
    let sent = bench.receive(&cancel);
    assert_eq!(sent, [json!([{ "jsonrpc": "2.0", "id": 2, "result": {} }])]);
}

#[test]
fn a_batch_of_notifications_has_no_answer() {
    let bench = Bench::initialized("2025-03-26", json!({}));
    assert!(
        bench
            .receive(&json!([{ "jsonrpc": "2.0", "method": "notifications/initialized" }]))
            .is_empty()
    );
}

#[test]
fn other_revisions_refuse_batches() {
    let bench = Bench::initialized("2025-11-25", json!({}));
    let sent = bench.receive(&json!([request(1, "ping", json!({}))]));
    assert_eq!((sent.len(), &sent[0]["error"]["code"]), (1, &json!(-32600)));
}

#[test]
fn a_subscriber_hears_of_its_resource_until_it_unsubscribes() {
    let bench = Bench::initialized("2025-11-25", json!({}));
    let one = json!({ "uri": "sample://one" });
    let change = || bench.service.change(Change::Resource("sample://one".into()));
    change();
    assert!(bench.settle().is_empty());
    bench.request(1, "resources/subscribe", one.clone());
    change();
    let told = json!({ "jsonrpc": "2.0", "method": "notifications/resources/updated", "params": one });
    assert_eq!(bench.settle(), [told]);
    bench.request(2, "resources/unsubscribe", one.clone());
    change();
    assert!(bench.settle().is_empty());
}

#[test]
fn nobody_subscribes_to_a_resource_that_is_not_there() {
    let reply = Bench::new().request(1, "resources/subscribe", json!({ "uri": "sample://two" }));
    assert_eq!(reply["error"]["code"], -32002);
}

#[test]
fn list_changes_reach_initialized_clients_only() {
    let bench = Bench::new();
    bench.service.change(Change::Tools);
    assert!(bench.settle().is_empty());
    bench.request(1, "initialize", json!({ "protocolVersion": "2025-06-18" }));
    bench.service.change(Change::Tools);
    let told = json!({ "jsonrpc": "2.0", "method": "notifications/tools/list_changed", "params": {} });
    assert_eq!(bench.settle(), [told]);
}

#[test]
fn the_log_level_is_that_of_the_connection() {
    let bench = Bench::initialized("2025-11-25", json!({}));
    let levels = |id| {
        let sent = bench.receive(&request(id, "tools/call", json!({ "name": "work" })));
        let logs = sent
            .iter()
            .filter(|message| message["method"] == "notifications/message");
        logs.map(|message| message["params"]["level"].as_str().unwrap().to_string())
            .collect::<Vec<_>>()
    };
    assert_eq!(levels(1), ["warning"]);
    bench.request(2, "logging/setLevel", json!({ "level": "debug" }));
    assert_eq!(levels(3), ["debug", "warning"]);
    bench.request(4, "logging/setLevel", json!({ "level": "error" }));
    assert!(levels(5).is_empty());
    let wrong = bench.request(6, "logging/setLevel", json!({ "level": "loud" }));
    assert_eq!(wrong["error"]["code"], -32602);
}

#[test]
fn completion_returns_at_most_a_hundred_values() {
    let params =
        json!({ "ref": { "type": "ref/prompt", "name": "poem" }, "argument": { "name": "a", "value": "x" } });
    let reply = Bench::new().request(1, "completion/complete", params);
    let completion = &reply["result"]["completion"];
    assert_eq!(completion["values"].as_array().map(Vec::len), Some(100));
    assert_eq!(
        (&completion["total"], &completion["hasMore"]),
        (&json!(150), &json!(true))
    );
}
