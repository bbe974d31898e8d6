//! Text for people and models.

/// `text`, or its first `limit` characters and `…` if it is longer.
pub fn cut(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// Whether a character changes how the line that it is in is shown, or is in it without being seen: a control
/// character, one that changes the direction of text, or one without a width that no script needs.
pub fn is_unseen(c: char) -> bool {
    c.is_control()
        || matches!(
            c,
            '\u{ad}' | '\u{200b}' | '\u{200e}' | '\u{200f}' | '\u{2028}' | '\u{2029}' | '\u{feff}'
        )
        || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{e0000}'..='\u{e007f}')
}

/// `text` on one line, of which all can be seen: unseen characters are shown as their codes, and line ends as blanks.
pub fn visible(text: &str) -> String {
    let mut seen = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '\n' | '\r' | '\t' => seen.push(' '),
            c if is_unseen(c) => seen.push_str(&format!("\\x{:x}\\", u32::from(c))),
            c => seen.push(c),
        }
    }
    seen
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_not_seen_is_shown_as_its_code() {
        let text = "a\u{1b}[2Jb\u{202e}c\r\nd\u{e0041}\u{feff}";
        assert_eq!(visible(text), "a\\x1b\\[2Jb\\x202e\\c  d\\xe0041\\\\xfeff\\");
        assert_eq!(
            visible("näher, \u{645}\u{6cc}\u{200c}\u{62e}\u{648}"),
            "näher, \u{645}\u{6cc}\u{200c}\u{62e}\u{648}"
        );
    }
}
