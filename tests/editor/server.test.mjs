// `hornbook lsp`, the language server, as an editor uses it.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { BIN, directory } from '../node/harness.mjs';
import { Hornbook, NodeHost, loadCrate } from '../../pkg/node.js';
import { Editor } from '../support/editor.mjs';

const FAMILY = `:- module(family, [ancestor/2, parent/2]).
:- use_module(library(lists)).

%!  ancestor(?Old, ?Young) is nondet.
%
%   Old comes before Young.
%
%   @param Old is a person

ancestor(X, Y) :- parent(X, Y).
ancestor(X, Z) :-
    parent(X, Y),
    ancestor(Y, Z).

% A parent and a child.
parent(tom, bob).
parent(bob, ann).

all(Names) :- findall(N, ancestor(tom, N), Names), length(Names, _).

% ?- ancestor(tom, Who).
% ?- member(X, [1,2]),
%    X > 1.
`;
const OTHER = `:- use_module(family).

olds(Xs) :- findall(X, ancestor(X, ann), Xs).
`;

const start = (line, character) => ({ line, character });
const ranges = (found) => found.map(({ range }) => `${range.start.line}:${range.start.character}`);

describe('a workspace', () => {
  let editor;
  before(async () => {
    editor = await Editor.start(directory({ 'family.pl': FAMILY, 'other.pl': OTHER }), { options: { lenses: true } });
    assert.deepEqual(await editor.open('family.pl', FAMILY), []);
  });
  after(async () => assert.equal(await editor.close(), 0));

  test('an error is underlined during typing, and goes when it is fixed', async () => {
    await editor.open('typed.pl', 'a(1).\n');
    const [error] = await editor.change('typed.pl', 'b', 2, { start: start(0, 2), end: start(0, 3) });
    assert.equal(error, undefined);
    const [broken] = await editor.change('typed.pl', 'a(b.\nc(X) :- d(X).\n', 3);
    assert.deepEqual([broken.severity, broken.source, broken.range.start.line], [1, 'SWI-Prolog', 0]);
    const [singleton] = await editor.change('typed.pl', 'a(X).\n', 4);
    assert.deepEqual([singleton.severity, singleton.code], [2, 'singleton']);
    assert.deepEqual(singleton.range, { start: start(0, 2), end: start(0, 3) });
    const textDocument = { uri: editor.uri('typed.pl') };
    const [fix] = await editor.request('textDocument/codeAction', {
      textDocument,
      range: singleton.range,
      context: { diagnostics: [singleton] },
    });
    assert.equal(fix.edit.changes[textDocument.uri][0].newText, '_X');
    assert.deepEqual(await editor.change('typed.pl', 'a(_X).\n', 5), []);
  });

  test('what only the book refuses is a warning, and an undefined goal is reported', async () => {
    const [refused, unknown, ...others] = await editor.open(
      'goals.pl',
      'a :- shell(ls).\nb :- nobody(1), format("x").\n',
    );
    assert.deepEqual([refused.severity, refused.code, refused.range.start.character], [2, 'unsafe_goal', 5]);
    assert.deepEqual([unknown.severity, unknown.message], [3, 'nobody/1 is not defined here.']);
    assert.deepEqual(others, []);
  });

  test('an undefined goal is told with what it may mean, also while another clause cannot be read', async () => {
    const of = (problems) => problems.filter(({ code }) => code === 'undefined');
    const text = 'a(X) :- ancester(X, ann), lenght(X, 1).\n';
    const [near, builtin] = of(await editor.open('slips.pl', text));
    assert.equal(near.message, 'ancester/2 is not defined here. Did you mean ancestor/2?');
    assert.equal(builtin.message, 'lenght/2 is not defined here. Did you mean length/2?');
    const textDocument = { uri: editor.uri('slips.pl') };
    const context = { diagnostics: [near] };
    const [fix] = await editor.request('textDocument/codeAction', { textDocument, range: near.range, context });
    assert.equal(fix.edit.changes[textDocument.uri][0].newText, 'ancestor');
    const broken = of(await editor.change('slips.pl', `${text}b :- nobody(1).\nlenght(_, 1) :- (.\n`, 2));
    assert.deepEqual(
      broken.map(({ message }) => message),
      ['ancester/2 is not defined here. Did you mean ancestor/2?'],
      'the clause that cannot be read may define the others',
    );
  });

  test('a file of the workspace defines what another calls', async () => {
    assert.deepEqual(await editor.open('other.pl', OTHER), []);
    const found = await editor.at('textDocument/definition', 'other.pl', OTHER, 'ancestor(X, ann)');
    assert.deepEqual(new Set(found.map(({ uri }) => uri)), new Set([editor.uri('family.pl')]));
    assert.deepEqual(ranges(found), ['9:0', '10:0']);
    const params = { context: { includeDeclaration: false } };
    const uses = await editor.at('textDocument/references', 'family.pl', FAMILY, 'ancestor(X, Y) :-', params);
    assert.deepEqual(
      uses.map(({ uri, range }) => `${uri.split('/').at(-1)}:${range.start.line}`),
      ['family.pl:0', 'family.pl:12', 'family.pl:18', 'other.pl:2'],
    );
  });

  test('a file written by another program is read again', async () => {
    writeFileSync(join(editor.folder, 'late.pl'), 'late(1).\n');
    const [unknown] = await editor.open('calls.pl', 'a :- late(_).\n');
    assert.equal(unknown.code, 'undefined');
    const published = editor.published(editor.uri('calls.pl'), 1);
    editor.notify('workspace/didChangeWatchedFiles', { changes: [{ uri: editor.uri('late.pl'), type: 1 }] });
    assert.deepEqual(await published, []);
    const found = await editor.at('textDocument/definition', 'calls.pl', 'a :- late(_).\n', 'late');
    assert.deepEqual(ranges(found), ['0:0']);
  });

  test('hover has a sentence for every predicate that may be called', async () => {
    await loadCrate();
    const host = new NodeHost(() => {});
    const hornbook = new Hornbook(host, {});
    await hornbook.refusedLibraries();
    const builtins = hornbook.builtins();
    hornbook.close();
    host.close();
    assert.ok(builtins.length > 800, `${builtins.length}`);
    const named = builtins.filter((indicator) => /^[a-z]\w*\//.test(indicator));
    const goals = named.map((indicator) => {
      const [name, arity] = indicator.split('/');
      return arity === '0' ? name : `${name}(${Array(Number(arity)).fill('_').join(',')})`;
    });
    const text = goals.map((goal, at) => `t${at} :- ${goal}.\n`).join('');
    await editor.open('allowed.pl', text);
    for (const [line, goal] of goals.entries()) {
      const hover = await editor.request('textDocument/hover', {
        textDocument: { uri: editor.uri('allowed.pl') },
        position: start(line, `t${line} :- `.length),
      });
      assert.match(hover?.contents.value ?? '', /\n\n[^*\n].*\.\n\n\*SWI-Prolog\*$/, goal);
    }
  });

  test('hover shows modes, the comment and where the clauses are', async () => {
    const own = await editor.at('textDocument/hover', 'family.pl', FAMILY, 'ancestor(Y, Z)');
    assert.equal(
      own.contents.value,
      '```prolog\nancestor(?Old, ?Young) is nondet\n```\n\nOld comes before Young.\n\n\n*@param* Old is a person\n\n*2 clauses, lines 10, 11*',
    );
    const plain = await editor.at('textDocument/hover', 'family.pl', FAMILY, 'parent(tom');
    assert.equal(
      plain.contents.value,
      '```prolog\nparent(A, B)\n```\n\nA parent and a child.\n\n*2 clauses, lines 16, 17*',
    );
    const builtin = await editor.at('textDocument/hover', 'family.pl', FAMILY, 'findall');
    assert.match(builtin.contents.value, /findall\(\+Template, :Goal, -List\) is det/);
    assert.equal(await editor.at('textDocument/hover', 'family.pl', FAMILY, 'tom'), null);
  });

  test('completion of names, by where they come from', async () => {
    const text = 'run(Names) :- an.\nq(Na).\n:- use_module(library(ap)).\n% an\nr :- writeln("an").\n';
    await editor.open('complete.pl', text);
    const complete = async (mark, by) =>
      (await editor.at('textDocument/completion', 'complete.pl', text, mark, {}, by)).items;
    const [own] = await complete('an.', 2);
    assert.deepEqual(
      [own.label, own.labelDetails.detail, own.insertText],
      ['ancestor', '/2', 'ancestor(${1:A}, ${2:B})'],
    );
    assert.deepEqual(await complete('Na)', 2), []);
    assert.ok((await complete('ap)', 2)).some(({ label }) => label === 'apply'));
    assert.deepEqual(await complete('% an', 4), []);
    assert.deepEqual(await complete('"an"', 3), []);
    const builtins = await complete('writeln', 5);
    assert.ok(builtins.some(({ label, detail }) => label === 'writeln' && detail === 'writeln(+Term) is det'));
  });

  test('symbols, folds and highlights', async () => {
    const textDocument = { uri: editor.uri('family.pl') };
    const symbols = await editor.request('textDocument/documentSymbol', { textDocument });
    assert.deepEqual(
      symbols.map(({ name, detail }) => `${name}, ${detail}`),
      ['ancestor/2, 2 clauses', 'parent/2, 2 clauses', 'all/1, 1 clause'],
    );
    assert.deepEqual(
      symbols[1].children.map(({ name }) => name),
      ['parent(tom, bob)', 'parent(bob, ann)'],
    );
    const found = await editor.request('workspace/symbol', { query: 'anc' });
    assert.deepEqual(
      found.map(({ name }) => name),
      ['ancestor/2'],
    );
    const folds = await editor.request('textDocument/foldingRange', { textDocument });
    assert.deepEqual(
      folds.map(({ startLine, endLine, kind }) => `${startLine}-${endLine} ${kind ?? 'clause'}`),
      ['3-7 comment', '10-12 clause', '20-22 comment'],
    );
    const marks = await editor.at('textDocument/documentHighlight', 'family.pl', FAMILY, 'Y),\n');
    assert.deepEqual(ranges(marks), ['11:14', '12:13']);
  });

  test('colours show what names mean', async () => {
    const text = 'p(X) :- q(\'a b\', X), append(X, [1], _Y), X = "s".\n';
    await editor.open('colours.pl', text);
    const { data } = await editor.request('textDocument/semanticTokens/full', {
      textDocument: { uri: editor.uri('colours.pl') },
    });
    const { tokenTypes, tokenModifiers } = editor.server.capabilities.semanticTokensProvider.legend;
    const tokens = [];
    for (let at = 0, character = 0; at < data.length; at += 5) {
      character += data[at + 1];
      const modifiers = tokenModifiers.filter((_, bit) => data[at + 4] & (1 << bit));
      tokens.push([text.slice(character, character + data[at + 2]), tokenTypes[data[at + 3]], ...modifiers].join(' '));
    }
    assert.deepEqual(tokens, [
      'p function definition',
      'X variable',
      'q function',
      "'a b' enumMember",
      'X variable',
      'append function defaultLibrary',
      'X variable',
      '1 number',
      '_Y variable',
      'X variable',
      '= operator',
      '"s" string',
    ]);
  });

  test('a variable is renamed in its clause, a predicate in its files', async () => {
    const text = 'p(X, Y) :- q(X), r(Y).\nq(X) :- p(X, 1).\nr(_).\ns --> r(s), t.\nt --> [].\n1 likes 2.\n';
    await editor.open('rename.pl', text.replace('1 likes 2.\n', ''));
    const rename = async (mark, newName, by = 0) =>
      (await editor.at('textDocument/rename', 'rename.pl', text, mark, { newName }, by)).changes[
        editor.uri('rename.pl')
      ];
    assert.deepEqual(ranges(await rename('X, Y)', 'Who')), ['0:2', '0:13']);
    assert.deepEqual(ranges(await rename('p(X, 1)', 'pair')), ['0:0', '1:8']);
    assert.equal((await rename('t --> []', 'two words'))[0].newText, "'two words'");
    assert.deepEqual(ranges(await rename('t --> []', 'u')), ['3:12', '4:0']);
    await assert.rejects(rename('X, Y)', 'Y'), /already has a variable Y/);
    await assert.rejects(rename('X, Y)', 'who'), /not a variable name/);
    await assert.rejects(rename('q(X)', 'r'), /already defines r\/1/);
    await assert.rejects(rename('q(X)', 'atom'), /atom\/1 is built into SWI-Prolog/);
    await assert.rejects(rename('1)', 'two'), /Only variables and predicates/);
    await assert.rejects(
      editor.at('textDocument/prepareRename', 'family.pl', FAMILY, 'findall'),
      /findall\/3 is built into SWI-Prolog/,
    );
  });

  test('a query in a comment runs against the text and what it loads', async () => {
    const textDocument = { uri: editor.uri('family.pl') };
    const lenses = await editor.request('textDocument/codeLens', { textDocument });
    for (const name of ['hornbook.ask', 'hornbook.pin'])
      assert.deepEqual(
        lenses.filter(({ command }) => command.command === name).map(({ command }) => command.arguments[0].goal),
        ['ancestor(tom, Who)', 'member(X, [1,2]),\n    X > 1'],
      );
    const uri = editor.uri('other.pl');
    const asked = await editor.request('hornbook/ask', { uri, goal: 'olds(Xs)', take: 5 });
    assert.deepEqual(asked.answers, [{ text: 'Xs = [bob,tom]', output: '' }]);
    const first = await editor.request('hornbook/ask', { uri, goal: 'ancestor(tom, W)', take: 1 });
    assert.deepEqual([first.answers[0].text, first.more], ['W = bob', true]);
    const rest = await editor.request('hornbook/more', { query: first.query, take: 5 });
    assert.deepEqual([rest.answers.map(({ text }) => text), rest.more], [['W = ann'], false]);
    const { steps } = await editor.request('hornbook/prove', { uri, goal: 'ancestor(tom, W)', answer: 2 });
    assert.deepEqual(
      steps.map(({ depth, goal, line }) => `${depth} ${goal} ${line}`),
      ['0 ancestor(tom,ann) 11', '1 parent(tom,bob) 16', '1 ancestor(bob,ann) 10', '2 parent(bob,ann) 17'],
    );
    assert.ok(steps.every((step) => step.uri === editor.uri('family.pl')));
  });

  test('a query sees unsaved text, and reports errors', async () => {
    const uri = editor.uri('draft.pl');
    await editor.open('draft.pl', 'd(1).\nd(.\n');
    const asked = await editor.request('hornbook/ask', { uri, goal: 'd(X)', take: 5 });
    assert.deepEqual(
      asked.answers.map(({ text }) => text),
      ['X = 1'],
    );
    assert.match(asked.faults[0], /^2:/);
    await editor.change('draft.pl', 'd(2).\n', 2);
    const again = await editor.request('hornbook/ask', { uri, goal: 'd(X), write(X)', take: 5 });
    assert.deepEqual([again.answers, again.faults], [[{ text: 'X = 2', output: '2' }], []]);
    const wrong = await editor.request('hornbook/ask', { uri, goal: 'nothing(1)', take: 5 });
    assert.match(wrong.error, /nothing\/1/);
  });

  test('an endless query can be stopped by the client, and nothing else waits for it', async () => {
    const uri = editor.uri('loop.pl');
    const text = 'loop :- loop.\n';
    await editor.open('loop.pl', text);
    const asked = editor.request('hornbook/ask', { uri, goal: 'loop', take: 1 });
    const symbols = await editor.request('textDocument/documentSymbol', { textDocument: { uri } });
    assert.equal(symbols[0].name, 'loop/0');
    editor.notify('$/cancelRequest', { id: editor.idOf(asked) });
    await assert.rejects(asked, /The query was stopped/);
    const after = await editor.request('hornbook/ask', { uri, goal: 'X = 1', take: 1 });
    assert.equal(after.answers[0].text, 'X = 1');
  });

  test('DML programs and workflows are checked, and other YAML is left alone', async () => {
    const [dml] = await editor.open('p.dml', 'agent_main :- nobody(1).\n', 'dml');
    assert.match(dml.message, /nobody\/1/);
    const flow = 'nodes:\n  - name: a\n    rnu: p.\n';
    const [fault] = await editor.open('a.flow.yaml', flow, 'hornbook-workflow');
    assert.deepEqual(fault.range.start, start(2, 4));
    assert.match(fault.message, /unknown key 'rnu'/);
    const good = 'nodes:\n  - name: a\n    uses: notify\n    goto: b\n  - name: b\n    language: prolog\n    run: p.\n';
    assert.deepEqual(await editor.open('b.yaml', good, 'yaml'), []);
    const code = good.replace('run: p.', 'run: |\n      p.\n      q(.');
    const [unread] = await editor.open('d.yaml', code, 'yaml');
    assert.equal(unread.range.start.line, 8);
    assert.deepEqual(await editor.open('c.yaml', 'services:\n  a: 1\n  a: 2\n', 'yaml'), []);
  });

  test('only messages were written, and there were no complaints', () => {
    assert.equal(editor.stderr, '');
  });
});

test('hornbook lsp takes no arguments, and is in the help', () => {
  const run = (...args) => spawnSync(process.execPath, [BIN, ...args], { encoding: 'utf8' });
  const { status, stderr } = run('lsp', 'file.pl');
  assert.deepEqual([status, stderr.trim()], [2, 'hornbook: hornbook lsp takes no arguments. See hornbook --help.']);
  assert.match(run('--help').stdout, /hornbook lsp/);
});

test('a text of 10,000 clauses can be read', async () => {
  const text = Array.from({ length: 10_000 }, (_, n) => `fact(${n}, item_${n}).\n`).join('');
  const editor = await Editor.start(directory({}));
  assert.deepEqual(await editor.open('large.pl', text), []);
  const [symbol] = await editor.request('textDocument/documentSymbol', {
    textDocument: { uri: editor.uri('large.pl') },
  });
  assert.equal(symbol.detail, '10000 clauses');
  assert.equal(await editor.close(), 0);
});

test('the bundle needs no package', () => {
  const bundle = readFileSync(join(BIN, '..', 'lsp', 'server.bundle.js'), 'utf8');
  assert.doesNotMatch(bundle, /(from|import\()\s*["']vscode-/);
});
