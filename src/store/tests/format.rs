use super::*;

#[test]
fn a_journal_is_readable_lines() {
    let mut shelf = Shelf::new(&Limits::default());
    shelf.add(Operation::Assert, Origin::Inline, "a(1). a(2).\nb(3).", false);
    shelf.remove(vec![EntryId(1), EntryId(2)]);
    let text = shelf.store.text();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines[0], "hornbook 1");
    assert_eq!(
        lines[1].split_once(' ').unwrap().1,
        r#"{"revision":{"number":1,"operation":"assert","at_ms":9,"sources":[{"number":1,"origin":"inline","added_ms":7,"#.to_owned()
            + r#""text":"a(1). a(2).\nb(3).","tail":17,"restores":[]}],"removed":[],"#
            + r#""added":[["f",1,1,0,5,"a",1],11,["f",3,1,11,17,"b",1]],"#
            + r#""known":[["a",1,"no","written"],["b",1,"no","written"]]}}"#
    );
    assert_eq!(
        lines[2],
        r#"05510391 {"revision":{"number":2,"operation":"retract","at_ms":9,"removed":[[1,2]],"added":[]}}"#
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
            let last = shelf.book.borrow().next_last().0;
            shelf.remove(vec![EntryId(last - 1), EntryId(last - 2)]);
        }
    };
    grow(&mut shelf);
    shelf.journal = open(&shelf.store, &limits(500)).unwrap().journal;
    let before = shelf.store.text();
    shelf.store.space.set(Some(100));
    shelf
        .journal
        .compact(&shelf.book)
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
fn a_book_that_was_written_as_a_whole_is_not_cut() {
    let mut shelf = Shelf::new(&limits(500));
    while shelf.store.replaced.get() < 2 {
        shelf.add(Operation::Assert, Origin::Inline, "a(1). b(2).", false);
        let last = shelf.book.borrow().next_last().0;
        shelf.remove(vec![EntryId(last - 1), EntryId(last - 2)]);
    }
    let bytes = shelf.store.bytes.borrow().clone();
    let header = 11;
    for cut in header + 17..shelf.states[0].0 {
        let message = open_bytes(&bytes[..cut]).1.err().expect("refused");
        assert!(message.contains("is damaged"), "{message} at {cut}");
    }
}

#[test]
fn what_is_no_journal_is_left_alone() {
    let refused = |bytes: &[u8]| {
        let (store, opened) = open_bytes(bytes);
        assert_eq!(&store.bytes.borrow()[..], bytes);
        opened.err().expect("refused")
    };
    let newer = "memory was written by a newer Hornbook: its format is 2, and this one reads 1.";
    assert_eq!(refused(b"hornbook 2\n0 {}\n"), newer);
    assert_eq!(refused(b"p(1).\np(2).\n"), "memory is not a book of Hornbook.");
    assert_eq!(refused(b"p(1)."), "memory is not a book of Hornbook.");
    assert_eq!(refused(b"hornbook 0\n"), "memory is not a book of Hornbook.");
}

#[test]
fn an_empty_file_and_a_begun_header_become_a_journal() {
    for begun in ["", "horn", "hornbook 1"] {
        let (store, opened) = open_bytes(begun.as_bytes());
        assert!(opened.unwrap().book.is_empty());
        assert_eq!(store.text(), "hornbook 1\n");
    }
}

#[test]
fn a_book_that_can_only_be_read_is_read_and_left_alone() {
    let mut shelf = Shelf::new(&Limits::default());
    shelf.add(Operation::Assert, Origin::Inline, "a(1). b(2).", false);
    let whole = shelf.store.bytes.borrow().clone();
    for bytes in [&b""[..], &b"hornbook"[..], &whole[..], &whole[..whole.len() - 3]] {
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
            .append(1, &revision)
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
        let begin = "memory: line 2 makes no sense: ";
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
            "it removes entry 5, which is not there. Nothing was changed.",
        ),
        (
            change("[]", r#"[["f",1,2,0,6,"ü",1]]"#),
            "no line before it has source 2. Nothing was changed.",
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
            "it is revision 2, and follows revision 0. Nothing was changed.",
        ),
    ];
    for (json, expected) in cases {
        assert_eq!(refused(&json), expected);
    }
    assert!(refused("{}").contains("line 1 column 2"));
}
