//! Upper bounds for the size of replies in o200k_base tokens, computed without the vocabulary, and cutting
//! replies to a budget.

use hornbook_mcp::Object;
use serde::Serialize;
use serde_json::{Value, json};

/// Pairs of lowercase letters that are not tokens; every other pair is one.
const APART: &[u8] = b"bqgkgqjvjzkqkzlqnqqfqgqjqkqvqzrjtqwqwzxgxjxkxqxvxwyqzjzqzv";

/// How a character combines with its neighbors into tokens.
#[derive(Clone, Copy, PartialEq)]
enum Class {
    Small,
    Digit,
    /// Brackets, quotes, colons and commas, as JSON has them.
    Json,
    Space(char),
    Other,
}

/// An upper bound for the number of tokens in `text`. A lowercase letter merges with a neighbor unless the
/// pair is not a token, so `n` letters are at most 2`n`/3 + 1 tokens. Digits merge in threes, blanks in
/// eights.
pub fn most_tokens(text: &str) -> usize {
    let mut meter = Meter::default();
    text.chars().for_each(|c| meter.take(c));
    meter.tokens()
}

/// The same bound for a value written as JSON.
pub fn most_tokens_of(value: &Value) -> usize {
    match value {
        Value::String(text) => {
            let mut meter = Meter::default();
            for c in text.chars() {
                match c {
                    '"' | '\\' | '\n' | '\r' | '\t' => "\\n".chars().for_each(|c| meter.take(c)),
                    '\u{0}'..' ' => "\\u0000".chars().for_each(|c| meter.take(c)),
                    _ => meter.take(c),
                }
            }
            2 + meter.tokens()
        }
        Value::Array(items) => 2 + items.iter().map(|item| 1 + most_tokens_of(item)).sum::<usize>(),
        Value::Object(fields) => {
            let field = |(name, value): (&String, &Value)| 3 + most_tokens(name) + most_tokens_of(value);
            2 + fields.iter().map(field).sum::<usize>()
        }
        Value::Number(number) => most_tokens(&number.to_string()),
        Value::Bool(_) | Value::Null => 1,
    }
}

#[derive(Default)]
struct Meter {
    thirds: usize,
    before: Option<(char, Class)>,
    run: usize,
}

impl Meter {
    fn take(&mut self, c: char) {
        let class = match c {
            'a'..='z' => Class::Small,
            '0'..='9' => Class::Digit,
            '{' | '}' | '[' | ']' | '"' | ':' | ',' => Class::Json,
            ' ' | '\t' | '\n' | '\r' => Class::Space(c),
            _ => Class::Other,
        };
        let same = self.before.is_some_and(|(_, before)| before == class);
        self.run = if same { self.run + 1 } else { 0 };
        let joins = match (self.before, class) {
            (Some((' ', _)), Class::Small) => true,
            (Some((before, Class::Small)), Class::Small) => {
                let pair = [before as u8, c as u8];
                !APART.chunks_exact(2).any(|apart| apart == pair)
            }
            _ => false,
        };
        self.thirds += match class {
            Class::Small if joins => 2,
            Class::Digit if !self.run.is_multiple_of(3) => 0,
            Class::Space(_) if !self.run.is_multiple_of(8) => 0,
            Class::Json if same => 2,
            _ => 3 * tokens_of(c),
        };
        self.before = Some((c, class));
    }

    fn tokens(&self) -> usize {
        self.thirds.div_ceil(3)
    }
}

/// The bound for a single character: its bytes, except for ASCII and the most common letters of Europe, which
/// are one token.
fn tokens_of(c: char) -> usize {
    match c {
        '\u{0}'..='\u{7f}' | 'à'..='ÿ' | 'α'..='ω' | 'а'..='я' => 1,
        _ => c.len_utf8(),
    }
}

/// The beginning of `text` that fits in `tokens`, cut at the end of a line if possible; all of it if it fits.
pub fn within(text: &str, tokens: usize) -> &str {
    let mut meter = Meter::default();
    let mut line = 0;
    for (at, c) in text.char_indices() {
        meter.take(c);
        if meter.tokens() > tokens {
            return &text[..if line > 0 { line } else { at }];
        }
        if c == '\n' {
            line = at + 1;
        }
    }
    text
}

/// The items that fit the budget, as text and as data.
pub struct Fitted<D> {
    pub text: String,
    pub data: Vec<D>,
}

/// Take items while they fit: `tokens` for the text, and as many again for the data.
pub fn fitted<D: Serialize>(tokens: usize, items: impl Iterator<Item = (String, D)>) -> Fitted<D> {
    let mut fitted = Fitted {
        text: String::new(),
        data: Vec::new(),
    };
    let (mut text_left, mut data_left) = (tokens, tokens);
    for (text, data) in items {
        let (text_cost, data_cost) = (most_tokens(&text), 1 + most_tokens_of(&json!(data)));
        if text_cost > text_left || data_cost > data_left {
            break;
        }
        (text_left, data_left) = (text_left - text_cost, data_left - data_cost);
        fitted.text.push_str(&text);
        fitted.data.push(data);
    }
    fitted
}

/// The last resort for a result that still exceeds `most` tokens: cut its long parts, and mark them as cut.
pub fn bound(result: &mut Object, most: usize) {
    for list in ["content", "contents"] {
        for part in result
            .get_mut(list)
            .and_then(Value::as_array_mut)
            .into_iter()
            .flatten()
        {
            bound_text(part, most);
        }
    }
    for message in result
        .get_mut("messages")
        .and_then(Value::as_array_mut)
        .into_iter()
        .flatten()
    {
        bound_text(&mut message["content"], most);
    }
    let Some(structured) = result.get_mut("structuredContent") else {
        return;
    };
    let mut length = most;
    while most_tokens_of(structured) > most && length > 1 {
        length /= 2;
        shorten(structured, length);
        structured["truncated"] = json!(true);
    }
}

fn bound_text(part: &mut Value, most: usize) {
    let Some(text) = part.get("text").and_then(Value::as_str) else {
        return;
    };
    let kept = within(text, most.saturating_sub(NOTE));
    if kept.len() < text.len() && most_tokens(text) > most {
        let left = text[kept.len()..].chars().count();
        part["text"] = json!(format!("{kept}\n… cut: {left} more characters"));
    }
}

/// Tokens reserved for a sentence that says what was left out.
pub const NOTE: usize = 60;

/// Cut strings to `length` characters and lists to `length` items.
fn shorten(value: &mut Value, length: usize) {
    match value {
        Value::String(text) => {
            if let Some((end, _)) = text.char_indices().nth(length) {
                text.truncate(end);
                text.push('…');
            }
        }
        Value::Array(items) => {
            items.truncate(length);
            items.iter_mut().for_each(|item| shorten(item, length));
        }
        Value::Object(fields) => fields.values_mut().for_each(|field| shorten(field, length)),
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Texts with their token counts from a real tokenizer (`tests/node/budget.test.mjs` recounts them).
    fn counted() -> Vec<(String, usize)> {
        serde_json::from_str(include_str!("tests/tokens.json")).expect("pairs")
    }

    #[test]
    fn no_text_has_more_tokens_than_the_bound_says() {
        let counted = counted();
        assert!(counted.len() > 30);
        for (text, tokens) in counted {
            let start: String = text.chars().take(60).collect();
            let most = most_tokens(&text);
            assert!(most >= tokens, "{most} < {tokens}: {start}");
            assert!(tokens < 50 || most <= 8 * tokens, "{most} for {tokens}: {start}");
            let as_json = most_tokens_of(&json!(text));
            assert!(as_json >= tokens, "{as_json} < {tokens}: {start}");
        }
    }

    #[test]
    fn a_text_is_cut_at_the_end_of_a_line_where_it_has_one() {
        let text = "parent(ann, bob).\n".repeat(100);
        let kept = within(&text, 100);
        assert!(kept.ends_with(").\n") && kept.len() < 200, "{kept}");
        assert_eq!(within("a.\n", 100), "a.\n");
        assert_eq!(within(&"x".repeat(90), 20).len(), 29);
    }

    #[test]
    fn items_fit_as_far_as_text_and_data_have_room() {
        let items = (0..1000).map(|number| (format!("{number}\n"), json!([number, "and more than that"])));
        let fitted = fitted(500, items);
        assert_eq!(fitted.text.lines().count(), fitted.data.len());
        assert!((10..100).contains(&fitted.data.len()), "{}", fitted.data.len());
        assert!(most_tokens_of(&json!(fitted.data)) <= 502);
    }

    #[test]
    fn whatever_is_too_long_is_cut_in_the_end_and_says_so() {
        let long = "word ".repeat(10_000);
        let mut result = hornbook_mcp::object(json!({
            "content": [{ "type": "text", "text": long }],
            "structuredContent": { "a": long, "b": [long, long], "c": vec![1; 50_000] },
        }));
        bound(&mut result, 1_000);
        let text = result["content"][0]["text"].as_str().unwrap();
        assert!(
            most_tokens(text) <= 1_000 && text.ends_with("more characters"),
            "{text}"
        );
        assert!(most_tokens_of(&result["structuredContent"]) <= 1_000);
        assert_eq!(result["structuredContent"]["truncated"], true);
        let mut small = hornbook_mcp::object(json!({ "structuredContent": { "a": "b" } }));
        bound(&mut small, 1_000);
        assert_eq!(small["structuredContent"], json!({ "a": "b" }));
    }
}
