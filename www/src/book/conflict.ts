/** A file that was changed elsewhere while it was edited here: whose text the book keeps. */
import { dialog } from '../dialogs.ts';
import { button, h } from '../dom.ts';
import { seen } from '../odd.ts';
import { differences } from './differences.ts';
import { shortName } from './names.ts';

/** How many lines of the difference are shown. */
const SHOWN = 500;

type Choice = 'mine' | 'theirs' | undefined;

/** Resolves with the person's choice; `undefined` leaves everything as it is. */
export function chosen(name: string, mine: string, theirs: string): Promise<Choice> {
  const file = shortName(name);
  const about = `Another tab, an agent or a query has changed ${file} since you began to edit it. The text that you do not choose is not lost: you can undo your choice.`;
  return compared(`${file} was changed elsewhere`, about, mine, theirs);
}

/** As {@link chosen}, for a text that a tab had not saved when it was closed. */
export function chosenOfTabs(name: string, mine: string, theirs: string): Promise<Choice> {
  const file = shortName(name);
  const about = `Another tab had this text of ${file}, and did not save it. Take theirs to have it in the editor; keep mine to delete it.`;
  return compared(`Unsaved text of another tab: ${file}`, about, mine, theirs);
}

async function compared(title: string, about: string, mine: string, theirs: string): Promise<Choice> {
  const answer = await dialog(title, (close) => {
    const difference = h('div', {
      class: 'diff',
      hidden: true,
      tabindex: 0,
      role: 'group',
      'aria-label': 'The difference',
    });
    const show = button('Show the difference', () => {
      show.hidden = true;
      difference.hidden = false;
      difference.replaceChildren(...drawn(theirs, mine, '− only in theirs, + only in mine'));
    });
    return [
      h('p', {}, about),
      difference,
      h(
        'div',
        { class: 'row end' },
        button('Cancel', () => close('')),
        show,
        button('Take theirs', () => close('theirs')),
        button('Keep mine', () => close('mine'), { class: 'main' }),
      ),
    ];
  });
  return answer === 'mine' || answer === 'theirs' ? answer : undefined;
}

/** What is only in one text, and what is only in the other, below a line that says which is which. */
export function drawn(before: string, after: string, signs: string): HTMLElement[] {
  const lines = differences(before.split('\n'), after.split('\n'));
  const rows = lines
    .slice(0, SHOWN)
    .map(({ sign, text }) =>
      h('div', { class: { '-': 'minus', '+': 'plus', ' ': 'same' }[sign] }, `${sign} `, ...seen(text.slice(0, 500))),
    );
  if (lines.length > SHOWN) rows.push(h('div', { class: 'place' }, `… and ${lines.length - SHOWN} more lines`));
  return [h('div', { class: 'place' }, signs), ...rows];
}
