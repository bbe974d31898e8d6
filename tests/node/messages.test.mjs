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
