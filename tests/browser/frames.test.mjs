// Hornbook in one window, agents in others: one of an allowed origin, and one of another.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertSound, launch, servePackage, visit } from './harness.mjs';

let browser, book, agent, stranger;
before(async () => {
  [browser, book, agent, stranger] = await Promise.all([launch(), servePackage(), servePackage(), servePackage()]);
});
after(async () => {
  await browser.close();
  await Promise.all([book, agent, stranger].map((site) => site.close()));
});

/** The frame of a page with this origin. */
const frameOf = (page, origin) =>
  page.frames().find((frame) => new URL(frame.url()).origin === origin && frame !== page.mainFrame());

/** Makes the page or frame `window` serve these origins. */
async function serveIn(window, origins) {
  await window.waitForFunction(() => window.ready);
  await window.evaluate(async (origins) => {
    window.hornbook = await createHornbook();
    window.frameServer = hornbook.serveFrames({ origins });
    echo();
  }, origins);
}

test('an agent uses the book in a frame of another origin', async () => {
  const page = await visit(browser, agent.origin);
  await page.evaluate(async (origin) => {
    window.frame = await framed(origin);
    // Requested before anybody listens there.
    window.port = framePort(frame.contentWindow, origin);
  }, book.origin);
  const inner = frameOf(page, book.origin);
  await serveIn(inner, [stranger.origin, agent.origin]);
  const seen = await page.evaluate(async (origin) => {
    const client = await connect(new PortTransport(await window.port));
    const heard = [];
    await call(client, 'clauses', { operation: 'assert', clauses: 'p(1). p(2).' });
    await call(
      client,
      'files',
      { operation: 'import', filename: 'many.pl', text: 'q.\n'.repeat(10_000) },
      { onprogress: ({ progress }) => heard.push(progress) },
    );
    const abort = new AbortController();
    let query;
    await new Promise((onprogress) => {
      query = client.callTool(
        { name: 'query_start', arguments: { query: 'repeat, fail', take: 1, timeout_ms: 600_000 } },
        { signal: abort.signal, timeout: 600_000, onprogress },
      );
    });
    abort.abort();
    const cancelled = await query.then(
      () => false,
      () => true,
    );
    const second = await connectLegacy(new PortTransport(await framePort(frame.contentWindow, origin)));
    const text = (await second.callTool({ name: 'query_start', arguments: { query: 'p(X)', take: 2 } })).content[0]
      .text;
    return {
      progress: heard.length > 0,
      cancelled,
      text,
      era: client.getNegotiatedProtocolVersion(),
      old: second.transport.revision,
    };
  }, book.origin);
  assert.deepEqual(
    { ...seen, text: undefined },
    { progress: true, cancelled: true, text: undefined, era: '2026-07-28', old: '2025-11-25' },
  );
  assert.match(seen.text, /X = 1[\s\S]*X = 2/);
  const closed = page.evaluate(async (origin) => {
    const client = await connect(new PortTransport(await framePort(frame.contentWindow, origin)));
    window.connected = true;
    return new Promise((resolve) => (client.onclose = () => resolve('closed')));
  }, book.origin);
  await page.waitForFunction(() => window.connected);
  await inner.evaluate(() => frameServer.close());
  assert.equal(await closed, 'closed');
  assertSound(page);
});

test('an agent in a frame uses the book of the page around it', async () => {
  const page = await visit(browser, book.origin);
  await serveIn(page, [agent.origin]);
  await page.evaluate((origin) => framed(origin), agent.origin);
  const text = await frameOf(page, agent.origin).evaluate(async (origin) => {
    const client = await connect(new PortTransport(await framePort(parent, origin)));
    return call(client, 'query_start', { query: 'X is 6 * 7', take: 1 });
  }, book.origin);
  assert.match(text, /X = 42/);
  assertSound(page);
});

test('a window of a forbidden origin gets nothing, whichever protocol it uses', async () => {
  const attempt = async ({ origin, where }) => {
    const other = where === 'parent' ? parent : frame.contentWindow;
    const heard = [];
    addEventListener('message', ({ data, ports }) => data?.echo || heard.push([data, ports.length]));
    const abort = new AbortController();
    framePort(other, origin, abort.signal).catch(() => {});
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' };
    for (const channel of ['mcp-iframe', 'mcp-default']) {
      for (const payload of ['mcp-check-ready', ping])
        other.postMessage({ channel, type: 'mcp', direction: 'client-to-server', payload }, '*');
    }
    other.postMessage(ping, '*');
    await echoed(other);
    abort.abort();
    return heard;
  };
  const around = await visit(browser, stranger.origin);
  await around.evaluate(async (origin) => (window.frame = await framed(origin)), book.origin);
  await serveIn(frameOf(around, book.origin), [agent.origin]);
  assert.deepEqual(await around.evaluate(attempt, { origin: book.origin }), []);

  const page = await visit(browser, book.origin);
  await serveIn(page, [agent.origin]);
  await page.evaluate((origin) => framed(origin), stranger.origin);
  assert.deepEqual(
    await frameOf(page, stranger.origin).evaluate(attempt, { origin: book.origin, where: 'parent' }),
    [],
  );

  // The page's own window is not allowed by default.
  const own = await page.evaluate(async () => {
    const heard = [];
    addEventListener('message', ({ data }) => data?.direction === 'server-to-client' && heard.push(data));
    postMessage(
      { channel: 'mcp-default', type: 'mcp', direction: 'client-to-server', payload: 'mcp-check-ready' },
      '*',
    );
    await echoed(window);
    return heard;
  });
  assert.deepEqual(own, []);
});

test('the client of @mcp-b/transports is served in a frame, even if it was there first', async () => {
  const page = await visit(browser, agent.origin);
  await page.evaluate(async (origin) => {
    window.frame = await framed(origin);
    window.connecting = connect(new IframeParentTransport({ iframe: frame, targetOrigin: origin }));
  }, book.origin);
  const inner = frameOf(page, book.origin);
  await serveIn(inner, [agent.origin]);
  const texts = await page.evaluate(async (origin) => {
    const client = await connecting;
    const first = await call(client, 'query_start', { query: 'member(X, [a, b])', take: 1, query_id: 'q' });
    const old = await connectLegacy(new IframeParentTransport({ iframe: frame, targetOrigin: origin }));
    const next = (await old.callTool({ name: 'query_next', arguments: { query_id: 'q' } })).content[0].text;
    window.stopped = new Promise((resolve) => (old.onclose = () => resolve('stopped')));
    return [first, next];
  }, book.origin);
  assert.match(texts[0], /X = a/);
  assert.match(texts[1], /X = b/);
  await inner.evaluate(() => hornbook.close());
  assert.equal(await page.evaluate(() => stopped), 'stopped');
  assertSound(page);
});

test('the client of @mcp-b/transports is served in the same window', async () => {
  const page = await visit(browser, book.origin);
  await page.evaluate((origin) => {
    window.connecting = connect(new TabClientTransport({ targetOrigin: origin }));
  }, book.origin);
  await serveIn(page, [book.origin]);
  const text = await page.evaluate(async () => call(await connecting, 'query_start', { query: 'X = here', take: 1 }));
  assert.match(text, /X = here/);
  assertSound(page);
});

test('origins are required, and must not be empty', async () => {
  const page = await visit(browser, book.origin);
  const messages = await page.evaluate(async () => {
    const hornbook = await createHornbook();
    return [[], ['*'], ['https://a.example/path']].map((origins) => {
      try {
        hornbook.serveFrames({ origins });
        return 'taken';
      } catch ({ message }) {
        return message;
      }
    });
  });
  assert.deepEqual(messages, [
    'Name the origins of the windows that may connect.',
    '"*" is not an origin; one is written as "https://example.org" or "http://localhost:8080".',
    '"https://a.example/path" is not an origin; one is written as "https://example.org" or "http://localhost:8080".',
  ]);
  assertSound(page);
});

test('WebMCP: an older browser has the context on its navigator', async () => {
  const page = await visit(browser, book.origin);
  const counts = await page.evaluate(async () => {
    initializeWebMCPPolyfill();
    const context = navigator.modelContext;
    Object.defineProperty(document, 'modelContext', { value: undefined });
    const hornbook = await createHornbook();
    await hornbook.registerTools();
    const open = (await context.getTools()).length;
    await hornbook.close();
    return [open, (await context.getTools()).length];
  });
  assert.deepEqual(counts, [7, 0]);
  assertSound(page);
});

test("WebMCP: the browser's agent has the tools until they are closed", async () => {
  const page = await visit(browser, book.origin);
  const seen = await page.evaluate(async () => {
    const hornbook = await createHornbook();
    const without = await hornbook.registerTools();
    initializeWebMCPPolyfill();
    const context = document.modelContext;
    const tools = await hornbook.registerTools();
    const names = (await context.getTools()).map(({ name }) => name);
    const run = async (name, values) =>
      JSON.parse(
        await context.executeTool(
          (await context.getTools()).find((tool) => tool.name === name),
          JSON.stringify(values),
        ),
      );
    await run('clauses', { operation: 'assert', clauses: 'p(1).' });
    const answer = await run('query_start', { query: 'p(X)', take: 1 });
    const wrong = await run('query_start', { query: 'p(', take: 1 });
    const twice = await hornbook.registerTools().catch(({ message }) => message);
    const still = (await context.getTools()).length;
    tools.close();
    const closed = (await context.getTools()).length;
    await hornbook.registerTools();
    const again = (await context.getTools()).length;
    await hornbook.close();
    return {
      without,
      names,
      answer: answer.content[0].text,
      wrong: wrong.isError,
      twice,
      still,
      closed,
      again,
      end: (await context.getTools()).length,
    };
  });
  assert.deepEqual(seen.names, ['clauses', 'files', 'help', 'query_close', 'query_next', 'query_start', 'workspace']);
  assert.match(seen.answer, /X = 1/);
  assert.match(seen.twice, /already registered/);
  assert.deepEqual(
    [seen.without, seen.wrong, seen.still, seen.closed, seen.again, seen.end],
    [undefined, true, 7, 0, 7, 0],
  );
  assertSound(page);
});
