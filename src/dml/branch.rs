//! Which requests lie on a goal's current branch.

use hornbook_agent::{StepId, Trace, Tracer};

/// The requests, by the engine's numbers, that brought a goal to where it is, and their steps.
pub struct Branch {
    pub under: StepId,
    steps: Vec<(u64, StepId)>,
}

impl Branch {
    /// The branch of a goal that begins in the step `under`.
    pub fn new(under: StepId) -> Branch {
        Branch {
            under,
            steps: Vec::new(),
        }
    }

    /// A request was answered and the goal continues.
    pub fn passed(&mut self, request: Option<u64>, step: StepId) {
        self.steps.extend(request.map(|request| (request, step)));
    }

    /// The goal has backtracked to just after its request `after`, if the engine says so.
    pub fn went_back(&mut self, tracer: &Tracer, after: Option<u64>) {
        let Some(after) = after else { return };
        let kept = self.steps.partition_point(|(request, _)| *request <= after);
        let ids: Vec<StepId> = self.steps.drain(kept..).map(|(_, id)| id).collect();
        if !ids.is_empty() {
            tracer.tell(None, || Trace::Undone { ids });
        }
    }
}
