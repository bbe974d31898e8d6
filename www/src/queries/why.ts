/** The way from an answer to its proof, and from none to why there is none. */
import { h, icon } from '../dom.ts';

/** Shows how an answer, by its number from 1, came to be. */
export type Why = (number: number, beside: HTMLElement) => void;

/** The verdict on a query that has no answer, with the button that shows why. */
export function verdictNo(show: (beside: HTMLElement) => void): HTMLElement {
  const one: HTMLButtonElement = h(
    'button',
    {
      type: 'button',
      class: 'quiet why',
      title: 'Which clauses were tried, and where each one stops',
      'aria-expanded': 'false',
      onclick: () => show(one),
    },
    icon('why'),
    h('span', {}, 'Why not?'),
  );
  return h('div', { class: 'row verdict no', 'data-answer': 0 }, 'false', one);
}

/** The button that shows how an answer came to be. */
export function whyButton(number: number, show: Why): HTMLElement {
  const one: HTMLButtonElement = h(
    'button',
    {
      type: 'button',
      class: 'quiet why',
      title: 'How this answer was found',
      'aria-label': `Why answer ${number}`,
      'aria-expanded': 'false',
      onclick: () => show(number, one),
    },
    icon('why'),
    h('span', {}, 'Why'),
  );
  return one;
}
