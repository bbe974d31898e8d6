//! Savepoints: names for the book as it was, to which an undo goes back. Each is a mark in the history that changes nothing
//! and that no undo takes along.

use std::collections::BTreeSet;

use super::Workspace;
use super::keeping::Kept;
use super::types::*;
use hornbook_base::{Control, Fault, FaultKind};
use hornbook_book::{Book, Delta, Operation, Revision, original};

/// The most characters of a name.
const NAME_CHARS: usize = 100;

impl Workspace {
    /// Give the book as it is now a name. One of the same name moves here.
    pub async fn savepoint(&self, name: &str, control: &Control) -> Result<Savepoint, Fault> {
        let is_shown = |c: char| !c.is_control() && !turns_text(c);
        if !name.chars().any(is_seen) || name.chars().count() > NAME_CHARS || !name.chars().all(is_shown) {
            let message = format!(
                "The name of a savepoint has 1 to {NAME_CHARS} characters on one line. At least one can be seen, and none turns the direction of text."
            );
            return Err(Fault::new(FaultKind::InvalidArgument, message));
        }
        self.check_has_savepoints()?;
        let turn = self.0.wait(control).await?;
        loop {
            let (revision, moved_from) = {
                let book = self.0.book.borrow();
                (book.revision() + 1, book.savepoints().get(name).copied())
            };
            let mark = Operation::mark(name.to_owned());
            match turn.record_once(mark, Delta::default()).await? {
                Some(Kept::Conflict(..)) => turn.catch_up().await,
                _ => {
                    return Ok(Savepoint { revision, moved_from });
                }
            }
        }
    }

    /// Undo what was done since a savepoint, which stays. `from` is as for [`Workspace::undo`].
    pub async fn undo_to(
        &self,
        savepoint: &str,
        whose: Whose,
        from: Option<u64>,
        control: &Control,
    ) -> Result<Reversal, Fault> {
        self.check_has_savepoints()?;
        // What other processes have done is in the book then.
        drop(self.0.wait(control).await?);
        let had = had_at(&self.0.book.borrow(), savepoint)?;
        let is_later = |number: u64, revision: &Revision| !had.contains(&original(number, revision));
        let later = {
            let own = self.0.of(whose);
            move |number: u64, revision: &Revision| is_later(number, revision) && own(number, revision)
        };
        let undone = self.0.undo_those(usize::MAX, from, whose, &later, control).await;
        let book = self.0.book.borrow();
        let own = self.0.of(whose);
        let of_others = |number, revision: &Revision| is_later(number, revision) && !own(number, revision);
        let (others, _) = book.reversible(of_others);
        let missing = had.difference(&book.done_at(book.revision())).count();
        let mut next = Vec::new();
        if others > 0 {
            next.push("Other processes changed the book since the savepoint, too: `all: true` covers what they did.".to_owned());
        }
        if missing > 0 {
            let count = match missing {
                1 => "1 operation that the savepoint has is".to_owned(),
                _ => format!("{missing} operations that the savepoint has are"),
            };
            next.push(format!(
                "{count} undone: only `redo` brings back what was undone."
            ));
        }
        match undone {
            Ok(mut reversal) => {
                reversal.notices.extend(next.into_iter().map(Notice));
                Ok(reversal)
            }
            Err(fault) if fault.kind == FaultKind::NothingToUndo => {
                let message = format!("There is nothing to undo since the savepoint '{savepoint}'.");
                Err(Fault::new(fault.kind, message).with_next(next.join(" ")))
            }
            Err(fault) => Err(fault),
        }
    }

    /// A change is one step of the book, and so is what is accepted of a draft.
    fn check_has_savepoints(&self) -> Result<(), Fault> {
        if self.0.shelf.upstream.is_none() {
            return Ok(());
        }
        let message = "A draft, or a change as one, has no savepoints; nothing was done.";
        let fault = Fault::new(FaultKind::InvalidArgument, message);
        Err(fault.with_next("Use savepoints of the book itself, and `undo` with a number of steps here."))
    }
}

/// The operations that the book had at this savepoint.
fn had_at(book: &Book, name: &str) -> Result<BTreeSet<u64>, Fault> {
    let savepoints = book.savepoints();
    if let Some(number) = savepoints.get(name) {
        return Ok(book.done_at(*number));
    }
    let kept = match book.forgotten() {
        0 => String::new(),
        forgotten => format!(" The history is kept from revision {} on.", forgotten + 1),
    };
    let message = format!("There is no savepoint '{name}'; nothing was undone.{kept}");
    let known: Vec<&str> = savepoints.into_keys().take(20).collect();
    let next = match known.is_empty() {
        true => "There are none: `savepoint` makes one.".to_owned(),
        false => format!("There are: {}.", known.join(", ")),
    };
    Err(Fault::new(FaultKind::NoSuchRevision, message).with_next(next))
}

/// Whether a character can be seen: a name of other characters alone could not be told from another.
fn is_seen(c: char) -> bool {
    // Those that Unicode has rendered as nothing (`Default_Ignorable_Code_Point`), and a Braille cell without dots.
    let is_blank = matches!(
        c,
        '\u{ad}'
            | '\u{34f}'
            | '\u{61c}'
            | '\u{115f}'..='\u{1160}'
            | '\u{17b4}'..='\u{17b5}'
            | '\u{180b}'..='\u{180f}'
            | '\u{200b}'..='\u{200f}'
            | '\u{202a}'..='\u{202e}'
            | '\u{2060}'..='\u{206f}'
            | '\u{2800}'
            | '\u{3164}'
            | '\u{fe00}'..='\u{fe0f}'
            | '\u{feff}'
            | '\u{ffa0}'
            | '\u{fff0}'..='\u{fff8}'
            | '\u{1bca0}'..='\u{1bca3}'
            | '\u{1d173}'..='\u{1d17a}'
            | '\u{e0000}'..='\u{e0fff}'
    );
    !c.is_whitespace() && !is_blank
}

/// Whether a character turns the direction of the text around it, so that a name could look like another text.
fn turns_text(c: char) -> bool {
    matches!(c, '\u{200e}' | '\u{200f}' | '\u{061c}' | '\u{2028}'..='\u{202e}' | '\u{2066}'..='\u{2069}')
}
