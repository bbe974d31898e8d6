/** Answers of what goals ask, as rows. They come from others: any shape, size and depth. */
import { breathing, type HostPredicate, type Solution } from '../../book/predicates.js';
import { Atom, Float } from '../../book/values.js';

export type Json = string | number | bigint | boolean | null | Json[] | { [key: string]: Json };

/** A column of a relation, and whether it must be known (`+`), may be (`?`), or comes back (`-`). */
export interface Column {
  name: string;
  mode: '+' | '?' | '-';
}
export type Columns = Column[];

const MOST_LEVELS = 100;

/** @throws TypeError if they are no columns with modes */
export function columnsOf(given: unknown, what: string): Columns {
  const names = Array.isArray(given) ? given : [];
  const columns = names.map((text): Column => {
    const [, mode, name] = (typeof text === 'string' && /^([+?-])(.+)$/su.exec(text)) || [];
    if (name === undefined) throw new TypeError(`${what}: '${text}' is no column; write +item, ?shop or -price`);
    return { name, mode: mode as Column['mode'] };
  });
  if (columns.length === 0) throw new TypeError(`${what} needs its columns, as ['+item', '-price']`);
  if (new Set(columns.map(({ name }) => name)).size < columns.length)
    throw new TypeError(`${what} has two columns of one name`);
  return columns;
}

/** An answer with bounds on its size and depth. */
export class Answer {
  /** What was answered, as JSON. */
  text = '';
  #left: number;

  constructor(readonly bytes: number) {
    this.#left = bytes;
  }

  /** The value that was answered: of a text that is JSON, what that says. */
  of(told: unknown): Json {
    const value = typeof told === 'string' ? parsed(told) : told;
    this.text = this.json(value);
    return value as Json;
  }

  /** A value as JSON. */
  json(value: unknown, level = 0): string {
    if (level > MOST_LEVELS) throw new Error(`its answer is nested deeper than ${MOST_LEVELS} levels`);
    if (Array.isArray(value))
      return this.#took(`[${value.map((item) => this.json(item, level + 1)).join(',')}]`, value.length);
    switch (typeof value) {
      case 'string':
        return this.#took(JSON.stringify(value));
      case 'number':
        if (Number.isFinite(value)) return this.#took(String(value));
        throw new Error(`${value} in its answer is no number of JSON`);
      case 'bigint':
      case 'boolean':
        return this.#took(String(value));
      case 'object': {
        if (value === null) return this.#took('null');
        if (value instanceof Atom) return this.json(value.name, level);
        if (value instanceof Float) return this.#took(String(value));
        const prototype: unknown = Object.getPrototypeOf(value);
        if (prototype !== Object.prototype && prototype !== null) break;
        const members = Object.entries(value).filter(([, member]) => member !== undefined);
        const texts = members.map(
          ([key, member]) => `${this.#took(JSON.stringify(key))}:${this.json(member, level + 1)}`,
        );
        return `{${texts.join(',')}}`;
      }
    }
    throw new Error('a value of its answer is no text, number, list or object of JSON');
  }

  #took(text: string, size = text.length): string {
    this.#left -= size + 1;
    if (this.#left < 0) throw new Error(`its answer has more than ${this.bytes} bytes (limit: data_answer_bytes)`);
    return text;
  }
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

/**
 * The rows of an answer, in which Prolog compares what was known: it fills only what the answer does not have. An object is one, a list has one in each item, and so has a list that is all there is in an object.
 * `null` is none.
 */
export function rowsOf(told: Json, columns: Columns, given: Record<string, Json>): Json[][] {
  const wanted = columns.filter(({ name }) => !Object.hasOwn(given, name)).map(({ name }) => name);
  const isRow = (value: Json) => isObject(value) && wanted.some((name) => Object.hasOwn(value, name));
  const row = (value: Json): Json[] => {
    const plain = isObject(value) ? value : wanted.length === 1 ? { [wanted[0]!]: value } : {};
    if (wanted.length > 0 && !isRow(plain)) throw new Error(`its answer has none of the columns ${wanted.join(', ')}`);
    return columns.map(({ name }) => {
      if (Object.hasOwn(plain, name)) return plain[name]!;
      return Object.hasOwn(given, name) ? given[name]! : null;
    });
  };
  if (told === null) return [];
  if (Array.isArray(told)) return told.map(row);
  if (isObject(told) && !isRow(told)) {
    const [only, ...others] = Object.values(told);
    if (Array.isArray(only) && others.length === 0) return only.map(row);
  }
  return [row(told)];
}

/** The rows of the solutions of a function. */
export async function solutionsOf(
  made: ReturnType<HostPredicate>,
  columns: Columns,
  given: Record<string, Json>,
  answer: Answer,
  signal: AbortSignal,
): Promise<Json[][]> {
  const rows: Json[][] = [];
  const texts: string[] = [];
  const add = (solution: Solution) => {
    if (solution === undefined || solution === null || solution === false) return;
    const values = solution === true ? columns.map(() => undefined) : solution;
    if (!Array.isArray(values) || values.length !== columns.length)
      throw new Error(`a solution is true, false, or an array of ${columns.length} arguments`);
    const row = columns.map(({ name }, at) => {
      if (values[at] !== undefined) return values[at] as Json;
      if (Object.hasOwn(given, name)) return given[name]!;
      throw new Error(`a solution leaves ${name} open`);
    });
    texts.push(answer.json(row));
    rows.push(row);
  };
  const solutions = await made;
  if (typeof solutions === 'object' && solutions !== null && 'next' in solutions) {
    const breath = breathing();
    try {
      for (;;) {
        const { done, value } = await solutions.next();
        if (done) break;
        await breath();
        signal.throwIfAborted();
        add(value);
      }
    } finally {
      void Promise.resolve(solutions.return?.()).catch(() => {});
    }
  } else add(solutions as Solution);
  answer.text = `[${texts.join(',')}]`;
  return rows;
}

const isObject = (value: Json | undefined): value is { [key: string]: Json } =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
