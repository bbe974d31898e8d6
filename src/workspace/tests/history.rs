use std::collections::BTreeSet;

use super::*;
use hornbook_book::Book;
use hornbook_book::text::indicators;

impl Desk {
    pub(super) fn undo(&mut self, steps: usize) -> Result<Reversal, Fault> {
        self.run(
            |workspace| async move { workspace.undo(steps, Whose::Own, None, &Control::default()).await },
        )
    }

    pub(super) fn redo(&mut self, steps: usize) -> Result<Reversal, Fault> {
        self.run(
            |workspace| async move { workspace.redo(steps, Whose::Own, None, &Control::default()).await },
        )
    }

    fn reset(&mut self) {
        self.run(|workspace| async move { workspace.reset(&Control::default()).await })
            .expect("reset");
    }

    /// `number operation +added -removed`, newest first.
    fn told(&self) -> Vec<String> {
        let tell = |info: &RevisionInfo| {
            let of = info.event.of.map_or(String::new(), |of| format!(" of {of}"));
            let (number, operation) = (info.event.revision, info.event.operation);
            format!("{number} {operation}{of} +{} -{}", info.added, info.removed)
        };
        let history = self.workspace.history(1000, None).expect("a history");
        history.revisions.iter().map(tell).collect()
    }

    /// The predicates known to the engine, and those known to the book, on their own or by a declaration.
    pub(super) fn known(&self) -> (Vec<String>, Vec<String>) {
        let book = self.workspace.0.book.borrow();
        let declarations = book.entries().filter(|(_, entry)| entry.declares());
        let declared = declarations.flat_map(|(_, entry)| indicators(entry.text()));
        let known = book.predicates().map(|(predicate, _)| predicate.clone());
        let all: BTreeSet<String> = known
            .chain(declared)
            .map(|predicate| predicate.to_string())
            .collect();
        (self.bench.host.known(), all.into_iter().collect())
    }

    #[track_caller]
    fn knows(&self, predicates: &[&str]) {
        let (engine, book) = self.known();
        assert_eq!(book, predicates, "the book");
        assert_eq!(engine, predicates, "the engine");
    }
}

#[test]
fn each_operation_is_undone_and_redone_with_its_ids_and_places() {
    let mut desk = Desk::new();
    desk.assert(&["a(1). a(2). a(3)."]);
    desk.retract(&["a(2)"]);
    desk.import("f.pl", Some("% file\na(4).\nf.\n")).unwrap();
    desk.ask("assertz(made), asserta(front)", 1).unwrap();
    desk.unimport("f.pl").unwrap();
    desk.reset();
    let texts = [
        "",
        "front\na(1).\na(3).\nmade.",
        "front.\na(1).\na(3).\n% file\na(4).\nf.\nmade.",
        "a(1).\n a(3).\n% file\na(4).\nf.\n",
        "a(1).\na(3).",
        "a(1).\na(2).\na(3).",
        "",
    ];
    let plain = |text: &str| text.replace([' ', '.'], "");
    for text in &texts[1..] {
        desk.undo(1).unwrap();
        assert_eq!(plain(&desk.snapshot()), plain(text));
        let (engine, book) = desk.both();
        assert_eq!(engine.len(), book.len());
    }
    desk.holds(&[]);
    desk.knows(&[]);
    for text in texts[..6].iter().rev() {
        desk.redo(1).unwrap();
        assert_eq!(plain(&desk.snapshot()), plain(text));
    }
    desk.undo(2).unwrap();
    desk.holds(&["front", "a(1)", "a(3)", "% file\na(4)", "f", "made"]);
    desk.knows(&["a/1", "f/0", "front/0", "made/0"]);
}

#[test]
fn several_steps_are_one_call_and_more_steps_than_there_are_is_all_of_them() {
    let mut desk = Desk::new();
    desk.assert(&["a."]);
    desk.assert(&["b."]);
    desk.assert(&["c."]);
    let undone = desk.undo(2).unwrap();
    assert_eq!((undone.added, undone.removed), (0, 2));
    assert_eq!((undone.undoable, undone.redoable), (1, 2));
    assert_eq!(desk.bench.host.count("undeclare("), 1);
    desk.holds(&["a"]);
    let redone = desk.redo(9).unwrap();
    assert_eq!((redone.added, redone.removed, redone.redoable), (2, 0, 0));
    desk.holds(&["a", "b", "c"]);
    assert_eq!(desk.undo(100).unwrap().revisions.len(), 3);
    desk.holds(&[]);
    desk.knows(&[]);
}

#[test]
fn nothing_to_undo_or_redo_is_a_fault_of_its_own() {
    let mut desk = Desk::new();
    let fault = desk.undo(1).unwrap_err();
    assert_eq!(
        (fault.kind, fault.message.as_str()),
        (FaultKind::NothingToUndo, "There is nothing to undo.")
    );
    desk.assert(&["a."]);
    assert_eq!(desk.redo(1).unwrap_err().kind, FaultKind::NothingToRedo);
    desk.undo(1).unwrap();
    desk.assert(&["b."]);
    let fault = desk.redo(1).unwrap_err();
    assert_eq!(
        fault.kind,
        FaultKind::NothingToRedo,
        "another operation changed the book"
    );
    desk.holds(&["b"]);
}

#[test]
fn an_operation_that_changes_nothing_leaves_what_can_be_redone() {
    let mut desk = Desk::new();
    desk.assert(&["a(1)."]);
    desk.undo(1).unwrap();
    desk.retract(&["a(1)"]);
    desk.ask("a(X)", 1).unwrap();
    desk.redo(1).unwrap();
    desk.holds(&["a(1)"]);
}

#[test]
fn open_queries_live_on_through_undo_and_redo() {
    let mut desk = Desk::new();
    desk.assert(&["p(1). p(2). p(3)."]);
    desk.open("p(X)", "q").unwrap();
    desk.assert(&["r."]);
    desk.retract(&["p(2)"]);
    let undone = desk.undo(2).unwrap();
    assert_eq!((undone.queries_closed, undone.notices), (0, vec![]));
    desk.redo(1).unwrap();
    assert_eq!(texts(&desk.next(Some("q"), Some(1)).unwrap()), ["p(1)."]);
    desk.holds(&["p(1)", "p(2)", "p(3)", "r"]);
    assert_eq!(desk.bench.host.spawned.get(), 1);
}

#[test]
fn where_directives_come_or_go_the_engine_is_new_and_the_reply_says_what_that_closed() {
    let mut desk = Desk::new();
    desk.assert(&["p(1)."]);
    desk.import("f.pl", Some(":- dynamic(d/1).\nf.\n")).unwrap();
    desk.open("p(X)", "one").unwrap();
    desk.open("p(X)", "two").unwrap();
    let undone = desk.undo(1).unwrap();
    assert_eq!(undone.queries_closed, 2);
    let told = "The engine was rebuilt for this: 2 open queries were closed.";
    assert_eq!(undone.notices, [Notice(told.to_owned())]);
    assert_eq!(
        desk.next(Some("one"), None).unwrap_err().kind,
        FaultKind::QueryStopped
    );
    desk.holds(&["p(1)"]);
    desk.knows(&["p/1"]);
    assert_eq!(desk.redo(1).unwrap().notices, [], "no query was open");
    desk.bench.settle();
    desk.holds(&["p(1)", "f"]);
}

#[test]
fn clauses_that_need_the_operators_of_their_file_come_back_with_all_of_it() {
    let mut desk = Desk::new();
    desk.import("f.pl", Some(":- op(700, xfx, =>).\na. b.\n"))
        .unwrap();
    desk.retract(&["b"]);
    desk.undo(1).unwrap();
    desk.bench.settle();
    desk.holds(&["a", "b"]);
    assert!(desk.bench.host.spawned.get() > 1, "the engine is new");
}

#[test]
fn what_a_directive_declares_stays_known_when_its_clauses_are_undone() {
    let mut desk = Desk::new();
    desk.assert(&[":- dynamic(count/1)."]);
    desk.assert(&["count(0)."]);
    desk.undo(1).unwrap();
    assert_eq!(desk.bench.host.count("undeclare("), 0);
    assert!(at_once(desk.workspace.symbols())[0].dynamic);
}

#[test]
fn a_name_that_the_engine_cannot_forget_costs_the_engine_only() {
    let mut desk = Desk::new();
    desk.assert(&["p(1)."]);
    desk.assert(&["tabled."]);
    desk.open("p(X)", "q").unwrap();
    assert_eq!(desk.undo(1).unwrap().queries_closed, 1);
    desk.bench.settle();
    desk.holds(&["p(1)"]);
    desk.knows(&["p/1"]);
}

#[test]
fn undo_needs_no_engine() {
    let mut desk = Desk::new();
    desk.assert(&["a."]);
    desk.assert(&["b."]);
    desk.bench.host.script.fail_spawning.set(100);
    desk.ask("die", 1).unwrap_err();
    desk.bench.settle();
    assert_eq!(desk.undo(1).unwrap().removed, 1);
    desk.bench.host.script.fail_spawning.set(0);
    desk.ask("zzz", 1).unwrap();
    desk.holds(&["a"]);
}

#[test]
fn listeners_hear_of_an_undo_once() {
    let mut desk = Desk::new();
    desk.assert(&["a."]);
    desk.assert(&["b."]);
    let heard = listen(&desk.workspace);
    desk.undo(2).unwrap();
    let changed = Changed {
        clauses: true,
        symbols: true,
        cells: false,
    };
    assert_eq!(*heard.borrow(), [changed]);
}

#[test]
fn history_tells_the_newest_first_with_files_goals_and_counts() {
    let mut desk = Desk::new();
    desk.assert(&["a. b."]);
    desk.import("f.pl", Some(":- initialization('assertz(made)').\nc."))
        .unwrap();
    desk.ask("retract(a), assertz(x)", 1).unwrap();
    desk.undo(3).unwrap();
    desk.redo(1).unwrap();
    assert_eq!(
        desk.told(),
        [
            "8 redo of 2 +2 -0",
            "7 undo of 2 +0 -2",
            "6 undo of 3 +0 -1",
            "5 undo of 4 +1 -1",
            "4 query +1 -1",
            "3 initialization +1 -0",
            "2 import +2 -0",
            "1 assert +2 -0",
        ]
    );
    let history = desk.workspace.history(2, Some(4)).unwrap();
    assert_eq!((history.revision, history.undoable, history.redoable), (8, 2, 2));
    assert_eq!(history.older, 2);
    let goals: Vec<_> = history
        .revisions
        .iter()
        .map(|info| info.event.goal.as_deref().unwrap())
        .collect();
    assert_eq!(goals, ["retract(a), assertz(x)", "assertz(made)"]);
    let redo = &desk.workspace.history(1, None).unwrap().revisions[0].event;
    assert_eq!(
        (redo.filename.as_deref(), redo.of_operation),
        (Some("f.pl"), "import")
    );
    let fault = desk.workspace.history(1, Some(9)).unwrap_err();
    assert_eq!(fault.kind, FaultKind::NoSuchRevision);
    assert_eq!(fault.message, "There is no revision 9: the last one is 8.");
    assert_eq!(
        desk.workspace.history(0, None).unwrap_err().kind,
        FaultKind::LimitReached
    );
}

#[test]
fn diff_compares_the_texts_of_two_revisions() {
    let mut desk = Desk::new();
    assert_eq!(at_once(desk.workspace.diff(None, None)).unwrap().text, "");
    desk.assert(&["a.", "b."]);
    desk.import("f.pl", Some("% file\nc.\n")).unwrap();
    desk.retract(&["a"]);
    let diff = |from, to| at_once(desk.workspace.diff(from, to)).map(|found| found.text);
    assert_eq!(
        diff(None, None).unwrap(),
        "@@ -1,4 +1,3 @@\n-a.\n b.\n % file\n c.\n"
    );
    assert_eq!(
        diff(Some(1), None).unwrap(),
        "@@ -1,2 +1,3 @@\n-a.\n b.\n+% file\n+c.\n"
    );
    assert_eq!(diff(None, Some(1)).unwrap(), "@@ -0,0 +1,2 @@\n+a.\n+b.\n");
    assert_eq!(
        diff(Some(2), Some(1)).unwrap(),
        "@@ -1,4 +1,2 @@\n a.\n b.\n-% file\n-c.\n"
    );
    assert_eq!(diff(Some(3), Some(3)).unwrap(), "");
    assert_eq!(diff(Some(4), None).unwrap_err().kind, FaultKind::NoSuchRevision);
}

#[test]
fn a_long_diff_ends_at_a_line_and_says_so() {
    let limits = Limits {
        diff_bytes: 30,
        ..Limits::default()
    };
    let mut desk = Desk::with(Options {
        limits,
        ..Options::default()
    });
    desk.assert(&["aaaaaa. bbbbbb. cccccc. dddddd."]);
    let found = at_once(desk.workspace.diff(None, None)).unwrap();
    assert_eq!(found.text, "@@ -0,0 +1,4 @@\n+aaaaaa.\n");
    assert_eq!((found.cut, found.added), (true, 4));
}

#[test]
fn what_was_known_before_is_not_of_running_code_s_making() {
    let mut desk = Desk::new();
    desk.assert(&["a."]);
    desk.ask("assertz(a), assertz(b)", 1).unwrap();
    let dynamic: Vec<bool> = at_once(desk.workspace.symbols())
        .iter()
        .map(|symbol| symbol.dynamic)
        .collect();
    assert_eq!(dynamic, [false, true]);
    desk.reset();
    desk.undo(1).unwrap();
    let again: Vec<bool> = at_once(desk.workspace.symbols())
        .iter()
        .map(|symbol| symbol.dynamic)
        .collect();
    assert_eq!(again, dynamic);
}

#[test]
fn the_book_of_each_revision_is_its_journal_replayed() {
    let mut desk = Desk::new();
    desk.assert(&["a. b."]);
    desk.retract(&["a"]);
    desk.undo(2).unwrap();
    desk.redo(1).unwrap();
    let book = desk.workspace.0.book.borrow();
    for number in 0..=book.revision() {
        let then = Book::replay(book.journal()[..number as usize].to_vec());
        assert_eq!(book.snapshot_at(number), Some(then.snapshot()), "{number}");
    }
    assert_eq!(Book::replay(book.journal().to_vec()), *book);
}

impl Desk {
    fn savepoint(&mut self, name: &'static str) -> Result<Savepoint, Fault> {
        self.run(move |workspace| async move { workspace.savepoint(name, &Control::default()).await })
    }

    fn undo_to(&mut self, name: &'static str) -> Result<Reversal, Fault> {
        self.run(move |workspace| async move {
            workspace
                .undo_to(name, Whose::Own, None, &Control::default())
                .await
        })
    }

    /// A record of a workflow run, which changes no clauses.
    fn note(&mut self, action: &'static str, key: &'static str, value: &'static str) {
        let edit = CellEdit {
            action: action.to_owned(),
            cells: vec![(key.to_owned(), Some(value.to_owned()))],
        };
        self.run(move |workspace| async move {
            let plan = || (edit.clone(), ());
            workspace.edit_cells("workflow", &Control::default(), plan).await
        })
        .expect("a record");
    }
}

#[test]
fn an_undo_goes_back_to_a_savepoint_and_a_redo_forward_again() {
    let mut desk = Desk::new();
    desk.assert(&["a(1)."]);
    let made = desk.savepoint("before").unwrap();
    assert_eq!((made.revision, made.moved_from), (2, None));
    desk.assert(&["a(2)."]);
    desk.assert(&["a(3)."]);
    let undone = desk.undo_to("before").unwrap();
    assert_eq!((undone.steps, undone.removed), (2, 2));
    desk.holds(&["a(1)"]);
    desk.redo(2).unwrap();
    desk.holds(&["a(1)", "a(2)", "a(3)"]);
}

#[test]
fn what_was_done_before_a_savepoint_stays_before_it_however_often_it_is_undone_and_redone() {
    let mut desk = Desk::new();
    desk.assert(&["a(1)."]);
    desk.savepoint("s").unwrap();
    desk.assert(&["a(2)."]);
    assert_eq!(desk.undo(2).unwrap().steps, 2);
    desk.redo(2).unwrap();
    assert_eq!(desk.undo_to("s").unwrap().steps, 1);
    desk.holds(&["a(1)"]);
    // What is redone after a savepoint was not there when it was made.
    desk.undo(1).unwrap();
    desk.savepoint("empty").unwrap();
    desk.redo(1).unwrap();
    desk.holds(&["a(1)"]);
    desk.undo_to("empty").unwrap();
    desk.holds(&[]);
}

#[test]
fn a_savepoint_is_no_step_and_leaves_what_can_be_redone() {
    let mut desk = Desk::new();
    desk.assert(&["a(1)."]);
    desk.assert(&["a(2)."]);
    desk.undo(1).unwrap();
    desk.savepoint("s").unwrap();
    let history = desk.workspace.history(1, None).unwrap();
    assert_eq!((history.undoable, history.redoable), (1, 1));
    assert_eq!(desk.redo(1).unwrap().added, 1);
    assert_eq!(desk.undo(2).unwrap().steps, 2);
    let nothing = desk.undo_to("s").unwrap_err();
    assert_eq!(
        nothing.message,
        "There is nothing to undo since the savepoint 's'."
    );
    assert_eq!(
        nothing.next,
        "1 operation that the savepoint has is undone: only `redo` brings back what was undone."
    );
}

#[test]
fn a_savepoint_of_the_same_name_moves_and_an_unknown_name_is_told_the_others() {
    let mut desk = Desk::new();
    desk.savepoint("here").unwrap();
    desk.assert(&["a(1)."]);
    let moved = desk.savepoint("here").unwrap();
    assert_eq!((moved.revision, moved.moved_from), (3, Some(1)));
    desk.assert(&["a(2)."]);
    let unknown = desk.undo_to("there").unwrap_err();
    assert_eq!(unknown.next, "There are: here.");
    desk.undo_to("here").unwrap();
    desk.holds(&["a(1)"]);
}

#[test]
fn the_name_of_a_savepoint_is_one_line_that_shows_what_it_is() {
    let mut desk = Desk::new();
    for name in [" ", "a\nb", "a\u{202e}b", "a\u{2028}b"] {
        let fault = desk.savepoint(name).unwrap_err();
        assert_eq!(fault.kind, FaultKind::InvalidArgument, "{name:?}");
    }
    desk.savepoint("vor dem Import – 中").unwrap();
}

#[test]
fn that_a_run_has_its_answer_is_a_step_of_its_own_after_something_else() {
    let mut desk = Desk::new();
    desk.note("run r: begins", "run/r", "1");
    desk.note("run r: waits", "run/r", "2");
    desk.assert(&["a(1)."]);
    desk.note("run r: is resumed", "run/r", "3");
    desk.note("run r: ends", "run/r", "4");
    let undone = desk.undo(1).unwrap();
    assert_eq!((undone.steps, undone.removed, undone.undoable), (1, 0, 2));
    desk.holds(&["a(1)"]);
    assert_eq!(desk.undo(1).unwrap().removed, 1);
    let redone = desk.redo(1).unwrap();
    assert_eq!((redone.steps, redone.added, redone.redoable), (1, 1, 1));
    assert_eq!(desk.workspace.cells("workflow")[0].1, "2");
    assert_eq!(desk.redo(1).unwrap().redoable, 0);
    assert_eq!(desk.workspace.cells("workflow")[0].1, "4");
}

#[test]
fn records_of_a_run_that_nobody_sees_are_no_step_although_something_was_done_between() {
    let mut desk = Desk::new();
    desk.note("run r: begins", "run/r", "1");
    desk.assert(&["a(1)."]);
    desk.note("run r: ends", "run/r", "2");
    let undone = desk.undo(1).unwrap();
    assert_eq!((undone.steps, undone.removed, undone.undoable), (1, 1, 1));
    desk.holds(&[]);
    let redone = desk.redo(1).unwrap();
    assert_eq!((redone.steps, redone.added, redone.redoable), (1, 1, 0));
    desk.holds(&["a(1)"]);
    desk.undo(2).unwrap();
    assert!(desk.workspace.cells("workflow").is_empty());
}
