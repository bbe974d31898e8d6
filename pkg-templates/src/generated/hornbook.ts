// Generated from the crates by `cargo run -p hornbook-generate`.
import type { Limits } from './limits.js';

/**
 * The options of a workspace; all are optional.
 */
export type Options = { 
/**
 * Directories whose files may be imported. Default: none.
 */
roots?: Array<string>, 
/**
 * Libraries to load in addition to the usual ones.
 */
libraries?: Array<string>, 
/**
 * The toolsets to serve, of `"prolog"`, `"dml"`, `"workflow"`, and `"memory"` or `"memory-read"`.
 * Default: `["prolog"]`.
 */
tools?: Array<string>, 
/**
 * How programs of the tool `dml_run` may use the book with `book:Goal`. Default: not at all.
 */
dmlBook?: "read" | "write", 
/**
 * What calling an undefined predicate does. Default: `"error"`.
 */
unknown?: "error" | "fail", 
/**
 * The time limit of a query that does not set its own, in milliseconds. Default: 30,000.
 */
timeoutMs?: number, 
/**
 * How many queries may take long at a time, each in a Prolog engine of its own; from two on, one more engine is left to
 * what is short. Those beyond the first are started when a query would have to wait for another. Default: 2.
 */
engines?: number, 
/**
 * The half-life in days of the relevance of a high-confidence experience in the memory, by type. Default:
 * `{ solution: 200, pattern: 300, decision: 100, workaround: 50, gotcha: 200 }`.
 */
halfLives?: { solution?: number, pattern?: number, decision?: number, workaround?: number, gotcha?: number }, 
/**
 * Limits by name (docs/limits.md).
 */
limits?: Limits, };

export type Severity = "error" | "warning";

/**
 * Something wrong with a text, from `start` to `end` in UTF-16 units. An error's clause would not be added.
 */
export type Problem = { start: number, end: number, severity: Severity, 
/**
 * Of an error, as in the replies of tools: `syntax_error`, `unsafe_goal`; of a warning `singleton`, `branch`, `goal`,
 * `function`, `hyphen`, `rule`, `quotes`, `undefined`, `shadowed` or `apart`.
 */
kind: string, message: string, };

export type OutlineKind = "fact" | "rule" | "grammar" | "directive" | "error" | "comments";

/**
 * A clause or directive of a text, from `start`, where its term begins, to `end`, in UTF-16 units.
 */
export type OutlineItem = { kind: OutlineKind, start: number, end: number, 
/**
 * Comments before the term first, then what stands in it.
 */
marks: Array<OutlineMark>, };

export type OutlineMarkKind = "head" | "call" | "indicator" | "variable" | "atom" | "number" | "string" | "comment";

/**
 * What stands at a place of a text.
 */
export type OutlineMark = { kind: OutlineMarkKind, start: number, end: number, 
/**
 * Of the predicate, where it is one: a rule of a grammar, or a goal that is called with more arguments, has those
 * counted.
 */
name?: string, arity?: number, 
/**
 * What is written before the predicate, as in `lists:append`.
 */
module?: string, };

/**
 * One step of a proof.
 */
export type ProofNode = { 
/**
 * 0 for the goals of the query.
 */
depth: number, 
/**
 * With the bindings of the answer.
 */
goal: string, 
/**
 * Of what holds `clause`, `builtin`, `library(NAME)`, `negation`, `constraint`, `tabled`, `cut`, `neither` of what is undefined,
 * neither true nor false, or `call` of a goal that others below it prove. Of what fails `fails`, with the clauses of the user's below it, or `fails(WHY)`: one of
 * the words above, or `deep` where it was not looked into, or `undefined`. Below it `tried`, a clause with the goals
 * at which it stops; `unmatched`, clauses whose heads do not match; `nearest`, one of these that comes near;
 * `untried`, clauses that a cut kept from being tried; `also`, a later goal of the clause that fails, too; `reason`, the case
 * or the result for which a goal of the system fails; `undefined`, with near names.
 */
how: string, clause?: number, 
/**
 * For `fails` in how many ways its clause comes to such a goal, for `tried` which clause of its predicate it is, from
 * 1, or without a clause how many more were tried, for `unmatched` and `untried` how many clauses there are.
 */
count: number, };

export type ProofClause = { text: string, 
/**
 * `inline`, `file` or `run`; or `node`: it stands in the code of a workflow's node.
 */
origin: "inline" | "file" | "run" | "node", filename?: string, 
/**
 * In the file, or in the code of the node, from 1.
 */
line?: number, };

/**
 * How an answer came to be, or why there is none.
 */
export type Proof = { 
/**
 * Whether the goal holds. Else the tree tells why it fails.
 */
holds: boolean, 
/**
 * Whether it only holds because it is undefined: neither true nor false.
 */
undefined: boolean, 
/**
 * The tree in preorder.
 */
nodes: Array<ProofNode>, 
/**
 * The clauses that the nodes name, by their ids.
 */
clauses: { [key in string]: ProofClause }, 
/**
 * Whether the tree has more nodes than are told.
 */
cut: boolean, 
/**
 * The tree as indented lines.
 */
text: string, };

/**
 * A port that a goal goes through.
 */
export type Port = { 
/**
 * `call`, `unify` (with the head of a clause), `exit`, `redo`, `fail` or `exception`; or `answer`, whose goal is the
 * query; or `error`, whose goal is the message.
 */
port: string, 
/**
 * 0 for the goals of the query.
 */
depth: number, 
/**
 * With the values that it has at this port.
 */
goal: string, 
/**
 * The goals around it with the values that they have at this port, the innermost first; at most eight.
 */
around: Array<string>, 
/**
 * The goal's clause; for `call` and `fail`, and goals not looked into, the calling clause.
 */
clause?: number, };

/**
 * A run of a query with all its answers, port by port.
 */
export type Replay = { 
/**
 * In the order of the run.
 */
steps: Array<Port>, 
/**
 * The clauses that the steps name, by their ids.
 */
clauses: { [key in string]: ProofClause }, 
/**
 * Whether the trace was truncated at the step limit.
 */
cut: boolean, };

/**
 * The result of loading a file's text.
 */
export type Saved = { clausesAdded: number, 
/**
 * `line:column: message`, one for each clause that was not added and each failed `initialization/1`.
 */
errors: Array<string>, output: string, 
/**
 * Other things to know: predicates that modules have in common, files that became parts of a module.
 */
notices: Array<string>, };

export type ImportedColumn = { name: string, kind: "number" | "text" | "boolean" | "list" | "object" | "mixed" | "null", 
/**
 * How many of its values are missing.
 */
nulls: number, 
/**
 * The first different values as they are written in the facts, at most two, each shortened.
 */
examples: Array<string>, };

/**
 * A table that was imported: each row is a fact.
 */
export type ImportedTable = { 
/**
 * The predicate of its rows.
 */
name: string, rows: number, 
/**
 * In the order of the arguments.
 */
columns: Array<ImportedColumn>, 
/**
 * What was assumed, and what did not fit, each a sentence.
 */
notes: Array<string>, };

/**
 * An imported file.
 */
export type Imported = { filename: string, 
/**
 * Those that are new in the book.
 */
clausesAdded: number, 
/**
 * Clauses that the file had before and has no more.
 */
clausesRemoved: number, 
/**
 * Clauses that the file had before and still has.
 */
clausesKept: number, 
/**
 * Clauses of its text that were retracted since it was imported, and stay so: `unimport` the file first to have
 * them again.
 */
clausesRetracted: number, 
/**
 * As in [`Saved`].
 */
errors: Array<string>, output: string, notices: Array<string>, 
/**
 * What was found out about a table; of a workbook, about that of its first sheet.
 */
table?: ImportedTable, 
/**
 * Of a workbook with several sheets: what was found out about each.
 */
tables?: Array<ImportedTable>, 
/**
 * Of a document: how many it has.
 */
characters?: number, };

/**
 * A file that was removed.
 */
export type Unimported = { filename: string, clausesRemoved: number, notices: Array<string>, };

/**
 * A predicate of the book.
 */
export type PredicateInfo = { name: string, arity: number, 
/**
 * Of a table: the names of its columns.
 */
columns?: Array<string>, };

/**
 * What became of facts that were brought up to date.
 */
export type UpsertCounts = { added: number, replaced: number, unchanged: number, notices: Array<string>, };

export type FileInfo = { filename: string, clauseCount: number, 
/**
 * How many characters it has, if it is a document and not clauses.
 */
characters?: number, 
/**
 * When it was imported, milliseconds since 1970.
 */
timestamp: number, };

/**
 * A revision of the book: when, and by what.
 */
export type Event = { 
/**
 * Counted from 1.
 */
revision: number, 
/**
 * Milliseconds since 1970.
 */
timestamp: number, 
/**
 * `assert`, `retract`, `import`, `unimport`, `initialization`, `query`, `cells`, `change`, `draft`, `accept`,
 * `reset`, `undo` or `redo`.
 */
operation: string, 
/**
 * For `import` and `unimport`, and the undo and redo of these.
 */
filename?: string, 
/**
 * The query or the initialization goal that made the changes, or that was undone or redone.
 */
goal?: string, 
/**
 * What a capability did to its cells, `room: action`; or which draft changed or was accepted.
 */
action?: string, 
/**
 * The revision that was undone or redone, and its operation.
 */
of?: number, 
/**
 * Which other process did it, of those that share the book: the name of its client, and the id of its connection.
 */
by?: string, };

/**
 * A revision, with how many clauses and directives it added and removed.
 */
export type RevisionInfo = { added: number, removed: number, 
/**
 * Counted from 1.
 */
revision: number, 
/**
 * Milliseconds since 1970.
 */
timestamp: number, 
/**
 * `assert`, `retract`, `import`, `unimport`, `initialization`, `query`, `cells`, `change`, `draft`, `accept`,
 * `reset`, `undo` or `redo`.
 */
operation: string, 
/**
 * For `import` and `unimport`, and the undo and redo of these.
 */
filename?: string, 
/**
 * The query or the initialization goal that made the changes, or that was undone or redone.
 */
goal?: string, 
/**
 * What a capability did to its cells, `room: action`; or which draft changed or was accepted.
 */
action?: string, 
/**
 * The revision that was undone or redone, and its operation.
 */
of?: number, 
/**
 * Which other process did it, of those that share the book: the name of its client, and the id of its connection.
 */
by?: string, };

/**
 * The book as it was after a revision.
 */
export type Past = { revision: number, 
/**
 * How many clauses and directives the book had.
 */
total: number, 
/**
 * In the order of the book; if not all of them, those that were added last.
 */
entries: Array<PastEntry>, 
/**
 * The ids of those that this revision added.
 */
fresh: Array<string>, 
/**
 * What this revision removed.
 */
removed: Array<PastEntry>, };

/**
 * A clause or directive of a book as it was.
 */
export type PastEntry = { id: string, 
/**
 * Without the comments before it.
 */
text: string, file?: string, 
/**
 * In the file, from 1.
 */
line?: number, 
/**
 * The revision that added it, unless that is no longer kept.
 */
added?: number, };

/**
 * What a draft proposes.
 */
export type Proposal = { 
/**
 * The name of the draft.
 */
draft: string, 
/**
 * The revision of the book that it is compared with.
 */
revision: number, operations: Array<ProposedOperation>, 
/**
 * The clauses and directives that the book would have, and no longer have, in all.
 */
added: Array<ProposedClause>, removed: Array<ProposedClause>, 
/**
 * Predicates whose clauses would stand in another order.
 */
moved: Array<string>, 
/**
 * What else would change: documents, and records of the memory and of workflows.
 */
cells: Array<ProposedCell>, 
/**
 * What would violate constraints of the book, and does not now: this refuses an acceptance.
 */
violations: Array<string>, 
/**
 * What violates constraints that the draft brings.
 */
warnings: Array<string>, 
/**
 * Goals that its client has asked with the tools while it drafted, the newest last: at most 20.
 */
asked: Array<string>, };

/**
 * One operation of a draft.
 */
export type ProposedOperation = { 
/**
 * By which it can be chosen.
 */
key: string, 
/**
 * By which people know it: no other operation of the book's drafts has it.
 */
number: number, 
/**
 * `assert`, `retract`, `import` and so on.
 */
operation: string, 
/**
 * When, in milliseconds since 1970.
 */
at: number, 
/**
 * The name of the client.
 */
by?: string, 
/**
 * Why it no longer applies, if it does not: part of a sentence.
 */
dropped?: string, };

/**
 * A clause that a draft adds or removes.
 */
export type ProposedClause = { 
/**
 * Its text, as written.
 */
clause: string, 
/**
 * The file that has it.
 */
filename?: string, };

/**
 * A document, or a record of the memory or of a workflow, that a draft changes.
 */
export type ProposedCell = { 
/**
 * `documents`, `memory` and so on.
 */
room: string, key: string, 
/**
 * What it is now, and what it would be; absent if it is not there.
 */
before?: string, after?: string, };

/**
 * The revisions of a book.
 */
export type Revisions = { 
/**
 * Newest first.
 */
revisions: Array<RevisionInfo>, 
/**
 * How many earlier ones are kept.
 */
older: number, 
/**
 * The number of the last revision of the book.
 */
revision: number, 
/**
 * How many operations can be undone, and redone.
 */
undoable: number, redoable: number, };

/**
 * The differences between two revisions of a book.
 */
export type Changes = { from: number, to: number, 
/**
 * Hunks in the unified format; empty if there are no differences.
 */
text: string, 
/**
 * Counted in lines.
 */
added: number, removed: number, 
/**
 * Whether `text` was too long and was cut off.
 */
cut: boolean, 
/**
 * Whether long stretches of repeated lines are reported as changed as a whole.
 */
coarse: boolean, };

/**
 * What was thrown, or ended the answers.
 */
export type Failure = { 
/**
 * As in tool replies, such as `syntax_error`.
 */
kind: string, 
/**
 * Includes what to do next.
 */
message: string, 
/**
 * From 1; for syntax errors.
 */
line?: number, 
/**
 * From 0.
 */
column?: number, };

export type StepAnswer = { 
/**
 * Name, text, and the value as JSON (docs/engine-protocol.md).
 */
bindings: [name: string, text: string, json: unknown][], residual: Array<string>, output: string, 
/**
 * Neither true nor false, by the well-founded semantics of tabled negation.
 */
undefined?: boolean, };

/**
 * Answers of a query, as the engine returns them.
 */
export type Step = { id: string, 
/**
 * The query's variables, in order; only when it starts.
 */
variables?: Array<string>, answers: Array<StepAnswer>, 
/**
 * Whether more may follow.
 */
more: boolean, 
/**
 * Written after the last answer.
 */
output: string, failure?: Failure, notices: Array<string>, };

/**
 * What a watched goal answers after a revision.
 */
export type WatchedStep = { answers: Array<StepAnswer>, 
/**
 * Whether there are more answers than are compared.
 */
more: boolean, failure?: Failure, revision: number, };

export type Failed = { 
/**
 * Which of the clauses it was, from 0. A text of several counts as that many.
 */
index: number, clause: string, failure: Failure, };

/**
 * What became of the clauses of a call. Those that succeeded are not told one by one: there may be very many.
 */
export type Outcomes = { 
/**
 * In their order.
 */
failed: Array<Failed>, 
/**
 * How many succeeded.
 */
succeeded: number, notices: Array<string>, };

/**
 * The result of an undo or a redo.
 */
export type Reversed = { 
/**
 * How many operations were undone or redone.
 */
steps: number, 
/**
 * Clauses that were restored and removed.
 */
added: number, removed: number, 
/**
 * How many operations can still be undone and redone.
 */
undoable: number, redoable: number, notices: Array<string>, };
