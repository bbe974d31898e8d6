mod emptied;
mod reversal;

use super::*;

impl Book {
    /// Carry out one operation and append it to the journal, unless it changes nothing.
    fn commit(&mut self, operation: Operation, at_ms: u64, delta: Delta) -> Effect {
        match self.plan(operation, at_ms, delta) {
            Some(revision) => self.apply(revision),
            None => Effect::default(),
        }
    }
}

fn named(name: &str) -> Predicate {
    Predicate {
        name: name.to_owned(),
        arity: 0,
    }
}

/// A draft of clauses, one per piece, with ids from `first`.
fn draft(origin: Origin, text: &str, first: i64) -> Draft {
    let ranges = text::clause_ranges(text);
    let tail = ranges.last().map_or(0, |range| range.end);
    let piece = |(at, range): (usize, std::ops::Range<usize>)| {
        let clause = text[range.clone()].trim();
        let directive = clause.starts_with(":-");
        Piece {
            id: EntryId(first + at as i64),
            place: None,
            start: range.start,
            end: range.end,
            kind: if directive { Kind::Directive } else { Kind::Fact },
            predicate: Rc::new(named(clause.trim_end_matches('.'))),
            restore: clause.starts_with(":- op").then(|| ":- op(0, xfx, =>).".into()),
        }
    };
    Draft {
        origin,
        text: text.to_owned(),
        tail,
        pieces: ranges.into_iter().enumerate().map(piece).collect(),
        module: None,
        is_needed: false,
        replaced: Vec::new(),
    }
}

fn enter(book: &mut Book, origin: Origin, text: &str) {
    let draft = draft(origin, text, book.next_last());
    let added = book.draft(draft, 7);
    book.commit(
        Operation::Assert,
        7,
        Delta {
            added,
            ..Delta::default()
        },
    );
}

fn remove(book: &mut Book, ids: &[i64]) -> Effect {
    let removed = ids.iter().copied().map(EntryId).collect();
    book.commit(
        Operation::Retract,
        8,
        Delta {
            removed,
            ..Delta::default()
        },
    )
}

fn batches_after(book: &Book, after: Option<EntryId>, bytes: usize) -> Vec<Batch> {
    let after = after.map(|id| book.spot(id));
    at_once(book.batches_after(after.as_ref(), bytes, |_| false, &Pace::unbroken()))
}

fn batches_of(book: &Book, predicates: &[Predicate]) -> Option<Vec<Batch>> {
    at_once(book.batches_of(predicates, usize::MAX, usize::MAX, &Pace::unbroken()))
}

fn file(name: &str) -> Origin {
    Origin::File(name.into())
}

/// Every operation.
fn all(_: u64, _: &Revision) -> bool {
    true
}

#[test]
fn a_snapshot_of_a_file_is_the_file() {
    let text = "% head\n\na.   b.\n\t% about c\nc\n  .\n\n% the end";
    let mut book = Book::default();
    enter(&mut book, file("f.pl"), text);
    assert_eq!(book.snapshot(), text);
}

#[test]
fn a_snapshot_has_inline_clauses_on_lines_and_files_as_they_are() {
    let mut book = Book::default();
    enter(&mut book, Origin::Inline, "a.  b.");
    enter(&mut book, file("f.pl"), "  c.\n% tail\n");
    enter(&mut book, Origin::Run, "d.");
    assert_eq!(book.snapshot(), "a.\nb.\n  c.\n% tail\nd.");
}

#[test]
fn what_is_removed_from_a_file_leaves_the_rest_as_it_was() {
    let mut book = Book::default();
    enter(&mut book, file("f.pl"), "a. b. c.\n% tail");
    remove(&mut book, &[2]);
    assert_eq!(book.snapshot(), "a.\n c.\n% tail");
    remove(&mut book, &[3]);
    assert_eq!(book.snapshot(), "a.\n% tail");
}

#[test]
fn operators_of_a_source_are_taken_back_before_the_next() {
    let mut book = Book::default();
    enter(&mut book, file("f.pl"), ":- op(700, xfx, =>).\na.\n");
    assert_eq!(book.snapshot(), ":- op(700, xfx, =>).\na.\n");
    enter(&mut book, Origin::Inline, "b.");
    assert_eq!(
        book.snapshot(),
        ":- op(700, xfx, =>).\na.\n:- op(0, xfx, =>).\nb."
    );
}

#[test]
fn the_begin_of_a_file_that_means_something_there_only_is_made_a_comment() {
    let mut book = Book::default();
    enter(&mut book, Origin::Inline, "a.");
    enter(&mut book, file("f.pl"), "\u{feff}b.\n");
    enter(&mut book, file("g.pl"), "#!/usr/bin/swipl\nc.\n");
    assert_eq!(book.snapshot(), "a.\nb.\n%!/usr/bin/swipl\nc.\n");
}

#[test]
fn the_begin_of_a_snapshot_is_had_by_itself() {
    let mut book = Book::default();
    enter(&mut book, Origin::Inline, "a.  :- foo.");
    enter(
        &mut book,
        file("f.pl"),
        "\u{feff}:- op(700, xfx, =>).\n\n% ü\nb.\nc.\n% tail\n",
    );
    enter(&mut book, file("g.pl"), "#!/usr/bin/swipl\nd. e.\n");
    enter(&mut book, Origin::Run, "f.");
    let whole: Vec<char> = book.snapshot().chars().collect();
    for chars in 0..=whole.len() + 1 {
        let begin: String = whole.iter().take(chars).collect();
        let goes_on = chars < whole.len();
        assert_eq!(
            at_once(book.snapshot_to(chars, &Pace::unbroken())),
            (begin, goes_on)
        );
    }
}

#[test]
fn lines_of_a_long_text_are_counted_from_its_begin() {
    let text: String = (1..5_000).map(|number| format!("p{number}.\n")).collect();
    let mut book = Book::default();
    enter(&mut book, file("f.pl"), &text);
    for (at, (_, entry)) in book.entries().enumerate() {
        assert_eq!(entry.line(), at + 1);
    }
}

#[test]
fn clauses_are_had_with_those_of_their_predicates_that_stand_behind_them() {
    let mut book = Book::default();
    enter(&mut book, file("f.pl"), "a. b. a.");
    enter(&mut book, Origin::Inline, "c. b. a.");
    let entries: Vec<(EntryId, Entry)> = book.entries().map(|(id, entry)| (id, entry.clone())).collect();
    let had = |book: &Book, entries: &[(EntryId, Entry)]| {
        let (later, batches) = at_once(book.batches_with_later(entries, &Pace::unbroken()))?;
        let later: Vec<i64> = later.into_iter().map(|EntryId(id)| id).collect();
        let texts: Vec<String> = batches.into_iter().map(|batch| batch.text).collect();
        Some((later, texts.join("|")))
    };
    assert_eq!(had(&book, &entries[5..]), Some((vec![], " a.".into())));
    assert_eq!(had(&book, &[]), Some((vec![], String::new())));
    assert_eq!(had(&book, &entries[1..2]), Some((vec![5], " b.| b.".into())));
    let both = [entries[2].clone(), entries[3].clone()];
    assert_eq!(had(&book, &both), Some((vec![6], " a.|c.\n a.".into())));
    enter(&mut book, file("g.pl"), ":- op(700, xfx, =>). a.");
    assert_eq!(had(&book, &entries[..1]), None);
}

#[test]
fn what_running_code_put_at_the_front_comes_first() {
    let mut book = Book::default();
    enter(&mut book, Origin::Inline, "a.");
    let mut front = draft(Origin::Run, "y. z.", 0);
    front.pieces[0].id = EntryId(-1);
    front.pieces[1].id = EntryId(-2);
    let added = book.draft(front, 9);
    book.commit(
        Operation::Query("g".into()),
        9,
        Delta {
            added,
            ..Delta::default()
        },
    );
    assert_eq!(book.snapshot(), "z.\ny.\na.");
    assert_eq!((book.next_first(), book.next_last()), (-3, 2));
    let batches = batches_after(&book, None, usize::MAX);
    assert_eq!(batches[0].ids, [EntryId(-2), EntryId(-1)]);
    assert_eq!(text::clause_ranges(&batches[0].text).len(), 2);
}

#[test]
fn batches_go_on_where_they_ended_and_divide_a_source_between_entries() {
    let mut book = Book::default();
    enter(&mut book, file("f.pl"), "a. b.\nc.");
    enter(&mut book, Origin::Inline, "d. % note");
    let first = batches_after(&book, None, 8);
    assert_eq!(
        first,
        [Batch {
            source: 1,
            begins: true,
            text: "a. b.\nc.".into(),
            ids: vec![EntryId(1), EntryId(2), EntryId(3)],
            ends: vec![2, 5, 8],
            module: None,
        }]
    );
    let second = batches_after(&book, Some(EntryId(3)), 1);
    assert_eq!(
        second,
        [Batch {
            source: 2,
            begins: true,
            text: "d.".into(),
            ids: vec![EntryId(4)],
            ends: vec![2],
            module: None,
        }]
    );
    assert_eq!(batches_after(&book, Some(EntryId(4)), 1), []);
    let parts: Vec<_> = [None, Some(EntryId(1)), Some(EntryId(2)), Some(EntryId(3))]
        .into_iter()
        .flat_map(|after| batches_after(&book, after, 2))
        .map(|batch| (batch.source, batch.begins, batch.text))
        .collect();
    let part = |source, begins, text: &str| (source, begins, text.to_owned());
    assert_eq!(
        parts,
        [
            part(1, true, "a."),
            part(1, false, " b."),
            part(1, false, "\nc."),
            part(2, true, "d.")
        ]
    );
    let skipping = at_once(book.batches_after(None, 8, |spot| spot.id.0 == 2, &Pace::unbroken()));
    assert_eq!(
        skipping[0],
        Batch {
            source: 1,
            begins: true,
            text: "a.\nc.".into(),
            ids: vec![EntryId(1), EntryId(3)],
            ends: vec![2, 5],
            module: None,
        }
    );
}

#[test]
fn clauses_that_need_their_source_are_not_given_alone() {
    let mut book = Book::default();
    enter(&mut book, Origin::Inline, "a. b. a.");
    enter(&mut book, file("f.pl"), ":- op(700, xfx, =>). c.");
    let batches = batches_of(&book, &[named("a")]).expect("plain clauses");
    assert_eq!(
        batches,
        [Batch {
            source: 1,
            begins: true,
            text: "a.\n a.".into(),
            ids: vec![EntryId(1), EntryId(3)],
            ends: vec![2, 6],
            module: None,
        }]
    );
    assert_eq!(batches_of(&book, &[named("c")]), None);
    assert_eq!(batches_of(&book, &[named("unknown")]), None);
}

#[test]
fn a_file_whose_entries_were_retracted_is_known_until_it_is_unimported() {
    let mut book = Book::default();
    enter(&mut book, file("f.pl"), ":- dynamic(x). a. b.");
    let (name, used) = book.files().next().expect("the file");
    assert_eq!((name, used.entries, used.clauses), ("f.pl", 3, 2));
    assert_eq!((book.len(), book.clause_count(), book.bytes()), (3, 2, 20));
    remove(&mut book, &[1, 2, 3]);
    assert!(book.file("f.pl").is_none());
    let emptied = book.emptied("f.pl").expect("the file");
    assert_eq!(
        emptied.gone_code().collect::<Vec<_>>(),
        [":- dynamic(x).", "a.", "b."]
    );
    assert_eq!((book.len(), book.clause_count(), book.bytes()), (0, 0, 0));
    let (operation, delta) = at_once(book.next_undo(all, &Pace::unbroken())).unwrap().unwrap();
    book.commit(operation, 9, delta);
    assert_eq!(
        (book.file("f.pl").expect("the file").clauses, book.bytes()),
        (2, 20)
    );
    let (operation, delta) = at_once(book.next_undo(all, &Pace::unbroken())).unwrap().unwrap();
    book.commit(operation, 9, delta);
    assert_eq!(
        (book.files().count(), book.all_emptied().count()),
        (0, 0),
        "its import was undone"
    );
    let redo = |book: &mut Book| {
        let (operation, delta) = at_once(book.next_redo(all, &Pace::unbroken())).unwrap().unwrap();
        book.commit(operation, 9, delta);
    };
    redo(&mut book);
    redo(&mut book);
    assert!(book.emptied("f.pl").is_some(), "its entries were retracted again");
    book.commit(Operation::Unimport("f.pl".into()), 9, Delta::default());
    assert!(book.emptied("f.pl").is_none());
    enter(&mut book, file("f.pl"), "c.");
    remove(&mut book, &[4]);
    enter(&mut book, file("f.pl"), "d.");
    assert_eq!(
        (book.files().count(), book.all_emptied().count()),
        (1, 0),
        "it has a new text"
    );
    enter(&mut book, file("g.pl"), "e.");
    remove(&mut book, &[6]);
    assert_eq!(book.all_emptied().count(), 1);
    book.commit(
        Operation::Reset,
        9,
        Delta {
            removed: vec![EntryId(5)],
            ..Delta::default()
        },
    );
    assert_eq!((book.files().count(), book.all_emptied().count()), (0, 0));
}

#[test]
fn a_source_says_what_was_retracted_before_it_came() {
    let base = Book::default();
    let mut branch = base.branch();
    enter(&mut branch, file("f.pl"), "a. b. c.");
    let ids: Vec<i64> = branch.entries().map(|(id, _)| id.0).collect();
    remove(&mut branch, &ids[1..2]);
    let journal = branch.journal();
    let touched = journal.iter().map(|revision| &**revision);
    let pace = Pace::unbroken();
    let difference = base.difference(&branch, Operation::Change, 9, touched, &pace);
    let mut book = base.clone();
    book.apply(at_once(difference));
    let used = book.file("f.pl").expect("the file");
    assert_eq!(book.gone_code(used).collect::<Vec<_>>(), ["b."]);
}

#[test]
fn an_effect_tells_whether_predicates_came_or_went() {
    let mut book = Book::default();
    enter(&mut book, Origin::Inline, "a. a.");
    assert_eq!(
        remove(&mut book, &[1]),
        Effect {
            clauses: true,
            symbols: false,
            cells: false
        }
    );
    assert_eq!(
        remove(&mut book, &[2]),
        Effect {
            clauses: true,
            symbols: true,
            cells: false
        }
    );
    assert_eq!(remove(&mut book, &[2]), Effect::default());
    assert_eq!(book.journal().len(), 3);
}

#[test]
fn predicates_stay_known_until_a_reset() {
    let mut book = Book::default();
    enter(&mut book, Origin::Inline, ":- dynamic(x). a.");
    remove(&mut book, &[1, 2]);
    let name = "b".into();
    let known = vec![(Rc::new(Predicate { name, arity: 1 }), Known::ByRun)];
    book.commit(
        Operation::Query("g".into()),
        9,
        Delta {
            known,
            ..Delta::default()
        },
    );
    let known: Vec<String> = book
        .predicates()
        .map(|(predicate, _)| predicate.to_string())
        .collect();
    assert_eq!(known, ["a/0", "b/1"]);
    book.commit(Operation::Reset, 9, Delta::default());
    assert_eq!(book.predicates().count(), 0);
    assert_eq!(Book::replay(book.journal().to_vec()), book);
}

#[test]
fn an_entry_is_small() {
    assert!(
        size_of::<(EntryId, Entry)>() <= 48,
        "{} bytes",
        size_of::<(EntryId, Entry)>()
    );
}

fn set(book: &mut Book, cells: &[(&str, &str, Option<&str>)]) -> Effect {
    let cell = |(room, key, value): &(&str, &str, Option<&str>)| Cell {
        room: (*room).into(),
        key: (*key).into(),
        value: value.map(Into::into),
    };
    let operation = Operation::Cells {
        room: "memory".into(),
        action: "set".into(),
    };
    let delta = Delta {
        cells: cells.iter().map(cell).collect(),
        ..Delta::default()
    };
    book.commit(operation, 0, delta)
}

fn cells(book: &Book) -> Vec<(&str, &str)> {
    book.cells_of("memory").collect()
}

#[test]
fn cells_are_set_taken_away_undone_and_redone() {
    let mut book = Book::default();
    let effect = set(
        &mut book,
        &[
            ("memory", "a", Some("1")),
            ("memory", "b", Some("2")),
            ("other", "a", Some("3")),
        ],
    );
    assert!(effect.cells && !effect.clauses);
    set(&mut book, &[("memory", "a", None), ("memory", "b", Some("22"))]);
    assert_eq!(cells(&book), [("b", "22")]);
    assert_eq!((book.cell("other", "a"), book.cell_bytes()), (Some("3"), 5));
    let (operation, delta) = at_once(book.next_undo(all, &Pace::unbroken()))
        .unwrap()
        .expect("something to undo");
    book.commit(operation, 0, delta);
    assert_eq!(cells(&book), [("a", "1"), ("b", "2")]);
    assert!(book.is_undone_cell("memory", "a") && !book.is_undone_cell("other", "a"));
    let (operation, delta) = at_once(book.next_redo(all, &Pace::unbroken()))
        .unwrap()
        .expect("something to redo");
    book.commit(operation, 0, delta);
    assert_eq!(cells(&book), [("b", "22")]);
    assert!(!book.is_undone_cell("memory", "b"));
}

#[test]
fn an_undo_of_a_runs_begin_leaves_the_text_that_later_runs_have_too() {
    let keys = |book: &Book| {
        let keys = book.cells_of("workflow").map(|(key, _)| key.to_owned());
        keys.collect::<Vec<_>>()
    };
    let begin = |book: &mut Book, run: &str, texts: &[(&str, &str, Option<&str>)]| {
        let header = [("workflow", run, Some(r#"{"status":"running","text":"h1"}"#))];
        set(book, &[&header, texts].concat());
    };
    let undone = |book: &mut Book, of: u64| {
        let (operation, delta) = at_once(book.next_undo(|number, _| number == of, &Pace::unbroken()))
            .unwrap()
            .expect("something to undo");
        book.commit(operation, 0, delta);
        keys(book)
    };
    let texts = [
        ("workflow", "text/h1", Some("nodes:")),
        ("workflow", "text/h1/a.pl", Some("a.")),
    ];
    let mut book = Book::default();
    begin(&mut book, "run/1", &texts);
    begin(&mut book, "run/2", &[]);
    assert_eq!(undone(&mut book, 1), ["run/2", "text/h1", "text/h1/a.pl"]);
    let (operation, delta) = at_once(book.next_redo(all, &Pace::unbroken()))
        .unwrap()
        .expect("something to redo");
    book.commit(operation, 0, delta);
    assert_eq!(keys(&book), ["run/1", "run/2", "text/h1", "text/h1/a.pl"]);
    // With nobody else, the text goes along.
    let mut book = Book::default();
    begin(&mut book, "run/1", &texts);
    set(&mut book, &[("memory", "a", Some("1"))]);
    assert!(undone(&mut book, 1).is_empty());
}

#[test]
fn setting_a_cell_to_what_it_is_changes_nothing() {
    let mut book = Book::default();
    set(&mut book, &[("memory", "a", Some("1"))]);
    set(
        &mut book,
        &[
            ("memory", "a", Some("2")),
            ("memory", "a", Some("1")),
            ("memory", "b", None),
        ],
    );
    assert_eq!(book.revision(), 1);
}

#[test]
fn cells_are_kept_in_the_order_in_which_they_were_last_set() {
    let mut book = Book::default();
    set(
        &mut book,
        &[
            ("memory", "c", Some("1")),
            ("other", "b", Some("1")),
            ("memory", "a", Some("1")),
        ],
    );
    set(
        &mut book,
        &[("memory", "c", Some("2")), ("memory", "b", Some("1"))],
    );
    let keys = |book: &Book| -> Vec<String> { book.cells().map(|(_, key, _)| key.to_string()).collect() };
    assert_eq!(keys(&book), ["b", "a", "c", "b"]);
    let mut copy = Book::default();
    let cells: Vec<_> = book
        .cells()
        .map(|(room, key, value)| (room.clone(), key.clone(), value.clone()))
        .collect();
    let cells: Vec<_> = cells
        .iter()
        .map(|(room, key, value)| (&**room, &**key, Some(&**value)))
        .collect();
    set(&mut copy, &cells);
    assert_eq!(keys(&copy), keys(&book));
}

#[test]
fn a_reset_of_the_clauses_leaves_the_cells() {
    let mut book = Book::default();
    set(&mut book, &[("memory", "a", Some("1"))]);
    let removed = book.entries().map(|(id, _)| id).collect();
    book.commit(
        Operation::Reset,
        0,
        Delta {
            removed,
            ..Delta::default()
        },
    );
    assert_eq!(cells(&book), [("a", "1")]);
}

#[test]
fn the_end_of_a_file_ends_no_snapshot() {
    let mut book = Book::default();
    let mut ended = draft(file("f.pl"), "a. % of a\nend_of_file.\nb.\n", 1);
    ended.pieces.truncate(1);
    ended.tail = 2;
    let added = book.draft(ended, 7);
    book.commit(
        Operation::Assert,
        7,
        Delta {
            added,
            ..Delta::default()
        },
    );
    enter(&mut book, Origin::Inline, "c.");
    assert_eq!(book.snapshot(), "a. % of a\nc.");
}

#[test]
fn the_text_of_a_file_is_without_what_went_and_comes_back_by_undo() {
    let mut book = Book::default();
    let file = || Origin::File("f.pl".into());
    enter(&mut book, file(), "a. b.\n% c\nc. d.\n");
    assert_eq!(book.file_text("f.pl").as_deref(), Some("a. b.\n% c\nc. d.\n"));
    remove(&mut book, &[1, 3]);
    assert_eq!(book.file_text("f.pl").as_deref(), Some(" b. d.\n"));
    remove(&mut book, &[2, 4]);
    assert_eq!(book.file_text("f.pl").as_deref(), Some("\n"));
    let (operation, delta) = at_once(book.next_undo(all, &Pace::unbroken())).unwrap().unwrap();
    book.commit(operation, 9, delta);
    assert_eq!(book.file_text("f.pl").as_deref(), Some(" b. d.\n"));
    let gone = at_once(book.gone(1, &Pace::unbroken()));
    book.keep_last(1, gone);
    assert_eq!(
        book.file_text("f.pl").as_deref(),
        Some(" b. d.\n"),
        "what is forgotten is not what went"
    );
    let used = book.file("f.pl").expect("the file");
    let gone: Vec<&str> = book.gone_code(used).collect();
    assert_eq!(gone, ["a.", "c."]);
}

#[test]
fn each_of_many_files_has_its_own_text_and_entries() {
    let mut book = Book::default();
    for at in 0..300 {
        enter(
            &mut book,
            Origin::File(format!("f{at}.pl").into()),
            &format!("a({at}). b. c.\n"),
        );
        remove(&mut book, &[3 * at + 2]);
    }
    for at in 0..300 {
        let name = format!("f{at}.pl");
        assert_eq!(book.file_text(&name), Some(format!("a({at}). c.\n")));
        let used = book.file(&name).expect("the file");
        let ids: Vec<i64> = book.entries_of(used).map(|(id, _)| id.0).collect();
        assert_eq!(ids, [3 * at + 1, 3 * at + 3]);
    }
}

#[test]
fn a_comment_behind_new_code_does_not_take_in_what_follows_in_the_line() {
    let replaced = |text: &str, code: &str| {
        let mut book = Book::default();
        enter(&mut book, file("f.pl"), text);
        let piece = Piece {
            id: EntryId(9),
            place: None,
            start: 0,
            end: 2,
            kind: Kind::Fact,
            predicate: Rc::new(named("x")),
            restore: None,
        };
        book.rewritten(EntryId(1), code, &[piece]).expect("a draft").text
    };
    assert_eq!(replaced("a. b.\n", "x. % c"), "x. % c\n b.\n");
    assert_eq!(replaced("a. b.\n", "x. /* c */"), "x. /* c */ b.\n");
    assert_eq!(replaced("a.\nb.\n", "x. % c"), "x. % c\nb.\n");
}

#[test]
fn what_took_the_place_of_an_entry_is_undone_though_more_was_done_since() {
    let mut book = Book::default();
    enter(&mut book, file("f.pl"), "a. b. % c\nd.\n");
    let piece = |id, start, end, name| Piece {
        id: EntryId(id),
        place: None,
        start,
        end,
        kind: Kind::Fact,
        predicate: Rc::new(named(name)),
        restore: None,
    };
    let draft = book.rewritten(EntryId(2), "x. y.", &[piece(4, 0, 2, "x"), piece(5, 2, 5, "y")]);
    let added = book.draft(draft.expect("a draft"), 8);
    let removed = book.entries().map(|(id, _)| id).collect();
    book.commit(
        Operation::Replace,
        8,
        Delta {
            removed,
            added,
            ..Delta::default()
        },
    );
    let ids = |book: &Book| book.entries().map(|(id, _)| id.0).collect::<Vec<_>>();
    assert_eq!((ids(&book), book.next_last()), (vec![1, 4, 5, 3], 6));
    assert_eq!(book.snapshot(), "a. x. y. % c\nd.\n");
    remove(&mut book, &[1]);
    enter(&mut book, Origin::Inline, "e.");
    assert_eq!(ids(&book), [4, 5, 3, 6]);
    let replace = |number, _: &Revision| number == 2;
    let (operation, delta) = at_once(book.next_undo(replace, &Pace::unbroken()))
        .unwrap()
        .unwrap();
    book.commit(operation, 9, delta);
    assert_eq!(
        (ids(&book), book.snapshot()),
        (vec![2, 3, 6], " b. % c\nd.\ne.".to_owned())
    );
    let again = |number, _: &Revision| number == 5;
    let (operation, delta) = at_once(book.next_redo(again, &Pace::unbroken()))
        .unwrap()
        .unwrap();
    book.commit(operation, 9, delta);
    assert_eq!(ids(&book), [4, 5, 3, 6]);
    assert_eq!(Book::replay(book.journal().to_vec()), book);
    assert_eq!(book.snapshot_at(2).as_deref(), Some("a. x. y. % c\nd.\n"));
}

#[test]
fn what_is_moved_behind_others_keeps_its_ids_and_no_two_have_one() {
    let mut book = Book::default();
    enter(&mut book, Origin::Inline, "a.");
    let before = book.numbers();
    let planned = |book: &Book, ids: Ids, origin: Origin, text: &str| {
        let mut draft = draft(origin, text, ids.id(book.next_last()).0);
        for piece in &mut draft.pieces {
            piece.place = ids.place(piece.id);
        }
        let added = book.clone().draft(draft, 7);
        let delta = Delta {
            added,
            ..Delta::default()
        };
        book.plan(Operation::Assert, 7, delta).expect("a change")
    };
    let own = Ids::of("own");
    let [first, same] = [own, Ids::default()].map(|ids| planned(&book, ids, Origin::Inline, "x. y."));
    enter(&mut book, Origin::Inline, "b. c. d.");
    let clash = at_once(book.rebase(same, before, &Pace::unbroken())).unwrap_err();
    assert_eq!(clash.0, "id 2 is taken by another entry");
    let delta = at_once(book.rebase(first, before, &Pace::unbroken())).expect("moved");
    book.commit(Operation::Assert, 8, delta);
    enter(&mut book, Origin::Inline, "e.");
    assert_eq!(book.snapshot(), "a.\nb.\nc.\nd.\nx.\ny.\ne.");
    let ids: Vec<i64> = book.entries().map(|(id, _)| id.0).collect();
    assert_eq!(ids, [1, 2, 3, 4, own.id(2).0, own.id(3).0, 7]);
    assert_eq!(Book::replay(book.journal().to_vec()), book);
}

#[test]
fn operations_of_drafts_do_not_push_out_those_that_can_be_undone() {
    let mut book = Book::default();
    let propose = |book: &mut Book, key: &str| {
        let cell = Cell {
            room: DRAFTS.into(),
            key: key.into(),
            value: Some("v".into()),
        };
        let delta = Delta {
            cells: vec![cell],
            ..Delta::default()
        };
        book.commit(Operation::Draft("d".into()), 7, delta);
    };
    enter(&mut book, Origin::Inline, "a.");
    propose(&mut book, "d/1");
    enter(&mut book, Origin::Inline, "b.");
    propose(&mut book, "d/2");
    assert_eq!(book.revisions_with(1, 2), 2);
    assert_eq!(book.revisions_with(2, 4), 4);
    assert_eq!(book.revisions_with(9, 18), 4);
    for number in 3..10 {
        propose(&mut book, &format!("d/{number}"));
    }
    assert_eq!(book.revisions_with(2, 4), 4, "no more than that");
    assert_eq!(book.revisions_with(2, 40), 11, "all of them, where they fit");
}

#[test]
fn a_file_that_was_read_again_is_compared_where_it_is_now() {
    let mut book = Book::default();
    enter(&mut book, file("f.pl"), "a.\nb.\n");
    enter(&mut book, file("g.pl"), "x.\ny.\n");
    enter(&mut book, Origin::Inline, "c. d.");
    let read_again = |book: &mut Book, name, text, removed: &[i64]| {
        let added = draft(file(name), text, book.next_last());
        let delta = Delta {
            removed: removed.iter().copied().map(EntryId).collect(),
            added: book.draft(added, 7),
            ..Delta::default()
        };
        book.commit(Operation::Import(name.to_owned()), 7, delta);
    };
    let compared = |book: &Book, from, to| {
        let found = at_once(book.compared(from, to, &Pace::unbroken())).expect("both are known");
        let moved: Vec<String> = found.moved.iter().map(|name| name.to_string()).collect();
        (found.before, found.after, moved)
    };
    read_again(&mut book, "f.pl", "a.\nb2.\n", &[1, 2]);
    let after = (
        "x.\ny.\nc.\nd.\na.\nb.\n".to_owned(),
        "x.\ny.\nc.\nd.\na.\nb2.\n".to_owned(),
    );
    assert_eq!(
        compared(&book, 3, 4),
        (after.0.clone(), after.1.clone(), vec!["f.pl".to_owned()])
    );
    let back = (
        "a.\nb2.\nx.\ny.\nc.\nd.".to_owned(),
        "a.\nb.\nx.\ny.\nc.\nd.".to_owned(),
    );
    assert_eq!(compared(&book, 4, 3), (back.0, back.1, vec!["f.pl".to_owned()]));
    // One that is last stays there, and what only was added moves nothing.
    read_again(&mut book, "f.pl", "a.\nb3.\n", &[7, 8]);
    let stays = (
        "x.\ny.\nc.\nd.\na.\nb2.\n".to_owned(),
        "x.\ny.\nc.\nd.\na.\nb3.\n".to_owned(),
    );
    assert_eq!(compared(&book, 4, 5), (stays.0, stays.1, Vec::new()));
    enter(&mut book, file("h.pl"), "z.\n");
    assert_eq!(compared(&book, 5, 6).2, Vec::<String>::new());
}

#[test]
fn ids_of_what_may_be_in_the_book_are_not_given_again_wherever_it_stands() {
    let mut book = Book::default();
    enter(&mut book, Origin::Inline, "a. b.");
    let mut between = draft(Origin::Inline, "x. y.", book.next_last());
    let places = book.places_behind(EntryId(1), 2);
    for (piece, place) in between.pieces.iter_mut().zip(places) {
        piece.place = Some(place);
    }
    let added = book.clone().draft(between, 7);
    let delta = Delta {
        added,
        ..Delta::default()
    };
    let planned = book.plan(Operation::Assert, 7, delta).expect("a change");
    book.reserve_for(&planned);
    assert_eq!(book.next_last(), 5);
}

#[test]
fn each_source_of_a_draft_gets_a_number_of_its_own() {
    let base = Book::default();
    let step = |text| base.branch().draft(draft(Origin::Inline, text, 1), 7);
    let mut brought = Brought::default();
    let mut numbered = |added: &[(EntryId, Entry)]| {
        let numbered = at_once(brought.numbered(added.to_vec(), &Pace::unbroken()));
        let texts: Vec<&str> = numbered.iter().map(|(_, entry)| entry.code()).collect();
        let written: Vec<&str> = added.iter().map(|(_, entry)| entry.code()).collect();
        assert_eq!(texts, written);
        numbered
    };
    let number = |added: &[(EntryId, Entry)]| added[0].1.source().number - BRANCH.source;
    // Two workspaces that do not know of each other's step have given both sources the same number.
    let (one, other) = (step("x."), step("longer. y."));
    assert_eq!((number(&one), number(&other)), (1, 1));
    let [first, second] = [&one, &other].map(|added| numbered(added));
    assert_eq!((number(&first), number(&second)), (1, 2));
    // A later step brings the second back, as it was written or as it stands in the draft.
    let again = [&other, &second, &one].map(|added| number(&numbered(added)));
    assert_eq!(again, [2, 2, 1]);
    let [of_first, of_second] = [&first, &second].map(|added| added[0].1.source().clone());
    let one = BRANCH.source + 1;
    assert!(brought.is_among(&of_first, &[one]) && brought.is_among(&of_second, &[one]));
    assert!(!brought.is_among(&of_first, &[one + 1]));
    assert_eq!(brought.last(), one + 1);
}
