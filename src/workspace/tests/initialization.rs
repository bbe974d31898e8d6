use super::*;

#[test]
fn an_initialization_that_changed_the_book_is_a_comment_of_the_snapshot() {
    let mut desk = Desk::new();
    let text = "% set up\n  :- initialization('say(hi)'). a. :- initialization(\n    'assertz(made)'). /* of\n b */ b.\n% end\n";
    desk.import("f.pl", Some(text)).unwrap();
    desk.assert(&["% once\n:- initialization('assertz(twice)'). % note", "c."]);
    let snapshot = at_once(desk.workspace.snapshot());
    assert_eq!(
        snapshot.text,
        "% set up\n  :- initialization('say(hi)'). a. % :- initialization(\n%     'assertz(made)').\n /* of\n b */ b.\n% end\n\
         made.\n% once\n% :- initialization('assertz(twice)'). % note\nc.\ntwice."
    );
    let mut copy = Desk::new();
    copy.import("snapshot.pl", Some(&snapshot.text)).unwrap();
    assert_eq!(at_once(copy.workspace.snapshot()), snapshot);
    let clauses = |desk: &Desk| desk.both().0;
    assert_eq!(clauses(&copy).len(), clauses(&desk).len());
}

#[test]
fn an_initialization_stays_a_comment_when_its_changes_are_undone() {
    let mut desk = Desk::new();
    desk.import("f.pl", Some(":- initialization('assertz(made)').\na.\n"))
        .unwrap();
    desk.undo(1).unwrap();
    assert_eq!(desk.snapshot(), "% :- initialization('assertz(made)').\na.\n");
    assert_eq!(
        at_once(desk.workspace.diff(Some(1), Some(2)))
            .unwrap()
            .text
            .lines()
            .last(),
        Some("+made.")
    );
}

#[test]
fn a_comment_at_the_end_of_a_file_does_not_take_what_follows_into_it() {
    let mut desk = Desk::new();
    let text = "a. :- initialization('assertz(made)'). /* the\nend */";
    desk.import("f.pl", Some(text)).unwrap();
    let expected = "a. % :- initialization('assertz(made)').\n /* the\nend */\nmade.";
    assert_eq!(desk.snapshot(), expected);
}
