//! The constraints of the book: goals that must have no answer. Before a change that the engine has made is
//! recorded, the constraints that can see it are asked; a new violation refuses the whole change.

mod judge;
pub(super) mod known;
pub(super) mod touch;

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

pub(super) use judge::COULD_NOT;

use super::request::Watch;
use super::turn::Turn;
use super::types::{Notice, Proof};
use super::{Inner, Workspace};
use hornbook_base::{Control, Fault, FaultKind, cut};
use hornbook_book::lexer::Lexer;
use hornbook_book::{Entry, EntryId, Origin, Revision};
use hornbook_engine::protocol::{self, Bounds, NextIds};
use hornbook_engine::reply::{BadReply, MayAsk, Reach, Reaches, Violated, Violation, Violations};
use judge::{Answered, Asked, FIX, judged};
use known::{Met, Standing, State, States};
use touch::Touch;

/// The most violations of one constraint that are compared. Of a constraint with more, new ones are not noticed.
const MOST: usize = 1_000;
/// How many new violations are shown with their proofs, and how many lines of each proof.
const SHOWN: usize = 3;
const PROOF_LINES: usize = 12;
const LINE_CHARS: usize = 160;
/// How many characters of a constraint name it where no file does.
const NAME_CHARS: usize = 80;

/// How the constraints judge a change.
pub(super) enum Verdict {
    Met(Met),
    Refused(Fault),
    /// It depends on what violated them before the change.
    Open(Open),
}

impl Verdict {
    /// What they say if they do not refuse the change. Call it once the verdict is not open.
    pub fn into_met(self) -> Result<Met, Fault> {
        match self {
            Verdict::Met(met) => Ok(met),
            Verdict::Refused(fault) => Err(fault),
            Verdict::Open(_) => unreachable!("it was compared"),
        }
    }
}

/// What constraints said of a change, to be compared with what they say without it.
pub(super) struct Open(Vec<Answered>);

/// A constraint of the book, as it is listed.
#[derive(Debug, Clone, PartialEq)]
pub struct ConstraintInfo {
    /// The directive.
    pub text: String,
    /// The file that has it, and the line.
    pub place: Option<(String, usize)>,
    /// It only warns.
    pub warns: bool,
    /// The messages of what violates it now.
    pub violated: Vec<String>,
    /// Why they are not all known: the error of its goal.
    pub error: Option<String>,
}

impl Workspace {
    /// The constraints of the book, and what violates them now.
    pub async fn constraints(&self, control: &Control) -> Result<Vec<ConstraintInfo>, Fault> {
        if self.0.book.borrow().constraints().next().is_none() {
            return Ok(Vec::new());
        }
        self.0.wait(control).await?.constraints(control).await
    }
}

impl Turn<'_> {
    /// The constraints of the book, and what violates them now.
    pub(super) async fn constraints(&self, control: &Control) -> Result<Vec<ConstraintInfo>, Fault> {
        let workspace = self.workspace;
        if workspace.book.borrow().constraints().next().is_none() {
            return Ok(Vec::new());
        }
        self.await_engine(control).await?;
        let asked = workspace.asked(None, |state| state.standing.is_none());
        if !asked.is_empty() {
            let answered = self.answered(asked, None, |_| true).await?;
            let states = answered.iter().map(Answered::state);
            workspace.rooms.constraints.learn(states);
        }
        let book = workspace.book.borrow();
        let info = |(id, entry): (EntryId, &Entry)| {
            let state = workspace.rooms.constraints.state(id);
            let standing = state.standing.unwrap_or_default();
            ConstraintInfo {
                text: entry.code().to_owned(),
                place: place(entry),
                warns: entry.predicate().arity == 3,
                violated: standing.messages.into_iter().collect(),
                error: standing.error.or(standing.unknown),
            }
        };
        Ok(book.constraints().map(info).collect())
    }

    /// Whether a constraint can see this change, as far as is known what each depends on.
    pub(super) fn is_constrained(&self, change: &Revision) -> bool {
        let touch = Touch::of(change, self.workspace.rooms.has_facts(change));
        let sees = |state: &State| state.reach.as_ref().is_none_or(|reach| touch.meets(reach));
        !self.workspace.asked(None, sees).is_empty()
    }
}

fn place(entry: &Entry) -> Option<(String, usize)> {
    match &entry.source().origin {
        Origin::File(name) => Some((name.to_string(), entry.line())),
        Origin::Inline | Origin::Run => None,
    }
}

/// How messages call a constraint.
fn name_of(entry: &Entry) -> String {
    match place(entry) {
        Some((file, line)) => format!("the constraint in {file}:{line}"),
        None => {
            let code = entry.code().trim_start_matches(":-").trim_start();
            cut(code.strip_suffix('.').unwrap_or(code), NAME_CHARS)
        }
    }
}

/// The tokens of a directive, without the last period, which may be missing.
fn tokens(text: &str) -> Vec<&str> {
    let tokens = Lexer::new(text).map(|token| &text[token.start..token.end]);
    let mut tokens: Vec<&str> = tokens.collect();
    tokens.pop_if(|last| *last == ".");
    tokens
}

impl Inner {
    /// What the revision with this number touches; nothing if there is none.
    pub(super) fn touch_of(&self, number: u64) -> Touch {
        let book = self.book.borrow();
        let revision = book.get_revision(number);
        let touch = revision.map(|revision| Touch::of(revision, self.rooms.has_facts(revision)));
        touch.unwrap_or_default()
    }

    /// The first constraint that reads so, without regard to layout, and is not in `gone`.
    pub(super) fn constraint_by_text(&self, text: &str, gone: &BTreeSet<EntryId>) -> Option<EntryId> {
        let wanted = tokens(text);
        let book = self.book.borrow();
        let mut constraints = book.constraints().filter(|(id, _)| !gone.contains(id));
        let found = constraints.find(|(_, entry)| tokens(entry.code()) == wanted);
        found.map(|(id, _)| id)
    }

    /// The constraints of the book, and those that `ahead` brings, whose states are as wanted. Those that `ahead`
    /// brings are always among them.
    fn asked(&self, ahead: Option<&Revision>, wanted: impl Fn(&State) -> bool) -> Vec<Asked> {
        let book = self.book.borrow();
        let goes = |id: EntryId| {
            ahead.is_some_and(|ahead| ahead.removed.binary_search_by_key(&id, |(id, _)| *id).is_ok())
        };
        let one = |id, entry: &Entry, was: Option<EntryId>| Asked {
            id,
            name: name_of(entry),
            warns: entry.predicate().arity == 3,
            is_new: was.is_none(),
            was: was.unwrap_or(id),
            before: was
                .map(|was| self.rooms.constraints.state(was).later())
                .unwrap_or_default(),
        };
        let there = book.constraints().filter(|(id, _)| !goes(*id));
        let there = there.map(|(id, entry)| one(id, entry, Some(id)));
        let there = there.filter(|asked| wanted(&asked.before));
        // A file that is read again may have some as before.
        let gone = ahead.into_iter().flat_map(|ahead| &ahead.removed);
        let gone: BTreeMap<Vec<&str>, EntryId> = gone
            .filter(|(_, old)| old.is_constraint())
            .map(|(was, old)| (tokens(old.code()), *was))
            .collect();
        let comes = ahead.into_iter().flat_map(|ahead| &ahead.added);
        let comes = comes
            .filter(|(_, entry)| entry.is_constraint())
            .map(|(id, entry)| one(*id, entry, gone.get(&tokens(entry.code())).copied()));
        there.chain(comes).collect()
    }
}

impl Turn<'_> {
    /// What the constraints say of a change that the engine has made and the book has not.
    pub(super) async fn verdict(&self, revision: &Revision) -> Result<Verdict, Fault> {
        let brings = || revision.added.iter().any(|(_, entry)| entry.is_constraint());
        if self.workspace.book.borrow().constraints().next().is_none() && !brings() {
            return Ok(Verdict::Met(Met::default()));
        }
        let touch = Touch::of(revision, self.workspace.rooms.has_facts(revision));
        self.verdict_of(&touch, Some(revision)).await
    }

    /// What the constraints say of facts of a capability that the engine knows and the book does not have yet.
    pub(super) async fn verdict_of_facts(&self) -> Result<Verdict, Fault> {
        self.verdict_of(&Touch::of_facts(), None).await
    }

    async fn verdict_of(&self, touch: &Touch, ahead: Option<&Revision>) -> Result<Verdict, Fault> {
        let constraints = &self.workspace.rooms.constraints;
        constraints.judge();
        let asked = self.workspace.asked(ahead, |state| {
            state.reach.as_ref().is_none_or(|reach| touch.meets(reach))
        });
        if asked.is_empty() {
            return Ok(Verdict::Met(Met::default()));
        }
        let fresh = touch.changes_reach();
        let answered = self
            .answered(asked, ahead, |asked| fresh || asked.before.reach.is_none())
            .await?;
        // One that was not known to see the change may turn out not to: what it says holds without the change, too.
        let (mut answered, unmoved): (Vec<_>, Vec<_>) = answered.into_iter().partition(|one| {
            let had = one.asked.before.reach.as_ref();
            one.asked.is_new || had.is_some_and(|reach| touch.meets(reach)) || touch.meets(&one.reach)
        });
        constraints.learn(unmoved.iter().map(Answered::state));
        let mut left = SHOWN;
        for one in &mut answered {
            self.detail(one, ahead, &mut left).await;
        }
        let is_open = |one: &Answered| one.is_open();
        match answered.iter().any(is_open) {
            true => Ok(Verdict::Open(Open(answered))),
            false => Ok(judged(answered)),
        }
    }

    /// Ask these constraints. What those depend on that `anew` selects is found out, too.
    async fn answered(
        &self,
        asked: Vec<Asked>,
        ahead: Option<&Revision>,
        anew: impl Fn(&Asked) -> bool,
    ) -> Result<Vec<Answered>, Fault> {
        let unknown = asked
            .iter()
            .filter(|asked| anew(asked) || asked.before.reach.is_none());
        let unknown: Vec<EntryId> = unknown.map(|asked| asked.id).collect();
        let mut reaches: BTreeMap<EntryId, Rc<Reach>> = BTreeMap::new();
        if !unknown.is_empty() {
            let believe = |Reaches(found)| as_many(&unknown, found);
            let request = protocol::reaches(&unknown);
            let found = self
                .ask_believing(request, Watch::short("constraint"), believe)
                .await;
            let found = found.map_err(|fault| unchecked(&asked, fault))?;
            reaches.extend(unknown.iter().copied().zip(found.into_iter().map(Rc::new)));
        }
        let ids: Vec<EntryId> = asked.iter().map(|asked| asked.id).collect();
        let bounds = self.beyond(ahead, MOST);
        // One that asks for linked data has its time to itself.
        let at_once = if self.workspace.linked.get().is_some() {
            1
        } else {
            ids.len()
        };
        let mut found = Vec::new();
        for ids in ids.chunks(at_once.max(1)) {
            let said = self.violated(ids, bounds).await;
            found.extend(said.map_err(|fault| unchecked(&asked, fault))?);
        }
        let answered = asked.into_iter().zip(found).map(
            |(asked, (Violated(messages, more, error, unknown), is_linked))| {
                let reach = reaches.remove(&asked.id).or_else(|| asked.before.reach.clone());
                let (mut failed, mut late) = (None, None);
                match error {
                    None => {}
                    Some(error) if error.kind == FaultKind::Timeout => {
                        late = Some(format!("takes longer than {} ms", bounds.soft_ms));
                    }
                    Some(error) => failed = Some(self.fault_of(error).message),
                }
                Answered {
                    reach: reach.expect("it was asked for"),
                    asked,
                    now: Standing {
                        messages: messages.into_iter().collect(),
                        more,
                        error: failed,
                        unknown: unknown.map(|error| self.fault_of(error).message),
                    },
                    late,
                    is_linked,
                    details: BTreeMap::new(),
                }
            },
        );
        Ok(answered.collect())
    }

    /// What violates these constraints, and whether they asked for linked data.
    async fn violated(&self, ids: &[EntryId], bounds: Bounds) -> Result<Vec<(Violated, bool)>, Fault> {
        let believe = |Violations(found)| as_many(ids, found);
        let watch = self.watch(ids.len());
        let end_ms = self.workspace.clock.now_ms() + bounds.soft_ms * ids.len() as u64;
        let within = (bounds, end_ms);
        let request = protocol::constraints(ids, bounds);
        let first = |found: MayAsk<Violations>| found.believed(believe);
        let begun = self.ask_believing(request, watch, first).await?;
        let is_linked = matches!(begun, MayAsk::Asks(_));
        let control = Control::default();
        let found = self
            .answer_explanation(begun, within, watch, &control, believe)
            .await?;
        Ok(found.into_iter().map(|violated| (violated, is_linked)).collect())
    }

    /// Find bindings and proofs of what may be new, while the engine has the change.
    async fn detail(&self, one: &mut Answered, ahead: Option<&Revision>, left: &mut usize) {
        let new: Vec<String> = one.new_messages().take(*left).cloned().collect();
        for message in new {
            *left -= 1;
            // Without a proof, the message says enough.
            if let Ok(found) = self
                .violation(one.asked.id, &message, self.beyond(ahead, 1))
                .await
            {
                let detail = self.shown(found, ahead);
                one.details.insert(message, detail);
            }
        }
    }

    /// How a constraint is violated with this message.
    async fn violation(&self, id: EntryId, message: &str, bounds: Bounds) -> Result<Violation, Fault> {
        let request = protocol::violation(id, message, bounds);
        let within = (bounds, self.workspace.clock.now_ms() + bounds.soft_ms);
        let watch = self.watch(1);
        let begun = self.ask::<MayAsk<Violation>>(request, watch).await?;
        self.answer_explanation(begun, within, watch, &Control::default(), Ok)
            .await
    }

    fn shown(&self, found: Violation, ahead: Option<&Revision>) -> String {
        let clauses = super::proof::clauses_of(
            &self.workspace.book.borrow(),
            ahead,
            found.nodes.iter().filter_map(|node| node.clause),
        );
        let bound: Vec<String> = found
            .bindings
            .iter()
            .map(|(name, value)| format!("{name} = {value}"))
            .collect();
        let proof = Proof::new((true, false), found.nodes, clauses, found.cut);
        let lines: Vec<&str> = proof.text.lines().collect();
        let mut text = String::new();
        if !bound.is_empty() {
            text.push_str(&format!("\n  {}", cut(&bound.join(", "), LINE_CHARS)));
        }
        for line in lines.iter().take(PROOF_LINES) {
            text.push_str(&format!("\n  {}", cut(line, LINE_CHARS)));
        }
        if lines.len() > PROOF_LINES {
            text.push_str(&format!("\n  … and {} more lines", lines.len() - PROOF_LINES));
        }
        text
    }

    /// Bounds whose ids are beyond those of a change that the book does not have yet.
    fn beyond(&self, ahead: Option<&Revision>, take: usize) -> Bounds {
        let NextIds { mut last, mut first } = self.next_ids();
        for (id, _) in ahead.into_iter().flat_map(|ahead| &ahead.added) {
            last = last.max(EntryId(id.0 + 1));
            first = first.min(EntryId(id.0 - 1));
        }
        Bounds {
            take,
            soft_ms: self.workspace.timeout_ms,
            next: NextIds { last, first },
        }
    }

    /// How a request to this many constraints is watched.
    fn watch(&self, count: usize) -> Watch<'static> {
        Watch {
            soft_ms: Some(self.workspace.timeout_ms * count as u64),
            ..Watch::short("constraint")
        }
    }

    /// The change is in the book as this revision. If others have written since, what the constraints said of it may
    /// hold no more.
    pub(super) fn learn(&self, met: Met, number: u64) {
        let constraints = &self.workspace.rooms.constraints;
        constraints.judged();
        if self.workspace.book.borrow().revision() == number {
            constraints.learn(met.states);
        }
        let warnings = met
            .warnings
            .into_iter()
            .map(|warning| Notice(format!("Warning: {warning}")));
        self.told.borrow_mut().extend(warnings);
    }

    /// Whether what others have changed since the verdict may alter it, or lets constraints see the change that the
    /// engine, which has not followed yet, cannot tell of.
    pub(super) fn is_stale(&self, met: &Met) -> bool {
        let workspace = self.workspace;
        let is_judged = |id: EntryId| met.states.iter().any(|(judged, _)| *judged == id);
        let unseen = |state: &State| state.reach.is_none();
        workspace.rooms.constraints.is_altered(met)
            || workspace
                .asked(None, unseen)
                .iter()
                .any(|asked| !is_judged(asked.id))
    }

    /// What constraints said of a change, compared with what they say now that the engine has not made it.
    pub(super) async fn closed(&self, Open(mut answered): Open) -> Verdict {
        let is_open = |one: &&mut Answered| one.is_open();
        for one in answered.iter_mut().filter(is_open) {
            let asked = Asked {
                id: one.asked.was,
                name: one.asked.name.clone(),
                before: State {
                    reach: Some(one.reach.clone()),
                    ..State::default()
                },
                ..one.asked
            };
            match self.answered(vec![asked], None, |_| false).await {
                Ok(before) => {
                    let standing = before.into_iter().next().map(|before| before.now);
                    one.asked.before.standing = standing;
                }
                Err(fault) => return Verdict::Refused(fault),
            }
        }
        judged(answered)
    }

    /// Tell what violates the constraints since `before`, after revisions that they cannot refuse and that touch this.
    pub(super) async fn tell_violations(&self, touch: &Touch, States(before): States, control: &Control) {
        if self.workspace.book.borrow().constraints().next().is_none() {
            return;
        }
        if touch.is_nothing() {
            return;
        }
        let sees = |state: &State| {
            let reach = state.reach.as_ref();
            state.standing.is_none() && reach.is_none_or(|reach| touch.meets(reach))
        };
        let mut asked = self.workspace.asked(None, sees);
        if asked.is_empty() || self.await_engine(control).await.is_err() {
            return;
        }
        for one in &mut asked {
            one.before.standing = before.get(&one.id).and_then(|state| state.standing.clone());
            one.warns = true;
        }
        let Ok(mut answered) = self.answered(asked, None, |_| true).await else {
            return;
        };
        answered.retain(|one| touch.meets(&one.reach));
        for one in &mut answered {
            one.asked.before.standing.get_or_insert_default();
        }
        if let Verdict::Met(met) = judged(answered) {
            let number = self.workspace.book.borrow().revision();
            self.learn(met, number);
        }
    }
}

fn as_many<T>(ids: &[EntryId], found: Vec<T>) -> Result<Vec<T>, BadReply> {
    match found.len() == ids.len() {
        true => Ok(found),
        false => Err(BadReply::new(
            "it answers for other constraints than it was asked about",
        )),
    }
}

/// The fault for constraints that the engine did not answer for.
fn unchecked(asked: &[Asked], fault: Fault) -> Fault {
    let named: Vec<&str> = asked.iter().take(SHOWN).map(|asked| &*asked.name).collect();
    let who = match asked {
        [one] => one.name.clone(),
        _ if asked.len() > SHOWN => format!("one of {} constraints ({}, …)", asked.len(), named.join(", ")),
        _ => format!("one of these: {}", named.join(", ")),
    };
    let message = format!(
        "Nothing was changed, because a constraint was not checked, {who}: {}",
        fault.message
    );
    Fault::new(FaultKind::ConstraintViolation, message).with_next(FIX)
}
