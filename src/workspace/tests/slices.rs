//! Long work lets the host do other things.

use super::*;

/// A workspace with `clauses` clauses, whose clock advances whenever it is read.
fn large(clauses: usize) -> Desk {
    let mut desk = Desk::new();
    let text: String = (0..clauses).map(|number| format!("p({number}).\n")).collect();
    desk.import("p.pl", Some(&text)).unwrap();
    desk.bench.clock.step.set(20);
    desk
}

impl Desk {
    /// How often an operation yields to others.
    fn rests<T: 'static, F>(&mut self, operation: impl FnOnce(Workspace) -> F) -> (T, usize)
    where
        F: Future<Output = T> + 'static,
    {
        self.bench.clock.rests.set(0);
        let given = self.run(operation);
        (given, self.bench.clock.rests.get())
    }
}

#[test]
fn long_operations_rest() {
    let mut desk = large(4_000);
    let control = Control::default;
    let (snapshot, rests) = desk.rests(|workspace| async move { workspace.snapshot().await });
    assert!(snapshot.clause_count == 4_000 && rests > 3, "snapshot: {rests}");
    let (found, rests) = desk.rests(|workspace| async move { workspace.diff(None, None).await });
    assert!(found.unwrap().added == 4_000 && rests > 6, "diff: {rests}");
    let (found, rests) = desk.rests(|workspace| async move { workspace.provenance("p(X)").await });
    assert!(found.unwrap().total == 4_000 && rests > 3, "provenance: {rests}");
    let (undone, rests) =
        desk.rests(|workspace| async move { workspace.undo(1, Whose::Own, None, &control()).await });
    assert!(undone.unwrap().removed == 4_000 && rests > 6, "undo: {rests}");
    let (redone, rests) =
        desk.rests(|workspace| async move { workspace.redo(1, Whose::Own, None, &control()).await });
    assert!(redone.unwrap().added == 4_000 && rests > 6, "redo: {rests}");
    let (reset, rests) = desk.rests(|workspace| async move { workspace.reset(&control()).await });
    assert!(
        reset.unwrap().clauses_removed == 4_000 && rests > 3,
        "reset: {rests}"
    );
}

#[test]
fn many_symbols_are_listed_in_slices() {
    let mut desk = Desk::new();
    let text: String = (0..4_000).map(|number| format!("p{number}.\n")).collect();
    desk.import("p.pl", Some(&text)).unwrap();
    desk.bench.clock.step.set(20);
    let (symbols, rests) = desk.rests(|workspace| async move { workspace.symbols().await });
    assert!(symbols.len() == 4_000 && rests > 3, "{rests}");
}

#[test]
fn a_step_through_time_is_short_however_long_the_book_is() {
    let mut desk = large(4_000);
    desk.assert(&["q(1)."]);
    desk.assert(&["q(2)."]);
    let mut look = |number| {
        let (past, rests) =
            desk.rests(move |workspace| async move { workspace.past(Some(number), 10).await });
        let texts: Vec<String> = past.unwrap().entries.into_iter().map(|one| one.text).collect();
        assert_eq!(texts.len(), 10);
        (texts.concat(), rests)
    };
    let (_, first) = look(3);
    assert!(first > 3, "{first}");
    for (number, newest) in [(2, "q(1)."), (3, "q(2)."), (2, "q(1)."), (1, "p(9).")] {
        let (texts, rests) = look(number);
        assert!(texts.ends_with(newest), "{texts}");
        assert!(rests <= 1, "{number}: {rests}");
    }
}

#[test]
fn what_shows_or_changes_little_of_a_long_book_is_short() {
    let mut desk = large(4_000);
    desk.assert(&["q."]);
    let control = Control::default;
    let (symbols, rests) = desk.rests(|workspace| async move { workspace.symbols().await });
    assert_eq!((symbols.len(), rests), (2, 0), "symbols");
    let (snapshot, rests) = desk.rests(|workspace| async move { workspace.snapshot_to(100).await });
    assert_eq!(
        (snapshot.text.len(), snapshot.goes_on, rests),
        (100, true, 0),
        "snapshot"
    );
    let (_, rests) =
        desk.rests(|workspace| async move { workspace.undo(1, Whose::Own, None, &control()).await });
    assert_eq!(rests, 0, "undo");
    let (_, rests) =
        desk.rests(|workspace| async move { workspace.redo(1, Whose::Own, None, &control()).await });
    assert_eq!(rests, 0, "redo");
    let (engine, book) = desk.both();
    assert_eq!(engine, book);
}

#[test]
fn what_is_read_in_slices_is_the_book_as_it_was() {
    let mut desk = large(4_000);
    let workspace = desk.workspace.clone();
    let read = desk.bench.start(async move { workspace.snapshot().await });
    desk.bench.settle();
    assert!(read.take().is_none(), "it rests");
    desk.assert(&["q."]);
    desk.retract(&["p(3999)"]);
    desk.bench.wait();
    let snapshot = read.take().expect("it is done");
    assert!(
        snapshot.text.ends_with("p(3999).\n"),
        "what was done meanwhile is not in it"
    );
    assert!(desk.snapshot_now().ends_with("q."));
}

#[test]
fn a_book_that_is_changed_in_slices_is_seen_as_it_was_until_it_is_done() {
    let mut desk = large(0);
    let text: String = (0..4_000).map(|number| format!("p({number}).\n")).collect();
    let workspace = desk.workspace.clone();
    let import = desk
        .bench
        .start(async move { workspace.import("p.pl", Some(text), &Control::default()).await });
    let mut seen = std::collections::BTreeSet::new();
    while seen.len() < 100_000 {
        desk.bench.step();
        seen.insert(desk.workspace.0.book.borrow().clause_count());
        if let Some(report) = import.take() {
            assert_eq!(report.unwrap().clauses_added, 4_000);
            break;
        }
    }
    assert_eq!(seen.into_iter().collect::<Vec<_>>(), [0, 4_000]);
}

#[test]
fn a_read_that_is_cancelled_ends_between_two_slices() {
    let mut desk = large(4_000);
    let control = Control::default();
    let (workspace, token) = (desk.workspace.clone(), control.cancel.clone());
    let read = desk
        .bench
        .start(async move { control.unless_cancelled(workspace.diff(None, None)).await });
    desk.bench.settle();
    token.cancel();
    desk.bench.settle();
    let fault = read.take().expect("it has ended").unwrap_err();
    assert_eq!(fault.kind, FaultKind::Cancelled);
}

#[test]
fn a_long_file_is_looked_through_in_slices_before_it_is_added() {
    let mut desk = large(0);
    // A single step of the engine, so that almost all rests are in what precedes it.
    let text = format!(":- dynamic(p/1).\np([{}]).", vec!["a"; 20_000].join(","));
    let (report, rests) = desk
        .rests(|workspace| async move { workspace.import("q.pl", Some(text), &Control::default()).await });
    assert!(report.unwrap().clauses_added == 1 && rests > 150, "{rests}");
}

#[test]
fn a_long_clause_is_compared_in_slices() {
    let mut desk = large(0);
    let variables = |name: char| {
        let names = (0..8_000).map(|number| format!("{name}{number}"));
        format!("w([{}])", names.collect::<Vec<_>>().join(","))
    };
    desk.assert(&[&format!("{}.", variables('X'))]);
    for of in [variables('Y'), "w(List)".to_owned()] {
        let (found, rests) = desk.rests(|workspace| async move { workspace.provenance(&of).await });
        assert!(found.unwrap().total == 1 && rests > 15, "{rests}");
    }
}
