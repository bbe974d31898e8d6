// A book that an agent uses elsewhere, watched in the playground: `hornbook serve` with a writer and a reader, and the
// file of a server on standard input and output.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Server } from '../node/harness.mjs';
import { Serving } from '../support/serve.mjs';
import { BIN } from '../support/stdio.mjs';
import { Visitors, looks, panel } from './playground.mjs';

const [WRITES, READS] = ['claude-writes-with-this', 'rita-reads-with-this'];
const claude = { client: 'claude', headers: { Authorization: `Bearer ${WRITES}` } };

let visitors;
let folder;
let origin;
before(async () => {
  visitors = await Visitors.start();
  origin = new URL(visitors.site.address).origin;
  folder = mkdtempSync(join(tmpdir(), 'hornbook-live-'));
  writeFileSync(join(folder, 'tokens'), `write ${WRITES} claude\nread ${READS} rita\nadmin the-admin-has-this-one\n`);
});
after(async () => {
  await visitors.close();
  rmSync(folder, { recursive: true });
});

let books = 0;
/** A server with a book of claude's; `args` say whom it lets in. */
async function serving(t, args = ['--origin', origin]) {
  const server = await Serving.start(folder, ['--token-file', join(folder, 'tokens'), ...args]);
  t.after(() => server.kill());
  const book = `book-${++books}`;
  await server.assert(book, ['parent(tom, bob).'], {
    client: 'setup',
    headers: { Authorization: 'Bearer the-admin-has-this-one' },
  });
  return { server, book, address: `${server.url}/mcp/${book}` };
}

/** Fills the form, and sends it. */
async function watch(page, address, token = '') {
  if ((await page.getByRole('dialog').count()) === 0) {
    await page.getByRole('button', { name: 'Files' }).click();
    await page.getByRole('menuitem', { name: 'Watch my agent' }).click();
  }
  await page.getByLabel('Address of the book').fill(address);
  await page.getByLabel('Token').fill(token);
  await page.getByRole('button', { name: 'Watch', exact: true }).click();
}

async function watched(page, address, token) {
  await watch(page, address, token);
  await page.getByRole('tab', { name: 'Live', selected: true }).waitFor();
  await page.locator('.live-text').waitFor();
}

/** Somebody else watches the book, at the clause with an id. */
async function present(server, book, name, at) {
  const headers = { Authorization: `Bearer ${READS}` };
  const body = JSON.stringify({ name, at });
  const { status } = await fetch(`${server.url}/present/${book}`, { method: 'POST', headers, body });
  assert.equal(status, 200, name);
}

/** Ann watches the book; resolves each time with who else does. */
function othersOf(server, book, headers = { Authorization: `Bearer ${READS}` }) {
  let key;
  return async () => {
    const body = JSON.stringify({ key, name: 'Ann', at: null });
    const told = await (await fetch(`${server.url}/present/${book}`, { method: 'POST', headers, body })).json();
    key = told.key;
    return told.others;
  };
}

/** A browser whose pages' timers can be run ahead. */
async function ahead() {
  const context = await visitors.newcomer();
  await context.clock.install();
  return context;
}

/** So much time passes for the timers of a page, in milliseconds. */
const pass = (page, ms) => page.clock.runFor(ms);

/** The clauses that are shown, as texts. */
const shown = (page) => page.locator('.live-text .clause').allInnerTexts();
const untilShown = (page, text) => page.locator('.live-text .clause', { hasText: text }).waitFor();
const moment = (page, number) => page.locator(`[data-key="moment ${number}"]`);

/** Nothing went wrong but what the test does to the connection: only servers at `allowed` were asked. */
async function left(page, ...allowed) {
  const faults = page.context().faults.filter((fault) => !allowed.includes(fault.replace('it asked ', '')));
  assert.deepEqual(
    faults.filter((fault) => !/^Failed to load resource|blocked by CORS policy/.test(fault)),
    [],
  );
  await page.context().close();
}

test('what an agent does appears as it does it, with who and when, and is undone at once', async (t) => {
  const { server, book, address } = await serving(t);
  const page = await visitors.open();
  await watched(page, address, WRITES);
  await untilShown(page, 'parent(tom, bob).');
  assert.equal(await page.locator('.came').count(), 0);
  await server.assert(book, ['parent(bob, ann).', 'parent(bob, pat).'], claude);
  await server.call(book, 'query_start', { query: 'assertz(seen(ann))', take: 1 }, claude);
  await page.locator('.came .clause', { hasText: 'seen(ann)' }).waitFor();
  assert.deepEqual(await shown(page), ['parent(tom, bob).', 'parent(bob, ann).', 'parent(bob, pat).', 'seen(ann).']);
  // The mark goes; the facts stay.
  await page.waitForFunction(() => !document.querySelector('.came'));
  await page.locator('.clause', { hasText: 'parent(bob, ann)' }).click();
  const about = page.locator('.about-clause:not([hidden])');
  assert.match(await about.innerText(), /^Added by claude at .*\d+:\d\d:\d\d.*, revision 2, in clauses assert/);
  await page.locator('.clause', { hasText: 'seen(ann)' }).click();
  assert.match(await about.innerText(), /^Added by claude at .*, in query_start assertz\(seen\(ann\)\)/);
  const burst = page.locator('.burst').first();
  assert.match(await burst.locator('.burst-head').innerText(), /claude[\s\S]*2 changes[\s\S]*\+3/);
  assert.match(await burst.locator('.moment').last().innerText(), /Asserted parent\(bob, ann\)\. and 1 more/);
  await page.getByRole('button', { name: 'Undo all 2 by claude' }).click();
  await page.locator('.toast', { hasText: 'Undid 2 changes.' }).waitFor();
  await page.waitForFunction(() => document.querySelectorAll('.live-text .clause').length === 1);
  assert.deepEqual(await server.answers(book, 'parent(X, _)', 'X', claude), ['tom']);
  await page.locator('.burst', { hasText: 'playground' }).first().waitFor();
  assert.equal(await page.locator('.entry.undone').count(), 2);
  await page.locator('.toast', { hasText: 'Undid 2 changes.' }).getByRole('button', { name: 'Redo' }).click();
  await untilShown(page, 'seen(ann).');
  assert.deepEqual(await server.answers(book, 'parent(bob, X)', 'X', claude), ['ann', 'pat']);
  await left(page, server.url);
});

test('time is a slider: the book as it was, one click to now, and back to a moment', async (t) => {
  const { server, book, address } = await serving(t);
  for (const n of [1, 2, 3]) await server.assert(book, [`step(${n}).`], claude);
  await server.call(book, 'clauses', { operation: 'retract', clauses: ['step(1)'] }, claude);
  const page = await visitors.open();
  await watched(page, address, WRITES);
  await untilShown(page, 'step(3).');
  await page.getByRole('slider').fill('3');
  await page.getByText('After revision 3').waitFor();
  assert.deepEqual(await shown(page), ['parent(tom, bob).', 'step(1).', 'step(2).']);
  assert.deepEqual(await page.locator('.changed').allInnerTexts(), ['step(2).']);
  await page.getByRole('button', { name: 'Back one change' }).click();
  await page.getByText('After revision 2').waitFor();
  assert.deepEqual(await shown(page), ['parent(tom, bob).', 'step(1).']);
  // What comes meanwhile does not move the page out of the past.
  await server.assert(book, ['step(4).'], claude);
  await moment(page, 6).waitFor();
  assert.deepEqual(await shown(page), ['parent(tom, bob).', 'step(1).']);
  await moment(page, 5).click();
  await page.locator('.removed', { hasText: 'step(1).' }).waitFor();
  await page.getByRole('button', { name: 'Back to now' }).click();
  await untilShown(page, 'step(4).');
  assert.equal(await page.locator('.removed').count(), 0);
  await moment(page, 3).click();
  await page.getByRole('button', { name: 'Back to here' }).click();
  await page.locator('.toast', { hasText: 'Undid 3 changes.' }).waitFor();
  await page.waitForFunction(() => document.querySelectorAll('.live-text .clause').length === 3);
  assert.deepEqual(await server.answers(book, 'step(X)', 'X', claude), ['1', '2']);
  await left(page, server.url);
});

test('the rows of a query that is pinned in it change as agents write, and it stays pinned', async (t) => {
  const { server, book, address } = await serving(t);
  const page = await visitors.open();
  await watched(page, address, READS);
  await page.getByLabel('Query to pin').fill('parent(tom, X).');
  await page.getByRole('button', { name: 'Pin', exact: true }).click();
  const rows = page.locator('.live .pinned-query tbody tr');
  await rows.filter({ hasText: 'bob' }).waitFor();
  await server.assert(book, ['parent(tom, liz).'], claude);
  await page.locator('.live .pinned-query tr.new', { hasText: 'liz' }).waitFor();
  await server.call(book, 'clauses', { operation: 'retract', clauses: ['parent(tom, bob)'] }, claude);
  await page.locator('.live .pinned-query tr.gone', { hasText: 'bob' }).waitFor();
  await page.getByRole('button', { name: 'Stop watching' }).click();
  await watched(page, address, READS);
  await rows.filter({ hasText: 'liz' }).waitFor();
  assert.equal(await rows.count(), 1);
  // The queries that are pinned in the person's own book are others.
  assert.equal(await page.locator('.pinned-query').count(), 1);
  await left(page, server.url);
});

test('a reader sees everything and no undo', async (t) => {
  const { server, book, address } = await serving(t);
  await server.assert(book, ['a(1).'], claude);
  const page = await visitors.open();
  await watched(page, address, READS);
  await untilShown(page, 'a(1).');
  await page.getByText('This token may not change the book').waitFor();
  await moment(page, 1).click();
  await page.getByText('After revision 1').waitFor();
  assert.equal(await page.locator('.live button:has-text("Undo"), .live button:has-text("Back to here")').count(), 0);
  // What the page shows to one with more rights is refused by the server all the same.
  const refused = server.call(
    book,
    'workspace',
    { operation: 'undo' },
    { headers: { Authorization: `Bearer ${READS}` } },
  );
  await assert.rejects(refused, { status: 403 });
  await left(page, server.url);
});

test('what is wrong with an address, a token or a server is said with the way out', async (t) => {
  const { server, book, address } = await serving(t);
  const closed = await serving(t, []);
  const page = await visitors.open();
  const fault = page.locator('dialog .fault');
  for (const [typed, token, wanted] of [
    ['', '', /Type the address of the book/],
    [server.url, '', /names no book/],
    ['http://[::1]:8127/mcp/family', '', /Type localhost or 127\.0\.0\.1/],
    [address, '', /asks for a token/],
    [address, 'a-token-of-nobody', /does not know this token/],
    [`${server.url}/mcp/nothing-here`, READS, /has no book nothing-here/],
    [closed.address, READS, new RegExp(`does not let this page in.*hornbook serve --origin ${origin}`)],
    ['http://127.0.0.1:9/mcp/family', '', /Nothing answers at http:\/\/127\.0\.0\.1:9/],
  ]) {
    await watch(page, typed, token);
    await page.waitForFunction(
      () => !['', 'Opening…'].includes(document.querySelector('dialog .fault').innerText.trim()),
    );
    assert.match(await fault.innerText(), wanted, typed);
  }
  // The same form works once it is right, and the token is stored nowhere.
  await watch(page, `${server.url.replace('http://', '')}/log/${book}?token=typed-with-it`, READS);
  await untilShown(page, 'parent(tom, bob).');
  assert.doesNotMatch(await page.evaluate(() => JSON.stringify(localStorage)), new RegExp(`${READS}|typed-with-it`));
  // The page itself still reaches no other origin.
  const direct = await page.evaluate(
    (url) =>
      fetch(url).then(
        () => 'reached',
        () => 'refused',
      ),
    `${server.url}/health`,
  );
  assert.equal(direct, 'refused');
  await page.context().close();
});

test('a server that goes away and comes back is said, and nothing is missed', async (t) => {
  const { server, book, address } = await serving(t);
  const page = await visitors.open();
  await watched(page, address, READS);
  await untilShown(page, 'parent(tom, bob).');
  await server.kill();
  await page.getByText('The server does not answer.').waitFor();
  // What was there is still shown, and time still moves.
  await page.getByRole('slider').fill('0');
  await page.getByText('No clauses.').waitFor();
  await page.getByRole('button', { name: 'Back to now' }).click();
  const { port } = new URL(server.url);
  const command = [process.execPath, BIN, 'serve', '--port', port, '--books', folder];
  const again = new Serving([...command, '--token-file', join(folder, 'tokens'), '--origin', origin], {});
  t.after(() => again.kill());
  ({ url: again.url } = await again.event('listening'));
  await again.assert(book, ['back(1).'], claude);
  await page.locator('.live-state', { hasText: /^Live$/ }).waitFor();
  await untilShown(page, 'back(1).');
  await page.getByRole('button', { name: 'Stop watching' }).click();
  assert.equal(await page.getByRole('tab', { name: 'Live' }).count(), 0);
  await page.getByLabel('Clauses', { exact: true }).waitFor();
  await left(page, server.url);
});

test('a book in the place of the watched one is neither shown nor undone unless it is asked for', async (t) => {
  const { server, book, address } = await serving(t);
  await server.assert(book, ['known(1).', 'known(2).'], claude);
  const page = await visitors.open();
  await watched(page, address, 'the-admin-has-this-one');
  await untilShown(page, 'known(2).');
  const { port } = new URL(server.url);
  const restarted = async (books) => {
    const command = [process.execPath, BIN, 'serve', '--port', port, '--books', books, '--origin', origin];
    const again = new Serving([...command, '--token-file', join(folder, 'tokens')], {});
    t.after(() => again.kill());
    ({ url: again.url } = await again.event('listening'));
    return again;
  };
  await server.kill();
  const other = await restarted(mkdtempSync(join(folder, 'other-')));
  await page.getByText(`has no book ${book} any more`).waitFor();
  const admin = { client: 'setup', headers: { Authorization: 'Bearer the-admin-has-this-one' } };
  // Whoever watches has not begun it anew.
  await assert.rejects(other.call(book, 'workspace', { operation: 'history' }, claude), { status: 404 });
  for (const n of [1, 2, 3]) await other.assert(book, [`other(${n}).`], admin);
  await page.getByRole('button', { name: 'Watch it again' }).click();
  await untilShown(page, 'other(3).');
  await other.kill();
  await restarted(folder);
  await page.getByText('Another book is at').waitFor();
  assert.deepEqual(await shown(page), ['other(1).', 'other(2).', 'other(3).']);
  assert.equal(await page.locator('.live button:has-text("Undo")').count(), 0);
  await page.getByRole('button', { name: 'Watch it again' }).click();
  await untilShown(page, 'known(2).');
  await left(page, server.url);
});

test("who writes all the time is undone, and takes nobody's focus", async (t) => {
  const { server, book, address } = await serving(t);
  await server.assert(book, ['first(1).'], claude);
  const page = await visitors.open();
  await watched(page, address, WRITES);
  await page.locator('.clause', { hasText: 'parent(tom, bob)' }).click();
  let isWriting = true;
  const writing = (async () => {
    for (let n = 1; isWriting; n++) {
      await server.assert(book, [`written(${n}).`], claude);
      await new Promise((resolve) => setTimeout(resolve, 30));
    }
  })();
  await untilShown(page, 'written(20).');
  assert.equal(await page.evaluate(() => document.activeElement.textContent), 'parent(tom, bob).');
  await page.getByRole('button', { name: /^Undo all .* by claude/ }).click();
  await page.locator('.toast').waitFor();
  assert.match(await page.locator('.toast').innerText(), /^Undid \d+ changes/);
  isWriting = false;
  await writing;
  assert.deepEqual(await server.answers(book, 'first(X)', 'X', claude), []);
  // What others did since is not redone over.
  await server.assert(book, ['later(1).'], claude);
  await page
    .locator('.toast', { hasText: /^Undid/ })
    .getByRole('button', { name: 'Redo' })
    .click();
  await page.locator('.toast', { hasText: /nothing was redone|nothing to redo/ }).waitFor();
  await left(page, server.url);
});

test('a reload goes on watching, or says what it needs', async (t) => {
  const { server, address } = await serving(t);
  const page = await visitors.open();
  await watched(page, address, WRITES);
  await page.reload();
  const told = page.locator('.toast', { hasText: 'Its token is not stored: type it again to go on.' });
  await told.getByRole('button', { name: 'Watch again' }).click();
  await watched(page, address, WRITES);
  await page.getByRole('button', { name: 'Stop watching' }).click();
  await page.reload();
  await page.waitForFunction(() => document.documentElement.dataset.ready);
  assert.equal(await page.getByRole('tab', { name: 'Live' }).count(), 0);
  assert.equal(await page.locator('.toast').count(), 0);
  await left(page, server.url);
  // Without tokens nothing is asked.
  const open = await Serving.start(folder, ['--origin', origin]);
  t.after(() => open.kill());
  await open.assert('open', ['seen(1).'], { client: 'claude' });
  const other = await visitors.open();
  await watched(other, `${open.url}/mcp/open`);
  await other.reload();
  await untilShown(other, 'seen(1).');
  await open.assert('open', ['seen(2).'], { client: 'claude' });
  await untilShown(other, 'seen(2).');
  await left(other, open.url);
});

test('two who watch a book see where the other is, and each undoes only what they saw', async (t) => {
  const { server, book, address } = await serving(t);
  await server.assert(book, ['parent(bob, ann).'], claude);
  const [ann, bob] = [await visitors.tab(await ahead()), await visitors.tab(await ahead())];
  for (const [page, name] of [
    [ann, 'Ann'],
    [bob, ''],
  ]) {
    await page.getByRole('button', { name: 'Files' }).click();
    await page.getByRole('menuitem', { name: 'Watch my agent' }).click();
    if (name !== '') {
      await page.getByLabel('Your name').fill('gnp.\u202eA');
      await watch(page, address, WRITES);
      await page.getByText('Your name: The name has an invisible character, U+202E. Leave it out.').waitFor();
    }
    await page.getByLabel('Your name').fill(name);
    await watched(page, address, WRITES);
    await untilShown(page, 'parent(bob, ann).');
  }
  /** Until a page that asks again and again shows it. */
  const until = async (page, locator, state = 'visible') => {
    while ((await locator.isVisible()) !== (state === 'visible')) await pass(page, 1000);
  };
  await until(ann, ann.getByText(/^Also here: playground-\w{4}\.$/));
  await until(bob, bob.getByText(/^Also here: Ann-\w{4}\.$/));
  await ann.locator('.clause', { hasText: 'parent(bob, ann)' }).click();
  const caret = bob.locator('li:has(.clause:has-text("parent(bob, ann)")) .caret');
  await pass(ann, 1000);
  await until(bob, caret);
  assert.match(await caret.innerText(), /^Ann-\w{4}$/);
  await bob.getByText(/^Also here: Ann-\w{4} \(parent\(bob, ann\)\.\)\.$/).waitFor();
  await ann.locator('.clause', { hasText: 'parent(tom, bob)' }).click();
  await pass(ann, 1000);
  await until(bob, bob.locator('li:has(.clause:has-text("parent(tom, bob)")) .caret'));
  assert.equal(await bob.locator('.caret').count(), 1);
  // Each has their own name in the history.
  await ann.getByRole('button', { name: 'Undo by claude' }).click();
  await ann.locator('.toast', { hasText: 'Undid 1 change.' }).waitFor();
  // After the name of the token.
  await bob.locator('.burst .who', { hasText: /Ann-\w{4}$/ }).waitFor();
  await ann.getByRole('button', { name: 'Stop watching' }).click();
  await left(ann, server.url);
  await until(bob, bob.locator('.live-others'), 'hidden');
  assert.equal(await bob.locator('.caret').count(), 0);
  await left(bob, server.url);
});

test('four tabs of a browser watch a book, and go on when they are left alone', async (t) => {
  const { server, book, address } = await serving(t);
  const context = await ahead();
  const pages = [];
  for (let count = 0; count < 4; count++) {
    const page = await visitors.tab(context);
    await watched(page, address, READS);
    await untilShown(page, 'parent(tom, bob).');
    pages.push(page);
  }
  for (const minute of [1, 2]) {
    for (const page of pages) await pass(page, 60_000);
    await server.assert(book, [`minute(${minute}).`], claude);
    for (const page of pages) {
      await untilShown(page, `minute(${minute}).`);
      assert.equal(await page.locator('.live-state').innerText(), 'Live');
    }
  }
  const [first] = pages;
  while (!(await first.getByText(/^Also here: (playground-\w{4}(, )?){3}\.$/).isVisible())) await pass(first, 1000);
  await left(first, server.url);
});

test('while nothing of the book arrives, the page does not say that it is live', async (t) => {
  const { server, book, address } = await serving(t);
  const page = await visitors.tab(await ahead());
  await watched(page, address, READS);
  await untilShown(page, 'parent(tom, bob).');
  await present(server, book, 'Ann', null);
  const others = page.getByText('Also here: Ann.');
  while (!(await others.isVisible())) await pass(page, 1000);
  server.child.kill('SIGSTOP');
  await pass(page, 60_000);
  await page.locator('.live-state', { hasText: 'Waiting for the server' }).waitFor();
  await others.waitFor({ state: 'hidden' });
  server.child.kill('SIGCONT');
  await page.locator('.live-state', { hasText: /^Live$/ }).waitFor();
  await server.assert(book, ['later(1).'], claude);
  await untilShown(page, 'later(1).');
  await left(page, server.url);
});

test('whoever closes the page, or leaves it for another, is not shown to others from then on', async (t) => {
  const { server, book, address } = await serving(t);
  const others = othersOf(server, book);
  for (const go of [(page) => page.goto('about:blank'), (page) => page.close({ runBeforeUnload: true })]) {
    await others();
    const page = await visitors.open();
    await watched(page, address, READS);
    // It can say that it leaves once the server has answered it.
    await page.getByText('Also here: Ann.').waitFor();
    const before = performance.now();
    await go(page);
    // Without a word of theirs the server would take 25 seconds.
    while ((await others()).length > 0 && performance.now() - before < 15_000) await pause(100);
    assert.deepEqual(await others(), []);
    await left(page, server.url);
  }
});

test('whoever reloads the page is shown to others once', async (t) => {
  // With a token, a page that is reloaded asks for it first.
  const server = await Serving.start(folder, ['--origin', origin]);
  t.after(() => server.kill());
  await server.assert('reloaded', ['first(1).']);
  const others = othersOf(server, 'reloaded', {});
  const page = await visitors.open();
  await watched(page, `${server.url}/mcp/reloaded`);
  while ((await others()).length === 0) await pause(100);
  for (let times = 0; times < 3; times++) {
    await page.reload();
    // It is told who is there when it has said that it is.
    const ann = page.getByText('Also here: Ann.');
    while (!(await ann.isVisible())) {
      await others();
      await pause(100);
    }
    assert.equal((await others()).length, 1);
  }
  await left(page, server.url);
});

test('what is cancelled does not open later', async (t) => {
  let asked = 0;
  let onAsked;
  const isAsked = new Promise((resolve) => {
    onAsked = resolve;
  });
  const slow = createServer((_, response) => {
    asked += 1;
    onAsked();
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Access-Control-Expose-Headers', '*');
    response.setHeader('Stream-Next-Offset', 'never');
    setTimeout(() => response.end(), 1500);
  });
  await new Promise((resolve) => slow.listen(0, '127.0.0.1', resolve));
  t.after(() => slow.close());
  const page = await visitors.open();
  const url = `http://127.0.0.1:${slow.address().port}`;
  await watch(page, `${url}/mcp/slow`);
  await page.getByText('Opening…').waitFor();
  await isAsked;
  await page.getByRole('button', { name: 'Cancel' }).click();
  await page.waitForTimeout(2000);
  assert.equal(asked, 1);
  assert.equal(await page.locator('.toast').count(), 0);
  await left(page, url);
});

test('the file of an agent is followed while the agent writes it', async (t) => {
  const path = join(folder, 'agent.book');
  const agent = await Server.start({ args: ['--book', path] });
  await agent.call('clauses', { operation: 'assert', clauses: ['seen(1).'] });
  const page = await visitors.open();
  // A file of the browser's own, which is written as the agent writes its own.
  const copy = async () =>
    page.evaluate(
      async (bytes) => {
        const root = await navigator.storage.getDirectory();
        const handle = await root.getFileHandle('agent.book', { create: true });
        const writer = await handle.createWritable();
        await writer.write(new Uint8Array(bytes));
        await writer.close();
        window.showOpenFilePicker = async () => [handle];
      },
      [...readFileSync(path)],
    );
  await copy();
  await page.getByRole('button', { name: 'Files' }).click();
  await page.getByRole('menuitem', { name: 'Watch my agent' }).click();
  await page.getByRole('button', { name: 'Choose its file' }).click();
  await untilShown(page, 'seen(1).');
  await agent.call('clauses', { operation: 'assert', clauses: ['seen(2).'] });
  await copy();
  await page.locator('.came', { hasText: 'seen(2).' }).waitFor();
  await page.getByText('This page only reads the file.').waitFor();
  assert.deepEqual(await page.locator('.burst .who').allInnerTexts(), ['test']);
  // A file that was rewritten is read anew.
  await agent.end();
  execFileSync(process.execPath, [BIN, 'compact', path, '--keep', '0']);
  const next = await Server.start({ args: ['--book', path] });
  t.after(() => next.end());
  await next.call('clauses', { operation: 'assert', clauses: ['seen(3).'] });
  await copy();
  await untilShown(page, 'seen(3).');
  assert.deepEqual(await shown(page), ['seen(1).', 'seen(2).', 'seen(3).']);
  await left(page);
});

test('a file that is no book is refused, and a book can be dropped', async () => {
  const path = join(folder, 'dropped.book');
  const agent = await Server.start({ args: ['--book', path] });
  await agent.call('clauses', { operation: 'assert', clauses: ['dropped(1).'] });
  await agent.end();
  const page = await visitors.open();
  const drop = (name, bytes) =>
    page.evaluate(
      ([name, bytes]) => {
        const transfer = new DataTransfer();
        transfer.items.add(new File([new Uint8Array(bytes)], name));
        document.querySelector('.work').dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true }));
      },
      [name, [...bytes]],
    );
  await drop('not-a.book', Buffer.from('parent(tom, bob).\n'));
  await page.locator('.toast.error', { hasText: 'it is not a book' }).waitFor();
  await drop('dropped.book', readFileSync(path));
  await untilShown(page, 'dropped(1).');
  await page.getByText('As it was when you chose it').waitFor();
  await left(page);
});

for (const { name, options, look } of looks) {
  test(`watching has no violations of axe-core, ${name}`, async (t) => {
    const { server, book, address } = await serving(t);
    const page = await visitors.open(options);
    await page.getByRole('button', { name: 'Files' }).click();
    await page.getByRole('menuitem', { name: 'Watch my agent' }).click();
    await watch(page, 'http://127.0.0.1:9/mcp/family');
    await page.getByText('Nothing answers').waitFor();
    await look(page, 'live-form');
    await watched(page, address, WRITES);
    await server.assert(book, ['parent(bob, ann).', 'grandparent(X, Z) :- parent(X, Y), parent(Y, Z).'], claude);
    await page.locator('.came').first().waitFor();
    await page.locator('.clause', { hasText: 'parent(bob, ann)' }).click();
    await page.waitForFunction(() => !document.querySelector('.came'));
    // One of each colour, and more than are named at a clause.
    const clauses = await page.locator('.live-text li').evaluateAll((all) => all.map((one) => one.dataset.id));
    for (const [at, name] of ['Ann', 'Anna', 'Rita from the office', 'Jan', 'Cai', 'Dan'].entries())
      await present(server, book, name, clauses[Math.min(2, at >> 1)]);
    await present(server, book, 'Eve', clauses[2]);
    await page.locator('.carets .more', { hasText: '+1' }).waitFor();
    const colours = await page.locator('.caret').evaluateAll((all) => all.map((one) => one.dataset.colour));
    assert.deepEqual([colours.length, new Set(colours).size], [6, 5]);
    await look(page, 'live-now');
    await moment(page, 1).click();
    await page.getByRole('button', { name: 'Back to here' }).waitFor();
    await look(page, 'live-past');
    await panel(page, 'History');
    await left(page, server.url, 'http://127.0.0.1:9');
  });
}
