//! Savepoints: names for revisions, to which an undo goes back. Each is a cell with the number of its own revision, so it
//! is in the history, is undone with what was done before it, and is shared as everything is.

use hornbook_base::{Control, Fault, FaultKind};
use hornbook_book::SAVEPOINTS;

use super::{CellEdit, Workspace};

/// The most characters of a name.
const NAME_CHARS: usize = 100;

impl Workspace {
    /// Give the book as it is now a name. One of the same name moves here. Returns the number of the revision.
    pub async fn savepoint(&self, name: &str, control: &Control) -> Result<u64, Fault> {
        if name.trim().is_empty() || name.chars().count() > NAME_CHARS {
            let message = format!("The name of a savepoint has 1 to {NAME_CHARS} characters.");
            return Err(Fault::new(FaultKind::InvalidArgument, message));
        }
        let plan = || {
            let number = self.0.book.borrow().revision() + 1;
            let edit = CellEdit {
                action: name.to_owned(),
                cells: vec![(name.to_owned(), Some(number.to_string()))],
            };
            (edit, number)
        };
        let (number, _) = self.edit_cells(SAVEPOINTS, control, plan).await?;
        Ok(number)
    }

    /// The number of the revision of this savepoint.
    pub(super) fn savepoint_at(&self, name: &str) -> Result<u64, Fault> {
        if let Some(number) = self.cell(SAVEPOINTS, name).and_then(|number| number.parse().ok()) {
            return Ok(number);
        }
        let known: Vec<String> = self.cells(SAVEPOINTS).into_iter().map(|(name, _)| name).collect();
        let next = match known.is_empty() {
            true => "There are none: `savepoint` makes one.".to_owned(),
            false => format!("There are: {}.", known[..known.len().min(20)].join(", ")),
        };
        let message = format!("There is no savepoint '{name}'; nothing was undone.");
        Err(Fault::new(FaultKind::NoSuchRevision, message).with_next(next))
    }
}
