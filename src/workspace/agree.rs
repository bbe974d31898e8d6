//! Whether the engine holds what the book holds.

use super::Workspace;
use super::turn::Watch;
use hornbook_base::{Control, Fault};
use hornbook_book::{EntryId, Predicate};
use hornbook_engine::protocol;
use hornbook_engine::reply::Agreed;

impl Workspace {
    /// What differs between the book and the engine in use, a sentence each, clause by clause: for tests and tools.
    pub async fn differences(&self) -> Result<Vec<String>, Fault> {
        let workspace = &*self.0;
        let turn = workspace.turn(&Control::default()).await?;
        let book = workspace.book();
        let known: Vec<Predicate> = book
            .predicates()
            .map(|(predicate, _)| predicate.clone())
            .collect();
        let set_aside = |id: &EntryId| book.aside().contains_key(id);
        let batches = book
            .batches_after(None, usize::MAX, set_aside, &workspace.pace())
            .await;
        let request = protocol::agree(&known, &batches);
        let Agreed { differences } = turn.ask(request, Watch::short("comparison")).await?;
        Ok(differences)
    }
}
