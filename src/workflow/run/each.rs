//! The same steps for every item of a list, concurrently.

use std::cell::Cell;
use std::future::ready;

use futures::StreamExt;
use futures::future::select;
use futures::stream;

use super::Kind;
use super::done::Done;
use super::node::Given;
use super::runner::{Branch, Runner};
use crate::difference::Gave;
use crate::fault::{WorkflowFault, WorkflowFaultKind};
use crate::json::{Json, Object};
use crate::model::Each;
use crate::state::{Added, Ended, Thread};

impl Runner {
    pub(super) async fn each(&self, each: &Each, given: Given<'_>) -> Result<Done, WorkflowFault> {
        let items = self
            .scope(given.state, None, given.parallel_results)
            .values(&each.items)?;
        let items = list_of(items, given.name)?;
        let names: Vec<String> = (0..items.len())
            .map(|index| format!("{}[{index}]", given.name))
            .collect();
        let node = Some(given.name.to_owned());
        let started = Kind::BranchesStart {
            node: node.clone(),
            branches: names.clone(),
        };
        self.tell(given.branch.name, started);
        let ended_items = &Cell::new(0);
        let at_once = each.at_once.unwrap_or(items.len()).max(1);
        let total = items.len();
        let branches = items
            .iter()
            .enumerate()
            .zip(&names)
            .map(|((index, item), branch)| {
                let item = Item {
                    branch,
                    index,
                    total,
                    item,
                };
                self.item(each, given, item, ended_items)
            });
        let mut running = stream::iter(branches).buffered(at_once);
        let mut results = Vec::with_capacity(items.len());
        let mut all = Added::new();
        let mut cut = false;
        let (mut waits, mut graphs) = (false, Vec::new());
        while let Some(ended) = running.next().await {
            let (ended, added) = match ended? {
                Of::Ended(ended, added) => (ended, added),
                Of::Waits(within) => {
                    waits = true;
                    graphs.extend(within);
                    continue;
                }
            };
            // What else items return stays with them.
            all.extend(added.into_iter().filter(|(key, _)| self.reducer(key).is_some()));
            cut = each.fail_fast && ended.error.is_some();
            results.push(ended);
            if cut {
                break;
            }
        }
        if let (true, Some(ledger)) = (cut, &self.ledger) {
            // Records that the others are writing are written whole.
            let others = running.by_ref().for_each(|_| ready(()));
            select(Box::pin(ledger.still()), others).await;
        }
        drop(running);
        if waits && !cut {
            return Ok(Done {
                graphs,
                ..Done::waiting()
            });
        }
        if cut {
            for branch in &names[results.len()..] {
                results.push(Ended {
                    branch: branch.clone(),
                    gave: None,
                    error: Some("Stopped, since another branch failed and fail_fast is set.".into()),
                    timing_ms: 0,
                });
            }
        }
        let ended = Kind::BranchesEnd {
            node,
            updates: Object::new(),
        };
        self.tell(given.branch.name, ended);
        Ok(Done {
            updates: self.folded(given.state, &all, given.until_ms).await?,
            added: all,
            results: Some(results),
            ..Done::default()
        })
    }

    /// The steps for one item.
    async fn item(
        &self,
        each: &Each,
        given: Given<'_>,
        Item {
            branch,
            index,
            total,
            item,
        }: Item<'_>,
        ended_items: &Cell<usize>,
    ) -> Result<Of, WorkflowFault> {
        let begun = self.means.clock.now_ms();
        let node = given.name.to_owned();
        let started = Kind::ItemStart {
            node: node.clone(),
            index,
            total,
        };
        self.tell(Some(branch), started);
        let mut state = given.state.clone();
        state.extend([
            (each.item.clone(), item.clone()),
            (each.index.clone(), Json::Int(index as i64)),
        ]);
        let within = Given {
            path: &format!("{}[{index}]", given.path),
            state: &state,
            branch: Branch {
                name: Some(branch),
                ..given.branch
            },
            round: None,
            ..given
        };
        let (updates, added, error) = match self.steps(&each.body, within).await {
            Ok(done) if done.waits => return Ok(Of::Waits(done.graphs)),
            Ok(done) => (done.updates, done.added, None),
            Err(fault) if fault.kind == WorkflowFaultKind::Book => return Err(fault),
            Err(fault) => (Object::new(), Added::new(), Some(fault.message)),
        };
        state.extend(updates);
        ended_items.set(ended_items.get() + 1);
        let done = ended_items.get();
        self.tell(
            Some(branch),
            Kind::ItemEnd {
                node,
                index,
                done,
                total,
                error: error.clone(),
            },
        );
        let ended = Ended {
            branch: branch.to_owned(),
            gave: Some(Gave::of(given.state, &state)),
            error,
            timing_ms: self.means.clock.now_ms().saturating_sub(begun),
        };
        Ok(Of::Ended(ended, added))
    }
}

/// One of the items, and the name of its branch.
struct Item<'a> {
    branch: &'a str,
    index: usize,
    total: usize,
    item: &'a Json,
}

/// What became of an item.
enum Of {
    Ended(Ended, Added),
    /// It waits, in these graphs within it.
    Waits(Vec<(String, Thread)>),
}

/// The items of the node called `name`: `null` is none.
fn list_of(items: Json, name: &str) -> Result<Vec<Json>, WorkflowFault> {
    match items {
        Json::Array(items) => Ok(items),
        Json::Null => Ok(Vec::new()),
        other => {
            let message = format!(
                "The items of node '{name}' are {}, and must be a list.",
                other.kind()
            );
            Err(WorkflowFault::new(WorkflowFaultKind::Template, message))
        }
    }
}
