// Texts come from links, files and agents: whatever they are, reading them takes time in proportion to their length.
// Needs no browser. A cost is compared with that of a text a quarter as long, measured beside it.
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { build, transformSync } from 'esbuild';
import { parseAst } from 'vite';
import { ROOT } from './harness.mjs';

/** The folders whose code reads such texts, in the page and in an editor. */
const FOLDERS = ['www/src', 'pkg-templates/src/lsp', 'pkg-templates/src/book', 'pkg-templates/vscode/src'];

const LONG = 20_000;
/** Below this many milliseconds nobody waits for a long text, and a clock says little. */
const NOTHING_MS = 60;
/** Twice what a cost in proportion to the length gives. */
const MOST_TIMES = 9;

/** What runs consist of: blanks, line ends, quotes, brackets, digits, letters, marks, and what patterns look for. */
const RUNS = [
  ...' \t\n\r\u2028"\'`()[]{}09aZ_é%/*\\.,:;-+=<>!?#@|&$~^\0',
  ...[' \n', '\r\n', '%\n', '% ', '\\"', "\\'", '""', "''", '()', '([', '[a', 'a(', '1 ', '1_', '1.', '.1', 'e1', '0/'],
  ...[
    '/*',
    '*/',
    '//',
    '->',
    '--',
    ':-',
    '?-',
    '. ',
    ' .',
    '.\n',
    'a ',
    'a.',
    'A ',
    'a/1',
    ' is a',
    '- ',
    '> ',
    '* ',
    '**',
  ],
  ...['\n:- ', '\n:-[', '\n% ?- a', '\\x4', '\\4', "0'", '<a>', '{a:', '\ud83d\ude00', ') is a', '. [a', ', '],
];
const ENDS = ['', '\0', '\n\0x'];

/** The least of three measurements, in milliseconds; one is enough if it is short. */
function cost(work, text) {
  let least = Infinity;
  for (let n = 0; n < 3 && least > NOTHING_MS; n += 1) {
    const begun = performance.now();
    try {
      work(text);
    } catch {
      // A refusal is as good as an answer.
    }
    least = Math.min(least, performance.now() - begun);
  }
  return least;
}

/** Whether the cost of a text grows faster than its length. */
function growsTooFast(work, make, long) {
  // First a short one, so that a power of three ends.
  if (cost(work, make(long / 20)) > NOTHING_MS) return true;
  if (cost(work, make(long)) <= NOTHING_MS) return false;
  // Other work on the machine may have caused it; a real one shows again, and more so.
  return [1, 2].every((times) => {
    const [quarter, whole] = [cost(work, make(long * times)), cost(work, make(4 * long * times))];
    return whole > MOST_TIMES * Math.max(quarter, 1);
  });
}

function worst(work, { beginnings = [''], long = LONG } = {}) {
  for (const run of RUNS)
    for (const beginning of beginnings)
      for (const end of ENDS) {
        const make = (length) => beginning + run.repeat(Math.ceil(length / run.length)) + end;
        if (growsTooFast(work, make, long)) return `${JSON.stringify(beginning)} and a run of ${JSON.stringify(run)}`;
      }
  return undefined;
}

const sources = (folder) =>
  readdirSync(join(ROOT, folder), { recursive: true })
    .filter((name) => name.endsWith('.ts') && !name.includes('node_modules'))
    .map((name) => join(folder, name));

/** The patterns in a source file. */
function* patternsIn(path) {
  const { code } = transformSync(readFileSync(join(ROOT, path), 'utf8'), { loader: 'ts', target: 'esnext' });
  const nodes = [parseAst(code)];
  while (nodes.length > 0) {
    const node = nodes.pop();
    if (node.type === 'Literal' && node.regex) yield node.regex;
    for (const value of Object.values(node))
      for (const child of Array.isArray(value) ? value : [value])
        if (typeof child?.type === 'string') nodes.push(child);
  }
}

/** What a text may begin with, so that a pattern gets to each of its repetitions. */
function beginningsOf(pattern) {
  const beginnings = new Set(['']);
  let text = '';
  const parts =
    /\\[pP]\{[^}]*\}|\\x..|\\u\{[^}]*\}|\\u....|\\.|\[(?:[^\]\\]|\\.)*\]|\(\?(?:<?[=!]|:|<\w+>)|[+*]\??|\{\d[^}]*\}|./gs;
  for (const [part] of pattern.matchAll(parts)) {
    if (/^[+*{]/.test(part)) beginnings.add(text);
    else if (/^[()|^$?]/.test(part)) continue;
    else if (part === '\\s') text += ' ';
    else if (part === '\\d') text += '1';
    else if (/^\\[wpPS]|^\.$/.test(part)) text += 'a';
    else if (/^\\[bB]/.test(part)) continue;
    else if (part.startsWith('[')) text += part.replace(/^\[\^?\\?/, '')[0].replace('p', 'a');
    else text += part.replace('\\', '');
  }
  return [...beginnings, text];
}

for (const folder of FOLDERS)
  test(`no pattern in ${folder} takes longer than in proportion to the text`, () => {
    const slow = [];
    let count = 0;
    for (const path of sources(folder))
      for (const { pattern, flags } of patternsIn(path)) {
        count += 1;
        const expression = new RegExp(pattern, flags.includes('g') ? flags : `${flags}g`);
        const found = worst((text) => text.replace(expression, ''), { beginnings: beginningsOf(pattern) });
        if (found) slow.push(`${path}: /${pattern}/${flags} with ${found}`);
      }
    assert.deepEqual(slow, []);
    assert.ok(count > 5, `${count} patterns`);
  });

/** Functions of the page and the language server that read texts from outside. */
const READERS = `
  export { suggested } from './www/src/examples/index.ts';
  export { renderingsIn } from './www/src/queries/pictures.ts';
  export { goalAt } from './www/src/prolog/at.ts';
  export { pieces, withoutEnd } from './www/src/prolog/highlight.ts';
  export { readValue } from './www/src/prolog/term.ts';
  export { dotEdges } from './www/src/queries/dot.ts';
  export { faultOf } from './www/src/queries/fault.ts';
  export { FORMATS } from './pkg-templates/src/book/export.ts';
  export { Outline } from './pkg-templates/src/lsp/outline.ts';
  export { prolog } from './pkg-templates/src/book/goal.ts';
`;

/** An import with \`?raw\`: the text of the file. */
const raw = {
  name: 'raw',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /\?raw$/ }, ({ path, resolveDir }) => ({
      path: join(resolveDir, path.slice(0, -4)),
      namespace: 'raw',
    }));
    onLoad({ filter: /./, namespace: 'raw' }, ({ path }) => ({ contents: readFileSync(path), loader: 'text' }));
  },
};

/** They need no page, but some of their modules make elements when they are loaded. */
async function readers() {
  const element = { append() {}, setAttribute() {} };
  globalThis.document = { createElement: () => element, documentElement: { style: {} } };
  const { outputFiles } = await build({
    stdin: { contents: READERS, resolveDir: ROOT, loader: 'ts' },
    bundle: true,
    format: 'esm',
    write: false,
    platform: 'browser',
    plugins: [raw],
    loader: { '.css': 'empty' },
  });
  const folder = mkdtempSync(join(tmpdir(), 'hornbook-readers-'));
  const path = join(folder, 'readers.mjs');
  writeFileSync(path, outputFiles[0].contents);
  return import(pathToFileURL(path)).finally(() => rmSync(folder, { recursive: true }));
}

test('what reads texts from outside takes time in proportion to them', async () => {
  const {
    suggested,
    renderingsIn,
    goalAt,
    pieces,
    withoutEnd,
    readValue,
    dotEdges,
    faultOf,
    FORMATS,
    Outline,
    prolog,
  } = await readers();
  const fault = (error) => (text) => faultOf({ text, error, next: '', place: { line: 1, column: text.length } });
  const unknown = (text) => faultOf({ text, error: 'Unknown procedure: a/1. Did you mean b/1?', next: '' });
  const written = (format) => (text) =>
    format.write([{ bindings: [{ name: 'X', text, json: text }] }], ({ bindings }) => bindings, text, ['X']);
  const all = {
    suggested,
    renderingsIn: (text) => renderingsIn([text]),
    goalAt: (text) => goalAt(text, text.length, text.length),
    pieces: (text) => pieces(text),
    withoutEnd,
    readValue,
    dotEdges: (text) => dotEdges(`digraph {${text}`),
    syntax: fault('Operator expected'),
    unterminated: fault('Unterminated quoted'),
    unknown,
    meant: (text) => faultOf({ text: 'a(1)', error: 'Unknown procedure: a/1', next: `Did you mean ${text}` }),
    loads: (text) => new Outline('file:///a.pl', text, []).loads(),
    prolog: (text) => prolog({ raw: [text, ''] }, 1),
    ...Object.fromEntries(FORMATS.map((format) => [format.label, written(format)])),
  };
  const slow = Object.entries(all)
    .map(([name, work]) => [name, worst(work, { long: LONG / 4 })])
    .filter(([, found]) => found);
  assert.deepEqual(slow, []);
});
