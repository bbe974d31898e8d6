//! Reopens a query whose engine is gone in the next engine, and continues where it was.

use super::request::Watch;
use super::turn::Turn;
use super::types::Notice;
use super::{believed, changes};
use crate::open::{AnswerDigest, Open, Place};
use hornbook_base::{Control, Fault, FaultKind};
use hornbook_engine::protocol::{self, Bounds};
use hornbook_engine::reply::{Closed, Opened};

/// Reopen the query and skip the answers that it has already given, within its time limit. If that is
/// impossible the query is closed, and the fault says why.
pub(super) async fn again(
    turn: &Turn<'_>,
    query: &Open,
    soft_ms: u64,
    control: &Control,
) -> Result<Notice, Fault> {
    let workspace = turn.workspace;
    let (cause, lost) = match query.place {
        Place::Left => (
            "what changes the book runs in the first engine",
            "could not continue in the primary engine",
        ),
        _ => ("the engine was restarted", "was lost with its engine"),
    };
    let revision = workspace.book.borrow().revision();
    let why = match query.revision == revision {
        false => Some("the book has changed since it was opened"),
        true => {
            turn.await_engine(control).await?;
            pass_over(turn, query, soft_ms, control).await?
        }
    };
    let mut queries = workspace.queries.borrow_mut();
    let Some(why) = why else {
        queries.is_at(&query.id, Place::Engine(0));
        return Ok(Notice(format!(
            "{}: query {} was restarted and continues after answer {}.",
            sentence(cause),
            query.id,
            query.so_far.count
        )));
    };
    let end = workspace.stopped(format!("{cause}, and {why}"));
    queries.end(&query.id, end, &workspace.limits);
    let message = format!("Query {} {lost}: {why}.", query.id);
    Err(Fault::new(FaultKind::QueryStopped, message))
}

/// Why the query does not reach the point where it was; `None` once it has.
async fn pass_over(
    turn: &Turn<'_>,
    query: &Open,
    soft_ms: u64,
    control: &Control,
) -> Result<Option<&'static str>, Fault> {
    let clock = &turn.workspace.clock;
    let begin = clock.now_ms();
    let mut given = AnswerDigest::default();
    let mut opened = false;
    while !opened || given.count < query.so_far.count {
        let left = soft_ms
            .saturating_sub(clock.now_ms().saturating_sub(begin))
            .max(1);
        let bounds = Bounds {
            take: (query.so_far.count - given.count).min(turn.workspace.limits.take),
            soft_ms: left,
            next: turn.next_ids(),
        };
        let watch = Watch::query(&query.id, left, control);
        let believe = |step| believed::step(turn, bounds, step);
        let asked = match opened {
            false => {
                let request = protocol::query(query.number, &query.text, query.assume.as_deref(), bounds);
                let request = query.leaves.request(query.exact, request);
                turn.step(request, watch, |opened: Opened| believe(opened.step))
                    .await
            }
            true => {
                let request = protocol::next(query.number, bounds);
                turn.step(request, watch, believe).await
            }
        };
        opened = true;
        let (step, edit) = match asked {
            Ok(step) => step,
            Err(_) if turn.has_engine() => return Ok(Some(OTHERWISE)),
            Err(lost) => return Err(lost),
        };
        given.push(&step.answers);
        if step.question.is_some() {
            return Ok(Some("it asks the host, which may answer differently"));
        }
        // The book does not get changes: the engine is rebuilt. What a query only supposes to be gone comes back.
        if step.changes.kept() || !changes::give_back(turn, &step.changes.reload).await? {
            return Ok(Some(OTHERWISE));
        }
        edit.keep();
        match step.error {
            Some(error) if error.kind == FaultKind::Timeout => {
                return Ok(Some(
                    "it ran out of time before reaching the point where it had been",
                ));
            }
            None if step.more => {}
            _ => return Ok(Some(OTHERWISE)),
        }
    }
    if given == query.so_far {
        return Ok(None);
    }
    // If this fails, the engine is gone.
    let _ = turn
        .ask::<Closed>(protocol::close(query.number), Watch::short("close"))
        .await;
    Ok(Some(OTHERWISE))
}

fn sentence(words: &str) -> String {
    words[..1].to_uppercase() + &words[1..]
}

const OTHERWISE: &str = "it does not give the same answers again";
