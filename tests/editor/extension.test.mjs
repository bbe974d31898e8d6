// The extension for VS Code as packaged: its manifest, its scripts, its server, and its page in Chromium. In a real VS
// Code: `npm run vscode:test`.
import assert from 'node:assert/strict';
import { existsSync, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import { extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { chromium } from 'playwright-core';
import { chromiumPath } from '../../scripts/chromium.mjs';
import { LICENCES, STAGE, stageExtension } from '../../scripts/vscode.mjs';
import { directory } from '../node/harness.mjs';
import { Editor } from '../support/editor.mjs';

/** In kB, gzipped: of the scripts of the pages, with what they load at once. */
const BUDGETS = {
  'desktop.js': 130,
  'web.js': 120,
  'server-worker.js': 220,
  'view.js': 410,
  'review.js': 100,
  'javascript-worker.js': 320,
};

/** A script and the scripts that it imports, other than when something is first shown. */
function loaded(name, known = new Set()) {
  if (known.has(name)) return known;
  known.add(name);
  const text = readFileSync(join(STAGE, 'dist', name), 'utf8');
  for (const [, other] of text.matchAll(/\b(?:from|import)\s*"\.\/([^"]+\.js)"/g)) loaded(other, known);
  return known;
}

let manifest;
before(async () => {
  await stageExtension();
  manifest = JSON.parse(readFileSync(join(STAGE, 'package.json'), 'utf8'));
});

test('tables have "Add to Book" in the explorer, and workflows do not', () => {
  const [{ command, when }] = manifest.contributes.menus['explorer/context'];
  assert.equal(command, 'hornbook.addToBook');
  const [, pattern, flags] = /^resourceFilename =~ \/(.*)\/(i)$/.exec(when);
  const matches = (name) => new RegExp(pattern, flags).test(name);
  for (const name of ['a.csv', 'B.XLSX', 'c.d.ndjson', 'e.yaml', 'f.ods']) assert.ok(matches(name), name);
  for (const name of ['a.pl', 'a.flow.yaml', 'csv', 'a.csv.txt']) assert.ok(!matches(name), name);
});

test('every file that the manifest names exists', () => {
  const { main, browser, icon, contributes } = manifest;
  const paths = [main, browser, icon];
  for (const { path } of contributes.grammars) paths.push(path);
  for (const { configuration } of contributes.languages) paths.push(configuration);
  for (const path of paths) assert.ok(existsSync(join(STAGE, path)), path);
  for (const name of ['README.md', 'CHANGELOG.md', 'LICENSE', 'server/THIRD-PARTY-LICENSES.txt'])
    assert.ok(existsSync(join(STAGE, name)), name);
  const licences = readFileSync(join(STAGE, 'dist', LICENCES), 'utf8');
  for (const library of ['@codemirror/view', '@dagrejs/dagre', '@jitl/quickjs-wasmfile-release-sync', 'marked'])
    assert.match(licences, new RegExp(`^${library} \\d[\\d.]* \\(MIT\\)$`, 'm'));
  for (const library of ['@ai-sdk/provider-utils', '@workflow/serde'])
    assert.match(
      licences.split(`\n${library} `)[1].split(/^={9,}\n.*\n={9,}$/m)[0],
      /^\d[\d.]* \(Apache-2\.0\)\n[\s\S]*END OF TERMS AND CONDITIONS/,
      `${library} has the whole text of its licence`,
    );
  for (const { path } of contributes.grammars)
    assert.ok(JSON.parse(readFileSync(join(STAGE, path), 'utf8')).patterns.length > 0, path);
});

test('each script needs only the editor, does what the manifest says, and keeps its budget', (t) => {
  for (const [name, budget] of Object.entries(BUDGETS)) {
    const scripts = [...loaded(name)].map((part) => readFileSync(join(STAGE, 'dist', part), 'utf8'));
    const needed = [...scripts.join('').matchAll(/\brequire\("([^"]+)"\)/g)].map(([, path]) => path);
    const foreign = needed.filter((path) => path !== 'vscode' && !/^(node:)?[a-z_]+(\/promises)?$/.test(path));
    assert.deepEqual(foreign, [], name);
    const kB = Math.ceil(scripts.reduce((sum, script) => sum + gzipSync(script).length, 0) / 1000);
    t.diagnostic(`${name}: ${kB} kB`);
    assert.ok(kB <= budget, `${name} has ${kB} kB with gzip`);
  }
  const { commands, menus } = manifest.contributes;
  const ofDesktop = menus.commandPalette.filter(({ when }) => when === '!isWeb').map(({ command }) => command);
  for (const name of ['desktop.js', 'web.js']) {
    const script = readFileSync(join(STAGE, 'dist', name), 'utf8');
    const needed = commands.filter(({ command }) => name === 'desktop.js' || !ofDesktop.includes(command));
    for (const { command } of needed) assert.ok(script.includes(`"${command}"`), `${name}: ${command}`);
  }
  const [{ id }] = manifest.contributes.mcpServerDefinitionProviders;
  assert.ok(readFileSync(join(STAGE, 'dist', 'desktop.js'), 'utf8').includes(id));
});

test('agents in a browser get the tools that the server has', () => {
  const names = manifest.contributes.languageModelTools.map(({ name }) => name);
  assert.ok(names.includes('hornbook_query_start') && names.length === 7, names.join());
  for (const { when, inputSchema, modelDescription } of manifest.contributes.languageModelTools) {
    assert.equal(when, 'isWeb');
    assert.equal(inputSchema.type, 'object');
    assert.ok(modelDescription.length > 0);
  }
});

test('the bundled server answers, without the files that only pages and compilers need', async () => {
  const editor = await Editor.start(directory({}), { bin: join(STAGE, 'server', 'bin.js') });
  const [error] = await editor.open('a.pl', 'a(b.\n');
  assert.equal(error.severity, 1);
  assert.equal(await editor.close(), 0);
  for (const name of ['inline.bundle.js', 'web.js', 'node.d.ts', 'lsp/server.js'])
    assert.ok(!existsSync(join(STAGE, 'server', name)), name);
  for (const name of ['swipl/swipl.wasm', 'core/hornbook_bg.wasm', 'full/hornbook_bg.wasm'])
    assert.ok(statSync(join(STAGE, 'server', name)).size > 1e6, name);
});

/** Serves a page of the extension, with a script, as the editor does. Resolves with the server and its address. */
async function served(script) {
  const types = { '.js': 'text/javascript', '.css': 'text/css', '.wasm': 'application/wasm' };
  const server = createServer((request, response) => {
    const path = decodeURIComponent(new URL(request.url, 'http://page').pathname);
    // A browser requests an icon on its own.
    if (path !== '/' && !existsSync(join(STAGE, path))) return response.writeHead(404).end();
    if (path !== '/') {
      response.writeHead(200, { 'content-type': types[extname(path)] ?? 'application/octet-stream' });
      return response.end(readFileSync(join(STAGE, path)));
    }
    // The policy that the extension sets, with its files at this address.
    const policy =
      "default-src 'none'; script-src 'nonce-n' 'wasm-unsafe-eval'; worker-src blob:; style-src 'self' 'unsafe-inline'; img-src 'self' data:; connect-src 'self'";
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy });
    return response.end(`<!doctype html><html lang="en"><title>Hornbook</title>
      <link rel="stylesheet" href="/dist/${script}.css">
      <body class="vscode-dark" data-server="${origin()}/server/" data-dist="${origin()}/dist/"><div id="app"></div>
      <script nonce="n">globalThis.acquireVsCodeApi = () => ({ postMessage: (m) => told(m), setState() {} });</script>
      <script type="module" nonce="n" src="/dist/${script}.js"></script>`);
  }).listen(0, '127.0.0.1');
  const origin = () => `http://127.0.0.1:${server.address().port}`;
  await once(server, 'listening');
  return { server, origin: origin() };
}

const launched = () => chromium.launch({ executablePath: chromiumPath(), args: ['--no-sandbox'] });

describe('the page', () => {
  let server;
  let origin;
  let browser;
  let page;
  const sent = [];
  /** What the editor stores for the page, and what its model says. */
  const kept = {};
  const turns = [];
  before(async () => {
    ({ server, origin } = await served('view'));
    browser = await launched();
    page = await browser.newPage();
    await page.exposeFunction('told', (message) => {
      sent.push(message);
      if (message.kind === 'ready') void say({ kind: 'begin', kept });
      if (message.kind === 'keep') kept[message.name] = message.text;
      if (message.kind === 'ask') void say({ kind: 'turn', id: message.id, turn: turns.shift() });
    });
    await open();
  });
  const open = async () => {
    await page.goto(origin);
    await page.locator('html[data-ready]').waitFor({ timeout: 120_000 });
  };
  after(async () => {
    await browser?.close();
    server?.close();
  });
  const say = (message) => page.evaluate((message) => window.postMessage(message), message);
  const openTexts = (texts, active) =>
    say({ kind: 'files', files: [], programs: [], workflows: [], notebooks: [], ...texts, active });
  const give = (files, active) => openTexts({ files }, active);
  const tab = (name) => page.getByRole('tab', { name }).click();
  const ask = async (goal) => {
    await page.locator('.box .cm-content').fill(goal);
    await page.getByRole('button', { name: 'Ask for all' }).click();
  };

  test('queries the open files, and leads from a proof to their lines', async () => {
    assert.deepEqual(sent, [{ kind: 'ready' }]);
    assert.match(await page.locator('.steps').innerText(), /Write facts and rules in a \.pl file and keep it open/);
    await give([{ name: 'a.pl', text: 'p(1).\np(2).\nq(X) :- p(X).\n' }], 'a.pl');
    await ask('q(X)');
    const rows = page.locator('.cards [data-answer]');
    await rows.nth(1).waitFor();
    assert.equal(await rows.count(), 2);
    await rows.nth(1).getByRole('button').click();
    const place = page.locator('.proof .place');
    await place.first().waitFor();
    assert.deepEqual(await place.allInnerTexts(), ['a.pl:3', 'a.pl:2']);
    await place.first().click();
    assert.deepEqual(sent.at(-1), { kind: 'goTo', file: 'a.pl', line: 3, stays: false });
  });

  test('follows typing, closing, and the colours of the editor', async () => {
    await give([{ name: 'b.pl', text: 'r(7).\n' }], 'b.pl');
    await ask('r(X)');
    await page.locator('.cards td', { hasText: '7' }).first().waitFor();
    await ask('catch(p(_), error(existence_error(_, _), _), fail) -> R = there ; R = gone');
    await page.locator('.cards td', { hasText: 'gone' }).first().waitFor();
    assert.equal(await page.locator('html').getAttribute('data-theme'), 'dark');
    await page.evaluate(() => document.body.classList.replace('vscode-dark', 'vscode-light'));
    await page.locator('html[data-theme=light]').waitFor();
  });

  const PROGRAM = `agent_main(Name) :-
    task("Greet {Name}.", string(Text)),
    answer(Text).
`;
  const greeting = (text) => ({
    calls: [
      { tool: 'set_result', args: { variable: 'Text', value: text } },
      { tool: 'finish', args: { success: true } },
    ],
  });
  const openProgram = () => openTexts({ programs: [{ name: 'greet.dml', text: PROGRAM }] }, 'greet.dml');

  test('an open program runs with a script, and its steps lead to its lines', async () => {
    await tab('DML');
    await page.getByText('Open a program (.dml) in the editor to run it here.').waitFor();
    await openProgram();
    await page.locator('[data-parameter=Name]').fill('Ada');
    await page.getByLabel('Model', { exact: true }).selectOption('script');
    await page.getByText('Script of the model').click();
    await page.getByLabel('Turns of the script').fill(JSON.stringify([greeting('Hello Ada')]));
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('.run .verdict', { hasText: 'Hello Ada' }).waitFor();
    await page.locator('.run .place').first().click();
    assert.deepEqual(sent.at(-1), { kind: 'goTo', file: 'greet.dml', line: 2, stays: false });
    await page.getByRole('button', { name: 'Download recording' }).click();
    for (let tries = 0; sent.at(-1).kind !== 'save' && tries < 100; tries += 1) await page.waitForTimeout(20);
    assert.equal(sent.at(-1).name, 'run.jsonl');
    assert.match(sent.at(-1).text, /Hello Ada/);
  });

  test('it asks the models of the editor, and says what to do if there are none', async () => {
    await page.getByLabel('Model', { exact: true }).selectOption('editor');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('.fault', { hasText: 'The editor has no model. Sign in to GitHub Copilot' }).waitFor();
    await page.getByRole('button', { name: 'Run it with you as the model' }).click();
    await page.locator('.run').getByText('Greet Ada.').first().waitFor();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    await page.getByLabel('Model', { exact: true }).selectOption('editor');
    await say({ kind: 'models', models: [{ id: 'm-1', label: 'Model One (vendor)' }] });
    turns.push(greeting('Good day, Ada'));
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('.run .verdict', { hasText: 'Good day, Ada' }).waitFor();
    const { model, request } = sent.findLast(({ kind }) => kind === 'ask');
    assert.equal(model, 'm-1');
    assert.match(request.messages.at(-1).content, /Greet Ada\./);
    assert.ok(request.tools.some(({ name }) => name === 'set_result'));
  });

  test('an open workflow is drawn, and runs Prolog and JavaScript; its nodes lead to its lines', async () => {
    await tab('Workflow');
    await page.getByText('Open a workflow (.flow.yaml) in the editor').waitFor();
    await page.locator('#panel-workflow').getByRole('button', { name: 'Open an example' }).click();
    assert.equal(sent.at(-1).kind, 'open');
    assert.equal(sent.at(-1).language, 'hornbook-workflow');
    assert.match(sent.at(-1).text, /^nodes:/m);
    const text = `nodes:
  - name: double
    language: prolog
    run: |
      state(value, V), W is V * 2, return(value, W).
  - name: more
    language: javascript
    run: |
      return { value: state.value + 1 };
initial_state: { value: 20 }
`;
    const workflows = [{ name: 'flows/sum.flow.yaml', text }];
    await openTexts({ workflows }, 'flows/sum.flow.yaml');
    const node = page.locator('.flow-node[data-node=more]');
    await node.click();
    assert.deepEqual(sent.at(-1), { kind: 'goTo', file: 'flows/sum.flow.yaml', line: 6, stays: true });
    await page.locator('#panel-workflow').getByRole('button', { name: 'Run', exact: true }).click();
    await page.locator('.flow-run .status', { hasText: /^done/ }).waitFor();
    assert.deepEqual(await page.locator('.flow-steps .plus').allInnerTexts(), ['40', '41']);
    await openTexts({ workflows: [{ ...workflows[0], text: text.replace('language: prolog', 'language: cobol') }] });
    await page.locator('#panel-workflow .fault button').click();
    assert.deepEqual(sent.at(-1), { kind: 'goTo', file: 'flows/sum.flow.yaml', line: 3, stays: false });
  });

  test('an open notebook is shown, its queries run with its clauses, and proofs lead to its lines', async () => {
    await tab('Notebook');
    await page.getByText('Open a Markdown file in the editor').waitFor();
    const text =
      '# Tea\n\nWho?\n\n```prolog\nlikes(ada, tea).\nlikes(bo, tea).\n```\n\n```query\nlikes(Who, tea)\n```\n';
    const notebooks = [{ name: 'tea.md', text }];
    await openTexts({ notebooks }, 'tea.md');
    await page.getByRole('heading', { name: 'Tea' }).waitFor();
    await page.getByRole('button', { name: 'Run all' }).click();
    const card = page.locator('#panel-notebook .card');
    await card.locator('[data-answer]').nth(1).waitFor();
    assert.deepEqual(await card.locator('tbody td:not(.last)').allInnerTexts(), ['ada', 'bo']);
    await card.locator('[data-answer]').nth(1).getByRole('button').click();
    await card.locator('.proof .place').first().click();
    assert.deepEqual(sent.at(-1), { kind: 'goTo', file: 'tea.md', line: 7, stays: false });
    await page.getByRole('button', { name: 'Save as HTML' }).click();
    for (let tries = 0; sent.at(-1).kind !== 'save' && tries < 100; tries += 1) await page.waitForTimeout(20);
    assert.equal(sent.at(-1).name, 'tea.html');
    assert.match(sent.at(-1).text, /<td[^>]*>.*ada/s);
    // What is typed is shown, and its clauses are in the book as long as it is open.
    await openTexts({ notebooks: [{ name: 'tea.md', text: text.replace('# Tea', '# Coffee') }] }, 'tea.md');
    await page.getByRole('heading', { name: 'Coffee' }).waitFor();
    const isThere = async (word) => {
      await tab('Queries');
      await ask('catch(likes(_, _), error(existence_error(_, _), _), fail) -> R = there ; R = gone');
      await page.locator('#panel-queries .cards td', { hasText: word }).first().waitFor();
    };
    await isThere('there');
    await give([], undefined);
    await isThere('gone');
  });

  const notebookOf = (clauses, goal) => `# Notes\n\n\`\`\`prolog\n${clauses}\n\`\`\`\n\n\`\`\`query\n${goal}\n\`\`\`\n`;

  test('the clauses of a notebook are its own: not those of another one, nor of a file with a name like it', async () => {
    await tab('Notebook');
    const files = [{ name: 'one.md.pl', text: 'real(file).\n' }];
    const notebooks = ['one', 'two'].map((name) => ({
      name: `${name}.md`,
      text: notebookOf(`likes(${name}, tea).`, 'likes(Who, What)'),
    }));
    const who = page.locator('#panel-notebook .card tbody td:not(.last)');
    for (const name of ['one', 'two', 'one']) {
      await openTexts({ files, notebooks }, `${name}.md`);
      await page.getByRole('button', { name: 'Run all' }).click();
      await who.getByText(name).waitFor();
      assert.deepEqual(await who.allInnerTexts(), [name, 'tea']);
    }
    await tab('Queries');
    await ask('real(What)');
    await page.locator('#panel-queries .cards td', { hasText: 'file' }).first().waitFor();
    await give([], undefined);
  });

  test('a clause of a notebook that is broken is told at its block, and answers of other clauses say so', async () => {
    await tab('Notebook');
    const put = (clauses) =>
      openTexts({ notebooks: [{ name: 'bad.md', text: notebookOf(clauses, 'fact(X)') }] }, 'bad.md');
    const panel = page.locator('#panel-notebook');
    await put('fact(1).\nfact(2.\nfact(3).');
    await panel.getByRole('button', { name: 'Run all' }).click();
    const fault = panel.locator('.clauses + .block-faults .fault');
    await fault.getByText(/^Line 5 was not saved: /).waitFor();
    await panel.locator('.card[data-phase=done]').waitFor();
    assert.equal(await page.locator('.toast').count(), 0);
    // It is still told when nothing has changed.
    await panel.getByRole('button', { name: 'Run all' }).click();
    await panel.locator('.card[data-phase=done]').waitFor();
    assert.equal(await fault.count(), 1);
    assert.equal(await panel.getByText('The clauses have changed since.').count(), 0);
    await put('fact(1).\nfact(2).\nfact(4).');
    await panel.getByText('The clauses have changed since.').waitFor();
    assert.equal(await fault.count(), 0);
    await panel.getByRole('button', { name: 'Run again' }).click();
    await panel.locator('.card td', { hasText: '4' }).first().waitFor();
    assert.equal(await panel.getByText('The clauses have changed since.').count(), 0);
    await give([], undefined);
  });

  test('what came from a file is undone in the editor, and what a query did is undone in the history', async () => {
    await tab('History');
    const history = page.locator('#panel-history');
    const saved = history.locator('.revisions summary', { hasText: 'Saved u.pl' });
    await give([{ name: 'u.pl', text: 'u(1).\n' }], 'u.pl');
    await saved.first().waitFor();
    await give([{ name: 'u.pl', text: 'u(1).\nu(2).\n' }], 'u.pl');
    await saved.nth(1).waitFor();
    const undo = history.getByRole('button', { name: 'Undo', exact: true });
    await history.getByText('The last change came from a file: undo it in the editor (Ctrl+Z).').waitFor();
    assert.ok(await undo.isDisabled());
    await saved.nth(1).click();
    await history.getByText('A file has changed since: undo that in the editor (Ctrl+Z).').waitFor();
    assert.equal(await history.getByRole('button', { name: 'Back to here', exact: true }).count(), 0);
    await tab('Queries');
    await ask('assertz(counted(1))');
    await page.locator('.cards .verdict.yes').first().waitFor();
    await tab('History');
    await history.locator('.revisions summary', { hasText: 'Changed by assertz(counted(1))' }).waitFor();
    await undo.click();
    await page.locator('.toast', { hasText: 'Undone.' }).waitFor();
    await history.getByText('The last change came from a file: undo it in the editor (Ctrl+Z).').waitFor();
    assert.ok(await undo.isDisabled());
  });

  test('a clause that is added to a file is written in the editor', async () => {
    await give([{ name: 'u.pl', text: 'u(1).\n' }], 'u.pl');
    await tab('Queries');
    await ask('v(X) :- u(X).');
    await page.locator('.cards').getByRole('button', { name: 'Add this clause' }).first().click();
    for (let tries = 0; sent.at(-1).kind !== 'write' && tries < 250; tries += 1) await page.waitForTimeout(20);
    assert.deepEqual(sent.pop(), { kind: 'write', file: 'u.pl', text: 'u(1).\nv(X) :- u(X).\n' });
    await give([], undefined);
  });

  test('an earlier text of a file goes to the editor, unless it was changed there meanwhile', async () => {
    const file = (text) => give([{ name: 'w.pl', text }], 'w.pl');
    await file('w(1).\n');
    await tab('History');
    const history = page.locator('#panel-history');
    const saved = history.locator('.revisions summary', { hasText: 'Saved w.pl' });
    await saved.first().waitFor();
    await file('w(2).\n');
    await saved.nth(1).waitFor();
    await saved.nth(1).click();
    const back = page.getByRole('button', { name: 'Back to here: w.pl' });
    const offer = async () => {
      await history.locator('details[open]', { hasText: 'Saved w.pl' }).getByText('One file as it was…').click();
      await back.waitFor();
    };
    await offer();
    await file('w(3).\n');
    await saved.nth(2).waitFor();
    await back.click();
    await page.locator('.toast.error', { hasText: 'w.pl was changed meanwhile, and stays as it is.' }).waitFor();
    assert.ok(sent.every(({ kind }) => kind !== 'write'));
    await offer();
    await back.click();
    for (let tries = 0; sent.at(-1).kind !== 'write' && tries < 250; tries += 1) await page.waitForTimeout(20);
    assert.deepEqual(sent.at(-1), { kind: 'write', file: 'w.pl', text: 'w(1).\n' });
    await give([], undefined);
  });

  test('a run goes on when another file becomes active or its own is edited, and it is told when another is opened', async () => {
    const slow = `nodes:
  - name: wait
    language: prolog
    run: |
      sleep(600).
initial_state: {}
`;
    const quick = 'nodes:\n  - name: quick\n    language: prolog\n    run: |\n      return(v, 7).\ninitial_state: {}\n';
    const workflows = [
      { name: 'slow.flow.yaml', text: slow },
      { name: 'quick.flow.yaml', text: quick },
    ];
    await tab('Workflow');
    await openTexts({ workflows }, 'slow.flow.yaml');
    const panel = page.locator('#panel-workflow');
    await panel.locator('.flow-node[data-node=wait]').waitFor();
    await panel.getByRole('button', { name: 'Run', exact: true }).click();
    const running = panel.locator('.flow-run[data-phase=running]');
    await running.waitFor();
    const which = panel.getByLabel('Workflow', { exact: true });
    await openTexts({ workflows }, 'quick.flow.yaml');
    workflows[0].text = `# Slow.\n${slow}`;
    await openTexts({ workflows }, 'slow.flow.yaml');
    await openTexts({ workflows: [workflows[1]] }, 'quick.flow.yaml');
    await page.waitForTimeout(500);
    assert.equal(await which.inputValue(), 'slow.flow.yaml');
    assert.equal(await running.count(), 1);
    // It ends with the page, which says so when it is there again.
    await open();
    await page.locator('.toast', { hasText: 'The run of slow.flow.yaml ended with the page of queries.' }).waitFor();
    await openTexts({ workflows }, 'slow.flow.yaml');
    await panel.getByRole('button', { name: 'Run', exact: true }).click();
    await running.waitFor();
    await which.selectOption('quick.flow.yaml');
    await page.locator('.toast', { hasText: 'The run was stopped: another workflow was opened.' }).waitFor();
    await panel.locator('.flow-node[data-node=quick]').waitFor();
    await panel.getByRole('button', { name: 'Run', exact: true }).click();
    await panel.locator('.flow-run[data-phase=done]').waitFor();
    // The one that was stopped could be resumed until now, and the other is done.
    await open();
    await page.locator('.toast', { hasText: 'The run of slow.flow.yaml ended with the page of queries.' }).waitFor();

    await tab('DML');
    const programs = [
      { name: 'greet.dml', text: PROGRAM },
      { name: 'other.dml', text: PROGRAM.replace('Name', 'Other') },
    ];
    await openTexts({ programs }, 'greet.dml');
    await page.locator('[data-parameter=Name]').fill('Ada');
    await page.getByLabel('Model', { exact: true }).selectOption('person');
    await page.getByRole('button', { name: 'Run', exact: true }).click();
    const run = page.locator('.run[data-phase=running]');
    await run.getByText('Greet Ada.').first().waitFor();
    await openTexts({ programs }, 'other.dml');
    await page.waitForTimeout(500);
    assert.equal(await run.count(), 1);
    await page.getByLabel('Program', { exact: true }).selectOption('other.dml');
    await page.locator('.toast', { hasText: 'The run was stopped: another program was opened.' }).waitFor();
    await page.locator('[data-parameter=Other]').waitFor();
    assert.ok(await page.locator('#panel-dml').getByRole('button', { name: 'Run', exact: true }).isVisible());
    await give([], undefined);
  });

  test('tables that were added are shown as rows, stay when files close, and are asked for', async () => {
    await say({ kind: 'table', name: 'data/people.csv', text: 'name,age\nAnn,30\nBob,41\n' });
    await say({ kind: 'show', panel: 'data' });
    await give([{ name: 'b.pl', text: 'old(N) :- people(N, A), A > 40.\n' }], 'b.pl');
    const grid = page.locator('.table-grid');
    await grid.getByText('2 rows').waitFor();
    await grid.getByLabel('Search all columns').fill('ann');
    await grid.getByText('1 of 2 rows').waitFor();
    await grid.getByRole('button', { name: 'Ask for these rows' }).click();
    await page.locator('.cards td', { hasText: 'Ann' }).first().waitFor();
    await ask('old(Who)');
    await page.locator('.cards td', { hasText: 'Bob' }).first().waitFor();
    await tab('Data');
    await say({ kind: 'table', name: 'bad.csv', text: 'a,b\n1,"open\n' });
    await page.locator('.toast.error', { hasText: 'line 2: a quote is opened and not closed' }).waitFor();
    assert.deepEqual(sent.at(-1), { kind: 'removed', name: 'bad.csv' });
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Choose "Add to Book" for a table').waitFor();
    assert.deepEqual(sent.at(-1), { kind: 'removed', name: 'data/people.csv' });
    await tab('Queries');
  });

  test('a chosen table is shown before it is added, and is read as was chosen when it changes or the page is reopened', async () => {
    await tab('Data');
    await say({ kind: 'table', name: 'shop.csv', text: 'id,no\n1,007\n2,8\n', about: 'It was doubtful.', isNew: true });
    const preview = page.locator('.table-preview');
    await preview.getByText('It was doubtful.').waitFor();
    await page.getByRole('button', { name: 'Cancel' }).click();
    for (let tries = 0; sent.at(-1).kind !== 'removed' && tries < 100; tries += 1) await page.waitForTimeout(20);
    assert.deepEqual(sent.at(-1), { kind: 'removed', name: 'shop.csv' });
    await say({ kind: 'table', name: 'shop.csv', text: 'id,no\n1,007\n2,8\n', isNew: true });
    await preview.getByLabel('Name of column 2').fill('code');
    await preview.getByLabel('Name of column 2').blur();
    await preview.getByLabel('Type of id').selectOption('text');
    await page.getByRole('button', { name: 'Add as facts' }).click();
    const grid = page.locator('.table-grid');
    await grid.getByText('2 rows').waitFor();
    const answers = async (goal, text) => {
      await tab('Queries');
      await ask(goal);
      await page.locator('.cards td', { hasText: text }).first().waitFor();
    };
    await answers("shop{id: '2', code: Code}", '8');
    // Another column before it does not change what was chosen for it.
    const changed = 'no,id\n007,1\n8,2\n9,3\n';
    await say({ kind: 'table', name: 'shop.csv', text: changed });
    await answers("shop{id: '3', code: Code}", '9');
    await open();
    await say({ kind: 'table', name: 'shop.csv', text: changed });
    await answers("shop{id: '3', code: Code}", '9');
    await tab('Data');
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByText('Choose "Add to Book" for a table').waitFor();
    await tab('Queries');
  });

  test('the memory and the parameters of programs are still there when the page is reopened', async () => {
    await tab('Memory');
    await page.getByRole('button', { name: 'Load an example' }).click();
    await page.locator('#panel-memory svg').first().waitFor();
    for (let tries = 0; !kept['hornbook.memory'] && tries < 250; tries += 1) await page.waitForTimeout(20);
    assert.match(sent.findLast(({ kind }) => kind === 'open').text, /^reaches\(X, Y\) :- kn_edge/m);
    await open();
    assert.equal(await page.getByRole('tab', { name: 'Memory' }).getAttribute('aria-selected'), 'true');
    await page.locator('#panel-memory svg').first().waitFor();
    await tab('DML');
    await openProgram();
    await page.locator('[data-parameter=Name]').waitFor();
    assert.equal(await page.locator('[data-parameter=Name]').inputValue(), 'Ada');
    await tab('Queries');
    await give([{ name: 'm.pl', text: 'named(N) :- kn_node(_, _, N).\n' }], 'm.pl');
    await ask("named('Postgres')");
    await page.locator('.cards .verdict.yes').first().waitFor();
  });

  test('a query is pinned: its rows follow the files, and it is still pinned when the page is reopened', async () => {
    await give([{ name: 'n.pl', text: 'n(1).\nn(2).\n' }], 'n.pl');
    await say({ kind: 'pin', goal: 'n(X)' });
    const pin = page.locator('.pinned-query');
    await pin.getByText('2 answers').waitFor();
    await give([{ name: 'n.pl', text: 'n(2).\nn(3).\n' }], 'n.pl');
    await pin.getByText('2 answers · 1 new · 1 gone').waitFor();
    const rows = () => pin.locator('tbody tr').evaluateAll((all) => all.map((row) => row.innerText.trim()));
    assert.deepEqual(await rows(), ['2', 'new\t3', 'gone\t1']);
    assert.equal(kept['hornbook.pinned'], '["n(X)"]');
    await open();
    await give([{ name: 'n.pl', text: 'n(2).\nn(3).\n' }], 'n.pl');
    await pin.getByText(/^2 answers$/).waitFor();
    assert.deepEqual(await rows(), ['2', '3']);
    await pin.getByRole('button', { name: 'Take the pin away' }).click();
    await pin.waitFor({ state: 'detached' });
    assert.equal(kept['hornbook.pinned'], undefined);
  });
});

describe('the page for a review', () => {
  const inServer = (...path) => import(pathToFileURL(join(STAGE, 'server', ...path)));

  test('a draft of a book is shown, and the decision reaches the book', async () => {
    const { openBook } = await inServer('index.js');
    const { ReviewDesk } = await inServer('book', 'desk.js');
    const book = await openBook({ path: join(directory({}), 'team.book') });
    await book.import('paths.pl', 'edge(a, b).\npath(X, Y) :- edge(X, Y).\n');
    const desk = new ReviewDesk(book);
    const { server, origin } = await served('review');
    const browser = await launched();
    const page = await browser.newPage();
    const faults = [];
    page.on('pageerror', (error) => faults.push(error.message));
    const say = (message) => page.evaluate((message) => window.postMessage(message), message);
    const places = [];
    const kept = { 'hornbook.pinned': '["path(a, X)"]' };
    // What nobody holds is collected, and watches no more.
    const watches = new Map();
    // What the extension does with the messages of its page.
    await page.exposeFunction('told', async ({ kind, id, method, args, file, line, goal, name, text }) => {
      if (kind === 'ready') await say({ kind: 'begin', kept });
      if (kind === 'keep') kept[name] = text;
      if (kind === 'watch') {
        const take = (step) => void say({ kind: 'watched', id, step });
        watches.set(id, book.hornbook.watch(goal, take));
      }
      if (kind === 'goTo') places.push(`${file}:${line}`);
      if (kind !== 'call') return;
      try {
        await say({ kind: 'result', id, value: await desk[method](...args) });
      } catch (error) {
        await say({ kind: 'refused', id, message: error.message });
      }
      if (method === 'decide') await say({ kind: 'changed' });
    });
    await page.goto(origin);
    await page.getByText('Nothing to review.').waitFor();
    const pinned = page.locator('.pinned-query');
    await pinned.getByText('1 answer', { exact: true }).waitFor();
    await page.getByLabel('Query to pin').fill('edge(X, Y).');
    await page.getByRole('button', { name: 'Pin', exact: true }).click();
    await pinned.nth(1).getByText('1 answer', { exact: true }).waitFor();
    assert.equal(kept['hornbook.pinned'], '["path(a, X)","edge(X, Y)"]');
    const night = await book.draft('night');
    await night.book.assert('edge(b, c).');
    await say({ kind: 'changed' });
    const shown = page.locator('.draft');
    await shown.getByRole('heading', { name: 'somebody proposes 1 change in the draft night' }).waitFor();
    // What is pinned is compared without being named.
    await shown.getByText('edge(X, Y)').first().waitFor();
    await shown.getByLabel('Goals, one a line').fill('path(b, X)');
    await shown.getByRole('button', { name: 'Compare' }).click();
    await shown.locator('.goal-change', { hasText: 'path(b, X)' }).locator('summary').click();
    await shown.locator('.proof .place').first().click();
    assert.deepEqual(places, ['paths.pl:2']);
    await night.book.assert('edge(c, d).');
    await shown.getByRole('button', { name: 'Accept all' }).click();
    await shown.getByText(/has changed since it was shown/).waitFor();
    await say({ kind: 'changed' });
    await shown.getByText('edge(c, d)').waitFor();
    await shown.getByRole('button', { name: 'Accept all' }).click();
    await page.getByText('Nothing to review.').waitFor();
    assert.equal((await book.all('edge(_, _)')).length, 3);
    await pinned.nth(1).getByText('3 answers · 2 new').waitFor();
    for (const watch of watches.values()) watch.free();
    assert.deepEqual(faults, []);
    await browser.close();
    server.close();
    await desk.close();
    await book.close();
  });
});
