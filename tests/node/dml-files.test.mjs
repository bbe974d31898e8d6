// The folder of a run: its files through the predicates of Prolog and through tools, and nothing outside of it.
import assert from 'node:assert/strict';
import { mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { MemoryFolder, createDeepClause, scriptedModel } from '../../pkg/dml.js';
import { directory } from './harness.mjs';

const outside = directory({ 'secret.txt': 'SECRET', 'work/in.txt': 'one\ntwo\n', 'work/sub/facts.pl': 'a(1).\na(X) :- b(X).\n' });
const workspacePath = join(outside, 'work');
symlinkSync(join(outside, 'secret.txt'), join(workspacePath, 'link.txt'));
symlinkSync(outside, join(workspacePath, 'up'));
symlinkSync(join(outside, 'new.txt'), join(workspacePath, 'dangling.txt'));
mkdirSync(join(outside, 'work-beside'));
writeFileSync(join(outside, 'work-beside', 'x.txt'), 'SECRET');
const dml = await createDeepClause();
after(() => {
  dml.close();
  rmSync(outside, { recursive: true });
});

async function run(code, options) {
  const events = [];
  for await (const event of dml.runDML(code, options)) events.push(event);
  return events;
}
const answer = (events) => events.find(({ type }) => type === 'answer')?.content ?? JSON.stringify(events);

test('a file is read by lines, as terms and as a whole', async () => {
  const code = `agent_main :-
    open("in.txt", read, S), read_line_to_string(S, L1), read_string(S, _, Rest), close(S),
    open('sub/facts.pl', read, T, [alias(facts)]), read_term(facts, A, []), read(T, B), read(T, E), close(facts),
    read_file_to_terms("sub/facts.pl", Terms, []), length(Terms, N),
    open('in.txt', read, U), set_input(U), read_term(W, []), catch(read_term(_, []), error(syntax_error(_), _), true), close(U),
    ( exists_file("in.txt") -> X = yes ; X = no ), ( exists_file("no.txt") -> Y = yes ; Y = no ),
    answer("{L1}|{Rest}|{A}|{B}|{E}|{N}|{X}{Y}|{W}").`;
  const told = answer(await run(code.replace('read_term(W, []), catch(read_term(_, []), error(syntax_error(_), _), true)', 'catch(read_term(W, []), error(syntax_error(_), _), W = bad)'), { workspacePath }));
  assert.match(told, /^one\|two\n\|a\(1\)\|a\(_\w*\):-b\(_\w*\)\|end_of_file\|2\|yesno\|bad$/);
});

test('a file is written when it is closed, and may be added to', async () => {
  const code = `agent_main :-
    open("out.txt", write, S), format(S, "~w-~a~n", [1, b]), write(S, two), nl(S), close(S),
    open("out.txt", append, T, [alias(more)]), writeln(more, three), close(T),
    exec(write_file("by tool.txt", "x"), _), exec(list_files(""), L), answer("{L}").`;
  assert.equal(answer(await run(code, { workspacePath })), '[by tool.txt,dangling.txt,in.txt,link.txt,out.txt,sub/,up]'.replace('up]', 'up]'));
  assert.equal(readFileSync(join(workspacePath, 'out.txt'), 'utf8'), '1-b\ntwo\nthree\n');
});

const OUTSIDE = [
  '../secret.txt', 'sub/../../secret.txt', 'link.txt', 'up/secret.txt', join(outside, 'secret.txt'), '/etc/passwd', '/proc/self/environ', '../work-beside/x.txt',
  `${join(outside, 'work')}-beside/x.txt`, 'up/work/../secret.txt',
];

test('nothing outside of it can be read, by any name', async () => {
  for (const path of OUTSIDE) {
    const code = `agent_main :- param(p, P), catch((open(P, read, S), read_string(S, _, T)), error(permission_error(_, _, _), _), T = refused),
      ( exec(read_file(P), R) -> true ; R = refused ), answer("{T} {R}").
      agent_main :- answer(failed).`;
    const events = await run(code, { workspacePath, params: { p: path } });
    assert.doesNotMatch(JSON.stringify(events), /SECRET|root:/, path);
    assert.match(JSON.stringify(events), /is outside of the workspace/, path);
  }
});

test('nothing outside of it can be written', async () => {
  for (const path of [...OUTSIDE, 'dangling.txt', '..', '.', 'up/made.txt', '../made.txt']) {
    await run('agent_main :- param(p, P), exec(write_file(P, "OVERWRITTEN"), _).', { workspacePath, params: { p: path } });
    await run('agent_main :- param(p, P), open(P, write, S), write(S, "OVERWRITTEN"), close(S).', { workspacePath, params: { p: path } });
  }
  assert.equal(readFileSync(join(outside, 'secret.txt'), 'utf8'), 'SECRET');
  for (const made of ['new.txt', 'made.txt']) assert.equal(existsSync(join(outside, made)), false, made);
});

test('without a workspace files are refused with that reason', async () => {
  const [log, error] = await run('agent_main :- ( exec(read_file("in.txt"), _) -> true ; open("in.txt", read, _) ).');
  assert.match(log.content, /The tool read_file needs a workspace, a folder: this run has none\./);
  assert.match(error.content, /needs a workspace/);
});

test('a missing file is an existence error, as in Prolog', async () => {
  const code = 'agent_main :- catch(open("no.txt", read, _), error(existence_error(source_sink, F), _), answer(F)).';
  assert.equal(answer(await run(code, { workspacePath })), 'no.txt');
});

test('the policy holds for open, too', async () => {
  dml.setToolPolicy({ mode: 'blacklist', tools: ['write_*'] });
  const [error] = (await run('agent_main :- open("p.txt", write, S), close(S).', { workspacePath })).filter(({ type }) => type === 'error');
  dml.clearToolPolicy();
  assert.match(error.content, /write_file is on the blacklist/);
  assert.equal(existsSync(join(workspacePath, 'p.txt')), false);
});

test('a folder in memory, given to the model by with_tools', async () => {
  const folder = new MemoryFolder({ 'a/b.txt': 'hello' });
  const calls = [{ tool: 'read_file', args: { path: 'a/b.txt' } }, { tool: 'write_file', args: { path: 'c.txt', text: 'made' } }, { tool: 'read_file', args: { path: '../etc/passwd' } }];
  const model = scriptedModel([{ calls }, { calls: [{ tool: 'finish', args: {} }] }]);
  const events = await run('agent_main :- with_tools([read_file, write_file], task("t")), open("c.txt", read, S), read_string(S, _, T), answer(T).', { workspacePath: folder, model });
  assert.equal(answer(events), 'made');
  const results = model.requests[1].messages.filter(({ role }) => role === 'tool').map(({ content }) => JSON.parse(content));
  assert.equal(results[0].result, 'hello');
  assert.match(results[2].error, /There is no file|outside of the workspace/);
  assert.deepEqual(folder.files, { 'a/b.txt': 'hello', 'c.txt': 'made' });
});

test('web_search and fetch_url are off until the host gives its own function', async () => {
  const code = 'agent_main :- exec(web_search("x"), R), exec(fetch_url("http://u"), T), answer("{R} {T}").';
  const [log] = await run(code);
  assert.match(log.content, /The tool web_search is off: the host switches it on with a function of its own/);
  const own = await createDeepClause({ webSearch: async (query) => [`found ${query}`], fetchUrl: (url) => `page ${url}` });
  const events = [];
  for await (const event of own.runDML(code)) events.push(event);
  own.close();
  assert.equal(answer(events), '[found x] page http://u');
});

test('streams of others cannot be named', async () => {
  for (const stream of ['user_input', 'user_error', 'user_output', '0', 'foo']) {
    const events = await run(`agent_main :- catch((read_string(${stream}, _, X), answer(X)), error(E, _), (functor(E, N, _), answer(N))).`, { workspacePath });
    assert.match(answer(events), /^(existence|permission|type|domain)_error$/, stream);
  }
});
