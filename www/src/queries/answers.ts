/** Answers as a table and as text. */
import { h } from '../dom.ts';
import { coloured } from '../prolog/highlight.ts';
import { whyButton } from './card.ts';
import type { Answer } from './query.ts';

type Why = (number: number, beside: HTMLElement) => void;

export function asTable(answers: Answer[], why: Why): HTMLElement {
  const names = (answers[0]?.bindings ?? []).map(({ name }) => name);
  const residual = answers.some((answer) => (answer.residual ?? []).length > 0);
  const output = answers.some((answer) => answer.output);
  if (names.length === 0 && !residual && !output && answers.length === 1) {
    return h('div', { class: 'row verdict yes', 'data-answer': 1 }, 'true', whyButton(1, why));
  }
  const heads = [...names, ...(names.length === 0 ? ['Answer'] : []), ...(residual ? ['Remaining constraints'] : []), ...(output ? ['Output'] : [])];
  const rows = answers.map((answer, index) => {
    const cells = answer.bindings.map(({ text }) => h('td', {}, text === '_' ? h('span', { class: 'any' }, 'any') : coloured(text)));
    if (names.length === 0) cells.push(h('td', {}, coloured('true')));
    if (residual) cells.push(h('td', { class: 'residual' }, ...(answer.residual ?? []).map((goal) => h('div', {}, coloured(goal)))));
    if (output) cells.push(h('td', {}, answer.output ? h('pre', { class: 'output' }, answer.output) : ''));
    return h('tr', { 'data-answer': index + 1 }, h('th', { scope: 'row', class: 'number' }, index + 1), ...cells, h('td', { class: 'last' }, whyButton(index + 1, why)));
  });
  return h('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Answers' },
    h('table', {},
      h('thead', {}, h('tr', {}, h('th', { scope: 'col', class: 'number' }, '#'), ...heads.map((name) => h('th', { scope: 'col' }, name)), h('th', { scope: 'col' }, h('span', { class: 'unseen' }, 'Proof')))),
      h('tbody', {}, ...rows)));
}

/** As Prolog's own prompt writes them. */
export function asText(answers: Answer[], why: Why): HTMLElement {
  const items = answers.map((answer, index) => {
    const bound = answer.bindings.filter(({ text }) => text !== '_').map(({ name, text }) => `${name} = ${text}`);
    const parts = [...bound, ...(answer.residual ?? [])];
    return h('li', { 'data-answer': index + 1 },
      answer.output ? h('pre', { class: 'output' }, answer.output) : null,
      h('div', { class: 'row' }, coloured(parts.join(',\n') || 'true'), whyButton(index + 1, why)));
  });
  return h('ol', { class: 'text-answers' }, ...items);
}
