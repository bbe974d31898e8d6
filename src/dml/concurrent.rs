//! A program's concurrent goals, each in a Prolog engine of its own: one continues while others wait for the
//! host.

use futures::future::{Either, LocalBoxFuture, select};
use futures::stream::{FuturesUnordered, StreamExt};
use serde_json::{Value, json};

use super::branch::Branch;
use super::engine::{self, Answer};
use super::replies::{Group, GroupMode};
use super::session::{Outcome, Session, Stop};
use hornbook_agent::{Branches, StepId, Trace};

/// The number of a goal in its group, from 1, and how it ended.
type Ended = Result<(usize, End), Stop>;

#[derive(Debug, Clone, Copy, PartialEq)]
enum End {
    Solution,
    Failure,
    Error,
}

impl Session {
    /// Run the goals of a group until the group ends; goals still running then are abandoned. `line` is that
    /// of the goal that started the group, if known.
    pub async fn concurrent(
        &self,
        group: Group,
        under: StepId,
        line: Option<u32>,
    ) -> Result<(Answer, StepId), Stop> {
        let Group { group, count, mode } = group;
        let step = self.effects.tracer.begin(line, |id| Trace::Concurrent {
            id,
            under,
            goals: count,
        });
        let branches = self.effects.recorder.branch_off();
        let mut numbers = 1..=count;
        let mut running: FuturesUnordered<LocalBoxFuture<'_, Ended>> = FuturesUnordered::new();
        let mut outcome = match mode {
            GroupMode::All => json!(["all", 0]),
            _ => Value::Null,
        };
        loop {
            while running.len() < self.effects.limits.concurrent_goals
                && let Some(number) = numbers.next()
            {
                running.push(self.goal_of(group, number, &branches, step));
            }
            let Some(ended) = running.next().await else { break };
            let (number, end) = ended?;
            match end {
                End::Solution if mode == GroupMode::All => continue,
                End::Solution => outcome = json!(["first", number]),
                End::Failure if mode.after_failure() => continue,
                End::Failure => outcome = Value::Null,
                End::Error if mode.after_error() => continue,
                End::Error => outcome = json!(["error", number]),
            }
            break;
        }
        self.leave(group, running).await?;
        drop(branches);
        Ok(if outcome.is_null() {
            self.effects.tracer.end(step, Err("There is no solution."));
            (Answer::Failed, step)
        } else {
            self.effects.tracer.end(step, Ok(&outcome));
            (Answer::Done(outcome), step)
        })
    }

    fn goal_of<'a>(
        &'a self,
        group: u64,
        number: usize,
        branches: &Branches<'a>,
        under: StepId,
    ) -> LocalBoxFuture<'a, Ended> {
        let open = branches.open();
        Box::pin(async move {
            let _open = open;
            let id = self.fresh_id();
            let (gas, step_ms) = self.bounds()?;
            let request = engine::branch(id, group, number, gas, step_ms);
            let step = self.ask_step(request).await?;
            let end = match self.drive(id, step, Branch::new(under)).await? {
                Outcome::True(value) if value == "error" => End::Error,
                Outcome::True(_) => End::Solution,
                Outcome::False => End::Failure,
                Outcome::Error(_) => End::Error,
            };
            Ok((number, end))
        })
    }

    /// Abandon the goals that are still running, but none in the middle of a request to the engine.
    async fn leave(
        &self,
        group: u64,
        mut running: FuturesUnordered<LocalBoxFuture<'_, Ended>>,
    ) -> Result<(), Stop> {
        let mut quiet = Box::pin(self.quiet());
        let permit = loop {
            if running.is_empty() {
                break quiet.await;
            }
            match select(quiet, running.next()).await {
                Either::Left((permit, _)) => break permit,
                Either::Right((ended, waiting)) => {
                    ended.transpose()?;
                    quiet = waiting;
                }
            }
        };
        drop(running);
        drop(permit);
        self.tell_engine(engine::leave(group)).await
    }
}
