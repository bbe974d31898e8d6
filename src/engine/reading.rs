//! Compares what an engine read of a batch with what the book has there.

use std::rc::Rc;

use super::reply::{Found, Item};
use hornbook_book::{Batch, Book, Entry, EntryId, Predicate};

/// The entries of a batch that were not read as what they are.
#[derive(Debug, Default, PartialEq)]
pub struct Misread {
    /// Each with the reason. If empty, the engine holds the batch.
    pub entries: Vec<(EntryId, Rc<str>)>,
    /// Entries whose predicate differs from the book's because the modules have changed: it has the same
    /// name, but has become private to a module or stopped being so.
    pub renamed: Vec<(EntryId, Predicate)>,
    /// The engine read something else than the book has, so that it is unknown what it holds.
    pub astray: bool,
}

impl Misread {
    fn add(&mut self, id: EntryId, why: &str) {
        // Report an entry once, even if it was read as several clauses.
        if self.entries.last().is_none_or(|(last, _)| *last != id) {
            self.entries.push((id, Rc::from(why)));
        }
    }

    fn stray(&mut self, id: EntryId, why: &str) {
        self.add(id, why);
        self.astray = true;
    }
}

/// What was misread in several batches; `None` if one of them gave no items at all and it is unclear which.
pub fn misread_of(batches: &[Batch], items: &[Item], book: &Book) -> Option<Misread> {
    let items = match batches {
        [_] => vec![items],
        _ => items.chunk_by(|_, next| next.start > 0).collect(),
    };
    if items.len() != batches.len() {
        return None;
    }
    let mut all = Misread::default();
    for (batch, items) in batches.iter().zip(items) {
        let found = misread(batch, items, |id| book.get(id));
        all.entries.extend(found.entries);
        all.renamed.extend(found.renamed);
        all.astray |= found.astray;
    }
    Some(all)
}

/// Check that each entry of a batch was read as one item, and as what it is in the book.
fn misread<'a>(batch: &Batch, items: &[Item], entry: impl Fn(EntryId) -> Option<&'a Entry>) -> Misread {
    let mut found = Misread::default();
    let ends = code_points(&batch.text, &batch.ends);
    let mut items = items.iter().peekable();
    let mut from = 0;
    let mut at = 0;
    while at < ends.len() {
        let (id, end) = (batch.ids[at], ends[at]);
        let Some(item) = items.next() else {
            found.stray(id, "its text is not a clause, or ends the reading");
            break;
        };
        if item.end <= from {
            // A second item from the previous entry.
            found.stray(
                batch.ids[at.saturating_sub(1)],
                "its text is more than one clause",
            );
        } else if item.end > end {
            found.stray(id, "its text does not end where its clause ends");
            // The entries that it swallowed are tried again without it.
            at = ends.partition_point(|end| *end < item.end);
            from = ends.get(at).copied().unwrap_or(item.end);
            at += 1;
            while items.next_if(|item| item.end <= from).is_some() {}
        } else {
            match (&item.found, entry(id)) {
                (Found::Refused(error), _) => found.add(id, &error.message),
                (read, Some(entry)) if is(read, entry) => {}
                (Found::Clause { predicate, .. }, Some(entry))
                    if entry.is_clause() && predicate.is_like(entry.predicate()) =>
                {
                    found.renamed.push((id, predicate.clone()));
                }
                _ => found.stray(id, "its text is a different clause from the one in the book"),
            }
            from = end;
            at += 1;
        }
    }
    if let (Some(_), Some(last)) = (items.next(), batch.ids.last()) {
        found.stray(*last, "its text is more than one clause");
    }
    found
}

fn is(read: &Found, entry: &Entry) -> bool {
    match read {
        Found::Clause { predicate, .. } => entry.is_clause() && *predicate == **entry.predicate(),
        Found::Directive { predicate, .. } => !entry.is_clause() && *predicate == **entry.predicate(),
        Found::Initialization(_) => !entry.is_clause() && entry.predicate().name == "initialization",
        Found::Goal { .. } | Found::Skipped | Found::Refused(_) => false,
    }
}

/// Ascending byte offsets of a text as offsets in code points.
fn code_points(text: &str, bytes: &[usize]) -> Vec<usize> {
    if text.is_ascii() {
        return bytes.to_vec();
    }
    let mut points = 0;
    let mut from = 0;
    let point = |byte: &usize| {
        points += text[from..*byte].chars().count();
        from = *byte;
        points
    };
    bytes.iter().map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reply::{ClauseKind, EngineError};
    use hornbook_base::FaultKind;
    use hornbook_book::{Draft, Kind, Origin, Piece};

    /// Facts of the predicates `a/0`, `b/0` ..., each with its text.
    fn entries(texts: &[&str]) -> (Vec<(EntryId, Entry)>, Batch) {
        let mut book = Book::default();
        let mut draft = Draft {
            origin: Origin::Run,
            text: texts.concat(),
            tail: 0,
            pieces: Vec::new(),
            module: None,
            is_needed: false,
            replaced: Vec::new(),
        };
        let mut ends = Vec::new();
        for (at, text) in texts.iter().enumerate() {
            let start = ends.last().copied().unwrap_or(0);
            ends.push(start + text.len());
            draft.pieces.push(Piece {
                id: EntryId(at as i64 + 1),
                place: None,
                start,
                end: start + text.len(),
                kind: Kind::Fact,
                predicate: Predicate {
                    name: ["a", "b", "c", "d"][at].into(),
                    arity: 0,
                }
                .into(),
                restore: None,
            });
        }
        let batch = Batch {
            source: 1,
            begins: true,
            text: draft.text.clone(),
            ids: draft.pieces.iter().map(|piece| piece.id).collect(),
            ends,
            module: None,
        };
        (book.draft(draft, 0), batch)
    }

    fn item(end: usize, found: Found) -> Item {
        Item {
            source: 0,
            start: 0,
            end,
            found,
        }
    }

    fn fact(end: usize, name: &str) -> Item {
        let predicate = Predicate {
            name: name.into(),
            arity: 0,
        };
        let kind = ClauseKind::Fact;
        item(
            end,
            Found::Clause {
                kind,
                predicate,
                written: None,
            },
        )
    }

    fn refused(end: usize) -> Item {
        item(
            end,
            Found::Refused(EngineError {
                kind: FaultKind::SyntaxError,
                message: "bad".into(),
                predicate: None,
                line: None,
                column: None,
                detail: String::new(),
                raised: None,
            }),
        )
    }

    /// The ids reported, and whether the engine went astray.
    fn noticed(texts: &[&str], items: &[Item]) -> (Vec<i64>, bool) {
        let (entries, batch) = entries(texts);
        let entry = |id| {
            entries
                .iter()
                .find(|(known, _)| *known == id)
                .map(|(_, entry)| entry)
        };
        let found = misread(&batch, items, entry);
        (found.entries.iter().map(|(id, _)| id.0).collect(), found.astray)
    }

    #[test]
    fn entries_that_are_one_item_each_are_well() {
        let items = [fact(2, "a"), fact(5, "b"), fact(12, "c")];
        assert_eq!(noticed(&["a.", "\nb. % é", "\nc."], &items), (vec![], false));
        assert_eq!(
            noticed(&["'é'.", "b."], &[fact(4, "a"), fact(6, "b")]),
            (vec![], false)
        );
    }

    #[test]
    fn an_entry_that_is_refused_is_told_with_the_reason() {
        assert_eq!(
            noticed(&["a.", "b b.", "c."], &[fact(2, "a"), refused(6), fact(8, "c")]),
            (vec![2], false)
        );
    }

    #[test]
    fn an_entry_of_two_clauses_is_told() {
        let items = [fact(2, "a"), fact(4, "x"), fact(6, "b")];
        assert_eq!(noticed(&["a.x.", "b."], &items), (vec![1], true));
        let items = [fact(2, "a"), fact(4, "b"), fact(6, "x")];
        assert_eq!(noticed(&["a.", "b.x."], &items), (vec![2], true));
    }

    #[test]
    fn an_entry_that_swallows_others_is_told_and_they_are_not() {
        let items = [fact(2, "a"), refused(8), fact(10, "d")];
        assert_eq!(noticed(&["a.", "b('.", "c.", "d."], &items), (vec![2], true));
        assert_eq!(noticed(&["a('.", "b.", "c."], &[refused(8)]), (vec![1], true));
    }

    #[test]
    fn an_entry_that_ends_the_text_is_told() {
        assert_eq!(
            noticed(&["a.", "end_of_file.", "c."], &[fact(2, "a")]),
            (vec![2], true)
        );
        assert_eq!(noticed(&["% a"], &[]), (vec![1], true));
    }

    #[test]
    fn an_entry_that_is_something_else_is_told() {
        assert_eq!(
            noticed(&["a.", "x."], &[fact(2, "a"), fact(4, "x")]),
            (vec![2], true)
        );
        let directive = item(
            9,
            Found::Directive {
                predicate: Predicate {
                    name: "a".into(),
                    arity: 0,
                },
                restore: None,
                written: None,
            },
        );
        assert_eq!(noticed(&[":- op(a)."], &[directive]), (vec![1], true));
    }
}
