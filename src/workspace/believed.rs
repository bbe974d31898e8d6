//! Checks replies against what is known beforehand: the ids that were offered, the clauses that the book has,
//! texts that must be one clause. An engine whose reply fails a check is not believed at all
//! (`docs/engine.md`).

use std::collections::BTreeSet;
use std::ops::Range;

use super::turn::Turn;
use hornbook_book::lexer::{Lexer, TokenKind};
use hornbook_book::text::clause_ranges;
use hornbook_book::{Book, EntryId, Predicate, TO_NO_MODULE};
use hornbook_engine::protocol::Bounds;
use hornbook_engine::reply::{AddedClause, BadReply, Changes, Node, Proof, Step};

/// The most ids that one step can take: no goal adds this many clauses within its inferences.
const MOST_IDS: i64 = 1 << 40;
/// The most nodes in a proof (`prolog/query/proof.pl`).
const MOST_NODES: usize = 2_000;

/// Check a step of a query against these bounds.
pub(super) fn step(turn: &Turn<'_>, bounds: Bounds, step: Step) -> Result<Step, BadReply> {
    if step.error.is_some() && step.changes.kept() {
        return Err(BadReply::new(
            "it keeps what a query that ended with an error has changed",
        ));
    }
    run(turn, bounds, step)
}

/// Check a goal of `initialization/1`, which keeps its changes however it ends.
pub(super) fn run(turn: &Turn<'_>, bounds: Bounds, step: Step) -> Result<Step, BadReply> {
    if step.answers.len() > bounds.take {
        return Err(BadReply::new("it has more answers than were asked for"));
    }
    changed(turn, bounds, &step.changes)?;
    let may_be_left = turn.may_be_left();
    if may_be_left && (step.question.is_some() || !step.changes.is_empty()) {
        return Err(BadReply::new("only the primary engine may do this"));
    }
    if step.leaves && !may_be_left {
        return Err(BadReply::new("it leaves the first engine"));
    }
    Ok(step)
}

/// Check the changes of a goal that has ended.
pub(super) fn changed(turn: &Turn<'_>, bounds: Bounds, claimed: &Changes) -> Result<(), BadReply> {
    let book = turn.workspace.book.borrow();
    changes(bounds, claimed, |id| removed_clause(&book, id).is_ok())?;
    reloaded(&book, &claimed.reload)
}

/// Check a goal in the middle of an addition, which has added the clauses that `fresh` knows.
pub(super) fn directive(
    turn: &Turn<'_>,
    bounds: Bounds,
    fresh: impl Fn(EntryId) -> bool,
    step: Step,
) -> Result<Step, BadReply> {
    if step.answers.len() > bounds.take {
        return Err(BadReply::new("it has more answers than were asked for"));
    }
    let book = turn.workspace.book.borrow();
    changes(bounds, &step.changes, |id| {
        fresh(EntryId(id)) || removed_clause(&book, id).is_ok()
    })?;
    Ok(step)
}

/// Check the changes of running code that was offered these ids, and may have removed the clauses that `held`
/// knows.
fn changes(bounds: Bounds, claimed: &Changes, held: impl Fn(i64) -> bool) -> Result<(), BadReply> {
    let next = bounds.next;
    let Changes {
        added,
        removed,
        reload: _,
        declared,
    } = claimed;
    let offered = |id: i64| {
        (next.last.0..next.last.0.saturating_add(MOST_IDS)).contains(&id)
            || (next.first.0.saturating_sub(MOST_IDS)..=next.first.0).contains(&id)
    };
    if !added.iter().all(|clause| offered(clause.id)) {
        return Err(BadReply::new("it takes an id that it was not offered"));
    }
    if !added.is_sorted_by(|a, b| a.id < b.id) {
        return Err(BadReply::new("it takes an id twice"));
    }
    let mut gone = BTreeSet::new();
    for id in removed {
        if !held(*id) {
            return Err(BadReply::new("it removes an unknown clause"));
        }
        if !gone.insert(id) {
            return Err(BadReply::new("it removes a clause twice"));
        }
    }
    for AddedClause { text, predicate, .. } in added {
        one_clause(text, Lexer::new(text), predicate, false)?;
    }
    let names: BTreeSet<&Predicate> = declared.iter().collect();
    if names.len() < declared.len() {
        return Err(BadReply::new("it brings a predicate into being twice"));
    }
    Ok(())
}

/// Check a clause that the engine removed.
pub(super) fn removed_clause(book: &Book, id: i64) -> Result<EntryId, BadReply> {
    let id = EntryId(id);
    match book
        .get(id)
        .is_some_and(|entry| entry.is_clause() || entry.is_chr_rule())
    {
        true => Ok(id),
        false => Err(BadReply::new("it removes a clause that the book does not have")),
    }
}

pub(super) fn reloaded(book: &Book, predicates: &[Predicate]) -> Result<(), BadReply> {
    match predicates
        .iter()
        .all(|predicate| book.standing(predicate).clauses > 0)
    {
        true => Ok(()),
        false => Err(BadReply::new("it wants clauses that the book does not have")),
    }
}

/// Check that a proof names only clauses of the book.
pub(super) fn proof(book: &Book, proof: Proof) -> Result<Proof, BadReply> {
    let known = |node: &Node| node.clause.is_none_or(|id| book.get(EntryId(id)).is_some());
    if proof.nodes.len() > MOST_NODES || !proof.nodes.iter().all(known) {
        return Err(BadReply::new(
            "its proof cites clauses that the book does not have",
        ));
    }
    reloaded(book, &proof.taken_back.reload)?;
    Ok(proof)
}

/// Check that a text is one clause of this predicate, not a directive. Its period may be missing if `open`.
pub(super) fn one_clause(
    text: &str,
    tokens: Lexer<'_>,
    predicate: &Predicate,
    open: bool,
) -> Result<(), BadReply> {
    let count = one_item(tokens.clone(), open)?;
    // A grammar rule has two more arguments than are written.
    if predicate.arity as usize > count + 2 || !names(text, predicate.plain_name()) {
        return Err(BadReply(format!("it takes a clause for one of {predicate}")));
    }
    match { tokens }.next() {
        Some(first) if matches!(&text[first.start..first.end], ":-" | "?-") => {
            Err(BadReply::new("it takes a directive for a clause"))
        }
        _ => Ok(()),
    }
}

/// The number of tokens in a text that ends with its only period, or, if `open`, has none.
pub(super) fn one_item(item: Lexer<'_>, open: bool) -> Result<usize, BadReply> {
    let mut tokens = item.clone();
    let ended = tokens.by_ref().position(|token| token.kind == TokenKind::End);
    let count = match ended {
        Some(count) if tokens.next().is_none() => count,
        None if open => item.count(),
        _ => 0,
    };
    match count {
        0 => Err(BadReply::new("it does not name exactly one clause")),
        count => Ok(count),
    }
}

/// Check directives that undo what another one changed in how text is read.
pub(super) fn restoring(text: &str) -> Result<(), BadReply> {
    let takes_back = |range: Range<usize>| {
        let clause = &text[range];
        let mut tokens = Lexer::new(clause).map(|token| &clause[token.start..token.end]);
        tokens.next() == Some(":-")
            && match tokens.next() {
                Some("op" | "set_prolog_flag") => true,
                Some("module") => clause.trim() == TO_NO_MODULE,
                _ => false,
            }
    };
    match clause_ranges(text).into_iter().all(takes_back) {
        true => Ok(()),
        false => Err(BadReply::new("it restores what no directive changes")),
    }
}

/// Whether a clause of a predicate with this name can have this text: the name occurs in it, plainly or with
/// escapes.
fn names(text: &str, name: &str) -> bool {
    let escaped = || text.contains('\\') || text.contains('\'') || text.contains('"') || text.contains('`');
    // Brackets may be written apart, and the functor of a dict is `dict`.
    let brackets = || matches!(name, "[]" | "{}" | "[|]" | "dict") && text.contains(['[', '{']);
    text.contains(name) || escaped() || brackets()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn named(name: &str, arity: u32) -> Predicate {
        let name = name.into();
        Predicate { name, arity }
    }

    fn one(text: &str, predicate: &Predicate, open: bool) -> Result<(), BadReply> {
        one_clause(text, Lexer::new(text), predicate, open)
    }

    fn is_one(text: &str, name: &str, arity: u32) -> bool {
        one(text, &named(name, arity), false).is_ok()
    }

    #[test]
    fn a_text_is_one_clause_of_its_predicate() {
        assert!(is_one("p(1, a).", "p", 2));
        assert!(is_one("% why\np :- q, \\+ r. % so", "p", 0));
        assert!(is_one("'it''s'(1).", "it's", 1));
        assert!(is_one("'a\\nb'.", "a\nb", 0));
        assert!(is_one("X = Y.", "=", 2));
        assert!(is_one("a --> b.", "a", 2));
        assert!(is_one("[ ](1).", "[]", 1));
        for (text, name, arity) in [
            ("", "p", 0),
            ("% p.", "p", 0),
            ("p", "p", 0),
            ("p. p.", "p", 0),
            ("p. q", "p", 0),
            ("p(1). /* */ q.", "p", 1),
            ("/* p.", "p", 0),
            ("q(1).", "p", 1),
            ("p(1).", "p", 7),
            (":- dynamic p/1.", "p", 1),
            ("?- p.", "p", 0),
        ] {
            assert!(!is_one(text, name, arity), "{text}");
        }
    }

    #[test]
    fn the_last_clause_of_a_text_may_lack_its_period() {
        assert!(one("p(1) % so", &named("p", 1), true).is_ok());
        assert!(one("% so", &named("p", 1), true).is_err());
        assert!(one("p. p", &named("p", 0), true).is_err());
    }
}
