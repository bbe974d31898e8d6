//! Tells engines the facts that cells are, and asks whether rules of the book object to a change of them.

use std::rc::Rc;

use super::constraints::Verdict;
use super::constraints::known::Met;
use super::edit::Edit;
use super::facts::{Asked, CellValue, FactRoom, Facts, Objectors};
use super::request::Watch;
use super::turn::Turn;
use super::{Inner, Workspace, believed, changes};
use hornbook_base::{Control, Fault, FaultKind};
use hornbook_book::Predicate;
use hornbook_engine::EngineProcess;
use hornbook_engine::protocol::Bounds;
use hornbook_engine::reply::{BadReply, Done, Parts, Reply, Reverting, TakenBack, TakenBackControl};

/// What the book's rules object to, a sentence each.
#[derive(Debug, Default)]
pub struct Objections {
    refused: Vec<String>,
    warned: Vec<String>,
    /// Warnings that are told if they are new: after the change, some that may be, and before it those that are.
    new: Vec<String>,
    taken_back: TakenBack,
}

impl Reply for Objections {
    type Control = TakenBackControl;

    fn assemble(control: TakenBackControl, parts: &mut Parts<'_>) -> Result<Self, BadReply> {
        Ok(Objections {
            refused: parts.take()?,
            warned: parts.take()?,
            new: parts.take()?,
            taken_back: TakenBack::assemble(control, parts)?,
        })
    }
}

impl Reverting for Objections {
    fn taken_back(&mut self) -> &mut TakenBack {
        &mut self.taken_back
    }
}

impl Objections {
    fn is_empty(&self) -> bool {
        self.refused.is_empty() && self.warned.is_empty() && self.new.is_empty()
    }

    /// Only the objections that are not in `before`.
    fn new_since(mut self, before: Objections) -> Objections {
        self.refused.retain(|one| !before.refused.contains(one));
        self.warned.retain(|one| !before.warned.contains(one));
        self.warned.extend(before.new);
        self
    }
}

/// The most messages of each kind that are reported for one change.
const OBJECTIONS: usize = 20;
/// The most cells in one request, and about how many bytes they may have.
const TOLD_AT_ONCE: usize = 1_000;
const TOLD_BYTES: usize = 1 << 20;

/// The facts of a room, and what may object to a change of them.
pub(super) struct Objecting {
    facts: Rc<FactRoom>,
    /// `None` if the book has no clauses for them.
    objectors: Option<Rc<dyn Objectors>>,
}

impl Workspace {
    /// From now on, engines know the cells of the room as these facts, to whose changes `objectors` may object.
    pub fn on_facts(&self, room: &str, facts: Rc<dyn Facts>, objectors: Option<Rc<dyn Objectors>>) {
        let room = Rc::new(FactRoom::new(room, facts, objectors));
        self.0.rooms.add_facts(room);
    }

    /// Ask an engine that knows book and facts to run goals whose changes are undone. `request` is given the
    /// time they may take.
    pub async fn ask_taken_back<T: Reverting>(
        &self,
        request: impl FnOnce(Bounds) -> String,
        control: &Control,
    ) -> Result<T, Fault> {
        let turn = self.0.turn(control).await?;
        turn.ask_taken_back(request, control).await
    }
}

/// Cells for one request each.
fn portions(mut cells: &[CellValue]) -> impl Iterator<Item = &[CellValue]> {
    let size = |(key, value): &CellValue| key.len() + value.as_ref().map_or(0, |value| value.len());
    std::iter::from_fn(move || {
        let mut bytes = 0;
        let mut fits = |cell: &CellValue| {
            let is_first = bytes == 0;
            bytes += size(cell) + 1;
            is_first || bytes <= TOLD_BYTES
        };
        let count = cells
            .iter()
            .take(TOLD_AT_ONCE)
            .take_while(|cell| fits(cell))
            .count();
        let portion = cells.split_off(..count)?;
        (!portion.is_empty()).then_some(portion)
    })
}

impl Inner {
    /// The facts of the room, if the book has clauses or constraints that may object to them.
    pub(super) fn objecting(&self, room: &str) -> Option<Objecting> {
        let facts = self.rooms.facts_of(room)?;
        let book = self.book.borrow();
        let objects = |predicate: &Predicate| book.standing(predicate).clauses > 0;
        let objectors = facts.objectors.clone();
        let objectors = objectors.filter(|objectors| objectors.predicates().iter().any(objects));
        let objects = objectors.is_some() || book.constraints().next().is_some();
        objects.then_some(Objecting { facts, objectors })
    }
}

impl<'a> Turn<'a> {
    async fn ask_taken_back<T: Reverting>(
        &self,
        request: impl FnOnce(Bounds) -> String,
        control: &Control,
    ) -> Result<T, Fault> {
        let workspace = self.workspace;
        let soft_ms = workspace.timeout_ms;
        let bounds = Bounds {
            take: OBJECTIONS,
            soft_ms,
            next: self.next_ids(),
        };
        let believe = |mut reply: T| {
            believed::reloaded(&workspace.book.borrow(), &reply.taken_back().reload)?;
            Ok(reply)
        };
        let watch = Watch::goal("query", soft_ms, control);
        let (mut reply, edit) = self.step(request(bounds), watch, believe).await?;
        let taken_back = std::mem::take(reply.taken_back());
        if changes::give_back(self, &taken_back.reload).await? {
            edit.keep();
        }
        match taken_back.error {
            Some(error) => Err(self.fault_of(error)),
            None => Ok(reply),
        }
    }

    /// Bring the engine's facts up to date for the cells of all rooms.
    pub(super) async fn tell_facts(&self, engine: &Rc<dyn EngineProcess>) -> Result<(), Fault> {
        self.workspace.roots.find_first().await;
        for room in self.workspace.rooms.facts() {
            let pending = room.pending_for(engine);
            let new = pending.is_none();
            let cells = match pending {
                Some(pending) => pending,
                // Changes made while it is being told are pending.
                None => {
                    room.is_told(engine);
                    room.all(&self.workspace.book.borrow())
                }
            };
            self.tell(&room, &cells, new).await?;
        }
        Ok(())
    }

    /// An engine that does not accept the facts is discarded.
    async fn tell(&self, room: &FactRoom, cells: &[CellValue], new: bool) -> Result<(), Fault> {
        for cells in portions(cells) {
            for request in room.facts.tell(cells, new) {
                if let Err(fault) = self.ask::<Done>(request, Watch::short("load")).await {
                    self.renew();
                    return Err(fault);
                }
            }
        }
        Ok(())
    }

    /// Tell the engine these values, which are not in the book yet, unless a rule or a constraint of the book
    /// refuses them. Returns the warnings of the rules, what the constraints say, and the edit that the book is to
    /// follow.
    pub(super) async fn objections(
        &self,
        objecting: &Objecting,
        cells: &[CellValue],
        control: &Control,
    ) -> Result<(Edit<'_>, Vec<String>, Met), Fault> {
        let room = &objecting.facts;
        self.await_engine(control).await?;
        let edit = self.edit();
        self.tell(room, cells, false).await?;
        let asked = self.objected(objecting, Asked::After(cells), control).await;
        let verdict = match &asked {
            Ok(_) => self.verdict_of_facts().await.unwrap_or_else(Verdict::Refused),
            Err(_) => Verdict::Met(Met::default()),
        };
        if let (Ok(objections), Verdict::Met(_)) = (&asked, &verdict)
            && objections.is_empty()
        {
            return Ok((edit, Vec::new(), verdict.into_met()?));
        }
        // An objection that stood before the change does not count against it.
        let before: Vec<CellValue> = {
            let book = self.workspace.book.borrow();
            let value = |key: &Rc<str>| book.cell(&room.name, key).map(Rc::from);
            cells.iter().map(|(key, _)| (key.clone(), value(key))).collect()
        };
        if self.has_engine() {
            self.tell(room, &before, false).await?;
        }
        let objections = match asked {
            Ok(objections) if objections.is_empty() => objections,
            Ok(objections) => objections.new_since(self.objected(objecting, Asked::Before, control).await?),
            Err(fault) => {
                edit.keep();
                let message = format!("The rules that check the memory failed: {}", fault.message);
                return Err(Fault { message, ..fault });
            }
        };
        if !objections.refused.is_empty() {
            edit.keep();
            let message = format!("A rule refuses this: {}", objections.refused.join("; "));
            return Err(Fault::new(FaultKind::PermissionError, message));
        }
        let verdict = match verdict {
            Verdict::Open(open) => self.closed(open).await,
            verdict => verdict,
        };
        let met = match verdict.into_met() {
            Ok(met) => met,
            Err(fault) => {
                if self.has_engine() {
                    edit.keep();
                }
                return Err(fault);
            }
        };
        self.tell(room, cells, false).await?;
        Ok((edit, objections.warned, met))
    }

    /// What the rules of the book object to the facts that the engine knows.
    async fn objected(
        &self,
        objecting: &Objecting,
        asked: Asked<'_>,
        control: &Control,
    ) -> Result<Objections, Fault> {
        match &objecting.objectors {
            Some(objectors) => {
                self.ask_taken_back(|bounds| objectors.objections(asked, bounds), control)
                    .await
            }
            None => Ok(Objections::default()),
        }
    }
}
