//! Asking the client while one of its requests runs, in both eras.

use serde_json::{Value, json};

use super::{Bench, connect, request, text, with_meta};
use crate::era::CAPABILITIES_KEY;

fn accept(content: Value) -> Value {
    json!({ "action": "accept", "content": content })
}

#[test]
fn a_legacy_client_gets_requests() {
    let bench = Bench::initialized("2025-11-25", json!({ "elicitation": {}, "roots": {} }));
    let answer = |asked: &Value, result: Value| {
        bench.receive(&json!({ "jsonrpc": "2.0", "id": asked["id"], "result": result }))
    };
    let asked = bench.request(1, "tools/call", json!({ "name": "greet" }));
    assert_eq!(asked["method"], "elicitation/create");
    assert_eq!(asked["params"]["message"], "Your name?");
    let asked = answer(&asked, accept(json!({ "name": "Ann" })));
    assert_eq!(asked[0]["params"]["message"], "How are you?");
    let asked = answer(&asked[0], json!({ "action": "decline" }));
    assert_eq!(asked[0]["method"], "roots/list");
    let done = answer(&asked[0], json!({ "roots": [{ "uri": "file:///a" }] }));
    assert_eq!(
        (&done[0]["id"], text(&done[0])),
        (&json!(1), r#""Ann", "decline", 1"#)
    );
}

#[test]
fn a_refusal_of_a_legacy_client_ends_the_call() {
    let bench = Bench::initialized("2025-11-25", json!({ "elicitation": {} }));
    let asked = bench.request(1, "tools/call", json!({ "name": "greet" }));
    let error = json!({ "code": -1, "message": "The user said no" });
    let done = bench.receive(&json!({ "jsonrpc": "2.0", "id": asked["id"], "error": error }));
    assert_eq!(
        (&done[0]["id"], &done[0]["error"]["message"]),
        (&json!(1), &json!("The user said no"))
    );
}

#[test]
fn an_answer_that_may_only_read_ends_a_call_that_may_change_the_book() {
    let bench = Bench::initialized("2025-11-25", json!({ "elicitation": {} }));
    let asked = bench.request(1, "tools/call", json!({ "name": "greet" }));
    bench.connection.set_read_only(true);
    let result = accept(json!({ "name": "Ann" }));
    let done = bench.receive(&json!({ "jsonrpc": "2.0", "id": asked["id"], "result": result }));
    let message = done[0]["error"]["message"].as_str().unwrap();
    assert!(message.contains("that may not change"), "{message}");
}

#[test]
fn a_cancelled_call_withdraws_its_question() {
    let bench = Bench::initialized("2025-11-25", json!({ "elicitation": {} }));
    let asked = bench.request(1, "tools/call", json!({ "name": "greet" }));
    let cancel =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } });
    let sent = bench.receive(&cancel);
    assert_eq!(sent.len(), 1);
    assert_eq!(sent[0]["method"], "notifications/cancelled");
    assert_eq!(sent[0]["params"]["requestId"], asked["id"]);
}

#[test]
fn a_client_is_not_asked_for_what_it_has_not_declared() {
    let bench = Bench::initialized("2025-11-25", json!({}));
    let reply = bench.request(1, "tools/call", json!({ "name": "greet" }));
    assert_eq!(reply["error"]["code"], -32600);
    let only_url = Bench::initialized("2025-11-25", json!({ "elicitation": { "url": {} } }));
    let reply = only_url.request(1, "tools/call", json!({ "name": "greet" }));
    assert_eq!(reply["error"]["code"], -32600, "it cannot show forms");
    let params = with_meta(
        json!({ "name": "greet" }),
        json!({ CAPABILITIES_KEY: { "sampling": {} } }),
    );
    let reply = bench.request(2, "tools/call", params);
    assert_eq!(reply["error"]["code"], -32021);
    assert_eq!(
        reply["error"]["data"],
        json!({ "requiredCapabilities": { "elicitation": {} } })
    );
}

#[test]
fn a_modern_client_comes_back_with_the_answers() {
    let bench = Bench::new();
    let retry = |id, result: &Value, answers: Value| {
        let state = result["result"]["requestState"].clone();
        bench.modern(
            id,
            "tools/call",
            json!({ "name": "greet", "inputResponses": answers, "requestState": state }),
        )
    };
    let first = bench.modern(1, "tools/call", json!({ "name": "greet" }));
    assert_eq!(first["result"]["resultType"], "input_required");
    assert_eq!(
        first["result"]["inputRequests"]["name"]["method"],
        "elicitation/create"
    );
    assert!(first["result"].get("ttlMs").is_none());
    let second = retry(
        2,
        &first,
        json!({ "name": accept(json!({ "name": "Ann" })), "other": 1 }),
    );
    let asked: Vec<&String> = second["result"]["inputRequests"]
        .as_object()
        .unwrap()
        .keys()
        .collect();
    assert_eq!(asked, ["mood", "where"]);
    assert_ne!(second["result"]["requestState"], first["result"]["requestState"]);
    let third = retry(3, &second, json!({ "where": { "roots": [] } }));
    let asked: Vec<&String> = third["result"]["inputRequests"]
        .as_object()
        .unwrap()
        .keys()
        .collect();
    assert_eq!(asked, ["mood"], "only what is missing is asked again");
    let done = retry(4, &third, json!({ "mood": accept(json!({})) }));
    assert_eq!((&done["id"], text(&done)), (&json!(4), r#""Ann", "accept", 0"#));
}

#[test]
fn a_malformed_answer_is_asked_for_again() {
    let bench = Bench::new();
    for answer in [
        json!(12345),
        json!({ "action": "shrug" }),
        json!({ "action": "accept" }),
    ] {
        let params = json!({ "name": "greet", "inputResponses": { "name": answer } });
        let reply = bench.modern(1, "tools/call", params);
        assert!(reply["result"]["inputRequests"]["name"].is_object(), "{reply}");
    }
    let reply = bench.modern(2, "tools/call", json!({ "name": "greet", "inputResponses": [] }));
    assert_eq!(reply["error"]["code"], -32602);
}

#[test]
fn a_state_is_good_once_and_for_its_own_request_only() {
    let bench = Bench::new();
    let first = bench.modern(1, "tools/call", json!({ "name": "greet" }));
    let state = first["result"]["requestState"].as_str().unwrap();
    let answers = json!({ "name": accept(json!({})) });
    let code = |params: Value| bench.modern(2, "tools/call", params)["error"]["code"].as_i64();
    let with = |state: Value, arguments: Value| json!({ "name": "greet", "arguments": arguments, "inputResponses": answers, "requestState": state });
    assert_eq!(
        code(with(json!(format!("{state}-TAMPERED")), json!({}))),
        Some(-32602)
    );
    assert_eq!(code(with(json!(state), json!({ "other": 1 }))), Some(-32602));
    assert_eq!(code(with(json!(17), json!({}))), Some(-32602));
    let same = json!({ "name": "greet", "inputResponses": answers, "requestState": state });
    assert_eq!(code(same.clone()), None);
    assert_eq!(code(same), Some(-32602));
}

#[test]
fn another_connection_may_go_on_with_a_call() {
    let bench = Bench::new();
    let first = bench.modern(1, "tools/call", json!({ "name": "greet" }));
    let (other, sent) = connect(&bench.server);
    let params = json!({
        "name": "greet",
        "inputResponses": { "name": accept(json!({})) },
        "requestState": first["result"]["requestState"],
    });
    other.receive(&request(1, "tools/call", with_meta(params, json!({}))).to_string());
    assert!(bench.settle().is_empty());
    assert!(sent.borrow()[0]["result"]["inputRequests"]["mood"].is_object());
}

#[test]
fn calls_whose_clients_do_not_come_back_are_dropped_in_the_end() {
    let bench = Bench::new();
    let first = bench.modern(0, "tools/call", json!({ "name": "greet" }));
    let first = first["result"]["requestState"].clone();
    for id in 1..=32 {
        bench.modern(id, "tools/call", json!({ "name": "greet" }));
    }
    let late = bench.modern(
        99,
        "tools/call",
        json!({ "name": "greet", "requestState": first }),
    );
    assert_eq!(late["error"]["code"], -32602);
}
