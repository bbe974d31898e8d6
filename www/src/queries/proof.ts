/** How an answer came to be, as a tree. */
import { h, sentence } from '../dom.ts';
import { coloured } from '../prolog/highlight.ts';
import type { Session } from '../session.ts';

type Proof = Awaited<ReturnType<Session['hornbook']['prove']>>;
type Step = Proof['nodes'][number];

interface Node extends Step {
  children: Node[];
}

/** What each way of proving means, for people. */
const MEANINGS: Record<string, [string, string]> = {
  negation: ['not provable', 'Nothing was proved here: every way to prove the goal failed'],
  constraint: ['constraint', 'Posted, and kept true together with the others; what remains of it stands with the answer'],
  tabled: ['from a table', 'Its answers were computed once, all together; no single proof is kept'],
  builtin: ['built in', 'Done by SWI-Prolog itself'],
  cut: ['cut', 'The other clauses were given up here'],
  call: ['called', 'Proved by what is below'],
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

/** Ask for the proof of an answer and show it; `goTo` opens a line of a file. */
export async function proof(session: Session, query: string, answer: number, goTo: (file: string, line: number) => void): Promise<HTMLElement> {
  const frame = h('section', { class: 'proof', 'aria-label': `How answer ${answer} came to be` });
  try {
    const found = await session.hornbook.prove(query, answer);
    frame.append(...shown(found, goTo));
  } catch (error) {
    frame.append(h('p', { class: 'fault', role: 'alert' }, `There is no proof to show: ${sentence(error)}`));
  }
  return frame;
}

function shown(found: Proof, goTo: (file: string, line: number) => void): HTMLElement[] {
  const roots = treeOf(found.nodes);
  const minor = found.nodes.some(({ how }) => how === 'builtin' || how === 'cut' || how.startsWith('library('));
  const tree = h('ul', { class: 'proof-tree' }, ...roots.map((node) => drawn(node, found, goTo, 0)));
  const parts: HTMLElement[] = [];
  if (minor) {
    const box = h('input', { type: 'checkbox', checked: true, onchange: () => tree.classList.toggle('brief', !box.checked) });
    parts.push(h('label', { class: 'check' }, box, 'Steps of SWI-Prolog itself'));
  }
  parts.push(tree);
  if (found.nodes.length === 0) parts.push(h('p', { class: 'note' }, 'Nothing had to be proved.'));
  if (found.cut) parts.push(h('p', { class: 'note' }, `The first ${found.nodes.length} steps; the proof has more.`));
  return parts;
}

/** Levels that are open at first. */
const OPEN = 6;

function drawn(node: Node, found: Proof, goTo: (file: string, line: number) => void, depth: number): HTMLElement {
  const line = h('span', { class: 'proof-line' }, coloured(node.goal), mark(node, found, goTo));
  const minor = node.how === 'builtin' || node.how === 'cut' || node.how.startsWith('library(');
  const attributes = { class: `how-${node.how.replace(/\(.*/, '')}${minor ? ' minor' : ''}` };
  if (node.children.length === 0) return h('li', attributes, line);
  return h('li', attributes, h('details', { open: depth < OPEN },
    h('summary', {}, line), h('ul', {}, ...node.children.map((child) => drawn(child, found, goTo, depth + 1)))));
}

function mark(node: Node, found: Proof, goTo: (file: string, line: number) => void): HTMLElement {
  const clause = node.clause === undefined ? undefined : found.clauses[node.clause];
  if (clause?.filename && clause.line) {
    const { filename, line, text } = clause;
    return h('button', { type: 'button', class: 'place', title: text, onclick: () => goTo(filename, line) }, `${filename}:${line}`);
  }
  if (node.how === 'clause') {
    const where = clause?.origin === 'run' ? 'added by running code' : 'an asserted clause';
    return h('span', { class: 'mark', title: clause?.text }, clause ? where : 'a clause that is gone');
  }
  const [label, meaning] = MEANINGS[node.how] ?? [node.how, 'Done by a library of SWI-Prolog'];
  return h('span', { class: 'mark', title: meaning }, label);
}
