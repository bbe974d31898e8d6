//! Questions of a running query: predicates that the host answers, and input that a goal reads from the user.
//! A step ends with a question, and continues with the answer. The turn is held meanwhile, so that the step
//! is one change of the book however often it asks; while others wait for the turn, the user has less time.

use std::collections::BTreeSet;
use std::pin::pin;
use std::rc::Rc;

use futures::future::{Either, LocalBoxFuture, select};
use serde_json::Value;

use super::edit::Edit;
use super::links;
use super::request::Watch;
use super::turn::Turn;
use super::{Inner, Workspace};
use hornbook_base::{Control, Fault};
use hornbook_engine::protocol::{self, Asker, Bounds, HostAnswer};
use hornbook_engine::reply::{BadReply, MayAsk, Reply, Step};

/// Stands for the number of a query where something is explained, or runs as a whole.
const EXPLANATION: u64 = u64::MAX;

/// Answers the questions of queries (`docs/engine-protocol.md`).
pub trait HostPredicates {
    /// The answer to a question of the query with this number, as the text of a term.
    fn answer(&self, query: u64, question: String) -> LocalBoxFuture<'static, String>;
    /// Only these queries are open: state kept for others may be dropped.
    fn keep(&self, queries: &[u64]);
}

impl Workspace {
    /// Set what answers the predicates of [`Options::host`](super::Options::host). Call once, before any
    /// query.
    pub fn answer_by(&self, predicates: Rc<dyn HostPredicates>) {
        let set = self.0.predicates.set(predicates);
        assert!(set.is_ok(), "the predicates of the host are set once");
    }
}

impl Inner {
    /// Let the host drop its state for queries that have ended.
    pub(super) fn keep_questions(&self) {
        let queries = self.queries.borrow();
        let numbers: Vec<u64> = queries.open().iter().map(|query| query.number).collect();
        if let Some(predicates) = self.predicates.get() {
            predicates.keep(&numbers);
        }
        if let Some(linked) = self.linked.get() {
            linked.keep(&numbers);
        }
    }
}

impl Turn<'_> {
    /// Answer the questions of a step of `asker` until it has ended. The step's time limit covers engine and host
    /// together, but not the user; if the host is late, the query is stopped like one that is slow itself. On
    /// cancellation the engine is rebuilt.
    pub(super) async fn answer_questions(
        &self,
        asker: Asker,
        mut step: Step,
        bounds: Bounds,
        watch: Watch<'_>,
        control: &Control,
        believe: &dyn Fn(Bounds, Step) -> Result<Step, BadReply>,
    ) -> Result<Step, Fault> {
        let clock = &self.workspace.clock;
        let mut end_ms = clock.now_ms() + bounds.soft_ms;
        let mut lent = BTreeSet::new();
        while let Some(question) = step.question.take() {
            let left_ms = end_ms.saturating_sub(clock.now_ms());
            let answer = if let Some(prompt) = question["input"].as_str() {
                let line = self.user_says(prompt, control).await;
                end_ms = clock.now_ms() + left_ms;
                line.map(Some)
            } else if left_ms == 0 {
                // An engine that asks again and again may never notice its limit.
                Some(None)
            } else if let Some(name) = question["file"].as_str() {
                let action = question["action"].as_str().unwrap_or_default();
                Some(Some(self.file_answer(name, action, &mut lent).await?))
            } else {
                let Asker::Query(query) = asker else {
                    return Err(self.cancelled(watch));
                };
                self.host_answers(query, question, left_ms, control).await
            };
            let Some(answer) = answer else {
                return Err(self.cancelled(watch));
            };
            let answer = answer.as_deref().map_or(HostAnswer::Stop, HostAnswer::Text);
            let rest = Bounds {
                take: bounds.take.saturating_sub(step.answers.len()).max(1),
                soft_ms: end_ms.saturating_sub(clock.now_ms()).max(1),
                ..bounds
            };
            let request = protocol::answered(asker, answer, rest);
            let watch = Watch {
                soft_ms: Some(rest.soft_ms),
                ..watch
            };
            let next: Step = self
                .ask_believing(request, watch, |step| believe(rest, step))
                .await?;
            let mut answers = std::mem::take(&mut step.answers);
            // After an error the step itself reports everything that was undone, earlier answers included.
            if next.undone > 0 {
                answers.clear();
            }
            answers.extend(next.answers);
            step = Step { answers, ..next };
        }
        Ok(step)
    }

    /// Answer what is asked on the way to the end of a request that is no query, which began `end_ms - bounds.soft_ms` ago. If the host is
    /// late or the client cancels, the goal is stopped like one that is slow itself.
    pub(super) async fn answer_explanation<T: Reply, U>(
        &self,
        mut reply: MayAsk<U>,
        (bounds, end_ms): (Bounds, u64),
        watch: Watch<'_>,
        control: &Control,
        believe: impl Fn(T) -> Result<U, BadReply>,
    ) -> Result<U, Fault> {
        let clock = &self.workspace.clock;
        loop {
            let question = match reply {
                MayAsk::Asks(question) => question,
                MayAsk::Ended(reply) => return Ok(reply),
            };
            let left_ms = end_ms.saturating_sub(clock.now_ms());
            // An engine that asks again and again may never notice its limit.
            let answer = match left_ms {
                0 => None,
                _ => self
                    .host_answers(EXPLANATION, question, left_ms, control)
                    .await
                    .flatten(),
            };
            let answer = answer.as_deref().map_or(HostAnswer::Stop, HostAnswer::Text);
            let rest = Bounds {
                soft_ms: end_ms.saturating_sub(clock.now_ms()).max(1),
                ..bounds
            };
            let request = protocol::answered(Asker::Explanation, answer, rest);
            let believe = |reply: MayAsk<T>| reply.believed(&believe);
            reply = self.ask_believing(request, watch, believe).await?;
        }
    }

    /// Run the goal of a directive to its end, as [`Turn::step`](Turn::step) does, and answer its questions.
    pub(super) async fn step_of_directive(
        &self,
        request: String,
        bounds: Bounds,
        watch: Watch<'_>,
        control: &Control,
        believe: &dyn Fn(Bounds, Step) -> Result<Step, BadReply>,
    ) -> Result<(Step, Edit<'_>), Fault> {
        let (step, edit) = self.step(request, watch, |step| believe(bounds, step)).await?;
        let answered = self.answer_questions(Asker::Directive, step, bounds, watch, control, believe);
        Ok((answered.await?, edit))
    }

    /// The user's reply to a prompt, as the text of a term; `None` if the client cancelled.
    async fn user_says(&self, prompt: &str, control: &Control) -> Option<String> {
        const END: &str = "end_of_file";
        let Some(person) = &control.person else {
            return Some(END.to_owned());
        };
        let Inner { clock, limits, .. } = self.workspace;
        let (user, others) = (pin!(clock.sleep(limits.user_ms)), pin!(self.awaited()));
        let late = select(user, others);
        let cancelled = pin!(control.cancel.cancelled());
        match select(person.ask(prompt), select(late, cancelled)).await {
            Either::Left((Some(line), _)) => Some(protocol::text_request("line", &line)),
            Either::Left((None, _)) => Some(END.to_owned()),
            Either::Right((Either::Left((late, _)), _)) => {
                if let Either::Right(_) = late {
                    let seconds = limits.awaited_user_ms / 1000;
                    self.workspace.supervisor.remark(format!(
                        "Others were waiting for the book and the user did not answer within {seconds} s \
                         (limit: awaited_user_ms), so the input ended."
                    ));
                }
                Some(END.to_owned())
            }
            Either::Right((Either::Right(_), _)) => None,
        }
    }

    /// Resolves once others have waited for the turn for as long as a user may keep them waiting.
    async fn awaited(&self) {
        loop {
            self.permit.wanted().await;
            self.workspace
                .clock
                .sleep(self.workspace.limits.awaited_user_ms)
                .await;
            if self.permit.is_wanted() {
                return;
            }
        }
    }

    /// The host's answer: the inner `None` if it is late, the outer `None` if the client cancelled.
    async fn host_answers(
        &self,
        query: u64,
        question: Value,
        left_ms: u64,
        control: &Control,
    ) -> Option<Option<String>> {
        let Inner {
            clock,
            predicates,
            linked,
            ..
        } = self.workspace;
        let answer = if links::is_asked(&question) {
            let Some(linked) = linked.get() else {
                return Some(Some(links::unlinked(&question)));
            };
            linked.answer(query, question)
        } else if let Some(predicates) = predicates.get() {
            predicates.answer(query, question.to_string())
        } else {
            return Some(Some("failed(\"nothing answers it here\")".to_owned()));
        };
        let late = pin!(clock.sleep(left_ms));
        let cancelled = pin!(control.cancel.cancelled());
        match select(answer, select(late, cancelled)).await {
            Either::Left((answer, _)) => Some(Some(answer)),
            Either::Right((Either::Left(_), _)) => Some(None),
            Either::Right((Either::Right(_), _)) => None,
        }
    }
}
