//! Every limit, in one place. Anything beyond a limit is refused with a clear fault; nothing is dropped to
//! make room.
//!
//! The table below is the only list of limits: from it, `cargo run -p hornbook-generate` makes the tables of
//! `docs/limits.md`, the TypeScript type of `limits`, and the defaults of an engine that has not booted.

/// One limit, as documented for users.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Limit {
    pub name: &'static str,
    pub unit: Unit,
    pub default: u64,
    /// What it bounds, in a sentence or two.
    pub doc: &'static str,
    /// Whether users may set it.
    pub settable: bool,
    /// Whether the engine itself enforces it, under this name.
    pub engine: bool,
}

/// What a limit counts.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Unit {
    /// The description says of what.
    Count,
    Bytes,
    Chars,
    /// Milliseconds.
    Ms,
    /// Levels of nesting.
    Levels,
}

/// The table of limits. The engine itself enforces those marked `engine`.
macro_rules! limits {
    (
        settable { $($(#[doc = $doc:literal])+ $name:ident: $type:ty = $unit:ident($default:expr) $(, $engine:ident)?;)* }
        fixed { $($(#[doc = $fdoc:literal])+ $fname:ident: $ftype:ty = $funit:ident($fdefault:expr);)* }
    ) => {
        /// The limits on a workspace, a program or a workflow.
        #[derive(Debug, Clone, PartialEq)]
        pub struct Limits {
            $($(#[doc = $doc])+ pub $name: $type,)*
            $($(#[doc = $fdoc])+ pub $fname: $ftype,)*
        }

        impl Limits {
            pub const DEFAULT: Limits = Limits { $($name: $default,)* $($fname: $fdefault,)* };

            /// All limits, those that users may set first.
            pub const ALL: &[Limit] = &[
                $(Limit {
                    name: stringify!($name),
                    unit: Unit::$unit,
                    default: Limits::DEFAULT.$name as u64,
                    doc: concat!($($doc),+).trim_ascii(),
                    settable: true,
                    engine: !matches!(stringify!($($engine)?).as_bytes(), []),
                },)*
                $(Limit {
                    name: stringify!($fname),
                    unit: Unit::$funit,
                    default: Limits::DEFAULT.$fname as u64,
                    doc: concat!($($fdoc),+).trim_ascii(),
                    settable: false,
                    engine: false,
                },)*
            ];

            /// The names of the limits that users may set.
            pub const SETTABLE: &[&str] = &[$(stringify!($name)),*];

            /// Set one of [`Limits::SETTABLE`]; false if there is none with this name.
            pub fn set(&mut self, name: &str, value: u64) -> bool {
                match name {
                    $(stringify!($name) => self.$name = value.try_into().unwrap_or(!0),)*
                    _ => return false,
                }
                true
            }

            /// The limits that an engine itself enforces, under the names it uses (`prolog/limits.pl`).
            pub fn of_the_engine(&self) -> impl Iterator<Item = (&'static str, u64)> {
                let all = [$((stringify!($name), stringify!($($engine)?), self.$name as u64)),*];
                all.into_iter()
                    .filter(|(_, engine, _)| !engine.is_empty())
                    .map(|(name, _, value)| (name, value))
            }
        }
    };
}

limits! {
    settable {
        /// Clauses and directives in the book.
        entries: usize = Count(1_000_000), engine;
        /// Text in the book.
        bytes: usize = Bytes(256 << 20);
        /// One file, or all texts of one call.
        file_bytes: usize = Bytes(64 << 20);
        /// One message from a client: a line on standard input.
        line_bytes: usize = Bytes(128 << 20);
        /// Nesting of a text: brackets, prefix operators, goals of a conjunction. The engine's C stack overflows at
        /// about 2,000.
        nesting: usize = Levels(1_000), engine;
        /// Digits of a number in a text: the engine takes quadratic time to read one. `integer_bytes` bounds those that
        /// are computed.
        numeral_digits: usize = Count(10_000), engine;
        /// The text of one query.
        query_chars: usize = Chars(100_000);
        /// The values that a program puts into one query with the tag `prolog`. They do not count towards
        /// `query_chars`.
        value_chars: usize = Chars(10_000_000);
        /// Queries open at the same time. One more closes the query that was idle longest, with a notice.
        open_queries: usize = Count(32);
        /// Upper bound on tokens in a reply's text, and again in its structured content.
        reply_tokens: usize = Count(10_000);
        /// Answers per call.
        take: usize = Count(1_000);
        /// Nesting of an answer as text, which is cut below it, and of a term that a goal writes or stores.
        answer_depth: usize = Levels(1_000), engine;
        /// Nesting of an answer as JSON; deeper values become `{"cut": true}`. A level is up to two JSON levels, and
        /// many parsers stop at 128.
        json_depth: usize = Levels(50), engine;
        /// The text of one answer.
        answer_chars: usize = Chars(100_000), engine;
        /// What is written while one answer is found.
        output_chars: usize = Chars(100_000), engine;
        /// Inferences per call of a query, counted in steps of 100,000.
        inferences: u64 = Count(10_000_000_000), engine;
        /// Prolog's stacks, per query.
        stack_bytes: usize = Bytes(128 << 20), engine;
        /// Prolog's stacks of a DML program, which may recurse as deeply as in plain Prolog, or of a node's code.
        run_stack_bytes: usize = Bytes(512 << 20);
        /// The tables of all tabled predicates together.
        table_bytes: usize = Bytes(256 << 20), engine;
        /// One integer.
        integer_bytes: usize = Bytes(1 << 20), engine;
        /// The longest time limit that a client may ask for in one call. Without asking it gets that of `--timeout`,
        /// 30,000 ms.
        longest_timeout_ms: u64 = Ms(600_000);
        /// DML programs running at the same time, each in its own engine.
        open_runs: usize = Count(64);
        /// One run of a DML program, not counting the user's time. Over MCP also the most that a client may ask for.
        run_ms: u64 = Ms(600_000);
        /// What a DML program may compute between two requests to its host.
        run_step_ms: u64 = Ms(60_000);
        /// Goals of `concurrent_maplist/2` and `first_solution/3` of a DML program that run at the same time. Others
        /// wait.
        concurrent_goals: usize = Count(16);
        /// Turns of the model in one task of a DML program.
        task_turns: usize = Count(50);
        /// Tokens in one turn of an MCP client's model.
        turn_tokens: u64 = Count(8_192);
        /// Time for an MCP client's user to answer a DML program, a workflow or a query.
        user_ms: u64 = Ms(600_000);
        /// Time for the user to answer a query once another request waits for its engine or the book.
        awaited_user_ms: u64 = Ms(30_000);
        /// The output of a DML program in the reply of `dml_run`, and its log likewise. The rest is left out.
        run_output_chars: usize = Chars(20_000);
        /// Memory of an engine that reads linked files: one for each source, and for sources that are read together.
        data_memory_bytes: usize = Bytes(512 << 20);
        /// What that engine may write to a temporary folder when it runs out of memory.
        data_spill_bytes: usize = Bytes(1 << 30);
        /// Threads of that engine.
        data_threads: usize = Count(2);
        /// Rows of linked data that the engine gets at once, as JSON, and so a single row.
        data_batch_bytes: usize = Bytes(4 << 20);
        /// One answer of a relation of the host, as JSON.
        data_answer_bytes: usize = Bytes(1 << 20);
        /// Tuples derived for one goal of a predicate evaluated as a set.
        set_tuples: u64 = Count(10_000_000);
        /// Rounds of such an evaluation.
        set_rounds: u64 = Count(100_000);
    }
    fixed {
        /// Calls of one client that run at the same time. Others wait.
        running_calls: usize = Count(32);
        /// Queued bytes at which reading from a client pauses.
        waiting_bytes: usize = Bytes(1 << 20);
        /// Calls waiting for a client to return with what it was asked for. One more drops the oldest.
        waiting_calls: usize = Count(32);
        /// A query id chosen by a client.
        query_id_chars: usize = Chars(100);
        /// Ended queries whose ids are still known.
        ended_queries: usize = Count(64);
        /// How long past its own time limit an engine may still answer a query before it is terminated.
        grace_ms: u64 = Ms(500);
        /// How long past its own time limit an engine may still answer a DML program's host before it is terminated.
        run_grace_ms: u64 = Ms(1_000);
        /// Progress interval of a running query.
        progress_ms: u64 = Ms(1_000);
        /// A request that runs none of the user's goals: starting an engine, a step of a long addition, a removal,
        /// checking a DML program.
        step_ms: u64 = Ms(30_000);
        /// Clauses read in one step of a long addition.
        step_items: usize = Count(2_000);
        /// Text sent in one piece when an engine is built from the book. Longer sources are split between clauses.
        load_bytes: usize = Bytes(1 << 20);
        /// Delay before a standby engine is started, and before it is updated after a change.
        standby_after_ms: u64 = Ms(2_000);
        /// A book of at most this size is loaded into the standby engine too; a larger one when that engine is needed.
        standby_bytes: usize = Bytes(4 << 20);
        /// An idle engine above this size is replaced, as an engine's memory never shrinks.
        idle_engine_bytes: usize = Bytes(512 << 20);
        /// Revisions kept when a journal is compacted.
        history: usize = Count(1_000);
        /// A journal of at most this size is not compacted.
        journal_bytes: u64 = Bytes(1 << 20);
        /// Names offered by one completion.
        completions: usize = Count(100);
        /// Revisions reported by one `history`, `undo` or `redo`.
        revisions: usize = Count(1_000);
        /// Clauses reported by one `provenance`.
        traces: usize = Count(100);
        /// The text of one `diff`.
        diff_bytes: usize = Bytes(100_000);
        /// Retries of a model's turn after a transient failure.
        model_retries: u32 = Count(3);
        /// Pause before the first retry; it doubles each time.
        retry_pause_ms: u64 = Ms(500);
        /// Identical replies of a model in a row before its task fails.
        repeated_turns: usize = Count(3);
        /// One result of a model or a tool for a DML program, as JSON.
        result_chars: usize = Chars(64 << 20);
        /// The name of a file used by a DML program.
        file_name_chars: usize = Chars(1_000);
        /// Nodes that one run of a workflow may execute.
        workflow_nodes: u64 = Count(100_000);
        /// Nesting of a value in a workflow's state.
        state_levels: usize = Levels(100);
        /// Steps of the template engine per template.
        template_steps: u64 = Count(1_000_000);
        /// Open goals over the linked data of one book.
        data_cursors: usize = Count(32);
        /// Rows of linked data sent to the engine at once.
        data_rows: usize = Count(2_000);
        /// Answers of relations of the host that one book keeps.
        data_answers: usize = Count(1_000);
        /// Groups of such predicates whose tables one book keeps.
        set_programs: usize = Count(8);
    }
}

impl Default for Limits {
    fn default() -> Self {
        Limits::DEFAULT
    }
}

impl Limits {
    /// The time an engine has to read text of the book: a source is loaded whole, however long it is.
    pub fn load_ms(&self, bytes: usize) -> u64 {
        self.step_ms + bytes as u64 / 100
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

    #[test]
    fn the_engine_gets_those_that_it_keeps_as_they_are_set() {
        let mut limits = Limits::default();
        limits.set("nesting", 7);
        let engine: Vec<_> = limits.of_the_engine().collect();
        assert!(engine.contains(&("nesting", 7)));
        assert!(!engine.iter().any(|(name, _)| *name == "take"));
        let marked = Limits::ALL.iter().filter(|limit| limit.engine).count();
        assert_eq!(engine.len(), marked);
    }

    #[test]
    fn every_limit_says_what_it_bounds() {
        for limit in Limits::ALL {
            assert!(limit.doc.ends_with('.'), "{}", limit.name);
        }
    }
}
