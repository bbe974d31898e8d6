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
        /// One file, or the texts of one call.
        file_bytes: usize = Bytes(64 << 20);
        /// One message of a client, a line on standard input.
        line_bytes: usize = Bytes(128 << 20);
        /// Nesting of a text: brackets, prefix operators, goals of a conjunction. The C stack of an engine does not
        /// survive more than about 2,000 everywhere.
        nesting: usize = Levels(1_000), engine;
        /// One query.
        query_chars: usize = Chars(100_000);
        /// The values that a program puts into one query with the tag `prolog`; they do not count for `query_chars`.
        value_chars: usize = Chars(10_000_000);
        /// Queries that are open at the same time. Of more, the one that was idle longest is closed, with a notice.
        open_queries: usize = Count(32);
        /// Tokens of a reply, bounded from above: of its text and of its structured content, each.
        reply_tokens: usize = Count(10_000);
        /// Answers of one call.
        take: usize = Count(1_000);
        /// Nesting of an answer as text, beyond which it is cut, and of a term that a goal writes or stores.
        answer_depth: usize = Levels(1_000), engine;
        /// Nesting of an answer as JSON, beyond which stands `{"cut": true}`, for parsers that bear no more than 128
        /// levels; a level is up to two of arrays and objects.
        json_depth: usize = Levels(50), engine;
        /// One answer.
        answer_chars: usize = Chars(100_000), engine;
        /// What is written for one answer.
        output_chars: usize = Chars(100_000), engine;
        /// Inferences of one call of a query, counted by the 100,000.
        inferences: u64 = Count(10_000_000_000), engine;
        /// Prolog's stacks, for each query.
        stack_bytes: usize = Bytes(128 << 20), engine;
        /// Prolog's stacks of a DML program, which may recurse as deep as in plain Prolog, or of the code of a node.
        run_stack_bytes: usize = Bytes(512 << 20);
        /// The tables of all tabled predicates.
        table_bytes: usize = Bytes(256 << 20), engine;
        /// One integer.
        integer_bytes: usize = Bytes(1 << 20), engine;
        /// The longest time that a client may ask for one call of a query; without asking it gets that of `--timeout`,
        /// 30,000 ms.
        longest_timeout_ms: u64 = Ms(600_000);
        /// DML programs that run at the same time, each in an engine of its own.
        open_runs: usize = Count(64);
        /// A run of a DML program, without the time of the user. Over MCP also the most that a client may ask for.
        run_ms: u64 = Ms(600_000);
        /// What a DML program may compute between two requests to its host.
        run_step_ms: u64 = Ms(60_000);
        /// Goals of `concurrent_maplist/2` and `first_solution/3` of a DML program that run at the same time; others wait for
        /// one to end.
        concurrent_goals: usize = Count(16);
        /// Turns of a model in one task of a DML program.
        task_turns: usize = Count(50);
        /// Tokens of one turn of an MCP client's model.
        turn_tokens: u64 = Count(8_192);
        /// How long an MCP client's user has to answer a DML program, a workflow or a query.
        user_ms: u64 = Ms(600_000);
        /// How long they have for a query from when others wait for its engine or the book.
        awaited_user_ms: u64 = Ms(30_000);
        /// The output of a DML program in the reply of `dml_run`, and its log likewise; what is more is left out at the
        /// end.
        run_output_chars: usize = Chars(20_000);
        /// Memory of the engine that reads linked files, for all goals of a process.
        data_memory_bytes: usize = Bytes(512 << 20);
        /// What that engine may write to a temporary folder, when its memory does not suffice.
        data_spill_bytes: usize = Bytes(1 << 30);
        /// The threads of that engine.
        data_threads: usize = Count(2);
    }
    fixed {
        /// Calls of one client that run at the same time; others wait.
        running_calls: usize = Count(32);
        /// Messages of calls that wait, with which no more is read from their client.
        waiting_bytes: usize = Bytes(1 << 20);
        /// Calls that wait for a client to come back with what it was asked. Clients need not come back: the oldest call
        /// is dropped for a new one.
        waiting_calls: usize = Count(32);
        /// The id that a client gives to a query.
        query_id_chars: usize = Chars(100);
        /// Queries that have ended and are still known by their id.
        ended_queries: usize = Count(64);
        /// How long after its own limit an engine may still answer a query, before it is ended.
        grace_ms: u64 = Ms(500);
        /// How long after its own limit an engine may still answer a DML program's host, before it is ended.
        run_grace_ms: u64 = Ms(1_000);
        /// How often a query that runs reports for how long it has.
        progress_ms: u64 = Ms(1_000);
        /// A request that runs no goals of users: the start of an engine, a step of a long addition, a removal, the
        /// check of a DML program.
        step_ms: u64 = Ms(30_000);
        /// Clauses that one step of a long addition reads.
        step_items: usize = Count(2_000);
        /// Text that is sent at once when an engine is built from the book; longer sources are divided between clauses.
        load_bytes: usize = Bytes(1 << 20);
        /// When a standby engine is started after the first engine was ready, and brought up to date after a change.
        standby_after_ms: u64 = Ms(2_000);
        /// A book that the standby engine holds too; a larger one is loaded when the engine is needed.
        standby_bytes: usize = Bytes(4 << 20);
        /// Memory of an engine with which it is replaced when nothing runs in it; an engine's memory never shrinks.
        idle_engine_bytes: usize = Bytes(512 << 20);
        /// Revisions that are kept when a journal is compacted.
        history: usize = Count(1_000);
        /// A journal of at most this size is not compacted.
        journal_bytes: u64 = Bytes(1 << 20);
        /// Names that a completion offers.
        completions: usize = Count(100);
        /// Revisions that one `history`, `undo` or `redo` reports.
        revisions: usize = Count(1_000);
        /// Clauses that one `provenance` reports.
        traces: usize = Count(100);
        /// A `diff`.
        diff_bytes: usize = Bytes(100_000);
        /// Times that a turn of a model is tried again after a failure that may pass.
        model_retries: u32 = Count(3);
        /// The pause before the first of them, which then doubles.
        retry_pause_ms: u64 = Ms(500);
        /// Times that a model says the same in a row, after which its task fails.
        repeated_turns: usize = Count(3);
        /// What a model or a tool returns to a DML program at once, as JSON.
        result_chars: usize = Chars(64 << 20);
        /// The name of a file that a DML program uses.
        file_name_chars: usize = Chars(1_000);
        /// Nodes that one run of a workflow may go through.
        workflow_nodes: u64 = Count(100_000);
        /// Nesting of a value in the state of a workflow.
        state_levels: usize = Levels(100);
        /// Steps of the template engine for one template of a workflow.
        template_steps: u64 = Count(1_000_000);
        /// Goals over linked data of one book that are open at the same time.
        data_cursors: usize = Count(32);
        /// Rows of linked data that come to the engine at once.
        data_rows: usize = Count(2_000);
        /// Tuples that follow for one goal of a predicate that is evaluated as a set.
        set_tuples: u64 = Count(10_000_000);
        /// Rounds of such an evaluation.
        set_rounds: u64 = Count(100_000);
        /// Programs of such predicates whose tables one book keeps.
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
