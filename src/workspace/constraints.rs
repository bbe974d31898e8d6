//! The constraints of the book: goals that must have no answer. Before a change that the engine has made is
//! recorded, the constraints that can see it are asked; a new violation refuses the whole change.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::request::Watch;
use super::turn::Turn;
use super::types::{Notice, Proof};
use super::{Inner, Workspace};
use hornbook_base::{Control, Fault, FaultKind, cut};
use hornbook_book::lexer::Lexer;
use hornbook_book::{Entry, EntryId, Kind, Origin, Revision};
use hornbook_engine::protocol::{self, Bounds, NextIds};
use hornbook_engine::reply::{BadReply, Reach, Reaches, Violated, Violation, Violations};

/// The most violations of one constraint that are compared. Of a constraint with more, new ones are not noticed.
const MOST: usize = 1_000;
/// How many new violations are shown with their proofs, and how many lines of each proof.
const SHOWN: usize = 3;
const PROOF_LINES: usize = 12;
const LINE_CHARS: usize = 160;
/// How many characters of a constraint name it where no file does.
const NAME_CHARS: usize = 80;
/// Begins what stands for the violations of a constraint whose goal raised an error.
const UNCHECKED: &str = "it cannot be checked: ";

/// What is known of the constraints of a book.
#[derive(Default)]
pub(super) struct Constraints(RefCell<BTreeMap<EntryId, State>>);

/// What is known of one constraint; what a change may have altered is forgotten.
#[derive(Debug, Clone, Default)]
struct State {
    reach: Option<Rc<Reach>>,
    /// The messages of its violations.
    standing: Option<BTreeSet<String>>,
}

/// What a change may alter.
#[derive(Debug, Default)]
pub(super) struct Touch {
    /// Names of predicates.
    names: BTreeSet<String>,
    /// Whether rules are among their clauses.
    rules: bool,
    /// How any goal is understood.
    all: bool,
    /// Facts of a capability.
    facts: bool,
}

impl Touch {
    /// What a revision touches; `facts` says whether it changes facts of a capability.
    pub fn of(revision: &Revision, facts: bool) -> Touch {
        let mut touch = Touch {
            facts,
            ..Touch::default()
        };
        let mut before = None;
        for (_, entry) in revision.added.iter().chain(&revision.removed) {
            let predicate = entry.predicate();
            if entry.is_clause() {
                touch.rules |= entry.kind() != Kind::Fact;
                // Clauses of a predicate are usually adjacent.
                if before
                    .replace(predicate)
                    .is_none_or(|before| !Rc::ptr_eq(before, predicate))
                {
                    touch.names.insert(predicate.name.clone());
                }
            } else if !is_apart(entry) {
                touch.all = true;
            }
        }
        let known = revision.known.iter().map(|change| change.predicate.name.clone());
        touch.names.extend(known);
        touch
    }

    /// Facts of a capability.
    fn of_facts() -> Touch {
        Touch {
            facts: true,
            ..Touch::default()
        }
    }

    pub fn join(&mut self, other: Touch) {
        self.names.extend(other.names);
        self.rules |= other.rules;
        self.all |= other.all;
        self.facts |= other.facts;
    }

    fn is_nothing(&self) -> bool {
        self.names.is_empty() && !self.all && !self.facts
    }

    /// Whether it may alter the answers of a constraint that depends on this.
    fn meets(&self, Reach(all, given, names): &Reach) -> bool {
        let (few, many) = match self.names.len() < names.len() {
            true => (&self.names, names),
            false => (names, &self.names),
        };
        self.all
            || (*all && !self.is_nothing())
            || (*given && self.facts)
            || few.iter().any(|name| many.contains(name))
    }
}

/// Whether a directive alters the answers of no goal.
fn is_apart(entry: &Entry) -> bool {
    const APART: [&str; 5] = [
        "constraint",
        "begin_tests",
        "end_tests",
        "initialization",
        "discontiguous",
    ];
    APART.contains(&&*entry.predicate().name)
}

/// A constraint that is asked.
struct Asked {
    id: EntryId,
    /// How messages call it.
    name: String,
    warns: bool,
    /// It comes with the change.
    is_new: bool,
    /// Its id before the change: a file that is read again gives it another one.
    was: EntryId,
    before: State,
}

/// What a constraint that was asked said.
struct Answered {
    asked: Asked,
    reach: Rc<Reach>,
    messages: BTreeSet<String>,
    /// There are more than are compared.
    more: bool,
    /// It was stopped: then it refuses, whatever it said before.
    late: Option<String>,
    /// Bindings and proof, by message.
    details: BTreeMap<String, String>,
}

/// What the constraints say of a change, if they do not refuse it.
#[derive(Default)]
pub(super) struct Met {
    states: Vec<(EntryId, State)>,
    pub warnings: Vec<String>,
}

impl Met {
    /// Whether the book has changed meanwhile what one of them depends on.
    pub fn is_stale(&self, constraints: &Constraints) -> bool {
        let known = constraints.0.borrow();
        let is_stale = |(id, _): &(EntryId, State)| {
            let state = known.get(id);
            state.is_none_or(|state| state.standing.is_none())
        };
        self.states.iter().any(is_stale)
    }
}

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

impl Constraints {
    /// A revision has come into the book: forget what it may have altered.
    pub fn note(&self, revision: &Revision, facts: bool) {
        let mut known = self.0.borrow_mut();
        if known.is_empty() {
            return;
        }
        for (id, _) in &revision.removed {
            known.remove(id);
        }
        let touch = Touch::of(revision, facts);
        for state in known.values_mut() {
            if state.reach.as_ref().is_none_or(|reach| touch.meets(reach)) {
                state.standing = None;
                if touch.rules || touch.all {
                    state.reach = None;
                }
            }
        }
    }

    /// The change of `met` is in the book.
    fn learn(&self, met: &mut Met) {
        self.0.borrow_mut().extend(std::mem::take(&mut met.states));
    }

    fn state(&self, id: EntryId) -> State {
        self.0.borrow().get(&id).cloned().unwrap_or_default()
    }

    /// What is known of all of them.
    pub fn states(&self) -> States {
        States(self.0.borrow().clone())
    }
}

/// What was known of constraints before a change.
pub(super) struct States(BTreeMap<EntryId, State>);

/// A constraint of the book, as it is listed.
#[derive(Debug, Clone, PartialEq)]
pub struct ConstraintInfo {
    /// The directive.
    pub text: String,
    /// The file that has it, and the line.
    pub place: Option<(String, usize)>,
    /// It only warns.
    pub warns: bool,
    /// The messages of what violates it now, or why it could not be asked.
    pub violated: Vec<String>,
}

impl Workspace {
    /// The constraints of the book, and what violates them now.
    pub async fn constraints(&self, control: &Control) -> Result<Vec<ConstraintInfo>, Fault> {
        let workspace = &*self.0;
        if workspace.book.borrow().constraints().next().is_none() {
            return Ok(Vec::new());
        }
        let turn = workspace.turn(control).await?;
        let asked = workspace.asked(None, |state| state.standing.is_none());
        if !asked.is_empty() {
            let answered = turn.answered(asked, None, |_| true).await?;
            let mut met = Met {
                states: answered.iter().map(Answered::state).collect(),
                warnings: Vec::new(),
            };
            workspace.rooms.constraints.learn(&mut met);
        }
        let book = workspace.book.borrow();
        let info = |(id, entry): (EntryId, &Entry)| {
            let state = workspace.rooms.constraints.state(id);
            ConstraintInfo {
                text: entry.code().to_owned(),
                place: place(entry),
                warns: entry.predicate().arity == 3,
                violated: state.standing.unwrap_or_default().into_iter().collect(),
            }
        };
        Ok(book.constraints().map(info).collect())
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

impl Inner {
    /// The first constraint that reads so, without regard to layout, and is not in `gone`.
    pub(super) fn constraint_by_text(&self, text: &str, gone: &BTreeSet<EntryId>) -> Option<EntryId> {
        let tokens = |text: &str| -> Vec<String> {
            let tokens = Lexer::new(text).map(|token| text[token.start..token.end].to_owned());
            let mut tokens: Vec<String> = tokens.collect();
            // The last period may be missing.
            tokens.pop_if(|last| last == ".");
            tokens
        };
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
                .map(|was| self.rooms.constraints.state(was))
                .unwrap_or_default(),
        };
        let there = book.constraints().filter(|(id, _)| !goes(*id));
        let there = there.map(|(id, entry)| one(id, entry, Some(id)));
        let there = there.filter(|asked| wanted(&asked.before));
        let comes = ahead.into_iter().flat_map(|ahead| &ahead.added);
        let comes = comes
            .filter(|(_, entry)| entry.is_constraint())
            .map(|(id, entry)| {
                // A file that is read again may have it as before.
                let same = |(was, old): &&(EntryId, Entry)| {
                    old.is_constraint() && old.code() == entry.code() && goes(*was)
                };
                let before = ahead.and_then(|ahead| ahead.removed.iter().find(same));
                one(*id, entry, before.map(|(was, _)| *was))
            });
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
        let asked = self.workspace.asked(ahead, |state| {
            state.reach.as_ref().is_none_or(|reach| touch.meets(reach))
        });
        if asked.is_empty() {
            return Ok(Verdict::Met(Met::default()));
        }
        let fresh = touch.rules || touch.all;
        let mut answered = self
            .answered(asked, ahead, |asked| fresh || asked.before.reach.is_none())
            .await?;
        // One that was not known to see the change may turn out not to.
        answered.retain(|one| {
            let had = one.asked.before.reach.as_ref();
            one.asked.is_new || had.is_some_and(|reach| touch.meets(reach)) || touch.meets(&one.reach)
        });
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
        let believe = |Violations(found)| as_many(&ids, found);
        let request = protocol::constraints(&ids, bounds);
        let watch = self.watch(ids.len());
        let found = self.ask_believing(request, watch, believe).await;
        let found = found.map_err(|fault| unchecked(&asked, fault))?;
        let answered = asked
            .into_iter()
            .zip(found)
            .map(|(asked, Violated(messages, more, error))| {
                let reach = reaches.remove(&asked.id).or_else(|| asked.before.reach.clone());
                let mut messages: BTreeSet<String> = messages.into_iter().collect();
                let mut late = None;
                if let Some(error) = error {
                    let is_late = error.kind == FaultKind::Timeout;
                    let message = match is_late {
                        true => format!("{} takes longer than {} ms", asked.name, bounds.soft_ms),
                        false => format!(
                            "{} cannot be checked: {}",
                            asked.name,
                            self.fault_of(error).message
                        ),
                    };
                    match is_late {
                        true => late = Some(message),
                        false => drop(messages.insert(message)),
                    }
                }
                Answered {
                    reach: reach.expect("it was asked for"),
                    asked,
                    messages,
                    more,
                    late,
                    details: BTreeMap::new(),
                }
            });
        Ok(answered.collect())
    }

    /// Find bindings and proofs of what may be new, while the engine has the change.
    async fn detail(&self, one: &mut Answered, ahead: Option<&Revision>, left: &mut usize) {
        let new: Vec<String> = one.new_messages().take(*left).cloned().collect();
        for message in new.into_iter().filter(|message| !message.starts_with(UNCHECKED)) {
            *left -= 1;
            let request = protocol::violation(one.asked.id, &message, self.beyond(ahead, 1));
            // Without a proof, the message says enough.
            if let Ok(found) = self.ask::<Violation>(request, self.watch(1)).await {
                let detail = self.shown(found, ahead);
                one.details.insert(message, detail);
            }
        }
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

    /// The change is in the book.
    pub(super) fn learn(&self, mut met: Met) {
        self.workspace.rooms.constraints.learn(&mut met);
        let warnings = met
            .warnings
            .into_iter()
            .map(|warning| Notice(format!("Warning: {warning}")));
        self.told.borrow_mut().extend(warnings);
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
                    standing: None,
                },
                ..one.asked
            };
            match self.answered(vec![asked], None, |_| false).await {
                Ok(before) => {
                    let standing = before.into_iter().next().map(|before| before.messages);
                    one.asked.before.standing = standing;
                }
                Err(fault) => return Verdict::Refused(fault),
            }
        }
        judged(answered)
    }

    /// Tell what violates the constraints since `before`, after a change that they cannot refuse.
    pub(super) async fn tell_violations(&self, touch: &Touch, States(before): States, control: &Control) {
        if self.workspace.book.borrow().constraints().next().is_none() || touch.is_nothing() {
            return;
        }
        let mut asked = self.workspace.asked(None, |state| state.standing.is_none());
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
            self.learn(met);
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
        [one] => format!("The constraint {} was", one.name),
        _ if asked.len() > SHOWN => {
            format!("One of {} constraints ({}, …) was", asked.len(), named.join(", "))
        }
        _ => format!("One of the constraints {} was", named.join(", ")),
    };
    let message = format!("{who} not checked, and nothing was changed: {}", fault.message);
    Fault::new(FaultKind::ConstraintViolation, message).with_next("Mend or retract the constraint.")
}

impl Answered {
    /// The messages that were not there before, or, if that is not known, all.
    fn new_messages(&self) -> impl Iterator<Item = &String> {
        let standing = self.asked.before.standing.as_ref();
        let is_new = move |message: &&String| standing.is_none_or(|before| !before.contains(*message));
        self.messages.iter().filter(is_new)
    }

    /// Whether the judgement needs what it said before the change.
    fn is_open(&self) -> bool {
        !self.asked.is_new && !self.more && self.asked.before.standing.is_none() && !self.messages.is_empty()
    }

    fn state(&self) -> (EntryId, State) {
        let mut standing = self.messages.clone();
        standing.extend(self.late.clone());
        let state = State {
            reach: Some(self.reach.clone()),
            standing: Some(standing),
        };
        (self.asked.id, state)
    }

    /// What it says of new violations; empty if there are none.
    fn said(&self) -> Vec<String> {
        let detailed = |message: &String| {
            let detail = self.details.get(message).map_or("", String::as_str);
            format!("{}{detail}", message.trim_end())
        };
        self.late
            .iter()
            .cloned()
            .chain(self.new_messages().map(detailed))
            .collect()
    }
}

/// The judgement of constraints of which is known what violated them before.
fn judged(answered: Vec<Answered>) -> Verdict {
    let (mut refused, mut met) = (Vec::new(), Met::default());
    for one in &answered {
        let said = one.said();
        if one.more && !one.asked.is_new {
            met.warnings.push(format!(
                "{} has more than {MOST} violations: new ones are not noticed until there are fewer.",
                one.asked.name
            ));
        } else if said.is_empty() {
        } else if one.asked.is_new {
            let is_unchecked =
                one.late.is_some() || one.messages.iter().all(|one| one.starts_with(UNCHECKED));
            let what = match (is_unchecked, one.asked.warns) {
                (true, _) => "was added",
                (_, false) => "is violated already, and refuses new violations only",
                (_, true) => "is violated already",
            };
            met.warnings
                .push(format!("{} {what}: {}", one.asked.name, listed(&said, one.more)));
        } else if one.asked.warns {
            met.warnings.push(listed(&said, false));
        } else {
            refused.extend(said);
        }
        met.states.push(one.state());
    }
    match refused.is_empty() {
        true => Verdict::Met(met),
        false => {
            let message = format!(
                "A constraint refuses this, and nothing was changed: {}",
                listed(&refused, false)
            );
            Verdict::Refused(Fault::new(FaultKind::ConstraintViolation, message))
        }
    }
}

/// The first of these messages, and how many there are besides.
fn listed(said: &[String], more: bool) -> String {
    let shown: Vec<&str> = said.iter().take(SHOWN).map(String::as_str).collect();
    let mut text = shown.join(if shown.iter().any(|one| one.contains('\n')) {
        "\n"
    } else {
        "; "
    });
    let left = said.len().saturating_sub(SHOWN);
    if left > 0 || more {
        let over = if more { "more than " } else { "" };
        text.push_str(&format!("\n… and {over}{left} more"));
    }
    text
}
