//! The clauses of a file that were retracted or replaced since it was imported.

use std::collections::BTreeMap;

use super::Inner;
use super::types::{ImportReport, Notice};
use hornbook_base::Pace;
use hornbook_book::text::variant_key;
use hornbook_book::{Kind, Piece, code_at};

/// What a file had before it is loaded again, and what of it has come back so far.
#[derive(Debug, Clone, Default)]
pub(super) struct Had {
    /// By the [`variant_key`] of a clause.
    clauses: BTreeMap<Box<str>, Counts>,
    /// Whether what was retracted stays so. What was replaced never does: the file says what stands there.
    keeps: bool,
    /// How many clauses that were retracted, and that were replaced, the text has again.
    retracted: usize,
    replaced: usize,
}

/// How often the book has a clause, and how often it was retracted and replaced.
#[derive(Debug, Clone, Default)]
struct Counts {
    there: usize,
    retracted: usize,
    replaced: usize,
}

impl Had {
    /// Count a clause that is read again. Returns whether it was retracted, and stays so.
    pub fn leaves_out(&mut self, piece: &Piece, text: &str) -> bool {
        if piece.kind == Kind::Directive || self.clauses.is_empty() {
            return false;
        }
        let code = code_at(piece.start, &text[piece.start..piece.end]);
        let Some(counts) = self.clauses.get_mut(&variant_key(code)) else {
            return false;
        };
        if counts.there > 0 {
            counts.there -= 1;
            return false;
        }
        if counts.retracted > 0 {
            counts.retracted -= 1;
            self.retracted += 1;
            return self.keeps;
        }
        if counts.replaced > 0 {
            counts.replaced -= 1;
            self.replaced += 1;
        }
        false
    }

    /// Tell of the clauses that were retracted or replaced and that the text has again.
    pub fn tell(&self, report: &mut ImportReport) {
        let back = match self.keeps {
            true => {
                report.retracted = self.retracted;
                0
            }
            false => self.retracted,
        };
        let what = match (back, self.replaced) {
            (0, 0) => return,
            (_, 0) => "retracted",
            (0, _) => "replaced",
            _ => "retracted or replaced",
        };
        let clauses = match back + self.replaced {
            1 => "1 clause".to_owned(),
            more => format!("{more} clauses"),
        };
        let gone = match self.replaced {
            0 => "",
            _ => " What took the place of a clause is gone if the file lacks it.",
        };
        let told = format!("Back in the book, though {what} since the file was imported: {clauses}.{gone}");
        report.notices.push(Notice(told));
    }
}

impl Inner {
    /// What a file has lost, and what it has of the same terms.
    pub(super) async fn had(&self, name: &str, keeps: bool, pace: &Pace) -> Had {
        let book = self.book();
        let mut clauses: BTreeMap<Box<str>, Counts> = BTreeMap::new();
        let (used, emptied) = (book.file(name), book.emptied(name));
        let of_used = used.into_iter().flat_map(|used| book.gone_code(used));
        let of_emptied = emptied.iter().flat_map(|emptied| emptied.gone_code());
        for code in of_used.chain(of_emptied) {
            clauses.entry(variant_key(code)).or_default().retracted += 1;
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        let of_used = used.into_iter().flat_map(|used| &used.source.replaced);
        let of_emptied = emptied.iter().flat_map(|emptied| &emptied.replaced);
        for (_, _, code) in of_used.chain(of_emptied) {
            clauses.entry(variant_key(code)).or_default().replaced += 1;
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        if !clauses.is_empty() {
            for (_, entry) in used.into_iter().flat_map(|used| book.entries_of(used)) {
                if let Some(counts) = clauses.get_mut(&variant_key(entry.code())) {
                    counts.there += 1;
                }
                if pace.is_over(1) {
                    pace.rest().await;
                }
            }
        }
        Had {
            clauses,
            keeps,
            ..Had::default()
        }
    }
}
