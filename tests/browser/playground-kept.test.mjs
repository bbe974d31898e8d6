// What comes into the page through links and from the browser's storage, and what is still there the next time.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { Visitors, ask, leave, panel, picture, ready, rows, save, write } from './playground.mjs';

let visitors;
before(async () => (visitors = await Visitors.start()));
after(() => visitors.close());

/** The fragment of a link that contains `shared`, whatever that is. */
const fragment = (shared) =>
  `#book=${deflateRawSync(Buffer.from(typeof shared === 'string' ? shared : JSON.stringify(shared))).toString('base64url')}`;

/** Goes to the page with a fragment, as a link in another page does. */
async function follow(page, hash) {
  await page.goto('about:blank');
  await page.goto(visitors.site.address + hash);
  await ready(page);
}

const fileNames = (page) =>
  page.locator('#files [role=tab]').evaluateAll((all) => all.map(({ dataset }) => dataset.tab));
const editorText = (page) => page.getByLabel('Clauses', { exact: true }).innerText();

/** Checks that the address and the book are as on the first visit. */
async function isUsable(page) {
  await write(page, 'works(yes).\n');
  assert.deepEqual(await rows(await ask(page, 'works(X)')), [['yes']]);
}

/** The link that "Share" copies. */
async function sharedLink(page) {
  await page.evaluate(() => {
    navigator.clipboard.writeText = async (text) => {
      window.copied = text;
    };
  });
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByText('Link copied.').first().waitFor();
  return page.evaluate(() => window.copied);
}

test('files may have the names of properties that every object has', async () => {
  const names = ['constructor', 'toString', 'valueOf', '__proto__', 'hasOwnProperty'];
  // As text, because an object literal with __proto__ would have no such key.
  const files = names.map((name, index) => ({ name, text: `from(${index}).\n` }));
  const page = await visitors.open({}, fragment({ files }));
  assert.deepEqual(await fileNames(page), names);
  assert.deepEqual((await rows(await ask(page, 'from(N)', 'Ask for all'))).flat(), ['0', '1', '2', '3', '4']);
  // Drafts with such names are kept too.
  for (const name of names) {
    await page.locator(`#files [data-tab="${name}"]`).click();
    await write(page, `from(${name}).\n`);
  }
  await page.reload();
  await ready(page);
  assert.deepEqual(await fileNames(page), names);
  await page.locator('#files [data-tab="__proto__"]').click();
  assert.match(await editorText(page), /from\(__proto__\)/);
  assert.equal((await rows(await ask(page, 'from(N)', 'Ask for all'))).length, 5);
  await leave(page);
});

test('a link with an invalid book is refused with a sentence, and the page stays usable, also after a reload', async () => {
  const file = { name: 'a.pl', text: 'a.\n' };
  const cases = [
    ['cut off', '#book=abcdefg', /The link is incomplete/],
    ['no JSON', fragment('no json'), /The link is incomplete/],
    ['nothing', fragment('null'), /does not contain a book/],
    ['no files', fragment({ query: 'x' }), /does not contain a book/],
    ['files that are none', fragment({ files: 'abc' }), /does not contain a book/],
    ['a file that is none', fragment({ files: [null] }), /has no name or no text/],
    ['a file without a text', fragment({ files: [{ name: 'a.pl' }] }), /has no name or no text/],
    ['an empty name', fragment({ files: [{ name: ' ', text: 'a.' }] }), /A file needs a name/],
    [
      'a name of 1.5 MB',
      fragment({ files: [{ name: 'x'.repeat(1_500_000), text: 'a.' }] }),
      /up to 100 characters; this one has 1,500,000/,
    ],
    ['a name of two lines', fragment({ files: [{ name: 'a\nb', text: 'a.' }] }), /line breaks/],
    ['a name that turns around', fragment({ files: [{ name: 'a\u202elp.exe', text: 'a.' }] }), /invisible characters/],
    ['a name twice', fragment({ files: [file, file] }), /Two files are named a\.pl/],
    [
      '3,000 files',
      fragment({ files: Array.from({ length: 3000 }, (_, n) => ({ name: `${n}.pl`, text: `f(${n}).` })) }),
      /has 3,000 files; the limit is 200/,
    ],
    ['too large', fragment({ files: [{ name: 'a.pl', text: ' '.repeat(6_000_000) }] }), /too large: the limit is 5 MB/],
    ['a query that is none', fragment({ files: [file], query: { args: null } }), /query in the link is not text/],
    ['a query of 1.5 MB', fragment({ files: [file], query: 'x'.repeat(1_500_000) }), /query in the link is too long/],
  ];
  const page = await visitors.open();
  for (const [what, hash, told] of cases) {
    await follow(page, hash);
    await page
      .locator('.toast.error')
      .getByText(told)
      .waitFor({ timeout: 5000 })
      .catch(() => assert.fail(`${what}: it says ${told} nowhere`));
    assert.deepEqual(await fileNames(page), ['family.pl'], what);
    assert.equal(await page.evaluate(() => location.hash), '', what);
  }
  await page.reload();
  await ready(page);
  assert.equal(await page.locator('.toast').count(), 0);
  await isUsable(page);
  await leave(page);
});

test('a link with long runs of anything opens, and so does the page afterwards', async () => {
  const context = await visitors.newcomer();
  const runs = ['\n', '\r', '(', '% ?- a  ', ':- '];
  for (const run of runs) {
    const text = `p(1).\n${run.repeat(300_000 / run.length)}\nq(2).\n`;
    const page = await context.newPage();
    await page.goto(visitors.site.address + fragment({ files: [{ name: 'x.pl', text }], query: 'p(X)' }));
    const open = page.getByRole('dialog').getByRole('button', { name: 'Open' });
    if (run !== runs[0]) await open.click({ timeout: 60_000 });
    await page.waitForFunction(() => document.documentElement.dataset.ready, undefined, { timeout: 60_000 });
    await page
      .getByRole('tab', { name: 'x.pl' })
      .waitFor({ timeout: 60_000 })
      .catch(() => assert.fail(JSON.stringify(run)));
    await page.close();
    const again = await visitors.tab(context);
    await again.getByRole('tab', { name: 'x.pl' }).waitFor();
    assert.deepEqual(await rows(await ask(again, 'X = 1')), [['1']], JSON.stringify(run));
    await again.close();
  }
  assert.deepEqual(context.faults, []);
  await context.close();
});

test('a page that hung or could not start shows what the browser stores, text by text, and opens again', async () => {
  const page = await visitors.open();
  await write(page, 'mine(1).\n');
  await save(page);
  await write(page, 'draft(2).\n');
  await page.evaluate(() => {
    localStorage.setItem('hornbook.notebook', '# Mine');
    // As late as possible: the page may still be about to say that it has started.
    addEventListener('pagehide', () => localStorage.setItem('hornbook.starting', String(Date.now() - 60_000)));
  });
  const set = () => page.getByRole('main', { name: 'Stored texts' });
  await page.reload();
  await set().getByText('This page hung or crashed when it was opened last.', { exact: false }).waitFor();
  assert.equal(await page.locator('.cm-editor').count(), 0);
  const text = (what) => set().locator('li').filter({ hasText: what });
  await text('Unsaved text of family.pl').getByRole('button', { name: 'Show' }).click();
  assert.equal(await text('Unsaved text of family.pl').locator('pre').innerText(), 'draft(2).\n');
  await set().getByRole('button', { name: 'Show the files of the book' }).click();
  await text('The file family.pl').getByRole('button', { name: 'Show' }).click();
  assert.equal(await text('The file family.pl').locator('pre').innerText(), 'mine(1).\n');
  for (const what of ['Unsaved text of family.pl', 'The notebook']) {
    await text(what)
      .getByRole('button', { name: `Remove: ${what}` })
      .click();
    await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
    await text(what).waitFor({ state: 'detached' });
  }
  await picture(page, 'aside');
  await set().getByRole('button', { name: 'Open the page' }).click();
  await ready(page);
  assert.match(await editorText(page), /mine\(1\)/);
  assert.equal(await page.evaluate(() => localStorage.getItem('hornbook.notebook')), null);
  await leave(page);
});

test('a page that is closed or reloaded while it starts is not taken for one that hung', async () => {
  const page = await visitors.open();
  for (let n = 0; n < 3; n += 1) await page.goto(visitors.site.address, { waitUntil: 'commit' });
  await ready(page);
  const other = await page.context().newPage();
  await Promise.all([page.reload(), other.goto(visitors.site.address)]);
  await Promise.all([ready(page), ready(other)]);
  await leave(page);
});

test('a file that was saved in another tab meanwhile is not overwritten without a question, and nothing is lost', async () => {
  const context = await visitors.newcomer();
  const [mine, theirs] = [await visitors.tab(context), await visitors.tab(context)];
  const dialog = mine.getByRole('dialog');
  const conflict = async (text, other) => {
    await write(mine, text);
    await write(theirs, other);
    await save(theirs);
    await mine.getByText('changed elsewhere since you began to edit').waitFor();
    await mine.getByLabel('Clauses', { exact: true }).click();
    await mine.keyboard.press('ControlOrMeta+s');
    await dialog.getByText('family.pl was changed elsewhere').waitFor();
  };
  const clauses = async (page) => (await rows(await ask(page, 'v(X)', 'Ask for all'))).flat();

  await conflict('v(mine).\nv(same).\n', 'v(theirs).\nv(same).\n');
  await dialog.getByRole('button', { name: 'Show the difference' }).click();
  assert.deepEqual(await dialog.locator('.diff > :not(.place)').allInnerTexts(), [
    '- v(theirs).',
    '+ v(mine).',
    '  v(same).',
    '  ',
  ]);
  await picture(mine, 'conflict');
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  assert.match(await editorText(mine), /v\(mine\)/);
  assert.deepEqual(await clauses(theirs), ['theirs', 'same']);

  // A query does not overwrite it either.
  const asked = await ask(mine, 'v(theirs)');
  await mine.getByText('family.pl was changed elsewhere since you began to edit it.').first().waitFor();
  assert.equal(await asked.getAttribute('data-phase'), 'done');

  // The mark outlives a reload.
  await mine.reload();
  await ready(mine);
  await mine.getByLabel('Clauses', { exact: true }).click();
  await mine.keyboard.press('ControlOrMeta+s');
  await dialog.getByRole('button', { name: 'Keep mine' }).click();
  await mine.getByText('Saved family.pl. The other text is in the history.').first().waitFor();
  assert.deepEqual(await clauses(mine), ['mine', 'same']);
  await mine.keyboard.press('Alt+z');
  await mine.waitForFunction(() => document.querySelector('.editor').innerText.includes('v(theirs)'));
  await theirs.waitForFunction(() => document.querySelector('.editor').innerText.includes('v(theirs)'));

  await conflict('v(third).\n', 'v(fourth).\n');
  await dialog.getByRole('button', { name: 'Take theirs' }).click();
  await mine.waitForFunction(() => document.querySelector('.editor').innerText.includes('v(fourth)'));
  await mine.getByRole('button', { name: 'Bring mine back' }).click();
  await mine.waitForFunction(() => document.querySelector('.editor').innerText.includes('v(third)'));
  await save(mine);
  assert.deepEqual(await clauses(theirs), ['third']);
  assert.deepEqual(context.faults, []);
  await context.close();
});

test('answers that look like edges or boards but are not do not break the page', async () => {
  const page = await visitors.open();
  for (const value of [
    '_{args: null}',
    '_{functor: f, args: 5}',
    '_{args: [1, 2], functor: x}',
    '[_{variable: 1}, _{integer: null}]',
    '[[_{variable: null}], [_{integer: null}]]',
  ]) {
    const card = await ask(page, `X = ${value}`);
    assert.equal(
      (await card.locator('.answers td').first().isVisible()) ||
        (await card.locator('.answers table.grid').count()) > 0,
      true,
      value,
    );
  }
  await isUsable(page);
  await leave(page);
});

test('whatever is in localStorage, the page starts, and what can be read of it is there', async () => {
  const page = await visitors.open();
  const drafts = [
    'no json',
    '5',
    '[1]',
    'null',
    '{"a.pl": 5}',
    '{"": "x."}',
    JSON.stringify({ ['x'.repeat(1_500_000)]: 'long.' }),
    JSON.stringify({ 'mine.pl': 'mine(1).\n', bad: null, worse: { a: 1 } }),
  ];
  for (const draft of drafts) {
    await page.evaluate((text) => {
      for (const key of ['hornbook.theme', 'hornbook.split', 'hornbook.dml'])
        localStorage.setItem(key, text.slice(0, 1000));
      localStorage.setItem('hornbook.drafts', text);
    }, draft);
    await page.reload();
    await ready(page);
    await panel(page, 'DML');
    await page.getByRole('textbox', { name: 'Program' }).waitFor();
    await panel(page, 'Queries');
  }
  await page.locator('#files [data-tab="mine.pl"]').click();
  assert.match(await editorText(page), /mine\(1\)/);
  assert.deepEqual(await rows(await ask(page, 'mine(X)')), [['1']]);
  await leave(page);
});

/** Replaces the first part of the book in the database: by a text as bytes, or by another value. */
const damage = (page, value) =>
  page.evaluate(
    (value) =>
      new Promise((resolve, reject) => {
        const request = indexedDB.open('hornbook: playground');
        request.onerror = () => reject(request.error);
        request.onsuccess = () => {
          const transaction = request.result.transaction('parts', 'readwrite');
          transaction.objectStore('parts').put(typeof value === 'string' ? new TextEncoder().encode(value) : value, 0);
          transaction.oncomplete = () => {
            request.result.close();
            resolve();
          };
        };
      }),
    value,
  );

test('a kept book that cannot be read is reported and offered for download, and the page works meanwhile', async () => {
  const page = await visitors.open();
  for (const value of [5, null, { bytes: 1 }]) {
    await damage(page, value);
    await page.reload();
    await ready(page);
    assert.match(
      await page.locator('.banner').innerText(),
      /^Your book can't be saved in this browser: /,
      JSON.stringify(value),
    );
  }
  await damage(page, 'no book of ours\nat all\n');
  await page.reload();
  await ready(page);
  const banner = page.locator('.banner');
  assert.match(
    await banner.innerText(),
    /^Your book can't be saved in this browser: .*Download it before you close this page/s,
  );
  await isUsable(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    banner.getByRole('button', { name: 'Download the saved book' }).click(),
  ]);
  assert.match(readFileSync(await download.path(), 'utf8'), /^no book of ours/);
  page.on('dialog', (dialog) => dialog.accept());
  await banner.getByRole('button', { name: 'Delete it and start over' }).click();
  await Promise.all([page.waitForEvent('load'), page.getByRole('button', { name: 'Delete', exact: true }).click()]);
  await ready(page);
  assert.equal(await page.locator('.banner').count(), 0);
  await isUsable(page);
  await leave(page);
});

test('a link contains the book and the query, and leaves the address when it is opened', async () => {
  const page = await visitors.open();
  await write(page, 'greets("wörld", \'日本\', 😀).\n');
  await save(page);
  await page.getByLabel('Query', { exact: true }).fill('greets(X, Y, Z)');
  const link = await sharedLink(page);
  // The address of the sharing page stays unchanged: a reload does not offer an old version.
  assert.equal(await page.evaluate(() => location.hash), '');
  const hash = link.slice(link.indexOf('#'));
  const friend = await visitors.open({}, hash);
  assert.equal(await friend.getByLabel('Query', { exact: true }).innerText(), 'greets(X, Y, Z)');
  await friend.getByRole('button', { name: 'Ask', exact: true }).click();
  await friend.locator('.card td').first().waitFor();
  await write(friend, 'greets(a, b, c).\n');
  await save(friend);
  await friend.reload();
  await ready(friend);
  assert.equal(await friend.getByRole('dialog').count(), 0);
  assert.match(await editorText(friend), /greets\(a, b, c\)/);
  // If there is already a book, the user is asked first.
  const other = await visitors.open();
  await other.goto('about:blank');
  await other.goto(visitors.site.address + hash);
  await other.getByRole('button', { name: 'Open', exact: true }).click();
  await other.getByText('beside your other books.').first().waitFor();
  assert.match(await editorText(other), /greets/);
  // A link put into the address of an open page is opened there.
  await write(other, 'own(1).\n');
  await other.evaluate((link) => (location.href = link), link);
  await other.getByRole('button', { name: 'Cancel' }).click();
  await other.waitForFunction(() => location.hash === '');
  for (const one of [page, friend, other]) await leave(one);
});

test('if nothing can be copied the link is shown, and a book too large for a link is offered as a file', async () => {
  const page = await visitors.open();
  await page.evaluate(() => {
    navigator.clipboard.writeText = async () => {
      throw new DOMException('Write permission denied.', 'NotAllowedError');
    };
  });
  await page.getByRole('button', { name: 'Share' }).click();
  assert.match(await page.getByLabel('Link to your book').last().inputValue(), /#book=/);
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  // A megabyte that does not compress.
  const facts = Array.from(
    { length: 20_000 },
    (_, n) => `fact(${n}, '${Math.sin(n).toString(36).slice(2)}${Math.cos(n).toString(36).slice(2)}').\n`,
  ).join('');
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles({ name: 'many.pl', mimeType: 'text/plain', buffer: Buffer.from(facts) });
  await page.getByText('Imported many.pl.').first().waitFor();
  await page.getByRole('button', { name: 'Share' }).click();
  await page.getByText('This book is too large for a link').waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download the book' }).click(),
  ]);
  assert.match(readFileSync(await download.path(), 'utf8'), /fact\(19999, /);
  await leave(page);
});

test('a DML program is there after a reload, and after looking at another', async () => {
  const page = await visitors.open();
  await panel(page, 'DML');
  const programs = page.getByRole('combobox', { name: 'Program' });
  const editor = page.getByRole('textbox', { name: 'Program' });
  const type = (text) => write(page, text, editor);
  await programs.selectOption('A program of your own');
  await type('agent_main(Name) :- answer("Dear {Name}").\n');
  await page.getByLabel('Name', { exact: true }).fill('Ada');
  await page.getByText('Script of the model').click();
  await page.getByLabel('Turns of the script, as JSON').fill('[{"text": "mine"}]');
  await programs.selectOption('Dinner: asking the user');
  await type('agent_main :- answer("My dinner").\n');
  await page.reload();
  await ready(page);
  await panel(page, 'DML');
  assert.match(await editor.innerText(), /My dinner/);
  await programs.selectOption('A program of your own');
  assert.match(await editor.innerText(), /Dear \{Name\}/);
  assert.equal(await page.getByLabel('Name', { exact: true }).inputValue(), 'Ada');
  assert.equal(await page.getByLabel('Turns of the script, as JSON').inputValue(), '[{"text": "mine"}]');
  // The example is not lost either.
  await programs.selectOption('Dinner: asking the user');
  await page.getByRole('button', { name: 'Restore original' }).click();
  await page.getByRole('button', { name: 'Restore', exact: true }).click();
  await page.waitForFunction(() => !document.querySelector('.program .cm-content').innerText.includes('My dinner'));
  assert.equal(await page.getByRole('button', { name: 'Restore original' }).isVisible(), false);
  await leave(page);
});

test('a new file has the focus; typing in an empty book creates one', async () => {
  const page = await visitors.open();
  await page.getByRole('button', { name: 'New file' }).click();
  await page.keyboard.type('one(1). two(2).');
  assert.deepEqual(await fileNames(page), ['family.pl', 'untitled.pl']);
  assert.match(await editorText(page), /one\(1\)\. two\(2\)\./);
  await page.getByRole('button', { name: 'Files', exact: true }).click();
  await page.getByRole('menuitem', { name: 'Empty the book' }).click();
  await page.waitForFunction(() => document.querySelectorAll('#files [role=tab]').length === 0);
  await page.getByLabel('Clauses', { exact: true }).click();
  await page.keyboard.type('typed(1).');
  await page.keyboard.press('Enter');
  await page.keyboard.type('typed(2).');
  assert.deepEqual(await fileNames(page), ['untitled.pl']);
  assert.deepEqual((await rows(await ask(page, 'typed(X)', 'Ask for all'))).flat(), ['1', '2']);
  await leave(page);
});

test('on a first visit the editor takes keys before anything else is there, and nothing written is lost', async () => {
  for (const width of [1280, 380]) {
    const context = await visitors.newcomer({ viewport: { width, height: 800 } });
    let release;
    const held = new Promise((resolve) => (release = resolve));
    await context.route(/\.(?:wasm|state)$/, async (route) => {
      await held;
      await route.continue();
    });
    const page = await context.newPage();
    page.on('pageerror', (error) => context.faults.push(error.message));
    await page.goto(visitors.site.address);
    const editor = page.getByLabel('Clauses', { exact: true });
    await editor.getByText('ancestor(X, Y) :- parent(X, Y).').waitFor();
    await write(page, 'early(1).\n');
    await picture(page, `early-${width}`);
    // Not even by a reload.
    await page.reload();
    await editor.getByText('early(1).').waitFor();
    await editor.click();
    await page.keyboard.press('ControlOrMeta+End');
    release();
    await ready(page);
    await page.keyboard.insertText('early(2).\n');
    assert.match(await editorText(page), /early\(1\)\.\s+early\(2\)\./);
    assert.deepEqual(await fileNames(page), ['family.pl']);
    assert.deepEqual((await rows(await ask(page, 'early(X)', 'Ask for all'))).flat(), ['1', '2']);
    // Without a key there is the example.
    const other = await visitors.tab(await visitors.newcomer());
    assert.match(await editorText(other), /ancestor/);
    await leave(other);
    await leave(page);
  }
});

test('an example does not replace a file of the same name without asking', async () => {
  const page = await visitors.open();
  await write(page, 'mine(1).\n');
  await page.getByRole('button', { name: 'Examples' }).click();
  await page.getByRole('menuitem', { name: 'family.pl' }).click();
  await page.getByRole('button', { name: 'Keep mine' }).click();
  assert.match(await editorText(page), /mine\(1\)/);
  await page.getByRole('button', { name: 'Examples' }).click();
  await page.getByRole('menuitem', { name: 'family.pl' }).click();
  await page.getByRole('button', { name: 'Replace', exact: true }).click();
  await page.waitForFunction(() => document.querySelector('.editor').innerText.includes('ancestor'));
  // What was written is in the history.
  await page.keyboard.press('Alt+z');
  await page.waitForFunction(() => document.querySelector('.editor').innerText.includes('mine(1)'));
  await leave(page);
});

test('the cursor stays visible when problems are shown below the text', async () => {
  const page = await visitors.open();
  await write(page, Array.from({ length: 60 }, (_, n) => `line(${n}).\n`).join(''));
  await page.keyboard.press('ControlOrMeta+End');
  await page.keyboard.type('a(X) :- b(Y) c. d(Z) :- e(.');
  await page.locator('.problems li').first().waitFor();
  await page.waitForTimeout(300);
  const [cursor, frame] = await Promise.all([
    page.locator('.editor .cm-cursor-primary').boundingBox(),
    page.locator('.editor .cm-scroller').boundingBox(),
  ]);
  assert.ok(
    cursor.y >= frame.y && cursor.y + cursor.height <= frame.y + frame.height,
    JSON.stringify({ cursor, frame }),
  );
  await leave(page);
});

test('what the browser has no room for is not shown as saved, and is reported', async () => {
  const page = await visitors.open();
  // Drafts: localStorage takes five million characters.
  await write(page, `% ${'x'.repeat(5_300_000)}\nlarge(1).\n`);
  await page.getByText("The browser's storage is full.").first().waitFor();
  assert.equal(await page.getByRole('button', { name: 'Saved' }).count(), 0);
  await page.getByRole('tab', { name: /family\.pl.*not saved/ }).waitFor();
  await save(page);
  await leave(page);
});

test("a book beyond the browser's quota is not shown as saved", async () => {
  const context = await visitors.newcomer();
  const page = await context.newPage();
  const session = await context.newCDPSession(page);
  const origin = visitors.site.address.slice(0, -1);
  await session.send('Storage.overrideQuotaForOrigin', { origin, quotaSize: 300_000 });
  await page.goto(visitors.site.address);
  await ready(page);
  const noise = Array.from({ length: 100_000 }, (_, n) => Math.sin(n).toString(36).slice(2)).join(' ');
  await write(page, `% ${noise}\nlarge(1).\n`);
  await page.keyboard.press('ControlOrMeta+s');
  await page
    .getByText(/^family\.pl: .*could not be saved.*no more room/)
    .first()
    .waitFor();
  await page.getByRole('tab', { name: /family\.pl.*not saved/ }).waitFor();
  await session.send('Storage.overrideQuotaForOrigin', { origin });
  await write(page, 'small(1).\n');
  await save(page);
  assert.deepEqual(await rows(await ask(page, 'small(X)')), [['1']]);
  await leave(page);
});
