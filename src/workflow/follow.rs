//! Runs that begin by themselves: by the answers of a goal, or at times.

use super::load::hash;
use super::model::{Schedule, Workflow};

/// What the names of runs begin with that begin by themselves.
const BEGUN_BY_ITSELF: &str = "on-";

/// Whether an answer or a time began the run of this name.
pub(crate) fn begun_by_itself(run: &str) -> bool {
    run.starts_with(BEGUN_BY_ITSELF)
}

impl Workflow {
    /// What begins its runs: the goal, or the times.
    pub(crate) fn begun_by(&self) -> Option<&str> {
        let goal = self.follows.as_ref().map(|follows| follows.goal.as_str());
        goal.or(self.schedule.as_ref().map(|schedule| schedule.cron.text.as_str()))
    }

    /// The name of the run for a time: two processes name it the same.
    pub(crate) fn run_at(&self, schedule: &Schedule, ms: u64) -> String {
        let name = self.name.clone().unwrap_or_default();
        named(vec![name, schedule.cron.text.clone(), ms.to_string()])
    }

    /// The name of its cells in a book: by its name or, without one, by its text.
    pub(crate) fn key(&self) -> String {
        hash([self.name.clone().unwrap_or_else(|| self.text_hash.clone())])
    }

    /// The name of the run for an answer: the texts of its bindings, by the names of the variables. The same answer has
    /// the same run, so that it begins once, whatever happens to the process; `None` if the workflow follows no goal.
    pub fn run_of(&self, mut bindings: Vec<(String, String)>) -> Option<String> {
        let follows = self.follows.as_ref()?;
        if follows.once {
            bindings.clear();
        }
        bindings.sort();
        let name = self.name.clone().unwrap_or_default();
        let answer = bindings.into_iter().flat_map(|(name, text)| [name, text]);
        let parts: Vec<String> = [name, follows.goal.clone()].into_iter().chain(answer).collect();
        Some(named(parts))
    }
}

/// Two hashes, so that no two have the same name.
fn named(parts: Vec<String>) -> String {
    let again = std::iter::once("again".to_owned()).chain(parts.iter().cloned());
    format!("{BEGUN_BY_ITSELF}{}{}", hash(again), hash(parts))
}
