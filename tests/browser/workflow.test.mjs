// Workflows in a page: the engines of the page, and other languages if the page provides them.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { build } from 'esbuild';
import { join } from 'node:path';
import { FOUR } from '../workflow/four-languages.mjs';
import { ROOT, assertSound, launch, servePackage, visit } from './harness.mjs';

/** A package as installed. */
const installed = (...path) => `${join(ROOT, 'node_modules', ...path)}/`;

let browser, site, page;
before(async () => {
  // As in a page with a bundler: a module, with the WebAssembly beside it.
  const quickjs = await build({
    stdin: { contents: "export { getQuickJS } from 'quickjs-emscripten';", resolveDir: ROOT },
    bundle: true,
    format: 'esm',
    platform: 'browser',
    write: false,
  });
  const directories = {
    '/pyodide/': installed('pyodide'),
    '/wasmoon/': installed('wasmoon', 'dist'),
    '/quickjs/': installed('@jitl', 'quickjs-wasmfile-release-sync', 'dist'),
  };
  const files = { '/quickjs/quickjs.js': quickjs.outputFiles[0].text };
  [browser, site] = await Promise.all([launch(), servePackage({ directories, files })]);
  page = await visit(browser, site.origin);
  await page.evaluate(async () => {
    const { PrologRuntime, Workflow, pageLanguages } = await import('/hornbook/workflow.js');
    const { host } = await createHornbook();
    window.languagesOf = pageLanguages;
    window.runtime = await PrologRuntime.create({ host });
    window.last = async (yaml, state, options) => {
      const workflow = await Workflow.load(yaml, { host, ...options });
      let last;
      for await (const event of workflow.run(state)) last = event;
      workflow.close();
      return last;
    };
  });
});
after(async () => {
  assertSound(page);
  await browser.close();
  await site.close();
});

test('the Prolog of nodes', async () => {
  const given = await page.evaluate(async () => {
    const { updates } = await runtime.executeNodeCode(
      'X #= 3 + 4, state(l, L), return(x, X), return(l, L), return(big, 36893488147419103232).',
      { l: [null, 'null', { a: 1.5 }] },
    );
    return { ...updates, big: String(updates.big) };
  });
  assert.deepEqual(given, { x: 7, l: [null, 'null', { a: 1.5 }], big: '36893488147419103232' });
});

const YAML = `
nodes:
  - { name: s, language: prolog, run: "return(v, 1)." }
  - { name: a, language: prolog, run: "state(v, V), W is V + 1, return(w, W)." }
  - { name: b, language: prolog, run: "state(v, V), W is V + 2, return(w, W)." }
  - name: join
    language: javascript
    run: ws
  - { name: tell, uses: tell, with: { ws: "{{ state.ws }}" }, output: told }
edges:
  - { from: s, to: a, type: parallel, fan_in: join }
  - { from: s, to: b, type: parallel, fan_in: join }
  - { from: a, to: join }
  - { from: b, to: join }
`;

test('branches, an action, and a language that the page provides', async () => {
  const last = await page.evaluate((yaml) => {
    // The page's policy lets no text become code, so this is a language with one word.
    const run = async (code, given) =>
      JSON.stringify({ result: { [code]: JSON.parse(given).parallel_results.map(({ state }) => state.w) } });
    const languages = { javascript: () => ({ run, close() {} }) };
    return last(yaml, {}, { engines: 2, languages, actions: { tell: ({ ws }) => ws.length } });
  }, YAML);
  assert.deepEqual(last, { type: 'final', state: { v: 1, ws: [2, 3], told: 2 } });
});

test('a page has only the languages that it provides', async () => {
  const message = await page.evaluate(
    (yaml) => last(yaml, {}, { actions: { tell() {} } }).catch(({ message }) => message),
    YAML,
  );
  assert.match(message, /Node 'join' is in JavaScript, which needs a package that is not installed/);
});

test('Python, Lua, JavaScript and Prolog in one workflow: as in Node, loaded on demand from where the page has them', async () => {
  const loaded = (path) => site.requests.some((name) => name.startsWith(path));
  assert.ok(!['/pyodide/', '/wasmoon/', '/quickjs/'].some(loaded), 'nothing was loaded before');
  const only = await page.evaluate(async () => {
    const languages = languagesOf({ lua: '/wasmoon/index.js', python: '/pyodide/pyodide.mjs' });
    return last('nodes:\n- { name: a, language: lua, run: "return { y = state.x + 1 }" }\n', { x: 1 }, { languages });
  });
  assert.deepEqual(only, { type: 'final', state: { x: 1, y: 2 } });
  assert.ok(loaded('/wasmoon/glue.wasm') && !loaded('/pyodide/'));
  const text = await page.evaluate(async ({ yaml, state }) => {
    const languages = languagesOf({
      python: '/pyodide/pyodide.mjs',
      lua: '/wasmoon/index.js',
      javascript: '/quickjs/quickjs.js',
    });
    const ended = await last(yaml, state, { languages });
    return JSON.stringify(ended, (_, value) => (typeof value === 'bigint' ? `big ${value}` : value));
  }, FOUR);
  const ended = JSON.parse(text, (_, value) => (/^big \d+$/.test(value) ? BigInt(value.slice(4)) : value));
  assert.deepEqual(ended, { type: 'final', state: FOUR.final });
});

test('code in a page reaches nothing of the page, and is limited in time; a dead address is reported', async () => {
  const run = (language, code, timeout = 20) =>
    page.evaluate(
      async ({ language, code, timeout }) => {
        const languages = languagesOf({
          python: '/pyodide/pyodide.mjs',
          lua: '/wasmoon/none.js',
          javascript: '/quickjs/quickjs.js',
        });
        const yaml = JSON.stringify({ nodes: [{ name: 'a', language, run: code }] });
        return last(yaml, {}, { languages, timeout });
      },
      { language, code, timeout },
    );
  for (const [language, code] of [
    ['python', 'import js\nreturn {"x": 1}'],
    ['python', 'from pyodide.code import run_js\nreturn {"x": run_js("fetch")}'],
    ['javascript', 'return { x: fetch("/") }'],
  ]) {
    const { type, kind, error } = await run(language, code);
    assert.deepEqual([type, kind], ['error', language], error);
  }
  const late = await run('javascript', 'for (;;);', 2);
  assert.deepEqual([late.kind, late.error], ['timeout', 'JavaScript execution timeout: the code ran longer than 2 s.']);
  const none = await run('lua', 'return {}');
  assert.match(none.error, /wasmoon\/none\.js could not be loaded/);
  page.faults.splice(0, page.faults.length, ...page.faults.filter((fault) => !/404/.test(fault)));
});
