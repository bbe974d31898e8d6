//! How a file separates and quotes its values.

use std::collections::BTreeSet;

use csv::{Reader, ReaderBuilder};
use hornbook_base::Pace;

use super::SAMPLE_BYTES;

/// How many lines are looked at.
const SAMPLE_LINES: usize = 50;
/// At most so many lines above a table are none of its rows, and at least so many are in it then.
const MOST_ABOVE: usize = 8;
const LEAST_BELOW: usize = 2;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dialect {
    pub delimiter: u8,
    pub quote: u8,
    /// Lines that begin with it are comments.
    pub comment: Option<u8>,
    /// Every delimiter is followed by a space, which is not part of the value.
    pub spaced: bool,
    /// Each line has colons, and nothing else that could divide it: it is one value all the same.
    pub whole: bool,
}

impl Dialect {
    /// That of a text, whose delimiter may be known.
    pub fn of(text: &str, delimiter: Option<u8>) -> Dialect {
        let sample = sample(text);
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
            delimiter == b',' && has_colons(rows) && rows.iter().all(|row| count(row, b',', quote) == 0);
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

/// Lines above a table that may be none of its rows.
pub struct Above {
    pub lines: usize,
    pub bytes: usize,
    /// They have delimiters, and may be rows.
    pub is_divided: bool,
}

/// A few lines with one delimiter or none, and with fewer values than all lines below them, which have equally many. A
/// spreadsheet fills them up with delimiters.
pub fn above(text: &str, delimiter: Option<u8>) -> Option<Above> {
    let sample = sample(text);
    let all: Vec<&str> = lines(sample, b'"').take(SAMPLE_LINES).collect();
    if all.first()?.starts_with('#') {
        return None;
    }
    let columns = |lines: &[&str]| {
        let delimiter = delimiter.unwrap_or_else(|| delimiter_of(lines));
        let count = |line: &&str| count(line, delimiter, b'"');
        let first = lines.first().map(count)?;
        let are_even = delimiter != b':' && lines.iter().all(|line| count(line) == first);
        // Delimiters that end all lines are before no value.
        let ends = |line: &&str| line.len() - line.trim_end_matches(char::from(delimiter)).len();
        let filled = first.saturating_sub(lines.iter().map(ends).min().unwrap_or_default());
        (are_even && filled > 0).then_some((delimiter, filled))
    };
    // As exports of banks have it, a delimiter may end each line.
    let bare =
        |line: &str, delimiter: u8| count(line.trim_end_matches(char::from(delimiter)), delimiter, b'"');
    let most = MOST_ABOVE.min(all.len().saturating_sub(LEAST_BELOW));
    let above = |lines: usize, is_divided| Above {
        lines,
        bytes: all[lines].as_ptr() as usize - text.as_ptr() as usize,
        is_divided,
    };
    if let Some((delimiter, columns)) = columns(&all) {
        let is_filled_up = |line: &&&str| bare(line, delimiter) < columns.min(2);
        let lines = all.iter().take_while(is_filled_up).count();
        return (1..=most).contains(&lines).then(|| above(lines, true));
    }
    (1..=most).find_map(|lines| {
        let (delimiter, columns) = columns(&all[lines..])?;
        let most = all[..lines].iter().map(|line| bare(line, delimiter)).max();
        let most = most.unwrap_or_default();
        (most < columns.min(2)).then(|| above(lines, most > 0))
    })
}

/// The delimiter of a text whose first line has one value less than all others, which begin with names of rows: different
/// texts, or numbers that count them.
pub fn beside_names(text: &str, delimiter: Option<u8>) -> Option<u8> {
    let all: Vec<&str> = lines(sample(text), b'"').take(SAMPLE_LINES).collect();
    let (first, rows) = all.split_first().filter(|(_, rows)| rows.len() >= LEAST_BELOW)?;
    let delimiter = delimiter.unwrap_or_else(|| delimiter_of(rows));
    let columns = count(first, delimiter, b'"') + 1;
    let name = |line: &&'_ str| {
        let end = line.find(char::from(delimiter)).unwrap_or(line.len());
        line[..end].trim().trim_matches('"').to_owned()
    };
    let is_row = |line: &&str| {
        count(line, delimiter, b'"') == columns && !line.trim_end().ends_with(char::from(delimiter))
    };
    let names: Vec<String> = rows.iter().map(name).collect();
    let different: BTreeSet<&String> = names.iter().collect();
    let are_counted = (1..).zip(&names).all(|(at, name)| name.parse() == Ok(at));
    let are_texts = names.iter().all(|name| name.starts_with(char::is_alphabetic));
    let is_so = columns > 1
        && !first.starts_with('#')
        && rows.iter().all(is_row)
        && different.len() == names.len()
        && (are_counted || are_texts);
    is_so.then_some(delimiter)
}

/// What is looked at of a text.
fn sample(text: &str) -> &str {
    let mut end = text.len().min(SAMPLE_BYTES);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    &text[..end]
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
        .unwrap_or_else(|| if is_divided_by_colons(lines) { b':' } else { b',' })
}

/// Whether lines are as those of `/etc/passwd`. Colons stand in times, addresses, names and sentences, too, which must
/// not be torn apart: in doubt they divide nothing.
fn is_divided_by_colons(lines: &[&str]) -> bool {
    if lines.len() < 2 || lines.iter().any(|line| line.contains('"')) {
        return false;
    }
    let rows: Vec<Vec<&str>> = lines.iter().map(|line| line.split(':').collect()).collect();
    let (columns, name) = (rows[0].len(), rows[0][0]);
    let is_name = |text: &str| {
        text.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
            && text
                .bytes()
                .all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'))
    };
    let is_hexadecimal = |text: &str| text.bytes().all(|byte| byte.is_ascii_hexdigit());
    let is_count = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    columns > 3
        && rows
            .iter()
            .all(|row| row.len() == columns && is_name(row[0]) && row.iter().all(|value| value.trim() == *value))
        && !lines.iter().any(|line| line.contains("://"))
        // As `urn:` and `fe80:` begin each line of what is no table.
        && rows.iter().any(|row| row[0] != name)
        && !rows.iter().all(|row| is_hexadecimal(row[0]))
        && !lines.iter().all(|line| line.contains("::"))
        // The first line may be a header.
        && (0..columns).any(|at| rows[1..].iter().all(|row| is_count(row[at])))
}

/// Whether each line has equally many colons, and they are not times or addresses alone.
fn has_colons(lines: &[&str]) -> bool {
    let [first, ..] = lines else { return false };
    let colons = count(first, b':', b'"');
    let is_even = lines.iter().all(|line| count(line, b':', b'"') == colons);
    let is_address = |line: &str| line.bytes().all(|byte| byte == b':' || byte.is_ascii_hexdigit());
    let is_time = |line: &str| {
        let mut parts = line.as_bytes().windows(3).filter(|part| part[1] == b':');
        parts.all(|part| part[0].is_ascii_digit() && part[2].is_ascii_digit())
    };
    colons > 0 && is_even && !lines.iter().all(|line| is_address(line) || is_time(line))
}
