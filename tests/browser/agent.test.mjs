// An agent in a page, without a model: a script chooses each turn from the result of the last one.
import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { assertSound, launch, servePackage, visit } from './harness.mjs';

let browser, book, home;
before(async () => {
  [browser, book, home] = await Promise.all([launch(), servePackage(), servePackage()]);
});
after(async () => {
  await browser.close();
  await Promise.all([book.close(), home.close()]);
});

const PUZZLE = `
% The English live in the red house, the Spanish have a jaguar. The Japanese live to the right of the snail, and so is
% the blue house.
right(A, B, [B, A|_]).
right(A, B, [_|T]) :- right(A, B, T).
zebra(Owner) :-
    Houses = [house(_, _, _), house(_, _, _), house(_, _, _)],
    member(house(red, english, _), Houses),
    member(house(_, spanish, jaguar), Houses),
    right(house(_, japanese, _), house(_, _, snail), Houses),
    right(house(blue, _, _), house(_, _, snail), Houses),
    member(house(_, Owner, zebra), Houses).
`;
const WRONG = PUZZLE.replace('right(A, B, [B, A|_]).', 'right(A, B, [B, A|_]');

/** The first unused rule whose pattern matches the last result makes the next turn. */
const RULES = [
  ['^clauses files workspace', 'files', { operation: 'import', filename: 'puzzle.pl', text: WRONG }],
  ['comma, a period or a closing bracket may be missing', 'files', { operation: 'unimport', filename: 'puzzle.pl' }],
  ['Successfully unimported 1 clause', 'files', { operation: 'import', filename: 'puzzle.pl', text: PUZZLE }],
  ['Successfully imported 3 clauses', 'query_start', { query: 'zebra(Owner)', take: 1 }],
  ['Owner = ', 'query_next', { take: 10 }],
];

/** Makes turns until no rule matches; returns the tools that were called, and the last result. */
const carryOut = async ({ rules, origin }) => {
  const client = await connect(new PortTransport(await framePort(frame.contentWindow, origin)));
  const turns = [];
  let heard = (await client.listTools()).tools.map(({ name }) => name).join(' ');
  for (;;) {
    const rule = rules.find(([pattern]) => new RegExp(pattern).test(heard));
    if (!rule) break;
    const [[, tool, values]] = rules.splice(rules.indexOf(rule), 1);
    heard = await call(client, tool, values).catch(({ message }) => message);
    turns.push([tool, heard]);
  }
  await client.close();
  return turns;
};

test('a scripted agent corrects its mistake and solves a puzzle, in the book of another window', async () => {
  const page = await visit(browser, home.origin);
  await page.evaluate(async (origin) => (window.frame = await framed(origin)), book.origin);
  const inner = page.frames().find((frame) => frame.url().startsWith(book.origin));
  await inner.evaluate(async (origin) => {
    const hornbook = await createHornbook({ book: 'zebra' });
    hornbook.serveFrames({ origins: [origin] });
  }, home.origin);
  const turns = await page.evaluate(carryOut, { rules: RULES, origin: book.origin });
  assert.deepEqual(
    turns.map(([tool]) => tool),
    ['files', 'files', 'files', 'query_start', 'query_next'],
  );
  // There is more than one way to fill the houses, but the owner is the same in all of them.
  assert.match(turns[3][1], /Owner = japanese/);
  assert.deepEqual([...new Set(turns[4][1].match(/Owner = \w+/g))], ['Owner = japanese']);
  assertSound(page);
});
