//! Facts that the book has already.

use std::collections::BTreeSet;

use hornbook_book::lexer::Lexer;
use hornbook_book::text::variant_key;
use hornbook_book::{Book, Draft, Kind};

/// How many facts of one call are looked for.
const MOST_FACTS: usize = 50;

/// A book with more entries is not searched.
const MOST_ENTRIES: usize = 20_000;

/// How many facts a warning names.
const NAMED: usize = 3;

/// How many characters of a fact a warning quotes.
const FACT_CHARS: usize = 60;

/// A warning if `draft`, which is not in the book yet, has facts that are there already, or has one twice.
pub(super) fn there_already(book: &Book, draft: &Draft) -> Option<String> {
    let facts: Vec<_> = draft
        .pieces
        .iter()
        .filter(|piece| piece.kind == Kind::Fact)
        .collect();
    if facts.len() > MOST_FACTS || book.len() > MOST_ENTRIES {
        return None;
    }
    let names: BTreeSet<_> = facts.iter().map(|piece| &*piece.predicate).collect();
    let mut there: BTreeSet<Box<str>> = book
        .entries()
        .filter(|(_, entry)| entry.kind() == Kind::Fact && names.contains(&**entry.predicate()))
        .map(|(_, entry)| variant_key(entry.text()))
        .collect();
    let twice: Vec<&str> = { facts.iter() }
        .map(|piece| &draft.text[piece.start..piece.end])
        .filter(|fact| !there.insert(variant_key(fact)))
        .collect();
    let named: Vec<String> = { twice.iter().take(NAMED) }
        .map(|fact| {
            let mut tokens = Lexer::new(fact);
            let start = tokens.next().map_or(0, |token| token.start);
            let end = tokens.last().map_or(fact.len(), |token| token.end);
            let code = &fact[start..end];
            match code.char_indices().nth(FACT_CHARS) {
                Some((end, _)) => format!("`{}…`", &code[..end]),
                None => format!("`{code}`"),
            }
        })
        .collect();
    let more = match twice.len() {
        0 => return None,
        all if all > NAMED => format!(" and {} more", all - NAMED),
        _ => String::new(),
    };
    let (verb, counts) = match twice.len() {
        1 => ("is", "it now counts twice"),
        _ => ("are", "they now count twice"),
    };
    Some(format!(
        "{}{more} {verb} already there: {counts}.",
        named.join(", ")
    ))
}
