// One rule for reading text. What SWI-Prolog's reader (prolog/read/reader.pl on swipl-wasm) makes of texts is in three files
// beside this one, and the conductor's lexer (src/book/lexer.rs) and the page's colours (www/src/prolog/language.ts)
// must make the same of them:
//
//   texts.json        written by hand: {what, text, clauses: [slice…], tokens?: [token…], error?: an error follows}
//   random.json       made at random: {text, clauses: [end…], leaves: [place…], comments: [place…], error?}
//   characters.json   what the characters beyond ASCII are: {class: [[first, last]…]}
//
// Places are [start, end] in code points. `node tests/corpus/reader/run.mjs` asks the reader and the colours; the lexer's tests
// are in src/book/lexer.rs. `--write [SEED]` writes random.json and characters.json anew; other seeds find other texts.
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { isDeepStrictEqual } from 'node:util';
import { build } from 'esbuild';
import { writeProlog } from '../../support/prolog.mjs';
import { randomTexts } from './texts.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const root = fileURLToPath(new URL('../../..', import.meta.url));
const CLASSES = ['layout', 'after_end', 'line_end', 'alphanumeric', 'variable'];
const COUNT = 1500;

const swipl = createRequire(import.meta.url)('swipl-wasm/dist/swipl-node.js');
const { prolog, FS } = await swipl({ arguments: ['-q', '--stack-limit=256m'], on_output: () => {} });
writeProlog(FS);
FS.writeFile('/hornbook/engine.pl', readFileSync(join(here, 'engine.pl')));
once("use_module('/hornbook/engine')");

function once(goal) {
  const answer = prolog.query(goal).once();
  if (!answer || answer.error) throw new Error(answer?.message ?? `${goal} failed`);
  return answer;
}

/** What the reader makes of texts: the clauses before the first error, and whether there is one. */
function read(texts) {
  FS.writeFile('/tmp/texts', JSON.stringify(texts));
  once("read_texts('/tmp/texts', '/tmp/items')");
  return JSON.parse(FS.readFile('/tmp/items', { encoding: 'utf8' })).map((items) => {
    const failed = items.findIndex(({ kind }) => kind === 'error');
    const clauses = items.slice(0, failed < 0 ? -1 : failed);
    return {
      clauses: clauses.map(({ end }) => end),
      leaves: clauses.flatMap(({ leaves }) => leaves),
      comments: clauses.flatMap(({ comments }) => comments),
      ...(failed >= 0 && { error: true }),
    };
  });
}

const json = (name) => JSON.parse(readFileSync(join(here, name), 'utf8'));

if (process.argv[2] === '--write') {
  const texts = randomTexts(Number(process.argv[3] ?? 1), COUNT);
  const lines = read(texts).map((found, at) => JSON.stringify({ text: texts[at], ...found }));
  writeFileSync(join(here, 'random.json'), `[\n${lines.join(',\n')}\n]\n`);
  const ranges = (name) => JSON.parse(once(`characters(${name}, R), format(atom(Text), "~w", [R])`).Text);
  const classes = CLASSES.map((name) => `"${name}": ${JSON.stringify(ranges(name))}`);
  writeFileSync(join(here, 'characters.json'), `{\n${classes.join(',\n')}\n}\n`);
}

let passed = 0;
let failed = 0;

function check(what, found, expected) {
  if (isDeepStrictEqual(found, expected)) {
    passed += 1;
    return;
  }
  failed += 1;
  console.log(`${what}:\n    ${JSON.stringify(found)}\n  in place of\n    ${JSON.stringify(expected)}`);
}

/** Slices as places: each begins where the one before ended, or later. */
function places(text, slices) {
  const characters = Array.from(text);
  let at = 0;
  return slices.map((slice) => {
    const length = Array.from(slice).length;
    while (characters.slice(at, at + length).join('') !== slice) {
      if (at >= characters.length) throw new Error(`${JSON.stringify(slice)} is not in ${JSON.stringify(text)}`);
      at += 1;
    }
    at += length;
    return [at - length, at];
  });
}

// The reader.
const written = json('texts.json');
const random = json('random.json');
read(written.map(({ text }) => text)).forEach((found, at) => {
  const { what, text, clauses, tokens, error } = written[at];
  const ends = places(text, clauses).map(([, end]) => end);
  check(`reader: ${what}`, [found.clauses, found.error], [ends, error]);
  if (!tokens) return;
  const known = places(text, tokens);
  const strange = found.leaves.filter((leaf) => !known.some((token) => isDeepStrictEqual(leaf, token)));
  check(`reader: ${what}: tokens`, strange, []);
});
read(random.map(({ text }) => text)).forEach((found, at) => {
  const { text, ...expected } = random[at];
  check(`reader: ${JSON.stringify(text)}`, found, expected);
});
const characters = json('characters.json');
for (const name of CLASSES) {
  const ranges = JSON.parse(once(`characters(${name}, R), format(atom(Text), "~w", [R])`).Text);
  check(`reader: characters that are ${name}`, ranges, characters[name]);
}

// The page's colours: where clauses end, and what is a comment.
const bundle = join(here, '.language.mjs');
await build({
  entryPoints: [join(root, 'www/src/prolog/language.ts')],
  bundle: true,
  format: 'esm',
  platform: 'node',
  outfile: bundle,
  logLevel: 'silent',
});
const { clauses: language } = await import(pathToFileURL(bundle).href).finally(() => rmSync(bundle));

function coloured(text) {
  const ends = [];
  const comments = [];
  language.parser.parse(text).iterate({
    enter({ name, from, to }) {
      if (name === 'end') ends.push(Array.from(text.slice(0, to)).length);
      if (name === 'comment') comments.push(Array.from(text.slice(0, from)).length);
    },
  });
  return { ends, comments };
}

// An editor's lines end at \n, \r and \r\n only, and it shows other line ends as it shows any character.
const editable = (text) => !/[\r\v\f\u0085\u2028\u2029]/.test(text);
for (const { what, text, clauses, error } of written.filter(({ text }) => editable(text))) {
  const ends = places(text, clauses).map(([, end]) => end);
  const found = coloured(text).ends;
  check(`colours: ${what}`, error ? found.slice(0, ends.length) : found, ends);
}
for (const { text, clauses, error } of random.filter(({ text }) => editable(text))) {
  const found = coloured(text).ends;
  check(`colours: ${JSON.stringify(text)}`, error ? found.slice(0, clauses.length) : found, clauses);
}

console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
