//! The little that the conductor must know of Prolog text: tokens. It never reads terms; the engine does.
//!
//! It answers: where a clause ends, whether its period is missing, how deep a text nests, which predicates a
//! declaration names. Operators are unknown here, and none of these needs them.

use std::ops::Range;

use super::Predicate;

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// A name of letters, a quoted atom, or `!` and `;`.
    Name,
    /// An atom of symbol characters, as `:-`.
    Symbol,
    Variable,
    Number,
    /// `"…"` or `` `…` ``.
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

/// The tokens of a text; layout and comments are skipped.
pub struct Lexer<'a> {
    text: &'a str,
    at: usize,
    /// Where the last token ended, when it can be a functor.
    functor_end: Option<usize>,
}

impl<'a> Lexer<'a> {
    pub fn new(text: &'a str) -> Self {
        Lexer {
            text,
            at: 0,
            functor_end: None,
        }
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + ahead).copied()
    }

    fn char(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn skip_while(&mut self, keep: impl Fn(char) -> bool) {
        while let Some(c) = self.char().filter(|&c| keep(c)) {
            self.at += c.len_utf8();
        }
    }

    fn skip_char(&mut self) {
        self.at += self.char().map_or(0, char::len_utf8);
    }

    fn skip_layout(&mut self) {
        loop {
            self.skip_while(is_layout);
            match (self.peek(0), self.peek(1)) {
                (Some(b'#'), Some(b'!')) if self.at == 0 => self.skip_while(|c| c != '\n'),
                (Some(b'%'), _) => self.skip_while(|c| c != '\n'),
                (Some(b'/'), Some(b'*')) => {
                    let rest = &self.text[self.at + 2..];
                    self.at += rest.find("*/").map_or(rest.len() + 2, |end| end + 4);
                }
                _ => return,
            }
        }
    }

    fn skip_quoted(&mut self, quote: u8) {
        self.at += 1;
        while let Some(byte) = self.peek(0) {
            match byte {
                b'\\' => {
                    self.at += 1;
                    self.skip_char();
                }
                _ if byte == quote && self.peek(1) == Some(quote) => self.at += 2,
                _ if byte == quote => {
                    self.at += 1;
                    return;
                }
                _ => self.skip_char(),
            }
        }
    }

    /// `0'c`, `0'\n`, `0'\x41\`, `0'''`: what follows the `0'`.
    fn skip_character_code(&mut self) {
        match self.peek(0) {
            Some(b'\\') => {
                self.at += 1;
                let numeric = self.peek(0).is_some_and(|b| b == b'x' || b.is_ascii_digit());
                self.skip_char();
                if numeric {
                    self.skip_while(|c| c.is_ascii_hexdigit());
                    if self.peek(0) == Some(b'\\') {
                        self.at += 1;
                    }
                }
            }
            Some(b'\'') if self.peek(1) == Some(b'\'') => self.at += 2,
            _ => self.skip_char(),
        }
    }

    fn skip_number(&mut self) {
        let zero = self.peek(0) == Some(b'0');
        if zero && self.peek(1) == Some(b'\'') && self.at + 2 < self.text.len() {
            self.at += 2;
            return self.skip_character_code();
        }
        self.skip_while(is_alphanumeric);
        if self.peek(0) == Some(b'\'') && self.peek(1).is_some_and(|b| b.is_ascii_alphanumeric()) {
            self.at += 1;
            return self.skip_while(|c| c.is_ascii_alphanumeric());
        }
        if self.peek(0) == Some(b'.') && self.peek(1).is_some_and(|b| b.is_ascii_digit()) {
            self.at += 1;
            self.skip_while(is_alphanumeric);
            let exponent = matches!(self.text.as_bytes()[self.at - 1], b'e' | b'E');
            let signed = matches!(self.peek(0), Some(b'+' | b'-'));
            if exponent && signed && self.peek(1).is_some_and(|b| b.is_ascii_digit()) {
                self.at += 1;
                self.skip_while(|c| c.is_ascii_digit());
            }
        }
    }

    fn scan(&mut self, first: char) -> TokenKind {
        let start = self.at;
        match first {
            '(' | '[' | '{' => {
                self.at += 1;
                TokenKind::Open {
                    arguments: first == '(' && self.functor_end == Some(start),
                }
            }
            ')' | ']' | '}' => {
                self.at += 1;
                TokenKind::Close
            }
            ',' => {
                self.at += 1;
                TokenKind::Comma
            }
            '|' => {
                self.at += 1;
                TokenKind::Bar
            }
            '!' | ';' => {
                self.at += 1;
                TokenKind::Name
            }
            '\'' => {
                self.skip_quoted(b'\'');
                TokenKind::Name
            }
            '"' | '`' => {
                self.skip_quoted(first as u8);
                TokenKind::Text
            }
            '0'..='9' => {
                self.skip_number();
                TokenKind::Number
            }
            '.' if self
                .peek(1)
                .is_none_or(|_| self.text[start + 1..].starts_with(|c: char| is_layout(c) || c == '%')) =>
            {
                self.at += 1;
                TokenKind::End
            }
            c if is_symbol(c) => {
                self.skip_while(is_symbol);
                TokenKind::Symbol
            }
            c if is_alphanumeric(c) => {
                self.skip_while(is_alphanumeric);
                if c == '_' || c.is_uppercase() {
                    TokenKind::Variable
                } else {
                    TokenKind::Name
                }
            }
            _ => {
                self.skip_char();
                TokenKind::Symbol
            }
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

/// White space, and the byte order mark that some files begin with.
fn is_layout(c: char) -> bool {
    c.is_whitespace() || c == '\u{feff}'
}

fn is_symbol(c: char) -> bool {
    "+-*/\\^<>=~:.?@#&$".contains(c)
}

fn is_alphanumeric(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}

/// The clauses of a text, as contiguous byte ranges from its start, each with the layout and the comments before
/// it; the last may lack its period. What follows the last clause is in none.
pub fn clause_ranges(text: &str) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut start = 0;
    let mut pending = None;
    for token in Lexer::new(text) {
        pending = Some(token.end);
        if token.kind == TokenKind::End {
            ranges.push(start..token.end);
            start = token.end;
            pending = None;
        }
    }
    ranges.extend(pending.map(|end| start..end));
    ranges
}

/// What must be appended to the text of a clause so that it ends with a period: nothing where it does.
pub fn missing_period(text: &str) -> &'static str {
    match Lexer::new(text).last() {
        None => "",
        Some(token) if token.kind == TokenKind::End => "",
        Some(token) if token.end < text.len() => "\n.",
        Some(token) if text[token.start..].ends_with(is_symbol) => " .",
        Some(_) => ".",
    }
}

/// The line (from 1) where a text nests deeper than `limit`.
pub fn line_nested_deeper(text: &str, limit: usize) -> Option<u32> {
    // One element for each open bracket: how many goals follow each other in it. They nest to the right.
    let mut open: Vec<Option<usize>> = vec![Some(0)];
    let mut depth = 0;
    let mut operators = 0;
    for token in Lexer::new(text) {
        match token.kind {
            TokenKind::Open { arguments } => {
                let sequence = arguments || &text[token.start..token.end] == "[";
                open.push((!sequence).then_some(0));
                depth += 1;
            }
            TokenKind::Close if open.len() > 1 => {
                depth -= 1 + open.pop().flatten().unwrap_or(0);
            }
            TokenKind::End => {
                open.truncate(1);
                open[0] = Some(0);
                depth = 0;
            }
            _ => {
                let separates = matches!(token.kind, TokenKind::Comma | TokenKind::Bar)
                    || matches!(&text[token.start..token.end], ";" | "->" | "*->");
                if let Some(Some(goals)) = open.last_mut().filter(|_| separates) {
                    *goals += 1;
                    depth += 1;
                }
            }
        }
        // Names and symbols that follow each other are operators: `- - - 1`, `\+ \+ a`.
        let operator = matches!(token.kind, TokenKind::Name | TokenKind::Symbol);
        operators = if operator { operators + 1 } else { 0 };
        if depth + operators > limit {
            return Some(1 + text[..token.start].matches('\n').count() as u32);
        }
    }
    None
}

/// The predicate indicators in a text: `name/arity`, and `name//arity` for grammar rules.
pub fn indicators(text: &str) -> Vec<Predicate> {
    let tokens: Vec<Token> = Lexer::new(text).collect();
    let slice = |token: &Token| &text[token.start..token.end];
    let indicator = |window: &[Token]| {
        let [name, slash, arity] = window else { return None };
        let extra = match slice(slash) {
            "/" => 0,
            "//" => 2,
            _ => return None,
        };
        let arity = slice(arity).parse::<u32>().ok()?.checked_add(extra)?;
        (name.kind == TokenKind::Name).then(|| Predicate {
            name: unquoted(slice(name)),
            arity,
        })
    };
    tokens.windows(3).filter_map(indicator).collect()
}

fn unquoted(name: &str) -> String {
    match name.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        Some(inner) => inner.replace("''", "'").replace("\\'", "'").replace("\\\\", "\\"),
        None => name.to_owned(),
    }
}

/// Whether a clause has a body: `:-` outside every bracket.
pub fn has_body(text: &str) -> bool {
    let mut depth = 0i32;
    Lexer::new(text).any(|token| {
        match token.kind {
            TokenKind::Open { .. } => depth += 1,
            TokenKind::Close => depth -= 1,
            _ => {}
        }
        depth == 0 && token.kind == TokenKind::Symbol && &text[token.start..token.end] == ":-"
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn clauses(text: &str) -> Vec<&str> {
        clause_ranges(text)
            .into_iter()
            .map(|range| &text[range])
            .collect()
    }

    #[test]
    fn clauses_end_at_a_period_before_layout_only() {
        assert_eq!(clauses("a. b.\nc"), ["a.", " b.", "\nc"]);
        assert_eq!(
            clauses("x(1.5). y(X) :- X = p.q. z.% end"),
            ["x(1.5).", " y(X) :- X = p.q.", " z."]
        );
        assert_eq!(clauses("a :- X == ... , b. "), ["a :- X == ... , b."]);
    }

    #[test]
    fn quotes_comments_and_character_codes_hide_periods() {
        assert_eq!(
            clauses("a('x. y'). b(\"p. q\\\". r\")."),
            ["a('x. y').", " b(\"p. q\\\". r\")."]
        );
        assert_eq!(
            clauses("% one. two.\na. /* b. */ c."),
            ["% one. two.\na.", " /* b. */ c."]
        );
        assert_eq!(
            clauses("a(0'. , 0''', 0'\\'). b(0'%)."),
            ["a(0'. , 0''', 0'\\').", " b(0'%)."]
        );
        assert_eq!(clauses("a('it''s. so')."), ["a('it''s. so')."]);
        assert_eq!(
            clauses("a(16'FF, 1.0e-5, 0'a). b."),
            ["a(16'FF, 1.0e-5, 0'a).", " b."]
        );
    }

    #[test]
    fn comments_after_the_last_clause_belong_to_none() {
        assert_eq!(clauses("a. % the end"), ["a."]);
        assert_eq!(clauses(" /* nothing */ "), [""; 0]);
        assert_eq!(clauses("#!/bin/swipl -q\na. "), ["#!/bin/swipl -q\na."]);
    }

    #[test]
    fn a_missing_period_is_added_where_it_ends_the_clause() {
        assert_eq!(missing_period("a(1)."), "");
        assert_eq!(missing_period("a(1)"), ".");
        assert_eq!(missing_period("x = +"), " .");
        assert_eq!(missing_period("a(1) % no period."), "\n.");
        assert_eq!(missing_period("a('.')"), ".");
        assert_eq!(missing_period("a('+')"), ".");
    }

    #[test]
    fn nesting_counts_brackets_goals_and_prefix_operators() {
        let nested = |n: usize| format!("a.\nf({}x{}).", "[".repeat(n), "]".repeat(n));
        assert_eq!(line_nested_deeper(&nested(8), 10), None);
        assert_eq!(line_nested_deeper(&nested(10), 10), Some(2));
        assert_eq!(
            line_nested_deeper(&format!("x({}1).", "- ".repeat(20)), 10),
            Some(1)
        );
        assert_eq!(
            line_nested_deeper(&format!("x :- {}a.", "\\+ ".repeat(20)), 10),
            Some(1)
        );
        assert_eq!(
            line_nested_deeper(&format!("x :- {}a.", "a, ".repeat(20)), 10),
            Some(1)
        );
    }

    #[test]
    fn long_lists_and_brackets_in_quotes_do_not_nest() {
        assert_eq!(
            line_nested_deeper(&format!("x([{}1]).", "1, ".repeat(50)), 10),
            None
        );
        assert_eq!(
            line_nested_deeper(&format!("x({}1).", "1, ".repeat(50)), 10),
            None
        );
        assert_eq!(
            line_nested_deeper(&format!("x('{0}', \"{0}\", 0'(). % {0}", "(".repeat(50)), 10),
            None
        );
        assert_eq!(line_nested_deeper(&"a :- b, c. ".repeat(50), 10), None);
    }

    #[test]
    fn declarations_name_their_predicates() {
        let names = |text| {
            indicators(text)
                .iter()
                .map(Predicate::to_string)
                .collect::<Vec<_>>()
        };
        assert_eq!(names(":- dynamic a/1, 'it''s'/2."), ["a/1", "it's/2"]);
        assert_eq!(names(":- dynamic([p/0, m:q//1])."), ["p/0", "q/3"]);
    }

    #[test]
    fn a_body_is_seen_outside_brackets_only() {
        assert!(has_body("a(X) :- b(X)."));
        assert!(!has_body("a((x :- y))."));
    }
}
