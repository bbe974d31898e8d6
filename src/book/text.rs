//! What tokens reveal about a text: where a clause ends, whether its period is missing, how deeply it nests,
//! which predicates it names. None of this depends on operators, which are unknown here.

use std::ops::Range;

use hornbook_base::{Fault, Limits, Pace, at_once};

use super::Predicate;
use super::characters::{Class, is_after_end};
use super::lexer::{Lexer, Token, TokenKind};

/// The clauses of a text, as contiguous byte ranges from its start, each with its leading layout and
/// comments; the last may lack its period. Text after the last clause belongs to none.
pub fn clause_ranges(text: &str) -> Vec<Range<usize>> {
    at_once(clause_ranges_in_slices(text, &Pace::unbroken()))
}

/// Like `clause_ranges`, for texts of any size.
pub async fn clause_ranges_in_slices(text: &str, pace: &Pace) -> Vec<Range<usize>> {
    let mut ranges = Vec::new();
    let mut start = 0;
    let mut pending = None;
    for token in Lexer::new(text) {
        if pace.is_over(1 + (token.end - token.start) / 64) {
            pace.rest().await;
        }
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

/// Where a clause lacks its period, and what to insert there; `None` if it ends with one.
pub fn missing_period(text: &str) -> Option<(usize, String)> {
    let last = Lexer::new(text)
        .last()
        .filter(|token| token.kind != TokenKind::End)?;
    let rest = &text[last.end..];
    // After symbol characters a period would be one of them.
    let before = if text[..last.end].ends_with(|c| Class::Symbol.has(c)) {
        " "
    } else {
        ""
    };
    let after = match rest.is_empty() || rest.starts_with(|c: char| is_after_end(c) || c == '%') {
        true => "",
        false => " ",
    };
    Some((last.end, format!("{before}.{after}")))
}

/// Whether a text ends in a comment that goes on to the end of the line, so that text behind it would belong to that.
pub fn ends_in_line_comment(text: &str) -> bool {
    let end = Lexer::new(text).last().map_or(0, |token| token.end);
    let mut rest = text[end..].trim_start();
    loop {
        rest = match rest.strip_prefix("/*") {
            Some(comment) => comment.split_once("*/").map_or("", |(_, rest)| rest),
            None if rest.starts_with('%') => match rest.split_once('\n') {
                Some((_, rest)) => rest,
                None => return true,
            },
            None => return false,
        }
        .trim_start();
    }
}

/// Why an engine must not be given a text to read, with the line (from 1): it nests so deeply that the engine would die,
/// or has a number so long that reading it, which takes quadratic time, would not end. `what` names the text.
pub fn unreadable(what: &str, text: &str, tokens: Lexer<'_>, limits: &Limits) -> Option<Fault> {
    // A token adds two levels at most.
    if 2 * text.len() <= limits.nesting && text.len() <= limits.numeral_digits {
        return None;
    }
    at_once(unreadable_in_slices(
        what,
        text,
        tokens,
        limits,
        &Pace::unbroken(),
    ))
}

/// Like `unreadable`, for texts of any size.
pub async fn unreadable_in_slices(
    what: &str,
    text: &str,
    tokens: Lexer<'_>,
    limits: &Limits,
    pace: &Pace,
) -> Option<Fault> {
    // For each open bracket, the number of successive goals in it: they nest to the right.
    let mut open: Vec<Option<usize>> = vec![Some(0)];
    let mut depth = 0;
    let mut operators = 0;
    for token in tokens {
        if pace.is_over(1 + (token.end - token.start) / 64) {
            pace.rest().await;
        }
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
        // Successive names and symbols are operators: `- - - 1`, `\+ \+ a`.
        let operator = matches!(token.kind, TokenKind::Name | TokenKind::Symbol);
        operators = if operator { operators + 1 } else { 0 };
        let fault = if depth + operators > limits.nesting {
            Fault::limit(format!("{what} is nested too deeply"), "nesting", limits.nesting)
        } else if token.kind == TokenKind::Number && token.end - token.start > limits.numeral_digits {
            let digits = count_digits(&text[token.start..token.end]);
            if digits <= limits.numeral_digits {
                continue;
            }
            let message = format!("{what} has a number of {digits} digits");
            Fault::limit(message, "numeral_digits", limits.numeral_digits)
                .with_next("Compute such a number, as `X is 2**100000`.")
        } else {
            continue;
        };
        return Some(Fault {
            line: Some(1 + text[..token.start].matches('\n').count() as u32),
            ..fault
        });
    }
    None
}

fn count_digits(numeral: &str) -> usize {
    numeral.bytes().filter(u8::is_ascii_alphanumeric).count()
}

/// The predicate indicators in a text: `name/arity`, and `name//arity` for grammar rules.
pub fn indicators(text: &str) -> Vec<Predicate> {
    let all = qualified_indicators(text).into_iter();
    all.map(|(_, predicate)| predicate).collect()
}

/// The predicate indicators in a text, each with the module that is written before it.
pub fn qualified_indicators(text: &str) -> Vec<(Option<String>, Predicate)> {
    let tokens: Vec<Token> = Lexer::new(text).collect();
    let slice = |token: &Token| &text[token.start..token.end];
    let indicator = |slash: usize| {
        let extra = match slice(&tokens[slash]) {
            "/" => 0,
            "//" => 2,
            _ => return None,
        };
        let arity = tokens.get(slash + 1)?;
        let arity = slice(arity).parse::<u32>().ok()?.checked_add(extra)?;
        let (before, name) = match &tokens[..slash] {
            // An operator is written in parentheses.
            [before @ .., open, name, close] if (slice(open), slice(close)) == ("(", ")") => (before, name),
            [before @ .., name] => (before, name),
            [] => return None,
        };
        let module = match before {
            [.., module, colon] if slice(colon) == ":" && module.kind == TokenKind::Name => {
                Some(unquoted(slice(module)))
            }
            _ => None,
        };
        matches!(name.kind, TokenKind::Name | TokenKind::Symbol).then(|| {
            let name = unquoted(slice(name));
            (module, Predicate { name, arity })
        })
    };
    (0..tokens.len()).filter_map(indicator).collect()
}

/// A clause so that another text of the same term reads the same: without layout, comments and the last period, with all
/// names in quotes and variables numbered.
pub fn variant_key(clause: &str) -> Box<str> {
    let (mut key, mut variables) = (String::with_capacity(clause.len()), Vec::new());
    for token in Lexer::new(clause).filter(|token| token.kind != TokenKind::End) {
        let text = &clause[token.start..token.end];
        if !key.is_empty() && token.kind != (TokenKind::Open { arguments: true }) {
            key.push(' ');
        }
        match token.kind {
            TokenKind::Variable => {
                let known = variables.iter().position(|name| *name == text && text != "_");
                let number = known.unwrap_or_else(|| {
                    variables.push(text);
                    variables.len() - 1
                });
                key.push_str(&format!("_{number}"));
            }
            TokenKind::Name => key.push_str(&format!("'{}'", unquoted(text))),
            _ => key.push_str(text),
        }
    }
    key.into_boxed_str()
}

/// The text that a name stands for: without its quotes, and with its escapes replaced if the reader takes them.
pub fn unquoted(name: &str) -> String {
    match name.strip_prefix('\'').and_then(|rest| rest.strip_suffix('\'')) {
        Some(inner) => unescaped(inner, '\'').unwrap_or_else(|| inner.to_owned()),
        None => name.to_owned(),
    }
}

/// Quoted text with its escapes replaced; `None` if it has one that the reader refuses.
pub(crate) fn unescaped(text: &str, quote: char) -> Option<String> {
    let mut chars = text.chars().peekable();
    let mut out = String::with_capacity(text.len());
    while let Some(c) = chars.next() {
        if c == quote {
            // It is doubled.
            chars.next_if_eq(&quote)?;
        }
        if c != '\\' {
            out.push(c);
            continue;
        }
        let escape = chars.next()?;
        let mut digits = |radix: u32, most: usize| {
            let mut code = String::new();
            while code.len() < most
                && let Some(digit) = chars.next_if(|c| c.is_digit(radix))
            {
                code.push(digit);
            }
            char::from_u32(u32::from_str_radix(&code, radix).ok()?)
        };
        out.push(match escape {
            '\n' => continue,
            'c' => {
                while chars.next_if(|c| c.is_whitespace()).is_some() {}
                continue;
            }
            'a' => '\x07',
            'b' => '\x08',
            'f' => '\x0c',
            'n' => '\n',
            'r' => '\r',
            't' => '\t',
            'v' => '\x0b',
            'e' => '\x1b',
            's' => ' ',
            'u' => digits(16, 4)?,
            'U' => digits(16, 8)?,
            'x' => {
                let c = digits(16, 8)?;
                chars.next_if_eq(&'\\');
                c
            }
            '0'..='7' => {
                let first = escape.to_digit(8)?;
                let mut code = first;
                while let Some(digit) = chars.next_if(|c| c.is_digit(8)) {
                    code = code.checked_mul(8)?.checked_add(digit.to_digit(8)?)?;
                }
                chars.next_if_eq(&'\\');
                char::from_u32(code)?
            }
            '\\' | '\'' | '"' | '`' => escape,
            _ => return None,
        });
    }
    Some(out)
}

/// Whether a token separates a head from its body.
pub fn is_neck(token: &str) -> bool {
    matches!(token, ":-" | "-->")
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

    fn nested_deeper(text: &str, nesting: usize) -> Option<u32> {
        let limits = Limits {
            nesting,
            ..Limits::default()
        };
        unreadable("It", text, Lexer::new(text), &limits).and_then(|fault| fault.line)
    }

    #[test]
    fn a_number_has_at_most_so_many_digits_in_each_notation() {
        let limits = Limits {
            numeral_digits: 20,
            ..Limits::default()
        };
        let said = |text: &str| unreadable("It", text, Lexer::new(text), &limits).map(|fault| fault.line);
        let (fits, long) = ("1".repeat(20), "1".repeat(21));
        assert_eq!(
            said(&format!(
                "a({fits}).\nb('{long}', \"{long}\", a{long}, A{long}). % {long}"
            )),
            None
        );
        assert_eq!(said(&format!("a(1_{}).", "1".repeat(19))), None);
        for number in [
            long.clone(),
            format!("-{long}"),
            format!("{fits}_1"),
            format!("0x{long}"),
            format!("0.{long}"),
            format!("1r{long}"),
            format!("16'{long}"),
            format!("1e{long}"),
        ] {
            assert_eq!(said(&format!("a.\nb({number}).")), Some(Some(2)), "{number}");
        }
    }

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
    }

    #[test]
    fn only_a_comment_without_its_line_break_takes_what_follows() {
        let open = ["a. %", "a. % b. /* */", "% a", "a. /* % */ % c", "a. % b\n  % c"];
        let closed = [
            "",
            "a.",
            "a. % b\n",
            "a. /* % */",
            "'%'. ",
            "a :- b = 0'%.",
            "a. % b\n/* c */",
        ];
        assert!(open.into_iter().all(ends_in_line_comment));
        assert!(!closed.into_iter().any(ends_in_line_comment));
    }

    #[test]
    fn variants_of_a_clause_have_one_key() {
        let same = |one: &str, other: &str| variant_key(one) == variant_key(other);
        assert!(same("% paid\np( ann,  10 ) .", "p(ann, 10)."));
        assert!(same("p(X, Y, _) :- q(Y,X).", "p(A,_B,_) :- q( _B, A )."));
        assert!(same("'p'(a).", "p('a')."));
        assert!(!same("p(X, X).", "p(X, Y)."));
        assert!(!same("p(_, _).", "p(X, X)."));
        assert!(!same("p('X').", "p(X)."));
        assert!(!same("p(a b).", "p(ab)."));
        assert!(!same("p('a b').", "p('ab')."));
        assert!(!same("p(- (1)).", "p(-(1, 2))."));
        assert!(!same("p(\"a\").", "p(a)."));
    }

    #[test]
    fn a_missing_period_goes_behind_the_last_token() {
        let whole = |text: &str| match missing_period(text) {
            None => text.to_owned(),
            Some((at, period)) => format!("{}{period}{}", &text[..at], &text[at..]),
        };
        assert_eq!(whole("a(1)."), "a(1).");
        assert_eq!(whole("a(1)"), "a(1).");
        assert_eq!(whole("x = 0'\\x41\\"), "x = 0'\\x41\\ .");
        assert_eq!(whole("a\u{200e}"), "a. \u{200e}");
        assert_eq!(whole("x = +"), "x = + .");
        assert_eq!(whole("a(1) % no period."), "a(1). % no period.");
        assert_eq!(whole("a/* no period. */"), "a. /* no period. */");
        assert_eq!(whole("a('.')"), "a('.').");
        assert_eq!(whole("% nothing"), "% nothing");
    }

    #[test]
    fn nesting_counts_brackets_goals_and_prefix_operators() {
        let nested = |n: usize| format!("a.\nf({}x{}).", "[".repeat(n), "]".repeat(n));
        assert_eq!(nested_deeper(&nested(8), 10), None);
        assert_eq!(nested_deeper(&nested(10), 10), Some(2));
        assert_eq!(nested_deeper(&format!("x({}1).", "- ".repeat(20)), 10), Some(1));
        assert_eq!(
            nested_deeper(&format!("x :- {}a.", "\\+ ".repeat(20)), 10),
            Some(1)
        );
        assert_eq!(
            nested_deeper(&format!("x :- {}a.", "a, ".repeat(20)), 10),
            Some(1)
        );
    }

    #[test]
    fn long_lists_and_brackets_in_quotes_do_not_nest() {
        assert_eq!(nested_deeper(&format!("x([{}1]).", "1, ".repeat(50)), 10), None);
        assert_eq!(nested_deeper(&format!("x({}1).", "1, ".repeat(50)), 10), None);
        assert_eq!(
            nested_deeper(&format!("x('{0}', \"{0}\", 0'(). % {0}", "(".repeat(50)), 10),
            None
        );
        assert_eq!(nested_deeper(&"a :- b, c. ".repeat(50), 10), None);
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
        assert_eq!(
            names(":- dynamic (+)/2, (dynamic)/1, (a/b)/c."),
            ["+/2", "dynamic/1"]
        );
    }

    #[test]
    fn a_body_is_seen_outside_brackets_only() {
        assert!(has_body("a(X) :- b(X)."));
        assert!(!has_body("a((x :- y))."));
    }
}
