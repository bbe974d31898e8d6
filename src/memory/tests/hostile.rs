//! Names that look like something else, and very many records with the same name.

use serde_json::json;

use super::{Bench, id};

const HOSTILE: [&str; 12] = [
    "'; DROP TABLE nodes; --",
    "\"unbalanced",
    "line\nbreak\r\n\ttab",
    "foo(X) :- halt.",
    "kn_node",
    "node/x/y",
    "{{0.id}} ${HOME} %s \\",
    "\u{0}\u{1}namespace=knowledge",
    "a* OR NOT (b",
    "\u{202e}txet\u{200b}",
    "🌍🌍🌍",
    "<script>alert(1)</script>",
];

#[test]
fn hostile_texts_are_kept_as_they_are_and_change_no_answer_about_others() {
    let mut bench = Bench::new();
    let (one, two) = (bench.node("plain alpha"), bench.node("plain beta"));
    bench.connect(&one, &two, "owns");
    let plain = |bench: &mut Bench| {
        let related = json!({ "action": "related", "node_id": one, "edge_type": "owns", "depth": 5 });
        (
            bench.names(json!({ "text": "plain alpha" })),
            bench.intel(related)["results"].clone(),
        )
    };
    let before = plain(&mut bench);
    for text in HOSTILE {
        let add = json!({ "action": "add", "name": text, "type": text, "namespace": text, "description": text, "tags": [text] });
        let added = bench.graph(add);
        assert_eq!(added["name"], text.trim());
        let edge =
            json!({ "action": "connect", "source_id": added["id"], "target_id": two, "edge_type": text });
        bench.graph(edge.clone());
        let mut again = edge.clone();
        again["action"] = json!("remove");
        bench.graph(again.clone());
        again["action"] = json!("restore");
        bench.graph(again);
        bench.intel(json!({ "action": "learn", "content": text, "context": text, "type": "gotcha", "tags": [text], "namespace": text }));
        let own = bench.names(json!({ "namespace": text, "node_type": text, "tags": [text] }));
        assert_eq!(own, [text.trim()], "{text:?}");
        for (tool, call) in [
            ("kn_graph", json!({ "action": "query", "text": text })),
            ("kn_experience", json!({ "action": "search", "text": text })),
            ("kn_intel", json!({ "action": "recall", "topic": text })),
            ("kn_intel", json!({ "action": "context", "keywords": text })),
            (
                "kn_intel",
                json!({ "action": "related", "node_id": text, "edge_type": text }),
            ),
        ] {
            bench.ok(tool, call);
        }
        assert_eq!(plain(&mut bench), before, "{text:?}");
    }
    let state = bench.state();
    let mut other = Bench::new();
    for (key, value) in &state {
        let change = crate::Change {
            key: key.clone(),
            before: None,
            after: Some(value.clone()),
        };
        other.memory.apply(&change).expect("a record can be read");
    }
    assert_eq!(other.state(), state);
}

#[test]
fn very_many_nodes_of_one_name_do_not_hide_the_others() {
    let mut bench = Bench::new();
    let rare = bench.node("rare same");
    let same =
        json!({ "action": "add", "name": "same", "type": "same", "tags": ["same"], "namespace": "other" });
    let first = id(&bench.graph(same));
    // Made without the tool, which would look for links of each.
    let mut record = bench.state()[&format!("node/{first}")].clone();
    for number in 1..20_000 {
        let id = format!("same{number}");
        record["id"] = json!(id);
        record["number"] = json!(number + 100);
        let key = format!("node/{id}");
        bench.memory.load(&key, &record.to_string()).expect("a record");
    }
    assert_eq!(bench.names(json!({ "text": "rare same" })), ["rare same"]);
    assert_eq!(
        bench.names(json!({ "namespace": "knowledge", "text": "same" })),
        ["rare same"]
    );
    let found = bench.intel(json!({ "action": "recall", "topic": "same rare", "namespace": "knowledge" }));
    assert_eq!(found["results"][0]["id"], json!(rare));
    assert_eq!(
        bench.intel(json!({ "action": "recall", "topic": "same rare" }))["results"][0]["id"],
        json!(rare)
    );
    let all = bench.graph(json!({ "action": "query", "node_type": "same" }));
    assert_eq!(all["total"], 20_000);
    let text = bench.graph(json!({ "action": "query", "text": "same" }));
    assert!(text["total_at_least"].as_u64() >= Some(1_000), "{text}");
}

#[test]
fn a_record_that_cannot_be_read_changes_nothing() {
    let mut bench = Bench::new();
    let one = bench.node("alpha");
    let before = bench.state();
    for (key, value) in [
        (format!("node/{one}"), json!({ "id": one })),
        (format!("node/{one}"), json!("text")),
        ("node/other".into(), bench.state()[&format!("node/{one}")].clone()),
        ("planet/x".into(), json!({})),
        ("edge/x".into(), json!({})),
    ] {
        let change = crate::Change {
            key,
            before: None,
            after: Some(value),
        };
        assert!(bench.memory.apply(&change).is_err(), "{change:?}");
    }
    assert_eq!(bench.state(), before);
}
