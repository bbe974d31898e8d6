//! The text of the facts.

use hornbook_base::Fault;

use super::known;
use super::rows::{Reading, too_large};
use super::value::push_atom;

/// The text of the facts, each in the line that its row has in the file.
pub struct Facts<'a> {
    reading: &'a Reading<'a>,
    pub text: String,
    head: String,
    line: usize,
    columns: usize,
    pub rows: usize,
}

impl<'a> Facts<'a> {
    pub fn new(reading: &'a Reading<'a>, names: &[String]) -> Facts<'a> {
        let mut head = String::new();
        push_atom(&mut head, &reading.name);
        // To grow it would copy it.
        let mut text = String::with_capacity(reading.text.len() / 2 * 3);
        text.push_str(&known::comment(reading, names));
        Facts {
            reading,
            text,
            head,
            line: 1,
            columns: names.len(),
            rows: 0,
        }
    }

    /// Begin a fact in this line, or in the next if there is one in it. `suffix` is that of the predicate.
    pub fn begin(&mut self, line: usize, suffix: &str) {
        match line.checked_sub(self.line) {
            None | Some(0) if self.rows == 0 => self.text.push(' '),
            None | Some(0) => {
                self.text.push('\n');
                self.line += 1;
            }
            Some(lines) => {
                self.text.extend(std::iter::repeat_n('\n', lines));
                self.line = line;
            }
        }
        self.rows += 1;
        match (suffix, self.head.strip_suffix('\'')) {
            ("", _) => self.text.push_str(&self.head),
            (suffix, Some(quoted)) => {
                self.text.push_str(quoted);
                self.text.push_str(suffix);
                self.text.push('\'');
            }
            (suffix, None) => {
                self.text.push_str(&self.head);
                self.text.push_str(suffix);
            }
        }
        self.text.push('(');
    }

    /// End the fact.
    pub fn end(&mut self) -> Result<(), Fault> {
        self.text.push_str(").");
        if self.text.len() <= self.reading.most.bytes {
            return Ok(());
        }
        Err(too_large(self.reading.filename, self.reading.most))
    }

    /// Without facts the predicate is declared, so that a call of it fails.
    pub fn finish(mut self) -> String {
        if self.rows == 0 {
            let (head, columns) = (&self.head, self.columns);
            self.text.push_str(&format!(" :- dynamic({head}/{columns})."));
        }
        self.text.push('\n');
        self.text.shrink_to_fit();
        self.text
    }
}
