use super::*;
use hornbook_book::{Entry, EntryId, Piece, Predicate};

impl Desk {
    fn save(&mut self, name: &str, text: &str) -> ImportReport {
        let (name, text) = (name.to_owned(), text.to_owned());
        self.run(|workspace| async move { workspace.save(&name, text, None, &Control::default()).await })
            .expect("saved")
    }

    fn is_known(&self, name: &str, arity: u32) -> bool {
        let predicate = Predicate {
            name: name.to_owned(),
            arity,
        };
        let book = self.workspace.0.book.borrow();
        book.predicates().any(|(known, _)| *known == predicate)
    }
}

#[test]
fn a_saved_file_takes_the_place_of_the_old_one_in_one_revision() {
    let mut desk = Desk::new();
    desk.save("a.pl", "p(a).\np(b).\n");
    desk.assert(&["other"]);
    let report = desk.save("a.pl", "p(b).\np(c).\n");
    assert_eq!((report.clauses_added, report.errors.len()), (2, 0));
    desk.holds(&["other", "p(b)", "p(c)"]);
    let history = desk.workspace.history(10, None).unwrap();
    assert_eq!(history.revisions.len(), 3);
    assert_eq!((history.revisions[0].added, history.revisions[0].removed), (2, 2));
}

#[test]
fn a_save_over_another_text_than_is_there_changes_nothing() {
    let mut desk = Desk::new();
    desk.save("a.pl", "p(a).\n");
    for (name, over) in [("a.pl", ""), ("a.pl", "p(b).\n"), ("new.pl", "p(a).\n")] {
        let fault = desk
            .run(|workspace| async move {
                let text = "p(c).\n".to_owned();
                workspace.save(name, text, Some(over), &Control::default()).await
            })
            .expect_err("it was changed");
        assert_eq!(fault.kind, FaultKind::Conflict, "{name} over {over:?}");
    }
    desk.holds(&["p(a)"]);
    for (name, over) in [("a.pl", "p(a).\n"), ("new.pl", "")] {
        desk.run(|workspace| async move {
            let text = "p(c).\n".to_owned();
            workspace.save(name, text, Some(over), &Control::default()).await
        })
        .expect("saved");
    }
    desk.holds(&["p(c)", "p(c)"]);
}

impl Desk {
    fn save_loose(&mut self, name: &str, over: &str) -> Result<ImportReport, Fault> {
        let (name, over) = (name.to_owned(), over.to_owned());
        self.run(|workspace| async move { workspace.save_loose(&name, &over, &Control::default()).await })
    }
}

#[test]
fn clauses_of_no_file_become_one_as_one_revision_and_one_undo() {
    let mut desk = Desk::new();
    desk.save("a.pl", "p(a).\n");
    desk.assert(&["% The first.\nq(1).", "q(1)"]);
    desk.assert(&["r :- q(1)"]);
    let loose = desk.workspace.loose();
    for (name, over) in [("a.pl", &*loose), ("b.pl", "q(1).")] {
        let fault = desk.save_loose(name, over).expect_err("it is refused");
        assert_eq!(fault.kind, FaultKind::Conflict, "{name}");
    }
    desk.holds(&["p(a)", "% The first.\nq(1)", "q(1)", "r :- q(1)"]);
    let before = desk.revisions();
    desk.save_loose("b.pl", &loose).expect("saved");
    desk.holds(&["p(a)", "% The first.\nq(1)", "q(1)", "r :- q(1)"]);
    assert_eq!(desk.revisions(), before + 1);
    assert_eq!(desk.workspace.loose(), "");
    assert_eq!(desk.workspace.source("b.pl"), Some(format!("{loose}\n")));
    desk.run(|workspace| async move { workspace.undo(1, Whose::All, None, &Control::default()).await })
        .expect("undone");
    assert_eq!(desk.workspace.loose(), loose);
    assert_eq!(desk.workspace.source("b.pl"), None);
}

#[test]
fn clauses_that_could_mean_something_else_as_a_file_stay() {
    for (texts, why) in [
        (
            &["q(1)", ":- dynamic r/1"][..],
            "`:- dynamic r/1.` is a directive, which would run again,",
        ),
        (
            &["q(1)", "p(b)"],
            "a.pl has clauses of p/1, too, and their order could become another.",
        ),
    ] {
        let mut desk = Desk::new();
        desk.save("a.pl", "p(a).\n");
        desk.assert(texts);
        let (loose, before) = (desk.workspace.loose(), desk.revisions());
        let fault = desk.save_loose("b.pl", &loose).expect_err("it is refused");
        assert!(
            fault.message.starts_with(&format!("b.pl was not made: {why}")),
            "{}",
            fault.message
        );
        assert_eq!((desk.revisions(), desk.workspace.loose()), (before, loose));
        assert_eq!(desk.workspace.source("b.pl"), None);
    }
}

#[test]
fn a_clause_that_reads_differently_in_the_file_is_found() {
    let mut desk = Desk::new();
    desk.assert(&["q(1)", "q(2)"]);
    let workspace = &desk.workspace.0;
    let book = workspace.book.borrow();
    let clauses: Vec<(EntryId, Entry)> = loose::loose(&book)
        .map(|(id, entry)| (id, entry.clone()))
        .collect();
    for (text, changed) in [
        ("q(1).% same\nq(2).", None),
        ("q(1).\nq(3).", Some("q(2).")),
        ("q(1).", Some("q(2).")),
        ("q(1).\nq(2).\nq(3).", Some("q(3).")),
    ] {
        let mut end = 0;
        let pieces: Vec<Piece> = (text.split_inclusive("."))
            .map(|code| {
                let (id, entry) = &clauses[0];
                let start = end;
                end += code.len();
                Piece {
                    id: *id,
                    place: None,
                    start,
                    end,
                    kind: entry.kind(),
                    predicate: entry.predicate().clone(),
                    restore: None,
                }
            })
            .collect();
        let found = at_once(workspace.first_changed(&clauses, &pieces, text));
        assert_eq!(found, changed, "{text}");
    }
}

#[test]
fn undo_gives_back_what_a_save_has_replaced() {
    let mut desk = Desk::new();
    desk.save("a.pl", "p(a).\nq(a).\n");
    desk.save("a.pl", "p(b).\n");
    desk.run(|workspace| async move { workspace.undo(1, Whose::Own, None, &Control::default()).await })
        .unwrap();
    desk.holds(&["p(a)", "q(a)"]);
    assert_eq!(desk.workspace.source("a.pl").as_deref(), Some("p(a).\nq(a).\n"));
}

#[test]
fn predicates_of_which_nothing_remains_are_forgotten() {
    let mut desk = Desk::new();
    desk.save("a.pl", "misspelt(a).\nkept(a).\nalso(a).\n");
    desk.assert(&["kept(b)"]);
    desk.save("a.pl", "spelt(a).\nalso(b).\n");
    assert!(!desk.is_known("misspelt", 1));
    assert!(desk.is_known("kept", 1) && desk.is_known("also", 1) && desk.is_known("spelt", 1));
    desk.holds(&["kept(b)", "spelt(a)", "also(b)"]);
}

#[test]
fn a_file_without_clauses_goes_out_of_the_book() {
    let mut desk = Desk::new();
    desk.save("a.pl", "p(a).\n");
    desk.save("a.pl", "% nothing yet\n");
    desk.holds(&[]);
    assert_eq!(desk.workspace.source("a.pl"), None);
}

#[test]
fn a_declaration_that_goes_is_forgotten_by_a_new_engine() {
    let mut desk = Desk::new();
    desk.save("a.pl", ":- dynamic p/1.\nq(a).\n");
    desk.save("a.pl", "q(a).\n");
    desk.bench.settle();
    desk.holds(&["q(a)"]);
}

#[test]
fn the_text_of_a_file_is_what_was_written_without_what_was_taken_out() {
    let mut desk = Desk::new();
    let text = "% The first.\np(a).\n\np(b).\nbad(.\n% end\n";
    desk.save("a.pl", text);
    assert_eq!(desk.workspace.source("a.pl").as_deref(), Some(text));
    assert_eq!(statuses(&desk.retract(&["p(b)"])), ["p(b) ok"]);
    let left = desk.workspace.source("a.pl").unwrap();
    assert!(left.contains("bad(.") && !left.contains("p(b)"), "{left}");
}

#[test]
fn clauses_that_are_in_no_file_are_told_apart() {
    let mut desk = Desk::new();
    desk.save("a.pl", "p(a).\n");
    desk.assert(&["q(a)", "q(b)"]);
    assert_eq!(desk.workspace.loose(), "q(a).\nq(b).");
}

fn told_of(report: &ImportReport) -> Vec<&str> {
    report.notices.iter().map(|Notice(told)| &**told).collect()
}

impl Desk {
    fn reload(&mut self, name: &str, text: &str) -> ImportReport {
        let (name, text) = (name.to_owned(), Some(text.to_owned()));
        self.run(|workspace| async move { workspace.reload(&name, text, &Control::default()).await })
            .expect("reloaded")
    }

    /// Load a file again, without what was retracted since.
    fn bring(&mut self, name: &str, text: &str) -> ImportReport {
        let (name, text) = (name.to_owned(), Some(text.to_owned()));
        let options = ImportOptions {
            keeps_retracted: true,
            ..ImportOptions::default()
        };
        self.run(|workspace| async move {
            workspace
                .reload_as(&name, text, &options, &Control::default())
                .await
        })
        .expect("reloaded")
    }

    fn replace(&mut self, old: &str, new: &str) {
        let (old, new) = (old.to_owned(), [new.to_owned()]);
        self.run(|workspace| async move { workspace.replace_clause(&old, &new, &Control::default()).await })
            .expect("replaced");
    }

    fn revisions(&self) -> u64 {
        self.workspace.history(1, None).unwrap().revision
    }
}

#[test]
fn a_file_that_is_loaded_again_is_replaced_in_one_revision_and_tells_what_changed() {
    let mut desk = Desk::new();
    let report = desk.reload("a.pl", "p(a).\np(b).\n");
    assert_eq!((report.clauses_added, report.replaced), (2, None));
    let report = desk.reload("a.pl", "p(b).\np(c).\np(d).\n");
    let replaced = Replaced { kept: 1, removed: 1 };
    assert_eq!((report.clauses_added, report.replaced), (3, Some(replaced)));
    desk.holds(&["p(b)", "p(c)", "p(d)"]);
    assert_eq!(desk.revisions(), 2);
}

#[test]
fn a_file_that_is_loaded_again_unchanged_changes_nothing() {
    let mut desk = Desk::new();
    desk.reload("a.pl", "p(a).\np(b).\n");
    let report = desk.reload("a.pl", "p(a).\np(b).\n");
    let replaced = Replaced { kept: 2, removed: 0 };
    assert_eq!((report.clauses_added, report.replaced), (2, Some(replaced)));
    assert_eq!(desk.revisions(), 1);
    desk.retract(&["p(a)"]);
    desk.reload("a.pl", "p(a).\np(b).\n");
    desk.holds(&["p(a)", "p(b)"]);
}

#[test]
fn what_was_retracted_stays_so_where_a_file_brings_it_again() {
    let mut desk = Desk::new();
    desk.bring("a.pl", "p(a).\np(b).\n");
    desk.retract(&["p(a)"]);
    let report = desk.bring("a.pl", "p(a).\np(b).\n");
    assert_eq!((report.retracted, desk.revisions()), (1, 2));
    desk.holds(&["p(b)"]);
    let report = desk.bring("a.pl", "p(a).\np(b).\np(c).\n");
    let replaced = Replaced { kept: 1, removed: 0 };
    assert_eq!(
        (report.retracted, report.clauses_added, report.replaced),
        (1, 2, Some(replaced))
    );
    desk.holds(&["p(b)", "p(c)"]);
    let report = desk.bring("a.pl", "p(a).\np(b).\np(c).\n");
    assert_eq!((report.retracted, desk.revisions()), (1, 3));
    let report = desk.bring("a.pl", "p(a2).\np(b).\np(c).\n");
    assert_eq!((report.retracted, report.clauses_added), (0, 3));
    desk.holds(&["p(a2)", "p(b)", "p(c)"]);
}

#[test]
fn of_equal_clauses_only_those_that_were_retracted_stay_so() {
    let mut desk = Desk::new();
    desk.bring("a.pl", "p(a).\np(a).\np(b).\n");
    desk.retract(&["p(a)"]);
    let report = desk.bring("a.pl", "p(a).\np(a).\np(b).\np(c).\n");
    assert_eq!(report.retracted, 1);
    desk.holds(&["p(a)", "p(b)", "p(c)"]);
}

#[test]
fn what_was_retracted_stays_so_after_another_clause_was_replaced() {
    let mut desk = Desk::new();
    let text = "p(a).\np(b).\np(c).\n";
    desk.bring("a.pl", text);
    desk.retract(&["p(a)"]);
    desk.replace("p(b)", "p(b2)");
    assert_eq!(
        desk.workspace.source("a.pl").as_deref(),
        Some("\np(b2).\np(c).\n")
    );
    let report = desk.bring("a.pl", text);
    assert_eq!(report.retracted, 1);
    desk.holds(&["p(b)", "p(c)"]);
}

#[test]
fn a_file_that_is_loaded_again_as_it_stands_tells_what_is_back() {
    let mut desk = Desk::new();
    desk.reload("a.pl", "p(a).\np(b).\n");
    desk.retract(&["p(a)"]);
    let report = desk.reload("a.pl", "p(a).\np(b).\n");
    desk.holds(&["p(a)", "p(b)"]);
    assert_eq!(
        told_of(&report),
        ["Back in the book, though retracted since the file was imported: 1 clause."]
    );
}

#[test]
fn a_file_that_is_loaded_again_tells_what_was_replaced() {
    let told = "Back in the book, though replaced since the file was imported: 1 clause. What took the place of a clause \
                is gone if the file lacks it.";
    for load in [Desk::reload, Desk::bring] {
        let mut desk = Desk::new();
        let text = "p(a).\np(b).\np(c).\n";
        load(&mut desk, "a.pl", text);
        desk.replace("p(b)", "p(b2)");
        let report = load(&mut desk, "a.pl", text);
        desk.holds(&["p(a)", "p(b)", "p(c)"]);
        assert_eq!(told_of(&report), [told]);
        let report = load(&mut desk, "a.pl", "p(a).\np(b).\np(d).\n");
        assert_eq!(told_of(&report), [""; 0], "it is told once");
    }
}

#[test]
fn what_was_replaced_is_counted_with_what_was_retracted() {
    let mut desk = Desk::new();
    let text = "p(a).\np(b).\np(c).\np(d).\n";
    desk.reload("a.pl", text);
    desk.replace("p(b)", "p(b2)");
    desk.retract(&["p(c)"]);
    // What had replaced a clause is not of the file, and one that is there again is not back.
    desk.replace("p(b2)", "p(b3)");
    desk.replace("p(a)", "p(a2)");
    desk.replace("p(a2)", "p(a)");
    let report = desk.reload("a.pl", text);
    desk.holds(&["p(a)", "p(b)", "p(c)", "p(d)"]);
    assert_eq!(
        told_of(&report),
        [
            "Back in the book, though retracted or replaced since the file was imported: 2 clauses. What took the place of a \
             clause is gone if the file lacks it."
        ]
    );
}

#[test]
fn what_was_replaced_is_known_after_the_book_was_closed() {
    let store = Rc::new(MemoryStore::default());
    let text = "p(a).\np(b).\n";
    let mut desk = Desk::keeping(&store, Options::default());
    desk.reload("a.pl", text);
    desk.replace("p(b)", "p(b2). p(b3)");
    let copy = Rc::new(MemoryStore::holding(&store.bytes.borrow()));
    let mut desk = Desk::keeping(&copy, Options::default());
    let report = desk.reload("a.pl", text);
    desk.holds(&["p(a)", "p(b)"]);
    assert!(
        told_of(&report)[0]
            .starts_with("Back in the book, though replaced since the file was imported: 1 clause.")
    );
}

#[test]
fn a_file_of_which_all_was_replaced_and_retracted_tells_what_is_back() {
    let mut desk = Desk::new();
    desk.reload("a.pl", "p(a).\n");
    desk.replace("p(a)", "p(b)");
    desk.retract(&["p(b)"]);
    let report = desk.reload("a.pl", "p(a).\n");
    desk.holds(&["p(a)"]);
    assert!(
        told_of(&report)[0]
            .starts_with("Back in the book, though replaced since the file was imported: 1 clause.")
    );
}

#[test]
fn new_contents_of_which_nothing_can_be_added_leave_the_old_ones() {
    let mut desk = Desk::new();
    desk.reload("a.pl", "p(a).\n");
    let report = desk.reload("a.pl", "bad clause.\n");
    assert_eq!((report.clauses_added, report.errors.len()), (0, 1));
    desk.holds(&["p(a)"]);
    assert_eq!(desk.revisions(), 1);
}

#[test]
fn what_another_file_declares_stays_known_when_a_reload_takes_its_clauses_out() {
    for declaration in [":- dynamic p/1.\n", ":- dynamic(p/1), q/1.\n"] {
        let mut desk = Desk::new();
        desk.import("main.pl", Some(&format!("{declaration}r(1).\n")))
            .unwrap();
        desk.import("o.pl", Some("p(1).\nz(0).\n")).unwrap();
        let spawned = desk.bench.host.spawned.get();
        desk.reload("o.pl", "z(1).\n");
        assert!(desk.known().0.contains(&"p/1".to_owned()), "{declaration}");
        desk.holds(&["r(1)", "z(1)"]);
        assert_eq!(desk.bench.host.spawned.get(), spawned, "the engine follows");
        desk.reload("main.pl", "r(1).\n");
        desk.bench.settle();
        desk.knows(&["r/1", "z/1"]);
    }
}

#[test]
fn what_an_included_file_has_just_declared_stays_known_when_the_clauses_go() {
    let mut desk = Desk::with(Options {
        roots: owned(&["/data"]),
        ..Options::default()
    });
    desk.bench.files.put("/data/main.pl", "q(1).\nt(1).\n");
    desk.import("main.pl", None).unwrap();
    desk.bench.files.put("/data/main.pl", ":- include(d).\nt(1).\n");
    desk.bench.files.put("/data/d.pl", ":- dynamic q/1.\nz(1).\n");
    desk.run(|workspace| async move { workspace.reload("main.pl", None, &Control::default()).await })
        .expect("reloaded");
    desk.holds(&["z(1)", "t(1)"]);
    desk.knows(&["q/1", "t/1", "z/1"]);
}

#[test]
fn what_a_file_that_includes_another_declares_stays_known_when_that_has_no_clauses_of_it() {
    let mut desk = Desk::with(Options {
        roots: owned(&["/data"]),
        ..Options::default()
    });
    desk.bench
        .files
        .put("/data/main.pl", ":- dynamic p/1.\n:- include(o).\nt(1).\n");
    desk.bench.files.put("/data/o.pl", "p(1).\nz(1).\n");
    desk.import("main.pl", None).unwrap();
    desk.bench.files.put("/data/o.pl", "z(1).\n");
    desk.run(|workspace| async move { workspace.reload("o.pl", None, &Control::default()).await })
        .expect("reloaded");
    desk.holds(&["z(1)", "t(1)"]);
    desk.knows(&["p/1", "t/1", "z/1"]);
}

#[test]
fn what_a_reload_no_longer_declares_is_forgotten_though_its_clauses_were_retracted() {
    let mut desk = Desk::new();
    desk.import("a.pl", Some(":- dynamic p/1.\np(1).\nq(1).\n"))
        .unwrap();
    desk.retract(&["p(1)"]);
    desk.reload("a.pl", "q(1).\n");
    desk.bench.settle();
    desk.knows(&["q/1"]);
}
