// Generated from the crates by `cargo run -p hornbook-generate`.
import type { Checkpoint, State } from '../workflow/state.js';

/**
 * A goal of a block that failed.
 */
export type FailedGoal = { 
/**
 * From 1, in the block.
 */
line: number, goal: string, };

/**
 * Why a node, or a run, did not go on.
 */
export type WorkflowFault = { kind: WorkflowFaultKind, 
/**
 * A plain sentence or two.
 */
error: string, 
/**
 * In the code of the node, from 1.
 */
line?: number, };

/**
 * What a run tells.
 */
export type WorkflowEvent = { 
/**
 * The branch of a parallel part that it is of.
 */
branch?: string, } & ({ "type": "start", run: string, state: State, } | { "type": "node_start", node: string, } | { "type": "node_end", node: string, updates: State, 
/**
 * What its Prolog wrote.
 */
output?: string, 
/**
 * The goal of its Prolog that failed, so that it gave nothing.
 */
failed?: FailedGoal, 
/**
 * The number of its record, where the run is kept.
 */
checkpoint?: number, } | { "type": "retry", node: string, attempt: number, delay_ms: number, kind: WorkflowFaultKind, 
/**
 * A plain sentence or two.
 */
error: string, 
/**
 * In the code of the node, from 1.
 */
line?: number, } | { "type": "error_held", node: string, kind: WorkflowFaultKind, 
/**
 * A plain sentence or two.
 */
error: string, 
/**
 * In the code of the node, from 1.
 */
line?: number, } | { "type": "branches_start", 
/**
 * The node whose items they are, where they are items.
 */
node?: string, branches: Array<string>, } | { "type": "branches_end", node?: string, } | { "type": "interrupt", node: string, when: "before" | "after", state: State, checkpoint: Checkpoint, } | { "type": "error", node: string, state: State, raises: boolean, kind: WorkflowFaultKind, 
/**
 * A plain sentence or two.
 */
error: string, 
/**
 * In the code of the node, from 1.
 */
line?: number, } | { "type": "final", state: State, });

export type DrawnShape = "plain" | "loop" | "each";

export type DrawnNode = { 
/**
 * `n0`, `n1` and so on.
 */
id: string, name: string, 
/**
 * Its language or its action; null where it has neither.
 */
does: string | null, shape: DrawnShape, 
/**
 * Where it begins in the text, from 1.
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
 * Its condition; empty where it has none.
 */
label: string, kind: DrawnEdgeKind, };

/**
 * What a picture of a workflow shows.
 */
export type Drawing = { 
/**
 * In the order of the text; without the start and the end.
 */
nodes: Array<DrawnNode>, edges: Array<DrawnEdge>, };

export type RunStatus = "running" | "waiting" | "failed" | "ended";

/**
 * Where the run began that is the fork of another.
 */
export type RunOrigin = { run: string, checkpoint: number, };

/**
 * A run that a book keeps.
 */
export type KeptRun = { run: string, workflow?: string, status: RunStatus, 
/**
 * It is `running`, and nothing runs it: its process has ended. It can be resumed.
 */
interrupted: boolean, 
/**
 * Where it waits or has failed.
 */
node?: string, 
/**
 * Milliseconds since 1970.
 */
begun_ms: number, 
/**
 * It is a fork of this.
 */
from?: RunOrigin, };

/**
 * What a run did: a record of it.
 */
export type KeptCheckpoint = { number: number, 
/**
 * Milliseconds since 1970.
 */
at_ms: number, 
/**
 * `base`, `step`, `tried`, `node`, `forked`, `joined`, `waits`, `resumed`, `failed` or `ended`.
 */
what: "base" | "step" | "tried" | "node" | "forked" | "joined" | "waits" | "resumed" | "failed" | "ended", 
/**
 * The node or the step.
 */
node?: string, 
/**
 * It is one of a parallel branch.
 */
branch: boolean, };

/**
 * What went wrong: the language of the code that did, or another cause.
 */
export type WorkflowFaultKind = "prolog" | "timeout" | "sandbox" | "python" | "lua" | "javascript" | "action" | "dml" | "template" | "state" | "graph" | "engine" | "book";
