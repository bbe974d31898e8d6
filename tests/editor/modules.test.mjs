// What the language server knows about modules: a name means the predicate that calling it would reach.
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { directory } from '../node/harness.mjs';
import { Editor } from '../support/editor.mjs';

const ONE = `:- module(one, [walk/2]).
:- include(part).
:- dynamic at/1.

% One further.
step(X, Y) :- Y is X + 1.

walk(X, Z) :- step(X, Y), turn(Y, Z), at(Z).
`;
const PART = `turn(X, Y) :- step(X, Y), append(X, Y).
append(_, _).
append(_, _, _).
`;
const TWO = `:- module(two, [run/1]).

step(X, Y) :- Y is X * 2.

run(Y) :- step(1, X), walk(X, Y).
`;
const PLAIN = `step(0, 0).

all(X) :- step(X, X), walk(X, X), one:step(X, 1), two:step(X, 1), one:walk(X, 1), append([], [], X).
one:at(1).
`;
const CALLER = `calls(X) :- run(X), at(X), one:nothing, one:at(X).
`;
const files = { 'one.pl': ONE, 'part.pl': PART, 'two.pl': TWO, 'plain.pl': PLAIN, 'caller.pl': CALLER };

/** `one.pl:4:0` for each place, sorted by name. */
const places = (found) =>
  found.map(({ uri, range }) => `${uri.split('/').at(-1)}:${range.start.line}:${range.start.character}`).sort();
const edited = ({ changes }) =>
  Object.entries(changes)
    .flatMap(([uri, edits]) => places(edits.map(({ range }) => ({ uri, range }))))
    .sort();

describe('files of modules', () => {
  let editor;
  const at = (method, name, mark, more, by) => editor.at(`textDocument/${method}`, name, files[name], mark, more, by);
  const references = async (name, mark, by) =>
    places(await at('references', name, mark, { context: { includeDeclaration: true } }, by));
  const definition = async (name, mark, by) => places(await at('definition', name, mark, {}, by));
  const rename = (name, mark, newName, by) => at('rename', name, mark, { newName }, by);

  before(async () => {
    editor = await Editor.start(directory(files));
    // Some are open, and some exist only on disk.
    for (const name of ['one.pl', 'plain.pl', 'part.pl']) await editor.open(name, files[name]);
  });
  after(async () => assert.equal(await editor.close(), 0));

  test('a private predicate belongs to its file, wherever another file names its module', async () => {
    const own = ['one.pl:5:0', 'one.pl:7:14', 'part.pl:0:14', 'plain.pl:2:38'];
    assert.deepEqual(await references('one.pl', 'step(X, Y) :-'), own);
    assert.deepEqual(await references('part.pl', 'step'), own);
    assert.deepEqual(await references('plain.pl', 'one:step', 4), own);
    assert.deepEqual(await definition('plain.pl', 'one:step', 4), ['one.pl:5:0']);
    assert.deepEqual(await references('plain.pl', 'two:step', 4), ['plain.pl:2:54', 'two.pl:2:0', 'two.pl:4:10']);
    assert.deepEqual(await references('plain.pl', 'step(0'), ['plain.pl:0:0', 'plain.pl:2:10']);
  });

  test('an exported one can be called by its name, or qualified', async () => {
    const all = ['one.pl:0:16', 'one.pl:7:0', 'plain.pl:2:22', 'plain.pl:2:70', 'two.pl:4:22'];
    assert.deepEqual(await references('plain.pl', 'one:walk', 4), all);
    assert.deepEqual(await references('one.pl', 'walk/2'), all);
    assert.deepEqual(await definition('plain.pl', 'walk'), ['one.pl:7:0']);
  });

  test('an included file has the predicates of the module, and the module has those of the file', async () => {
    assert.deepEqual(await definition('one.pl', 'turn'), ['part.pl:0:0']);
    assert.deepEqual(await definition('part.pl', 'append(X, Y)'), ['part.pl:1:0']);
    const { contents } = await at('hover', 'plain.pl', 'append([]');
    assert.match(contents.value, /SWI-Prolog/);
  });

  test('clauses of a module in another file are found along with its own', async () => {
    assert.deepEqual(await references('one.pl', 'at/1'), [
      'caller.pl:0:44',
      'one.pl:2:11',
      'one.pl:7:38',
      'plain.pl:3:4',
    ]);
    assert.deepEqual(await definition('one.pl', 'at(Z)'), ['plain.pl:3:4']);
  });

  test('hover shows the predicate that is meant', async () => {
    const hover = async (name, mark, by) => (await at('hover', name, mark, {}, by)).contents.value;
    assert.match(await hover('one.pl', 'step(X, Y),'), /step\(A, B\).*One further.*1 clause, line 6\*$/s);
    assert.match(await hover('plain.pl', 'one:step', 4), /one:step\(A, B\).*1 clause, line 6 of one.pl/s);
    assert.match(await hover('plain.pl', 'step(X, X)'), /1 clause, line 1\*$/);
  });

  test('a goal that is private to a module is reported as undefined, with the way to reach it', async () => {
    const problems = await editor.open('caller.pl', CALLER);
    assert.deepEqual(
      problems.map(({ severity, message }) => `${severity} ${message}`),
      [
        '3 at/1 is of the module one (one.pl), which does not export it: call one:at(A) or export it.',
        '3 one:nothing/0 is not defined here.',
      ],
    );
  });

  test('a file may name its own module and those of others', async () => {
    assert.deepEqual(await editor.change('plain.pl', PLAIN, 2), []);
    assert.deepEqual(await editor.open('two.pl', TWO), []);
    assert.deepEqual(await editor.open('own.pl', ':- module(own, []).\na :- own:b, two:step(_, _).\nb.\n'), []);
  });

  test('a module may privately redefine what a library defines', async () => {
    assert.deepEqual(await editor.change('part.pl', PART, 2), []);
    const [shadowed] = await editor.open('shadows.pl', 'append(_, _, _).\n');
    assert.equal(shadowed.code, 'shadowed');
    assert.deepEqual(await editor.change('shadows.pl', 'shadows.\n', 2), []);
  });

  test('completion offers the names that can be called at that point', async () => {
    const complete = async (text, by = text.length - 2) => {
      await editor.open('complete.pl', text);
      const { items } = await editor.at('textDocument/completion', 'complete.pl', text, text, {}, by);
      editor.notify('textDocument/didClose', { textDocument: { uri: editor.uri('complete.pl') } });
      return items
        .filter(({ labelDetails }) => labelDetails?.description === undefined)
        .map(({ label, labelDetails }) => label + labelDetails.detail)
        .sort();
    };
    assert.deepEqual(await complete('c :- tu.\n'), []);
    assert.deepEqual(await complete('c :- wal.\n'), ['walk/2']);
    assert.deepEqual(await complete('c :- one:tu.\n'), ['turn/2']);
    assert.deepEqual(await complete('c :- one:.\n'), ['append/2', 'append/3', 'at/1', 'step/2', 'turn/2', 'walk/2']);
    assert.deepEqual(await complete(':- module(three, []).\nc :- mine.\nmineral.\n', 31), ['mineral/0']);
  });

  test('the symbols of a file have plain names, those of the workspace qualified ones', async () => {
    const textDocument = { uri: editor.uri('one.pl') };
    const symbols = await editor.request('textDocument/documentSymbol', { textDocument });
    assert.deepEqual(
      symbols.map(({ name }) => name),
      ['step/2', 'walk/2'],
    );
    const names = async (query) => (await editor.request('workspace/symbol', { query })).map(({ name }) => name).sort();
    assert.deepEqual(await names('step'), ['one:step/2', 'step/2', 'two:step/2']);
    assert.deepEqual(await names('turn'), ['one:turn/2']);
    assert.deepEqual(await names('walk'), ['walk/2']);
  });

  test('a rename changes the predicate that is meant, and no other', async () => {
    const own = ['one.pl:5:0', 'one.pl:7:14', 'part.pl:0:14', 'plain.pl:2:38'];
    assert.deepEqual(edited(await rename('one.pl', 'step(X, Y) :-', 'move')), own);
    assert.deepEqual(edited(await rename('plain.pl', 'one:step', 'move', 4)), own);
    assert.deepEqual(edited(await rename('plain.pl', 'step(0', 'move')), ['plain.pl:0:0', 'plain.pl:2:10']);
    assert.deepEqual(edited(await rename('one.pl', 'walk(X, Z)', 'go')), [
      'one.pl:0:16',
      'one.pl:7:0',
      'plain.pl:2:22',
      'plain.pl:2:70',
      'two.pl:4:22',
    ]);
    await assert.rejects(rename('one.pl', 'step(X, Y) :-', 'turn'), /already defines turn\/2/);
    await assert.rejects(rename('two.pl', 'step(X, Y) :-', 'walk'), /already calls walk\/2, another predicate/);
    await assert.rejects(rename('caller.pl', 'at(X)', 'near'), /at\/1 is not defined here/);
  });

  test('if two modules export the same name, each means its own, and other files that of the file they load', async () => {
    const texts = {
      'left.pl': ':- module(left, [side/1]).\nside(left).\nhere :- side(_).\n',
      'right.pl': ':- module(right, [side/1]).\nside(right).\n',
      'both.pl': 's(X) :- side(X), left:side(X).\n',
      'lefty.pl': ':- use_module(left, [side/1]).\ns(X) :- side(X).\n',
    };
    for (const [name, text] of Object.entries(texts)) await editor.open(name, text);
    const definition = async (name, mark, by) =>
      places(await editor.at('textDocument/definition', name, texts[name], mark, {}, by));
    assert.deepEqual(await definition('left.pl', 'side(_)'), ['left.pl:1:0']);
    assert.deepEqual(await definition('both.pl', 'side(X)'), ['left.pl:1:0', 'right.pl:1:0']);
    assert.deepEqual(await definition('both.pl', 'left:side', 5), ['left.pl:1:0']);
    assert.deepEqual(await definition('lefty.pl', 'side(X)'), ['left.pl:1:0']);
    const context = { includeDeclaration: true };
    const found = await editor.at('textDocument/references', 'right.pl', texts['right.pl'], 'side(right)', { context });
    assert.deepEqual(places(found), ['both.pl:0:8', 'right.pl:0:18', 'right.pl:1:0']);
    await assert.rejects(
      editor.at('textDocument/rename', 'both.pl', texts['both.pl'], 'side(X)', { newName: 'edge' }),
      /Several files define side\/1/,
    );
  });

  test('a query in a comment of a file runs in its module', async () => {
    const text = ':- module(asked, [p/1]).\np(X) :- q(X), r(X).\nq(1).\nq(2).\nr(_).\n% ?- q(X).\n';
    await editor.open('asked.pl', text);
    const ask = (uri, goal) => editor.request('hornbook/ask', { uri: editor.uri(uri), goal, take: 5 });
    for (const [goal, answers] of [
      ['q(X)', ['X = 1', 'X = 2']],
      ['q(X), X > 1 ; r(X)', ['X = 2', 'true']],
      ['p(X)', ['X = 1', 'X = 2']],
    ]) {
      const asked = await ask('asked.pl', goal);
      assert.deepEqual(
        [asked.error, asked.faults, asked.answers.map(({ text }) => text)],
        [undefined, [], answers],
        goal,
      );
    }
    assert.doesNotMatch((await ask('asked.pl', 'q(X')).error, /asked/);
    const { steps } = await editor.request('hornbook/prove', { uri: editor.uri('asked.pl'), goal: 'q(X)', answer: 2 });
    assert.deepEqual(steps.at(-1).line, 4);
  });

  test('files share what they declare as multifile', async () => {
    const shared = ':- multifile hook/1.\nhook(1).\n';
    await editor.open('m1.pl', shared);
    await editor.open('m2.pl', `:- module(m2, []).\n${shared}`);
    await editor.open('m3.pl', 'h :- hook(1).\n');
    const found = await editor.at('textDocument/definition', 'm3.pl', 'h :- hook(1).\n', 'hook');
    assert.deepEqual(places(found), ['m1.pl:1:0', 'm2.pl:2:0']);
  });

  test('there were no complaints', () => assert.equal(editor.stderr, ''));
});

test('requests that come before the files of the workspace are read wait for them', async () => {
  const many = Object.fromEntries(Array.from({ length: 300 }, (_, n) => [`f${n}.pl`, `f${n}(X) :- walked(X).\n`]));
  const editor = await Editor.start(directory({ ...many, 'walked.pl': 'walked(1).\n' }));
  const text = 'all(X) :- walked(X).\n';
  void editor.open('all.pl', text);
  const more = { context: { includeDeclaration: true } };
  assert.equal((await editor.at('textDocument/references', 'all.pl', text, 'walked', more)).length, 302);
  assert.equal(await editor.close(), 0);
});
