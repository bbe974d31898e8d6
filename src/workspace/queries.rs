//! Queries: start, more answers, close.

use super::edit::Edit;
use super::turn::{Turn, Watch};
use super::types::*;
use super::{Inner, Workspace, believed, changes, restart};
use crate::open::{Ended, Given, Known, Open, Orphans, Refused};
use hornbook_base::{Control, Fault, FaultKind};
use hornbook_book::Operation;
use hornbook_book::lexer::Lexer;
use hornbook_book::text::line_nested_deeper;
use hornbook_engine::protocol::{self, Bounds};
use hornbook_engine::reply::{self, Closed, Opened, Step};

impl Workspace {
    /// Check a query and open it; with `take`, give its first answers. Both modes give the same answers.
    pub async fn query_start(&self, start: QueryStart, control: &Control) -> Result<QueryStarted, Fault> {
        let workspace = &*self.0;
        workspace.check_query(&start)?;
        let soft_ms = workspace.timeout(start.timeout_ms)?;
        workspace.check_take(start.take)?;
        let turn = workspace.turn(control).await?;
        let (id, number) = workspace.prepare(start.query_id.as_deref())?;
        let bounds = Bounds {
            take: start.take.unwrap_or(0),
            soft_ms,
            next: turn.next_ids(),
        };
        let request = protocol::query(number, &start.query, bounds);
        let watch = Watch::query(&id, soft_ms, control);
        let believe = |Opened { variables, step }| Ok((variables, believed::step(&turn, bounds, step)?));
        let ((variables, step), edit) = turn.step_of_query(request, watch, control, believe).await?;
        let open = Open {
            id: id.clone(),
            number,
            in_engine: true,
            text: start.query.clone(),
            revision: workspace.book.borrow().revision(),
            given: Given::default(),
            inferences: 0,
        };
        workspace.queries.borrow_mut().opened(open.clone());
        let told = start.take.is_some() || step.error.is_some();
        let answers = finish(&turn, edit, &open, step, soft_ms).await?;
        Ok(QueryStarted {
            query_id: id,
            query: start.query,
            use_engine: start.use_engine.unwrap_or(true),
            variables,
            answers: told.then_some(answers),
            notices: turn.notices(),
        })
    }

    /// More answers. After the last one it says so as often as it is asked.
    pub async fn query_next(&self, next: QueryNext, control: &Control) -> Result<Answers, Fault> {
        let workspace = &*self.0;
        let soft_ms = workspace.timeout(next.timeout_ms)?;
        workspace.check_take(next.take)?;
        let turn = workspace.wait(control).await?;
        let query = match workspace.find(next.query_id.as_deref())? {
            Known::Open(query) => query,
            Known::Ended(Ended { id, closed: None, .. }) => return Ok(no_more(id, turn.notices())),
            Known::Ended(Ended {
                id,
                closed: Some(reason),
                ..
            }) => {
                let message = format!("Query {id} is closed. {reason}.");
                let next = "Start it again with query_start.";
                return Err(Fault::new(FaultKind::NoSuchQuery, message).with_next(next));
            }
        };
        let begin = workspace.clock.now_ms();
        let restarted = match query.in_engine {
            true => None,
            false => Some(restart::again(&turn, &query, soft_ms, control).await?),
        };
        let spent = workspace.clock.now_ms() - begin;
        let bounds = Bounds {
            take: next.take.unwrap_or(1),
            soft_ms: soft_ms.saturating_sub(spent).max(1),
            next: turn.next_ids(),
        };
        let request = protocol::next(query.number, bounds);
        let watch = Watch::query(&query.id, bounds.soft_ms, control);
        let believe = |step| believed::step(&turn, bounds, step);
        let asked = turn.step_of_query(request, watch, control, believe).await;
        if asked
            .as_ref()
            .is_err_and(|fault| fault.kind == FaultKind::NoSuchQuery)
        {
            workspace.queries.borrow_mut().forget(&query.id);
        }
        let (step, edit) = asked?;
        let mut answers = finish(&turn, edit, &query, step, soft_ms).await?;
        answers.notices.extend(restarted);
        answers.notices.extend(turn.notices());
        Ok(answers)
    }

    /// The inferences that a query has taken so far: `None` where it is not known, or its engine was ended before it
    /// could say.
    pub fn inferences(&self, query_id: &str) -> Option<u64> {
        self.0.queries.borrow().inferences(query_id)
    }

    /// End a query; one that is not open is nothing to fail about.
    pub async fn query_close(&self, query_id: Option<&str>) -> Result<QueryClosed, Fault> {
        let workspace = &*self.0;
        let turn = workspace.wait(&Control::default()).await?;
        let known = workspace.queries.borrow().find(query_id);
        let (id, open) = match known {
            None => {
                return Ok(QueryClosed {
                    query_id: query_id.map(str::to_owned),
                    was_open: false,
                });
            }
            Some(Known::Ended(query)) => (query.id, None),
            Some(Known::Open(query)) => (query.id.clone(), Some(query)),
        };
        if let Some(query) = open.as_ref().filter(|query| query.in_engine) {
            let watch = Watch {
                query: Some(&id),
                ..Watch::short("close")
            };
            // Where the engine is lost the query is closed all the same.
            let _ = turn.ask::<Closed>(protocol::close(query.number), watch).await;
        }
        workspace.queries.borrow_mut().forget(&id);
        Ok(QueryClosed {
            query_id: Some(id),
            was_open: open.is_some(),
        })
    }
}

impl Inner {
    pub(super) fn check_query(&self, start: &QueryStart) -> Result<(), Fault> {
        let limits = &self.limits;
        if start.query.trim().is_empty() {
            return Err(Fault::new(FaultKind::SyntaxError, "The query is empty.")
                .with_next("Give a goal, as `member(X, [a, b])`."));
        }
        if start.query.chars().count() > limits.query_chars {
            let message = "The query has more characters than are allowed";
            return Err(Fault::limit(message, "query_chars", limits.query_chars));
        }
        if let Some(line) = line_nested_deeper(&start.query, Lexer::new(&start.query), limits.nesting) {
            return Err(Fault {
                line: Some(line),
                ..Fault::limit("The query nests too deep", "nesting", limits.nesting)
            });
        }
        let id_fits = |id: &String| !id.trim().is_empty() && id.chars().count() <= limits.query_id_chars;
        if !start.query_id.as_ref().is_none_or(id_fits) {
            let message = "The query_id is empty or too long";
            return Err(Fault::limit(message, "query_id_chars", limits.query_id_chars));
        }
        Ok(())
    }

    fn check_take(&self, take: Option<usize>) -> Result<(), Fault> {
        match take {
            Some(take) if !(1..=self.limits.take).contains(&take) => {
                let message = format!("take is 1 or more, and not {take}");
                Err(Fault::limit(message, "take", self.limits.take))
            }
            _ => Ok(()),
        }
    }

    fn timeout(&self, timeout_ms: Option<u64>) -> Result<u64, Fault> {
        let longest = self.limits.longest_timeout_ms;
        match timeout_ms {
            Some(ms) if !(1..=longest).contains(&ms) => {
                let message = format!("timeout_ms is 1 or more, and not {ms}");
                Err(Fault::limit(message, "longest_timeout_ms", longest))
            }
            Some(ms) => Ok(ms),
            None => Ok(self.timeout_ms),
        }
    }

    fn prepare(&self, id: Option<&str>) -> Result<(String, u64), Fault> {
        self.queries
            .borrow_mut()
            .prepare(id, &self.limits)
            .map_err(|refused| match refused {
                Refused::TooMany => {
                    let fault = Fault::limit(
                        "As many queries are open as may be",
                        "open_queries",
                        self.limits.open_queries,
                    );
                    Fault::new(FaultKind::TooManyQueries, fault.message)
                }
                Refused::IdInUse => {
                    let message = format!("A query with the id {} is open.", id.unwrap_or_default());
                    Fault::new(FaultKind::QueryIdInUse, message)
                }
            })
    }

    fn find(&self, id: Option<&str>) -> Result<Known, Fault> {
        self.queries.borrow().find(id).ok_or_else(|| {
            let message = match id {
                Some(id) => format!("There is no query {id}."),
                None => "No query is open.".to_owned(),
            };
            Fault::new(FaultKind::NoSuchQuery, message)
        })
    }

    /// The engine is gone: what becomes of its queries.
    pub(super) fn orphan_queries(&self) -> Orphans {
        let reason = "The engine was restarted, and the book has changed since the query was opened";
        self.queries
            .borrow_mut()
            .engine_lost(self.book.borrow().revision(), reason, &self.limits)
    }
}

/// What one step of a query means for the book, and for the query.
async fn finish(
    turn: &Turn<'_>,
    edit: Edit<'_>,
    query: &Open,
    step: Step,
    soft_ms: u64,
) -> Result<Answers, Fault> {
    let workspace = turn.workspace;
    let more = step.more && step.error.is_none();
    workspace.queries.borrow_mut().stepped(&query.id, &step);
    if !more {
        workspace
            .queries
            .borrow_mut()
            .end(&query.id, None, &workspace.limits);
    }
    let operation = Operation::Query(query.text.clone());
    let counts = changes::take(turn, edit, step.changes, operation).await?;
    let fault = step.error.map(|error| match error.kind {
        FaultKind::Timeout => Fault::new(
            FaultKind::Timeout,
            format!("The query was stopped after {soft_ms} ms."),
        ),
        _ => turn.fault_of(error),
    });
    Ok(Answers {
        query_id: query.id.clone(),
        answers: step.answers.into_iter().map(answer).collect(),
        more,
        output: step.output,
        fault,
        added: counts.added,
        removed: counts.removed,
        undone: step.undone,
        notices: Vec::new(),
    })
}

fn answer(answer: reply::Answer) -> Answer {
    let binding = |(name, text, json)| Binding { name, text, json };
    Answer {
        bindings: answer.bindings.into_iter().map(binding).collect(),
        residual: answer.residual,
        output: answer.output,
    }
}

fn no_more(query_id: String, notices: Vec<Notice>) -> Answers {
    Answers {
        query_id,
        answers: Vec::new(),
        more: false,
        output: String::new(),
        fault: None,
        added: 0,
        removed: 0,
        undone: 0,
        notices,
    }
}
