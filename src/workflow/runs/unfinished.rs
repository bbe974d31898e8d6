//! Runs that answers of a goal began and that have not ended.

use super::{Runs, Status};
use crate::follow::of_answer;
use crate::model::Workflow;

impl Runs {
    /// The runs that the answers of this workflow's goal began, and that failed or were cut off, earliest first.
    pub fn unfinished(&self, workflow: &Workflow) -> Vec<String> {
        let Some(follows) = &workflow.follows else {
            return Vec::new();
        };
        let listed = self.list().into_iter().rev();
        let stopped = listed.filter(|listed| {
            of_answer(&listed.run)
                && listed.workflow == workflow.name
                && (listed.interrupted || listed.status == Status::Failed)
        });
        let own = stopped.filter(|listed| {
            self.header(&listed.run)
                .is_ok_and(|header| match &header.follows {
                    Some(goal) => *goal == follows.goal,
                    // Begun before the goal was kept.
                    None => header.text == workflow.text_hash,
                })
        });
        own.map(|listed| listed.run).collect()
    }
}
