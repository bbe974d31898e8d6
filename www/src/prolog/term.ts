/** Reads values written as Prolog text, for pictures: plain terms only. */

/**
 * As in `docs/engine-protocol.md`: lists are arrays, atoms and strings text, compounds `{functor, args}`, dicts
 * objects.
 */
export type Value = string | number | Value[] | { functor: string; args: Value[] } | { [key: string]: Value };

/** The value of a text; undefined if it is more than a plain term. */
export function readValue(text: string): Value | undefined {
  try {
    return new Reader(text).whole();
  } catch {
    return undefined;
  }
}

const TOKEN =
  /\s*(?:(-?\d+\.\d+(?:[eE][-+]?\d+)?|-?\d+)|([a-z][\p{L}\p{N}_]*)|([\p{Lu}_][\p{L}\p{N}_]*)|'((?:[^'\\]|''|\\.)*)'|"((?:[^"\\]|""|\\.)*)"|([-+*/\\^<>=~:.?@#&$]+)|([[\](){},|]))/uy;

/** As in `prolog/query/answer.pl`. */
const MARKS = new Set(['functor', 'variable', 'integer', 'rational', 'float', 'atom', 'cyclic', 'cut', 'dict']);

const isVariable = (value: Value | undefined): boolean =>
  typeof value === 'object' && !Array.isArray(value) && 'variable' in value;

interface Token {
  value?: Value;
  /** A name that may be followed by arguments. */
  name?: string;
  symbol?: string;
  mark?: string;
}

class Reader {
  #at = 0;
  #token: Token | undefined;

  constructor(readonly text: string) {
    this.#next();
  }

  whole(): Value {
    const value = this.#term();
    if (this.#token !== undefined) throw new Error('not a plain term');
    return value;
  }

  #next(): void {
    TOKEN.lastIndex = this.#at;
    const found = TOKEN.exec(this.text);
    if (!found) {
      if (this.text.slice(this.#at).trim() !== '') throw new Error('not a plain term');
      this.#token = undefined;
      return;
    }
    this.#at = TOKEN.lastIndex;
    const [, number, name, variable, quoted, string, symbol, mark] = found;
    if (number !== undefined) {
      const value = Number(number);
      const isLarge = !number.includes('.') && !Number.isSafeInteger(value);
      this.#token = { value: isLarge ? { integer: number } : value };
    } else if (variable !== undefined) this.#token = { value: { variable } };
    else if (string !== undefined) this.#token = { value: unescaped(string, '"') };
    else if (name !== undefined || quoted !== undefined) this.#token = { name: name ?? unescaped(quoted!, "'") };
    else this.#token = { symbol, mark };
  }

  /** Symbol operators in sequence, such as `a-b` and `a->b`; pictures do not depend on their priorities. */
  #term(): Value {
    let left = this.#primary();
    while (this.#token?.symbol !== undefined) {
      const functor = this.#token.symbol;
      this.#next();
      left = { functor, args: [left, this.#primary()] };
    }
    // `1-2` is tokenized as two numbers.
    while (typeof this.#token?.value === 'number' && (this.#token.value < 0 || Object.is(this.#token.value, -0))) {
      left = { functor: '-', args: [left, -this.#token.value] };
      this.#next();
    }
    return left;
  }

  #primary(): Value {
    const token = this.#token;
    if (token === undefined) throw new Error('not a plain term');
    const after = this.text[this.#at];
    this.#next();
    const isTag = token.name !== undefined || isVariable(token.value);
    if (isTag && after === '{') return this.#dict();
    if (token.value !== undefined) return token.value;
    if (token.name !== undefined) {
      if (after !== '(') return token.name;
      this.#next();
      return { functor: token.name, args: this.#items(')') };
    }
    if (token.mark === '(') {
      const inner = this.#term();
      this.#expect(')');
      return inner;
    }
    if (token.mark === '[') {
      if (this.#token?.mark !== ']') return this.#items(']');
      this.#next();
      return [];
    }
    throw new Error('not a plain term');
  }

  #dict(): Value {
    const pairs = new Map<string, Value>();
    this.#next();
    while (this.#token?.mark !== '}') {
      if (pairs.size > 0) this.#expect(',');
      const { name, value } = this.#token ?? {};
      const key = name ?? (typeof value === 'number' ? String(value) : undefined);
      // These keys mark objects that are not dicts.
      if (key === undefined || MARKS.has(key)) throw new Error('not a plain term');
      this.#next();
      if (this.#token?.symbol !== ':') throw new Error('not a plain term');
      this.#next();
      pairs.set(key, this.#term());
    }
    this.#next();
    return Object.fromEntries(pairs);
  }

  #items(end: string): Value[] {
    const items = [this.#term()];
    while (this.#token?.mark === ',') {
      this.#next();
      items.push(this.#term());
    }
    this.#expect(end);
    return items;
  }

  #expect(mark: string): void {
    if (this.#token?.mark !== mark) throw new Error('not a plain term');
    this.#next();
  }
}

const ESCAPES: Record<string, string> = { n: '\n', t: '\t', r: '\r' };

function unescaped(text: string, quote: string): string {
  return text.replaceAll(quote + quote, quote).replace(/\\(.)/gs, (_, c: string) => ESCAPES[c] ?? c);
}
