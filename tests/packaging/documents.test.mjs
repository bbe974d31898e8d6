// Every block of code in the README and in docs/: JavaScript and TypeScript are type-checked in a project that has the
// package installed, Prolog is imported, JSON is read, what is shown of a terminal is run.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { ROOT, directory, project, run } from './harness.mjs';

const TSC = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
const documents = ['README.md', ...readdirSync(join(ROOT, 'docs')).map((name) => `docs/${name}`)];

/** `{ place, language, text }` of each block; `place` is `docs/dml.md:12`. */
const blocks = documents.flatMap((document) => {
  const text = readFileSync(join(ROOT, document), 'utf8');
  return [...text.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)].map(({ 1: language, 2: block, index }) => ({
    place: `${document}:${text.slice(0, index).split('\n').length}`,
    language,
    text: block,
  }));
});
const of = (...languages) => blocks.filter(({ language }) => languages.includes(language));

test('there is a test for each language', () => {
  const known = ['js', 'ts', 'prolog', 'json', 'console', 'yaml', 'sh'];
  assert.deepEqual(
    blocks.filter(({ language }) => !known.includes(language)).map(({ place, language }) => `${place}: ${language}`),
    [],
  );
});

/** What a document imports and the tests do not have, and what its reader has. */
const ABSENT = `declare const yaml: string;
declare function send(text: unknown): Promise<void>;
declare module '@langchain/core/tools' {
  export function tool<I>(call: (input: I) => Promise<string>, about: { name: string; description: string; schema: unknown }): object;
}`;

test('JavaScript and TypeScript', async () => {
  const name = (place) => `${place.replaceAll(/\W/g, '-')}.ts`;
  const code = of('js', 'ts');
  const files = Object.fromEntries(code.map(({ place, text }) => [name(place), `${text}\nexport {};\n`]));
  const path = await project('documents', { ...files, 'absent.d.ts': ABSENT }, { manifest: { type: 'module' } });
  for (const link of ['ai', '@types', '@modelcontextprotocol', '@ai-sdk'])
    symlinkSync(join(ROOT, 'node_modules', link), join(path, 'node_modules', link));
  const options = ['--noEmit', '--strict', '--noImplicitAny', 'false', '--skipLibCheck', '--target', 'es2022'];
  const libraries = ['--lib', 'es2023,dom,dom.asynciterable,esnext.disposable', '--types', 'node'];
  const resolution = ['--module', 'nodenext', '--moduleResolution', 'nodenext'];
  const said = await run(
    process.execPath,
    [TSC, ...options, ...libraries, ...resolution, ...Object.keys(files), 'absent.d.ts'],
    path,
  ).catch((error) => error.message);
  const places = new Map(code.map(({ place }) => [name(place), place]));
  const errors = said.split('\n').filter((line) => /error TS/.test(line));
  assert.deepEqual(
    errors.map((line) => line.replace(/^[^(]+/, (file) => places.get(file) ?? file)),
    [],
  );
});

for (const { place, text } of of('json')) test(`JSON: ${place}`, () => void JSON.parse(text));

let openBook;
before(async () => ({ openBook } = await import(join(ROOT, 'pkg', 'index.js'))));

for (const { place, text } of of('prolog')) {
  test(`Prolog: ${place}`, async () => {
    const book = await openBook();
    await book.import('document.pl', text);
    await book.close();
  });
}

for (const { place, text } of of('console')) {
  test(`a terminal: ${place}`, async () => {
    // The files that it names are the Prolog of the same document.
    const [document] = place.split(':');
    const program = of('prolog').find((block) => block.place.startsWith(`${document}:`))?.text ?? '';
    const path = directory(`terminal-${place.replaceAll(/\W/g, '-')}`, { 'family.pl': program });
    const [, command, shown] = /^\$ npx hornbook (.*)\n([\s\S]*)$/.exec(text);
    const args = [...command.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain);
    const said = await run(process.execPath, [join(ROOT, 'pkg', 'bin.js'), ...args], path);
    assert.equal(said, shown);
  });
}
