//! The little that the conductor must know of Prolog text: tokens. It never reads terms; the engine does.

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

pub(super) fn is_symbol(c: char) -> bool {
    "+-*/\\^<>=~:.?@#&$".contains(c)
}

fn is_alphanumeric(c: char) -> bool {
    c.is_alphanumeric() || c == '_'
}
