//! Requests of a turn to its engine: how each is watched, and what a failed one means.

use std::pin::pin;

use futures::future::{Either, select};

use super::edit::Edit;
use super::turn::Turn;
use super::types::Leaves;
use super::{Inner, faults};
use crate::open::Orphans;
use hornbook_base::{CancelToken, Control, Fault, FaultKind, Progress};
use hornbook_engine::protocol;
use hornbook_engine::reply::{self, BadReply, Refusal, Reply};
use hornbook_engine::{DeathKind, EngineDeath, Lost};

/// How a request is watched.
#[derive(Clone, Copy)]
pub(super) struct Watch<'a> {
    /// The operation, for messages: `query`, `import`.
    pub what: &'static str,
    /// The time limit that the engine itself keeps, in milliseconds.
    pub soft_ms: Option<u64>,
    /// Cancelling the request ends the engine. Without a token, the request is short or must not be
    /// interrupted.
    pub cancel: Option<&'a CancelToken>,
    /// The id of the query being asked. If the engine is lost, that query's client is told in the reply to
    /// this request.
    pub query: Option<&'a str>,
}

impl<'a> Watch<'a> {
    /// A request that is always short.
    pub fn short(what: &'static str) -> Self {
        Watch {
            what,
            soft_ms: None,
            cancel: None,
            query: None,
        }
    }

    /// A request that runs the user's goals.
    pub fn goal(what: &'static str, soft_ms: u64, control: &'a Control) -> Self {
        Watch {
            what,
            soft_ms: Some(soft_ms),
            cancel: Some(&control.cancel),
            query: None,
        }
    }

    /// A request that runs the goal of the query with this id.
    pub fn query(id: &'a str, soft_ms: u64, control: &'a Control) -> Self {
        Watch {
            query: Some(id),
            ..Watch::goal("query", soft_ms, control)
        }
    }
}

impl Leaves {
    /// The request of a query that leaves so much, and whose answers are `exact` or not.
    pub(super) fn request(self, exact: bool, request: String) -> String {
        let request = match exact {
            true => protocol::exact(&request),
            false => request,
        };
        match self {
            Leaves::All => request,
            Leaves::Nothing => protocol::apart(&request, true),
            Leaves::NothingAnywhere => protocol::apart(&request, false),
        }
    }
}

impl Turn<'_> {
    /// Send one request. A fault is the engine's refusal, or says that the engine is gone and what that
    /// entails.
    pub async fn ask<T: Reply>(&self, request: String, watch: Watch<'_>) -> Result<T, Fault> {
        self.ask_believing(request, watch, Ok).await
    }

    /// Send one request, and check its reply with `believe` before it is used. An engine whose reply fails
    /// the check is ended.
    pub async fn ask_believing<T: Reply, U>(
        &self,
        request: String,
        watch: Watch<'_>,
        believe: impl FnOnce(T) -> Result<U, BadReply>,
    ) -> Result<U, Fault> {
        let supervisor = &self.lane.supervisor;
        let limits = &self.workspace.limits;
        let Some(process) = self.engine.borrow().clone() else {
            return Err(Fault::new(
                FaultKind::EngineDied,
                "The engine is being restarted.",
            ));
        };
        let limit_ms = watch
            .soft_ms
            .map_or(limits.step_ms, |soft| soft + limits.grace_ms);
        let never = CancelToken::default();
        let cancelled = watch.cancel.unwrap_or(&never).cancelled();
        let text = match supervisor.request(&process, request, limit_ms, cancelled).await {
            Ok(text) => text,
            Err(lost) => return Err(self.lost(lost, watch)),
        };
        let believed = match reply::decode(&text) {
            Ok(Ok(reply)) => {
                self.anew.set(self.anew.get() || reply::asks_anew(&text));
                believe(reply)
            }
            Ok(Err(Refusal::Refused(error))) => return Err(self.fault_of(error)),
            Ok(Err(Refusal::Died(reason))) => return Err(self.dead(DeathKind::Failed, reason, watch)),
            Err(bad) => Err(bad),
        };
        believed.map_err(|BadReply(reason)| self.dead(DeathKind::BadReply, reason, watch))
    }

    /// The engine answers, but must not be used again.
    fn dead(&self, kind: DeathKind, reason: String, watch: Watch<'_>) -> Fault {
        self.lane.supervisor.discard();
        self.lost(Lost::Died(EngineDeath { kind, reason }), watch)
    }

    /// The client cancelled a request that is waiting for the host.
    pub fn cancelled(&self, watch: Watch<'_>) -> Fault {
        self.lane.supervisor.discard();
        self.lost(Lost::Cancelled, watch)
    }

    /// Send one request that runs the user's goals. Returns the edit for the changes that it reports. An
    /// engine that refuses it has changed nothing.
    pub async fn step<T: Reply, U>(
        &self,
        request: String,
        watch: Watch<'_>,
        believe: impl FnOnce(T) -> Result<U, BadReply>,
    ) -> Result<(U, Edit<'_>), Fault> {
        let edit = self.edit();
        let asked = self.ask_believing(request, watch, believe).await;
        if watch.query.is_some() {
            self.has_run();
        }
        match asked {
            Ok(step) => Ok((step, edit)),
            Err(fault) => {
                edit.keep();
                Err(fault)
            }
        }
    }

    /// One step of a query. Its client is told from time to time how long it has been running.
    pub async fn step_of_query<T: Reply, U>(
        &self,
        request: String,
        watch: Watch<'_>,
        control: &Control,
        believe: impl FnOnce(T) -> Result<U, BadReply>,
    ) -> Result<(U, Edit<'_>), Fault> {
        let mut reply = pin!(self.step(request, watch, believe));
        let Some(progress) = &control.progress else {
            return reply.await;
        };
        let Inner { clock, limits, .. } = self.workspace;
        let soft_ms = self.stopped_after(watch);
        let begun = clock.now_ms();
        loop {
            match select(reply, clock.sleep(limits.progress_ms)).await {
                Either::Left((reply, _)) => return reply,
                Either::Right((_, waiting)) => reply = waiting,
            }
            progress(Progress {
                done: clock.now_ms().saturating_sub(begun).min(soft_ms),
                total: Some(soft_ms),
                message: "ms of the time limit".into(),
            });
        }
    }

    pub fn fault_of(&self, error: reply::EngineError) -> Fault {
        let boot = self.workspace.supervisor.boot();
        let builtins = boot.as_ref().map_or(&[][..], |boot| &boot.builtins);
        faults::from_engine(error, &self.workspace.book.borrow(), builtins)
    }

    /// The fault for the error of a goal that could run for `soft_ms`.
    pub fn goal_fault(&self, error: reply::EngineError, soft_ms: u64) -> Fault {
        match error.kind {
            FaultKind::Timeout => {
                let message = format!("The query was stopped after {soft_ms} ms.");
                Fault::new(FaultKind::Timeout, faults::with(message, &error.detail))
            }
            _ => self.fault_of(error),
        }
    }

    /// The message that a predicate, `name/arity`, is not defined, with similar names.
    pub fn undefined(&self, indicator: &str) -> String {
        let boot = self.workspace.supervisor.boot();
        let builtins = boot.as_ref().map_or(&[][..], |boot| &boot.builtins);
        faults::undefined(indicator, &self.workspace.book.borrow(), builtins)
    }

    fn lost(&self, lost: Lost, watch: Watch<'_>) -> Fault {
        self.engine.take();
        let event = faults::event(&lost, watch.what, self.stopped_after(watch));
        if let Some(asked) = watch.query {
            let mut queries = self.workspace.queries.borrow_mut();
            // A query whose engine was ended from outside can be asked again.
            let innocent = matches!(&lost, Lost::Died(death) if death.kind == DeathKind::Ended);
            if !(innocent && queries.is_open(asked)) {
                queries.end(asked, self.workspace.stopped(&event), &self.workspace.limits);
            }
        }
        let Orphans { closed, kept } = self.workspace.orphan_queries(self.lane.number);
        let closed = match closed {
            0 => String::new(),
            1 => "; 1 open query was closed".to_owned(),
            n => format!("; {n} open queries were closed"),
        };
        let kept = match kept {
            0 => String::new(),
            1 => "; 1 open query will continue when asked for more".to_owned(),
            n => format!("; {n} open queries will continue when asked for more"),
        };
        Fault::new(
            faults::kind_of(&lost),
            format!("{event}. The engine is restarted and the workspace is intact{closed}{kept}."),
        )
    }

    fn stopped_after(&self, watch: Watch<'_>) -> u64 {
        watch.soft_ms.unwrap_or(self.workspace.limits.step_ms)
    }
}
