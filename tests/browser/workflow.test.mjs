// Workflows in a page: the engines of the page, and other languages where the page gives them.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertSound, launch, servePackage, visit } from './harness.mjs';

let browser, site, page;
before(async () => {
  [browser, site] = await Promise.all([launch(), servePackage()]);
  page = await visit(browser, site.origin);
  await page.evaluate(async () => {
    const { PrologRuntime, Workflow } = await import('/hornbook/workflow.js');
    const { host } = await createHornbook();
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

test('branches, an action, and a language that the page gives', async () => {
  const last = await page.evaluate((yaml) => {
    // The page's policy lets no text become code: this is a language with one word.
    const run = async (code, given) =>
      JSON.stringify({ result: { [code]: JSON.parse(given).parallel_results.map(({ state }) => state.w) } });
    const languages = { javascript: () => ({ run, close() {} }) };
    return last(yaml, {}, { engines: 2, languages, actions: { tell: ({ ws }) => ws.length } });
  }, YAML);
  assert.deepEqual(last, { type: 'final', state: { v: 1, ws: [2, 3], told: 2 } });
});

test('a page has no language that it does not give', async () => {
  const message = await page.evaluate(
    (yaml) => last(yaml, {}, { actions: { tell() {} } }).catch(({ message }) => message),
    YAML,
  );
  assert.match(message, /Node 'join' is in JavaScript, which needs a package that is not installed/);
});
