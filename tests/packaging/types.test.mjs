// The types of the package, checked with those of its imports, as strictly as TypeScript can.
import assert from 'node:assert/strict';
import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { before, test } from 'node:test';
import { ROOT, project, run } from './harness.mjs';

const TSC = join(ROOT, 'node_modules', 'typescript', 'bin', 'tsc');

const MAIN = `
import { openBook, prolog, atom, type Answer, type Bindings, type Book, type Value } from 'hornbook';
import { bookTools } from 'hornbook/ai';
import { createDeepClause, scriptedModel } from 'hornbook/dml';
import { openHornbook } from 'hornbook/node';
import { Workflow } from 'hornbook/workflow';

export const used = [bookTools, createDeepClause, scriptedModel, openHornbook, Workflow];

export async function main(): Promise<number[]> {
  await using book: Book = await openBook({ path: 'family.book' });
  const found: number[] = [];
  const goal = prolog\`member(X, \${[1, 2n, 'a', null, atom('b'), { k: [true] }]})\`;
  for await (const { X } of book.query<{ X: number }>(goal)) found.push(X);
  const any: Bindings | undefined = await book.once('X = 1');
  const value: Value | undefined = any?.X;
  const answers: Answer[] = [];
  for await (const answer of book.query('X #> 3').answers()) answers.push(answer);
  const proof = await book.why('p(X)');
  const line: number | undefined = proof?.steps[0]?.clause?.line;
  // @ts-expect-error: undefined has no value in Prolog
  prolog\`X = \${undefined}\`;
  // @ts-expect-error: there is no such option
  await openBook({ pth: 'x' });
  return value === 1 && line === 2 ? found : [];
}
`;

const PAGE = `
import { createHornbook as createInline } from 'hornbook/inline';
import { PortTransport } from 'hornbook/transport';
import { createHornbook } from 'hornbook/web';

export const used = [createInline, PortTransport, createHornbook];
`;

let path;
before(async () => {
  path = await project(
    'types',
    { 'main.ts': MAIN, 'page.ts': PAGE + MAIN.replaceAll('used', 'more') },
    { manifest: { type: 'module' } },
  );
  // Dependencies of the project come from this repository: nothing is downloaded.
  for (const name of ['ai', '@types']) symlinkSync(join(ROOT, 'node_modules', name), join(path, 'node_modules', name));
});

for (const [module, resolution] of [
  ['node16', 'node16'],
  ['nodenext', 'nodenext'],
  ['esnext', 'bundler'],
]) {
  for (const [where, file, types, lib] of [
    ['Node', 'main.ts', 'node', 'es2022'],
    ['a page', 'page.ts', '', 'es2022,dom,dom.asynciterable'],
  ]) {
    test(`${resolution}, in ${where}`, async () => {
      const options = ['--module', module, '--moduleResolution', resolution, '--lib', lib, '--target', 'es2022'];
      const said = await run(
        process.execPath,
        [TSC, '--noEmit', '--strict', '--skipLibCheck', 'false', '--types', types, ...options, file],
        path,
      ).catch((error) => error.message);
      // The types of others are not checked.
      const own = said
        .split('\n')
        .filter((line) => /error TS/.test(line) && !/node_modules\/(?!hornbook\/)|^\.\./.test(line));
      assert.deepEqual(own, []);
    });
  }
}
