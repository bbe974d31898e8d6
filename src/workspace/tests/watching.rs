//! Watched goals.

use super::*;

/// Watch a goal. The list receives what is told of it.
fn watch(desk: &Desk, goal: &str) -> (Watching, Rc<RefCell<Vec<Watched>>>) {
    let told: Rc<RefCell<Vec<Watched>>> = Rc::default();
    let heard = told.clone();
    let listener = move |watched: &Watched| heard.borrow_mut().push(watched.clone());
    (desk.workspace.watch(goal.to_owned(), listener), told)
}

/// Let a minute pass.
fn pass(desk: &mut Desk) {
    let clock = desk.bench.clock.clone();
    desk.bench.run(async move { clock.sleep(60_000).await });
}

#[test]
fn each_change_of_the_answers_is_told_once() {
    let mut desk = Desk::new();
    desk.assert(&["p(1)."]);
    let (_watching, told) = watch(&desk, "p(X)");
    pass(&mut desk);
    desk.assert(&["q(1)."]);
    desk.assert(&["p(2)."]);
    pass(&mut desk);
    let counts: Vec<usize> = told.borrow().iter().map(|one| one.answers.len()).collect();
    assert_eq!(counts, [1, 2]);
}

#[test]
fn a_goal_for_which_no_engine_can_be_started_is_asked_again_before_that_is_told() {
    for (failures, fault) in [(1, None), (1_000_000, Some(FaultKind::EngineUnavailable))] {
        let mut desk = Desk::new();
        desk.assert(&["p(1)."]);
        desk.bench.host.script.fail_spawning.set(failures);
        desk.bench.host.end_all();
        let (_watching, told) = watch(&desk, "p(X)");
        pass(&mut desk);
        let faults = told
            .borrow()
            .iter()
            .map(|one| one.fault.as_ref().map(|fault| fault.kind))
            .collect::<Vec<_>>();
        assert_eq!(faults, [fault], "after {failures} failures");
    }
}
