//! The book as one text that loads again and reads as it was written.

use super::batch::{Group, groups};
use super::{Book, Origin};

impl Book {
    /// Entries in order: files with their layout and comments, everything else a clause a line. Where a source
    /// changed operators or flags, they are put back before the next source begins.
    pub fn snapshot(&self) -> String {
        let mut out = String::with_capacity(self.bytes() + self.bytes() / 16);
        let mut restore: Vec<&str> = Vec::new();
        for group in groups(self.entries()) {
            begin_line(&mut out);
            for text in restore.drain(..) {
                out.push_str(text.trim());
                out.push('\n');
            }
            match group.source.origin {
                Origin::File(_) => push_file(&group, &mut out),
                Origin::Inline | Origin::Run => push_lines(&group, &mut out),
            }
            restore.extend(
                group
                    .entries
                    .iter()
                    .rev()
                    .filter_map(|(_, entry)| entry.restore()),
            );
        }
        out
    }
}

fn begin_line(out: &mut String) {
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
}

fn push_file(group: &Group<'_>, out: &mut String) {
    // A byte order mark and a `#!` line mean something at the begin of a file only.
    let begin = out.len();
    group.push_text(out);
    if begin > 0 && out[begin..].starts_with('\u{feff}') {
        out.remove(begin);
    }
    if begin > 0 && out[begin..].starts_with("#!") {
        out.replace_range(begin..begin + 1, "%");
    }
    let tail = &group.source.text[group.source.tail as usize..];
    let last = group.entries.last().map(|(_, entry)| entry.span().end);
    if last != Some(group.source.tail as usize) && !tail.starts_with('\n') && !tail.is_empty() {
        begin_line(out);
    }
    out.push_str(tail);
}

fn push_lines(group: &Group<'_>, out: &mut String) {
    for (_, entry) in &group.entries {
        begin_line(out);
        out.push_str(entry.text().trim());
    }
}
