// Generated from src/base/limits.rs by `cargo run -p hornbook-generate`.

/** The limits that can be set. What would pass one is refused or stopped with an error that names it. */
export interface Limits {
  /** Clauses and directives in the book. Default: 1,000,000. */
  entries?: number;
  /** Text in the book. Default: 256 MiB. */
  bytes?: number;
  /** One file, or the texts of one call. Default: 64 MiB. */
  file_bytes?: number;
  /** One message of a client, a line on standard input. Default: 128 MiB. */
  line_bytes?: number;
  /** Nesting of a text: brackets, prefix operators, goals of a conjunction. The C stack of an engine does not survive more than about 2,000 everywhere. Default: 1,000 levels. */
  nesting?: number;
  /** One query. Default: 100,000 characters. */
  query_chars?: number;
  /** The values that a program puts into one query with the tag `prolog`; they do not count for `query_chars`. Default: 10,000,000 characters. */
  value_chars?: number;
  /** Queries that are open at the same time. Of more, the one that was idle longest is closed, with a notice. Default: 32. */
  open_queries?: number;
  /** Tokens of a reply, bounded from above: of its text and of its structured content, each. Default: 10,000. */
  reply_tokens?: number;
  /** Answers of one call. Default: 1,000. */
  take?: number;
  /** Nesting of an answer as text, beyond which it is cut, and of a term that a goal writes or stores. Default: 1,000 levels. */
  answer_depth?: number;
  /** Nesting of an answer as JSON, beyond which stands `{"cut": true}`, for parsers that bear no more than 128 levels; a level is up to two of arrays and objects. Default: 50 levels. */
  json_depth?: number;
  /** One answer. Default: 100,000 characters. */
  answer_chars?: number;
  /** What is written for one answer. Default: 100,000 characters. */
  output_chars?: number;
  /** Inferences of one call of a query, counted by the 100,000. Default: 10,000,000,000. */
  inferences?: number;
  /** Prolog's stacks, for each query. Default: 128 MiB. */
  stack_bytes?: number;
  /** Prolog's stacks of a DML program, which may recurse as deep as in plain Prolog, or of the code of a node. Default: 512 MiB. */
  run_stack_bytes?: number;
  /** The tables of all tabled predicates. Default: 256 MiB. */
  table_bytes?: number;
  /** One integer. Default: 1 MiB. */
  integer_bytes?: number;
  /** The longest time that a client may ask for one call of a query; without asking it gets that of `--timeout`, 30,000 ms. Default: 600,000 ms. */
  longest_timeout_ms?: number;
  /** DML programs that run at the same time, each in an engine of its own. Default: 64. */
  open_runs?: number;
  /** A run of a DML program, without the time of the user. Over MCP also the most that a client may ask for. Default: 600,000 ms. */
  run_ms?: number;
  /** What a DML program may compute between two requests to its host. Default: 60,000 ms. */
  run_step_ms?: number;
  /** Goals of `concurrent_maplist/2` and `first_solution/3` of a DML program that run at the same time; others wait for one to end. Default: 16. */
  concurrent_goals?: number;
  /** Turns of a model in one task of a DML program. Default: 50. */
  task_turns?: number;
  /** Tokens of one turn of an MCP client's model. Default: 8,192. */
  turn_tokens?: number;
  /** How long an MCP client's user has to answer a DML program, a workflow or a query. Default: 600,000 ms. */
  user_ms?: number;
  /** How long they have for a query from when others wait for its engine or the book. Default: 30,000 ms. */
  awaited_user_ms?: number;
  /** The output of a DML program in the reply of `dml_run`, and its log likewise; what is more is left out at the end. Default: 20,000 characters. */
  run_output_chars?: number;
  /** Memory of the engine that reads linked files, for all goals of a process. Default: 512 MiB. */
  data_memory_bytes?: number;
  /** What that engine may write to a temporary folder, when its memory does not suffice. Default: 1024 MiB. */
  data_spill_bytes?: number;
  /** The threads of that engine. Default: 2. */
  data_threads?: number;
}

/** Their names. */
export const LIMITS = [
  'entries',
  'bytes',
  'file_bytes',
  'line_bytes',
  'nesting',
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
] as const satisfies (keyof Limits)[];
