/** Links from an answer to its proof, and from "no answer" to the reasons. */
import { h, icon } from '../dom.ts';

/** Shows why an answer holds, by its number from 1. */
export type Why = (number: number, beside: HTMLElement) => void;

/** The verdict on a query without answers, with a button that shows why. */
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

/** The button that shows why an answer holds. */
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
