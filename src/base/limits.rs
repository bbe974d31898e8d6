//! Every limit, in one place. What would pass a limit is refused with a clear fault; nothing is dropped to make room.

/// The limits of a workspace. Times are in milliseconds, sizes in bytes or in characters as their names say.
#[derive(Debug, Clone, PartialEq)]
pub struct Limits {
    /// Entries of the book: clauses and directives.
    pub entries: usize,
    /// Bytes of UTF-8 text that the book holds.
    pub bytes: usize,
    /// Bytes of one file, or of the texts of one `clauses` call.
    pub file_bytes: usize,
    /// Bytes of one message of a client, a line of JSON on standard input.
    pub line_bytes: usize,
    /// Calls of one client that run at the same time; others wait.
    pub running_calls: usize,
    /// Bytes of the messages of calls that wait, with which no more is read from their client.
    pub waiting_bytes: usize,
    /// How deep a text may nest (parentheses, brackets, braces, prefix operators, goals of a conjunction).
    /// The C stack of an engine does not survive more than about 2,000 everywhere.
    pub nesting: usize,
    /// Characters of one query.
    pub query_chars: usize,
    /// Characters of an id that a client gives to a query.
    pub query_id_chars: usize,
    /// Queries that are open at the same time.
    pub open_queries: usize,
    /// Queries that have ended and are still known by their id.
    pub ended_queries: usize,
    /// Answers of one call.
    pub take: usize,
    /// Depth to which an answer is written as text; a goal cannot write or store a deeper term.
    pub answer_depth: usize,
    /// Depth to which an answer is given as JSON, for parsers that bear no more than 128 levels of arrays and objects.
    pub json_depth: usize,
    /// Characters of one answer.
    pub answer_chars: usize,
    /// Characters of output that are kept, for one answer.
    pub output_chars: usize,
    /// Inferences of one call of a query, counted by the hundred thousand.
    pub inferences: u64,
    /// Bytes of Prolog's stacks, for each query.
    pub stack_bytes: usize,
    /// Bytes of the tables of all tabled predicates.
    pub table_bytes: usize,
    /// Bytes of one integer.
    pub integer_bytes: usize,
    /// The longest time that a client may ask for one call of a query.
    pub longest_timeout_ms: u64,
    /// How long after its own limit an engine may still answer, before it is ended.
    pub grace_ms: u64,
    /// How often a query that runs tells for how long it has.
    pub progress_ms: u64,
    /// The time for a request that has no limit inside the engine: its start, a step of a long addition, a removal.
    pub step_ms: u64,
    /// Clauses that one step of a long addition reads.
    pub step_items: usize,
    /// Bytes of text that are sent at once when an engine is built from the book; more for a longer source.
    pub load_bytes: usize,
    /// When a standby engine is started after the first engine was ready, and brought up to date after a change.
    pub standby_after_ms: u64,
    /// Revisions that are kept when a journal is written anew.
    pub history: usize,
    /// A journal of at most so many bytes is not written anew.
    pub journal_bytes: u64,
    /// Bytes of a book that the standby engine holds too; a larger one is loaded when the engine is needed.
    pub standby_bytes: usize,
    /// Bytes of memory with which an engine without open queries is replaced; an engine's memory never shrinks.
    pub idle_engine_bytes: usize,
    /// Names that a completion gives.
    pub completions: usize,
    /// Revisions that one `history`, `undo` or `redo` tells.
    pub revisions: usize,
    /// Clauses that one `provenance` tells.
    pub traces: usize,
    /// Bytes of a `diff`.
    pub diff_bytes: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Limits {
            entries: 1_000_000,
            bytes: 256 << 20,
            file_bytes: 64 << 20,
            line_bytes: 128 << 20,
            running_calls: 32,
            waiting_bytes: 1 << 20,
            nesting: 1_000,
            query_chars: 100_000,
            query_id_chars: 100,
            open_queries: 32,
            ended_queries: 64,
            take: 1_000,
            answer_depth: 1_000,
            json_depth: 50,
            answer_chars: 100_000,
            output_chars: 100_000,
            inferences: 10_000_000_000,
            stack_bytes: 128 << 20,
            table_bytes: 256 << 20,
            integer_bytes: 1 << 20,
            longest_timeout_ms: 600_000,
            grace_ms: 150,
            progress_ms: 1_000,
            step_ms: 30_000,
            step_items: 2_000,
            load_bytes: 1 << 20,
            standby_after_ms: 2_000,
            history: 1_000,
            journal_bytes: 1 << 20,
            standby_bytes: 1 << 20,
            idle_engine_bytes: 512 << 20,
            completions: 100,
            revisions: 1_000,
            traces: 100,
            diff_bytes: 100_000,
        }
    }
}

macro_rules! named {
    ($($name:ident),*) => {
        impl Limits {
            /// The limits that users may set, by their names.
            pub const SETTABLE: &[&str] = &[$(stringify!($name)),*];

            /// Set one of [`Limits::SETTABLE`]; false when there is none of this name.
            pub fn set(&mut self, name: &str, value: u64) -> bool {
                match name {
                    $(stringify!($name) => self.$name = value.try_into().unwrap_or(!0),)*
                    _ => return false,
                }
                true
            }
        }
    };
}

named!(
    entries,
    bytes,
    file_bytes,
    line_bytes,
    nesting,
    query_chars,
    open_queries,
    take,
    answer_depth,
    json_depth,
    answer_chars,
    output_chars,
    inferences,
    stack_bytes,
    table_bytes,
    integer_bytes,
    longest_timeout_ms
);

impl Limits {
    /// The time for an engine to read text of the book: a source is loaded whole, however long it is.
    pub fn load_ms(&self, bytes: usize) -> u64 {
        self.step_ms + bytes as u64 / 100
    }

    /// The limits that an engine keeps itself, under the names that it uses (`prolog/limits.pl`).
    pub fn of_the_engine(&self) -> [(&'static str, u64); 10] {
        [
            ("nesting", self.nesting as u64),
            ("answer_depth", self.answer_depth as u64),
            ("json_depth", self.json_depth as u64),
            ("answer_chars", self.answer_chars as u64),
            ("output_chars", self.output_chars as u64),
            ("inferences", self.inferences),
            ("stack_bytes", self.stack_bytes as u64),
            ("table_bytes", self.table_bytes as u64),
            ("integer_bytes", self.integer_bytes as u64),
            ("entries", self.entries as u64),
        ]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_limit_is_set_by_its_name() {
        let mut limits = Limits::default();
        assert!(limits.set("take", 7));
        assert_eq!(limits.take, 7);
        assert!(!limits.set("grace_ms", 7));
        assert!(Limits::SETTABLE.contains(&"stack_bytes"));
    }
}
