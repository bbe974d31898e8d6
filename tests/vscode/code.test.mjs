// The extension in a real VS Code: what a person who opens a file sees. Pictures are in target/vscode-pictures/.
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { VERSION } from '../../scripts/build.mjs';
import { ROOT } from '../../scripts/steps.mjs';
import { Code } from './harness.mjs';

const VSIX = join(ROOT, 'dist', `hornbook-vscode-${VERSION}.vsix`);
const FILES = {
  'family.pl': `:- module(family, [ancestor/2]).

%!  ancestor(?Old, ?Young) is nondet.
%
%   Old comes before Young.

ancestor(X, Y) :- parent(X, Y).
ancestor(X, Z) :-
    parent(X, Y),
    ancestor(Y, Z).

parent(tom, bob).
parent(bob, ann).

% ?- ancestor(tom, Who).
`,
  'wrong.pl': 'a(b.\nc(X) :- d.\n\nok :- shell(ls).\n',
  'greet.dml': 'agent_main(Name) :-\n    task("Greet {Name}.", string(Text)),\n    answer(Text).\n',
  'old.pl': '#!/usr/bin/perl\nuse strict;\nprint "x";\n',
  'many.pl': `person(${'a'.repeat(60)}).\nperson(${'b'.repeat(60)}).\nperson(${'c'.repeat(60)}).\n\n% ?- person(Who).\n`,
  'sum.flow.yaml':
    'nodes:\n  - name: double\n    run: |\n      state(value, V), W is V * 2, return(value, W).\n  - name: more\n    language: javascript\n    run: |\n      return { value: state.value + 1 };\ninitial_state: { value: 20 }\n',
  'slow.flow.yaml': 'nodes:\n  - name: wait\n    language: prolog\n    run: |\n      sleep(600).\ninitial_state: {}\n',
  'tea.md': '# Tea\n\n```prolog\nlikes(ada, tea).\nlikes(bo, tea).\n```\n\n```query\nlikes(Who, tea)\n```\n',
  'triage.flow.yaml': 'nodes:\n  - name: a\n    run: |\n      p(X) :- q(X).\n      return(a, 1).\n    goto: nowhere\n',
};

for (const [where, settings] of [
  ['desktop', {}],
  // Its part for browsers, in a worker of this one.
  ['browser', { 'remote.extensionKind': { 'hornbook.hornbook': ['ui'] } }],
]) {
  describe(`the extension on a ${where}`, () => {
    let code;
    let page;
    before(async () => {
      code = await Code.start([VSIX], FILES, settings);
      page = code.page;
    });
    after(() => code?.close());

    const language = () => page.locator('#status\\.editor\\.mode').innerText();
    const lens = (title) => page.locator('.codelens-decoration a', { hasText: title }).first();

    test('a .pl is Prolog, and a query in a comment has a lens', async () => {
      await code.open('family.pl');
      await lens('Ask').waitFor();
      assert.match(await language(), /Prolog/);
      await code.picture(`${where}-1-opened`);
    });

    test('the lens shows the answers beside the query', async () => {
      await lens('Ask').click();
      // Decorations are pseudo-elements: their text is in a style sheet.
      await page.waitForFunction(() =>
        [...document.querySelectorAll('.view-line span')].some((span) =>
          getComputedStyle(span, '::after').content.includes('Who = bob'),
        ),
      );
      await code.picture(`${where}-2-answers`);
    });

    test('long answers end where the window ends', async () => {
      await code.open('many.pl');
      await lens('Ask').click();
      await page.waitForFunction(() =>
        [...document.querySelectorAll('.view-line span')].some((span) =>
          getComputedStyle(span, '::after').content.includes('Who = bbb'),
        ),
      );
      const [answers, window] = await page.evaluate(() => {
        const span = [...document.querySelectorAll('.view-line span')].find((one) =>
          getComputedStyle(one, '::after').content.includes('Who = bbb'),
        );
        const right = (element) => element.getBoundingClientRect().right;
        return [right(span), right(span.closest('.overflow-guard'))];
      });
      await code.picture(`${where}-2-long-answers`);
      assert.ok(answers <= window, `${answers} > ${window}`);
      await code.open('family.pl');
    });

    test('the proof of an answer opens beside the text', async () => {
      await lens('Why?').click();
      const proof = page.locator('.editor-group-container', { hasText: 'holds since' });
      await proof.waitFor();
      assert.match((await proof.innerText()).replaceAll('\u00a0', ' '), /parent\(tom,bob\)\. +% family\.pl:12/);
      await code.picture(`${where}-3-proof`);
    });

    test('an error is underlined, a refusal is a warning, Perl stays Perl', async () => {
      await code.open('wrong.pl');
      await page.locator('.squiggly-error').first().waitFor();
      await page.locator('.squiggly-warning').first().waitFor();
      await code.picture(`${where}-4-wrong`);
      await code.open('old.pl');
      await page.locator('#status\\.editor\\.mode', { hasText: 'Perl' }).waitFor();
    });

    test('a workflow is checked', async () => {
      await code.open('triage.flow.yaml');
      await page.locator('.squiggly-error').first().waitFor();
      await code.picture(`${where}-5-workflow`);
    });

    test('the page of queries answers with the files that are open, and proves', async () => {
      await code.open('family.pl');
      await code.command('Hornbook: Open Queries, Proofs and Runs');
      const view = page.frameLocator('iframe.webview').frameLocator('iframe');
      await view.locator('.chip', { hasText: 'ancestor(tom, Who)' }).click();
      const row = view.locator('.cards [data-answer]').first();
      await row.waitFor();
      await row.getByRole('button').click();
      await view.locator('.proof .place').first().waitFor();
      await code.picture(`${where}-6-queries`);
    });

    const view = () => page.frameLocator('iframe.webview').frameLocator('iframe');

    test('the page of queries runs a program that is open, and shows its lines', async () => {
      await code.open('greet.dml');
      await code.command('Hornbook: Open Queries, Proofs and Runs');
      await view().locator('[data-parameter=Name]').fill('Ada');
      await view().getByRole('button', { name: 'Run', exact: true }).click();
      await view().locator('.fault', { hasText: 'The editor has no model' }).waitFor();
      await code.picture(`${where}-7-no-model`);
      await view().getByLabel('Model', { exact: true }).selectOption('script');
      await view().getByText('Script of the model').click();
      const calls = [
        { tool: 'set_result', args: { variable: 'Text', value: 'Hello Ada' } },
        { tool: 'finish', args: { success: true } },
      ];
      await view()
        .getByLabel('Turns of the script')
        .fill(JSON.stringify([{ calls }]));
      await view().getByRole('button', { name: 'Run', exact: true }).click();
      await view().locator('.run .verdict', { hasText: 'Hello Ada' }).waitFor();
      await code.picture(`${where}-8-run`);
    });

    test('the page of queries runs a workflow and a notebook that are open, and shows their lines', async () => {
      await code.open('sum.flow.yaml');
      await code.command('Hornbook: Open Queries, Proofs and Runs');
      await view().locator('.flow-node[data-node=more]').waitFor();
      const panel = view().locator('#panel-workflow');
      await panel.getByRole('button', { name: 'Run', exact: true }).click();
      await panel.locator('.flow-run .status', { hasText: /^done/ }).waitFor();
      assert.deepEqual(await panel.locator('.flow-steps .plus').allInnerTexts(), ['40', '41']);
      await code.picture(`${where}-8-workflow`);
      await code.open('tea.md');
      await code.command('Hornbook: Open Queries, Proofs and Runs');
      await view().getByRole('button', { name: 'Run all' }).click();
      await view().locator('#panel-notebook .cards td, #panel-notebook .card td', { hasText: 'bo' }).first().waitFor();
      await code.picture(`${where}-8-notebook`);
    });

    test('a run that ends because its page is closed is told', async () => {
      await code.open('slow.flow.yaml');
      await code.command('Hornbook: Open Queries, Proofs and Runs');
      await view().locator('.flow-node[data-node=wait]').waitFor();
      await view().locator('#panel-workflow').getByRole('button', { name: 'Run', exact: true }).click();
      await view().locator('.flow-run[data-phase=running]').waitFor();
      await page.locator('.tab', { hasText: 'Hornbook' }).first().click({ button: 'middle' });
      await page.getByText('The run of slow.flow.yaml ended with the page of queries.').first().waitFor();
      await code.picture(`${where}-8-ended`);
    });

    test('a file is as it was earlier, in the editor and not saved', async () => {
      await code.open('many.pl');
      await code.command('Hornbook: Open Queries, Proofs and Runs');
      await view().getByRole('tab', { name: 'History' }).click();
      const saved = view().locator('.revisions summary', { hasText: 'Saved many.pl' });
      await saved.first().waitFor();
      const before = await saved.count();
      await code.open('many.pl');
      await page.keyboard.press('ControlOrMeta+Home');
      await page.keyboard.type('person(zed).\n');
      await code.command('Hornbook: Open Queries, Proofs and Runs');
      await view().getByRole('tab', { name: 'History' }).click();
      await saved.nth(before).waitFor();
      // Whoever types slowly has several revisions on the way; the last of the list has what the file was.
      await saved.last().click();
      await view().getByRole('button', { name: 'One file as it was…' }).click();
      await view().getByRole('button', { name: 'Back to here: many.pl' }).click();
      const text = page.locator('.monaco-editor[data-uri$="/many.pl"] .view-lines');
      await text.filter({ visible: true, hasNotText: 'zed', hasText: 'person(aaa' }).waitFor();
      await page.locator('.tab.dirty', { hasText: 'many.pl' }).first().waitFor();
      await code.picture(`${where}-8-as-it-was`);
    });

    test('the page of queries has a memory, which is kept with the workspace', async () => {
      await view().getByRole('tab', { name: 'Memory' }).click();
      await view().getByRole('button', { name: 'Load an example' }).click();
      await view().locator('#panel-memory svg').first().waitFor();
      await code.picture(`${where}-9-memory`);
      // It is kept when nothing was changed for a while.
      await page.waitForTimeout(2000);
      await page.reload();
      await view().locator('#panel-memory svg').first().waitFor();
      await code.picture(`${where}-10-memory-again`);
    });

    if (where === 'desktop')
      test('agents of the editor see the MCP server, and its book is kept in the folder', async () => {
        await code.command('MCP: List Servers');
        await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Hornbook' }).click();
        await code.picture(`${where}-11-server`);
        await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Start Server' }).click();
        const book = join(code.folder, '.hornbook', 'workspace.book');
        for (let tries = 0; !existsSync(book) && tries < 300; tries += 1) await page.waitForTimeout(200);
        assert.ok(existsSync(book));
        await code.command('MCP: List Servers');
        await page.locator('.quick-input-list .monaco-list-row', { hasText: 'Running' }).waitFor();
        await code.picture(`${where}-12-running`);
      });
  });
}
