// DML in a page, with a folder in memory and one of the browser's own, through its handle.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertSound, launch, servePackage, visit } from './harness.mjs';

let browser, site, page;
before(async () => {
  [browser, site] = await Promise.all([launch(), servePackage()]);
  page = await visit(browser, site.origin);
  await page.evaluate(async () => {
    const { MemoryFolder, createDeepClause } = await import('/hornbook/dml.js');
    const { host } = await createHornbook();
    const dml = await createDeepClause({ host });
    window.run = async (code, options) => {
      const events = [];
      for await (const event of dml.runDML(code, options)) events.push(event);
      return events.find(({ type }) => type === 'answer')?.content ?? JSON.stringify(events);
    };
    Object.assign(window, { MemoryFolder, folder: await navigator.storage.getDirectory() });
    await (await folder.getDirectoryHandle('sub', { create: true })).getFileHandle('empty', { create: true });
  });
});
after(async () => {
  assertSound(page);
  await browser.close();
  await site.close();
});

const PROGRAM = `
  why(Goal, Why) :- catch((Goal, Why = none), error(E, _), Why = E).
  agent_main :-
    open("a.txt", write, S), write(S, "eins ✓"), nl(S), close(S), open("a.txt", append, T), write(T, zwei), close(T),
    open("a.txt", read, U), read_string(U, _, Text), close(U),
    ( exists_file("sub/empty") -> X = yes ; X = no ), ( exists_file("sub") -> Y = yes ; Y = no ),
    why(open("no.txt", read, _), W1), why(open("../a.txt", read, _), W2), why(open("sub", read, _), W3), why(open("no/a", write, _), W4),
    exec(list_files(""), L), exec(list_files("sub"), M), exec(read_file("/a.txt"), Same), Same == Text,
    answer("{Text}|{X} {Y}|{W1} {W2} {W3} {W4}|{L} {M}").`;
const TOLD =
  'eins ✓\nzwei|yes no|existence_error(source_sink,no.txt) permission_error(open,source_sink,../a.txt) ' +
  'permission_error(open,source_sink,sub) existence_error(source_sink,no/a)|[a.txt,sub/] [empty]';

test('a folder in memory', async () => {
  const [told, files] = await page.evaluate(async (code) => {
    const folder = new MemoryFolder({ 'sub/empty': '' });
    return [await run(code, { workspacePath: folder }), folder.files];
  }, PROGRAM);
  assert.equal(told, TOLD);
  assert.deepEqual(files, { 'sub/empty': '', 'a.txt': 'eins ✓\nzwei' });
});

test('the handle of a directory', async () => {
  const [told, text] = await page.evaluate(async (code) => {
    const told = await run(code, { workspacePath: folder });
    return [told, await (await (await folder.getFileHandle('a.txt')).getFile()).text()];
  }, PROGRAM);
  assert.equal(told, TOLD);
  assert.equal(text, 'eins ✓\nzwei');
});

test('a page cannot open directories by path', async () => {
  assert.match(
    await page.evaluate(() =>
      run('agent_main :- exec(read_file("x"), _).', { workspacePath: '/etc' }).catch(({ message }) => message),
    ),
    /a page has no paths/,
  );
});

test('dml_run has the folder that the page was opened with', async () => {
  const [tools, text] = await page.evaluate(async () => {
    const client = await agent(
      await createHornbook({ tools: ['dml'], workspace: new MemoryFolder({ 'a.pl': 'a(1).' }) }),
    );
    const { tools } = await client.listTools();
    return [
      tools,
      await call(client, 'dml_run', {
        code: 'agent_main :- open("a.pl", read, S), read_term(S, T, []), close(S), answer(T).',
      }),
    ];
  });
  assert.match(tools[0].description, /Files of the workspace/);
  assert.equal(tools[0].annotations.destructiveHint, true);
  assert.equal(text, 'a(1)');
});
