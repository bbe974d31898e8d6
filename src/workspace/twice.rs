//! Facts that the book has already.

use std::collections::BTreeSet;

use hornbook_book::lexer::Lexer;
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
    let mut there: BTreeSet<String> = book
        .entries()
        .filter(|(_, entry)| entry.kind() == Kind::Fact && names.contains(&**entry.predicate()))
        .map(|(_, entry)| plain(entry.text()))
        .collect();
    let twice: Vec<&str> = { facts.iter() }
        .map(|piece| &draft.text[piece.start..piece.end])
        .filter(|fact| !there.insert(plain(fact)))
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

/// The tokens of a fact, without comments and with no more layout than words need between them.
fn plain(text: &str) -> String {
    let mut plain = String::new();
    for token in Lexer::new(text) {
        let token = &text[token.start..token.end];
        if token.starts_with(is_word) && plain.ends_with(is_word) {
            plain.push(' ');
        }
        plain.push_str(token);
    }
    plain
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn layout_and_comments_do_not_count() {
        assert_eq!(plain("% paid\np( ann,  10 ) ."), plain("p(ann, 10)."));
        assert_ne!(plain("p(a b)."), plain("p(ab)."));
        assert_ne!(plain("p('a b')."), plain("p('ab')."));
    }
}
