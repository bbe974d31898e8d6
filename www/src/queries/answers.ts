/** Answers as a table and as text, extended as more arrive. */
import { h } from '../dom.ts';
import { coloured } from '../prolog/highlight.ts';
import type { Arrangement } from './arranged.ts';
import { long, output } from './long.ts';
import type { Answer, Binding } from './query.ts';
import { Rows, holding } from './rows.ts';
import { whyButton, type Why } from './why.ts';

/** A view of answers. */
export interface Shown {
  element: HTMLElement;
  /**
   * The list of answers has grown or, with `isLast`, is complete. Returns whether the view could show the change; if
   * not, it must be rebuilt.
   */
  extend(isLast: boolean): boolean;
  close(): void;
}

/** Of an answer by the well-founded semantics of tabled negation. */
const UNDEFINED = 'undefined: neither true nor false';

/** The columns of a table besides its variables. */
function columnsOf(answers: Answer[], from: number): Columns {
  const columns = { residual: false, undefined: false, output: false };
  for (let index = from; index < answers.length; index += 1) {
    columns.residual ||= (answers[index]!.residual ?? []).length > 0;
    columns.undefined ||= Boolean(answers[index]!.undefined);
    columns.output ||= Boolean(answers[index]!.output);
  }
  return columns;
}

export interface TableOptions {
  arrangement: Arrangement;
  why: Why;
  /** A click changed the arrangement. */
  arranged: () => void;
}

export function asTable(answers: Answer[], options: TableOptions): Shown {
  const columns = columnsOf(answers, 0);
  if ((answers[0]?.bindings ?? []).length === 0 && !columns.residual && !columns.output && answers.length === 1) {
    return {
      element: h(
        'div',
        { class: answers[0]!.undefined ? 'row verdict' : 'row verdict yes', 'data-answer': 1 },
        answers[0]!.undefined ? UNDEFINED : 'true',
        whyButton(1, options.why),
      ),
      extend: () => false,
      close() {},
    };
  }
  const { arrangement } = options;
  let taken = answers.length;
  const order = arrangement.isPlain ? undefined : arrangement.rows(answers);
  const table = h('table', {}, heads(answers, columns, options));
  const element = h('div', { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Answers' }, table);
  const draw = (row: number) => tableRow(order?.[row] ?? row, answers, columns, options);
  const rows = new Rows(element, table, ['tbody', 'tr'], draw, holding(table));
  rows.extend(order?.length ?? taken);
  return {
    element,
    extend(isLast) {
      const more = columnsOf(answers, taken);
      for (const column of ['residual', 'undefined', 'output'] as const)
        if (more[column] && !columns[column]) return false;
      // Sorted rows are only sorted again once all answers are there.
      if (order !== undefined) return !isLast || taken === answers.length;
      taken = answers.length;
      rows.extend(taken);
      return true;
    },
    close: () => rows.close(),
  };
}

interface Columns {
  residual: boolean;
  undefined: boolean;
  output: boolean;
}

/** How many answers tell what a column holds. */
const LOOKED_AT = 50;

const jsonOf = (bindings: Binding[], name: string): unknown => bindings.find((one) => one.name === name)?.json;

function heads(answers: Answer[], columns: Columns, { arrangement, arranged }: TableOptions): HTMLElement {
  const names = arrangement.shown(answers[0]!).map(({ name }) => name);
  const sortable = (name: string) => {
    const direction = arrangement.by !== name ? undefined : arrangement.descending ? 'descending' : 'ascending';
    const sort = h(
      'button',
      {
        type: 'button',
        class: 'quiet sort',
        title: `Sort by ${name}`,
        'data-does': `sort ${name}`,
        onclick: () => {
          arrangement.sortBy(name);
          arranged();
        },
      },
      name,
      direction && h('span', { 'aria-hidden': 'true' }, direction === 'ascending' ? ' ↑' : ' ↓'),
    );
    const isNumeric = answers.slice(0, LOOKED_AT).every(({ bindings }) => isNumber(jsonOf(bindings, name)));
    return h('th', { scope: 'col', class: isNumeric && 'numeric', 'aria-sort': direction }, sort);
  };
  const others = [
    ...(names.length === 0 ? ['Answer'] : []),
    ...(columns.residual ? ['Remaining constraints'] : []),
    ...(columns.undefined ? ['Truth'] : []),
    ...(columns.output ? ['Output'] : []),
  ];
  return h(
    'thead',
    {},
    h(
      'tr',
      {},
      h('th', { scope: 'col', class: 'number' }, '#'),
      ...names.map(sortable),
      ...others.map((name) => h('th', { scope: 'col' }, name)),
      h('th', { scope: 'col' }, h('span', { class: 'unseen' }, 'Proof')),
    ),
  );
}

/** Large ones are `{integer}`. */
const isNumber = (json: unknown): boolean =>
  typeof json === 'number' || (typeof json === 'object' && json !== null && 'integer' in json);

function tableRow(index: number, answers: Answer[], columns: Columns, { arrangement, why }: TableOptions): HTMLElement {
  const answer = answers[index]!;
  const bindings = arrangement.shown(answer);
  const cells = bindings.map(({ text, json }) =>
    h(
      'td',
      { class: isNumber(json) && 'numeric' },
      text === '_' ? h('span', { class: 'any' }, 'any') : long(text, coloured),
    ),
  );
  if (bindings.length === 0) cells.push(h('td', {}, coloured('true')));
  if (columns.residual)
    cells.push(
      h('td', { class: 'residual' }, ...(answer.residual ?? []).map((goal) => h('div', {}, long(goal, coloured)))),
    );
  if (columns.undefined) cells.push(h('td', {}, answer.undefined ? UNDEFINED : 'true'));
  if (columns.output) cells.push(h('td', { class: 'written' }, answer.output ? output(answer.output) : ''));
  return h(
    'tr',
    { 'data-answer': index + 1 },
    h('th', { scope: 'row', class: 'number' }, index + 1),
    ...cells,
    h('td', { class: 'last' }, whyButton(index + 1, why)),
  );
}

/** The way Prolog's own prompt writes them. */
export function asText(answers: Answer[], why: Why): Shown {
  const item = (index: number) => {
    const answer = answers[index]!;
    const bound = answer.bindings.filter(({ text }) => text !== '_').map(({ name, text }) => `${name} = ${text}`);
    const parts = [...bound, ...(answer.residual ?? [])].join(',\n');
    const text = answer.undefined ? (parts ? `${parts}  % ${UNDEFINED}` : UNDEFINED) : parts || 'true';
    return h(
      'li',
      { 'data-answer': index + 1 },
      answer.output ? output(answer.output) : null,
      h('div', { class: 'row' }, long(text, coloured), whyButton(index + 1, why)),
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
