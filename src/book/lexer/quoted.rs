//! Quoted text and character codes, with their escapes.

use super::Lexer;
use crate::characters::Class;

impl Lexer<'_> {
    /// Skip from after an opening quote to after the closing one. A doubled ASCII quote does not close the
    /// text.
    pub(super) fn skip_quoted(&mut self, close: char) {
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

    /// Skip what follows a backslash in quoted text. Returns whether that closed the quote.
    fn skip_escape(&mut self, close: char) -> bool {
        let Some(c) = self.char() else { return false };
        self.skip_char();
        match c {
            'x' => self.pass_while(|c| c.is_ascii_hexdigit()),
            '0'..='7' => self.pass_while(|c| matches!(c, '0'..='7')),
            'c' => {
                self.pass(Class::Layout);
                return false;
            }
            '\n' => {}
            _ => return false,
        }
        // The next character always belongs to it, be it the backslash that ends the digits or the closing
        // quote.
        let next = self.char();
        self.skip_char();
        next == Some(close)
    }

    /// What follows `0'`: `c`, `\n`, `\x41`, `''`.
    pub(super) fn skip_character_code(&mut self) {
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
                    self.run_end = self.at + rest.find(|c| !Class::Symbol.has(c)).unwrap_or(rest.len());
                    self.at += 1;
                }
            }
            (Some(b'\''), Some(b'\'')) => self.at += 2,
            _ => self.skip_char(),
        }
    }

    /// Skip up to `count` hexadecimal digits.
    fn skip_digits(&mut self, count: usize) {
        for _ in 0..count {
            if self.peek(0).is_some_and(|b| b.is_ascii_hexdigit()) {
                self.at += 1;
            }
        }
    }
}
