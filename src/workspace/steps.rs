//! Steps of queries: the first and the later ones, and their effect on the book and the query.

use super::doubt_texts::lost_constraints;
use super::doubts::Added;
use super::edit::Edit;
use super::mark::shown_fault;
use super::request::Watch;
use super::turn::Turn;
use super::types::*;
use super::{believed, changes, restart};
use crate::open::{AnswerDigest, End, Ended, Known, Open, Place, in_use};
use hornbook_base::{Control, Fault, FaultKind};
use hornbook_book::Operation;
use hornbook_book::lexer::Lexer;
use hornbook_book::text::clause_ranges;
use hornbook_engine::protocol::{self, Asker, Bounds};
use hornbook_engine::reply::{self, Opened, Step};

/// What became of a query that was to start.
pub(super) enum Begun {
    Started(Box<QueryStarted>),
    /// It is about to change something, for which it needs the first engine.
    Leaves,
    /// It has had the engine for as long as it may while others want it.
    IsLong,
}

/// Start a prepared query in the engine of this turn. Unless it started there, it has left no trace.
pub(super) async fn start_in(
    turn: &Turn<'_>,
    start: &QueryStart,
    (id, number): (&str, u64),
    soft_ms: u64,
    control: &Control,
) -> Result<Begun, Fault> {
    let workspace = turn.workspace;
    let revision = turn.book().revision();
    let bounds = Bounds {
        take: start.take.unwrap_or(0),
        soft_ms: turn.brief_ms(soft_ms),
        next: turn.next_ids(),
    };
    turn.runs(id);
    let request = protocol::query(number, &start.query, start.assume.as_deref(), bounds);
    let request = start.leaves.request(start.exact, request);
    let request = turn.for_its_engine(request);
    let watch = Watch::query(id, soft_ms, control);
    let believe = |Opened { variables, step }| Ok((variables, believed::step(turn, bounds, step)?));
    let ((variables, step), edit) = turn
        .step_of_query(request, watch, control, believe)
        .await
        .map_err(|fault| shown_fault(fault, &start.query, start.assume.as_deref().unwrap_or_default()))?;
    let open = Open {
        id: id.to_owned(),
        client: control.client,
        number,
        place: Place::Engine(turn.lane.number),
        text: start.query.clone(),
        shown_as: start.shown_as.clone(),
        exact: start.exact,
        assume: start.assume.clone(),
        awaited: start.awaited,
        leaves: start.leaves,
        revision,
        so_far: AnswerDigest::default(),
        asked: (0, 0),
        inferences: 0,
    };
    if step.leaves {
        edit.keep();
        workspace.close_in_engine(turn, &open).await;
        return Ok(Begun::Leaves);
    }
    if is_over(&step) && bounds.soft_ms < soft_ms {
        edit.keep();
        return Ok(Begun::IsLong);
    }
    let (taking, gone) = step.away;
    let step = turn
        .answer_questions(
            Asker::Query(number),
            step,
            bounds,
            watch,
            control,
            &|bounds, step| believed::step(turn, bounds, step),
        )
        .await?;
    if workspace.queries.borrow().is_open(id) {
        // A query with this id was opened meanwhile in another engine. Changes that this one made are undone
        // by dropping the edit.
        if step.changes.is_empty() {
            edit.keep();
            workspace.close_in_engine(turn, &open).await;
        }
        return Err(in_use(id));
    }
    workspace.queries.borrow_mut().opened(open.clone());
    let has_answers = start.take.is_some() || step.error.is_some();
    let mut answers = finish(turn, edit, &open, step, soft_ms).await?;
    if start.take.is_some() {
        turn.explain(&open, &mut answers, control).await;
    }
    let found = std::mem::take(&mut answers.notices);
    let loads = (answers.fault.is_none() && loads_library(&start.query))
        .then(|| Notice("The libraries are already loaded: leave use_module out of queries.".to_owned()));
    let doubtful = match start.assume.as_deref() {
        None | Some([]) => Vec::new(),
        Some(texts) => Added::assumed(texts).warnings(turn).await,
    };
    let warnings = doubtful
        .into_iter()
        .map(|warning| Notice(format!("Warning: {warning}")));
    let closed = workspace.close_surplus(turn).await;
    Ok(Begun::Started(Box::new(QueryStarted {
        query_id: id.to_owned(),
        query: start.query.clone(),
        assumed: start
            .assume
            .as_ref()
            .map(|texts| texts.iter().map(|text| clause_ranges(text).len()).sum())
            .map(|all: usize| all.saturating_sub(taking)),
        gone,
        use_engine: start.use_engine.unwrap_or(true),
        variables,
        answers: has_answers.then_some(answers),
        notices: { found.into_iter() }
            .chain(turn.notices())
            .chain(closed)
            .chain(loads)
            .chain(warnings)
            .collect(),
    })))
}

/// More answers of a query in the engine of this turn. `None` if it has left that engine for the first one.
pub(super) async fn next_in(
    turn: &Turn<'_>,
    next: &QueryNext,
    soft_ms: u64,
    control: &Control,
) -> Result<Option<Answers>, Fault> {
    let workspace = turn.workspace;
    let known = workspace.find(next.query_id.as_deref(), control)?;
    let held = workspace.queries.borrow_mut().take_held(known.id());
    if let Some(mut answers) = held {
        let take = next.take.unwrap_or(1);
        if answers.answers.len() > take {
            let rest = answers.split_off(take);
            workspace.queries.borrow_mut().hold(rest);
        }
        answers.notices = turn.notices();
        return Ok(Some(answers));
    }
    let query = match known {
        Known::Open(query) => query,
        Known::Ended(ended) => match ended.end {
            End::Exhausted => return Ok(Some(no_more(ended, turn.notices()))),
            End::Stopped { why, at_ms } => {
                let ago = ago(workspace.clock.now_ms().saturating_sub(at_ms));
                let (id, given) = (ended.id, solutions(ended.given));
                let message = format!("Query {id} ended {ago} after {given}: {why}.");
                return Err(Fault::new(FaultKind::QueryStopped, message));
            }
        },
    };
    turn.runs(&query.id);
    let begin = workspace.clock.now_ms();
    let restarted = match query.place {
        Place::Engine(_) => None,
        _ => Some(restart::again(turn, &query, soft_ms, control).await?),
    };
    let spent = workspace.clock.now_ms().saturating_sub(begin);
    let bounds = Bounds {
        take: next.take.unwrap_or(1),
        soft_ms: soft_ms.saturating_sub(spent).max(1),
        next: turn.next_ids(),
    };
    let request = turn.for_its_engine(protocol::next(query.number, bounds));
    let watch = Watch::query(&query.id, bounds.soft_ms, control);
    let believe = |step| believed::step(turn, bounds, step);
    let asked = turn.step_of_query(request, watch, control, believe).await;
    if asked
        .as_ref()
        .is_err_and(|fault| fault.kind == FaultKind::NoSuchQuery)
    {
        workspace.queries.borrow_mut().forget(&query.id);
    }
    let (step, edit) = asked?;
    if step.leaves {
        edit.keep();
        workspace.close_in_engine(turn, &query).await;
        workspace.queries.borrow_mut().is_at(&query.id, Place::Left);
        return Ok(None);
    }
    let step = turn
        .answer_questions(
            Asker::Query(query.number),
            step,
            bounds,
            watch,
            control,
            &|bounds, step| believed::step(turn, bounds, step),
        )
        .await?;
    let mut answers = finish(turn, edit, &query, step, soft_ms).await?;
    turn.explain(&query, &mut answers, control).await;
    answers.notices.extend(restarted);
    answers.notices.extend(turn.notices());
    Ok(Some(answers))
}

/// Whether a step was stopped by its time limit.
fn is_over(step: &Step) -> bool {
    let error = step.error.as_ref();
    error.is_some_and(|error| error.kind == FaultKind::Timeout)
}

/// Whether a goal loads a library.
fn loads_library(query: &str) -> bool {
    query.contains("use_module")
        && Lexer::new(query).any(|token| &query[token.start..token.end] == "use_module")
}

/// Apply one step of a query to the book and to the query.
async fn finish(
    turn: &Turn<'_>,
    edit: Edit<'_>,
    query: &Open,
    step: Step,
    soft_ms: u64,
) -> Result<Answers, Fault> {
    let workspace = turn.workspace;
    let more = step.more && step.error.is_none();
    let now_ms = workspace.clock.now_ms();
    workspace.queries.borrow_mut().stepped(&query.id, &step, now_ms);
    let fault = step.error.map(|error| turn.goal_fault(error, soft_ms));
    let copied = step.copied.iter().map(|word| {
        let shared = if is_variable(word) { word } else { "Var" };
        Notice(lost_constraints(word, shared))
    });
    let notices = copied.collect();
    if !more {
        let end = match &fault {
            None => End::Exhausted,
            Some(fault) => workspace.stopped(fault.message.trim_end_matches('.')),
        };
        let mut queries = workspace.queries.borrow_mut();
        queries.end(&query.id, end, &workspace.limits);
    }
    let operation = Operation::Query(query.shown().to_owned());
    let counts = match changes::take(turn, edit, step.changes, operation).await {
        Ok(counts) => counts,
        Err(fault) => {
            // Its answers rest on a change that is undone.
            if fault.kind == FaultKind::ConstraintViolation && more {
                workspace.close_in_engine(turn, query).await;
                let end = workspace.stopped("a constraint refused what it changed");
                workspace
                    .queries
                    .borrow_mut()
                    .end(&query.id, end, &workspace.limits);
            }
            return Err(fault);
        }
    };
    turn.keep_read().await;
    Ok(Answers {
        query_id: query.id.clone(),
        before: query.so_far.count,
        answers: step.answers.into_iter().map(answer).collect(),
        more,
        output: step.output,
        fault,
        added: counts.added,
        removed: counts.removed,
        undone: step.undone,
        hint: None,
        notices,
    })
}

fn is_variable(word: &str) -> bool {
    word.chars().all(|c| c.is_alphanumeric() || c == '_')
}

fn answer(answer: reply::Answer) -> Answer {
    let binding = |(name, text, json)| Binding { name, text, json };
    Answer {
        bindings: answer.bindings.into_iter().map(binding).collect(),
        residual: answer.residual,
        output: answer.output,
        undefined: answer.undefined,
    }
}

fn no_more(ended: Ended, notices: Vec<Notice>) -> Answers {
    Answers {
        query_id: ended.id,
        before: ended.given,
        answers: Vec::new(),
        more: false,
        output: String::new(),
        fault: None,
        added: 0,
        removed: 0,
        undone: 0,
        hint: None,
        notices,
    }
}

/// `1 solution`, `2 solutions`.
fn solutions(count: usize) -> String {
    match count {
        1 => "1 solution".to_owned(),
        _ => format!("{count} solutions"),
    }
}

/// How long ago something was: `just now`, `12 s ago`, `3 min ago`, `2 h ago`.
pub(super) fn ago(ms: u64) -> String {
    match ms / 1000 {
        0 => "just now".to_owned(),
        s @ 1..60 => format!("{s} s ago"),
        s @ 60..3600 => format!("{} min ago", s / 60),
        s => format!("{} h ago", s / 3600),
    }
}
