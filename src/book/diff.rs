//! What differs between two texts, line by line, in the unified format.

use std::fmt::Write;

use imara_diff::{Algorithm, Diff, Hunk, InternedInput};

/// Lines of context around a change.
const CONTEXT: u32 = 3;

/// A difference.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LineDiff {
    /// Hunks in the unified format, without the names of files; empty where the texts are the same.
    pub text: String,
    pub added: u32,
    pub removed: u32,
}

/// What makes `after` of `before`.
pub fn diff(before: &str, after: &str) -> LineDiff {
    let mut input = InternedInput::<&str>::default();
    input.update_before(before.split_terminator('\n'));
    input.update_after(after.split_terminator('\n'));
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_no_heuristic(&input);
    let mut text = String::new();
    let mut changes = diff.hunks().peekable();
    while let Some(first) = changes.next() {
        // Changes whose contexts touch are one hunk.
        let mut group = vec![first];
        while let Some(next) = changes.next_if(|next| next.before.start <= end(&group) + 2 * CONTEXT) {
            group.push(next);
        }
        push_hunk(&mut text, &group, &input);
    }
    LineDiff {
        text,
        added: diff.count_additions(),
        removed: diff.count_removals(),
    }
}

/// Where the last change of a group ends in the text before.
fn end(group: &[Hunk]) -> u32 {
    group.last().map_or(0, |change| change.before.end)
}

fn push_hunk(out: &mut String, group: &[Hunk], input: &InternedInput<&str>) {
    let (first, last) = (&group[0], &group[group.len() - 1]);
    let lead = first.before.start.min(CONTEXT);
    let trail = (input.before.len() as u32 - last.before.end).min(CONTEXT);
    let place = |start: u32, end: u32| {
        let (start, length) = (start - lead, end + trail + lead - start);
        // An empty range is told by the line before it.
        format!("{},{length}", start + u32::from(length > 0))
    };
    let before = place(first.before.start, last.before.end);
    let after = place(first.after.start, last.after.end);
    let _ = writeln!(out, "@@ -{before} +{after} @@");
    let mut push = |mark: char, lines: &[imara_diff::Token]| {
        for line in lines {
            let _ = writeln!(out, "{mark}{}", input.interner[*line]);
        }
    };
    let range = |start: u32, end: u32| start as usize..end as usize;
    let mut at = first.before.start - lead;
    for change in group {
        push(' ', &input.before[range(at, change.before.start)]);
        push('-', &input.before[range(change.before.start, change.before.end)]);
        push('+', &input.after[range(change.after.start, change.after.end)]);
        at = change.before.end;
    }
    push(' ', &input.before[range(at, at + trail)]);
}

#[cfg(test)]
mod tests {
    use super::*;

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
}
