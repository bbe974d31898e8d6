//! Whether the engines hold what the book holds.

use super::Workspace;
use super::request::Watch;
use super::turn::Turn;
use hornbook_base::{Control, Fault};
use hornbook_book::{Predicate, Spot};
use hornbook_engine::protocol;
use hornbook_engine::reply::Agreed;

impl Workspace {
    /// The differences between the book and the engines in use, clause by clause, a sentence each. For tests
    /// and tools.
    pub async fn differences(&self) -> Result<Vec<String>, Fault> {
        let workspace = &*self.0;
        let first = workspace.turn(&Control::default()).await?;
        let mut all = first.differences().await?;
        for lane in workspace.lanes.iter().skip(1) {
            // A lane without an engine cannot differ.
            if let Some(turn) = workspace.turn_of_lane(lane.number, &Control::default()).await? {
                all.extend(turn.differences().await?);
            }
        }
        Ok(all)
    }
}

impl Turn<'_> {
    async fn differences(&self) -> Result<Vec<String>, Fault> {
        let book = self.book();
        let known: Vec<Predicate> = book
            .predicates()
            .map(|(predicate, _)| predicate.clone())
            .collect();
        let set_aside = |spot: &Spot| book.aside().contains_key(&spot.id);
        let batches = book
            .batches_after(None, usize::MAX, set_aside, &self.workspace.pace())
            .await;
        let request = protocol::agree(&known, &batches);
        let Agreed { differences } = self.ask(request, Watch::short("comparison")).await?;
        Ok(differences)
    }
}
