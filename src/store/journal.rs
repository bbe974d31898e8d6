//! The journal of a book in its store: opened, gone on with, written anew when it is long.

use std::cell::RefCell;
use std::rc::Rc;

use super::reader::Reader;
use super::record::{check_header, header, unseal};
use super::writer::{self, Numbers};
use super::{Store, StoreFault};
use hornbook_base::Limits;
use hornbook_book::{Book, Revision};

/// So many bytes are read at once.
const CHUNK: u64 = 4 << 20;

/// A journal is written anew when it is so many times as long as it then was.
const GROWTH: u64 = 4;

/// Goes on with a journal. Its operations must not overlap.
pub struct Journal {
    store: Rc<dyn Store>,
    read_only: Option<String>,
    state: RefCell<State>,
    history: usize,
    least: u64,
}

struct State {
    /// Bytes of the records that are durable.
    length: u64,
    /// Its length when it was last written anew.
    anew: u64,
    sources: Numbers,
}

/// A journal that was opened.
pub struct Opened {
    pub journal: Journal,
    pub book: Book,
    /// What had to be cut off, or why the book can only be read, a sentence for people.
    pub notice: Option<String>,
}

impl Journal {
    /// Take the store and read what is there. The fault is a sentence.
    pub async fn open(store: Rc<dyn Store>, limits: &Limits) -> Result<Opened, StoreFault> {
        let name = store.name();
        let of_store = |fault: StoreFault| StoreFault(format!("{name}: {fault}."));
        let size = store.open().await.map_err(of_store)?;
        let read_only = store.read_only();
        let mut lines = Lines::new(store.clone(), size);
        let mut reader = Reader::default();
        let (mut length, mut anew) = (0, 0);
        let mut notice = read_only.as_ref().map(|why| format!("{name}: {why}."));
        while let Some(line) = lines.next().await.map_err(of_store)? {
            match line.take(&mut reader) {
                Ok(whole) => {
                    length += line.bytes.len() as u64;
                    anew = if whole { length } else { anew };
                }
                Err(Broken::Torn) if line.last && line.was_appended(&reader) => {
                    if length > 0 && read_only.is_none() {
                        notice = Some(cut(&*store, length, line.bytes).await.map_err(of_store)?);
                    }
                    break;
                }
                Err(broken) => return Err(StoreFault(format!("{name}{}", broken.told(line.number)))),
            }
        }
        if reader.awaits_book() {
            let lines = lines.number;
            return Err(StoreFault(format!("{name}{}", Broken::Torn.told(lines + 1))));
        }
        if length == 0 && read_only.is_none() {
            let header = header().into_bytes();
            length = header.len() as u64;
            store.replace(header).await.map_err(of_store)?;
        }
        let sources = reader.numbers();
        let state = State {
            length,
            anew,
            sources,
        };
        let journal = Journal {
            store,
            read_only,
            state: RefCell::new(state),
            history: limits.history,
            least: limits.journal_bytes,
        };
        Ok(Opened {
            journal,
            book: reader.book,
            notice,
        })
    }

    /// Write the revision of this number; it resolves when that is durable. After a fault the journal is what it was, as far as the
    /// store can say.
    pub async fn append(&self, number: u64, revision: &Revision) -> Result<(), StoreFault> {
        if let Some(why) = &self.read_only {
            return Err(StoreFault(why.clone()));
        }
        let at = self.state.borrow().length;
        let (line, sources) = writer::line_of(number, revision, &self.state.borrow().sources);
        let length = line.len() as u64;
        if let Err(fault) = self.store.append(at, line.into_bytes()).await {
            // What was written of it goes; where that fails, too, it goes with the next operation.
            return Err(match self.store.append(at, Vec::new()).await {
                Ok(()) => fault,
                Err(_) => StoreFault(format!(
                    "{fault}; until that is mended, a restart may bring the operation back"
                )),
            });
        }
        let mut state = self.state.borrow_mut();
        state.length += length;
        state.sources.extend(sources);
        Ok(())
    }

    /// Write the journal anew where it is much longer than the book: the book as it is, and the last revisions.
    pub async fn compact(&self, book: &RefCell<Book>) {
        let length = self.state.borrow().length;
        let needed = self.state.borrow().anew.max(book.borrow().bytes() as u64);
        if length <= self.least.max(GROWTH * needed) {
            return;
        }
        let (text, sources) = writer::whole(&book.borrow(), self.history);
        let anew = text.len() as u64;
        let replaced = self.store.replace(text.into_bytes()).await;
        let mut state = self.state.borrow_mut();
        // A journal that cannot be written anew is gone on with, and tried again when it has grown as much.
        state.anew = length;
        if replaced.is_ok() {
            *state = State {
                length: anew,
                anew,
                sources,
            };
            book.borrow_mut().keep_last(self.history);
        }
    }
}

/// Cut off the end of a journal, and keep it beside.
async fn cut(store: &dyn Store, length: u64, end: Vec<u8>) -> Result<String, StoreFault> {
    let bytes = end.len();
    let kept = store.set_aside(end).await?;
    store.append(length, Vec::new()).await?;
    Ok(format!(
        "{} ended in the middle of a record, as after a crash: its last {bytes} bytes were cut off and are kept in \
         {kept}. Every operation that was answered is there.",
        store.name()
    ))
}

/// Why a line is no record.
enum Broken {
    /// It has no end, or not its checksum.
    Torn,
    NoJournal(String),
    Senseless(String),
}

impl Broken {
    /// What follows the name of the journal.
    fn told(self, line: usize) -> String {
        match self {
            Broken::Torn => format!(
                ": line {line} is damaged: its checksum does not fit, and it is not the end of what was written last. \
                 Nothing was changed; restore the file from a copy."
            ),
            Broken::NoJournal(why) => format!(" {why}."),
            Broken::Senseless(why) => format!(": line {line} makes no sense: {why}. Nothing was changed."),
        }
    }
}

struct Line {
    /// From 1.
    number: usize,
    /// With its end.
    bytes: Vec<u8>,
    last: bool,
}

impl Line {
    /// Whether, as far as it goes, it can be a record that was appended. The whole book and what is past before it
    /// never are: a crash does not tear them.
    fn was_appended(&self, reader: &Reader) -> bool {
        let json = self.bytes.get(9..).unwrap_or_default();
        let whole = json.starts_with(b"{\"book\"") || json.starts_with(b"{\"past\"");
        !whole && !reader.awaits_book()
    }

    /// Whether it was the whole book.
    fn take(&self, reader: &mut Reader) -> Result<bool, Broken> {
        let line = self.bytes.strip_suffix(b"\n");
        if self.number > 1 {
            let json = line.and_then(unseal).ok_or(Broken::Torn)?;
            return reader.take(json).map_err(Broken::Senseless);
        }
        match line {
            None if header().as_bytes().starts_with(&self.bytes) => Err(Broken::Torn),
            line => check_header(line.unwrap_or_default())
                .map(|()| false)
                .map_err(Broken::NoJournal),
        }
    }
}

/// The lines of a store, one after the other.
struct Lines {
    store: Rc<dyn Store>,
    size: u64,
    /// What was read, of which `taken` bytes are taken.
    buffer: Vec<u8>,
    taken: usize,
    /// Where the buffer ends in the store.
    read: u64,
    number: usize,
}

impl Lines {
    fn new(store: Rc<dyn Store>, size: u64) -> Self {
        Lines {
            store,
            size,
            buffer: Vec::new(),
            taken: 0,
            read: 0,
            number: 0,
        }
    }

    async fn next(&mut self) -> Result<Option<Line>, StoreFault> {
        let mut searched = self.taken;
        let end = loop {
            if let Some(at) = self.buffer[searched..].iter().position(|byte| *byte == b'\n') {
                break searched + at + 1;
            }
            if self.read == self.size {
                break self.buffer.len();
            }
            self.buffer.drain(..self.taken);
            self.taken = 0;
            searched = self.buffer.len();
            let chunk = self
                .store
                .read(self.read, CHUNK.min(self.size - self.read))
                .await?;
            if chunk.is_empty() {
                return Err(StoreFault("it became shorter while it was read".to_owned()));
            }
            self.read += chunk.len() as u64;
            self.buffer.extend(chunk);
        };
        if end == self.taken {
            return Ok(None);
        }
        let bytes = self.buffer[self.taken..end].to_vec();
        self.taken = end;
        self.number += 1;
        Ok(Some(Line {
            number: self.number,
            bytes,
            last: self.read == self.size && end == self.buffer.len(),
        }))
    }
}
