// Texts made at random of what is hard to divide into tokens and clauses. The same seed gives the same texts.

const NAMES = ['p', 'q1', 'aB_c', 'é', 'ñu', '中', 'a\u0301', "'x y'", "''", "'it''s'", '[]', '{}', '!', ';'];
const VARIABLES = ['X', '_', '_y', 'Éa', 'X1'];
const SYMBOLS = ['+', '=..', '...', '.', '\\', '@>', '#=', '∀', '→', '€', '$', '&', '/', '//', '*/', '=/*', '?'];
const NUMBERS = [
  '0',
  '42',
  '1.5',
  '1.0e10',
  '1.0e-5',
  '1e10',
  '1.0Inf',
  '1.5NaN',
  '0x1F',
  '0b1_01',
  '0o17',
  "16'FF",
  "36'Zz",
  "2'101",
  '1_000',
  '1 000',
  '1 000 000',
  '1_\n000',
  '1r3',
  "0'a",
  "0'.",
  "0' ",
  "0'''",
  "0''",
  "0'\\n",
  "0'\\\\",
  "0'\\'",
  "0'\\x41\\",
  "0'\\101\\",
  "0'\\x41",
  "0'\\u0041",
  "0'%",
  "0'/",
  "0'(",
  '0\'"',
  "0'é",
  "0'→",
  '-1',
  '- 1',
];
/** What may stand in quotes. After a continued line a space: of a backslash there the reader's two passes make two things. */
const INSIDE = [
  '. ',
  '.\n',
  ' % ',
  '/*',
  '*/',
  '(',
  ']',
  '\\\\',
  '\\n',
  '\\x41\\',
  '\\x41 ',
  '\\101\\',
  '\\1\\',
  '\\e',
  '\\s',
  '\\\n ',
  '\\c  \n ',
  '\\u00e9',
  '\\U0001F600',
  "\\'",
  '\\"',
  '\\`',
  'a',
  ' ',
  '0',
  'é',
  '😀',
  '“',
  '’',
  '»',
  ':- ',
  '|',
  '\t',
  '\u2028',
];
const IN_COMMENTS = [
  '. ',
  "'",
  '"',
  '`',
  '%',
  '(',
  "it's. so",
  ' ',
  '\n',
  'a',
  '*',
  '/',
  "0'",
  '\\',
  '😀',
  '/ ',
  ' *',
  '“',
  '\u2028x',
  '\r',
];
const LAYOUT = [' ', ' ', '\n', '\t', '\r\n', '  ', '\u0085', '\u2028', '\u200e', ' \f'];
const ENDS = ['.\n', '. ', '.\t', '.% c\n', '.\r\n', '.\u2028', '.\u0085'];
const WILD = [
  "'",
  '"',
  '`',
  '.',
  '. ',
  '/*',
  '*/',
  '%',
  '\n',
  '\\',
  "0'",
  '1',
  'a',
  'X',
  '(',
  ')',
  '[',
  '|',
  ',',
  '‘',
  '’',
  '«',
  '⟨',
  '\u00a0',
  '\ufeff',
  '#!',
  '',
  ' ',
  '..',
  '→',
  '_',
];

/** Numbers from 0 up to 1. */
function random(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = Math.imul(state ^ (state >>> 15), state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** So many texts. */
export function randomTexts(seed, count) {
  const next = random(seed);
  const one = (list) => list[Math.floor(next() * list.length)];
  const some = (list, most) => Array.from({ length: Math.floor(next() * (most + 1)) }, () => one(list)).join('');
  const quoted = () => {
    const [open, close] = one([
      ["'", "'"],
      ['"', '"'],
      ['`', '`'],
      ['‘', '’'],
      ['“', '”'],
      ['«', '»'],
      ['‹', '›'],
      ['⸂', '⸃'],
    ]);
    // After \\c the reader's two passes do not agree on where a quote of Unicode is closed.
    const usable = (text) => !text.includes(close) && !(text.startsWith('\\c') && close > '~');
    const inside = some(INSIDE.filter(usable), 4);
    return open + (open === close && next() < 0.2 ? `${inside}${close}${close}` : inside) + close;
  };
  const block = (depth) => {
    let text = '/*';
    for (let left = Math.floor(next() * 4); left > 0; left -= 1)
      text += next() < 0.2 && depth < 3 ? block(depth + 1) : one(IN_COMMENTS);
    return `${text} */`;
  };
  const layout = () => {
    const kind = next();
    if (kind < 0.6) return some(LAYOUT, 1);
    return kind < 0.85
      ? ` ${block(0)}`
      : ` %${some(
          IN_COMMENTS.filter((text) => !/[\n\r\u2028]/.test(text)),
          3,
        )}\n`;
  };
  const term = (depth) => {
    const kind = next();
    if (kind < 0.12) return one(NAMES);
    if (kind < 0.2) return one(VARIABLES);
    if (kind < 0.3) return `(${layout()}${one(SYMBOLS)} )`;
    if (kind < 0.5) return one(NUMBERS);
    if (kind < 0.7) return quoted();
    if (depth > 2) return 'z';
    const inner = () => `${layout()}${term(depth + 1)}${layout()}`;
    if (kind < 0.8) return `f(${inner()},${inner()})`;
    if (kind < 0.88) return `[${inner()}|${inner()}]`;
    if (kind < 0.94) return `{${inner()}}`;
    return `⟨${inner()}⟩`;
  };
  const clause = () =>
    `${layout()}${one(['p', 'q', "'r s'"])}(${layout()}${term(0)}${layout()},${term(0)})${one(['', ' ', layout()])}${one(ENDS)}`;
  const text = () =>
    next() < 0.75 ? Array.from({ length: 1 + Math.floor(next() * 3) }, clause).join('') : some(WILD, 9);
  return Array.from({ length: count }, text);
}
