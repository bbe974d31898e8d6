//! A store as lines.

use std::rc::Rc;

use super::{Store, StoreFault};

/// How many bytes are read at once.
const CHUNK: u64 = 4 << 20;

/// A line of a store.
pub struct Line {
    /// From 1.
    pub number: usize,
    /// Including the line end.
    pub bytes: Vec<u8>,
    /// Whether nothing follows it.
    pub last: bool,
}

/// Reads the lines of a store in order.
pub struct Lines {
    store: Rc<dyn Store>,
    size: u64,
    /// Bytes that were read, the first `taken` of which have been returned.
    buffer: Vec<u8>,
    taken: usize,
    /// Where the buffer ends in the store.
    read: u64,
    /// The number of the last line returned.
    pub number: usize,
}

impl Lines {
    /// The lines from the byte `from`, where one begins, to `size`.
    pub fn new(store: Rc<dyn Store>, from: u64, size: u64) -> Self {
        Lines {
            store,
            size,
            buffer: Vec::new(),
            taken: 0,
            read: from,
            number: 0,
        }
    }

    pub async fn next(&mut self) -> Result<Option<Line>, StoreFault> {
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
                return Err(StoreFault::new("it was truncated while being read"));
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
