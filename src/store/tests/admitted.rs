//! Records that someone else made.

use super::*;
use hornbook_book::Author;

/// A writer, and one who admits its records: two shelves with the same contents.
struct Two {
    writer: Shelf,
    other: Shelf,
}

impl Two {
    fn new() -> Two {
        let limits = Limits::default();
        let mut writer = Shelf::new(&limits);
        writer.add(Operation::Assert, Origin::Inline, "a(1). b(2).", false);
        let other = Shelf::holding(&writer.store.bytes.borrow(), &limits);
        Two { writer, other }
    }

    /// Where the other's journal ends.
    fn end(&self) -> u64 {
        self.other.store.bytes.borrow().len() as u64
    }

    /// The line of a revision, as its writer writes it after what both have.
    fn line(&self, change: impl FnOnce(&mut Book) -> Delta, by: Option<Author>) -> Vec<u8> {
        let before = self.writer.store.bytes.borrow().clone();
        let delta = change(&mut self.writer.book.borrow_mut());
        let mut revision = self
            .writer
            .book
            .borrow()
            .plan(Operation::Assert, 9, delta)
            .expect("a change");
        revision.stamp.by = by;
        self.writer.append(&revision).expect("kept");
        self.writer.store.bytes.borrow()[before.len()..].to_vec()
    }

    /// The line of one more clause.
    fn clause(&self, by: Option<Author>) -> Vec<u8> {
        let draft = self.writer.draft(Origin::Inline, "c(3).", false);
        let add = |book: &mut Book| Delta {
            added: book.draft(draft, 7),
            ..Delta::default()
        };
        self.line(add, by)
    }

    /// The outcome for a line; checks that nothing is written unless it is admitted.
    fn admit(&self, at: u64, line: Vec<u8>) -> Result<Admitted, StoreFault> {
        let before = self.other.store.bytes.borrow().clone();
        let book = self.other.book.borrow().clone();
        let pace = Pace::unbroken();
        let admitted = self.other.journal.admit(at, line, &book, None, &pace);
        let admitted = admitted.now_or_never().expect("at once");
        if admitted != Ok(Admitted::Done) {
            assert_eq!(*self.other.store.bytes.borrow(), before);
        }
        admitted
    }

    fn refused(&self, line: Vec<u8>) -> String {
        match self.admit(self.end(), line) {
            Ok(Admitted::Refused(why)) => why,
            other => panic!("{other:?}"),
        }
    }
}

fn somebody() -> Option<Author> {
    Some(Author {
        connection: "3f0c2a91b7de".into(),
        client: None,
    })
}

/// The line with another text in its record, and with the checksum that this has after what comes before.
fn altered(line: &[u8], before: u32, from: &str, to: &str) -> Vec<u8> {
    let json = std::str::from_utf8(&line[9..line.len() - 1]).unwrap();
    assert!(json.contains(from), "{json}");
    let json = json.replace(from, to);
    let mut hasher = crc32fast::Hasher::new_with_initial(before);
    hasher.update(json.as_bytes());
    format!("{:08x} {json}\n", hasher.finalize()).into_bytes()
}

/// The checksum of the last record of a journal.
fn checksum(store: &MemoryStore) -> u32 {
    let text = store.text();
    u32::from_str_radix(&text.lines().last().unwrap()[..8], 16).unwrap()
}

#[test]
fn a_record_that_comes_next_is_written_as_it_is() {
    let two = Two::new();
    let line = two.clause(somebody());
    assert_eq!(two.admit(two.end(), line.clone()), Ok(Admitted::Done));
    assert!(two.other.store.bytes.borrow().ends_with(&line));
    let opened = open_bytes(&two.other.store.bytes.borrow()).1.unwrap();
    assert!(opened.notice.is_none());
    assert!(opened.book.snapshot().contains("c(3)."));
}

#[test]
fn one_that_was_made_to_follow_something_else_is_a_conflict() {
    let two = Two::new();
    let line = two.clause(somebody());
    for at in [0, 46, two.end() - 1, two.end() + 1] {
        assert_eq!(two.admit(at, line.clone()), Ok(Admitted::Conflict));
    }
}

#[test]
fn what_is_no_whole_line_with_its_checksum_is_refused() {
    let two = Two::new();
    let line = two.clause(somebody());
    let cut = line[..line.len() - 1].to_vec();
    let double = [&line[..], &line].concat();
    for wrong in [cut, double, Vec::new()] {
        assert_eq!(two.refused(wrong), "it is not one line");
    }
    let mut wrong = line.clone();
    *wrong.iter_mut().find(|byte| **byte == b'3').unwrap() ^= 1;
    assert_eq!(two.refused(wrong), "its checksum does not fit");
    assert_eq!(two.refused(b"\n".to_vec()), "its checksum does not fit");
    // With the checksum that it would have as the first record.
    let first = altered(&line, 0, "c(3).", "c(3).");
    assert_eq!(two.refused(first), "its checksum does not fit");
    assert_eq!(two.admit(two.end(), line), Ok(Admitted::Done));
}

#[test]
fn a_record_that_makes_no_sense_is_refused_though_its_checksum_fits() {
    let two = Two::new();
    let before = checksum(&two.other.store);
    let line = two.clause(somebody());
    let refused = |from: &str, to: &str| two.refused(altered(&line, before, from, to));
    assert_eq!(
        refused(r#""number":2,"operation""#, r#""number":4,"operation""#),
        "it is revision 4, but follows revision 1"
    );
    assert_eq!(
        refused(r#"["f",3,2"#, r#"["f",1,2"#),
        "it adds entry 1, which is there"
    );
    refused(r#""removed":[]"#, r#""removed":[[99,1]]"#);
    refused(r#"{"revision":"#, r#"{"book":"#);
    refused(r#""operation":"assert""#, r#""operation":"dance""#);
}

#[test]
fn a_record_of_nobody_is_refused() {
    let two = Two::new();
    assert_eq!(two.refused(two.clause(None)), "it does not say who did it");
}

#[test]
fn a_journal_that_can_only_be_read_admits_nothing() {
    let two = Two::new();
    let line = two.clause(somebody());
    two.other.store.read_only.replace(Some("it is only read".into()));
    let reader = open(&two.other.store, &Limits::default()).unwrap();
    let pace = Pace::unbroken();
    let admitted = reader.journal.admit(two.end(), line, &reader.book, None, &pace);
    let fault = admitted.now_or_never().expect("at once").unwrap_err();
    assert_eq!(fault, StoreFault::new("it is only read"));
}
