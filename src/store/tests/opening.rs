//! A store that others write to while it is opened.

use super::*;
use crate::memory::{Meanwhile, SeatStore, SharedMemory};

/// The contents of a journal after each of its records.
fn contents(texts: &[&str]) -> Vec<Vec<u8>> {
    let mut shelf = Shelf::new(&Limits::default());
    let contents = texts.iter().map(|text| {
        shelf.add(Operation::Assert, Origin::Inline, text, false);
        shelf.store.bytes.borrow().clone()
    });
    contents.collect()
}

/// What somebody reads who opens the store, which holds `before`, besides its keeper. Others change it
/// meanwhile.
fn opened(before: &[u8], meanwhile: Meanwhile) -> Result<String, String> {
    let log = Rc::<SharedMemory>::default();
    let _keeper = log.seat();
    let _ = Store::replace(&SeatStore(log.seat()), before.to_vec()).now_or_never();
    log.meanwhile.replace(Some(meanwhile));
    let store = Rc::new(SeatStore(log.seat()));
    let opened = Journal::open(store, &Limits::default(), &Pace::unbroken()).now_or_never();
    let opened = opened.expect("at once").map_err(|fault| fault.to_string())?;
    Ok(opened.book.snapshot())
}

#[test]
fn a_mark_that_moves_on_while_a_store_is_opened_is_no_damage() {
    let [first, second] = &contents(&["a(1).", "b(2)."])[..] else {
        unreachable!()
    };
    assert_eq!(
        opened(first, Meanwhile::Written(second.clone())),
        Ok("a(1).".into())
    );
}

#[test]
fn a_first_line_that_is_read_while_it_is_overwritten_is_no_damage() {
    let [first, second] = &contents(&["a(1).", "b(2)."])[..] else {
        unreachable!()
    };
    let mut half = second.clone();
    half[..20].copy_from_slice(&first[..20]);
    assert_eq!(opened(first, Meanwhile::Written(half)), Ok("a(1).".into()));
}

#[test]
fn what_was_told_to_be_there_must_be_there() {
    let [first, second] = &contents(&["a(1).", "b(2)."])[..] else {
        unreachable!()
    };
    let cut = second[..second.len() - 3].to_vec();
    let fault = opened(second, Meanwhile::Written(cut)).unwrap_err();
    assert!(fault.contains("was truncated"), "{fault}");
    let mut changed = second.clone();
    *changed.last_mut().unwrap() = b' ';
    let fault = opened(second, Meanwhile::Written(changed)).unwrap_err();
    assert!(fault.contains("line 3 is damaged"), "{fault}");
    assert!(first.len() < second.len());
}

#[test]
fn a_journal_that_is_rewritten_while_it_is_opened_is_opened_again() {
    let [first, second] = &contents(&["a(1).", "b(2)."])[..] else {
        unreachable!()
    };
    let rewritten = Meanwhile::Rewritten(second.clone());
    assert_eq!(opened(first, rewritten), Ok("a(1).\nb(2).".into()));
}

/// What a follower of the book in `before` hears once others have put `after` in its place.
fn news_of(before: &[u8], after: &[u8]) -> Result<usize, String> {
    let log = Rc::<SharedMemory>::default();
    let keeper = log.seat();
    let _ = Store::replace(&SeatStore(keeper.clone()), before.to_vec()).now_or_never();
    let store = Rc::new(SeatStore(log.seat()));
    let opened = Journal::open(store, &Limits::default(), &Pace::unbroken()).now_or_never();
    let opened = opened.expect("at once").expect("opened");
    let _ = Shared::replace(&*keeper, before.len() as u64, after.to_vec()).now_or_never();
    let mut news = Vec::new();
    let pace = Pace::unbroken();
    let heard = opened.journal.news(&opened.book, &mut news, &pace).now_or_never();
    heard.expect("at once").map_err(|fault| fault.to_string())?;
    Ok(news.len())
}

#[test]
fn another_book_in_the_place_of_a_followed_one_is_not_followed() {
    let known = contents(&["a(1).", "b(2)."]);
    let mut other = Shelf::new(&Limits::default());
    let mut others = Vec::new();
    for number in 0..3 {
        other.add(Operation::Assert, Origin::Inline, &format!("c({number})."), false);
        others.push(other.store.bytes.borrow().clone());
    }
    for after in &others {
        let fault = news_of(&known[1], after).unwrap_err();
        assert!(fault.contains("another book"), "{fault}");
    }
    let fault = news_of(&known[1], &known[0]).unwrap_err();
    assert!(fault.contains("another book"), "an earlier one: {fault}");
    assert_eq!(news_of(&known[0], &known[1]), Ok(1));
}
