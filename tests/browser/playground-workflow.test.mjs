// Workflows in the playground: the graph beside its text, live runs, resumed and rewound to a checkpoint.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Visitors, leave, looks, offline, panel, picture, ready, write } from './playground.mjs';

let visitors;
before(async () => (visitors = await Visitors.start()));
after(() => visitors.close());

/** The tab, with the example whose name begins like this. */
async function openExample(page, name) {
  await panel(page, 'Workflow');
  const names = page.getByLabel('Workflow', { exact: true }).and(page.locator('select'));
  await names.waitFor();
  const label = (await names.locator('option').allInnerTexts()).find((text) => text.startsWith(name));
  await names.selectOption(label);
  await page.locator('.flow-node').first().waitFor();
}

/** Replaces the workflow in the editor by `text`. */
const flow = (page, text) => write(page, text, page.locator('.program .cm-content[aria-label=Workflow]'));

const node = (page, name) => page.locator(`.flow-node[data-node="${name}"]`);
const states = (page) =>
  page
    .locator('.flow-node')
    .evaluateAll((all) => Object.fromEntries(all.map((one) => [one.dataset.node, one.dataset.state])));
const step = (page, name) => page.locator(`.flow-steps [data-step="${name}"]`);
const start = (page) => page.getByRole('button', { name: 'Run', exact: true }).click();

/** Waits until the run is over; returns how it ended. */
async function over(page) {
  await page.locator('.flow-run:not([data-phase=running])').waitFor();
  return page.locator('.flow-run').getAttribute('data-phase');
}

test('a run lights its nodes, and shows what each made of the state', async () => {
  const page = await visitors.open();
  await openExample(page, 'Triage');
  await start(page);
  assert.equal(await over(page), 'done', await page.locator('.flow-run').innerText());
  assert.deepEqual(await states(page), {
    classify: 'done',
    decide: 'done',
    escalate: 'done',
    refund: undefined,
    answer: undefined,
  });
  assert.match(await step(page, 'classify').innerText(), /topics\s+none\s+\["delivery","money"\]/);
  assert.match(await step(page, 'decide').innerText(), /route\s+none\s+"person"/);
  assert.match(await step(page, 'escalate').innerText(), /ada, a colleague/);
  // With another state it takes another way.
  await page.getByLabel('Initial state').fill('{"amount": 20}');
  await start(page);
  await step(page, 'refund').waitFor();
  assert.equal(await over(page), 'done');
  await picture(page, 'workflow-triage');
  await leave(page);
});

test('the decision of a node is shown as a proof tree, whose clauses lead to their lines; the run is unchanged', async () => {
  const page = await visitors.open();
  await openExample(page, 'Triage');
  await start(page);
  assert.equal(await over(page), 'done');
  const kept = await page.getByText(/^Runs in the book/).innerText();
  await page.getByRole('button', { name: 'Why: decide' }).click();
  const tree = step(page, 'decide').locator('.proof-tree');
  await tree.waitFor();
  assert.match(await tree.innerText(), /state\(topics,\s*\[delivery,\s*money\]\)\s+from the state/);
  assert.match(await tree.innerText(), /route\(\[delivery,\s*money\],\s*240,\s*person\)\s+line 2/);
  assert.match(await tree.innerText(), /return\(route,\s*person\)\s+returned/);
  await tree.getByRole('button', { name: 'line 2' }).click();
  assert.match(
    await page.evaluate(() => getSelection().anchorNode.parentElement.closest('.cm-line').textContent),
    /route\(Topics, Amount, person\)/,
  );
  // There are no proofs for JavaScript.
  assert.equal(await step(page, 'escalate').getByRole('button', { name: /^Why/ }).count(), 0);
  assert.equal(await page.getByText(/^Runs in the book/).innerText(), kept);
  await page.getByRole('button', { name: 'Why: decide' }).click();
  await tree.waitFor({ state: 'detached' });
  await leave(page);
});

test('the reason why a node failed is shown, with its input, even for one where branches join', async () => {
  const page = await visitors.open();
  await openExample(page, 'A workflow of your own');
  await flow(
    page,
    `
language: prolog
nodes:
  - { name: a, run: 'return(x, 1).' }
  - { name: b, run: 'return(y,2).' }
  - { name: c, run: 'return(y, 3).' }
  - name: d
    run: |
      enough(Rs) :- length(Rs, N), N > 2.
      state(parallel_results, Rs), enough(Rs), return(z, 1).
edges:
  - { from: a, to: b, type: parallel, fan_in: d }
  - { from: a, to: c, type: parallel, fan_in: d }
  - { from: b, to: d }
  - { from: c, to: d }
`,
  );
  await node(page, 'd').waitFor();
  await start(page);
  assert.equal(await over(page), 'done');
  await page.getByRole('button', { name: 'Why not: d' }).click();
  const tree = step(page, 'd').locator('.proof-tree');
  await tree.waitFor();
  assert.match(await tree.innerText(), /Clause 1 stops at\s+line 1\s+2>2\s+fails/);
  await page.getByRole('button', { name: 'Why: b' }).click();
  await step(page, 'b').getByText('return(y,2)').waitFor();
  await leave(page);
});

test('the text of a workflow is on the left, and back in the panel on a narrow page', async () => {
  const page = await visitors.open();
  await panel(page, 'Workflow');
  const text = page.getByLabel('Workflow', { exact: true }).and(page.locator('.cm-content'));
  await page.locator('.program-pane').getByText('Prolog decides where a request goes').waitFor();
  assert.ok((await text.boundingBox()).height > 400);
  await page.setViewportSize({ width: 380, height: 800 });
  await panel(page, 'Workflow');
  await page.locator('#panel-workflow').getByText('Prolog decides where a request goes').waitFor();
  assert.equal(await page.locator('.program-pane .cm-content').count(), 0);
  await leave(page);
});

test('branches run side by side, in Prolog and in JavaScript', async () => {
  const page = await visitors.open();
  await openExample(page, 'Branches');
  await start(page);
  assert.equal(await over(page), 'done', await page.locator('.flow-run').innerText());
  assert.deepEqual([...new Set(Object.values(await states(page)))], ['done']);
  assert.match(await step(page, 'together').innerText(), /primes\s+none\s+22/);
  assert.match(await step(page, 'together').innerText(), /last_sum\s+none\s+36/);
  await leave(page);
});

test('a click on a node goes to its text, and the cursor in its text to the node', async () => {
  const page = await visitors.open();
  await openExample(page, 'Triage');
  await node(page, 'refund').click();
  const marked = () => page.locator('.cm-of-node').allInnerTexts();
  assert.deepEqual((await marked())[0].trim(), '- name: refund');
  assert.equal((await marked()).length, 5);
  await page.getByText('- name: answer').click();
  await page.waitForFunction(() => document.querySelector('.flow-node.selected')?.dataset.node === 'answer');
  await node(page, 'decide').focus();
  await page.keyboard.press('Enter');
  assert.match((await marked())[0], /name: decide/);
  await leave(page);
});

test('errors in the text are underlined and reported with their place, and once fixed the graph is there', async () => {
  const page = await visitors.open();
  await openExample(page, 'A workflow of your own');
  await flow(page, 'nodes:\n- name: a\n  rnu: x\n');
  await page.getByText("line 3, column 2: Node 'a' has the unknown key 'rnu'. Did you mean 'run'?").first().waitFor();
  assert.equal(await page.locator('.program .cm-lintRange-error').count(), 1);
  await flow(
    page,
    'nodes:\n- name: a\n  language: prolog\n  run: return(x, 1).\n- name: b\n  language: prolog\n  run: fail.\n',
  );
  await node(page, 'b').waitFor();
  assert.equal(await page.locator('.program .cm-lintRange-error').count(), 0);
  await start(page);
  assert.equal(await over(page), 'done');
  assert.deepEqual(await states(page), { a: 'done', b: 'failed' });
  assert.match(await step(page, 'b').innerText(), /failed at line 1[\s\S]*fail/);
  // It is there after a reload.
  await page.reload();
  await ready(page);
  await panel(page, 'Workflow');
  await node(page, 'b').waitFor();
  await leave(page);
});

test('a run waits for a person, is resumed, and goes back to a checkpoint as another run', async () => {
  const page = await visitors.open();
  await openExample(page, 'Approval');
  await start(page);
  assert.equal(await over(page), 'warned');
  assert.equal((await states(page)).pay, 'waiting');
  await page.getByLabel('Changes to the state').fill('{"approved": true}');
  await page.getByRole('button', { name: 'Resume', exact: true }).click();
  await step(page, 'pay').waitFor();
  assert.match(await step(page, 'pay').innerText(), /paid\s+none\s+600/);
  assert.equal(await over(page), 'done');
  await start(page);
  await step(page, 'ask').waitFor();
  await over(page);
  await page.getByRole('button', { name: 'From here: after total' }).click();
  await page.getByText(/^From checkpoint \d+ of run/).waitFor();
  await step(page, 'check').waitFor();
  assert.equal(await step(page, 'total').count(), 0);
  assert.equal(await over(page), 'warned');
  // The book has all three; they are there after a reload, and can be deleted.
  await page.reload();
  await ready(page);
  await panel(page, 'Workflow');
  await page.getByText('Runs in the book (3)').click();
  await page
    .locator('.runs')
    .getByText(/^from checkpoint/)
    .waitFor();
  await page
    .getByRole('button', { name: /^Resume / })
    .first()
    .click();
  await step(page, 'pay').waitFor();
  assert.match(await step(page, 'pay').innerText(), /paid\s+none\s+0/);
  await page
    .getByRole('button', { name: /^Cancel / })
    .first()
    .click();
  await page.locator('.runs').getByText('cancelled', { exact: true }).waitFor();
  await page
    .getByRole('button', { name: /^Forget / })
    .first()
    .click();
  await page.getByText('Runs in the book (2)').waitFor();
  await leave(page);
});

test('a DML program named in the text is chosen from this machine, kept by the browser, and run', async () => {
  const page = await visitors.open();
  await openExample(page, 'A workflow of your own');
  await flow(page, 'nodes:\n  - { name: greet, type: dml, uses: greet.dml, with: { name: ada }, output: said }\n');
  await page
    .getByText(
      "line 2, column 36: The program 'greet.dml' is missing: choose its file below, or write it in a file of the book.",
    )
    .first()
    .waitFor();
  await page.getByLabel('File for greet.dml').setInputFiles({
    name: 'greet.dml',
    mimeType: 'text/plain',
    buffer: Buffer.from('agent_main(Name) :- answer("Hello, {Name}").\n'),
  });
  await node(page, 'greet').waitFor();
  await page.reload();
  await ready(page);
  await panel(page, 'Workflow');
  await node(page, 'greet').waitFor();
  await page.locator('.program-files').getByText('1 line').waitFor();
  await start(page);
  assert.equal(await over(page), 'done', await page.locator('.flow-run').innerText());
  assert.match(await step(page, 'greet').innerText(), /said\s+none\s+"Hello, ada"/);
  await leave(page);
});

test('a DML program named in the text is the file of that name in the book', async () => {
  const page = await visitors.open();
  await openExample(page, 'A workflow of your own');
  await flow(page, 'nodes:\n  - { name: greet, type: dml, uses: greet.dml, with: { name: ada }, output: said }\n');
  await page.getByLabel('File for greet.dml').waitFor();
  await panel(page, 'Queries');
  await page.getByTitle('New file').click();
  await write(page, 'agent_main(Name) :-\n    answer("Hello from the book, {Name}").\n');
  await page.getByTitle('Rename this file').click();
  await page.getByLabel('Name of the file').fill('greet.dml');
  await page.keyboard.press('Enter');
  await panel(page, 'Workflow');
  await page.locator('.program-files').getByText('2 lines, in the book').waitFor();
  await node(page, 'greet').waitFor();
  assert.equal(await page.getByLabel('File for greet.dml').count(), 0);
  await start(page);
  assert.equal(await over(page), 'done', await page.locator('.flow-run').innerText());
  assert.match(await step(page, 'greet').innerText(), /said\s+none\s+"Hello from the book, ada"/);
  // In its current form, saved or not.
  await panel(page, 'Queries');
  await write(page, 'agent_main(Name) :- answer("Again, {Name}").\n');
  await panel(page, 'Workflow');
  await start(page);
  await step(page, 'greet').getByText('"Again, ada"').waitFor();
  await leave(page);
});

test('integers beyond the range of a JavaScript number are kept exactly', async () => {
  const page = await visitors.open();
  await openExample(page, 'A workflow of your own');
  await flow(page, "nodes:\n  - { name: more, language: prolog, run: 'state(n, N), M is N + 1, return(m, M).' }\n");
  await node(page, 'more').waitFor();
  await page.getByLabel('Initial state').fill('{"n": 9007199254740993}');
  await start(page);
  assert.equal(await over(page), 'done', await page.locator('.flow-run').innerText());
  assert.match(await step(page, 'more').innerText(), /m\s+none\s+9007199254740994$/m);
  await leave(page);
});

test('a wide graph fits its frame at first; zoomed in, it can be scrolled to its last node', async () => {
  const page = await visitors.open();
  await openExample(page, 'A workflow of your own');
  const names = Array.from({ length: 12 }, (_, index) => `branch_${index}`);
  const nodes = ['begin', ...names, 'join'].map((name) => `  - { name: ${name}, language: prolog, run: 'true.' }\n`);
  const edges = names.map(
    (name) => `  - { from: begin, to: ${name}, type: parallel, fan_in: join }\n  - { from: ${name}, to: join }\n`,
  );
  await flow(page, `nodes:\n${nodes.join('')}edges:\n${edges.join('')}`);
  await node(page, 'join').waitFor();
  const frame = page.locator('.flow-graph .zoomable');
  const outside = () =>
    frame.evaluate((frame) => {
      const { left, right } = frame.getBoundingClientRect();
      return [...frame.querySelectorAll('.flow-node')]
        .filter((node) => {
          const box = node.getBoundingClientRect();
          return box.left < left - 1 || box.right > right + 1;
        })
        .map((node) => node.dataset.node);
    });
  assert.deepEqual(await outside(), []);
  await picture(page, 'workflow-wide');
  const zoomIn = page.locator('.flow-graph').getByRole('button', { name: 'Zoom in' });
  for (let n = 0; n < 5; n += 1) await zoomIn.click();
  assert.notDeepEqual(await outside(), []);
  await node(page, 'branch_11').click();
  assert.equal((await outside()).includes('branch_11'), false);
  await page.locator('.flow-graph').getByRole('button', { name: 'Reset zoom' }).click();
  assert.deepEqual(await outside(), []);
  await leave(page);
});

test('lines of a graph stay within it, and none is drawn over the words of another', async () => {
  const page = await visitors.open();
  await openExample(page, 'A workflow of your own');
  const prolog = (name, goto) =>
    `  - name: ${name}\n    run: return(k, 1).\n    goto:\n${goto.map((one) => `      - ${one}\n`).join('')}`;
  const when = (k, to) => `{ if: "state.k > ${k}", to: ${to} }`;
  const nodes = [
    prolog('a', [when(3, 'b'), when(2, 'c'), when(1, 'd'), '{ to: __end__ }']),
    prolog('b', [when(7, 'd'), when(8, 'a'), '{ to: c }']),
    prolog('c', [when(17, 'a'), '{ to: d }']),
    '  - { name: d, language: prolog, run: "true." }\n',
  ];
  await flow(page, `nodes:\n${nodes.join('')}initial_state: { k: 1 }\n`);
  await node(page, 'd').waitFor();
  const drawn = await page.locator('svg.flow').evaluate((picture) => {
    const { left, right } = picture.getBoundingClientRect();
    const lines = [...picture.querySelectorAll('.flow-edge')];
    const isOut = (line) => {
      const box = line.getBoundingClientRect();
      return box.left < left || box.right > right;
    };
    const words = [...picture.querySelectorAll('.flow-label')];
    const isOver = (line, label) => label.compareDocumentPosition(line) & Node.DOCUMENT_POSITION_FOLLOWING;
    return {
      lines: lines.length,
      words: words.length,
      out: lines.filter(isOut).length,
      over: lines.filter((line) => words.some((label) => isOver(line, label))).length,
    };
  });
  assert.deepEqual(drawn, { lines: 11, words: 6, out: 0, over: 0 });
  await picture(page, 'workflow-words');
  await leave(page);
});

test('a run can be stopped, and resumed where it was', async () => {
  const page = await visitors.open();
  await openExample(page, 'A workflow of your own');
  const slow = (language, code) => `
nodes:
  - { name: quick, language: prolog, run: 'return(x, 1).' }
  - name: slow
    language: ${language}
    run: |
      ${code}
`;
  for (const [language, code] of [
    ['prolog', 'repeat, fail.'],
    ['javascript', 'for (;;);'],
  ]) {
    await flow(page, slow(language, code));
    await node(page, 'slow')
      .and(page.locator(`[data-does=${language}]`))
      .waitFor();
    await start(page);
    await page.locator('.flow-node[data-node=slow][data-state=running]').waitFor();
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    assert.equal(await over(page), 'stopped');
    await page.getByRole('button', { name: 'Resume', exact: true }).click();
    await page.getByText(/^Resumed: run/).waitFor();
    await page.locator('.flow-node[data-node=slow][data-state=running]').waitFor();
    assert.equal(await step(page, 'quick').count(), 0);
    await page.getByRole('button', { name: 'Stop', exact: true }).click();
    assert.equal(await over(page), 'stopped');
  }
  await leave(page);
});

test('workflows run without a network', async () => {
  const page = await offline(visitors);
  await openExample(page, 'Branches');
  await start(page);
  assert.equal(await over(page), 'done');
  await page.context().close();
});

for (const { name, options, look } of looks) {
  test(`workflows are accessible in each state: ${name}`, async () => {
    const page = await visitors.open(options);
    await openExample(page, 'Triage');
    await look(page, 'workflow-begin');
    await start(page);
    await over(page);
    await node(page, 'decide').click();
    await look(page, 'workflow-done');
    await page.getByRole('button', { name: 'Why: decide' }).click();
    await step(page, 'decide').locator('.proof-tree').scrollIntoViewIfNeeded();
    await look(page, 'workflow-proof');
    await openExample(page, 'Approval');
    await start(page);
    await over(page);
    await page.getByText('Runs in the book (2)').click();
    await page.locator('.runs li').nth(1).waitFor();
    await look(page, 'workflow-waiting');
    await flow(page, 'nodes:\n- name: a\n  rnu: x\n');
    await page
      .getByText(/unknown key/)
      .first()
      .waitFor();
    await look(page, 'workflow-fault');
    await leave(page);
  });
}
