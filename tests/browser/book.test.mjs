// A book kept in IndexedDB: whatever was answered is there, however the page ended.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, beforeEach, test } from 'node:test';
import { assertSound, launch, servePackage, visit } from './harness.mjs';

let browser, site, profile;
before(async () => {
  [browser, site] = await Promise.all([launch(), servePackage()]);
});
beforeEach(async () => {
  await profile?.close();
  profile = await browser.newContext();
});
after(async () => {
  await browser.close();
  await site.close();
});

/** A tab with the book open, and its agent. */
async function tab() {
  const page = await visit(profile, site.origin);
  await open(page);
  return page;
}

async function open(page) {
  await page.waitForFunction(() => window.ready);
  await page.evaluate(async () => {
    // Snapshots in these tests are longer than a reply to an agent may be.
    window.hornbook = await createHornbook({ book: 'kept', limits: { reply_tokens: 1e9 } });
    window.client = await agent(hornbook);
  });
}

const tool = (page, name, values) =>
  page.evaluate(
    ([name, values]) => call(client, name, values).catch(({ message }) => `FAULT ${message}`),
    [name, values],
  );
const write = (page, clauses) => tool(page, 'clauses', { operation: 'assert', clauses });
const snapshot = (page) =>
  page.evaluate(
    async () =>
      (await client.callTool({ name: 'workspace', arguments: { operation: 'snapshot' } })).structuredContent.dump,
  );

/** The keys of an object store of the database. */
const keys = (page, store) =>
  page.evaluate(
    (store) =>
      new Promise((resolve) => {
        const opening = indexedDB.open('hornbook: kept');
        opening.onsuccess = () => {
          const request = opening.result.transaction(store).objectStore(store).getAllKeys();
          request.onsuccess = () => {
            opening.result.close();
            resolve(request.result);
          };
        };
      }),
    store,
  );

/** A page whose site had no room. Chromium believes that for about a minute more, in which the other tests run. */
let full;

test('if there is no room, an operation is refused with the reason, and everything is as before', async () => {
  // The quota is that of an origin in one profile, which the other tests do not share.
  const context = await browser.newContext();
  const page = await visit(context, site.origin);
  const devtools = await context.newCDPSession(page);
  await devtools.send('Storage.overrideQuotaForOrigin', { origin: site.origin, quotaSize: 300_000 });
  await open(page);
  let answered = 0;
  let fault;
  for (let number = 1; !fault; number++) {
    const reply = await write(page, `p(${number}, "${'x'.repeat(20_000)}").`);
    if (reply.startsWith('FAULT')) fault = reply;
    else answered = number;
  }
  assert.match(fault, /was not carried out: the browser has no more room for this site\./);
  const numbers = async () => (await snapshot(page)).match(/^p\(\d+/gm).length;
  assert.ok(answered > 0 && (await numbers()) === answered);
  await devtools.send('Storage.overrideQuotaForOrigin', { origin: site.origin });
  full = { page, context, answered, numbers };
});

test('a reload restores the book, its files and its history', async () => {
  const page = await tab();
  await write(page, 'p(1). % one');
  await tool(page, 'files', { operation: 'import', filename: 'family.pl', text: 'parent(ann, bob).\n' });
  await write(page, 'p(2).');
  const before = await snapshot(page);
  await page.reload();
  await open(page);
  assert.equal(await snapshot(page), before);
  assert.match(await tool(page, 'files', { operation: 'list' }), /family\.pl: 1 clause/);
  assert.match(await tool(page, 'query_start', { query: 'parent(X, Y), p(N)', take: 5 }), /X = ann, Y = bob, N = 2/);
  assert.doesNotMatch(await tool(page, 'workspace', { operation: 'undo' }), /FAULT/);
  assert.doesNotMatch(await snapshot(page), /p\(2\)/);
  assertSound(page);
});

test('a reload in the middle of an import loses nothing that was answered, and the import is there as a whole or not at all', async () => {
  const answered = [];
  for (let round = 0; round < 3; round++) {
    const page = await tab();
    await page.exposeFunction('answered', (fact) => answered.push(fact));
    await page.evaluate(async (round) => {
      for (let number = 0; number < 20; number++) {
        const fact = `kept(${round}, ${number}).`;
        await call(client, 'clauses', { operation: 'assert', clauses: fact });
        await answered(fact);
      }
      await new Promise((onprogress) => {
        call(
          client,
          'files',
          { operation: 'import', filename: `many${round}.pl`, text: `many(${round}).\n`.repeat(20_000) },
          { onprogress },
        ).catch(() => {});
        call(client, 'clauses', { operation: 'assert', clauses: `late(${round}).` }).catch(() => {});
      });
    }, round);
    await page.reload();
    await open(page);
    const dump = await snapshot(page);
    assert.deepEqual(dump.match(/^kept\(.*$/gm), answered);
    const imported = dump.split(`many(${round}).`).length - 1;
    assert.ok([0, 20_000].includes(imported), `${imported} of 20000`);
    assert.match(
      await tool(page, 'query_start', {
        query: `aggregate_all(count, many(${round}), N)`,
        take: 1,
        timeout_ms: 60_000,
      }),
      imported ? /N = 20000/ : /N = 0|many\/1/,
    );
    assertSound(page);
    await page.close();
  }
});

test('a tab that crashes loses nothing that was answered, and the next one can open the book at once', async () => {
  const page = await tab();
  let last = 0;
  await page.exposeFunction('answered', (number) => (last = number));
  const crashed = new Promise((resolve) => page.on('crash', resolve));
  page
    .evaluate(async () => {
      for (let number = 1; ; number++) {
        await call(client, 'clauses', { operation: 'assert', clauses: `kept(${number}).` });
        await answered(number);
      }
    })
    .catch(() => {});
  while (last < 30) await new Promise((next) => setTimeout(next, 10));
  page.goto('chrome://crash').catch(() => {});
  await crashed;
  const next = await tab();
  const numbers = (await snapshot(next)).match(/\d+/g).map(Number);
  assert.deepEqual(
    numbers,
    [...Array(numbers.length).keys()].map((at) => at + 1),
  );
  assert.ok(
    numbers.length === last || numbers.length === last + 1,
    `${numbers.length} are there, ${last} were answered`,
  );
  assert.match(await write(next, 'after(crash).'), /1\/1 successful/);
  assertSound(next);
});

/** The number of facts that each of three pages makes. */
const WRITES = Number(process.env.WRITES ?? 40);

test('three pages write to one book, undo, are closed and crash: nothing answered is lost, and all see the same', async (t) => {
  /** What is known about each fact: `kept`, `gone` or, if the page ended before the reply, nothing. */
  const facts = new Map();
  const run = async (name, page, ends) => {
    await page.exposeFunction('known', (fact, state) => void facts.set(fact, state));
    await page.evaluate(
      async ([name, count]) => {
        for (let n = 0; n < count; n++) {
          const fact = `w(${name}, ${n}).`;
          await known(fact, undefined);
          if (n % 5 === 4) await call(client, 'query_start', { query: `assertz(${fact.slice(0, -1)})`, take: 1 });
          else await call(client, 'clauses', { operation: 'assert', clauses: fact });
          await known(fact, 'kept');
          if (n % 8 === 3) {
            await known(fact, undefined);
            await call(client, 'workspace', { operation: 'undo' });
            await known(fact, 'gone');
          }
          if (n % 6 === 0) await call(client, 'query_start', { query: 'aggregate_all(count, w(_, _), N)', take: 1 });
        }
      },
      // A page that will be ended writes until then.
      [name, ends ? 1e9 : WRITES],
    );
  };
  const ended = (run) => run.catch(() => {});
  const written = (name) =>
    [...facts].filter(([fact, state]) => fact.startsWith(`w(${name},`) && state === 'kept').length;
  const until = async (name, count) => {
    while (written(name) < count) await new Promise((next) => setTimeout(next, 20));
  };
  const [first, second, third] = [await tab(), await tab(), await tab()];
  await write(first, ':- dynamic w/2.');
  const crashed = new Promise((resolve) => second.on('crash', resolve));
  const one = ended(run('one', first, true));
  void ended(run('two', second, true));
  const three = run('three', third);
  await until('one', 10);
  // The page that had it first goes, and another comes.
  await first.close();
  await one;
  const fourth = await tab();
  const four = run('four', fourth);
  await until('two', 20);
  second.goto('chrome://crash').catch(() => {});
  await crashed;
  await Promise.all([three, four]);

  const fifth = await tab();
  const there = await snapshot(fifth);
  assert.deepEqual([await snapshot(third), await snapshot(fourth)], [there, there]);
  const lines = there.split('\n').filter((line) => line.startsWith('w('));
  assert.equal(new Set(lines).size, lines.length);
  for (const [fact, state] of facts)
    if (state) assert.equal(lines.includes(fact), state === 'kept', `${fact} ${state}`);
  for (const line of lines) assert.ok(facts.has(line), line);
  assert.match(
    await tool(fifth, 'query_start', { query: 'aggregate_all(count, w(_, _), N)', take: 1 }),
    new RegExp(`N = ${lines.length}`),
  );
  t.diagnostic(`${lines.length} facts of ${facts.size}`);
  for (const page of [third, fourth, fifth]) assertSound(page);
});

test('a page is notified at once of what another page writes, and undoes its own changes', async () => {
  const [one, other] = [await tab(), await tab()];
  await write(one, 'p(1).');
  await other.evaluate(async () => {
    window.heard = new Promise((resolve) => client.setNotificationHandler('notifications/resources/updated', resolve));
    await client.listen({ resourceSubscriptions: ['prolog://workspace/snapshot'] });
  });
  await write(one, 'p(2).');
  await other.evaluate(() => heard);
  await write(other, 'p(3).');
  await tool(one, 'workspace', { operation: 'undo' });
  assert.deepEqual([await snapshot(one), await snapshot(other)], ['p(1).\np(3).', 'p(1).\np(3).']);
  // An open query goes on with the clauses it began with.
  assert.match(await tool(other, 'query_start', { query: 'p(X)', take: 1 }), /X = 1/);
  await write(one, 'p(4).');
  assert.match(await tool(other, 'query_start', { query: 'findall(X, p(X), Xs)', take: 1 }), /\[1, ?3, ?4\]/);
  for (const page of [one, other]) assertSound(page);
});

test('a long book is rewritten once a page has it to itself', async () => {
  const [one, other] = [await tab(), await tab()];
  const text = `long("${'x'.repeat(1000)}").\n`.repeat(300);
  const grow = async (page) => {
    for (let round = 0; round < 8; round++) {
      await tool(page, 'files', { operation: 'import', filename: 'long.pl', text });
      await tool(page, 'files', { operation: 'unimport', filename: 'long.pl' });
    }
  };
  await grow(one);
  await write(other, 'p(1).');
  assert.ok((await keys(one, 'parts')).length > 16);
  assert.equal(await snapshot(one), 'p(1).');
  await other.close();
  await grow(one);
  assert.ok((await keys(one, 'parts')).length < 16);
  assert.equal(await snapshot(await tab()), 'p(1).');
  assertSound(one);
});

test('a workspace that is closed and reopened in the same page has the book', async () => {
  const page = await tab();
  await write(page, 'p(1).');
  await page.evaluate(() => hornbook.close());
  await open(page);
  assert.equal(await snapshot(page), 'p(1).');
  assertSound(page);
});

test('when the data of the site is deleted, nothing more is promised', async () => {
  const page = await tab();
  await write(page, 'p(1).');
  await page.evaluate(
    () =>
      new Promise((resolve) => {
        indexedDB.deleteDatabase('hornbook: kept').onsuccess = resolve;
      }),
  );
  assert.match(
    await write(page, 'p(2).'),
    /^FAULT .*the browser has closed its storage; reload the page\. Nothing was done\./,
  );
  assertSound(page);
});

test('a long book is rewritten, and stays the same', async () => {
  const page = await tab();
  await write(page, 'p(1).');
  const text = `long("${'x'.repeat(1000)}").\n`.repeat(300);
  for (let round = 0; round < 8; round++) {
    await tool(page, 'files', { operation: 'import', filename: 'long.pl', text });
    await tool(page, 'files', { operation: 'unimport', filename: 'long.pl' });
  }
  assert.ok((await keys(page, 'parts')).length < 16);
  await page.reload();
  await open(page);
  assert.equal(await snapshot(page), 'p(1).');
  assert.doesNotMatch(await tool(page, 'workspace', { operation: 'undo' }), /FAULT/);
  assert.equal((await snapshot(page)).split('long("').length, 301);
  assertSound(page);
});

/** Changes the parts of the book, with the text of a statement on their object store. */
const changeParts = (page, change) =>
  page.evaluate(`new Promise((resolve) => {
  const opening = indexedDB.open('hornbook: kept');
  opening.onsuccess = () => {
    const transaction = opening.result.transaction('parts', 'readwrite');
    const parts = transaction.objectStore('parts');
    ${change}
    transaction.oncomplete = () => {
      opening.result.close();
      resolve();
    };
  };
})`);

test('an end that is torn although it was answered is refused', async () => {
  const page = await tab();
  await write(page, 'p(1).');
  await write(page, 'p(2).');
  await page.evaluate(() => hornbook.close());
  await changeParts(
    page,
    "parts.openCursor(null, 'prev').onsuccess = ({ target }) => target.result.update(target.result.value.slice(0, -5));",
  );
  await assert.rejects(
    open(page),
    /The book kept: line 3 is damaged, and holds acknowledged data\. Nothing was changed\./,
  );
  await changeParts(page, "parts.openCursor(null, 'prev').onsuccess = ({ target }) => target.result.delete();");
  await assert.rejects(open(page), /The book kept was cut short: \d+ acknowledged bytes after line 2 are missing\./);
});

test('a book of format 1 is converted; its torn end is cut off, kept aside, and reported', async () => {
  const page = await tab();
  await write(page, 'p(1).');
  await page.evaluate(() => hornbook.close());
  const book = readFileSync(new URL('../support/books/format-1.book', import.meta.url));
  await changeParts(page, `parts.clear(); parts.put(new Uint8Array([${[...book.subarray(0, -5)]}]), 0);`);
  await open(page);
  assert.match(
    await page.evaluate(() => hornbook.notice),
    /^The book kept ended in the middle of a record.* were cut off and are kept in "cut .*" of its database\. The file does not show/,
  );
  assert.equal((await keys(page, 'aside')).length, 1);
  const before = await snapshot(page);
  assert.match(before, /^p\(0\)\.\nq\(X\)/);
  await write(page, 'p(3).');
  await page.reload();
  await open(page);
  const after = await snapshot(page);
  assert.ok(after.startsWith(before) && after.endsWith('p(3).'), after);
  assertSound(page);
});

test('a book that had no room takes changes when there is room again', async () => {
  const { page, context, answered, numbers } = full;
  while ((await write(page, 'p(0, room).')).startsWith('FAULT')) await new Promise((next) => setTimeout(next, 500));
  await page.reload();
  await open(page);
  assert.equal(await numbers(), answered + 1);
  assertSound(page);
  await context.close();
});
