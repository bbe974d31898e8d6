//! Clauses of a text as items of a reply.

use hornbook_book::lexer::{Lexer, TokenKind};
use hornbook_book::text::has_body;
use serde_json::{Value, json};

/// The text of a clause without layout and its period.
pub fn plain(clause: &str) -> String {
    clause.trim().trim_end_matches('.').to_owned()
}

/// The name and arity of a clause.
pub fn indicator_of(clause: &str) -> (String, u32) {
    indicator_in(&item(clause).1)
}

/// The same of the fields of its item.
pub fn indicator_in(parts: &[Value]) -> (String, u32) {
    let name = parts[0].as_str().expect("a name").to_owned();
    (name, parts[1].as_u64().expect("an arity") as u32)
}

/// Write an item that differs from the previous one only in its place as its end alone.
pub fn compact(items: Vec<Value>) -> Vec<Value> {
    let same = |a: &Value, b: &Value| [0, 1, 4, 5].iter().all(|at| a[*at] == b[*at]) && a[5].is_number();
    let short = |at: usize| {
        at > 0 && same(&items[at], &items[at - 1]) && items[at][6].is_null() && items[at - 1][6].is_null()
    };
    (0..items.len())
        .map(|at| {
            if short(at) {
                items[at][3].clone()
            } else {
                items[at].clone()
            }
        })
        .collect()
}

/// The tag of an item, and the fields after its place.
pub fn item(clause: &str) -> (&'static str, Vec<Value>) {
    let tokens: Vec<_> = Lexer::new(clause).collect();
    let word = |at: usize| tokens.get(at).map_or("", |token| &clause[token.start..token.end]);
    let directive = word(0) == ":-";
    let name = word(usize::from(directive)).trim_matches('\'').to_owned();
    let body = clause[tokens[0].end..].trim().trim_end_matches('.').to_owned();
    let mut depth = 0;
    let mut arity = 0;
    for token in tokens.iter().skip(1 + usize::from(directive)) {
        match token.kind {
            TokenKind::Open { arguments } => {
                arity += u32::from(depth == 0 && arguments);
                depth += 1;
            }
            TokenKind::Close => depth -= 1,
            TokenKind::Comma if depth == 1 => arity += 1,
            _ if depth == 0 => break,
            _ => {}
        }
        if depth == 0 {
            break;
        }
    }
    match name.as_str() {
        "bad" => (
            "e",
            vec![json!({"kind": "syntax_error", "message": "bad clause"})],
        ),
        "initialization" if directive => {
            let goal = body
                .trim_start_matches("initialization(")
                .trim_end_matches(')')
                .trim()
                .trim_matches('\'');
            ("i", vec![json!(goal)])
        }
        "constraint" if directive => ("d", vec![json!(name), json!(arity)]),
        "op" if directive => ("d", vec![json!("op"), json!(3), json!(":- op(0, xfx, =>).")]),
        _ if directive => ("d", vec![json!(name), json!(1)]),
        _ if has_body(clause) => ("r", vec![json!(name), json!(arity)]),
        _ => ("f", vec![json!(name), json!(arity)]),
    }
}

/// The first clause of a text, with what precedes it; its period may be missing.
pub fn first_clause(text: &str) -> Option<std::ops::Range<usize>> {
    let mut end = None;
    for token in Lexer::new(text) {
        end = Some(token.end);
        if token.kind == TokenKind::End {
            break;
        }
    }
    end.map(|end| 0..end)
}
