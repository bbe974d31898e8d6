/** A query, and its results so far. */
import type { AnswerValues, BoundValue, QueryAnswers } from '../../../pkg/generated/tools.js';
import { Signal, asSentence, sentence } from '../dom.ts';
import type { Connection, Session } from '../session.ts';
import { readValue } from '../prolog/term.ts';
import type { Turn } from '../turns.ts';
import { withoutEnd } from '../prolog/highlight.ts';
import { faultOf, type Fault } from './fault.ts';

export interface Binding {
  name: string;
  text: string;
  /** For pictures; undefined if the text is more than a plain term. */
  json: unknown;
}

export interface Answer {
  bindings: Binding[];
  residual?: string[];
  /** Neither true nor false. */
  undefined?: boolean;
  output?: string;
}

function answerOf({ residual, undefined: neither, output, ...values }: AnswerValues, variables: string[]): Answer {
  const binding = (name: string): Binding => {
    const value = values[name] as BoundValue;
    return typeof value === 'string' ? { name, text: value, json: readValue(value) } : { name, ...value };
  };
  return { bindings: variables.map(binding), residual, undefined: neither, output };
}

export type Phase = 'running' | 'more' | 'done' | 'error' | 'stopped';

/** The most answers per call, and the most that `all` takes before asking whether to continue. */
const CALL = 500;
export const ALL = 100_000;

/** The result of `work`, unless it is given up first. */
function unless<T>(signal: AbortSignal, work: Promise<T>): Promise<T> {
  return Promise.race([
    work,
    new Promise<never>((_, reject) => signal.addEventListener('abort', () => reject(signal.reason), { once: true })),
  ]);
}

let count = 0;

export class Query {
  readonly number = ++count;
  /** Its id on the server. */
  readonly id = `page-${Date.now().toString(36)}-${this.number}`;
  readonly answers: Answer[] = [];
  /** The names of its variables, once it has begun. */
  variables: string[] = [];
  /** How many more answers were wanted when it was last asked; undefined for all. */
  wanted: number | undefined;
  phase: Phase = 'running';
  /** Output after the last answer. */
  output = '';
  error: string | undefined;
  /** The kind of that error, as named by the server. */
  errorKind: string | undefined;
  /** What to do about it. */
  next = '';
  /** The place of the error in the text: line from 1, column from 0. */
  place: { line: number; column: number } | undefined;
  /** The same, for people. */
  fault: Fault | undefined;
  /** The turn that it runs in or waits for. */
  turn: Turn | undefined;
  /** What the query did to the book, for people. */
  effect: string | undefined;
  /** How long Hornbook has worked on it, in milliseconds, and when the current work started. */
  tookMs = 0;
  startedMs: number | undefined;
  /** How many answers it had before the page was reloaded; undefined if it was asked since. */
  earlier: number | undefined;
  /** Inferences so far, if known. */
  inferences: number | undefined;
  readonly changed = new Signal();
  /** Asks the person for a line of input; `undefined` is the end of the input. */
  ask: ((prompt: string, signal: AbortSignal) => Promise<string | undefined>) | undefined;
  /** Where it was begun; undefined before that. */
  #via: Connection | undefined;
  /** Lets that close; called when there is no next answer. */
  #release: (() => void) | undefined;
  #abort: AbortController | undefined;

  constructor(
    readonly session: Session,
    readonly text: string,
    /** Its time limit in milliseconds, if not the usual one. */
    private readonly timeoutMs?: number,
  ) {}

  get isRunning(): boolean {
    return this.phase === 'running';
  }

  /** Whether its outcome could be due to missing clauses. */
  get mayLackClauses(): boolean {
    return (
      (this.phase === 'done' && this.answers.length === 0) ||
      (this.phase === 'error' && this.errorKind === 'existence_error')
    );
  }

  /**
   * Take `wanted` more answers, or by default all, up to {@link ALL} at a time. `prepare` runs first, and reports the
   * turn that it waits for.
   */
  async take(wanted?: number, prepare?: (wait: (turn: Turn) => void) => Promise<void>): Promise<void> {
    const end = this.answers.length + (wanted ?? ALL);
    this.wanted = wanted;
    this.#abort = new AbortController();
    this.phase = 'running';
    this.startedMs = performance.now();
    this.changed.send();
    try {
      if (prepare)
        await unless(
          this.#abort.signal,
          prepare((turn) => this.#waitsIn(turn)),
        );
      while (this.phase === 'running') {
        // Show the first answers soon, however long the others take.
        const step =
          wanted === undefined
            ? Math.min(CALL, Math.max(1, this.answers.length), end - this.answers.length)
            : Math.min(CALL, end - this.answers.length);
        await this.#step(step, this.#abort.signal);
        if (this.phase === 'running' && this.answers.length >= end) this.phase = 'more';
        this.changed.send();
      }
    } catch (error) {
      if (this.#abort.signal.aborted) this.phase = 'stopped';
      else {
        this.phase = 'error';
        this.error = sentence(error);
        this.fault = faultOf(this);
      }
    }
    if (this.phase !== 'more') this.#release?.();
    this.tookMs += performance.now() - this.startedMs;
    this.startedMs = this.turn = undefined;
    this.changed.send();
  }

  #waitsIn(turn: Turn): void {
    this.turn = turn;
    this.changed.send();
  }

  async #step(take: number, signal: AbortSignal): Promise<void> {
    const about = { query_id: this.id, take, timeout_ms: this.timeoutMs };
    const first = this.#via === undefined;
    const via = this.#via ?? this.session.connection;
    this.#via = via;
    this.#release ??= via.hold();
    const turn: Turn = {
      what: `?- ${this.text}`,
      stop: () => this.stop(),
      ask: async (prompt) => this.ask?.(prompt, signal),
    };
    this.#waitsIn(turn);
    const result = first
      ? await this.session.call('query_start', { query: this.text, ...about }, signal, turn, via)
      : await this.session.call('query_next', about, signal, turn, via);
    const data = result.data as Partial<QueryAnswers>;
    this.inferences = via.web.hornbook.inferences(this.id);
    this.variables = data.variables ?? this.variables;
    this.answers.push(...(data.answers ?? []).map((answer) => answerOf(answer, this.variables)));
    this.output += data.output ?? '';
    const { added = 0, removed = 0, undone = 0 } = data.changes ?? {};
    if (added + removed > 0) this.effect = `+${added} −${removed} clauses in the book`;
    if (undone > 0) this.effect = `${undone} of its changes to the book undone`;
    if (data.error || result.isError) {
      const { message, next, line, column } = data.error ?? { message: result.text };
      this.error = asSentence(message);
      this.place = line === undefined || column === undefined ? undefined : { line, column };
      this.errorKind = data.error?.kind;
      this.next = next ?? '';
      this.fault = await this.#readable(faultOf(this));
      this.phase = 'error';
    } else if (!data.more) {
      this.phase = 'done';
    }
  }

  /** A fault without the repairs that cannot be read either. */
  async #readable(fault: Fault | undefined): Promise<Fault | undefined> {
    if (!fault) return undefined;
    const { hornbook } = this.session;
    const problems = await Promise.all(
      fault.repairs.map((goal) => hornbook.check(`asked :- (\n${withoutEnd(goal)}\n).\n`).catch(() => [])),
    );
    const isRead = (_goal: string, at: number) => problems[at]!.every(({ severity }) => severity !== 'error');
    return { ...fault, repairs: fault.repairs.filter(isRead) };
  }

  /** Stop what is running now. */
  stop(): void {
    this.#abort?.abort();
  }

  /** It is no longer needed. */
  close(): void {
    this.stop();
    if (this.#via && this.phase === 'more')
      void this.session
        .call('query_close', { query_id: this.id }, undefined, undefined, this.#via)
        .catch(() => {})
        .finally(this.#release);
  }
}
