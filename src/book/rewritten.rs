//! What a source is once an entry of it gives way to others.

use std::borrow::Cow;
use std::ops::Range;
use std::rc::Rc;

use super::text::ends_in_line_comment;
use super::{Book, Draft, EntryId, Piece, Place, Source, Spot, Stood, place};

impl Book {
    /// The source of an entry, with other code in place of the entry, as a draft: its other entries keep
    /// their ids. `new` are the pieces of the code; the first replaces the entry, and the others follow it.
    pub fn rewritten(&self, id: EntryId, code: &str, new: &[Piece]) -> Option<Draft> {
        let old = self.get(id)?;
        let source = old.source();
        let used = self.source(source.number)?;
        let (begin, end) = (old.code_start(), old.code_start() + old.code().len());
        // A comment at its end must not take in what stands behind it in the line.
        let is_open = ends_in_line_comment(code) && !source.text[end..].starts_with('\n');
        let code = &*match is_open {
            true => Cow::Owned(format!("{code}\n")),
            false => Cow::Borrowed(code),
        };
        let text = [&source.text[..begin], code, &source.text[end..]].concat();
        // Maps a byte of the source to the new text; it must not be within the old code.
        let moved = |at: usize| {
            if at < end {
                at
            } else {
                at + code.len() - (end - begin)
            }
        };
        let mut pieces = Vec::with_capacity(used.entries + new.len());
        for (of, entry) in self.entries_of(used) {
            let span = entry.span();
            let (start, end) = (moved(span.start), moved(span.end));
            if of == id {
                let code_start = start + old.lead();
                pieces.extend(self.in_place_of(old.spot(id), new, start..end, code_start));
                continue;
            }
            pieces.push(Piece {
                id: of,
                place: entry.place().cloned(),
                start,
                end,
                kind: entry.kind(),
                predicate: entry.predicate().clone(),
                restore: entry.restore().map(Box::from),
            });
        }
        Some(Draft {
            origin: source.origin.clone(),
            tail: moved(source.tail as usize),
            pieces,
            text,
            module: source.module.as_deref().map(str::to_owned),
            is_needed: source.is_needed,
            replaced: replaced_with(source, begin..end, code.len()),
        })
    }

    /// The pieces of code that replaces the entry at `spot`. The code begins at byte `code` of the new text,
    /// and `range` also covers what surrounded the entry: that goes to the first and last piece.
    fn in_place_of(&self, spot: Spot, new: &[Piece], range: Range<usize>, code: usize) -> Vec<Piece> {
        let behind = self.places_behind(spot.id, new.len().saturating_sub(1));
        let first = new
            .first()
            .and_then(|piece| place::stated(piece.id, spot.place()));
        let places = std::iter::once(first).chain(behind.into_iter().map(Some));
        let placed = |(piece, place): (&Piece, Option<Rc<Place>>)| Piece {
            place,
            start: code + piece.start,
            end: code + piece.end,
            ..piece.clone()
        };
        let mut pieces: Vec<Piece> = new.iter().zip(places).map(placed).collect();
        if let Some(first) = pieces.first_mut() {
            first.start = range.start;
        }
        if let Some(last) = pieces.last_mut() {
            last.end = range.end;
        }
        pieces
    }
}

/// What has been replaced in a source once the code at `old` gives way to `len` bytes. What had replaced a clause before is
/// none of the text that was read.
fn replaced_with(source: &Source, old: Range<usize>, len: usize) -> Vec<Stood> {
    if source.origin.file().is_none() {
        return Vec::new();
    }
    let moved = |at: u32| match (at as usize) < old.end {
        true => at,
        false => at + len as u32 - old.len() as u32,
    };
    let mut replaced: Vec<Stood> = { source.replaced.iter() }
        .map(|(start, end, code)| (moved(*start), moved(*end), code.clone()))
        .collect();
    let stands_for_one = |(start, end, _): &Stood| *start as usize <= old.start && old.end <= *end as usize;
    if !source.replaced.iter().any(stands_for_one) {
        let end = (old.start + len) as u32;
        replaced.push((old.start as u32, end, source.text[old].into()));
    }
    replaced
}
