//! The workspace as a whole: its text, its predicates, and reset.

use std::collections::BTreeMap;

use super::Workspace;
use super::documents::without_documents;
use super::keeping::Kept;
use super::links;
use super::request::Watch;
use super::tables;
use super::types::*;
use hornbook_base::{Control, Fault, FaultKind, Priority};
use hornbook_book::{Delta, EntryId, Known, Operation, Pattern, Predicate, Standing};
use hornbook_engine::protocol;
use hornbook_engine::reply::Done;

/// How long a list of predicates waits for the columns of linked data, in milliseconds.
const LOOK_MS: u64 = 2_000;

impl Workspace {
    /// The book as text that loads again to give the same workspace.
    pub async fn snapshot(&self) -> Snapshot {
        let (book, pace) = (self.0.book(), self.0.pace());
        Snapshot {
            text: book.snapshot_in_slices(&pace).await,
            clause_count: book.clause_count(),
            goes_on: false,
        }
    }

    /// The first `chars` characters of that text.
    pub async fn snapshot_to(&self, chars: usize) -> Snapshot {
        let (book, pace) = (self.0.book(), self.0.pace());
        let (text, goes_on) = book.snapshot_to(chars, &pace).await;
        Snapshot {
            text,
            clause_count: book.clause_count(),
            goes_on,
        }
    }

    /// The clauses and declarations that match `of`, `name/arity` or the text of a clause, as they were
    /// written.
    pub async fn excerpt(&self, of: &str) -> Result<Snapshot, Fault> {
        let Some(pattern) = Pattern::parse(of) else {
            let message = "This is neither name/arity nor one clause.";
            let fault = Fault::new(FaultKind::DomainError, message);
            return Err(fault.with_next("Give one or the other, such as `parent/2` or `parent(ann, X)`."));
        };
        let (book, pace) = (self.0.book(), self.0.pace());
        let mut excerpt = Snapshot {
            text: String::new(),
            clause_count: 0,
            goes_on: false,
        };
        for (_, entry) in book.entries() {
            if pattern.matches(entry, &pace).await {
                excerpt.text.push_str(entry.text().trim_matches('\n'));
                excerpt.text.push('\n');
                excerpt.clause_count += usize::from(entry.is_clause());
            }
        }
        if excerpt.text.is_empty() {
            let message = format!("The workspace has nothing that matches {}.", of.trim());
            let fault = Fault::new(FaultKind::ExistenceError, message);
            return Err(fault.with_next("workspace list_symbols shows the predicates."));
        }
        Ok(excerpt)
    }

    /// Remove everything and close all queries. The journal keeps what was there.
    pub async fn reset(&self, control: &Control) -> Result<ResetReport, Fault> {
        let workspace = &*self.0;
        let turn = workspace.wait(control).await?;
        // Once it is being recorded, the book is emptied even if the caller goes away.
        let edit = turn.edit();
        let clauses_removed = loop {
            let count = workspace.book.borrow().clause_count();
            let ids: Vec<EntryId> = workspace.book.borrow().entries().map(|(id, _)| id).collect();
            let delta = Delta {
                removed: ids,
                cells: without_documents(&workspace.book.borrow()),
                ..Delta::default()
            };
            match turn.record_once(Operation::Reset, delta).await {
                Ok(Some(Kept::Conflict(..))) => {}
                Ok(_) => break count,
                Err(fault) => {
                    edit.keep();
                    return Err(fault);
                }
            }
        };
        drop(turn.take_behind());
        let queries_closed = workspace.close_all();
        // An engine that cannot reset is ended, and the next one is built from the book: it is empty, unless another
        // process has written to it since.
        let asked = turn.ask::<Done>(protocol::reset(), Watch::short("reset"));
        if asked.await.is_ok() && workspace.book.borrow().is_empty() {
            edit.keep();
        }
        Ok(ResetReport {
            clauses_removed,
            queries_closed,
        })
    }

    /// The user's predicates: those with clauses, and those made dynamic by a declaration or by running code.
    pub async fn symbols(&self) -> Vec<Symbol> {
        let (book, pace) = (self.0.book(), self.0.pace());
        let mut symbols: BTreeMap<Predicate, Standing> = BTreeMap::new();
        let mut links: BTreeMap<Predicate, Vec<String>> = BTreeMap::new();
        for (predicate, standing) in book.predicates() {
            if standing.clauses > 0 || standing.known == Known::ByRun {
                symbols.insert(predicate.clone(), standing);
            }
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        for (spot, entry) in book.declarations() {
            for declared in book.declared(&spot, entry) {
                if let Some(from) = links::from(entry) {
                    links.insert(declared.clone(), from);
                }
                symbols.entry(declared).or_default().known = Known::ByRun;
            }
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        let mut columns: BTreeMap<(String, usize), Vec<String>> = BTreeMap::new();
        for table in tables::known(&book) {
            let names: Vec<String> = table.columns().map(str::to_owned).collect();
            columns.insert((table.predicate(), names.len()), names);
        }
        for (predicate, names) in self.0.columns_of_links(&links, LOOK_MS).await {
            if let Ok(names) = names {
                columns.insert((predicate.name.to_string(), names.len()), names);
            }
        }
        let mut found = Vec::with_capacity(symbols.len());
        for (predicate, standing) in symbols {
            let arity = predicate.arity;
            let named = columns.get(&(predicate.name.to_string(), arity as usize));
            let linked = links.get(&predicate);
            found.push(Symbol {
                columns: named.cloned(),
                linked: linked.map(|from| from.join(":")),
                predicate,
                clause_count: standing.clauses,
                dynamic: linked.is_none() && standing.known == Known::ByRun,
            });
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        found
    }

    /// User and built-in predicates, as `name/arity`, that start with `prefix`, for completion.
    pub fn complete_predicate(&self, prefix: &str) -> Vec<String> {
        let book = self.0.book.borrow();
        let own = book
            .predicates_with(prefix)
            .filter(|(_, standing)| standing.clauses > 0 || standing.known == Known::ByRun)
            .map(|(predicate, _)| predicate.to_string());
        let declared = book
            .declarations()
            .flat_map(|(spot, entry)| book.declared(&spot, entry))
            .map(|predicate| predicate.to_string());
        let boot = self.0.supervisor.boot();
        let builtins = boot.iter().flat_map(|boot| boot.builtins.iter().cloned());
        let mut names: Vec<String> = Vec::new();
        for name in own.chain(declared).chain(builtins) {
            if names.len() == self.0.limits.completions {
                break;
            }
            if name.starts_with(prefix) && !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// All built-in predicates, as `name/arity`; none before the first engine is ready.
    pub fn builtins(&self) -> Vec<String> {
        self.0
            .supervisor
            .boot()
            .map_or_else(Vec::new, |boot| boot.builtins.clone())
    }

    /// Libraries that are loaded (`clpfd`, …); none before the first engine is ready.
    pub fn libraries(&self) -> Vec<String> {
        self.0
            .supervisor
            .boot()
            .map_or_else(Vec::new, |boot| boot.libraries.clone())
    }

    /// Requested libraries that are not allowed or not known. Waits for the first engine.
    pub async fn refused_libraries(&self) -> Vec<String> {
        let supervisor = &self.0.supervisor;
        let _turn = supervisor.turn(Priority::Normal).await;
        // Without an engine nothing is known; every operation reports why there is none.
        let _ = supervisor.ready().await;
        supervisor
            .boot()
            .map_or_else(Vec::new, |boot| boot.refused.clone())
    }
}
