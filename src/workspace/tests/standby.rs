//! The standby engine, which follows the book.

use super::*;

/// A desk that has lost an engine, and whose standby holds the book.
fn prepared() -> Desk {
    let mut desk = Desk::new();
    desk.assert(&["p(1). p(2). p(3)."]);
    desk.ask("die", 1).unwrap_err();
    desk.bench.wait();
    assert_eq!(desk.bench.host.alive.get(), 2);
    desk.bench.host.requests.borrow_mut().clear();
    desk
}

/// The names of the requests made while loading.
fn loading(desk: &Desk) -> Vec<String> {
    let requests = desk.bench.host.requests.borrow();
    let names = requests.iter().map(|request| request.split('(').next().unwrap());
    names.filter(|name| *name != "query").map(str::to_owned).collect()
}

#[test]
fn it_is_there_from_the_first_loss_of_an_engine_on() {
    let mut desk = Desk::new();
    desk.assert(&["p(1). p(2). p(3)."]);
    desk.bench.wait();
    assert_eq!(desk.bench.host.alive.get(), 1);
    desk.ask("die", 1).unwrap_err();
    desk.bench.wait();
    assert_eq!(desk.bench.host.alive.get(), 2);
}

#[test]
fn it_holds_the_book_before_it_is_needed() {
    let mut desk = prepared();
    desk.bench.host.end_all_but_standby();
    assert_eq!(desk.ask("p(X)", 9).unwrap().answers.len(), 3);
    assert_eq!(loading(&desk), [""; 0]);
}

#[test]
fn it_is_given_what_came_at_the_end_and_loses_what_went() {
    let mut desk = prepared();
    desk.assert(&["p(4)."]);
    desk.retract(&["p(2)"]);
    desk.bench.host.requests.borrow_mut().clear();
    desk.bench.wait();
    assert_eq!(loading(&desk), ["remove", "reload"]);
    desk.bench.host.end_all_but_standby();
    desk.ask("p(X)", 9).unwrap();
    desk.holds(&["p(1)", "p(3)", "p(4)"]);
}

#[test]
fn it_begins_anew_when_something_came_at_the_front_or_a_directive_went() {
    let mut desk = prepared();
    desk.ask("asserta(front)", 1).unwrap();
    desk.bench.wait();
    assert_eq!(desk.bench.host.count("reset"), 1);
    desk.import("f.pl", Some(":- dynamic d/1.\nd(1).")).unwrap();
    desk.bench.wait();
    desk.unimport("f.pl").unwrap();
    desk.bench.wait();
    assert_eq!(desk.bench.host.count("reset"), 2);
    desk.bench.host.end_all_but_standby();
    desk.ask("p(X)", 9).unwrap();
    desk.holds(&["front", "p(1)", "p(2)", "p(3)"]);
}

#[test]
fn what_a_file_declared_is_not_given_to_it_when_the_file_is_gone() {
    let mut desk = prepared();
    desk.import("f.pl", Some(":- dynamic d/1, e/2.\nq.")).unwrap();
    desk.unimport("f.pl").unwrap();
    desk.bench.host.requests.borrow_mut().clear();
    desk.bench.wait();
    let requests = desk.bench.host.requests.borrow().clone();
    let names = |request: &String| {
        ["'d'/1", "'e'/2", "'q'/0"]
            .iter()
            .any(|name| request.contains(name))
    };
    assert!(!requests.iter().any(names), "{requests:?}");
}

#[test]
fn what_changed_a_moment_ago_is_given_to_it_when_it_is_needed() {
    let mut desk = prepared();
    desk.assert(&["p(4)."]);
    desk.ask("die", 1).unwrap_err();
    desk.bench.settle();
    desk.holds(&["p(1)", "p(2)", "p(3)", "p(4)"]);
}

#[test]
fn a_large_book_is_loaded_when_it_is_needed() {
    let limits = Limits {
        standby_bytes: 5,
        ..Limits::default()
    };
    let mut desk = Desk::with(Options {
        limits,
        ..Options::default()
    });
    desk.assert(&["p(1). p(2). p(3)."]);
    desk.bench.wait();
    assert_eq!(desk.bench.host.count("reload"), 0);
    desk.ask("die", 1).unwrap_err();
    desk.bench.settle();
    desk.holds(&["p(1)", "p(2)", "p(3)"]);
}

#[test]
fn an_idle_engine_with_much_memory_gives_way_to_it() {
    let mut desk = prepared();
    desk.open("p(X)", "one").unwrap();
    desk.bench.host.script.bytes.set(1 << 30);
    desk.ask("p(X)", 9).unwrap();
    assert_eq!(desk.bench.host.spawned.get(), 3);
    desk.next(Some("one"), Some(9)).unwrap();
    desk.bench.wait();
    assert_eq!(desk.bench.host.spawned.get(), 4);
    desk.ask("p(X)", 9).unwrap();
    desk.bench.wait();
    assert_eq!(
        desk.bench.host.spawned.get(),
        4,
        "it needs so much for the book alone"
    );
    desk.holds(&["p(1)", "p(2)", "p(3)"]);
}
