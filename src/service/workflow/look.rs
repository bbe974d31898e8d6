//! The tool that looks at runs.

use serde_json::json;

use super::WorkflowTools;
use super::given::refused;
use super::report::{Budget, clipped, place_of, state_within};
use super::results::{RunState, WorkflowRunDetails, WorkflowRunItem, WorkflowRunList, WorkflowRunsResult};
use crate::budget::{most_tokens, most_tokens_of};
use crate::report::{Outcome, Report};
use crate::schema::Arguments;

/// The most runs or checkpoints that are listed.
const LISTED: usize = 20;

impl WorkflowTools {
    pub fn look(&self, arguments: &Arguments) -> Outcome {
        match arguments.text("run") {
            Some(run) => self.look_at(&run, arguments),
            None => Ok(self.list(Budget::of(arguments))),
        }
    }

    fn list(&self, budget: Budget) -> Report {
        let runs = self.runs.list();
        let mut lines = Vec::new();
        let mut listed = Vec::new();
        let mut tokens = 0;
        for run in &runs {
            let status = RunState::of(run);
            let mut line = format!("{}: {}", run.run, status.word());
            if let Some(node) = &run.node {
                line.push_str(&format!(" at {node}"));
            }
            if let Some(workflow) = &run.workflow {
                line.push_str(&format!(" ({})", clipped(workflow, 80)));
            }
            let item = WorkflowRunItem {
                run: run.run.clone(),
                status,
                node: run.node.clone(),
                workflow: run.workflow.clone(),
            };
            tokens += most_tokens_of(&json!(item)).max(most_tokens(&line));
            if tokens > budget.0 || lines.len() >= LISTED {
                break;
            }
            lines.push(line);
            listed.push(item);
        }
        if runs.is_empty() {
            lines.push("There are no runs.".into());
        }
        let left_out = Some(runs.len() - listed.len()).filter(|left_out| *left_out > 0);
        if let Some(left_out) = left_out {
            lines.push(format!("{left_out} older ones are left out."));
        }
        let result = WorkflowRunList {
            runs: listed,
            left_out,
        };
        Report::new(lines.join("\n"), WorkflowRunsResult::All(result))
    }

    fn look_at(&self, run: &str, arguments: &Arguments) -> Outcome {
        let checkpoints = self.runs.checkpoints(run).map_err(refused)?;
        let kept = self.runs.load(run, arguments.integer("from")).map_err(refused)?;
        let listed = self.runs.list().into_iter().find(|listed| listed.run == run);
        let status = listed.map_or(RunState::Running, |listed| RunState::of(&listed));
        let mut lines = vec![format!("Run {run}: {}.", status.word())];
        let waits = kept.interrupts();
        if matches!(status, RunState::Waiting) && arguments.integer("from").is_none() {
            let shown = waits
                .iter()
                .take(LISTED)
                .map(|one| format!("{} ({})", one.id, place_of(one)));
            lines.push(format!("It waits at {}.", shown.collect::<Vec<_>>().join(", ")));
        }
        let mut state = (*kept.thread.state).clone();
        let checkpoints = match arguments.texts("keys") {
            Some(keys) => {
                state.retain(|key, _| keys.contains(key));
                None
            }
            None => {
                let first = checkpoints.len().saturating_sub(LISTED);
                let shown: Vec<String> = checkpoints[first..]
                    .iter()
                    .map(|checkpoint| match &checkpoint.node {
                        Some(node) => format!("{} {} {node}", checkpoint.number, checkpoint.what),
                        None => format!("{} {}", checkpoint.number, checkpoint.what),
                    })
                    .collect();
                let earlier = if first > 0 {
                    format!("{first} earlier, ")
                } else {
                    String::new()
                };
                lines.push(format!("Checkpoints: {earlier}{}", shown.join(", ")));
                Some(shown)
            }
        };
        let shown = state_within(&state, Budget::of(arguments), &mut lines);
        let result = WorkflowRunDetails {
            run: run.to_owned(),
            status,
            checkpoints,
            shown,
        };
        Ok(Report::new(lines.join("\n"), WorkflowRunsResult::One(result)))
    }
}
