/** What a draft changes of the book, as lines that go and come. */
import type { Proposal, ProposedCell, ProposedClause } from '../../../pkg/full/hornbook.js';
import { button, h } from '../dom.ts';
import { seen } from '../odd.ts';

/** How many lines are shown at first. */
const LINES = 200;
/** The heading of clauses that are in no file. */
const LOOSE = 'In no file';

const KINDS = { '+': 'plus', '-': 'minus', ' ': 'same' } as const;
type Sign = keyof typeof KINDS;

/** What it changes: clauses with their files, documents, memory. */
export function changes({ added, removed, moved, cells }: Proposal): HTMLElement {
  const lines = [
    ...clausesByFile(removed, added),
    ...moved.map((predicate) => place(`The clauses of ${predicate} stand in another order`)),
    ...cells.flatMap(cellLines),
  ];
  const frame = h('div', { class: 'diff', tabindex: 0, role: 'group', 'aria-label': 'What it changes' });
  if (lines.length === 0) frame.append(line(' ', 'It changes nothing in all.'));
  frame.append(...lines.slice(0, LINES));
  if (lines.length > LINES) {
    const rest = button(`Show ${(lines.length - LINES).toLocaleString('en')} more lines`, () => {
      rest.replaceWith(...lines.slice(LINES));
      frame.focus();
    });
    frame.append(rest);
  }
  return frame;
}

function clausesByFile(removed: ProposedClause[], added: ProposedClause[]): HTMLElement[] {
  const files = new Set([...removed, ...added].map(({ filename }) => filename));
  return [...files].flatMap((file) => {
    const of = (sign: Sign, clauses: ProposedClause[]) =>
      clauses
        .filter(({ filename }) => filename === file)
        .flatMap(({ clause }) => clause.split('\n').map((text) => line(sign, text)));
    return [place(file ?? LOOSE), ...of('-', removed), ...of('+', added)];
  });
}

/** A document, or a record of the memory or of a workflow; what it begins and ends with as before is not shown. */
function cellLines({ room, key, before, after }: ProposedCell): HTMLElement[] {
  const linesOf = (text: string | undefined) => (text === undefined ? [] : text.replace(/\n$/, '').split('\n'));
  const [old, now] = [linesOf(before), linesOf(after)];
  const shorter = Math.min(old.length, now.length);
  let begin = 0;
  while (begin < shorter && old[begin] === now[begin]) begin++;
  let end = 0;
  while (end < shorter - begin && old.at(-1 - end) === now.at(-1 - end)) end++;
  const part = (sign: Sign, all: string[]) => all.slice(begin, all.length - end).map((text) => line(sign, text));
  return [place(`${room}: ${key}`), ...part('-', old), ...part('+', now)];
}

/** A line of a difference. Characters that cannot be seen are shown as their codes. */
function line(sign: Sign, text: string): HTMLElement {
  return h('div', { class: KINDS[sign] }, `${sign} `, ...seen(text));
}

const place = (text: string): HTMLElement => h('div', { class: 'place' }, ...seen(text));
