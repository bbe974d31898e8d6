//! Reads the facts `may_change(Client, What)`: terms of names, texts, lists, `:` and `/`.

use std::iter::Peekable;

use super::super::Predicate;
use super::super::lexer::{Lexer, Token, TokenKind};
use super::{Client, ROOMS, What};
use crate::text::unescaped;

/// How deep terms may be nested.
const DEEPEST: u32 = 20;

/// What a clause of `may_change/2` says.
#[derive(Debug, PartialEq)]
pub(super) struct Reading {
    /// `None` if that cannot be read.
    pub client: Option<Client>,
    /// `None` if it is no such fact.
    pub fact: Option<Fact>,
}

/// What a fact lets its client change.
#[derive(Debug, PartialEq)]
pub(super) struct Fact {
    pub what: Vec<What>,
}

impl Reading {
    pub fn of(clause: &str) -> Reading {
        let mut terms = Terms::new(clause);
        let head = terms.term(0).map(unqualified);
        let is_fact = terms.is_at_end();
        let mut arguments = match head {
            Some(Term::Compound(name, arguments)) if name == "may_change" => arguments.into_iter(),
            _ => Vec::new().into_iter(),
        };
        let is_any = |name: &str| is_any(clause, name);
        let client = arguments.next().and_then(|term| client(term, is_any));
        let what = arguments.next().and_then(|term| all_of(term, is_any));
        let is_whole = is_fact && client.is_some() && arguments.next().is_none();
        Reading {
            fact: what.filter(|_| is_whole).map(|what| Fact { what }),
            client,
        }
    }
}

/// Whether a clause is one of `may_change/2`, as far as its tokens tell.
pub(super) fn is_right(clause: &str) -> bool {
    let mut tokens = Lexer::new(clause).map(|token| (token.kind, &clause[token.start..token.end]));
    let mut last = "";
    let begins = loop {
        match tokens.next() {
            Some((TokenKind::Open { arguments: true }, _)) => {
                break unquoted(last).as_deref() == Some("may_change");
            }
            Some((TokenKind::Open { .. }, "(")) => {}
            Some((TokenKind::Name, text)) => last = text,
            Some((TokenKind::Symbol, ":")) => {}
            _ => return false,
        }
    };
    let (mut depth, mut arguments) = (1, 1);
    for (kind, _) in tokens {
        match kind {
            TokenKind::Open { .. } => depth += 1,
            TokenKind::Close => depth -= 1,
            TokenKind::Comma if depth == 1 => arguments += 1,
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    begins && arguments == 2
}

/// Whether a variable stands for anything: `_`, or one that occurs once and says so.
fn is_any(clause: &str, name: &str) -> bool {
    let is_it = |token: &Token| token.kind == TokenKind::Variable && &clause[token.start..token.end] == name;
    name == "_" || name.starts_with('_') && Lexer::new(clause).filter(is_it).count() == 1
}

#[derive(Debug, Clone, PartialEq)]
enum Term {
    Variable(String),
    /// An atom or a string.
    Text(String),
    Number(String),
    Compound(String, Vec<Term>),
    List(Vec<Term>),
}

/// A term without the modules before it.
fn unqualified(term: Term) -> Term {
    match term {
        Term::Compound(name, mut arguments) if name == ":" && arguments.len() == 2 => {
            unqualified(arguments.remove(1))
        }
        other => other,
    }
}

fn client(term: Term, is_any: impl Fn(&str) -> bool) -> Option<Client> {
    match term {
        Term::Variable(name) => is_any(&name).then_some(Client::Any),
        Term::Text(name) => Some(Client::Named(name)),
        Term::Compound(name, arguments) => match (&*name, &*arguments) {
            ("scope", [Term::Text(scope)]) => Some(Client::Scope(scope.clone())),
            _ => None,
        },
        Term::Number(_) | Term::List(_) => None,
    }
}

/// One thing, or a list of them.
fn all_of(term: Term, is_any: impl Fn(&str) -> bool) -> Option<Vec<What>> {
    match term {
        Term::List(terms) => terms.into_iter().map(|term| what(term, &is_any)).collect(),
        term => what(term, &is_any).map(|what| vec![what]),
    }
}

fn what(term: Term, is_any: impl Fn(&str) -> bool) -> Option<What> {
    match term {
        Term::Variable(name) => is_any(&name).then_some(What::Everything),
        Term::Text(name) if ROOMS.contains(&&*name) => Some(What::Room(name)),
        // A row of a table has no terms.
        Term::Text(name) => {
            let (name, arity) = name.rsplit_once('/')?;
            let (module, name) = match name.split_once(':') {
                Some((module, name)) => (Some(module), name),
                None => (None, name),
            };
            of(module, name, arity)
        }
        Term::Compound(name, arguments) => match (&*name, &*arguments) {
            ("file", [Term::Text(file)]) => Some(What::File(file.clone())),
            ("/", [name, Term::Number(arity)]) => match name {
                Term::Text(name) => of(None, name, arity),
                Term::Compound(colon, parts) => match (&**colon, &**parts) {
                    (":", [Term::Text(module), Term::Text(name)]) => of(Some(module), name, arity),
                    _ => None,
                },
                _ => None,
            },
            (":", [Term::Text(module), Term::Compound(slash, parts)]) => match (&**slash, &**parts) {
                ("/", [Term::Text(name), Term::Number(arity)]) => of(Some(module), name, arity),
                _ => None,
            },
            _ => None,
        },
        Term::Number(_) | Term::List(_) => None,
    }
}

fn of(module: Option<&str>, name: &str, arity: &str) -> Option<What> {
    let arity = arity.parse().ok()?;
    Some(What::Of(match module {
        None | Some("user") => Predicate {
            name: name.to_owned(),
            arity,
        },
        Some(module) => Predicate::private(module, name, arity),
    }))
}

/// The tokens of a clause that have yet to be read.
struct Terms<'a> {
    clause: &'a str,
    tokens: Peekable<Lexer<'a>>,
}

impl<'a> Terms<'a> {
    fn new(clause: &'a str) -> Terms<'a> {
        Terms {
            clause,
            tokens: Lexer::new(clause).peekable(),
        }
    }

    fn next(&mut self) -> Option<(TokenKind, &'a str)> {
        let token = self.tokens.next()?;
        Some((token.kind, &self.clause[token.start..token.end]))
    }

    /// Whether the next token reads so; then it is taken.
    fn take(&mut self, text: &str) -> bool {
        let clause = self.clause;
        let reads = |token: &Token| &clause[token.start..token.end] == text;
        self.tokens.next_if(reads).is_some()
    }

    fn is_at_end(&mut self) -> bool {
        self.tokens.all(|token| token.kind == TokenKind::End)
    }

    /// A term of which the operators are `:` and `/`. Both ways of reading `m:n/2` mean the same here.
    fn term(&mut self, depth: u32) -> Option<Term> {
        let mut term = self.operand(depth)?;
        for operator in [":", "/"] {
            if self.take(operator) {
                let right = self.operand(depth)?;
                term = Term::Compound(operator.to_owned(), vec![term, right]);
            }
        }
        Some(term)
    }

    fn operand(&mut self, depth: u32) -> Option<Term> {
        if depth > DEEPEST {
            return None;
        }
        let (kind, text) = self.next()?;
        match kind {
            TokenKind::Variable => Some(Term::Variable(text.to_owned())),
            TokenKind::Number => Some(Term::Number(text.to_owned())),
            TokenKind::Text => {
                let inner = text.strip_prefix('"')?.strip_suffix('"')?;
                unescaped(inner, '"').map(Term::Text)
            }
            TokenKind::Name | TokenKind::Symbol => {
                let name = unquoted(text)?;
                let opens = |token: &Token| token.kind == TokenKind::Open { arguments: true };
                if self.tokens.next_if(opens).is_none() {
                    return Some(Term::Text(name));
                }
                let arguments = self.until(")", depth)?;
                Some(match (&*name, &*arguments) {
                    ("[|]", [head, Term::List(tail)]) => {
                        let mut list = vec![head.clone()];
                        list.extend_from_slice(tail);
                        Term::List(list)
                    }
                    _ => Term::Compound(name, arguments),
                })
            }
            TokenKind::Open { .. } if text == "(" => self.parenthesised(depth),
            TokenKind::Open { .. } if text == "[" => self.list(depth).map(Term::List),
            _ => None,
        }
    }

    /// A term and `)`; an operator may stand there alone.
    fn parenthesised(&mut self, depth: u32) -> Option<Term> {
        let mut ahead = self.tokens.clone();
        if let (Some(name), Some(close)) = (ahead.next(), ahead.next())
            && matches!(name.kind, TokenKind::Symbol | TokenKind::Bar | TokenKind::Comma)
            && close.kind == TokenKind::Close
        {
            self.tokens = ahead;
            return Some(Term::Text(self.clause[name.start..name.end].to_owned()));
        }
        let term = self.term(depth + 1)?;
        self.take(")").then_some(term)
    }

    /// Terms up to this bracket, separated by commas.
    fn until(&mut self, close: &str, depth: u32) -> Option<Vec<Term>> {
        let mut terms = vec![self.term(depth + 1)?];
        while !self.take(close) {
            if !self.take(",") {
                return None;
            }
            terms.push(self.term(depth + 1)?);
        }
        Some(terms)
    }

    /// The rest of a list after `[`.
    fn list(&mut self, depth: u32) -> Option<Vec<Term>> {
        if self.take("]") {
            return Some(Vec::new());
        }
        let mut terms = vec![self.term(depth + 1)?];
        loop {
            if self.take("]") {
                return Some(terms);
            }
            if self.take("|") {
                let Term::List(tail) = self.term(depth + 1)? else {
                    return None;
                };
                terms.extend(tail);
                return self.take("]").then_some(terms);
            }
            if !self.take(",") {
                return None;
            }
            terms.push(self.term(depth + 1)?);
        }
    }
}

/// The text that an atom stands for.
fn unquoted(name: &str) -> Option<String> {
    match name.strip_prefix('\'') {
        Some(rest) => unescaped(rest.strip_suffix('\'')?, '\''),
        None => Some(name.to_owned()),
    }
}
