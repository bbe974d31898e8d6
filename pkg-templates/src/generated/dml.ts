// Generated from the crates by `cargo run -p hornbook-generate`.

/**
 * An event of a run. Nothing follows `finished` or `error`. `output` is for the user, `log` for those who
 * watch the run; `answer` is the result; `stream` is a piece of a model's text, the last one empty and
 * `done`.
 */
export type DMLEvent = { "type": "output", content: string, } | { "type": "stream", content: string, done: boolean, 
/**
 * The turn failed and is tried again: forget its pieces so far.
 */
void?: boolean, } | { "type": "log", content: string, } | { "type": "answer", content: string, 
/**
 * The answer itself, if it is a list or a dict.
 */
value?: unknown, } | { "type": "input_required", prompt: string, } | { "type": "tool_call", tool: string, args: Record<string, unknown>, } | { "type": "usage", 
/**
 * In dollars, if the model has a price.
 */
cost?: number, inputTokens: number, outputTokens: number, } | { "type": "trace" } & Traced | { "type": "error", content: string, 
/**
 * Line from 1 and column from 0, for errors in the program's text.
 */
line?: number, column?: number, } | { "type": "finished", success: boolean, usage: Usage, 
/**
 * In dollars, if models have prices.
 */
cost?: number, 
/**
 * Without success: `agent_main` may have failed because of this outage, a plain sentence.
 */
outage?: string, };

/**
 * Something that happened, and when.
 */
export type Traced = { 
/**
 * Milliseconds since the run began.
 */
at: number, 
/**
 * The line of the program, from 1, of the goal this belongs to, or of the task or tool call it happened
 * in; absent if unknown.
 */
line?: number, } & ({ "step": "task", id: number, under: number, text: string, outputs: Array<WantedOutput>, 
/**
 * The start of the conversation with the model: what the program remembers, and the task.
 */
messages: Array<Message>, } | { "step": "turn", under: number, text: string, calls: Required<ToolCall>[], usage: Usage | null, 
/**
 * Taken from the cache of earlier replies.
 */
cached?: boolean, } | { "step": "call", id: number, under: number, tool: string, args: unknown, } | { "step": "concurrent", id: number, under: number, goals: number, } | { "step": "input", id: number, under: number, prompt: string, } | { "step": "output", under: number, content: string, } | { "step": "log", under: number, content: string, } | { "step": "answer", under: number, content: string, } | { "step": "ended", id: number, 
/**
 * How long it took, in milliseconds.
 */
took: number, } & ({ "result": unknown } | { "failure": string }) | { "step": "undone", ids: Array<number>, });

/**
 * Something that happened. `under` is the step in which it happened: a task, a call of one of the program's
 * tools, or 0, the program itself. A step with an `id` later has `ended`, with a result or a failure.
 * `undone`: the program backtracked to before these steps; their bindings and what is remembered of them are
 * gone, but their effects outside remain.
 */
export type Trace = { "step": "task", id: number, under: number, text: string, outputs: Array<WantedOutput>, 
/**
 * The start of the conversation with the model: what the program remembers, and the task.
 */
messages: Array<Message>, } | { "step": "turn", under: number, text: string, calls: Required<ToolCall>[], usage: Usage | null, 
/**
 * Taken from the cache of earlier replies.
 */
cached?: boolean, } | { "step": "call", id: number, under: number, tool: string, args: unknown, } | { "step": "concurrent", id: number, under: number, goals: number, } | { "step": "input", id: number, under: number, prompt: string, } | { "step": "output", under: number, content: string, } | { "step": "log", under: number, content: string, } | { "step": "answer", under: number, content: string, } | { "step": "ended", id: number, 
/**
 * How long it took, in milliseconds.
 */
took: number, } & ({ "result": unknown } | { "failure": string }) | { "step": "undone", ids: Array<number>, };

/**
 * A variable that a task is to bind, and its type.
 */
export type WantedOutput = { name: string, type: string, };

/**
 * Token counts.
 */
export type Usage = { inputTokens: number, outputTokens: number, };

export type Role = "system" | "user" | "assistant" | "tool";

/**
 * A message of a conversation.
 */
export type Message = { role: Role, content: string, 
/**
 * The calls made; for an assistant's message.
 */
calls?: Required<ToolCall>[], 
/**
 * The id and the tool of the call whose result is `content`; for a tool's message.
 */
callId?: string, tool?: string, };

/**
 * A model's call of a tool.
 */
export type ToolCall = { 
/**
 * Empty if the model gives none.
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
 * A model's input for one turn.
 */
export type ModelRequest = { messages: Array<Message>, tools: Array<ModelTool>, streaming: boolean, 
/**
 * The host's name for the model; the run's own model if absent.
 */
model?: string, temperature?: number, 
/**
 * The most tokens that the turn may have.
 */
maxOutputTokens?: number, topP?: number, };

/**
 * Why a turn is not complete.
 */
export type Cut = "length" | "content_filter";

/**
 * What a model says in one turn. `null` counts as absent.
 */
export type Turn = { text?: string, calls?: Array<ToolCall>, usage?: Usage | null, 
/**
 * Why the model stopped, if not because its turn was complete.
 */
cut?: Cut | null, 
/**
 * Taken from the cache: it was the reply to an identical request, and costs nothing. Set by Hornbook.
 */
cached?: boolean, };

/**
 * Why there is no turn.
 */
export type ModelFailure = { message: string, 
/**
 * A retry may succeed.
 */
transient: boolean, 
/**
 * There is no model, or it cannot be reached: any other request would fail too.
 */
unreachable: boolean, 
/**
 * The model was not asked, because that might have exceeded the run's cost.
 */
too_dear?: boolean, 
/**
 * There was no turn within the time for one call.
 */
late?: boolean, 
/**
 * Milliseconds to wait before the next try, if the provider says so.
 */
retry_after_ms?: number, };

export type PlainMessage = { role: Role, content: string, };

/**
 * The input of a model without tool support: the first message describes the tools, and the reply is one
 * JSON object.
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
 * What an outage does: a model or a tool that was asked has not answered.
 */
export type Outages = "unknown" | "throw" | "fail";

/**
 * Which of the host's tools may be called. In names, `*` matches anything.
 */
export type ToolPolicy = { mode: PolicyMode, tools: Array<string>, };

/**
 * A parameter of a program, given by name.
 */
export type Parameter = { name: string, 
/**
 * Whether a run needs it.
 */
required: boolean, 
/**
 * The type as the program writes it, such as `integer` or `select(json,csv)`, if it does.
 */
type?: string, description?: string, 
/**
 * The value if none is given.
 */
default?: unknown, 
/**
 * A JSON Schema of its values, if it has a type.
 */
schema: Record<string, unknown>, };

/**
 * A problem in a program's text.
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
 * What can be known about a program without running it.
 */
export type Inspected = { 
/**
 * In the order of the text.
 */
findings: Array<Finding>, parameters: Array<Parameter>, };

export type FileOperation = "read" | "write" | "append" | "exists" | "list";

/**
 * Which models to ask, and how.
 */
export type Choice = { 
/**
 * The host's names for the models; the first that can be reached is asked. Empty: the run's own.
 */
models?: Array<string>, temperature?: number, 
/**
 * The most tokens of one turn.
 */
maxOutputTokens?: number, topP?: number, 
/**
 * How often a turn is tried again.
 */
retries?: number, 
/**
 * Milliseconds for one call of a model.
 */
callMs?: number, 
/**
 * What is done about turns that failed or were cut.
 */
on?: { [key in Trouble]?: Remedy }, };

/**
 * Why a model gave no whole turn.
 */
export type Trouble = "failed" | "late" | "length" | "content_filter";

/**
 * What is done about it.
 */
export type Remedy = "retry" | "fallback" | "outage";

/**
 * A model's price, in dollars per million tokens.
 */
export type Price = { 
/**
 * For input tokens.
 */
input: number, 
/**
 * For output tokens.
 */
output: number, };

/**
 * A request to the book.
 */
export type BookUse = { "operation": "ask", goal: string, variables: number, } | { "operation": "more", query: string, } | { "operation": "close", query: string, };

/**
 * The book's reply: an answer, an error, or neither if there is no answer.
 */
export type BookReply = { 
/**
 * The values of the variables: a term `Values-Residual` as text, where `Values` is a list and `Residual`
 * the residual goals.
 */
answer?: string, 
/**
 * Whether the answer is neither true nor false, by the well-founded semantics of the book's tabled negation.
 */
undefined?: boolean, 
/**
 * The query to ask for more answers, if there may be more.
 */
query?: string, error?: BookError, 
/**
 * What the goal wrote.
 */
output?: string, 
/**
 * Inferences that the goal took.
 */
inferences?: number, };

export type BookError = { 
/**
 * As in tool replies, such as `unsafe_goal`; or `not_allowed`.
 */
kind: string, message: string, };

/**
 * What a run started with.
 */
export type RecordStart = { version: number, code: string, params: { [key in string]: unknown }, args: Array<unknown>, 
/**
 * The seed of the program's random numbers.
 */
seed: number, 
/**
 * Whether a model could ask the user.
 */
asks: boolean, 
/**
 * Whether it had a folder.
 */
files: boolean, 
/**
 * What an outage does, if the host has decided.
 */
outages?: Outages, 
/**
 * The host's names for the models; the first that can be reached is asked. Empty: the run's own.
 */
models?: Array<string>, temperature?: number, 
/**
 * The most tokens of one turn.
 */
maxOutputTokens?: number, topP?: number, 
/**
 * How often a turn is tried again.
 */
retries?: number, 
/**
 * Milliseconds for one call of a model.
 */
callMs?: number, 
/**
 * What is done about turns that failed or were cut.
 */
on?: { [key in Trouble]?: Remedy }, };

/**
 * Something a run received from outside. The first entry has the kind `run`, the last `end` or `stopped`.
 */
export type RecordEntry = { "kind": "run" } & RecordStart | { "kind": "clock", readings: Array<string>, } | { "kind": "model", 
/**
 * The text in pieces as it arrived, if it was streamed.
 */
pieces?: Array<string>, 
/**
 * The beginning of its last message, for people.
 */
last: string, 
/**
 * A digest of all its messages and tools, and of the model and its settings if given.
 */
digest: string, } & ({ "turn": Turn } | { "failure": ModelFailure }) | { "kind": "tool", tool: string, args: unknown, } & ({ "result": unknown } | { "error": string } | { "late": string } | { "refused": string }) | { "kind": "file", operation: FileOperation, 
/**
 * As the program gave it.
 */
path: string, 
/**
 * The text to write.
 */
text?: string, } & ({ "result": unknown } | { "missing": string } | { "refused": string } | { "failed": string }) | { "kind": "book", reply: BookReply, } & ({ "operation": "ask", goal: string, variables: number, } | { "operation": "more", query: string, } | { "operation": "close", query: string, }) | { "kind": "user", prompt: string, } & ({ "result": unknown } | { "error": string } | { "late": string } | { "refused": string }) | { "kind": "stopped", message: string, request?: number | null, } | { "kind": "end" };

/**
 * The options of a run; all are optional.
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
 * The name of the program in the book's history, if it may use the book. Default: `program`.
 */
name?: string, 
/**
 * Report the models' text in pieces, as `stream` events. Default: false.
 */
streaming?: boolean, 
/**
 * Also report the run as a tree, in `trace` events. Default: false.
 */
trace?: boolean, 
/**
 * Inferences of the program and its tools. Default: no limit.
 */
gasLimit?: number, 
/**
 * Milliseconds for the run, not counting time spent waiting for the user. Default: the limit `run_ms`.
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
 * Input and output tokens together. Default: no limit.
 */
maxTokens?: number, 
/**
 * Default: no limit.
 */
maxToolCalls?: number, 
/**
 * The most dollars the models may cost, according to `prices`. The first call that might exceed it
 * raises `cost_error(Message)` in the program; the next one ends the run. Default: no limit.
 */
maxCost?: number, 
/**
 * By the host's names for its models; `*` is the price of all others.
 */
prices?: { [key in string]: Price }, 
/**
 * Turns of the model in one task. Default: the limit `task_turns`.
 */
maxTurns?: number, 
/**
 * The host's names for the models to ask if the program names none; the first that can be reached is
 * asked. Default: the run's own model.
 */
models?: Array<string>, 
/**
 * The models' temperature if the program sets none. Default: the model's own.
 */
temperature?: number, 
/**
 * The most tokens of one turn of a model if the program says nothing. Default: the model's own.
 */
maxOutputTokens?: number, 
/**
 * The models' `topP` if the program sets none. Default: the model's own.
 */
topP?: number, 
/**
 * What is done about a turn of a model that failed or was cut, if the program says nothing: `retry`, `fallback` to
 * the next of `models`, or `outage`. Default: failures that may pass are tried again, a turn that was cut by
 * the limit of its output goes on in the next, and a withheld one is an outage.
 */
on?: { [key in Trouble]?: Remedy }, 
/**
 * Milliseconds for one call of a model or a tool. Default: the time of the run.
 */
callTimeoutMs?: number, 
/**
 * How often a turn of a model is tried again after a failure that may pass. Default: 3.
 */
retries?: number, 
/**
 * Milliseconds before the first of them, which then double; a longer time that the provider asks for
 * (`Retry-After`) is kept. Default: 500.
 */
retryPauseMs?: number, 
/**
 * What it does that a model or a tool has given no answer: with `unknown` the goal has no solution, and
 * where its failure would count as a “no”, its error is raised; with `throw` the error is raised at once;
 * with `fail` the goal is false. Default: what the directive `:- outages(…)` of the program says, or
 * else `unknown`.
 */
outages?: Outages, 
/**
 * A recording to replay. What it contains is not asked of the model, the tools or the user again; if it
 * was cut off, the run continues live. `params` and `args` are those of the recording, unless they are
 * given.
 */
replay?: Array<RecordEntry>, };

export const RUN_SETTINGS = ["params", "args", "name", "streaming", "trace", "gasLimit", "timeoutMs", "stepTimeoutMs", "maxModelCalls", "maxTokens", "maxToolCalls", "maxCost", "prices", "maxTurns", "models", "temperature", "maxOutputTokens", "topP", "on", "callTimeoutMs", "retries", "retryPauseMs", "outages", "replay"] as const satisfies (keyof RunSettings)[];
