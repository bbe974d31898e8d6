//! Finds clauses by the text of one: token by token, without an engine, so that it also works for removed
//! clauses.

use std::collections::HashMap;

use hornbook_base::Pace;

use super::lexer::{Lexer, Token, TokenKind};
use super::text::{clause_ranges, indicators, is_neck, unquoted};
use super::{Entry, Predicate};

/// What to find: the clauses and declarations of a predicate, or the clauses that a text matches.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Pattern {
    Predicate(Predicate),
    Clause(Shape),
}

/// The text of one clause, read once. A variable in it or in the clause matches any term; a text without a body
/// also matches rules with this head.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    text: String,
    tokens: Vec<Token>,
    /// The module that it is qualified with.
    module: Option<String>,
}

impl Pattern {
    /// `None` if the text is neither a predicate indicator nor one clause.
    pub fn parse(text: &str) -> Option<Pattern> {
        let text = text.trim();
        let tokens: Vec<Token> = Lexer::new(text)
            .filter(|token| token.kind != TokenKind::End)
            .collect();
        if let ([predicate], 3) = (indicators(text).as_slice(), tokens.len()) {
            return Some(Pattern::Predicate(predicate.clone()));
        }
        if let ([plain], [module, colon, _, _, _]) = (indicators(text).as_slice(), &tokens[..])
            && (module.kind, &text[colon.start..colon.end]) == (TokenKind::Name, ":")
        {
            let module = unquoted(&text[module.start..module.end]);
            let private = Predicate::private(&module, &plain.name, plain.arity);
            return Some(Pattern::Predicate(private));
        }
        // After a name of symbol characters the slash is one, too: `=>/2`.
        if let ([symbol, _], Some((name, arity))) = (&tokens[..], text.rsplit_once('/'))
            && let (TokenKind::Symbol, Ok(arity)) = (symbol.kind, arity.parse())
        {
            let name = name.to_owned();
            return Some(Pattern::Predicate(Predicate { name, arity }));
        }
        match clause_ranges(text).as_slice() {
            [range] => Some(Pattern::Clause(Shape::of(&text[range.clone()]))),
            _ => None,
        }
    }

    pub async fn matches(&self, entry: &Entry, pace: &Pace) -> bool {
        if pace.is_over(1) {
            pace.rest().await;
        }
        match self {
            Pattern::Predicate(wanted) if entry.is_clause() => **entry.predicate() == *wanted,
            Pattern::Predicate(wanted) => {
                let declares = matches!(
                    &*entry.predicate().name,
                    "data" | "dynamic" | "discontiguous" | "table"
                );
                let declared = indicators(entry.text());
                declares && declared.iter().any(|one| one.is_like(wanted))
            }
            Pattern::Clause(shape) => {
                let found = Side::new(entry.text(), entry.tokens());
                shape.within(entry.predicate()).matches(found, pace).await
            }
        }
    }
}

/// How many tokens qualify a clause: a name and a colon.
const QUALIFICATION: usize = 2;

impl Shape {
    fn of(text: &str) -> Shape {
        Shape {
            text: text.to_owned(),
            tokens: Lexer::new(text).collect(),
            module: qualified(text).map(|(module, _)| module),
        }
    }

    /// The tokens to compare with a clause of this predicate: in the file of its module it has its plain name.
    fn within(&self, predicate: &Predicate) -> Side<'_, impl Iterator<Item = Token>> {
        let from = match (predicate.parts(), &self.module) {
            (Some((of, _)), Some(module)) if of == module => QUALIFICATION,
            _ => 0,
        };
        Side::new(&self.text, self.tokens[from..].iter().copied())
    }
}

/// The module that a clause is qualified with, and the clause itself: `m:p(1).`
pub fn qualified(clause: &str) -> Option<(String, &str)> {
    let mut tokens = Lexer::new(clause);
    let name = tokens.next().filter(|token| token.kind == TokenKind::Name)?;
    let colon = tokens.next()?;
    let is_colon = &clause[colon.start..colon.end] == ":";
    is_colon.then(|| (unquoted(&clause[name.start..name.end]), &clause[colon.end..]))
}

/// The tokens of a text that have yet to be compared.
struct Side<'a, Tokens: Iterator<Item = Token>> {
    text: &'a str,
    tokens: std::iter::Peekable<Tokens>,
    /// The number of open brackets.
    depth: usize,
}

impl<'a, Tokens: Iterator<Item = Token>> Side<'a, Tokens> {
    fn new(text: &'a str, tokens: Tokens) -> Self {
        Side {
            text,
            tokens: tokens.peekable(),
            depth: 0,
        }
    }

    /// The next token; `None` at the end of the clause.
    fn peek(&mut self) -> Option<(TokenKind, &'a str)> {
        let token = self.tokens.peek().filter(|token| token.kind != TokenKind::End)?;
        Some((token.kind, &self.text[token.start..token.end]))
    }

    fn next(&mut self) {
        match self.tokens.next().map(|token| token.kind) {
            Some(TokenKind::Open { .. }) => self.depth += 1,
            Some(TokenKind::Close) => self.depth = self.depth.saturating_sub(1),
            _ => {}
        }
    }

    /// Whether an argument, a goal or the head ends here.
    fn is_at_delimiter(&mut self) -> bool {
        self.peek().is_none_or(|(kind, text)| {
            matches!(kind, TokenKind::Close | TokenKind::Comma | TokenKind::Bar) || is_neck(text)
        })
    }

    /// Skip one term, including what is in its brackets.
    async fn skip_primary(&mut self, pace: &Pace) {
        let outside = self.depth;
        self.next();
        while self.depth > outside || matches!(self.peek(), Some((TokenKind::Open { arguments: true }, _))) {
            if self.peek().is_none() {
                return;
            }
            self.next();
            if pace.is_over(1) {
                pace.rest().await;
            }
        }
    }

    async fn skip_to_delimiter(&mut self, pace: &Pace) {
        while !self.is_at_delimiter() {
            self.skip_primary(pace).await;
        }
    }

    /// Skip what a variable of the other side matches, a whole argument or an operand. Returns its tokens.
    async fn skip_term(&mut self, whole: bool, pace: &Pace) -> Vec<String> {
        let begin = self.tokens.peek().map_or(self.text.len(), |token| token.start);
        if whole {
            self.skip_to_delimiter(pace).await;
        } else if !self.is_at_delimiter() {
            self.skip_primary(pace).await;
        }
        let end = self.tokens.peek().map_or(self.text.len(), |token| token.start);
        let skipped = &self.text[begin..end];
        let plain = |token: Token| unquoted(&skipped[token.start..token.end]);
        pace.collect(Lexer::new(skipped).map(plain)).await
    }

    async fn matches(mut self, mut clause: Side<'_, Lexer<'_>>, pace: &Pace) -> bool {
        let mut bound: HashMap<&str, Vec<String>> = HashMap::new();
        loop {
            if pace.is_over(1) {
                pace.rest().await;
            }
            let (wanted, found) = match (self.peek(), clause.peek()) {
                (None, None) => return true,
                (None, Some((_, found))) => return clause.depth == 0 && is_neck(found),
                (Some(_), None) => return false,
                (Some(wanted), Some(found)) => (wanted, found),
            };
            match (wanted, found) {
                ((TokenKind::Variable, name), found) => {
                    self.next();
                    let whole = self.is_at_delimiter();
                    let value = clause.skip_term(whole, pace).await;
                    if found.0 == TokenKind::Variable && clause.is_at_delimiter() {
                        self.skip_to_delimiter(pace).await;
                    }
                    if value.is_empty() {
                        return false;
                    }
                    match bound.get(name) {
                        _ if name == "_" => {}
                        Some(before) if found.0 != TokenKind::Variable && *before != value => {
                            return false;
                        }
                        Some(_) => {}
                        None => drop(bound.insert(name, value)),
                    }
                }
                (_, (TokenKind::Variable, _)) => {
                    clause.next();
                    let whole = clause.is_at_delimiter();
                    if self.skip_term(whole, pace).await.is_empty() {
                        return false;
                    }
                }
                ((kind, a), (other, b)) => {
                    if kind != other || !is_same(a, b) {
                        return false;
                    }
                    self.next();
                    clause.next();
                }
            }
        }
    }
}

/// Whether two tokens are one name, with or without quotes.
fn is_same(a: &str, b: &str) -> bool {
    // Without quotes a name is not shorter than a quarter: a long one is not read for each short one.
    let (short, long) = (a.len().min(b.len()), a.len().max(b.len()));
    let could_be = (a.starts_with('\'') || b.starts_with('\'')) && long <= 4 * short + 2;
    a == b || (could_be && unquoted(a) == unquoted(b))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hornbook_base::at_once;

    fn matches(pattern: &str, clause: &str) -> bool {
        let side = |text| Side::new(text, Lexer::new(text));
        at_once(side(pattern).matches(side(clause), &Pace::unbroken()))
    }

    #[test]
    fn layout_comments_and_quotes_do_not_matter() {
        assert!(matches("p(a, 'b c')", "% first\np( 'a' ,'b c' )."));
        assert!(matches("p :- q, r.", "p:-q,/* and */r."));
        assert!(!matches("p(a)", "p(b)."));
        assert!(!matches("p(a)", "p(a, b)."));
        assert!(!matches("p(a, b)", "p(a)."));
        assert!(!matches("'X'", "y."));
    }

    #[test]
    fn variables_of_both_sides_stand_for_terms() {
        assert!(matches("p(X, b)", "p(f(a, [1, 2 | T]), b)."));
        assert!(matches("p(X)", "p(1 + 2)."));
        assert!(matches("p(X + 2)", "p(f(1) + 2)."));
        assert!(matches("p(f(a), b)", "p(X, Y)."));
        assert!(matches("p(X) :- q(X)", "p(A) :- q(A)."));
        assert!(matches("p(X, 1)", "p(Y + 1, 1)."));
        assert!(matches("p(X + 1, 1)", "p(Y, 1)."));
        assert!(!matches("p(X, b)", "p(a, c)."));
        assert!(!matches("p(X)", "p(a, b)."));
        assert!(!matches("p(X)", "p."));
    }

    #[test]
    fn a_variable_stands_for_the_same_term_everywhere() {
        assert!(matches("p(X, X)", "p(f(a), f('a'))."));
        assert!(!matches("p(X, X)", "p(a, b)."));
        assert!(matches("p(_, _)", "p(a, b)."));
    }

    #[test]
    fn a_head_stands_for_rules_and_a_rule_not_for_facts() {
        assert!(matches("p(X)", "p(Y) :- q(Y)."));
        assert!(matches("greeting", "greeting --> [hello]."));
        assert!(!matches("p(X) :- q(X)", "p(a)."));
        assert!(!matches("p", "p, q."));
    }

    #[test]
    fn open_brackets_come_to_an_end() {
        assert!(!matches("p(X", "p(a)."));
        assert!(!matches("p(X)", "p(f(((."));
    }

    #[test]
    fn an_indicator_is_told_from_a_clause() {
        let predicate = |name: &str, arity| {
            let name = name.to_owned();
            Some(Pattern::Predicate(Predicate { name, arity }))
        };
        assert_eq!(Pattern::parse(" parent/2 "), predicate("parent", 2));
        assert_eq!(Pattern::parse("parent/2."), predicate("parent", 2));
        assert_eq!(Pattern::parse("'two words'/0"), predicate("two words", 0));
        assert_eq!(Pattern::parse("greeting//1"), predicate("greeting", 3));
        assert_eq!(Pattern::parse("=>/2"), predicate("=>", 2));
        assert_eq!(Pattern::parse("p(X)."), Some(Pattern::Clause(Shape::of("p(X)."))));
        assert_eq!(
            Pattern::parse("p(1/2)"),
            Some(Pattern::Clause(Shape::of("p(1/2)")))
        );
        assert_eq!(Pattern::parse("p. q."), None);
        assert_eq!(Pattern::parse(" % nothing"), None);
    }
}
