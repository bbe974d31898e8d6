//! How an answer came to be (which clauses, which bindings, which lines), why there is none, or everything a
//! run did.

mod text;

use std::collections::BTreeMap;

use super::mark::shown_fault;
use super::request::Watch;
use super::turn::Turn;
use super::types::*;
use super::{Workspace, believed, changes};
use hornbook_base::{Control, Fault, FaultKind};
use hornbook_book::{Book, EntryId, Origin, Revision};
use hornbook_engine::protocol::{self, Bounds};
use hornbook_engine::reply::{MayAsk, Node, Proof as Found};

impl Proof {
    pub fn new(
        (holds, undefined): (bool, bool),
        nodes: Vec<Node>,
        clauses: BTreeMap<String, ProofClause>,
        cut: bool,
    ) -> Proof {
        let nodes = nodes.into_iter().map(|node| ProofNode {
            depth: node.depth,
            goal: node.goal,
            how: node.how,
            clause: node.clause,
            count: node.count,
        });
        let nodes: Vec<ProofNode> = nodes.collect();
        let text = text::lines(&nodes, &clauses, cut).join("\n");
        Proof {
            holds,
            undefined,
            nodes,
            clauses,
            cut,
            text,
        }
    }
}

impl Workspace {
    /// The proof of answer number `nth` (from 1) of a query. Changes that the query makes are undone.
    /// `timeout_ms` is the time limit, if not the usual one.
    pub async fn prove(
        &self,
        query: &str,
        nth: usize,
        timeout_ms: Option<u64>,
        control: &Control,
    ) -> Result<Proof, Fault> {
        let soft_ms = self.0.timeout(timeout_ms)?;
        let turn = self.turn_for(query, control).await?;
        let query = &*self.0.plain(query).await?;
        match self.proved(&turn, query, nth, soft_ms, control).await? {
            Ok(proof) => Ok(proof),
            Err(_) => Err(no_such_answer()),
        }
    }

    /// Why a goal holds, as the proof of its first answer, or why it fails. Changes that the goal makes are
    /// undone. `timeout_ms` is the time limit of all of it, if not the usual one.
    pub async fn why(&self, goal: &str, timeout_ms: Option<u64>, control: &Control) -> Result<Proof, Fault> {
        let soft_ms = self.0.timeout(timeout_ms)?;
        let turn = self.turn_for(goal, control).await?;
        let goal = &*self.0.plain(goal).await?;
        let end_ms = self.0.clock.now_ms() + soft_ms;
        if let Ok(proof) = self.proved(&turn, goal, 1, soft_ms, control).await? {
            return Ok(proof);
        }
        let left_ms = end_ms.saturating_sub(self.0.clock.now_ms()).max(1);
        let found = self
            .explained(&turn, protocol::refute, goal, 1, (soft_ms, left_ms), control)
            .await?;
        if found.answers.is_some() {
            let message = "The goal first failed and then succeeded: its result varies.";
            return Err(Fault::new(FaultKind::ExistenceError, message).with_next("Ask again."));
        }
        Ok(self.proof_of(&turn, found, false))
    }

    /// A run of a query with all its answers, port by port. Changes that the query makes are undone.
    pub async fn replay(&self, query: &str, control: &Control) -> Result<Replay, Fault> {
        let turn = self.turn_for(query, control).await?;
        let query = &*self.0.plain(query).await?;
        let soft_ms = self.0.timeout_ms;
        let found = self
            .explained(&turn, protocol::trace, query, 1, (soft_ms, soft_ms), control)
            .await?;
        let clauses = self.proof_clauses(found.nodes.iter().filter_map(|node| node.clause));
        let steps = found.nodes.into_iter().map(|node| Port {
            port: node.how,
            depth: node.depth,
            goal: node.goal,
            around: node.around,
            clause: node.clause,
        });
        Ok(Replay {
            steps: steps.collect(),
            clauses,
            cut: found.cut,
        })
    }

    async fn turn_for<'a>(&'a self, query: &str, control: &Control) -> Result<Turn<'a>, Fault> {
        let workspace = &*self.0;
        let start = QueryStart {
            query: query.to_owned(),
            ..QueryStart::default()
        };
        workspace.check_query(&start)?;
        workspace.turn(control).await
    }

    /// The proof, or the number of answers if they are too few.
    async fn proved(
        &self,
        turn: &Turn<'_>,
        query: &str,
        nth: usize,
        soft_ms: u64,
        control: &Control,
    ) -> Result<Result<Proof, usize>, Fault> {
        let found = self
            .explained(turn, protocol::prove, query, nth, (soft_ms, soft_ms), control)
            .await?;
        Ok(match found.answers {
            Some(answers) => Err(answers),
            None => Ok(self.proof_of(turn, found, true)),
        })
    }

    /// `left_ms` are left of the time limit `soft_ms`.
    async fn explained(
        &self,
        turn: &Turn<'_>,
        request: fn(&str, Bounds) -> String,
        query: &str,
        nth: usize,
        (soft_ms, left_ms): (u64, u64),
        control: &Control,
    ) -> Result<Found, Fault> {
        let workspace = &*self.0;
        let bounds = Bounds {
            take: nth,
            soft_ms: left_ms,
            next: turn.next_ids(),
        };
        let believe = |found: Found| believed::proof(&workspace.book.borrow(), found);
        let first = |found: MayAsk<Found>| found.believed(believe);
        let watch = Watch::goal("query", left_ms, control);
        let within = (bounds, workspace.clock.now_ms() + left_ms);
        let (begun, edit) = turn
            .step_of_query(request(query, bounds), watch, control, first)
            .await
            .map_err(|fault| shown_fault(fault, query, &[]))?;
        let mut found = turn
            .answer_explanation(begun, within, watch, control, believe)
            .await?;
        if changes::give_back(turn, &found.taken_back.reload).await? {
            edit.keep();
        }
        match found.taken_back.error.take() {
            Some(error) => Err(turn.goal_fault(error, soft_ms)),
            None => Ok(found),
        }
    }

    fn proof_of(&self, turn: &Turn<'_>, found: Found, holds: bool) -> Proof {
        let mut nodes = found.nodes;
        for node in nodes.iter_mut().filter(|node| node.how == "undefined") {
            node.goal = turn.undefined(&node.goal);
        }
        let clauses = self.proof_clauses(nodes.iter().filter_map(|node| node.clause));
        Proof::new((holds, found.undefined), nodes, clauses, found.cut)
    }

    /// The clauses with these ids, keyed by id.
    pub fn proof_clauses(&self, ids: impl Iterator<Item = i64>) -> BTreeMap<String, ProofClause> {
        clauses_of(&self.0.book.borrow(), None, ids)
    }
}

/// The clauses with these ids, of the book and of a revision that is not in it yet, keyed by id.
pub(super) fn clauses_of(
    book: &Book,
    ahead: Option<&Revision>,
    ids: impl Iterator<Item = i64>,
) -> BTreeMap<String, ProofClause> {
    let added = |id: EntryId| {
        let added = &ahead?.added;
        added.iter().find(|(of, _)| *of == id).map(|(_, entry)| entry)
    };
    ids.filter_map(|id| {
        let entry = book.get(EntryId(id)).or_else(|| added(EntryId(id)))?;
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

fn no_such_answer() -> Fault {
    Fault::new(FaultKind::ExistenceError, "The query has no such answer now.")
        .with_next("Ask again to see which answers there are.")
}
