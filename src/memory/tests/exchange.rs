//! Export and import.

use super::*;
use crate::exchange::{Problem, Report, import, line};

impl Bench {
    fn export(&self) -> String {
        let records: BTreeMap<String, Value> = self.memory.records().collect();
        let lines = records
            .iter()
            .map(|(key, value)| line(key, &value.to_string()) + "\n");
        lines.collect()
    }

    fn import(&mut self, text: &str) -> Report {
        let ids = &mut self.ids;
        let given = CallContext {
            now_ms: self.now_ms,
            only_reading: false,
            new_id: &mut || {
                *ids += 1;
                format!("id{ids:06}")
            },
            near: None,
        };
        let import = import(&self.memory, text, given);
        for change in &import.changes {
            self.memory
                .apply(change)
                .expect("what is imported can be applied");
        }
        self.changes = import.changes;
        import.report
    }
}

/// A memory with something of every kind, some of it removed and superseded.
fn full() -> Bench {
    let mut bench = Bench::new();
    let add = |bench: &mut Bench, name: &str| {
        let made = bench.ok(
            "kn_graph",
            json!({ "action": "add", "name": name, "type": "t", "tags": ["x"] }),
        );
        made["id"].as_str().unwrap_or_default().to_string()
    };
    let (a, b) = (add(&mut bench, "first thing"), add(&mut bench, "other"));
    bench.ok(
        "kn_graph",
        json!({ "action": "connect", "source_id": a, "target_id": b, "edge_type": "x/y \"z\"" }),
    );
    let learned = bench.ok(
        "kn_intel",
        json!({ "action": "learn", "content": "old way", "type": "decision" }),
    );
    bench.ok("kn_intel", json!({ "action": "learn", "content": "new way", "type": "decision", "supersedes": learned["node_id"] }));
    let project = bench.ok(
        "kn_project",
        json!({ "action": "create", "name": "p", "goals": ["g"] }),
    );
    bench.ok(
        "kn_project",
        json!({ "action": "list", "set_active": project["id"] }),
    );
    bench.ok(
        "kn_project",
        json!({ "action": "log", "project_id": project["id"], "action_text": "did" }),
    );
    bench.ok(
        "kn_idea",
        json!({ "action": "create", "title": "i", "score": 0.5, "link_to": a }),
    );
    bench.ok("kn_graph", json!({ "action": "remove", "node_id": b }));
    bench
}

#[test]
fn what_is_exported_comes_back_as_it_was_and_once_only() {
    let one = full();
    let text = one.export();
    let mut other = Bench::new();
    other.now_ms = one.now_ms;
    let report = other.import(&text);
    assert_eq!(
        (report.replaced, report.unchanged, &report.problems),
        (0, 0, &vec![])
    );
    assert_eq!(report.added, text.lines().count());
    // The numbers may differ; the order they define does not.
    let before = other.export();
    let again = other.import(&text);
    assert_eq!(
        (again.added, again.replaced, again.unchanged),
        (0, 0, report.added)
    );
    assert!(other.changes.is_empty());
    assert_eq!(other.export(), before);
    let mut one = one;
    for (tool, arguments) in [
        (
            "kn_graph",
            json!({ "action": "query", "detail": "full", "stale": true }),
        ),
        ("kn_graph", json!({ "action": "status" })),
        ("kn_project", json!({ "action": "list" })),
        ("kn_idea", json!({ "action": "list" })),
        ("kn_experience", json!({ "action": "search", "stale": true })),
    ] {
        assert_eq!(one.call(tool, arguments.clone()), other.call(tool, arguments));
    }
}

#[test]
fn an_import_into_a_memory_keeps_one_project_active_and_is_undone_by_its_changes() {
    let text = full().export();
    let mut bench = Bench::new();
    let own = bench.ok("kn_project", json!({ "action": "create", "name": "own" }));
    bench.ok("kn_project", json!({ "action": "list", "set_active": own["id"] }));
    // Ids as another memory would have them.
    let text = text.replace("\"id0", "\"ix0").replace("/id0", "/ix0");
    let before = bench.export();
    assert_eq!(bench.import(&text).problems, vec![]);
    let changes = bench.changes.clone();
    let active = bench.ok("kn_project", json!({ "action": "list", "active_only": true }));
    assert_eq!(active["projects"][0]["name"], "own");
    assert_eq!(active["count"], 1);
    for change in changes.iter().rev() {
        bench.memory.apply(&change.reversed()).expect("it was a change");
    }
    assert_eq!(bench.export(), before);
}

#[test]
fn what_server_memory_writes_is_read_and_read_again() {
    let text = concat!(
        "{\"type\":\"entity\",\"name\":\"Ann\",\"entityType\":\"person\",\"observations\":[\"likes tea\",\"is \\\"tall\\\"\"]}\n",
        "{\"type\":\"relation\",\"from\":\"Ann\",\"to\":\"Bob\",\"relationType\":\"knows\"}\n",
        "{\"type\":\"entity\",\"name\":\"Bob\",\"entityType\":\"person\",\"observations\":[]}\n",
        "\n",
        "{\"type\":\"relation\",\"from\":\"Ann\",\"to\":\"Cid\",\"relationType\":\"knows\"}\n",
        "{\"type\":\"entity\",\"name\":\"Dan\"}\n",
        "nonsense\n",
        "{\"a\":1,\"b\":2}\n",
    );
    let mut bench = Bench::new();
    let report = bench.import(text);
    assert_eq!((report.added, report.unchanged), (3, 0));
    let lines: Vec<usize> = report.problems.iter().map(|problem| problem.line).collect();
    assert_eq!(lines, [5, 6, 7, 8]);
    assert_eq!(report.problems[0].why, "there is no entity Cid");
    assert_eq!(report.problems[1].why, "it has no entityType");
    let found = bench.ok(
        "kn_graph",
        json!({ "action": "query", "text": "tea", "detail": "full" }),
    );
    assert_eq!(found["nodes"][0]["description"], "likes tea\nis \"tall\"");
    let related = bench.ok(
        "kn_intel",
        json!({ "action": "related", "node_id": found["nodes"][0]["id"] }),
    );
    assert_eq!(related["results"][0]["node"]["name"], "Bob");
    let again = bench.import(text);
    assert_eq!((again.added, again.replaced, again.unchanged), (0, 0, 3));
    let report = bench.import(&text.replace("likes tea", "likes coffee"));
    assert_eq!((report.added, report.replaced, report.unchanged), (0, 1, 2));
}

#[test]
fn rows_of_kairn_are_read() {
    let row = |table: &str, row: Value| json!({ "table": table, "row": row }).to_string();
    let at = "2026-01-02T03:04:05.678901+00:00";
    let text = [
        row("edges", json!({ "source_id": "aa", "target_id": "bb", "type": "uses", "weight": 0.5, "created_at": at })),
        row("nodes", json!({ "id": "aa", "namespace": "knowledge", "type": "tool", "name": "A", "tags": "[\"x\"]", "created_at": at })),
        row("nodes", json!({ "id": "bb", "type": "tool", "name": "B", "created_at": "2026-01-02 03:04:05", "deleted_at": at })),
        row("experiences", json!({ "id": "e", "type": "gotcha", "content": "c", "confidence": "low", "score": 1.0, "decay_rate": 0.1, "created_at": at })),
        row("experiences", json!({ "id": "f", "type": "preference", "content": "c", "confidence": "low", "created_at": at })),
        row("projects", json!({ "id": "p", "name": "P", "phase": "active", "active": 1, "goals": "[\"g\"]", "created_at": at })),
        row("progress", json!({ "id": "l", "project_id": "p", "type": "failure", "action": "tried", "created_at": at })),
        row("progress", json!({ "id": "m", "project_id": "q", "type": "failure", "action": "tried", "created_at": at })),
        row("ideas", json!({ "id": "i", "title": "I", "status": "draft", "score": 3, "created_at": at })),
        row("routes", json!({ "keyword": "x" })),
    ]
    .join("\n");
    let mut bench = Bench::new();
    let report = bench.import(&text);
    assert_eq!(report.added, 7, "{report:?}");
    assert_eq!(
        report.problems,
        [
            problem(5, "its type is preference, which is not a known one"),
            problem(8, "there is no project q"),
        ]
    );
    let status = bench.ok("kn_graph", json!({ "action": "status" }));
    assert_eq!(
        (&status["nodes"], &status["hidden"]["nodes"]),
        (&json!(1), &json!(1))
    );
    let nodes = bench.ok(
        "kn_graph",
        json!({ "action": "query", "tags": ["x"], "detail": "full" }),
    );
    assert_eq!(nodes["nodes"][0]["created_at"], "2026-01-02T03:04:05.678Z");
}

#[test]
fn lines_that_would_be_no_records_are_told() {
    let mut bench = full();
    let lines = [
        "{\"node\":{\"id\":\"a/b\"}}",
        "{\"edge\":{\"source_id\":\"zz\",\"target_id\":\"zz\",\"type\":\"t\",\"number\":1,\"weight\":1,\"properties\":null,\"life\":{\"created_at\":1}}}",
        "{\"ghost\":{}}",
        "[]",
        "{}",
        "{\"table\":\"nodes\"}",
    ];
    let report = bench.import(&lines.join("\n"));
    assert_eq!((report.added, report.not_taken), (0, lines.len()));
    assert!(bench.changes.is_empty());
    assert_eq!(report.problems[1].why, "there is no node zz");
}

fn problem(line: usize, why: &str) -> Problem {
    let why = why.to_owned();
    Problem { line, why }
}
