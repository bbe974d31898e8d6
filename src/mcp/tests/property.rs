//! For any input: no panic, and each request is answered exactly once.

use proptest::prelude::*;
use serde_json::{Value, json};

use super::{Bench, with_meta};

fn any_json() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
    ];
    leaf.prop_recursive(3, 24, 5, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::btree_map("[a-z_]{1,8}", inner, 0..5).prop_map(|map| json!(map)),
        ]
    })
}

fn any_method() -> impl Strategy<Value = String> {
    let known = [
        "initialize",
        "ping",
        "tools/list",
        "tools/call",
        "resources/list",
        "resources/read",
        "resources/subscribe",
        "resources/templates/list",
        "prompts/list",
        "prompts/get",
        "completion/complete",
        "logging/setLevel",
        "server/discover",
    ];
    prop_oneof![
        prop::sample::select(known.to_vec()).prop_map(String::from),
        ".{0,12}"
    ]
}

/// Parameters that are often valid.
fn any_params() -> impl Strategy<Value = Value> {
    let name = prop::sample::select(vec!["echo", "work", "poem", "nothing"]);
    let fitting = (name, any_json(), any_json())
        .prop_map(|(name, value, meta)| {
            json!({ "name": name, "uri": "sample://one", "arguments": value, "level": "info", "_meta": meta,
                "ref": value, "argument": value, "protocolVersion": "2025-03-26" })
        })
        .boxed();
    let modern = (fitting.clone(), any_json()).prop_map(|(mut params, value)| {
        params["inputResponses"] = value;
        with_meta(params, json!({}))
    });
    prop_oneof![fitting, modern, any_json()]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_text_is_survived(texts in prop::collection::vec(".{0,200}", 1..4)) {
        let bench = Bench::new();
        for text in texts {
            bench.receive_text(&text);
        }
    }

    #[test]
    fn any_json_is_survived_and_requests_are_answered_once(
        requests in prop::collection::vec((any_method(), any_params()), 1..8),
        stray in any_json(),
    ) {
        let bench = Bench::new();
        bench.receive(&stray);
        for (id, (method, params)) in requests.into_iter().enumerate() {
            let message = json!({ "jsonrpc": "2.0", "id": format!("request-{id}"), "method": method, "params": params });
            let answers = bench.receive(&message).into_iter().filter(|sent| sent.get("method").is_none());
            let ids: Vec<Value> = answers.map(|answer| answer["id"].clone()).collect();
            prop_assert_eq!(ids, vec![message["id"].clone()], "{}", message);
        }
    }
}
