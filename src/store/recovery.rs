//! Reads what a store holds: whole records, and possibly a last one torn by a crash. Anything else is damage,
//! and is refused.

use std::rc::Rc;

use super::lines::{Line, Lines};
use super::reader::Reader;
use super::record::{FORMAT, Header, Mark, NoHeader, read_format, read_header, unseal};
use super::{Store, StoreFault};
use hornbook_base::Pace;

/// A journal that has been read.
pub struct Recovered {
    pub reader: Reader,
    /// Its first line; `None` if there is nothing yet.
    pub header: Option<Header>,
    /// The end of the whole records.
    pub end: Mark,
    /// The end of the record of the whole book.
    pub anew: u64,
    /// The remains of a record torn by a crash, after the whole ones.
    pub torn: Vec<u8>,
}

/// Who writes to a store while it is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Writers {
    /// Nobody: the mark says what must be there, and a crash may have torn the last record.
    None,
    /// Others, who move the mark on while this reader goes by the length it was given, which ends with a whole
    /// record. Whoever keeps the bytes has compared them with the mark.
    Others,
}

/// Read the first `size` bytes of a store, which are all of it unless others write to it. A fault is a sentence
/// that begins with the name of the store.
pub async fn recover(
    store: &Rc<dyn Store>,
    size: u64,
    writers: Writers,
    pace: &Pace,
) -> Result<Recovered, StoreFault> {
    let name = store.name();
    let of_store = |fault: StoreFault| StoreFault::new(format!("{name}: {fault}."));
    let mut lines = Lines::new(store.clone(), 0, size);
    let mut found = Recovered {
        reader: Reader::default(),
        header: None,
        end: Mark::EMPTY,
        anew: 0,
        torn: Vec::new(),
    };
    let Some(first) = lines.next().await.map_err(of_store)? else {
        return Ok(found);
    };
    let refused =
        |broken: Broken, line, format| StoreFault::new(format!("{name}{}", broken.message(line, format)));
    let header = first_line(&first, writers).map_err(|broken| refused(broken, 1, FORMAT))?;
    found.header = Some(header);
    found.end.length = first.bytes.len() as u64;
    while let Some(line) = lines.next().await.map_err(of_store)? {
        match found.take(&line, header, pace).await {
            Ok(()) => {}
            Err(Broken::Torn) if writers == Writers::None => found.torn = line.bytes,
            Err(broken) => return Err(refused(broken, line.number, header.format)),
        }
    }
    let missing = header
        .mark
        .map_or(0, |mark| mark.length.saturating_sub(found.end.length));
    if missing > 0 {
        return Err(refused(Broken::Short(missing), lines.number, header.format));
    }
    if found.reader.awaits_book() {
        return Err(refused(Broken::Damaged, lines.number + 1, header.format));
    }
    Ok(found)
}

/// The first line is written as a whole, so no crash can tear it.
fn first_line(line: &Line, writers: Writers) -> Result<Header, Broken> {
    let (text, whole) = match line.bytes.strip_suffix(b"\n") {
        Some(text) => (text, true),
        None => (&line.bytes[..], false),
    };
    let read = match writers {
        Writers::None => read_header(text),
        Writers::Others => read_format(text),
    };
    match read {
        Ok(header) if whole => Ok(header),
        Ok(_) | Err(NoHeader::Damaged) => Err(Broken::Damaged),
        Err(NoHeader::Other(why)) => Err(Broken::NoJournal(why)),
    }
}

impl Recovered {
    async fn take(&mut self, line: &Line, header: Header, pace: &Pace) -> Result<(), Broken> {
        let begin = self.end.length;
        let end = begin + line.bytes.len() as u64;
        let mark = header.mark.filter(|mark| begin < mark.length);
        let text = line.bytes.strip_suffix(b"\n");
        let unsealed = match text {
            Some(text) => unseal(text, header.seed(self.end.checksum), pace).await,
            None => None,
        };
        let Some((json, checksum)) = unsealed else {
            return Err(match line.last && mark.is_none() && self.was_appended(line) {
                true => Broken::Torn,
                false => Broken::Damaged,
            });
        };
        let end = Mark {
            length: end,
            checksum,
        };
        // A line must end at the mark, and be the one that was marked.
        if mark.is_some_and(|mark| mark.length <= end.length && mark != end) {
            return Err(Broken::Damaged);
        }
        if self.reader.take(json, pace).await.map_err(Broken::Senseless)? {
            self.anew = end.length;
        }
        self.end = end;
        Ok(())
    }

    /// Whether this could be the start of a record that was appended. The whole book, and the past revisions
    /// before it, are never appended: a crash does not tear them.
    fn was_appended(&self, line: &Line) -> bool {
        let json = line.bytes.get(9..).unwrap_or_default();
        let whole = json.starts_with(b"{\"book\"") || json.starts_with(b"{\"past\"");
        !whole && !self.reader.awaits_book()
    }
}

/// What is wrong with a line.
enum Broken {
    /// What a crash leaves of a record that was not acknowledged.
    Torn,
    /// Not what was written.
    Damaged,
    /// This many acknowledged bytes are missing after it.
    Short(u64),
    NoJournal(String),
    Senseless(String),
}

impl Broken {
    /// What follows the name of the journal in the message, for this line of a journal in this format.
    fn message(self, line: usize, format: u32) -> String {
        // A first line without a mark is only for those who repair a journal.
        let bare = format!("make the first line `hornbook {format}`");
        match self {
            Broken::Torn | Broken::Damaged if line == 1 => format!(
                ": line 1 is damaged. Nothing was changed. Restore the file from a copy; or, to continue with what the \
                 other lines hold, keep a copy and {bare}."
            ),
            Broken::Torn | Broken::Damaged => format!(
                ": line {line} is damaged, and holds acknowledged data. Nothing was changed. Restore the file from a \
                 copy; or, to continue with what comes before, keep a copy, delete line {line} and all after it, and {bare}."
            ),
            Broken::Short(missing) => format!(
                " was cut short: {missing} acknowledged bytes after line {line} are missing. Nothing was \
                 changed. Restore the file from a copy; or, to continue with what is there, keep a copy and {bare}."
            ),
            Broken::NoJournal(why) => format!(" {why}."),
            Broken::Senseless(why) => format!(": line {line} is invalid: {why}. Nothing was changed."),
        }
    }
}
