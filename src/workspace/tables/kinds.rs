//! Columns that change their type when a file is read again.

use hornbook_book::lexer::{Lexer, Token, TokenKind};
use hornbook_book::text::unquoted;
use hornbook_tables::{Column, ColumnKind};

/// How many tokens are looked at to see what the values of columns were.
const LOOKED_AT: usize = 20_000;

/// Tell of columns whose values were numbers and are not now, or the other way round.
pub(super) fn changed(before: &str, predicate: &str, columns: &[Column]) -> Vec<String> {
    let were = were_numbers(before, predicate, columns.len());
    let changed = columns.iter().zip(were);
    changed
        .filter_map(|(Column { name, kind, no_number, .. }, were)| match (were?, kind) {
            (true, ColumnKind::Text | ColumnKind::Mixed) => {
                let because = match no_number {
                    Some((line, text)) => format!(" because of line {line} ('{text}')"),
                    None => String::new(),
                };
                let kind = kind.name();
                Some(format!(
                    "{name} was number and is {kind} now{because}: look at the rules that count with it, or reload with columns: \"{name}: number\"."
                ))
            }
            (false, ColumnKind::Number) => Some(format!(
                "{name} was text and is number now: look at the rules that compare it."
            )),
            _ => None,
        })
        .collect()
}

/// For each column whether its first value that is not null is a number; unknown if there is none.
fn were_numbers(text: &str, predicate: &str, arity: usize) -> Vec<Option<bool>> {
    let mut were = vec![None; arity];
    let (mut depth, mut column, mut is_row, mut begins) = (0_usize, 0, false, false);
    let part = |token: &Token| &text[token.start..token.end];
    for token in Lexer::of_file(text).take(LOOKED_AT) {
        match token.kind {
            TokenKind::Open { .. } => {
                depth += 1;
                if depth == 1 {
                    (column, begins) = (0, true);
                    continue;
                }
            }
            TokenKind::Close => depth = depth.saturating_sub(1),
            TokenKind::Comma if depth == 1 => {
                column += 1;
                begins = true;
                continue;
            }
            TokenKind::End if were.iter().all(Option::is_some) => break,
            _ if depth == 0 => is_row = unquoted(part(&token)) == predicate,
            _ => {}
        }
        if begins && is_row && depth > 0 && part(&token) != "null" && column < arity {
            let is_number = part(&token).starts_with(|c: char| c == '-' || c.is_ascii_digit());
            were[column].get_or_insert(is_number);
        }
        begins = false;
    }
    were
}

#[cfg(test)]
mod tests {
    use super::were_numbers;

    #[test]
    fn the_first_value_of_a_column_that_is_not_null_tells_its_type() {
        let text =
            "/* table: t(a, b, c, d) */\nt(1, null, 'x, y', null).\nt(null, -2.5, [1], null).\nu(a).\n";
        assert_eq!(
            were_numbers(text, "t", 4),
            [Some(true), Some(true), Some(false), None]
        );
        assert_eq!(were_numbers(text, "u", 1), [Some(false)]);
    }
}
