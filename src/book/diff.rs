//! The differences between two texts, line by line, in the unified format.

use std::collections::HashMap;
use std::fmt::Write;

use hornbook_base::Pace;

mod lines;

use lines::{Change, Lines, changes};

/// Lines of context around a change.
const CONTEXT: usize = 3;

/// A difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineDiff {
    /// Hunks in the unified format, without file names; empty if the texts are equal.
    pub text: String,
    pub added: usize,
    pub removed: usize,
    /// Whether `text` was too long and was cut off.
    pub cut: bool,
    /// Whether long stretches of repeated lines are reported as changed as a whole, because a finer
    /// comparison would take too long.
    pub coarse: bool,
}

/// What turns `before` into `after`, in at most `most` bytes.
pub async fn diff(before: &str, after: &str, most: usize, pace: &Pace) -> LineDiff {
    let mut numbers = HashMap::new();
    let old = Lines::of(before, &mut numbers, pace).await;
    let new = Lines::of(after, &mut numbers, pace).await;
    let (changes, coarse) = changes(&old, &new, pace).await;
    let mut found = LineDiff {
        text: String::new(),
        added: changes.iter().map(|change| change.after.len()).sum(),
        removed: changes.iter().map(|change| change.before.len()).sum(),
        cut: false,
        coarse,
    };
    let mut rest = changes.iter().peekable();
    while let Some(first) = rest.next() {
        // Changes with touching contexts form one hunk.
        let mut group = vec![first];
        while let Some(next) = rest.next_if(|next| {
            let end = group.last().map_or(0, |change| change.before.end);
            next.before.start <= end + 2 * CONTEXT
        }) {
            group.push(next);
        }
        push_hunk(&mut found.text, &group, &old, &new, most);
        if found.text.len() > most {
            found.cut = true;
            let end = found.text.as_bytes()[..most]
                .iter()
                .rposition(|byte| *byte == b'\n');
            found.text.truncate(end.map_or(0, |end| end + 1));
            break;
        }
        if pace.is_over(1) {
            pace.rest().await;
        }
    }
    found
}

/// Append one hunk; it may stop once the text is longer than `most`.
fn push_hunk(out: &mut String, group: &[&Change], old: &Lines<'_>, new: &Lines<'_>, most: usize) {
    let (first, last) = (group[0], group[group.len() - 1]);
    let lead = first.before.start.min(CONTEXT);
    let trail = (old.texts.len() - last.before.end).min(CONTEXT);
    let place = |start: usize, end: usize| {
        let (start, length) = (start - lead, end + trail + lead - start);
        // An empty range is given by the line before it.
        format!("{},{length}", start + usize::from(length > 0))
    };
    let before = place(first.before.start, last.before.end);
    let after = place(first.after.start, last.after.end);
    let _ = writeln!(out, "@@ -{before} +{after} @@");
    let mut push = |mark: char, lines: &[&str]| {
        for line in lines {
            if out.len() > most {
                return;
            }
            let _ = writeln!(out, "{mark}{line}");
        }
    };
    let mut at = first.before.start - lead;
    for change in group {
        push(' ', &old.texts[at..change.before.start]);
        push('-', &old.texts[change.before.clone()]);
        push('+', &new.texts[change.after.clone()]);
        at = change.before.end;
    }
    push(' ', &old.texts[at..at + trail]);
}

#[cfg(test)]
mod tests {
    use hornbook_base::at_once;
    use proptest::prelude::*;

    use super::*;

    fn diff(before: &str, after: &str) -> LineDiff {
        at_once(super::diff(before, after, usize::MAX, &Pace::unbroken()))
    }

    /// The text that a difference makes of another.
    fn patched(before: &str, found: &LineDiff) -> String {
        let old: Vec<&str> = before.split_terminator('\n').collect();
        let mut out = String::new();
        let mut at = 0;
        for line in found.text.lines() {
            if let Some(place) = line.strip_prefix("@@ -") {
                let (start, rest) = place.split_once(',').unwrap();
                let empty = rest.starts_with("0 ");
                let start = start.parse::<usize>().unwrap() - usize::from(!empty);
                old[at..start].iter().for_each(|line| out += &format!("{line}\n"));
                at = start;
                continue;
            }
            if !line.starts_with('-') {
                out += &format!("{}\n", &line[1..]);
            }
            at += usize::from(!line.starts_with('+'));
        }
        old[at..].iter().for_each(|line| out += &format!("{line}\n"));
        out
    }

    fn lines(numbers: std::ops::Range<u32>) -> String {
        numbers.map(|number| format!("{number}\n")).collect()
    }

    #[test]
    fn equal_texts_have_no_hunks_and_a_last_line_end_is_no_difference() {
        assert_eq!(diff("a.\nb.", "a.\nb.\n").text, "");
    }

    #[test]
    fn an_addition_to_nothing_is_told_from_line_0() {
        assert_eq!(diff("", "a.\nb.").text, "@@ -0,0 +1,2 @@\n+a.\n+b.\n");
        assert_eq!(diff("a.", "").text, "@@ -1,1 +0,0 @@\n-a.\n");
    }

    #[test]
    fn changes_have_three_lines_of_context_and_join_where_these_touch() {
        let before = lines(0..30);
        let after = before
            .replace("\n5\n", "\nfive\n")
            .replace("\n12\n", "\n")
            .replace("\n25\n", "\n25\nnew\n");
        let found = diff(&before, &after);
        assert_eq!((found.added, found.removed), (2, 2));
        assert_eq!(
            found.text,
            "@@ -3,14 +3,13 @@\n 2\n 3\n 4\n-5\n+five\n 6\n 7\n 8\n 9\n 10\n 11\n-12\n 13\n 14\n 15\n\
             @@ -24,6 +23,7 @@\n 23\n 24\n 25\n+new\n 26\n 27\n 28\n"
        );
    }

    #[test]
    fn a_change_in_a_long_text_is_found_exactly() {
        let before = lines(0..200_000);
        let after = before
            .replace("\n77777\n", "\n")
            .replace("\n150000\n", "\nnew\nnew\n150000\n");
        let found = diff(&before, &after);
        assert_eq!((found.added, found.removed, found.coarse), (2, 1, false));
        assert!(found.text.contains("-77777\n") && found.text.contains("+new\n+new\n 150000\n"));
    }

    #[test]
    fn long_texts_of_few_kinds_of_lines_are_compared_coarsely_and_soon() {
        let mixed = |seed: u64| -> String {
            let mut state = seed;
            let mut kind = || {
                state = state
                    .wrapping_mul(6364136223846793005)
                    .wrapping_add(1442695040888963407);
                state >> 33
            };
            (0..100_000).map(|_| format!("p({}).\n", kind() % 3)).collect()
        };
        let (before, after) = (
            format!("begin\n{}end\n", mixed(1)),
            format!("begin\n{}end\n", mixed(2)),
        );
        let found = diff(&before, &after);
        assert!(found.coarse);
        assert_eq!(patched(&before, &found), after);
    }

    #[test]
    fn texts_without_a_common_line_are_no_coarse_case() {
        let found = diff(&lines(0..5_000), &lines(10_000..15_000));
        assert_eq!((found.added, found.removed, found.coarse), (5_000, 5_000, false));
    }

    #[test]
    fn what_is_too_long_is_cut_at_a_line_and_counted_whole() {
        let found = at_once(super::diff("", &lines(0..50_000), 1_000, &Pace::unbroken()));
        assert!(found.cut && found.text.len() <= 1_000 && found.text.ends_with('\n'));
        assert_eq!(found.added, 50_000);
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(24))]
        #[test]
        fn a_difference_makes_the_one_text_of_the_other(
            before in prop::collection::vec(0..6_000u32, 0..4_000),
            edits in prop::collection::vec((0..5_000usize, 0..6_000u32, any::<bool>()), 0..1_500),
        ) {
            let mut after = before.clone();
            for (at, number, insert) in edits {
                let at = at % (after.len() + 1);
                if insert {
                    after.insert(at, number);
                } else if at < after.len() {
                    after.remove(at);
                }
            }
            let text = |numbers: &[u32]| -> String { numbers.iter().map(|number| format!("{number}\n")).collect() };
            let (before, after) = (text(&before), text(&after));
            prop_assert_eq!(patched(&before, &diff(&before, &after)), after);
        }
    }
}
