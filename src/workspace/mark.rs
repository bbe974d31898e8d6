//! Excerpts of a text, with a mark at an error.

use super::elsewhere::instead_of_refused;
use super::faults::{split, with};
use hornbook_base::{Fault, FaultKind};
use hornbook_engine::reply::EngineError;

/// Characters on each side of the mark.
const AROUND: usize = 30;

/// `… S > 90000 ⟪here⟫ && S < 200000.`: the text around a column (from 0) of a line (from 1).
pub(super) fn marked(text: &str, line: u32, column: u32) -> Option<String> {
    let line = text.split('\n').nth((line as usize).checked_sub(1)?)?;
    let at = line
        .char_indices()
        .nth(column as usize)
        .map_or(line.len(), |(at, _)| at);
    let (before, after) = line.split_at(at);
    let cut = before
        .char_indices()
        .rev()
        .nth(AROUND - 1)
        .map_or(0, |(at, _)| at);
    let end = after.char_indices().nth(AROUND).map_or(after.len(), |(at, _)| at);
    let mut excerpt = String::new();
    if cut > 0 {
        excerpt.push_str("… ");
    }
    for (part, mark) in [(before[cut..].trim(), "⟪here⟫"), (after[..end].trim(), "")] {
        excerpt.push_str(part);
        if !part.is_empty() && !mark.is_empty() {
            excerpt.push(' ');
        }
        excerpt.push_str(mark);
        if !mark.is_empty() && !after[..end].trim().is_empty() {
            excerpt.push(' ');
        }
    }
    if end < after.len() {
        excerpt.push_str(" …");
    }
    Some(excerpt)
}

/// The message of a syntax error with the text around it.
pub(super) fn shown(
    message: &str,
    kind: FaultKind,
    text: &str,
    line: Option<u32>,
    column: Option<u32>,
) -> String {
    let marked = match (kind, line, column) {
        (FaultKind::SyntaxError, Some(line), Some(column)) => marked(text, line, column),
        _ => None,
    };
    match marked {
        Some(marked) => format!("{}: `{marked}`", message.trim_end_matches('.')),
        None => message.to_owned(),
    }
}

/// Like [`shown`], for an engine's error in a text, with what to use instead of a predicate that it refuses.
pub(super) fn shown_error(error: &EngineError, text: &str) -> String {
    let message = shown(&error.message, error.kind, text, error.line, error.column);
    let refused = error
        .predicate
        .as_deref()
        .filter(|_| error.kind == FaultKind::UnsafeGoal);
    let instead =
        refused.and_then(|refused| instead_of_refused(split(refused).0.trim_matches(['(', ')', ' '])));
    with(message, instead.unwrap_or_default())
}

/// Like [`shown`], for the fault of a query or of the clauses assumed for it.
pub(super) fn shown_fault(mut fault: Fault, query: &str, assumed: &[String]) -> Fault {
    let of = fault
        .message
        .strip_prefix("assume ")
        .and_then(|rest| rest.split_once(": ")?.0.parse::<usize>().ok());
    let text = match of {
        Some(number) => assumed.get(number.wrapping_sub(1)).map_or("", String::as_str),
        None => query,
    };
    fault.message = shown(&fault.message, fault.kind, text, fault.line, fault.column);
    fault
}

#[cfg(test)]
mod tests {
    use super::marked;

    #[test]
    fn the_mark_stands_at_the_place_and_long_lines_are_cut() {
        let text = "a.\nb(S) :- salary(S), S > 10000, S > 90000 && S < 200000, member(S, [1, 2, 3]), c.";
        assert_eq!(
            marked(text, 2, 40).unwrap(),
            "… lary(S), S > 10000, S > 90000 ⟪here⟫ && S < 200000, member(S, [1, 2 …"
        );
        assert_eq!(marked("p(", 1, 2).unwrap(), "p( ⟪here⟫");
        assert_eq!(marked(") p", 1, 0).unwrap(), "⟪here⟫ ) p");
        assert_eq!(marked("é", 1, 9).unwrap(), "é ⟪here⟫");
        assert_eq!(marked("p", 2, 0), None);
    }
}
