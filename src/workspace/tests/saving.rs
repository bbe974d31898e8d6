use super::*;
use hornbook_book::Predicate;

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

#[test]
fn clauses_of_no_file_become_one_as_one_revision() {
    let mut desk = Desk::new();
    desk.save("a.pl", "p(a).\n");
    desk.assert(&["q(1)", "q(1)"]);
    desk.assert(&["r :- q(1)"]);
    let loose = desk.workspace.loose();
    for (name, over) in [("a.pl", loose.clone()), ("b.pl", "q(1).".to_owned())] {
        let fault = desk
            .run(|workspace| async move {
                let text = "q(1).\n".to_owned();
                workspace.save_loose(name, text, &over, &Control::default()).await
            })
            .expect_err("it is refused");
        assert_eq!(fault.kind, FaultKind::Conflict, "{name}");
    }
    desk.holds(&["p(a)", "q(1)", "q(1)", "r :- q(1)"]);
    let over = loose.clone();
    desk.run(|workspace| async move {
        let text = "q(2).\nr :- q(2).\n".to_owned();
        workspace
            .save_loose("b.pl", text, &over, &Control::default())
            .await
    })
    .expect("saved");
    desk.holds(&["p(a)", "q(2)", "r :- q(2)"]);
    assert_eq!(desk.workspace.loose(), "");
    assert_eq!(
        desk.workspace.source("b.pl").as_deref(),
        Some("q(2).\nr :- q(2).\n")
    );
    desk.run(|workspace| async move { workspace.undo(1, Whose::All, None, &Control::default()).await })
        .expect("undone");
    assert_eq!(desk.workspace.loose(), loose);
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

impl Desk {
    fn reload(&mut self, name: &str, text: &str) -> ImportReport {
        let (name, text) = (name.to_owned(), Some(text.to_owned()));
        self.run(|workspace| async move { workspace.reload(&name, text, &Control::default()).await })
            .expect("reloaded")
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
fn new_contents_of_which_nothing_can_be_added_leave_the_old_ones() {
    let mut desk = Desk::new();
    desk.reload("a.pl", "p(a).\n");
    let report = desk.reload("a.pl", "bad clause.\n");
    assert_eq!((report.clauses_added, report.errors.len()), (0, 1));
    desk.holds(&["p(a)"]);
    assert_eq!(desk.revisions(), 1);
}
