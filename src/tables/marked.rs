//! Numbers as people write them: `$1,200.50`, `1.200,50 €`, `1'200`, `10%`, `.5`, `+7`, `(3.00)`.

use hornbook_base::cut;

use super::value::{Number, Point, number};

/// What stands before or after an amount of money.
const SIGNS: [&str; 13] = ["$", "€", "£", "¥", "₹", "₽", "₩", "₺", "₫", "฿", "₴", "₦", "₱"];
const CODES: [&str; 16] = [
    "EUR", "USD", "GBP", "CHF", "JPY", "CNY", "INR", "AUD", "CAD", "SEK", "NOK", "DKK", "PLN", "CZK", "HUF",
    "BRL",
];
/// How many characters are told of a value.
const SHOWN_CHARS: usize = 24;
/// More characters are no number that a person wrote.
const MOST_CHARS: usize = 60;

/// A number without the marks that people write.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Marked {
    /// As [`number`] reads it.
    pub digits: String,
    /// The sign or the code of its currency, or `%`, by which it is divided by 100.
    pub unit: Option<&'static str>,
}

impl Marked {
    pub fn number(&self) -> Option<Number<'_>> {
        number(&self.digits, Point::Dot)
    }
}

/// The number that a text is if its decimals stand behind this point.
pub fn marked(text: &str, point: Point) -> Option<Marked> {
    let text = text.trim();
    if text.len() > MOST_CHARS || !text.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let in_brackets = text.strip_prefix('(').and_then(|rest| rest.strip_suffix(')'));
    let (mut is_negative, mut is_signed) = (in_brackets.is_some(), in_brackets.is_some());
    let mut rest = in_brackets.unwrap_or(text);
    let mut unit = None;
    // A sign and a currency, in either order.
    for _ in 0..2 {
        rest = rest.trim_start();
        if !is_signed && let Some(after) = rest.strip_prefix(['-', '−', '+']) {
            is_negative = !rest.starts_with('+');
            (is_signed, rest) = (true, after);
        } else if unit.is_none() {
            let mut all = SIGNS.into_iter().chain(CODES);
            unit = all.find(|unit| rest.starts_with(unit));
            rest = &rest[unit.map_or(0, str::len)..];
        }
    }
    if unit.is_none() {
        let mut all = SIGNS.into_iter().chain(CODES).chain(["%"]);
        unit = all.find(|unit| rest.ends_with(unit));
        rest = &rest[..rest.len() - unit.map_or(0, str::len)];
    }
    let (mark, other) = match point {
        Point::Dot => ('.', ','),
        Point::Comma => (',', '.'),
    };
    let rest = rest.trim();
    let (mantissa, exponent) = match rest.find(['e', 'E']) {
        Some(at) => (&rest[..at], Some(&rest[at + 1..])),
        None => (rest, None),
    };
    let (whole, decimals) = mantissa.split_once(mark).unwrap_or((mantissa, ""));
    let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    let whole = without_groups(whole, other)?;
    if !is_digits(decimals) || whole.is_empty() && decimals.is_empty() {
        return None;
    }
    if let Some(exponent) = exponent {
        let digits = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
        if digits.is_empty() || !is_digits(digits) || unit.is_some() {
            return None;
        }
    }
    let (whole, decimals) = match unit {
        Some("%") => hundredth(&whole, decimals),
        _ => (whole, decimals.to_owned()),
    };
    let whole = whole.trim_start_matches('0');
    let mut digits = String::from(if is_negative { "-" } else { "" });
    digits.push_str(if whole.is_empty() { "0" } else { whole });
    if !decimals.is_empty() {
        digits.push('.');
        digits.push_str(&decimals);
    }
    if let Some(exponent) = exponent {
        digits.push('e');
        digits.push_str(exponent);
    }
    let marked = Marked { digits, unit };
    marked.number().is_some().then_some(marked)
}

/// Digits without what separates thousands: one mark throughout, before each three of them.
fn without_groups(whole: &str, other: char) -> Option<String> {
    let is_mark = |c: char| c == other || matches!(c, '\'' | '’' | ' ' | '\u{a0}' | '\u{202f}' | '\u{2009}');
    let Some(mark) = whole.chars().find(|c| !c.is_ascii_digit()) else {
        return Some(whole.to_owned());
    };
    let mut groups = whole.split(mark);
    let first = groups.next().unwrap_or_default();
    let is_digits = |group: &str| group.bytes().all(|byte| byte.is_ascii_digit());
    let fits = is_mark(mark)
        && (1..=3).contains(&first.len())
        && is_digits(first)
        // `0,500` is half of one.
        && !first.starts_with('0')
        && groups.all(|group| group.len() == 3 && is_digits(group));
    fits.then(|| whole.replace(mark, ""))
}

/// `12` and `5` of 12.5 become `0` and `125`.
fn hundredth(whole: &str, decimals: &str) -> (String, String) {
    let whole = format!("{whole:0>3}");
    let (whole, moved) = whole.split_at(whole.len() - 2);
    let decimals = format!("{moved}{decimals}");
    (whole.to_owned(), decimals.trim_end_matches('0').to_owned())
}

/// The numbers with marks of a column: how many are read with which decimal point.
#[derive(Debug, Clone, Default)]
pub struct Marks {
    dot: Option<First>,
    comma: Option<First>,
    /// The first that is another number with the other point, with what it is with each: `1.200`.
    either: Option<(First, [String; 2])>,
    /// Those that are numbers with a point only, or with a comma only.
    only_dot: usize,
    only_comma: usize,
    /// Those with several dots and no decimals, and the first: beside decimal commas numbers, and else addresses, versions
    /// and the like.
    dotted: usize,
    first_dotted: Option<First>,
    /// The units, with the first value of each.
    units: Vec<(&'static str, First, [Option<String>; 2])>,
    /// The first that has marks.
    first: Option<First>,
    /// Others than numbers.
    pub others: usize,
    /// Other columns have decimal commas, so that a dot in doubt separates thousands.
    pub is_beside_commas: bool,
}

/// A line and what stands there.
type First = (usize, String);

impl Marks {
    /// Take note of a value. Returns whether it is a number.
    pub fn take(&mut self, text: &str, line: usize) -> bool {
        let first = || (line, cut(text.trim(), SHOWN_CHARS));
        let plain = number(text, Point::Dot);
        match plain {
            Some(Number::Integer(_)) => return true,
            Some(Number::Decimal(_, decimals, "")) if decimals.len() != 3 => {
                self.only_dot += 1;
                self.dot.get_or_insert_with(first);
                return true;
            }
            _ => {}
        }
        let (dot, comma) = (marked(text, Point::Dot), marked(text, Point::Comma));
        let is_number = dot.is_some() || comma.is_some();
        let is_dotted = dot.is_none() && !text.contains(',') && text.matches('.').count() > 1;
        // No telephone number, and no code with zeros in front.
        let is_code = text.trim_start_matches('-').starts_with(['+', '0']);
        if is_number && plain.is_none() && !is_dotted && !is_code {
            self.first.get_or_insert_with(first);
        }
        match (&dot, &comma) {
            (None, None) => self.others += 1,
            (None, Some(_)) if is_dotted => {
                self.dotted += 1;
                self.first_dotted.get_or_insert_with(first);
            }
            (Some(_), None) => {
                self.only_dot += 1;
                self.dot.get_or_insert_with(first);
            }
            (None, Some(_)) => {
                self.only_comma += 1;
                self.comma.get_or_insert_with(first);
            }
            (Some(dot), Some(comma)) if dot.digits != comma.digits => {
                self.either
                    .get_or_insert_with(|| (first(), [dot.digits.clone(), comma.digits.clone()]));
            }
            _ => {}
        }
        let unit = dot.as_ref().or(comma.as_ref()).and_then(|marked| marked.unit);
        if let Some(unit) = unit.filter(|unit| self.units.iter().all(|(known, ..)| known != unit)) {
            let digits = [dot, comma].map(|marked| marked.map(|marked| marked.digits));
            self.units.push((unit, first(), digits));
        }
        is_number
    }

    /// The decimal point of most; in doubt the comma, if other columns have it, and else the dot.
    pub fn point(&self) -> Point {
        let is_comma = self.only_comma > self.only_dot || self.is_beside_commas && self.only_dot == 0;
        match is_comma {
            true => Point::Comma,
            false => Point::Dot,
        }
    }

    /// How many are no numbers with that point.
    pub fn misfits(&self) -> usize {
        let dotted = if self.point() == Point::Dot {
            self.dotted
        } else {
            0
        };
        self.others + self.only_dot.min(self.only_comma) + dotted
    }

    /// The first that are numbers with the other point alone.
    pub fn misfit(&self) -> impl Iterator<Item = &First> {
        let (one, another) = match self.point() {
            Point::Dot => (&self.comma, &self.first_dotted),
            Point::Comma => (&self.dot, &None),
        };
        one.iter().chain(another)
    }

    /// How they were read, each a sentence.
    pub fn told(&self, name: &str) -> Vec<String> {
        let point = self.point();
        let (mark, at) = match point {
            Point::Dot => ("a dot", 0),
            Point::Comma => ("a comma", 1),
        };
        let mut told = Vec::new();
        if let Some(((line, text), read)) = &self.either {
            let is_sure = self.only_dot + self.only_comma > 0;
            let (read, other) = (&read[at], &read[1 - at]);
            told.push(match is_sure {
                true => format!("{name}: decimals stand behind {mark}, so {text} (line {line}) is {read}."),
                false => format!(
                    "{name}: {text} (line {line}) was read as {read}, and may mean {other}: no value tells which. If it does, write it so in the file."
                ),
            });
        } else if point == Point::Comma && self.comma.is_some() {
            told.push(format!("{name}: the comma was read as a decimal comma."));
        }
        let currencies: Vec<&str> = { self.units.iter() }
            .map(|(unit, ..)| *unit)
            .filter(|unit| *unit != "%")
            .collect();
        match &currencies[..] {
            [] => {}
            [one] => told.push(format!("{name}: {one} was left out.")),
            several => told.push(format!(
                "{name}: {} were left out, though they are different units: keep them apart in the file.",
                several.join(" and ")
            )),
        }
        let percent = self.units.iter().find(|(unit, ..)| *unit == "%");
        if let Some((_, (line, text), read)) = percent
            && let Some(read) = &read[at]
        {
            told.push(format!("{name}: {text} (line {line}) was read as {read}."));
        }
        told
    }

    /// Why a column of them stays text unless numbers are asked for.
    pub fn why_text(&self, name: &str) -> Option<String> {
        if self.misfits() > self.only_dot.min(self.only_comma) {
            return None;
        }
        let mut reads = "numbers";
        let why = match (&self.dot, &self.comma, &self.either) {
            (Some((line, dot)), Some((other, comma)), _) => {
                reads = match self.point() {
                    Point::Dot => "those with a decimal point, and the others stay text",
                    Point::Comma => "those with a decimal comma, and the others stay text",
                };
                format!("{dot} (line {line}) has a decimal point, and {comma} (line {other}) a decimal comma")
            }
            (None, Some((line, comma)), _) => format!("{comma} (line {line}) has a decimal comma"),
            (None, None, Some(((line, text), [dot, comma]))) => {
                format!("{text} (line {line}) may be {dot} or {comma}")
            }
            _ => {
                let (line, text) = self.first.as_ref()?;
                format!("{text} (line {line}) is not written as a plain number")
            }
        };
        Some(format!(
            "{name} stays text: {why}; columns: \"{name}: number\" reads {reads}."
        ))
    }
}
