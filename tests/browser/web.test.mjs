// Hornbook in a page under a strict policy, with the official clients.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { wheelOf } from '../support/wheel.mjs';
import { PAGE, PKG, assertSound, bundled, launch, serve, servePackage, visit } from './harness.mjs';

let browser, site;
before(async () => {
  [browser, site] = await Promise.all([
    launch(),
    servePackage({
      files: {
        '/conductor.js': await bundled('conductor.mjs'),
        '/words.whl': wheelOf({ oil: [1, 0], automobile: [1, 0], owl: [0, -1] }),
      },
      directories: { '/elsewhere/': PKG },
    }),
  ]);
});
after(async () => {
  await browser.close();
  await site.close();
});

/** A page with a workspace, `hornbook`, and an agent that uses it, `client`. */
async function open(options) {
  const page = await visit(browser, site.origin);
  await page.evaluate(async (options) => {
    window.hornbook = await createHornbook(options);
    window.client = await agent(hornbook);
  }, options);
  return page;
}

test('from a cold cache to the first answer, without shared memory, reporting the bytes loaded', async () => {
  const page = await visit(browser, site.origin);
  const { steps, text, isolated, sharing } = await page.evaluate(async () => {
    const steps = [];
    const hornbook = await createHornbook({ progress: (...step) => steps.push(step) });
    const client = await agent(hornbook);
    await call(client, 'clauses', { operation: 'assert', clauses: 'parent(ann, bob). parent(bob, cy).' });
    const text = await call(client, 'query_start', { query: 'parent(X, Y), Z #> 3', take: 5 });
    return { steps, text, isolated: crossOriginIsolated, sharing: typeof SharedArrayBuffer };
  });
  assert.match(text, /X = ann, Y = bob/);
  assert.match(text, /Z in 4\.\.sup/);
  assert.deepEqual([isolated, sharing], [false, 'undefined']);
  assert.ok(steps.length > 4);
  const [, total] = steps[0];
  for (const [at, [loaded, of]] of steps.entries())
    assert.ok(of === total && loaded <= total && (at === 0 || loaded > steps[at - 1][0]));
  assert.equal(steps.at(-1)[0], total);
  assertSound(page);
});

test('both eras are served, side by side', async () => {
  const page = await open();
  const seen = await page.evaluate(async () => {
    const old = await connectLegacy(transport(hornbook));
    await call(client, 'clauses', { operation: 'assert', clauses: 'p(1).' });
    const { structuredContent } = await old.callTool({ name: 'workspace', arguments: { operation: 'snapshot' } });
    return [client.getNegotiatedProtocolVersion(), old.transport.revision, structuredContent.dump];
  });
  assert.deepEqual(seen, ['2026-07-28', '2025-11-25', 'p(1).']);
  assertSound(page);
});

test('a host sets a reply length for one client that differs from the rest', async () => {
  const page = await open({ limits: { reply_tokens: 1500 } });
  const lengths = await page.evaluate(async () => {
    const { port1, port2 } = new MessageChannel();
    hornbook.connect(port1, { replyTokens: 100_000 });
    const host = await connect(new PortTransport(port2));
    await call(client, 'files', { operation: 'import', filename: 'n.pl', text: 'n(1).\n'.repeat(3000) });
    const dump = async (who) => {
      const { structuredContent } = await who.callTool({ name: 'workspace', arguments: { operation: 'snapshot' } });
      return structuredContent.dump.split('\n').length;
    };
    return [await dump(client), await dump(host), await dump(client)];
  });
  assert.ok(lengths[0] > 10 && lengths[0] < 600, lengths.join());
  assert.ok(lengths[1] >= 3000, lengths.join());
  assert.equal(lengths[2], lengths[0]);
  assertSound(page);
});

test('an endless query is cancelled, a long import reports its progress, and other clients are served meanwhile', async () => {
  const page = await open();
  const seen = await page.evaluate(async () => {
    const heard = [];
    const text = 'fact(1).\n'.repeat(20_000);
    await call(
      client,
      'files',
      { operation: 'import', filename: 'many.pl', text },
      { onprogress: ({ progress, total }) => heard.push([progress, total]) },
    );
    const abort = new AbortController();
    let query;
    await new Promise((onprogress) => {
      query = client.callTool(
        { name: 'query_start', arguments: { query: 'repeat, fail', take: 1, timeout_ms: 600_000 } },
        { signal: abort.signal, timeout: 600_000, onprogress },
      );
    });
    const other = await agent(hornbook);
    const tools = (await other.listTools()).tools.length;
    abort.abort();
    const ended = await query.then(
      () => 'answered',
      () => 'cancelled',
    );
    const after = await call(other, 'query_start', { query: 'aggregate_all(count, fact(_), N)', take: 1 });
    return { heard, tools, ended, after };
  });
  assert.ok(seen.heard.length > 1 && seen.heard.every(([progress, total]) => progress <= total));
  assert.deepEqual([seen.tools, seen.ended], [7, 'cancelled']);
  assert.match(seen.after, /N = 20000/);
  assertSound(page);
});

test('fifty queries are open at once, and each goes on where it was; one more closes the one idle longest', async () => {
  const page = await open({ limits: { open_queries: 50 } });
  const { answers, told } = await page.evaluate(async () => {
    const ids = [...Array(50).keys()];
    for (const id of ids)
      await call(client, 'query_start', { query: `between(${id}, inf, X)`, take: 1, query_id: `q${id}` });
    const next = (id) => call(client, 'query_next', { query_id: `q${id}`, take: 1 });
    const answers = await Promise.all(ids.map(next));
    return { answers, told: await call(client, 'query_start', { query: 'repeat', take: 1 }) };
  });
  for (const [id, text] of answers.entries()) assert.match(text, new RegExp(`X = ${id + 1}\\b`));
  assert.match(told, /Query q0, .* was closed: .*open_queries = 50/);
  assertSound(page);
});

test('an engine that dies affects only its query', async () => {
  const page = await open();
  const [fault, after] = await page.evaluate(async () => {
    await call(client, 'clauses', {
      operation: 'assert',
      clauses: ['p(1).', 'deep(0, x) :- !.', 'deep(N, f(T)) :- M is N-1, deep(M, T).'],
    });
    const fault = await call(client, 'query_start', { query: 'length(L, 100000000), sort(L, M)', take: 1 }).catch(
      ({ message }) => message,
    );
    return [fault, await call(client, 'query_start', { query: 'p(X)', take: 1 })];
  });
  assert.match(fault, /memory|resource|stack/i);
  assert.match(after, /X = 1/);
  assertSound(page);
});

test('a page has no files, and says so', async () => {
  const page = await open();
  const message = await page.evaluate(() =>
    call(client, 'files', { operation: 'import', filename: 'a.pl' }).catch(({ message }) => message),
  );
  assert.match(message, /This host has no files\. Give the contents as text\./);
  assertSound(page);
});

test('foreign messages on a port are ignored, and when one side closes, the other is notified', async () => {
  const page = await open();
  const seen = await page.evaluate(async () => {
    const { port1, port2 } = new MessageChannel();
    hornbook.connect(port1);
    const heard = [];
    port2.onmessage = ({ data }) => heard.push(data);
    const cyclic = {};
    cyclic.self = cyclic;
    for (const foreign of [
      undefined,
      null,
      7n,
      'ping',
      cyclic,
      { type: 'ready' },
      new Map(),
      { jsonrpc: '1.0', id: 1, method: 'ping' },
    ])
      port2.postMessage(foreign);
    port2.postMessage({ jsonrpc: '2.0', id: 'mine', method: 'ping' });
    const until = async (count) => {
      while (heard.length < count) await new Promise((next) => setTimeout(next, 5));
    };
    await until(1);
    const closed = new Promise((onclose) => (client.onclose = onclose));
    await hornbook.close();
    await closed;
    await until(2);
    const late = await client.listTools().then(
      () => 'answered',
      () => 'refused',
    );
    return { heard: heard.map(({ id, method }) => id ?? method), late };
  });
  assert.deepEqual(seen, { heard: ['mine', 'hornbook/closed'], late: 'refused' });
  assertSound(page);
});

test('when a client closes or its page goes away, it is no longer served, and its query stops', async () => {
  const modern = await launch(['--enable-blink-features=MessagePortCloseEvent']);
  const page = await visit(modern, site.origin);
  const seen = await page.evaluate(async () => {
    const hornbook = await createHornbook({ limits: { open_queries: 1 } });
    const frame = document.createElement('iframe');
    frame.src = '/index.html';
    document.body.append(frame);
    await new Promise((loaded) => (frame.onload = loaded));
    const { port1, port2 } = new MessageChannel();
    hornbook.connect(port1);
    const endless = { query: 'repeat, fail', take: 1, timeout_ms: 600_000 };
    const port = await given(frame.contentWindow, port2);
    await new Promise((heard) => {
      port.onmessage = heard;
      port.postMessage({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'query_start', arguments: endless, _meta: { progressToken: 1 } },
      });
    });
    frame.remove();
    const second = await agent(hornbook);
    await new Promise((onprogress) => {
      call(second, 'query_start', endless, { timeout: 600_000, onprogress }).catch(() => {});
    });
    await second.close();
    return call(await agent(hornbook), 'query_start', { query: 'X = done', take: 1 });
  });
  assert.match(seen, /X = done/);
  assertSound(page);
  await modern.close();
});

test('in a worker of the page it serves the page, through the same transport', async () => {
  const page = await visit(browser, site.origin);
  const text = await page.evaluate(async () => {
    const worker = new Worker('/conductor.js', { type: 'module' });
    await new Promise((ready) => worker.addEventListener('message', ready, { once: true }));
    const client = await connect(new PortTransport(worker));
    return call(client, 'query_start', { query: 'X is 6 * 7', take: 1 });
  });
  assert.match(text, /X = 42/);
  assertSound(page);
});

test('a page loads the core of the crate, and the full crate when it uses programs', async () => {
  const page = await visit(browser, site.origin);
  const [before, after, events] = await page.evaluate(async () => {
    const loaded = () => performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('_bg.wasm'));
    const parts = () => loaded().map(({ name }) => new URL(name).pathname);
    const { host } = await createHornbook();
    const before = parts();
    const { createDeepClause } = await import('/hornbook/dml.js');
    const dml = await createDeepClause({ host });
    const events = await Array.fromAsync(dml.runDML('agent_main :- answer(done).'));
    return [before, parts(), events];
  });
  assert.deepEqual(before, ['/hornbook/core/hornbook_bg.wasm']);
  assert.deepEqual(after, ['/hornbook/core/hornbook_bg.wasm', '/hornbook/full/hornbook_bg.wasm']);
  assert.deepEqual(events[0], { type: 'answer', content: 'done' });
  assertSound(page);
});

test('the files may be elsewhere, and a missing one is named', async () => {
  const page = await visit(browser, site.origin);
  const [text, missing] = await page.evaluate(async () => {
    const client = await agent(await createHornbook({ assets: '/elsewhere' }));
    const text = await call(client, 'query_start', { query: 'X = 1', take: 1 });
    return [text, await createHornbook({ assets: '/nowhere/' }).catch(({ message }) => message)];
  });
  assert.match(text, /X = 1/);
  assert.equal(missing, `${site.origin}/nowhere/core/hornbook_bg.wasm could not be loaded: the server answered 404`);
  assert.ok(site.requests.includes('/elsewhere/worker-web.js'));
});

test('the single file needs no other, and works where nothing may be loaded', async () => {
  const agent = (await bundled('agent.mjs')).replace('/hornbook/web.js', '/inline.js');
  const strict = await serve({
    files: { '/index.html': PAGE, '/agent.js': agent, '/inline.js': await readFile(join(PKG, 'inline.bundle.js')) },
    csp: "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; worker-src blob:; img-src data:",
  });
  const page = await visit(browser, strict.origin);
  const text = await page.evaluate(async () => {
    const client = await agent(await createHornbook({ book: 'inline' }));
    await call(client, 'clauses', { operation: 'assert', clauses: 'p(1).' });
    await call(client, 'query_start', { query: 'repeat, fail', take: 1, timeout_ms: 500 }).catch(() => {});
    return call(client, 'query_start', { query: 'p(X), Y #> X', take: 1 });
  });
  assert.match(text, /X = 1[\s\S]*Y in 2\.\.sup/);
  // A plain script has `import()`, too.
  const answers = await page.evaluate(async () => {
    const { openBook, prolog, Goal } = await import('/inline.js');
    const book = await openBook({ predicates: { 'double/2': (x) => [x, 2 * x] } });
    await book.assert('q(3).');
    const goal = prolog`q(X), double(X, Y), Y > ${1}`;
    const found = [await book.all(goal), goal instanceof Goal];
    await book.close();
    return found;
  });
  assert.deepEqual(answers, [[{ X: 3, Y: 6 }], true]);
  assert.deepEqual(strict.requests, ['/index.html', '/agent.js', '/inline.js']);
  assertSound(page);
  await strict.close();
});

test('the memory of a page finds text in other words with a table of word vectors', async () => {
  const page = await visit(browser, site.origin);
  const found = await page.evaluate(async () => {
    const { wordVectors } = await import('/hornbook/web.js');
    const embed = wordVectors(async () => new Uint8Array(await (await fetch('/words.whl')).arrayBuffer()));
    const client = await agent(await createHornbook({ tools: ['memory'], embed }));
    for (const content of ['Change the engine oil in May', 'The owl sleeps by day'])
      await call(client, 'kn_experience', { action: 'save', content, type: 'solution' });
    return JSON.parse(await call(client, 'kn_intel', { action: 'recall', topic: 'automobile' }));
  });
  assert.equal(found.warnings, undefined);
  assert.equal(found.results[0].content, 'Change the engine oil in May');
  assertSound(page);
});

test('invalid options are refused with a sentence', async () => {
  const page = await visit(browser, site.origin);
  const messages = await page.evaluate(() =>
    Promise.all(
      [{ limits: { nonsense: 1 } }, { unknown: 'perhaps' }, { bok: 'mine' }, { timeout: 5 }].map((options) =>
        createHornbook(options).catch(({ message }) => message),
      ),
    ),
  );
  assert.match(messages[0], /there is no limit `nonsense` to set; the limits are /);
  assert.match(messages[1], /`unknown` must be "error" or "fail", not "perhaps"/);
  assert.equal(messages[2], 'there is no option `bok`; did you mean `book`?');
  assert.match(messages[3], /^there is no option `timeout`; did you mean `timeoutMs`\?$/);
  assertSound(page);
});
