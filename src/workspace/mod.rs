//! One book, one engine, and the operations on them.

mod types;
pub use types::*;

/// One book and its engine. Cheap to clone: clones are the same workspace.
#[derive(Clone)]
pub struct Workspace {}

#[allow(unused_variables)]
impl Workspace {
    pub async fn assert_clauses(
        &self,
        texts: Vec<String>,
        control: &Control,
    ) -> Result<ClausesReport, Fault> {
        todo!()
    }
    pub async fn retract_clauses(
        &self,
        texts: Vec<String>,
        control: &Control,
    ) -> Result<ClausesReport, Fault> {
        todo!()
    }
    /// `text`: the contents, for hosts without files; `filename` is then only a name.
    pub async fn import(
        &self,
        filename: &str,
        text: Option<String>,
        control: &Control,
    ) -> Result<ImportReport, Fault> {
        todo!()
    }
    pub async fn unimport(&self, filename: &str, control: &Control) -> Result<UnimportReport, Fault> {
        todo!()
    }
    pub fn files(&self) -> Vec<FileInfo> {
        todo!()
    }
    pub fn snapshot(&self) -> Snapshot {
        todo!()
    }
    pub async fn reset(&self, control: &Control) -> Result<ResetReport, Fault> {
        todo!()
    }
    pub fn symbols(&self) -> Vec<Symbol> {
        todo!()
    }
    pub async fn query_start(&self, start: QueryStart, control: &Control) -> Result<QueryStarted, Fault> {
        todo!()
    }
    pub async fn query_next(&self, next: QueryNext, control: &Control) -> Result<Answers, Fault> {
        todo!()
    }
    pub async fn query_close(&self, query_id: Option<&str>) -> Result<QueryClosed, Fault> {
        todo!()
    }
    /// Called after every operation that changed something, once an operation.
    pub fn on_change(&self, listener: impl Fn(Changed) + 'static) {
        todo!()
    }
    /// `name/arity` of the user's and the built-in predicates that start with `prefix`, for completion.
    pub fn complete_predicate(&self, prefix: &str) -> Vec<String> {
        todo!()
    }
    /// Paths under the roots that start with `prefix`, for completion of file names.
    pub async fn complete_path(&self, prefix: &str) -> Vec<String> {
        todo!()
    }
    /// Libraries that are loaded (`clpfd`, …).
    pub fn libraries(&self) -> Vec<String> {
        todo!()
    }
    /// Now, in milliseconds since 1970, of the host's clock.
    pub fn now_ms(&self) -> u64 {
        todo!()
    }
}
