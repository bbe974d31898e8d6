use super::*;
use futures::FutureExt;
use futures::future::LocalBoxFuture;
use hornbook_engine::Pool;

/// Opens past books with the engines and files of a bench.
struct Past(Pool, Rc<dyn hornbook_base::Files>, Options);

impl OpenPast for Past {
    fn open(&self, book: Workspace, revision: u64) -> LocalBoxFuture<'_, Result<Workspace, Fault>> {
        let Past(pool, files, options) = self;
        async move {
            book.as_of(revision, pool.clone(), files.clone(), options.clone())
                .await
        }
        .boxed_local()
    }
}

/// A desk that compares: `p(1)` and `p(2)` after the first revision, `p(2)` and `p(3)` after the second.
fn comparing() -> Desk {
    let options = Options {
        timeout_ms: 4_000,
        ..Options::default()
    };
    let mut desk = Desk::with(options.clone());
    let pool = desk.bench.engines(desk.bench.host.clone());
    desk.workspace
        .open_past_by(Rc::new(Past(pool, desk.bench.files.clone(), options)));
    desk.assert(&["p(1).", "p(2)."]);
    desk.retract(&["p(1)"]);
    desk.assert(&["p(3)."]);
    desk
}

fn compare(desk: &mut Desk, goals: &[&str]) -> Result<Vec<Consequence>, Fault> {
    let goals = owned(goals);
    desk.run(|workspace| async move { workspace.consequences(goals, (1, 3), &Control::default()).await })
}

fn told(answers: &[Answer]) -> Vec<&str> {
    answers.iter().map(|one| one.bindings[0].text.as_str()).collect()
}

#[test]
fn goals_are_asked_in_both_revisions_and_the_book_stays_as_it_is() {
    let mut desk = comparing();
    let found = compare(&mut desk, &["p(X)", "no_such(X)"]).unwrap();
    assert_eq!(
        (told(&found[0].gained), told(&found[0].lost)),
        (vec!["p(3)."], vec!["p(1)."])
    );
    assert_eq!(found[0].unknown, (None, None));
    assert_eq!(desk.workspace.revision(), 3);
    assert_eq!(desk.snapshot(), "p(2).\np(3).");
}

#[test]
fn a_goal_has_its_share_of_the_time_limit_in_each_revision() {
    let mut desk = comparing();
    let found = compare(&mut desk, &["loop", "p(X)"]).unwrap();
    let (before, after) = &found[0].unknown;
    assert!(before.as_ref().unwrap().contains("1000 ms"), "{before:?}");
    assert!(after.is_some());
    assert_eq!(told(&found[1].gained), ["p(3)."]);
}

#[test]
fn a_book_that_cannot_open_its_past_says_so_and_too_many_goals_are_refused() {
    let fault = compare(&mut Desk::new(), &["p(X)"]).unwrap_err();
    assert_eq!(fault.kind, FaultKind::PermissionError);
    let fault = compare(&mut comparing(), &["p(X)"; 51]).unwrap_err();
    assert_eq!(fault.kind, FaultKind::LimitReached);
}
