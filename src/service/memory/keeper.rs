//! A memory in the book of a workspace. Its records are cells, so they are stored, undone and announced like
//! clauses.

use std::rc::{Rc, Weak};

use futures::FutureExt;
use futures::future::LocalBoxFuture;
use hornbook_base::{Clock, Control, Fault, Pace};
use hornbook_book::{Book, CellChange, Predicate};
use hornbook_engine::protocol::{Bounds, seconds};
use hornbook_memory::{
    self as remembered, Change, Desk, Embed, HalfLives, Inferred, Keeper, Memory, Others, Plan, Question,
    Rule, Rules,
};
use hornbook_workspace::{Asked, CellEdit, CellValue, Facts, Objectors, Workspace};
use serde_json::Value;

/// The name of the memory's cells.
const ROOM: &str = "memory";

/// Open the memory in this workspace's book. It follows undo and the changes of others. `crossref` searches
/// `others`; with the vectors of `embed`, recall finds what is worded differently.
pub fn open(
    workspace: &Workspace,
    clock: Rc<dyn Clock>,
    new_id: impl Fn() -> String + 'static,
    half_lives: HalfLives,
    others: Option<Rc<dyn Others>>,
    embed: Option<Rc<dyn Embed>>,
) -> Rc<Desk> {
    let mut memory = Memory::new(half_lives);
    for (key, value) in workspace.cells(ROOM) {
        // A record of a later version stays in the book, but is not visible.
        let _ = memory.load(&key, &value);
    }
    let keeper = Rc::new(Kept(workspace.clone()));
    let desk = Rc::new(Desk::new(memory, keeper, clock, new_id, others, embed));
    let follower: Weak<Desk> = Rc::downgrade(&desk);
    workspace.on_cells(
        ROOM,
        Rc::new(move |changes| {
            if let Some(desk) = follower.upgrade() {
                let changes: Vec<Change> = changes.iter().map(change).collect();
                desk.take(&changes);
            }
        }),
    );
    desk
}

/// The memory in a book that does not change.
pub async fn of_book(book: &Book, half_lives: HalfLives, pace: &Pace) -> Memory {
    let mut memory = Memory::new(half_lives);
    for (key, value) in book.cells_of(ROOM) {
        let _ = memory.load(key, value);
        if pace.is_over(1) {
            pace.rest().await;
        }
    }
    memory
}

/// Make the memory known as facts to engines that hold this workspace's book.
pub fn facts(workspace: &Workspace, clock: Rc<dyn Clock>, half_lives: HalfLives) {
    let objectors = ["kn_refuse", "kn_warn", "kn_functional"].map(|name| Predicate {
        name: name.into(),
        arity: 1,
    });
    let facts = MemoryFacts { clock, half_lives };
    workspace.on_facts(ROOM, Rc::new(facts), Some(Rc::new(MemoryRules(objectors))));
}

struct MemoryFacts {
    clock: Rc<dyn Clock>,
    half_lives: HalfLives,
}

/// The rules that may object to a change of the memory.
struct MemoryRules([Predicate; 3]);

impl Facts for MemoryFacts {
    fn tell<'c>(&self, cells: &'c [CellValue], new: bool) -> Box<dyn Iterator<Item = String> + 'c> {
        let records: Vec<(&str, Option<&str>)> = cells
            .iter()
            .map(|(key, value)| (&**key, value.as_deref()))
            .collect();
        let request = remembered::tell(&records, new, &self.half_lives, self.clock.now_ms());
        Box::new(std::iter::once(request))
    }
}

impl Objectors for MemoryRules {
    fn predicates(&self) -> &[Predicate] {
        &self.0
    }

    fn objections(&self, asked: Asked<'_>, bounds: Bounds) -> String {
        let Bounds { take, soft_ms, next } = bounds;
        let seconds = seconds(soft_ms);
        let when = match asked {
            Asked::After(cells) => {
                let records = cells
                    .iter()
                    .filter_map(|(key, value)| Some((&**key, value.as_deref()?)));
                format!("after({})", remembered::edges(records))
            }
            Asked::Before => "before".to_owned(),
        };
        format!(
            "memory_objections({when},{seconds},{take},{},{})",
            next.last, next.first
        )
    }
}

struct Kept(Workspace);

impl Keeper for Kept {
    fn edit(
        &self,
        operation: String,
        mut plan: Plan,
        control: Control,
    ) -> LocalBoxFuture<'static, Result<Vec<String>, Fault>> {
        let workspace = self.0.clone();
        async move {
            let plan = move || {
                let cells = plan()
                    .into_iter()
                    .map(|change| (change.key, change.after.as_ref().map(Value::to_string)));
                let edit = CellEdit {
                    action: operation.clone(),
                    cells: cells.collect(),
                };
                (edit, ())
            };
            let ((), warnings) = workspace.edit_cells(ROOM, &control, plan).await?;
            Ok(warnings)
        }
        .boxed_local()
    }

    fn record_after(&self, key: &str) -> Option<(String, String)> {
        self.0.cell_after(ROOM, key)
    }

    fn infer(
        &self,
        question: Question,
        control: Control,
    ) -> LocalBoxFuture<'static, Result<(Inferred, Rules), Fault>> {
        let workspace = self.0.clone();
        async move {
            let request = |bounds: Bounds| question.request(bounds);
            let inferred: Inferred = workspace.ask_taken_back(request, &control).await?;
            let clauses = workspace.proof_clauses(inferred.clauses().into_iter());
            let rules = clauses.into_iter().filter_map(|(id, clause)| {
                let from = match (&clause.filename, clause.line) {
                    (Some(name), Some(line)) => format!("{name}:{line}"),
                    _ => clause.origin.to_string(),
                };
                let rule = Rule {
                    text: clause.text,
                    from,
                };
                Some((id.parse().ok()?, rule))
            });
            Ok((inferred, rules.collect()))
        }
        .boxed_local()
    }
}

fn change(cell: &CellChange) -> Change {
    Change {
        key: cell.key.to_string(),
        before: cell.before.as_deref().and_then(read),
        after: cell.after.as_deref().and_then(read),
    }
}

/// The book keeps the JSON it was given.
fn read(text: &str) -> Option<Value> {
    serde_json::from_str(text).ok()
}
