//! What to write in place of what is no JSON.

use hornbook_base::cut;

/// What is wrong at a place, and what to write, in place of an error of the parser.
pub fn instead(error: String, text: &str, at: usize) -> String {
    let is_outside_texts = ["expected", "key must", "invalid number", "trailing"]
        .iter()
        .any(|begin| error.starts_with(begin));
    if let Some(why) = likely(text, at).filter(|_| is_outside_texts) {
        return why;
    }
    let rest = text.get(at..).unwrap_or_default();
    match &*error {
        "expected `,` or `]`" => missing(rest, ']'),
        "expected `,` or `}`" => missing(rest, '}'),
        "expected `:`" => "`:` is missing behind a key".to_owned(),
        control if control.starts_with("control character") => {
            "a text has a line break, a tab or the like; write \\n for a line break, \\t for a tab".to_owned()
        }
        _ => error,
    }
}

/// What is missing before the rest of an array or an object.
pub fn missing(rest: &str, close: char) -> String {
    let next = rest.split_whitespace().next().unwrap_or_default();
    let next = cut(next.trim_end_matches([',', ']', '}']), 24);
    let before = (!next.is_empty()).then(|| format!(" before `{next}`"));
    format!("`,` or `{close}` is missing{}", before.unwrap_or_default())
}

/// The JSON for what is a number elsewhere: `+1`, `.5`, `5.`, `01`, `0x1F`.
fn json_number(written: &str) -> Option<String> {
    let (sign, rest) = match written.strip_prefix('-') {
        Some(rest) => ("-", rest),
        None => ("", written.strip_prefix('+').unwrap_or(written)),
    };
    if let Some(digits) = rest.strip_prefix("0x").or(rest.strip_prefix("0X")) {
        let value = u64::from_str_radix(digits, 16).ok()?;
        return Some(format!("{sign}{value}"));
    }
    let digits = rest.trim_start_matches('0');
    let last = if digits.ends_with('.') { "0" } else { "" };
    let zero = if digits.starts_with(|c: char| c.is_ascii_digit()) {
        ""
    } else {
        "0"
    };
    let number = format!("{sign}{zero}{digits}{last}");
    if !rest.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    serde_json::from_str::<serde_json::Number>(&number).ok()?;
    let text = if rest.len() > 1 && rest.bytes().all(|byte| byte.is_ascii_digit()) {
        format!(", or \"{written}\" for a text")
    } else {
        String::new()
    };
    (number != written).then(|| number + &text)
}

/// What is at a place where no JSON goes on, and what to write, if it is what other programs or people write.
pub fn likely(text: &str, at: usize) -> Option<String> {
    let is_of_word =
        |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'+' | b'.' | b'_' | b'$');
    let bytes = text.as_bytes();
    let begin = at
        - bytes[..at]
            .iter()
            .rev()
            .take_while(|byte| is_of_word(byte))
            .count();
    let end = at + bytes[at..].iter().take_while(|byte| is_of_word(byte)).count();
    let before = bytes[..begin].trim_ascii_end();
    Some(match &bytes[begin..end] {
        [] => match bytes.get(at..)? {
            [b']' | b'}', ..] if before.ends_with(b",") => {
                "nothing follows a comma; remove the comma".to_owned()
            }
            [b'\'', ..] => "a text is in single quotes; write double quotes".to_owned(),
            [b'/', b'/' | b'*', ..] | [b'#', ..] => {
                "there is a comment, which JSON has not; remove it".to_owned()
            }
            _ => return None,
        },
        word => {
            let written = str::from_utf8(word).ok()?;
            if before.ends_with(b"{")
                || before.ends_with(b",") && bytes[end..].trim_ascii_start().starts_with(b":")
            {
                return Some(format!("the key {written} is not in quotes; write \"{written}\""));
            }
            let means = match &*written.trim_start_matches(['-', '+']).to_ascii_lowercase() {
                "nan" | "inf" | "infinity" | "none" | "null" | "nil" | "undefined" => "null",
                "true" => "true",
                "false" => "false",
                _ => &json_number(written)?,
            };
            if written == means {
                return None;
            }
            format!("{written} is not JSON; write {means}")
        }
    })
}
