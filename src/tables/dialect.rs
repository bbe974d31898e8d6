//! How a file separates and quotes its values.

use csv::{Reader, ReaderBuilder};
use hornbook_base::Pace;

use super::SAMPLE_BYTES;

/// How many lines are looked at.
const SAMPLE_LINES: usize = 50;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dialect {
    pub delimiter: u8,
    pub quote: u8,
    /// Lines that begin with it are comments.
    pub comment: Option<u8>,
    /// Every delimiter is followed by a space, which is not part of the value.
    pub spaced: bool,
    /// Each line has one colon, and nothing else that could divide it: it is one value all the same.
    pub whole: bool,
}

impl Dialect {
    /// That of a text, whose delimiter may be known.
    pub fn of(text: &str, delimiter: Option<u8>) -> Dialect {
        let mut end = text.len().min(SAMPLE_BYTES);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        let sample = &text[..end];
        let all: Vec<&str> = lines(sample, b'"').take(SAMPLE_LINES).collect();
        let (comments, data): (Vec<&str>, Vec<&str>) = all.iter().partition(|line| line.starts_with('#'));
        let delimiter = delimiter.unwrap_or_else(|| delimiter_of(&data));
        // A first line with # and the columns of the others is a header.
        let is_header = match (comments.as_slice(), data.first()) {
            ([one], Some(row)) => {
                sample.starts_with('#') && count(one, delimiter, b'"') == count(row, delimiter, b'"')
            }
            _ => false,
        };
        let comment = (all.first().is_some_and(|line| line.starts_with('#')) && !is_header).then_some(b'#');
        let rows = if comment.is_some() { &data } else { &all };
        let is_single = |line: &&str| {
            let mut values = line.split(char::from(delimiter)).map(str::trim);
            values.all(|value| value.len() > 1 && value.starts_with('\'') && value.ends_with('\''))
        };
        let quote = match !sample.contains('"') && !rows.is_empty() && rows.iter().take(1).all(is_single) {
            true => b'\'',
            false => b'"',
        };
        let follows = |line: &&&str| {
            let spaces = line.as_bytes().iter().skip(1).chain([&b'\n']);
            let mut inside = false;
            let mut after = line.bytes().zip(spaces).filter_map(|(byte, next)| {
                inside ^= byte == quote;
                (!inside && byte == delimiter).then_some(*next == b' ')
            });
            after
                .next()
                .is_some_and(|first| first && after.all(|is_space| is_space))
        };
        let spaced = delimiter != b'\t'
            && !rows.is_empty()
            && rows.iter().take(5).filter(follows).count() == rows.len().min(5);
        let whole =
            delimiter == b',' && colons(rows) == 1 && rows.iter().all(|row| count(row, b',', quote) == 0);
        Dialect {
            delimiter,
            quote,
            comment,
            spaced,
            whole,
        }
    }

    pub fn reader<'t>(&self, text: &'t str) -> Reader<&'t [u8]> {
        ReaderBuilder::new()
            .delimiter(self.delimiter)
            .quote(self.quote)
            .comment(self.comment)
            .has_headers(false)
            .flexible(true)
            .from_reader(text.as_bytes())
    }

    /// The text without the spaces that follow its delimiters: a quote behind them would be part of the value.
    pub async fn unspaced(&self, text: &str, pace: &Pace) -> String {
        let mut unspaced = String::with_capacity(text.len());
        let (mut is_start, mut is_quoted, mut inside) = (true, false, false);
        for line in text.split_inclusive('\n') {
            for c in line.chars() {
                if is_start && c == ' ' {
                    continue;
                }
                let is_quote = c == char::from(self.quote);
                is_quoted = if is_start { is_quote } else { is_quoted };
                inside ^= is_quote && is_quoted;
                is_start = !inside && (c == '\n' || c == char::from(self.delimiter));
                unspaced.push(c);
            }
            if pace.is_over(line.len() / 64) {
                pace.rest().await;
            }
        }
        unspaced
    }

    /// The delimiter, for messages; none for a comma.
    pub fn delimiter_name(&self) -> Option<&'static str> {
        match self.delimiter {
            b';' => Some("semicolons"),
            b'\t' => Some("tabs"),
            b'|' => Some("bars"),
            b':' => Some("colons"),
            _ => None,
        }
    }

    /// The fields of a record as it is written: for each whether it is quoted. Also whether its last quote is closed.
    pub fn quoted(&self, raw: &[u8]) -> (Vec<bool>, bool) {
        let mut quoted = Vec::new();
        let mut at = 0;
        loop {
            let is_quoted = raw.get(at) == Some(&self.quote);
            quoted.push(is_quoted);
            if is_quoted {
                at += 1;
                loop {
                    match raw.get(at) {
                        None => return (quoted, false),
                        Some(byte) if *byte == self.quote && raw.get(at + 1) == Some(&self.quote) => at += 2,
                        Some(byte) if *byte == self.quote => break,
                        Some(_) => at += 1,
                    }
                }
            }
            match raw[at.min(raw.len())..]
                .iter()
                .position(|byte| *byte == self.delimiter)
            {
                Some(next) => at += next + 1,
                None => return (quoted, true),
            }
        }
    }
}

/// The lines of a text that are not empty, without those that a quoted value goes over being divided.
fn lines(text: &str, quote: u8) -> impl Iterator<Item = &str> {
    let mut rest = text;
    std::iter::from_fn(move || {
        loop {
            if rest.is_empty() {
                return None;
            }
            let mut inside = false;
            let end = rest.bytes().position(|byte| {
                inside ^= byte == quote;
                !inside && matches!(byte, b'\n' | b'\r')
            });
            let line;
            (line, rest) = match end {
                Some(end) => (&rest[..end], &rest[end + 1..]),
                None => (rest, ""),
            };
            if !line.trim().is_empty() {
                return Some(line);
            }
        }
    })
}

/// How often a delimiter stands in a line outside of quotes.
fn count(line: &str, delimiter: u8, quote: u8) -> usize {
    let mut inside = false;
    let outside = line.bytes().filter(|byte| {
        inside ^= *byte == quote;
        !inside && *byte == delimiter
    });
    outside.count()
}

/// The delimiter that most lines have as often as the first.
fn delimiter_of(lines: &[&str]) -> u8 {
    let Some(first) = lines.first() else { return b',' };
    let score = |delimiter: u8| {
        let columns = count(first, delimiter, b'"');
        let same = lines
            .iter()
            .filter(|line| count(line, delimiter, b'"') == columns)
            .count();
        if columns == 0 { (0, 0) } else { (same, columns) }
    };
    // The last of equals wins.
    let best = [b'|', b'\t', b';', b',']
        .into_iter()
        .max_by_key(|delimiter| score(*delimiter));
    best.filter(|delimiter| score(*delimiter) > (0, 0))
        .unwrap_or_else(|| if colons(lines) > 1 { b':' } else { b',' })
}

/// How many colons each of several lines has, as in `/etc/passwd`; 0 if it is not the same number, or if the lines are
/// times or addresses: hexadecimal digits between colons.
fn colons(lines: &[&str]) -> usize {
    let [first, others @ ..] = lines else { return 0 };
    let is_address = |line: &&str| line.bytes().all(|byte| byte == b':' || byte.is_ascii_hexdigit());
    let columns = count(first, b':', b'"');
    let is_even = others.iter().all(|line| count(line, b':', b'"') == columns);
    if is_even && !others.iter().all(is_address) {
        columns
    } else {
        0
    }
}
