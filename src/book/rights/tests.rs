use std::rc::Rc;

use super::super::{Cell, Delta, Draft, Known, Operation, Piece, text};
use super::*;
use hornbook_base::at_once;

fn predicate(name: &str, arity: u32) -> Rc<Predicate> {
    let name = name.to_owned();
    Rc::new(Predicate { name, arity })
}

fn piece(id: i64, range: std::ops::Range<usize>, kind: Kind, of: Rc<Predicate>) -> Piece {
    Piece {
        id: EntryId(id),
        place: None,
        start: range.start,
        end: range.end,
        kind,
        predicate: of,
        restore: None,
    }
}

/// The entries of a text, all of one predicate.
fn entries(book: &mut Book, origin: Origin, text: &str, kind: Kind, of: &Rc<Predicate>) -> Delta {
    let first = book.next_last();
    let ranges = text::clause_ranges(text).into_iter().zip(first..);
    let pieces = ranges
        .map(|(range, id)| piece(id, range, kind, of.clone()))
        .collect();
    let draft = Draft {
        origin,
        text: text.to_owned(),
        tail: text.len(),
        pieces,
        module: None,
        is_needed: false,
        replaced: Vec::new(),
    };
    Delta {
        added: book.draft(draft, 0),
        ..Delta::default()
    }
}

fn ruled(rules: &str) -> Book {
    let mut book = Book::default();
    let of = predicate("may_change", 2);
    let file = Origin::File("rights.pl".into());
    let delta = entries(&mut book, file, rules, Kind::Fact, &of);
    enter(&mut book, delta);
    book
}

fn enter(book: &mut Book, delta: Delta) {
    let revision = book
        .plan(Operation::Assert, 0, delta)
        .expect("it changes something");
    book.apply(revision);
}

fn who(name: &str) -> Who {
    Who {
        name: name.into(),
        scope: Some("write".into()),
        ..Who::default()
    }
}

fn why(book: &Book, name: &str, delta: Delta) -> Option<String> {
    let revision = book
        .plan(Operation::Assert, 0, delta)
        .expect("it changes something");
    at_once(book.forbids(&who(name), &revision, &Pace::unbroken()))
}

/// Whether this client may add a fact of `name/1`.
fn may_add(rules: &str, client: &str, name: &str) -> bool {
    let mut book = ruled(rules);
    let of = predicate(name, 1);
    let delta = entries(&mut book, Origin::Inline, "f(1).", Kind::Fact, &of);
    why(&book, client, delta).is_none()
}

#[test]
fn a_fact_lets_its_client_change_what_it_says() {
    for (rule, is_allowed) in [
        ("may_change(eve, note/1).", true),
        ("may_change('eve', [price/2, note/1]).", true),
        ("may_change(\"eve\", note/1).", true),
        ("may_change(_, note/1).", true),
        ("may_change(scope(write), note/1).", true),
        ("may_change(eve, _).", true),
        ("m:may_change(eve, note/1).", true),
        ("may_change(eve, note/2).", false),
        ("may_change(eve, m:note/1).", false),
        ("may_change(eve, []).", false),
        ("may_change(eve, [ ]).", false),
        ("may_change(ann, note/1).", false),
        ("may_change(scope(propose), note/1).", false),
        ("may_change(scope(eve), note/1).", false),
        ("may_change(eve, note).", false),
        ("may_change(eve, file(note)).", false),
        ("may_change(eve, note/1) :- true.", false),
        ("may_change(eve, [note/1|_]).", false),
        ("may_change(eve, [note/1, 7]).", false),
        ("may_change(f(eve), note/1).", false),
        ("may_change(eve, (note)/1).", true),
        ("may_change(eve, (note/1)).", true),
        ("may_change((eve), [(note/1)]).", true),
        ("may_change(eve, '/'(note, 1)).", true),
        ("may_change(eve, [a/1|[note/1]]).", true),
        ("may_change(eve, '[|]'(note/1, [])).", true),
        ("may_change(eve, user:note/1).", true),
        ("may_change(eve, user:(note/1)).", true),
        ("may_change(eve, [(dynamic)/1, (-)/2, (',')/2, note/1]).", true),
        ("may_change('\\x65\\ve', 'n\\157\\te'/1).", true),
        ("may_change(\"\\u0065ve\", note/1).", true),
        ("(may_change(eve, note/1)).", true),
        ("may_change(eve, 'note/1').", true),
        ("may_change(eve, \"user:note/1\").", true),
        ("may_change(_Client, note/1).", true),
        ("may_change(eve, _All).", true),
        ("may_change(Client, note/1).", false),
        ("may_change(eve, Memory).", false),
        ("may_change(_X, [_X]).", false),
        ("may_change(X, [X]).", false),
        ("may_change(eve, [note/1, docments]).", false),
        ("may_change(eve, m:(note/1)).", false),
        ("may_change(eve, '\\q'/1).", false),
    ] {
        assert_eq!(may_add(rule, "eve", "note"), is_allowed, "{rule}");
    }
}

#[test]
fn without_facts_everybody_may_change_everything() {
    let mut book = Book::default();
    let of = predicate("may_change", 2);
    let delta = entries(&mut book, Origin::Inline, "may_change(eve, []).", Kind::Fact, &of);
    assert_eq!(why(&book, "eve", delta), None);
}

#[test]
fn the_facts_are_for_those_who_may_change_everything_in_whatever_file_or_module() {
    let rules = "may_change(eve, [may_change/2, file('eve.pl'), note/1]). may_change(ann, _).";
    for (name, origin) in [
        ("may_change", Origin::Inline),
        ("may_change", Origin::File("eve.pl".into())),
        ("m:may_change", Origin::Inline),
    ] {
        let mut book = ruled(rules);
        let of = predicate(name, 2);
        let delta = entries(&mut book, origin, "may_change(eve, _).", Kind::Fact, &of);
        let refused = why(&book, "eve", delta.clone()).expect("it refuses");
        assert!(refused.contains("who may change what"), "{refused}");
        assert_eq!(why(&book, "ann", delta), None);
    }
    let book = ruled(rules);
    let ids = book.entries().map(|(id, _)| id).collect();
    let delta = Delta {
        removed: ids,
        ..Delta::default()
    };
    assert!(why(&book, "eve", delta).is_some());
}

#[test]
fn a_file_covers_what_stands_in_it_and_a_room_its_cells() {
    let mut book = ruled("may_change(eve, [file('eve.pl'), memory]).");
    let of = predicate("op", 3);
    let mut added = |name: &str| {
        let origin = Origin::File(name.into());
        let text = ":- op(700, xfx, =>).";
        entries(&mut book, origin, text, Kind::Directive, &of)
    };
    let (own, others) = (added("eve.pl"), added("shop.pl"));
    assert_eq!(why(&book, "eve", own), None);
    let refused = why(&book, "eve", others).expect("it refuses");
    assert!(refused.contains("directives like op/3 in shop.pl"), "{refused}");
    let cell = |room: &str, key: &str| Delta {
        cells: vec![Cell {
            room: room.into(),
            key: key.into(),
            value: Some("v".into()),
        }],
        ..Delta::default()
    };
    assert_eq!(why(&book, "eve", cell("memory", "k")), None);
    assert_eq!(why(&book, "eve", cell("documents", "eve.pl")), None);
    assert!(why(&book, "eve", cell("documents", "shop.txt")).is_some());
    let refused = why(&book, "eve", cell("draft", "eve/1")).expect("it refuses");
    assert!(refused.contains("eve may not change the draft eve"), "{refused}");
}

#[test]
fn what_comes_back_as_it_was_is_no_change() {
    let mut book = ruled("may_change(eve, note/1).");
    let file = || Origin::File("both.pl".into());
    let text = "price(1). note(1).";
    let ranges = text::clause_ranges(text);
    let (price, note) = (predicate("price", 1), predicate("note", 1));
    let mut both = |text: &str, second: std::ops::Range<usize>| {
        let draft = Draft {
            origin: file(),
            text: text.to_owned(),
            tail: text.len(),
            pieces: vec![
                piece(50, ranges[0].clone(), Kind::Fact, price.clone()),
                piece(51, second, Kind::Fact, note.clone()),
            ],
            module: None,
            is_needed: false,
            replaced: Vec::new(),
        };
        book.draft(draft, 0)
    };
    let first = both(text, ranges[1].clone());
    let changed = both("price(1). note(2).", ranges[1].clone());
    let spoiled = both("price(2). note(1).", ranges[1].clone());
    let added = |added| Delta {
        added,
        ..Delta::default()
    };
    enter(&mut book, added(first));
    let instead = |entries| Delta {
        removed: vec![EntryId(50), EntryId(51)],
        ..added(entries)
    };
    assert_eq!(why(&book, "eve", instead(changed)), None);
    let refused = why(&book, "eve", instead(spoiled)).expect("it refuses");
    assert!(refused.contains("may not change price/1 in both.pl"), "{refused}");
}

#[test]
fn a_refusal_names_the_facts_about_the_client_and_those_that_cannot_be_read() {
    let rules = "may_change(eve, note/1).\nmay_change(ann, _).\nmay_change(eve, X) :- own(X).";
    let mut book = ruled(rules);
    let of = predicate("price", 1);
    let delta = entries(&mut book, Origin::Inline, "price(1).", Kind::Fact, &of);
    assert_eq!(
        why(&book, "eve", delta.clone()).expect("it refuses"),
        "eve may not change price/1, and nothing was changed. What it may change: `may_change(eve, note/1)` \
         (rights.pl:1). Nobody may change anything by `may_change(eve, X) :- own(X)` (rights.pl:3), which is not one of these facts."
    );
    let mut book = ruled("may_change(ann, X). may_change(eve, [Y]).");
    let text = "price(1).";
    let other = entries(&mut book, Origin::Inline, text, Kind::Fact, &of);
    let unread = why(&book, "eve", other).expect("it refuses");
    assert!(unread.contains("by `may_change(eve, [Y])`"), "{unread}");
    let mut book = ruled(rules);
    let delta = entries(&mut book, Origin::Inline, text, Kind::Fact, &of);
    let refused = why(&book, "joe", delta).expect("it refuses");
    assert!(refused.contains("such as `may_change(eve, note/1)` (rights.pl:1), and none is about it"));
}

#[test]
fn a_declaration_is_of_a_file_if_an_entry_of_the_file_makes_it() {
    let mut book = ruled("may_change(eve, file('eve.pl')).");
    let own = predicate("own", 1);
    let facts = entries(
        &mut book,
        Origin::File("eve.pl".into()),
        "own(1). own(2).",
        Kind::Fact,
        &own,
    );
    let retracted = facts.added[0].0;
    assert_eq!(why(&book, "eve", facts.clone()), None);
    enter(&mut book, facts);
    let other = predicate("zz", 9);
    let both = |removed| Delta {
        removed,
        known: vec![(other.clone(), Known::ByRun)],
        ..Delta::default()
    };
    let refused = why(&book, "eve", both(vec![retracted])).expect("it refuses");
    assert!(refused.contains("eve may not change zz/9"), "{refused}");
    let of = predicate("dynamic", 1);
    let text = ":- dynamic(zz/9).";
    let declared = entries(
        &mut book,
        Origin::File("eve.pl".into()),
        text,
        Kind::Directive,
        &of,
    );
    let declared = Delta {
        known: both(Vec::new()).known,
        ..declared
    };
    assert_eq!(why(&book, "eve", declared), None);
}

#[test]
fn a_clause_that_lets_nobody_change_anything_is_doubtful() {
    for (clause, is_doubtful) in [
        ("may_change(eve, note/2).", false),
        ("may_change(eve, [(dynamic)/1, file('a.pl')]).", false),
        ("may_change(eve, [note/2, docments]).", true),
        ("user:may_change(eve, Memory).", true),
        ("'may_change'(eve, note/2) :- true.", true),
        ("may_change(eve, a-b).", true),
        ("may_change(eve, note/2, 7).", false),
        (":- dynamic(may_change/2).", false),
        ("note(may_change, may_change(a, b)).", false),
    ] {
        assert_eq!(doubtful_right(clause).is_some(), is_doubtful, "{clause}");
    }
}

#[test]
fn a_client_is_as_free_as_one_of_others_if_it_may_change_all_that_that_one_may() {
    let book = ruled("may_change(eve, note/1). may_change(zoe, [note/1, memory]). may_change(ann, _).");
    let is_free = |name: &str, others: &[&str]| {
        let others: Vec<Who> = others.iter().map(|other| who(other)).collect();
        book.is_as_free(&who(name), &others)
    };
    assert!(is_free("eve", &["eve"]) && is_free("zoe", &["eve"]) && is_free("ann", &[]));
    assert!(is_free("eve", &["zoe", "eve"]));
    assert!(!is_free("eve", &["zoe"]) && !is_free("eve", &["ann"]) && !is_free("zoe", &[]));
    assert!(Book::default().is_as_free(&who("eve"), &[]));
}
