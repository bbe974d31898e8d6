// Generated from the crates by `cargo run -p hornbook-generate`.
import type { WorkflowFaultKind } from './workflow.js';

/**
 * An answer: the values of the variables by name, each a [`BoundValue`]. `residual`, `undefined` and `output`
 * cannot be names of variables.
 */
export type AnswerValues = Record<string, unknown> & { residual?: string[], undefined?: true, output?: string };

/**
 * Clauses added to and removed from the book, and changes undone because the query had an error or no
 * answer.
 */
export type Changes = { added: number, removed: number, undone: number, };

export type ClauseFailure = { 
/**
 * The number of the clause in the call, from 1.
 */
number: number, clause: string, message: string, kind: FaultKind, 
/**
 * As in [`Fault`].
 */
line?: number, column?: number, };

/**
 * Where a clause or a directive came from, and how it went.
 */
export type ClauseOrigin = { clause: string, 
/**
 * `inline`, `file` or `run`.
 */
origin: string, 
/**
 * For `file`.
 */
filename?: string, 
/**
 * In the file, from 1.
 */
line?: number, 
/**
 * What added it, if that is still kept.
 */
added?: Event, 
/**
 * Instead of `added`: the last revision that is no longer kept. This one or one before it added it.
 */
added_until?: number, 
/**
 * For what is not in the book any more.
 */
removed?: Event, };

/**
 * From `clauses`: successes are counted, failures are listed.
 */
export type ClausesResult = { 
/**
 * `assert`, `retract` or `replace`.
 */
operation: string, succeeded: number, failed: number, 
/**
 * As many as fit.
 */
failures?: Array<ClauseFailure>, 
/**
 * The removed clauses as they were written; as many as fit.
 */
removed?: Array<string>, 
/**
 * What to do next, if something failed.
 */
next?: string, };

export type CloseStatus = "closed" | "no_active_session";

export type DmlRun = { status: DmlStatus, 
/**
 * What the program wrote, as much as fits.
 */
output: Array<string>, 
/**
 * What it logged, as much as fits.
 */
log: Array<string>, 
/**
 * One sentence about each that did not fit.
 */
left_out?: Array<string>, answer?: string, error?: Fault, };

/**
 * The data that `dml_run` returns.
 */
export type DmlRunResult = { "type": "dml_run" } & DmlRun;

export type DmlStatus = "answered" | "error" | "true" | "false";

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
 * Why an operation was not carried out. `message` is for people and models: a plain sentence.
 */
export type Fault = { kind: FaultKind, message: string, 
/**
 * What to do next, a sentence; empty where nothing but the kind tells.
 */
next?: string, 
/**
 * Line from 1 and column from 0, for syntax errors.
 */
line?: number, column?: number, };

/**
 * The kinds of [`Fault`]. The first thirteen are the engine's (`docs/engine-protocol.md`).
 */
export type FaultKind = "syntax_error" | "unsafe_goal" | "existence_error" | "type_error" | "domain_error" | "instantiation_error" | "evaluation_error" | "undefined" | "permission_error" | "representation_error" | "resource_error" | "uncaught_exception" | "halted" | "timeout" | "cancelled" | "no_such_query" | "query_id_in_use" | "limit_reached" | "file_error" | "file_path_violation" | "already_imported" | "not_imported" | "nothing_to_undo" | "nothing_to_redo" | "no_such_revision" | "out_of_memory" | "too_deep" | "engine_halted" | "engine_ended" | "engine_died" | "bad_reply" | "engine_unavailable" | "storage_error" | "conflict" | "read_only" | "constraint_violation" | "invalid_argument" | "program_error";

export type FileImport = { filename: string, clausesAdded: number, status: ImportStatus, 
/**
 * `line:column: message`, one for each clause that was not added and each failed `initialization/1`; as
 * many as fit.
 */
errors: Array<string>, 
/**
 * How many errors there are, if the file was read.
 */
failed?: number, 
/**
 * What `initialization/1` goals wrote.
 */
output?: string, 
/**
 * Of a table: the name, type, missing values and examples of each column, in a line; as many as fit.
 */
columns?: Array<string>, 
/**
 * Of a table: what was assumed, and what did not fit.
 */
notes?: Array<string>, 
/**
 * Of a document: how many it has.
 */
characters?: number, 
/**
 * Why the file was not read.
 */
error?: Fault, };

export type FileInfo = { filename: string, clauseCount: number, 
/**
 * How many characters it has, if it is a document and not clauses.
 */
characters?: number, 
/**
 * When it was imported, milliseconds since 1970.
 */
timestamp: number, };

export type FileList = { 
/**
 * As many as fit.
 */
files: Array<FileInfo>, 
/**
 * How many files there are.
 */
count: number, 
/**
 * Where the list continues: `from` of the next call.
 */
from?: number, };

export type FileUnimport = { filename: string, clausesRemoved: number, status: UnimportStatus, error?: Fault, };

export type FilesResult = { "type": "file_import" } & FileImport | { "type": "file_unimport" } & FileUnimport | { "type": "files_list" } & FileList;

/**
 * What a goal answers after one revision and not after another.
 */
export type GoalDifference = { goal: string, 
/**
 * Answers after the revision `to` only, as many as fit.
 */
gained: Array<string>, 
/**
 * Answers after the revision `from` only, as many as fit.
 */
lost: Array<string>, 
/**
 * How many of both did not fit.
 */
leftOut?: number, 
/**
 * Why there may be more answers after `from`; then none counts as gained.
 */
unknownBefore?: string, 
/**
 * Why there may be more answers after `to`; then none counts as lost.
 */
unknownAfter?: string, };

export type ImportStatus = "success" | "partial" | "failed";

/**
 * An error in a node.
 */
export type NodeError = { kind: WorkflowFaultKind, message: string, 
/**
 * In the node's code, from 1.
 */
line: number | null, };

/**
 * A query that can be asked for more.
 */
export type OpenQuery = { query_id: string, query: string, 
/**
 * How many it has given.
 */
solutions: number, 
/**
 * For how long nobody has asked it, in milliseconds.
 */
idle_ms: number, };

/**
 * The answers of one call.
 */
export type QueryAnswers = { query_id: string, 
/**
 * The query's variables, in order; only when it starts.
 */
variables?: Array<string>, 
/**
 * How many clauses hold for this query only; only when it starts.
 */
assumed?: number, answers: Array<AnswerValues>, 
/**
 * Whether more may follow.
 */
more: boolean, 
/**
 * The tool that returns the rest, if more may follow.
 */
next?: string, 
/**
 * How many answers of this call did not fit in the reply (limit: `reply_tokens`); the next call returns
 * them.
 */
left_out?: number, 
/**
 * What was written after the last answer.
 */
output?: string, 
/**
 * The nearest reason why there is no answer, or why a goal within another one has none.
 */
hint?: string, 
/**
 * What the query changed in the book, if anything.
 */
changes?: Changes, 
/**
 * The error that ended the answers, if any.
 */
error?: Fault, };

export type QueryClose = { status: CloseStatus, query_id?: string, };

export type QueryCloseResult = { "type": "query_close" } & QueryClose;

export type QueryMode = "engine" | "standard";

/**
 * A query that has not been asked for answers yet.
 */
export type QueryReady = { query_id: string, mode: QueryMode, status: Ready, 
/**
 * The query's variables, in order.
 */
variables: Array<string>, 
/**
 * How many clauses hold for this query only.
 */
assumed?: number, 
/**
 * If `mode` is `engine`.
 */
engine_ready?: boolean, };

export type QueryStartResult = QueryReady | QueryAnswers;

export type Ready = "ready";

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
 * The status of a run.
 */
export type RunState = "running" | "waiting" | "failed" | "ended" | "cancelled" | "interrupted";

/**
 * The tools that run a workflow.
 */
export type RunTool = "workflow_run" | "workflow_resume";

export type Success = "success";

/**
 * The data that each tool returns, by name. Tools not listed return an object of any shape.
 */
export type ToolResults = { clauses: ClausesResult, files: FilesResult, workspace: WorkspaceResult, query_start: QueryStartResult, query_next: QueryAnswers, query_close: QueryCloseResult, dml_run: DmlRunResult, workflow_run: WorkflowResult, workflow_resume: WorkflowResult, workflow_runs: WorkflowRunsResult, };

export type UnimportStatus = "success" | "not_found" | "failed";

/**
 * Something that a run waits for.
 */
export type WorkflowInterrupt = { 
/**
 * Names it to whoever answers.
 */
id: string, node: string, when: WorkflowInterruptWhen, 
/**
 * What the Prolog of the node asks.
 */
question: unknown, 
/**
 * When it goes on by itself, in milliseconds since 1970.
 */
until_ms?: number, 
/**
 * The name of the signal.
 */
signal?: string, };

/**
 * Where or for what a run waits.
 */
export type WorkflowInterruptWhen = "before" | "after" | "question" | "time" | "signal";

/**
 * A run, as far as it got.
 */
export type WorkflowResult = { type: RunTool, run: string, status: RunState, 
/**
 * Where it waits or failed.
 */
node?: string, 
/**
 * What it waits for, if that is more than the answer at one node.
 */
interrupts?: Array<WorkflowInterrupt>, 
/**
 * Why it failed.
 */
error?: NodeError, 
/**
 * Goals of nodes that failed, and so gave nothing.
 */
failed?: string, 
/**
 * What its nodes wrote, or the beginning of it.
 */
output?: string, 
/**
 * How to continue.
 */
next?: string, state: Record<string, unknown>, 
/**
 * Members that do not fit, with their lengths in characters.
 */
left_out?: { [key in string]: number }, };

/**
 * One run: its state, at a checkpoint if one was asked for.
 */
export type WorkflowRunDetails = { run: string, status: RunState, 
/**
 * The latest checkpoints, each as its number, what it is, and its node; absent if keys were asked for.
 */
checkpoints?: Array<string>, state: Record<string, unknown>, 
/**
 * Members that do not fit, with their lengths in characters.
 */
left_out?: { [key in string]: number }, };

/**
 * A run in a list.
 */
export type WorkflowRunItem = { run: string, status: RunState, 
/**
 * Where it waits or failed.
 */
node?: string, 
/**
 * The name of its workflow.
 */
workflow?: string, };

/**
 * Latest runs first.
 */
export type WorkflowRunList = { runs: Array<WorkflowRunItem>, 
/**
 * How many older runs there are.
 */
left_out?: number, };

/**
 * The runs of the book, or one of them.
 */
export type WorkflowRunsResult = { "type": "workflow_runs" } & WorkflowRunList | { "type": "workflow_runs" } & WorkflowRunDetails;

/**
 * A constraint of the book.
 */
export type WorkspaceConstraint = { 
/**
 * The directive.
 */
constraint: string, 
/**
 * Where it is, `file:line`.
 */
place?: string, 
/**
 * The messages of what violates it now.
 */
violated: Array<string>, 
/**
 * Why they are not all known: the error of its goal.
 */
error?: string, };

export type WorkspaceDiff = { from: number, to: number, 
/**
 * Hunks in unified format, as much as fits.
 */
diff: string, linesAdded: number, linesRemoved: number, 
/**
 * Whether `diff` was cut.
 */
truncated: boolean, 
/**
 * Whether long runs of repeated lines are shown as changed in whole.
 */
coarse?: boolean, 
/**
 * If goals were given: what each of them answers otherwise, as many as fit.
 */
goals?: Array<GoalDifference>, 
/**
 * How many goals did not fit.
 */
goalsLeftOut?: number, };

export type WorkspaceHistory = { 
/**
 * Newest first, as many as fit.
 */
revisions: Array<RevisionInfo>, 
/**
 * How many older revisions there are.
 */
older: number, 
/**
 * The number of the book's last revision.
 */
revision: number, 
/**
 * How many operations can be undone and redone.
 */
undoable: number, redoable: number, 
/**
 * Where older revisions are: `to` of the next call.
 */
to?: number, };

export type WorkspaceProvenance = { 
/**
 * What was asked about.
 */
of: string, 
/**
 * As many as fit.
 */
clauses: Array<ClauseOrigin>, 
/**
 * How many clauses there are.
 */
total: number, 
/**
 * The event that made the predicate known.
 */
known: Event | null, 
/**
 * Where the list continues: `from` of the next call.
 */
from?: number, };

export type WorkspaceQueries = { queries: Array<OpenQuery>, };

export type WorkspaceReset = { status: Success, clausesRemoved: number, queriesClosed: number, };

export type WorkspaceResult = { "type": "workspace_snapshot" } & WorkspaceSnapshot | { "type": "workspace_why" } & WorkspaceWhy | { "type": "workspace_symbols" } & WorkspaceSymbols | { "type": "workspace_queries" } & WorkspaceQueries | { "type": "workspace_reset" } & WorkspaceReset | { "type": "workspace_undo" } & WorkspaceReversal | { "type": "workspace_redo" } & WorkspaceReversal | { "type": "workspace_savepoint" } & WorkspaceSavepoint | { "type": "workspace_history" } & WorkspaceHistory | { "type": "workspace_diff" } & WorkspaceDiff | { "type": "workspace_provenance" } & WorkspaceProvenance;

/**
 * The result of an undo or a redo.
 */
export type WorkspaceReversal = { status: Success, 
/**
 * How many operations were undone or redone.
 */
steps: number, 
/**
 * The new revisions, as many as fit.
 */
revisions: Array<RevisionInfo>, 
/**
 * Clauses and directives that were restored and removed.
 */
added: number, removed: number, 
/**
 * How many operations can still be undone and redone.
 */
undoable: number, redoable: number, queriesClosed: number, };

/**
 * A name for a revision, to which undo goes back.
 */
export type WorkspaceSavepoint = { name: string, revision: number, 
/**
 * The revision of the one that had this name before.
 */
movedFrom?: number, };

export type WorkspaceSnapshot = { clauseCount: number, 
/**
 * Source text, as much as fits.
 */
dump: string, 
/**
 * The character where it continues: `from` of the next call.
 */
from?: number, };

export type WorkspaceSymbols = { 
/**
 * How many predicates there are.
 */
count: number, 
/**
 * `name/arity`, as many as fit.
 */
predicates: Array<string>, 
/**
 * How many clauses each of `predicates` has.
 */
clauses: Array<number>, 
/**
 * Where the list continues: `from` of the next call.
 */
from?: number, 
/**
 * The constraints of the book, as many as fit, if the whole list was asked for.
 */
constraints?: Array<WorkspaceConstraint>, };

export type WorkspaceWhy = { holds: boolean, 
/**
 * The tree as indented lines, as much as fits.
 */
why: string, 
/**
 * The character where it continues: `from` of the next call.
 */
from?: number, };

/**
 * The data of tools that have several operations, by tool and operation.
 */
export type OperationResults = { "files import": Extract<FilesResult, { type: "file_import" }>, "files reload": Extract<FilesResult, { type: "file_import" }>, "files unimport": Extract<FilesResult, { type: "file_unimport" }>, "files list": Extract<FilesResult, { type: "files_list" }>, "workspace snapshot": Extract<WorkspaceResult, { type: "workspace_snapshot" }>, "workspace reset": Extract<WorkspaceResult, { type: "workspace_reset" }>, "workspace list_symbols": Extract<WorkspaceResult, { type: "workspace_symbols" }>, "workspace list_queries": Extract<WorkspaceResult, { type: "workspace_queries" }>, "workspace undo": Extract<WorkspaceResult, { type: "workspace_undo" }>, "workspace redo": Extract<WorkspaceResult, { type: "workspace_redo" }>, "workspace savepoint": Extract<WorkspaceResult, { type: "workspace_savepoint" }>, "workspace history": Extract<WorkspaceResult, { type: "workspace_history" }>, "workspace diff": Extract<WorkspaceResult, { type: "workspace_diff" }>, "workspace provenance": Extract<WorkspaceResult, { type: "workspace_provenance" }>, "workspace why": Extract<WorkspaceResult, { type: "workspace_why" }>, };

/**
 * What the data of any tool may contain besides its own.
 */
export type Notices = { 
/**
 * What the caller should know.
 */
notices?: Array<string>, 
/**
 * Signs that the result may not be what was intended.
 */
warnings?: Array<string>, };

/**
 * Why a tool call failed.
 */
export type Failed = { error: Fault, };

/**
 * The value of a variable.
 */
export type BoundValue = string | { text: string, json: unknown, };

/** What the tools take, by their names. */
export interface ToolArguments {
  clauses: {
    /** Prolog text */
    clauses: string | string[];
    /** the clause to replace */
    old?: string;
    operation: 'assert' | 'retract' | 'replace';
  };
  files: {
    columns?: string;
    filename?: string;
    format?: string;
    from?: number;
    operation: 'import' | 'reload' | 'unimport' | 'list';
    text?: string;
  };
  workspace: {
    /** other processes' too */
    all?: boolean;
    from?: number;
    /** name/arity or clause; list_symbols: part of name; why, diff: goals; undo: savepoint */
    of?: string;
    operation: 'snapshot' | 'reset' | 'list_symbols' | 'list_queries' | 'undo' | 'redo' | 'savepoint' | 'history' | 'diff' | 'provenance' | 'why';
    steps?: number;
    to?: number;
  };
  query_start: {
    /** clauses for this query alone */
    assume?: string | string[];
    query: string;
    query_id?: string;
    take?: number;
    timeout_ms?: number;
    use_engine?: boolean;
  };
  query_next: {
    query_id?: string;
    take?: number;
    timeout_ms?: number;
  };
  query_close: {
    query_id?: string;
  };
  dml_run: {
    code: string;
    /** by name: for the variables of agent_main, param/2 and {Name} */
    params?: Record<string, unknown>;
    timeout_ms?: number;
  };
  kn_graph: {
    action: 'add' | 'connect' | 'query' | 'update' | 'remove' | 'restore' | 'status';
    as_of?: string;
    budget?: number;
    description?: string;
    detail?: string;
    edge_type?: string;
    limit?: number;
    name?: string;
    namespace?: string;
    node_id?: string;
    node_type?: string;
    offset?: number;
    source_id?: string;
    stale?: boolean;
    supersedes?: string;
    tags?: string[];
    target_id?: string;
    text?: string;
    type?: string;
    valid_from?: string;
    valid_to?: string;
    weight?: number;
  };
  kn_project: {
    action: 'create' | 'update' | 'list' | 'log' | 'remove' | 'restore';
    action_text?: string;
    active_only?: boolean;
    budget?: number;
    goals?: string[];
    limit?: number;
    name?: string;
    next_step?: string;
    offset?: number;
    phase?: 'planning' | 'active' | 'paused' | 'done';
    project_id?: string;
    result?: string;
    set_active?: string;
    stakeholders?: string[];
    success_metrics?: string[];
    type?: 'progress' | 'failure';
  };
  kn_experience: {
    action: 'save' | 'search' | 'prune' | 'remove' | 'restore';
    as_of?: string;
    budget?: number;
    confidence?: 'high' | 'medium' | 'low';
    content?: string;
    context?: string;
    detail?: string;
    experience_id?: string;
    limit?: number;
    min_relevance?: number;
    namespace?: string;
    offset?: number;
    stale?: boolean;
    supersedes?: string;
    tags?: string[];
    text?: string;
    threshold?: number;
    type?: 'solution' | 'pattern' | 'decision' | 'workaround' | 'gotcha';
    valid_from?: string;
    valid_to?: string;
  };
  kn_idea: {
    action: 'create' | 'update' | 'list' | 'remove' | 'restore';
    budget?: number;
    category?: string;
    idea_id?: string;
    limit?: number;
    link_to?: string;
    offset?: number;
    score?: number;
    status?: 'draft' | 'evaluating' | 'approved' | 'implementing' | 'done' | 'archived';
    title?: string;
  };
  kn_intel: {
    action: 'learn' | 'recall' | 'crossref' | 'context' | 'infer' | 'related';
    as_of?: string;
    assume?: string[];
    budget?: number;
    confidence?: 'high' | 'medium' | 'low';
    content?: string;
    context?: string;
    depth?: number;
    detail?: string;
    edge_type?: string;
    goal?: string;
    keywords?: string;
    limit?: number;
    min_relevance?: number;
    namespace?: string;
    node_id?: string;
    offset?: number;
    problem?: string;
    stale?: boolean;
    supersedes?: string;
    tags?: string[];
    topic?: string;
    type?: 'solution' | 'pattern' | 'decision' | 'workaround' | 'gotcha';
    valid_from?: string;
    valid_to?: string;
  };
  workflow_run: {
    /** tokens of the reply; default 1000, at most 10000 */
    budget?: number;
    /** texts by name, for `uses` of nodes with `type: dml` or `workflow` */
    files?: Record<string, unknown>;
    /** to begin with */
    state?: Record<string, unknown>;
    yaml: string;
  };
  workflow_resume: {
    /** tokens of the reply; default 1000, at most 10000 */
    budget?: number;
    /** true: give it up for good */
    cancel?: boolean;
    /** texts by name, for `uses` of nodes with `type: dml` or `workflow` */
    files?: Record<string, unknown>;
    /** a checkpoint: begins a new run there */
    from?: number;
    /** which one `state` answers */
    interrupt?: string;
    run: string;
    /** sent first: {NAME: DATA}; without `state`, nothing else is answered */
    signals?: Record<string, unknown>;
    /** values to change first */
    state?: Record<string, unknown>;
    /** a changed text; default: that of the run */
    yaml?: string;
  };
  workflow_runs: {
    /** tokens of the reply; default 1000, at most 10000 */
    budget?: number;
    /** the state at this checkpoint */
    from?: number;
    /** of the state: only these */
    keys?: string[];
    run?: string;
  };
}
