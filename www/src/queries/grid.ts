/** Boards: queens on a chessboard, and lists of lists as grids. */
import { h, svg } from '../dom.ts';
import type { Answer } from './query.ts';

export interface Grid {
  /** The variable, and the number of the answer. */
  name: string;
  number: number;
  /** Set if the values are the rows of queens, one per column. */
  queens?: number[];
  rows?: string[][];
}

/** Whether a picture suits it better than text: queens, a Sudoku. */
export const isBoard = ({ queens, rows }: Grid): boolean => queens !== undefined || isSudoku(rows ?? []);

const isSudoku = (rows: string[][]): boolean => rows.length === 9 && rows.every((row) => row.length === 9);

/** The maximum number of boards shown at once, and of cells in one. */
const BOARDS = 12;
const CELLS = 2500;

/** The boards in an answer, by its number from 1. */
export function gridsIn(answer: Answer, number: number): Grid[] {
  return answer.bindings.flatMap(({ name, json }) => {
    const queens = asQueens(json);
    const rows = queens ? undefined : asRows(json);
    return queens || rows ? [{ name, number, queens, rows }] : [];
  });
}

/** A permutation of 1 to N with N at least four, no two of them on a diagonal. */
function asQueens(json: unknown): number[] | undefined {
  if (!Array.isArray(json) || json.length < 4 || json.length > 40) return undefined;
  const values = json as number[];
  const seen = new Set(values);
  if (
    seen.size !== values.length ||
    !values.every((value) => Number.isInteger(value) && value >= 1 && value <= values.length)
  )
    return undefined;
  const attacked = values.some((a, i) => values.some((b, j) => i < j && Math.abs(a - b) === j - i));
  return attacked ? undefined : values;
}

function asRows(json: unknown): string[][] | undefined {
  if (!Array.isArray(json) || json.length < 2) return undefined;
  if (!json.every((row) => Array.isArray(row) && row.length > 0)) return undefined;
  const rows = (json as unknown[][]).map((row) => row.map(cell));
  return rows.flat().length <= CELLS ? rows : undefined;
}

function cell(value: unknown): string {
  if (typeof value === 'string' || typeof value === 'number') return String(value);
  if (value && typeof value === 'object' && 'variable' in value && typeof value.variable === 'string') return '';
  if (value && typeof value === 'object' && 'integer' in value && typeof value.integer === 'string')
    return value.integer;
  return JSON.stringify(value);
}

export function grids(all: Grid[], answers: number): HTMLElement {
  const shown = all
    .slice(0, BOARDS)
    .map(({ name, number, queens, rows }) =>
      h(
        'figure',
        {},
        queens ? board(queens) : table(rows ?? []),
        h('figcaption', {}, answers > 1 ? `${name}, answer ${number}` : name),
      ),
    );
  const more =
    all.length > BOARDS ? h('p', { class: 'note' }, `The first ${BOARDS} of ${all.length}; the table has all.`) : null;
  return h('div', { class: 'boards' }, ...shown, more);
}

function board(queens: number[]): SVGElement {
  const n = queens.length;
  const squares = [];
  for (let column = 0; column < n; column += 1) {
    for (let row = 0; row < n; row += 1) {
      squares.push(
        svg('rect', { x: column, y: row, width: 1, height: 1, class: (row + column) % 2 ? 'dark' : 'light' }),
      );
    }
  }
  const pieces = queens.map((row, column) =>
    svg('text', { x: column + 0.5, y: row - 0.5, 'text-anchor': 'middle', 'dominant-baseline': 'central' }, '♛'),
  );
  const label = `A board of ${n} by ${n}; the queens of columns 1 to ${n} stand in the rows ${queens.join(', ')}`;
  return svg(
    'svg',
    { class: 'board', viewBox: `0 0 ${n} ${n}`, role: 'img', 'aria-label': label },
    ...squares,
    ...pieces,
  );
}

function table(rows: string[][]): HTMLElement {
  return h(
    'div',
    { class: 'scroll', tabindex: 0, role: 'group', 'aria-label': 'Grid' },
    h(
      'table',
      { class: isSudoku(rows) ? 'grid nine' : 'grid' },
      h('tbody', {}, ...rows.map((row) => h('tr', {}, ...row.map((value) => h('td', {}, value))))),
    ),
  );
}
