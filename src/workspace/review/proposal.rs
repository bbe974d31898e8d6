//! What a draft proposes, as it is shown.

use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use crate::documents;
use hornbook_book::{Book, CellChange, Entry, EntryId, Origin, Predicate, Revision};

/// What a draft proposes.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct Proposal {
    /// The name of the draft.
    pub draft: String,
    /// The revision of the book that it is compared with.
    pub revision: u64,
    pub operations: Vec<ProposedOperation>,
    /// The clauses and directives that the book would have, and no longer have, in all.
    pub added: Vec<ProposedClause>,
    pub removed: Vec<ProposedClause>,
    /// Predicates whose clauses would stand in another order.
    pub moved: Vec<String>,
    /// What else would change: documents, and records of the memory and of workflows.
    pub cells: Vec<ProposedCell>,
    /// What would violate constraints of the book, and does not now: this refuses an acceptance.
    pub violations: Vec<String>,
    /// What violates constraints that the draft brings.
    pub warnings: Vec<String>,
    /// Goals that its client has asked with the tools while it drafted, the newest last: at most 20.
    pub asked: Vec<String>,
}

/// A document, or a record of the memory or of a workflow, that a draft changes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct ProposedCell {
    /// `documents`, `memory` and so on.
    pub room: String,
    pub key: String,
    /// What it is now, and what it would be; absent if it is not there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub before: Option<String>,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub after: Option<String>,
}

/// One operation of a draft.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct ProposedOperation {
    /// By which it can be chosen.
    pub key: String,
    /// By which people know it: no other operation of the book's drafts has it.
    pub number: u64,
    /// `assert`, `retract`, `import` and so on.
    pub operation: String,
    /// When, in milliseconds since 1970.
    pub at: u64,
    /// The name of the client.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by: Option<String>,
    /// Why it no longer applies, if it does not: part of a sentence.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub dropped: Option<String>,
}

/// A clause that a draft adds or removes.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[cfg_attr(feature = "typescript", derive(ts_rs::TS), ts(optional_fields))]
pub struct ProposedClause {
    /// Its text, as written.
    pub clause: String,
    /// The file that has it.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub filename: Option<String>,
}

pub(super) fn clauses(entries: &[(EntryId, Entry)]) -> Vec<ProposedClause> {
    let clause = |(_, entry): &(EntryId, Entry)| ProposedClause {
        clause: entry.code().to_owned(),
        filename: match &entry.source().origin {
            Origin::File(name) => Some(name.to_string()),
            Origin::Inline | Origin::Run => None,
        },
    };
    entries.iter().map(clause).collect()
}

/// Those that are not among the others, each as often as it is more often here.
pub(super) fn without(these: &[ProposedClause], others: &[ProposedClause]) -> Vec<ProposedClause> {
    let mut others: Vec<&ProposedClause> = others.iter().collect();
    others.sort_unstable_by(|a, b| (&a.clause, &a.filename).cmp(&(&b.clause, &b.filename)));
    let mut used = vec![false; others.len()];
    let is_new = |one: &&ProposedClause| {
        let start =
            others.partition_point(|other| (&other.clause, &other.filename) < (&one.clause, &one.filename));
        let same = others[start..].iter().take_while(|other| **other == *one).count();
        match (start..start + same).find(|at| !used[*at]) {
            Some(at) => {
                used[at] = true;
                false
            }
            None => true,
        }
    };
    these.iter().filter(is_new).cloned().collect()
}

pub(super) fn proposed(change: &CellChange) -> ProposedCell {
    // A document is its text; when it was added is no part of what somebody proposes.
    let shown = |value: &str| match &*change.room {
        documents::ROOM => documents::parsed(value)
            .map_or(value, |document| document.text)
            .to_owned(),
        _ => value.to_owned(),
    };
    ProposedCell {
        room: change.room.to_string(),
        key: change.key.to_string(),
        before: change.before.as_deref().map(shown),
        after: change.after.as_deref().map(shown),
    }
}

/// The predicates of which clauses that stay stand in another order.
pub(super) fn moved(base: &Book, book: &Book, change: &Revision) -> Vec<String> {
    let added: BTreeSet<&Predicate> = change
        .added
        .iter()
        .map(|(_, entry)| &**entry.predicate())
        .collect();
    let both = change.removed.iter().map(|(_, entry)| &**entry.predicate());
    let both: BTreeSet<&Predicate> = both.filter(|predicate| added.contains(predicate)).collect();
    let clauses = |book: &'_ Book, predicate: &Predicate| -> Vec<String> {
        let own = book
            .entries()
            .filter(|(_, entry)| **entry.predicate() == *predicate);
        own.map(|(_, entry)| entry.code().to_owned()).collect()
    };
    // Each clause that both have, as often as both have it.
    let kept = |mut of: Vec<String>, other: &[String]| {
        let mut left: BTreeMap<&str, usize> = BTreeMap::new();
        for clause in other {
            *left.entry(clause).or_default() += 1;
        }
        of.retain(|clause| {
            let left = left.get_mut(clause.as_str()).filter(|left| **left > 0);
            left.map(|left| *left -= 1).is_some()
        });
        of
    };
    let is_moved = |predicate: &&Predicate| {
        let (before, after) = (clauses(base, predicate), clauses(book, predicate));
        kept(before.clone(), &after) != kept(after, &before)
    };
    let moved = both.into_iter().filter(is_moved);
    moved.map(Predicate::to_string).collect()
}
