//! Rows by the names of their columns: `orders{customer: C}` in a text is the goal `orders(_, C, _)`, if the book has a
//! table `orders` (`docs/tables.md`). The text is written so before anything reads it, so that a clause does not change
//! its meaning with the table.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::Inner;
use super::tables::known;
use super::types::Notice;
use hornbook_base::{Fault, FaultKind};
use hornbook_book::lexer::{Lexer, Token, TokenKind};
use hornbook_tables::Known;

/// The columns of the book's tables that a text may mean, by their names.
type Tables = BTreeMap<String, Vec<String>>;

/// A row with something that is no column of its table, or one column twice.
#[derive(Debug, PartialEq, Eq)]
struct NoSuchRow {
    table: String,
    column: String,
    is_twice: bool,
}

/// What was written in place of a part of a text, in bytes of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Written {
    from: (usize, usize),
    to: (usize, usize),
}

/// A text with plain goals in place of rows.
pub(super) struct Plain<'t> {
    pub text: Cow<'t, str>,
    written: Vec<Written>,
    wrong: Option<NoSuchRow>,
}

impl Inner {
    /// The text of a query or of clauses with plain goals.
    ///
    /// # Errors
    /// If a row names a column that its table does not have.
    pub(super) fn plain(&self, text: &str) -> Result<String, Fault> {
        let plain = self.plain_file(text);
        match plain.wrong {
            None => Ok(plain.text.into_owned()),
            Some(wrong) => {
                let (what, next) = self.told(&wrong);
                Err(Fault::new(FaultKind::InvalidArgument, what).with_next(next))
            }
        }
    }

    /// What is wrong with a row, and what its columns are.
    fn told(&self, wrong: &NoSuchRow) -> (String, String) {
        let NoSuchRow {
            table,
            column,
            is_twice,
        } = wrong;
        let what = match is_twice {
            true => format!("The row {table}{{…}} has the column {column} twice."),
            false => format!("The table {table} has no column {column}."),
        };
        let book = self.book.borrow();
        let named = known(&book).find(|known| known.predicate() == *table);
        let columns: Vec<&str> = named.map_or(Vec::new(), |known| known.columns().collect());
        (what, format!("Its columns are {}.", columns.join(", ")))
    }

    pub(super) fn all_plain(&self, texts: Vec<String>) -> Result<Vec<String>, Fault> {
        texts.into_iter().map(|text| self.plain(&text)).collect()
    }

    /// The text of a file with plain goals. Rows that no table has stay, and Prolog refuses them in their place.
    pub(super) fn plain_file<'t>(&self, text: &'t str) -> Plain<'t> {
        match self.tables_in(text) {
            tables if tables.is_empty() => Plain {
                text: text.into(),
                written: Vec::new(),
                wrong: None,
            },
            tables => plain(text, &tables),
        }
    }

    /// As [`Inner::plain_file`], for a text of one's own; and what is wrong with the first row that stays.
    pub(super) fn plain_own(&self, text: String) -> (String, Option<Notice>) {
        let Plain {
            text: plain, wrong, ..
        } = self.plain_file(&text);
        let notice = wrong.map(|wrong| {
            let (what, next) = self.told(&wrong);
            Notice(format!("{what} {next}"))
        });
        let plain = match plain {
            Cow::Borrowed(_) => None,
            Cow::Owned(plain) => Some(plain),
        };
        (plain.unwrap_or(text), notice)
    }

    /// The tables of which the text may have rows.
    fn tables_in(&self, text: &str) -> Tables {
        if !text.contains('{') || Known::of(text).is_some() {
            return Tables::new();
        }
        let book = self.book.borrow();
        let columns = |known: Known<'_>| known.columns().map(str::to_owned).collect();
        let named = known(&book).map(|known| (known.predicate(), columns(known)));
        named
            .filter(|(name, _)| text.contains(&format!("{name}{{")) || text.contains(&format!("'{name}'{{")))
            .collect()
    }
}

impl Plain<'_> {
    /// Whether it is not the text as it was written.
    pub fn differs(&self) -> bool {
        !self.written.is_empty()
    }

    /// Where a byte of the plain text is in the text as it was written.
    pub fn place(&self, at: usize) -> usize {
        let before = self.written.partition_point(|written| written.to.0 <= at);
        match before.checked_sub(1).map(|last| self.written[last]) {
            None => at,
            Some(Written { from, to }) if at < to.1 => from.0.max(from.1.min(from.0 + at - to.0)),
            Some(Written { from, to }) => from.1 + at - to.1,
        }
    }
}

fn plain<'t>(text: &'t str, tables: &Tables) -> Plain<'t> {
    let tokens: Vec<Token> = Lexer::of_file(text).collect();
    let mut writer = Writer {
        text,
        tokens: &tokens,
        tables,
        out: String::new(),
        copied: 0,
        written: Vec::new(),
        wrong: None,
    };
    writer.write(0, tokens.len());
    let Writer {
        mut out,
        copied,
        written,
        wrong,
        ..
    } = writer;
    let text = match written.is_empty() {
        true => text.into(),
        false => {
            out.push_str(&text[copied..]);
            out.into()
        }
    };
    Plain { text, written, wrong }
}

struct Writer<'w> {
    text: &'w str,
    tokens: &'w [Token],
    tables: &'w Tables,
    out: String,
    /// How many bytes of the text are in `out`, as they were or written anew.
    copied: usize,
    written: Vec<Written>,
    wrong: Option<NoSuchRow>,
}

/// A column and the tokens of its value.
type Field = (String, (usize, usize));

impl<'w> Writer<'w> {
    fn token(&self, at: usize) -> &'w str {
        let token = self.tokens.get(at);
        token.map_or("", |token| &self.text[token.start..token.end])
    }

    fn touches(&self, at: usize) -> bool {
        at > 0 && self.tokens[at - 1].end == self.tokens[at].start
    }

    /// Write the tokens in this range.
    fn write(&mut self, begin: usize, end: usize) {
        let mut at = begin;
        while at < end {
            at = match self.row(at) {
                Some((columns, fields, close)) => {
                    self.write_row(at, columns, &fields, close);
                    close + 1
                }
                None => at + 1,
            };
        }
    }

    /// The row that begins with this token: the columns of its table, its fields and its closing bracket.
    fn row(&mut self, at: usize) -> Option<(&'w [String], Vec<Field>, usize)> {
        let name = self.token(at).trim_matches('\'');
        let is_name = self.tokens[at].kind == TokenKind::Name;
        if !is_name || self.token(at + 1) != "{" || !self.touches(at + 1) {
            return None;
        }
        let columns = self.tables.get(name)?;
        let (fields, close) = self.fields(at + 2)?;
        // A function on a dict.
        let next = self.tokens.get(close + 1);
        if next.is_some_and(|next| next.kind != TokenKind::End)
            && self.token(close + 1) == "."
            && self.touches(close + 1)
        {
            return None;
        }
        for (index, (column, _)) in fields.iter().enumerate() {
            let is_twice = fields[..index].iter().any(|(other, _)| other == column);
            if is_twice || !columns.contains(column) {
                self.wrong.get_or_insert(NoSuchRow {
                    table: name.to_owned(),
                    column: column.clone(),
                    is_twice,
                });
                return None;
            }
        }
        Some((columns, fields, close))
    }

    /// `column: Value, … }` from this token on.
    fn fields(&self, mut at: usize) -> Option<(Vec<Field>, usize)> {
        let mut fields = Vec::new();
        if self.token(at) == "}" {
            return Some((fields, at));
        }
        loop {
            let is_name = self
                .tokens
                .get(at)
                .is_some_and(|token| token.kind == TokenKind::Name);
            if !is_name || self.token(at + 1) != ":" {
                return None;
            }
            let column = self.token(at).trim_matches('\'').to_owned();
            let begin = at + 2;
            let end = self.end_of_value(begin)?;
            fields.push((column, (begin, end)));
            match self.token(end) {
                "}" => return Some((fields, end)),
                _ => at = end + 1,
            }
        }
    }

    /// The comma or bracket that ends the value that begins with this token.
    fn end_of_value(&self, begin: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for (at, token) in self.tokens.iter().enumerate().skip(begin) {
            match token.kind {
                TokenKind::Open { .. } => depth += 1,
                TokenKind::Close if depth == 0 => {
                    return (self.token(at) == "}" && at > begin).then_some(at);
                }
                TokenKind::Close => depth -= 1,
                TokenKind::Comma if depth == 0 => return (at > begin).then_some(at),
                TokenKind::End => return None,
                _ => {}
            }
        }
        None
    }

    fn write_row(&mut self, at: usize, columns: &[String], fields: &[Field], close: usize) {
        let (from, to) = (self.tokens[at].start, self.tokens[close].end);
        self.out.push_str(&self.text[self.copied..from]);
        let start = self.out.len();
        self.out.push_str(self.token(at));
        self.out.push('(');
        for (index, column) in columns.iter().enumerate() {
            self.out.push_str(if index > 0 { ", " } else { "" });
            match fields.iter().find(|(named, _)| named == column) {
                None => self.out.push('_'),
                Some((_, (begin, end))) => self.write_value(*begin, *end),
            }
        }
        // Lines keep their numbers.
        let lines = |text: &str| text.matches('\n').count();
        let lost = lines(&self.text[from..to]).saturating_sub(lines(&self.out[start..]));
        self.out.push_str(&"\n".repeat(lost));
        let _ = write!(self.out, ")");
        self.copied = to;
        self.written.push(Written {
            from: (from, to),
            to: (start, self.out.len()),
        });
    }

    fn write_value(&mut self, begin: usize, end: usize) {
        let of_row = self.written.len();
        self.copied = self.tokens[begin].start;
        self.write(begin, end);
        self.out
            .push_str(&self.text[self.copied..self.tokens[end - 1].end]);
        // Only the outer row is a place.
        self.written.truncate(of_row);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tables() -> Tables {
        let columns = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        Tables::from([
            ("orders".to_owned(), columns(&["id", "customer", "amount"])),
            ("people".to_owned(), columns(&["name", "age"])),
        ])
    }

    #[track_caller]
    fn is(text: &str, expected: &str) {
        let tables = tables();
        let plain = plain(text, &tables);
        assert_eq!(plain.wrong, None);
        assert_eq!(plain.text, expected);
    }

    #[test]
    fn a_row_is_a_goal_with_its_columns_in_order() {
        is("orders{amount: A, id: 7}", "orders(7, _, A)");
        is(
            "p(X) :- orders{customer:X}, \\+ people{}.",
            "p(X) :- orders(_, X, _), \\+ people(_, _).",
        );
        is(
            "orders{customer: f(A, [B|C]), amount: -1}",
            "orders(_, f(A, [B|C]), -1)",
        );
        is(
            "orders{customer: \"a}\", 'amount': 0'}}",
            "orders(_, \"a}\", 0'})",
        );
        is("findall(N, people{name: N}, Ns)", "findall(N, people(N, _), Ns)");
    }

    #[test]
    fn a_row_within_a_row_is_written_too() {
        is(
            "orders{customer: people{name: ann}}",
            "orders(_, people(ann, _), _)",
        );
    }

    #[test]
    fn lines_keep_their_numbers() {
        is(
            "a :- orders{\n  id: I, % one\n  amount: A\n}.\nb.",
            "a :- orders(I, _, A\n\n\n).\nb.",
        );
    }

    #[test]
    fn what_is_no_row_of_a_table_stays() {
        for text in [
            "point{x: 1}",
            "orders {id: 1}",
            "\"orders{id: 1}\"",
            "% orders{id: 1}\nx.",
            "X = orders{id: 1}.id",
            "orders{id}",
            "orders{id: }",
            "orders{id: 1",
            "Orders{id: 1}",
        ] {
            is(text, text);
        }
    }

    #[test]
    fn a_column_that_is_not_there_or_twice_is_told() {
        let tables = tables();
        let wrong = |text| plain(text, &tables).wrong.map(|row| (row.column, row.is_twice));
        assert_eq!(wrong("orders{custmer: C}"), Some(("custmer".to_owned(), false)));
        assert_eq!(wrong("orders{id: 1, id: 2}"), Some(("id".to_owned(), true)));
    }

    #[test]
    fn places_after_a_row_are_those_of_the_text() {
        let tables = tables();
        let text = "p :- orders{amount: A}, q(A), people{age: B}, r.";
        let plain = plain(text, &tables);
        for word in ["p :-", "q(A)", "r."] {
            let at = plain.text.find(word).expect("it is there");
            assert_eq!(plain.place(at), text.find(word).expect("it is there"));
        }
        assert_eq!(plain.place(plain.text.len()), text.len());
    }
}
