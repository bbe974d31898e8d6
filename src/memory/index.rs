//! An index of entries by words and filters, updated entry by entry.
//!
//! Entries are numbered; higher numbers are newer. The cost of a search is bounded by the constants below,
//! not by the number of entries.

use std::collections::{BTreeMap, HashMap};

use crate::terms::{Group, Query, Word};
use crate::words::{stem, words};

/// The most entries examined for one word of a search, or for a search for all of its words: the newest that
/// have the rarest word.
const LOOKED_AT: usize = 1_000;
/// The most entries a listing examines, to count them or to reach a later page.
const LISTED: usize = 50_000;
/// Once the rarer words have found this many entries, a common word adds none.
const ENOUGH: usize = 100;
/// The most words that a prefix such as `gam*` stands for.
const PREFIXED: usize = 64;

/// The constants of BM25.
const K1: f32 = 0.9;
const B: f32 = 0.4;

/// The searchable content of an entry.
#[derive(Default)]
pub struct Document<'a> {
    /// Texts with their weights.
    pub fields: Vec<(f32, &'a str)>,
    pub filters: Vec<Filter>,
}

/// A filter such as `type=tool`; it cannot be confused with a word.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Filter(String);

impl Filter {
    pub fn new(name: &str, value: &str) -> Filter {
        // No word contains this character.
        Filter(format!("\u{1}{name}={value}"))
    }

    /// The conjunction of two filters as one, so that entries with both can be counted and found without
    /// examining those that have only one.
    pub fn both(one: &Filter, other: &Filter) -> Filter {
        Filter(format!("{}{}", one.0, other.0))
    }
}

/// The entries that have a stem or a filter.
type Posting = BTreeMap<u64, Having>;

/// The weight of a stem in an entry (0 for filters), and the entry's length.
#[derive(Clone, Copy)]
struct Having {
    weight: f32,
    length: f32,
}

#[derive(Default)]
pub struct Index {
    postings: HashMap<String, Posting>,
    lengths: BTreeMap<u64, f32>,
    total_length: f64,
    /// Unstemmed words and how many entries have them, for prefix searches.
    spelled: BTreeMap<String, usize>,
}

/// The result of a search.
#[derive(Debug, Default, PartialEq)]
pub struct Found {
    /// Entries with their scores, unordered.
    pub entries: Vec<(u64, f32)>,
    /// Whether nothing was left out.
    pub all: bool,
}

impl Index {
    pub fn len(&self) -> usize {
        self.lengths.len()
    }

    pub fn insert(&mut self, number: u64, document: &Document) {
        let (stems, spelled, length) = content(document);
        for (stem, weight) in stems {
            let posting = self.postings.entry(stem).or_default();
            posting.insert(number, Having { weight, length });
        }
        for word in spelled {
            *self.spelled.entry(word).or_default() += 1;
        }
        for Filter(name) in &document.filters {
            let posting = self.postings.entry(name.clone()).or_default();
            posting.insert(number, Having { weight: 0.0, length });
        }
        self.lengths.insert(number, length);
        self.total_length += f64::from(length);
    }

    /// `document` must be what the entry was inserted with.
    pub fn remove(&mut self, number: u64, document: &Document) {
        let Some(length) = self.lengths.remove(&number) else {
            return;
        };
        self.total_length -= f64::from(length);
        let (stems, spelled, _) = content(document);
        let filters = document.filters.iter().map(|Filter(name)| name.clone());
        for term in stems.into_keys().chain(filters) {
            if let Some(posting) = self.postings.get_mut(&term) {
                posting.remove(&number);
                if posting.is_empty() {
                    self.postings.remove(&term);
                }
            }
        }
        for word in spelled {
            if let Some(count) = self.spelled.get_mut(&word) {
                *count -= 1;
                if *count == 0 {
                    self.spelled.remove(&word);
                }
            }
        }
    }

    /// The exact number of entries with this filter.
    pub fn count(&self, filter: &Filter) -> usize {
        self.postings.get(&filter.0).map_or(0, BTreeMap::len)
    }

    /// At most `wanted` entries that pass all filters, newest first, and whether those are all.
    pub fn list(&self, filters: &[Filter], wanted: usize, accept: impl Fn(u64) -> bool) -> (Vec<u64>, bool) {
        let Some((rarest, others)) = self.rarest(filters.iter().map(|Filter(name)| name.as_str())) else {
            return (Vec::new(), true);
        };
        let numbers: Box<dyn Iterator<Item = u64>> = match rarest {
            Some(posting) => Box::new(posting.keys().rev().copied()),
            None => Box::new(self.lengths.keys().rev().copied()),
        };
        let mut found = Vec::new();
        for (looked, number) in numbers.enumerate() {
            if looked >= LISTED || found.len() > wanted {
                found.truncate(wanted);
                return (found, false);
            }
            if others.iter().all(|other| other.contains_key(&number)) && accept(number) {
                found.push(number);
            }
        }
        let all = found.len() <= wanted;
        found.truncate(wanted);
        (found, all)
    }

    /// The postings of all terms, with the shortest one separate; `None` if a term has none.
    fn rarest<'a>(&self, terms: impl Iterator<Item = &'a str>) -> Option<(Option<&Posting>, Vec<&Posting>)> {
        let mut postings: Vec<&Posting> = terms.map(|term| self.postings.get(term)).collect::<Option<_>>()?;
        postings.sort_by_key(|posting| posting.len());
        let mut postings = postings.into_iter();
        Some((postings.next(), postings.collect()))
    }

    /// The entries that have at least one of these stems, and pass all filters.
    pub fn any_of(&self, stems: &[String], filters: &[Filter], accept: impl Fn(u64) -> bool) -> Found {
        let Some((filter, others)) = self.rarest(filters.iter().map(|Filter(name)| name.as_str())) else {
            return Found {
                all: true,
                ..Found::default()
            };
        };
        let mut terms: Vec<&Posting> = stems.iter().filter_map(|stem| self.postings.get(stem)).collect();
        terms.sort_by_key(|posting| posting.len());
        let mut scores = Vec::new();
        let mut all = true;
        if let Some(filter) = filter.filter(|filter| filter.len() <= LOOKED_AT) {
            for term in terms {
                let score = self.scorer(term);
                scores.extend(
                    filter
                        .keys()
                        .filter_map(|number| Some((*number, score(term.get(number)?)))),
                );
            }
            scores = summed(scores);
        } else {
            for term in terms {
                let score = self.scorer(term);
                if term.len() <= LOOKED_AT {
                    scores.extend(term.iter().map(|(number, having)| (*number, score(having))));
                    continue;
                }
                // A common word only scores what rarer words found; if that is little, also the newest
                // entries that have it.
                scores = summed(scores);
                if scores.len() < ENOUGH {
                    all = false;
                    scores.extend(
                        term.iter()
                            .rev()
                            .take(LOOKED_AT)
                            .map(|(number, _)| (*number, 0.0)),
                    );
                    scores = summed(scores);
                }
                for (number, sum) in &mut scores {
                    *sum += term.get(number).map_or(0.0, &score);
                }
            }
            scores = summed(scores);
        }
        let has_all = |number: &u64| {
            filter
                .into_iter()
                .chain(others.iter().copied())
                .all(|one| one.contains_key(number))
        };
        let entries = scores
            .into_iter()
            .filter(|(number, _)| has_all(number) && accept(*number))
            .collect();
        Found { entries, all }
    }

    /// The entries that match a search text, and pass all filters.
    pub fn matching(&self, query: &Query, filters: &[Filter], accept: impl Fn(u64) -> bool) -> Found {
        let mut found = Found {
            all: true,
            ..Found::default()
        };
        let mut scores: HashMap<u64, f32> = HashMap::new();
        for group in &query.groups {
            found.all &= self.group(group, filters, &accept, &mut scores);
        }
        found.entries = scores.into_iter().collect();
        found
    }

    /// Add the scores of entries that match a group; false if some may have been left out.
    fn group(
        &self,
        group: &Group,
        filters: &[Filter],
        accept: &impl Fn(u64) -> bool,
        scores: &mut HashMap<u64, f32>,
    ) -> bool {
        let parts: Vec<Vec<&Posting>> = group.all.iter().map(|word| self.postings_of(word)).collect();
        let never: Vec<&Posting> = group
            .none
            .iter()
            .flat_map(|word| self.postings_of(word))
            .collect();
        let Some((filter, others)) = self.rarest(filters.iter().map(|Filter(name)| name.as_str())) else {
            return true;
        };
        let size = |part: &Vec<&Posting>| part.iter().map(|posting| posting.len()).sum::<usize>();
        let Some(rarest) = parts.iter().min_by_key(|part| size(part)) else {
            return true;
        };
        let filter_leads = filter.is_some_and(|filter| filter.len() < size(rarest));
        let leading: Vec<&Posting> = if filter_leads {
            filter.into_iter().collect()
        } else {
            rarest.clone()
        };
        let mut all = true;
        for posting in leading {
            all &= posting.len() <= LOOKED_AT;
            for number in posting.keys().rev().take(LOOKED_AT).copied() {
                let fits = parts
                    .iter()
                    .all(|part| part.iter().any(|one| one.contains_key(&number)))
                    && !never.iter().any(|one| one.contains_key(&number))
                    && filter
                        .into_iter()
                        .chain(others.iter().copied())
                        .all(|one| one.contains_key(&number));
                if fits && !scores.contains_key(&number) && accept(number) {
                    let score = parts
                        .iter()
                        .flatten()
                        .map(|posting| self.score(posting, number))
                        .sum();
                    scores.insert(number, score);
                }
            }
        }
        all
    }

    fn postings_of(&self, word: &Word) -> Vec<&Posting> {
        match word {
            Word::Whole(stem) => self.postings.get(stem).into_iter().collect(),
            Word::Beginning(prefix) => {
                let spelled = self.spelled.range(prefix.clone()..);
                let mut stems: Vec<String> = spelled
                    .take_while(|(word, _)| word.starts_with(prefix.as_str()))
                    .take(PREFIXED)
                    .map(|(word, _)| stem(word))
                    .collect();
                stems.sort();
                stems.dedup();
                stems.iter().filter_map(|stem| self.postings.get(stem)).collect()
            }
        }
    }

    /// The score of a word in an entry that has it: BM25F, with the fields weighted before counting.
    fn scorer(&self, posting: &Posting) -> impl Fn(&Having) -> f32 + use<> {
        let (entries, having) = (self.lengths.len() as f32, posting.len() as f32);
        let rarity = (1.0 + (entries - having + 0.5) / (having + 0.5)).ln();
        let average = (self.total_length / self.lengths.len().max(1) as f64).max(1.0) as f32;
        move |Having { weight, length }| {
            rarity * weight * (K1 + 1.0) / (weight + K1 * (1.0 - B + B * length / average))
        }
    }

    fn score(&self, posting: &Posting, number: u64) -> f32 {
        posting.get(&number).map_or(0.0, self.scorer(posting))
    }
}

/// The sum of the scores of each entry.
fn summed(mut scores: Vec<(u64, f32)>) -> Vec<(u64, f32)> {
    scores.sort_by_key(|(number, _)| *number);
    scores.dedup_by(|next, kept| {
        let same = next.0 == kept.0;
        if same {
            kept.1 += next.1;
        }
        same
    });
    scores
}

/// A document's stems with their weights, its words, and its weighted length.
fn content(document: &Document) -> (BTreeMap<String, f32>, Vec<String>, f32) {
    let mut stems: BTreeMap<String, f32> = BTreeMap::new();
    let mut spelled = Vec::new();
    let mut length = 0.0;
    for (weight, text) in &document.fields {
        for word in words(text) {
            *stems.entry(stem(&word)).or_default() += weight;
            length += weight;
            spelled.push(word);
        }
    }
    spelled.sort();
    spelled.dedup();
    (stems, spelled, length)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn index(texts: &[&str]) -> Index {
        let mut index = Index::default();
        for (number, text) in texts.iter().enumerate() {
            index.insert(number as u64, &document(text));
        }
        index
    }

    fn document(text: &str) -> Document<'_> {
        Document {
            fields: vec![(1.0, text)],
            filters: vec![Filter::new("first", &text[..1])],
        }
    }

    fn found(index: &Index, text: &str) -> Vec<u64> {
        let found = index.matching(&Query::read(text), &[], |_| true);
        let mut numbers: Vec<u64> = found.entries.iter().map(|(number, _)| *number).collect();
        numbers.sort();
        numbers
    }

    #[test]
    fn all_words_of_a_text_are_looked_for_and_its_signs_are_none() {
        let index = index(&["alpha beta", "alpha gammas", "self-healing 'quoted"]);
        assert_eq!(found(&index, "alpha"), [0, 1]);
        assert_eq!(found(&index, "the gamma ALPHA"), [1]);
        assert_eq!(found(&index, "beta gamma"), [0; 0]);
        assert_eq!(found(&index, "alpha NOT beta"), [1]);
        assert_eq!(found(&index, "beta OR gamma"), [0, 1]);
        assert_eq!(found(&index, "gam* OR quo*"), [1, 2]);
        for text in [
            "self-healing",
            "\"healing",
            "(quoted",
            "healing^2 NOT",
            "name:healing",
        ] {
            let wanted = match text {
                "healing^2 NOT" | "name:healing" => vec![],
                _ => vec![2],
            };
            assert_eq!(found(&index, text), wanted, "{text}");
        }
        for text in ["NOT", "OR", "*", "\"", "", "NOT NOT NOT", "OR OR"] {
            assert_eq!(found(&index, text), [0; 0], "{text}");
        }
    }

    #[test]
    fn what_was_removed_leaves_nothing() {
        let texts = ["alpha beta", "alpha alpha"];
        let mut index = index(&texts);
        for (number, text) in texts.iter().enumerate() {
            index.remove(number as u64, &document(text));
            index.remove(number as u64, &document(text));
        }
        assert!(index.postings.is_empty() && index.spelled.is_empty() && index.lengths.is_empty());
        assert_eq!(index.total_length, 0.0);
    }

    #[test]
    fn filters_narrow_every_search() {
        let index = index(&["alpha one", "beta one", "alpha two"]);
        let alpha = [Filter::new("first", "a")];
        assert_eq!(index.list(&alpha, 10, |_| true), (vec![2, 0], true));
        assert_eq!(index.list(&alpha, 1, |_| true), (vec![2], false));
        assert_eq!(
            index.list(&[Filter::new("first", "z")], 1, |_| true),
            (vec![], true)
        );
        assert_eq!(index.count(&alpha[0]), 2);
        let found = index.any_of(&["one".into(), "two".into()], &alpha, |number| number != 2);
        assert_eq!(
            found
                .entries
                .iter()
                .map(|(number, _)| *number)
                .collect::<Vec<_>>(),
            [0]
        );
    }
}
