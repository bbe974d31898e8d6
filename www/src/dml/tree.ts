/** A live tree of a run: tasks, model turns, tools, answers, and what was undone. */
import type { Message, Trace, Traced } from '../../../pkg/dml.js';
import { h, icon } from '../dom.ts';

type Task = Extract<Trace, { step: 'task' }>;

interface Step {
  kind: string;
  element: HTMLElement;
  /** The steps within it. */
  list: HTMLElement;
  mark: HTMLElement;
  under: number;
  ended: boolean;
  /** What it is, in a few words, and its line in the program if known. */
  title: string;
  line: number | undefined;
}

/** How many steps to show; nobody reads more. */
export const SHOWN = 2000;

const UNDONE = 'The program backtracked to before this step: its bindings and messages are undone';

export class RunTree {
  readonly element = h('ul', { class: 'run-tree', 'aria-label': 'Steps of the run' });
  #steps = new Map<number, Step>();
  #count = 0;

  /** @param goTo shows a line of the program, from 1 */
  constructor(private readonly goTo: (line: number) => void) {}

  take(trace: Traced): void {
    if (trace.step === 'ended') this.#end(trace);
    else if (trace.step === 'undone') this.#undo(trace.ids);
    else this.#add(trace);
  }

  #add(trace: Exclude<Traced, { step: 'ended' | 'undone' }>): void {
    this.#count += 1;
    if (this.#count === SHOWN)
      this.element.append(h('li', { class: 'note' }, `The first ${SHOWN} steps; the run is longer.`));
    if (this.#count >= SHOWN) return;
    switch (trace.step) {
      case 'task':
        this.#begin(trace, 'task', 'Task', trace.text, trace.text, wanted(trace), conversation(trace.messages));
        return;
      case 'call':
        this.#begin(trace, 'call', 'Tool', trace.tool, h('code', {}, trace.tool), shown(trace.args));
        return;
      case 'input':
        this.#begin(trace, 'input', 'User', trace.prompt, trace.prompt);
        return;
      case 'concurrent':
        this.#begin(trace, 'concurrent', 'Concurrent', goals(trace), goals(trace));
        return;
      case 'turn':
        if (trace.text) this.#tell(trace, 'Model', trace.text);
        return;
      default:
        this.#tell(trace, { output: 'Output', log: 'Log', answer: 'Answer' }[trace.step], trace.content);
    }
  }

  /** The run is over: steps that have not ended were stopped. */
  close(): void {
    for (const step of this.#steps.values()) if (!step.ended) this.#mark(step, 'stopped', 'stopped');
  }

  #begin(
    trace: { id: number; under: number; line?: number },
    kind: string,
    label: string,
    title: string,
    about: string | HTMLElement,
    aside?: HTMLElement | null,
    first?: HTMLElement,
  ): void {
    const mark = h('span', { class: 'state' }, h('span', { class: 'spinner', 'aria-hidden': 'true' }), 'running');
    const list = h('ul', {});
    const line = h(
      'span',
      { class: 'run-line' },
      badge(kind, label),
      h('span', { class: 'about' }, about),
      aside,
      mark,
    );
    const element = h(
      'li',
      { class: `step ${kind}`, 'data-state': 'running' },
      this.#place(trace),
      h('details', { open: true }, h('summary', {}, line), first, list),
    );
    this.#steps.set(trace.id, {
      kind,
      element,
      list,
      mark,
      under: trace.under,
      ended: false,
      title,
      line: trace.line,
    });
    this.#append(trace.under, element);
  }

  /** A link to its line. Within a task, steps of the model have the task's line, which is already shown there. */
  #place({ under, line }: { under: number; line?: number }): HTMLElement | null {
    if (line === undefined || line === this.#steps.get(under)?.line) return null;
    return h('button', { type: 'button', class: 'quiet place', onclick: () => this.goTo(line) }, `line ${line}`);
  }

  #tell(trace: { step: string; under: number; line?: number }, label: string, text: string): void {
    this.#append(
      trace.under,
      h(
        'li',
        { class: `told ${trace.step}` },
        this.#place(trace),
        h('span', { class: 'run-line' }, badge(trace.step, label), h('span', { class: 'about' }, text)),
      ),
    );
  }

  #append(under: number, element: HTMLElement): void {
    const step = this.#steps.get(under);
    (step?.list ?? this.element).append(element);
    step?.element.classList.add('has-steps');
  }

  #end(trace: Extract<Trace, { step: 'ended' }>): void {
    const step = this.#steps.get(trace.id);
    if (!step) return;
    step.ended = true;
    if ('failure' in trace) this.#mark(step, 'failed', `failed: ${trace.failure}`);
    else this.#mark(step, 'done', 'done', resultOf(step.kind, trace.result));
  }

  #mark(step: Step, state: string, text: string, result?: HTMLElement | null): void {
    step.element.dataset.state = state;
    step.mark.replaceChildren(
      ...(result
        ? [h('span', { class: 'arrow', 'aria-hidden': 'true' }, '→'), h('span', { class: 'unseen' }, 'gave'), result]
        : [text]),
    );
  }

  #undo(ids: number[]): void {
    const steps = ids.flatMap((id) => this.#steps.get(id) ?? []);
    const [first] = steps;
    if (!first) return;
    for (const { element, mark } of steps) {
      element.classList.add('undone');
      mark.after(h('span', { class: 'state undone-mark', title: UNDONE }, 'undone'));
    }
    this.#append(
      first.under,
      h('li', { class: 'told back', title: UNDONE }, h('span', { class: 'run-line' }, icon('undo'), wentBack(steps))),
    );
  }
}

/** A message that the program backtracked to before these steps, the first of which began first. */
export function wentBack(steps: { title: string; line: number | undefined }[]): string {
  const first = steps[0]!;
  const last = steps.at(-1)!;
  const what = steps.length === 1 ? 'one step is undone' : `${steps.length} steps are undone`;
  const from = last.line !== undefined && last !== first ? ` from line ${last.line}` : '';
  const to = first.line === undefined ? '' : ` to line ${first.line},`;
  return `The program backtracked${from}${to} before “${short(first.title)}”: ${what}.`;
}

const short = (text: string): string => (text.length > 60 ? `${text.slice(0, 59)}…` : text);

export const goals = ({ goals }: { goals: number }): string => (goals === 1 ? '1 goal' : `${goals} goals`);

/** The result of a step. */
export function resultOf(kind: string, result: unknown): HTMLElement | null {
  if (kind !== 'concurrent') return shown(result);
  const [how, goal] = result as [how: 'all' | 'first' | 'error', goal: number];
  if (how === 'all') return null;
  return h('span', {}, `the ${how === 'first' ? 'answer' : 'error'} of goal ${goal}`);
}

export const badge = (kind: string, label: string): HTMLElement => h('span', { class: `badge ${kind}` }, label);

export function wanted({ outputs }: Task): HTMLElement | null {
  if (outputs.length === 0) return null;
  return h('code', { class: 'wanted' }, outputs.map(({ name, type }) => `${name}: ${type}`).join(', '));
}

export function shown(value: unknown): HTMLElement | null {
  const empty = value === null || (typeof value === 'object' && Object.keys(value).length === 0);
  return empty ? null : h('code', { class: 'value' }, typeof value === 'string' ? value : named(value));
}

/** `name: value` for each member of an object. */
function named(value: unknown): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return JSON.stringify(value);
  return Object.entries(value)
    .map(([name, part]) => `${name}: ${JSON.stringify(part)}`)
    .join(', ');
}

const ROLES = { system: 'Instructions', user: 'User', assistant: 'Model', tool: 'Tool' };

/** The messages that a model receives. */
export function conversation(messages: Message[], open = false): HTMLElement {
  const title = messages.length === 1 ? '1 message to the model' : `${messages.length} messages to the model`;
  return h(
    'details',
    { class: 'conversation', open },
    h('summary', {}, title),
    h(
      'dl',
      {},
      ...messages.flatMap(({ role, content, calls, tool }) => {
        const called = (calls ?? []).map((call) => `${call.tool}(${named(call.args)})`);
        return [
          h('dt', {}, tool ? `${ROLES[role]} ${tool}` : ROLES[role]),
          h('dd', {}, [content, ...called].filter(Boolean).join('\n')),
        ];
      }),
    ),
  );
}
