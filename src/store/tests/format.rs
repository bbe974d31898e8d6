use super::*;

#[test]
fn a_journal_is_readable_lines() {
    let mut shelf = Shelf::new(&Limits::default());
    shelf.add(Operation::Assert, Origin::Inline, "a(1). a(2).\nb(3).", false);
    shelf.remove(vec![EntryId(1), EntryId(2)]);
    let text = shelf.store.text();
    let lines: Vec<&str> = text.lines().collect();
    let said = format!("hornbook 6 {:016} {}", text.len(), &lines[2][..8]);
    assert_eq!(
        lines[0],
        format!("{said} {:08x}", crc32fast::hash(said.as_bytes()))
    );
    let sums: Vec<(&str, &str)> = lines[1..]
        .iter()
        .map(|line| line.split_once(' ').unwrap())
        .collect();
    assert_eq!(
        sums[0].0,
        format!("{:08x}", crc32fast::hash(sums[0].1.as_bytes()))
    );
    let both = format!("{}{}", sums[0].1, sums[1].1);
    assert_eq!(sums[1].0, format!("{:08x}", crc32fast::hash(both.as_bytes())));
    assert_eq!(
        sums[0].1,
        r#"{"revision":{"number":1,"operation":"assert","at_ms":9,"sources":[{"number":1,"origin":"inline","added_ms":7,"#.to_owned()
            + r#""text":"a(1). a(2).\nb(3).","tail":17,"restores":[]}],"removed":[],"#
            + r#""added":[["f",1,1,0,5,"a",1],11,["f",3,1,11,17,"b",1]],"#
            + r#""known":[["a",1,"no","written"],["b",1,"no","written"]]}}"#
    );
    assert_eq!(
        sums[1].1,
        r#"{"revision":{"number":2,"operation":"retract","at_ms":9,"removed":[[1,2]],"added":[]}}"#
    );
}

#[test]
fn a_long_import_is_one_text_and_a_number_for_each_clause() {
    let text: String = (0..10_000).map(|n| format!("fact({n}).\n")).collect();
    let mut shelf = Shelf::new(&Limits::default());
    shelf.add(
        Operation::Import("f".into()),
        Origin::File("f".into()),
        &text,
        false,
    );
    let length = shelf.store.bytes.borrow().len();
    assert!(
        length < text.len() + 10_000 * 8,
        "{length} bytes for {}",
        text.len()
    );
}

#[test]
fn a_journal_that_grew_much_longer_than_its_book_is_written_anew() {
    let mut shelf = Shelf::new(&limits(2_000));
    for round in 0..50 {
        shelf.add(Operation::Assert, Origin::Inline, "a(1). b(2).", false);
        shelf.remove(vec![EntryId(2 * round + 1)]);
    }
    let replaced = shelf.store.replaced.get();
    assert!((3..20).contains(&replaced), "{replaced} times");
    assert!(shelf.store.bytes.borrow().len() < 16_000);
    let opened = open_bytes(&shelf.store.bytes.borrow()).1.unwrap();
    assert_eq!(state(&opened.book), state(&shelf.book.borrow()));
    assert_eq!(opened.book.journal(), shelf.book.borrow().journal());
    assert!(opened.book.journal().len() >= 2);
}

#[test]
fn a_journal_that_cannot_be_written_anew_is_gone_on_with_and_tried_again_when_it_has_grown() {
    let mut shelf = Shelf::new(&Limits::default());
    let grow = |shelf: &mut Shelf| {
        for _ in 0..20 {
            shelf.add(Operation::Assert, Origin::Inline, "a(1). b(2).", false);
            let last = shelf.book.borrow().next_last();
            shelf.remove(vec![EntryId(last - 1), EntryId(last - 2)]);
        }
    };
    grow(&mut shelf);
    shelf.journal = open(&shelf.store, &limits(500)).unwrap().journal;
    let before = shelf.store.text();
    shelf.store.space.set(Some(100));
    shelf
        .journal
        .compact(&shelf.book, &Pace::unbroken())
        .now_or_never()
        .expect("at once");
    assert_eq!((shelf.store.text(), shelf.store.replaced.get()), (before, 1));
    shelf.store.space.set(None);
    grow(&mut shelf);
    assert_eq!(shelf.store.replaced.get(), 1);
    (0..3).for_each(|_| grow(&mut shelf));
    assert!(shelf.store.replaced.get() > 1);
    let opened = open_bytes(&shelf.store.bytes.borrow()).1.unwrap();
    assert_eq!(state(&opened.book), state(&shelf.book.borrow()));
}

#[test]
fn what_is_no_journal_is_left_alone() {
    let refused = |bytes: &[u8]| {
        let (store, opened) = open_bytes(bytes);
        assert_eq!(&store.bytes.borrow()[..], bytes);
        opened.err().expect("refused")
    };
    let newer =
        "memory was written by a newer Hornbook: its format is 7, and this one reads 6; update this one.";
    assert_eq!(refused(b"hornbook 7\n0 {}\n"), newer);
    assert_eq!(refused(b"hornbook 7 what it needs\n0 {}\n"), newer);
    for other in [
        "p(1).\np(2).\n",
        "p(1).",
        "hornbook 0\n",
        "horn",
        "hornbook",
        "\n",
    ] {
        assert_eq!(refused(other.as_bytes()), "memory is not a Hornbook book.");
    }
    for damaged in [
        "hornbook 6",
        "hornbook 1",
        "hornbook 6 0000000000000046\n",
        "hornbook 1 0\n",
    ] {
        let message = refused(damaged.as_bytes());
        assert!(message.starts_with("memory: line 1 is damaged."), "{message}");
    }
}

#[test]
fn a_new_journal_is_its_first_line() {
    let (store, opened) = open_bytes(b"");
    assert!(opened.unwrap().book.is_empty());
    assert_eq!(store.text(), "hornbook 6 0000000000000046 00000000 05ef99d1\n");
    assert_eq!((store.text().len(), store.replaced.get()), (HEAD, 1));
    open_bytes(store.text().as_bytes()).1.unwrap();
}

/// A journal of two operations, and its lines.
fn two_operations() -> (Shelf, Vec<String>) {
    let mut shelf = Shelf::new(&Limits::default());
    shelf.add(Operation::Assert, Origin::Inline, "a(1).", false);
    shelf.add(Operation::Assert, Origin::Inline, "b(2).", false);
    let lines = shelf
        .store
        .text()
        .split_inclusive('\n')
        .map(str::to_owned)
        .collect();
    (shelf, lines)
}

#[test]
fn damage_is_refused_with_the_way_to_go_on_which_is_one() {
    let (_, lines) = two_operations();
    let refused = |text: &str| {
        let (store, opened) = open_bytes(text.as_bytes());
        assert_eq!(store.text(), text);
        assert!(store.aside.borrow().is_empty());
        opened.err().expect("refused")
    };
    let clauses = |text: &str| {
        let (store, opened) = open_bytes(text.as_bytes());
        let opened = opened.unwrap();
        assert_eq!(opened.notice, None);
        // From then on it is a journal like any other.
        assert_eq!(
            state(&open_bytes(store.text().as_bytes()).1.unwrap().book).1,
            opened.book.snapshot()
        );
        assert!(store.text().starts_with("hornbook 6 0"));
        opened.book.snapshot()
    };
    assert_eq!(
        refused(&lines.concat().replace("b(2)", "b(3)")),
        "memory: line 3 is damaged, and holds acknowledged data. Nothing was changed. Restore the file from a copy; or, \
         to continue with what comes before, keep a copy, delete line 3 and all after it, and make the first line \
         `hornbook 6`."
    );
    assert_eq!(clauses(&format!("hornbook 6\n{}", lines[1])), "a(1).");
    assert_eq!(
        refused(&lines[..2].concat()),
        format!(
            "memory was cut short: {} acknowledged bytes after line 2 are missing. Nothing was changed. Restore \
             the file from a copy; or, to continue with what is there, keep a copy and make the first line `hornbook 6`.",
            lines[2].len()
        )
    );
    let [first, second] = [&lines[1], &lines[2]];
    let head = lines[0].replace("hornbook 6 0", "hornbook 6 1");
    assert_eq!(
        refused(&format!("{head}{first}{second}")),
        "memory: line 1 is damaged. Nothing was changed. Restore the file from a copy; or, to continue with what the other \
         lines hold, keep a copy and make the first line `hornbook 6`."
    );
    assert_eq!(clauses(&format!("hornbook 6\n{first}{second}")), "a(1).\nb(2).");
}

#[test]
fn an_operation_that_is_whole_and_was_not_marked_is_there_and_marked_before_it_is_told() {
    let (shelf, lines) = two_operations();
    let head = String::from_utf8(shelf.heads[1].clone()).unwrap();
    let (store, opened) = open_bytes(format!("{head}{}{}", lines[1], lines[2]).as_bytes());
    let opened = opened.unwrap();
    assert_eq!(
        (opened.book.snapshot().as_str(), opened.notice),
        ("a(1).\nb(2).", None)
    );
    assert_eq!(store.text(), lines.concat());
}

#[test]
fn a_journal_of_format_2_is_read_and_is_of_the_newest_with_the_next_operation() {
    let (_, lines) = two_operations();
    let said = format!("hornbook 2{}", &lines[0][10..36]);
    let head = format!("{said} {:08x}\n", crc32fast::hash(said.as_bytes()));
    let old = format!("{head}{}{}", lines[1], lines[2]);
    let mut shelf = Shelf::holding(old.as_bytes(), &Limits::default());
    assert_eq!(
        (shelf.book.borrow().snapshot().as_str(), shelf.store.text()),
        ("a(1).\nb(2).", old)
    );
    shelf.add(Operation::Assert, Origin::Inline, "c(3).", false);
    let text = shelf.store.text();
    assert!(text.starts_with("hornbook 6 0"), "{text}");
    assert_eq!(
        open_bytes(text.as_bytes()).1.unwrap().book.snapshot(),
        "a(1).\nb(2).\nc(3)."
    );
}

/// A book written in format 3, with entries at the front, a replaced one, and an undo.
const FORMAT_3: &str = include_str!("../../../tests/support/books/format-3.book");

#[test]
fn a_journal_of_format_3_is_read_unchanged_and_takes_places() {
    let mut shelf = Shelf::holding(FORMAT_3.as_bytes(), &Limits::default());
    assert_eq!(shelf.store.text(), FORMAT_3);
    let snapshot = shelf.book.borrow().snapshot();
    let ids = |shelf: &Shelf| {
        shelf
            .book
            .borrow()
            .entries()
            .map(|(id, _)| id)
            .collect::<Vec<_>>()
    };
    let before = ids(&shelf);
    assert!(before.is_sorted(), "{before:?}");
    shelf.ids = Ids::of("another");
    shelf.insert("a(1). b(1).", Some(before[1]));
    shelf.insert("c(1).", None);
    let after = ids(&shelf);
    assert_eq!(
        (&after[..2], &after[4..after.len() - 1]),
        (&before[..2], &before[2..])
    );
    assert!(shelf.store.text().starts_with("hornbook 6 0"));
    let again = open_bytes(shelf.store.text().as_bytes()).1.unwrap();
    assert_eq!(state(&again.book), state(&shelf.book.borrow()));
    let (operation, delta) = again
        .book
        .next_undo(|_, _| true, &Pace::unbroken())
        .now_or_never()
        .unwrap()
        .unwrap()
        .unwrap();
    shelf.carry_out(operation, delta);
    shelf.remove(vec![after[2], after[3]]);
    assert_eq!(shelf.book.borrow().snapshot(), snapshot);
}

#[test]
fn places_are_written_where_ids_do_not_tell_them() {
    let mut shelf = Shelf::new(&Limits::default());
    shelf.add(Operation::Assert, Origin::Inline, "a(1). a(2).", false);
    shelf.insert("b(1). b(2).", Some(EntryId(1)));
    let text = shelf.store.text();
    let added = r#""added":[["f",3,2,0,5,"b",1,[1,[2147483648]]],["f",4,2,5,11,"b",1,[1,[2147483649]]]]"#;
    assert!(text.contains(added), "{text}");
    shelf.ids = Ids::of("another");
    shelf.add(Operation::Assert, Origin::Inline, "c(1). c(2).", false);
    let id = shelf.ids.id(5);
    let added = format!(r#""added":[["f",{id},3,0,5,"c",1,5],11]"#);
    assert!(shelf.store.text().contains(&added), "{}", shelf.store.text());
}

#[test]
fn an_operation_that_only_a_newer_hornbook_knows_is_named() {
    let json = r#"{"revision":{"number":1,"operation":{"graft":"x"},"at_ms":9,"removed":[],"added":[]}}"#;
    let text = format!("hornbook 6\n{:08x} {json}\n", crc32fast::hash(json.as_bytes()));
    assert_eq!(
        open_bytes(text.as_bytes()).1.err().expect("refused"),
        "memory: line 2 is invalid: it has `graft`, which only a newer Hornbook can know. Nothing was changed."
    );
}

/// Books written in format 1: the lines, and the book that they make.
const FORMAT_1: [(&str, &str); 2] = [
    (
        include_str!("../../../tests/support/books/format-1.book"),
        "p(0).\np(1).\nq(X) :- p(X). % note\n% A family.\n:- op(700, xfx, =>).\nf(a => b).\nname('ü🧮').\n",
    ),
    (
        include_str!("../../../tests/support/books/format-1-compacted.book"),
        "d(1).\na(1).\nb('ü').\n:- op(700, xfx, =>). c(1).\n% end",
    ),
];

#[test]
fn a_journal_of_format_1_is_brought_over_with_its_history() {
    for (text, snapshot) in FORMAT_1 {
        let (store, opened) = open_bytes(text.as_bytes());
        let opened = opened.unwrap();
        assert_eq!(opened.notice, None);
        assert_eq!(opened.book.snapshot(), snapshot);
        assert_eq!(opened.book.journal().len() as u64, opened.book.revision());
        assert!(store.text().starts_with("hornbook 6 0"));
        let again = open_bytes(store.text().as_bytes()).1.unwrap();
        assert_eq!(state(&again.book), state(&opened.book));
        assert_eq!(again.book.journal(), opened.book.journal());
        // It can be appended to.
        let delta = Delta {
            known: vec![(named("news"), Known::ByRun)],
            ..Delta::default()
        };
        let revision = opened.book.plan(Operation::Assert, 1, delta).unwrap();
        let number = opened.book.revision() + 1;
        opened
            .journal
            .append(number, &revision, &Pace::unbroken())
            .now_or_never()
            .unwrap()
            .unwrap();
        let again = open_bytes(store.text().as_bytes()).1.unwrap();
        assert_eq!(again.book.revision(), number);
    }
}

#[test]
fn the_last_record_of_format_1_is_cut_where_it_does_not_fit_and_nothing_is_promised_of_it() {
    for (text, _) in FORMAT_1 {
        let last = text.trim_end().rfind('\n').unwrap() + 1;
        let flipped = format!("{}?????\n", &text[..text.len() - 6]);
        for (broken, end) in [(&text[..text.len() - 3], text.len() - 3), (&flipped, text.len())] {
            let (store, opened) = open_bytes(broken.as_bytes());
            let opened = opened.unwrap();
            assert_eq!(
                opened.notice.unwrap(),
                format!(
                    "memory ended in the middle of a record, as after a crash: its last {} bytes were cut off and are kept \
                     in memory.cut. The file does not show whether these bytes were an acknowledged operation: inspect them.",
                    end - last
                )
            );
            assert_eq!(store.aside.borrow().concat(), &broken.as_bytes()[last..]);
            let before = open_bytes(&text.as_bytes()[..last]).1.unwrap();
            assert_eq!(state(&before.book), state(&opened.book));
            assert_eq!(
                state(&open_bytes(store.text().as_bytes()).1.unwrap().book),
                state(&opened.book)
            );
        }
        let damaged = text.replacen("\"number\":1", "\"number\":7", 1);
        assert_eq!(
            open_bytes(damaged.as_bytes()).1.err().expect("refused"),
            "memory: line 2 is damaged, and holds acknowledged data. Nothing was changed. Restore the file from a copy; or, \
             to continue with what comes before, keep a copy, delete line 2 and all after it, and make the first line \
             `hornbook 1`."
        );
    }
}

#[test]
fn a_whole_book_of_format_1_is_not_cut() {
    let text = FORMAT_1[1].0;
    let whole = text.trim_end().rfind('\n').unwrap() + 1;
    for cut in "hornbook 1\n".len() + 17..whole {
        let message = open_bytes(&text.as_bytes()[..cut]).1.err().expect("refused");
        assert!(message.contains("is damaged"), "{message} at {cut}");
    }
}

#[test]
fn a_whole_book_and_the_past_are_believed_only_before_all_revisions() {
    let line = |json: &str| format!("{:08x} {json}\n", crc32fast::hash(json.as_bytes()));
    let revision =
        line(r#"{"revision":{"number":1,"operation":"assert","at_ms":9,"removed":[],"added":[]}}"#);
    let past = line(r#"{"past":{"number":1,"operation":"assert","at_ms":9,"removed":[],"added":[]}}"#);
    let book = |revision: u64| {
        line(&format!(
            r#"{{"book":{{"revision":{revision},"sources":[],"entries":[],"known":[],"last":0,"first":0,"last_source":0}}}}"#
        ))
    };
    let opened = |lines: [&String; 2]| {
        let text = format!("hornbook 1\n{}{}", lines[0], lines[1]);
        open_bytes(text.as_bytes()).1.map(drop)
    };
    let (empty, first, fifth) = (book(0), book(1), book(5));
    assert_eq!(opened([&past, &first]), Ok(()));
    for (lines, why) in [
        (
            [&revision, &first],
            "it is a whole book, and there is one before it",
        ),
        ([&empty, &empty], "it is a whole book, and there is one before it"),
        ([&empty, &past], "the past comes after the book"),
        ([&revision, &past], "the past comes after the book"),
        (
            [&past, &revision],
            "the book that the preceding lines led to is missing",
        ),
        (
            [&past, &fifth],
            "it is the book of revision 5, but follows revision 1",
        ),
    ] {
        let told = format!("memory: line 3 is invalid: {why}. Nothing was changed.");
        assert_eq!(opened(lines), Err(told));
    }
}

#[test]
fn a_book_that_can_only_be_read_is_read_and_left_alone() {
    let mut shelf = Shelf::new(&Limits::default());
    shelf.add(Operation::Assert, Origin::Inline, "a(1). b(2).", false);
    let whole = shelf.store.bytes.borrow().clone();
    let mut torn = whole[..whole.len() - 3].to_vec();
    torn[..HEAD].copy_from_slice(&shelf.heads[0]);
    for bytes in [&b""[..], &b"hornbook 1\n"[..], &whole[..], &torn[..]] {
        let store = Rc::new(MemoryStore::holding(bytes));
        store
            .read_only
            .replace(Some("another has it, and here it is read".to_owned()));
        let opened = open(&store, &limits(0)).unwrap();
        assert_eq!(
            opened.notice.as_deref(),
            Some("memory: another has it, and here it is read.")
        );
        assert_eq!(opened.book.is_empty(), bytes != whole);
        let revision = shelf.book.borrow().journal()[0].clone();
        let refused = opened
            .journal
            .append(1, &revision, &Pace::unbroken())
            .now_or_never()
            .expect("at once");
        assert_eq!(
            refused.unwrap_err().to_string(),
            "another has it, and here it is read"
        );
        assert_eq!(&store.bytes.borrow()[..], bytes);
        assert!(store.aside.borrow().is_empty());
    }
}

#[test]
fn a_record_that_does_not_follow_from_the_others_is_refused_with_its_line() {
    let line = |json: &str| format!("{:08x} {json}\n", crc32fast::hash(json.as_bytes()));
    let refused = |json: &str| {
        let text = format!("hornbook 1\n{}", line(json));
        let message = open_bytes(text.as_bytes()).1.err().expect("refused");
        let begin = "memory: line 2 is invalid: ";
        message
            .strip_prefix(begin)
            .unwrap_or_else(|| panic!("{message}"))
            .to_owned()
    };
    let change = |removed: &str, added: &str| {
        let source = r#"{"number":1,"origin":"inline","added_ms":7,"text":"ü(1).","tail":6,"restores":[]}"#;
        format!(
            r#"{{"revision":{{"number":1,"operation":"assert","at_ms":9,"sources":[{source}],"removed":{removed},"added":{added}}}}}"#
        )
    };
    let cases = [
        (
            change("[[5,1]]", "[]"),
            "it removes the unknown entry 5. Nothing was changed.",
        ),
        (
            change("[]", r#"[["f",1,2,0,6,"ü",1]]"#),
            "no earlier line has source 2. Nothing was changed.",
        ),
        (
            change("[]", r#"[["f",1,1,1,6,"ü",1]]"#),
            "entry 1 is not a part of its source. Nothing was changed.",
        ),
        (
            change("[]", r#"[["f",1,1,0,60,"ü",1]]"#),
            "entry 1 is not a part of its source. Nothing was changed.",
        ),
        (change("[]", "[6]"), "it begins with an end. Nothing was changed."),
        (
            r#"{"revision":{"number":2,"operation":"assert","at_ms":9,"removed":[],"added":[]}}"#.to_owned(),
            "it is revision 2, but follows revision 0. Nothing was changed.",
        ),
    ];
    for (json, expected) in cases {
        assert_eq!(refused(&json), expected);
    }
    assert!(refused("{}").contains("line 1 column 2"));
}

#[test]
fn a_long_record_comes_in_pieces_and_counts_only_with_its_last() {
    let mut shelf = Shelf::new(&Limits::default());
    shelf.add(Operation::Assert, Origin::Inline, "a(1).", false);
    let (before, old) = (state(&shelf.book.borrow()), shelf.store.bytes.borrow().clone());
    let long = format!("b(\"{}\").", "é\\n🙂 ".repeat(1_000_000));
    // There is only space for its first piece.
    shelf.store.space.set(Some(old.len() + (5 << 20)));
    let removed = shelf.book.borrow().entries().map(|(id, _)| id).collect();
    let delta = |added| Delta {
        added,
        removed,
        ..Delta::default()
    };
    let draft = Draft {
        origin: Origin::Inline,
        text: long.clone(),
        tail: long.len(),
        pieces: vec![Piece {
            id: EntryId(2),
            place: None,
            start: 0,
            end: long.len(),
            kind: Kind::Fact,
            predicate: named("b"),
            restore: None,
        }],
        module: None,
        is_needed: false,
        replaced: Vec::new(),
    };
    let added = shelf.book.borrow_mut().draft(draft, 7);
    let planned = shelf.book.borrow().plan(Operation::Assert, 9, delta(added));
    let revision = planned.expect("a change");
    let fault = shelf.append(&revision).unwrap_err();
    assert_eq!(fault.to_string(), "no space is left on the device");
    assert_eq!(*shelf.store.bytes.borrow(), old);
    shelf.store.space.set(None);
    shelf.append(&revision).expect("kept");
    let whole = shelf.store.bytes.borrow().clone();
    assert!(whole.len() > old.len() + (9 << 20));
    // A crash leaves some of its pieces, and the old mark.
    for cut in [old.len() + 1, old.len() + (4 << 20), whole.len() - 1] {
        let torn = [&old[..HEAD], &whole[HEAD..cut]].concat();
        let (store, opened) = open_bytes(&torn);
        let opened = opened.expect("the book before it");
        assert_eq!(state(&opened.book), before);
        assert_eq!(store.aside.borrow().concat(), torn[old.len()..]);
    }
    let (_, opened) = open_bytes(&whole);
    let book = opened.expect("the book").book;
    let texts: Vec<&str> = book.entries().map(|(_, entry)| entry.text()).collect();
    assert_eq!(texts, [long]);
}

#[test]
fn a_journal_is_rewritten_on_demand_with_as_much_history_as_is_asked_for() {
    let mut shelf = Shelf::new(&Limits::default());
    for text in ["a(1).", "b(2).", "c(3)."] {
        shelf.add(Operation::Assert, Origin::Inline, text, false);
    }
    for (history, kept) in [(9, 3), (2, 2), (0, 0)] {
        let before = shelf.store.bytes.borrow().len() as u64;
        let rewritten = shelf
            .journal
            .rewrite(&shelf.book, history, &Pace::unbroken())
            .now_or_never()
            .expect("at once");
        let after = shelf.store.bytes.borrow().len() as u64;
        assert_eq!(rewritten, Ok(Rewritten::Done { before, after }));
        assert_eq!(shelf.book.borrow().journal().len(), kept);
        let opened = open_bytes(&shelf.store.bytes.borrow()).1.unwrap();
        assert_eq!(state(&opened.book), state(&shelf.book.borrow()));
        assert_eq!(opened.book.journal(), shelf.book.borrow().journal());
    }
    shelf.add(Operation::Assert, Origin::Inline, "d(4).", false);
    let opened = open_bytes(&shelf.store.bytes.borrow()).1.unwrap();
    assert_eq!(state(&opened.book), state(&shelf.book.borrow()));
    assert_eq!(opened.book.journal().len(), 1);
}

#[test]
fn a_store_that_is_only_read_stays_as_it_is_and_what_is_torn_is_told() {
    let mut shelf = Shelf::new(&Limits::default());
    shelf.add(Operation::Assert, Origin::Inline, "a(1).", false);
    let whole = shelf.store.bytes.borrow().clone();
    let torn = [&whole[..], b"01234567 {\"rev"].concat();
    for (bytes, torn) in [(&whole, 0), (&torn, 14)] {
        let store = Rc::new(MemoryStore::holding(bytes));
        let read = read_store(store.clone(), &Pace::unbroken()).now_or_never();
        let reading = read.expect("at once").expect("readable");
        assert_eq!(&*store.bytes.borrow(), bytes);
        assert_eq!((reading.length, reading.torn), (whole.len() as u64, torn));
        assert_eq!(reading.head.as_deref().map(str::as_bytes), Some(&whole[..HEAD]));
        assert_eq!(state(&reading.book), state(&shelf.book.borrow()));
    }
    let bare = Rc::new(MemoryStore::holding(b"hornbook 6\n"));
    let read = read_store(bare, &Pace::unbroken()).now_or_never();
    assert_eq!(read.expect("at once").expect("readable").head, None);
}

#[test]
fn what_a_draft_held_is_in_the_log_once_and_known_to_whoever_reads_it() {
    let mut shelf = Shelf::new(&limits(u64::MAX));
    let step = |value: Option<&str>| Delta {
        cells: vec![Cell {
            room: DRAFTS.into(),
            key: "d/1".into(),
            value: value.map(Into::into),
        }],
        ..Delta::default()
    };
    shelf.carry_out(Operation::Draft("d".into()), step(Some("what is proposed")));
    let accept = Operation::Accept {
        draft: "d".into(),
        by: None,
    };
    shelf.carry_out(accept, step(None));
    assert_eq!(shelf.store.text().matches("what is proposed").count(), 1);
    let before = |book: &Book| {
        let last = book.journal().last().expect("two revisions");
        last.cells[0].before.as_deref().map(str::to_owned)
    };
    let opened = open(&shelf.store, &limits(u64::MAX)).expect("opened");
    assert_eq!(before(&opened.book).as_deref(), Some("what is proposed"));
    // The acceptance can be undone after the journal was rewritten, too.
    let book = std::cell::RefCell::new(opened.book);
    let rewritten = opened.journal.rewrite(&book, 2, &Pace::unbroken()).now_or_never();
    rewritten.expect("at once").expect("rewritten");
    let again = open(&shelf.store, &limits(u64::MAX)).expect("opened again");
    assert_eq!(before(&again.book).as_deref(), Some("what is proposed"));
}

#[test]
fn what_an_undo_brought_back_is_known_after_its_revision_is_forgotten() {
    let mut shelf = Shelf::new(&limits(u64::MAX));
    let set = |key: &str, value: &str| Delta {
        cells: vec![Cell {
            room: "memory".into(),
            key: key.into(),
            value: Some(value.into()),
        }],
        ..Delta::default()
    };
    let operation = || Operation::Cells {
        room: "memory".into(),
        action: "set".into(),
    };
    shelf.carry_out(operation(), set("a", "1"));
    shelf.carry_out(operation(), set("a", "2"));
    shelf.carry_out(Operation::Undo(2), set("a", "1"));
    shelf.carry_out(operation(), set("b", "1"));
    let pace = Pace::unbroken();
    let rewritten = shelf.journal.rewrite(&shelf.book, 1, &pace);
    rewritten.now_or_never().expect("at once").expect("rewritten");
    let opened = open(&shelf.store, &limits(u64::MAX)).expect("opened").book;
    assert_eq!(opened.forgotten(), 3);
    assert!(opened.is_undone_cell("memory", "a") && !opened.is_undone_cell("memory", "b"));
}
