//! Where clauses came from, and how they went.

use std::cmp::Reverse;
use std::collections::BTreeMap;

use hornbook_base::Pace;

use super::{Book, Entry, EntryId, Known, Pattern};

/// The life of one entry. Revisions are given by their numbers.
#[derive(Debug, Clone, PartialEq)]
pub struct Trace {
    pub entry: Entry,
    /// The revision that first added it; `None` if it is older than the kept revisions.
    pub added: Option<u64>,
    /// The revision that last removed it, if it is not in the book.
    pub removed: Option<u64>,
}

/// What the journal knows about a pattern.
#[derive(Debug, Clone, PartialEq)]
pub struct Provenance {
    /// Those in the book, in its order, then removed ones, the last removed first.
    pub traces: Vec<Trace>,
    /// The revision since which the predicate is known.
    pub known_since: Option<u64>,
}

impl Book {
    pub async fn provenance(&self, pattern: &Pattern, pace: &Pace) -> Provenance {
        let mut traces: BTreeMap<EntryId, Trace> = BTreeMap::new();
        let before = self.forgotten();
        let from_before = |entry: &Entry, removed| Trace {
            entry: entry.clone(),
            added: None,
            removed,
        };
        let mut known_since = match pattern {
            Pattern::Predicate(wanted) if self.standing(wanted).known != Known::No => Some(before),
            _ => None,
        };
        // Entries that others with the same ids have replaced.
        let mut replaced: Vec<(EntryId, Trace)> = Vec::new();
        for (revision, number) in self.journal().iter().zip(before + 1..) {
            for (id, entry) in &revision.removed {
                if let Some(trace) = traces.get_mut(id) {
                    trace.removed = Some(number);
                } else if pattern.matches(entry, pace).await {
                    traces.insert(*id, from_before(entry, Some(number)));
                }
            }
            for (id, entry) in &revision.added {
                if let Some(trace) = traces.get_mut(id)
                    && trace.entry.code() == entry.code()
                {
                    trace.entry = entry.clone();
                    trace.removed = None;
                    continue;
                }
                replaced.extend(traces.remove_entry(id));
                if pattern.matches(entry, pace).await {
                    let trace = Trace {
                        entry: entry.clone(),
                        added: Some(number),
                        removed: None,
                    };
                    traces.insert(*id, trace);
                }
            }
            for change in &revision.known {
                if matches!(pattern, Pattern::Predicate(wanted) if *wanted == *change.predicate) {
                    known_since = (change.after != Known::No).then_some(number);
                }
            }
        }
        if before > 0 {
            for (id, entry) in self.entries() {
                if pattern.matches(entry, pace).await {
                    traces.entry(id).or_insert_with(|| from_before(entry, None));
                }
            }
        }
        let mut found: Vec<(EntryId, Trace)> = Vec::with_capacity(replaced.len() + traces.len());
        found.extend(replaced);
        for trace in traces {
            found.push(trace);
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        found.sort_by_cached_key(|(id, trace)| {
            let removed = Reverse(trace.removed.unwrap_or(u64::MAX));
            (removed, trace.entry.spot(*id))
        });
        Provenance {
            traces: pace.collect(found.into_iter().map(|(_, trace)| trace)).await,
            known_since,
        }
    }
}
