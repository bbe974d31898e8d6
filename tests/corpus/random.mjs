// Random terms, and their text in a form of which nothing depends on operators or layout: what Hornbook writes is
// compared with what this says.

/** Numbers in [0, 1) from a seed (Mulberry32), and what is made of them. */
export class Random {
  #state;

  constructor(seed) {
    this.#state = seed;
  }

  next() {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  }

  below(n) {
    return Math.floor(this.next() * n);
  }

  pick(list) {
    return list[this.below(list.length)];
  }

  chance(p) {
    return this.next() < p;
  }
}

/** Operators that the files of the test define, for themselves only. */
export const OPERATORS = [
  ['===>', 700, 'xfx'],
  ['zz_is', 700, 'xfy'],
  ['~>', 200, 'xfy'],
  ['zz_not', 900, 'fy'],
  ['zz_done', 100, 'yf'],
  ['*/', 400, 'yfx'],
];

const NAMES = [
  'a',
  'foo',
  'b1',
  'A',
  'Abc',
  '_',
  '_a',
  '',
  ' ',
  'a b',
  "it's",
  '"',
  '`',
  '\\',
  '\n',
  '\t',
  '\0',
  'a\0b',
  '.',
  '..',
  'x.',
  '. ',
  '%',
  '/*',
  '*/',
  'a/*b',
  '0',
  "0'",
  "0'a",
  '[]',
  '{}',
  '[|]',
  '()',
  '|',
  '||',
  ',',
  ';',
  '!',
  '->',
  '*->',
  ':-',
  '-->',
  '?-',
  '=>',
  ':',
  '-',
  '+',
  '*',
  '/',
  '**',
  '^',
  '\\+',
  '=',
  '=..',
  '==',
  '\\=',
  '@',
  '@<',
  '$',
  '#',
  '#!',
  '#=',
  '#\\',
  '#==>',
  '..',
  'in',
  'ins',
  '~',
  '&',
  '?',
  'is',
  'mod',
  'rem',
  'xor',
  'rdiv',
  'as',
  'dynamic',
  'table',
  'discontiguous',
  'initialization',
  'meta_predicate',
  'module',
  'end_of_file',
  '$VAR',
  '$end_of_file',
  'dict',
  "C'dict'",
  'user',
  'knowledge_base',
  'true',
  'fail',
  'call',
  'null',
  'é',
  'Ω',
  'ß',
  '中文',
  '日',
  'ñandú',
  '⊕',
  '→',
  '∀x',
  'e\u0301',
  'ª',
  '²',
  '\u202e',
  '\u2066x',
  '\ufeff',
  '\u2028',
  '\u0085',
  '\u00a0',
  '\u200b',
  '\ufffe',
  '\uffff',
  '\u{10ffff}',
  '😀',
  '\u{e0001}',
  '\x7f',
  '\r\n',
  '\x1b[31m',
  '"}]],"residual":[]',
  '<stream>(0x1)',
  ...OPERATORS.map(([name]) => name),
];

/** A code point of any kind, no surrogate. */
function codePoint(random) {
  const range = random.pick([
    [0, 32],
    [32, 127],
    [32, 127],
    [127, 256],
    [0x300, 0x600],
    [0x2000, 0x2100],
    [0x2190, 0x2c00],
    [0x3000, 0xd800],
    [0xe000, 0x10000],
    [0x10000, 0x110000],
  ]);
  return range[0] + random.below(range[1] - range[0]);
}

export function text(random) {
  return String.fromCodePoint(...Array.from({ length: random.below(5) }, () => codePoint(random)));
}

const name = (random) => (random.chance(0.75) ? random.pick(NAMES) : text(random));

const NUMBERS = [
  '0',
  '1',
  '-1',
  '7',
  '-42',
  '123456789012345678901234567890',
  '-9223372036854775808',
  '9223372036854775807',
  '1r3',
  '-7r2',
  '0.0',
  '-0.0',
  '1.5',
  '-2.5',
  '1.0e100',
  '5.0e-324',
  '1.0Inf',
  '-1.0Inf',
  '1.5NaN',
];

/** `{ variable }`, `{ atom }`, `{ string }`, `{ number }`, `{ functor, args }`, `{ items, tail }`, `{ tag, pairs }`. */
export function term(random, depth = 3) {
  const r = random.next();
  if (depth === 0 || r < 0.35) {
    return random.pick([
      () => ({ variable: `V${random.below(3)}` }),
      () => ({ atom: name(random) }),
      () => ({ atom: name(random) }),
      () => ({ string: text(random) }),
      () => ({ string: random.pick(NAMES) }),
      () => ({ number: random.pick(NUMBERS) }),
      () => ({ items: [] }),
    ])();
  }
  if (r < 0.8) return compound(random, name(random), random.chance(0.05) ? 0 : 1 + random.below(3), depth);
  if (r < 0.93) {
    const items = Array.from({ length: 1 + random.below(3) }, () => term(random, depth - 1));
    return { items, tail: random.chance(0.3) ? term(random, depth - 1) : undefined };
  }
  const keys = [
    ...new Set(Array.from({ length: random.below(4) }, () => (random.chance(0.7) ? name(random) : random.below(9)))),
  ];
  return {
    tag: random.chance(0.5) ? undefined : name(random),
    pairs: keys.map((key) => [key, term(random, depth - 1)]),
  };
}

export function compound(random, functor, arity, depth) {
  if (functor === '.' && arity === 2) arity = 1; // a call of a function on dicts
  return { functor, args: Array.from({ length: arity }, () => term(random, depth - 1)) };
}

/** The escape of a character. SWI-Prolog reads none in hexadecimal whose first four digits are a surrogate. */
function escapeOf(c) {
  const code = c.codePointAt(0);
  return code >> 4 >= 0xd800 && code >> 4 < 0xe000 ? `\\${code.toString(8)}\\` : `\\x${code.toString(16)}\\`;
}

/** Text between quotes, in ASCII. */
function quoted(characters, quote) {
  const escaped = [...characters].map((c) => (/[ -~]/.test(c) && c !== quote && c !== '\\' ? c : escapeOf(c)));
  return `${quote}${escaped.join('')}${quote}`;
}

export const atomText = (characters) => quoted(characters, "'");

/** The text of a term. Its variables are its own where terms are joined: `suffix` tells them apart. */
export function termText(term, suffix = '') {
  const written = (part) => termText(part, suffix);
  if (term.variable !== undefined) return term.variable + suffix;
  if (term.atom !== undefined) return atomText(term.atom);
  if (term.string !== undefined) return quoted(term.string, '"');
  if (term.number !== undefined) return term.number;
  if (term.functor !== undefined) return `${atomText(term.functor)}(${term.args.map(written).join(', ')})`;
  if (term.items !== undefined)
    return `[${term.items.map(written).join(', ')}${term.tail ? `|${written(term.tail)}` : ''}]`;
  const pairs = term.pairs.map(([key, value]) => `${typeof key === 'number' ? key : atomText(key)}: ${written(value)}`);
  return `${term.tag === undefined ? '_' : atomText(term.tag)}{${pairs.join(', ')}}`;
}

/** The term with each of its leaves as `leaf` has it. */
function mapped(term, leaf) {
  const map = (part) => mapped(part, leaf);
  if (term.functor !== undefined) return { ...term, args: term.args.map(map) };
  if (term.items !== undefined) return { items: term.items.map(map), tail: term.tail && map(term.tail) };
  if (term.pairs !== undefined) return { ...term, pairs: term.pairs.map(([key, value]) => [key, map(value)]) };
  return leaf(term);
}

/** The term as it is read where double quotes mean codes. */
export const withCodes = (term) =>
  mapped(term, (leaf) =>
    leaf.string === undefined ? leaf : { items: [...leaf.string].map((c) => ({ number: String(c.codePointAt(0)) })) },
  );

/** The term with other variables. */
export const renamed = (term, suffix) =>
  mapped(term, (leaf) => (leaf.variable === undefined ? leaf : { variable: leaf.variable + suffix }));
