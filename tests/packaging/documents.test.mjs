// Every block of code in the README and in docs/. By the word after the fence:
//   js, ts         is type-checked in a project that has the package installed
//   js run         is also run there, twice; its output is the `text` block after it, both times
//   prolog         is imported
//   dml            passes `hornbook check`
//   console        is run, in one folder for the whole document; files that it names are earlier blocks of their kind
//   yaml           is loaded as a workflow
//   json, jsonl    is parsed
//   sh             uses only options and commands that exist
//   csv            is a file that commands read
//   text           is shown only, as are the settings of other programs, or is a file that commands read
import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { ROOT, directory, project, run } from './harness.mjs';

const TSC = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');
const documents = [
  'README.md',
  ...readdirSync(join(ROOT, 'docs'), { recursive: true })
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** `{ document, place, language, runs, text }` of each block; `place` is `docs/dml.md:12`. */
const blocks = documents.flatMap((document) => {
  const text = readFileSync(join(ROOT, document), 'utf8');
  return [...text.matchAll(/^```(\w*)( run)?\n([\s\S]*?)^```$/gm)].map(({ 1: language, 2: runs, 3: block, index }) => ({
    document,
    place: `${document}:${text.slice(0, index).split('\n').length}`,
    language,
    runs: runs !== undefined,
    text: block,
  }));
});
const of = (...languages) => blocks.filter(({ language }) => languages.includes(language));

test('there is a test for each language', () => {
  const known = ['js', 'ts', 'prolog', 'dml', 'json', 'jsonl', 'console', 'yaml', 'sh', 'text', 'csv', 'lua', 'toml'];
  assert.deepEqual(
    blocks.filter(({ language }) => !known.includes(language)).map(({ place, language }) => `${place}: ${language}`),
    [],
  );
});

/** Declarations for what a document imports that the tests do not have, and for what its reader has. */
const ABSENT = `declare const yaml: string;
declare function send(text: unknown): Promise<void>;
declare module '@langchain/core/tools' {
  export function tool<I>(call: (input: I) => Promise<string>, about: { name: string; description: string; schema: unknown }): object;
}`;

/** A project with the package, and whatever else the documents use. */
const documentsProject = (async () => {
  const path = await project('documents', {}, { manifest: { type: 'module' } });
  for (const link of ['ai', '@types', '@modelcontextprotocol', '@ai-sdk', '@langchain', '@opentelemetry', 'zod'])
    symlinkSync(join(ROOT, 'node_modules', link), join(path, 'node_modules', link));
  return path;
})();

test('JavaScript and TypeScript', async () => {
  const name = (place) => `${place.replaceAll(/\W/g, '-')}.ts`;
  const code = of('js', 'ts');
  const files = Object.fromEntries(code.map(({ place, text }) => [name(place), `${text}\nexport {};\n`]));
  const path = await documentsProject;
  for (const [file, text] of Object.entries({ ...files, 'absent.d.ts': ABSENT })) writeFileSync(join(path, file), text);
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
for (const { place, text } of of('jsonl'))
  test(`lines of JSON: ${place}`, () => {
    for (const line of text.trim().split('\n')) JSON.parse(line);
  });

let openBook;
before(async () => ({ openBook } = await import(join(ROOT, 'pkg', 'index.js'))));

for (const { place, text } of of('prolog')) {
  test(`Prolog: ${place}`, async () => {
    const book = await openBook();
    await book.import('document.pl', text);
    await book.close();
  });
}

/** The text of the nearest block of `language` before another in the same document; empty if there is none. */
const textBefore = (block, language) =>
  blocks
    .slice(0, blocks.indexOf(block))
    .findLast((other) => other.document === block.document && other.language === language)?.text ?? '';

for (const block of of('dml')) {
  const { place, text } = block;
  test(`a program of DML: ${place}`, async () => {
    const tools = textBefore(block, 'js');
    const path = directory(`dml-${place.replaceAll(/\W/g, '-')}`, { 'program.dml': text, 'tools.mjs': tools });
    const args = ['check', 'program.dml', ...(tools ? ['--tool-file', 'tools.mjs'] : [])];
    assert.equal(await run(process.execPath, [join(ROOT, 'pkg', 'bin.js'), ...args], path), '');
  });
}

/** Extensions of the files that commands read, by the language of their block. */
const FILES = { prolog: 'pl', csv: 'csv', dml: 'dml', json: 'json', jsonl: 'jsonl', js: 'mjs', text: 'txt' };

const terminals = new Map();
/** The folder in which the commands of a document run. */
const terminalOf = (document) => {
  if (!terminals.has(document)) terminals.set(document, directory(`terminal-${document.replaceAll(/\W/g, '-')}`));
  return terminals.get(document);
};

/** Durations differ each time. */
const timeless = (text) => text.replaceAll(/\d+\.\d s$/gm, '0.0 s');

for (const block of of('console')) {
  const { place, text } = block;
  test(`a terminal: ${place}`, async () => {
    const [, command, shown] = /^\$ npx hornbook (.*)\n([\s\S]*)$/.exec(text);
    const args = [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
      ([, single, double, plain]) => single ?? double ?? plain,
    );
    const files = Object.entries(FILES).flatMap(([language, ending]) =>
      args
        .map((arg) => arg.replace(/^\w+=/, ''))
        .filter((arg) => new RegExp(`^\\w+\\.${ending}$`).test(arg))
        .map((name) => [name, textBefore(block, language)])
        // If there is no such block, an earlier command has written the file.
        .filter(([, content]) => content !== ''),
    );
    const path = terminalOf(block.document);
    for (const [name, content] of files) writeFileSync(join(path, name), content);
    const said = await run(process.execPath, [join(ROOT, 'pkg', 'bin.js'), ...args], path);
    assert.equal(timeless(said), timeless(shown));
  });
}

for (const block of blocks.filter(({ runs }) => runs)) {
  test(`a program: ${block.place}`, async () => {
    const next = blocks[blocks.indexOf(block) + 1];
    assert.ok(next?.language === 'text' && next.document === block.document, 'what it prints stands below it');
    const name = block.place.replaceAll(/\W/g, '-');
    const file = join(await documentsProject, `${name}.mjs`);
    writeFileSync(file, block.text);
    // Twice, since a program that keeps a book is started again, too.
    const own = directory(name, {});
    for (const time of ['first', 'second'])
      assert.equal(await run(process.execPath, [file], own), next.text, `the ${time} time`);
  });
}

for (const { place, text } of of('yaml')) {
  test(`a workflow: ${place}`, async () => {
    const { Workflow } = await import(join(ROOT, 'pkg', 'workflow.js'));
    const actions = Object.fromEntries([...text.matchAll(/uses: (\w+)/g)].map(([, name]) => [name, () => {}]));
    (await Workflow.load(text, { actions })).close();
  });
}

test('files that contributors and readers are told of', () => {
  for (const document of ['CONTRIBUTING.md', 'SECURITY.md', 'README.md']) {
    const text = readFileSync(join(ROOT, document), 'utf8');
    const paths =
      text.match(/(?<![\w~/.-])(?:src|docs|examples|pkg-templates|prolog|scripts|tests|www)\/[\w./-]*[\w/]/g) ?? [];
    assert.deepEqual(
      paths.filter((path) => !existsSync(join(ROOT, path))),
      [],
      document,
    );
  }
});

test('links lead to files, and to headings of them', () => {
  const slug = (heading) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-');
  const headings = (path) =>
    [...readFileSync(path, 'utf8').matchAll(/^#+ (.+)$/gm)].map(([, heading]) => slug(heading));
  const wrong = ['ARCHITECTURE.md', 'CONTRIBUTING.md', 'SECURITY.md', ...documents].flatMap((document) => {
    const text = readFileSync(join(ROOT, document), 'utf8').replace(/^```[\s\S]*?^```$|(`+)[^`].*?\1/gm, '');
    const links = [...text.matchAll(/\]\((?!\w+:|\/)([^)#\s]*)(?:#([^)\s]+))?\)/g)];
    return links.flatMap(([link, path, anchor]) => {
      const file = path ? join(ROOT, document, '..', path) : join(ROOT, document);
      // Some pages of the reference are made from the package.
      const isMade = file.startsWith(join(ROOT, 'docs', 'reference')) || file === join(ROOT, 'index.html');
      if (!existsSync(file)) return isMade ? [] : [`${document}: ${link}`];
      return anchor && file.endsWith('.md') && !headings(file).includes(anchor) ? [`${document}: ${link}`] : [];
    });
  });
  assert.deepEqual(wrong, []);
});

test('commands for readers to type', async () => {
  const help = await run(process.execPath, [join(ROOT, 'pkg', 'bin.js'), '--help'], ROOT);
  const scripts = Object.keys(JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')).scripts);
  const wrong = of('sh').flatMap(({ place, text }) =>
    text.split('\n').flatMap((line) => {
      const script = /^npm (?:run )?(\w+)/.exec(line)?.[1];
      if (script && !['install', 'test', 'start', ...scripts].includes(script)) return [`${place}: ${line}`];
      const ours = /(?:^|-- |\$\()npx (?:-y )?hornbook\b(.*)/.exec(line)?.[1] ?? '';
      const words = [...ours.matchAll(/ (--[a-z-]+)/g)].map(([, option]) => option);
      const command = /^ ([a-z]+)\b/.exec(ours)?.[1];
      return [...words, ...(command ? [command] : [])]
        .filter((word) => !help.includes(word))
        .map((word) => `${place}: ${word}`);
    }),
  );
  assert.deepEqual(wrong, []);
});
