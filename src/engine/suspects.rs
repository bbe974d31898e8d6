//! Finds the entry that an engine dies of while it loads the book, by trying how far it gets.

use std::collections::BTreeMap;
use std::rc::Rc;

use hornbook_book::{Book, EntryId, Spot};

/// The most engines that may die during a search, and the most milliseconds that their loading may take in
/// all once entries are divided; after that, all entries still in question are set aside at once.
const MOST_DEATHS: usize = 24;
const MOST_MS: u64 = 60_000;

/// How many times longer the second engine may take: on a busy machine the first may only have been slow.
const PATIENCE: u64 = 4;

/// The entries that engines die of, and the search for the next one.
#[derive(Debug, Default)]
pub(super) struct Suspects {
    /// Entries that no engine is given, and why.
    fatal: BTreeMap<EntryId, Rc<str>>,
    search: Option<Search>,
    deaths: usize,
    lost_ms: u64,
}

/// Entries that were sent together when an engine died, in order.
#[derive(Debug)]
struct Search {
    spots: Vec<Spot>,
    /// An engine survives this many of them, counted from the first.
    good: usize,
    /// An engine dies of this many.
    bad: usize,
    reason: String,
    /// Whether to send only a part. A first death may have had another cause, so this starts with the second.
    divided: bool,
}

impl Suspects {
    /// Entries that no engine is given.
    pub fn fatal(&self) -> &BTreeMap<EntryId, Rc<str>> {
        &self.fatal
    }

    /// What is known by now, without the search for more.
    pub fn convicted(&self) -> Suspects {
        Suspects {
            fatal: self.fatal.clone(),
            ..Suspects::default()
        }
    }

    /// Call before the book is loaded.
    pub fn begin(&mut self, book: &Book) {
        let there = |search: &Search| search.spots.iter().all(|spot| book.get(spot.id).is_some());
        self.search = self.search.take().filter(there);
    }

    /// The last entry that may be sent now.
    pub fn until(&self) -> Option<Spot> {
        let search = self.search.as_ref().filter(|search| search.divided)?;
        Some(search.spots[search.good.midpoint(search.bad) - 1].clone())
    }

    /// How many times longer than usual the next engine may take to load.
    pub fn patience(&self) -> u64 {
        match &self.search {
            Some(search) if !search.divided => PATIENCE,
            _ => 1,
        }
    }

    /// Whether an engine that takes these entries must drop them again, so that more can be tried.
    pub fn is_trial(&self, sent: &[Spot]) -> bool {
        let divided = self.search.as_ref().filter(|search| search.divided);
        divided.is_some_and(|search| search.among(sent) > search.good)
    }

    /// An engine has survived these.
    pub fn survived(&mut self, sent: &[Spot]) {
        if let Some(search) = &mut self.search {
            match search.among(sent) {
                all if all == search.spots.len() => self.search = None,
                tried => search.good = search.good.max(tried),
            }
        }
        self.convict();
    }

    /// An engine died of these. `later` are the entries of the book after them.
    pub fn died(
        &mut self,
        sent: Vec<Spot>,
        later: impl Iterator<Item = EntryId>,
        reason: String,
        lost_ms: u64,
    ) {
        let spent = self.is_spent();
        self.deaths += 1;
        if self.search.as_ref().is_some_and(|search| search.divided) {
            self.lost_ms += lost_ms;
        }
        match &mut self.search {
            Some(search) if search.among(&sent) > search.good => {
                search.bad = search.among(&sent);
                search.divided = true;
                search.reason = reason;
            }
            _ => {
                self.search = Some(Search {
                    good: 0,
                    bad: sent.len(),
                    spots: sent,
                    reason,
                    divided: false,
                });
            }
        }
        if self.is_spent()
            && let Some(search) = self.search.take()
        {
            // The first time, those in question; if that was not enough, also everything after them.
            let later = later.filter(|_| spent);
            let ids = search.spots[search.good..search.bad].iter().map(|spot| spot.id);
            let why = format!("an engine died of it or of an entry near it ({})", search.reason);
            self.set_aside(ids.chain(later), &why);
        }
        self.convict();
    }

    /// An engine holds the book.
    pub fn loaded(&mut self) {
        *self = Suspects {
            fatal: std::mem::take(&mut self.fatal),
            ..Suspects::default()
        };
    }

    fn is_spent(&self) -> bool {
        self.deaths >= MOST_DEATHS || self.lost_ms >= MOST_MS
    }

    fn convict(&mut self) {
        let found = |search: &mut Search| search.divided && search.bad == search.good + 1;
        if let Some(search) = self.search.take_if(found) {
            let why = format!("an engine died of it ({})", search.reason);
            self.set_aside([search.spots[search.good].id].into_iter(), &why);
        }
    }

    fn set_aside(&mut self, ids: impl Iterator<Item = EntryId>, why: &str) {
        let why: Rc<str> = Rc::from(why);
        self.fatal.extend(ids.map(|id| (id, why.clone())));
    }
}

impl Search {
    /// How many of the entries, from the first on, are not after those that were sent; 0 if none of them was
    /// sent.
    fn among(&self, sent: &[Spot]) -> usize {
        match (sent.first(), sent.last()) {
            (Some(first), Some(last)) if *first <= self.spots[self.bad - 1] => {
                self.spots.partition_point(|spot| spot <= last)
            }
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn spot(number: i64) -> Spot {
        Spot::from(EntryId(number))
    }

    /// Make engines load `count` entries, at most `batch` at once, and die of the `deadly` ones. Returns how
    /// many died.
    fn load(suspects: &mut Suspects, count: i64, batch: usize, deadly: &[i64]) -> usize {
        let mut deaths = 0;
        'engine: loop {
            let mut held: i64 = 0;
            loop {
                let until = suspects.until().map_or(count, |until| until.id.0);
                let left = (held + 1..=until).map(spot);
                let sent: Vec<Spot> = left
                    .filter(|spot| !suspects.fatal().contains_key(&spot.id))
                    .take(batch)
                    .collect();
                let Some(last) = sent.last().map(|spot| spot.id) else {
                    suspects.loaded();
                    return deaths;
                };
                if sent.iter().any(|spot| deadly.contains(&spot.id.0)) {
                    deaths += 1;
                    assert!(deaths < 100, "no engine starts");
                    suspects.died(sent, (last.0 + 1..=count).map(EntryId), "it was".into(), 100);
                    continue 'engine;
                }
                let trial = suspects.is_trial(&sent);
                suspects.survived(&sent);
                if !trial {
                    held = last.0;
                }
            }
        }
    }

    fn fatal(suspects: &Suspects) -> Vec<i64> {
        suspects.fatal().keys().map(|id| id.0).collect()
    }

    proptest! {
        #[test]
        fn the_entries_that_engines_die_of_are_found_and_no_others(
            count in 1..2_000i64, batch in 1..2_500usize, deadly in prop::collection::btree_set(1..2_000i64, 0..2),
        ) {
            let deadly: Vec<i64> = deadly.into_iter().filter(|id| *id <= count).collect();
            let mut suspects = Suspects::default();
            let deaths = load(&mut suspects, count, batch, &deadly);
            prop_assert_eq!(&fatal(&suspects), &deadly);
            prop_assert!(deaths <= 13, "{} engines died", deaths);
            prop_assert_eq!(load(&mut suspects, count, batch, &deadly), 0);
        }

        #[test]
        fn an_engine_starts_whatever_it_dies_of(
            count in 1..500i64, batch in 1..600usize, deadly in prop::collection::btree_set(1..500i64, 0..500),
        ) {
            let deadly: Vec<i64> = deadly.into_iter().filter(|id| *id <= count).collect();
            let mut suspects = Suspects::default();
            let deaths = load(&mut suspects, count, batch, &deadly);
            prop_assert!(deaths <= MOST_DEATHS + 1, "{} engines died", deaths);
            prop_assert!(deadly.iter().all(|id| suspects.fatal().contains_key(&EntryId(*id))));
        }
    }

    #[test]
    fn one_death_alone_convicts_nobody() {
        let mut suspects = Suspects::default();
        let sent: Vec<Spot> = (1..=3).map(spot).collect();
        suspects.died(sent.clone(), std::iter::empty(), "it was".into(), 100);
        assert_eq!(suspects.until(), None);
        assert!(!suspects.is_trial(&sent));
        suspects.survived(&sent);
        suspects.loaded();
        assert_eq!(fatal(&suspects), [0i64; 0]);
    }

    #[test]
    fn a_search_that_takes_too_long_sets_aside_those_in_question() {
        let mut suspects = Suspects::default();
        let sent = |to: i64| (1..=to).map(spot).collect::<Vec<_>>();
        for to in [32, 32, 16, 8, 4] {
            suspects.died(sent(to), std::iter::empty(), "it was".into(), 25_000);
        }
        assert_eq!(fatal(&suspects), [1, 2, 3, 4]);
    }

    #[test]
    fn the_second_engine_may_take_longer_and_its_time_is_not_counted() {
        let mut suspects = Suspects::default();
        let sent: Vec<Spot> = (1..=8).map(spot).collect();
        assert_eq!(suspects.patience(), 1);
        suspects.died(sent.clone(), std::iter::empty(), "it was".into(), MOST_MS);
        assert_eq!(suspects.patience(), PATIENCE);
        suspects.died(sent, std::iter::empty(), "it was".into(), PATIENCE * MOST_MS);
        assert_eq!((suspects.patience(), fatal(&suspects)), (1, vec![]));
    }
}
