//! Modules: which one a file is loaded into, messages about exports, and what is removed with a module's
//! file.

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::Inner;
use super::needs::Wanted;
use hornbook_base::Pace;
use hornbook_book::lexer::{Lexer, TokenKind};
use hornbook_book::text::indicators;
use hornbook_book::{
    Book, EntryId, Header, Kind, Known, Origin, Piece, Predicate, SourceUse, TextModule, qualified,
};

/// How messages name the file of a module.
fn shown(used: &SourceUse, module: &str) -> String {
    match &used.source.origin {
        Origin::File(file) => format!("the module {module} ({file})"),
        Origin::Inline | Origin::Run => format!("the module {module}"),
    }
}

/// The module with a private predicate `name/arity`, and how messages name it.
pub(super) fn private_to(book: &Book, name: &str, arity: &str) -> Option<(String, String)> {
    let found = book.headers().find(|(_, header)| {
        arity.parse().is_ok_and(|arity| {
            let private = Predicate::private(&header.module, name, arity);
            book.standing(&private).known != Known::No
        })
    });
    found.map(|(used, header)| (header.module.to_string(), shown(used, &header.module)))
}

impl Inner {
    /// The module that a file without a header is loaded into. `whole` is the file that loads it, if that is
    /// about to be read again: its earlier exports no longer count.
    pub(super) fn module_of(&self, wanted: &Wanted, whole: Option<&str>) -> Option<TextModule> {
        let mut module = self.book.borrow().text_module(wanted.module.clone()?);
        if let Some(exports) = &wanted.exports {
            let before = whole.map_or_else(Vec::new, |whole| self.headers_of(whole));
            let is_before = |one: &Predicate| before.iter().any(|header| header.exports.contains(one));
            module.exports.retain(|one| !is_before(one));
            let also = exports.iter().filter(|one| !module.exports.contains(one));
            let also: Vec<Predicate> = also.cloned().collect();
            module.exports.extend(also);
        }
        Some(module)
    }

    /// Messages about exports, for a file with these pieces: two modules export the same predicate, or an
    /// exported predicate has clauses from elsewhere.
    pub(super) async fn told_of_exports(
        &self,
        name: &str,
        module: Option<&TextModule>,
        text: &str,
        pieces: &[Piece],
    ) -> Vec<String> {
        let (book, pace) = (self.book(), self.pace());
        let own = pieces.iter().find_map(|piece| {
            let code = &text[piece.start..piece.end];
            Header::of(piece.kind, &piece.predicate, code).filter(|header| !header.is_of_user())
        });
        let is_own = |used: &SourceUse| matches!(&used.source.origin, Origin::File(file) if **file == *name);
        let others: Vec<_> = book.headers().filter(|(used, _)| !is_own(used)).collect();
        if own.is_none() && others.is_empty() {
            return Vec::new();
        }
        let defined = Defined::of(text, pieces, &pace).await;
        let of_module = own
            .as_ref()
            .map(|header| &header.module)
            .or(module.map(|module| &module.name));
        let mut told = Vec::new();
        for predicate in &defined.clauses {
            let Some((of, plain)) = predicate.parts() else {
                continue;
            };
            let plain = Predicate {
                name: plain.to_owned(),
                arity: predicate.arity,
            };
            let exports = own.as_ref().is_some_and(|header| header.exports.contains(&plain));
            let other = others
                .iter()
                .find(|(_, other)| *other.module != *of && other.exports.contains(&plain));
            if let (true, Some((used, other))) = (exports, other) {
                let by = shown(used, &other.module);
                told.push(format!(
                    "{plain} is also exported by {by}: call the one in {of} as {of}:{}.",
                    call(&plain)
                ));
            }
        }
        for predicate in &defined.clauses {
            if predicate.parts().is_some() || defined.open.contains(&**predicate) {
                continue;
            }
            let exporter = others
                .iter()
                .find(|(_, other)| other.exports.contains(&**predicate) && Some(&other.module) != of_module);
            let is_shared = own
                .as_ref()
                .is_some_and(|header| header.exports.contains(&**predicate))
                && book.standing(predicate).clauses > clauses_in(&book, name, predicate, of_module);
            if let Some((used, other)) = exporter {
                let by = shown(used, &other.module);
                told.push(format!(
                    "{predicate} is also exported by {by}, and both are the same predicate."
                ));
            } else if is_shared {
                told.push(format!(
                    "{predicate} is exported and also has clauses from elsewhere, all of them one predicate."
                ));
            }
        }
        told
    }

    /// The predicates that the book no longer knows when these entries are removed: those that have no other clauses, except
    /// what running code made. The engine still has those that other entries declare.
    pub(super) async fn only_in(&self, ids: &[EntryId], pace: &Pace) -> Vec<Predicate> {
        let book = self.book();
        let mut counts: BTreeMap<Rc<Predicate>, usize> = BTreeMap::new();
        let mut gone: BTreeSet<Predicate> = BTreeSet::new();
        for id in ids {
            if let Some(entry) = book.get(*id) {
                let predicate = entry.predicate();
                if entry.is_clause() {
                    *counts.entry(predicate.clone()).or_default() += 1;
                }
            }
            gone.extend(book.declared_of(*id));
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        gone.retain(|declared| book.standing(declared).clauses == 0);
        let last = counts
            .into_iter()
            .filter(|(predicate, count)| book.standing(predicate).clauses == *count);
        gone.extend(last.map(|(predicate, _)| (*predicate).clone()));
        gone.retain(|predicate| book.standing(predicate).known != Known::ByRun);
        gone.into_iter().collect()
    }

    /// Whether what this source exports may be another predicate without it: another module exports it, and so keeps it
    /// to itself, or running code has made it for the module.
    pub(super) fn gives_way(&self, used: &SourceUse) -> bool {
        let book = self.book.borrow();
        let number = used.source.number;
        let (of, others): (Vec<_>, Vec<_>) =
            book.headers().partition(|(used, _)| used.source.number == number);
        let exports: BTreeSet<&Predicate> = of.iter().flat_map(|(_, header)| &header.exports).collect();
        let is_private = |(_, header): &(&SourceUse, Header)| {
            let private = |one: &Predicate| Predicate::private(&header.module, &one.name, one.arity);
            let is_known = |one: &Predicate| book.standing(&private(one)).known != Known::No;
            header.exports.iter().any(is_known)
        };
        others
            .iter()
            .any(|(_, other)| other.exports.iter().any(|one| exports.contains(one)))
            || of.iter().any(is_private)
    }

    /// The module of the file with a clause that has the tokens of this text, whatever its variables are
    /// called.
    pub(super) async fn module_with(&self, clause: &str) -> Option<TextModule> {
        let (book, pace) = (self.book(), self.pace());
        let (of, wanted) = match qualified(clause) {
            Some((of, rest)) => (Some(of), tokens(rest)),
            None => (None, tokens(clause)),
        };
        for (_, used) in book.files() {
            if used.headers().is_empty() && used.source.module.is_none() {
                continue;
            }
            for (id, entry) in book.entries_of(used) {
                let is_meant = match entry.predicate().parts() {
                    Some((module, _)) => of.as_ref().is_none_or(|of| of == module),
                    None => false,
                };
                if entry.is_clause() && is_meant && tokens(entry.code()) == wanted {
                    return book.text_module_at(&entry.spot(id), entry);
                }
                if pace.is_over(2) {
                    pace.rest().await;
                }
            }
        }
        None
    }
}

/// What a call of a predicate may look like.
fn call(predicate: &Predicate) -> String {
    match predicate.arity {
        0 => predicate.name.clone(),
        _ => format!("{}(…)", predicate.name),
    }
}

/// The tokens of a clause without its period; all variables count as equal.
fn tokens(clause: &str) -> Vec<&str> {
    let tokens = Lexer::new(clause).filter(|token| token.kind != TokenKind::End);
    let told = tokens.map(|token| match token.kind {
        TokenKind::Variable => "_",
        _ => &clause[token.start..token.end],
    });
    told.collect()
}

/// How many clauses of a predicate come from a file and from what was loaded into its module.
fn clauses_in(book: &Book, name: &str, predicate: &Predicate, module: Option<&Rc<str>>) -> usize {
    let is_part = |source: &hornbook_book::Source| match (&source.module, module) {
        (Some(of), Some(module)) => **of == **module,
        _ => false,
    };
    let files = book
        .files()
        .filter(|(file, used)| *file == name || is_part(&used.source));
    let entries = files.flat_map(|(_, used)| book.entries_of(used));
    let of = entries.filter(|(_, entry)| entry.is_clause() && **entry.predicate() == *predicate);
    of.count()
}

/// What the pieces of a file define.
#[derive(Default)]
struct Defined {
    clauses: BTreeSet<Rc<Predicate>>,
    /// Predicates that others may extend.
    open: BTreeSet<Predicate>,
}

impl Defined {
    async fn of(text: &str, pieces: &[Piece], pace: &Pace) -> Defined {
        let mut defined = Defined::default();
        let mut in_unit = false;
        for piece in pieces {
            let code = &text[piece.start..piece.end];
            match (piece.kind, &*piece.predicate.name) {
                (Kind::Directive, "begin_tests") => in_unit = true,
                (Kind::Directive, "end_tests") => in_unit = false,
                (Kind::Directive, _) if code.contains("multifile") => {
                    defined.open.extend(indicators(code));
                }
                (Kind::Directive, _) => {}
                _ if in_unit || qualified(code).is_some() => {}
                _ => drop(defined.clauses.insert(piece.predicate.clone())),
            }
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        defined
    }
}
