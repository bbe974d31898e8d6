//! The parts of paths and keys: names in them cannot be taken for their punctuation.

use std::borrow::Cow;

/// How characters of names are written where a path or a key could mean something by them.
const CODES: [(char, &str); 6] = [
    ('/', "%2F"),
    ('.', "%2E"),
    ('#', "%23"),
    ('(', "%28"),
    ('[', "%5B"),
    ('%', "%25"),
];

/// A name as a part of a path. Usual names stay as they are.
pub fn part(name: &str) -> Cow<'_, str> {
    let mut whole = String::new();
    let mut from = 0;
    for (at, character) in name.char_indices() {
        let rest = &name[at + character.len_utf8()..];
        let means = match character {
            '/' | '.' => true,
            // A visit, a round or an item.
            '#' | '(' | '[' => rest.starts_with(|next: char| next.is_ascii_digit()),
            '%' => code(&name[at..]).is_some(),
            _ => false,
        };
        if let Some((_, code)) = CODES.iter().find(|(known, _)| means && *known == character) {
            whole.push_str(&name[from..at]);
            whole.push_str(code);
            from = at + character.len_utf8();
        }
    }
    if from == 0 {
        return Cow::Borrowed(name);
    }
    whole.push_str(&name[from..]);
    Cow::Owned(whole)
}

/// Whether a path is within an item, as `each[0].step`.
pub fn of_item(path: &str) -> bool {
    let mut rest = path.split('[').skip(1);
    rest.any(|rest| rest.starts_with(|next: char| next.is_ascii_digit()))
}

/// A path with its names as the text has them, for people.
pub fn shown(path: &str) -> String {
    let mut whole = String::with_capacity(path.len());
    let mut rest = path;
    while let Some(next) = rest.chars().next() {
        let (character, length) = code(rest).unwrap_or((next, next.len_utf8()));
        whole.push(character);
        rest = &rest[length..];
    }
    whole
}

/// The character whose code this begins with, and how long the code is.
fn code(text: &str) -> Option<(char, usize)> {
    let known = CODES.iter().find(|(_, code)| text.starts_with(code));
    known.map(|(character, code)| (*character, code.len()))
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn usual_names_stay_as_they_are() {
        for name in ["a", "Check (final)", "step_1", "50 %", "größe", "a#b", "x[i]"] {
            assert_eq!(part(name), name);
        }
        assert_eq!(part("a/1/b"), "a%2F1%2Fb");
        assert_eq!(part("a#2.b(1)[0]%2F"), "a%232%2Eb%281)%5B0]%252F");
    }

    proptest! {
        #[test]
        fn a_name_is_read_from_its_part(name in "[a/.#(\\[%25FBE8 10]{0,12}") {
            let part = part(&name);
            prop_assert!(!part.contains(['/', '.']));
            prop_assert_eq!(shown(&part), name);
        }
    }
}
