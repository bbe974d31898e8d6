/** Texts of any length: what is too long to be read is cut, says so, and can be had whole. */
import { h } from '../dom.ts';
import { seen } from '../odd.ts';

/** Characters that are shown at first. */
const SHOWN = 2000;

/** The text as `draw` shows it; where it is long, its start and a button for all of it. */
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
          // Colours for so much would take long.
          frame.replaceChildren(h('pre', { class: 'whole', tabindex: 0, 'aria-label': 'All of it' }, ...seen(text)));
        },
      },
      `Show all ${text.length.toLocaleString('en')} characters`,
    ),
  );
  return frame;
}

/** What a query wrote. */
export const output = (text: string, label?: string): HTMLElement =>
  long(text, (part) => h('pre', { class: 'output', tabindex: label && 0, 'aria-label': label }, ...seen(part)));
