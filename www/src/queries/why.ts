/** The way from an answer to its proof. */
import { h, icon } from '../dom.ts';

/** Shows how an answer, by its number from 1, came to be. */
export type Why = (number: number, beside: HTMLElement) => void;

/** The button that shows how an answer came to be. */
export function whyButton(number: number, show: Why): HTMLElement {
  const one: HTMLButtonElement = h(
    'button',
    {
      type: 'button',
      class: 'quiet why',
      title: 'How this answer came to be',
      'aria-label': `Why answer ${number}`,
      'aria-expanded': 'false',
      onclick: () => show(number, one),
    },
    icon('why'),
    h('span', {}, 'Why'),
  );
  return one;
}
