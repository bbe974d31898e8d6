// DML programs and nodes of workflows whose book has linked data: the same rows, errors and limits as for its queries.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { createDeepClause } from '../../pkg/dml.js';
import { openBook } from '../../pkg/index.js';
import { Workflow } from '../../pkg/workflow.js';
import { BIN } from '../support/stdio.mjs';

const folder = mkdtempSync(join(tmpdir(), 'hornbook-linked-programs-'));
const at = (name) => join(folder, name);
const RULES = [
  ':- data(orders/3, shop).',
  ':- data(link/2, net).',
  ':- data(gone/1, missing).',
  ':- data(endless/1, slow:endless).',
  ':- dynamic seen/1.',
  ':- table reach/2 as set.',
  'reach(X, Y) :- link(X, Y).',
  'reach(X, Y) :- link(X, Z), reach(Z, Y).',
  'large(I, A) :- orders(I, _, A), A > 10.',
  ':- table counted/1 as set.',
  'counted(N) :- endless(N).',
];
let book;

async function eventsOf(events) {
  const all = [];
  for await (const event of events) all.push(event);
  return all;
}

before(async () => {
  writeFileSync(at('orders.csv'), 'id,customer,amount\n1,Ann,12\n2,Bob,8\n3,Ann,20\n');
  writeFileSync(at('links.csv'), 'from,to\na,b\nb,c\nc,a\n');
  const slow = await DuckDBInstance.create(at('slow.duckdb'));
  const connection = await slow.connect();
  await connection.run(
    'CREATE VIEW endless AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT count(*) AS c FROM n',
  );
  connection.closeSync();
  slow.closeSync();
  const data = { shop: at('orders.csv'), net: at('links.csv'), missing: at('no.csv'), slow: at('slow.duckdb') };
  book = await openBook({ data });
  await book.assert(RULES);
});
after(async () => {
  await book.close();
  rmSync(folder, { recursive: true, force: true });
});

describe('a DML program', () => {
  const run = async (code) => {
    const dml = await createDeepClause({ book });
    try {
      const events = await eventsOf(dml.runDML(code));
      return events.map(({ type, content }) => (content === undefined ? type : `${type}: ${content}`));
    } finally {
      dml.close();
    }
  };

  test('asks rows and sets of its book', async () => {
    const told = await run(`agent_main :-
      findall(I-A, book:large(I, A), Large), length(Large, N),
      findall(Y, book:reach(a, Y), All), length(All, M),
      ( book:(\\+ orders(9, _, _)) -> Known = no ; Known = yes ),
      answer("{N} {M} {Known}").`);
    assert.equal(
      told.find((event) => event.startsWith('answer')),
      'answer: 2 3 no',
      told.join('\n'),
    );
  });

  test('gets the error of a source as that of the book', async () => {
    const told = await run(`agent_main :-
      catch(book:gone(_), error(book_error(Kind, Message), _), true), answer("{Kind}: {Message}").`);
    assert.match(told.join('\n'), /answer: .*missing: there is not a file or folder no.csv/);
  });
});

describe('a node of a workflow', () => {
  const run = async (goals, settings = '') => {
    const lines = goals.split('\n').map((line) => `    ${line.trim()}\n`);
    const yaml = `language: prolog\nnodes:\n- name: ask\n  book: true\n${settings}  run: |\n${lines.join('')}`;
    const workflow = await Workflow.load(yaml, { book: book.hornbook });
    try {
      return (await eventsOf(workflow.run({}))).at(-1);
    } finally {
      workflow.close();
    }
  };

  test('asks rows, joins and sets, and what it changes with them is kept', async () => {
    const end = await run(`findall(I, large(I, _), Large), return(large, Large).
      findall(Y, reach(a, Y), All), length(All, N), return(reached, N).
      aggregate_all(count, orders(_, 'Ann', _), Count), return(count, Count).
      forall(orders(I, 'Bob', _), assertz(seen(I))).`);
    assert.equal(end.type, 'final', JSON.stringify(end));
    assert.deepEqual({ ...end.state }, { large: [1, 3], reached: 3, count: 2 });
    assert.equal((await book.once('seen(I)')).I, 2);
  });

  test('fails with the error of the source, and changes nothing', async () => {
    const end = await run('assertz(seen(9)), gone(X), return(x, X).');
    assert.equal(end.type, 'error', JSON.stringify(end));
    assert.match(JSON.stringify(end), /gone\/1 could not be answered: missing: there is not a file or folder no.csv/);
    assert.equal(await book.once('seen(9)'), undefined);
  });

  for (const goal of ['endless', 'counted']) {
    test(`ends at its time limit in a statement without an end, of ${goal}/1, and the book goes on`, async () => {
      const end = await run(`assertz(seen(7)), ${goal}(N), return(n, N).`, '  timeout: 1\n');
      assert.equal(end.type, 'error', JSON.stringify(end));
      assert.equal(end.kind, 'timeout', JSON.stringify(end));
      assert.equal(await book.once('seen(7)'), undefined);
      assert.equal((await book.once('orders(3, _, A)')).A, 20);
    });
  }

  test('asks again after an error, as its book does', async () => {
    const end = await run('catch(gone(_), error(host_error(_, _), _), true), orders(3, _, A), return(amount, A).');
    assert.equal(end.state?.amount, 20, JSON.stringify(end));
  });
});

test('hornbook flow and run reach the data that the command line names', async () => {
  const path = at('shop.book');
  const kept = await openBook({ path, data: { shop: at('orders.csv') } });
  await kept.assert(RULES.filter((text) => !/net|missing|link|reach|endless|counted/.test(text)));
  await kept.close();
  writeFileSync(
    at('sum.flow.yaml'),
    'language: prolog\nnodes:\n- { name: sum, book: true, run: "aggregate_all(sum(A), large(_, A), Sum), return(total, Sum)." }\n',
  );
  const hornbook = (...args) => spawnSync(process.execPath, [BIN, ...args], { encoding: 'utf8' });
  const named = ['--data', `shop=${at('orders.csv')}`];
  const ran = hornbook('flow', at('sum.flow.yaml'), '--book', path, ...named);
  assert.equal(JSON.parse(ran.stdout).total, 32, ran.stderr);
  assert.match(hornbook('flow', at('sum.flow.yaml'), ...named).stderr, /--data needs the book whose goals ask it/);
  writeFileSync(at('sum.dml'), 'agent_main :- book:aggregate_all(count, large(_, _), N), format("~w large~n", [N]).\n');
  const said = hornbook('run', at('sum.dml'), '--book', path, ...named);
  assert.match(said.stdout, /2 large/, said.stderr);
});
