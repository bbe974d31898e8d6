// Generated from the crates by `cargo run -p hornbook-generate`.

/**
 * One event of a run. Nothing follows `finished` or `error`. `output` is for the user, `log` for whoever watches;
 * `answer` is the result; `stream` has the text of a model in pieces, the last one empty and `done`.
 */
export type DMLEvent = { "type": "output", content: string, } | { "type": "stream", content: string, done: boolean, } | { "type": "log", content: string, } | { "type": "answer", content: string, } | { "type": "input_required", prompt: string, } | { "type": "tool_call", tool: string, args: Record<string, unknown>, } | { "type": "usage", 
/**
 * In dollars, where the model has a price.
 */
cost?: number, inputTokens: number, outputTokens: number, } | { "type": "trace" } & Traced | { "type": "error", content: string, 
/**
 * Line from 1 and column from 0, for what is wrong with the program's text.
 */
line?: number, column?: number, } | { "type": "finished", success: boolean, usage: Usage, 
/**
 * In dollars, where models have prices.
 */
cost?: number, };

/**
 * One thing that happened, and when.
 */
export type Traced = { 
/**
 * Milliseconds since the run began.
 */
at: number, 
/**
 * The line of the program, from 1, at which the goal stands that this is of, or the task or the tool within which it
 * happened; absent where that is not known.
 */
line?: number, } & ({ "step": "task", id: number, under: number, text: string, outputs: Array<WantedOutput>, 
/**
 * The conversation that the model gets first: what the program remembers, and the task.
 */
messages: Array<Message>, } | { "step": "turn", under: number, text: string, calls: Required<ToolCall>[], usage: Usage | null, 
/**
 * It was said to the same request before, and kept.
 */
cached?: boolean, } | { "step": "call", id: number, under: number, tool: string, args: unknown, } | { "step": "concurrent", id: number, under: number, goals: number, } | { "step": "input", id: number, under: number, prompt: string, } | { "step": "output", under: number, content: string, } | { "step": "log", under: number, content: string, } | { "step": "answer", under: number, content: string, } | { "step": "ended", id: number, 
/**
 * Milliseconds that it took.
 */
took: number, } & ({ "result": unknown } | { "failure": string }) | { "step": "undone", ids: Array<number>, });

/**
 * One thing that happened. `under` is the step within which it happened: a task, a call of a tool of the program's, or 0,
 * the program itself. A step with an `id` has `ended` later, with a result or with a failure. `undone`: the program went
 * back to before these steps; what they bound and what is remembered of them is gone, what they did outside stays done.
 */
export type Trace = { "step": "task", id: number, under: number, text: string, outputs: Array<WantedOutput>, 
/**
 * The conversation that the model gets first: what the program remembers, and the task.
 */
messages: Array<Message>, } | { "step": "turn", under: number, text: string, calls: Required<ToolCall>[], usage: Usage | null, 
/**
 * It was said to the same request before, and kept.
 */
cached?: boolean, } | { "step": "call", id: number, under: number, tool: string, args: unknown, } | { "step": "concurrent", id: number, under: number, goals: number, } | { "step": "input", id: number, under: number, prompt: string, } | { "step": "output", under: number, content: string, } | { "step": "log", under: number, content: string, } | { "step": "answer", under: number, content: string, } | { "step": "ended", id: number, 
/**
 * Milliseconds that it took.
 */
took: number, } & ({ "result": unknown } | { "failure": string }) | { "step": "undone", ids: Array<number>, };

/**
 * A variable that a task is to bind, and its type.
 */
export type WantedOutput = { name: string, type: string, };

/**
 * Tokens.
 */
export type Usage = { inputTokens: number, outputTokens: number, };

export type Role = "system" | "user" | "assistant" | "tool";

/**
 * One message of a conversation.
 */
export type Message = { role: Role, content: string, 
/**
 * Of an assistant: the calls it made.
 */
calls?: Required<ToolCall>[], 
/**
 * Of a tool: the id and the tool of the call that `content` is the result of.
 */
callId?: string, tool?: string, };

/**
 * A tool that a model calls.
 */
export type ToolCall = { 
/**
 * Empty where the model gives none.
 */
id?: string, tool: string, args: unknown, };

/**
 * A tool as a model sees it.
 */
export type ModelTool = { name: string, description: string, 
/**
 * A JSON Schema of type `object`.
 */
parameters: Record<string, unknown>, };

/**
 * What a model gets for one turn.
 */
export type ModelRequest = { messages: Array<Message>, tools: Array<ModelTool>, streaming: boolean, 
/**
 * Which model, by the host's name for it; the run's own where there is none.
 */
model?: string, temperature?: number, };

/**
 * What a model says in one turn. Null is as nothing.
 */
export type Turn = { text?: string, calls?: Array<ToolCall>, usage?: Usage | null, 
/**
 * It was said to the same request before, and costs nothing. Hornbook sets it.
 */
cached?: boolean, };

/**
 * Why there is no turn.
 */
export type ModelFailure = { message: string, 
/**
 * It may go well when it is tried again.
 */
transient: boolean, 
/**
 * There is no model, or none that lets itself be asked: no other question would go better.
 */
unreachable: boolean, 
/**
 * It was not asked: that might have cost more than the run may.
 */
too_dear?: boolean, };

export type PlainMessage = { role: Role, content: string, };

/**
 * What a model without tools gets: the tools stand in the first message, and its reply is one JSON object.
 */
export type PlainRequest = { 
/**
 * The instructions first, then user and assistant in turn.
 */
messages: Array<PlainMessage>, 
/**
 * The JSON Schema of the reply.
 */
schema: Record<string, unknown>, };

export type PolicyMode = "whitelist" | "blacklist";

/**
 * Which tools of the host's may be called, by names in which `*` stands for anything.
 */
export type ToolPolicy = { mode: PolicyMode, tools: Array<string>, };

/**
 * Something that a run of a program is given by name.
 */
export type Parameter = { name: string, 
/**
 * Whether there is no run without it.
 */
required: boolean, 
/**
 * The type as the program writes it, `integer` or `select(json,csv)`, if it does.
 */
type?: string, description?: string, 
/**
 * What it is where it is not given.
 */
default?: unknown, 
/**
 * A JSON Schema of its values, where it has a type.
 */
schema: Record<string, unknown>, };

/**
 * Something that is wrong with a program's text.
 */
export type Finding = { 
/**
 * From 1.
 */
line: number, 
/**
 * From 0.
 */
column: number, 
/**
 * A plain sentence.
 */
message: string, };

/**
 * A program, without running it.
 */
export type Inspected = { 
/**
 * In the order of the text.
 */
findings: Array<Finding>, parameters: Array<Parameter>, };

export type FileOperation = "read" | "write" | "append" | "exists" | "list";

/**
 * Which models are asked, and how.
 */
export type Choice = { 
/**
 * By the host's names for them: the first one that can be reached. None: the run's own.
 */
models?: Array<string>, temperature?: number, };

/**
 * What a model takes, in dollars for a million tokens.
 */
export type Price = { 
/**
 * For tokens that go in.
 */
input: number, 
/**
 * For tokens that come out.
 */
output: number, };

/**
 * What is asked of the book.
 */
export type BookUse = { "operation": "ask", goal: string, variables: number, } | { "operation": "more", query: string, } | { "operation": "close", query: string, };

/**
 * What the book says: an answer, or an error, or neither where there is no answer.
 */
export type BookReply = { 
/**
 * The values of the variables: a term `Values-Residual` as text, `Values` a list, `Residual` the goals that hold of them.
 */
answer?: string, 
/**
 * By which more answers are asked for, where there may be some.
 */
query?: string, error?: BookError, 
/**
 * What the goal wrote.
 */
output?: string, 
/**
 * That it took.
 */
inferences?: number, };

export type BookError = { 
/**
 * As in the replies of tools, as `unsafe_goal`; or `not_allowed`.
 */
kind: string, message: string, };

/**
 * What a run began with.
 */
export type RecordStart = { version: number, code: string, params: { [key in string]: unknown }, args: Array<unknown>, 
/**
 * Of the program's random numbers.
 */
seed: number, 
/**
 * Whether a model might ask the user.
 */
asks: boolean, 
/**
 * Whether it had a folder.
 */
files: boolean, 
/**
 * By the host's names for them: the first one that can be reached. None: the run's own.
 */
models?: Array<string>, temperature?: number, };

/**
 * One thing that came to a run from outside. The first has the kind `run`, the last `end` or `stopped`.
 */
export type RecordEntry = { "kind": "run" } & RecordStart | { "kind": "clock", readings: Array<string>, } | { "kind": "model", 
/**
 * The text as it came, where it was streamed.
 */
pieces?: Array<string>, 
/**
 * The beginning of its last message, for people.
 */
last: string, 
/**
 * Of all its messages and tools, and of which model it asks and how, where it says so.
 */
digest: string, } & ({ "turn": Turn } | { "failure": ModelFailure }) | { "kind": "tool", tool: string, args: unknown, } & ({ "result": unknown } | { "error": string }) | { "kind": "file", operation: FileOperation, 
/**
 * As the program has it.
 */
path: string, 
/**
 * What is written.
 */
text?: string, } & ({ "result": unknown } | { "missing": string } | { "refused": string }) | { "kind": "book", reply: BookReply, } & ({ "operation": "ask", goal: string, variables: number, } | { "operation": "more", query: string, } | { "operation": "close", query: string, }) | { "kind": "user", prompt: string, } & ({ "result": unknown } | { "error": string }) | { "kind": "stopped", message: string, request?: number | null, } | { "kind": "end" };

/**
 * What the host of a run says of it; all of it may be left out.
 */
export type RunSettings = { 
/**
 * By name: for the variables of `agent_main`, `param/2,3` and `{Name}`.
 */
params?: { [key in string]: unknown }, 
/**
 * By position, for `agent_main`.
 */
args?: Array<unknown>, 
/**
 * What the history of the book calls the program, where it may use the book. Default: `program`.
 */
name?: string, 
/**
 * Have the text of models as `stream` events. Default: false.
 */
streaming?: boolean, 
/**
 * Have what happens as a tree, too, in `trace` events. Default: false.
 */
trace?: boolean, 
/**
 * Inferences of the program and its tools. Default: no limit.
 */
gasLimit?: number, 
/**
 * Milliseconds for the run, without the time of the user. Default: the limit `run_ms`.
 */
timeoutMs?: number, 
/**
 * Milliseconds that the program may compute between two requests. Default: the limit `run_step_ms`.
 */
stepTimeoutMs?: number, 
/**
 * Default: no limit.
 */
maxModelCalls?: number, 
/**
 * Tokens that go in and come out, together. Default: no limit.
 */
maxTokens?: number, 
/**
 * Default: no limit.
 */
maxToolCalls?: number, 
/**
 * Dollars that the models may take, by `prices`. The call that might pass it raises `cost_error(Message)` in the
 * program, and the next such call ends the run. Default: no limit.
 */
maxCost?: number, 
/**
 * By the names that the host has for its models; `*` is that of all others.
 */
prices?: { [key in string]: Price }, 
/**
 * Turns of the model in one task. Default: the limit `task_turns`.
 */
maxTurns?: number, 
/**
 * By the names that the host has for its models: the first one that can be reached is asked, where the program names
 * none. Default: the run's own model.
 */
models?: Array<string>, 
/**
 * Of the models, where the program sets none. Default: theirs.
 */
temperature?: number, 
/**
 * A recording. What it has is not asked of the model, the tools and the user again; where it was cut off, the run
 * goes on with them. `params` and `args` are those of the recording, unless they are given.
 */
replay?: Array<RecordEntry>, };

export const RUN_SETTINGS = ["params", "args", "name", "streaming", "trace", "gasLimit", "timeoutMs", "stepTimeoutMs", "maxModelCalls", "maxTokens", "maxToolCalls", "maxCost", "prices", "maxTurns", "models", "temperature", "replay"] as const satisfies (keyof RunSettings)[];
