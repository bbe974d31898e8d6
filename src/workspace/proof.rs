//! How an answer came to be: which clause, with which bindings, from which line.

use std::collections::BTreeMap;

use super::turn::Watch;
use super::types::*;
use super::{Workspace, believed, changes};
use hornbook_base::{Control, Fault};
use hornbook_book::{EntryId, Origin};
use hornbook_engine::protocol::{self, Bounds};
use hornbook_engine::reply::Proof as Found;

impl Workspace {
    /// The proof of the answer with number `nth`, from 1, of a query. What the query changes is taken back.
    pub async fn prove(&self, query: &str, nth: usize, control: &Control) -> Result<Proof, Fault> {
        let workspace = &*self.0;
        let start = QueryStart {
            query: query.to_owned(),
            ..QueryStart::default()
        };
        workspace.check_query(&start)?;
        let soft_ms = workspace.timeout_ms;
        let turn = workspace.turn(control).await?;
        let bounds = Bounds {
            take: nth,
            soft_ms,
            next: turn.next_ids(),
        };
        let believe = |found: Found| believed::proof(&workspace.book.borrow(), found);
        let watch = Watch::goal("query", soft_ms, control);
        let request = protocol::prove(query, bounds);
        let (found, edit) = turn.step_of_query(request, watch, control, believe).await?;
        if changes::give_back(&turn, &found.reload).await? {
            edit.keep();
        }
        if let Some(error) = found.error {
            return Err(turn.fault_of(error));
        }
        let nodes: Vec<ProofNode> = found
            .nodes
            .into_iter()
            .map(|node| ProofNode {
                depth: node.depth,
                goal: node.goal,
                how: node.how,
                clause: node.clause,
            })
            .collect();
        let clauses = self.proof_clauses(nodes.iter().filter_map(|node| node.clause));
        Ok(Proof {
            nodes,
            clauses,
            cut: found.cut,
        })
    }

    /// The clauses with these ids, by them.
    pub fn proof_clauses(&self, ids: impl Iterator<Item = i64>) -> BTreeMap<String, ProofClause> {
        let book = self.0.book.borrow();
        ids.filter_map(|id| {
            let entry = book.get(EntryId(id))?;
            let (origin, filename) = match &entry.source().origin {
                Origin::Inline => ("inline", None),
                Origin::File(name) => ("file", Some(name.to_string())),
                Origin::Run => ("run", None),
            };
            let line = filename.as_ref().map(|_| entry.line());
            let text = entry.code().to_owned();
            let clause = ProofClause {
                text,
                origin,
                filename,
                line,
            };
            Some((id.to_string(), clause))
        })
        .collect()
    }
}
