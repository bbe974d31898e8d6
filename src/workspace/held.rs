//! What the book has of a file, compared with a text of it.

use std::collections::BTreeMap;

use super::Inner;
use super::types::Replaced;
use hornbook_book::Spot;
use hornbook_book::lexer::{Lexer, TokenKind};

/// What the book has of a file that is imported.
pub(super) struct Imported {
    /// It was imported with another text.
    pub has_changed: bool,
    pub clauses: usize,
    pub entries: usize,
    /// How many of its entries were retracted.
    pub retracted: usize,
    /// It came only because another file loads it.
    pub is_needed: bool,
    /// Where it begins and ends, if anything of it is left.
    pub span: Option<(Spot, Spot)>,
}

impl Inner {
    /// The clauses of a file that are in the book, and how often each is there.
    pub(super) async fn clauses_of(&self, name: &str) -> BTreeMap<Box<str>, usize> {
        let (book, pace) = (self.book(), self.pace());
        let mut clauses = BTreeMap::new();
        for (_, entry) in book.file(name).into_iter().flat_map(|used| book.entries_of(used)) {
            if entry.is_clause() {
                *clauses.entry(entry.code().into()).or_default() += 1;
            }
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        clauses
    }

    /// Whether the book has all of a file with this text, except, with `keeps`, what was retracted since.
    pub(super) async fn has_all(&self, was: &Imported, text: &str, keeps: bool) -> bool {
        let pace = self.pace();
        let retracted = if keeps { was.retracted } else { 0 };
        let mut read = 0;
        for token in Lexer::of_file(text) {
            read += usize::from(token.kind == TokenKind::End);
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        read == was.entries + retracted
    }

    /// What the book has of a file, compared with this text.
    pub(super) fn imported(&self, name: &str, text: &str) -> Option<Imported> {
        let book = self.book.borrow();
        if let Some(emptied) = book.emptied(name) {
            return Some(Imported {
                has_changed: emptied.text != text,
                retracted: emptied.gone.len(),
                clauses: 0,
                entries: 0,
                is_needed: emptied.is_needed,
                span: None,
            });
        }
        let used = book.file(name)?;
        Some(Imported {
            has_changed: *used.source.text != *text,
            clauses: used.clauses,
            entries: used.entries,
            retracted: book.gone_code(used).count(),
            is_needed: used.source.is_needed,
            span: Some(used.span().clone()),
        })
    }
}

/// What became of clauses that a file had before.
pub(super) fn compared(before: &BTreeMap<Box<str>, usize>, after: &BTreeMap<Box<str>, usize>) -> Replaced {
    let kept = |(clause, count): (&_, &usize)| after.get(clause).map_or(0, |now| *now.min(count));
    let kept: usize = before.iter().map(kept).sum();
    Replaced {
        kept,
        removed: before.values().sum::<usize>() - kept,
    }
}
