//! The same steps again while a condition holds.

use super::LoopEnd;
use super::done::Done;
use super::node::Given;
use super::runner::Runner;
use crate::fault::WorkflowFault;
use crate::json::Json;
use crate::model::{Condition, Step};

impl Runner {
    /// `output` is the key that tells how it ended.
    pub(super) async fn rounds(
        &self,
        condition: &Condition,
        most: u64,
        body: &[Step],
        output: Option<&str>,
        given: Given<'_>,
    ) -> Result<Done, WorkflowFault> {
        let mut done = Done::default();
        let mut state = given.state.clone();
        let mut ended_by = None;
        for round in 1..=most {
            if !self.holds(condition, &state, None).await? {
                ended_by = Some(LoopEnd::Condition);
                break;
            }
            let within = Given {
                path: &format!("{}({round})", given.path),
                state: &state,
                round: Some(round),
                ..given
            };
            let inner = self.steps(body, within).await.map_err(|fault| WorkflowFault {
                message: format!("In round {round} of the loop: {}", fault.message),
                ..fault
            })?;
            state.extend(inner.updates.clone());
            done.and(inner);
            if done.waits {
                return Ok(done);
            }
        }
        let ended_by = match ended_by {
            Some(ended_by) => ended_by,
            // No further round needs the condition, so its error is none of the node.
            None if self.holds(condition, &state, None).await.unwrap_or(true) => LoopEnd::MaxIterations,
            None => LoopEnd::Condition,
        };
        if let Some(key) = output {
            done.updates
                .insert(key.to_owned(), Json::Text(ended_by.word().into()));
        }
        done.ended_by = Some(ended_by);
        Ok(done)
    }
}
