use super::*;
use crate::prolog::history;

fn event(revision: u64, operation: &'static str) -> Event {
    Event {
        revision,
        timestamp: 1_700_000_000_000 + revision * 1000,
        operation,
        filename: None,
        goal: None,
        action: None,
        of: None,
        of_operation: operation,
        by: None,
    }
}

fn import() -> Event {
    Event {
        filename: Some("/f.pl".into()),
        ..event(1, "import")
    }
}

fn undo_of_import() -> RevisionInfo {
    let event = Event {
        filename: Some("/f.pl".into()),
        of: Some(1),
        of_operation: "import",
        ..event(3, "undo")
    };
    RevisionInfo {
        event,
        added: 0,
        removed: 2,
    }
}

#[test]
fn an_undo_names_what_it_took_back_and_what_is_left() {
    let report = history::render_undo(
        &Reversal {
            steps: 1,
            revisions: vec![undo_of_import()],
            added: 0,
            removed: 2,
            undoable: 4,
            redoable: 1,
            queries_closed: 1,
            notices: vec![Notice("1 open query was closed.".into())],
        },
        BUDGET,
    );
    assert_eq!(
        report.text,
        "Undone: 1 operation, +0 -2; 4 left to undo, 1 to redo\n\
         3 2023-11-14T22:13:23Z undo of 1: import /f.pl, +0 -2\nNotice: 1 open query was closed."
    );
    assert_eq!(
        Value::Object(report.structured),
        json!({
            "type": "workspace_undo", "status": "success", "steps": 1,
            "revisions": [{ "revision": 3, "timestamp": 1_700_000_003_000u64, "operation": "undo", "of": 1,
                            "filename": "/f.pl", "added": 0, "removed": 2 }],
            "added": 0, "removed": 2, "undoable": 4, "redoable": 1, "queriesClosed": 1,
            "notices": ["1 open query was closed."],
        })
    );
}

#[test]
fn many_undone_operations_are_not_told_one_by_one() {
    let report = history::render_redo(
        &Reversal {
            steps: 5_000,
            revisions: vec![undo_of_import(); 1_000],
            added: 0,
            removed: 0,
            undoable: 0,
            redoable: 0,
            queries_closed: 0,
            notices: vec![],
        },
        BUDGET,
    );
    assert!(
        report.text.starts_with("Redone: 5000 operations,"),
        "{}",
        report.text
    );
    assert!(report.text.ends_with("… and 4980 more"), "{}", report.text);
    assert_eq!(report.text.lines().count(), 22);
}

#[test]
fn history_says_how_many_revisions_are_older() {
    let report = history::render_history(
        &History {
            revisions: vec![undo_of_import()],
            older: 2,
            revision: 3,
            undoable: 1,
            redoable: 1,
        },
        BUDGET,
    );
    assert_eq!(
        report.text,
        "3 revisions, 1 to undo, 1 to redo\n3 2023-11-14T22:13:23Z undo of 1: import /f.pl, +0 -2\n… and 2 older: continue with to: 2"
    );
    assert_eq!(report.structured["type"], "workspace_history");
    let empty = history::render_history(
        &History {
            revisions: vec![],
            older: 0,
            revision: 0,
            undoable: 0,
            redoable: 0,
        },
        BUDGET,
    );
    assert_eq!(empty.text, "0 revisions, 0 to undo, 0 to redo");
}

#[test]
fn a_diff_names_its_revisions_and_says_when_it_is_cut() {
    let diff = |text: &str, cut| {
        history::render_diff(
            &Changes {
                from: 1,
                to: 2,
                text: text.into(),
                added: 7,
                removed: 0,
                cut,
                coarse: false,
            },
            None,
            BUDGET,
        )
    };
    assert_eq!(diff("", false).text, "(no difference between revisions 1 and 2)");
    let report = diff("@@ -0,0 +1,1 @@\n+a.\n", true);
    assert_eq!(
        report.text,
        "--- revision 1\n+++ revision 2\n@@ -0,0 +1,1 @@\n+a.\n… cut; in all +7 -0 lines: compare revisions that are nearer"
    );
    assert_eq!(
        Value::Object(report.structured),
        json!({
            "type": "workspace_diff", "from": 1, "to": 2, "diff": "@@ -0,0 +1,1 @@\n+a.\n",
            "linesAdded": 7, "linesRemoved": 0, "truncated": true,
        })
    );
}

#[test]
fn provenance_tells_the_place_of_a_clause_and_how_it_went() {
    let clause = ClauseOrigin {
        clause: "p(1).".into(),
        origin: "file",
        filename: Some("/f.pl".into()),
        line: Some(4),
        added: Some(import()),
        added_until: None,
        removed: Some(event(2, "retract")),
    };
    let report = history::render_provenance(
        "p/1",
        &Origins {
            clauses: vec![clause],
            total: 2,
            known: Some(import()),
        },
        0,
        BUDGET,
    );
    assert_eq!(
        report.text,
        "p/1: 2 clauses, known since revision 1 (import /f.pl), 2023-11-14T22:13:21Z\n\
         p(1).\n  /f.pl:4, added by revision 1 (import /f.pl), 2023-11-14T22:13:21Z\n  \
         removed by revision 2 (retract), 2023-11-14T22:13:22Z\n… and 1 more: ask for a clause"
    );
    let clause = &report.structured["clauses"][0];
    assert_eq!(
        (
            &clause["line"],
            &clause["added"]["revision"],
            &clause["removed"]["operation"]
        ),
        (&json!(4), &json!(1), &json!("retract"))
    );
}

#[test]
fn provenance_says_of_what_is_no_longer_kept_that_it_is_not_known() {
    let origins = Origins {
        clauses: vec![ClauseOrigin {
            clause: "p(1).".into(),
            origin: "inline",
            filename: None,
            line: None,
            added: None,
            added_until: Some(3),
            removed: None,
        }],
        total: 1,
        known: None,
    };
    let report = history::render_provenance("p/1", &origins, 0, BUDGET);
    assert_eq!(
        report.text,
        "p/1: 1 clause\np(1).\n  inline, added by revision 3 or one before it, which are no longer kept"
    );
    assert_eq!(report.structured["clauses"][0]["added_until"], json!(3));
}

#[test]
fn provenance_tells_who_and_the_same_origin_once() {
    let clause = |text: &str| ClauseOrigin {
        clause: text.into(),
        origin: "inline",
        filename: None,
        line: None,
        added: Some(Event {
            by: Some("desk (c1)".into()),
            ..event(1, "assert")
        }),
        added_until: None,
        removed: None,
    };
    let origins = Origins {
        clauses: vec![clause("p(1)."), clause("p(2).")],
        total: 2,
        known: None,
    };
    let report = history::render_provenance("p/1", &origins, 0, BUDGET);
    assert_eq!(
        report.text,
        "p/1: 2 clauses\np(1).\n  inline, added by revision 1 (assert), 2023-11-14T22:13:21Z, by desk (c1)\n\
         p(2).\n  as above"
    );
    assert_eq!(report.structured["clauses"][1]["added"]["by"], json!("desk (c1)"));
}

#[test]
fn times_beyond_the_calendar_are_told_as_its_end() {
    let mut info = undo_of_import();
    info.event.timestamp = u64::MAX;
    let report = history::render_history(
        &History {
            revisions: vec![info],
            older: 0,
            revision: 3,
            undoable: 1,
            redoable: 1,
        },
        BUDGET,
    );
    assert!(report.text.contains("9999-12-31T23:59:59Z"), "{}", report.text);
}
