//! Where entries stand, which may differ from what their ids imply, and the ids that each writer of a book
//! assigns.

use std::cmp::Ordering;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::rc::Rc;

use serde::{Deserialize, Serialize};

/// The permanent name of an entry. Its position is its [`Place`](super::Place).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct EntryId(pub i64);

impl fmt::Display for EntryId {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

/// The position of an entry in the book. What is added at the end counts up from 1, what running code puts at
/// the front counts down from -1, and between two places there is always room for another.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(try_from = "Written", into = "Written")]
pub struct Place {
    at: i64,
    /// The digits of a fraction, the last of them not 0.
    within: Box<[u32]>,
}

/// A place as written in a journal.
#[derive(Serialize, Deserialize)]
#[serde(untagged)]
enum Written {
    At(i64),
    Within(i64, Vec<u32>),
}

impl From<Place> for Written {
    fn from(Place { at, within }: Place) -> Self {
        match within.is_empty() {
            true => Written::At(at),
            false => Written::Within(at, within.into_vec()),
        }
    }
}

impl TryFrom<Written> for Place {
    type Error = &'static str;

    fn try_from(written: Written) -> Result<Self, Self::Error> {
        let (at, within) = match written {
            Written::At(at) => (at, Vec::new()),
            Written::Within(at, within) => (at, within),
        };
        match within.last() {
            Some(0) => Err("a place ends with 0"),
            _ => Ok(Place {
                at,
                within: within.into(),
            }),
        }
    }
}

impl Place {
    /// A place after `before`, and before `after` if that comes after `before`.
    pub fn between(before: &Place, after: Option<&Place>) -> Place {
        let near = after.filter(|after| after.at == before.at && *after > before);
        let until = near.map(|after| &*after.within);
        Place {
            at: before.at,
            within: digits_between(&before.within, until).into(),
        }
    }
}

/// Digits that sort after `a` and before `b`. Successive ones go up by 1, so that they stay short.
fn digits_between(a: &[u32], mut b: Option<&[u32]>) -> Vec<u32> {
    let mut digits = Vec::new();
    for at in 0.. {
        let low = a.get(at).copied();
        let high = b.map_or(1 << 32, |b| u64::from(b.get(at).copied().unwrap_or(0)));
        let from = u64::from(low.unwrap_or(0));
        if from + 1 < high {
            let found = match low {
                Some(_) => from + 1,
                None => high / 2,
            };
            digits.push(found as u32);
            break;
        }
        digits.push(from as u32);
        if from < high {
            b = None;
        }
    }
    digits
}

/// An entry's place and id, which together define the order of the book.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Spot {
    pub id: EntryId,
    /// `None` if it is the place that the id implies.
    place: Option<Rc<Place>>,
}

impl Spot {
    pub(super) fn new(id: EntryId, place: Option<Rc<Place>>) -> Self {
        Spot { id, place }
    }

    /// The whole number of its place, without the fraction.
    pub(super) fn at(&self) -> i64 {
        self.place.as_ref().map_or(self.id.0, |place| place.at)
    }

    fn within(&self) -> &[u32] {
        self.place.as_ref().map_or(&[], |place| &place.within)
    }

    pub(super) fn place(&self) -> Place {
        Place {
            at: self.at(),
            within: self.within().into(),
        }
    }

    /// The spot of the next id, at the next number.
    pub(super) fn next(&self) -> Spot {
        let next = Spot::new(EntryId(self.id.0 + 1), self.place.clone());
        next.moved_to(self.at() + 1)
    }

    /// The spot of the same entry at another number.
    pub(super) fn moved_to(&self, at: i64) -> Spot {
        let place = Place {
            at,
            within: self.within().into(),
        };
        Spot::new(self.id, stated(self.id, place))
    }

    pub(super) fn into_place(self) -> Option<Rc<Place>> {
        self.place
    }
}

/// The place of an entry, if it is not the one that its id implies.
pub(super) fn stated(id: EntryId, place: Place) -> Option<Rc<Place>> {
    (place.at != id.0 || !place.within.is_empty()).then(|| Rc::new(place))
}

/// At the place that the id implies.
impl From<EntryId> for Spot {
    fn from(id: EntryId) -> Self {
        Spot::new(id, None)
    }
}

impl Ord for Spot {
    fn cmp(&self, other: &Self) -> Ordering {
        let places = self.at().cmp(&other.at());
        places
            .then_with(|| self.within().cmp(other.within()))
            .then_with(|| self.id.cmp(&other.id))
    }
}

impl PartialOrd for Spot {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// The whole numbers of places are closer to 0 than this.
const MOST_PLACES: i64 = 1 << 41;
/// All ids are below this, so that JavaScript represents them exactly. From here on an engine numbers clauses
/// that no book has (`prolog/store/step.pl`).
const IDS_END: i64 = 1 << 52;

/// The ids that one process gives to new entries: the numbers of their places, plus an offset of its own if
/// others may write to the book, too. Rebasing additions onto the changes of others then changes their places
/// but not their ids.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Ids(i64);

impl EntryId {
    /// The number that it has used up, if it is of a book with one writer only.
    pub(super) fn of_only_writer(self) -> Option<i64> {
        (self.0 < MOST_PLACES).then_some(self.0)
    }
}

impl Ids {
    /// The ids of one of several writers, from the id of its connection.
    pub fn of(connection: &str) -> Ids {
        let mut hasher = DefaultHasher::new();
        connection.hash(&mut hasher);
        let room = (IDS_END - 3 * MOST_PLACES) as u64;
        Ids(2 * MOST_PLACES + (hasher.finish() % room) as i64)
    }

    /// The id for a new entry whose place will have this number.
    pub fn id(self, at: i64) -> EntryId {
        EntryId(self.0 + at)
    }

    /// The number that the id of a new entry has used up.
    pub fn number(self, id: EntryId) -> i64 {
        id.0 - self.0
    }

    /// The place of the new entry with this id; `None` if it is the one that the id implies.
    pub fn place(self, id: EntryId) -> Option<Rc<Place>> {
        let place = Place {
            at: id.0 - self.0,
            within: Box::default(),
        };
        stated(id, place)
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn between_two_places_there_is_always_another(choices in prop::collection::vec(any::<prop::sample::Index>(), 1..300)) {
            let whole = |at| Place { at, within: Box::default() };
            let mut places = vec![whole(1), whole(2)];
            for choice in choices {
                let at = choice.index(places.len());
                let new = Place::between(&places[at], places.get(at + 1));
                places.insert(at + 1, new);
                prop_assert!(places.is_sorted_by(|a, b| a < b), "{:?}", places);
            }
            for place in places {
                let text = serde_json::to_string(&place).unwrap();
                prop_assert_eq!(serde_json::from_str::<Place>(&text).unwrap(), place);
            }
        }
    }

    #[test]
    fn places_that_follow_each_other_stay_short() {
        let (first, last) = (
            Ids(1).place(EntryId(2)).unwrap(),
            Ids(1).place(EntryId(3)).unwrap(),
        );
        let mut place = (*first).clone();
        for _ in 0..10_000 {
            place = Place::between(&place, Some(&last));
        }
        assert_eq!(place.within.len(), 1);
        for _ in 0..310 {
            place = Place::between(&first, Some(&place));
        }
        assert!(place.within.len() <= 12, "{} digits", place.within.len());
    }

    #[test]
    fn the_ids_of_a_writer_are_its_own_and_whole_in_javascript() {
        assert_eq!(Ids::default().id(7), EntryId(7));
        assert_eq!(Ids::default().place(EntryId(7)), None);
        for connection in 0..1_000 {
            let ids = Ids::of(&connection.to_string());
            assert!(ids.id(-MOST_PLACES).0 >= MOST_PLACES && ids.id(MOST_PLACES).0 < IDS_END);
            let id = ids.id(-3);
            let spot = Spot::new(id, ids.place(id));
            assert_eq!(spot.at(), -3);
            assert!(spot < Spot::from(EntryId(1)));
        }
    }
}
