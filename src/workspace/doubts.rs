//! Warnings about added clauses that may not be what was meant.

use std::collections::BTreeSet;

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
            && !draft.text.contains(['“', '‘', '«', '‹', '„', '‚'])
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

/// The message about one word of a doubt.
pub(super) fn message(doubt: Doubt, word: &str) -> String {
    match doubt {
        Doubt::Singleton if is_name(word) => {
            let atom = word.to_lowercase();
            format!("{word} occurs only once: write {atom} for the atom, _{word} if intended.")
        }
        Doubt::Singleton => format!("{word} occurs only once: write _{word} if that is intended."),
        Doubt::Branch => format!("{word} occurs only once in its branch: write _{word} if that is intended."),
        Doubt::Goal => format!("{word} is called as a goal, but nothing binds it first."),
        Doubt::Value => {
            format!("{word} is unified with an expression, which computes nothing: write `is` for its value.")
        }
        Doubt::Function => format!(
            "`:=` does not define functions, so this does not define {word}: write a rule with one more argument, \
             `f(X, Y) :- Y is X*2.`"
        ),
        Doubt::Hyphen => {
            format!(
                "{word} is not a name but `-` of two terms: write {}.",
                word.replace('-', "_")
            )
        }
        Doubt::Rule => format!(
            "This is a fact of `{word}`: for a rule of CHR write `:- use_module(library(chr)).` first, else `:-` or `-->`."
        ),
        Doubt::Quotes => format!("{word} are not quotation marks in Prolog: write ' or \"."),
        Doubt::Modulo => format!("{word}, if this is not a comment."),
        Doubt::Lambda => lost_constraints(word, word),
        Doubt::Undefined => format!("{word} is not defined."),
        Doubt::Shadowed if word == "not/1" => {
            "not/1 is built in: these clauses take its place in the whole book. What is known to be false gets a predicate \
             of its own, as in `not_red(bob).`"
                .to_owned()
        }
        Doubt::Shadowed => format!("{word} is built in: these clauses take its place in the whole book."),
        Doubt::Early => {
            format!("`{word}` is asked before its variable is bound: move it after the goal that binds it.")
        }
        Doubt::Increment => {
            format!("`{word}` never holds: a variable keeps its value, so give the result a new variable.")
        }
        Doubt::Collects => {
            let (name, variable) = word.split_once(' ').unwrap_or((word, "_"));
            match variable {
                "_" => format!("{name}/3 gives a list for each value of `_`: name it X, and write `X^Goal`."),
                _ => format!(
                    "{name}/3 gives a list for each value of {variable}: write `{variable}^Goal` for one list."
                ),
            }
        }
        Doubt::Joins => format!("`{word}` does not join texts: use string_concat/3 or atom_concat/3."),
        Doubt::Term => format!(
            "`{word}` in a head is a term, not its value: put a variable there and compute it with `is` in the body."
        ),
        Doubt::Argument => {
            format!("`{word}` is passed on as a term, not its value: compute it first, `X is {word}`.")
        }
        Doubt::Order => format!("Texts are compared with `{word}`: this compares numbers."),
        Doubt::Output => format!(
            "{word} gets a value in one branch alone: the other leaves it unbound. Parentheses around `( If -> Then ; Else )` end the branches."
        ),
        Doubt::Word => {
            let variable = capital(word);
            format!("`{word}` is an atom: a variable begins with a capital letter, {variable}.")
        }
        Doubt::Compared => {
            format!("`{word}` compares terms and computes nothing: write =:= or =\\= for values.")
        }
        Doubt::Left => {
            format!(
                "{word} calls itself before it has found anything, so it does not end: declare `:- table {word}.`"
            )
        }
        Doubt::Endless => {
            format!("Each clause of {word} calls it again: it needs a clause without {word} that ends it.")
        }
        Doubt::Two => format!("`{word}` is a list of two: for a head and a tail write a bar, as in [H|T]."),
        Doubt::Nested => format!("`{word}` is a list of one element: pass on the tail without brackets."),
        Doubt::Tail => {
            format!("`{word}` ends in what is no list: after the bar comes the tail, as in [a|[b]].")
        }
        Doubt::Inside => {
            let (goal, variable) = word.split_once(' ').unwrap_or((word, "_"));
            format!("{variable} has no value after {goal}, which keeps the variables of its goal inside.")
        }
        Doubt::Unreached => {
            format!("A clause of {word} before this matches everything and cuts: this is never tried.")
        }
        Doubt::Behind => format!(
            "This is never reached: the clause of {word} before it calls {word} again without a condition. Put this one first, and a condition in that one."
        ),
        Doubt::Rows => format!(
            "`{word}` holds once for each row, and so does the result after it: write distinct({word})."
        ),
        Doubt::Date => format!(
            "`{word}` is a difference of numbers, no date: parse_time/2 gives the seconds of one, as in parse_time('2024-03-05', T)."
        ),
        Doubt::Aggregate => {
            format!("aggregate_all/3 has no `{word}`: it has count, sum, max, min, bag and set.")
        }
        Doubt::Evaluable => {
            let (predicate, call) = word.split_once(' ').unwrap_or((word, "_"));
            format!(
                "Arithmetic does not call {predicate}: ask `{call}` as a goal, with its result as one more argument."
            )
        }
        Doubt::Goals => format!(
            "findall/4 takes one goal, and then the list and its end: write findall(X, (A, B), L) for two goals, here with `{word}`."
        ),
        Doubt::Apart => format!(
            "The clauses of {word} are not together: move them, or declare `:- discontiguous {word}.`"
        ),
    }
}

/// A lambda loses the constraints on `what`; `shared` is the variable to share, or an example.
pub(super) fn lost_constraints(what: &str, shared: &str) -> String {
    format!(
        "A lambda copies {what}, and the copy has no constraints: write `{{{shared}}}/[X]>>…`, or a predicate \
         of its own."
    )
}

/// The name of a doubt in structured data.
pub(super) fn name_of(doubt: Doubt) -> &'static str {
    match doubt {
        Doubt::Singleton => "singleton",
        Doubt::Branch => "branch",
        Doubt::Goal => "goal",
        Doubt::Value => "value",
        Doubt::Function => "function",
        Doubt::Hyphen => "hyphen",
        Doubt::Rule => "rule",
        Doubt::Quotes => "quotes",
        Doubt::Modulo => "modulo",
        Doubt::Lambda => "lambda",
        Doubt::Undefined => "undefined",
        Doubt::Shadowed => "shadowed",
        Doubt::Apart => "apart",
        Doubt::Early => "early",
        Doubt::Increment => "increment",
        Doubt::Collects => "collects",
        Doubt::Joins => "joins",
        Doubt::Term => "term",
        Doubt::Argument => "argument",
        Doubt::Order => "order",
        Doubt::Output => "output",
        Doubt::Word => "word",
        Doubt::Compared => "compared",
        Doubt::Left => "left",
        Doubt::Endless => "endless",
        Doubt::Two => "two",
        Doubt::Nested => "nested",
        Doubt::Tail => "tail",
        Doubt::Inside => "inside",
        Doubt::Unreached => "unreached",
        Doubt::Behind => "behind",
        Doubt::Rows => "rows",
        Doubt::Date => "date",
        Doubt::Aggregate => "aggregate",
        Doubt::Evaluable => "evaluable",
        Doubt::Goals => "goals",
    }
}

/// The word with a capital letter.
fn capital(word: &str) -> String {
    let mut chars = word.chars();
    chars
        .next()
        .map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// Whether a variable looks like a name: `Carol`, not `X1` or `Xs`.
fn is_name(word: &str) -> bool {
    word.len() > 2 && word.chars().skip(1).all(|c| c.is_lowercase())
}

/// Whether facts of this predicate can be doubtful even without variables.
fn doubtful_operator(predicate: &str) -> bool {
    matches!(predicate, ":=/2" | "-/2" | "==>/2")
}

impl Turn<'_> {
    pub(super) fn is_builtin(&self, predicate: &str) -> bool {
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_name_with_a_capital_is_told_how_to_become_an_atom() {
        assert_eq!(
            message(Doubt::Singleton, "Carol"),
            "Carol occurs only once: write carol for the atom, _Carol if intended."
        );
        for variable in ["X", "X1", "Xs", "NewState"] {
            let expected = format!("{variable} occurs only once: write _{variable} if that is intended.");
            assert_eq!(message(Doubt::Singleton, variable), expected);
        }
    }
}
