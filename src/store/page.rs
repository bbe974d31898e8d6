//! A line of a journal, written in slices and kept in pieces.

use std::io::Write;

use hornbook_base::Pace;
use serde::Serialize;

use super::record::Mark;

/// The approximate size of a piece, in bytes, which a store is given at once.
const PIECE: usize = 4 << 20;

/// How many bytes of a text are written at once.
const STRETCH: usize = 64 << 10;

/// A placeholder for the checksum before the JSON.
const HEAD: &[u8] = b"00000000 ";

/// A line being written: a checksum, JSON, and a line end.
pub struct Page<'a> {
    pieces: Vec<Vec<u8>>,
    /// The last piece, and how much of it is included in the checksum.
    piece: Vec<u8>,
    summed: usize,
    hasher: crc32fast::Hasher,
    pace: &'a Pace,
}

impl<'a> Page<'a> {
    /// A line that follows one with the checksum `before`.
    pub fn new(before: u32, pace: &'a Pace) -> Self {
        Page {
            pieces: Vec::new(),
            piece: HEAD.to_vec(),
            summed: HEAD.len(),
            hasher: crc32fast::Hasher::new_with_initial(before),
            pace,
        }
    }

    /// Write JSON text.
    pub fn raw(&mut self, json: &str) {
        self.piece.extend_from_slice(json.as_bytes());
    }

    /// Write a value of moderate size.
    pub fn value(&mut self, value: &impl Serialize) {
        serde_json::to_writer(&mut self.piece, value).expect("every part of a record is JSON");
    }

    /// Write the fields of an object of moderate size.
    pub fn fields(&mut self, object: &impl Serialize) {
        let whole = serde_json::to_string(object).expect("every part of a record is JSON");
        self.raw(&whole[1..whole.len() - 1]);
    }

    /// Write a list of any length.
    pub async fn list(&mut self, values: impl Iterator<Item = impl Serialize>) {
        self.raw("[");
        for (at, value) in values.enumerate() {
            if at > 0 {
                self.raw(",");
            }
            let before = self.piece.len();
            self.value(&value);
            let units = 1 + (self.piece.len() - before) / 64;
            self.rest_after(units).await;
        }
        self.raw("]");
    }

    /// Write a text of any length.
    pub async fn text(&mut self, text: &str) {
        self.raw("\"");
        let mut rest = text;
        while !rest.is_empty() {
            let mut end = STRETCH.min(rest.len());
            while !rest.is_char_boundary(end) {
                end -= 1;
            }
            let (stretch, others) = rest.split_at(end);
            rest = others;
            let start = self.piece.len();
            self.value(&stretch);
            // Remove its quotes.
            self.piece.pop();
            self.piece.remove(start);
            self.rest_after(stretch.len() / 64).await;
        }
        self.raw("\"");
    }

    /// Rest if it is time to.
    async fn rest_after(&mut self, units: usize) {
        if self.piece.len() >= PIECE {
            self.turn_over();
        }
        if self.pace.is_over(units) {
            self.pace.rest().await;
        }
    }

    fn turn_over(&mut self) {
        self.hasher.update(&self.piece[self.summed..]);
        self.pieces.push(std::mem::take(&mut self.piece));
        self.summed = 0;
    }

    /// The line in pieces, and its checksum.
    pub fn finish(mut self) -> (Vec<Vec<u8>>, u32) {
        self.turn_over();
        let checksum = self.hasher.finalize();
        let mut head = &mut self.pieces[0][..HEAD.len()];
        write!(head, "{checksum:08x}").expect("there is room");
        self.pieces.last_mut().expect("a piece").push(b'\n');
        (self.pieces, checksum)
    }

    /// Append the line to others that end at `mark`. Returns the mark at its end.
    pub async fn append_to(self, text: &mut Vec<u8>, mark: Mark) -> Mark {
        let pace = self.pace;
        let (pieces, checksum) = self.finish();
        let end = mark.followed_by(&pieces, checksum);
        for piece in pieces {
            text.extend_from_slice(&piece);
            if pace.is_over(piece.len() / 1024) {
                pace.rest().await;
            }
        }
        end
    }
}
