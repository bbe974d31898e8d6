//! Branches: they run at the same time, and come together.

use futures::future::join_all;

use super::Kind;
use super::done::Stop;
use super::runner::{Branch, Runner};
use crate::difference::Gave;
use crate::json::Object;
use crate::state::{Added, Did, Ended, Fork, Part, Thread};

impl Runner {
    /// Run the branches concurrently, each with a state of its own, to where they meet.
    pub(super) async fn join(&self, thread: &mut Thread, within: Branch<'_>) -> Result<(), Stop> {
        let base = thread.state.clone();
        let at = thread.at.node().to_owned();
        let visit = format!("{}{}", within.prefix, thread.visited(&at));
        let Some(fork) = &mut thread.fork else {
            return Ok(());
        };
        let Fork {
            fan_in,
            starts: names,
            branches,
        } = fork;
        let started = Kind::BranchesStart {
            node: None,
            branches: names.iter().map(|name| self.named(name)).collect(),
        };
        self.tell(within.name, started);
        let running = branches
            .iter_mut()
            .zip(&*names)
            .enumerate()
            .map(|(index, (thread, name))| {
                let mut path = within.path.to_vec();
                path.push(Part::Branch(index));
                let prefix = format!("{visit}[{index}]/");
                let fan_in = &*fan_in;
                let name = self.named(name);
                async move {
                    let begun = self.means.clock.now_ms();
                    let branch = Branch {
                        name: Some(&name),
                        until: Some(fan_in),
                        path: &path,
                        prefix: &prefix,
                        // What else branches return stays with them.
                        passes: &[],
                    };
                    self.go(thread, branch).await?;
                    Ok((
                        thread.state.clone(),
                        self.means.clock.now_ms().saturating_sub(begun),
                    ))
                }
            });
        let ended = join_all(running).await;
        let mut waits = false;
        let mut results = Vec::with_capacity(names.len());
        for (ended, branch) in ended.into_iter().zip(&*names) {
            let (state, timing_ms) = match ended {
                Ok(ended) => ended,
                Err(Stop::Waits) => {
                    waits = true;
                    continue;
                }
                Err(stop) => {
                    self.tell(within.name, branches_end(Object::new()));
                    return Err(stop);
                }
            };
            results.push(Ended {
                branch: branch.clone(),
                gave: Some(Gave::of(&base, &state)),
                error: None,
                timing_ms,
            });
        }
        if waits {
            return Err(Stop::Waits);
        }
        let added: Added = branches.iter().flat_map(|branch| branch.added.clone()).collect();
        let updates = self.folded(&base, &added, None).await.and_then(|updates| {
            let mut state = (*base).clone();
            state.extend(updates.clone());
            self.check_state(&state)?;
            Ok(updates)
        });
        let updates = match updates {
            Ok(updates) => updates,
            Err(fault) => return Err(self.stop(thread, fault)),
        };
        let did = Did::Joined {
            results,
            gave: Gave::of(&base, &updates),
            added: within.kept(&added, &updates),
        };
        drop(base);
        let recorded = self.record(thread, within, did).await;
        recorded.map_err(|fault| self.stop(thread, fault))?;
        self.tell(within.name, branches_end(updates));
        Ok(())
    }
}

fn branches_end(updates: Object) -> Kind {
    Kind::BranchesEnd { node: None, updates }
}
