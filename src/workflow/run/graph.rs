//! Workflows within a run.

use std::rc::Rc;

use super::done::{Done, Stop};
use super::node::Given;
use super::runner::{Branch, Runner};
use crate::fault::WorkflowFault;
use crate::json::{Json, Object};
use crate::model::{Output, Workflow};
use crate::state::{Did, Part, Thread};

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
        // It began with the state around it, and gives that state what it added.
        let passes: Vec<String> = match (with, output) {
            (None, Output::Merged) => {
                let further = given.branch.passes.iter();
                let further = further.filter(|key| self.reducer(key).is_none());
                self.reduced_keys().chain(further).cloned().collect()
            }
            _ => Vec::new(),
        };
        let mut path = given.branch.path.to_vec();
        path.push(Part::Graph(given.path.to_owned()));
        let branch = Branch {
            until: None,
            path: &path,
            prefix: &format!("{}{}/{}/", given.branch.prefix, given.path, given.attempt),
            passes: &passes,
            ..given.branch
        };
        let begun = given.within.graphs.get(given.path).filter(|_| given.first);
        let mut thread = match begun {
            Some(thread) => thread.clone(),
            None => {
                let mut state = workflow.initial_state.clone();
                let around = match with {
                    Some(with) => self.with(with, given)?,
                    None => given.seen().into_owned(),
                };
                let own = workflow.initial_state.iter();
                let own = own.filter(|(key, _)| passes.contains(key) && !around.contains_key(*key));
                let added = own.map(|(key, value)| (key.clone(), value.clone())).collect();
                state.extend(around);
                runner.check_state(&state)?;
                let mut thread = Thread {
                    added,
                    ..Thread::start(state)
                };
                let base = Did::Base(Box::new(thread.clone()));
                runner.record(&mut thread, branch, base).await?;
                thread
            }
        };
        match runner.go(&mut thread, branch).await {
            Ok(()) => self.ended(&thread, with, output, (given, &passes)).await,
            Err(Stop::Fault { node, fault, .. }) => Err(WorkflowFault {
                node: Some(node),
                ..fault
            }),
            Err(Stop::Waits) => Ok(Done {
                graphs: vec![(given.path.to_owned(), thread)],
                ..Done::waiting()
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
    async fn ended(
        &self,
        thread: &Thread,
        with: Option<&Json>,
        output: &Output,
        (given, passes): (Given<'_>, &[String]),
    ) -> Result<Done, WorkflowFault> {
        let state = (*thread.state).clone();
        let updates = match output {
            Output::Key(key) => [(key.clone(), Json::Object(state))].into(),
            Output::Members(members) => self.members(members, &Json::Object(state), given)?,
            Output::Merged => {
                let around = given.seen();
                let changed = state.into_iter();
                changed
                    .filter(|(key, value)| around.get(key) != Some(value))
                    .collect()
            }
        };
        let mut done = Done::of(updates);
        if with.is_some() || !matches!(output, Output::Merged) {
            return self.reduced(done, given).await;
        }
        // Of these keys, what was there when it began is there already.
        done.updates.retain(|key, _| self.reducer(key).is_none());
        let added = thread.added.iter().filter(|(key, _)| passes.contains(key));
        done.added = added.cloned().collect();
        let combined = self.folded(given.state, &done.added, given.until_ms).await?;
        done.updates.extend(combined);
        Ok(done)
    }
}
