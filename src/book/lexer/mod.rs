//! The little that the conductor must know about Prolog text: tokens. Only the engine reads terms.

mod numbers;
mod quoted;
#[cfg(test)]
mod tests;

use super::characters::{
    Class, begins_variable, closes_bracket, closing_bracket, closing_quote, is_after_end,
};

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TokenKind {
    /// A name of letters, a quoted atom, `!` or `;`.
    Name,
    /// An atom of symbol characters, such as `:-`, or of one character that is neither a letter nor a symbol
    /// character, such as `→`.
    Symbol,
    Variable,
    Number,
    /// `"…"`, `` `…` ``, `“…”` and similar.
    Text,
    /// An opening bracket; `arguments` if it directly follows a name.
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

/// The tokens of a text as SWI-Prolog's reader finds them, without layout and comments. The reader decides
/// where a clause ends before it looks at tokens, and the lexer follows that step, too. `tests/corpus/reader`
/// has the same texts for both.
#[derive(Clone)]
pub struct Lexer<'a> {
    text: &'a str,
    at: usize,
    /// Where the last token ended, if it can be a functor.
    functor_end: Option<usize>,
    /// Up to here the reader takes what follows `0'\x41` for one run of symbol characters, in which no
    /// comment begins and no clause ends.
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

    /// Lex a text from the beginning of a file, where byte order marks and a `#!` line are layout.
    pub fn of_file(text: &'a str) -> Self {
        let mut lexer = Lexer::new(text);
        lexer.pass_while(|c| c == '\u{feff}');
        if lexer.text[lexer.at..].starts_with("#!") {
            lexer.pass(Class::InLine);
        }
        lexer
    }

    fn peek(&self, ahead: usize) -> Option<u8> {
        self.text.as_bytes().get(self.at + ahead).copied()
    }

    fn char(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    /// Skip all characters of the class.
    fn pass(&mut self, class: Class) {
        let bytes = self.text.as_bytes();
        loop {
            while bytes.get(self.at).is_some_and(|byte| class.has_ascii(*byte)) {
                self.at += 1;
            }
            match self.char() {
                Some(c) if !c.is_ascii() && class.has(c) => self.at += c.len_utf8(),
                _ => return,
            }
        }
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
            self.pass(Class::Layout);
            match (self.peek(0), self.peek(1)) {
                (Some(b'%'), _) => self.pass(Class::InLine),
                (Some(b'/'), Some(b'*')) if self.at >= self.run_end => self.skip_block_comment(),
                _ => return,
            }
        }
    }

    /// Block comments nest. Two marks may share a character, as in `/*/`, except for the first mark.
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
            c if Class::Symbol.has(c) => {
                self.pass(Class::Symbol);
                return TokenKind::Symbol;
            }
            c if Class::Alphanumeric.has(c) => {
                self.pass(Class::Alphanumeric);
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
                // A character on its own, like many Unicode symbols.
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
