/** Goes on with the workflow runs of a served book that wait for a time or a signal. */
import type { Connection, DueRuns, Hornbook } from '../full/hornbook.js';

/** How often to look for signals and for times that have come, in milliseconds. */
const LOOK_MS = 1_000;
/** How long a run that could not go on is left alone, in milliseconds. */
const LATER_MS = 60_000;

/** What each request says of its client. */
const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'hornbook waking', version: '1' },
  'io.modelcontextprotocol/clientCapabilities': {},
};

/** What became of a run that went on by itself: its first words, and whether that is an error. */
export type Woken = (run: string, said: string, isError: boolean) => void;

/**
 * Resumes runs as an agent would, by `workflow_resume`: with the tools of the server, and no more rights than the clients
 * have that began them. Nothing if the server does not serve workflows.
 */
export class Waking {
  readonly #connection: Connection;
  readonly #timer: NodeJS.Timeout;
  /** The runs that go on now. */
  readonly #running = new Set<string>();
  /** When those that could not go on are tried again. */
  readonly #later = new Map<string, number>();

  private constructor(
    private readonly hornbook: Hornbook,
    private readonly tools: string[],
    private readonly woken: Woken,
    cutOff: Iterable<string>,
  ) {
    this.#connection = hornbook.connect((message) => {
      this.#take(message);
      return true;
    });
    this.#connection.actsAsHost();
    this.#timer = setInterval(() => this.#look(), LOOK_MS).unref();
    for (const run of cutOff) this.#goOn(run);
    this.#look();
  }

  /** @param cutOff runs that went on when the book was closed, whose process is known to be gone */
  static of(
    hornbook: Hornbook,
    tools: string[] | undefined,
    woken: Woken,
    cutOff: Iterable<string> = [],
  ): Waking | undefined {
    return tools?.includes('workflow') && 'runs' in hornbook ? new Waking(hornbook, tools, woken, cutOff) : undefined;
  }

  /** The runs that go on now. */
  get running(): ReadonlySet<string> {
    return this.#running;
  }

  /** When the next one goes on, in milliseconds since 1970, if one waits for a time; now if one is going on. */
  get dueMs(): number | undefined {
    if (this.#running.size > 0) return Date.now();
    const { runs, next_ms: nextMs } = this.#due();
    return runs.length > 0 ? Math.min(...runs.map((run) => this.#later.get(run) ?? Date.now())) : nextMs;
  }

  close(): void {
    clearInterval(this.#timer);
    this.#connection.close();
  }

  /** Those that a program began have its means, so it goes on with them itself. */
  #due(): DueRuns {
    return this.hornbook.runs().due(this.tools);
  }

  #look(): void {
    for (const run of this.#due().runs)
      if (!this.#running.has(run) && (this.#later.get(run) ?? 0) <= Date.now()) this.#goOn(run);
  }

  #goOn(run: string): void {
    this.#running.add(run);
    const params = { name: 'workflow_resume', arguments: { run, signals: {}, budget: 1 }, _meta: META };
    this.#connection.receive(JSON.stringify({ jsonrpc: '2.0', id: run, method: 'tools/call', params }));
  }

  /** The answer of a request, whose id is the run. */
  #take(message: string): void {
    const { id, result, error } = JSON.parse(message) as {
      id?: string;
      result?: { isError?: boolean; content?: { text?: string }[] };
      error?: { message: string };
    };
    if (id === undefined || !this.#running.delete(id)) return;
    const isError = error !== undefined || result?.isError === true;
    if (isError) this.#later.set(id, Date.now() + LATER_MS);
    else this.#later.delete(id);
    const [said = ''] = (error?.message ?? result?.content?.[0]?.text ?? '').split('\n');
    this.woken(id, said, isError);
  }
}
