//! How the lexer handles the texts that `tests/corpus/reader/run.mjs` checks against the reader.

use serde::Deserialize;

use super::*;
use crate::characters::{Class, begins_variable, is_after_end};

#[derive(Deserialize)]
struct Written {
    text: String,
    clauses: Vec<String>,
    tokens: Option<Vec<String>>,
    #[serde(default)]
    error: bool,
}

#[derive(Deserialize)]
struct Random {
    text: String,
    clauses: Vec<usize>,
    leaves: Vec<(usize, usize)>,
    comments: Vec<(usize, usize)>,
    #[serde(default)]
    error: bool,
}

/// The byte offsets of the code points.
fn bytes(text: &str) -> Vec<usize> {
    text.char_indices()
        .map(|(at, _)| at)
        .chain([text.len()])
        .collect()
}

fn ends_of(text: &str) -> Vec<usize> {
    let tokens = Lexer::of_file(text);
    tokens
        .filter(|token| token.kind == TokenKind::End)
        .map(|token| token.end)
        .collect()
}

/// The clauses before the first error end exactly where the reader says.
#[track_caller]
fn check_ends(text: &str, expected: &[usize], error: bool) {
    let mut found = ends_of(text);
    if error {
        found.truncate(expected.len());
    }
    assert_eq!(found, expected, "{text:?}");
}

#[test]
fn clauses_and_tokens_are_those_of_the_reader() {
    let texts: Vec<Written> =
        serde_json::from_str(include_str!("../../../tests/corpus/reader/texts.json")).unwrap();
    for Written {
        text,
        clauses,
        tokens,
        error,
    } in texts
    {
        let mut at = 0;
        let ends: Vec<usize> = clauses
            .iter()
            .map(|clause| {
                at += clause.len();
                at
            })
            .collect();
        check_ends(&text, &ends, error);
        if let Some(tokens) = tokens {
            let found: Vec<&str> = Lexer::of_file(&text)
                .map(|token| &text[token.start..token.end])
                .collect();
            assert_eq!(found, tokens, "{text:?}");
        }
    }
}

#[test]
fn texts_made_at_random_are_divided_as_by_the_reader() {
    let texts: Vec<Random> =
        serde_json::from_str(include_str!("../../../tests/corpus/reader/random.json")).unwrap();
    for Random {
        text,
        clauses,
        leaves,
        comments,
        error,
    } in texts
    {
        let bytes = bytes(&text);
        let ends: Vec<usize> = clauses.iter().map(|end| bytes[*end]).collect();
        check_ends(&text, &ends, error);
        let tokens: Vec<Token> = Lexer::of_file(&text).collect();
        for (start, end) in leaves {
            let (start, end) = (bytes[start], bytes[end]);
            let first = tokens.iter().position(|token| token.start == start);
            let last = tokens.iter().position(|token| token.end == end);
            // A number with its sign is two tokens, and so are empty brackets.
            let whole = first.zip(last).is_some_and(|(first, last)| last - first <= 1);
            assert!(whole, "{:?} in {text:?}", &text[start..end]);
        }
        for (start, end) in comments {
            let (start, end) = (bytes[start], bytes[end]);
            let apart = tokens
                .iter()
                .all(|token| token.end <= start || token.start >= end);
            assert!(apart, "{:?} in {text:?}", &text[start..end]);
        }
    }
}

#[test]
fn characters_are_what_they_are_to_the_reader() {
    type Classes = std::collections::BTreeMap<String, Vec<(u32, u32)>>;
    let classes: Classes =
        serde_json::from_str(include_str!("../../../tests/corpus/reader/characters.json")).unwrap();
    type Test = fn(char) -> bool;
    let functions: [(&str, Test); 5] = [
        ("layout", |c| Class::Layout.has(c)),
        ("after_end", is_after_end),
        ("line_end", |c| !Class::InLine.has(c)),
        ("alphanumeric", |c| Class::Alphanumeric.has(c)),
        ("variable", |c| Class::Alphanumeric.has(c) && begins_variable(c)),
    ];
    for (name, function) in functions {
        let mut known = std::collections::BTreeSet::new();
        for (first, last) in &classes[name] {
            known.extend(*first..=*last);
        }
        for c in '\u{80}'..=char::MAX {
            assert_eq!(function(c), known.contains(&(c as u32)), "{name}: {c:?}");
        }
    }
}
