//! Reads long messages in slices, between which the host does other work.

use hornbook_base::Pace;
use serde_json::{Map, Value};

/// Texts of up to this many bytes are parsed at once; longer ones in slices.
pub const AT_ONCE: usize = 1 << 16;

/// A string is read in pieces of about this many bytes, or a little more.
const PIECE: usize = 1 << 13;

/// The deepest nesting that is read; the same as serde_json's.
const DEPTH: usize = 127;

/// What is wrong with a text that is not JSON, and at which byte.
#[derive(Debug, PartialEq)]
pub struct NotJson {
    what: String,
    at: usize,
}

impl std::fmt::Display for NotJson {
    fn fmt(&self, out: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(out, "{} at byte {}", self.what, self.at)
    }
}

/// A list or an object whose end has not been read.
enum Open {
    List(Vec<Value>),
    /// With the key of the next value.
    Object(Map<String, Value>, String),
}

/// Parse a JSON text.
pub async fn read(text: &str, pace: &Pace) -> Result<Value, NotJson> {
    let mut reader = Reader { text, at: 0 };
    let mut open: Vec<Open> = Vec::new();
    loop {
        let begun = reader.at;
        if open.len() == DEPTH && matches!(reader.peek(), Some(b'[' | b'{')) {
            return Err(reader.fault("recursion limit exceeded"));
        }
        let mut value = match reader.begin(pace).await? {
            Begun::Value(value) => value,
            Begun::Open(inner) => {
                open.push(inner);
                continue;
            }
        };
        if pace.is_over(1 + (reader.at - begun) / 64) {
            pace.rest().await;
        }
        loop {
            match open.pop() {
                None => return reader.end().map(|()| value),
                Some(Open::List(mut items)) => {
                    items.push(value);
                    if reader.goes_on(b']')? {
                        open.push(Open::List(items));
                        break;
                    }
                    value = Value::Array(items);
                }
                Some(Open::Object(mut members, key)) => {
                    members.insert(key, value);
                    if reader.goes_on(b'}')? {
                        let key = reader.key(pace).await?;
                        open.push(Open::Object(members, key));
                        break;
                    }
                    value = Value::Object(members);
                }
            }
        }
    }
}

enum Begun {
    Value(Value),
    Open(Open),
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
}

impl Reader<'_> {
    fn fault(&self, what: impl ToString) -> NotJson {
        NotJson {
            what: what.to_string(),
            at: self.at,
        }
    }

    /// The next byte that is not whitespace.
    fn peek(&mut self) -> Option<u8> {
        let rest = &self.text.as_bytes()[self.at..];
        let layout = rest.iter().take_while(|byte| b" \t\r\n".contains(byte)).count();
        self.at += layout;
        rest.get(layout).copied()
    }

    /// Consume `byte` if it comes next.
    fn take(&mut self, byte: u8) -> bool {
        let found = self.peek() == Some(byte);
        self.at += usize::from(found);
        found
    }

    /// After a value in a list or an object: whether another one follows.
    fn goes_on(&mut self, end: u8) -> Result<bool, NotJson> {
        match self.take(b',') {
            true => Ok(true),
            false if self.take(end) => Ok(false),
            false => Err(self.fault(format!("expected `,` or `{}`", char::from(end)))),
        }
    }

    fn end(&mut self) -> Result<(), NotJson> {
        match self.peek() {
            None => Ok(()),
            Some(_) => Err(self.fault("trailing characters")),
        }
    }

    /// Read a value, or the start of a list or an object.
    async fn begin(&mut self, pace: &Pace) -> Result<Begun, NotJson> {
        if self.take(b'[') {
            return Ok(match self.take(b']') {
                true => Begun::Value(Value::Array(Vec::new())),
                false => Begun::Open(Open::List(Vec::new())),
            });
        }
        if self.take(b'{') {
            return Ok(match self.take(b'}') {
                true => Begun::Value(Value::Object(Map::new())),
                false => Begun::Open(Open::Object(Map::new(), self.key(pace).await?)),
            });
        }
        match self.peek() {
            Some(b'"') => Ok(Begun::Value(Value::String(self.string(pace).await?))),
            _ => Ok(Begun::Value(self.plain()?)),
        }
    }

    async fn key(&mut self, pace: &Pace) -> Result<String, NotJson> {
        if self.peek() != Some(b'"') {
            return Err(self.fault("key must be a string"));
        }
        let key = self.string(pace).await?;
        match self.take(b':') {
            true => Ok(key),
            false => Err(self.fault("expected `:`")),
        }
    }

    /// A number, `true`, `false` or `null`.
    fn plain(&mut self) -> Result<Value, NotJson> {
        let rest = &self.text[self.at..];
        let end = rest
            .find([',', ']', '}', ' ', '\t', '\r', '\n'])
            .unwrap_or(rest.len());
        let value = serde_json::from_str(&rest[..end]).map_err(|_| self.fault("expected a value"))?;
        self.at += end;
        Ok(value)
    }

    /// Read a string; the position is at its quotation mark.
    async fn string(&mut self, pace: &Pace) -> Result<String, NotJson> {
        let bytes = self.text.as_bytes();
        self.at += 1;
        let mut from = self.at;
        let mut read = String::new();
        loop {
            match bytes.get(self.at) {
                None => return Err(self.fault("EOF while parsing a string")),
                Some(b'"') => {
                    read.push_str(&self.piece(from)?);
                    self.at += 1;
                    return Ok(read);
                }
                Some(b'\\') => self.at += escape(&bytes[self.at..]),
                Some(_) => self.at += 1,
            }
            if self.at - from >= PIECE && self.text.is_char_boundary(self.at) {
                read.push_str(&self.piece(from)?);
                from = self.at;
                if pace.is_over(PIECE / 64) {
                    pace.rest().await;
                }
            }
        }
    }

    /// The decoded piece of a string from `from` to the current position.
    fn piece(&self, from: usize) -> Result<String, NotJson> {
        let quoted = format!("\"{}\"", self.text.get(from..self.at).unwrap_or("\\"));
        serde_json::from_str(&quoted)
            .map_err(|_| self.fault("invalid escape or control character in a string before"))
    }
}

/// The length of an escape sequence in bytes; a surrogate pair counts as one.
fn escape(bytes: &[u8]) -> usize {
    match bytes {
        [
            _,
            b'u',
            b'd' | b'D',
            b'8' | b'9' | b'a' | b'A' | b'b' | b'B',
            _,
            _,
            b'\\',
            b'u',
            ..,
        ] => 12,
        [_, b'u', ..] => 6,
        _ => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hornbook_base::at_once;
    use proptest::prelude::*;

    fn read_all(text: &str) -> Option<Value> {
        at_once(read(text, &Pace::unbroken())).ok()
    }

    #[test]
    fn what_serde_json_reads_is_read_and_nothing_else() {
        let deep = |depth: usize| format!("{}{}", "[".repeat(depth), "]".repeat(depth));
        let pairs = "\\ud83d\\ude00".repeat(PIECE);
        let letters = "aé中😀\\n\\\\\\\"\\u00e9".repeat(PIECE);
        for text in [
            "{}",
            "[]",
            " [ 1 , 2.5e3 , -0 ] ",
            "null",
            "tru",
            "",
            " ",
            "[1,]",
            "[,]",
            "{\"a\":1,}",
            "{\"a\" 1}",
            "{a:1}",
            "{\"a\":1,\"a\":2}",
            "[1 2]",
            "1 2",
            "\"",
            "\"\\\"",
            "\"\\u12\"",
            "\"\\é\"",
            "\"\\ud800\"",
            "\"\\ud800\\u0041\"",
            "\"\\udc00\\ud800\"",
            "\"\n\"",
            "01",
            "1.",
            "-",
            "\"\\x\"",
            "[\"a\",{\"b\":[{}]}]",
            "[}",
            "{]",
            "nul]",
            "18446744073709551616",
            "1e999",
            "\u{feff}1",
            &deep(127),
            &deep(128),
            &format!("{}1{}", "[".repeat(127), "]".repeat(127)),
            &format!("\"{pairs}\""),
            &format!("\"a{pairs}\""),
            &format!("\"{letters}\""),
            &format!("[\"{letters}"),
            &format!("\"{}\\ud83d\"", "a".repeat(PIECE - 4)),
        ] {
            assert_eq!(
                read_all(text),
                serde_json::from_str(text).ok(),
                "{}",
                &text[..text.len().min(60)]
            );
        }
    }

    proptest! {
        #[test]
        fn any_text_is_read_as_serde_json_reads_it(
            text in r#"([\[\]{}:,"\\]|true|null|-?[0-9]{1,2}|"[a-é]{0,3}"|"\\\\u[0-9a-fD]{4}"|[ \n]){0,12}"#
        ) {
            prop_assert_eq!(read_all(&text), serde_json::from_str(&text).ok());
        }
    }
}
