//! Facts that come as many texts are joined for the engine, to which each further text costs far more than a fact.

use std::borrow::Cow;

use hornbook_base::Pace;
use hornbook_book::lexer::{Lexer, Token, TokenKind};
use hornbook_engine::reply::{BadReply, Found, Item};

/// Texts are joined up to this many bytes: some errors take the engine time that grows with the text they are in.
const MOST_BYTES: usize = 64 << 10;

/// The texts of an addition as the engine is sent them, and where each of the texts given is in them.
pub(super) struct Joined<'t> {
    pub texts: Vec<Cow<'t, str>>,
    places: Vec<Place>,
    /// The given text that the last item was in.
    at: usize,
}

/// Where a given text is.
#[derive(Debug, PartialEq, Eq)]
struct Place {
    /// Which of the texts that are sent.
    text: usize,
    /// Code points. A text that is sent as it is has no end, since nothing follows it.
    start: usize,
    end: Option<usize>,
    /// Whether it lacked its period, which then follows its end.
    lacks_period: bool,
    /// The lines before it.
    lines: u32,
}

impl<'t> Joined<'t> {
    /// Join neighbours that are complete facts. Other texts stay apart, because what a clause means may depend on
    /// the text that it is in, and an open quote or comment would reach into the next text.
    pub async fn of(given: &'t [String], pace: &Pace) -> Self {
        let mut joined = Joined {
            texts: Vec::new(),
            places: Vec::new(),
            at: 0,
        };
        for text in given {
            if pace.is_over(1 + text.len() / 16) {
                pace.rest().await;
            }
            match facts(text) {
                Some(facts) => joined.join(facts),
                None => joined.push(text),
            }
        }
        joined
    }

    /// Send facts with those before them.
    fn join(&mut self, facts: &'t str) {
        let end_of = |start| Some(start + facts.chars().count());
        let before = self.texts.last_mut().zip(self.places.last_mut());
        if let Some((last, place)) = before
            && let Some(end) = place.end
            && last.len() + facts.len() < MOST_BYTES
        {
            let last = last.to_mut();
            place.lacks_period = !last.ends_with('.');
            if place.lacks_period {
                last.push('.');
            }
            last.push('\n');
            last.push_str(facts);
            let start = end + usize::from(place.lacks_period) + 1;
            let next = Place {
                text: place.text,
                start,
                end: end_of(start),
                lacks_period: false,
                lines: place.lines + 1,
            };
            self.places.push(next);
            return;
        }
        self.push(facts);
        if let Some(place) = self.places.last_mut() {
            place.end = end_of(0);
        }
    }

    fn push(&mut self, text: &'t str) {
        self.places.push(Place {
            text: self.texts.len(),
            start: 0,
            end: None,
            lacks_period: false,
            lines: 0,
        });
        self.texts.push(text.into());
    }

    /// An item of what was sent as one of the texts given. Items come in their order.
    pub fn given(&mut self, mut item: Item) -> Result<Item, BadReply> {
        let after = |place: &&Place| {
            place.text < item.source
                || place.text == item.source && place.end.is_some_and(|end| end <= item.start)
        };
        self.at += self.places[self.at..].iter().take_while(after).count();
        let beyond = || BadReply::new("it names a place that is in no text, or in two");
        let place = self.places.get(self.at).ok_or_else(beyond)?;
        if place.lacks_period && place.end == item.end.checked_sub(1) {
            item.end -= 1;
        }
        if place.text != item.source || place.end.is_some_and(|end| item.end > end) {
            return Err(beyond());
        }
        item.source = self.at;
        // The first item of a text begins with the line break before it.
        item.start = item.start.saturating_sub(place.start);
        item.end = item.end.checked_sub(place.start).ok_or_else(beyond)?;
        if let Found::Refused(error) = &mut item.found
            && let Some(line) = &mut error.line
        {
            *line = line.saturating_sub(place.lines);
            // At the beginning of an item, which is the end of the line before its text.
            if *line == 0 {
                (error.line, error.column) = (Some(1), Some(0));
            }
        }
        Ok(item)
    }
}

/// A text without the layout behind its last period, if it is nothing but facts on one line that mean the same in any
/// text: `name.` or `name(…).`. The last period may be missing.
fn facts(text: &str) -> Option<&str> {
    let (mut end, mut last) = (None, 0);
    let mut clause = Clause::Begins;
    for token in Lexer::new(text) {
        last = token.end;
        clause = clause.after(text, token)?;
        if matches!(clause, Clause::Begins) {
            end = Some(token.end);
        }
    }
    let end = match clause {
        Clause::Begins => end?,
        // Layout and comments behind a clause without a period belong to it.
        Clause::Named { is_fact: true } | Clause::Closed if last == text.len() => last,
        _ => return None,
    };
    let (facts, rest) = text.split_at(end);
    // The reader refuses a line break within a quote, and then guesses where the clause was meant to end.
    (rest.trim().is_empty() && !facts.contains('\n')).then_some(facts)
}

/// What has been read of a clause that is a fact.
#[derive(Clone, Copy)]
pub(super) enum Clause {
    Begins,
    /// Its name; whether that may be all of it.
    Named {
        is_fact: bool,
    },
    Arguments {
        depth: usize,
    },
    Closed,
}

impl Clause {
    /// After one more token of this text; `None` if the clause is no fact that means the same in any text.
    pub fn after(self, text: &str, token: Token) -> Option<Clause> {
        let word = &text[token.start..token.end];
        Some(match (self, token.kind) {
            (Clause::Begins, TokenKind::Name) => Clause::named(word)?,
            (Clause::Named { .. }, TokenKind::Open { arguments: true }) => Clause::Arguments { depth: 1 },
            (Clause::Named { is_fact: true } | Clause::Closed, TokenKind::End) => Clause::Begins,
            (Clause::Arguments { depth }, TokenKind::Open { .. }) => Clause::Arguments { depth: depth + 1 },
            (Clause::Arguments { depth: 1 }, TokenKind::Close) => Clause::Closed,
            (Clause::Arguments { depth }, TokenKind::Close) => Clause::Arguments { depth: depth - 1 },
            // A function on a dict makes a goal of a fact.
            (Clause::Arguments { .. }, TokenKind::Symbol) if word == "." => return None,
            (Clause::Arguments { .. }, TokenKind::End) => return None,
            (Clause::Arguments { depth }, _) => Clause::Arguments { depth },
            _ => return None,
        })
    }

    /// A quoted name may be that of a directive or a rule, such as `':-'(a)`.
    fn named(word: &str) -> Option<Clause> {
        let name = word.strip_prefix('\'').unwrap_or(word);
        let is_plain = name.starts_with(char::is_alphabetic) && !name.contains('\\');
        let is_fact = name.len() == word.len() && name != "end_of_file";
        is_plain.then_some(Clause::Named { is_fact })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hornbook_base::{FaultKind, at_once};
    use hornbook_engine::reply::EngineError;

    fn joined(given: &[String]) -> Joined<'_> {
        at_once(Joined::of(given, &Pace::unbroken()))
    }

    fn sent(given: &[&str]) -> Vec<String> {
        let given: Vec<String> = given.iter().map(|text| (*text).to_owned()).collect();
        joined(&given).texts.iter().map(ToString::to_string).collect()
    }

    fn item(source: usize, start: usize, end: usize) -> Item {
        let found = Found::Skipped;
        Item {
            source,
            start,
            end,
            found,
        }
    }

    fn place(joined: &mut Joined<'_>, item: Item) -> Option<(usize, usize, usize)> {
        let item = joined.given(item).ok()?;
        Some((item.source, item.start, item.end))
    }

    #[test]
    fn neighbours_that_are_facts_are_joined() {
        assert_eq!(
            sent(&[
                "a. b(1).",
                "'c d'(X, [Y|_]).\n ",
                "p :- q.",
                "d.",
                " é(\"x. y(\", 0'., {a}, f(/* . */))."
            ]),
            [
                "a. b(1).\n'c d'(X, [Y|_]).",
                "p :- q.",
                "d.\n é(\"x. y(\", 0'., {a}, f(/* . */))."
            ]
        );
    }

    #[test]
    fn a_period_that_is_missing_is_given_where_another_text_follows() {
        assert_eq!(
            sent(&["a", "b. c(1)", "d :- e", "f(2)"]),
            ["a.\nb. c(1)", "d :- e", "f(2)"]
        );
        let given = ["a", "b(1)", "c."].map(str::to_owned);
        let mut joined = joined(&given);
        assert_eq!(joined.texts, ["a.\nb(1).\nc."]);
        assert_eq!(place(&mut joined, item(0, 0, 2)), Some((0, 0, 1)));
        assert_eq!(place(&mut joined, item(0, 2, 8)), Some((1, 0, 4)));
        assert_eq!(place(&mut joined, item(0, 8, 11)), Some((2, 0, 2)));
    }

    #[test]
    fn a_text_that_may_mean_something_else_among_others_stays_apart() {
        for text in [
            "",
            "% nothing",
            "a ",
            "a(1) % comment",
            "a :- b",
            "a. % comment",
            "a. /* open",
            "a(1, 'open).",
            "a(1, \"two\nlines\").",
            "a(1, 0'",
            "a(1.",
            "a)",
            "a(1) :- b.",
            "a --> b.",
            "a => b.",
            "a <=> b.",
            ":- dynamic a/1.",
            "':-'(a).",
            "'\\x3a\\-'(a, b).",
            "dynamic a/1.",
            "m:a(1).",
            "(a :- b).",
            "X.",
            "'a'.",
            "end_of_file",
            "end_of_file.",
            "a. end_of_file. b.",
            "a(X.y).",
            "a(_{b: 1}.put(c, 2)).",
            "orders{amount: 1}.",
            "```",
            "// a.",
            "#!a.",
            "\u{feff}a.",
            "a(1)(2).",
            "a. .",
        ] {
            assert_eq!(sent(&["before.", text, "after."]), ["before.", text, "after."]);
        }
    }

    #[test]
    fn long_texts_are_not_joined_without_end() {
        let text = format!("a({}).", "x".repeat(MOST_BYTES / 3));
        assert_eq!(joined(&vec![text; 5]).texts.len(), 3);
    }

    #[test]
    fn an_item_is_told_of_its_own_text() {
        let given = ["é. b(1). ", " c.", "d :- e.", "f.", "g(1"].map(str::to_owned);
        let mut joined = joined(&given);
        assert_eq!(joined.texts, ["é. b(1).\n c.", "d :- e.", "f.", "g(1"]);
        let told = [
            ((0, 0, 2), (0, 0, 2)),
            ((0, 2, 8), (0, 2, 8)),
            ((0, 8, 12), (1, 0, 3)),
            ((1, 0, 7), (2, 0, 7)),
            ((2, 0, 2), (3, 0, 2)),
            ((3, 0, 3), (4, 0, 3)),
        ];
        for ((source, start, end), of) in told {
            assert_eq!(place(&mut joined, item(source, start, end)), Some(of));
        }
        assert_eq!(place(&mut joined, item(4, 0, 1)), None);
    }

    #[test]
    fn an_item_in_two_texts_or_in_one_before_is_not_believed() {
        let given = ["a.", "b.", "c :- d."].map(str::to_owned);
        assert_eq!(place(&mut joined(&given), item(0, 0, 5)), None);
        let mut joined = joined(&given);
        assert_eq!(place(&mut joined, item(1, 0, 7)), Some((2, 0, 7)));
        assert_eq!(place(&mut joined, item(0, 0, 2)), None);
    }

    #[test]
    fn the_line_of_an_error_is_that_in_its_own_text() {
        let given = ["a(1).", "b(2).", "c(3 4)."].map(str::to_owned);
        let error = |place: Option<(u32, u32)>| EngineError {
            kind: FaultKind::SyntaxError,
            message: "Operator expected".to_owned(),
            predicate: None,
            line: place.map(|(line, _)| line),
            column: place.map(|(_, column)| column),
            detail: String::new(),
            raised: None,
        };
        let refused = |place| Item {
            found: Found::Refused(error(place)),
            ..item(0, 11, 19)
        };
        for (line, own) in [((3, 4), (1, 4)), ((2, 5), (1, 0))] {
            let item = joined(&given).given(refused(Some(line))).unwrap();
            assert_eq!(item.found, Found::Refused(error(Some(own))));
        }
        let item = joined(&given).given(refused(None)).unwrap();
        assert_eq!(item.found, Found::Refused(error(None)));
    }
}
