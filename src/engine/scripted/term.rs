//! Reads requests, as strictly as the protocol is specified.

use std::collections::VecDeque;

/// A term of the protocol.
#[derive(Debug, Clone, PartialEq)]
pub enum Term {
    Number(f64),
    Text(String),
    List(Vec<Term>),
    Call(String, Vec<Term>),
}

impl Term {
    pub fn int(&self) -> i64 {
        match self {
            Term::Number(number) => *number as i64,
            other => panic!("not a number: {other:?}"),
        }
    }

    pub fn text(&self) -> &str {
        match self {
            Term::Text(text) | Term::Call(text, _) => text,
            other => panic!("not a text: {other:?}"),
        }
    }

    pub fn list(&self) -> &[Term] {
        match self {
            Term::List(items) => items,
            other => panic!("not a list: {other:?}"),
        }
    }

    /// The name and arity of a predicate indicator.
    pub fn indicator(&self) -> (String, u32) {
        match self {
            Term::Call(name, parts) if name == "/" => (parts[0].text().to_owned(), parts[1].int() as u32),
            other => panic!("not a predicate indicator: {other:?}"),
        }
    }

    /// Replace the lengths by the texts that follow.
    fn take_texts(&mut self, texts: &mut std::str::Chars<'_>) {
        let mut take = |length: &mut Term| {
            if let Term::Number(number) = length {
                *length = Term::Text(texts.take(*number as usize).collect());
            }
        };
        match self {
            Term::Call(name, parts) if name == "add" => match &mut parts[1] {
                Term::List(sources) => sources.iter_mut().for_each(take),
                other => panic!("not a list: {other:?}"),
            },
            Term::Call(name, parts) if name == "add_more" => {
                if let Some(Term::List(sources)) = parts.get_mut(2) {
                    sources.iter_mut().for_each(take);
                }
            }
            Term::Call(name, parts) if name == "reload" || name == "agree" => match &mut parts[1] {
                Term::List(loads) => loads.iter_mut().for_each(|load| load.take_texts(texts)),
                other => panic!("not a list: {other:?}"),
            },
            Term::Call(name, parts) if name == "load" => take(&mut parts[1]),
            _ => {}
        }
    }

    /// The ids of runs.
    pub fn ids(&self) -> VecDeque<i64> {
        let run = |run: &Term| match run {
            Term::Call(name, arguments) if name == "-" => {
                arguments[0].int()..arguments[0].int() + arguments[1].int()
            }
            other => panic!("not a run: {other:?}"),
        };
        self.list().iter().flat_map(run).collect()
    }
}

/// Reads requests as Prolog would.
pub struct Reader<'a>(std::iter::Peekable<std::str::Chars<'a>>);

impl Reader<'_> {
    pub fn read(text: &str) -> Term {
        let (line, texts) = text.split_once('\n').unwrap_or((text, ""));
        let mut reader = Reader(line.chars().peekable());
        let mut term = reader.term();
        assert_eq!(reader.0.next(), None, "more after the request {text}");
        let mut texts = texts.chars();
        term.take_texts(&mut texts);
        assert_eq!(texts.next(), None, "more than the texts of {line}");
        term
    }

    fn eat(&mut self, wanted: char) -> bool {
        self.0.next_if_eq(&wanted).is_some()
    }

    fn term(&mut self) -> Term {
        let left = self.primary();
        for operator in ['-', '/'] {
            if self.eat(operator) {
                return Term::Call(operator.to_string(), vec![left, self.primary()]);
            }
        }
        left
    }

    fn primary(&mut self) -> Term {
        match *self.0.peek().expect("a term") {
            '"' => Term::Text(self.quoted('"')),
            '_' => self.dict(),
            '\'' => Term::Call(self.quoted('\''), Vec::new()),
            '[' => {
                self.eat('[');
                Term::List(self.arguments(']'))
            }
            c if c == '-' || c.is_ascii_digit() => {
                let mut digits = self.0.next().expect("peeked").to_string();
                while let Some(c) = self.0.next_if(|c| c.is_ascii_digit() || *c == '.') {
                    digits.push(c);
                }
                Term::Number(digits.parse().expect("a number"))
            }
            _ => {
                let mut name = String::new();
                while let Some(c) = self.0.next_if(|c| c.is_alphanumeric() || *c == '_') {
                    name.push(c);
                }
                assert!(!name.is_empty(), "no term before {:?}", self.0.peek());
                let arguments = if self.eat('(') {
                    self.arguments(')')
                } else {
                    Vec::new()
                };
                Term::Call(name, arguments)
            }
        }
    }

    /// `_{'key': Value}`, as a call with a call of each key.
    fn dict(&mut self) -> Term {
        assert!(self.eat('_') && self.eat('{'), "a dict");
        let mut members = Vec::new();
        while !self.eat('}') {
            assert!(members.is_empty() || self.eat(','), "a comma is missing");
            let key = self.quoted('\'');
            assert!(self.eat(':') && self.eat(' '), "a colon is missing");
            members.push(Term::Call(key, vec![self.term()]));
        }
        Term::Call("dict".to_owned(), members)
    }

    fn arguments(&mut self, close: char) -> Vec<Term> {
        let mut arguments = Vec::new();
        while !self.eat(close) {
            assert!(arguments.is_empty() || self.eat(','), "a comma is missing");
            arguments.push(self.term());
        }
        arguments
    }

    fn quoted(&mut self, quote: char) -> String {
        assert!(self.eat(quote));
        let mut text = String::new();
        loop {
            match self.0.next().expect("a closing quote") {
                c if c == quote => return text,
                '\\' => match self.0.next().expect("an escape") {
                    'n' => text.push('\n'),
                    'x' => {
                        let mut digits = String::new();
                        while let Some(c) = self.0.next_if(|c| *c != '\\') {
                            digits.push(c);
                        }
                        assert!(self.eat('\\'));
                        let code = u32::from_str_radix(&digits, 16).expect("hexadecimal");
                        text.push(char::from_u32(code).expect("a character"));
                    }
                    c => text.push(c),
                },
                c => {
                    assert!(!c.is_control(), "a control character in a request");
                    text.push(c);
                }
            }
        }
    }
}
