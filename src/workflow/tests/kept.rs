//! Stored runs: killed at every record, resumed, rewound, forked, pruned.

use hornbook_book::workflow_room;
use proptest::prelude::*;

use super::*;
use crate::difference::{Difference, Gave};
use crate::fault::{WorkflowFault, WorkflowFaultKind};
use crate::prolog::{Block, End, Executed};
use crate::runs::{BlockPlan, Keeper, Origin, Plan, Status};

/// A book in memory that can be made to stop accepting revisions.
#[derive(Default)]
pub(super) struct Shelf {
    /// The keys whose values an undo has brought back.
    pub undone: RefCell<Vec<String>>,
    /// Keys that another process removes before the next change.
    pub taken_back: RefCell<Vec<String>>,
    cells: RefCell<BTreeMap<String, String>>,
    revisions: Cell<usize>,
    /// Revisions that it still accepts.
    room: Cell<Option<usize>>,
}

impl Shelf {
    /// Accept so many revisions only.
    pub fn stop_after(&self, revisions: usize) {
        self.room.set(Some(revisions));
    }

    pub fn go_on(&self) {
        self.room.set(None);
    }
}

impl Keeper for Shelf {
    fn cell(&self, key: &str) -> Option<String> {
        self.cells.borrow().get(key).cloned()
    }

    fn cells(&self, prefix: &str) -> Vec<(String, String)> {
        let cells = self.cells.borrow();
        let all = cells.iter().filter(|(key, _)| key.starts_with(prefix));
        all.map(|(key, value)| (key.clone(), value.clone())).collect()
    }

    fn is_undone(&self, key: &str) -> bool {
        self.undone.borrow().iter().any(|one| one == key)
    }

    fn keep<'a>(&'a self, mut plan: Plan<'a>) -> LocalBoxFuture<'a, Result<(), String>> {
        if self.room.get() == Some(0) {
            return ready(Err("no room".to_owned())).boxed_local();
        }
        for key in self.taken_back.take() {
            self.cells.borrow_mut().remove(&key);
        }
        let (_, cells) = match plan() {
            Ok(planned) => planned,
            Err(refused) => return ready(Err(refused)).boxed_local(),
        };
        self.room.set(self.room.get().map(|room| room - 1));
        self.revisions.set(self.revisions.get() + 1);
        for (key, value) in cells {
            self.undone.borrow_mut().retain(|one| *one != key);
            match value {
                Some(value) => drop(self.cells.borrow_mut().insert(key, value)),
                None => drop(self.cells.borrow_mut().remove(&key)),
            }
        }
        ready(Ok(())).boxed_local()
    }

    /// A block adds a fact: the cell `fact/TEXT`; the block `bad` throws.
    fn run<'a>(
        &'a self,
        block: Block<'a>,
        mut plan: BlockPlan<'a>,
    ) -> LocalBoxFuture<'a, Result<Executed, WorkflowFault>> {
        let executed = Executed {
            output: String::new(),
            end: End::Solutions(vec![[("v".to_owned(), Json::Int(1))].into()]),
        };
        if block.code == "bad" {
            let fault = WorkflowFault::new(WorkflowFaultKind::Prolog, "bad");
            return ready(Err(fault)).boxed_local();
        }
        let planned = plan(&executed).and_then(|(action, mut cells)| {
            cells.push((format!("fact/{}", block.code), Some(String::new())));
            let plan = || Ok((action.clone(), cells.clone()));
            let kept = self.keep(Box::new(plan)).now_or_never().expect("it is ready");
            kept.map_err(|why| WorkflowFault::new(WorkflowFaultKind::Book, why))
        });
        ready(planned.map(|()| executed)).boxed_local()
    }
}

/// A process with the book; it ends when this is dropped.
pub(super) struct Process {
    pub runs: Runs,
    pub script: Rc<Scripted>,
}

pub(super) fn process(shelf: &Rc<Shelf>) -> Process {
    Process {
        runs: Runs::new(shelf.clone()),
        script: Rc::default(),
    }
}

impl Process {
    pub fn begin(&self, text: &str, state: &str) -> Vec<Event> {
        self.begin_as("r", text, state)
    }

    pub fn begin_as(&self, run: &str, text: &str, state: &str) -> Vec<Event> {
        let workflow = load(text, &installed()).unwrap();
        let ledger = self.runs.begin(run, &workflow, text, 0).unwrap();
        let begin = Begin::Start(serde_json::from_str(state).unwrap());
        self.all(Run::new(
            Rc::new(workflow),
            means(&self.script),
            run.into(),
            Some(ledger),
            begin,
        ))
    }

    pub fn resume(&self, run: &str, text: &str, updates: &str) -> Result<Vec<Event>, String> {
        self.answer(run, text, None, updates)
    }

    /// Resume a run that has gone on by itself.
    pub fn wake(&self, run: &str, text: &str) -> Vec<Event> {
        let workflow = load(text, &installed()).unwrap();
        let kept = self.runs.load(run, None).unwrap();
        let ledger = self.runs.resume(run, &kept, &workflow, text).unwrap();
        let begin = Begin::Wake {
            thread: Box::new(kept.thread),
        };
        self.all(Run::new(
            Rc::new(workflow),
            means(&self.script),
            run.into(),
            Some(ledger),
            begin,
        ))
    }

    pub fn answer(
        &self,
        run: &str,
        text: &str,
        id: Option<&str>,
        updates: &str,
    ) -> Result<Vec<Event>, String> {
        let workflow = load(text, &installed()).unwrap();
        let kept = self.runs.load(run, None)?;
        kept.check_agrees(&workflow)?;
        let ledger = self.runs.resume(run, &kept, &workflow, text)?;
        let (path, did) = kept.resumed(id, &serde_json::from_str(updates).unwrap(), &workflow)?;
        let thread = Box::new(kept.thread);
        let begin = Begin::Resume { thread, path, did };
        let run = Run::new(
            Rc::new(workflow),
            means(&self.script),
            run.into(),
            Some(ledger),
            begin,
        );
        Ok(self.all(run))
    }

    fn all(&self, run: Run) -> Vec<Event> {
        std::iter::from_fn(|| block_on(run.next())).collect()
    }
}

pub(super) fn shown(events: &[Event]) -> String {
    Json::of(events.last().unwrap()).to_string()
}

/// Everything a run can go through: a loop by edges, steps, a loop, branches, items, handled errors.
const EVERYTHING: &str = "
language: prolog
nodes:
- {name: a, run: add n 1}
- name: b
  steps:
  - {name: one, uses: notify, with: {n: '{{ state.n }}'}, output: r}
  - {name: two, run: add n 10}
- {name: back, goto: [{if: 'state.n < 30', to: a}, {to: w}]}
- name: w
  type: while_loop
  condition: state.m < 3
  max_iterations: 9
  body:
  - {name: up, run: add m 1}
  - {name: tell, uses: notify, output: t}
- {name: s, run: set v 1}
- {name: x, run: add v 10}
- {name: y, uses: notify, output: u}
- {name: join, language: python, run: join, goto: each}
- name: each
  type: dynamic_parallel
  items: '{{ [1, 2, 3] }}'
  item_var: k
  fan_in: last
  steps:
  - {name: up, run: add k 100}
  - {name: told, uses: notify, output: q}
- {name: last, language: python, run: last, goto: bad}
- {name: bad, run: throw, on_error: {mode: graceful}}
- {name: end, run: set done yes}
edges:
- {from: s, to: x, type: parallel, fan_in: join}
- {from: s, to: y, type: parallel, fan_in: join}
- {from: x, to: join}
- {from: y, to: join}
";

#[test]
fn a_run_goes_on_from_every_record() {
    let (end, records) = killed_at_every_record(EVERYTHING, r#"{"n": 0, "m": 0}"#);
    assert!(end.contains(r#""done":"yes""#) && records > 30, "{records} {end}");
}

/// Kills a run at each of its records, and resumes it: it ends in the same way. Returns its end, and how many records
/// there are.
pub(super) fn killed_at_every_record(text: &str, state: &str) -> (String, usize) {
    let whole = Rc::new(Shelf::default());
    let undisturbed = process(&whole);
    let expected = shown(&undisturbed.begin(text, state));
    let keys = undisturbed.script.keys.borrow().clone();
    let records = whole.revisions.get();
    let distinct: std::collections::BTreeSet<_> = keys.iter().collect();
    assert_eq!(
        distinct.len(),
        keys.len(),
        "each effect has a key of its own: {keys:?}"
    );

    for room in 1..records {
        let shelf = Rc::new(Shelf::default());
        shelf.room.set(Some(room));
        let killed = process(&shelf);
        assert!(shown(&killed.begin(text, state)).contains(r#""kind":"book""#));
        let before = killed.script.keys.borrow().clone();
        drop(killed);
        shelf.room.set(None);
        let second = process(&shelf);
        assert!(second.runs.list()[0].interrupted);
        let events = second.resume("r", text, "{}").unwrap();
        assert_eq!(shown(&events), expected, "killed after {room} records");
        // Whatever was done twice outside has the same key both times, and nothing was left out.
        let mut all = [before, second.script.keys.borrow().clone()].concat();
        all.sort();
        all.dedup();
        let mut wanted = keys.clone();
        wanted.sort();
        assert_eq!(all, wanted, "killed after {room} records");
        assert_eq!(second.runs.list()[0].status, Status::Ended);
    }
    (expected, records)
}

#[test]
fn what_each_node_met_is_in_the_records() {
    let shelf = Rc::new(Shelf::default());
    let done = process(&shelf);
    done.begin(EVERYTHING, r#"{"n": 0, "m": 0}"#);
    let checkpoints = done.runs.checkpoints("r").unwrap();
    let of = |node: &str| -> Vec<u64> {
        let own = checkpoints.iter();
        let own = own.filter(|one| one.what == "node" && one.node.as_deref() == Some(node));
        own.map(|one| one.number).collect()
    };
    let met = |node: &str, key: &str| -> Vec<Json> {
        let states = of(node)
            .into_iter()
            .map(|number| done.runs.met("r", number).unwrap());
        states
            .map(|state| state.get(key).cloned().unwrap_or_default())
            .collect()
    };
    assert_eq!(met("a", "n"), [Json::Int(0), Json::Int(11), Json::Int(22)]);
    // In a branch, and where branches meet.
    assert_eq!(met("x", "v"), [Json::Int(1)]);
    let results = met("join", "parallel_results");
    assert!(
        matches!(&results[..], [Json::Array(results)] if results.len() == 2),
        "{results:?}"
    );
    let first = done.runs.met("r", 1).unwrap_err();
    assert_eq!(first, "Checkpoint 1 of the run r is not the end of a node.");
}

#[test]
fn an_attempt_that_failed_is_not_made_again() {
    let text = "
language: prolog
nodes:
- {name: a, run: flaky, on_error: {mode: retry, max_retries: 5, base_delay: 1}}
";
    let shelf = Rc::new(Shelf::default());
    shelf.room.set(Some(3));
    let first = process(&shelf);
    first.script.throws_left.set(4);
    first.begin(text, "{}");
    drop(first);
    shelf.room.set(None);
    let second = process(&shelf);
    second.script.throws_left.set(1);
    let events = second.resume("r", text, "{}").unwrap();
    assert!(shown(&events).contains(r#""ok":true"#));
    // Two attempts are recorded, so the wait is the delay after the third.
    assert_eq!(*second.script.slept.borrow(), [4_000]);
}

const WAITS: &str = "
language: prolog
nodes:
- {name: a, run: set x 1}
- {name: b, run: add x 1, interrupt: before}
- {name: c, run: add x 10}
";

#[test]
fn a_run_that_waits_is_resumed_with_what_somebody_said() {
    let shelf = Rc::new(Shelf::default());
    assert!(shown(&process(&shelf).begin(WAITS, "{}")).contains(r#""type":"interrupt""#));
    let listed = process(&shelf).runs.list();
    assert_eq!(
        (listed[0].status, listed[0].node.as_deref()),
        (Status::Waiting, Some("b"))
    );
    let last = shown(&process(&shelf).resume("r", WAITS, r#"{"x": 5}"#).unwrap());
    assert!(last.contains(r#""x":16"#), "{last}");
    // A finished run reports how it ended, and does nothing again.
    let records = shelf.revisions.get();
    assert!(shown(&process(&shelf).resume("r", WAITS, "{}").unwrap()).contains(r#""x":16"#));
    assert_eq!(shelf.revisions.get(), records);
}

#[test]
fn a_fork_goes_on_from_a_checkpoint_and_leaves_the_run_as_it_is() {
    let shelf = Rc::new(Shelf::default());
    process(&shelf).begin(WAITS, "{}");
    process(&shelf).resume("r", WAITS, "{}").unwrap();
    let runs = process(&shelf).runs;
    let before = runs.checkpoints("r").unwrap();
    let node_a = before
        .iter()
        .find(|checkpoint| checkpoint.node.as_deref() == Some("a"));
    block_on(runs.fork("r", node_a.unwrap().number, "f".into(), 5)).unwrap();
    let events = process(&shelf).resume("f", WAITS, r#"{"x": 100}"#).unwrap();
    assert!(shown(&events).contains(r#""type":"interrupt""#));
    assert!(shown(&process(&shelf).resume("f", WAITS, "{}").unwrap()).contains(r#""x":111"#));
    assert_eq!(runs.checkpoints("r").unwrap(), before);
    assert_eq!(
        runs.list()[0].from,
        Some(Origin {
            run: "r".to_owned(),
            checkpoint: node_a.unwrap().number,
        })
    );
    let told = runs.load("r", Some(99)).err().unwrap();
    assert!(told.contains("no checkpoint 99: there are 1 to"), "{told}");
}

#[test]
fn of_two_processes_that_resume_a_run_one_goes_on_and_the_other_is_told() {
    let shelf = Rc::new(Shelf::default());
    process(&shelf).begin(WAITS, "{}");
    let resumed = |updates: &str| {
        let process = process(&shelf);
        let workflow = Rc::new(load(WAITS, &installed()).unwrap());
        let kept = process.runs.load("r", None).unwrap();
        let ledger = process.runs.resume("r", &kept, &workflow, WAITS).unwrap();
        let begin = resumed(kept.thread, None, serde_json::from_str(updates).unwrap());
        let run = Run::new(workflow, means(&process.script), "r".into(), Some(ledger), begin);
        (process, run)
    };
    let (one, first) = resumed(r#"{"x": 5}"#);
    let (other, second) = resumed(r#"{"x": 50}"#);
    // The second is stopped before it does anything; the first runs to its end.
    assert!(block_on(first.next()).is_some());
    let told = shown(&other.all(second));
    assert!(
        told.contains("Another process has resumed the run r") && told.contains(r#""kind":"book""#),
        "{told}"
    );
    assert!(shown(&one.all(first)).contains(r#""x":16"#));
    let records = shelf.revisions.get();
    // A run that another process has begun cannot be begun again.
    let workflow = load(WAITS, &installed()).unwrap();
    let told = process(&shelf)
        .runs
        .begin("r", &workflow, WAITS, 0)
        .err()
        .unwrap();
    assert!(told.contains("There is a run 'r' already"), "{told}");
    assert_eq!(shelf.revisions.get(), records);
}

#[test]
fn a_changed_text_resumes_where_it_agrees() {
    let shelf = Rc::new(Shelf::default());
    process(&shelf).begin(WAITS, "{}");
    let departs = process(&shelf).resume("r", &WAITS.replace("set x 1", "set x 2"), "{}");
    assert_eq!(
        departs.unwrap_err(),
        "The text departs from the run at checkpoint 2: node 'a' was changed. Go on from checkpoint 1, or with the \
         text that the run has."
    );
    let gone = process(&shelf).resume("r", &WAITS.replace("name: b", "name: bb"), "{}");
    assert!(
        gone.unwrap_err().contains("node 'a' was changed"),
        "its edge goes elsewhere"
    );
    let agrees = WAITS.replace("add x 10", "add x 1000");
    assert!(shown(&process(&shelf).resume("r", &agrees, "{}").unwrap()).contains(r#""x":1002"#));
    assert_eq!(process(&shelf).runs.text("r").unwrap(), agrees);
    let shared = format!("variables: {{v: 1}}\n{agrees}");
    let told = process(&shelf).resume("r", &shared, "{}").unwrap_err();
    assert!(
        told.contains("at checkpoint 2: what all nodes share was changed"),
        "{told}"
    );
}

#[test]
fn pruning_leaves_the_rest_resumable() {
    let shelf = Rc::new(Shelf::default());
    let state = r#"{"n": 0, "m": 0}"#;
    let expected = shown(&process(&shelf).begin(EVERYTHING, state));
    let records = process(&shelf).runs.checkpoints("r").unwrap().len();
    for room in [5, records / 2, records - 2] {
        for keep in [1, 3] {
            let shelf = Rc::new(Shelf::default());
            shelf.room.set(Some(room));
            process(&shelf).begin(EVERYTHING, state);
            shelf.room.set(None);
            let runs = process(&shelf).runs;
            assert_eq!(block_on(runs.prune("r", keep)), Ok(room as u64 - keep));
            assert_eq!(runs.checkpoints("r").unwrap().len() as u64, keep);
            assert_eq!(
                shown(&process(&shelf).resume("r", EVERYTHING, "{}").unwrap()),
                expected
            );
        }
    }
    let runs = process(&shelf).runs;
    block_on(runs.forget("r")).unwrap();
    assert!(shelf.cells.borrow().is_empty());
    assert!(runs.text("r").unwrap_err().contains("This book keeps no runs."));
}

#[test]
fn a_book_finds_in_a_header_which_text_the_run_has() {
    let shelf = Rc::new(Shelf::default());
    process(&shelf).begin(WAITS, "{}");
    let header = shelf.cell(&workflow_room::header_key("r")).unwrap();
    let texts = shelf.cells(&workflow_room::text_key(""));
    let [(key, _)] = &*texts else {
        panic!("a run has one text: {texts:?}")
    };
    let hash = key.strip_prefix(&workflow_room::text_key("")).unwrap();
    assert!(workflow_room::has_text(&header, hash), "{header}");
    assert!(!workflow_room::has_text(&header, &hash[1..]), "{header}");
}

#[test]
fn a_run_has_one_who_runs_it() {
    let shelf = Rc::new(Shelf::default());
    let workflow = load(WAITS, &installed()).unwrap();
    let runs = process(&shelf).runs;
    let live = runs.begin("r", &workflow, WAITS, 0).unwrap();
    assert!(
        runs.begin("r", &workflow, WAITS, 0)
            .err()
            .unwrap()
            .contains("is already running")
    );
    assert!(
        block_on(runs.prune("r", 1))
            .unwrap_err()
            .contains("is still running")
    );
    drop(live);
    assert!(
        runs.begin("r r", &workflow, WAITS, 0)
            .err()
            .unwrap()
            .contains("'r r'")
    );
}

#[test]
fn a_record_of_a_node_is_as_large_as_what_it_changed() {
    let rounds = 1_000;
    let text = "
language: prolog
nodes:
- {name: a, run: add n 1}
- {name: b, goto: [{if: 'state.n < 1000', to: a}, {to: __end__}]}
";
    let shelf = Rc::new(Shelf::default());
    let big = format!(r#"{{"n": 0, "text": "{}"}}"#, "x".repeat(100_000));
    process(&shelf).begin(text, &big);
    let cells = shelf.cells.borrow();
    let sizes: Vec<usize> = cells
        .iter()
        .filter(|(key, _)| key.starts_with("record/r/"))
        .map(|(_, value)| value.len())
        .collect();
    assert!(sizes.len() > 2 * rounds && sizes[0] > 100_000);
    assert!(
        sizes[1..].iter().all(|size| *size < 120),
        "{:?}",
        sizes.iter().skip(1).max()
    );
}

fn json() -> impl Strategy<Value = Json> {
    let leaf = prop_oneof![
        Just(Json::Null),
        any::<bool>().prop_map(Json::Bool),
        any::<i64>().prop_map(Json::Int),
        "-?[1-9][0-9]{20,40}".prop_map(|digits| Json::integer(&digits).unwrap()),
        any::<f64>()
            .prop_filter("finite", |number| number.is_finite())
            .prop_map(Json::Float),
        "\\PC{0,6}".prop_map(Json::Text),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Json::Array),
            object(inner).prop_map(Json::Object),
        ]
    })
}

fn object(value: impl Strategy<Value = Json>) -> impl Strategy<Value = Object> {
    prop::collection::btree_map(
        prop_oneof!["[ab$]", Just("$integer".to_owned()), Just("$object".to_owned())],
        value,
        0..4,
    )
}

proptest! {
    #[test]
    fn what_is_written_is_read_again(value in json()) {
        let text = serde_json::to_string(&value).unwrap();
        prop_assert_eq!(serde_json::from_str::<Json>(&text).unwrap(), value);
    }

    #[test]
    fn a_difference_makes_one_the_other(before in object(json()), after in object(json())) {
        let written = serde_json::to_string(&Difference::between(&before, &after)).unwrap();
        let mut state = before.clone();
        serde_json::from_str::<Difference>(&written).unwrap().apply(&mut state);
        prop_assert_eq!(&state, &after);

        let gave = serde_json::to_string(&Gave::of(&before, &after)).unwrap();
        let gave: Gave = serde_json::from_str(&gave).unwrap();
        prop_assert_eq!(gave.updates(&before), after.clone());
        let mut merged = before.clone();
        gave.apply(&mut merged);
        let mut expected = before;
        expected.extend(after);
        prop_assert_eq!(merged, expected);
    }
}

const IN_BOOK: &str = "
language: prolog
nodes:
- {name: a, book: true, run: one}
- name: b
  steps:
  - {name: s, book: true, run: two}
  - {name: t, run: add x 1}
- {name: c, book: true, run: bad, on_error: {mode: graceful}}
";

#[test]
fn what_a_node_does_to_the_book_is_kept_with_its_record() {
    let whole = Rc::new(Shelf::default());
    let state = r#"{"x": 0}"#;
    let expected = shown(&process(&whole).begin(IN_BOOK, state));
    assert!(expected.contains(r#""message":"bad""#), "{expected}");
    for room in 1..whole.revisions.get() {
        let shelf = Rc::new(Shelf::default());
        shelf.room.set(Some(room));
        process(&shelf).begin(IN_BOOK, state);
        let facts = shelf.cells("fact/").len();
        let done = process(&shelf).runs.checkpoints("r").unwrap();
        let done = done
            .iter()
            .filter(|record| matches!(record.node.as_deref(), Some("a" | "b.s")));
        assert_eq!(facts, done.count(), "after {room} records");
        shelf.room.set(None);
        let events = process(&shelf).resume("r", IN_BOOK, "{}").unwrap();
        assert_eq!(shown(&events), expected, "after {room} records");
    }
}

#[test]
fn a_state_that_does_not_fit_keeps_a_node_out_of_the_book() {
    let text = "
language: prolog
state_schema: {v: str}
nodes:
- {name: a, book: true, run: one}
";
    let shelf = Rc::new(Shelf::default());
    let events = shown(&process(&shelf).begin(text, "{}"));
    assert!(events.contains("'v' of the state must be"), "{events}");
    assert!(shelf.cells("fact/").is_empty());
}

const IN_OTHER_BOOK: &str = "
language: prolog
book: stock
nodes:
- {name: a, run: one}
- {name: b, book: false, run: add x 1}
- {name: c, steps: [{name: s, run: two}, {name: t, book: false, run: add x 1}]}
- {name: d, run: one, goto: [{if: 'state.x < 5', to: a}, {to: __end__}]}
";

/// Like [`Process::begin`], or resume if the run has begun; with the book `stock`.
fn with_stock(runs: &Rc<Shelf>, stock: &Rc<Shelf>, text: &str) -> Result<String, String> {
    let process = process(runs);
    let own = Runs::new(stock.clone());
    process.script.books.borrow_mut().insert("stock".into(), own);
    let books = Some(vec!["stock".to_owned()]);
    let workflow = load(text, &Installed { books, ..installed() }).map_err(|fault| fault.to_string())?;
    let (ledger, begin) = match process.runs.load("r", None) {
        Ok(kept) => {
            let ledger = process.runs.resume("r", &kept, &workflow, text)?;
            let (path, did) = kept.resumed(None, &Object::new(), &workflow)?;
            let thread = Box::new(kept.thread);
            (ledger, Begin::Resume { thread, path, did })
        }
        Err(_) => {
            let ledger = process.runs.begin("r", &workflow, text, 0)?;
            (ledger, Begin::Start([("x".to_owned(), Json::Int(0))].into()))
        }
    };
    Ok(shown(&process.all(Run::new(
        Rc::new(workflow),
        means(&process.script),
        "r".into(),
        Some(ledger),
        begin,
    ))))
}

#[test]
fn what_a_node_does_to_another_book_happens_once() {
    let (runs, stock) = (Rc::new(Shelf::default()), Rc::new(Shelf::default()));
    let expected = with_stock(&runs, &stock, IN_OTHER_BOOK).unwrap();
    assert!(expected.contains(r#""type":"final""#), "{expected}");
    let (in_runs, in_stock) = (runs.revisions.get(), stock.revisions.get());
    assert_eq!(in_stock, 9, "three nodes, three times");
    // One of the books stops accepting revisions at some point, as if the process were killed.
    for (room, full_runs) in (1..in_runs)
        .map(|room| (room, true))
        .chain((1..in_stock).map(|room| (room, false)))
    {
        let (runs, stock) = (Rc::new(Shelf::default()), Rc::new(Shelf::default()));
        let full = if full_runs { &runs } else { &stock };
        full.room.set(Some(room));
        with_stock(&runs, &stock, IN_OTHER_BOOK).unwrap();
        full.room.set(None);
        let ended = with_stock(&runs, &stock, IN_OTHER_BOOK).unwrap();
        assert_eq!(ended, expected, "after {room} ({full_runs})");
        assert_eq!(stock.revisions.get(), in_stock, "after {room} ({full_runs})");
    }
}

#[test]
fn no_names_make_the_keys_of_other_nodes() {
    let text = "
language: prolog
book: stock
nodes:
- {name: a, type: workflow, output: r, run: {nodes: [{name: b, run: one}]}}
- {name: a/1/b, run: two}
- {name: c, steps: [{name: s, run: one}]}
- {name: c.s, run: two}
- {name: d, run: one, goto: 'd#2'}
- {name: 'd#2', run: two, goto: [{if: 'state.again', to: __end__}, {to: again}]}
- {name: again, book: false, run: set again yes, goto: d}
";
    let (runs, stock) = (Rc::new(Shelf::default()), Rc::new(Shelf::default()));
    let end = with_stock(&runs, &stock, text).unwrap();
    assert!(end.contains(r#""type":"final""#), "{end}");
    assert_eq!(stock.revisions.get(), 8);
    let keys: Vec<String> = stock.cells("effect/").into_iter().map(|(key, _)| key).collect();
    for key in [
        "effect/r/a/1/b",
        "effect/r/a%2F1%2Fb",
        "effect/r/d#2",
        "effect/r/d%232#2",
    ] {
        assert!(keys.iter().any(|known| known == key), "{key} in {keys:?}");
    }
    let shown = process(&runs).runs.checkpoints("r").unwrap();
    assert!(shown.iter().any(|one| one.node.as_deref() == Some("a/1/b")));
}

#[test]
fn a_book_that_is_not_there_is_told_when_the_text_is_loaded() {
    let shelf = Rc::new(Shelf::default());
    let text = "language: prolog\nnodes:\n- {name: a, book: stck, run: one}\n";
    let wrong = with_stock(&shelf, &shelf, text).unwrap_err();
    assert_eq!(
        wrong,
        "line 3, column 18: Node 'a' uses the book 'stck', which does not exist. Did you mean 'stock'?"
    );
}

#[test]
fn records_without_reducers_and_workflows_within_nodes_are_as_they_were() {
    for old in [
        r#"{"at_ms":1,"branch":[0,1],"did":{"joined":{"results":[]}}}"#,
        r#"{"at_ms":1,"did":{"step":{"path":"a.b","gave":{}}}}"#,
        r#"{"at_ms":1,"did":{"node":{"node":"a","gave":{}}}}"#,
    ] {
        let record: crate::state::Record = serde_json::from_str(old).unwrap();
        assert_eq!(serde_json::to_string(&record).unwrap(), old);
    }
}
