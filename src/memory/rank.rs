//! The order of what a search found: words, neighbours, meaning, age and confidence, fused by reciprocal ranks.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::results::{Rank, RankedBy};

/// Candidates that are put in order; the others come after them, as their words rank them.
pub const RANKED: usize = 200;
/// The constant of reciprocal rank fusion: how little the first places weigh more than the next.
const SMOOTH: f64 = 60.0;
/// What each part weighs: what was asked for above all, by its words or by its meaning. Recency and confidence together
/// weigh less than the first place before the second, so that what fits best by far is first.
const ASKED: f64 = 1.0;
const BESIDE: f64 = 0.007;

/// What was found, with all that its place depends on.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Candidate {
    pub number: u64,
    /// How well its own words fit.
    pub text: f32,
    /// How well those of its neighbours do, in the graph or in time.
    pub near: f32,
    /// How near its meaning is, from 0 to 1, where the host tells.
    pub meaning: f64,
    /// Higher for what was told later, and for what has faded less.
    pub recency: f64,
    pub confidence: f64,
    /// The sum of reciprocal ranks, from 0 to 1; the order.
    pub score: f64,
}

impl Candidate {
    /// How it came to its place; nothing where not all is to be shown.
    pub fn rank(&self, full: bool) -> Rank {
        if !full {
            return Rank::default();
        }
        Rank {
            score: Some(round(self.score)),
            ranked_by: Some(RankedBy {
                text: round(self.text.into()),
                near: round(self.near.into()),
                recency: round(self.recency),
                confidence: round(self.confidence),
                meaning: Some(self.meaning).filter(|meaning| *meaning > 0.0).map(round),
            }),
        }
    }
}

pub fn round(number: f64) -> f64 {
    (number * 10_000.0).round() / 10_000.0
}

/// Candidates by how they fit, the best first, each with what its neighbours bring it: `neighbours` gives those of an
/// entry, and how much of its own score each is passed. That is asked for the best ones, as many as `sources` says.
pub fn with_neighbours(
    mut entries: Vec<(u64, f32)>,
    sources: usize,
    neighbours: impl Fn(u64) -> Vec<(u64, f32)>,
) -> Vec<Candidate> {
    entries.sort_by(|(one, score), (other, than)| than.total_cmp(score).then(other.cmp(one)));
    let passed = entries.iter().take(sources).flat_map(|(number, score)| {
        let given = neighbours(*number).into_iter();
        given.map(move |(neighbour, part)| (neighbour, part * score))
    });
    let mut near: BTreeMap<u64, f32> = BTreeMap::new();
    for (number, score) in passed {
        *near.entry(number).or_default() += score;
    }
    let mut candidates: Vec<Candidate> = entries
        .iter()
        .map(|(number, text)| Candidate {
            number: *number,
            text: *text,
            near: near.get(number).copied().unwrap_or_default(),
            ..Candidate::default()
        })
        .collect();
    candidates.sort_by(by_fit);
    candidates
}

/// Entries that are near in meaning, as many as there are, come to those that are ordered by how they fit: behind the best
/// of these. `seen` says which of those that no word has found may be shown.
pub fn add_near(candidates: &mut Vec<Candidate>, near: &BTreeMap<u64, f32>, seen: impl Fn(u64) -> bool) {
    let mut others = near.clone();
    for one in candidates.iter_mut() {
        one.meaning = others.remove(&one.number).unwrap_or_default().into();
    }
    let rest = candidates.split_off(candidates.len().min(RANKED));
    let (nearer, rest): (Vec<Candidate>, Vec<Candidate>) =
        rest.into_iter().partition(|one| one.meaning > 0.0);
    candidates.extend(nearer);
    let others = others.into_iter().filter(|(number, _)| seen(*number));
    candidates.extend(others.map(|(number, meaning)| Candidate {
        number,
        meaning: meaning.into(),
        ..Candidate::default()
    }));
    candidates.extend(rest);
}

/// One of the things that a place depends on.
type Part = fn(&Candidate) -> f64;

/// Puts the best of candidates, which are ordered by how they fit, in their order; equal ones as they are numbered, the
/// newest first.
pub fn fuse(candidates: &mut [Candidate]) {
    let by_meaning = candidates.iter().rposition(|one| one.meaning > 0.0);
    let ranked = candidates
        .len()
        .min(RANKED)
        .max(by_meaning.map_or(0, |last| last + 1));
    let head = &mut candidates[..ranked];
    let mut parts: Vec<(Part, f64)> = vec![
        (fit, ASKED),
        (|one| one.recency, BESIDE),
        (|one| one.confidence, BESIDE),
    ];
    if by_meaning.is_some() {
        parts.push((|one| one.meaning, ASKED));
    }
    let whole: f64 = parts.iter().map(|(_, weight)| weight).sum();
    for (part, weight) in parts {
        let mut order: Vec<usize> = (0..head.len()).collect();
        order.sort_by(|one, other| part(&head[*other]).total_cmp(&part(&head[*one])));
        let mut place = 0;
        for at in 0..order.len() {
            // Equal ones have the same place.
            if at > 0 && part(&head[order[at]]) != part(&head[order[at - 1]]) {
                place = at;
            }
            // By words or by meaning alone: the other list does not have it.
            if by_meaning.is_some() && weight == ASKED && part(&head[order[at]]) <= 0.0 {
                break;
            }
            head[order[at]].score += weight * (SMOOTH + 1.0) / (SMOOTH + 1.0 + place as f64);
        }
    }
    for one in head.iter_mut() {
        one.score /= whole;
    }
    head.sort_by(|one, other| {
        other
            .score
            .total_cmp(&one.score)
            .then(other.number.cmp(&one.number))
    });
}

fn by_fit(one: &Candidate, other: &Candidate) -> Ordering {
    fit(other)
        .total_cmp(&fit(one))
        .then(other.number.cmp(&one.number))
}

fn fit(candidate: &Candidate) -> f64 {
    f64::from(candidate.text + candidate.near)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_fits_equally_well_is_ordered_by_age_and_confidence() {
        let one = |number, text, recency, confidence| Candidate {
            number,
            text,
            recency,
            confidence,
            ..Candidate::default()
        };
        let mut candidates = [
            one(1, 1.0, 0.5, 1.0),
            one(2, 1.0, 1.0, 1.0),
            one(3, 9.0, 0.1, 0.25),
            one(4, 1.0, 0.5, 0.5),
        ];
        fuse(&mut candidates);
        assert_eq!(candidates.each_ref().map(|one| one.number), [3, 2, 1, 4]);
        assert!(candidates[0].score <= 1.0 && candidates[3].score > 0.0);
    }

    #[test]
    fn what_is_near_in_meaning_comes_beside_what_words_find() {
        let entries = vec![(1, 2.0), (2, 1.0), (3, 0.5)];
        let words = || with_neighbours(entries.clone(), 0, |_| vec![]);
        let mut candidates = words();
        add_near(
            &mut candidates,
            &BTreeMap::from([(3, 0.9), (8, 0.8), (9, 0.7)]),
            |number| number != 9,
        );
        fuse(&mut candidates);
        let order: Vec<u64> = candidates.iter().map(|one| one.number).collect();
        assert_eq!(order, [3, 1, 8, 2]);
        // Nothing near leaves all as it is without vectors.
        let (mut one, mut other) = (words(), words());
        add_near(&mut one, &BTreeMap::new(), |_| true);
        fuse(&mut one);
        fuse(&mut other);
        assert_eq!(one, other);
    }

    #[test]
    fn neighbours_bring_up_what_fits_itself() {
        let entries = vec![(1, 2.0), (2, 1.0), (3, 1.0)];
        let found = with_neighbours(entries, 9, |number| {
            if number == 1 {
                vec![(2, 0.5), (9, 0.5)]
            } else {
                vec![]
            }
        });
        let near: Vec<(u64, f32)> = found.iter().map(|one| (one.number, one.near)).collect();
        assert_eq!(near, [(2, 1.0), (1, 0.0), (3, 0.0)]);
    }
}
