//! Runs that the answers of a goal begin.

use super::load::hash;
use super::model::Workflow;

/// What the names of runs begin with that answers begin.
const BEGUN_BY_ANSWER: &str = "on-";

/// Whether an answer began the run of this name.
pub(crate) fn of_answer(run: &str) -> bool {
    run.starts_with(BEGUN_BY_ANSWER)
}

impl Workflow {
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
        // Two hashes, so that no two answers have the same.
        let again = std::iter::once("again".to_owned()).chain(parts.iter().cloned());
        Some(format!("{BEGUN_BY_ANSWER}{}{}", hash(again), hash(parts)))
    }
}
