//! Workflows within a run.

use std::rc::Rc;

use super::done::{Done, Stop, Waits, Why};
use super::node::Given;
use super::runner::{Branch, Runner};
use super::{Did, Part, Thread};
use crate::fault::WorkflowFault;
use crate::json::{Json, Object};
use crate::model::{Output, Workflow};

impl Runner {
    /// Run a workflow to its end, or to where it waits.
    pub(super) async fn graph(
        &self,
        workflow: &Rc<Workflow>,
        with: Option<&Json>,
        output: &Output,
        given: Given<'_>,
    ) -> Result<Done, WorkflowFault> {
        let runner = Runner {
            workflow: workflow.clone(),
            timeout_ms: workflow.timeout_ms.unwrap_or(self.timeout_ms),
            names: format!("{}/", given.name),
            ..self.clone()
        };
        let mut path = given.branch.path.to_vec();
        path.push(Part::Graph(given.path.to_owned()));
        let branch = Branch {
            until: None,
            path: &path,
            prefix: &format!("{}{}/{}/", given.branch.prefix, given.path, given.attempt),
            ..given.branch
        };
        let begun = given.within.graphs.get(given.path).filter(|_| given.first);
        let mut thread = match begun {
            Some(thread) => thread.clone(),
            None => {
                let mut state = workflow.initial_state.clone();
                state.extend(match with {
                    Some(with) => self.with(with, given)?,
                    None => given.seen().into_owned(),
                });
                runner.check_state(&state)?;
                let mut thread = Thread::start(state);
                let base = Did::Base(Box::new(thread.clone()));
                runner.record(&mut thread, branch, base).await?;
                thread
            }
        };
        match runner.go(&mut thread, branch).await {
            Ok(()) => self.ended(&thread, with, output, given),
            Err(Stop {
                node,
                why: Why::Fault(fault),
                ..
            }) => Err(WorkflowFault {
                node: Some(node),
                ..fault
            }),
            Err(stop) => Ok(Done {
                waits: Some(Box::new(Waits {
                    stop,
                    path: given.path.to_owned(),
                    thread,
                })),
                ..Done::default()
            }),
        }
    }

    /// The values that it begins with.
    fn with(&self, with: &Json, given: Given<'_>) -> Result<Object, WorkflowFault> {
        let scope = self.scope(given.state, None, given.parallel_results);
        Ok(match scope.values(with)? {
            Json::Object(with) => with,
            _ => Object::new(),
        })
    }

    /// What its last state gives: by `output`, or else what differs from the state around it.
    fn ended(
        &self,
        thread: &Thread,
        with: Option<&Json>,
        output: &Output,
        given: Given<'_>,
    ) -> Result<Done, WorkflowFault> {
        let state = (*thread.state).clone();
        Ok(Done::of(match output {
            Output::Key(key) => [(key.clone(), Json::Object(state))].into(),
            Output::Members(members) => self.members(members, &Json::Object(state), given)?,
            Output::Merged => {
                let around = given.seen();
                let changed = state
                    .into_iter()
                    .filter(|(key, value)| around.get(key) != Some(value));
                let given = |(key, value): (String, Json)| match with {
                    Some(_) => (key, value),
                    // It began with the value of the state around it.
                    None => {
                        let added = self.addition(&key, around.get(&key), value);
                        (key, added)
                    }
                };
                changed.map(given).collect()
            }
        }))
    }
}
