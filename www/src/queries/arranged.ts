/** Which answers and variables a table shows, and in which order. */
import type { Answer, Binding } from './query.ts';

export class Arrangement {
  /** The variable that rows are sorted by. */
  by: string | undefined;
  descending = false;
  /** Leave out rows that look the same as an earlier one. */
  distinct = false;
  readonly hidden = new Set<string>();

  /** Whether all answers are shown in their original order, so that more can be appended. */
  get isPlain(): boolean {
    return this.by === undefined && !this.distinct;
  }

  /** Cycle the sorting by a variable: ascending, descending, off. */
  sortBy(name: string): void {
    if (this.by !== name) [this.by, this.descending] = [name, false];
    else if (!this.descending) this.descending = true;
    else [this.by, this.descending] = [undefined, false];
  }

  hide(name: string, hidden: boolean): void {
    if (hidden) this.hidden.add(name);
    else this.hidden.delete(name);
  }

  shown(answer: Answer): Binding[] {
    return answer.bindings.filter(({ name }) => !this.hidden.has(name));
  }

  /** The indexes of the answers to show, in row order. */
  rows(answers: readonly Answer[]): number[] {
    const seen = new Set<string>();
    const isNew = (index: number) => {
      const { residual, undefined: neither, output } = answers[index]!;
      const key = JSON.stringify([this.shown(answers[index]!).map(({ text }) => text), residual, neither, output]);
      return !seen.has(key) && seen.add(key) !== undefined;
    };
    let rows = answers.map((_, index) => index);
    if (this.distinct) rows = rows.filter(isNew);
    const at = answers[0]?.bindings.findIndex(({ name }) => name === this.by) ?? -1;
    if (at < 0) return rows;
    const keys = new Map(rows.map((index) => [index, keyOf(answers[index]!.bindings[at]!)]));
    const turn = this.descending ? -1 : 1;
    return rows.sort((a, b) => turn * compare(keys.get(a)!, keys.get(b)!));
  }
}

/** A sort key: the rank of its type in the standard order of terms, its value if it is a number, its text. */
interface Key {
  rank: number;
  number: number | bigint;
  text: string;
}

/** As far as the text of a value tells. */
function keyOf({ text, json }: Binding): Key {
  if (text.startsWith('_')) return { rank: 0, number: 0, text };
  if (typeof json === 'number') return { rank: 1, number: json, text };
  if (isObject(json) && typeof json.integer === 'string') return { rank: 1, number: BigInt(json.integer), text };
  if (text.startsWith('"')) return { rank: 3, number: 0, text };
  if (typeof json === 'string') return { rank: 2, number: 0, text: json };
  return { rank: 4, number: 0, text };
}

const isObject = (json: unknown): json is Record<string, unknown> => typeof json === 'object' && json !== null;

function compare(a: Key, b: Key): number {
  return a.rank - b.rank || (a.number < b.number ? -1 : a.number > b.number ? 1 : 0) || before(a.text, b.text);
}

/** By UTF-16 code units: the standard order, as long as no character is beyond U+FFFF. */
const before = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);
