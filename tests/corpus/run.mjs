// Reads every .pl file of the SWI-Prolog that Debian's package swi-prolog-nox installs with prolog/read/reader.pl on
// swipl-wasm, and with the native swipl: `node tests/corpus/run.mjs`. The slices joined must give the file back, and
// the clauses must be those swipl reads, ending at the same places, with as many errors. exceptions.json names the
// files where they differ, and why.

import { execFileSync, spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';
import { writeProlog } from '../support/prolog.mjs';

const here = fileURLToPath(new URL('.', import.meta.url));
const exceptions = JSON.parse(readFileSync(`${here}/exceptions.json`, 'utf8'));

let home;
try {
  const goal = 'current_prolog_flag(home, Home), write(Home)';
  home = execFileSync('swipl', ['-g', goal, '-t', 'halt'], { encoding: 'utf8' });
} catch (error) {
  console.log(`Skipped, as swipl cannot be run (${error.code ?? error.message}): install the package swi-prolog-nox.`);
  process.exit(0);
}

const files = readdirSync(home, { recursive: true, withFileTypes: true })
  .filter((entry) => entry.isFile() && entry.name.endsWith('.pl'))
  .map((entry) => `${entry.parentPath ?? entry.path}/${entry.name}`)
  .sort();

console.log(`Reading ${files.length} files with swipl…`);
const native = spawnSync('swipl', [`${here}/native.pl`], {
  input: files.join('\n'),
  encoding: 'utf8',
  maxBuffer: 1 << 28,
});
if (native.status !== 0) {
  console.log(`swipl could not read them: ${native.stderr.slice(0, 2000)}`);
  process.exit(1);
}
const expected = native.stdout
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line));

console.log('Reading them with swipl-wasm…');
const swipl = createRequire(import.meta.url)('swipl-wasm/dist/swipl-node.js');
const { prolog, FS } = await swipl({ arguments: ['-q', '--stack-limit=64m'] });
writeProlog(FS);
FS.writeFile('/hornbook/engine.pl', readFileSync(`${here}/engine.pl`));
once("use_module('/hornbook/engine')");

function once(goal) {
  const answer = prolog.query(goal).once();
  if (!answer || answer.error) throw new Error(answer?.message ?? `${goal} failed`);
}

// What is wrong with how `text` was read, in words; empty where nothing is.
function difference(text, want, items) {
  const characters = Array.from(text);
  const slices = [];
  let at = 0;
  for (const { end } of items.slice(0, -1)) {
    slices.push(characters.slice(at, end).join(''));
    if (end <= at) return `the item at ${at} ends at ${end}`;
    at = end;
  }
  if (items.at(-1).end !== at) return `the end is at ${items.at(-1).end} in place of ${at}`;
  slices.push(characters.slice(at).join(''));
  if (slices.join('') !== text) return 'the slices joined are not the file';

  const clauses = items.filter((item) => item.kind === 'c');
  const errors = items.filter((item) => item.kind === 'e');
  const told = errors.length > 0 ? `; line ${errors[0].note}` : '';
  if (clauses.length !== want.clauses.length) {
    return `${clauses.length} clauses, swipl reads ${want.clauses.length}${told}`;
  }
  const moved = clauses.find((clause, index) => clause.end !== want.clauses[index]);
  if (moved) return `a clause ends at ${moved.end}, where none of swipl's does${told}`;
  if (errors.length !== want.errors.length) {
    return `${errors.length} errors, swipl finds ${want.errors.length}${told}`;
  }
  return '';
}

let passed = 0;
let failed = 0;
let clauses = 0;
for (const [index, path] of files.entries()) {
  const name = path.slice(home.length + 1);
  const text = readFileSync(path, 'utf8');
  FS.writeFile('/tmp/file.pl', text);
  once(`read_file('/tmp/file.pl', [${expected[index].operators.join(', ')}], '/tmp/result')`);
  const items = FS.readFile('/tmp/result', { encoding: 'utf8' })
    .trim()
    .split('\n')
    .map((line) => {
      const [, kind, end, note] = /^(\S+) (\d+) ?(.*)$/.exec(line);
      return { kind, end: Number(end), note };
    });
  const wrong = difference(text, expected[index], items);
  clauses += expected[index].clauses.length;
  if ((wrong !== '') === name in exceptions) {
    passed += 1;
  } else {
    failed += 1;
    console.log(`${name}: ${wrong || 'is as swipl reads it: take it out of exceptions.json'}`);
  }
}
for (const name of Object.keys(exceptions)) {
  console.log(`Exception: ${name}: ${exceptions[name]}`);
}
console.log(`${clauses} clauses in ${files.length} files`);
console.log(`${passed} passed, ${failed} failed`);
process.exit(failed === 0 ? 0 : 1);
