//! Requests that take time: progress, cancellation, concurrent requests.

use std::cell::{Cell, RefCell};
use std::rc::Rc;

use hornbook_base::Limits;
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
    // A malformed message is answered with what is wrong with it.
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

#[test]
fn a_client_that_does_not_read_gets_no_more_until_it_does() {
    let bench = Bench::new();
    let reads = Rc::new(Cell::new(false));
    let sent: Rc<RefCell<Vec<Value>>> = Rc::default();
    let (sink, read) = (sent.clone(), reads.clone());
    let connection = bench.server.connect(Rc::new(move |text| {
        sink.borrow_mut().push(serde_json::from_str(&text).unwrap());
        read.get()
    }));
    let call = |id| {
        let params = json!({ "name": "echo", "arguments": { "n": id } });
        connection.receive(&request(id, "tools/call", params).to_string());
        bench.settle();
    };
    (1..=5).for_each(call);
    let ids = || -> Vec<i64> {
        sent.borrow()
            .iter()
            .filter_map(|message| message["id"].as_i64())
            .collect()
    };
    assert_eq!(ids(), [1]);
    // Requests that can be answered at once are, and waiting ones can be cancelled.
    connection.receive(&request(6, "ping", json!({})).to_string());
    let cancelled =
        json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 2 } });
    connection.receive(&cancelled.to_string());
    bench.settle();
    assert_eq!(ids(), [1, 6]);
    connection.resume();
    bench.settle();
    assert_eq!(ids(), [1, 6, 3]);
    reads.set(true);
    connection.resume();
    bench.settle();
    assert_eq!(ids(), [1, 6, 3, 4, 5]);
}

#[test]
fn calls_beyond_those_that_may_run_wait_and_fill_the_connection() {
    let bench = Bench::with(Limits {
        running_calls: 2,
        waiting_bytes: 2_500,
        ..Limits::default()
    });
    let wait = |id| bench.receive(&request(id, "tools/call", json!({ "name": "wait" })));
    (1..=3).for_each(|id| assert_eq!(wait(id), [] as [Value; 0]));
    assert!(!bench.connection.is_full());
    (4..=5).for_each(|id| assert_eq!(wait(id), [] as [Value; 0]));
    assert!(bench.connection.is_full());
    let cancel = |id| {
        bench.receive(
            &json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": id } }),
        )
    };
    cancel(1);
    cancel(2);
    assert!(!bench.connection.is_full());
    // The third call is running by now, with its own token.
    bench.service.cancel.borrow().as_ref().expect("it runs").cancel();
    assert_eq!(bench.settle().len(), 1);
}

#[test]
fn a_call_that_waits_for_its_client_keeps_no_other_waiting() {
    let limits = Limits {
        running_calls: 1,
        ..Limits::default()
    };
    let bench = Bench::with(limits);
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": { "elicitation": {} }, "clientInfo": { "name": "t", "version": "0" } });
    bench.receive(&request(0, "initialize", params));
    let asked = bench.receive(&request(1, "tools/call", json!({ "name": "greet" })));
    assert_eq!(asked[0]["method"], "elicitation/create");
    let echoed = bench.receive(&request(
        2,
        "tools/call",
        json!({ "name": "echo", "arguments": {} }),
    ));
    assert_eq!(echoed[0]["id"], 2);
}

#[test]
fn a_message_that_is_too_long_is_refused_by_the_id_of_its_request() {
    let limits = Limits {
        line_bytes: 200,
        ..Limits::default()
    };
    let bench = Bench::with(limits);
    let message = |id, length: usize| {
        request(
            id,
            "tools/call",
            json!({ "name": "echo", "arguments": { "text": "x".repeat(length) } }),
        )
        .to_string()
    };
    let refused = bench.receive_text(&message(7, 200));
    assert_eq!(
        (&refused[0]["id"], &refused[0]["error"]["code"]),
        (&json!(7), &json!(-32600))
    );
    assert_eq!(
        refused[0]["error"]["message"],
        "The message is too long (limit: line_bytes = 200). Send its parts one by one."
    );
    bench.connection.refuse_line();
    assert_eq!(bench.settle()[0]["id"], Value::Null);
    assert_eq!(bench.receive_text(&message(8, 20))[0]["id"], 8);
}
