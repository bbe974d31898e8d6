// What the comparison of programs with swipl takes for alike (docs/programs.md).
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { verdict } from '../corpus/programs/verdict.mjs';

const program = { native: { told: [] }, loaded: {} };
const outcome = (answers, output = '', error = undefined) => ({ answers, output, error, formal: error });
const judge = (wanted, got, text = '') => verdict({ query: 'go', wanted, got }, program, text);

test('outcomes that differ in more than how they are written are not alike', () => {
  for (const [wanted, got] of [
    [outcome(["X = 'Yes'"]), outcome(["X = 'No'"])],
    [outcome(['X = "ab"']), outcome(['X = ab'])],
    [outcome(['X = "ab"']), outcome(['X = "a b"'])],
    [outcome(['X = 1-(2-3)']), outcome(['X = 1-2-3'])],
    [outcome(['X = f(_1,_1)']), outcome(['X = f(_A,_B)'])],
    [outcome(['X = f(_1), …']), outcome(['X = f(_A)'])],
    [outcome(['true'], 'Yes'), outcome(['true'], 'No')],
    [outcome(['true'], '(a)'), outcome(['true'], 'a')],
    [outcome([], '', 'type_error(integer,a)'), outcome([], '', 'type_error(integer,"a")')],
    [outcome(['X = 1', 'X = 2']), outcome(['X = 2', 'X = 1'])],
    [outcome([]), outcome(['true'])],
  ]) {
    assert.equal(judge(wanted, got), 'differ', JSON.stringify([wanted, got]));
  }
});

test('outcomes that are written differently are alike', () => {
  for (const [wanted, got, text] of [
    [outcome(['X = f(_12,_12), Y = g(_12)']), outcome(['X = f(_A, _A), Y = g(_A)'])],
    [outcome(['X = f(_12)']), outcome(['X = f(Y), Y = _'])],
    [outcome(['X = -a& -a']), outcome(['X = (-a& -a)'])],
    [outcome(['X = 1', 'X = 2']), outcome(['X = 2', 'X = 1']), ':- table p/1.'],
    [outcome([], '', 'existence_error(procedure,# /0)'), outcome([], '', 'existence_error(procedure,(#)/0)')],
    [outcome(['true'], 'a _123\n'), outcome(['true'], 'a _G7')],
  ]) {
    assert.equal(judge(wanted, got, text), 'alike', JSON.stringify([wanted, got]));
  }
});

test('a query that fails in both is counted apart', () => {
  assert.equal(judge(outcome([]), outcome([])), 'fail');
});

test('what SWI-Prolog of the same version does as well is a difference of version, and nothing else is', () => {
  const of = (plain, query = 'go') =>
    verdict({ query, wanted: outcome(['X = 1']), got: outcome(query === 'go' ? ['X = 2'] : []), plain }, program, '');
  assert.equal(of(outcome(['X = 2'])), 'version');
  assert.equal(of(outcome(['X = 1'])), 'differ');
  assert.equal(of(outcome(['X = 2'], 'said')), 'differ');
  assert.equal(of(undefined), 'differ');
  assert.equal(of(outcome([]), 'run_tests(a:b)'), 'version');
  assert.equal(of(outcome([], '', 'existence_error(unit_test,a)'), 'run_tests(a:b)'), 'differ');
  assert.equal(of(outcome(['true']), 'run_tests(a:b)'), 'differ');
});
