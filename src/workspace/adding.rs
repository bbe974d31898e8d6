//! Long additions: in steps, with progress. Nothing enters the book before all of it is in the engine.

mod offsets;

use std::collections::BTreeMap;
use std::rc::Rc;

use super::directives::{Due, Fatal, MOST_LEFT_OUT, Ran};
use super::edit::Edit;
use super::joining::Joined;
use super::mark::shown_error;
use super::request::Watch;
use super::slices::Slices;
use super::turn::Turn;
use hornbook_base::{Control, Fault, FaultKind, Pace};
use hornbook_book::lexer::Lexer;
use hornbook_book::text::missing_period;
use hornbook_book::{Draft, EntryId, Ids, Kind, Origin, Piece, Predicate, Run, TextModule};
use hornbook_engine::protocol::{self, AddKind};
use hornbook_engine::reply::{Add, BadReply, Done, EngineError, Found, Item};
use offsets::Offsets;

/// By how much the room for pieces grows at most, whatever the beginning of a text lets expect.
const MOST_GROWTH: usize = 8;

/// The outcome of one stretch of text, a range of bytes.
pub(super) struct Outcome {
    pub source: usize,
    pub start: usize,
    pub end: usize,
    pub result: Result<(), Box<EngineError>>,
}

/// What an addition has put into the engine.
pub(super) struct Added {
    /// Of a file only what was refused.
    pub outcomes: Vec<Outcome>,
    /// How many items were read, and where the last one ends.
    read: usize,
    end: usize,
    pieces: Vec<Piece>,
    /// Clauses that need operators of a file, rewritten without them.
    rewritten: BTreeMap<EntryId, String>,
    /// The number of pieces from each source.
    counts: Vec<usize>,
    ids: Ids,
    next: EntryId,
    /// The directive to run now.
    due: Option<Due>,
    /// What the directives did that have run.
    pub ran: Ran,
    /// The goals to run, each with the entry that its directive becomes.
    pub initializations: Vec<(EntryId, String)>,
}

impl Added {
    /// What could not be added, each with its place in the text.
    pub fn refusals(&self, text: &str) -> Vec<String> {
        let refusal = |outcome: &Outcome| {
            let error = outcome.result.as_ref().err()?;
            let (line, column) = (error.line.unwrap_or(1), error.column.unwrap_or(0));
            Some(format!("{line}:{column}: {}", shown_error(error, text)))
        };
        self.outcomes.iter().filter_map(refusal).collect()
    }
}

/// Add texts to the engine, and return the edit that the book must follow. A directive that ends its engine
/// is left out: the texts are added again, from the start, to another engine. `module` is the module of the
/// texts unless they name one. On a fault the engine is unchanged, or is rebuilt.
pub(super) async fn add<'t>(
    turn: &'t Turn<'_>,
    kind: AddKind,
    module: Option<&TextModule>,
    what: &'static str,
    sources: &[String],
    control: &Control,
) -> Result<(Added, Edit<'t>), Fault> {
    let mut left_out = Vec::new();
    // What was read before may have ended the engine.
    turn.need_engine(control).await?;
    loop {
        let fatal = match add_without(turn, (kind, module), what, sources, &left_out, control).await {
            Ok(done) => return Ok(done),
            Err(Stopped::ByFault(fault)) => return Err(fault),
            Err(Stopped::ByDirective(fatal)) => fatal,
        };
        if left_out.len() == MOST_LEFT_OUT || !fatal.can_be_left_out() {
            return Err(fatal.into_fault());
        }
        left_out.push(fatal);
        turn.await_engine(control).await?;
    }
}

/// Why an addition was given up.
enum Stopped {
    ByFault(Fault),
    ByDirective(Fatal),
}

impl From<Fault> for Stopped {
    fn from(fault: Fault) -> Self {
        Stopped::ByFault(fault)
    }
}

/// Like `add`, without the directives that are left out.
async fn add_without<'t>(
    turn: &'t Turn<'_>,
    (kind, module): (AddKind, Option<&TextModule>),
    what: &'static str,
    sources: &[String],
    left_out: &[Fatal],
    control: &Control,
) -> Result<(Added, Edit<'t>), Stopped> {
    let limits = &turn.workspace.limits;
    let max = limits.step_items;
    let first = turn.next_ids().last;
    let room = limits.entries.saturating_sub(turn.workspace.book.borrow().len());
    let mut added = Added {
        outcomes: Vec::new(),
        read: 0,
        end: 0,
        pieces: Vec::new(),
        rewritten: BTreeMap::new(),
        counts: vec![0; sources.len()],
        ids: turn.workspace.ids,
        next: first,
        due: None,
        ran: Ran::after(turn.next_ids(), sources),
        initializations: Vec::new(),
    };
    let pace = turn.workspace.pace();
    let mut offsets = Offsets::new(kind, sources);
    let mut sent = match (kind, sources) {
        (AddKind::File, [source]) => Sent::InSlices(Slices::of(source, max)),
        _ => Sent::AtOnce(Joined::of(sources, &pace).await),
    };
    let ids = [Run { first, count: max }];
    let mut request = match &mut sent {
        Sent::AtOnce(joined) => protocol::add(kind, module, &joined.texts, false, &ids, max),
        Sent::InSlices(slices) => {
            let slice = slices.next().unwrap_or_default();
            protocol::add(kind, module, &[slice], slices.is_more(), &ids, max)
        }
    };
    if pace.is_over(request.len() / 64) {
        pace.rest().await;
    }
    let edit = turn.edit();
    loop {
        let begun = added.read > 0;
        let believe = |step: Add| {
            if step.items.len() > max || step.more && step.items.is_empty() {
                return Err(BadReply::new("it has not read what it was asked to read"));
            }
            added.make_room(step.items.len(), offsets.to_come(added.read).min(room));
            for item in step.items {
                added.take(sent.given(item)?, kind, &mut offsets, left_out)?;
            }
            if added.due.is_some() && !step.more {
                return Err(BadReply::new("it has not waited for a directive"));
            }
            if !step.more && sent.is_more() {
                return Err(BadReply::new("it has not waited for the rest of a text"));
            }
            Ok(step.more)
        };
        let more = match turn.ask_believing(request, Watch::short(what), believe).await {
            Ok(more) => more,
            Err(fault) => {
                // An engine that refuses a whole step has added none of it.
                if !begun {
                    edit.keep();
                }
                return Err(fault.into());
            }
        };
        if let Some(due) = added.due.take() {
            let Added {
                pieces, counts, ran, ..
            } = &mut added;
            ran.run(turn, due, pieces, counts, control)
                .await
                .map_err(Stopped::ByDirective)?;
        }
        if added.pieces.len() + added.ran.added() > room {
            let message = "Nothing was added: the book has no room for that many entries";
            let fault = Fault::limit(message, "entries", limits.entries);
            return Err(abort(turn, edit, more && !added.ran.any(), fault).await.into());
        }
        if !more {
            return Ok((added, edit));
        }
        offsets.report(control, added.read);
        if control.cancel.is_cancelled() {
            let message = format!("The {what} was cancelled; nothing was added.");
            let fault = Fault::new(FaultKind::Cancelled, message);
            return Err(abort(turn, edit, !added.ran.any(), fault).await.into());
        }
        let ids = [Run {
            first: added.next,
            count: max,
        }];
        request = match sent.next() {
            Some(slice) => protocol::add_text(slice, sent.is_more(), &ids, max),
            None => protocol::add_more(&ids, max),
        };
    }
}

/// The texts of an addition, as the engine is sent them.
enum Sent<'t> {
    AtOnce(Joined<'t>),
    InSlices(Slices<'t>),
}

impl<'t> Sent<'t> {
    /// What goes with the next step.
    fn next(&mut self) -> Option<&'t str> {
        match self {
            Sent::AtOnce(_) => None,
            Sent::InSlices(slices) => slices.next(),
        }
    }

    fn is_more(&self) -> bool {
        match self {
            Sent::AtOnce(_) => false,
            Sent::InSlices(slices) => slices.is_more(),
        }
    }

    /// An item of what was sent as one of the texts given.
    fn given(&mut self, item: Item) -> Result<Item, BadReply> {
        match self {
            Sent::AtOnce(joined) => joined.given(item),
            Sent::InSlices(slices) => slices.given(item),
        }
    }
}

/// Remove from the engine what a long addition has put in. The engine cannot take back what directives did:
/// after one has run, and after the last step, there is no addition to abort, and the engine is rebuilt.
async fn abort(turn: &Turn<'_>, edit: Edit<'_>, more: bool, fault: Fault) -> Fault {
    if more
        && turn
            .ask::<Done>(protocol::add_abort(), Watch::short("addition"))
            .await
            .is_ok()
    {
        edit.keep();
    }
    fault
}

impl Added {
    fn take(
        &mut self,
        item: Item,
        kind: AddKind,
        offsets: &mut Offsets<'_>,
        left_out: &[Fatal],
    ) -> Result<(), BadReply> {
        if self.due.is_some() {
            return Err(BadReply::new("it has not waited for a directive"));
        }
        let Some((start, end)) = offsets.bytes(&item) else {
            return Err(BadReply::new("it names a place where no item begins or ends"));
        };
        offsets.check(&item.found, start, end, kind == AddKind::Inline)?;
        let mut piece = |kind, predicate: Predicate, restore: Option<String>| {
            let id = self.next;
            self.next = EntryId(id.0 + 1);
            // Clauses of a predicate are usually adjacent: share its name.
            let before = self.pieces.last().map(|piece| &piece.predicate);
            let predicate = match before.filter(|before| ***before == predicate) {
                Some(before) => before.clone(),
                None => Rc::new(predicate),
            };
            let restore = restore.map(String::into_boxed_str);
            self.counts[item.source] += 1;
            self.pieces.push(Piece {
                id,
                place: self.ids.place(id),
                start,
                end,
                kind,
                predicate,
                restore,
            });
        };
        let mut result = Ok(());
        match item.found {
            Found::Clause {
                kind,
                predicate,
                written,
            } => {
                piece(kind.into(), predicate, None);
                let id = self.pieces.last().map(|piece| piece.id);
                self.rewritten.extend(id.zip(written));
            }
            Found::Directive {
                predicate,
                restore,
                written,
            } => {
                piece(Kind::Directive, predicate, restore);
                let id = self.pieces.last().map(|piece| piece.id);
                self.rewritten.extend(id.zip(written));
            }
            Found::Initialization(goal) => {
                let name = "initialization".to_owned();
                piece(Kind::Directive, Predicate { name, arity: 1 }, None);
                let directive = self.pieces.last().map(|piece| piece.id);
                self.initializations.extend(directive.map(|id| (id, goal)));
            }
            Found::Goal { predicate, goal } => {
                piece(Kind::Directive, predicate, None);
                let (line, column) = offsets.place(start, end);
                let due = Due {
                    goal,
                    source: item.source,
                    start,
                    line,
                    column,
                };
                match left_out.iter().find(|fatal| fatal.is(&due)) {
                    Some(fatal) => self.ran.problems.push(fatal.problem()),
                    None => self.due = Some(due),
                }
            }
            Found::Skipped => {}
            Found::Refused(mut error) => {
                if error.line.is_none() {
                    let (line, column) = offsets.place(start, end);
                    (error.line, error.column) = (Some(line), Some(column));
                }
                result = Err(Box::new(error));
            }
        }
        (self.read, self.end) = (self.read + 1, end);
        if kind == AddKind::Inline || result.is_err() {
            self.outcomes.push(Outcome {
                source: item.source,
                start,
                end,
                result,
            });
        }
        Ok(())
    }

    /// Make room for more pieces, and for `later` ones: doubling it each time would take twice the memory.
    fn make_room(&mut self, now: usize, later: usize) {
        if self.pieces.capacity() < self.pieces.len() + now {
            let most = MOST_GROWTH * self.pieces.len();
            self.pieces.reserve_exact(now.max(later.min(most)));
        }
    }

    pub fn pieces(&self) -> &[Piece] {
        &self.pieces
    }

    /// Leave out the pieces that are chosen. Returns their ids: the engine has them.
    pub fn leave_out(&mut self, mut is_chosen: impl FnMut(&Piece) -> bool) -> Vec<EntryId> {
        let chosen = self.pieces.extract_if(.., |piece| is_chosen(piece));
        chosen.map(|piece| piece.id).collect()
    }

    pub fn is_empty(&self) -> bool {
        self.pieces.is_empty()
    }

    /// The number of clauses added, not counting directives.
    pub fn clause_count(&self) -> usize {
        self.pieces
            .iter()
            .filter(|piece| piece.kind != Kind::Directive)
            .count()
    }

    /// The file to enter in the book, what its directives did, and what they wrote.
    pub fn into_file(
        mut self,
        name: &str,
        module: Option<&TextModule>,
        is_needed: bool,
        text: String,
    ) -> (Draft, Ran, String) {
        let output = std::mem::take(&mut self.ran.output);
        let draft = Draft {
            origin: Origin::File(name.into()),
            text,
            tail: self.end,
            pieces: self.pieces,
            module: module.map(|module| module.name.to_string()),
            is_needed,
            replaced: Vec::new(),
        };
        (draft, self.ran, output)
    }

    /// The texts of one call, joined. What follows the last clause of a text stays with it, and a missing period
    /// is added.
    pub async fn into_inline(self, sources: &[String], pace: &Pace) -> (Draft, Ran) {
        let mut text = String::with_capacity(sources.iter().map(|source| source.len() + 2).sum());
        let mut pieces: Vec<Piece> = Vec::with_capacity(self.pieces.len());
        let mut added = self.pieces.into_iter();
        let mut outcomes = self.outcomes.iter().peekable();
        for (index, source) in sources.iter().enumerate() {
            let mut copied = 0;
            let mut last_end = None;
            while let Some(outcome) = outcomes.next_if(|outcome| outcome.source == index) {
                last_end = Some(outcome.end);
                if pace.is_over(1) {
                    pace.rest().await;
                }
            }
            for mut piece in added.by_ref().take(self.counts[index]) {
                text.push_str(&source[copied..piece.start]);
                let start = text.len();
                match self.rewritten.get(&piece.id) {
                    Some(written) => text.push_str(written),
                    None => text.push_str(&source[piece.start..piece.end]),
                }
                copied = piece.end;
                if last_end == Some(piece.end) {
                    if let Some((at, period)) = missing_period(&text[start..]) {
                        text.insert_str(start + at, &period);
                    }
                    // Comments belong to the text; what follows `end_of_file.` was never read.
                    let rest = source[copied..].trim_end();
                    if !rest.is_empty() && Lexer::new(rest).next().is_none() {
                        text.push_str(rest);
                        copied += rest.len();
                    }
                }
                (piece.start, piece.end) = (start, text.len());
                pieces.push(piece);
                if pace.is_over(1) {
                    pace.rest().await;
                }
            }
            text.push_str(&source[copied..]);
            text.push('\n');
        }
        let draft = Draft {
            origin: Origin::Inline,
            tail: text.len(),
            text,
            pieces,
            module: None,
            is_needed: false,
            replaced: Vec::new(),
        };
        (draft, self.ran)
    }
}
