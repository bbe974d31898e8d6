//! How the terms of requests are written.

use std::fmt::Write;

use hornbook_book::{Predicate, Run};

/// A float with a fraction, as Prolog reads it.
pub fn seconds(ms: u64) -> String {
    format!("{}.{:03}", ms / 1000, ms % 1000)
}

pub(super) fn write_indicators(out: &mut String, predicates: &[Predicate]) {
    list(out, predicates, |out, predicate| {
        quote(out, &predicate.name, '\'');
        let _ = write!(out, "/{}", predicate.arity);
    });
}

pub(super) fn write_runs(out: &mut String, ids: &[Run]) {
    list(out, ids, |out, run| {
        let _ = write!(out, "{}-{}", run.first, run.count);
    });
}

/// The length of a text that follows the term, in code points.
pub(super) fn write_length(out: &mut String, text: &str) {
    let _ = write!(out, "{}", text.chars().count());
}

/// Append the texts after the term, verbatim: quoting long texts and reading them as part of the term would
/// take much longer.
pub(super) fn follow<'a>(out: &mut String, texts: impl Iterator<Item = &'a str> + Clone) {
    out.reserve(1 + texts.clone().map(str::len).sum::<usize>());
    out.push('\n');
    out.extend(texts);
}

/// A Prolog list, each item written by `write`.
pub fn list<T>(out: &mut String, items: impl IntoIterator<Item = T>, mut write: impl FnMut(&mut String, T)) {
    out.push('[');
    for (index, item) in items.into_iter().enumerate() {
        if index > 0 {
            out.push(',');
        }
        write(out, item);
    }
    out.push(']');
}

/// Quoted text. Control characters are escaped, so that the request is one line. Up to U+FFFF, so is
/// everything but ASCII, letters and digits, since Prolog does not read raw characters for the direction of
/// text. Beyond U+FFFF, it does not read all escapes.
pub fn quote(out: &mut String, text: &str, quote: char) {
    out.push(quote);
    let mut plain = 0;
    let special = |c: char| c.is_control() || !(c.is_ascii() || c > '\u{ffff}' || c.is_alphanumeric());
    for (at, c) in text.char_indices() {
        if !(special(c) || c == '\\' || c == quote) {
            continue;
        }
        out.push_str(&text[plain..at]);
        plain = at + c.len_utf8();
        match c {
            '\n' => out.push_str("\\n"),
            c if special(c) => {
                let _ = write!(out, "\\x{:X}\\", c as u32);
            }
            c => {
                out.push('\\');
                out.push(c);
            }
        }
    }
    out.push_str(&text[plain..]);
    out.push(quote);
}

/// The request `name(text)`.
pub fn text_request(name: &str, text: &str) -> String {
    let mut out = String::with_capacity(name.len() + text.len() + text.len() / 16 + 4);
    out.push_str(name);
    out.push('(');
    quote(&mut out, text, '"');
    out.push(')');
    out
}
