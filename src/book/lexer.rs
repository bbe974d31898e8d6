//! The little that the conductor must know of Prolog text: tokens. It never reads terms; the engine does.

use super::characters::{
    begins_variable, closes_bracket, closing_bracket, closing_quote, is_after_end, is_alphanumeric,
    is_layout, is_line_end, is_symbol,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// A name of letters, a quoted atom, or `!` and `;`.
    Name,
    /// An atom of symbol characters, as `:-`, or of one that is neither a letter nor such a character, as `→`.
    Symbol,
    Variable,
    Number,
    /// `"…"`, `` `…` ``, `“…”` and the like.
    Text,
    /// An opening bracket; `arguments` when it directly follows a name.
    Open {
        arguments: bool,
    },
    Close,
    Comma,
    Bar,
    /// The period that ends a clause.
    End,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Token {
    pub kind: TokenKind,
    /// Byte offsets.
    pub start: usize,
    pub end: usize,
}

/// The tokens of a text as SWI-Prolog's reader finds them; layout and comments are skipped. Where a clause ends is told
/// by what the reader does before it looks at tokens, and that is followed here. `tests/reader` has the same texts for
/// both.
#[derive(Clone)]
pub struct Lexer<'a> {
    text: &'a str,
    at: usize,
    /// Where the last token ended, when it can be a functor.
    functor_end: Option<usize>,
    /// Up to here the reader takes what follows `0'\x41` for one run of symbol characters: no comment begins and no
    /// clause ends in it.
    run_end: usize,
}

impl<'a> Lexer<'a> {
    pub fn new(text: &'a str) -> Self {
        Lexer {
            text,
            at: 0,
            functor_end: None,
            run_end: 0,
        }
    }

    /// Of a text from the begin of a file on: byte order marks and a `#!` line are layout there.
    pub fn of_file(text: &'a str) -> Self {
        let mut lexer = Lexer::new(text);
        lexer.pass_while(|c| c == '\u{feff}');
        if lexer.text[lexer.at..].starts_with("#!") {
            lexer.pass_while(|c| !is_line_end(c));
        }
        lexer
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + ahead).copied()
    }

    fn char(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn pass_while(&mut self, keep: impl Fn(char) -> bool) {
        while let Some(c) = self.char().filter(|&c| keep(c)) {
            self.at += c.len_utf8();
        }
    }

    fn skip_char(&mut self) {
        self.at += self.char().map_or(0, char::len_utf8);
    }

    fn skip_layout(&mut self) {
        loop {
            self.pass_while(is_layout);
            match (self.peek(0), self.peek(1)) {
                (Some(b'%'), _) => self.pass_while(|c| !is_line_end(c)),
                (Some(b'/'), Some(b'*')) if self.at >= self.run_end => self.skip_block_comment(),
                _ => return,
            }
        }
    }

    /// Block comments nest. Two marks may share a character, as in `/*/`, but for the first mark.
    fn skip_block_comment(&mut self) {
        let bytes = self.text.as_bytes();
        let mut level = 1;
        let mut at = self.at + 2;
        while at + 1 < bytes.len() {
            match &bytes[at..at + 2] {
                b"/*" => level += 1,
                b"*/" => level -= 1,
                _ => {}
            }
            at += 1;
            if level == 0 {
                self.at = at + 1;
                return;
            }
        }
        self.at = self.text.len();
    }

    /// From after an opening quote to after the closing one, and on where a quote of ASCII is doubled.
    fn skip_quoted(&mut self, close: char) {
        loop {
            self.skip_to_quote(close);
            if !close.is_ascii() || self.char() != Some(close) {
                return;
            }
            self.skip_char();
        }
    }

    fn skip_to_quote(&mut self, close: char) {
        while let Some(c) = self.char() {
            self.skip_char();
            if c == close {
                return;
            }
            if c == '\\' && self.skip_escape(close) {
                return;
            }
        }
    }

    /// From after a backslash in a quoted text. Whether the quote was closed.
    fn skip_escape(&mut self, close: char) -> bool {
        let Some(c) = self.char() else { return false };
        self.skip_char();
        match c {
            'x' => self.pass_while(|c| c.is_ascii_hexdigit()),
            '0'..='7' => self.pass_while(|c| matches!(c, '0'..='7')),
            'c' => {
                self.pass_while(is_layout);
                return false;
            }
            '\n' => {}
            _ => return false,
        }
        // Whatever comes next belongs to it, be it the backslash that ends the digits or the closing quote.
        let next = self.char();
        self.skip_char();
        next == Some(close)
    }

    /// What follows `0'`: `c`, `\n`, `\x41`, `''`.
    fn skip_character_code(&mut self) {
        match (self.peek(0), self.peek(1)) {
            (Some(b'\\'), Some(escape)) => {
                self.at += 1;
                self.skip_char();
                match escape {
                    b'x' => self.pass_while(|c| c.is_ascii_hexdigit()),
                    b'0'..=b'7' => self.pass_while(|c| matches!(c, '0'..='7')),
                    b'u' => self.skip_digits(4),
                    b'U' => self.skip_digits(8),
                    _ => return,
                }
                if matches!(escape, b'x' | b'0'..=b'7') && self.peek(0) == Some(b'\\') {
                    let rest = &self.text[self.at..];
                    self.run_end = self.at + rest.find(|c| !is_symbol(c)).unwrap_or(rest.len());
                    self.at += 1;
                }
            }
            (Some(b'\''), Some(b'\'')) => self.at += 2,
            _ => self.skip_char(),
        }
    }

    /// So many hexadecimal digits, as far as there are.
    fn skip_digits(&mut self, count: usize) {
        for _ in 0..count {
            if self.peek(0).is_some_and(|b| b.is_ascii_hexdigit()) {
                self.at += 1;
            }
        }
    }

    fn skip_number(&mut self) {
        let start = self.at;
        let radix = match (self.peek(0), self.peek(1)) {
            (Some(b'0'), Some(b'\'')) if self.at + 2 < self.text.len() => {
                self.at += 2;
                return self.skip_character_code();
            }
            (Some(b'0'), Some(b'x')) => 16,
            (Some(b'0'), Some(b'o')) => 8,
            (Some(b'0'), Some(b'b')) => 2,
            _ => 10,
        };
        if radix != 10 {
            self.at += 2;
            self.skip_grouped(radix);
            return;
        }
        let grouped = self.skip_grouped(10);
        let digits = &self.text[start..self.at];
        let is_digit = |b: Option<u8>| b.is_some_and(|b| b.is_ascii_digit());
        match self.peek(0) {
            Some(b'r') if is_digit(self.peek(1)) => {
                self.at += 1;
                self.skip_grouped(10);
                return;
            }
            Some(b'\'') if digits.len() <= 2 => {
                let radix = digits.parse().unwrap_or(0);
                if (2..=36).contains(&radix) && self.peek(1).is_some_and(|b| (b as char).is_digit(radix)) {
                    self.at += 1;
                    self.skip_grouped(radix);
                    return;
                }
            }
            _ => {}
        }
        if grouped {
            return;
        }
        if self.peek(0) == Some(b'.') && is_digit(self.peek(1)) {
            self.at += 1;
            self.pass_while(|c| c.is_ascii_digit());
            for special in ["Inf", "NaN"] {
                let rest = &self.text[self.at..];
                if rest
                    .strip_prefix(special)
                    .is_some_and(|rest| !rest.starts_with(is_alphanumeric))
                {
                    self.at += special.len();
                    return;
                }
            }
        }
        if matches!(self.peek(0), Some(b'e' | b'E')) {
            let signed = usize::from(matches!(self.peek(1), Some(b'+' | b'-')));
            if is_digit(self.peek(1 + signed)) {
                self.at += 1 + signed;
                self.pass_while(|c| c.is_ascii_digit());
            }
        }
    }

    /// Digits in groups, `1 000` or `1_000`; a line may end after `_`. Whether there are several groups.
    fn skip_grouped(&mut self, radix: u32) -> bool {
        let mut grouped = false;
        loop {
            self.pass_while(|c| c.is_digit(radix));
            let end = self.at;
            match self.peek(0) {
                Some(b'_') => {
                    self.at += 1;
                    self.skip_layout();
                }
                Some(b' ') if radix <= 10 => self.at += 1,
                _ => return grouped,
            }
            if !self.char().is_some_and(|c| c.is_digit(radix)) {
                self.at = end;
                return grouped;
            }
            grouped = true;
        }
    }

    fn is_end(&self) -> bool {
        let rest = &self.text[self.at + 1..];
        let ends = |c: char| is_after_end(c) || c == '%';
        self.at >= self.run_end && (rest.is_empty() || rest.starts_with(ends))
    }

    fn scan(&mut self, first: char) -> TokenKind {
        let start = self.at;
        match first {
            '0'..='9' => {
                self.skip_number();
                return TokenKind::Number;
            }
            '.' if self.is_end() => {
                self.at += 1;
                return TokenKind::End;
            }
            c if is_symbol(c) => {
                self.pass_while(is_symbol);
                return TokenKind::Symbol;
            }
            c if is_alphanumeric(c) => {
                self.pass_while(is_alphanumeric);
                return if begins_variable(c) {
                    TokenKind::Variable
                } else {
                    TokenKind::Name
                };
            }
            _ => self.skip_char(),
        }
        match first {
            '(' | '[' | '{' => TokenKind::Open {
                arguments: first == '(' && self.functor_end == Some(start),
            },
            ')' | ']' | '}' => TokenKind::Close,
            ',' => TokenKind::Comma,
            '|' => TokenKind::Bar,
            '!' | ';' => TokenKind::Name,
            '\'' => {
                self.skip_quoted(first);
                TokenKind::Name
            }
            '"' | '`' => {
                self.skip_quoted(first);
                TokenKind::Text
            }
            c if closing_bracket(c).is_some() => TokenKind::Open { arguments: false },
            c if closes_bracket(c) => TokenKind::Close,
            c => match closing_quote(c) {
                Some(close) => {
                    self.skip_quoted(close);
                    TokenKind::Text
                }
                // One character alone, as many of Unicode's symbols are.
                None => TokenKind::Symbol,
            },
        }
    }
}

impl Iterator for Lexer<'_> {
    type Item = Token;

    fn next(&mut self) -> Option<Token> {
        self.skip_layout();
        let start = self.at;
        let kind = self.scan(self.char()?);
        let can_be_functor = matches!(kind, TokenKind::Name | TokenKind::Symbol | TokenKind::Variable);
        self.functor_end = can_be_functor.then_some(self.at);
        Some(Token {
            kind,
            start,
            end: self.at,
        })
    }
}

/// What the reader makes of the texts that `tests/reader/run.mjs` checks with it.
#[cfg(test)]
mod tests {
    use serde::Deserialize;

    use super::super::characters::{begins_variable, is_after_end, is_alphanumeric, is_layout, is_line_end};
    use super::*;

    #[derive(Deserialize)]
    struct Written {
        text: String,
        clauses: Vec<String>,
        tokens: Option<Vec<String>>,
        #[serde(default)]
        error: bool,
    }

    #[derive(Deserialize)]
    struct Random {
        text: String,
        clauses: Vec<usize>,
        leaves: Vec<(usize, usize)>,
        comments: Vec<(usize, usize)>,
        #[serde(default)]
        error: bool,
    }

    /// The bytes of code points.
    fn bytes(text: &str) -> Vec<usize> {
        text.char_indices()
            .map(|(at, _)| at)
            .chain([text.len()])
            .collect()
    }

    fn ends_of(text: &str) -> Vec<usize> {
        let tokens = Lexer::of_file(text);
        tokens
            .filter(|token| token.kind == TokenKind::End)
            .map(|token| token.end)
            .collect()
    }

    /// The clauses before the first error end where the reader says, and no others.
    #[track_caller]
    fn check_ends(text: &str, expected: &[usize], error: bool) {
        let mut found = ends_of(text);
        if error {
            found.truncate(expected.len());
        }
        assert_eq!(found, expected, "{text:?}");
    }

    #[test]
    fn clauses_and_tokens_are_those_of_the_reader() {
        let texts: Vec<Written> =
            serde_json::from_str(include_str!("../../tests/reader/texts.json")).unwrap();
        for Written {
            text,
            clauses,
            tokens,
            error,
        } in texts
        {
            let mut at = 0;
            let ends: Vec<usize> = clauses
                .iter()
                .map(|clause| {
                    at += clause.len();
                    at
                })
                .collect();
            check_ends(&text, &ends, error);
            if let Some(tokens) = tokens {
                let found: Vec<&str> = Lexer::of_file(&text)
                    .map(|token| &text[token.start..token.end])
                    .collect();
                assert_eq!(found, tokens, "{text:?}");
            }
        }
    }

    #[test]
    fn texts_made_at_random_are_divided_as_by_the_reader() {
        let texts: Vec<Random> =
            serde_json::from_str(include_str!("../../tests/reader/random.json")).unwrap();
        for Random {
            text,
            clauses,
            leaves,
            comments,
            error,
        } in texts
        {
            let bytes = bytes(&text);
            let ends: Vec<usize> = clauses.iter().map(|end| bytes[*end]).collect();
            check_ends(&text, &ends, error);
            let tokens: Vec<Token> = Lexer::of_file(&text).collect();
            for (start, end) in leaves {
                let (start, end) = (bytes[start], bytes[end]);
                let first = tokens.iter().position(|token| token.start == start);
                let last = tokens.iter().position(|token| token.end == end);
                // A number is two tokens with its sign, and so are empty brackets.
                let whole = first.zip(last).is_some_and(|(first, last)| last - first <= 1);
                assert!(whole, "{:?} in {text:?}", &text[start..end]);
            }
            for (start, end) in comments {
                let (start, end) = (bytes[start], bytes[end]);
                let apart = tokens
                    .iter()
                    .all(|token| token.end <= start || token.start >= end);
                assert!(apart, "{:?} in {text:?}", &text[start..end]);
            }
        }
    }

    #[test]
    fn characters_are_what_they_are_to_the_reader() {
        type Classes = std::collections::BTreeMap<String, Vec<(u32, u32)>>;
        let classes: Classes =
            serde_json::from_str(include_str!("../../tests/reader/characters.json")).unwrap();
        type Test = fn(char) -> bool;
        let functions: [(&str, Test); 5] = [
            ("layout", is_layout),
            ("after_end", is_after_end),
            ("line_end", is_line_end),
            ("alphanumeric", is_alphanumeric),
            ("variable", |c| is_alphanumeric(c) && begins_variable(c)),
        ];
        for (name, function) in functions {
            let mut known = std::collections::BTreeSet::new();
            for (first, last) in &classes[name] {
                known.extend(*first..=*last);
            }
            for c in '\u{80}'..=char::MAX {
                assert_eq!(function(c), known.contains(&(c as u32)), "{name}: {c:?}");
            }
        }
    }
}
