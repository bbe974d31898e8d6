//! The clauses of a file that were retracted since it was imported.

use std::collections::BTreeMap;

use super::Inner;
use super::types::{ImportReport, Notice};
use hornbook_base::Pace;
use hornbook_book::text::variant_key;
use hornbook_book::{Kind, Piece, code_at};

/// What a file had before it is loaded again.
#[derive(Debug, Clone, Default)]
pub(super) struct Had {
    /// By the [`variant_key`] of a clause, how often the book has it, and how often it was retracted.
    clauses: BTreeMap<Box<str>, (usize, usize)>,
    /// Whether what was retracted stays so.
    keeps: bool,
}

impl Had {
    /// Count a clause that is read again. Returns whether it was retracted, and stays so; `again` counts those that were
    /// retracted.
    pub fn leaves_out(&mut self, piece: &Piece, text: &str, again: &mut usize) -> bool {
        if piece.kind == Kind::Directive || self.clauses.is_empty() {
            return false;
        }
        let code = code_at(piece.start, &text[piece.start..piece.end]);
        let Some((there, retracted)) = self.clauses.get_mut(&variant_key(code)) else {
            return false;
        };
        if *there > 0 {
            *there -= 1;
            return false;
        }
        if *retracted == 0 {
            return false;
        }
        *retracted -= 1;
        *again += 1;
        self.keeps
    }

    /// Tell of the clauses that were retracted and that the text has again.
    pub fn tell(&self, report: &mut ImportReport, again: usize) {
        if self.keeps {
            report.retracted = again;
        } else if again > 0 {
            let clauses = if again == 1 {
                "1 clause".to_owned()
            } else {
                format!("{again} clauses")
            };
            let told = format!("Back in the book, though retracted since the file was imported: {clauses}.");
            report.notices.push(Notice(told));
        }
    }
}

impl Inner {
    /// What a file has lost, and what it has of the same terms.
    pub(super) async fn had(&self, name: &str, keeps: bool, pace: &Pace) -> Had {
        let book = self.book();
        let mut clauses: BTreeMap<Box<str>, (usize, usize)> = BTreeMap::new();
        let (used, emptied) = (book.file(name), book.emptied(name));
        let of_used = used.into_iter().flat_map(|used| book.gone_code(used));
        let of_emptied = emptied.iter().flat_map(|emptied| emptied.gone_code());
        for code in of_used.chain(of_emptied) {
            clauses.entry(variant_key(code)).or_default().1 += 1;
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        if !clauses.is_empty() {
            for (_, entry) in used.into_iter().flat_map(|used| book.entries_of(used)) {
                if let Some((there, _)) = clauses.get_mut(&variant_key(entry.code())) {
                    *there += 1;
                }
                if pace.is_over(1) {
                    pace.rest().await;
                }
            }
        }
        Had { clauses, keeps }
    }
}
