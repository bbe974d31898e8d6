/** `hornbook flow`: runs a workflow from the command line. */
import { watch } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import type { DeepClause } from '../dml.js';
import type { Hornbook } from '../full/hornbook.js';
import type { DataAddresses } from '../node/data/data.js';
import { openHornbook } from '../node/open.js';
import type { McpServers } from '../mcp/config.js';
import { readJson, writeJson } from '../workflow/json.js';
import { mcpServersOf } from './mcp.js';
import { text } from './text.js';
import { UsageError } from './usage.js';
import { modelsOf, opened as openedDml, toolsOf, type Asked } from './run.js';
import type { Screen } from './terminal.js';
import {
  Workflow,
  WorkflowLoadError,
  bookActions,
  runId,
  type Action,
  type KeptCheckpoint,
  type KeptRun,
  type ProgramRunner,
  type Json,
  type RunStatus,
  type State,
  type WorkflowEvent,
  type WorkflowInterrupt,
} from '../workflow.js';

/** Exit codes: the run finished, it waits for somebody, an error. */
export type FlowOutcome = 0 | 1 | 2;

/** Which workflow to run, and its input. */
export interface Flow {
  /** Without one, a run is resumed with the text it was started with. */
  file: string | undefined;
  state: State;
  timeoutMs: number | undefined;
  /** The file of the book that stores the run. */
  book: string | undefined;
  /** The data that goals over the book may ask. */
  data: DataAddresses | undefined;
  /** The run to resume. */
  resume: string | undefined;
  /** The checkpoint of it to start a new run from. */
  from: number | undefined;
  /** List the runs of the book, or the checkpoints of a run, instead of running one. */
  runs: boolean;
  /** Which interrupt of the run `state` answers. */
  interrupt: string | undefined;
  /** Send this signal to the run, `NAME` or `NAME=VALUE`, instead of resuming it. */
  signal: string | undefined;
  /** List only runs with this status. */
  status: string | undefined;
  /** The run to give up. */
  cancel: string | undefined;
  /** Forget the runs that are over and began more than so many days ago. */
  forgetDays: number | undefined;
  /** Run again when the file changes. */
  watch: boolean;
  /** Carry out what the workflow does by itself, until the command is ended. */
  follow: boolean;
  /** Print the graph instead of running it. */
  mermaid: boolean;
  /** A file that names other MCP servers, whose tools become actions. */
  mcp: string | undefined;
  /** The models for DML programs. */
  models: Pick<Asked, 'models' | 'baseUrl' | 'script'>;
  /** A module with tools: for DML programs, and as actions. */
  toolFile: string | undefined;
}

/**
 * Run a workflow, or print its graph. The last state is written to standard output as JSON, events to standard error.
 */
export async function runFlow(flow: Flow, screen: Screen): Promise<FlowOutcome> {
  if (flow.book === undefined) return withBook(flow, undefined, screen);
  // The memory's tools become actions of nodes.
  const options = { tools: ['prolog', 'memory'] };
  const opened = await openHornbook(options, (text) => screen.err(`${text}\n`), flow.book, {
    data: flow.data,
  }).catch((error: Error) => {
    throw new UsageError(`--book: ${error.message.replace(/\.$/, '')}`);
  });
  if (opened.hornbook.notice) screen.err(`Warning: ${opened.hornbook.notice}\n`);
  try {
    return await withBook(flow, opened.hornbook, screen);
  } finally {
    await opened.close();
  }
}

async function withBook(flow: Flow, book: Hornbook | undefined, screen: Screen): Promise<FlowOutcome> {
  if (flow.runs) return listed(flow, book!, screen);
  if (flow.cancel !== undefined) {
    await asked(book!.runs().cancel(flow.cancel));
    screen.err(`run ${flow.cancel} is cancelled\n`);
    return 0;
  }
  if (flow.forgetDays !== undefined) {
    const gone = await asked(book!.runs().forgetBefore(Date.now() - flow.forgetDays * 86_400_000));
    screen.err(`forgot ${gone} ${gone === 1 ? 'run' : 'runs'}\n`);
    return 0;
  }
  if (flow.signal !== undefined) {
    const [name = '', ...value] = flow.signal.split('=');
    const data = value.length > 0 ? plainOrJson(value.join('=')) : null;
    await asked(book!.runs().signal(flow.resume!, name, data));
    screen.err(`run ${flow.resume} has the signal ${name}\n`);
    return 0;
  }
  if (!flow.watch) return once(flow, book, screen);
  const changed = watched(flow.file!);
  for (;;) {
    await once(flow, book, screen);
    screen.err(`Waits for a change of ${flow.file}.\n`);
    await changed();
  }
}

async function once(flow: Flow, book: Hornbook | undefined, screen: Screen): Promise<FlowOutcome> {
  let dml: DeepClause | undefined;
  let workflow: Workflow | undefined;
  try {
    workflow = await loaded(flow, book, (made) => (dml = made), screen);
    if (!workflow) return 2;
    if (flow.mermaid) {
      screen.out(workflow.mermaid());
      return 0;
    }
    if (flow.follow) return await follow(workflow, flow.file!, screen);
    return await show(await begun(flow, workflow, book, screen), flow, screen);
  } finally {
    workflow?.close();
    dml?.close();
  }
}

/** The events of the run. A request that cannot be met is reported as the user's error. */
async function begun(
  { state, resume, from, interrupt }: Flow,
  workflow: Workflow,
  book: Hornbook | undefined,
  screen: Screen,
): Promise<AsyncGenerator<WorkflowEvent, void>> {
  const run = resume === undefined || from !== undefined ? runId() : resume;
  if (resume !== undefined && from !== undefined) await asked(book!.runs().fork(resume, from, run));
  if (book) screen.err(`run ${run}\n`);
  if (resume === undefined) return workflow.run(state, { run });
  const options = interrupt === undefined ? {} : { interrupt };
  return (await asked((async () => ({ events: workflow.resume(run, state, options) }))())).events;
}

/** The runs of a workflow that follows a goal. */
async function follow(workflow: Workflow, file: string, screen: Screen): Promise<FlowOutcome> {
  const events = workflow.follow();
  for (;;) {
    const { value: event, done } = await asked(events.next());
    if (done) return 0;
    if (event.type === 'goal_error') {
      screen.err(`${event.error}\n`);
      continue;
    }
    if (event.type === 'run_error') {
      screen.err(`run ${event.run}: ${event.error}\n`);
      continue;
    }
    const text = line(event, file);
    if (event.type === 'start') screen.err(`run ${event.run}\n`);
    if (text) screen.err(`${text}\n`);
    if (event.type === 'final' || event.type === 'interrupt') screen.out(`${writeJson(event.state)}\n`);
  }
}

async function show(
  events: AsyncGenerator<WorkflowEvent, void>,
  { file, book }: Flow,
  screen: Screen,
): Promise<FlowOutcome> {
  const progress = new Progress(screen);
  let run = '';
  try {
    for (;;) {
      const { value: event, done } = await asked(events.next());
      if (done) return 2;
      progress.take(event);
      const text = line(event, file);
      if (text) screen.err(`${text}\n`);
      if (event.type === 'start') run = event.run;
      if (event.type === 'final' || event.type === 'interrupt') screen.out(`${writeJson(event.state)}\n`);
      if (event.type === 'final') return 0;
      if (event.type === 'interrupt' || event.type === 'error') {
        const again = ['hornbook flow', file, `--book ${book} --resume ${run}`].filter((part) => part).join(' ');
        const isOver = event.type === 'error' && event.kind === 'cancelled';
        if (book && !isOver) screen.err(`${event.type === 'error' ? `Resume with: ${again}` : next(event, again)}\n`);
        return event.type === 'interrupt' ? 1 : 2;
      }
    }
  } finally {
    progress.end();
    // A run that would throw its error here has nobody left to catch it.
    await events.return().catch(() => {});
  }
}

/** How a run that waits goes on. */
function next({ when, id, interrupts }: WorkflowEvent & { type: 'interrupt' }, again: string): string {
  if (when === 'time' || when === 'signal')
    return `It continues by itself in: hornbook flow FILE --book PATH --follow; or, once that has come, with: ${again}`;
  const which = interrupts.length > 1 ? ` --interrupt '${id}'` : '';
  return `Resume with: ${again}${which} --state ${when === 'question' ? 'answer=VALUE' : 'KEY=VALUE'}`;
}

/** JSON, or else plain text. */
function plainOrJson(text: string): Json {
  try {
    return readJson(text);
  } catch {
    return text;
  }
}

/** Rethrow a failure as a usage error: a sentence for the user. */
async function asked<T>(work: Promise<T>): Promise<T> {
  return work.catch((error: Error) => {
    throw new UsageError(error.message.replace(/\.$/, ''));
  });
}

/** The progress line with the running nodes, on a terminal. */
class Progress {
  readonly #running = new Map<string, number>();
  readonly #timer: NodeJS.Timeout | undefined;
  #done = 0;

  constructor(private readonly screen: Screen) {
    this.#timer = screen.status && setInterval(() => this.#draw(), 1000);
  }

  take(event: WorkflowEvent): void {
    if (event.type === 'node_start') this.#running.set(where(event), Date.now());
    if (event.type === 'node_end') {
      this.#running.delete(where(event));
      this.#done += 1;
    }
    this.#draw();
  }

  end(): void {
    clearInterval(this.#timer);
    this.screen.status?.('');
  }

  #draw(): void {
    const running = [...this.#running].map(([node, began]) => `${node} ${Math.round((Date.now() - began) / 1000)} s`);
    this.screen.status?.([`${this.#done} ${this.#done === 1 ? 'node' : 'nodes'} done`, ...running].join(' · '));
  }
}

/** The runner for DML programs; its runs try the named models in order. */
async function programsOf(
  { models: asked, toolFile }: Flow,
  mcpServers: McpServers | undefined,
  made: (dml: DeepClause) => void,
): Promise<ProgramRunner> {
  const { model, models, order } = await modelsOf({ ...asked, prices: {} });
  const dml = await openedDml({ toolFile }, mcpServers, models, undefined, model);
  made(dml);
  return { runDML: (code, options) => dml.runDML(code, { ...options, ...(order && { models: order }) }) };
}

async function loaded(
  flow: Flow,
  book: Hornbook | undefined,
  made: (dml: DeepClause) => void,
  screen: Screen,
): Promise<Workflow | undefined> {
  const { file, timeoutMs, resume } = flow;
  const yaml = file === undefined ? await asked((async () => book!.runs().text(resume!))()) : await text(file);
  const files = file === undefined ? book!.runs().files(resume!) : (name: string) => text(join(dirname(file), name));
  const actions = { ...(book && (await bookActions(book))), ...(await actionsOf(flow.toolFile)) };
  const mcpServers = await mcpServersOf(flow.mcp);
  try {
    return await Workflow.load(yaml, {
      book,
      actions,
      files,
      mcpServers,
      dml: () => programsOf(flow, mcpServers, made),
      timeout: timeoutMs === undefined ? undefined : timeoutMs / 1000,
    });
  } catch (error) {
    if (error instanceof UsageError) throw error;
    if (!(error instanceof WorkflowLoadError))
      throw mcpServers ? new UsageError(`--mcp: ${(error as Error).message}`) : error;
    const { line, column, message } = error;
    screen.err(`${file ?? resume}:${line}:${column}: ${message.replace(/^line \d+, column \d+: /, '')}\n`);
    return undefined;
  }
}

/** The exports of the module of `--tool-file` as actions: their parameters are the node's. */
async function actionsOf(toolFile: string | undefined): Promise<Record<string, Action>> {
  const tools = toolFile === undefined ? {} : await toolsOf(toolFile);
  return Object.fromEntries(
    Object.entries(tools).map(([name, tool]): [string, Action] => [name, (params, rest) => tool.execute(params, rest)]),
  );
}

/** Returns a function that waits for the next change of a file. Watches the folder, since editors replace the file. */
function watched(file: string): () => Promise<void> {
  let change = () => {};
  let next = new Promise<void>((resolve) => (change = resolve));
  watch(dirname(file) || '.', (_, name) => {
    if (name === basename(file)) change();
  });
  return async () => {
    await next;
    // Treat several writes in a row as one change.
    await new Promise((resolve) => setTimeout(resolve, 100));
    next = new Promise((resolve) => (change = resolve));
  };
}

async function listed({ resume: run, status: wanted }: Flow, book: Hornbook, screen: Screen): Promise<FlowOutcome> {
  if (run === undefined) {
    const runs = await asked<KeptRun[]>((async () => book.runs().list(wanted as RunStatus))());
    for (const { run, workflow = '', status, interrupted, node = '', begun_ms, due_ms, from } of runs) {
      const how = interrupted ? 'interrupted' : status;
      const origin = from ? `fork of ${from.run} at ${from.checkpoint}` : '';
      const until = due_ms === undefined ? '' : `until ${new Date(due_ms).toISOString()}`;
      screen.out(
        `${[run, new Date(begun_ms).toISOString(), how, node, workflow, origin || until].join('\t').trimEnd()}\n`,
      );
    }
    return 0;
  }
  const checkpoints = await asked<KeptCheckpoint[]>((async () => book.runs().checkpoints(run))());
  for (const { number, at_ms, what, node = '' } of checkpoints)
    screen.out(`${[number, new Date(at_ms).toISOString(), what, node].join('\t').trimEnd()}\n`);
  return 0;
}

function where(event: { node: string; branch?: string }): string {
  return `${event.branch ? `${event.branch}/` : ''}${event.node}`;
}

function waits({ node, when, question, signal, until_ms }: WorkflowInterrupt): string {
  if (when === 'question') return `${node} asks ${writeJson(question as Json)}`;
  if (when === 'signal') return `${node} waits for the signal ${signal}`;
  if (when === 'time') return `${node} waits until ${new Date(until_ms!).toISOString()}`;
  return `waits, ${when} the node ${node}`;
}

/** Where a line of a node's code stands: in the file of the workflow, unless its text is another. */
function placed(
  file: string | undefined,
  node: string,
  { line, file_line: inFile }: { line?: number; file_line?: number },
): string | undefined {
  if (line === undefined) return undefined;
  return file === undefined || inFile === undefined || node.includes('/') ? `line ${line}` : `${file}:${inFile}`;
}

const located = (event: { node: string; error: string; line?: number; file_line?: number }, file: string | undefined) =>
  [placed(file, event.node, event), event.error].filter(Boolean).join(': ');

/** @param file of the workflow, if it was named */
function line(event: WorkflowEvent, file: string | undefined): string | undefined {
  switch (event.type) {
    case 'node_end': {
      const { updates, output = '', failed } = event;
      const outcome = failed ? `failed at ${placed(file, event.node, failed)}: ${failed.goal}` : writeJson(updates);
      return `${output}${where(event)}: ${outcome}`;
    }
    case 'node_event':
      return event.event.type === 'output' ? `${where(event)}: ${event.event.content.trimEnd()}` : undefined;
    case 'retry':
      return `${where(event)}: ${located(event, file)} (again in ${event.delay_ms} ms)`;
    case 'error_held':
      return `${where(event)}: ${located(event, file)} (the run goes on)`;
    case 'signal_dropped':
      return `${where(event)}: the signal ${event.signal} is dropped: ${event.error}`;
    case 'interrupt':
      return event.interrupts.map((one) => `${one.id}: ${waits(one)}`).join('\n');
    case 'error':
      return `${where(event)}: ${located(event, file)}`;
    default:
      return undefined;
  }
}
