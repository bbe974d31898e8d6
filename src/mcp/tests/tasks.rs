//! Calls that run as tasks, in both eras.

use serde_json::{Value, json};

use super::{Bench, connect, request, text, with_meta};
use crate::era::{CAPABILITIES_KEY, TASKS};

const RELATED: &str = "io.modelcontextprotocol/related-task";

fn legacy() -> Bench {
    Bench::initialized("2025-11-25", json!({ "elicitation": {}, "roots": {} }))
}

/// A request from a client that declares the extension.
fn modern(bench: &Bench, id: i64, method: &str, params: Value) -> Value {
    let capabilities = json!({ "elicitation": {}, "roots": {}, "extensions": { TASKS: {} } });
    let params = with_meta(params, json!({ CAPABILITIES_KEY: capabilities }));
    bench.request(id, method, params)
}

/// The id of the created task, and the messages sent meanwhile.
fn created(bench: &Bench, tool: &str) -> (String, Vec<Value>) {
    let params = json!({ "name": tool, "task": { "ttl": 1_000 }, "_meta": { "progressToken": "p" } });
    let mut sent = bench.receive(&request(1, "tools/call", params));
    let task = sent.remove(0)["result"]["task"].clone();
    assert_eq!(
        (&task["status"], &task["ttl"], task["pollInterval"].is_u64()),
        (&json!("working"), &json!(1_000), true)
    );
    assert!(task["createdAt"].as_str().unwrap().ends_with('Z'));
    (task["taskId"].as_str().unwrap().to_owned(), sent)
}

#[test]
fn a_client_learns_which_tools_go_on_as_tasks() {
    let support = |bench: &Bench| {
        let listed = bench.request(1, "tools/list", json!({}));
        listed["result"]["tools"][1]["execution"].clone()
    };
    assert_eq!(support(&legacy()), json!({ "taskSupport": "optional" }));
    assert_eq!(support(&Bench::initialized("2025-06-18", json!({}))), Value::Null);
    let discovered = Bench::new().modern(1, "server/discover", json!({}));
    assert_eq!(
        discovered["result"]["capabilities"]["extensions"],
        json!({ TASKS: {} })
    );
    assert_eq!(discovered["result"]["capabilities"]["tasks"], Value::Null);
}

#[test]
fn a_legacy_task_is_polled_and_its_result_awaited() {
    let bench = legacy();
    let (id, sent) = created(&bench, "work");
    let told = |message: &Value| message["method"] == "notifications/progress";
    assert_eq!(sent.iter().filter(|message| told(message)).count(), 3);
    let got = bench.request(2, "tasks/get", json!({ "taskId": id }));
    assert_eq!(
        (&got["result"]["taskId"], &got["result"]["status"]),
        (&json!(id), &json!("completed"))
    );
    let result = bench.request(3, "tasks/result", json!({ "taskId": id }));
    assert_eq!(text(&result), "done");
    assert_eq!(result["result"]["_meta"][RELATED], json!({ "taskId": id }));
    let listed = bench.request(4, "tasks/list", json!({}));
    assert_eq!(listed["result"]["tasks"][0]["taskId"], json!(id));
    let late = bench.request(5, "tasks/cancel", json!({ "taskId": id }));
    assert_eq!(late["error"]["code"], -32602);
    // It is kept for as long as the client asked.
    bench.clock.now.set(10_000);
    let gone = bench.request(6, "tasks/get", json!({ "taskId": id }));
    assert_eq!(gone["error"]["code"], -32602);
}

#[test]
fn a_legacy_task_is_cancelled_and_those_who_wait_hear_of_it() {
    let bench = legacy();
    let (id, _) = created(&bench, "wait");
    assert!(
        bench
            .receive(&request(2, "tasks/result", json!({ "taskId": id })))
            .is_empty()
    );
    let mut sent = bench.receive(&request(3, "tasks/cancel", json!({ "taskId": id })));
    sent.sort_by_key(|message| message["id"].as_i64());
    assert!(sent[0]["error"].is_object());
    assert_eq!(sent[1]["result"]["status"], "cancelled");
    let cancel = bench.service.cancel.borrow().clone().expect("it ran");
    assert!(cancel.is_cancelled());
    let got = bench.request(4, "tasks/get", json!({ "taskId": id }));
    assert_eq!(got["result"]["status"], "cancelled");
}

#[test]
fn a_task_goes_on_without_its_client() {
    let bench = legacy();
    let (id, _) = created(&bench, "wait");
    bench.connection.close();
    let cancel = bench.service.cancel.borrow().clone().expect("it ran");
    assert!(!cancel.is_cancelled());
    let (other, sent) = connect(&bench.server);
    let params = json!({ "protocolVersion": "2025-11-25", "capabilities": {} });
    other.receive(&request(0, "initialize", params).to_string());
    other.receive(&request(1, "tasks/get", json!({ "taskId": id })).to_string());
    assert_eq!(sent.borrow()[1]["result"]["status"], "working");
}

#[test]
fn what_a_legacy_task_asks_belongs_to_it() {
    let bench = legacy();
    let (id, sent) = created(&bench, "greet");
    assert_eq!(sent[0]["method"], "elicitation/create");
    assert_eq!(sent[0]["params"]["_meta"][RELATED], json!({ "taskId": id }));
    let status = || bench.request(9, "tasks/get", json!({ "taskId": id }))["result"]["status"].clone();
    assert_eq!(status(), "input_required");
    let answer = json!({ "action": "accept", "content": { "name": "Ann" } });
    let sent = bench.receive(&json!({ "jsonrpc": "2.0", "id": sent[0]["id"], "result": answer }));
    let refused = json!({ "code": -1, "message": "The user said no" });
    bench.receive(&json!({ "jsonrpc": "2.0", "id": sent[0]["id"], "error": refused }));
    assert_eq!(status(), "failed");
    let result = bench.request(3, "tasks/result", json!({ "taskId": id }));
    assert_eq!(result["error"]["message"], "The user said no");
}

#[test]
fn a_tool_that_is_answered_at_once_is_no_task() {
    let bench = legacy();
    let reply = bench.request(1, "tools/call", json!({ "name": "echo", "task": {} }));
    assert_eq!(reply["error"]["code"], -32601);
    // An older revision has no tasks: this is an ordinary call.
    let older = Bench::initialized("2025-06-18", json!({}));
    let reply = older.request(1, "tools/call", json!({ "name": "echo", "task": {} }));
    assert_eq!(text(&reply), "{}");
}

#[test]
fn a_modern_call_becomes_a_task_where_the_client_declares_the_extension() {
    let bench = Bench::new();
    let made = modern(&bench, 1, "tools/call", json!({ "name": "work" }));
    let task = &made["result"];
    assert_eq!(
        (&task["resultType"], &task["status"], task["ttlMs"].is_u64()),
        (&json!("task"), &json!("working"), true)
    );
    let got = modern(&bench, 2, "tasks/get", json!({ "taskId": task["taskId"] }));
    assert_eq!(
        (&got["result"]["resultType"], &got["result"]["status"]),
        (&json!("complete"), &json!("completed"))
    );
    let result = &got["result"]["result"];
    assert_eq!(
        (&result["content"][0]["text"], &result["resultType"]),
        (&json!("done"), &json!("complete"))
    );
    // A client that does not declare the extension gets the result, and may not use task methods.
    assert_eq!(
        text(&bench.modern(3, "tools/call", json!({ "name": "work" }))),
        "done"
    );
    let refused = bench.modern(4, "tasks/get", json!({ "taskId": task["taskId"] }));
    assert_eq!(refused["error"]["code"], -32021);
    let missing = json!({ "requiredCapabilities": { "extensions": { TASKS: {} } } });
    assert_eq!(refused["error"]["data"], missing);
    for method in ["tasks/list", "tasks/result"] {
        let gone = modern(&bench, 5, method, json!({ "taskId": task["taskId"] }));
        assert_eq!(gone["error"]["code"], -32601);
    }
}

#[test]
fn a_modern_task_is_told_what_it_asked() {
    let bench = Bench::new();
    let made = modern(&bench, 1, "tools/call", json!({ "name": "greet" }));
    let id = made["result"]["taskId"].clone();
    let get = || modern(&bench, 2, "tasks/get", json!({ "taskId": id }))["result"].clone();
    let update = |answers: Value| {
        let params = json!({ "taskId": id, "inputResponses": answers });
        let acknowledged = modern(&bench, 3, "tasks/update", params);
        assert_eq!(acknowledged["result"]["resultType"], "complete");
    };
    let asked = get();
    assert_eq!(asked["status"], "input_required");
    assert_eq!(asked["inputRequests"]["1_name"]["method"], "elicitation/create");
    let said = json!({ "action": "accept", "content": { "name": "Ann" } });
    update(json!({ "1_name": said, "other": said }));
    // Two questions are asked at once, and answered one by one.
    update(json!({ "2_mood": { "action": "decline" } }));
    let asked = get();
    assert_eq!(
        asked["inputRequests"]
            .as_object()
            .unwrap()
            .keys()
            .collect::<Vec<_>>(),
        ["2_where"]
    );
    update(json!({ "2_where": { "roots": [] } }));
    let over = get();
    assert_eq!(over["status"], "completed");
    assert_eq!(over["result"]["content"][0]["text"], r#""Ann", "decline", 0"#);
}

#[test]
fn a_modern_task_is_cancelled() {
    let bench = Bench::new();
    let made = modern(&bench, 1, "tools/call", json!({ "name": "wait" }));
    let id = made["result"]["taskId"].clone();
    for _ in 0..2 {
        let acknowledged = modern(&bench, 2, "tasks/cancel", json!({ "taskId": id }));
        assert_eq!(acknowledged["result"]["resultType"], "complete");
    }
    let got = modern(&bench, 3, "tasks/get", json!({ "taskId": id }));
    assert_eq!(got["result"]["status"], "cancelled");
    let unknown = modern(&bench, 4, "tasks/get", json!({ "taskId": "other" }));
    assert_eq!(unknown["error"]["code"], -32602);
}
