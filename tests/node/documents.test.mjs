// Texts that are no clauses are documents of the book, and running code reads them, and files under a root, as files.
import assert from 'node:assert/strict';
import { mkdirSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { after, before, test } from 'node:test';
import { openBook } from '../../pkg/index.js';
import { Server, directory } from './harness.mjs';

/** As people write for Advent of Code. */
const DAY = `
:- use_module(library(dcg/basics)).
:- use_module(library(pure_input)).
pairs([A-B|Ps]) --> integer(A), blanks, integer(B), blanks, !, pairs(Ps).
pairs([]) --> [].
part1(D) :-
    phrase_from_file(pairs(Ps), 'input.txt'),
    pairs_keys_values(Ps, As0, Bs0), msort(As0, As), msort(Bs0, Bs),
    foldl([A,B,S0,S]>>(S is S0 + abs(A-B)), As, Bs, 0, D).
lines(Ls) :- setup_call_cleanup(open('input.txt', read, In), lines(In, Ls), close(In)).
lines(In, Ls) :- read_line_to_string(In, L), ( L == end_of_file -> Ls = [] ; Ls = [L|T], lines(In, T) ).
:- initialization(main).
main :- part1(D), format("Part 1: ~w~n", [D]).
`;
const INPUT = '3   4\n4   3\n2   5\n1   3\n3   9\n3   3\n';

const FILES = { 'day.pl': DAY, 'input.txt': INPUT, 'other.txt': 'other\n', 'data.csv': 'a,b\n1,2\n' };

let server;
before(async () => {
  server = await Server.start({ files: FILES });
  mkdirSync(join(server.directory, 'sub'));
  writeFileSync(join(server.directory, 'sub', 'deep.txt'), 'deep\n');
});
after(() => server.close());

const files = (operation, more = {}) => server.call('files', { operation, ...more });
const ask = async (query) => (await server.call('query_start', { query, take: 50 })).text;
const listed = async () => (await files('list')).data.files.map(({ filename }) => filename);

test('a program reads its input while it is imported, and the book has the input then', async () => {
  const imported = await files('import', { filename: 'day.pl' });
  assert.match(imported.text, /Part 1: 11/);
  const input = join(server.directory, 'input.txt');
  assert.match(imported.text, new RegExp(`Notice: ${input} was read, and is now a document of the book\\.`));
  assert.deepEqual(await listed(), [join(server.directory, 'day.pl'), input]);
  const { text } = await server.ok('workspace', { operation: 'history' });
  assert.match(text, new RegExp(`2 .* import ${input}`));
});

test('what a query reads is what the book has, and not what the disk has now', async () => {
  writeFileSync(join(server.directory, 'input.txt'), '1 1\n');
  assert.match(await ask('part1(D)'), /D = 11/);
  assert.match(
    (await files('reload', { filename: 'input.txt' })).text,
    /Successfully reloaded .*input\.txt as a document/,
  );
  assert.match(await ask('part1(D)'), /D = 0/);
  await server.ok('workspace', { operation: 'undo' });
  assert.match(await ask('part1(D), lines([L|_])'), /D = 11, L = "3 {3}4"/);
});

test('a query that reads a file under a root takes it into the book', async () => {
  const text = await ask("setup_call_cleanup(open('sub/deep.txt', read, S), read_line_to_string(S, L), close(S))");
  assert.match(text, /L = "deep"/);
  assert.match(text, /Notice: .*deep\.txt was read, and is now a document of the book\./);
  assert.ok((await listed()).includes(join(server.directory, 'sub', 'deep.txt')));
  assert.match(await ask('directory_files(sub, L)'), /L = \['deep\.txt'\]/);
  assert.match(await ask("directory_files('.', L)"), /L = \['day\.pl','input\.txt'\]/);
  assert.match(await ask("exists_file('other.txt'), \\+ exists_file(sub), \\+ exists_file('none.txt')"), /true/);
  assert.ok(!(await listed()).includes(join(server.directory, 'other.txt')), 'asking whether it exists reads nothing');
});

test('what is read is kept also when the query fails, once, and not twice', async () => {
  const revisions = async () => Number(/^\d+/.exec((await server.ok('workspace', { operation: 'history' })).text)[0]);
  const before = await revisions();
  assert.match(
    await ask("read_file_to_string('other.txt', S, []), read_file_to_string('other.txt', S, []), fail"),
    /false/,
  );
  assert.equal(await revisions(), before + 1);
  await server.ok('workspace', { operation: 'undo' });
  assert.ok(!(await listed()).includes(join(server.directory, 'other.txt')));
});

test('nothing outside the roots is read, or told apart from what is not there', async () => {
  const outside = directory({ 'secret.txt': 'secret' });
  symlinkSync(join(outside, 'secret.txt'), join(server.directory, 'link.txt'));
  const places = [
    '/etc/passwd',
    '../secret.txt',
    join(outside, 'secret.txt'),
    'link.txt',
    '/no/such/file',
    'sub/../../x',
  ];
  for (const place of places) {
    const { text, data } = await server.call('query_start', { query: `open('${place}', read, _)`, take: 1 });
    assert.equal(data.error.kind, 'existence_error');
    assert.equal(
      text.split('\n').find((line) => line.startsWith('Error')),
      `Error: File '${place}' cannot be opened (in open/4): neither the book nor its roots have it. Import it with files: give its text, or a path under a root.`,
    );
    assert.match(await ask(`exists_file('${place}')`), /false/);
  }
  assert.ok(!JSON.stringify(await files('list')).includes('secret'));
});

test('a goal that opens files again and again is stopped in time, and one that cannot ask says so', async () => {
  const begun = performance.now();
  await server.fails(
    'query_start',
    { query: "repeat, open('other.txt', read, S), close(S), fail", take: 1, timeout_ms: 500 },
    'timeout',
  );
  assert.ok(performance.now() - begun < 5_000);
  await server.fails('query_start', { query: "repeat, open('other.txt', read, _), fail", take: 1 }, 'resource_error');
  await server.ok('workspace', { operation: 'undo' });
  for (const goal of ['transaction(G)', 'with_output_to(string(_), G)', 'call_cleanup(true, G)']) {
    const { text } = await server.call('query_start', { query: `G = open('other.txt', read, _), ${goal}`, take: 1 });
    assert.match(
      text,
      /No permission to open[\s\S]*it is no document of the book, and here nothing else can be asked for/,
    );
  }
});

test('nothing is written to a file', async () => {
  for (const mode of ['write', 'append', 'update']) {
    const { data } = await server.call('query_start', { query: `open('new.txt', ${mode}, _)`, take: 1 });
    assert.equal(data.error.kind, 'permission_error');
    assert.match(data.error.message, /files can only be read: what a query writes is its output/);
  }
  for (const goal of ["tell('new.txt')", "append('new.txt')", "delete_file('input.txt')", 'rename_file(a, b)']) {
    assert.equal((await server.call('query_start', { query: goal, take: 1 })).data.error.kind, 'unsafe_goal');
  }
});

test('documents are given as text, replaced, compared, found after a restart of the engine, and removed', async () => {
  const imported = await files('import', { filename: 'notes.md', text: '# Notes\nAnna likes tea.\n' });
  assert.match(imported.text, /^Successfully imported notes\.md as a document: 2 lines, 24 characters\./);
  assert.equal(imported.data.characters, 24);
  await files('reload', { filename: 'notes.md', text: '# Notes\nAnna likes coffee.\n' });
  const { text } = await server.ok('workspace', { operation: 'diff' });
  assert.match(text, /document notes\.md\n@@ .*\n # Notes\n-Anna likes tea\.\n\+Anna likes coffee\.\n/);
  await server.fails('query_start', { query: 'length(L, L)', take: 1, timeout_ms: 300 }, 'type_error').catch(() => {});
  await server.call('query_start', {
    query: 'numlist(1, 30, L), permutation(L, [30, 29|_]), fail',
    take: 1,
    timeout_ms: 200,
  });
  assert.match(await ask("read_file_to_string('notes.md', S, [])"), /coffee/);
  assert.match((await files('list')).text, /notes\.md: document, 27 characters/);
  await server.fails('files', { operation: 'import', filename: 'notes.md', text: 'x' }, 'already_imported');
  assert.equal(
    (await files('unimport', { filename: 'notes.md' })).text,
    'Successfully unimported the document notes.md',
  );
  assert.match(await ask("read_file_to_string('notes.md', S, [])"), /File 'notes\.md' cannot be opened/);
});

test('format says what the extension does not', async () => {
  assert.match(
    (await files('import', { filename: 'a.txt', text: 'p(1).\n', format: 'prolog' })).text,
    /imported 1 clause/,
  );
  assert.match((await files('import', { filename: 'b.dat', text: 'x;y\n1;2\n', format: 'csv' })).text, /b\/2:/);
  assert.match(
    (await files('import', { filename: 'c.pl', text: 'p(2).\n', format: 'document' })).text,
    /as a document/,
  );
  assert.match(await ask("read_file_to_terms('c.pl', T, [])"), /T = \[p\(2\)\]/);
  assert.match(
    await ask("read_file_to_string('a.txt', T, [])"),
    /T = "p\(1\)\.\\n"/,
    'the text of clauses can be read, too',
  );
  assert.match(await ask("consult('a.txt'), consult(day)"), /true/);
  assert.match(
    await ask('consult(nowhere)'),
    /the book has no clauses of it, and a query imports nothing: to add some, import it, as by files with the operation import/,
  );
  await server.fails(
    'files',
    { operation: 'reload', filename: 'a.txt', text: 'x', format: 'document' },
    'invalid_argument',
  );
  await server.ok('files', { operation: 'reload', filename: 'a.txt', text: 'p(3).\n' });
  assert.match(await ask('p(X)'), /X = 3/, 'what the book has as clauses is reloaded as clauses');
  await server.fails(
    'files',
    { operation: 'import', filename: 'd.txt', text: 'x', format: 'docx' },
    'invalid_argument',
  );
  await server.fails(
    'files',
    { operation: 'import', filename: 'd.txt', text: 'x', columns: 'a, b' },
    'invalid_argument',
  );
});

test('a table that the book has as facts is not read as text: the error says which facts', async () => {
  await files('import', { filename: 'data.csv' });
  assert.match(await ask("csv_read_file('data.csv', R)"), /its rows are the facts data\/2: call data\(a, b\)/);
  await files('unimport', { filename: 'data.csv' });
  assert.match(await ask("csv_read_file('data.csv', R)"), /R = \[row\(a,b\),row\(1,2\)\]/);
});

test('queries beside others, proofs and hints see the documents', async () => {
  await files('import', { filename: 'list.txt', text: 'tea.\ncoffee.\n' });
  await server.ok('clauses', {
    operation: 'assert',
    clauses: ["drink(D) :- read_file_to_terms('list.txt', Ds, []), member(D, Ds)."],
  });
  const [slow, beside] = await Promise.all([
    server.call('query_start', { query: 'between(1, 3000000, X), X < 0', take: 1 }),
    server.call('query_start', { query: 'drink(D)', take: 5 }),
  ]);
  assert.match(slow.text, /false/);
  assert.match(beside.text, /D = tea[\s\S]*D = coffee/);
  assert.match((await server.ok('workspace', { operation: 'why', of: 'drink(tea)' })).text, /drink\(tea\)/);
});

test('a document larger than the stacks is kept, and read by lines', async () => {
  const book = await openBook({ limits: { stack_bytes: 8 << 20 } });
  try {
    await book.import('large.txt', `äöü\n${'€ and more\n'.repeat(500_000)}`);
    assert.equal((await book.once('X = 1'))?.X, 1);
    const query =
      "open('large.txt', read, S), repeat, read_line_to_string(S, L), line_count(S, N), N > 400_000, !, close(S)";
    assert.equal((await book.once(query, { timeoutMs: 60_000 }))?.L, '€ and more');
    await assert.rejects(book.once("read_file_to_string('large.txt', S, [])"), { kind: 'resource_error' });
    assert.equal(
      (await book.once("phrase_from_file((`äöü`, string(_), `more`, remainder(_)), 'large.txt')")) !== null,
      true,
    );
  } finally {
    await book.close();
  }
});

test('a relative name is looked for in the roots in their order, and nothing else is read for it', async () => {
  const [first, second] = [directory({ 'sub/in.txt': 'deeper', 'one.txt': '1' }), directory({ 'in.txt': 'second' })];
  const book = await openBook({ roots: [first, second] });
  try {
    const read = (name, around = 'call') =>
      book.once(`${around}(read_file_to_string(${name}, S, []))`).then((answer) => answer?.S);
    assert.equal(await read("'sub/in.txt'"), 'deeper');
    await assert.rejects(book.once("with_output_to(string(_), read_file_to_string('in.txt', S, []))"), {
      kind: 'permission_error',
    });
    assert.equal(await read("'in.txt'"), 'second', 'not the document whose path ends so');
    unlinkSync(join(first, 'sub', 'in.txt'));
    assert.equal(await read("'sub/in.txt'"), 'deeper', 'the book has it');
  } finally {
    await book.close();
  }
});

test('what was read stays when its file goes, also under a root that is relative or a link', async () => {
  const root = directory({ 'gone.txt': 'gone' });
  const link = join(directory({}), 'link');
  symlinkSync(root, link);
  for (const given of [relative(process.cwd(), root), link, `${link}/`]) {
    writeFileSync(join(root, 'gone.txt'), 'gone');
    const book = await openBook({ roots: [given] });
    try {
      const read = "read_file_to_string('gone.txt', S, [])";
      assert.equal((await book.once(read))?.S, 'gone');
      unlinkSync(join(root, 'gone.txt'));
      assert.equal((await book.once(read))?.S, 'gone', given);
      assert.equal((await book.once(`exists_file('gone.txt'), with_output_to(string(_), ${read})`))?.S, 'gone', given);
    } finally {
      await book.close();
    }
  }
});

test('a query imports no file, and calls the consult/1 of the book', async () => {
  const root = directory({ 'doctor.pl': 'q(1).\n' });
  mkdirSync(join(root, 'sub'));
  const book = await openBook({ roots: [root], log: () => {} });
  try {
    for (const query of [
      'consult(doctor), q(X)',
      "consult('doctor.pl')",
      'consult([doctor, nosuch])',
      'consult("sub")',
    ]) {
      await assert.rejects(book.once(query), /the book has no clauses of it, and a query imports nothing/, query);
    }
    await book.import('bare.pl', '% nothing yet\n');
    await book.import('one.pl', 'only(1).\n');
    await book.retract('only(1)');
    for (const query of ['consult(bare)', 'consult(one)']) {
      await assert.rejects(book.once(query), /the book has no clauses of it/, query);
    }
    await assert.rejects(book.once('consult(doctor), q('), /unexpected end of clause/);
    const left = (await book.files()).map(({ filename, clauseCount }) => [filename, clauseCount]);
    assert.deepEqual(left, [['one.pl', 0]], 'what was retracted of it stays so');
    await book.import('doctor.pl');
    assert.deepEqual(await book.once('consult(doctor), q(X)'), { X: 1 });
    await book.assert('consult(X) :- patient(X).');
    await book.assert('patient(doctor).');
    assert.deepEqual(await book.once('consult(X)'), { X: 'doctor' });
  } finally {
    await book.close();
  }
});

test('a file is clauses or a document, not both', async () => {
  const root = directory({
    'day.pl': ':- use_module(helper).\np(1).\n',
    'helper.pl': ':- module(helper, [q/1]).\nq(1).\n',
    'self.pl': ":- open('self.pl', read, S), read_string(S, _, T), write(T), close(S).\nr(1).\n",
  });
  const told = [];
  const book = await openBook({ roots: [root], log: (text) => told.push(text) });
  try {
    await book.once("read_file_to_string('helper.pl', S, [])");
    await assert.rejects(
      book.import('day.pl'),
      /1:0: the book has .*helper\.pl as a document, not as clauses\. Unimport it first\. The other one is in the book/,
    );
    await assert.rejects(
      book.once("consult('helper.pl')"),
      /it is a document of the book: unimport it, and import it as/,
    );
    await book.import('helper.pl');
    assert.match(told.join(), /helper\.pl stays a document of the book\. To have it as clauses, unimport it/);
    const { output } = await book.import('self.pl');
    assert.match(output, /r\(1\)/);
    assert.deepEqual(
      (await book.files()).map(({ filename, characters }) => [basename(filename), characters !== undefined]),
      [
        ['day.pl', false],
        ['self.pl', false],
        ['helper.pl', true],
      ],
    );
  } finally {
    await book.close();
  }
});

test('files that a goal reads keep the limit of the book', async () => {
  const root = directory({ 'a.txt': 'a'.repeat(600), 'b.txt': 'b'.repeat(600) });
  const book = await openBook({ roots: [root], limits: { bytes: 1_000 } });
  try {
    await assert.rejects(
      book.once("read_file_to_string('a.txt', A, []), read_file_to_string('b.txt', B, [])"),
      /no room/,
    );
    assert.equal((await book.files()).length, 1);
    await assert.rejects(book.assert(`p("${'x'.repeat(500)}").`), { kind: 'limit_reached' });
  } finally {
    await book.close();
  }
});

test('a package book has documents, and gives what it read', async () => {
  const book = await openBook({ roots: [directory({ 'log.txt': 'INFO a\nERROR b\nERROR c\n' })] });
  try {
    const imported = await book.import('words.txt', 'one two\n');
    assert.equal(imported.characters, 8);
    const query =
      'read_file_to_string(\'log.txt\', S, []), split_string(S, "\\n", "", Ls), include([L]>>sub_string(L, 0, _, _, "ERROR"), Ls, Es), length(Es, N)';
    assert.equal((await book.once(query))?.N, 2);
    assert.deepEqual(
      (await book.files()).map(({ characters }) => characters),
      [8, 23],
    );
    await book.import('facts.txt', 'p(1).\n', { format: 'prolog' });
    assert.equal((await book.once('p(X)'))?.X, 1);
  } finally {
    await book.close();
  }
});
