//! Every limit, in one place. What would pass a limit is refused with a clear fault; nothing is dropped to make room.

/// The limits of a workspace. Times are in milliseconds.
#[derive(Debug, Clone, PartialEq)]
pub struct Limits {
    /// Entries of the book: clauses and directives.
    pub entries: usize,
    /// Bytes of UTF-8 text that the book holds.
    pub bytes: usize,
    /// Bytes of one file, or of the texts of one `clauses` call.
    pub file_bytes: usize,
    /// How deep a text may nest (parentheses, brackets, braces, prefix operators, goals of a conjunction).
    /// The C stack of an engine does not survive more than about 2,000.
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
    /// Depth to which an answer is written.
    pub answer_depth: usize,
    /// Characters of one answer.
    pub answer_chars: usize,
    /// Characters of output that are kept, for one answer.
    pub output_chars: usize,
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
    /// When a standby engine is started, after the engine in use was ready.
    pub standby_after_ms: u64,
    /// Revisions that are kept when a journal is written anew.
    pub history: usize,
    /// A journal of at most so many bytes is not written anew.
    pub journal_bytes: u64,
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
            nesting: 1_000,
            query_chars: 100_000,
            query_id_chars: 100,
            open_queries: 32,
            ended_queries: 64,
            take: 1_000,
            answer_depth: 1_000,
            answer_chars: 100_000,
            output_chars: 100_000,
            longest_timeout_ms: 600_000,
            grace_ms: 150,
            progress_ms: 1_000,
            step_ms: 30_000,
            step_items: 2_000,
            load_bytes: 1 << 20,
            standby_after_ms: 2_000,
            history: 1_000,
            journal_bytes: 1 << 20,
            completions: 100,
            revisions: 1_000,
            traces: 100,
            diff_bytes: 100_000,
        }
    }
}

impl Limits {
    /// The time for an engine to read text of the book: a source is loaded whole, however long it is.
    pub fn load_ms(&self, bytes: usize) -> u64 {
        self.step_ms + bytes as u64 / 100
    }
}
