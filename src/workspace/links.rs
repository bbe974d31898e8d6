//! Data that goals ask where it is, as far as a book knows of it: the directives that name it, and the questions about it.

use std::collections::BTreeMap;

use futures::FutureExt;
use futures::future::{Either, LocalBoxFuture, select};
use serde_json::Value;

use super::{Inner, Workspace};
use hornbook_book::text::unquoted;
use hornbook_book::{Entry, Predicate};
use hornbook_engine::protocol;

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
        true => protocol::text_request(
            "failed",
            "nothing is linked here: name the data with --data NAME=ADDRESS, or `data` of openBook",
        ),
    }
}

impl Workspace {
    /// The columns of these predicates whose rows are linked data, as far as the host tells them in time.
    pub(super) async fn columns_of_links(
        &self,
        links: &BTreeMap<Predicate, Vec<String>>,
    ) -> Vec<(Predicate, Vec<String>)> {
        let Inner { linked, clock, .. } = &*self.0;
        let mut found = Vec::new();
        let Some(linked) = linked.get() else {
            return found;
        };
        let mut late = clock.sleep(LOOK_MS).fuse();
        for (predicate, from) in links {
            let Either::Left((Ok(names), _)) = select(linked.columns(from), &mut late).await else {
                continue;
            };
            if names.len() == predicate.arity as usize {
                found.push((predicate.clone(), names));
            }
        }
        found
    }
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

/// How long a list of predicates waits for the columns of linked data, in milliseconds.
const LOOK_MS: u64 = 2_000;

#[cfg(test)]
mod tests {
    use super::*;

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
