//! Where the new text of a file comes among the entries of a book.

use std::rc::Rc;

use super::{Book, Entry, Piece, Place, Spot, place};

/// Where the pieces of a file's new text come.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Put {
    /// Where the old ones are.
    #[default]
    InPlace,
    /// Directly behind an entry.
    Behind(Spot),
    /// Directly before an entry.
    Before(Spot),
}

impl Book {
    /// Put the pieces of a file's new text where they belong. What the book has of the file must leave in the same change.
    pub fn put(&self, name: &str, put: &Put, pieces: &mut [Piece]) {
        let used = self.file(name);
        let is_own = |entry: &Entry| used.is_some_and(|used| entry.source().number == used.source.number);
        let behind = |spot: &Spot| {
            let mut behind = self.entries.after(Some(spot));
            behind
                .find(|(_, entry)| !is_own(entry))
                .map(|(next, _)| next.place())
        };
        let (mut before, next) = match put {
            Put::InPlace => {
                let (Some(used), Some((first, _))) = (used, pieces.split_first_mut()) else {
                    return;
                };
                let spot = &used.span().0;
                first.place = place::stated(first.id, spot.place());
                (spot.place(), behind(spot))
            }
            Put::Behind(spot) => match behind(spot) {
                // New entries come at the end.
                None => return,
                next => (spot.place(), next),
            },
            Put::Before(spot) => {
                let mut ahead = self.entries.iter().rev();
                let ahead = ahead.find(|(at, entry)| *at < spot && !is_own(entry));
                let ahead = ahead.map_or_else(|| spot.moved_to(spot.at() - 1), |(at, _)| at.clone());
                (ahead.place(), Some(spot.place()))
            }
        };
        let placed = usize::from(*put == Put::InPlace);
        for piece in pieces.iter_mut().skip(placed) {
            before = Place::between(&before, next.as_ref());
            piece.place = Some(Rc::new(before.clone()));
        }
    }
}
