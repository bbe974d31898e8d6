/** Stepping forwards and backwards through a program's run, with the bindings at each step. Nothing is called again. */
import type { Trace, Traced } from '../../../pkg/dml.js';
import { type Child, h, icon } from '../dom.ts';
import { Scrubber } from '../scrubber.ts';
import { badge, conversation, goals, resultOf, SHOWN, shown, wanted, wentBack } from './tree.ts';

/** Where the text of a run's program is shown. */
export interface Place {
  /** Show a line of it, from 1. */
  goTo(line: number): void;
  /** Point to a line of it, from 1, or to none, without taking the focus. */
  point(line: number | undefined): void;
  /** The lines at which to stop, from 1. */
  stops(): readonly number[];
  /** Whether the text shown there is the one that ran. */
  isSame(): boolean;
}

type Begun = Extract<Trace, { step: 'task' | 'call' | 'input' | 'concurrent' }>;

/** A step that has an end, and its state so far. */
interface Titled {
  title: string;
  /** In the program, from 1. */
  line: number | undefined;
}

interface Step extends Titled {
  begun: Begun;
  state: 'open' | 'done' | 'failed' | 'undone';
  result?: unknown;
}

/** @param hasMore whether the run went on after these */
export function replayed(traces: Traced[], hasMore: boolean, place: Place): HTMLElement {
  const known = titles(traces);
  // Model turns that consist only of calls are represented by the calls.
  const shown = traces.filter((trace) => trace.step !== 'turn' || trace.text !== '');
  const steps = {
    count: shown.length,
    show(index: number) {
      const trace = shown[index]!;
      const before = statesAfter(shown.slice(0, index), known);
      const states = statesAfter(shown.slice(0, index + 1), known);
      const { line } = trace;
      if (line !== undefined && place.isSame()) place.point(line);
      const [label, about, aside] = described(trace, before, states);
      const link =
        line !== undefined &&
        h('button', { type: 'button', class: 'quiet place', onclick: () => place.goTo(line) }, `line ${line}`);
      return {
        now: [label, h('span', { class: 'about' }, about), aside, link],
        said: `${label.textContent} ${about}`,
        beside: [...details(trace), around(trace, states), bound(trace, states)],
      };
    },
    stopsAt(index: number) {
      const { line } = shown[index]!;
      return line !== undefined && place.stops().includes(line);
    },
  };
  const note =
    hasMore && h('p', { class: 'note' }, `The first ${SHOWN.toLocaleString('en')} steps; the run is longer.`);
  return new Scrubber(steps, note).element;
}

/** The titles of steps, by step number. */
const titles = (traces: Traced[]): Map<number, Titled> =>
  new Map(
    traces.flatMap((trace): [number, Titled][] =>
      trace.step !== 'ended' && 'id' in trace ? [[trace.id, { title: titleOf(trace), line: trace.line }]] : [],
    ),
  );

/** The steps that these events have begun, by number. */
function statesAfter(traces: Trace[], known: Map<number, Titled>): Map<number, Step> {
  const steps = new Map<number, Step>();
  for (const trace of traces) {
    if (trace.step === 'undone') {
      for (const id of trace.ids) steps.get(id)!.state = 'undone';
    } else if (trace.step === 'ended') {
      const step = steps.get(trace.id)!;
      step.state = 'failure' in trace ? 'failed' : 'done';
      if ('result' in trace) step.result = trace.result;
    } else if ('id' in trace) {
      steps.set(trace.id, { begun: trace, ...known.get(trace.id)!, state: 'open' });
    }
  }
  return steps;
}

function titleOf(begun: Begun): string {
  switch (begun.step) {
    case 'task':
      return begun.text;
    case 'call':
      return begun.tool;
    case 'input':
      return begun.prompt;
    case 'concurrent':
      return goals(begun);
  }
}

const LABELS = {
  task: 'Task',
  call: 'Tool',
  input: 'User',
  concurrent: 'Concurrent',
  turn: 'Model',
  output: 'Output',
  log: 'Log',
  answer: 'Answer',
};

/** An event's mark, its title, and its details. */
function described(trace: Trace, before: Map<number, Step>, states: Map<number, Step>): [HTMLElement, string, Child] {
  if (trace.step === 'undone') {
    const steps = trace.ids.flatMap((id) => before.get(id) ?? []);
    const gone = steps.flatMap((step) => valuesOf(step).map(([name, value]) => `${name} = ${value}`));
    const aside = gone.length > 0 && h('span', { class: 'note' }, `Undone: ${gone.join(', ')}`);
    return [h('span', { class: 'badge port redo' }, icon('undo'), 'back'), wentBack(steps), aside];
  }
  if (trace.step === 'ended') {
    const step = states.get(trace.id)!;
    if ('failure' in trace) return [badge('port fail', 'failed'), step.title, trace.failure];
    return [badge('port exit', 'done'), step.title, resultOf(step.begun.step, trace.result)];
  }
  const label = badge(trace.step, LABELS[trace.step]);
  if ('id' in trace) {
    const aside = trace.step === 'call' ? shown(trace.args) : trace.step === 'task' ? wanted(trace) : null;
    return [label, states.get(trace.id)!.title, aside];
  }
  return [label, 'text' in trace ? trace.text : trace.content, null];
}

const details = (trace: Trace): Child[] => (trace.step === 'task' ? [conversation(trace.messages)] : []);

/** The step within which an event happened. */
function underOf(trace: Trace, states: Map<number, Step>): number {
  if ('under' in trace) return trace.under;
  const id = trace.step === 'undone' ? trace.ids[0] : trace.id;
  return states.get(id ?? 0)?.begun.under ?? 0;
}

/** The steps around an event, innermost first. */
function chain(trace: Trace, states: Map<number, Step>): Step[] {
  const all: Step[] = [];
  for (let step = states.get(underOf(trace, states)); step; step = states.get(step.begun.under)) all.push(step);
  return all;
}

function around(trace: Trace, states: Map<number, Step>): Child {
  const steps = chain(trace, states).reverse();
  if (steps.length === 0) return null;
  return h(
    'ol',
    { class: 'replay-frames', 'aria-label': 'Enclosing steps' },
    ...steps.map(({ begun, title }) => h('li', {}, `${LABELS[begun.step]} ${title}`)),
  );
}

/**
 * What the program has bound at this point and not undone; bindings that models make within their tasks are not
 * included.
 */
function bound(trace: Trace, states: Map<number, Step>): Child {
  const scopes = new Set([0]);
  for (const { begun } of chain(trace, states)) if (begun.step !== 'task') scopes.add(begun.id);
  const values = [...states.values()]
    .filter(({ begun, state }) => state === 'done' && scopes.has(begun.under))
    .flatMap(valuesOf);
  if (values.length === 0) return null;
  const list = h(
    'dl',
    { class: 'replay-values' },
    ...values.flatMap(([name, value]) => [h('dt', {}, name), h('dd', {}, h('code', {}, value))]),
  );
  return h('div', { role: 'group', 'aria-label': 'Results so far' }, list);
}

/** The values that a step returned, with their names. */
function valuesOf({ begun, result }: Step): [string, string][] {
  if (result === undefined || result === null) return [];
  if (begun.step === 'task')
    return Object.entries(result).map(([name, value]): [string, string] => [name, JSON.stringify(value)]);
  if (begun.step === 'call') return [[begun.tool, JSON.stringify(result)]];
  return begun.step === 'input' ? [[begun.prompt, JSON.stringify(result)]] : [];
}
