/** Why an answer holds, or why there is none, as a tree. */
import { h, sentence } from '../dom.ts';
import { coloured, withoutEnd } from '../prolog/highlight.ts';
import type { Session } from '../session.ts';
import type { Answer, Query } from './query.ts';

export type Proof = Awaited<ReturnType<Session['hornbook']['prove']>>;
type Step = Proof['nodes'][number];

interface Node extends Step {
  children: Node[];
}

/** What each kind of proof step means, for people. */
const MEANINGS: Record<string, [string, string]> = {
  negation: ['not provable', 'The goal under \\+ has no proof'],
  constraint: ['constraint', 'Posted to the constraint solver; what remains of it is shown with the answer'],
  state: ['from the state', 'The value of the key when the node began'],
  return: ['returned', 'What the node writes to the state'],
  tabled: ['from a table', 'Tabled: its answers were computed together, so there is no single proof'],
  builtin: ['built in', 'Built into SWI-Prolog'],
  cut: ['cut', 'Cut: other clauses are not tried'],
  call: ['called', 'Proved by the steps below'],
  fails: ['fails', 'No clause proves it'],
  'fails(negation)': ['fails', 'The goal under \\+ is true, as shown below'],
  'fails(builtin)': ['fails', 'Built into SWI-Prolog'],
  'fails(constraint)': ['fails', 'It contradicts the other constraints'],
  'fails(state)': ['fails', 'The state has no such key, or another value'],
  'fails(tabled)': ['fails', 'Its table has no matching answer'],
  'fails(deep)': ['fails', 'Too deep to look into'],
  'fails(undefined)': ['undefined', 'There is no such predicate'],
  nearest: ['nearest', 'Does not match, but is close'],
  also: ['fails, too', 'A later condition of the clause that is not met either'],
};

function treeOf(nodes: Step[]): Node[] {
  const roots: Node[] = [];
  const path: Node[] = [];
  for (const step of nodes) {
    const node = { ...step, children: [] };
    path.length = step.depth;
    (path.at(-1)?.children ?? roots).push(node);
    path.push(node);
  }
  return roots;
}

/** Get the proof of an answer, by its number from 1, and show it; `goTo` opens a line of a file. */
export async function proof(
  session: Session,
  query: Query,
  number: number,
  goTo: (file: string, line: number) => void,
): Promise<HTMLElement> {
  const frame = h('div', { class: 'proof', role: 'group', 'aria-label': `How answer ${number} was found` });
  try {
    const { found, isOther } = await session.turns.take({ what: `why answer ${number}` }, () =>
      proofOf(session, query, number),
    );
    if (isOther)
      frame.append(
        h(
          'p',
          { class: 'note' },
          `This answer has a value that cannot be read back, so this is the proof of answer ${number} as the query gives it now.`,
        ),
      );
    frame.append(...shown(found, inFile(goTo)));
  } catch (error) {
    frame.append(
      h(
        'p',
        { class: 'fault', role: 'alert' },
        error instanceof Gone ? error.message : `The proof could not be found: ${sentence(error)}`,
      ),
    );
  }
  return frame;
}

/** Find out why a query has no answer, and show it. */
export async function refutation(
  session: Session,
  query: Query,
  goTo: (file: string, line: number) => void,
): Promise<HTMLElement> {
  const frame = h('div', { class: 'proof', role: 'group', 'aria-label': 'Why there is no answer' });
  try {
    const found = await session.turns.take({ what: 'why there is no answer' }, () =>
      session.hornbook.why(withoutEnd(query.text)),
    );
    const note = 'The query has an answer now, because the book has changed. This is its proof.';
    if (found.holds) frame.append(h('p', { class: 'note' }, note));
    frame.append(...shown(found, inFile(goTo)));
  } catch (error) {
    frame.append(h('p', { class: 'fault', role: 'alert' }, `The failure could not be explained: ${sentence(error)}`));
  }
  return frame;
}

/** Clauses of a book that have a line are in a file. */
const inFile =
  (goTo: (file: string, line: number) => void) =>
  ({ filename, line }: Place): void => {
    if (filename) goTo(filename, line);
  };

/** The answer no longer holds. */
class Gone extends Error {}

const NONE = /^The query has no such answer now/;
/** Part of every syntax error. */
const UNREADABLE = /Correct the text at the place given/;

/** The proof of an answer of a query on the page, by its number from 1. */
async function proofOf(session: Session, query: Query, number: number): Promise<Found> {
  const values = valuesOf(query.answers[number - 1]!);
  const key = values.join();
  // The same values may occur more than once.
  const nth = query.answers.slice(0, number).filter((answer) => valuesOf(answer).join() === key).length;
  return proofWith((text, which) => session.hornbook.prove(text, which), query.text, values, nth, number);
}

/** A proof, and whether it may be that of another answer than the one asked about. */
interface Found {
  found: Proof;
  isOther: boolean;
}

/**
 * The proof of the answer with these values, `X = a`; of several, that with the number `nth`. The query is run with the
 * values, so that a changed program, or a goal that answers differently each time, cannot prove a different answer.
 * `number` is the answer's number among all.
 */
export async function proofWith(
  ask: (text: string, nth: number) => Promise<Proof>,
  text: string,
  values: string[],
  nth = 1,
  number = nth,
): Promise<Found> {
  const goal = `(\n${withoutEnd(text)}\n)`;
  if (values.length === 0) return { found: await ask(text, number).catch(gone), isOther: false };
  try {
    const found = await ask(`${values.join(', ')}, ${goal}`, nth);
    return { found: without(found, values.length, 'first'), isOther: false };
  } catch {
    // Some goals, such as var/1, behave differently when the values are given: look for those among the answers.
  }
  try {
    const found = await ask(`${goal}, ${values.join(', ')}`, nth);
    return { found: without(found, values.length, 'last'), isOther: false };
  } catch (error) {
    if (!UNREADABLE.test(sentence(error))) return gone(error);
  }
  return { found: await ask(text, number), isOther: true };
}

function valuesOf({ bindings }: Answer): string[] {
  return bindings.filter(({ text }) => text !== '_').map(({ name, text }) => `${name} = ${text}`);
}

function gone(error: unknown): never {
  if (!NONE.test(sentence(error))) throw error;
  throw new Gone(
    'This answer no longer holds: the book has changed, or the goal gives different answers each time. Ask again.',
  );
}

/** Remove the steps that only supplied or compared the values. */
function without(found: Proof, count: number, end: 'first' | 'last'): Proof {
  const roots = found.nodes.flatMap(({ depth }, index) => (depth === 0 ? [index] : []));
  if (end === 'first') return { ...found, nodes: found.nodes.slice(count) };
  return found.cut ? found : { ...found, nodes: found.nodes.slice(0, roots.at(-count)) };
}

/** Where a clause is; without a file, in the code being explained. */
interface Place {
  filename?: string;
  line: number;
}

/** The tree; `goTo` shows the place of a clause. */
export function shown(found: Proof, goTo: (place: Place) => void): HTMLElement[] {
  const roots = treeOf(found.nodes);
  const minor = found.nodes.some(({ how }) => how === 'builtin' || how === 'cut' || how.startsWith('library('));
  const tree = h('ul', { class: 'proof-tree' }, ...roots.map((node) => drawn(node, found, goTo, 0)));
  const parts: HTMLElement[] = [];
  if (minor) {
    const box = h('input', {
      type: 'checkbox',
      checked: true,
      onchange: () => tree.classList.toggle('brief', !box.checked),
    });
    parts.push(h('label', { class: 'check' }, box, 'Steps of SWI-Prolog itself'));
  }
  parts.push(tree);
  if (found.nodes.length === 0) parts.push(h('p', { class: 'note' }, 'No steps: nothing had to be proved.'));
  if (found.cut) parts.push(h('p', { class: 'note' }, `The first ${found.nodes.length} steps; the proof is longer.`));
  return parts;
}

/** How many levels are expanded at first. */
const OPEN = 6;

function drawn(node: Node, found: Proof, goTo: (place: Place) => void, depth: number): HTMLElement {
  const others =
    node.how.startsWith('fails') && node.count > 1
      ? h('span', { class: 'note' }, `the first of ${node.count} attempts`)
      : null;
  const line = h('span', { class: 'proof-line' }, ...written(node), mark(node, found, goTo), others);
  const minor = node.how === 'builtin' || node.how === 'cut' || node.how.startsWith('library(');
  const attributes = { class: `how-${node.how.replace(/\(.*/, '')}${minor ? ' minor' : ''}` };
  if (node.children.length === 0) return h('li', attributes, line);
  const list = h(
    'ul',
    { hidden: depth >= OPEN },
    ...node.children.map((child) => drawn(child, found, goTo, depth + 1)),
  );
  const toggle = h('button', {
    type: 'button',
    class: 'quiet toggle',
    'aria-expanded': String(!list.hidden),
    'aria-label': labelled(node),
    onclick: () => {
      list.hidden = !list.hidden;
      toggle.setAttribute('aria-expanded', String(!list.hidden));
    },
  });
  return h('li', attributes, h('div', { class: 'with-steps' }, toggle, line), list);
}

/** The label of the button that expands a step. */
function labelled({ goal, how, count }: Node): string {
  if (how === 'tried') return `Where clause ${count} stops`;
  return how === 'unmatched' ? `Clauses of ${goal} that come near` : `Steps of ${goal}`;
}

/** The goal of a step, or what happened to the clauses that it stands for. */
function written(node: Node): (Element | string)[] {
  const { goal, how, count, clause, children } = node;
  const clauses = `${count} ${count === 1 ? 'clause' : 'clauses'}`;
  switch (how) {
    case 'tried':
      return [clause === undefined ? `${clauses} more tried, without success` : `Clause ${count} stops at`];
    case 'untried':
      return [`${clauses} not tried, because of a cut`];
    case 'unmatched':
      if (count === 0) return ['There are no clauses'];
      return [`${clauses} ${count === 1 ? 'does' : 'do'} not match${children.length > 0 ? '; nearest:' : ''}`];
    case 'undefined':
    case 'reason':
      return [goal];
    default:
      return [coloured(goal)];
  }
}

function mark(node: Node, found: Proof, goTo: (place: Place) => void): HTMLElement | null {
  const clause = node.clause === undefined ? undefined : found.clauses[node.clause];
  if (clause?.line) {
    const { filename, line, text } = clause;
    return h(
      'button',
      { type: 'button', class: 'place', title: text, onclick: () => goTo({ filename, line }) },
      filename ? `${filename}:${line}` : `line ${line}`,
    );
  }
  if (node.how === 'clause') {
    const where = clause?.origin === 'run' ? 'added by a query' : 'an asserted clause';
    return h('span', { class: 'mark', title: clause?.text }, clause ? where : 'a removed clause');
  }
  if (['tried', 'untried', 'unmatched', 'undefined', 'reason'].includes(node.how)) return null;
  const library = ['fails', 'From a library of SWI-Prolog'] as const;
  if (node.how.startsWith('fails(library')) return h('span', { class: 'mark', title: library[1] }, library[0]);
  const [label, meaning] = MEANINGS[node.how] ?? [node.how, 'From a library of SWI-Prolog'];
  return h('span', { class: 'mark', title: meaning }, label);
}
