//! The book as one text that loads again and reads as it was written.

use std::collections::BTreeSet;

use hornbook_base::{Pace, at_once};

use super::batch::{Group, groups, push_comment};
use super::lexer::Lexer;
use super::{Book, Entry, EntryId, Header, Origin, TO_NO_MODULE};

impl Book {
    /// Entries in order: files with their layout and comments, everything else one clause per line. If a
    /// source changed operators or flags, they are restored before the next source begins. These entries
    /// become comments: an `initialization/1` directive whose goal has changed entries and a directive that
    /// is a goal, since their effects are already in the text, and an entry that the engine could not load.
    pub fn snapshot(&self) -> String {
        at_once(self.snapshot_in_slices(&Pace::unbroken()))
    }

    /// Like `snapshot`, for books of any size.
    pub async fn snapshot_in_slices(&self, pace: &Pace) -> String {
        self.text_of(self.entries(), self.bytes(), pace).await
    }

    /// The first `chars` characters of the snapshot, without making the rest, and whether more follows.
    pub async fn snapshot_to(&self, chars: usize, pace: &Pace) -> (String, bool) {
        let (mut begin, mut length) = (0, 0);
        for (_, entry) in self.entries() {
            if length > chars {
                break;
            }
            let apart = |c: char| c.is_whitespace() || c == '\u{feff}';
            length += entry.text().trim_matches(apart).chars().count();
            begin += 1;
            if pace.is_over(1 + entry.text().len() / 64) {
                pace.rest().await;
            }
        }
        let mut text = self.text_of(self.entries().take(begin), length, pace).await;
        let end = text.char_indices().nth(chars).map(|(at, _)| at);
        if let Some(end) = end {
            text.truncate(end);
        }
        (text, end.is_some())
    }

    pub(super) async fn text_of<'a>(
        &self,
        entries: impl Iterator<Item = (EntryId, &'a Entry)>,
        bytes: usize,
        pace: &Pace,
    ) -> String {
        let mut out = String::with_capacity(bytes + bytes / 16);
        let mut restore: Vec<&str> = Vec::new();
        // Inline text reads the same with the operators of a library as without them.
        let mut of_libraries: Vec<&str> = Vec::new();
        let mut comments: BTreeSet<EntryId> = self
            .initialized
            .iter()
            .chain(self.aside.keys())
            .copied()
            .collect();
        for group in groups(entries, usize::MAX, None) {
            let goals = group.entries.iter().filter(|(_, entry)| is_goal(entry));
            comments.extend(goals.map(|(id, _)| *id));
            begin_line(&mut out);
            if group.source.origin != Origin::Inline || group.source.module.is_some() {
                restore.append(&mut of_libraries);
            }
            for text in restore.drain(..) {
                out.push_str(text.trim());
                out.push('\n');
            }
            if let Some(module) = &group.source.module {
                out.push_str(&self.header_of(module));
                out.push('\n');
                restore.push(TO_NO_MODULE);
            }
            match group.source.origin {
                Origin::File(_) => push_file(&group, &comments, &mut out, pace).await,
                Origin::Inline | Origin::Run => push_lines(&group, &comments, &mut out, pace).await,
            }
            let is_inline = group.source.origin == Origin::Inline;
            for (id, entry) in group.entries.iter().rev() {
                let texts = match is_inline && entry.loads() {
                    true => &mut of_libraries,
                    false => &mut restore,
                };
                texts.extend(entry.restore().filter(|_| !self.aside.contains_key(id)));
            }
        }
        out
    }
}

impl Book {
    /// The header of a module as written, for text that has none of its own.
    fn header_of(&self, module: &str) -> String {
        let spots = self.headers().flat_map(|(used, _)| used.headers());
        let mut entries = spots.filter_map(|spot| self.get(spot.id));
        let found = entries.find(|entry| {
            let header = Header::of(entry.kind(), entry.predicate(), entry.code());
            header.is_some_and(|header| *header.module == *module)
        });
        match found {
            Some(entry) => entry.code().to_owned(),
            None => format!(
                ":- module('{}', []).",
                module.replace('\\', "\\\\").replace('\'', "\\'")
            ),
        }
    }
}

/// Directives that are declarations rather than goals.
const DECLARATIONS: [&str; 49] = [
    ",",
    "<=>",
    "==>",
    "@",
    "[|]",
    "autoload",
    "begin_tests",
    "chr_constraint",
    "chr_option",
    "chr_type",
    "constraint",
    "constraints",
    "consult",
    "create_prolog_flag",
    "data",
    "det",
    "discontiguous",
    "dynamic",
    "elif",
    "else",
    "encoding",
    "end_tests",
    "endif",
    "ensure_loaded",
    "expects_dialect",
    "halt",
    "handler",
    "if",
    "include",
    "initialization",
    "license",
    "load_files",
    "meta_predicate",
    "mode",
    "module",
    "module_transparent",
    "multifile",
    "op",
    "pragma",
    "public",
    "reexport",
    "rules",
    "set_prolog_flag",
    "style_check",
    "table",
    "thread_local",
    "type",
    "use_module",
    "volatile",
];

/// Whether an entry is a directive that ran as a goal when it was added.
fn is_goal(entry: &Entry) -> bool {
    !entry.is_clause()
        && entry.restore().is_none()
        && DECLARATIONS.binary_search(&&*entry.predicate().name).is_err()
}

fn begin_line(out: &mut String) {
    if !out.is_empty() && !out.ends_with('\n') {
        out.push('\n');
    }
}

async fn push_file(group: &Group<'_>, comments: &BTreeSet<EntryId>, out: &mut String, pace: &Pace) {
    // A byte order mark and a `#!` line have a meaning only at the start of a file.
    let begin = out.len();
    group.push_text(comments, out, pace).await;
    while begin > 0 && out[begin..].starts_with('\u{feff}') {
        out.remove(begin);
    }
    if begin > 0 && out[begin..].starts_with("#!") {
        out.replace_range(begin..begin + 1, "%");
    }
    let tail = &group.source.text[group.source.tail as usize..];
    // `end_of_file.` would end more than its file.
    let tail = Lexer::new(tail).next().map_or(tail, |token| &tail[..token.start]);
    let follows = group
        .entries
        .last()
        .is_some_and(|(id, entry)| entry.span().end == group.source.tail as usize && !comments.contains(id));
    if !follows && !tail.starts_with('\n') && !tail.is_empty() {
        begin_line(out);
    }
    out.push_str(tail);
}

async fn push_lines(group: &Group<'_>, comments: &BTreeSet<EntryId>, out: &mut String, pace: &Pace) {
    for (id, entry) in &group.entries {
        begin_line(out);
        let text = entry.text().trim();
        // At the start of a text this would not be a clause.
        if out.is_empty() && text.starts_with("#!") {
            out.push('\n');
        }
        if comments.contains(id) {
            let layout = entry.text().len() - entry.text().trim_start().len();
            push_comment(text, entry.lead() - layout, out);
        } else {
            out.push_str(text);
        }
        if pace.is_over(1 + text.len() / 64) {
            pace.rest().await;
        }
    }
}
