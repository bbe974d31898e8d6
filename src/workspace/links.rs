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

const UNLINKED: &str = "nothing is linked here: name the data with --data NAME=ADDRESS, or `data` of openBook. What a program, a tool or a service answers is known here only as far as it was recorded";

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
    ["data", "join", "cursor", "set", "columns"]
        .iter()
        .any(|of| !question[of].is_null())
}

/// The answer to such a question where no data is linked.
pub(super) fn unlinked(question: &Value) -> String {
    match ["set", "join", "data"].map(|of| !question[of].is_null()) {
        [true, ..] => "none".to_owned(),
        // One by one, the goals say what is wrong.
        [_, true, _] => "apart".to_owned(),
        [.., true] => protocol::text_request("unnamed", UNLINKED),
        _ => protocol::text_request("failed", UNLINKED),
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
    if !text.contains("data(") {
        return Vec::new();
    }
    let tokens: Vec<Token> = Lexer::of_file(text).collect();
    let clauses = tokens.split_inclusive(|token| token.kind == TokenKind::End);
    clauses.filter_map(|clause| declared(text, clause)).collect()
}

/// The source of a link, and its table if it has several: what the directive of an entry names.
pub(super) fn from(entry: &Entry) -> Option<Vec<String>> {
    match entry.is_link() {
        true => {
            let code = entry.code();
            let tokens: Vec<Token> = Lexer::new(code).collect();
            declared(code, &tokens).map(|(_, from)| from)
        }
        false => None,
    }
}

/// What the directive with these tokens links, and where its rows are; `None` if it is another clause.
fn declared(text: &str, clause: &[Token]) -> Option<(Predicate, Vec<String>)> {
    let word = |token: &Token| &text[token.start..token.end];
    let [neck, data, open, arguments @ ..] = clause else {
        return None;
    };
    if (word(neck), word(data), word(open)) != (":-", "data", "(") {
        return None;
    }
    // Brackets around an argument, or a part of it, mean nothing.
    let is_written = |token: &&Token| {
        !matches!(
            token.kind,
            TokenKind::Open { .. } | TokenKind::Close | TokenKind::End
        )
    };
    let mut arguments = arguments.split(|token| token.kind == TokenKind::Comma);
    let mut words =
        || -> Option<Vec<&str>> { Some(arguments.next()?.iter().filter(is_written).map(word).collect()) };
    let (spec, from) = (words()?, words()?);
    let ([_, ":", name, "/", arity] | [name, "/", arity]) = *spec else {
        return None;
    };
    let from = match *from {
        [source] => vec![unquoted(source)],
        [source, ":", table] => vec![unquoted(source), unquoted(table)],
        _ => return None,
    };
    let name = unquoted(name);
    Some((
        Predicate {
            name,
            arity: arity.parse().ok()?,
        },
        from,
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn links(text: &str) -> Vec<String> {
        { in_text(text).into_iter() }
            .map(|(predicate, from)| format!("{predicate} {}", from.join("|")))
            .collect()
    }

    #[test]
    fn a_text_tells_what_it_links() {
        let text = "a :- b{c: D}. % :- data(no/1, shop).\n:-data( 'my orders' / 4,shop:old ) .\n:- data(x, y).\n:- data(o/2, s).";
        assert_eq!(links(text), ["my orders/4 shop|old", "o/2 s"]);
    }

    #[test]
    fn a_link_may_name_a_module_and_have_brackets() {
        let text = ":- data(m:orders/3, shop).\n:- data((orders/2), (shop)).\n:- data(m:(o/1), s:t).";
        assert_eq!(links(text), ["orders/3 shop", "orders/2 shop", "o/1 s|t"]);
    }

    #[test]
    fn names_of_a_link_may_be_quoted() {
        let text = ":- data(c/4, erp:'old.c').\n:- data(c/4, 'a:b').\n:- data('a,b'/4, db:'e,f').\n:- data('it\\'s'/1, 'that''s').";
        assert_eq!(
            links(text),
            ["c/4 erp|old.c", "c/4 a:b", "a,b/4 db|e,f", "it's/1 that's"]
        );
    }
}
