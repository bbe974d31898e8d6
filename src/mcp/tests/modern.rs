//! The era of per-request metadata.

use serde_json::{Value, json};

use super::{Bench, connect, request, text, with_meta};
use crate::Change;
use crate::era::{CAPABILITIES_KEY, CLIENT_KEY, LOG_LEVEL_KEY, SERVER_KEY, SUBSCRIPTION_KEY, VERSION_KEY};

#[test]
fn discover_tells_versions_capabilities_and_identity() {
    let result = &Bench::new().modern(1, "server/discover", json!({}))["result"];
    assert_eq!(result["supportedVersions"], json!(["2026-07-28"]));
    assert_eq!(result["resultType"], "complete");
    assert_eq!(result["instructions"], "Be kind.");
    assert_eq!(result["capabilities"]["tools"], json!({ "listChanged": true }));
    assert_eq!(result["_meta"][SERVER_KEY]["name"], "sample");
    assert!(
        result["ttlMs"].is_u64() && result["cacheScope"] == "public",
        "{result}"
    );
}

#[test]
fn every_result_has_a_type_and_the_cacheable_ones_say_how_long() {
    let bench = Bench::new();
    for (id, (method, params, cacheable)) in [
        ("tools/list", json!({}), true),
        ("resources/list", json!({}), true),
        ("resources/templates/list", json!({}), true),
        ("resources/read", json!({ "uri": "sample://one" }), true),
        ("prompts/list", json!({}), true),
        ("prompts/get", json!({ "name": "poem" }), false),
        ("tools/call", json!({ "name": "echo" }), false),
    ]
    .into_iter()
    .enumerate()
    {
        let result = &bench.modern(id as i64, method, params)["result"];
        assert_eq!(result["resultType"], "complete", "{method}");
        assert_eq!(result["ttlMs"].is_u64(), cacheable, "{method}");
        assert_eq!(result["cacheScope"].is_string(), cacheable, "{method}");
    }
}

#[test]
fn incomplete_metadata_is_invalid() {
    let bench = Bench::new();
    for meta in [
        json!({ CLIENT_KEY: {}, CAPABILITIES_KEY: {} }),
        json!({ VERSION_KEY: "2026-07-28" }),
        json!({ VERSION_KEY: 20260728, CAPABILITIES_KEY: {} }),
        json!({ VERSION_KEY: "2026-07-28", CAPABILITIES_KEY: {}, LOG_LEVEL_KEY: "loud" }),
    ] {
        let reply = bench.request(1, "tools/list", json!({ "_meta": meta }));
        assert_eq!(reply["error"]["code"], -32602, "{meta}");
    }
    assert_eq!(
        bench.request(2, "server/discover", json!({}))["error"]["code"],
        -32602
    );
}

#[test]
fn an_unknown_version_is_refused_with_the_known_ones() {
    let params = json!({ "_meta": { VERSION_KEY: "2030-01-01", CAPABILITIES_KEY: {} } });
    let error = &Bench::new().request(1, "tools/list", params)["error"];
    assert_eq!(error["code"], -32022);
    assert_eq!(
        error["data"],
        json!({ "supported": ["2026-07-28"], "requested": "2030-01-01" })
    );
}

#[test]
fn what_the_revision_removed_is_not_found() {
    let bench = Bench::new();
    for method in [
        "initialize",
        "ping",
        "logging/setLevel",
        "resources/subscribe",
        "resources/unsubscribe",
    ] {
        assert_eq!(
            bench.modern(1, method, json!({}))["error"]["code"],
            -32601,
            "{method}"
        );
    }
}

#[test]
fn a_resource_that_is_not_there_is_an_invalid_parameter() {
    let reply = Bench::new().modern(1, "resources/read", json!({ "uri": "sample://two" }));
    assert_eq!(reply["error"]["code"], -32602);
    assert_eq!(reply["error"]["data"]["uri"], "sample://two");
}

#[test]
fn both_eras_are_served_on_one_connection() {
    let bench = Bench::initialized("2025-11-25", json!({}));
    assert_eq!(
        text(&bench.modern(1, "tools/call", json!({ "name": "echo" }))),
        "{}"
    );
    assert_eq!(bench.request(2, "ping", json!({}))["result"], json!({}));
}

#[test]
fn log_messages_come_only_to_requests_that_name_a_level() {
    let bench = Bench::new();
    let logs = |id, meta: Value| {
        let sent = bench.receive(&request(
            id,
            "tools/call",
            with_meta(json!({ "name": "work" }), meta),
        ));
        sent.iter()
            .filter(|message| message["method"] == "notifications/message")
            .count()
    };
    assert_eq!(logs(1, json!({})), 0);
    assert_eq!(logs(2, json!({ LOG_LEVEL_KEY: "warning" })), 1);
    assert_eq!(logs(3, json!({ LOG_LEVEL_KEY: "debug" })), 2);
}

#[test]
fn a_subscription_is_acknowledged_and_tells_what_it_was_asked_for() {
    let bench = Bench::new();
    let wanted = json!({ "notifications": {
        "toolsListChanged": true,
        "resourcesListChanged": true,
        "resourceSubscriptions": ["sample://one"],
    } });
    let sent = bench.receive(&request(7, "subscriptions/listen", with_meta(wanted, json!({}))));
    assert_eq!(
        sent,
        [
            json!({ "jsonrpc": "2.0", "method": "notifications/subscriptions/acknowledged", "params": {
            "_meta": { SUBSCRIPTION_KEY: 7 },
            "notifications": { "toolsListChanged": true, "resourceSubscriptions": ["sample://one"] },
        } })
        ],
        "the sample has no list of resources that changes"
    );
    for change in [
        Change::Tools,
        Change::Prompts,
        Change::Resources,
        Change::Resource("sample://two".into()),
    ] {
        bench.service.change(change);
    }
    bench.service.change(Change::Resource("sample://one".into()));
    let told: Vec<(Value, Value)> = bench
        .settle()
        .into_iter()
        .map(|m| (m["method"].clone(), m["params"].clone()))
        .collect();
    let tag = json!({ SUBSCRIPTION_KEY: 7 });
    assert_eq!(
        told,
        [
            (json!("notifications/tools/list_changed"), json!({ "_meta": tag })),
            (
                json!("notifications/resources/updated"),
                json!({ "_meta": tag, "uri": "sample://one" })
            ),
        ]
    );
    bench.receive(
        &json!({ "jsonrpc": "2.0", "method": "notifications/cancelled", "params": { "requestId": 7 } }),
    );
    bench.service.change(Change::Tools);
    assert!(bench.settle().is_empty());
}

#[test]
fn each_subscription_is_told_apart() {
    let bench = Bench::new();
    let (other, sent) = connect(&bench.server);
    let listen = |id: &str, what: &str| {
        let params = with_meta(json!({ "notifications": { what: true } }), json!({}));
        json!({ "jsonrpc": "2.0", "id": id, "method": "subscriptions/listen", "params": params }).to_string()
    };
    bench.receive_text(&listen("a", "toolsListChanged"));
    bench.receive_text(&listen("b", "toolsListChanged"));
    other.receive(&listen("c", "promptsListChanged"));
    sent.borrow_mut().clear();
    bench.service.change(Change::Tools);
    let ids: Vec<Value> = bench
        .settle()
        .iter()
        .map(|message| message["params"]["_meta"][SUBSCRIPTION_KEY].clone())
        .collect();
    assert_eq!(ids, ["a", "b"]);
    assert!(sent.borrow().is_empty());
}

#[test]
fn a_subscription_with_a_malformed_filter_is_refused() {
    let bench = Bench::new();
    for notifications in [
        json!(null),
        json!({ "toolsListChanged": 1 }),
        json!({ "resourceSubscriptions": [1] }),
    ] {
        let reply = bench.modern(
            1,
            "subscriptions/listen",
            json!({ "notifications": notifications }),
        );
        assert_eq!(reply["error"]["code"], -32602, "{notifications}");
    }
}
