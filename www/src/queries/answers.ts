/** Answers as a table and as text, to which more are added as they come. */
import { h } from '../dom.ts';
import { coloured } from '../prolog/highlight.ts';
import { long, output } from './long.ts';
import type { Answer } from './query.ts';
import { Rows } from './rows.ts';
import { whyButton, type Why } from './why.ts';

/** Something that shows answers. */
export interface Shown {
  element: HTMLElement;
  /** There are more answers in the list: whether it shows them now. It does not where it has to be made anew. */
  extend(): boolean;
  close(): void;
}

/** What the columns of a table are. */
function columnsOf(answers: Answer[], from: number): { residual: boolean; output: boolean } {
  const columns = { residual: false, output: false };
  for (let index = from; index < answers.length; index += 1) {
    columns.residual ||= (answers[index]!.residual ?? []).length > 0;
    columns.output ||= Boolean(answers[index]!.output);
  }
  return columns;
}

export function asTable(answers: Answer[], why: Why): Shown {
  const names = (answers[0]?.bindings ?? []).map(({ name }) => name);
  const columns = columnsOf(answers, 0);
  if (names.length === 0 && !columns.residual && !columns.output && answers.length === 1) {
    return {
      element: h('div', { class: 'row verdict yes', 'data-answer': 1 }, 'true', whyButton(1, why)),
      extend: () => false,
      close() {},
    };
  }
  const heads = [
    ...names,
    ...(names.length === 0 ? ['Answer'] : []),
    ...(columns.residual ? ['Remaining constraints'] : []),
    ...(columns.output ? ['Output'] : []),
  ];
  const row = (index: number) => {
    const answer = answers[index]!;
    const cells = answer.bindings.map(({ text }) =>
      h('td', {}, text === '_' ? h('span', { class: 'any' }, 'any') : long(text, coloured)),
    );
    if (names.length === 0) cells.push(h('td', {}, coloured('true')));
    if (columns.residual)
      cells.push(
        h('td', { class: 'residual' }, ...(answer.residual ?? []).map((goal) => h('div', {}, long(goal, coloured)))),
      );
    if (columns.output) cells.push(h('td', {}, answer.output ? output(answer.output) : ''));
    return h(
      'tr',
      { 'data-answer': index + 1 },
      h('th', { scope: 'row', class: 'number' }, index + 1),
      ...cells,
      h('td', { class: 'last' }, whyButton(index + 1, why)),
    );
  };
  const table = h(
    'table',
    {},
    h(
      'thead',
      {},
      h(
        'tr',
        {},
        h('th', { scope: 'col', class: 'number' }, '#'),
        ...heads.map((name) => h('th', { scope: 'col' }, name)),
        h('th', { scope: 'col' }, h('span', { class: 'unseen' }, 'Proof')),
      ),
    ),
  );
  const element = h('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Answers' }, table);
  const rows = new Rows(element, table, ['tbody', 'tr'], row);
  rows.extend(answers.length);
  let taken = answers.length;
  return {
    element,
    extend() {
      const more = columnsOf(answers, taken);
      if ((more.residual && !columns.residual) || (more.output && !columns.output)) return false;
      taken = answers.length;
      rows.extend(taken);
      return true;
    },
    close: () => rows.close(),
  };
}

/** As Prolog's own prompt writes them. */
export function asText(answers: Answer[], why: Why): Shown {
  const item = (index: number) => {
    const answer = answers[index]!;
    const bound = answer.bindings.filter(({ text }) => text !== '_').map(({ name, text }) => `${name} = ${text}`);
    const parts = [...bound, ...(answer.residual ?? [])];
    return h(
      'li',
      { 'data-answer': index + 1 },
      answer.output ? output(answer.output) : null,
      h('div', { class: 'row' }, long(parts.join(',\n') || 'true', coloured), whyButton(index + 1, why)),
    );
  };
  const element = h('div', { class: 'scroll text-answers', tabindex: 0, role: 'group', 'aria-label': 'Answers' });
  const rows = new Rows(element, element, ['ol', 'li'], item);
  rows.extend(answers.length);
  return {
    element,
    extend() {
      rows.extend(answers.length);
      return true;
    },
    close: () => rows.close(),
  };
}
