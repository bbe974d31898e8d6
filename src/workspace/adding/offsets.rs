//! The places of what the engine has read of added texts.

use crate::believed::{one_clause, one_item, restoring};
use hornbook_base::{Control, Progress};
use hornbook_book::lexer::Lexer;
use hornbook_engine::protocol::AddKind;
use hornbook_engine::reply::{BadReply, Found, Item};

/// Converts code points to bytes, in one forward walk.
pub struct Offsets<'a> {
    kind: AddKind,
    sources: &'a [String],
    source: usize,
    ascii: bool,
    chars: usize,
    bytes: usize,
    /// The bytes of the preceding sources.
    before: u64,
    total: u64,
    /// The byte up to which lines have been counted, and the line and column there.
    counted: usize,
    line: u32,
    column: u32,
}

impl<'a> Offsets<'a> {
    pub fn new(kind: AddKind, sources: &'a [String]) -> Self {
        let ascii = sources.first().is_some_and(|source| source.is_ascii());
        let total = sources.iter().map(|source| source.len() as u64).sum();
        Offsets {
            kind,
            sources,
            source: 0,
            ascii,
            chars: 0,
            bytes: 0,
            before: 0,
            total,
            counted: 0,
            line: 1,
            column: 0,
        }
    }

    /// The byte range of an item; `None` if it does not begin where the previous one ended, or is not in the
    /// text.
    pub fn bytes(&mut self, item: &Item) -> Option<(usize, usize)> {
        while self.source < item.source {
            self.before += self.sources.get(self.source)?.len() as u64;
            self.source += 1;
            self.ascii = self.sources.get(self.source)?.is_ascii();
            self.chars = 0;
            self.bytes = 0;
            self.counted = 0;
            (self.line, self.column) = (1, 0);
        }
        if self.source != item.source || self.chars != item.start || item.end <= item.start {
            return None;
        }
        let start = self.bytes;
        Some((start, self.walk(item.end)?))
    }

    /// Check that what the engine found can be between these bytes.
    pub fn check(&self, found: &Found, start: usize, end: usize, inline: bool) -> Result<(), BadReply> {
        let source = &self.sources[self.source];
        let text = &source[start..end];
        // The last clause of a text may lack its period.
        let open = inline && Lexer::new(&source[end..]).next().is_none();
        match found {
            Found::Clause { written: Some(_), .. } | Found::Directive { written: Some(_), .. } if !inline => {
                Err(BadReply::new("it rewrites a clause of a file"))
            }
            Found::Clause {
                predicate,
                written: Some(written),
                ..
            } => one_clause(written, Lexer::new(written), predicate, false),
            Found::Clause { predicate, .. } => one_clause(text, self.tokens(start, end), predicate, open),
            Found::Directive { restore, written, .. } => {
                match written {
                    Some(written) => one_item(Lexer::new(written), false)?,
                    None => one_item(self.tokens(start, end), open)?,
                };
                restore.as_deref().map_or(Ok(()), restoring)
            }
            Found::Initialization(_) | Found::Goal { .. } => {
                one_item(self.tokens(start, end), open).map(drop)
            }
            Found::Refused(_) | Found::Skipped => Ok(()),
        }
    }

    /// The tokens of an item.
    pub fn tokens(&self, start: usize, end: usize) -> Lexer<'a> {
        let item = &self.sources[self.source][start..end];
        match (self.kind, start) {
            (AddKind::File, 0) => Lexer::of_file(item),
            _ => Lexer::new(item),
        }
    }

    pub fn walk(&mut self, chars: usize) -> Option<usize> {
        let rest = self.sources.get(self.source)?.get(self.bytes..)?;
        let ahead = chars.checked_sub(self.chars)?;
        let bytes = if self.ascii {
            (ahead <= rest.len()).then_some(ahead)?
        } else {
            rest.char_indices()
                .map(|(at, _)| at)
                .chain([rest.len()])
                .nth(ahead)?
        };
        self.chars = chars;
        self.bytes += bytes;
        Some(self.bytes)
    }

    /// Line (from 1) and column (from 0) of the first token of an item, after any leading comments.
    pub fn place(&mut self, start: usize, end: usize) -> (u32, u32) {
        let source = &self.sources[self.source];
        let at = start + self.tokens(start, end).next().map_or(0, |token| token.start);
        for c in source[self.counted..at].chars() {
            (self.line, self.column) = if c == '\n' {
                (self.line + 1, 0)
            } else {
                (self.line, self.column + 1)
            };
        }
        self.counted = at;
        (self.line, self.column)
    }

    /// How many items are still to come after so many, if they are as long as those.
    pub fn to_come(&self, read: usize) -> usize {
        let done = self.before + self.bytes as u64;
        let left = self.total.saturating_sub(done);
        (read as u64 * left)
            .checked_div(done)
            .map_or(0, |items| items as usize)
    }

    pub fn report(&self, control: &Control, clauses: usize) {
        if let Some(progress) = &control.progress {
            let done = self.before + self.bytes as u64;
            let message = format!("bytes read, {clauses} clauses so far");
            progress(Progress {
                done,
                total: Some(self.total),
                message,
            });
        }
    }
}
