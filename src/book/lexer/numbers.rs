//! Numbers.

use super::Lexer;
use crate::characters::Class;

impl Lexer<'_> {
    pub(super) fn skip_number(&mut self) {
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
            self.pass(Class::Digit);
            for special in ["Inf", "NaN"] {
                let rest = &self.text[self.at..];
                if rest
                    .strip_prefix(special)
                    .is_some_and(|rest| !rest.starts_with(|c| Class::Alphanumeric.has(c)))
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
                self.pass(Class::Digit);
            }
        }
    }

    /// Digits in groups, `1 000` or `1_000`; a line may end after `_`. Returns whether there are several
    /// groups.
    fn skip_grouped(&mut self, radix: u32) -> bool {
        let mut grouped = false;
        loop {
            match radix {
                10 => self.pass(Class::Digit),
                _ => self.pass_while(|c| c.is_digit(radix)),
            }
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
}
