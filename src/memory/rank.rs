//! Orders search results: how well they match, by words, neighbors and meaning, then age and confidence, combined by
//! reciprocal rank fusion.

use std::cmp::Ordering;
use std::collections::BTreeMap;

use crate::results::{Rank, RankedBy};

/// Candidates that are ranked; the rest follow in the order of how well they match.
pub const RANKED: usize = 200;
/// The most entries of each kind that count as near in meaning.
pub const NEAR: usize = 50;
/// The constant of reciprocal rank fusion; the larger, the less the first ranks outweigh the next.
const SMOOTH: f64 = 60.0;
/// The weights of the parts: above all, how well it matches what was asked. Recency and confidence together weigh
/// less than the difference between the first and the second rank, so that the best match by far comes first.
const ASKED: f64 = 1.0;
const BESIDE: f64 = 0.007;
/// What the nearest in meaning counts, where the best match by words counts 1, and the share of that for the least near
/// that is compared. Measured on LoCoMo: with more, vectors of small models push out what words find.
const MEANT: f64 = 0.3;
const LEAST: f64 = 0.2;

/// A search result, with everything its rank depends on.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Candidate {
    pub number: u64,
    /// How well its own words match.
    pub text: f32,
    /// How well its neighbors in the graph or in time match.
    pub near: f32,
    /// How near its meaning is, from 0 to 1, if the host can tell.
    pub meaning: f64,
    /// Higher for what is newer, and for what has faded less.
    pub recency: f64,
    pub confidence: f64,
    /// The fused reciprocal ranks, from 0 to 1; results are sorted by it.
    pub score: f64,
}

impl Candidate {
    /// How the rank came about; empty unless `full`.
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

/// Candidates by how well they match, best first, including what they gain from their neighbors. `neighbours`
/// returns the neighbors of an entry, with the share of its score that each receives; it is called for the
/// best `sources` entries.
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

/// Merge the entries that are nearest in meaning, of those that may be shown (`seen`), into the candidates, which are
/// sorted by how well they match: they come after the best of these.
pub fn add_near(candidates: &mut Vec<Candidate>, near: &[(u64, f32)], seen: impl Fn(u64) -> bool) {
    let mut nearest: Vec<(u64, f32)> = near.iter().copied().filter(|(number, _)| seen(*number)).collect();
    nearest.sort_by(|(one, nearness), (other, than)| than.total_cmp(nearness).then(other.cmp(one)));
    nearest.truncate(NEAR);
    let mut others: BTreeMap<u64, f32> = nearest.into_iter().collect();
    for one in candidates.iter_mut() {
        one.meaning = others.remove(&one.number).unwrap_or_default().into();
    }
    let rest = candidates.split_off(candidates.len().min(RANKED));
    let (nearer, rest): (Vec<Candidate>, Vec<Candidate>) =
        rest.into_iter().partition(|one| one.meaning > 0.0);
    candidates.extend(nearer);
    candidates.extend(others.into_iter().map(|(number, meaning)| Candidate {
        number,
        meaning: meaning.into(),
        ..Candidate::default()
    }));
    candidates.extend(rest);
}

/// Rank the best of the candidates, which are sorted by how well they match. Ties go to the newer entry.
pub fn fuse(candidates: &mut [Candidate]) {
    let by_meaning = candidates.iter().rposition(|one| one.meaning > 0.0);
    let ranked = candidates
        .len()
        .min(RANKED)
        .max(by_meaning.map_or(0, |last| last + 1));
    let head = &mut candidates[..ranked];
    let asked = matches(head);
    let recency = head.iter().map(|one| one.recency).collect();
    let confidence = head.iter().map(|one| one.confidence).collect();
    let parts: [(Vec<f64>, f64); 3] = [(asked, ASKED), (recency, BESIDE), (confidence, BESIDE)];
    let whole: f64 = parts.iter().map(|(_, weight)| weight).sum();
    for (values, weight) in parts {
        let mut order: Vec<usize> = (0..head.len()).collect();
        order.sort_by(|one, other| values[*other].total_cmp(&values[*one]));
        let mut place = 0;
        for at in 0..order.len() {
            // Equal values share a rank.
            if at > 0 && values[order[at]] != values[order[at - 1]] {
                place = at;
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

/// How well each matches what was asked. The scale of nearness depends on the model, so what counts is where an entry is
/// between the least and the most near.
fn matches(candidates: &[Candidate]) -> Vec<f64> {
    let fits = candidates.iter().map(fit);
    let best = fits.fold(0.0, f64::max).max(f64::MIN_POSITIVE);
    let near = || {
        let meanings = candidates.iter().map(|one| one.meaning);
        meanings.filter(|meaning| *meaning > 0.0)
    };
    let (least, most) = (near().fold(f64::MAX, f64::min), near().fold(0.0, f64::max));
    let meant = |meaning: f64| match most - least {
        _ if meaning <= 0.0 => 0.0,
        range if range > 0.0 => LEAST + (1.0 - LEAST) * (meaning - least) / range,
        _ => 1.0,
    };
    let match_of = |one: &Candidate| fit(one) / best + MEANT * meant(one.meaning);
    candidates.iter().map(match_of).collect()
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
        let entries = vec![(1, 2.0), (2, 1.0), (3, 0.8)];
        let words = || with_neighbours(entries.clone(), 0, |_| vec![]);
        let mut candidates = words();
        add_near(&mut candidates, &[(3, 0.9), (8, 0.8), (9, 0.7)], |number| {
            number != 9
        });
        fuse(&mut candidates);
        let order: Vec<u64> = candidates.iter().map(|one| one.number).collect();
        assert_eq!(order, [1, 3, 2, 8]);
        // With nothing near, the result is the same as without vectors.
        let (mut one, mut other) = (words(), words());
        add_near(&mut one, &[], |_| true);
        fuse(&mut one);
        fuse(&mut other);
        assert_eq!(one, other);
    }

    #[test]
    fn what_may_not_be_shown_takes_no_place_of_what_may() {
        let near: Vec<(u64, f32)> = (1..=60).map(|number| (number, 0.9)).chain([(61, 0.1)]).collect();
        let mut candidates = Vec::new();
        add_near(&mut candidates, &near, |number| number > 60);
        assert_eq!(candidates.iter().map(|one| one.number).collect::<Vec<_>>(), [61]);
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
