/** One run: shows its events as a tree, with a status line. */
import type { DMLEvent, DeepClause, RecordEntry, RunOptions, Traced } from '../../../pkg/dml.js';
import { h } from '../dom.ts';
import { type Place, replayed } from './replay.ts';
import { RunTree, SHOWN } from './tree.ts';

export class Run {
  readonly element: HTMLElement;
  /** The run's external inputs. */
  readonly recording: RecordEntry[] = [];
  #tree: RunTree;
  #traces: Traced[] = [];
  #hasMore = false;
  /** The run, step by step. */
  #steps = h('div', {});
  #status = h('p', { class: 'status', role: 'status' });
  #last = h('div', {});
  /** Where the person is asked something. */
  readonly place = h('div', { class: 'place' });
  #abort = new AbortController();
  #startedMs = performance.now();
  #turns = 0;
  #calls = 0;
  #ticking = 0;
  #isReplay = false;
  /** Why the model could not be asked. */
  #modelFailure: string | undefined;

  /**
   * @param code the program that runs
   * @param where where its text is shown
   */
  constructor(
    readonly code: string,
    private readonly where: Place,
  ) {
    this.#tree = new RunTree(where.goTo);
    this.element = h(
      'section',
      { class: 'run', 'data-phase': 'running', 'aria-label': 'The run' },
      this.#status,
      this.#last,
      this.#steps,
      this.#tree.element,
      this.place,
    );
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  stop(): void {
    this.#abort.abort();
  }

  /** Scroll to how it goes, and to its answer. */
  show(): void {
    for (const part of [this.#status, this.#last]) part.scrollIntoView({ block: 'nearest' });
  }

  get hasSteps(): boolean {
    return this.#traces.length > 0;
  }

  /** Show or hide the run step by step. */
  stepThrough(): void {
    if (this.#steps.hasChildNodes()) {
      this.#steps.replaceChildren();
      this.where.point(undefined);
    } else this.#steps.replaceChildren(replayed(this.#traces, this.#hasMore, this.where));
  }

  /** Resolves when the run is over. */
  async go(dml: DeepClause, options: RunOptions): Promise<void> {
    this.#isReplay = options.replay !== undefined;
    this.#ticking = window.setInterval(() => this.#draw('running…'), 100);
    let state = 'failed: no alternatives left';
    let phase = 'failed';
    for await (const event of dml.runDML(this.code, {
      ...options,
      trace: true,
      signal: this.signal,
      record: (entry) => void this.recording.push(entry),
    })) {
      this.#take(event);
      if (event.type === 'finished' && event.success) [phase, state] = ['done', 'done'];
      else if (event.type === 'error')
        [phase, state] = this.signal.aborted ? ['stopped', 'stopped'] : ['error', 'error'];
      if (event.type === 'finished' && event.usage.inputTokens + event.usage.outputTokens > 0) {
        state += ` · ${event.usage.inputTokens.toLocaleString('en')} tokens in, ${event.usage.outputTokens.toLocaleString('en')} out`;
      }
    }
    if (this.#modelFailure !== undefined && phase !== 'stopped') {
      // What a program answers when its model cannot be asked is no result of it.
      if (phase === 'done') [phase, state] = ['failed', state.replace(/^done/, 'failed: its model could not be asked')];
      const answer = this.#last.querySelector('.verdict');
      answer?.classList.remove('yes');
      answer?.prepend(h('b', {}, 'What the program says without it: '));
      this.#last.prepend(
        h(
          'p',
          { class: 'fault', role: 'alert' },
          `The model failed: ${this.#modelFailure}${/[.!?]$/.test(this.#modelFailure) ? '' : '.'}`,
        ),
      );
    }
    window.clearInterval(this.#ticking);
    // Dismiss a form that nobody waits for any more.
    this.#abort.abort();
    this.#tree.close();
    this.element.dataset.phase = phase;
    this.#draw(state);
  }

  #take(event: DMLEvent): void {
    if (event.type === 'trace') {
      if (event.step === 'turn') this.#turns += 1;
      if (event.step === 'call') this.#calls += 1;
      if (event.step === 'ended')
        this.#modelFailure ??= /\bthe model failed: (.*?)\.?$/is.exec('failure' in event ? event.failure : '')?.[1];
      if (this.#traces.length < SHOWN) this.#traces.push(event);
      else this.#hasMore = true;
      this.#tree.take(event);
    } else if (event.type === 'answer') {
      this.#last.replaceChildren(h('p', { class: 'verdict yes' }, event.content));
    } else if (event.type === 'error' && !this.signal.aborted) {
      const { content, line } = event;
      this.#last.replaceChildren(h('p', { class: 'fault', role: 'alert' }, plain(content)));
      if (line !== undefined)
        this.#last.append(h('button', { type: 'button', onclick: () => this.where.goTo(line) }, `Go to line ${line}`));
    }
  }

  #draw(state: string): void {
    const ms = performance.now() - this.#startedMs;
    const parts = [
      this.#isReplay && 'a recording: nothing was asked again',
      state,
      ms < 1000 ? `${Math.round(ms)} ms` : `${(ms / 1000).toFixed(1)} s`,
      many(this.#turns, 'model turn', 'model turns'),
      many(this.#calls, 'tool call', 'tool calls'),
    ];
    const running = this.element.dataset.phase === 'running';
    // Screen readers should not read out a clock ten times a second.
    this.#status.setAttribute('aria-live', running ? 'off' : 'polite');
    this.#status.replaceChildren(
      ...(running ? [h('span', { class: 'spinner', 'aria-hidden': 'true' })] : []),
      parts.filter(Boolean).join(' · '),
    );
  }
}

/** Without the term by which programs catch an error, and without the line, which has a button of its own. */
function plain(content: string): string {
  const text = content.replace(/^Runtime error: /, '').replace(/ \(in \S+, line \d+\)$/, '');
  const from = text.search(/\. \[[a-z]/) + 1;
  const to = text.endsWith(']') ? text.length : text.lastIndexOf('] (in ') + 1;
  return from > 0 && to > from ? text.slice(0, from) + text.slice(to) : text;
}

const many = (count: number, one: string, more: string): string =>
  count === 0 ? '' : `${count} ${count === 1 ? one : more}`;
