//! Open queries whose engine is lost.

use super::*;

fn with_queries() -> Desk {
    let mut desk = Desk::new();
    desk.assert(&["p(1). p(2). p(3). p(4)."]);
    desk.open("p(X)", "one").unwrap();
    assert_eq!(
        texts(&desk.next(Some("one"), Some(2)).unwrap()),
        ["p(1).", "p(2)."]
    );
    desk
}

#[test]
fn a_repeatable_query_goes_on_from_the_answer_it_had_reached_and_says_so() {
    let mut desk = with_queries();
    let fault = desk.ask("die", 1).unwrap_err();
    assert!(
        fault
            .message
            .ends_with("; 1 open query will continue when asked for more."),
        "{fault}"
    );
    let answers = desk.next(Some("one"), Some(1)).unwrap();
    assert_eq!(texts(&answers), ["p(3)."]);
    let notice = "The engine was restarted: query one was restarted and continues after answer 2.";
    assert_eq!(answers.notices, [Notice(notice.to_owned())]);
    let answers = desk.next(Some("one"), Some(9)).unwrap();
    assert_eq!(texts(&answers), ["p(4)."]);
    assert_eq!(answers.notices, []);
}

#[test]
fn a_query_without_answers_so_far_goes_on_too_and_engines_may_die_again() {
    let mut desk = Desk::new();
    desk.assert(&["p(1). p(2). p(3)."]);
    desk.open("p(X)", "one").unwrap();
    for answer in ["p(1).", "p(2).", "p(3)."] {
        desk.ask("die", 1).unwrap_err();
        assert_eq!(texts(&desk.next(Some("one"), Some(1)).unwrap()), [answer]);
    }
}

#[test]
fn a_query_is_lost_with_its_engine_when_the_book_has_changed_since() {
    let mut desk = with_queries();
    desk.assert(&["other"]);
    let fault = desk.ask("die", 1).unwrap_err();
    assert!(fault.message.ends_with("; 1 open query was closed."), "{fault}");
    let fault = desk.next(Some("one"), None).unwrap_err();
    assert_eq!(
        fault.message,
        "Query one ended just now after 2 solutions: the engine was restarted, and the book has changed since the \
         query was opened."
    );
    assert_eq!(fault.kind, FaultKind::QueryStopped);
}

#[test]
fn a_change_after_the_loss_of_the_engine_is_told_too() {
    let mut desk = with_queries();
    desk.ask("die", 1).unwrap_err();
    desk.assert(&["other"]);
    let fault = desk.next(Some("one"), None).unwrap_err();
    assert_eq!(
        fault.message,
        "Query one was lost with its engine: the book has changed since it was opened."
    );
    assert_eq!(fault.kind, FaultKind::QueryStopped);
    assert!(!desk.close(Some("one")).was_open);
}

#[test]
fn a_query_that_gives_other_answers_is_lost_and_the_others_are_not() {
    let mut desk = with_queries();
    desk.open("p(X)", "two").unwrap();
    *desk.bench.host.script.refuse_loading.borrow_mut() = Some("p(1".into());
    desk.ask("die", 1).unwrap_err();
    let fault = desk.next(Some("one"), None).unwrap_err();
    assert_eq!(
        fault.message,
        "Query one was lost with its engine: it does not give the same answers again."
    );
    assert_eq!(texts(&desk.next(Some("two"), Some(1)).unwrap()), ["p(2)."]);
}

#[test]
fn a_query_that_was_asked_when_its_engine_was_ended_from_outside_can_be_asked_again() {
    let mut desk = with_queries();
    desk.bench.host.end_all();
    let answers = desk.next(Some("one"), Some(1)).unwrap();
    assert_eq!(texts(&answers), ["p(3)."]);
    assert_eq!(answers.notices.len(), 2, "{:?}", answers.notices);
}

#[test]
fn a_query_of_a_lost_engine_can_be_closed() {
    let mut desk = with_queries();
    desk.ask("die", 1).unwrap_err();
    assert!(desk.close(Some("one")).was_open);
    assert_eq!(
        desk.next(Some("one"), None).unwrap_err().message,
        "There is no query one."
    );
}

#[test]
fn an_engine_that_ended_between_requests_costs_nothing() {
    let mut desk = with_queries();
    desk.bench.host.end_all();
    assert_eq!(desk.ask("p(X)", 9).unwrap().answers.len(), 4);
    desk.assert(&["after"]);
    desk.holds(&["p(1)", "p(2)", "p(3)", "p(4)", "after"]);
}
