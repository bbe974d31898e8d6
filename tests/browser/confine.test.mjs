// The realm of an engine's worker in a page, after confine.ts: nothing in it reaches outside, and no text becomes code.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { launch, servePackage, visit } from './harness.mjs';

const CODE = {
  eval: "eval('1')",
  'indirect eval': "(0, eval)('1')",
  'the constructor of functions': "(() => {}).constructor('return 1')",
  'the constructor of a built-in': "[].map.constructor('return 1')",
  'the constructor of async functions': "(async () => {}).constructor('return 1')",
  'the constructor of generators': "(function* () {}).constructor('return 1')",
  'the constructor of async generators': "(async function* () {}).constructor('return 1')",
};

const WORKER = `
import { confine } from '/hornbook/engine/confine.js';
const send = postMessage.bind(globalThis);
confine(() => {});
const seen = { own: Object.getOwnPropertyNames(globalThis), inherited: [], code: {} };
for (let holder = Object.getPrototypeOf(globalThis); holder !== Object.prototype; holder = Object.getPrototypeOf(holder)) {
  seen.inherited.push(...Object.getOwnPropertyNames(holder));
}
${Object.entries(CODE)
  .map(
    ([name, code]) =>
      `try { ${code}; seen.code['${name}'] = 'it ran'; } catch (error) { seen.code['${name}'] = error.name; }`,
  )
  .join('\n')}
send(seen);
`;

let browser, site, seen;
before(async () => {
  // Even a page that allows eval does not have it in its engines.
  const csp = "default-src 'self'; script-src 'self' 'unsafe-eval'; img-src data:";
  [browser, site] = await Promise.all([launch(), servePackage({ files: { '/confined.js': WORKER }, csp })]);
  const page = await visit(browser, site.origin);
  seen = await page.evaluate(
    () =>
      new Promise((resolve, reject) => {
        const worker = new Worker('/confined.js', { type: 'module' });
        worker.onmessage = ({ data }) => resolve(data);
        worker.onerror = ({ message }) => reject(new Error(message));
      }),
  );
});
after(async () => {
  await browser.close();
  await site.close();
});

test('only the language is left, and what swipl-wasm needs', () => {
  const known =
    /^(globalThis|Infinity|NaN|undefined|is\w+|parse\w+|(en|de)codeURI(Component)?|\w*Error|[A-Z]\w*(Array|Buffer|Map|Set|Ref)|Object|Array|Map|Set|String|Number|Boolean|Symbol|BigInt|Date|Math|JSON|RegExp|Promise|Proxy|Reflect|FinalizationRegistry|DataView|WebAssembly|Text(De|En)coder|console|eval)$/;
  assert.deepEqual(
    seen.own.filter((name) => !known.test(name)),
    [],
  );
});

test('nothing that reaches outside is inherited: network, storage, other scripts, the page', () => {
  // The two constants cannot be deleted.
  assert.deepEqual(seen.inherited.sort(), ['PERSISTENT', 'TEMPORARY', 'crypto', 'performance']);
});

test('no text becomes code', () => {
  assert.deepEqual(seen.code, Object.fromEntries(Object.keys(CODE).map((name) => [name, 'EvalError'])));
});
