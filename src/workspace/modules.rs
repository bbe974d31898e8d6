//! Modules. All code of a book has one space of names: where a module's file and another file define a predicate of one
//! name, which are two elsewhere, the clauses of the second are left out, and that is told. Clauses that are given for
//! what a module keeps to itself are refused, but for those that name the module (`m:p(1).`).

use std::collections::{BTreeMap, BTreeSet};
use std::rc::Rc;

use super::Inner;
use super::needs::{is_named, needs};
use hornbook_base::Pace;
use hornbook_book::lexer::{Lexer, TokenKind};
use hornbook_book::text::{indicators, unquoted};
use hornbook_book::{Book, EntryId, Kind, Known, Origin, Piece, Predicate, SourceUse};

/// What a file that is to be added defines and others of the book define, too.
#[derive(Default)]
pub(super) struct Clashes {
    /// Its clauses that must go.
    pub left_out: BTreeSet<EntryId>,
    /// A line for each of their predicates, which begins with the place.
    pub told: Vec<String>,
    /// The same, without a place, for those that it declares or that clauses were asserted for: it shares them.
    pub shared: Vec<String>,
}

/// A predicate that a module keeps to itself.
struct Private {
    predicate: Predicate,
    file: String,
    /// How the module is told.
    by: String,
    /// The module's name, as it is written.
    module: String,
    /// It is declared so: code of the module may add to it.
    dynamic: bool,
}

impl Private {
    fn why_refused(&self) -> String {
        let Private {
            predicate,
            by,
            module,
            ..
        } = self;
        format!(
            "{predicate} is of {by}, which does not export it. To add to it write `{module}:` before the clause, else take another name."
        )
    }
}

/// What to do about it.
const RENAME: &str = "modules share their names here, so rename it in one of the two files.";

/// What a directive `module/2` says.
struct Header {
    name: String,
    /// The name with its quotation marks.
    written: String,
    exports: BTreeSet<Predicate>,
}

/// What a file defines.
#[derive(Default)]
struct Definitions {
    module: Option<Header>,
    /// By predicate; none for one that is only declared.
    clauses: BTreeMap<Rc<Predicate>, Vec<EntryId>>,
    dynamic: BTreeSet<Predicate>,
    /// Those that other files may add to.
    multifile: BTreeSet<Predicate>,
    /// Tests are of their unit.
    in_unit: bool,
}

impl Header {
    fn of(kind: Kind, predicate: &Predicate, code: &str) -> Option<Header> {
        if kind != Kind::Directive || predicate.name != "module" {
            return None;
        }
        let named = |token: &hornbook_book::lexer::Token| token.kind == TokenKind::Name;
        let name = Lexer::new(code).filter(named).nth(1)?;
        let written = code[name.start..name.end].to_owned();
        let name = unquoted(&written);
        (name != "user").then(|| Header {
            name,
            written,
            exports: indicators(code).into_iter().collect(),
        })
    }
}

impl Definitions {
    /// The next entry of the file.
    fn see(&mut self, id: EntryId, kind: Kind, predicate: &Rc<Predicate>, code: &str) {
        if kind != Kind::Directive {
            if !self.in_unit && !is_qualified(code) {
                self.clauses.entry(predicate.clone()).or_default().push(id);
            }
            return;
        }
        if code.contains("multifile") {
            self.multifile.extend(indicators(code));
        }
        match predicate.name.as_str() {
            "module" if self.module.is_none() => self.module = Header::of(kind, predicate, code),
            "dynamic" => {
                for declared in indicators(code) {
                    self.clauses.entry(Rc::new(declared.clone())).or_default();
                    self.dynamic.insert(declared);
                }
            }
            "begin_tests" => self.in_unit = true,
            "end_tests" => self.in_unit = false,
            _ => {}
        }
    }

    async fn of_pieces(text: &str, pieces: &[Piece], pace: &Pace) -> Self {
        let mut found = Definitions::default();
        for piece in pieces {
            found.see(piece.id, piece.kind, &piece.predicate, code(text, piece));
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        found
    }

    /// Of a file of the book, as far as it is wanted.
    async fn of_file(
        book: &Book,
        used: &SourceUse,
        wanted: impl Fn(&Predicate) -> bool,
        pace: &Pace,
    ) -> Self {
        let mut found = Definitions::default();
        for (id, entry) in book.entries_of(used) {
            if !entry.is_clause() || wanted(entry.predicate()) {
                found.see(id, entry.kind(), entry.predicate(), entry.code());
            }
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
        found
    }

    /// Those that the module does not export.
    fn is_private(&self, predicate: &Predicate) -> bool {
        self.clauses.contains_key(predicate)
            && !self.multifile.contains(predicate)
            && self
                .module
                .as_ref()
                .is_some_and(|module| !module.exports.contains(predicate))
    }
}

/// Whether a clause names the module that it belongs to: `m:p(1).`
fn is_qualified(code: &str) -> bool {
    let mut tokens = Lexer::new(code);
    tokens.next().is_some_and(|token| token.kind == TokenKind::Name)
        && tokens
            .next()
            .is_some_and(|token| &code[token.start..token.end] == ":")
}

/// The header of a file of the book, which stands before its clauses.
fn header(book: &Book, used: &SourceUse) -> Option<Header> {
    let entries = book.entries_of(used).map(|(_, entry)| entry);
    let mut directives = entries.take_while(|entry| !entry.is_clause());
    directives.find_map(|entry| Header::of(entry.kind(), entry.predicate(), entry.code()))
}

/// How a file is told.
fn shown(file: &str, module: Option<&Header>) -> String {
    match module {
        Some(Header { name, .. }) => format!("the module {name} ({file})"),
        None => file.to_owned(),
    }
}

/// The text of a piece.
fn code<'a>(text: &'a str, piece: &Piece) -> &'a str {
    &text[piece.start..piece.end]
}

/// `line:column` of a piece, after the comments before it.
fn place(text: &str, piece: &Piece) -> String {
    let lead = Lexer::new(code(text, piece))
        .next()
        .map_or(0, |token| token.start);
    let before = &text[..piece.start + lead];
    let line = 1 + before.matches('\n').count();
    let column = before.chars().rev().take_while(|c| *c != '\n').count();
    format!("{line}:{column}")
}

/// Those of some predicates that have clauses of no file, which no code has added.
async fn asserted<'a>(book: &Book, of: BTreeSet<&'a Rc<Predicate>>, pace: &Pace) -> BTreeSet<&'a Predicate> {
    let mut found = BTreeSet::new();
    if of.is_empty() {
        return found;
    }
    for (_, entry) in book.entries() {
        if entry.source().origin == Origin::Inline
            && entry.is_clause()
            && let Some(predicate) = of.get(entry.predicate())
        {
            found.insert(&***predicate);
        }
        if pace.is_over(1) {
            pace.rest().await;
        }
    }
    found
}

impl Inner {
    /// What is defined by a file that is to be added, or saved anew, and by another one of the book, where one of the two is a module's. A
    /// file without a header that a module's loads is of that module.
    pub(super) async fn clashes(&self, name: &str, text: &str, pieces: &[Piece]) -> Clashes {
        let (book, pace) = (self.book(), self.pace());
        let mut clashes = Clashes::default();
        let is_module = pieces
            .iter()
            .take_while(|piece| piece.kind == Kind::Directive)
            .any(|piece| Header::of(piece.kind, &piece.predicate, code(text, piece)).is_some());
        let others: Vec<_> = book
            .files()
            .filter(|(file, used)| *file != name && (is_module || header(&book, used).is_some()))
            .collect();
        if others.is_empty() && !is_module {
            return clashes;
        }
        let own = Definitions::of_pieces(text, pieces, &pace).await;
        let is_own = |predicate: &Predicate| own.clauses.contains_key(predicate);
        let mut both: BTreeMap<&Predicate, String> = BTreeMap::new();
        for (file, used) in others {
            let other = Definitions::of_file(&book, used, is_own, &pace).await;
            let parts = match (is_module, &other.module) {
                (true, None) => Some((text, file)),
                (false, Some(_)) => Some((&*used.source.text, name)),
                _ => None,
            };
            if let Some((loading, part)) = parts
                && needs(loading, &pace)
                    .await
                    .iter()
                    .any(|need| is_named(part, &need.name))
            {
                continue;
            }
            let by = shown(file, other.module.as_ref());
            for predicate in own.clauses.keys() {
                let is_open = own.multifile.contains(&**predicate) || other.multifile.contains(&**predicate);
                if other.clauses.contains_key(predicate) && !is_open {
                    both.entry(predicate).or_insert_with(|| by.clone());
                }
            }
        }
        for (predicate, by) in &both {
            let ids = &own.clauses[*predicate];
            let Some(first) = ids
                .first()
                .and_then(|id| pieces.iter().find(|piece| piece.id == *id))
            else {
                clashes.shared.push(format!(
                    "{predicate} is of {by}, too, and is one predicate for both: {RENAME}"
                ));
                continue;
            };
            let left_out = match ids.len() {
                1 => "its clause was left out".to_owned(),
                count => format!("its {count} clauses were left out"),
            };
            let place = place(text, first);
            let said = format!("{place}: {predicate} is defined by {by}, too: {left_out}; {RENAME}");
            clashes.told.push(said);
            clashes.left_out.extend(ids);
        }
        let kept = own.clauses.keys().filter(|predicate| own.is_private(predicate));
        let private: BTreeSet<_> = kept
            .filter(|predicate| !both.contains_key(&***predicate) && book.standing(predicate).clauses > 0)
            .collect();
        for predicate in asserted(&book, private, &pace).await {
            clashes.shared.push(format!(
                "{predicate} has clauses that were asserted, too, and is one predicate with them: {RENAME}"
            ));
        }
        clashes
    }

    /// Those of some predicates that modules keep to themselves.
    async fn privates(&self, mut of: BTreeSet<&Predicate>) -> Vec<Private> {
        let (book, pace) = (self.book(), self.pace());
        of.retain(|predicate| book.standing(predicate).known != Known::No);
        let mut found = Vec::new();
        if of.is_empty() {
            return found;
        }
        for (file, used) in book.files() {
            if header(&book, used).is_none() {
                continue;
            }
            let defined = Definitions::of_file(&book, used, |predicate| of.contains(predicate), &pace).await;
            let Some(header) = &defined.module else { continue };
            let private = of.iter().filter(|predicate| defined.is_private(predicate));
            found.extend(private.map(|predicate| Private {
                predicate: (*predicate).clone(),
                file: file.to_owned(),
                by: shown(file, Some(header)),
                module: header.written.clone(),
                dynamic: defined.dynamic.contains(*predicate),
            }));
        }
        found
    }

    /// Why clauses must not join what modules keep to themselves: those that do not name the module, and do not come in the
    /// place of a clause of its file.
    pub(super) async fn apart(
        &self,
        clauses: impl Iterator<Item = (&Piece, &str)>,
        in_file: Option<&str>,
    ) -> BTreeMap<EntryId, String> {
        let clauses: Vec<_> = clauses
            .filter(|(piece, code)| piece.kind != Kind::Directive && !is_qualified(code))
            .collect();
        let of = clauses.iter().map(|(piece, _)| &*piece.predicate).collect();
        let privates = self.privates(of).await;
        let why = |predicate: &Predicate| {
            let mut privates = privates.iter();
            let private = privates.find(|private| private.predicate == *predicate)?;
            (in_file != Some(&private.file)).then(|| private.why_refused())
        };
        let refused = clauses
            .iter()
            .filter_map(|(piece, _)| Some((piece.id, why(&piece.predicate)?)));
        refused.collect()
    }

    /// What to tell where running code has added clauses of these predicates: some are of modules that keep them to
    /// themselves. What is dynamic there the module's own code adds to.
    pub(super) async fn joined(&self, added: BTreeSet<&Predicate>) -> Vec<String> {
        let privates = self.privates(added).await;
        let told = privates.iter().filter(|private| !private.dynamic).map(|private| {
            let Private { predicate, by, .. } = private;
            format!(
                "{predicate} is of {by}, which does not export it: what was asserted is added to it. Take another name if it is not meant."
            )
        });
        told.collect()
    }
}
