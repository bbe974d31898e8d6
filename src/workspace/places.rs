//! Where code points of a text are, in bytes and in the UTF-16 units of editors.

use hornbook_engine::reply::{BadReply, Checked, Flaw};

/// Converts code points to bytes and to UTF-16 units: the byte and the unit of each code point, and of the
/// end.
pub(super) struct Places(Vec<(usize, usize)>);

impl Places {
    pub fn new(text: &str) -> Self {
        let mut unit = 0;
        let mut places: Vec<(usize, usize)> = Vec::with_capacity(text.len() + 1);
        for (byte, c) in text.char_indices() {
            places.push((byte, unit));
            unit += c.len_utf16();
        }
        places.push((text.len(), unit));
        Places(places)
    }

    /// Check that the problems are within the text.
    pub fn within(&self, checked: Checked) -> Result<Checked, BadReply> {
        let is_within = |flaw: &Flaw| self.has(flaw.start, flaw.end);
        match checked.problems.iter().all(is_within) {
            true => Ok(checked),
            false => Err(BadReply::new("it names a place outside of the text")),
        }
    }

    /// Whether the text has these code points.
    pub fn has(&self, start: usize, end: usize) -> bool {
        start <= end && end < self.0.len()
    }

    /// The UTF-16 unit of a code point that the text has.
    pub fn unit_of(&self, char: usize) -> usize {
        self.0[char].1
    }

    pub fn byte(&self, char: usize) -> usize {
        self.0[char.min(self.0.len() - 1)].0
    }

    pub fn byte_of(&self, unit: usize) -> usize {
        let found = self.0.partition_point(|(_, at)| *at < unit);
        self.byte(found)
    }

    pub fn unit(&self, byte: usize) -> usize {
        let found = self.0.partition_point(|(at, _)| *at < byte);
        self.0[found.min(self.0.len() - 1)].1
    }
}
