//! The text of a file, as the engine is sent it. Facts go in slices, one with each step, so that a large text is never
//! copied at once, and the engine never has all of it. From the first clause on that is no fact the rest goes as a whole,
//! because what a clause means may depend on what stands elsewhere in its text.

use super::joining::Clause;
use hornbook_book::lexer::Lexer;
use hornbook_engine::reply::{BadReply, Found, Item};

/// A slice that has so many bytes ends with the fact.
const ENOUGH_BYTES: usize = 1 << 20;

/// A text, and what of it was sent.
pub(super) struct Slices<'t> {
    rest: &'t str,
    /// The most facts of a slice.
    most: usize,
    /// Where the slices begin that were sent, and where the next one does.
    begins: Vec<Place>,
}

/// A place in a text, in code points. Lines and columns are counted from 0.
#[derive(Debug, Clone, Copy, Default)]
struct Place {
    at: usize,
    line: u32,
    column: u32,
}

impl Place {
    fn after(self, text: &str) -> Place {
        let lines = text.bytes().filter(|byte| *byte == b'\n').count();
        let last = text.rsplit('\n').next().unwrap_or_default().chars().count();
        Place {
            at: self.at + text.chars().count(),
            line: self.line + lines as u32,
            column: last as u32 + if lines == 0 { self.column } else { 0 },
        }
    }
}

impl<'t> Slices<'t> {
    /// For steps that read at most `most` clauses.
    pub fn of(text: &'t str, most: usize) -> Self {
        Slices {
            rest: text,
            most,
            begins: vec![Place::default()],
        }
    }

    /// The next slice, if there is more. One that ends before the text does ends behind a fact; what separates the next
    /// fact from it is the beginning of the next slice.
    pub fn next(&mut self) -> Option<&'t str> {
        let begin = *self.begins.last()?;
        if self.rest.is_empty() {
            return None;
        }
        let (slice, rest) = self.rest.split_at(self.end(begin.at == 0));
        self.rest = rest;
        self.begins.push(begin.after(slice));
        Some(slice)
    }

    pub fn is_more(&self) -> bool {
        !self.rest.is_empty()
    }

    /// Where the next slice ends.
    fn end(&self, is_first: bool) -> usize {
        let text = self.rest;
        let tokens = match is_first {
            true => Lexer::of_file(text),
            false => Lexer::new(text),
        };
        let (mut clause, mut end, mut facts) = (Clause::Begins, 0, 0);
        for token in tokens {
            if facts == self.most || end >= ENOUGH_BYTES {
                return end;
            }
            // The reader refuses a line break within a quote, and then guesses where the clause was meant to end.
            let is_broken = text[token.start..token.end].contains('\n');
            clause = match clause.after(text, token).filter(|_| !is_broken) {
                Some(clause) => clause,
                None => return text.len(),
            };
            if matches!(clause, Clause::Begins) {
                (end, facts) = (token.end, facts + 1);
            }
        }
        text.len()
    }

    /// An item of a slice as one of the text.
    pub fn given(&self, mut item: Item) -> Result<Item, BadReply> {
        let [begin, end] = *self
            .begins
            .get(item.source..)
            .and_then(<[_]>::first_chunk)
            .ok_or_else(beyond)?;
        item.source = 0;
        item.start += begin.at;
        item.end += begin.at;
        if item.end > end.at {
            return Err(beyond());
        }
        if let Found::Refused(error) = &mut item.found
            && let Some(line) = &mut error.line
        {
            if *line == 1 {
                error.column = error.column.map(|column| column + begin.column);
            }
            *line += begin.line;
        }
        Ok(item)
    }
}

fn beyond() -> BadReply {
    BadReply::new("it names a place that is not in what it was sent")
}

#[cfg(test)]
mod tests {
    use super::*;
    use hornbook_base::FaultKind;
    use hornbook_engine::reply::EngineError;

    fn slices(text: &str, most: usize) -> Vec<&str> {
        let mut slices = Slices::of(text, most);
        std::iter::from_fn(|| slices.next()).collect()
    }

    #[test]
    fn facts_go_in_slices_that_are_the_text() {
        assert_eq!(
            slices("#! x\n/* c */ a(1).\n\na(2). b.\n'c d'([x|_]). % e.\n", 2),
            ["#! x\n/* c */ a(1).\n\na(2).", " b.\n'c d'([x|_]). % e.\n"]
        );
    }

    #[test]
    fn a_slice_that_is_large_enough_ends() {
        let large = format!("a('{}').", "x".repeat(ENOUGH_BYTES));
        let text = format!("a(1). {large}\n{large}\na(2).");
        let begins: Vec<&str> = slices(&text, 9)
            .iter()
            .map(|slice| &slice[..slice.len().min(5)])
            .collect();
        assert_eq!(begins, ["a(1).", "\na('x", "\na(2)"]);
    }

    #[test]
    fn from_the_first_other_clause_on_it_is_one() {
        for other in [
            "b :- c.",
            ":- op(700, xfx, ===>).",
            "b --> c.",
            "b ===> c.",
            "b('x\ny').",
            "b(1",
            "b(X.y).",
            "end_of_file.",
            "'b",
        ] {
            let rest = format!("\n{other}\na(3).\na(4).");
            let text = format!("a(1).\na(2).{rest}");
            assert_eq!(slices(&text, 1), ["a(1).", "\na(2).", &rest], "{other}");
        }
    }

    #[test]
    fn items_and_errors_have_the_places_of_the_text() {
        let mut slices = Slices::of("é(1). é(2).\né(3 4). é(5).", 1);
        while slices.next().is_some() {}
        let place = |source, start, end, line, column| {
            let found = Found::Refused(EngineError {
                kind: FaultKind::SyntaxError,
                message: String::new(),
                predicate: None,
                line: Some(line),
                column: Some(column),
                detail: String::new(),
                raised: None,
            });
            let item = slices
                .given(Item {
                    source,
                    start,
                    end,
                    found,
                })
                .ok()?;
            let Found::Refused(error) = item.found else {
                return None;
            };
            Some((item.start, item.end, error.line?, error.column?))
        };
        assert_eq!(place(1, 0, 6, 1, 1), Some((5, 11, 1, 6)));
        assert_eq!(place(2, 0, 8, 2, 4), Some((11, 19, 2, 4)));
        assert_eq!(place(3, 0, 6, 1, 1), Some((19, 25, 2, 8)));
        assert_eq!(place(3, 0, 7, 1, 1), None);
        assert_eq!(place(4, 0, 1, 1, 1), None);
    }
}
