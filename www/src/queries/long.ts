/** Texts of any length: a very long one is cut, says so, and can be expanded. */
import { h } from '../dom.ts';
import { seen } from '../odd.ts';

/** How many characters to show at first. */
const SHOWN = 2000;

/** The text rendered by `draw`; if it is long, only its start, with a button for the rest. */
export function long(text: string, draw: (text: string) => HTMLElement): HTMLElement {
  if (text.length <= SHOWN) return draw(text);
  const frame = h(
    'div',
    { class: 'long' },
    draw(`${text.slice(0, SHOWN)}…`),
    h(
      'button',
      {
        type: 'button',
        class: 'quiet',
        onclick: () => {
          // Highlighting this much would take too long.
          frame.replaceChildren(h('pre', { class: 'whole', tabindex: 0, 'aria-label': 'All of it' }, ...seen(text)));
        },
      },
      `Show all ${text.length.toLocaleString('en')} characters`,
    ),
  );
  return frame;
}

/** The output of a query. */
export const output = (text: string, label?: string): HTMLElement =>
  long(text, (part) => h('pre', { class: 'output', tabindex: label && 0, 'aria-label': label }, ...seen(part)));
