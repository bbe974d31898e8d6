// Generated from the crates by `cargo run -p hornbook-generate`.
import type { DMLEvent } from './dml.js';
import type { Checkpoint, State } from '../workflow/state.js';

/**
 * A goal of a block that failed.
 */
export type FailedGoal = { 
/**
 * In the block, from 1.
 */
line: number, 
/**
 * In the text of the node's workflow, from 1.
 */
file_line?: number, goal: string, };

/**
 * Why a node or a run could not continue.
 */
export type WorkflowFault = { kind: WorkflowFaultKind, 
/**
 * One or two plain sentences.
 */
error: string, 
/**
 * In the node's code, from 1.
 */
line?: number, 
/**
 * In the text of the node's workflow, from 1.
 */
file_line?: number, };

/**
 * How a loop ended.
 */
export type LoopEnd = "condition" | "max_iterations";

/**
 * Where or for what a run waits.
 */
export type WorkflowInterruptWhen = "before" | "after" | "question" | "time" | "signal";

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
 * An event of a run.
 */
export type WorkflowEvent = { 
/**
 * The parallel branch it belongs to.
 */
branch?: string, } & ({ "type": "start", run: string, state: State, } | { "type": "node_start", node: string, } | { "type": "node_end", node: string, updates: State, 
/**
 * What its Prolog wrote.
 */
output?: string, 
/**
 * The goal of its Prolog that failed, so that it returned nothing.
 */
failed?: FailedGoal, 
/**
 * How its loop ended.
 */
ended_by?: LoopEnd, 
/**
 * The number of its record, if the run is stored.
 */
checkpoint?: number, } | { "type": "step_start", node: string, 
/**
 * Of its loop, from 1.
 */
round?: number, } | { "type": "step_end", node: string, round?: number, updates: State, } | { "type": "item_start", node: string, index: number, total: number, } | { "type": "item_end", node: string, index: number, done: number, total: number, 
/**
 * What it ended with instead of a result.
 */
error?: string, } | { "type": "node_event", node: string, event: DMLEvent, } | { "type": "retry", node: string, attempt: number, delay_ms: number, kind: WorkflowFaultKind, 
/**
 * One or two plain sentences.
 */
error: string, 
/**
 * In the node's code, from 1.
 */
line?: number, 
/**
 * In the text of the node's workflow, from 1.
 */
file_line?: number, } | { "type": "signal_dropped", node: string, signal: string, error: string, } | { "type": "error_held", node: string, kind: WorkflowFaultKind, 
/**
 * One or two plain sentences.
 */
error: string, 
/**
 * In the node's code, from 1.
 */
line?: number, 
/**
 * In the text of the node's workflow, from 1.
 */
file_line?: number, } | { "type": "branches_start", 
/**
 * The node whose items they are, if they are items.
 */
node?: string, branches: Array<string>, } | { "type": "branches_end", node?: string, 
/**
 * What their values of keys with reducers come to.
 */
updates?: State | undefined, } | { "type": "interrupt", interrupts: Array<WorkflowInterrupt>, state: State, checkpoint: Checkpoint, 
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
signal?: string, } | { "type": "error", node: string, state: State, raises: boolean, kind: WorkflowFaultKind, 
/**
 * One or two plain sentences.
 */
error: string, 
/**
 * In the node's code, from 1.
 */
line?: number, 
/**
 * In the text of the node's workflow, from 1.
 */
file_line?: number, } | { "type": "final", state: State, });

export type DrawnShape = "plain" | "loop" | "each" | "graph";

export type DrawnNode = { 
/**
 * `n0`, `n1` and so on.
 */
id: string, name: string, 
/**
 * Its language or its action; null if it has neither.
 */
does: string | null, shape: DrawnShape, 
/**
 * The line where it begins, from 1.
 */
line: number, };

export type DrawnEdgeKind = "next" | "branch" | "error";

export type DrawnEdge = { 
/**
 * The id of a node, or `start`.
 */
from: string, 
/**
 * The id of a node, or `finish`.
 */
to: string, 
/**
 * Its condition; empty if it has none.
 */
label: string, kind: DrawnEdgeKind, };

/**
 * The picture of a workflow.
 */
export type Drawing = { 
/**
 * In the order of the text, without the start and the end.
 */
nodes: Array<DrawnNode>, edges: Array<DrawnEdge>, };

/**
 * What code is for.
 */
export type CodePart = "run" | "condition" | "reducer";

/**
 * Code of a node or a step, or a goal.
 */
export type NodeCode = { 
/**
 * The name of the node, or `NODE.STEP`; within the workflow of a node, `NODE/INNER`. Of a reducer, the key.
 */
node: string, part: CodePart, 
/**
 * `prolog`, `python`, `lua` or `javascript`.
 */
language: string, code: string, 
/**
 * The line of its first character in the text of the workflow, from 1.
 */
line: number, 
/**
 * The column of that character, from 0.
 */
column: number, };

export type RunStatus = "running" | "waiting" | "failed" | "ended" | "cancelled";

/**
 * What a run was forked from.
 */
export type RunOrigin = { run: string, checkpoint: number, };

/**
 * A run stored in a book.
 */
export type KeptRun = { run: string, workflow?: string, status: RunStatus, 
/**
 * It is `running`, but nothing runs it: its process has ended. It can be resumed.
 */
interrupted: boolean, 
/**
 * Where it waits or failed.
 */
node?: string, 
/**
 * Milliseconds since 1970.
 */
begun_ms: number, 
/**
 * When it goes on by itself, if it waits for a time; in milliseconds since 1970.
 */
due_ms?: number, 
/**
 * The signals that it waits for.
 */
signals?: Array<string>, 
/**
 * Set if it is a fork.
 */
from?: RunOrigin, };

/**
 * One of a run's records.
 */
export type KeptCheckpoint = { number: number, 
/**
 * Milliseconds since 1970.
 */
at_ms: number, 
/**
 * `base`, `step`, `tried`, `node`, `forked`, `joined`, `waits`, `asks`, `resumed`, `answered`, `arrived`, `failed`,
 * `ended` or `cancelled`.
 */
what: "base" | "step" | "tried" | "node" | "forked" | "joined" | "waits" | "asks" | "resumed" | "answered" | "arrived" | "failed" | "ended" | "cancelled", 
/**
 * The node or the step.
 */
node?: string, 
/**
 * Whether it belongs to a parallel branch.
 */
branch: boolean, };

/**
 * What went wrong: the language of the code that did, or another cause.
 */
export type WorkflowFaultKind = "prolog" | "timeout" | "sandbox" | "python" | "lua" | "javascript" | "action" | "dml" | "template" | "state" | "graph" | "engine" | "book" | "cancelled";

/**
 * Why a run cannot be resumed.
 */
export type ResumeErrorKind = "no_such_run" | "several_interrupts" | "not_waiting" | "running" | "ended" | "changed_text" | "invalid_argument";
