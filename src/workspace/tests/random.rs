//! Whatever is done, in whatever order: engine, book, the journal that is kept and a plain model agree.

use proptest::prelude::*;

use super::*;

#[derive(Debug, Clone)]
enum Step {
    Assert(Vec<u8>),
    Retract(u8),
    Import(u8, Vec<u8>),
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
}

fn step() -> impl Strategy<Value = Step> {
    let name = 0..4u8;
    let names = prop::collection::vec(0..5u8, 1..4);
    prop_oneof![
        4 => names.clone().prop_map(Step::Assert),
        2 => name.clone().prop_map(Step::Retract),
        2 => (0..2u8, names).prop_map(|(file, names)| Step::Import(file, names)),
        1 => (0..2u8).prop_map(Step::Unimport),
        2 => name.clone().prop_map(Step::Append),
        2 => name.clone().prop_map(Step::Prepend),
        2 => name.clone().prop_map(Step::Remove),
        2 => name.prop_map(Step::FailAfterRemove),
        1 => Just(Step::Die),
        1 => Just(Step::Loop),
        1 => Just(Step::DieLoading),
        1 => Just(Step::Standby),
        1 => Just(Step::Reset),
    ]
}

/// The text of a clause; the last name is one that is refused.
fn clause(name: u8) -> String {
    match name {
        4 => "bad(".to_owned(),
        name => format!("c{name}"),
    }
}

/// The clauses in order, each with the file it is from.
#[derive(Default)]
struct Model(Vec<(String, Option<u8>)>);

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

    fn has_file(&self, file: u8) -> bool {
        self.0.iter().any(|(_, of)| *of == Some(file))
    }
}

fn carry_out(desk: &mut Desk, model: &mut Model, step: &Step) {
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
        Step::Import(file, names) => {
            let text: String = names.iter().map(|name| format!("{}.\n", clause(*name))).collect();
            let imported = desk.import(&format!("f{file}.pl"), Some(&text));
            assert_eq!(imported.is_err(), model.has_file(*file));
            if imported.is_ok() {
                model.push(names, Some(*file));
            }
        }
        Step::Unimport(file) => {
            let unimported = desk.unimport(&format!("f{file}.pl"));
            assert_eq!(unimported.is_ok(), model.has_file(*file));
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
        let limits = Limits { journal_bytes: 2_000, history: 3, ..Limits::default() };
        let mut desk = Desk::keeping(&store, Options { limits: limits.clone(), ..Options::default() });
        let mut model = Model::default();
        for step in &steps {
            carry_out(&mut desk, &mut model, step);
        }
        let expected: Vec<String> = model.0.iter().map(|(text, _)| text.clone()).collect();
        // An empty request makes sure that there is an engine.
        prop_assert!(desk.ask("zzz", 1).is_ok());
        let (engine, book) = desk.both();
        prop_assert_eq!(plain(&engine), expected.clone());
        prop_assert_eq!(plain(&book), expected.clone());
        let book = desk.workspace.0.book.borrow();
        prop_assert_eq!(book.clause_count(), expected.len());
        let opened = Journal::open(store.clone(), &limits).now_or_never().expect("at once").unwrap();
        prop_assert_eq!(opened.notice, None);
        prop_assert!(opened.book.entries().eq(book.entries()));
        prop_assert_eq!(opened.book.snapshot(), book.snapshot());
        prop_assert_eq!(opened.book.bytes(), book.bytes());
        prop_assert!(opened.book.predicates().eq(book.predicates()));
        prop_assert_eq!(opened.book.journal(), book.journal());
    }
}
