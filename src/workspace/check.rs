//! Finds what is wrong with a text that is being written.

use std::collections::BTreeSet;

use super::doubt_texts::{message, name_of};
use super::faults::split;
use super::places::Places;
use super::request::Watch;
use super::tables::known;
use super::types::*;
use super::{Inner, Workspace};
use hornbook_base::{Control, Fault, FaultKind};
use hornbook_book::lexer::{Lexer, Token};
use hornbook_book::text::{clause_ranges, unquoted, unreadable_in_slices};
use hornbook_book::{Origin, doubtful_right};
use hornbook_engine::protocol;
use hornbook_engine::reply::{Checked, Doubt, Flaw, FlawKind};

impl Workspace {
    /// The problems of a text, in its order, as an import would find them. Nothing is added. `around` is what
    /// the text can see beside the book.
    pub async fn check(&self, text: &str, around: &Around, control: &Control) -> Result<Vec<Problem>, Fault> {
        check_readable(&self.0, text).await?;
        let turn = self.0.turn(control).await?;
        let (written, plain) = (text, self.0.plain_file(text).await);
        let text = &*plain.text;
        let places = Places::new(text);
        let believe = |checked: Checked| places.within(checked);
        let checked = turn
            .ask_believing(
                protocol::check(text, around.home.as_deref(), &around.modules, false),
                Watch::short("check"),
                believe,
            )
            .await?;
        let mut problems = Vec::new();
        let unread = unread_names(text, &places, &checked.problems);
        // Without any table, as in an editor, it is not known whether a row is one.
        let has_tables = known(&self.0.book.borrow()).next().is_some();
        for flaw in checked.problems {
            match flaw.found {
                FlawKind::Error(ref error) if !has_tables && error.message.contains(ROW) => {}
                FlawKind::Error(ref error) => problems.push(places.error(text, &flaw, error)),
                FlawKind::Doubt(Doubt::Left, ref words)
                    if words.iter().all(|word| self.0.tables_elsewhere(word, around)) => {}
                FlawKind::Doubt(doubt, ref words) => {
                    // The error in the clause says what is missing.
                    let is_unread =
                        |word: &&String| doubt == Doubt::Undefined && unread.contains(name_in(word));
                    problems.extend(words.iter().filter(|word| !is_unread(word)).map(|word| {
                        let near = match doubt {
                            Doubt::Undefined => turn.similar_names_at(around.home.as_deref(), word),
                            _ => Vec::new(),
                        };
                        places.doubt(text, &flaw, doubt, word, &near)
                    }));
                }
            }
        }
        for range in clause_ranges(text)
            .into_iter()
            .filter(|_| text.contains("may_change"))
        {
            let Some(doubt) = doubtful_right(&text[range.clone()]) else {
                continue;
            };
            let lead = tokens_of(text, range.start, range.end).next();
            let start = range.start + lead.map_or(0, |token| token.start);
            let kind = ProblemKind::Warning("right");
            let problem = Problem {
                start: places.unit(start),
                end: places.unit(range.end),
                severity: Severity::Warning,
                kind,
                message: doubt,
            };
            problems.push(problem);
        }
        if plain.differs() {
            let original = Places::new(written);
            let place = |unit| original.unit(plain.place(places.byte_of(unit)));
            for problem in &mut problems {
                (problem.start, problem.end) = (place(problem.start), place(problem.end));
            }
        }
        problems.sort_by_key(|problem| problem.start);
        Ok(problems)
    }
}

impl Inner {
    /// Whether the book tables a predicate, `name/arity`, and not in the file whose new text is checked.
    fn tables_elsewhere(&self, predicate: &str, around: &Around) -> bool {
        let name = unquoted(name_in(predicate));
        let book = self.book.borrow();
        let mut directives = book.entries().filter(|(_, entry)| !entry.is_clause());
        directives.any(|(_, entry)| {
            let mut tokens = entry.tokens().map(|token| &entry.text()[token.start..token.end]);
            !matches!(&entry.source().origin, Origin::File(name) if Some(&**name) == around.file.as_deref())
                && tokens.nth(1) == Some("table")
                && tokens.any(|token| unquoted(token) == name)
        })
    }
}

/// The name of a predicate, `name/arity`, as it is written.
fn name_in(predicate: &str) -> &str {
    split(predicate).0.trim_matches(['(', ')'])
}

/// The names that clauses begin with which cannot be read, and lines in them: a period may be missing.
fn unread_names<'t>(text: &'t str, places: &Places, flaws: &[Flaw]) -> BTreeSet<&'t str> {
    let errors = flaws
        .iter()
        .filter(|flaw| matches!(flaw.found, FlawKind::Error(_)));
    let errors: Vec<usize> = errors.map(|flaw| places.byte(flaw.start)).collect();
    if errors.is_empty() {
        return BTreeSet::new();
    }
    let mut clauses = clause_ranges(text);
    clauses.retain(|range| errors.iter().any(|error| range.contains(error)));
    let names = clauses.iter().flat_map(|range| {
        tokens_of(text, range.start, range.end)
            .map(|token| range.start + token.start..range.start + token.end)
            .enumerate()
            .filter(|(at, token)| *at == 0 || text[..token.start].ends_with('\n'))
            .map(|(_, token)| &text[token])
    });
    names.collect()
}

/// In the message about a row of a table that the book does not have (`prolog/errors.pl`).
const ROW: &str = "Table{column: Value} is a goal";

/// Refuse a text that an engine must not read.
pub(super) async fn check_readable(workspace: &Inner, text: &str) -> Result<(), Fault> {
    let tokens = Lexer::of_file(text);
    match unreadable_in_slices("The text", text, tokens, &workspace.limits, &workspace.pace()).await {
        None => Ok(()),
        Some(fault) => Err(fault),
    }
}

impl Places {
    fn problem(
        &self,
        start: usize,
        end: usize,
        severity: Severity,
        message: String,
        kind: ProblemKind,
    ) -> Problem {
        Problem {
            start: self.unit(start),
            end: self.unit(end),
            severity,
            kind,
            message,
        }
    }

    /// Underlines the token at which it was found, the name that is refused, or the whole clause.
    fn error(&self, text: &str, flaw: &Flaw, error: &hornbook_engine::reply::CheckError) -> Problem {
        let (start, end) = (self.byte(flaw.start), self.byte(flaw.end));
        let tokens: Vec<_> = tokens_of(text, start, end).collect();
        let span = |token: &hornbook_book::lexer::Token| (start + token.start, start + token.end);
        let named = error.predicate.as_ref().and_then(|indicator| {
            let (name, _) = indicator.rsplit_once('/')?;
            tokens
                .iter()
                .find(|token| &text[start + token.start..start + token.end] == name)
        });
        let at = error.offset.map(|offset| self.byte(offset));
        let found = match (named, at, error.kind) {
            (Some(token), _, _) => Some(span(token)),
            (None, Some(at), FaultKind::SyntaxError) => {
                let token = tokens.iter().map(span).find(|(_, end)| *end > at);
                token.or_else(|| tokens.last().map(span))
            }
            _ => tokens
                .first()
                .zip(tokens.last())
                .map(|(first, last)| (span(first).0, span(last).1)),
        };
        let (from, to) = found.unwrap_or((start, end));
        self.problem(
            from,
            to,
            Severity::Error,
            error.message.clone(),
            ProblemKind::Error(error.kind),
        )
    }

    /// Underlines the variable, the name of the predicate, or the whole clause.
    fn doubt(&self, text: &str, flaw: &Flaw, doubt: Doubt, word: &str, near: &[String]) -> Problem {
        let (start, end) = (self.byte(flaw.start), self.byte(flaw.end));
        let named = match doubt {
            Doubt::Undefined | Doubt::Shadowed | Doubt::Apart | Doubt::Unreached | Doubt::Behind => {
                split(word).0
            }
            Doubt::Inside => word.split_once(' ').map_or(word, |(_, variable)| variable),
            _ => word,
        };
        let tokens: Vec<_> = tokens_of(text, start, end).collect();
        let find = |named: &str| {
            let is_it = |token: &&Token| &text[start + token.start..start + token.end] == named;
            tokens.iter().find(is_it)
        };
        // For `one:step`, the name.
        let token = find(named).or_else(|| find(named.rsplit_once(':')?.1));
        let (from, to) = match (token, tokens.first(), tokens.last()) {
            (Some(token), ..) => (token.start, token.end),
            (None, Some(first), Some(last)) => (first.start, last.end),
            _ => (0, end - start),
        };
        let mut message = message(doubt, word);
        if !near.is_empty() {
            message.push_str(&format!(" Did you mean {}?", near.join(" or ")));
        }
        self.problem(
            start + from,
            start + to,
            Severity::Warning,
            message,
            ProblemKind::Warning(name_of(doubt)),
        )
    }
}

fn tokens_of(text: &str, start: usize, end: usize) -> Lexer<'_> {
    match start {
        0 => Lexer::of_file(&text[..end]),
        _ => Lexer::new(&text[start..end]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hornbook_engine::reply::CheckError;

    fn error(kind: FaultKind, predicate: Option<&str>, offset: Option<usize>) -> CheckError {
        CheckError {
            kind,
            message: "wrong".into(),
            predicate: predicate.map(str::to_owned),
            offset,
        }
    }

    #[test]
    fn lines_in_what_cannot_be_read_begin_with_names_that_are_not_undefined() {
        let text = "a(1).\nb(2)\nc(3, d(4)).\n  e(X) :- f(X) & g.\n";
        let broken = |place: &str| {
            let start = text.find(place).unwrap();
            Flaw {
                found: FlawKind::Error(error(FaultKind::SyntaxError, None, None)),
                ..flaw(start, start + 1)
            }
        };
        let names = |flaws: &[Flaw]| {
            let names = unread_names(text, &Places::new(text), flaws);
            names.into_iter().map(str::to_owned).collect::<Vec<_>>()
        };
        assert_eq!(names(&[broken("c(3")]), ["b", "c"]);
        assert_eq!(names(&[broken("&")]), ["e"]);
        assert!(names(&[flaw(0, 1)]).is_empty());
    }

    fn flaw(start: usize, end: usize) -> Flaw {
        Flaw {
            start,
            end,
            found: FlawKind::Doubt(Doubt::Singleton, Vec::new()),
        }
    }

    /// The part of the text that a problem underlines.
    fn underlined(text: &str, problem: &Problem) -> String {
        let units: Vec<u16> = text.encode_utf16().collect();
        String::from_utf16(&units[problem.start..problem.end]).unwrap()
    }

    #[test]
    fn a_syntax_error_underlines_the_token_at_its_place() {
        let text = "% 😀 é\na('😀') :- b c.";
        let places = Places::new(text);
        let problem = places.error(text, &flaw(0, 20), &error(FaultKind::SyntaxError, None, Some(18)));
        assert_eq!(underlined(text, &problem), "c");
        let last = places.error(text, &flaw(0, 20), &error(FaultKind::SyntaxError, None, Some(20)));
        assert_eq!(underlined(text, &last), ".");
    }

    #[test]
    fn what_is_refused_is_underlined_by_its_name_and_other_errors_with_their_clause() {
        let text = "ok. % 😀\na :- shell(ls).\n";
        let places = Places::new(text);
        let whole = flaw(3, 24);
        let named = places.error(text, &whole, &error(FaultKind::UnsafeGoal, Some("shell/1"), None));
        assert_eq!(underlined(text, &named), "shell");
        let other = places.error(text, &whole, &error(FaultKind::PermissionError, None, Some(9)));
        assert_eq!(underlined(text, &other), "a :- shell(ls).");
    }

    #[test]
    fn a_variable_that_stands_once_is_found_outside_of_comments_and_quotes() {
        let text = "/* X */ a('X', X).";
        let places = Places::new(text);
        let problem = places.doubt(text, &flaw(0, 18), Doubt::Singleton, "X", &[]);
        assert_eq!(
            (problem.start, problem.end, problem.severity),
            (15, 16, Severity::Warning)
        );
    }
}
