// Functions of arithmetic over small and large integers and rationals give what native SWI-Prolog gives; those that
// SWI-Prolog for WebAssembly gets wrong are replaced in pkg-templates/src/engine/arithmetic.ts.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { after, before, test } from 'node:test';
import { Server } from './harness.mjs';

const UNARY = ['abs', 'sign', '\\', 'msb', 'popcount', 'float', 'integer', 'truncate', 'ceiling', 'floor', 'round'];
UNARY.push('numerator', 'denominator', 'rational', 'float_fractional_part', 'float_integer_part', '-', '+');
const BINARY = ['+', '-', '*', '/', '//', 'div', 'mod', 'rem', 'rdiv', 'gcd', 'lcm', '/\\', '\\/', 'xor'];
BINARY.push('<<', '>>', '**', '^', 'max', 'min', 'getbit', 'copysign');
const SMALL = ['0', '1', '-1', '7', '-7', '63', '64', '-64', '1r3', '-1r3', '-2r3'];
const LARGE = [
  '2^62',
  '2^63',
  '-(2^63)',
  '2^64',
  '-(2^64)',
  '2^70+5',
  '-(2^70)-5',
  '2^128-1',
  '1-2^128',
  '2^70 rdiv 3',
];
/** Their second operand is small: others would fill the memory. */
const GROWING = ['<<', '>>', '**', '^'];

const quoted = (name) => `'${name.replaceAll('\\', '\\\\')}'`;
const EXPRESSIONS = [
  ...UNARY.flatMap((name) => [...SMALL, ...LARGE].map((x) => `${quoted(name)}(${x})`)),
  ...BINARY.flatMap((name) => {
    const second = GROWING.includes(name) ? SMALL : [...SMALL, ...LARGE];
    return [...SMALL, ...LARGE].flatMap((x) => second.map((y) => `${quoted(name)}(${x}, ${y})`));
  }),
];
/** A line for each: its value, to 12 digits if it is a float, or its error. */
const ask = (expressions) =>
  `forall(member(E, [${expressions.join(', ')}]), ( catch(V is E, error(V, _), true), ` +
  `( float(V) -> format("~12e~n", [V]) ; format("~q~n", [V]) ) ))`;

let server;
before(async () => (server = await Server.start()));
after(() => server.close());

const printed = async (query) => {
  const { text } = await server.ok('query_start', { query, take: 1 });
  return /Output: ([\s\S]*?)\n(?:Solution|No)/.exec(text)[1].trim().split('\n');
};

test('values and errors are those of native SWI-Prolog', async () => {
  const differ = [];
  let compared = 0;
  for (let from = 0; from < EXPRESSIONS.length; from += 100) {
    const part = EXPRESSIONS.slice(from, from + 100);
    const native = execFileSync('swipl', ['-g', ask(part), '-t', 'halt'])
      .toString()
      .trim()
      .split('\n');
    const ours = await printed(ask(part));
    assert.equal(ours.length, native.length, `${part[0]} …`);
    for (const [at, value] of native.entries())
      if (ours[at] !== value) differ.push(`${part[at]} is ${value}, not ${ours[at]}`);
    compared += native.length;
  }
  assert.deepEqual(differ, []);
  assert.equal(compared, EXPRESSIONS.length);
});

test('powm/3 takes integers only', async () => {
  for (const [call, culprit] of [
    ['powm(1.5, 2, 3)', '1.5'],
    ['powm(2, -2.25, 3)', '-2.25'],
    ['powm(2, 3, nan)', 'nan'],
    ['powm(2, inf, 7)', 'inf'],
    ['powm(2, 1r3, 7)', 'rational'],
  ])
    assert.deepEqual(await server.solve(`catch(_ is ${call}, error(E, _), true)`), [
      `E = type_error(integer,${culprit})`,
    ]);
  assert.deepEqual(await server.solve('X is powm(3, 2^200, 2^127-1)'), [
    `X = ${powm(3n, 2n ** 200n, 2n ** 127n - 1n)}`,
  ]);
});

/** base^exponent modulo modulus. */
function powm(base, exponent, modulus) {
  let result = 1n;
  for (let power = base % modulus, left = exponent; left > 0n; left >>= 1n, power = (power * power) % modulus)
    if (left & 1n) result = (result * power) % modulus;
  return result;
}
