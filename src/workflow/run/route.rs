//! Decides where a run goes from a node.

use super::runner::Runner;
use crate::fault::{WorkflowFault, WorkflowFaultKind};
use crate::json::{Json, Object};
use crate::model::{Condition, Edge, Target};
use crate::state::END;
use crate::template::Scope;

impl Runner {
    /// The target of the first edge whose condition holds.
    pub(super) async fn route(
        &self,
        edges: &[Edge],
        from: &str,
        state: &Object,
        result: Option<&Json>,
    ) -> Result<Target, WorkflowFault> {
        for edge in edges.iter().filter(|edge| edge.fan_in.is_none()) {
            if self.holds(&edge.condition, state, result).await? {
                return Ok(edge.to);
            }
        }
        let message = format!("No valid next node found from node '{from}': none of its conditions holds.");
        Err(WorkflowFault::new(WorkflowFaultKind::Graph, message))
    }

    /// The node where branches end and the nodes where they begin; `None` if no branch begins.
    pub(super) async fn branches(
        &self,
        edges: &[Edge],
        state: &Object,
        result: Option<&Json>,
    ) -> Result<Option<(String, Vec<String>)>, WorkflowFault> {
        let mut end = None;
        let mut starts = Vec::new();
        for edge in edges {
            if let Some(fan_in) = edge.fan_in
                && self.holds(&edge.condition, state, result).await?
            {
                end = Some(fan_in);
                starts.push(self.target_name(edge.to).to_owned());
            }
        }
        Ok(end.map(|end| (self.workflow.nodes[end].name.clone(), starts)))
    }

    pub(super) fn target_name(&self, target: Target) -> &str {
        match target {
            Target::End => END,
            Target::Node(index) => &self.workflow.nodes[index].name,
        }
    }

    pub(super) async fn holds(
        &self,
        condition: &Condition,
        state: &Object,
        result: Option<&Json>,
    ) -> Result<bool, WorkflowFault> {
        Ok(match condition {
            Condition::Is(condition, wanted) => match &**condition {
                Condition::Template(_) | Condition::Prolog(_) | Condition::Key { .. } => {
                    let value = self.given(condition, state, result).await?;
                    value == *wanted
                        || matches!(wanted, Json::Bool(truth) if is_true(&value) == *truth)
                        || same_text(&value, wanted)
                }
                condition => {
                    matches!((condition, wanted), (Condition::Always(truth), Json::Bool(wanted)) if truth == wanted)
                }
            },
            Condition::Always(truth) => *truth,
            Condition::Template(text) => self.scope(state, result, None).holds(text)?,
            condition => is_true(&self.given(condition, state, result).await?),
        })
    }

    /// The value of a condition.
    async fn given(
        &self,
        condition: &Condition,
        state: &Object,
        result: Option<&Json>,
    ) -> Result<Json, WorkflowFault> {
        Ok(match condition {
            Condition::Always(truth) => Json::Bool(*truth),
            Condition::Key { key, negated } => {
                let value = state.get(key).cloned().unwrap_or_default();
                if *negated {
                    Json::Bool(!value.is_truthy())
                } else {
                    value
                }
            }
            Condition::Template(text) => self.scope(state, result, None).expression(text)?,
            Condition::Prolog(goal) => match self
                .means
                .prolog
                .condition(&goal.code, state, self.timeout_ms)
                .await?
            {
                Some(text) => Json::Text(text),
                None => Json::Bool(false),
            },
            Condition::Is(..) => Json::Null,
        })
    }

    pub(super) fn scope<'a>(
        &'a self,
        state: &'a Object,
        result: Option<&'a Json>,
        parallel_results: Option<&'a Json>,
    ) -> Scope<'a> {
        Scope {
            names: &self.workflow.names,
            state,
            result,
            parallel_results,
        }
    }
}

/// A text from Prolog that means no is false.
fn is_true(value: &Json) -> bool {
    match value {
        Json::Text(text) => !matches!(text.trim(), "" | "false" | "False" | "null"),
        value => value.is_truthy(),
    }
}

fn same_text(value: &Json, wanted: &Json) -> bool {
    let text = |value: &Json| match value {
        Json::Text(text) => text.clone(),
        value => value.to_string(),
    };
    text(value) == text(wanted)
}
