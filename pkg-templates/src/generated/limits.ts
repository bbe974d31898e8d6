// Generated from src/base/limits.rs by `cargo run -p hornbook-generate`.

/** The limits that can be set. What would pass one is refused or stopped with an error that names it. */
export interface Limits {
  /** Clauses and directives in the book. Default: 1,000,000. */
  entries?: number;
  /** Text in the book. Default: 256 MiB. */
  bytes?: number;
  /** One file, or all texts of one call. Default: 64 MiB. */
  file_bytes?: number;
  /** One message from a client: a line on standard input. Default: 128 MiB. */
  line_bytes?: number;
  /** Nesting of a text: brackets, prefix operators, goals of a conjunction. The engine's C stack overflows at about 2,000. Default: 1,000 levels. */
  nesting?: number;
  /** Digits of a number in a text: the engine takes quadratic time to read one. `integer_bytes` bounds those that are computed. Default: 10,000. */
  numeral_digits?: number;
  /** The text of one query. Default: 100,000 characters. */
  query_chars?: number;
  /** The values that a program puts into one query with the tag `prolog`. They do not count towards `query_chars`. Default: 10,000,000 characters. */
  value_chars?: number;
  /** Queries open at the same time. One more closes the query that was idle longest, with a notice. Default: 32. */
  open_queries?: number;
  /** Upper bound on tokens in a reply's text, and again in its structured content. Default: 10,000. */
  reply_tokens?: number;
  /** Answers per call. Default: 1,000. */
  take?: number;
  /** Nesting of an answer as text, which is cut below it, and of a term that a goal writes or stores. Default: 1,000 levels. */
  answer_depth?: number;
  /** Nesting of an answer as JSON; deeper values become `{"cut": true}`. A level is up to two JSON levels, and many parsers stop at 128. Default: 50 levels. */
  json_depth?: number;
  /** The text of one answer. Default: 100,000 characters. */
  answer_chars?: number;
  /** What is written while one answer is found. Default: 100,000 characters. */
  output_chars?: number;
  /** Inferences per call of a query, counted in steps of 100,000. Default: 10,000,000,000. */
  inferences?: number;
  /** Prolog's stacks, per query. Default: 128 MiB. */
  stack_bytes?: number;
  /** Prolog's stacks of a DML program, which may recurse as deeply as in plain Prolog, or of a node's code. Default: 512 MiB. */
  run_stack_bytes?: number;
  /** The tables of all tabled predicates together. Default: 256 MiB. */
  table_bytes?: number;
  /** One integer. Default: 1 MiB. */
  integer_bytes?: number;
  /** The longest time limit that a client may ask for in one call. Without asking it gets that of `--timeout`, 30,000 ms. Default: 600,000 ms. */
  longest_timeout_ms?: number;
  /** DML programs running at the same time, each in its own engine. Default: 64. */
  open_runs?: number;
  /** One run of a DML program, not counting the user's time. Over MCP also the most that a client may ask for. Default: 600,000 ms. */
  run_ms?: number;
  /** What a DML program may compute between two requests to its host. Default: 60,000 ms. */
  run_step_ms?: number;
  /** Goals of `concurrent_maplist/2` and `first_solution/3` of a DML program that run at the same time. Others wait. Default: 16. */
  concurrent_goals?: number;
  /** Turns of the model in one task of a DML program. Default: 50. */
  task_turns?: number;
  /** Tokens in one turn of an MCP client's model. Default: 8,192. */
  turn_tokens?: number;
  /** Time for an MCP client's user to answer a DML program, a workflow or a query. Default: 600,000 ms. */
  user_ms?: number;
  /** Time for the user to answer a query once another request waits for its engine or the book. Default: 30,000 ms. */
  awaited_user_ms?: number;
  /** The output of a DML program in the reply of `dml_run`, and its log likewise. The rest is left out. Default: 20,000 characters. */
  run_output_chars?: number;
  /** Memory of an engine that reads linked files: one for each source, and for sources that are read together. Default: 512 MiB. */
  data_memory_bytes?: number;
  /** What that engine may write to a temporary folder when it runs out of memory. Default: 1024 MiB. */
  data_spill_bytes?: number;
  /** Threads of that engine. Default: 2. */
  data_threads?: number;
  /** Rows of linked data that the engine gets at once, as JSON, and so a single row. Default: 4 MiB. */
  data_batch_bytes?: number;
  /** One answer of a relation of the host, as JSON. Default: 1 MiB. */
  data_answer_bytes?: number;
  /** Tuples derived for one goal of a predicate evaluated as a set. Default: 10,000,000. */
  set_tuples?: number;
  /** Rounds of such an evaluation. Default: 100,000. */
  set_rounds?: number;
}

/** Their names. */
export const LIMITS = [
  'entries',
  'bytes',
  'file_bytes',
  'line_bytes',
  'nesting',
  'numeral_digits',
  'query_chars',
  'value_chars',
  'open_queries',
  'reply_tokens',
  'take',
  'answer_depth',
  'json_depth',
  'answer_chars',
  'output_chars',
  'inferences',
  'stack_bytes',
  'run_stack_bytes',
  'table_bytes',
  'integer_bytes',
  'longest_timeout_ms',
  'open_runs',
  'run_ms',
  'run_step_ms',
  'concurrent_goals',
  'task_turns',
  'turn_tokens',
  'user_ms',
  'awaited_user_ms',
  'run_output_chars',
  'data_memory_bytes',
  'data_spill_bytes',
  'data_threads',
  'data_batch_bytes',
  'data_answer_bytes',
  'set_tuples',
  'set_rounds',
] as const satisfies (keyof Limits)[];
