//! The requests that tell engines texts: the documents of the book, and what a step reads of other files.

use std::fmt::Write as _;

use hornbook_engine::protocol::{list, quote};

/// About how many bytes of documents are in a request: an engine has up to four for each of its characters.
const TOLD_BYTES: usize = 1 << 20;

/// The requests that give an engine texts by their paths, for good (`kept`) or for the step that runs (`lent`).
pub(super) fn telling<'t>(
    root: Option<String>,
    kind: &'static str,
    texts: impl Iterator<Item = (&'t str, &'t str)> + 't,
) -> impl Iterator<Item = String> + 't {
    let mut parts = texts.flat_map(parts_of).peekable();
    std::iter::from_fn(move || {
        let mut left = TOLD_BYTES;
        let mut told: Vec<Part<'_>> = parts.next().into_iter().collect();
        left = left.saturating_sub(told.first()?.text.len());
        while let Some(part) = parts.next_if(|part| part.text.len() < left) {
            left -= part.text.len();
            told.push(part);
        }
        let mut out = begun(root.as_deref());
        out.push_str("[],");
        list(&mut out, &told, |out, part| part.write(out, kind));
        out.push_str(")\n");
        told.iter().for_each(|part| out.push_str(part.text));
        Some(out)
    })
}

/// The beginning of a request `documents`.
pub(super) fn begun(root: Option<&str>) -> String {
    let mut out = String::from("documents(");
    match root {
        Some(root) => quote(&mut out, root, '\''),
        None => out.push_str("none"),
    }
    out.push(',');
    out
}

/// What one request has of a document.
struct Part<'t> {
    path: &'t str,
    text: &'t str,
    /// How deep the whole document nests, with its first part.
    nesting: Option<usize>,
}

fn parts_of<'t>((path, text): (&'t str, &'t str)) -> impl Iterator<Item = Part<'t>> {
    let mut rest = Some(text);
    std::iter::from_fn(move || {
        let left = rest?;
        let mut end = left.len().min(TOLD_BYTES);
        while !left.is_char_boundary(end) {
            end -= 1;
        }
        let (part, after) = left.split_at(end);
        rest = (!after.is_empty()).then_some(after);
        Some(Part {
            path,
            text: part,
            nesting: (left.len() == text.len()).then(|| nesting(text)),
        })
    })
}

impl Part<'_> {
    fn write(&self, out: &mut String, kind: &str) {
        let characters = self.text.chars().count();
        match self.nesting {
            Some(nesting) => {
                let _ = write!(out, "first({kind},");
                quote(out, self.path, '\'');
                let _ = write!(out, ",{nesting},{characters})");
            }
            None => {
                out.push_str("rest(");
                quote(out, self.path, '\'');
                let _ = write!(out, ",{characters})");
            }
        }
    }
}

/// How deep brackets nest in a text, those in quotes included: Prolog reads no terms that nest too deeply.
fn nesting(text: &str) -> usize {
    let (mut level, mut deepest) = (0_usize, 0);
    for byte in text.bytes() {
        match byte {
            b'(' | b'[' | b'{' => {
                level += 1;
                deepest = deepest.max(level);
            }
            b')' | b']' | b'}' => level = level.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn brackets_nest_as_prolog_counts_them() {
        assert_eq!(nesting("p([1, {a}]) :- q(')')."), 3);
        assert_eq!(nesting("))) ("), 1);
        assert_eq!(nesting(""), 0);
    }

    #[test]
    fn a_long_text_is_told_in_parts_that_end_between_characters() {
        let text = "a".repeat(TOLD_BYTES - 1) + "äö(";
        let requests: Vec<String> =
            telling(None, "kept", [("l.txt", &*text), ("s", "x")].into_iter()).collect();
        let [first, second] = &requests[..] else {
            panic!("{} requests", requests.len());
        };
        let count = TOLD_BYTES - 1;
        assert!(first.starts_with(&format!(
            "documents(none,[],[first(kept,'l.txt',1,{count})])\naaa"
        )));
        assert_eq!(
            second,
            "documents(none,[],[rest('l.txt',3),first(kept,'s',0,1)])\näö(x"
        );
        let empty: Vec<String> = telling(Some("/r".into()), "lent", [("e", "")].into_iter()).collect();
        assert_eq!(empty, ["documents('/r',[],[first(lent,'e',0,0)])\n"]);
    }
}
