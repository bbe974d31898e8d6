// The folder of a run: its files through Prolog predicates and through tools, and nothing outside it.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { MemoryFolder, createDeepClause, scriptedModel } from '../../pkg/dml.js';
import { NodeFolder } from '../../pkg/node/folder.js';
import { directory, eventsOf } from '../node/harness.mjs';

const outside = directory({
  'secret.txt': 'SECRET',
  'work/in.txt': 'one\ntwo\n',
  'work/sub/facts.pl': 'a(1).\na(X) :- b(X).\n',
  'work-beside/x.txt': 'SECRET',
});
const workspacePath = join(outside, 'work');
symlinkSync(join(outside, 'secret.txt'), join(workspacePath, 'link.txt'));
symlinkSync(outside, join(workspacePath, 'up'));
symlinkSync(join(outside, 'new.txt'), join(workspacePath, 'dangling.txt'));
const dml = await createDeepClause();
after(() => {
  dml.close();
  rmSync(outside, { recursive: true });
});

const run = (code, options, object = dml) => eventsOf(object, code, options);
const contents = (events, kind) => events.filter(({ type }) => type === kind).map(({ content }) => content);
const answer = (events) => contents(events, 'answer')[0] ?? JSON.stringify(events);

test('a file is read line by line, as terms and as a whole', async () => {
  const code = `agent_main :-
    open("in.txt", read, S), read_line_to_string(S, L1), read_string(S, _, Rest), close(S),
    open('sub/facts.pl', read, T, [alias(facts)]), read_term(facts, A, []), read(T, B), read(T, E), close(facts),
    read_file_to_terms("sub/facts.pl", Terms, []), length(Terms, N),
    open('in.txt', read, U), set_input(U), catch(read_term(W, []), error(syntax_error(_), _), W = bad), close(U),
    ( exists_file("in.txt") -> X = yes ; X = no ), ( exists_file("no.txt") -> Y = yes ; Y = no ), ( exists_file(sub) -> Z = yes ; Z = no ),
    answer("{L1}|{Rest}|{A}|{B}|{E}|{N}|{X}{Y}{Z}|{W}").`;
  assert.match(
    answer(await run(code, { workspacePath })),
    /^one\|two\n\|a\(1\)\|a\(_\w*\):-b\(_\w*\)\|end_of_file\|2\|yesnono\|bad$/,
  );
});

test('lines end as in readutil', async () => {
  const code = `agent_main :- open(f, read, S), findall(L, ( between(1, 4, _), read_line_to_string(S, L) ), Ls), close(S),
    open(f, read, T), findall(C, ( between(1, 4, _), read_line_to_codes(T, C) ), Cs), close(T), print(Ls), nl, print(Cs), answer(ok).`;
  const [told] = contents(await run(code, { workspacePath: new MemoryFolder({ f: 'a\r\n\nb' }) }), 'output');
  assert.equal(told, '["a","","b",end_of_file]\n[[97],[],[98],end_of_file]');
});

test('terms come with the names of their variables, and nothing in them runs', async () => {
  const folder = new MemoryFolder({
    't.pl': 'p(X, Y, "s").\n:- initialization(halt).\nx :- {|string(X)||{secret}|}.\n',
  });
  const code = `:- use_module(library(quasi_quotations)). :- use_module(library(strings)).
    agent_main :- open("t.pl", read, S), read_term(S, T, [variable_names(Vs), variables(L)]), read(S, D), length(L, N),
      catch(read(S, Q), error(E, _), Q = E), close(S), answer("{T} {Vs} {N} {D} {Q}").`;
  assert.match(
    answer(await run(code, { workspacePath: folder, params: { secret: 'SECRET' } })),
    /^p\(.*,s\) \[X=.*,Y=.*\] 2 :-initialization halt syntax_error\(/,
  );
});

test('a file is written when it is closed, and can be appended to', async () => {
  const code = `agent_main :-
    open("out.txt", write, S), format(S, "~w-~a~n", [1, b]), write(S, "zwei ✓"), nl(S), close(S),
    open("out.txt", append, T, [alias(more)]), writeln(more, three), close(T),
    exec(write_file("by tool.txt", "x"), _), exec(list_files(""), L), answer("{L}").`;
  assert.equal(
    answer(await run(code, { workspacePath })),
    '[by tool.txt,dangling.txt,in.txt,link.txt,out.txt,sub/,up]',
  );
  assert.equal(readFileSync(join(workspacePath, 'out.txt'), 'utf8'), '1-b\nzwei ✓\nthree\n');
});

test('setup_call_cleanup closes files, on success, failure, errors and a cut', async () => {
  const code = `
    written(Name, Goal) :- setup_call_cleanup(open(Name, write, S), ( write(S, Name), call(Goal, S) ), close(S)).
    agent_main :-
      written(a, [S]>>write(S, "+")), \\+ written(b, [_]>>fail), catch(written(c, [_]>>throw(x)), x, true),
      written(d, [S]>>( member(X, [1, 2]), write(S, X) )), !, answer(done).`;
  const folder = new MemoryFolder();
  await run(code, { workspacePath: folder });
  assert.deepEqual(folder.files, { a: 'a+', b: 'b', c: 'c', d: 'd1' });
});

test('what was written but not closed is not there', async () => {
  const folder = new MemoryFolder();
  await run('agent_main :- open(f, write, S), write(S, text), answer(S).', { workspacePath: folder });
  assert.deepEqual(folder.files, { f: '' });
});

const OUTSIDE = [
  '../secret.txt',
  'sub/../../secret.txt',
  'link.txt',
  'up/secret.txt',
  join(outside, 'secret.txt'),
  '/etc/passwd',
  '/proc/self/environ',
  '../work-beside/x.txt',
  `${join(outside, 'work')}-beside/x.txt`,
  'up/work/../secret.txt',
  '/../etc/passwd',
  '..\\secret.txt',
  '../work/in.txt',
  '..',
  '/',
  'up',
  '../no.txt',
  'up/no.txt',
  '/etc/no.txt',
];

test('nothing outside it can be read, by any name, nor seen to exist', async () => {
  const code = `agent_main(P) :-
    catch((open(P, read, S), read_string(S, _, T)), error(E, _), E = permission_error(open, source_sink, _)),
    catch(( exists_file(P) -> true ; true ), error(F, _), F = permission_error(access, source_sink, _)),
    ( exec(read_file(P), R) -> true ; R = refused ), ( exec(list_files(P), L) -> true ; L = refused ), answer("{T} {E} {F} {R} {L}").`;
  for (const path of OUTSIDE) {
    const events = await run(code, { workspacePath, params: { P: path } });
    assert.doesNotMatch(JSON.stringify(events), /SECRET|root:/, path);
    assert.match(
      answer(events),
      /^_\w* permission_error\(open,source_sink,.*\) permission_error\(access,source_sink,.*\) refused refused$/s,
      path,
    );
    assert.equal(
      contents(events, 'log')[0],
      `${path} is outside of the workspace, the only folder that a program may use.`,
    );
  }
});

test('nothing outside it can be written', async () => {
  const code = `agent_main(P) :- catch(( exec(write_file(P, "OVERWRITTEN"), _) -> true ; true ), error(tool_error(write_file, failed, _), _), true),
    member(M, [write, append]), catch(( open(P, M, S), write(S, "OVERWRITTEN"), close(S) ), error(permission_error(_, _, _), _), fail).`;
  for (const path of [...OUTSIDE, 'dangling.txt', 'up/made.txt', '../made.txt', join(outside, 'made.txt')]) {
    const events = await run(code, { workspacePath, params: { P: path } });
    assert.deepEqual(events.at(-1).success, false, `${path}: ${JSON.stringify(events)}`);
  }
  for (const file of ['secret.txt', 'work-beside/x.txt'])
    assert.equal(readFileSync(join(outside, file), 'utf8'), 'SECRET');
  for (const made of ['new.txt', 'made.txt', 'no.txt']) assert.equal(existsSync(join(outside, made)), false, made);
});

test('invalid names and files are refused with a sentence, without a path of this machine', async () => {
  execFileSync('mkfifo', [join(workspacePath, 'pipe')]);
  writeFileSync(join(workspacePath, 'bytes'), Buffer.from([0xff, 0xfe]));
  writeFileSync(join(workspacePath, 'large'), '');
  truncateSync(join(workspacePath, 'large'), 2 ** 36);
  symlinkSync('loop', join(workspacePath, 'loop'));
  const cases = [
    ['a\0b', /NUL/],
    ['x'.repeat(1001), /no more than 1000 characters/],
    ['é'.repeat(300), /cannot be used: name too long/],
    ['sub', /is not a file/],
    ['pipe', /is not a file/],
    ['bytes', /not UTF-8/],
    ['large', /more than 67108864 bytes/],
    ['loop', /cannot be used: too many symbolic links/],
    ['in.txt/x', /There is not a file/],
    ['no/x', /There is not a file/],
  ];
  const code =
    'agent_main(P) :- catch(( exec(read_file(P), _) -> true ; true ), error(tool_error(read_file, failed, _), _), true), catch(open(P, read, _), error(E, context(_, M)), ( functor(E, K, _), answer("{K}: {M}") )).';
  for (const [path, expected] of cases) {
    const events = await run(code, { workspacePath, params: { P: path } });
    const kind = /There is not a file/.test(expected.source) ? 'existence_error' : 'permission_error';
    const [[log], told] = [contents(events, 'log'), answer(events)];
    assert.match(log, expected);
    assert.equal(told, `${kind}: ${log.replace(/\.$/, '')}`);
    assert.doesNotMatch(told, /hornbook-test/, path);
  }
});

test('a directory that becomes a link while a file is opened leads nowhere', async () => {
  const real = join(workspacePath, 'swapped');
  mkdirSync(real);
  writeFileSync(join(real, 'secret.txt'), 'inside');
  const folder = new NodeFolder(workspacePath);
  const path = await folder.resolvePath(join(real, 'secret.txt'));
  renameSync(real, `${real}-away`);
  symlinkSync(outside, real);
  const moved = { fault: /unreadable|not_found/ };
  await assert.rejects(folder.readFile(path, 1000), moved);
  await assert.rejects(folder.writeFile(path, 'OVERWRITTEN', false), moved);
  await assert.rejects(folder.writeFile(join(real, 'made.txt'), 'MADE', false), moved);
  await assert.rejects(folder.listDirectory(real), moved);
  assert.equal(readFileSync(join(outside, 'secret.txt'), 'utf8'), 'SECRET');
  assert.equal(existsSync(join(outside, 'made.txt')), false);
});

test('without a workspace, files are refused with that reason', async () => {
  const [log, error] = await run(
    'agent_main :- catch(( exec(read_file("in.txt"), _) -> true ; true ), error(tool_error(read_file, missing, _), _), true), open("in.txt", read, _).',
  );
  assert.equal(
    log.content,
    'The tool read_file needs a workspace, a folder whose files may be used: this run has none.',
  );
  assert.match(
    error.content,
    /needs a workspace.* \[permission_error\(open,source_sink,'in.txt'\)\] \(in agent_main\/0, line 1\)$/,
  );
});

test('a missing file is an existence error, as in Prolog', async () => {
  const code =
    'agent_main :- member(M, [read, write]), catch(open("no/no.txt", M, _), error(existence_error(source_sink, F), _), yield(F)), fail.';
  assert.deepEqual(contents(await run(code, { workspacePath }), 'output'), ['no/no.txt', 'no/no.txt']);
});

test('bad arguments raise the errors of Prolog', async () => {
  const code = `agent_main :- forall(
      member(G, [open(_, read, _), open(f, _, _), open(f, update, _), open(f(x), read, _), open("in.txt", read, _, [alias(user_output)]), close(_), close(none), read_string(out, _, _), set_input(out)]),
      catch(G, error(E, _), ( E =.. L, nth0(0, L, K), yield(K) ))).`;
  const told = contents(await run(code, { workspacePath }), 'output');
  assert.deepEqual(told, [
    'instantiation_error',
    'instantiation_error',
    'permission_error',
    'type_error',
    'permission_error',
    'instantiation_error',
    ...Array(3).fill('existence_error'),
  ]);
});

test('the policy and the budget of tools apply to open too', async () => {
  dml.setToolPolicy({ mode: 'blacklist', tools: ['write_*'] });
  const [error] = contents(await run('agent_main :- open("p.txt", write, S), close(S).', { workspacePath }), 'error');
  dml.clearToolPolicy();
  assert.match(error, /write_file is on the blacklist/);
  assert.equal(existsSync(join(workspacePath, 'p.txt')), false);
  const code = 'agent_main :- repeat, catch(( open("in.txt", read, S), close(S) ), _, true), yield(x), fail.';
  const events = await run(code, { workspacePath, maxToolCalls: 3 });
  assert.equal(contents(events, 'output').length, 3);
  assert.match(events.at(-1).content, /its 3 calls of tools/);
});

test('a folder in memory, given to the model by with_tools', async () => {
  const folder = new MemoryFolder({ 'a/b.txt': 'hello' });
  const paths = ['a/b.txt', '../etc/passwd', 'a', 5];
  const calls = [
    ...paths.map((path) => ({ tool: 'read_file', args: { path } })),
    { tool: 'write_file', args: { path: 'c.txt', text: 'made' } },
    { tool: 'write_file', args: { path: 'c.txt' } },
  ];
  const model = scriptedModel([{ calls }, { calls: [{ tool: 'finish', args: {} }] }]);
  const events = await run(
    'agent_main :- with_tools([read_file, write_file], task("t")), open("c.txt", read, S), read_string(S, _, T), answer(T).',
    { workspacePath: folder, model },
  );
  assert.equal(answer(events), 'made');
  const results = model.requests[1].messages
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => JSON.parse(content));
  assert.equal(results[0].result, 'hello');
  const errors = [
    /outside of the workspace/,
    /is not a file/,
    /`path` must be a string/,
    undefined,
    /`text` must be a string/,
  ];
  for (const [index, error] of errors.entries()) {
    if (error) assert.match(results[index + 1].error, error);
    else assert.equal(results[index + 1].result, true);
  }
  assert.deepEqual(folder.files, { 'a/b.txt': 'hello', 'c.txt': 'made' });
});

test('a tool of the host takes precedence by its name', async () => {
  const own = await createDeepClause();
  own.registerTool('read_file', { parameters: { properties: { path: {} } }, execute: ({ path }) => `own ${path}` });
  const events = await run(
    'agent_main :- exec(read_file("in.txt"), A), open("in.txt", read, S), read_line_to_string(S, B), answer("{A}, {B}").',
    { workspacePath },
    own,
  );
  own.close();
  assert.equal(answer(events), 'own in.txt, one');
});

test('web_search and fetch_url are off unless the host provides a function of its own', async () => {
  const code = 'agent_main :- exec(web_search("x"), R), exec(fetch_url("http://u"), T), answer("{R} {T}").';
  const [log] = await run(code);
  assert.equal(log.content, 'The tool web_search is off: the host switches it on with a function of its own.');
  const own = await createDeepClause({
    webSearch: async (query) => [`found ${query}`],
    fetchUrl: (url) => `page ${url}`,
  });
  const events = await run(code, {}, own);
  own.close();
  assert.equal(answer(events), '[found x] page http://u');
});

test('streams of others cannot be named', async () => {
  for (const stream of ['user_error', 'user_output', '0', 'foo', 'Out']) {
    const code = `agent_main :- current_output(Out), catch((read_string(${stream}, _, X), answer(X)), error(E, _), (functor(E, N, _), answer(N))).`;
    assert.match(answer(await run(code, { workspacePath })), /^(existence|permission|type|domain)_error$/, stream);
  }
});

test('a replay gives the same without the folder; an interrupted run goes on with it', async () => {
  const code = `agent_main :-
    open("a.txt", read, S), read_string(S, _, T), close(S), catch(open("no", read, _), error(existence_error(_, N), _), true),
    open("out", write, O), write(O, T), close(O), ( exists_file("out") -> E = yes ; E = no ), exec(list_files(""), L), answer("{T} {N} {E} {L}").`;
  const recorded = [];
  const events = await run(code, {
    workspacePath: new MemoryFolder({ 'a.txt': 'first' }),
    record: (entry) => recorded.push(entry),
  });
  assert.equal(answer(events), 'first no yes [a.txt,out]');
  assert.deepEqual(await run(code, { replay: recorded }), events);
  const other = new MemoryFolder({ 'a.txt': 'second' });
  assert.deepEqual(await run(code, { replay: recorded, workspacePath: other }), events);
  assert.deepEqual(other.files, { 'a.txt': 'second' });

  const cut = recorded.slice(
    0,
    recorded.findIndex(({ operation }) => operation === 'write'),
  );
  assert.equal(answer(await run(code, { replay: cut, workspacePath: other })), 'first no yes [a.txt,out]');
  assert.deepEqual(other.files, { 'a.txt': 'second', out: 'first' });
  assert.match((await run(code, { replay: cut })).at(-1).content, /needs a workspace/);
  assert.match(
    (await run(code.replace('"a.txt"', '"b.txt"'), { replay: recorded })).at(-1).content,
    /departs from its recording at entry 2: now it used a file, {"operation":"read","path":"b.txt"}/,
  );
});
