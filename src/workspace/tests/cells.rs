//! Cells of capabilities: kept, undone, reported to listeners.

use std::cell::RefCell;

use super::*;
use hornbook_book::CellChange;

impl Desk {
    fn set(&mut self, key: &str, value: Option<&str>) -> Result<(), Fault> {
        let (key, value) = (key.to_owned(), value.map(str::to_owned));
        self.run(|workspace| async move {
            let plan = || {
                let action = format!("set {key}");
                let cells = vec![(key.clone(), value.clone())];
                (CellEdit { action, cells }, ())
            };
            let edited = workspace.edit_cells("memory", &Control::default(), plan).await;
            edited.map(|((), _)| ())
        })
    }

    fn cells(&self) -> Vec<(String, String)> {
        self.workspace.cells("memory")
    }
}

fn one(key: &str, value: &str) -> Vec<(String, String)> {
    vec![(key.to_owned(), value.to_owned())]
}

#[test]
fn cells_outlive_the_process_and_are_undone_with_the_rest() {
    let store = Rc::new(MemoryStore::default());
    let mut desk = Desk::keeping(&store, Options::default());
    desk.set("a", Some("1")).unwrap();
    desk.assert(&["p."]);
    desk.set("a", Some("2")).unwrap();
    let mut other = Desk::keeping(&store, Options::default());
    assert_eq!(other.cells(), one("a", "2"));
    other.holds(&["p"]);
    other.undo(1).unwrap();
    assert_eq!(other.cells(), one("a", "1"));
    let again = Desk::keeping(&store, Options::default());
    let undone = |desk: &Desk| desk.workspace.is_undone_cell("memory", "a");
    assert_eq!(
        (undone(&desk), undone(&other), undone(&again)),
        (false, true, true)
    );
    other.undo(2).unwrap();
    assert!(other.cells().is_empty());
    other.holds(&[]);
    other.redo(3).unwrap();
    assert_eq!(other.cells(), one("a", "2"));
    assert!(!undone(&other));
    other.holds(&["p"]);
}

#[test]
fn a_room_hears_of_its_own_changes_also_by_undo() {
    let mut desk = Desk::new();
    let heard: Rc<RefCell<Vec<CellChange>>> = Rc::default();
    let sink = heard.clone();
    let listener = move |changes: &[CellChange]| sink.borrow_mut().extend_from_slice(changes);
    desk.workspace.on_cells("memory", Rc::new(listener));
    desk.workspace
        .on_cells("other", Rc::new(|_| panic!("it is another room's")));
    desk.set("a", Some("1")).unwrap();
    desk.set("a", Some("1")).unwrap();
    desk.undo(1).unwrap();
    let told: Vec<_> = heard
        .borrow()
        .iter()
        .map(|change| {
            (
                change.before.as_deref().map(str::to_owned),
                change.after.as_deref().map(str::to_owned),
            )
        })
        .collect();
    assert_eq!(told, [(None, Some("1".to_owned())), (Some("1".to_owned()), None)]);
}

#[test]
fn cells_that_cannot_be_kept_or_have_no_room_are_a_fault_and_stay_as_they_were() {
    let store = Rc::new(MemoryStore::default());
    let mut desk = Desk::keeping(&store, Options::default());
    desk.set("a", Some("1")).unwrap();
    store.space.set(Some(store.bytes.borrow().len() + 10));
    assert_eq!(
        desk.set("a", Some("2")).unwrap_err().kind,
        FaultKind::StorageError
    );
    assert_eq!(desk.cells(), one("a", "1"));
    let limits = Limits {
        bytes: 10,
        ..Limits::default()
    };
    let mut small = Desk::with(Options {
        limits,
        ..Options::default()
    });
    assert_eq!(
        small.set("a", Some("0123456789")).unwrap_err().kind,
        FaultKind::LimitReached
    );
    assert!(small.cells().is_empty());
}

#[test]
fn the_history_says_what_was_done_to_cells() {
    let mut desk = Desk::new();
    desk.set("a", Some("1")).unwrap();
    let history = desk.workspace.history(1, None).unwrap();
    let event = &history.revisions[0].event;
    assert_eq!(
        (event.operation, event.action.as_deref()),
        ("cells", Some("memory: set a"))
    );
}
