//! Combines what nodes return for a key that has a reducer with what is there.

use std::cmp::Ordering;

use super::done::Done;
use super::node::Given;
use super::runner::Runner;
use crate::fault::{WorkflowFault, WorkflowFaultKind};
use crate::json::{Json, Object};
use crate::model::Reduce;
use crate::number::{compare, sum};
use crate::prolog::{Block, End};
use crate::state::Added;

impl Runner {
    /// A node's values, those of keys with reducers combined with what the node was given.
    pub(super) async fn reduced(&self, mut done: Done, given: Given<'_>) -> Result<Done, WorkflowFault> {
        let added = self.taken(&mut done);
        let combined = self.folded(given.state, &added, given.until_ms).await?;
        self.pass_on(&mut done, added, given);
        done.updates.extend(combined);
        Ok(done)
    }

    /// Keep what was added, and what the workflow around adds, too.
    fn pass_on(&self, done: &mut Done, added: Added, given: Given<'_>) {
        done.added = added;
        let passed = given.branch.passes.iter();
        let passed = passed.filter_map(|key| done.updates.get_key_value(key));
        let passed: Added = passed.map(|(key, value)| (key.clone(), value.clone())).collect();
        done.added.extend(passed);
    }

    /// The same for a node that uses a book: its values are recorded together with its effects, so that no
    /// engine can be asked in between.
    pub(super) fn reduced_at_once(&self, mut done: Done, given: Given<'_>) -> Result<Done, WorkflowFault> {
        let added = self.taken(&mut done);
        let mut combined = Object::new();
        for (key, value) in &added {
            if let Some(Reduce::Goal(_)) = self.reducer(key) {
                let message = format!(
                    "'{key}' has a goal as its reducer, which cannot be called for a node that uses a book: return the value under \
                     another key, and under '{key}' in the next node."
                );
                return Err(WorkflowFault::new(WorkflowFaultKind::State, message));
            }
            if let Some(value) = self.combined(key, current(key, &combined, given.state), value)? {
                combined.insert(key.clone(), value);
            }
        }
        self.pass_on(&mut done, added, given);
        done.updates.extend(combined);
        Ok(done)
    }

    /// What these values make of a state, one after the other, by the time `until_ms`.
    pub(super) async fn folded(
        &self,
        state: &Object,
        added: &[(String, Json)],
        until_ms: Option<u64>,
    ) -> Result<Object, WorkflowFault> {
        let mut updates = Object::new();
        for (key, value) in added {
            let old = current(key, &updates, state);
            let combined = match (self.reducer(key), old) {
                (Some(Reduce::Goal(goal)), Some(old)) if *value != Json::Null => {
                    Some(self.called(key, &goal.code, (old, value), until_ms).await?)
                }
                (_, old) => self.combined(key, old, value)?,
            };
            updates.extend(combined.map(|combined| (key.clone(), combined)));
        }
        Ok(updates)
    }

    /// The keys that have reducers.
    pub(super) fn reduced_keys(&self) -> impl Iterator<Item = &String> {
        let keys = self.workflow.schema.iter().filter(|key| key.reduce.is_some());
        keys.map(|key| &key.name)
    }

    pub(super) fn reducer(&self, key: &str) -> Option<&Reduce> {
        let known = self.workflow.schema.iter().find(|known| known.name == key);
        known?.reduce.as_ref()
    }

    /// Take the values of keys with reducers from a node's updates.
    fn taken(&self, done: &mut Done) -> Added {
        let keys = self.reduced_keys();
        keys.filter_map(|key| done.updates.remove_entry(key)).collect()
    }

    /// `None` if there is nothing to add: null adds nothing.
    fn combined(&self, key: &str, old: Option<&Json>, new: &Json) -> Result<Option<Json>, WorkflowFault> {
        let (Some(reduce), false) = (self.reducer(key), *new == Json::Null) else {
            return Ok(None);
        };
        let fits = |value: &&Json| match reduce {
            Reduce::Append | Reduce::Goal(_) => true,
            Reduce::Merge => matches!(value, Json::Object(_)),
            Reduce::Sum | Reduce::Max | Reduce::Min => compare(value, &Json::Int(0)).is_some(),
        };
        if let Some(value) = old.into_iter().chain([new]).find(|value| !fits(value)) {
            let message = format!(
                "'{key}' has the reducer {}, which cannot take {}.",
                reduce.word(),
                value.kind()
            );
            return Err(WorkflowFault::new(WorkflowFaultKind::State, message));
        }
        let larger = |wanted: Ordering| match old {
            Some(old) if compare(new, old) != Some(wanted) => old.clone(),
            _ => new.clone(),
        };
        Ok(Some(match reduce {
            Reduce::Append => {
                let items = |value: &Json| match value {
                    Json::Array(items) => items.clone(),
                    value => vec![value.clone()],
                };
                let mut all = old.map(items).unwrap_or_default();
                all.extend(items(new));
                Json::Array(all)
            }
            Reduce::Sum => match old {
                Some(old) => sum(old, new).ok_or_else(|| {
                    let message = format!("The sum of '{key}' is too large for a number.");
                    WorkflowFault::new(WorkflowFaultKind::State, message)
                })?,
                None => new.clone(),
            },
            Reduce::Merge => match (old, new) {
                (Some(Json::Object(old)), Json::Object(new)) => {
                    let mut all = old.clone();
                    all.extend(new.clone());
                    Json::Object(all)
                }
                _ => new.clone(),
            },
            Reduce::Max => larger(Ordering::Greater),
            Reduce::Min => larger(Ordering::Less),
            // There is nothing yet that it could combine.
            Reduce::Goal(_) => new.clone(),
        }))
    }

    /// Call the goal of a key.
    async fn called(
        &self,
        key: &str,
        goal: &str,
        (old, new): (&Json, &Json),
        until_ms: Option<u64>,
    ) -> Result<Json, WorkflowFault> {
        let failed = |why: String| {
            let message = format!("The reducer of '{key}' {why}");
            WorkflowFault::new(WorkflowFaultKind::Prolog, message)
        };
        let code = format!(
            "state(old, ReducedOld), state(new, ReducedNew), call((\n{goal}\n), ReducedOld, ReducedNew, Reduced), \
             return(result, Reduced)."
        );
        let state = [("old".to_owned(), old.clone()), ("new".to_owned(), new.clone())].into();
        let left_ms = until_ms.map(|until| until.saturating_sub(self.means.clock.now_ms()).max(1));
        let limit_ms = left_ms.map_or(self.timeout_ms, |left| left.min(self.timeout_ms));
        let block = Block {
            code: &code,
            state: &state,
            answers: &[],
            timeout_ms: limit_ms,
        };
        let executed = self.means.prolog.block(block).await;
        let executed = executed.map_err(|fault| WorkflowFault {
            kind: fault.kind,
            ..failed(format!("ended with an error: {}", fault.message))
        })?;
        match executed.end {
            End::Solutions(mut solutions) if !solutions.is_empty() => {
                Ok(solutions.swap_remove(0).remove("result").unwrap_or_default())
            }
            End::Asks(_) => Err(failed("asks somebody, as only nodes can.".into())),
            _ => Err(failed(format!("failed with {old} and {new}."))),
        }
    }
}

/// The value of a key, if there is one.
fn current<'a>(key: &str, updates: &'a Object, state: &'a Object) -> Option<&'a Json> {
    updates
        .get(key)
        .or_else(|| state.get(key))
        .filter(|value| **value != Json::Null)
}
