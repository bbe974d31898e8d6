use super::*;

impl Desk {
    /// The book after a revision: `text@revision that added it`, `+` before what is new, then `-` what went.
    fn past(&self, number: u64, most: usize) -> Vec<String> {
        let past = at_once(self.workspace.past(Some(number), most)).expect("a revision that is known");
        let tell = |one: &PastEntry| {
            let sign = if past.fresh.contains(&one.id) { "+" } else { "" };
            let added = one.added.map_or("?".to_owned(), |number| number.to_string());
            format!("{sign}{}@{added}", one.text)
        };
        let removed = past.removed.iter().map(|one| format!("-{}", one.text));
        past.entries.iter().map(tell).chain(removed).collect()
    }
}

#[test]
fn the_book_as_it_was_says_which_revision_added_each_clause() {
    let mut desk = Desk::new();
    desk.assert(&["p(1).", "p(2)."]);
    desk.import("f.pl", Some("% head\n\nq(1).\nq(2).\n")).unwrap();
    desk.retract(&["p(1)"]);
    desk.undo(1).unwrap();
    assert_eq!(desk.past(0, 10), [] as [&str; 0]);
    assert_eq!(desk.past(1, 10), ["+p(1).@1", "+p(2).@1"]);
    assert_eq!(desk.past(2, 10), ["p(1).@1", "p(2).@1", "+q(1).@2", "+q(2).@2"]);
    assert_eq!(desk.past(3, 10), ["p(2).@1", "q(1).@2", "q(2).@2", "-p(1)."]);
    assert_eq!(desk.past(4, 10), ["+p(1).@1", "p(2).@1", "q(1).@2", "q(2).@2"]);
    let now = at_once(desk.workspace.past(None, 10)).unwrap();
    assert_eq!((now.revision, now.total), (4, 4));
    let file = now.entries[2].clone();
    assert_eq!((file.file.as_deref(), file.line), (Some("f.pl"), Some(3)));
    assert_eq!(now.entries[0].file, None);
    let fault = at_once(desk.workspace.past(Some(5), 10)).unwrap_err();
    assert_eq!(fault.kind, FaultKind::NoSuchRevision);
}

#[test]
fn of_a_long_book_those_that_came_last_are_told_in_the_order_of_the_book() {
    let mut desk = Desk::new();
    desk.assert(&["p(1).", "p(2).", "p(3)."]);
    desk.ask("asserta(front)", 1).unwrap();
    let past = at_once(desk.workspace.past(None, 2)).unwrap();
    let texts: Vec<&str> = past.entries.iter().map(|one| one.text.as_str()).collect();
    assert_eq!((past.total, texts), (4, vec!["front.", "p(1)."]));
}

#[test]
fn what_stands_beside_a_replaced_clause_is_neither_new_nor_gone() {
    let mut desk = Desk::new();
    desk.assert(&["p(1).", "p(2).", "p(3)."]);
    let texts = owned(&["p(two)."]);
    desk.run(|workspace| async move {
        workspace
            .replace_clause("p(2)", &texts, &Control::default())
            .await
    })
    .expect("replaced");
    assert_eq!(desk.past(2, 10), ["p(1).@1", "+p(two).@2", "p(3).@1", "-p(2)."]);
}

#[test]
fn a_walk_through_time_sees_at_each_step_what_a_first_look_there_sees() {
    let mut desk = Desk::new();
    desk.import("f.pl", Some("q(1).\nq(2).\nq(3).\n")).unwrap();
    desk.assert(&["p(1).", "p(2)."]);
    desk.retract(&["q(2)"]);
    desk.undo(1).unwrap();
    desk.run(|workspace| async move {
        let text = "q(1).\nq(4).\n".to_owned();
        workspace.reload("f.pl", Some(text), &Control::default()).await
    })
    .unwrap();
    desk.ask("asserta(front)", 1).unwrap();
    desk.undo(2).unwrap();
    desk.retract(&["p(1)"]);
    let last = desk.workspace.revision();
    let looks: Vec<Vec<String>> = (0..=last)
        .map(|number| {
            desk.workspace.0.walk.take();
            desk.past(number, 3)
        })
        .collect();
    for number in (0..=last).rev().chain([last, 0, 5, 2, 7, last]) {
        assert_eq!(desk.past(number, 3), looks[number as usize], "{number}");
    }
    // What comes meanwhile changes nothing of what was.
    desk.assert(&["later."]);
    for number in 0..=last {
        assert_eq!(desk.past(number, 3), looks[number as usize], "{number}");
        let told = at_once(desk.workspace.past(Some(number), 100)).unwrap();
        let then = at_once(desk.workspace.0.book().as_of(number, &Pace::unbroken())).unwrap();
        let texts: Vec<&str> = then.entries().map(|(_, entry)| entry.code()).collect();
        assert!(
            told.entries.iter().map(|one| one.text.as_str()).eq(texts),
            "{number}"
        );
    }
}

#[test]
fn the_files_that_differ_from_an_earlier_revision_and_their_text_then_are_told() {
    let mut desk = Desk::new();
    desk.import("a.pl", Some("% old\nq(1).\n")).unwrap();
    desk.import("b.pl", Some("r(1).\n")).unwrap();
    desk.run(|workspace| async move {
        workspace
            .reload("a.pl", Some("q(2).\n".to_owned()), &Control::default())
            .await
    })
    .unwrap();
    desk.import("notes.txt", Some("one")).unwrap();
    let mut since = |number| {
        desk.run(move |workspace| async move { workspace.files_since(number).await })
            .unwrap()
    };
    assert_eq!(since(1), ["a.pl", "b.pl", "notes.txt"]);
    assert_eq!(since(3), ["notes.txt"]);
    assert_eq!(since(4), [] as [&str; 0]);
    let mut then = |name: &'static str, number| {
        desk.run(move |workspace| async move { workspace.source_after(name, number).await })
    };
    assert_eq!(then("a.pl", 2).unwrap().as_deref(), Some("% old\nq(1).\n"));
    assert_eq!(then("b.pl", 1).unwrap(), None);
    assert_eq!(then("notes.txt", 4).unwrap().as_deref(), Some("one"));
    let fault = then("a.pl", 9).unwrap_err();
    assert_eq!(fault.kind, FaultKind::NoSuchRevision);
}
