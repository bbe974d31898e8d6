//! Warnings about added clauses that may not be what was meant.

use std::collections::BTreeSet;

use super::doubt_texts::message;
use super::faults::{MOST_NEAR, similar_names_at_home, similar_names_in, split};
use super::places::Places;
use super::request::Watch;
use super::turn::Turn;
use hornbook_base::Fault;
use hornbook_book::lexer::{Lexer, TokenKind};
use hornbook_book::{Draft, Kind, Known};
use hornbook_engine::protocol;
use hornbook_engine::reply::{Checked, Doubt, FlawKind};

/// A text longer than this, in bytes, is not examined: doing so reads it once more.
const LONGEST: usize = 200_000;

/// How many characters of a clause a warning quotes.
const CLAUSE_CHARS: usize = 40;

/// A text that was added.
pub(super) struct Added {
    text: String,
    inline: bool,
    /// The module it was loaded into.
    home: Option<String>,
    /// Predicates that were not known before.
    fresh: BTreeSet<String>,
    /// A query assumes it: the query itself tells of lambdas.
    is_assumed: bool,
}

impl Added {
    /// Call before the draft becomes entries; `None` if there is nothing to examine.
    pub fn of(turn: &Turn<'_>, draft: &Draft, inline: bool) -> Option<Added> {
        if draft.text.len() > LONGEST {
            return None;
        }
        let book = turn.workspace.book.borrow();
        let clauses = draft.pieces.iter().filter(|piece| piece.kind != Kind::Directive);
        let fresh: BTreeSet<String> = clauses
            .filter(|piece| book.standing(&piece.predicate).known == Known::No)
            .map(|piece| piece.predicate.to_string())
            .collect();
        let plain = draft.pieces.iter().all(|piece| piece.kind == Kind::Fact)
            && !draft.text.contains(['“', '‘', '«', '‹', '„', '‚', '\\'])
            && Lexer::new(&draft.text).all(|token| token.kind != TokenKind::Variable)
            && !fresh
                .iter()
                .any(|predicate| turn.is_builtin(predicate) || doubtful_operator(predicate));
        if plain && (inline || fresh.len() < 2) {
            return None;
        }
        Some(Added {
            text: draft.text.clone(),
            inline,
            home: draft.module.clone(),
            fresh,
            is_assumed: false,
        })
    }

    /// For clauses that a query assumes.
    pub fn assumed(texts: &[String]) -> Added {
        let closed = texts.iter().map(|text| match text.trim_end() {
            text if text.ends_with('.') => text.to_owned(),
            text => format!("{text} ."),
        });
        Added {
            text: closed.collect::<Vec<_>>().join("\n"),
            inline: true,
            home: None,
            fresh: BTreeSet::new(),
            is_assumed: true,
        }
    }

    /// The warnings, once the text is added; none if the engine cannot say.
    pub async fn warnings(self, turn: &Turn<'_>) -> Vec<String> {
        if !turn.has_engine() {
            return Vec::new();
        }
        let checked: Result<Checked, Fault> = turn
            .ask_believing(
                protocol::check(&self.text, self.home.as_deref(), &[], true),
                Watch::short("check"),
                |checked| Places::new(&self.text).within(checked),
            )
            .await;
        let Ok(checked) = checked else {
            return Vec::new();
        };
        let places = Places::new(&self.text);
        let mut warnings = Vec::new();
        let mut undefined = BTreeSet::new();
        let mut flaws = checked.problems;
        flaws.sort_by_key(|flaw| flaw.start);
        for flaw in flaws {
            let FlawKind::Doubt(doubt, words) = &flaw.found else {
                continue;
            };
            let range = places.byte(flaw.start)..places.byte(flaw.end);
            for word in words {
                let warning = match doubt {
                    Doubt::Apart if self.inline => continue,
                    Doubt::Lambda if self.is_assumed => continue,
                    Doubt::Shadowed if !self.fresh.contains(word) => continue,
                    Doubt::Undefined => match self.similar_names(turn, word).as_slice() {
                        [] => {
                            undefined.insert(word.clone());
                            continue;
                        }
                        near => format!("{word} is not defined. Did you mean {}?", near.join(" or ")),
                    },
                    doubt => message(*doubt, word),
                };
                warnings.push(self.placed(range.clone(), &warning));
            }
        }
        if !undefined.is_empty() && !self.inline {
            let names: Vec<String> = undefined.into_iter().collect();
            let listed = names[..names.len().min(10)].join(", ");
            let more = match names.len() {
                0..=10 => String::new(),
                all => format!(" and {} more", all - 10),
            };
            warnings.push(format!("Not defined: {listed}{more}."));
        }
        warnings
    }

    /// What may have been meant by an undefined predicate. A predicate may still be defined later, so a
    /// longer or shorter name counts as another name, unless it is one of the book's predicates.
    fn similar_names(&self, turn: &Turn<'_>, word: &str) -> Vec<String> {
        let (name, arity) = split(word);
        let mut near = turn.similar_names_at(self.home.as_deref(), word);
        near.retain(|other| {
            let (of, other_arity) = split(other);
            let misspelt = other_arity == arity && !of.starts_with(name) && !name.starts_with(of);
            misspelt || !turn.is_builtin(other)
        });
        near
    }

    /// Prefix the warning with its place: the line in a file, or the start of the clause in the texts of a
    /// call.
    fn placed(&self, range: std::ops::Range<usize>, warning: &str) -> String {
        let lead = Lexer::new(&self.text[range.clone()])
            .next()
            .map_or(0, |token| token.start);
        let start = range.start + lead;
        if !self.inline {
            let line = 1 + self.text[..start].matches('\n').count();
            return format!("line {line}: {warning}");
        }
        let clause = self.text[start..range.end].trim();
        let begin: String = clause.chars().take(CLAUSE_CHARS).collect();
        let cut = if begin.len() < clause.len() { "…" } else { "" };
        format!("`{}{cut}`: {warning}", begin.replace('\n', " "))
    }
}

/// Whether facts of this predicate can be doubtful even without variables.
fn doubtful_operator(predicate: &str) -> bool {
    matches!(predicate, ":=/2" | "-/2" | "==>/2")
}

impl Turn<'_> {
    fn is_builtin(&self, predicate: &str) -> bool {
        let boot = self.workspace.supervisor.boot();
        boot.is_some_and(|boot| boot.builtins.iter().any(|known| known == predicate))
    }

    /// Like `near`, for a text of the module `home`, whose own predicates come first.
    pub(super) fn similar_names_at(&self, home: Option<&str>, predicate: &str) -> Vec<String> {
        let book = self.workspace.book.borrow();
        let mut near = home.map_or_else(Vec::new, |home| {
            similar_names_at_home(home, split(predicate), &book)
        });
        for other in self.similar_names(predicate) {
            if near.len() < MOST_NEAR && !near.contains(&other) {
                near.push(other);
            }
        }
        near
    }

    /// Known predicates with similar names.
    pub(super) fn similar_names(&self, predicate: &str) -> Vec<String> {
        let boot = self.workspace.supervisor.boot();
        let builtins = boot.as_ref().map_or(&[][..], |boot| &boot.builtins);
        similar_names_in(split(predicate), &self.workspace.book.borrow(), builtins)
    }
}
