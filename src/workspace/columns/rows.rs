//! Writes the goals that rows of a text mean.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;

use hornbook_base::{Fault, FaultKind};
use hornbook_book::Predicate;
use hornbook_book::lexer::{Lexer, Token, TokenKind};
use hornbook_book::text::unquoted;

/// The tables that a text may mean, by their names: those of one name have different columns.
pub type Tables = BTreeMap<String, Vec<Table>>;

/// A table that a text may mean.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Table {
    pub predicate: Predicate,
    /// Its columns, or why they are not known.
    pub columns: Result<Vec<String>, String>,
}

/// Why a row is none.
#[derive(Debug, PartialEq, Eq)]
pub enum NoSuchRow {
    /// It has something that is no column of its table.
    Column {
        table: String,
        column: String,
        columns: Vec<String>,
    },
    /// No table of its name has all its columns. The tables are given with their columns.
    NoneFits { table: String, tables: Vec<String> },
    /// Several tables of its name have all its columns.
    SeveralFit { table: String, tables: Vec<String> },
    /// Rows of its predicate come from several files, which have its columns at different places.
    FilesDisagree { table: String, tables: Vec<String> },
    /// It has one column twice.
    Twice { table: String, column: String },
    /// The columns of its table are not known.
    Unknown { table: String, why: String },
}

/// What was written in place of a part of a text, in bytes of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Written {
    from: (usize, usize),
    to: (usize, usize),
}

/// A text with plain goals in place of rows.
pub struct Plain<'t> {
    pub text: Cow<'t, str>,
    pub written: Vec<Written>,
    pub wrong: Option<NoSuchRow>,
}

/// Add a table, unless one is there that reads the same.
pub fn add(tables: &mut Tables, predicate: Predicate, columns: Result<Vec<String>, String>) {
    let of_name = tables.entry(predicate.name.clone()).or_default();
    let table = Table { predicate, columns };
    if !of_name.contains(&table) {
        of_name.push(table);
    }
}

/// The names that stand before `{` in a text.
pub fn names_of_rows(text: &str) -> Vec<String> {
    let ends_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'\'' | 128..);
    let bytes = text.as_bytes().windows(2);
    if !{ bytes }.any(|pair| pair[1] == b'{' && ends_name(pair[0])) {
        return Vec::new();
    }
    let tokens: Vec<Token> = Lexer::of_file(text).collect();
    let begins = tokens.windows(2).filter(|pair| {
        pair[0].kind == TokenKind::Name
            && pair[0].end == pair[1].start
            && &text[pair[1].start..pair[1].end] == "{"
    });
    begins
        .map(|pair| unquoted(&text[pair[0].start..pair[0].end]))
        .collect()
}

impl NoSuchRow {
    /// What is wrong, and what to do.
    pub fn told(&self) -> (String, String) {
        match self {
            NoSuchRow::Column {
                table,
                column,
                columns,
            } => (
                format!("The table {table} has no column {column}."),
                format!("Its columns are {}.", columns.join(", ")),
            ),
            NoSuchRow::NoneFits { table, tables } => (
                format!("No table {table} has all columns of the row {table}{{…}}."),
                format!("The tables are {}.", tables.join("; ")),
            ),
            NoSuchRow::SeveralFit { table, tables } => (
                format!(
                    "The row {table}{{…}} may be of several tables: {}.",
                    tables.join("; ")
                ),
                format!("Name a column that only one of them has, or write {table} with all its arguments."),
            ),
            NoSuchRow::FilesDisagree { table, tables } => (
                format!(
                    "The row {table}{{…}} would be of files with different columns: {}.",
                    tables.join("; ")
                ),
                format!(
                    "Write {table} with all its arguments, or import one of the files with another name, as columns: \"{table}_2\"."
                ),
            ),
            NoSuchRow::Twice { table, column } => (
                format!("The row {table}{{…}} has the column {column} twice."),
                "Name it once.".to_owned(),
            ),
            NoSuchRow::Unknown { table, why } => (
                format!("The columns of {table} are not known: {why}."),
                format!("Write {table} with all its arguments, or see to its data."),
            ),
        }
    }
}

/// The text with plain goals.
///
/// # Errors
/// If a row is none of its table.
pub fn plain_or_fault(text: &str, tables: &Tables) -> Result<String, Fault> {
    let plain = plain(text, tables);
    match plain.wrong {
        None => Ok(plain.text.into_owned()),
        Some(wrong) => {
            let (what, next) = wrong.told();
            Err(Fault::new(FaultKind::InvalidArgument, what).with_next(next))
        }
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

pub fn plain<'t>(text: &'t str, tables: &Tables) -> Plain<'t> {
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
        let name = &*unquoted(self.token(at));
        let is_name = self.tokens[at].kind == TokenKind::Name;
        if !is_name || self.token(at + 1) != "{" || !self.touches(at + 1) {
            return None;
        }
        let tables = self.tables.get(name)?;
        let (fields, close) = self.fields(at + 2)?;
        // A function on a dict.
        let next = self.tokens.get(close + 1);
        if next.is_some_and(|next| next.kind != TokenKind::End)
            && self.token(close + 1) == "."
            && self.touches(close + 1)
        {
            return None;
        }
        match checked(name, tables, &fields) {
            Ok(columns) => Some((columns, fields, close)),
            Err(wrong) => {
                self.wrong.get_or_insert(wrong);
                None
            }
        }
    }

    /// `column: Value, … }` from this token on.
    fn fields(&self, mut at: usize) -> Option<(Vec<Field>, usize)> {
        let mut fields = Vec::new();
        if self.token(at) == "}" {
            return Some((fields, at));
        }
        loop {
            // A column may be called 2019.
            let is_name = self
                .tokens
                .get(at)
                .is_some_and(|token| matches!(token.kind, TokenKind::Name | TokenKind::Number));
            if !is_name || self.token(at + 1) != ":" {
                return None;
            }
            let column = unquoted(self.token(at));
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

/// The columns of the only table, of those with this name, that has rows with these fields.
fn checked<'w>(name: &str, tables: &'w [Table], fields: &[Field]) -> Result<&'w [String], NoSuchRow> {
    let table = || name.to_owned();
    let mut known = Vec::new();
    for of_name in tables {
        known.push(of_name.columns.as_ref().map_err(|why| NoSuchRow::Unknown {
            table: match tables {
                [_] => table(),
                _ => of_name.predicate.to_string(),
            },
            why: why.trim_end_matches('.').to_owned(),
        })?);
    }
    for (index, (column, _)) in fields.iter().enumerate() {
        if fields[..index].iter().any(|(other, _)| other == column) {
            return Err(NoSuchRow::Twice {
                table: table(),
                column: column.clone(),
            });
        }
    }
    let missing = |columns: &[String]| fields.iter().find(|(column, _)| !columns.contains(column));
    let shown = |columns: &&Vec<String>| format!("{name}/{} with {}", columns.len(), columns.join(", "));
    let fitting: Vec<&Vec<String>> = { known.iter() }
        .copied()
        .filter(|columns| missing(columns).is_none())
        .collect();
    let disagree = |columns: &&&Vec<String>| {
        let place = |columns: &[String], column: &String| columns.iter().position(|name| name == column);
        let beside = known.iter().filter(|other| other.len() == columns.len());
        { beside }
            .any(|other| { fields.iter() }.any(|(column, _)| place(other, column) != place(columns, column)))
    };
    if let Some(columns) = fitting.iter().find(disagree) {
        let of_arity = known.iter().filter(|other| other.len() == columns.len());
        return Err(NoSuchRow::FilesDisagree {
            table: table(),
            tables: of_arity.map(shown).collect(),
        });
    }
    let arities: BTreeSet<usize> = fitting.iter().map(|columns| columns.len()).collect();
    match (&*fitting, &*known) {
        // Files of one predicate that agree about these columns.
        ([columns, ..], _) if arities.len() == 1 => Ok(columns),
        ([], [columns]) => Err(NoSuchRow::Column {
            table: table(),
            column: missing(columns).map_or_else(String::new, |(column, _)| column.clone()),
            columns: columns.to_vec(),
        }),
        ([], _) => Err(NoSuchRow::NoneFits {
            table: table(),
            tables: known.iter().map(shown).collect(),
        }),
        _ => Err(NoSuchRow::SeveralFit {
            table: table(),
            tables: fitting.iter().map(shown).collect(),
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table(name: &str, columns: &[&str]) -> Table {
        Table {
            predicate: Predicate {
                name: name.to_owned(),
                arity: columns.len() as u32,
            },
            columns: Ok(columns.iter().map(|name| (*name).to_owned()).collect()),
        }
    }

    fn of(all: &[Table]) -> Tables {
        let mut tables = Tables::new();
        for Table { predicate, columns } in all.iter().cloned() {
            add(&mut tables, predicate, columns);
        }
        tables
    }

    fn tables() -> Tables {
        of(&[
            table("orders", &["id", "customer", "amount"]),
            table("people", &["name", "age"]),
            table("it's", &["a\nb"]),
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
    fn names_may_have_escapes() {
        is(r"'it''s'{'a\nb': X}", r"'it''s'(X)");
        is(r"'it\'s'{'a\x0a\b': X}", r"'it\'s'(X)");
        assert_eq!(names_of_rows(r"a :- 'it\'s'{}, b {}, {c}."), ["it's"]);
    }

    #[test]
    fn of_several_tables_of_a_name_the_row_is_of_the_one_that_has_its_columns() {
        let tables = of(&[table("o", &["id", "a"]), table("o", &["id", "b", "c"])]);
        let wrong = |text| plain(text, &tables).wrong.map(|row| row.told().0);
        assert_eq!(
            plain("o{b: X}, o{id: 1, a: Y}", &tables).text,
            "o(_, X, _), o(1, Y)"
        );
        let several = "The row o{…} may be of several tables: o/2 with id, a; o/3 with id, b, c.";
        assert_eq!(wrong("o{id: 1}").as_deref(), Some(several));
        let none = "No table o has all columns of the row o{…}.";
        assert_eq!(wrong("o{a: 1, b: 2}").as_deref(), Some(none));
    }

    #[test]
    fn files_of_one_predicate_must_agree_about_the_columns_of_a_row() {
        let tables = of(&[
            table("s", &["id", "total", "who"]),
            table("s", &["id", "who", "sum"]),
        ]);
        let wrong = |text| plain(text, &tables).wrong.map(|row| row.told().0);
        let told = "The row s{…} would be of files with different columns: s/3 with id, total, who; s/3 with id, who, sum.";
        assert_eq!(wrong("s{total: T}").as_deref(), Some(told));
        assert_eq!(wrong("s{who: W}").as_deref(), Some(told));
        assert_eq!(plain("s{id: I}, s{}", &tables).text, "s(I, _, _), s(_, _, _)");
    }

    #[test]
    fn a_column_may_be_a_number() {
        let tables = of(&[table("y", &["city", "2019"])]);
        assert_eq!(plain("y{2019: X}", &tables).text, "y(_, X)");
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
        let wrong = |text| plain(text, &tables).wrong.map(|row| row.told().0);
        assert_eq!(
            wrong("orders{custmer: C}").as_deref(),
            Some("The table orders has no column custmer.")
        );
        assert_eq!(
            wrong("orders{id: 1, id: 2}").as_deref(),
            Some("The row orders{…} has the column id twice.")
        );
    }

    #[test]
    fn a_row_whose_columns_are_not_known_is_told() {
        let mut unknown = table("t", &["id"]);
        unknown.columns = Err("no source shop here.".to_owned());
        let tables = of(&[unknown]);
        let wrong = plain("t{id: 1}", &tables).wrong.map(|row| row.told().0);
        let told = "The columns of t are not known: no source shop here.";
        assert_eq!(wrong.as_deref(), Some(told));
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
