//! Random operations in random order: engine, book, stored journal and a simple model agree.

use proptest::prelude::*;

use super::*;

#[derive(Debug, Clone)]
enum Step {
    Assert(Vec<u8>),
    Retract(u8),
    /// The file changes operators if the flag is set.
    Import(u8, Vec<u8>, bool),
    Unimport(u8),
    Append(u8),
    Prepend(u8),
    Remove(u8),
    FailAfterRemove(u8),
    Die,
    Loop,
    DieLoading,
    Standby,
    Reset,
    Declare(u8),
    Initialize(u8),
    Undo(usize),
    Redo(usize),
}

fn step() -> impl Strategy<Value = Step> {
    let name = 0..4u8;
    let names = prop::collection::vec(0..5u8, 1..4);
    prop_oneof![
        4 => names.clone().prop_map(Step::Assert),
        2 => name.clone().prop_map(Step::Retract),
        2 => (0..2u8, names, any::<bool>()).prop_map(|(file, names, op)| Step::Import(file, names, op)),
        1 => (0..2u8).prop_map(Step::Unimport),
        2 => name.clone().prop_map(Step::Append),
        2 => name.clone().prop_map(Step::Prepend),
        2 => name.clone().prop_map(Step::Remove),
        2 => name.clone().prop_map(Step::FailAfterRemove),
        1 => name.clone().prop_map(Step::Declare),
        1 => name.prop_map(Step::Initialize),
        3 => (1..4usize).prop_map(Step::Undo),
        2 => (1..4usize).prop_map(Step::Redo),
        1 => Just(Step::Die),
        1 => Just(Step::Loop),
        1 => Just(Step::DieLoading),
        1 => Just(Step::Standby),
        1 => Just(Step::Reset),
    ]
}

/// The text of a clause; the last name is refused.
fn clause(name: u8) -> String {
    match name {
        4 => "bad(".to_owned(),
        name => format!("c{name}"),
    }
}

/// A directive in files.
const OP: &str = ":- op(700, xfx, =>)";

/// Clauses in order, each with the file it comes from.
type Clauses = Vec<(String, Option<u8>)>;

/// The clauses, and what they were before each operation that can be undone, and redone.
#[derive(Default)]
struct Model(Clauses, Vec<Clauses>, Vec<Clauses>);

impl Model {
    fn push(&mut self, names: &[u8], file: Option<u8>) {
        let good = names.iter().filter(|name| **name < 4);
        self.0.extend(good.map(|name| (clause(*name), file)));
    }

    fn remove(&mut self, name: u8) {
        if let Some(position) = self.0.iter().position(|(text, _)| *text == clause(name)) {
            self.0.remove(position);
        }
    }

    /// Go `steps` back or forth. Returns whether there was anything to do.
    fn go(&mut self, steps: usize, back: bool) -> bool {
        let Model(now, past, future) = self;
        let (from, to) = if back { (past, future) } else { (future, past) };
        let any = !from.is_empty();
        for _ in 0..steps {
            if let Some(clauses) = from.pop() {
                to.push(std::mem::replace(now, clauses));
            }
        }
        any
    }

    fn has_file(&self, file: u8) -> bool {
        self.0.iter().any(|(_, of)| *of == Some(file))
    }
}

/// Carry out a step. Every revision of an operation changes what can be undone; only the last one changes the
/// clauses.
fn carry_out(desk: &mut Desk, model: &mut Model, step: &Step) {
    let before = model.0.clone();
    let revision = |desk: &Desk| desk.workspace.0.book.borrow().revision();
    let first = revision(desk);
    carry_out_once(desk, model, step);
    if !matches!(step, Step::Undo(_) | Step::Redo(_)) && revision(desk) > first {
        model.1.extend((first..revision(desk)).map(|_| before.clone()));
        model.2.clear();
    }
}

fn has_file(desk: &Desk, name: &str) -> bool {
    desk.workspace.files().iter().any(|info| info.filename == name)
}

fn carry_out_once(desk: &mut Desk, model: &mut Model, step: &Step) {
    match step {
        Step::Assert(names) => {
            let texts: Vec<String> = names.iter().map(|name| clause(*name)).collect();
            let texts: Vec<&str> = texts.iter().map(String::as_str).collect();
            desk.assert(&texts);
            model.push(names, None);
        }
        Step::Retract(name) => {
            desk.retract(&[&clause(*name)]);
            model.remove(*name);
        }
        Step::Import(file, names, op) => {
            let clauses: String = names.iter().map(|name| format!("{}.\n", clause(*name))).collect();
            let begin = if *op { format!("{OP}.\n") } else { String::new() };
            let name = format!("f{file}.pl");
            // A file stays imported if nothing of it is left.
            let is_there = has_file(desk, &name);
            assert!(is_there || !model.has_file(*file));
            let imported = desk.import(&name, Some(&(begin + &clauses)));
            assert_eq!(imported.is_err(), is_there);
            if imported.is_ok() {
                model.0.extend(op.then(|| (OP.to_owned(), Some(*file))));
                model.push(names, Some(*file));
            }
        }
        Step::Unimport(file) => {
            let name = format!("f{file}.pl");
            let is_there = has_file(desk, &name);
            assert_eq!(desk.unimport(&name).is_ok(), is_there);
            model.0.retain(|(_, of)| *of != Some(*file));
        }
        Step::Append(name) => {
            desk.ask(&format!("assertz({})", clause(*name)), 1).unwrap();
            model.push(&[*name], None);
        }
        Step::Prepend(name) => {
            desk.ask(&format!("asserta({})", clause(*name)), 1).unwrap();
            model.0.insert(0, (clause(*name), None));
        }
        Step::Remove(name) => {
            desk.ask(&format!("retract({})", clause(*name)), 1).unwrap();
            model.remove(*name);
        }
        Step::FailAfterRemove(name) => {
            desk.ask(&format!("assertz(x), retract({}), fail", clause(*name)), 1)
                .unwrap();
        }
        Step::Die => drop(desk.ask("assertz(x), die", 1).unwrap_err()),
        Step::Loop => drop(desk.ask("assertz(x), loop", 1).unwrap_err()),
        Step::DieLoading => desk.bench.host.script.die_loading.set(1),
        Step::Standby => desk.bench.wait(),
        Step::Reset => {
            let reset = |workspace: Workspace| async move { workspace.reset(&Control::default()).await };
            desk.run(reset).unwrap();
            model.0.clear();
        }
        Step::Declare(name) => drop(desk.assert(&[&format!(":- dynamic({}/0)", clause(*name))])),
        Step::Initialize(name) => {
            desk.assert(&[&format!(":- initialization('assertz({})')", clause(*name))]);
            model.push(&[*name], None);
        }
        Step::Undo(steps) => assert_eq!(desk.undo(*steps).is_ok(), model.go(*steps, true)),
        Step::Redo(steps) => assert_eq!(desk.redo(*steps).is_ok(), model.go(*steps, false)),
    }
}

fn plain(clauses: &[String]) -> Vec<String> {
    clauses
        .iter()
        .map(|clause| clause.trim().trim_end_matches('.').to_owned())
        .collect()
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(200) })]

    #[test]
    fn engine_book_kept_journal_and_model_agree(steps in prop::collection::vec(step(), 1..30)) {
        let store = Rc::new(MemoryStore::default());
        let limits = Limits { journal_bytes: 2_000, ..Limits::default() };
        let mut desk = Desk::keeping(&store, Options { limits: limits.clone(), ..Options::default() });
        let mut model = Model::default();
        for step in &steps {
            carry_out(&mut desk, &mut model, step);
        }
        let clauses = model.0.iter().filter(|(text, _)| text != OP);
        let expected: Vec<String> = clauses.map(|(text, _)| text.clone()).collect();
        // An empty request makes sure that there is an engine.
        prop_assert!(desk.ask("zzz", 1).is_ok());
        let (engine, book) = desk.both();
        prop_assert_eq!(plain(&engine), expected.clone());
        prop_assert_eq!(plain(&book), expected.clone());
        let book = desk.workspace.0.book.borrow();
        prop_assert_eq!(book.clause_count(), expected.len());
        let opened = Journal::open(store.clone(), &limits, &Pace::unbroken()).now_or_never().expect("at once").unwrap();
        prop_assert_eq!(opened.notice, None);
        prop_assert!(opened.book.entries().eq(book.entries()));
        prop_assert_eq!(opened.book.snapshot(), book.snapshot());
        prop_assert_eq!(opened.book.bytes(), book.bytes());
        prop_assert!(opened.book.predicates().eq(book.predicates()));
        prop_assert_eq!(opened.book.journal(), book.journal());
        prop_assert_eq!(opened.book.reversible(|_, _| true), (model.1.len(), model.2.len()));
        drop(book);
        let (engine, book) = desk.known();
        prop_assert_eq!(engine, book);
    }

    #[test]
    fn undo_and_redo_give_equal_books_and_engines(steps in prop::collection::vec(step(), 1..20), k in 1..20usize) {
        let mut desk = Desk::new();
        let mut model = Model::default();
        for step in &steps {
            carry_out(&mut desk, &mut model, step);
        }
        let state = |desk: &mut Desk| {
            // An empty request makes sure that there is an engine.
            desk.ask("zzz", 1).expect("an engine");
            let book = desk.workspace.0.book.borrow();
            let entries: Vec<_> = book.entries().map(|(id, entry)| (id, entry.clone())).collect();
            let predicates: Vec<_> = book.predicates().map(|(name, standing)| (name.clone(), standing)).collect();
            drop(book);
            (entries, predicates, desk.both(), desk.known())
        };
        let begin = state(&mut desk);
        let last = desk.workspace.0.book.borrow().revision();
        if let Ok(undone) = desk.undo(k) {
            let done = undone.revisions.len();
            prop_assert_eq!(done, k.min(model.1.len()));
            let (entries, _, (engine, _), (known, _)) = state(&mut desk);
            prop_assert_eq!(plain(&engine), plain(&desk.both().1));
            prop_assert_eq!(known, desk.known().1);
            let before = undone.revisions.last().and_then(|info| info.event.of).expect("an operation");
            let book = desk.workspace.0.book.borrow();
            prop_assert!(entries.iter().all(|(id, entry)| book.get(*id) == Some(entry)) && before <= last);
            drop(book);
            prop_assert_eq!(desk.redo(done).expect("redone").revisions.len(), done);
            prop_assert_eq!(state(&mut desk), begin);
        }
        if !model.1.is_empty() {
            desk.undo(usize::MAX).expect("undone");
        }
        let (entries, predicates, (engine, _), (known, _)) = state(&mut desk);
        prop_assert!(entries.is_empty() && predicates.is_empty(), "{:?} {:?}", entries, predicates);
        prop_assert!(engine.is_empty() && known.is_empty(), "{:?} {:?}", engine, known);
        let book = desk.workspace.0.book.borrow();
        prop_assert_eq!(Book::replay(book.journal().to_vec()).snapshot(), "");
    }
}
