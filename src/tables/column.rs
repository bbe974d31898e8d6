//! What the values of a column have in common.

use hornbook_base::cut;

use super::marked::{Marked, Marks, marked};
use super::value::{Number, Point, number, push_atom, push_number};
use super::{Column, ColumnKind};

/// How many different values are shown of a column, and how many characters of each.
const EXAMPLES: usize = 2;
const EXAMPLE_CHARS: usize = 24;
/// At most so many values of a text column may be other than numbers for it to be said.
const FEW: usize = 5;
/// How many lines are named of what does not fit.
const LINES: usize = 3;

/// What programs write into a column of numbers where one is missing.
const MISSING: [&str; 5] = ["NA", "N/A", "#N/A", "NaN", "NULL"];

/// Whether a text names no column, as it says that a value is missing: one of those above or alike, or `-`, `?` and so on.
pub fn is_mark(text: &str) -> bool {
    let dashes = |c: char| matches!(c, '-' | '–' | '—' | '?' | '.' | '*' | '/' | ' ');
    let bare = text.replace(dashes, "").to_lowercase();
    !text.trim().is_empty() && matches!(&*bare, "" | "na" | "#na" | "nan" | "null" | "none" | "nil")
}

/// What is known of a column of texts, while its values pass.
#[derive(Debug, Clone, Default)]
pub struct Seen {
    pub nulls: usize,
    /// Those that mean among numbers that one is missing, and the first of them. One that is quoted and empty does.
    missing: usize,
    mark: String,
    /// The others.
    values: usize,
    /// Those that are numbers with a point, with a comma, or both, as integers are.
    dot: usize,
    comma: usize,
    both: usize,
    /// All with a comma could be thousands, as `1,000`.
    only_thousands: bool,
    /// Those whose points could separate thousands, and the first of them.
    dotted: usize,
    first_dotted: String,
    /// Those with a decimal comma, whatever the delimiter is, and whether one of them can be nothing else.
    european: usize,
    has_comma: bool,
    /// The delimiter is another than the comma, so that a comma may be before decimals.
    may_be_comma: bool,
    /// Another column of the file has decimal commas.
    is_beside_commas: bool,
    /// The first that are no numbers of either kind, with their lines.
    others: Vec<(usize, String)>,
    /// How people write numbers: known of all values while all of them are such, and to the end if numbers are asked for.
    marks: Marks,
    examples: Vec<String>,
}

/// How the values of a column are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reading {
    Numbers(Point),
    /// As [`marked`] reads them.
    Marked(Point),
    Texts,
}

impl Seen {
    pub fn new() -> Seen {
        Seen {
            only_thousands: true,
            ..Seen::default()
        }
    }

    /// Take note of a value that is not missing.
    pub fn take(&mut self, text: &str, line: usize, may_be_comma: bool, asked: Option<ColumnKind>) {
        // The atom is the same.
        if text == "null" {
            self.nulls += 1;
            return;
        }
        if text.is_empty() || MISSING.contains(&text.trim()) {
            if self.missing == 0 {
                self.mark = if text.is_empty() { "\"\"" } else { text.trim() }.to_owned();
            }
            self.missing += 1;
            return;
        }
        self.values += 1;
        if self.examples.len() < EXAMPLES {
            let example: String = text.chars().take(EXAMPLE_CHARS + 1).collect();
            if !self.examples.contains(&example) {
                self.examples.push(example);
            }
        }
        self.may_be_comma = may_be_comma;
        let trimmed = text.trim();
        let plain = number(trimmed, Point::Dot);
        let is_asked = asked == Some(ColumnKind::Number);
        let may_be_marked = asked.is_none() && self.marks.others == 0;
        let is_marked = (is_asked || may_be_marked) && self.marks.take(trimmed, line);
        let comma = plain.is_none() && number(trimmed, Point::Comma).is_some();
        if comma || is_european(trimmed) {
            self.european += 1;
            self.has_comma |= !comma || !is_thousands(trimmed, ',');
        }
        if trimmed.contains('.') && is_thousands(trimmed, '.') {
            if self.dotted == 0 {
                self.first_dotted = trimmed.to_owned();
            }
            self.dotted += 1;
        }
        match plain {
            Some(Number::Integer(_)) => self.both += 1,
            Some(Number::Decimal(_, "", _)) => self.both += 1,
            Some(_) => self.dot += 1,
            None if may_be_comma && comma => {
                self.comma += 1;
                self.only_thousands &= is_thousands(trimmed, ',');
            }
            None if self.others.len() < LINES && !(is_asked && is_marked) => {
                self.others.push((line, cut(text, EXAMPLE_CHARS)));
            }
            None => {}
        }
    }

    /// Take note that another column of the file has decimal commas.
    pub fn put_beside_commas(&mut self) {
        self.is_beside_commas = true;
        self.marks.is_beside_commas = true;
    }

    fn numbers(&self, point: Point) -> usize {
        self.both
            + match point {
                Point::Dot => self.dot,
                Point::Comma => self.comma,
            }
    }

    /// Whether all its values are numbers whose decimals are behind a comma.
    pub fn has_decimal_commas(&self) -> bool {
        self.has_comma && self.european + self.both + self.dotted == self.values
    }

    /// Whether its dots may be those of thousands, and not before decimals.
    fn is_doubtful(&self) -> bool {
        self.is_beside_commas && self.dotted > 0 && self.dotted + self.both == self.values
    }

    /// Whether each of its decimals could be thousands, in a file where a comma could be before decimals.
    fn has_dots_of_thousands(&self) -> bool {
        self.may_be_comma && self.dotted > 0 && self.dotted + self.both == self.values
    }

    /// How its values are written, if nothing was asked: as numbers if all of them are.
    pub fn reading(&self, asked: Option<ColumnKind>) -> Reading {
        let point = match self.comma > 0 && self.dot == 0 && !self.only_thousands {
            true => Point::Comma,
            false => Point::Dot,
        };
        let all = self.values > 0 && self.numbers(point) == self.values;
        match asked {
            Some(ColumnKind::Number) => Reading::Marked(self.marks.point()),
            None if all && !self.is_doubtful() => Reading::Numbers(point),
            _ => Reading::Texts,
        }
    }

    /// The column, and what does not fit.
    pub fn column(&self, name: String, asked: Option<ColumnKind>) -> (Column, Option<String>) {
        let reading = self.reading(asked);
        let kind = match reading {
            Reading::Numbers(_) | Reading::Marked(_) => ColumnKind::Number,
            Reading::Texts if self.values + self.missing == 0 && asked.is_none() => ColumnKind::Null,
            Reading::Texts => ColumnKind::Text,
        };
        let others = match reading {
            Reading::Numbers(point) => self.values - self.numbers(point),
            Reading::Marked(_) => self.marks.misfits(),
            Reading::Texts => self.values - self.numbers(Point::Dot),
        };
        let misfit = { self.marks.misfit() }.filter(|_| matches!(reading, Reading::Marked(_)));
        let mut first: Vec<&(usize, String)> = self.others.iter().chain(misfit).collect();
        first.sort_unstable();
        let places: Vec<String> = { first.iter() }
            .map(|(line, text)| format!("line {line} ({})", shown(text, Reading::Texts)))
            .collect();
        let more = if others > places.len() { ", …" } else { "" };
        let places = format!("{}{more}", places.join(", "));
        let mut notes = Vec::new();
        if kind == ColumnKind::Number {
            notes.extend((others > 0).then(|| {
                format!(
                    "{name}: {others} of {} are no numbers and stay text: {places}.",
                    self.values
                )
            }));
            notes.extend(match self.missing {
                0 => None,
                1 => Some(format!("{name}: {} was read as null.", self.mark)),
                many => Some(format!(
                    "{name}: {many} times {} or the like was read as null.",
                    self.mark
                )),
            });
        }
        match reading {
            Reading::Marked(_) => notes.extend(self.marks.told(&name)),
            Reading::Numbers(Point::Comma) => {
                notes.push(format!("{name}: the comma was read as a decimal comma."));
            }
            Reading::Numbers(Point::Dot) if self.has_dots_of_thousands() => notes.push(format!(
                "{name}: the dot of {} was read as a decimal point; if it separates thousands, remove it from the file.",
                self.first_dotted
            )),
            Reading::Numbers(Point::Dot) => {}
            Reading::Texts if asked.is_some() => {}
            Reading::Texts if self.is_doubtful() => notes.push(format!(
                "{name} stays text: beside decimal commas, the dots of {} may separate thousands. columns: \"{name}: number\" reads it as {}.",
                self.first_dotted,
                self.first_dotted.replace('.', "")
            )),
            Reading::Texts if self.values > 0 && self.marks.others == 0 => {
                notes.extend(self.marks.why_text(&name));
            }
            Reading::Texts if others > 0 && others <= FEW && self.values >= 10 * others => notes.push(format!(
                "{name} is text because of {places}; columns: \"{name}: number\" keeps the other values numbers."
            )),
            Reading::Texts => {}
        }
        let examples = self.examples.iter().map(|text| shown(text, reading)).collect();
        let column = Column {
            name,
            kind,
            nulls: match reading {
                Reading::Numbers(_) | Reading::Marked(_) => self.nulls + self.missing,
                Reading::Texts => self.nulls,
            },
            no_number: (kind == ColumnKind::Text)
                .then(|| self.others.first().cloned())
                .flatten(),
            examples,
        };
        (column, (!notes.is_empty()).then(|| notes.join(" ")))
    }
}

/// `1,000`, `12,345,678`: what could be thousands, which no zero begins.
fn is_thousands(text: &str, mark: char) -> bool {
    let mut groups = text.trim_start_matches('-').split(mark);
    let first = groups.next().unwrap_or_default();
    let is_digits = |group: &str| group.bytes().all(|byte| byte.is_ascii_digit());
    (1..=3).contains(&first.len())
        && is_digits(first)
        && !first.starts_with('0')
        && groups.all(|group| group.len() == 3 && is_digits(group))
}

/// `1.234,56`
fn is_european(text: &str) -> bool {
    text.split_once(',').is_some_and(|(whole, decimals)| {
        whole.contains('.')
            && is_thousands(whole, '.')
            && !decimals.is_empty()
            && decimals.bytes().all(|byte| byte.is_ascii_digit())
    })
}

/// A value as it is written in a fact, shortened.
fn shown(text: &str, reading: Reading) -> String {
    let short = cut(text, EXAMPLE_CHARS);
    let mut shown = String::new();
    push_text(&mut shown, &short, reading);
    shown
}

/// Write a value. Among numbers it may be one that means that a number is missing.
pub fn push_text(out: &mut String, text: &str, reading: Reading) {
    let trimmed = text.trim();
    let point = match reading {
        Reading::Numbers(point) | Reading::Marked(point) => point,
        Reading::Texts => return push_atom(out, text),
    };
    let written = matches!(reading, Reading::Marked(_))
        .then(|| marked(trimmed, point))
        .flatten();
    let plain = number(trimmed, point);
    match plain.or(written.as_ref().and_then(Marked::number)) {
        Some(number) => push_number(out, number),
        None if text.is_empty() || MISSING.contains(&trimmed) => out.push_str("null"),
        None => push_atom(out, text),
    }
}
