/** What SWI-Prolog's predicates are, by their names: the answer to help/1 and apropos/1. Loaded when it is first asked for. */
import { builtins } from '../../../pkg-templates/src/lsp/builtins.ts';
import { h } from '../dom.ts';
import { coloured } from '../prolog/highlight.ts';
import type { Topic } from './habits.ts';

/** How many predicates are shown. */
const MOST = 40;

/** @param others the indicators of all predicates that SWI-Prolog has */
export function known({ word, isPart }: Topic, others: string[]): HTMLElement {
  const nameOf = (indicator: string) => indicator.replace(/\/\d+$/, '');
  const wanted = word.toLowerCase();
  const fits = (indicator: string, text = '') =>
    isPart
      ? nameOf(indicator).toLowerCase().includes(wanted) || text.toLowerCase().includes(wanted)
      : indicator === word || nameOf(indicator) === word;
  const explained = new Map(builtins());
  const all = [
    ...[...explained].filter(([indicator, { text }]) => fits(indicator, text)),
    ...others.filter((indicator) => !explained.has(indicator) && fits(indicator)).map((one) => [one] as const),
  ];
  // First what has the word in its name, the shortest name before the others.
  const rank = (indicator: string) => (nameOf(indicator).includes(word) ? nameOf(indicator).length : 1000);
  all.sort(([one], [other]) => rank(one) - rank(other));
  if (all.length === 0)
    return h(
      'p',
      { class: 'note' },
      `Nothing is known here of ${word}. Names of SWI-Prolog's manual are known, such as append.`,
    );
  const items = all
    .slice(0, MOST)
    .map(([indicator, about]) =>
      h('li', {}, coloured(about?.mode ?? indicator), h('p', {}, about?.text ?? 'Built into SWI-Prolog.')),
    );
  const more = all.length > MOST ? h('p', { class: 'note' }, `The first ${MOST} of ${all.length}.`) : null;
  return h(
    'div',
    { class: 'manual', role: 'group', 'aria-label': `Predicates for ${word}` },
    h('ul', {}, ...items),
    more,
  );
}
