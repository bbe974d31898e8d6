// Messages: those of programs, as they say them; and no message of every predicate that is called wrongly tells of the
// engine's insides.
import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { ROOT, Server } from './harness.mjs';

const MANUAL = join(ROOT, 'pkg-templates', 'src', 'lsp', 'manual');
const ARGUMENTS = ['X', 'foo', 'f(x)', '1', '-1', '"ab"', '[a,b]', 'Y-1', '1.5', '[]', 'foo/2', '{a}'];
const INSIDES = /\bhb_|knowledge_base:|\bsystem:|\bchecked\b|\btranslated\b|safe_[a-z]/;

/** The predicates with a summary in the manual: name and number of arguments. */
function predicates() {
  const found = new Map();
  for (const file of readdirSync(MANUAL)) {
    for (const [, name, args] of readFileSync(join(MANUAL, file), 'utf8').matchAll(/^([a-z]\w*)\(([^)]*)\)/gm)) {
      const arity = args.split(',').length;
      found.set(`${name}/${arity}`, { name, arity });
    }
  }
  return [...found.values()];
}

test('wrong arguments of any predicate', async (t) => {
  const server = await Server.start();
  t.after(() => server.close());
  let state = 7;
  const argument = () => {
    state = (state * 1103515245 + 12345) % 2 ** 31;
    return ARGUMENTS[Math.floor((state / 2 ** 31) * ARGUMENTS.length)];
  };
  const all = predicates();
  assert.ok(all.length > 800, `${all.length} predicates`);
  const wrong = [];
  let errors = 0;
  for (const { name, arity } of all) {
    const query = `${name}(${Array.from({ length: arity }, argument).join(', ')})`;
    const { data } = await server.call('query_start', { query, take: 1, timeout_ms: 1000 });
    if (!data.error) continue;
    errors += 1;
    const { message } = data.error;
    if (INSIDES.test(message) || !/[.!?`]$/.test(message)) wrong.push(`${query}: ${message}`);
  }
  assert.deepEqual(wrong, []);
  assert.ok(errors > 300, `${errors} errors`);
});

test('programs define their messages, and can intercept them', async (t) => {
  const server = await Server.start();
  t.after(() => server.close());
  const printed = async (goal) => (await server.ok('query_start', { query: goal, take: 1 })).data.answers[0].output;
  await server.import(
    'm.pl',
    ":- module(m, [go/0]).\n:- multifile prolog:message//1.\nprolog:message(gone(X)) --> ['~w is gone'-[X], nl], rest.\nrest --> ['look ', ansi(bold, 'there', [])].\ngo :- print_message(error, gone(tea)).\n",
  );
  assert.equal(await printed('go'), 'ERROR: tea is gone\nERROR: look there\n');
  assert.equal(await printed('print_message(warning, format("~w", [x]))'), 'Warning: x\n');
  await server.assert(':- multifile user:message_hook/3. user:message_hook(gone(X), Kind, [_|_]) :- writeln(Kind-X).');
  assert.equal(await printed('go'), 'error-tea\n');
  assert.equal(await printed('print_message(silent, gone(x))'), 'silent-x\n');
  assert.match(await printed('print_message(error, other)'), /^ERROR: Unknown message: other/);
  // It hears only of what programs print.
  assert.deepEqual((await server.call('query_start', { query: 'X is foo', take: 1 })).data.answers, []);
  await server.fails('clauses', { operation: 'assert', clauses: 'prolog:heartbeat.' });
});

test('arguments of a library predicate in another order', async (t) => {
  const server = await Server.start();
  t.after(() => server.close());
  const said = async (query) => (await server.call('query_start', { query, take: 1 })).data.error?.message;
  for (const [query, meant] of [
    ['empty_assoc(T), put_assoc(T, k, v, _)', 'put_assoc(k, t, v, _)'],
    ['empty_assoc(T), put_assoc(k, v, T, _)', 'put_assoc(k, t, v, _)'],
    ['sum_list(_, [1, 2])', 'sum_list([1, 2], _)'],
    ['sum_list(3, [1, 2])', 'sum_list([1, 2], 3)'],
    [
      "rb_insert(k, v, t(black('', _, _, ''), black('', _, _, '')), _)",
      "rb_insert(t(black('', _, _, ''), black('', _, _, '')), k, v, _)",
    ],
  ]) {
    const message = await said(query);
    assert.ok(message.endsWith(`One does with the arguments in another order: ${meant}.`), `${query}: ${message}`);
  }
  // A variable that has no value yet is no hint of another order.
  for (const [query, named] of [
    ['subtract(_, [1], _)', 'subtract(_, [1], _)'],
    ['union(_, [1], [2])', 'union(_, [1], [2])'],
    ['intersection(_, [1], _)', 'intersection(_, [1], _)'],
    ['subset(_, [1])', 'subset(_, [1])'],
    ['sum_list(_, _)', 'sum_list(_, _)'],
    ['sum_list([1|foo], _)', 'sum_list(foo, 1, _), as a predicate of the library calls it'],
  ]) {
    const { error } = (await server.call('query_start', { query, take: 1 })).data;
    assert.equal(error.message.replace(/_\d+/, '_'), `No rule with => matches ${named}.`);
    assert.equal(error.next, 'Check the arguments of the goal that raised it.');
  }
});

test('an error of a query that is refused before it runs does not name the clause of an earlier one', async (t) => {
  const server = await Server.start();
  t.after(() => server.close());
  await server.assert('d(X) :- call(X).');
  const said = async (query) => (await server.call('query_start', { query, take: 1 })).data.error?.message;
  assert.match(await said('d(shell(ls))'), /Raised in d\/1, clause 1\./);
  assert.match(await said('shell(ls)'), /sandbox/);
  assert.doesNotMatch(await said('shell(ls)'), /Raised/);
});

test('errors of rules with => and of `$`, as a program catches them and as they are told', async (t) => {
  const server = await Server.start();
  t.after(() => server.close());
  await server.assert('only(1) => true.\nfirst(L, X) :- $member(X, L).');
  assert.deepEqual(await server.solve('catch(only(2), error(E, _), true)'), [
    'E = existence_error(matching_rule,only(2))',
  ]);
  assert.deepEqual(await server.solve('first([a], X)'), ['X = a']);
  const said = async (query) => (await server.call('query_start', { query, take: 1 })).data.error?.message;
  const message = 'has exactly one solution. Raised in first/2, clause 1.';
  assert.equal(
    await said('first([a, b], X)'),
    `member(a, [a, b]) left a choice point, and \`$\` before it says that it ${message}`,
  );
  await server.assert(':- dynamic open/1.\nopen(1).\nopen(2).\nopen(3).');
  for (const [goal, shown] of [
    ['call(G)', 'call(open(1))'],
    ['G', 'open(1)'],
    ['catch(G, none, true)', 'catch(open(1),none,true)'],
    ['user:G', 'user:open(1)'],
    ['maplist(member, [_], [[1, 2]])', 'maplist(member,[1],[[1,2]])'],
    ['retract(open(_))', 'retract(open(1))'],
  ]) {
    const query = `G = open(_), catch($(${goal}), error(determinism_error(Named, _, _, _), _), true)`;
    assert.ok((await server.solve(query))[0].endsWith(`Named = ${shown}`), query);
  }
  assert.match(await said('$ retract(open(_))'), /^retract\(open\(2\)\) left a choice point, /);
  assert.equal(await said('first([], X)'), `member(_, []) failed, and \`$\` before it says that it ${message}`);
});
