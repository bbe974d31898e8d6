//! Data that goals ask where it is, as far as a book knows of it: the directives that name it, and the questions about it.

use std::collections::BTreeMap;

use futures::FutureExt;
use futures::future::{Either, LocalBoxFuture, select};
use serde_json::Value;

use super::Inner;
use hornbook_book::lexer::{Lexer, Token, TokenKind};
use hornbook_book::text::unquoted;
use hornbook_book::{Book, Entry, Predicate};
use hornbook_engine::protocol;

const UNLINKED: &str =
    "nothing is linked here: name the data with --data NAME=ADDRESS, or `data` of openBook";

/// What answers questions about linked data, where a host has data. Elsewhere the program does not contain it.
pub(super) trait Links {
    /// The answer to a question of the query with this number, as the text of a term. If this is dropped, the
    /// statement is stopped.
    fn answer(&self, query: u64, question: Value) -> LocalBoxFuture<'_, String>;
    /// Stop what is read for other queries than these.
    fn keep(&self, queries: &[u64]);
    /// The names of the columns of a table, by its source and its own name.
    fn columns<'a>(&'a self, from: &'a [String]) -> LocalBoxFuture<'a, Result<Vec<String>, String>>;
}

/// Whether a question of an engine is one for linked data.
pub(super) fn is_asked(question: &Value) -> bool {
    ["data", "join", "cursor", "set"]
        .iter()
        .any(|of| !question[of].is_null())
}

/// The answer to such a question where no data is linked.
pub(super) fn unlinked(question: &Value) -> String {
    match question["set"].is_null() {
        false => "none".to_owned(),
        true => protocol::text_request("failed", UNLINKED),
    }
}

impl Inner {
    /// The columns of these predicates whose rows are linked data, or why they are not known, as far as the host tells them
    /// within so many milliseconds.
    pub(super) async fn columns_of_links(
        &self,
        links: &BTreeMap<Predicate, Vec<String>>,
        within_ms: u64,
    ) -> Vec<(Predicate, Result<Vec<String>, String>)> {
        let mut found = Vec::new();
        let mut late = self.clock.sleep(within_ms).fuse();
        for (predicate, from) in links {
            let named = match self.linked.get() {
                None => Err(UNLINKED.to_owned()),
                Some(linked) => match select(linked.columns(from), &mut late).await {
                    Either::Left((named, _)) => named,
                    Either::Right(_) => Err(format!("its source did not say within {within_ms} ms")),
                },
            };
            let named = named.and_then(|names| match names.len() == predicate.arity as usize {
                true => Ok(names),
                false => Err(format!("it has {}, which are {}", names.len(), names.join(", "))),
            });
            found.push((predicate.clone(), named));
        }
        found
    }
}

/// The linked predicates of a book, with what they name.
pub(super) fn of_book(book: &Book) -> impl Iterator<Item = (Predicate, Vec<String>)> {
    book.declarations().flat_map(|(spot, entry)| {
        let from = from(entry);
        let declared = from.is_some().then(|| book.declared(&spot, entry));
        let declared = declared.into_iter().flatten();
        declared.filter_map(move |predicate| Some((predicate, from.clone()?)))
    })
}

/// The linked predicates that the directives of a text declare, with what they name.
pub(super) fn in_text(text: &str) -> Vec<(Predicate, Vec<String>)> {
    let mut found = Vec::new();
    if !text.contains("data(") {
        return found;
    }
    let tokens: Vec<Token> = Lexer::of_file(text).collect();
    for clause in tokens.split_inclusive(|token| token.kind == TokenKind::End) {
        let word = |at: usize| clause.get(at).map_or("", |token| &text[token.start..token.end]);
        let is_link = [":-", "data", "("]
            .iter()
            .enumerate()
            .all(|(at, one)| word(at) == *one);
        if !is_link || word(4) != "/" {
            continue;
        }
        let directive = &text[clause[0].start..clause[clause.len() - 1].end];
        if let (Ok(arity), Some(from)) = (word(5).parse(), from_text(directive)) {
            let name = unquoted(word(3));
            found.push((Predicate { name, arity }, from));
        }
    }
    found
}

/// The source of a link, and its table if it has several: what the directive of an entry names.
pub(super) fn from(entry: &Entry) -> Option<Vec<String>> {
    match entry.is_link() {
        true => from_text(entry.code()),
        false => None,
    }
}

fn from_text(directive: &str) -> Option<Vec<String>> {
    let text = directive.trim_end().trim_end_matches('.').trim_end();
    let from = after_comma(text.strip_suffix(')')?)?.trim();
    // A quoted name may have a colon.
    let (source, table) = match from.split_once(':') {
        Some((source, table)) if !source.starts_with('\'') => (source, Some(table)),
        _ => (from, None),
    };
    let names = [Some(source), table].into_iter().flatten();
    Some(names.map(|name| unquoted(name.trim())).collect())
}

/// What follows the first comma outside of quotes.
fn after_comma(text: &str) -> Option<&str> {
    let mut is_quoted = false;
    for (at, c) in text.char_indices() {
        match c {
            '\'' => is_quoted = !is_quoted,
            ',' if !is_quoted => return Some(&text[at + 1..]),
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_tells_what_it_links() {
        let text = "a :- b{c: D}. % :- data(no/1, shop).\n:-data( 'my orders' / 4,shop:old ) .\n:- data(x, y).\n:- data(o/2, s).";
        let links: Vec<String> = { in_text(text).into_iter() }
            .map(|(predicate, from)| format!("{predicate} {}", from.join("|")))
            .collect();
        assert_eq!(links, ["my orders/4 shop|old", "o/2 s"]);
    }

    #[test]
    fn a_directive_names_a_source_and_perhaps_a_table() {
        let names = |text: &str| from_text(text).map(|names| names.join("|"));
        assert_eq!(names(":- data(orders/6, shop)."), Some("shop".to_owned()));
        assert_eq!(
            names(":- data(c/4, erp:customers)\n."),
            Some("erp|customers".to_owned())
        );
        assert_eq!(names(":- data(c/4, erp:'old.c').").as_deref(), Some("erp|old.c"));
        assert_eq!(names(":- data(c/4, 'a:b')."), Some("a:b".to_owned()));
        assert_eq!(names(":- data('a,b'/4, db:'e,f').").as_deref(), Some("db|e,f"));
        assert_eq!(names("data"), None);
    }
}
