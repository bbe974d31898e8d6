//! Executes nodes.

use std::borrow::Cow;
use std::cell::RefCell;

use futures::future::{Either, LocalBoxFuture, select};

use super::done::Done;
use super::runner::{Branch, Runner};
use super::{CodeFailure, Kind};
use crate::difference::{Difference, Gave};
use crate::fault::WorkflowFault;
use crate::json::{Json, Object};
use crate::language::Language;
use crate::model::{ErrorMode, Node, OnError, Step, Work};
use crate::state::{Asked, Thread, Within, seen};
use crate::state::{Did, Record, key};

/// The input of an attempt.
#[derive(Clone, Copy)]
pub(super) struct Given<'a> {
    /// The node or the step, for actions and events.
    pub name: &'a str,
    /// The node of the text.
    pub node: &'a str,
    /// The name with its repetition and item: identifies its effects.
    pub path: &'a str,
    pub state: &'a Object,
    pub parallel_results: Option<&'a Json>,
    pub branch: Branch<'a>,
    /// What was already done before the run was resumed.
    pub within: &'a Within,
    /// What has been recorded of it since.
    pub noted: &'a RefCell<Vec<Did>>,
    /// Makes the record of it.
    pub effect: &'a dyn Fn(&Done) -> Result<Did, WorkflowFault>,
    pub attempt: u64,
    /// When what it belongs to must have ended.
    pub until_ms: Option<u64>,
    /// How long its code may run.
    pub limit_ms: u64,
    /// Whether it continues where the run was resumed: a later attempt begins anew.
    pub first: bool,
    /// Of the loop that it is in, from 1.
    pub round: Option<u64>,
}

impl Given<'_> {
    /// The state as the node's Prolog sees it.
    pub fn seen(&self) -> Cow<'_, Object> {
        seen(self.state, self.parallel_results)
    }

    /// What its Prolog has asked, with the answers; `None` if the last question has none yet.
    pub fn answers(&self) -> Option<Vec<(Json, Json)>> {
        let asked = self.within.asked.get(self.path);
        let pair = |asked: &Asked| Some((asked.question.clone(), asked.answer.clone()?));
        asked.into_iter().flatten().map(pair).collect()
    }

    /// The record of a question.
    pub fn asks(&self, question: Json) -> Did {
        Did::Asks {
            node: self.node.to_owned(),
            path: self.path.to_owned(),
            question,
        }
    }
}

impl Runner {
    /// `effect` makes the record of the node; `noted` takes what is recorded before it is done.
    pub(super) async fn node(
        &self,
        node: &Node,
        thread: &Thread,
        branch: Branch<'_>,
        effect: &dyn Fn(&Done) -> Result<Did, WorkflowFault>,
        noted: &RefCell<Vec<Did>>,
    ) -> Result<Done, WorkflowFault> {
        let given = Given {
            name: &self.named(&node.name),
            node: &node.name,
            path: &thread.visit(&node.name),
            state: &thread.state,
            parallel_results: thread.results.as_ref(),
            branch,
            within: &thread.within,
            noted,
            effect,
            attempt: 1,
            until_ms: None,
            limit_ms: self.timeout_ms,
            first: true,
            round: None,
        };
        self.tried(&node.work, &node.on_error, node.timeout_ms, given)
            .await
    }

    /// Do the work, with the retries that `on_error` allows.
    fn tried<'a>(
        &'a self,
        work: &'a Work,
        on_error: &'a OnError,
        timeout_ms: Option<u64>,
        given: Given<'a>,
    ) -> LocalBoxFuture<'a, Result<Done, WorkflowFault>> {
        Box::pin(async move {
            let mut left: Option<Object> = None;
            let mut attempt = 1;
            let mut first = given.first;
            if let Some((failed, state)) = given.within.tried.get(given.path) {
                attempt += failed;
                left = state.as_ref().map(|difference| {
                    let mut state = given.state.clone();
                    difference.apply(&mut state);
                    state
                });
            }
            let fault = loop {
                let tried = Given {
                    state: left.as_ref().unwrap_or(given.state),
                    attempt,
                    first,
                    ..given
                };
                first = false;
                let failure = match self.attempt(work, timeout_ms, tried).await {
                    Ok(done) => return Ok(done),
                    Err(failure) => failure,
                };
                let again = on_error.retries(failure.fault.kind, attempt);
                left = failure.state.or(left);
                self.note(given, || Did::Tried {
                    path: given.path.to_owned(),
                    error: failure.fault.message.clone(),
                    again,
                    left: left.as_ref().map(|left| Difference::between(given.state, left)),
                })
                .await?;
                if !again {
                    break failure.fault;
                }
                let delay_ms = on_error.retries.delay_ms(attempt);
                let retry = Kind::Retry {
                    node: given.name.to_owned(),
                    attempt,
                    delay_ms,
                    fault: failure.fault,
                };
                self.tell(given.branch.name, retry);
                self.means.clock.sleep(delay_ms).await;
                attempt += 1;
            };
            if on_error.mode != ErrorMode::Graceful && on_error.fallback.is_none() {
                return Err(fault);
            }
            let error = [
                (
                    "node",
                    Json::Text(fault.node.clone().unwrap_or_else(|| given.name.to_owned())),
                ),
                ("type", Json::Text(fault.kind.word().into())),
                ("message", Json::Text(fault.message.clone())),
            ];
            let error = error
                .into_iter()
                .map(|(key, value)| (key.to_owned(), value))
                .collect();
            let held = Kind::ErrorHeld {
                node: given.name.to_owned(),
                fault,
            };
            self.tell(given.branch.name, held);
            Ok(Done {
                updates: [("__error__".to_owned(), error)].into(),
                fallback: on_error.fallback.is_some(),
                ..Done::default()
            })
        })
    }

    /// Do the work once, within its time.
    async fn attempt(
        &self,
        work: &Work,
        timeout_ms: Option<u64>,
        given: Given<'_>,
    ) -> Result<Done, CodeFailure> {
        let now_ms = self.means.clock.now_ms();
        let own = timeout_ms.map(|ms| now_ms.saturating_add(ms));
        let until_ms = [own, given.until_ms].into_iter().flatten().min();
        let limit_ms = timeout_ms.unwrap_or(self.timeout_ms);
        let given = Given {
            until_ms,
            limit_ms: until_ms.map_or(limit_ms, |until| {
                limit_ms.min(until.saturating_sub(now_ms)).max(1)
            }),
            ..given
        };
        let Some(timeout_ms) = timeout_ms.filter(|_| !work.keeps_time()) else {
            return self.work(work, given).await;
        };
        let late = async {
            self.means.clock.sleep(timeout_ms).await;
            // A record that is being written is written whole.
            match &self.ledger {
                Some(ledger) => Some(ledger.still().await),
                None => None,
            }
        };
        match select(Box::pin(self.work(work, given)), Box::pin(late)).await {
            Either::Left((done, _)) => done,
            Either::Right(_) => Err(WorkflowFault::late(given.name, timeout_ms).into()),
        }
    }

    /// Record something that happened within a node.
    pub(super) async fn note(
        &self,
        given: Given<'_>,
        did: impl FnOnce() -> Did,
    ) -> Result<(), WorkflowFault> {
        let record = Record {
            at_ms: self.means.clock.now_ms(),
            branch: given.branch.path.to_vec(),
            did: did(),
        };
        if let Some(ledger) = &self.ledger {
            ledger.append(&record).await?;
        }
        given.noted.borrow_mut().push(record.did);
        Ok(())
    }

    async fn work(&self, work: &Work, given: Given<'_>) -> Result<Done, CodeFailure> {
        let done = match work {
            Work::Nothing => Done::default(),
            Work::Code {
                language: Language::Prolog,
                code,
                at,
                inferred,
            } => {
                let done = self.prolog(code, given).await;
                done.map_err(|fault| fault.taken_for(Language::Prolog, *inferred).of_text(at.0))?
                    .of_text(at.0)
            }
            Work::InBook { code, book, at } => {
                let done = match book {
                    None => self.in_book(code, given).await,
                    Some(name) => self.in_other_book(name, code, given).await,
                };
                return Ok(done.map_err(|fault| fault.of_text(at.0))?.of_text(at.0));
            }
            Work::Code {
                language,
                code,
                inferred,
                ..
            } => {
                let done = self.code(*language, code, given).await;
                done.map_err(|failure| CodeFailure {
                    fault: failure.fault.taken_for(*language, *inferred),
                    ..failure
                })?
            }
            Work::Expression { expression, key } => {
                let scope = self.scope(given.state, None, given.parallel_results);
                Done::of([(key.clone(), scope.expression(expression)?)].into())
            }
            Work::Action { name, with, output } => self.action(name, with, output, given).await?,
            Work::Program { code, with, output } => self.program(code, with.as_ref(), output, given).await?,
            Work::Graph {
                workflow,
                with,
                output,
                ..
            } => return Ok(self.graph(workflow, with.as_ref(), output, given).await?),
            // Their parts have combined their values already.
            Work::Steps(steps) => return Ok(self.steps(steps, given).await?),
            Work::Loop {
                condition,
                most,
                body,
                output,
            } => {
                return Ok(self
                    .rounds(condition, *most, body, output.as_deref(), given)
                    .await?);
            }
            Work::Each(each) => return Ok(self.each(each, given).await?),
        };
        match done.waits {
            true => Ok(done),
            false => Ok(self.reduced(done, given).await?),
        }
    }

    /// Run steps in sequence, each seeing what the earlier ones returned.
    pub(super) fn steps<'a>(
        &'a self,
        steps: &'a [Step],
        given: Given<'a>,
    ) -> LocalBoxFuture<'a, Result<Done, WorkflowFault>> {
        Box::pin(async move {
            let mut done = Done::default();
            let mut state = given.state.clone();
            for step in steps {
                let name = format!("{}.{}", given.name, step.name);
                let path = format!("{}.{}", given.path, key::part(&step.name));
                let within = Given {
                    name: &name,
                    path: &path,
                    state: &state,
                    ..given
                };
                let inner = match given.within.steps.get(&path) {
                    Some(gave) => Done {
                        added: given.within.added.get(&path).cloned().unwrap_or_default(),
                        ..Done::of(gave.updates(&state))
                    },
                    None => self.step_of(step, within).await?,
                };
                state.extend(inner.updates.clone());
                done.and(inner);
                if done.waits {
                    break;
                }
            }
            Ok(done)
        })
    }

    async fn step_of(&self, step: &Step, given: Given<'_>) -> Result<Done, WorkflowFault> {
        let effect = |done: &Done| {
            Ok(Did::Step {
                path: given.path.to_owned(),
                gave: Gave::of(given.state, &done.updates),
                added: done.added.clone(),
            })
        };
        let within = Given {
            effect: &effect,
            ..given
        };
        let (node, round) = (given.name.to_owned(), given.round);
        let started = Kind::StepStart {
            node: node.clone(),
            round,
        };
        self.tell(given.branch.name, started);
        let done = self
            .tried(&step.work, &step.on_error, step.timeout_ms, within)
            .await;
        let done = done.map_err(|fault| WorkflowFault {
            message: format!("Step '{}': {}", step.name, fault.message),
            ..fault
        })?;
        if done.waits {
            return Ok(done);
        }
        let did = effect(&done)?;
        match done.recorded {
            Some(_) => given.noted.borrow_mut().push(did),
            None => self.note(given, || did).await?,
        }
        let ended = Kind::StepEnd {
            node,
            round,
            updates: done.updates.clone(),
        };
        self.tell(given.branch.name, ended);
        Ok(done)
    }
}
