//! Requests that take time: progress, cancellation, other requests meanwhile.

use serde_json::{Value, json};

use super::{Bench, request, with_meta};

#[test]
fn progress_goes_only_to_who_asked_and_only_forward() {
    let bench = Bench::initialized("2025-11-25", json!({}));
    let sent = bench.receive(&request(1, "tools/call", json!({ "name": "work" })));
    assert!(
        sent.iter()
            .all(|message| message["method"] != "notifications/progress")
    );
    let sent = bench.receive(&request(
        2,
        "tools/call",
        json!({ "name": "work", "_meta": { "progressToken": "t" } }),
    ));
    let told: Vec<&Value> = sent
        .iter()
        .filter(|m| m["method"] == "notifications/progress")
        .map(|m| &m["params"])
        .collect();
    let step = |done| json!({ "progressToken": "t", "progress": done, "total": 3, "message": "steps" });
    assert_eq!(told, [&step(1), &step(2), &step(3)]);
    assert_eq!(sent.last().unwrap()["id"], 2, "the answer comes last");
}

#[test]
fn ping_is_answered_while_a_tool_runs() {
    let bench = Bench::new();
    assert!(
        bench
            .receive(&request(1, "tools/call", json!({ "name": "wait" })))
            .is_empty()
    );
    assert_eq!(bench.request(2, "ping", json!({}))["id"], 2);
}

#[test]
fn a_cancelled_request_stops_and_is_not_answered() {
    for params in [
        json!({ "name": "wait" }),
        with_meta(json!({ "name": "wait" }), json!({})),
    ] {
        let bench = Bench::new();
        bench.receive(&request(1, "tools/call", params));
        let token = bench.service.cancel.borrow().clone().unwrap();
        assert!(!token.is_cancelled());
        let cancel =
            json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } });
        assert!(bench.receive(&cancel).is_empty());
        assert!(token.is_cancelled());
    }
}

#[test]
fn an_id_can_be_used_again_when_its_request_is_done_but_not_before() {
    let bench = Bench::new();
    bench.receive(&request(1, "tools/call", json!({ "name": "wait" })));
    assert_eq!(bench.request(1, "ping", json!({}))["error"]["code"], -32600);
    let cancel =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } });
    bench.receive(&cancel);
    assert_eq!(bench.request(1, "ping", json!({}))["result"], json!({}));
}

#[test]
fn string_and_number_ids_are_different() {
    let bench = Bench::new();
    bench.receive(&request(1, "tools/call", json!({ "name": "wait" })));
    let sent = bench.receive(&json!({ "jsonrpc": "2.0", "id": "1", "method": "ping" }));
    assert_eq!(sent, [json!({ "jsonrpc": "2.0", "id": "1", "result": {} })]);
}

#[test]
fn closing_stops_what_runs_and_silences_the_connection() {
    let bench = Bench::new();
    bench.receive(&request(1, "tools/call", json!({ "name": "wait" })));
    let token = bench.service.cancel.borrow().clone().unwrap();
    bench.connection.close();
    assert!(token.is_cancelled());
    assert!(bench.receive(&request(2, "ping", json!({}))).is_empty());
}

#[test]
fn on_a_pipe_that_others_use_only_json_rpc_is_heard() {
    let bench = Bench::new();
    let heard = |text: &str| {
        bench.connection.receive_if_rpc(text);
        bench.settle()
    };
    let foreign = [
        "null",
        "7",
        "\"{}\"",
        "{}",
        "[]",
        "[1]",
        "{\"type\": \"ready\"}",
        "{\"jsonrpc\": 2}",
        "{\"jsonrpc\": \"1.0\", \"id\": 1}",
        "[{\"jsonrpc\": \"2.0\"}, 1]",
        "{\"id\": 1, \"method\": \"ping\"}",
        "{\"jsonrpc\": \"2.0\"",
    ];
    for text in foreign {
        assert_eq!(heard(text), Vec::<serde_json::Value>::new(), "{text}");
    }
    assert_eq!(heard(&request(1, "ping", json!({})).to_string())[0]["id"], 1);
    // What means to be a message is told what is wrong with it.
    assert_eq!(
        heard("{\"jsonrpc\": \"2.0\", \"id\": 2}")[0]["error"]["code"],
        -32600
    );
    assert_eq!(
        heard("[{\"jsonrpc\": \"2.0\", \"id\": 3, \"method\": \"ping\"}]")[0]["error"]["code"],
        -32600
    );
    let deep = format!(
        "{{\"jsonrpc\": \"2.0\", \"id\": 4, \"method\": \"ping\", \"params\": {}{}}}",
        "[".repeat(300),
        "]".repeat(300)
    );
    assert_eq!(heard(&deep)[0]["id"], 4);
}
