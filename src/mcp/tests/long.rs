//! Messages that take long to read.

use serde_json::{Value, json};

use super::super::testing::request;
use super::{Bench, text};

/// A tool call with 200,000 texts.
fn long(id: i64, name: &str) -> Value {
    let texts: Vec<String> = (0..200_000).map(|number| format!("text {number}\n")).collect();
    request(
        id,
        "tools/call",
        json!({ "name": name, "arguments": { "texts": texts } }),
    )
}

fn ids(sent: &[Value]) -> Vec<i64> {
    sent.iter().filter_map(|message| message["id"].as_i64()).collect()
}

#[test]
fn a_long_message_is_read_in_slices_and_what_comes_meanwhile_after_it() {
    let bench = Bench::initialized("2025-11-25", json!({}));
    let message = long(1, "echo");
    bench.connection.receive(&message.to_string());
    let short = request(2, "tools/call", json!({ "name": "echo", "arguments": {} }));
    bench.connection.receive(&short.to_string());
    assert!(bench.sent.borrow().is_empty(), "it returns at once");
    let sent = bench.settle();
    assert_eq!(ids(&sent), [1, 2]);
    let echoed: Value = serde_json::from_str(text(&sent[0])).unwrap();
    assert_eq!(echoed, message["params"]["arguments"]);
    assert!(bench.clock.rests.get() > 100, "{}", bench.clock.rests.get());
}

#[test]
fn a_long_request_that_is_cancelled_while_it_is_read_is_cancelled() {
    let bench = Bench::initialized("2025-11-25", json!({}));
    bench.connection.receive(&long(1, "wait").to_string());
    let cancelled =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 1 } });
    bench.connection.receive(&cancelled.to_string());
    assert!(bench.settle().is_empty());
    assert_eq!(bench.request(2, "ping", json!({}))["result"], json!({}));
}

#[test]
fn a_long_message_that_is_no_json_is_answered_with_its_id() {
    let bench = Bench::initialized("2025-11-25", json!({}));
    let message = long(1, "echo").to_string().replacen("text 7", "\\ud800", 1);
    let sent = bench.receive_text(&message);
    assert_eq!((ids(&sent), &sent[0]["error"]["code"]), (vec![1], &json!(-32700)));
    assert_eq!(bench.request(2, "ping", json!({}))["result"], json!({}));
}

#[test]
fn a_message_in_parts_is_one_in_its_turn_and_refused_where_it_is_too_long() {
    let bench = Bench::initialized("2025-11-25", json!({}));
    let message = long(1, "echo");
    let text_of = |message: &Value| message.to_string();
    let parts: Vec<String> = text_of(&message)
        .as_bytes()
        .chunks(10_000)
        .map(|part| String::from_utf8(part.to_vec()).unwrap())
        .collect();
    bench
        .connection
        .receive_parts(text_of(&message).len(), parts.into_iter());
    let short = request(2, "tools/call", json!({ "name": "echo", "arguments": {} }));
    bench.connection.receive(&short.to_string());
    let sent = bench.settle();
    assert_eq!(ids(&sent), [1, 2]);
    let echoed: Value = serde_json::from_str(text(&sent[0])).unwrap();
    assert_eq!(echoed, message["params"]["arguments"]);

    bench.sent.borrow_mut().clear();
    let most = bench.connection.line_bytes();
    // Refused before any part is taken, or when the last one arrives.
    bench
        .connection
        .receive_parts(most + 1, std::iter::repeat_with(|| panic!()));
    let long = " ".repeat(most - 10) + &text_of(&request(3, "ping", json!({})));
    bench
        .connection
        .receive_parts(10, [long, " ".repeat(10)].into_iter());
    let sent = bench.settle();
    let refused: Vec<_> = sent
        .iter()
        .map(|reply| (&reply["id"], &reply["error"]["code"]))
        .collect();
    assert_eq!(
        refused,
        [(&json!(null), &json!(-32600)), (&json!(3), &json!(-32600))]
    );
}
