/** One run of a workflow: its events as steps, each with its changes to the state. */
import type { State, WorkflowEvent, WorkflowInterrupt } from '../../../pkg/workflow.js';
import { writeJson } from '../../../pkg/workflow/json.js';
import { button, h, icon } from '../dom.ts';
import type { NodeState } from './graph.ts';

/** What a run calls as it proceeds. */
export interface RunActions {
  light(node: string, state: NodeState): void;
  select(node: string): void;
  /** Whether the node decides in Prolog, so that it can be explained. */
  decides(node: string): boolean;
  /** Explain why the node ended as it did, at this checkpoint of the run. */
  explain(run: string, node: string, checkpoint: number): Promise<HTMLElement>;
  /** Start another run from a checkpoint of this one. */
  travel(run: string, checkpoint: number): void;
}

/** Longer values are cut, and shown in full when clicked. */
const LONG = 300;

/** What a run waits for, in words. */
function waiting({ when, node, question, signal, until_ms }: WorkflowInterrupt): string {
  if (when === 'question') return `waiting for an answer at ${node}: ${writeJson(question as State[string])}`;
  if (when === 'signal') return `waiting for the signal ${signal} before ${node}`;
  if (when === 'time') return `waiting until ${new Date(until_ms ?? 0).toLocaleString()} before ${node}`;
  return `waiting ${when} ${node}`;
}

export class Run {
  readonly element: HTMLElement;
  /** Its name, once it has begun. */
  id: string | undefined;
  /** What it waits for, if it does. */
  interrupt: WorkflowInterrupt | undefined;
  /** How it ended; undefined while it runs. */
  end: 'final' | 'error' | 'interrupt' | 'stopped' | undefined;
  #status = h('p', { class: 'status', role: 'status' });
  #steps = h('ol', { class: 'flow-steps' });
  #last = h('div', {});
  /** The state of the run, and of each branch by name. */
  #states = new Map<string, State>([['', {}]]);
  #startedMs = performance.now();
  #count = 0;

  constructor(
    private readonly actions: RunActions,
    from?: string,
  ) {
    this.element = h(
      'section',
      { class: 'run flow-run', 'data-phase': 'running', 'aria-label': 'The run' },
      this.#status,
      from ? h('p', { class: 'note' }, from) : null,
      this.#steps,
      this.#last,
    );
    this.#status.textContent = 'running…';
  }

  take(event: WorkflowEvent): void {
    const branch = event.branch ?? '';
    switch (event.type) {
      case 'start':
        this.id = event.run;
        this.#states.set('', event.state);
        break;
      case 'branches_start':
        for (const name of event.branches) this.#states.set(name, { ...this.#states.get('') });
        break;
      case 'node_start':
        this.actions.light(event.node, 'running');
        break;
      case 'node_end':
        this.actions.light(event.node, event.failed ? 'failed' : 'done');
        this.#step(event, branch);
        break;
      case 'retry':
        this.#tell(
          event.node,
          branch,
          `attempt ${event.attempt} failed, trying again in ${event.delay_ms} ms`,
          event.error,
        );
        break;
      case 'error_held':
        this.actions.light(event.node, 'error');
        this.#tell(event.node, branch, 'the run goes on', event.error);
        break;
      case 'signal_dropped':
        this.#tell(event.node, branch, `the signal ${event.signal} is dropped`, event.error);
        break;
      case 'interrupt':
        this.actions.light(event.node, 'waiting');
        this.interrupt = event;
        this.#finish('interrupt', waiting(event));
        break;
      case 'error': {
        this.actions.light(event.node, 'error');
        const place = event.line === undefined ? '' : ` (line ${event.line} of its code)`;
        this.#last.append(h('p', { class: 'fault', role: 'alert' }, `${event.node}: ${event.error}${place}`));
        this.#finish('error', 'error');
        break;
      }
      case 'final':
        this.#last.append(h('details', { class: 'composer' }, h('summary', {}, 'Final state'), json(event.state)));
        this.#finish('final', 'done');
        break;
    }
  }

  /** It was stopped. */
  stopped(): void {
    if (!this.end) this.#finish('stopped', 'stopped');
    // Below a long text and its graph it would not be seen.
    this.element.scrollIntoView({ block: 'nearest' });
  }

  /** It could not start or continue. */
  failed(message: string): void {
    this.#last.append(h('p', { class: 'fault', role: 'alert' }, message));
    this.#finish('error', 'error');
  }

  /** Add an element below the steps. */
  append(element: HTMLElement): void {
    this.#last.append(element);
  }

  #step(event: Extract<WorkflowEvent, { type: 'node_end' }>, branch: string): void {
    const before = this.#states.get(branch) ?? {};
    const { node, updates, output, failed, checkpoint } = event;
    this.#states.set(branch, { ...before, ...updates });
    this.#count += 1;
    const changes = Object.entries(updates);
    const frame = h('div', {});
    this.#steps.append(
      h(
        'li',
        { class: failed ? 'failed' : '', 'data-step': node },
        h(
          'header',
          { class: 'row' },
          h('span', { class: 'number' }, this.#count),
          button(node, () => this.actions.select(node), { class: 'quiet', title: 'Show in the text' }),
          branch && h('span', { class: 'badge' }, branch),
          failed && h('span', { class: 'badge bad' }, `failed at line ${failed.line}`),
          checkpoint !== undefined && this.actions.decides(node) && this.#why(node, checkpoint, Boolean(failed), frame),
          checkpoint !== undefined &&
            !branch &&
            button('From here', () => this.id && this.actions.travel(this.id, checkpoint), {
              class: 'quiet',
              icon: 'undo',
              name: `From here: after ${node}`,
              title: 'Start a new run from this checkpoint',
            }),
        ),
        failed ? h('code', { class: 'fault' }, failed.goal) : null,
        output ? h('pre', { class: 'output' }, output) : null,
        changes.length === 0 && !failed ? h('p', { class: 'note' }, 'No change to the state.') : null,
        changes.length > 0 &&
          h(
            'table',
            { class: 'difference' },
            h('caption', { class: 'unseen' }, `Changes to the state by ${node}`),
            h(
              'thead',
              { class: 'unseen' },
              h('tr', {}, ...['Key', 'Before', 'After'].map((name) => h('th', {}, name))),
            ),
            h(
              'tbody',
              {},
              ...changes.map(([key, value]) =>
                h(
                  'tr',
                  {},
                  h('th', { scope: 'row' }, key),
                  h(
                    'td',
                    { class: 'minus' },
                    key in before ? short(before[key]) : h('span', { class: 'note' }, 'none'),
                  ),
                  h('td', { class: 'plus' }, short(value)),
                ),
              ),
            ),
          ),
        frame,
      ),
    );
  }

  /** The button that toggles, in `frame`, the explanation of how a node ended. */
  #why(node: string, checkpoint: number, failed: boolean, frame: HTMLElement): HTMLElement {
    const one: HTMLButtonElement = h(
      'button',
      {
        type: 'button',
        class: 'quiet why',
        title: failed ? 'Which clauses were tried, and where each one stops' : 'How the node got its result',
        'aria-label': `${failed ? 'Why not' : 'Why'}: ${node}`,
        'aria-expanded': 'false',
        onclick: async () => {
          const isOpen = one.getAttribute('aria-expanded') === 'true';
          one.setAttribute('aria-expanded', String(!isOpen));
          frame.replaceChildren();
          if (isOpen || this.id === undefined) return;
          const shown = await this.actions.explain(this.id, node, checkpoint);
          if (one.getAttribute('aria-expanded') === 'true') frame.replaceChildren(shown);
        },
      },
      icon('why'),
      h('span', {}, failed ? 'Why not?' : 'Why'),
    );
    return one;
  }

  #tell(node: string, branch: string, what: string, error: string): void {
    this.#steps.append(
      h(
        'li',
        { class: 'failed' },
        h(
          'header',
          { class: 'row' },
          h('b', {}, node),
          branch && h('span', { class: 'badge' }, branch),
          h('span', { class: 'mark' }, what),
        ),
        h('p', { class: 'fault' }, error),
      ),
    );
  }

  #finish(end: NonNullable<Run['end']>, text: string): void {
    this.end = end;
    const phase = { final: 'done', error: 'error', interrupt: 'warned', stopped: 'stopped' }[end];
    this.element.dataset.phase = phase;
    const ms = Math.round(performance.now() - this.#startedMs);
    this.#status.textContent = [
      text,
      ms < 1000 ? `${ms} ms` : `${(ms / 1000).toFixed(1)} s`,
      this.id && `run ${this.id}`,
    ]
      .filter(Boolean)
      .join(' · ');
  }
}

function short(value: unknown): HTMLElement {
  const all = writeJson(value);
  if (all.length <= LONG) return h('code', {}, all);
  return h('details', {}, h('summary', {}, h('code', {}, `${all.slice(0, LONG)}…`)), h('code', {}, all));
}

const json = (state: State): HTMLElement => h('pre', {}, writeJson(state, 2));
