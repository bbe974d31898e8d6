// DML in the playground: programs, their models, and their runs as a tree.
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { Visitors, leave, looks, offline, panel, picture, write } from './playground.mjs';

let visitors;
before(async () => (visitors = await Visitors.start()));
after(() => visitors.close());

/** The tab, with the example whose name begins like this. */
async function openExample(page, name) {
  await panel(page, 'DML');
  const programs = page.getByRole('combobox', { name: 'Program' });
  await programs.waitFor();
  const label = (await programs.locator('option').allInnerTexts()).find((text) => text.startsWith(name));
  await programs.selectOption(label);
}

/** Replaces the program in the editor, as if `text` were typed. */
async function program(page, text) {
  await panel(page, 'DML');
  await write(page, text, page.getByRole('textbox', { name: 'Program' }));
}

const start = (page) => page.getByRole('button', { name: 'Run', exact: true }).click();

/** Waits until the run is over; returns how it ended. */
async function over(page) {
  await page.locator('.run:not([data-phase=running])').waitFor();
  return page.locator('.run').getAttribute('data-phase');
}

async function run(page) {
  await start(page);
  return over(page);
}

/** The lines of the tree, each with its depth, its state, and whether it is undone. */
const tree = (page) =>
  page.locator('.run-tree .run-line').evaluateAll((all) =>
    all.map((line) => {
      let depth = 0;
      const outer = (one) => one.parentElement.closest('.run-tree li');
      for (let one = outer(line.closest('li')); one; one = outer(one)) depth += 1;
      const step = line.closest('li');
      const parts = [...line.children]
        .filter((one) => !one.matches('.spinner, svg'))
        .map((one) => one.innerText.replace(/\s+/g, ' ').replace('→ gave', '→').trim());
      const text = step.classList.contains('back') ? line.innerText.trim() : parts.filter(Boolean).join(' | ');
      return `${'  '.repeat(depth)}${text}`;
    }),
  );

test('the tree shows what was asked, the results, and where the program backtracked', async () => {
  const page = await visitors.open();
  await openExample(page, 'A day trip');
  assert.equal(await page.getByLabel('City').inputValue(), 'Bern');
  assert.equal(await run(page), 'done');
  assert.equal(await page.locator('.run .verdict').innerText(), 'Zentrum Paul Klee: 0.5 hours from Bern.');
  assert.match(
    await page.locator('.run .status').innerText(),
    /^done · 310 tokens in, 24 out · [\d.]+ m?s · 5 model turns · 9 tool calls$/,
  );
  const lines = (await tree(page)).filter((line) => !/Tool \| (set_result|finish)/.test(line));
  assert.deepEqual(lines, [
    'Log | Trying a mountain.',
    'Task | Name a mountain near Bern. | Place: string | → Place: "Zermatt" | undone',
    '  Model | The Matterhorn is hard to beat.',
    'Task | How many hours is it to Zermatt? | Hours: number | → Hours: 2.5 | undone',
    'The program backtracked from line 10 to line 9, before “Name a mountain near Bern.”: 2 steps are undone.',
    'Log | Trying a lake.',
    'Task | Name a lake near Bern. | Place: string | failed: The model gave up the task.',
    '  Model | I know of no lake that I would recommend.',
    'Log | Trying a museum.',
    'Task | Name a museum near Bern. | Place: string | → Place: "Zentrum Paul Klee"',
    'Task | How many hours is it to Zentrum Paul Klee? | Hours: number | → Hours: 0.5',
    'Answer | Zentrum Paul Klee: 0.5 hours from Bern.',
  ]);
  // The conversation of the last task contains only its own branch.
  const last = page.locator('.run-tree li.task').last();
  await last.getByText('4 messages to the model').click();
  const told = await last.locator('.conversation').innerText();
  assert.match(told, /Name a museum near Bern/);
  assert.doesNotMatch(told, /Zermatt|mountain/);
  await picture(page, 'dml-back');
  await leave(page);
});

test('what a tool of the program does is under its call, and an error in a result is reported to the model', async () => {
  const page = await visitors.open();
  await openExample(page, 'Change');
  assert.equal(await run(page), 'done');
  const lines = await tree(page);
  const call = lines.findIndex((line) => line.includes('Tool | change'));
  assert.deepEqual(lines.slice(call, call + 2), [
    '  Tool | change | arg1: "185" | → 3 of 50, 1 of 20, 1 of 10, 1 of 5',
    '    Log | 6 coins are enough.',
  ]);
  await openExample(page, 'People');
  assert.equal(await run(page), 'done');
  assert.match((await tree(page)).join('\n'), /failed: Ages\[0\] must be an integer, not "36"; call set_result again/);
  await leave(page);
});

test('the user is asked, and a no makes the program take another way', async () => {
  const page = await visitors.open();
  await openExample(page, 'Dinner');
  await start(page);
  for (const [question, answer] of [
    [/kitchen/, 'rice'],
    [/^The program asks: Risotto/, 'no'],
    [/^The program asks: Rice pudding/, 'yes'],
  ]) {
    await page.getByLabel(question).fill(answer);
    await page.keyboard.press('Enter');
  }
  assert.equal(await over(page), 'done');
  assert.equal(await page.locator('.run .verdict').innerText(), 'Rice pudding it is. Enjoy your meal!');
  assert.equal(await page.locator('.run-tree > .undone').count(), 2);
  // Nobody answers: the question fails.
  await start(page);
  await page.getByRole('button', { name: 'No answer' }).click();
  assert.equal(await over(page), 'done');
  assert.equal(await page.locator('.run .verdict').innerText(), 'Then let us go out.');
  await leave(page);
});

test('the person is the model', async () => {
  const page = await visitors.open();
  await openExample(page, 'A day trip');
  await page.getByLabel('Model', { exact: true }).selectOption('You are the model');
  await start(page);
  const turn = page.locator('.asking');
  await turn.getByText('Name a mountain near Bern').first().waitFor();
  assert.equal(await turn.evaluate((one) => getComputedStyle(one).borderTopLeftRadius), '10px');
  await turn.getByRole('combobox', { name: 'Call a tool' }).selectOption('finish');
  await turn.getByLabel('success').selectOption('false');
  await turn.getByLabel('Say').fill('No mountains today.');
  await turn.getByRole('button', { name: 'Send', exact: true }).click();
  await turn.getByText('Name a lake near Bern').first().waitFor();
  assert.equal(await turn.getByRole('combobox', { name: 'Call a tool' }).inputValue(), 'set_result');
  await turn.getByLabel('value').fill('Thun');
  await page.keyboard.press('Enter');
  await turn.getByText('"result":true').first().waitFor();
  await page.keyboard.press('Tab');
  await turn.getByRole('button', { name: 'Send', exact: true }).click();
  await turn.getByText('How many hours is it to Thun').first().waitFor();
  await turn.getByLabel('value').fill('0.5');
  await page.keyboard.press('Enter');
  await turn.getByText('"result":true').first().waitFor();
  await turn.getByRole('button', { name: 'Send', exact: true }).click();
  assert.equal(await over(page), 'done');
  assert.equal(await page.locator('.run .verdict').innerText(), 'Thun: 0.5 hours from Bern.');
  assert.match((await tree(page)).join('\n'), /Model \| No mountains today\.\n/);
  await leave(page);
});

test('the model of the browser is offered if there is one', async () => {
  const bare = await visitors.newcomer();
  await bare.addInitScript(() => delete globalThis.LanguageModel);
  const without = await visitors.tab(bare);
  await openExample(without, 'People');
  assert.deepEqual(await without.getByLabel('Model', { exact: true }).locator('option').allInnerTexts(), [
    'A script',
    'You are the model',
    'An endpoint (Ollama, OpenAI and others)',
  ]);
  await leave(without);
  const context = await visitors.newcomer();
  await context.addInitScript(() => {
    const replies = [
      { tool: 'set_result', arguments: { variable: 'Bird', value: 'owl' } },
      { tool: 'finish', arguments: { success: true } },
    ];
    globalThis.LanguageModel = {
      availability: async () => 'available',
      create: async () => ({ prompt: async () => JSON.stringify(window.reply(replies.shift())), destroy() {} }),
    };
    window.reply = ({ tool, arguments: args }) => ({ calls: [{ tool, args }] });
  });
  const page = await visitors.tab(context);
  await program(page, 'agent_main :- task("Name a bird.", string(Bird)), answer("It is the {Bird}.").\n');
  await page.getByLabel('Model', { exact: true }).selectOption("This browser's model");
  assert.equal(await run(page), 'done');
  assert.equal(await page.locator('.run .verdict').innerText(), 'It is the owl.');
  await leave(page);
});

test('what hornbook check finds is underlined, and the form has the parameters of the program', async () => {
  const page = await visitors.open();
  await program(
    page,
    ':- param("style", "How to say it", "short").\nagent_main(Ž, Topic) :-\n    findd(Ž, X), exec(nosuch(X), _),\n    task("Tell of {Topic} and {Other}.").\n',
  );
  await page.locator('.program .problems li').nth(2).waitFor();
  assert.match(await page.locator('.program .problems').innerText(), /3:\d+\s+The predicate findd\/2 is not defined\./);
  const underlined = await page.locator('.program .cm-lintRange-error').allInnerTexts();
  assert.ok(underlined.includes('findd'), underlined.join());
  assert.deepEqual(
    await page
      .locator('[data-parameter]')
      .evaluateAll((all) => all.map((one) => one.closest('label').innerText.replace(/\s+/g, ' ').trim())),
    ['Ž', 'Topic', 'style optional'],
  );
  await page.locator('.program .problems li button').first().click();
  await page.keyboard.insertText('%');
  await page.locator('.program .problems').getByText('findd').waitFor({ state: 'detached' });
  await picture(page, 'dml-problems');
  await leave(page);
});

test('a run that is started at once has the parameters of its program, however long it takes to find them', async () => {
  const context = await visitors.newcomer();
  await context.addInitScript(() => {
    const { postMessage } = Worker.prototype;
    Worker.prototype.postMessage = function (...values) {
      setTimeout(() => postMessage.apply(this, values), 300);
    };
  });
  const page = await visitors.tab(context);
  await openExample(page, 'Change');
  assert.equal(await run(page), 'done');
  await leave(page);
});

test('an endless program is stopped, budgets end runs, and errors are reported', async () => {
  const page = await visitors.open();
  await program(page, 'agent_main :- yield("on its way"), repeat, fail.\n');
  await start(page);
  await page.locator('.run-tree .told.output').waitFor();
  await panel(page, 'History');
  await panel(page, 'DML');
  await page.getByRole('button', { name: 'Stop' }).click();
  assert.equal(await over(page), 'stopped');
  await page.getByText('Limits').click();
  await page.getByLabel('Inferences').fill('100000');
  assert.equal(await run(page), 'error');
  assert.match(await page.locator('.run .fault').innerText(), /^Gas exhausted/);
  await page.getByLabel('Inferences').fill('many');
  await start(page);
  await page.getByText('Inferences: enter a whole number, or leave it empty.').first().waitFor();
  await page.getByLabel('Inferences').fill('');
  await program(page, 'agent_main(X) :- answer("{X}").\n');
  assert.equal(await run(page), 'error');
  assert.match(
    await page.locator('.run .fault').innerText(),
    /The program has agent_main\(X\)\. No parameters were given\./,
  );
  await page.getByLabel('X', { exact: true }).fill('[1, 2]');
  assert.equal(await run(page), 'done');
  assert.equal(await page.locator('.run .verdict').innerText(), '[1,2]');
  await program(page, 'agent_main :- task("x").\n');
  await page.getByText('Script of the model').click();
  await page.getByLabel('Turns of the script, as JSON').fill('[{"text": ');
  await start(page);
  await page.getByText('The script is not valid JSON.').first().waitFor();
  for (const script of ['null', '[null]', '[5]']) {
    await page.getByLabel('Turns of the script, as JSON').fill(script);
    await start(page);
    await page
      .getByText(/^The script must be a list of turns/)
      .last()
      .waitFor();
  }
  await page.getByLabel('Turns of the script, as JSON').fill('[{"calls": [{"tool": "finish", "args": null}]}]');
  assert.equal(await run(page), 'done');
  // Recordings are checked as well.
  for (const entry of [
    'null',
    '5',
    '{"kind": "run", "version": 1, "code": "", "params": null, "args": null, "seed": null}',
  ]) {
    await page
      .getByLabel('Recording', { exact: true })
      .setInputFiles({ name: 'run.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(`${entry}\n`) });
    await page.waitForFunction(() => document.querySelector('.fault, .toast.error'));
  }
  await leave(page);
});

test('a program that ended without its model is not shown as a success', async () => {
  const page = await visitors.open();
  await openExample(page, 'A day trip');
  await page.getByText('Script of the model').click();
  await page.getByLabel('Turns of the script, as JSON').fill('[]');
  assert.equal(await run(page), 'failed');
  assert.match(await page.locator('.run .status').innerText(), /^failed: its model could not be asked/);
  assert.equal(await page.locator('.run .verdict.yes').count(), 0);
  assert.equal(await page.locator('.run .fault').innerText(), 'The model failed: the script has 0 turns only.');
  assert.equal(
    await page.locator('.run .verdict').innerText(),
    'What the program says without it: There is nothing near Bern.',
  );
  await leave(page);
});

test('a run is recorded, and replayed without its model and its user', async () => {
  const page = await visitors.open();
  await openExample(page, 'Dinner');
  await start(page);
  for (const [question, answer] of [
    [/kitchen/, 'rice'],
    [/Risotto: shall/, 'yes'],
  ]) {
    await page.getByLabel(question).fill(answer);
    await page.keyboard.press('Enter');
  }
  await over(page);
  await page.locator('.run-tree .run-line', { hasText: 'Risotto it is' }).waitFor();
  const told = await tree(page);
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Download recording' }).click(),
  ]);
  assert.equal(download.suggestedFilename(), 'run.jsonl');
  const recording = readFileSync(await download.path(), 'utf8');
  assert.equal(JSON.parse(recording.trim().split('\n').at(-1)).kind, 'end');
  await page.getByLabel('Turns of the script, as JSON').evaluate((script) => (script.value = ''));
  await page
    .getByLabel('Recording', { exact: true })
    .setInputFiles({ name: 'run.jsonl', mimeType: 'application/jsonl', buffer: Buffer.from(recording) });
  await page.locator('.run .verdict').getByText('Risotto it is').waitFor();
  await page.locator('.run .status').getByText('a recording: nothing was asked again').waitFor();
  assert.equal(await over(page), 'done');
  assert.deepEqual(await tree(page), told);
  // And stepped through, without asking anybody.
  await page.getByRole('button', { name: 'Step through' }).click();
  const { now, to, replay } = scrubbed(page);
  await to(Number(await replay.getByRole('slider').getAttribute('max')) + 1);
  assert.match(await now(), /^Answer Risotto it is/);
  await page
    .getByLabel('Recording', { exact: true })
    .setInputFiles({ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('none') });
  await page.getByText('notes.txt is not a recording of a run.').first().waitFor();
  await leave(page);
});

const scrubbed = (page) => {
  const replay = page.locator('.dml .replay');
  const words = async (selector) => (await replay.locator(selector).innerText()).replaceAll(/\s+/g, ' ').trim();
  return {
    replay,
    now: () => words('.replay-now'),
    bound: () => words('.replay-values'),
    to: (step) => replay.getByRole('slider', { name: 'Step' }).fill(String(step - 1)),
    on: () => replay.getByRole('button', { name: 'Step', exact: true }).click(),
    back: () => replay.getByRole('button', { name: 'Back' }).click(),
    pointed: () => page.locator('.program .cm-pointed').innerText(),
  };
};

/** A run of an example, ready to be stepped through. */
async function stepped(page, name) {
  await openExample(page, name);
  await run(page);
  await page.getByRole('button', { name: 'Step through' }).click();
  return scrubbed(page);
}

test('a run is stepped through forwards and backwards, with its lines, its values, and what it backtracked over', async () => {
  const page = await visitors.open();
  const { replay, now, bound, on, back, to, pointed } = await stepped(page, 'A day trip');
  assert.match(await now(), /^Log Trying a mountain\. line \d+ 1 of \d+$/);
  assert.match(await pointed(), /Trying a/);
  await on();
  assert.match(await now(), /^Task Name a mountain near Bern\. Place: string line 9 /);
  assert.match(await pointed(), /task\("Name a/);
  assert.equal(await replay.locator('.replay-values').count(), 0);
  const last = Number(await replay.getByRole('slider').getAttribute('max')) + 1;
  const all = [];
  for (let step = 1; step <= last; step += 1) {
    await to(step);
    all.push(await now());
  }
  const gone = all.findIndex((text) => text.startsWith('back '));
  assert.match(
    all[gone],
    /^back The program backtracked from line 10 to line 9, before “Name a mountain near Bern\.”: 2 steps are undone\. Undone: Place = "Zermatt", Hours = 2\.5 line 9 /,
  );
  // Within a task are the steps of its model.
  const inside = all.findIndex((text) => text.startsWith('Tool set_result'));
  await to(inside + 1);
  assert.deepEqual(await replay.locator('.replay-frames li').allInnerTexts(), ['Task Name a mountain near Bern.']);
  // The values are there before the program backtracks and gone after it; and back again.
  await to(gone);
  assert.equal(await bound(), 'Place "Zermatt" Hours 2.5');
  await on();
  assert.equal(await replay.locator('.replay-values').count(), 0);
  await picture(page, 'dml-replay');
  await back();
  assert.equal(await bound(), 'Place "Zermatt" Hours 2.5');
  await to(last);
  assert.match(await now(), /^Answer Zentrum Paul Klee: 0\.5 hours from Bern\. line \d+ /);
  assert.equal(await bound(), 'Place "Zentrum Paul Klee" Hours 0.5');
  // A breakpoint.
  await to(1);
  await page.locator('.program .cm-lineNumbers .cm-gutterElement', { hasText: /^10$/ }).click();
  await replay.getByRole('button', { name: 'To breakpoint' }).click();
  assert.match(await now(), /^Task How many hours is it to Zermatt\? Hours: number line 10 /);
  await page.getByRole('button', { name: 'Step through' }).click();
  assert.equal(await replay.count(), 0);
  // When stepping has ended, no line is marked.
  assert.equal(await page.locator('.program .cm-pointed').count(), 0);
  await leave(page);
});

test('an error is a sentence, with a button that leads to its line', async () => {
  const page = await visitors.open();
  await program(page, 'agent_main :-\n  p(foo).\n\np(X) :-\n  Y is X + 1,\n  answer(Y).\n');
  assert.equal(await run(page), 'error');
  const fault = await page.locator('.run .fault').innerText();
  assert.equal(fault, 'Type error: evaluable expected, found foo/0 (in p/1).');
  await page.getByRole('button', { name: 'Go to line 4' }).click();
  const at = await page.evaluate(() => getSelection().anchorNode.parentElement.closest('.cm-line').innerText);
  assert.equal(at, 'p(X) :-');
  await leave(page);
});

test('even a step without text is linked to its line, and so is output', async () => {
  const page = await visitors.open();
  const code = [
    'agent_main :-',
    '  write(a), nl,',
    '  concurrent_maplist([X]>>output("{X}"), [1, 2]),',
    '  ( first_solution(_, [fail], []) ; first_solution(X, [X = 1], []) ),',
    '  log(end).',
  ];
  await program(page, `${code.join('\n')}\n`);
  assert.equal(await run(page), 'done');
  const links = page.locator('.run-tree .place');
  assert.deepEqual(
    await links.evaluateAll((all) =>
      all.map(
        (link) =>
          `${link.innerText}: ${link.parentElement.querySelector('.run-line').innerText.replace(/\s+/g, ' ').trim()}`,
      ),
    ),
    [
      'line 2: Output a',
      'line 3: Concurrent 2 goals done',
      'line 4: Concurrent 1 goal failed: There is no solution.',
      'line 4: Concurrent 1 goal → gave the answer of goal 1',
      'line 5: Log end',
    ],
  );
  await links.nth(1).click();
  const at = await page.evaluate(() => getSelection().anchorNode.parentElement.closest('.cm-line').innerText);
  assert.equal(at, code[2]);
  await leave(page);
});

test('a long run can be stepped through up to a limit that is shown', async () => {
  const page = await visitors.open();
  // What a cleanup reports is shown at once.
  await program(page, 'agent_main :- setup_call_cleanup(true, true, forall(between(1, 2100, N), log(N))), log(end).\n');
  assert.equal(await run(page), 'done');
  await page.getByRole('button', { name: 'Step through' }).click();
  const { replay, now, to } = scrubbed(page);
  await replay.getByText('The first 2,000 steps; the run is longer.').waitFor();
  await to(2000);
  assert.match(await now(), /^Log 2000 line 1 2000 of 2000$/);
  await leave(page);
});

test('DML can be used with the keyboard, and without a network', async () => {
  const page = await offline(visitors);
  await page.keyboard.press('Alt+5');
  await page.getByLabel('City').waitFor();
  await page.keyboard.press('Alt+5');
  await page.waitForFunction(() => document.activeElement.matches('.dml select'));
  await page.getByRole('button', { name: 'Run', exact: true }).focus();
  await page.keyboard.press('Enter');
  assert.equal(await over(page), 'done');
  await page.locator('.run-tree summary').first().focus();
  await page.keyboard.press('Enter');
  assert.equal(
    await page
      .locator('.run-tree li.task details')
      .first()
      .evaluate((one) => one.open),
    false,
  );
  await leave(page);
});

for (const { name, options, look } of looks) {
  test(`axe-core finds nothing in DML, ${name}`, async () => {
    const page = await visitors.open(options);
    await openExample(page, 'A day trip');
    await page.getByText('Script of the model').click();
    await page.getByText('Limits').click();
    await look(page, 'dml');
    await run(page);
    await page.locator('.conversation summary').first().click();
    await page.locator('.run').evaluate((one) => one.scrollIntoView({ block: 'start' }));
    await look(page, 'dml-run');
    await page.getByRole('button', { name: 'Step through' }).click();
    await page.locator('.replay').getByRole('slider').fill('7');
    await look(page, 'dml-replay');
    await page.getByRole('button', { name: 'Step through' }).click();
    await page.getByLabel('Model', { exact: true }).selectOption('You are the model');
    await start(page);
    await page.locator('.asking').waitFor();
    await look(page, 'dml-person');
    await page.getByRole('button', { name: 'Stop' }).click();
    await page.locator('.asking').waitFor({ state: 'detached' });
    await program(page, 'agent_main :- nosuch, exec(t, X), answer(X).\n');
    await page.locator('.program .problems li').first().waitFor();
    assert.equal(await run(page), 'error');
    await look(page, 'dml-error');
    await leave(page);
  });
}

test('the steps of a run look the same after the memory was opened', async () => {
  const page = await visitors.open();
  await panel(page, 'Memory');
  await page.getByRole('button', { name: 'Load an example' }).waitFor();
  await panel(page, 'DML');
  await page.getByRole('button', { name: 'Run', exact: true }).click();
  await page.getByRole('button', { name: 'Step through' }).waitFor();
  const log = page.locator('.run-tree .log .run-line').first();
  const [badge, about] = [await log.locator('.badge').boundingBox(), await log.locator('.about').boundingBox()];
  assert.ok(badge.width < 60 && about.y < badge.y + badge.height, JSON.stringify([badge, about]));
  await leave(page);
});
