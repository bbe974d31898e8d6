//! Reads long JSON in slices.

use hornbook_base::Pace;
use serde::Deserialize;
use serde_json::value::RawValue;

/// How many bytes of a text are read at once.
const STRETCH: usize = 64 << 10;

/// Pass each value of a list of any length to `take`.
pub async fn each<'a, T: Deserialize<'a>>(
    list: &'a RawValue,
    pace: &Pace,
    mut take: impl FnMut(T) -> Result<(), String>,
) -> Result<(), String> {
    let json = list.get();
    let inner = json.strip_prefix('[').and_then(|json| json.strip_suffix(']'));
    let mut rest = inner.ok_or("there is no list where one belongs")?.trim();
    while !rest.is_empty() {
        let (value, others) = first_of(rest);
        rest = others;
        take(serde_json::from_str(value).map_err(|error| error.to_string())?)?;
        if pace.is_over(1) {
            pace.rest().await;
        }
    }
    Ok(())
}

/// The first value of a list without its brackets, and what follows the comma after it. The list must be
/// valid JSON.
fn first_of(list: &str) -> (&str, &str) {
    let (mut depth, mut quoted, mut escaped) = (0usize, false, false);
    for (at, byte) in list.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' if quoted => escaped = true,
            b'"' => quoted = !quoted,
            _ if quoted => {}
            b'[' | b'{' => depth += 1,
            b']' | b'}' => depth = depth.saturating_sub(1),
            b',' if depth == 0 => return (&list[..at], &list[at + 1..]),
            _ => {}
        }
    }
    (list, "")
}

/// A text of any length.
pub async fn text(value: &RawValue, pace: &Pace) -> Result<String, String> {
    let json = value.get();
    let inner = json.strip_prefix('"').and_then(|json| json.strip_suffix('"'));
    let mut rest = inner.ok_or("there is no text where one belongs")?;
    let mut text = String::with_capacity(rest.len());
    let mut stretch = String::new();
    while !rest.is_empty() {
        let (begin, others) = rest.split_at(stretch_of(rest));
        rest = others;
        stretch.clear();
        stretch.extend(["\"", begin, "\""]);
        let read: String = serde_json::from_str(&stretch).map_err(|error| error.to_string())?;
        text.push_str(&read);
        if pace.is_over(begin.len() / 64) {
            pace.rest().await;
        }
    }
    Ok(text)
}

/// Where to end a stretch of the inside of a JSON string, between two characters. A character beyond 16 bits
/// may be two escapes, `\ud83d\ude42`.
fn stretch_of(json: &str) -> usize {
    let bytes = json.as_bytes();
    let mut at = 0;
    while at < bytes.len().min(STRETCH) {
        at += match bytes[at..] {
            [
                b'\\',
                b'u',
                b'd' | b'D',
                b'8' | b'9' | b'a' | b'b' | b'A' | b'B',
                ..,
            ] => 12,
            [b'\\', b'u', ..] => 6,
            [b'\\', ..] => 2,
            _ => 1,
        };
    }
    let mut at = at.min(json.len());
    while !json.is_char_boundary(at) {
        at += 1;
    }
    at
}

#[cfg(test)]
mod tests {
    use super::*;
    use hornbook_base::at_once;
    use proptest::prelude::*;

    fn raw(json: &str) -> &RawValue {
        serde_json::from_str(json).expect("JSON")
    }

    proptest! {
        #[test]
        fn a_text_is_read_in_slices_as_it_is_at_once(
            parts in prop::collection::vec(("[a\\\\\"\\x00-\\x1f\u{7f}é🙂]{0,40}", 1..4_000usize, any::<bool>()), 0..6),
        ) {
            let text: String = parts.iter().map(|(part, times, _)| part.repeat(*times)).collect();
            let mut json = serde_json::to_string(&text).unwrap();
            if parts.first().is_some_and(|(_, _, escaped)| *escaped) {
                json = json.replace('🙂', "\\uD83D\\ude42").replace('é', "\\u00e9");
            }
            prop_assert_eq!(at_once(super::text(raw(&json), &Pace::unbroken())), Ok(text));
        }

        #[test]
        fn a_list_is_read_in_slices_as_it_is_at_once(
            values in prop::collection::vec((any::<i64>(), "[a,\\[\\]{}\\\\\"é]{0,9}", prop::collection::vec("[,\"]{0,2}", 0..3)), 0..30),
            spaces in any::<bool>(),
        ) {
            let json = match spaces {
                true => serde_json::to_string_pretty(&values).unwrap(),
                false => serde_json::to_string(&values).unwrap(),
            };
            let mut read = Vec::new();
            let take = |value: (i64, String, Vec<String>)| {
                read.push(value);
                Ok(())
            };
            prop_assert_eq!(at_once(each(raw(&json), &Pace::unbroken(), take)), Ok(()));
            prop_assert_eq!(read, values);
        }
    }

    #[test]
    fn what_is_no_list_or_no_text_is_told() {
        let nothing = |_: u32| Ok(());
        for json in ["7", "{}", "\"a\"", "null"] {
            assert!(
                at_once(each(raw(json), &Pace::unbroken(), nothing)).is_err(),
                "{json}"
            );
        }
        assert!(at_once(each(raw("[1,\"a\"]"), &Pace::unbroken(), nothing)).is_err());
        for json in ["7", "[]", "\"\\ud83d\"", "\"\\ud83dx\""] {
            assert!(at_once(text(raw(json), &Pace::unbroken())).is_err(), "{json}");
        }
    }
}
