//! What a book consists of.

use std::cell::OnceCell;
use std::rc::Rc;

use serde::{Deserialize, Serialize};

use super::Predicate;
use super::lexer::Lexer;
use super::place::{EntryId, Place, Spot};

/// The directive after which text belongs to no module: it undoes a header.
pub const TO_NO_MODULE: &str = ":- module(user, []).";

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    #[serde(rename = "f")]
    Fact,
    #[serde(rename = "r")]
    Rule,
    #[serde(rename = "g")]
    GrammarRule,
    #[serde(rename = "d")]
    Directive,
}

/// Where a source came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Origin {
    /// The texts of one call.
    Inline,
    /// A file, by its canonical path or the name given with its text.
    File(Box<str>),
    /// Added by running code.
    Run,
}

impl Origin {
    /// The name of the file.
    pub fn file(&self) -> Option<&str> {
        match self {
            Origin::File(name) => Some(name),
            _ => None,
        }
    }
}

/// Where what replaced a clause begins and ends, and the code of the clause.
pub type Stood = (u32, u32, Box<str>);

/// Text that one operation added at one time. Its `op` and flag directives apply to all of it and to nothing
/// else. Entries are slices of it.
#[derive(Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Source {
    /// Counted in the order of the book's sources.
    pub number: u32,
    pub origin: Origin,
    /// Milliseconds since 1970.
    pub added_ms: u64,
    pub text: Box<str>,
    /// For files, where the text after the last clause begins.
    pub tail: u32,
    /// Directives that undo what a directive of this source changed, by the byte where the latter starts.
    pub restores: Vec<(u32, Box<str>)>,
    /// The module that the file was loaded into.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub module: Option<Box<str>>,
    /// Where clauses of a file began and ended that were retracted before its text came into the book: the change that
    /// brought it did both.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub gone: Vec<(u32, u32)>,
    /// It is a file that came only because another one loads it.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub is_needed: bool,
    /// Clauses of a file that others have taken the place of since its text was read.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub replaced: Vec<Stood>,
    #[serde(skip)]
    pub lines: Lines,
}

/// The number of lines before each 16 KiB of a text, counted on first use.
#[derive(Debug, Default)]
pub struct Lines(OnceCell<Box<[u32]>>);

impl PartialEq for Lines {
    fn eq(&self, _: &Lines) -> bool {
        true
    }
}

impl Eq for Lines {}

impl Lines {
    const STEP: usize = 1 << 14;

    /// The line ends before the byte `end` of `text`, which these lines belong to.
    fn before(&self, text: &str, end: usize) -> usize {
        let ends = |bytes: &[u8]| bytes.iter().filter(|byte| **byte == b'\n').count();
        let counted = self.0.get_or_init(|| {
            let mut sum = 0;
            let chunks = text.as_bytes().chunks(Self::STEP);
            let before = chunks.map(|chunk| {
                let before = sum;
                sum += ends(chunk) as u32;
                before
            });
            before.collect()
        });
        let chunk = end / Self::STEP;
        let before = counted.get(chunk).map_or(0, |count| *count as usize);
        before + ends(&text.as_bytes()[(chunk * Self::STEP).min(end)..end])
    }
}

/// The tokens of a part of a file that begins at this byte.
fn tokens_at(start: usize, part: &str) -> Lexer<'_> {
    match start {
        0 => Lexer::of_file(part),
        _ => Lexer::new(part),
    }
}

/// A part of a file's text that begins at this byte, without the layout and comments around its code.
pub fn code_at(start: usize, part: &str) -> &str {
    let lead = tokens_at(start, part).next().map_or(0, |token| token.start);
    part[lead..].trim_end()
}

impl Source {
    /// The same source with another number.
    pub(super) fn numbered(&self, number: u32) -> Source {
        Source {
            number,
            origin: self.origin.clone(),
            added_ms: self.added_ms,
            text: self.text.clone(),
            tail: self.tail,
            restores: self.restores.clone(),
            module: self.module.clone(),
            gone: self.gone.clone(),
            is_needed: self.is_needed,
            replaced: self.replaced.clone(),
            lines: Lines::default(),
        }
    }

    /// Whether a directive changes the operators or flags with which later text is read.
    pub fn changes_reading(&self) -> bool {
        self.restores.iter().any(|(_, text)| &**text != TO_NO_MODULE)
    }
}

/// One clause or directive, as it was written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Entry {
    source: Rc<Source>,
    start: u32,
    end: u32,
    predicate: Rc<Predicate>,
    kind: Kind,
    /// `None` if it is the place that its id implies.
    place: Option<Rc<Place>>,
}

impl Entry {
    pub(super) fn new(source: Rc<Source>, piece: &Piece, predicate: Rc<Predicate>) -> Self {
        Entry {
            source,
            start: piece.start as u32,
            end: piece.end as u32,
            predicate,
            kind: piece.kind,
            place: piece.place.clone(),
        }
    }

    /// Bytes `start..end` of a source, at the place that the id implies; `None` if the source has no such
    /// slice.
    pub fn of_source(
        source: Rc<Source>,
        start: u32,
        end: u32,
        predicate: Rc<Predicate>,
        kind: Kind,
    ) -> Option<Self> {
        source.text.get(start as usize..end as usize)?;
        Some(Entry {
            source,
            start,
            end,
            predicate,
            kind,
            place: None,
        })
    }

    /// The same entry for another predicate.
    pub(super) fn named(&self, predicate: Rc<Predicate>) -> Self {
        Entry {
            predicate,
            ..self.clone()
        }
    }

    /// The same entry in a source with the same text.
    pub(super) fn in_source(self, source: Rc<Source>) -> Self {
        Entry { source, ..self }
    }

    /// The same entry at another place; `None` is the one that its id implies.
    pub fn placed(self, place: Option<Rc<Place>>) -> Self {
        Entry { place, ..self }
    }

    /// Its place, if that is not the one that its id implies.
    pub fn place(&self) -> Option<&Rc<Place>> {
        self.place.as_ref()
    }

    /// The spot of this entry, whose id is `id`.
    pub fn spot(&self, id: EntryId) -> Spot {
        Spot::new(id, self.place.clone())
    }

    /// The entry that follows this one, whose id is `id`, in its source, up to the byte `end`: with the next
    /// id and place, and the same kind and predicate. `None` if the source has no such slice.
    pub fn next(&self, id: EntryId, end: u32) -> Option<(EntryId, Entry)> {
        self.source.text.get(self.end as usize..end as usize)?;
        let (spot, next) = (self.spot(id).next(), self.clone());
        let entry = Entry {
            start: self.end,
            end,
            place: None,
            ..next
        };
        Some((spot.id, entry.placed(spot.into_place())))
    }

    /// Whether [`Entry::next`] of this entry, whose id is `id`, is `other` with the id `of`.
    pub fn is_followed_by(&self, id: EntryId, of: EntryId, other: &Entry) -> bool {
        self.end == other.start
            && id.0 + 1 == of.0
            && self.kind == other.kind
            && self.source.number == other.source.number
            && self.predicate == other.predicate
            && (self.place.is_none() && other.place.is_none() || self.spot(id).next() == other.spot(of))
    }

    /// The exact slice, including the comments and layout before the code.
    pub fn text(&self) -> &str {
        &self.source.text[self.span()]
    }

    /// Its text without surrounding layout and leading comments.
    pub fn code(&self) -> &str {
        self.text()[self.lead()..].trim_end()
    }

    /// The byte of its source where its code begins.
    pub fn code_start(&self) -> usize {
        self.start as usize + self.lead()
    }

    /// The line of its source, from 1, where its code begins.
    pub fn line(&self) -> usize {
        1 + self.source.lines.before(&self.source.text, self.code_start())
    }

    /// The tokens of its text.
    pub fn tokens(&self) -> Lexer<'_> {
        match self.source.origin {
            Origin::File(_) => tokens_at(self.start as usize, self.text()),
            _ => Lexer::new(self.text()),
        }
    }

    /// The length of the layout and comments before its code, in bytes; of the layout alone if it has no
    /// tokens.
    pub(super) fn lead(&self) -> usize {
        let layout = || self.text().len() - self.text().trim_start().len();
        self.tokens().next().map_or_else(layout, |token| token.start)
    }

    /// The range of bytes in its source.
    pub fn span(&self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    pub fn source(&self) -> &Rc<Source> {
        &self.source
    }

    /// The predicate of a clause; for a directive, that of its goal.
    pub fn predicate(&self) -> &Rc<Predicate> {
        &self.predicate
    }

    pub fn kind(&self) -> Kind {
        self.kind
    }

    pub fn is_clause(&self) -> bool {
        self.kind != Kind::Directive
    }

    /// Whether it is a rule of CHR, which belongs to no predicate.
    pub fn is_chr_rule(&self) -> bool {
        self.kind == Kind::Directive && self.predicate.is_of_chr_rules()
    }

    /// Whether it loads files or libraries.
    pub fn loads(&self) -> bool {
        let names = ["use_module", "ensure_loaded", "autoload", "reexport"];
        self.kind == Kind::Directive && names.contains(&&*self.predicate.name)
    }

    /// Whether it declares predicates that need no clauses: `dynamic`, or `data` for linked data.
    pub fn declares(&self) -> bool {
        self.is_link() || self.kind == Kind::Directive && self.predicate.name == "dynamic"
    }

    /// Whether it makes predicates known to an engine until that ends: it declares them, or tables them. The effects of other
    /// directives end when their source has been read, or with the entry.
    pub fn makes_known(&self) -> bool {
        self.declares() || self.kind == Kind::Directive && self.predicate.name == "table"
    }

    /// Whether it says that a predicate has the rows of a table of the host's data: `:- data(Indicator, From)`.
    pub fn is_link(&self) -> bool {
        self.kind == Kind::Directive && self.predicate.name == "data" && self.predicate.arity == 2
    }

    /// Whether it is a constraint of the book: `:- constraint(Goal, Message)`, perhaps with `warn`.
    pub fn is_constraint(&self) -> bool {
        self.kind == Kind::Directive
            && self.predicate.name == "constraint"
            && matches!(self.predicate.arity, 2 | 3)
    }

    /// Whether it says who may change what: a clause of `may_change/2`, in whatever module.
    pub fn is_right(&self) -> bool {
        self.is_clause() && self.predicate.arity == 2 && self.predicate.plain_name() == "may_change"
    }

    /// The directives that undo what this directive changed in its source.
    pub fn restore(&self) -> Option<&str> {
        let restores = &self.source.restores;
        let found = restores
            .binary_search_by_key(&self.start, |(start, _)| *start)
            .ok()?;
        Some(&restores[found].1)
    }
}

/// Text that an engine has accepted and that will become entries.
#[derive(Debug)]
pub struct Draft {
    pub origin: Origin,
    pub text: String,
    /// Where the text after the last clause begins.
    pub tail: usize,
    pub pieces: Vec<Piece>,
    /// The module that the file is loaded into.
    pub module: Option<String>,
    /// It is a file that comes only because another one loads it.
    pub is_needed: bool,
    /// Clauses of the file that others have taken the place of since its text was read.
    pub replaced: Vec<Stood>,
}

/// A future entry: bytes `start..end` of the draft's text.
#[derive(Debug, Clone)]
pub struct Piece {
    pub id: EntryId,
    /// `None` if it is the place that the id implies.
    pub place: Option<Rc<Place>>,
    pub start: usize,
    pub end: usize,
    pub kind: Kind,
    pub predicate: Rc<Predicate>,
    pub restore: Option<Box<str>>,
}
