/** What the predicates of the book and those of SWI-Prolog are, by their names: the answer to help/1 and apropos/1. Loaded when it is first asked for. */
import { builtins } from '../../../pkg-templates/src/lsp/builtins.ts';
import type { Defined } from '../book/outlines.ts';
import { h } from '../dom.ts';
import { coloured } from '../prolog/highlight.ts';
import type { Topic } from './habits.ts';

/** How many predicates are shown. */
const MOST = 40;

/**
 * @param others the indicators of all predicates that SWI-Prolog has
 * @param own those of the book, which come first
 */
export function known({ word, isPart }: Topic, others: string[], own: Defined[]): HTMLElement {
  const nameOf = (indicator: string) => indicator.replace(/\/\d+$/, '');
  const wanted = word.toLowerCase();
  const fits = (indicator: string, text = '') =>
    isPart
      ? nameOf(indicator).toLowerCase().includes(wanted) || text.toLowerCase().includes(wanted)
      : indicator === word || nameOf(indicator) === word;
  const explained = new Map(builtins());
  const mine = own.filter(({ indicator, comment }) => fits(indicator, comment));
  const all = [
    ...[...explained].filter(([indicator, { text }]) => fits(indicator, text)),
    ...others.filter((indicator) => !explained.has(indicator) && fits(indicator)).map((one) => [one] as const),
  ];
  // First what has the word in its name, the shortest name before the others.
  const rank = (indicator: string) => (nameOf(indicator).includes(word) ? nameOf(indicator).length : 1000);
  all.sort(([one], [other]) => rank(one) - rank(other));
  if (mine.length + all.length === 0)
    return h(
      'p',
      { class: 'note' },
      `Nothing is known here of ${word}. The predicates of the book are known, and names of SWI-Prolog's manual, such as append.`,
    );
  const about = ({ clauses, first }: Defined) =>
    `${clauses === 1 ? '1 clause' : `${clauses} clauses`} in your book, ${first.file}:${first.line}.`;
  const ofBook = mine
    .slice(0, MOST)
    .map((one) =>
      h(
        'li',
        {},
        coloured(one.indicator),
        ...(one.comment ? [h('p', { class: 'own-comment' }, one.comment)] : []),
        h('p', {}, about(one)),
      ),
    );
  const items = all
    .slice(0, MOST - ofBook.length)
    .map(([indicator, about]) =>
      h('li', {}, coloured(about?.mode ?? indicator), h('p', {}, about?.text ?? 'Built into SWI-Prolog.')),
    );
  const count = mine.length + all.length;
  const more = count > MOST ? h('p', { class: 'note' }, `The first ${MOST} of ${count}.`) : null;
  return h(
    'div',
    { class: 'manual', role: 'group', 'aria-label': `Predicates for ${word}` },
    h('ul', {}, ...ofBook, ...items),
    more,
  );
}
