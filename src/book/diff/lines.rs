//! Which lines two texts have in common.

use std::collections::HashMap;
use std::ops::Range;

use hornbook_base::Pace;
use imara_diff::{Algorithm, Diff, InternedInput};

/// Stretches are compared exactly if lines before times lines after is at most this.
const EXACT: usize = 1 << 20;

/// How often each line is looked at, on average, before the rest counts as changed as a whole.
const LOOKS: usize = 32;

/// A range of lines replaced by another; lines are numbered from 0.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    pub before: Range<usize>,
    pub after: Range<usize>,
}

/// The lines of a text. Equal lines have the same number in both texts.
pub struct Lines<'a> {
    pub texts: Vec<&'a str>,
    numbers: Vec<u32>,
}

impl<'a> Lines<'a> {
    pub async fn of(text: &'a str, known: &mut HashMap<&'a str, u32>, pace: &Pace) -> Lines<'a> {
        let mut lines = Lines {
            texts: Vec::new(),
            numbers: Vec::new(),
        };
        // A table that grows is copied in one go: reserve first.
        let count = text.split_terminator('\n').count();
        known.reserve(count.saturating_sub(known.len()));
        for line in text.split_terminator('\n') {
            let next = known.len() as u32;
            lines.texts.push(line);
            lines.numbers.push(*known.entry(line).or_insert(next));
            if pace.is_over(1 + line.len() / 64) {
                pace.rest().await;
            }
        }
        lines
    }
}

/// The changes in order, and whether some are coarse. Lines that occur exactly once in both texts divide them
/// into stretches; a stretch without such lines is compared exactly if it is short.
pub async fn changes(old: &Lines<'_>, new: &Lines<'_>, pace: &Pace) -> (Vec<Change>, bool) {
    let mut found: Vec<Change> = Vec::new();
    let mut coarse = false;
    let mut looks = LOOKS * (old.numbers.len() + new.numbers.len());
    // A stack: the last stretch is next.
    let mut stretches = vec![Change {
        before: 0..old.numbers.len(),
        after: 0..new.numbers.len(),
    }];
    while let Some(stretch) = stretches.pop() {
        let exact = stretch.before.len() * stretch.after.len() <= EXACT;
        let whole = stretch.before.len() == old.numbers.len() && stretch.after.len() == new.numbers.len();
        let stretch = match exact && whole {
            true => stretch,
            false => trimmed(stretch, old, new, pace).await,
        };
        let lines = stretch.before.len() + stretch.after.len();
        if stretch.before.is_empty() || stretch.after.is_empty() {
            if lines > 0 {
                found.push(stretch);
            }
            continue;
        }
        if exact || stretch.before.len() * stretch.after.len() <= EXACT {
            exactly(&stretch, old, new, &mut found);
            if pace.is_over(stretch.before.len() * stretch.after.len() / 64) {
                pace.rest().await;
            }
            continue;
        }
        let divided = match looks.checked_sub(lines) {
            Some(left) => {
                looks = left;
                divide(&stretch, old, new, pace).await
            }
            None => Divided::No,
        };
        match divided {
            Divided::Into(parts) => stretches.extend(parts.into_iter().rev()),
            Divided::NothingInCommon => found.push(stretch),
            Divided::No => {
                coarse = true;
                found.push(stretch);
            }
        }
    }
    (found, coarse)
}

/// A stretch without the lines that both texts share at its start and end.
async fn trimmed(stretch: Change, old: &Lines<'_>, new: &Lines<'_>, pace: &Pace) -> Change {
    let Change {
        mut before,
        mut after,
    } = stretch;
    while !before.is_empty() && !after.is_empty() && old.numbers[before.start] == new.numbers[after.start] {
        (before.start, after.start) = (before.start + 1, after.start + 1);
        if pace.is_over(1) {
            pace.rest().await;
        }
    }
    while !before.is_empty() && !after.is_empty() && old.numbers[before.end - 1] == new.numbers[after.end - 1]
    {
        (before.end, after.end) = (before.end - 1, after.end - 1);
        if pace.is_over(1) {
            pace.rest().await;
        }
    }
    Change { before, after }
}

fn exactly(stretch: &Change, old: &Lines<'_>, new: &Lines<'_>, found: &mut Vec<Change>) {
    let mut input = InternedInput::<&str>::default();
    input.update_before(old.texts[stretch.before.clone()].iter().copied());
    input.update_after(new.texts[stretch.after.clone()].iter().copied());
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_no_heuristic(&input);
    let from = |base: usize, range: &Range<u32>| base + range.start as usize..base + range.end as usize;
    found.extend(diff.hunks().map(|hunk| Change {
        before: from(stretch.before.start, &hunk.before),
        after: from(stretch.after.start, &hunk.after),
    }));
}

enum Divided {
    /// In order.
    Into(Vec<Change>),
    NothingInCommon,
    No,
}

/// Where in a stretch a line occurs, if only once.
#[derive(Clone, Copy, PartialEq)]
enum Place {
    Nowhere,
    At(usize),
    Often,
}

impl Place {
    fn seen(&mut self, at: usize) {
        *self = match self {
            Place::Nowhere => Place::At(at),
            _ => Place::Often,
        };
    }
}

/// Divide a stretch at the lines that occur once in both texts, using as many as are in the same order.
async fn divide(stretch: &Change, old: &Lines<'_>, new: &Lines<'_>, pace: &Pace) -> Divided {
    let mut places: HashMap<u32, (Place, Place)> = HashMap::new();
    let none = (Place::Nowhere, Place::Nowhere);
    for at in stretch.before.clone() {
        places.entry(old.numbers[at]).or_insert(none).0.seen(at);
        if pace.is_over(1) {
            pace.rest().await;
        }
    }
    let mut common = false;
    for at in stretch.after.clone() {
        if let Some(place) = places.get_mut(&new.numbers[at]) {
            common = true;
            place.1.seen(at);
        }
        if pace.is_over(1) {
            pace.rest().await;
        }
    }
    if !common {
        return Divided::NothingInCommon;
    }
    let mut pairs = Vec::new();
    for at in stretch.before.clone() {
        if let (Place::At(_), Place::At(other)) = places[&old.numbers[at]] {
            pairs.push((at, other));
        }
        if pace.is_over(1) {
            pace.rest().await;
        }
    }
    let kept = in_order(&pairs, pace).await;
    if kept.is_empty() {
        return Divided::No;
    }
    let mut parts = Vec::with_capacity(kept.len() + 1);
    let mut start = (stretch.before.start, stretch.after.start);
    for (at, other) in kept {
        if (at, other) != start {
            parts.push(Change {
                before: start.0..at,
                after: start.1..other,
            });
        }
        start = (at + 1, other + 1);
    }
    parts.push(Change {
        before: start.0..stretch.before.end,
        after: start.1..stretch.after.end,
    });
    Divided::Into(parts)
}

/// A longest sequence of the pairs, which are sorted by first place, that is also sorted by second place.
async fn in_order(pairs: &[(usize, usize)], pace: &Pace) -> Vec<(usize, usize)> {
    // The pair that ends the best sequence of each length, and the predecessor of each pair.
    let mut ends: Vec<usize> = Vec::new();
    let mut before: Vec<Option<usize>> = Vec::with_capacity(pairs.len());
    for (index, (_, other)) in pairs.iter().enumerate() {
        let length = ends.partition_point(|end| pairs[*end].1 < *other);
        before.push(length.checked_sub(1).map(|length| ends[length]));
        match ends.get_mut(length) {
            Some(end) => *end = index,
            None => ends.push(index),
        }
        if pace.is_over(1) {
            pace.rest().await;
        }
    }
    let mut kept = Vec::with_capacity(ends.len());
    let mut next = ends.last().copied();
    while let Some(index) = next {
        kept.push(pairs[index]);
        next = before[index];
    }
    kept.reverse();
    kept
}
