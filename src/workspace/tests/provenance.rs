use super::*;

#[test]
fn provenance_tells_where_clauses_came_from_and_went() {
    let mut desk = Desk::new();
    desk.assert(&["p(1)."]);
    desk.import("f.pl", Some("% head\n\n% about p\np(2).\n")).unwrap();
    desk.ask("assertz(p)", 1).unwrap();
    desk.retract(&["p(1)"]);
    desk.assert(&["p(1)."]);
    let found = at_once(desk.workspace.provenance("p/1")).unwrap();
    let told: Vec<_> = found
        .clauses
        .iter()
        .map(|one| {
            (
                one.clause.as_str(),
                one.origin,
                one.line,
                one.added.as_ref().map_or(0, |event| event.revision),
                one.removed.as_ref().map(|event| event.revision),
            )
        })
        .collect();
    assert_eq!(
        told,
        [
            ("p(2).", "file", Some(4), 2, None),
            ("p(1).", "inline", None, 5, None),
            ("p(1).", "inline", None, 1, Some(4)),
        ]
    );
    assert_eq!(found.known.unwrap().revision, 1);
    let made = &at_once(desk.workspace.provenance("p")).unwrap().clauses[0];
    assert_eq!(
        (made.origin, made.added.as_ref().unwrap().goal.as_deref()),
        ("run", Some("assertz(p)"))
    );
    let gone = at_once(desk.workspace.provenance("p(X)")).unwrap().clauses[2]
        .removed
        .clone();
    assert_eq!(gone.unwrap().operation, "retract");
}

#[test]
fn provenance_follows_a_clause_through_undo_and_redo() {
    let mut desk = Desk::new();
    desk.assert(&["p(1)."]);
    desk.undo(1).unwrap();
    let gone = at_once(desk.workspace.provenance("p/1")).unwrap();
    assert_eq!(gone.clauses[0].removed.as_ref().unwrap().revision, 2);
    assert_eq!(gone.known, None);
    desk.redo(1).unwrap();
    let back = at_once(desk.workspace.provenance("p/1")).unwrap();
    assert_eq!(
        (
            back.clauses[0].added.as_ref().unwrap().revision,
            &back.clauses[0].removed
        ),
        (1, &None)
    );
    assert_eq!(back.known.unwrap().revision, 3);
}

#[test]
fn provenance_of_nothing_is_a_fault_and_declarations_count() {
    let mut desk = Desk::new();
    desk.assert(&[":- dynamic(d/2)."]);
    assert_eq!(
        at_once(desk.workspace.provenance("d/2")).unwrap().clauses[0].clause,
        ":- dynamic(d/2)."
    );
    let fault = at_once(desk.workspace.provenance("nothing/1")).unwrap_err();
    assert_eq!(
        fault.message,
        "Nothing that matches nothing/1 was ever in the workspace."
    );
    assert_eq!(
        at_once(desk.workspace.provenance("a. b.")).unwrap_err().kind,
        FaultKind::DomainError
    );
}

#[test]
fn too_many_clauses_are_counted_and_not_all_told() {
    let limits = Limits {
        traces: 2,
        ..Limits::default()
    };
    let mut desk = Desk::with(Options {
        limits,
        ..Options::default()
    });
    desk.assert(&["p(1). p(2). p(3)."]);
    let found = at_once(desk.workspace.provenance("p/1")).unwrap();
    assert_eq!((found.total, found.clauses.len()), (3, 2));
}
