/** How the answers of goals change, and why the new ones hold. */
import { unknownOf } from '../../../pkg/book/consequences.js';
import type { GoalChange, Row } from '../../../pkg/book/desk.js';
import type { Proof } from '../../../pkg/full/hornbook.js';
import { h, sentence } from '../dom.ts';
import { seen } from '../odd.ts';
import { coloured } from '../prolog/highlight.ts';
import { proofWith, shown } from '../queries/proof.ts';
import type { GoTo } from '../queries/replay.ts';

/** How many answers of each kind are shown. */
const SHOWN = 50;

/** Proves an answer of a goal, by its number from 1, where the new answers hold. */
export type Prove = (goal: string, answer: number) => Promise<Proof>;

/** The goals whose answers change, or may, and how many have the same. */
export function goalChanges(all: GoalChange[], prove: Prove, goTo: GoTo): HTMLElement[] {
  const leftOut = all.filter((one) => one.leftOut);
  const changed = all.filter(
    ({ gained, lost, more, errorBefore, errorAfter }) =>
      gained.length + lost.length > 0 || more || errorBefore !== undefined || errorAfter !== undefined,
  );
  const same = all.length - leftOut.length - changed.length;
  const parts = changed.map((one) => goalChange(one, prove, goTo));
  if (same > 0)
    parts.push(
      h(
        'p',
        { class: 'note' },
        changed.length === 0
          ? 'The goals answer the same.'
          : `${same} ${same === 1 ? 'goal answers' : 'goals answer'} the same.`,
      ),
    );
  if (leftOut.length > 0) {
    const goals = leftOut.flatMap(({ goal }, index) => [index > 0 ? ', ' : '', coloured(goal)]);
    parts.push(h('p', { class: 'warning' }, 'Not asked, as the time for what its client asked was over: ', ...goals));
  }
  return parts;
}

function goalChange(change: GoalChange, prove: Prove, goTo: GoTo): HTMLElement {
  const { goal, gained, lost, more, errorBefore, errorAfter, asked } = change;
  const rows = [
    ...lost.slice(0, SHOWN).map((row) => h('li', { class: 'minus' }, '- ', answer(row))),
    ...rest('minus', lost.length),
    ...gained.slice(0, SHOWN).map((row) => gainedRow(goal, row, prove, goTo)),
    ...rest('plus', gained.length),
  ];
  if (errorBefore !== errorAfter) {
    if (errorBefore) rows.push(h('li', { class: 'minus' }, ...seen(`- Error: ${errorBefore}`)));
    if (errorAfter) rows.push(h('li', { class: 'plus' }, ...seen(`+ Error: ${errorAfter}`)));
  }
  const unknown = unknownOf(more && rows.length === 0, errorBefore, errorAfter);
  return h(
    'section',
    { class: 'goal-change', 'aria-label': `Answers of ${goal}` },
    h('p', { class: 'goal' }, h('span', { class: 'prompt', 'aria-hidden': 'true' }, '?-'), coloured(goal)),
    asked && h('p', { class: 'note' }, 'Its client asked this.'),
    rows.length > 0 && h('ul', {}, ...rows),
    rows.length > 0 && more && h('p', { class: 'note' }, 'Only the first thousand answers were compared.'),
    unknown !== undefined && h('p', { class: 'warning' }, ...seen(unknown)),
  );
}

const rest = (kind: string, count: number): HTMLElement[] =>
  count > SHOWN ? [h('li', { class: kind }, `… and ${(count - SHOWN).toLocaleString('en')} more`)] : [];

function gainedRow(goal: string, row: Row, prove: Prove, goTo: GoTo): HTMLElement {
  const frame = h('div', { class: 'proof', role: 'group', 'aria-label': 'Why it would hold' });
  const details = h(
    'details',
    {
      ontoggle: () => {
        if (details.open && !frame.hasChildNodes()) void fill();
      },
    },
    h('summary', {}, '+ ', answer(row)),
    frame,
  );
  const fill = async () => {
    frame.replaceChildren(h('p', { class: 'note', role: 'status' }, 'Looking for the proof…'));
    const values = Object.entries(row.texts).filter(([, text]) => text !== '_');
    try {
      const { found } = await proofWith(
        prove,
        goal,
        values.map(([name, text]) => `${name} = (${text})`),
      );
      frame.replaceChildren(...shown(found, ({ filename, line }) => filename && goTo(filename, line)));
    } catch (error) {
      frame.replaceChildren(h('p', { class: 'fault' }, `The proof could not be found: ${sentence(error)}`));
    }
  };
  return h('li', { class: 'plus' }, details);
}

/** An answer in a line. */
function answer({ texts, residual, undefined: neither }: Row): HTMLElement {
  const values = [...Object.entries(texts).map(([name, text]) => `${name} = ${text}`), ...residual];
  const text = values.join(', ') || 'true';
  return h('span', { class: 'answer' }, coloured(text), neither ? ' (undefined)' : '');
}
