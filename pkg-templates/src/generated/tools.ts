// Generated from the crates by `cargo run -p hornbook-generate`.
import type { WorkflowFaultKind } from './workflow.js';

/**
 * An answer: the values of the variables by their names, each a [`BoundValue`]. `residual` and `output` cannot be names
 * of variables.
 */
export type AnswerValues = Record<string, unknown> & { residual?: string[], output?: string };

/**
 * Clauses of the book that came and went, and changes that were taken back because the query had an error or no answer.
 */
export type Changes = { added: number, removed: number, undone: number, };

export type ClauseFailure = { 
/**
 * Which clause of the call it is, from 1.
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
line?: number, added: Event, 
/**
 * For what is not in the book any more.
 */
removed?: Event, };

/**
 * Of `clauses`: what went well is counted, what failed is listed.
 */
export type ClausesResult = { 
/**
 * `assert`, `retract` or `replace`.
 */
operation: string, succeeded: number, failed: number, 
/**
 * As many as there was room for.
 */
failures?: Array<ClauseFailure>, 
/**
 * The clauses that went, as they were written; as many as there was room for.
 */
removed?: Array<string>, 
/**
 * What to do next, where something failed.
 */
next?: string, };

export type CloseStatus = "closed" | "no_active_session";

export type DmlRun = { status: DmlStatus, 
/**
 * What the program wrote, as much as there was room for.
 */
output: Array<string>, 
/**
 * What it logged, as much as there was room for.
 */
log: Array<string>, 
/**
 * Of what there was no room for, a sentence each.
 */
left_out?: Array<string>, answer?: string, error?: Fault, };

/**
 * What `dml_run` gives as data.
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
 * `assert`, `retract`, `import`, `unimport`, `initialization`, `query`, `cells`, `reset`, `undo` or
 * `redo`.
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
 * What a capability did to its cells, `room: action`.
 */
action?: string, 
/**
 * The revision that was undone or redone, and its operation.
 */
of?: number, };

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
 * The kinds of [`Fault`]. The first twelve are the engine's (`docs/engine-protocol.md`).
 */
export type FaultKind = "syntax_error" | "unsafe_goal" | "existence_error" | "type_error" | "domain_error" | "instantiation_error" | "evaluation_error" | "permission_error" | "representation_error" | "resource_error" | "uncaught_exception" | "halted" | "timeout" | "cancelled" | "no_such_query" | "query_id_in_use" | "limit_reached" | "file_error" | "file_path_violation" | "already_imported" | "not_imported" | "nothing_to_undo" | "nothing_to_redo" | "no_such_revision" | "out_of_memory" | "too_deep" | "engine_halted" | "engine_ended" | "engine_died" | "bad_reply" | "engine_unavailable" | "storage_error" | "conflict" | "read_only" | "invalid_argument" | "program_error";

export type FileImport = { filename: string, clausesAdded: number, status: ImportStatus, 
/**
 * `line:column: message`, one for each clause that was not added, and for each failed `initialization/1`; as many as
 * there was room for.
 */
errors: Array<string>, 
/**
 * How many errors there are, where the file was read.
 */
failed?: number, 
/**
 * What `initialization/1` goals wrote.
 */
output?: string, 
/**
 * Why the file was not read.
 */
error?: Fault, };

export type FileInfo = { filename: string, clauseCount: number, 
/**
 * When it was imported, milliseconds since 1970.
 */
timestamp: number, };

export type FileList = { 
/**
 * As many as there was room for.
 */
files: Array<FileInfo>, 
/**
 * How many there are.
 */
count: number, 
/**
 * Where the list goes on: `from` of the next call.
 */
from?: number, };

export type FileUnimport = { filename: string, clausesRemoved: number, status: UnimportStatus, error?: Fault, };

export type FilesResult = { "type": "file_import" } & FileImport | { "type": "file_unimport" } & FileUnimport | { "type": "files_list" } & FileList;

export type ImportStatus = "success" | "partial" | "failed";

/**
 * What went wrong in a node.
 */
export type NodeError = { kind: WorkflowFaultKind, message: string, 
/**
 * In the code of the node, from 1.
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
 * Of the query, in its order; when it starts.
 */
variables?: Array<string>, 
/**
 * How many clauses hold for this query alone; when it starts.
 */
assumed?: number, answers: Array<AnswerValues>, 
/**
 * Whether more may follow.
 */
more: boolean, 
/**
 * What was written after the last answer.
 */
output?: string, 
/**
 * What the query changed in the book, where it did.
 */
changes?: Changes, 
/**
 * Why the answers end here, where an error ended them.
 */
error?: Fault, };

export type QueryClose = { status: CloseStatus, query_id?: string, };

export type QueryCloseResult = { "type": "query_close" } & QueryClose;

export type QueryMode = "engine" | "standard";

/**
 * A query that was not asked for answers yet.
 */
export type QueryReady = { query_id: string, mode: QueryMode, status: Ready, 
/**
 * Of the query, in its order.
 */
variables: Array<string>, 
/**
 * How many clauses hold for this query alone.
 */
assumed?: number, 
/**
 * Where `mode` is `engine`.
 */
engine_ready?: boolean, };

export type QueryStartResult = QueryReady | QueryAnswers;

export type Ready = "ready";

/**
 * A revision, with how many clauses and directives it added and removed.
 */
export type RevisionInfo = { added: number, removed: number, 
/**
 * Which other process did it, of those that share the book: the name of its client, and the id of its connection.
 */
by?: string, 
/**
 * Counted from 1.
 */
revision: number, 
/**
 * Milliseconds since 1970.
 */
timestamp: number, 
/**
 * `assert`, `retract`, `import`, `unimport`, `initialization`, `query`, `cells`, `reset`, `undo` or
 * `redo`.
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
 * What a capability did to its cells, `room: action`.
 */
action?: string, 
/**
 * The revision that was undone or redone, and its operation.
 */
of?: number, };

/**
 * How far a run is.
 */
export type RunState = "running" | "waiting" | "failed" | "ended" | "interrupted";

/**
 * The tools that run one.
 */
export type RunTool = "workflow_run" | "workflow_resume";

export type Success = "success";

/**
 * What the tools give as data, by their names. What is not listed is an object of any shape.
 */
export type ToolResults = { clauses: ClausesResult, files: FilesResult, workspace: WorkspaceResult, query_start: QueryStartResult, query_next: QueryAnswers, query_close: QueryCloseResult, dml_run: DmlRunResult, workflow_run: WorkflowResult, workflow_resume: WorkflowResult, workflow_runs: WorkflowRunsResult, };

export type UnimportStatus = "success" | "not_found" | "failed";

/**
 * A run, as far as it went.
 */
export type WorkflowResult = { type: RunTool, run: string, status: RunState, 
/**
 * Where it waits or has failed.
 */
node?: string, 
/**
 * Why it failed.
 */
error?: NodeError, 
/**
 * Goals of nodes that failed, which then gave nothing.
 */
failed?: string, 
/**
 * What its nodes have written, or the start of it.
 */
output?: string, 
/**
 * How to go on.
 */
next?: string, state: Record<string, unknown>, 
/**
 * Those that do not fit, with their lengths in characters.
 */
left_out?: { [key in string]: number }, };

/**
 * One run: its state, at a checkpoint where one was asked for.
 */
export type WorkflowRunDetails = { run: string, status: RunState, 
/**
 * The last ones, each with its number, what it is, and its node; none where keys were asked for.
 */
checkpoints?: Array<string>, state: Record<string, unknown>, 
/**
 * Those that do not fit, with their lengths in characters.
 */
left_out?: { [key in string]: number }, };

/**
 * A run in a list.
 */
export type WorkflowRunItem = { run: string, status: RunState, 
/**
 * Where it waits or has failed.
 */
node?: string, 
/**
 * The name of its workflow.
 */
workflow?: string, };

/**
 * The latest runs first.
 */
export type WorkflowRunList = { runs: Array<WorkflowRunItem>, 
/**
 * How many older ones there are.
 */
left_out?: number, };

/**
 * The runs of the book, or one of them.
 */
export type WorkflowRunsResult = { "type": "workflow_runs" } & WorkflowRunList | { "type": "workflow_runs" } & WorkflowRunDetails;

export type WorkspaceDiff = { from: number, to: number, 
/**
 * Hunks in the unified format, as much as there was room for.
 */
diff: string, linesAdded: number, linesRemoved: number, 
/**
 * Whether `diff` ends early.
 */
truncated: boolean, 
/**
 * Whether long stretches of repeated lines are shown as changed as a whole.
 */
coarse?: boolean, };

export type WorkspaceHistory = { 
/**
 * The newest first, as many as there was room for.
 */
revisions: Array<RevisionInfo>, 
/**
 * How many there are before these.
 */
older: number, 
/**
 * The number of the last revision of the book.
 */
revision: number, 
/**
 * How many operations can be undone, and redone.
 */
undoable: number, redoable: number, 
/**
 * Where older ones are: `to` of the next call.
 */
to?: number, };

export type WorkspaceProvenance = { 
/**
 * What was asked for.
 */
of: string, 
/**
 * As many as there was room for.
 */
clauses: Array<ClauseOrigin>, 
/**
 * How many there are.
 */
total: number, 
/**
 * What made the predicate known that was asked for.
 */
known: Event | null, 
/**
 * Where the list goes on: `from` of the next call.
 */
from?: number, };

export type WorkspaceQueries = { queries: Array<OpenQuery>, };

export type WorkspaceReset = { status: Success, clausesRemoved: number, queriesClosed: number, };

export type WorkspaceResult = { "type": "workspace_snapshot" } & WorkspaceSnapshot | { "type": "workspace_why" } & WorkspaceWhy | { "type": "workspace_symbols" } & WorkspaceSymbols | { "type": "workspace_queries" } & WorkspaceQueries | { "type": "workspace_reset" } & WorkspaceReset | { "type": "workspace_undo" } & WorkspaceReversal | { "type": "workspace_redo" } & WorkspaceReversal | { "type": "workspace_history" } & WorkspaceHistory | { "type": "workspace_diff" } & WorkspaceDiff | { "type": "workspace_provenance" } & WorkspaceProvenance;

/**
 * What an undo or a redo did.
 */
export type WorkspaceReversal = { status: Success, 
/**
 * How many operations were undone or redone.
 */
steps: number, 
/**
 * The new revisions, as many as there was room for.
 */
revisions: Array<RevisionInfo>, 
/**
 * Clauses and directives that came back, and that went.
 */
added: number, removed: number, 
/**
 * How many operations can still be undone, and redone.
 */
undoable: number, redoable: number, queriesClosed: number, };

export type WorkspaceSnapshot = { clauseCount: number, 
/**
 * Source text, as much as there was room for.
 */
dump: string, 
/**
 * At which character it goes on: `from` of the next call.
 */
from?: number, };

export type WorkspaceSymbols = { 
/**
 * How many predicates there are.
 */
count: number, 
/**
 * `name/arity`, as many as there was room for.
 */
predicates: Array<string>, 
/**
 * How many clauses each of `predicates` has.
 */
clauses: Array<number>, 
/**
 * Where the list goes on: `from` of the next call.
 */
from?: number, };

export type WorkspaceWhy = { holds: boolean, 
/**
 * The tree as indented lines, as much as there was room for.
 */
why: string, 
/**
 * At which character it goes on: `from` of the next call.
 */
from?: number, };

/**
 * What the tools give that do several things, by the tool and the operation.
 */
export type OperationResults = { "files import": Extract<FilesResult, { type: "file_import" }>, "files unimport": Extract<FilesResult, { type: "file_unimport" }>, "files list": Extract<FilesResult, { type: "files_list" }>, "workspace snapshot": Extract<WorkspaceResult, { type: "workspace_snapshot" }>, "workspace reset": Extract<WorkspaceResult, { type: "workspace_reset" }>, "workspace list_symbols": Extract<WorkspaceResult, { type: "workspace_symbols" }>, "workspace list_queries": Extract<WorkspaceResult, { type: "workspace_queries" }>, "workspace undo": Extract<WorkspaceResult, { type: "workspace_undo" }>, "workspace redo": Extract<WorkspaceResult, { type: "workspace_redo" }>, "workspace history": Extract<WorkspaceResult, { type: "workspace_history" }>, "workspace diff": Extract<WorkspaceResult, { type: "workspace_diff" }>, "workspace provenance": Extract<WorkspaceResult, { type: "workspace_provenance" }>, "workspace why": Extract<WorkspaceResult, { type: "workspace_why" }>, };

/**
 * What the data of any tool may have beside its own.
 */
export type Beside = { 
/**
 * What the caller should know.
 */
notices?: Array<string>, 
/**
 * What is perhaps not what was meant.
 */
warnings?: Array<string>, };

/**
 * Why a tool did not do what it was asked.
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
    /** the clause that goes */
    old?: string;
    operation: 'assert' | 'retract' | 'replace';
  };
  files: {
    filename?: string;
    from?: number;
    operation: 'import' | 'unimport' | 'list';
    /** import: contents */
    text?: string;
  };
  workspace: {
    /** other processes' too */
    all?: boolean;
    from?: number;
    /** name/arity or clause; list_symbols: part of a name; why: goal */
    of?: string;
    operation: 'snapshot' | 'reset' | 'list_symbols' | 'list_queries' | 'undo' | 'redo' | 'history' | 'diff' | 'provenance' | 'why';
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
    action: 'add' | 'connect' | 'query' | 'remove' | 'restore' | 'status';
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
    action: 'create' | 'update' | 'list' | 'log';
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
    action: 'create' | 'update' | 'list';
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
    /** texts by name, of nodes with `type: dml, uses: NAME` */
    files?: Record<string, unknown>;
    /** to begin with */
    state?: Record<string, unknown>;
    yaml: string;
  };
  workflow_resume: {
    /** tokens of the reply; default 1000, at most 10000 */
    budget?: number;
    /** texts by name, of nodes with `type: dml, uses: NAME` */
    files?: Record<string, unknown>;
    /** a checkpoint: begins a new run there */
    from?: number;
    run: string;
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
