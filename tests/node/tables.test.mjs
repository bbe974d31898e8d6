// Tables become facts, and answers become tables: over MCP, in the package, on the command line.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { crc32 } from 'node:zlib';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { openBook } from '../../pkg/index.js';
import { BIN, Server, directory } from './harness.mjs';

const ORDERS = `id,Customer,country,amount,date,status
1001,Anna,DE,12.50,2026-01-02,paid
1002,O'Neil,IE,,2026-01-03,open
1003,Anna,DE,7,2026-01-05,paid
`;

/** An archive with one file, which is not compressed. */
function stored(name, text) {
  const data = Buffer.from(text);
  const of = Buffer.alloc(26);
  of.writeUInt16LE(20, 0);
  of.writeUInt32LE(crc32(data), 10);
  of.writeUInt32LE(data.length, 14);
  of.writeUInt32LE(data.length, 18);
  of.writeUInt16LE(name.length, 22);
  const local = Buffer.concat([Buffer.from('PK\x03\x04'), of, Buffer.from(name), data]);
  const central = Buffer.concat([Buffer.from('PK\x01\x02\x14\0'), of, Buffer.alloc(14), Buffer.from(name)]);
  const end = Buffer.alloc(18);
  end.writeUInt16LE(1, 4);
  end.writeUInt16LE(1, 6);
  end.writeUInt32LE(central.length, 8);
  end.writeUInt32LE(local.length, 12);
  return Buffer.concat([local, central, Buffer.from('PK\x05\x06'), end]);
}

/** All answers of a query. */
async function listed(query) {
  const all = [];
  for await (const answer of query) all.push(answer);
  return all;
}

/** Written by openpyxl and by odfpy. */
const workbook = (name) => new URL(`../support/workbooks/${name}`, import.meta.url);

let server;
before(async () => (server = await Server.start({ files: { 'orders.csv': ORDERS } })));
after(() => server.close());

const files = (operation, more = {}) => server.call('files', { operation, ...more });
const workspace = (operation, more = {}) => server.call('workspace', { operation, ...more });
const ask = async (query) => (await server.call('query_start', { query, take: 50 })).text;

test('a CSV file comes in, is asked, undone, read again, and goes', async () => {
  const { text, data } = await files('import', { filename: 'orders.csv' });
  const path = join(server.directory, 'orders.csv');
  assert.equal(
    text,
    `Successfully imported 3 clauses from ${path}
orders/6:
id number: 1001, 1002
customer text: 'Anna', 'O\\'Neil'
country text: 'DE', 'IE'
amount number, 1 null: 12.50, 7
date text: '2026-01-02', '2026-01-03'
status text: paid, open`,
  );
  assert.equal(data.clausesAdded, 3);
  assert.equal(data.columns[3], 'amount number, 1 null: 12.50, 7');

  assert.match(await ask("aggregate_all(sum(A), (orders(_, 'Anna', _, A, _, paid)), Sum)"), /Sum = 19\.5/);
  assert.match(
    (await workspace('list_symbols')).text,
    /orders\(id, customer, country, amount, date, status\): 3 clauses/,
  );
  assert.match((await workspace('provenance', { of: 'orders(1003, A, B, C, D, E)' })).text, /orders\.csv:4/);
  assert.match((await workspace('why', { of: "orders(1001, 'Anna', C, A, D, S)" })).text, /orders\.csv:2/);
  const wrong = await server.call('query_start', { query: 'orders(A, B, C, D, E)', take: 1 });
  assert.match(wrong.text, /There is orders\/6: id, customer, country, amount, date, status\./);

  assert.match((await workspace('undo')).text, /undo of 1: import .*orders\.csv, \+0 -3/);
  assert.match(await ask('catch(orders(_, _, _, _, _, _), _, fail)'), /false/i);
  await workspace('redo');
  writeFileSync(path, ORDERS.replace('1002', '1009'));
  assert.match(
    (await files('reload', { filename: 'orders.csv' })).text,
    /Successfully reloaded .*orders\.csv: 1 added, 1 removed, 2 as before/,
  );
  const same = await files('reload', { filename: 'orders.csv' });
  assert.match(same.text, /0 added, 0 removed, 3 as before$/);
  assert.equal(same.data.columns, undefined);
  assert.match((await files('list')).text, /orders\.csv: 3 clauses/);
  assert.match((await files('unimport', { filename: 'orders.csv' })).text, /unimported 3 clauses/);
});

test('a table given as text may be named and typed, and is read in the same way again', async () => {
  const more = { filename: 'x.csv', text: 'a,b\n007,1\n', columns: 'agents(code, number: text)' };
  assert.match((await files('import', more)).text, /agents\/2:\ncode text: '007'\nnumber text: '1'$/);
  await files('reload', { filename: 'x.csv', text: 'a,b\n007,1\n008,2\n' });
  assert.match(await ask('agents(C, N)'), /C = '007', N = '1'[\s\S]*C = '008', N = '2'/);
  await files('unimport', { filename: 'x.csv' });
  const refused = await files('import', { filename: 'x.pl', text: 'p(1).', columns: 'p(id)' });
  assert.match(refused.text, /x\.pl is not read as a table/);
});

test('JSON and JSON Lines are rows, with lists and dicts', async () => {
  const text = '[\n{"name": "Ann", "tags": ["a", 1], "at": {"city": "Bonn"}},\n{"name": "Bob", "ok": true}\n]';
  assert.match((await files('import', { filename: 'people.json', text })).text, /people\/4:\nname text: 'Ann', 'Bob'/);
  assert.match(await ask("people('Ann', T, D, _), C = D.city"), /T = \[a,1\].*C = 'Bonn'/);
  await files('unimport', { filename: 'people.json' });
  await files('import', { filename: 'log.jsonl', text: '{"level": "error", "n": 1}\n{"level": "info", "n": 2}\n' });
  assert.match(await ask('log(error, N)'), /N = 1/);
  await files('unimport', { filename: 'log.jsonl' });
});

test('a YAML list of maps is rows, each in its line, and a workflow stays a document', async () => {
  const text = '# Items\n- item: Tea\n  price: 2.50\n- item: Milk\n  tags: [cold]\n';
  const { data } = await files('import', { filename: 'items.yaml', text });
  assert.deepEqual(data.columns, [
    "item text: 'Tea', 'Milk'",
    'price number, 1 null: 2.50',
    'tags list, 1 null: [cold]',
  ]);
  assert.match(await ask("items('Tea', Price, _)"), /Price = 2\.5/);
  assert.match((await workspace('provenance', { of: "items('Milk', A, B)" })).text, /items\.yaml:4/);
  const refused = await files('import', { filename: 'bad.yml', text: '- a: 1\n- b: [1\n' });
  assert.match(refused.text, /bad\.yml cannot be read as a table: line \d/);
  await files('import', { filename: 'x.flow.yaml', text: 'nodes: []\n' });
  assert.match((await files('list')).text, /x\.flow\.yaml: document, 10 characters/);
  for (const filename of ['items.yaml', 'x.flow.yaml']) await files('unimport', { filename });
});

test('each sheet of a workbook is a table', async () => {
  copyFileSync(workbook('shop.xlsx'), join(server.directory, 'shop.xlsx'));
  const { text, data } = await files('import', { filename: 'shop.xlsx' });
  assert.equal(
    text.replace(server.directory, ''),
    `Successfully imported 5 clauses from /shop.xlsx
shop_orders/6:
id number: 1001, 1002
customer text: 'Anna', 'O\\'Neil'
amount number, 1 null: 12.5, 7
date text: '2026-01-02', '2026-01-03'
paid boolean: true, false
code text: '007', '42'
Sheet Orders.
shop_customers/2:
name text: 'Anna', 'O\\'Neil'
country text: 'DE', 'IE'
Sheet Customers; its row 1 is line 11.
The first row, a title, was left out.
The first row was taken for the header; if it is data, import it with columns: "header: false".`,
  );
  assert.equal(data.columns.at(-1), "shop_customers: country text: 'DE', 'IE'");
  const goal = "shop_orders{customer: N, amount: A, paid: true}, shop_customers{name: N, country: 'DE'}";
  assert.match(await ask(`aggregate_all(sum(A), (${goal}), Sum)`), /Sum = 19\.5/);
  assert.match((await workspace('provenance', { of: "shop_customers(N, 'IE')" })).text, /shop\.xlsx:15/);
  assert.match((await files('reload', { filename: 'shop.xlsx' })).text, /0 added, 0 removed, 5 as before/);
  assert.match(
    (await files('import', { filename: 'other.xlsx', text: 'a,b\n1,2\n' })).text,
    /what was given is not base64\. Give the bytes of the workbook as base64, or only its path\./,
  );
  assert.match((await files('unimport', { filename: 'shop.xlsx' })).text, /unimported 5 clauses/);
});

test('the package takes the bytes of a workbook', async () => {
  const book = await openBook();
  const { table } = await book.import('people.ods', readFileSync(workbook('people.ods')));
  assert.deepEqual([table.name, table.rows], ['people', 3]);
  assert.deepEqual(await listed(book.query('people(2, Name, Amount)')), [{ Name: 'Bob & Co', Amount: null }]);
  const { tables } = await book.import('shop.xlsx', readFileSync(workbook('shop.xlsx')));
  assert.deepEqual(
    tables.map(({ name, rows }) => [name, rows]),
    [
      ['shop_orders', 3],
      ['shop_customers', 2],
    ],
  );
  await assert.rejects(
    book.import('bad.xlsx', new Uint8Array([1, 2, 3])),
    /bad\.xlsx cannot be read as a table: it is no workbook/,
  );
  await book.close();
});

test('columns that are others than before are told of', async () => {
  const book = await openBook();
  await book.import('o.csv', 'id,who\n1,a\n2,b\n');
  const { table } = await book.import('o.csv', 'who,id\na,1\nb,2\n');
  assert.deepEqual(table.notes, [
    'Its columns were id, who: look at the rules that use o.',
    'Gone: o(1, a). o(2, b). New: o(a, 1). o(b, 2).',
  ]);
  const other = await book.import('b/o.csv', 'x,y\n1,a\n');
  assert.deepEqual(other.table.notes, [
    'o.csv has o, too, with other columns: who, id. To keep them apart, unimport this file and import it with another name, as columns: "o_2".',
  ]);
  await book.close();
});

test('rows of another file with the same name and columns are told of, and an identical copy most of all', async () => {
  const book = await openBook();
  await book.import('a/sales.csv', 'id,total,who\n1,5,ann\n');
  const more = await book.import('b/sales.csv', 'id,total,who\n2,6,bob\n');
  assert.deepEqual(more.table.notes, ['These rows are added to those of a/sales.csv.']);
  await book.unimport('b/sales.csv');
  const copy = await book.import('b/sales.csv', 'id,total,who\n1,5,ann\n');
  assert.match(copy.table.notes[0], /^a\/sales\.csv has the same rows: every row is in the book twice now\./);
  await book.unimport('b/sales.csv');
  await book.import('c/sales.csv', 'id,who,total\n3,cid,7\n');
  await assert.rejects(
    book.all('sales{total: T}'),
    /The row sales\{…\} would be of files with different columns: sales\/3 with id, total, who; sales\/3 with id, who, total\./,
  );
  assert.deepEqual(await listed(book.query('sales{id: I}')), [{ I: 1 }, { I: 3 }]);
  await book.close();
});

test('a column that changes its type when its file is read again is told of with the line', async () => {
  const book = await openBook();
  await book.import('mx.csv', 'id,v\n1,5\n2,6\n');
  const { table } = await book.import('mx.csv', 'id,v\n1,5\n2,6\n3,n.a.\n');
  assert.match(table.notes.join(' '), /v was number and is text now because of line 4 \('n\.a\.'\)/);
  assert.match(
    table.notes.join(' '),
    /Gone: mx\(1, 5\)\. mx\(2, 6\)\. New: mx\(1, '5'\)\. mx\(2, '6'\)\. mx\(3, 'n\.a\.'\)\./,
  );
  const back = await book.import('mx.csv', 'id,v\n1,5\n');
  assert.match(back.table.notes.join(' '), /v was text and is number now/);
  await book.close();
});

test('bytes of Windows-1252 are the same text as a file by its path', async () => {
  const bytes = Buffer.from([...Buffer.from('name,n\n'), 0x80, 0x93, 0xe9, ...Buffer.from(',1\n')]);
  const folder = directory({ 'w.csv': bytes });
  const book = await openBook({ roots: [folder], log: () => {} });
  await book.import('bytes.csv', bytes);
  await book.import(join(folder, 'w.csv'));
  assert.deepEqual(await listed(book.query('bytes(N, _), w(N, _)')), [{ N: '€“é' }]);
  await book.close();
});

test('a table without rows is there and fails, as an export without answers is', async () => {
  const book = await openBook();
  await book.assert('t(1, 2).');
  const csv = await book.query('t(Name, 7), Age = 1').toCSV();
  const { table } = await book.import('none.csv', csv);
  assert.deepEqual([table.name, table.rows, table.columns.length], ['none', 0, 2]);
  assert.equal(await book.once('none(_, _)'), undefined);
  await book.import('none.csv', 'name,age\nAnn,5\n');
  assert.deepEqual(await book.once('none(N, A)'), { N: 'Ann', A: 5 });
  await book.close();
});

test('a file that is read again keeps the names and types that are not said now', async () => {
  const book = await openBook();
  const text = 'id,v,zip\n1,"2,5",034\n';
  await book.import('n.csv', text, { columns: 'sales(id, amount, zip: text)' });
  const { table } = await book.import('n.csv', text, { columns: 'amount: number' });
  assert.deepEqual([table.name, table.columns.map(({ name }) => name)], ['sales', ['id', 'amount', 'zip']]);
  assert.deepEqual(await book.once('sales(_, A, Z)'), { A: 2.5, Z: '034' });
  const renamed = (await book.import('n.csv', text, { columns: 'costs' })).table;
  assert.ok(renamed.notes.includes('Its rows were sales and are costs now: look at the rules that use sales.'));
  assert.deepEqual(await book.once('costs(_, A, Z)'), { A: 2.5, Z: '034' });
  await book.close();
});

test('what has no rows is a table of the columns that are named', async () => {
  const book = await openBook();
  for (const [filename, text] of [
    ['a.json', '{}'],
    ['b.json', '{"rows": []}'],
    ['c.csv', ''],
  ]) {
    await assert.rejects(
      book.import(filename, text),
      /which columns they would have, as columns: "[abc]\(…\)"/,
      filename,
    );
    const { table } = await book.import(filename, text, { columns: `${filename[0]}(id, n: number)` });
    assert.deepEqual([table.rows, table.columns.map(({ name }) => name)], [0, ['id', 'n']], filename);
    assert.equal(await book.once(`${filename[0]}{n: N}`), undefined, filename);
  }
  await book.close();
});

test('help tells the columns of a table', async () => {
  await files('import', { filename: 'orders.csv', text: ORDERS });
  for (const topic of ['orders', 'orders/6']) {
    const { text } = await server.call('help', { topic });
    assert.equal(
      text,
      'orders(id, customer, country, amount, date, status): 3 clauses\n' +
        '`orders{id: X}` names only the columns that it uses.',
    );
  }
  const other = await server.call('help', { topic: 'orders/7' });
  assert.ok(other.isError);
  assert.match(other.text, /The book has no orders\/7\. It has orders\(id, customer, /);
  const { text, isError } = await server.call('help', { topic: 'ordrs' });
  assert.ok(isError);
  assert.match(text, /There is no help on 'ordrs'\. The topics are: overview, /);
  assert.match(await ask('help(orders)'), /The tool `help` tells of predicates of the book/);
  await files('unimport', { filename: 'orders.csv' });
});

test('help quotes columns that need it, and tells in parts those of a wide table', async () => {
  const names = Array.from({ length: 900 }, (_, at) => `3x_quarter_of_the_region_${at}_in_millions`);
  await files('import', { filename: 'wide.csv', text: `${names.join(',')}\n${names.map(() => 1).join(',')}\n` });
  const found = [];
  let topic = 'wide';
  while (topic) {
    const { text, isError } = await server.call('help', { topic });
    assert.ok(!isError, text);
    assert.match(text, /`wide\{'3x_quarter_of_the_region_0_in_millions': X\}` names only the columns/);
    found.push(...(text.split('\n')[0].match(/3x_\w+/g) ?? []));
    topic = /with the topic `(wide from \d+)`/.exec(text)?.[1];
  }
  assert.deepEqual(found, names);
  await files('unimport', { filename: 'wide.csv' });
});

test('a table without rows is read again with its columns', async () => {
  await files('import', { filename: 'hits.json', text: '[{"id":1,"who":"Ann"}]' });
  await files('reload', { filename: 'hits.json', text: '{"total":0,"rows":[]}' });
  assert.match((await workspace('list_symbols', { of: 'hits' })).text, /hits\(id, who\): 0 clauses/);
  await files('reload', { filename: 'hits.json', text: '[]' });
  await files('reload', { filename: 'hits.json', text: '[{"id":2,"who":"Bo"}]' });
  assert.match(await ask('hits{who: W}'), /W = 'Bo'/);
  await files('unimport', { filename: 'hits.json' });
});

test('the difference of a reload is the rows that changed, also behind what was added meanwhile', async () => {
  await files('import', { filename: 'pairs.csv', text: 'a,b\n1,x\n2,y\n3,z\n' });
  await files('import', { filename: 'more/pairs.csv', text: 'a,b\n7,x\n' });
  await files('reload', { filename: 'pairs.csv', text: 'a,b\n1,x\n2,w\n3,z\n' });
  const { text } = await workspace('diff');
  assert.deepEqual(
    text.split('\n').filter((line) => /^[-+](?![-+])/.test(line)),
    ['-pairs(2, y).', '+pairs(2, w).'],
  );
  assert.doesNotMatch(text, /stands behind other clauses/);
  for (const filename of ['pairs.csv', 'more/pairs.csv']) await files('unimport', { filename });
});

test('a second table without rows is no copy of the first', async () => {
  const book = await openBook();
  await book.import('a/none.csv', 'id,name\n');
  const { table } = await book.import('b/none.csv', 'id,name\n');
  assert.equal(table.notes[0], 'These rows are added to those of a/none.csv.');
  await book.close();
});

test('a workbook that repeats its rows a million times is refused, and the book goes on', async () => {
  const book = await openBook();
  const cell = '<table:table-cell table:number-columns-repeated="900" office:value-type="float" office:value="2"/>';
  const rows = `<table:table-row table:number-rows-repeated="1048000">${cell}</table:table-row>`;
  const content = `<office:document-content><office:body><office:spreadsheet><table:table table:name="T">${rows}</table:table></office:spreadsheet></office:body></office:document-content>`;
  await assert.rejects(
    book.import('bomb.ods', stored('content.xml', content)),
    /more rows than the 1000000 for which the book has room|more than 10000000 values/,
  );
  await book.assert('a(1).');
  assert.deepEqual(await book.once('a(X)'), { X: 1 });
  await book.close();
});

test('what is no table, or cannot be added, changes nothing', async () => {
  const before = (await workspace('snapshot')).text;
  for (const [filename, text, said] of [
    ['x.csv', 'a,b\n1,"open\n', /line 2: a quote is opened and not closed/],
    ['x.json', '{"a": 1', /x\.json cannot be read as a table: line 1: /],
    ['x.csv', `${'a,'.repeat(16_383)}a\n`, /may have 1000 columns/],
    ['length.csv', 'a,b\n1,2\n3,4\n', /length\.csv was not imported.*columns: "my_table"/s],
  ]) {
    const reply = await files('import', { filename, text });
    assert.match(reply.text, said);
    assert.equal(reply.data.status, 'failed');
  }
  assert.equal((await workspace('snapshot')).text, before);
  assert.match((await files('list')).text, /no imported files/);
});

test('a reload that cannot be added as a whole leaves what was there', async () => {
  await files('import', { filename: 'pairs.csv', text: 'a,b\n1,2\n' });
  const refused = await files('reload', { filename: 'pairs.csv', text: 'a,b\n1,2\n3,4\n', columns: 'length(a, b)' });
  assert.match(refused.text, /pairs\.csv was not imported/);
  const { text } = await server.call('query_start', { query: 'findall(A-B, pairs(A, B), L)', take: 1 });
  assert.match(text, /L = \[1-2\]/);
  await files('unimport', { filename: 'pairs.csv' });
});

test('a reply about twelve columns has fewer than 200 tokens', async () => {
  const names = 'year,month,day,dep_time,dep_delay,carrier,flight,tailnum,origin,dest,air_time,distance';
  const rows = '2013,1,1,517,2,UA,1545,N14228,EWR,IAH,227,1400\n2013,1,1,533,4,UA,1714,N24211,LGA,IAH,227,1416\n';
  const { text } = await files('import', { filename: 'flights.csv', text: `${names}\n${rows}` });
  assert.ok(encode(text).length < 200, `${encode(text).length} tokens`);
  await files('unimport', { filename: 'flights.csv' });
});

test('counts and sums of columns are those of the rows', async () => {
  const rows = Array.from({ length: 5_000 }, (_, n) => [
    n,
    `k${n % 7}`,
    n % 3 ? (n / 4).toFixed(2) : '',
    `a "${n}", b`,
  ]);
  const cell = (value) => `"${String(value).replaceAll('"', '""')}"`;
  const lines = rows.map(([n, k, x, t]) => `${n};${k};${x};${cell(t)}`);
  const book = await openBook();
  const { table } = await book.import('big.csv', `n;k;x;t\r\n${lines.join('\r\n')}\r\n`);
  assert.deepEqual([table.rows, table.columns.map(({ nulls }) => nulls)], [5_000, [0, 0, 1_667, 0]]);
  const sum = rows.reduce((all, [, , x]) => all + Number(x), 0);
  const goal =
    'aggregate_all(sum(X), (big(_, _, X, _), number(X)), Sum), aggregate_all(count, big(_, k3, _, _), Count)';
  const [{ Sum, Count }] = await book.all(goal);
  assert.ok(Math.abs(Sum - sum) < 1e-6 * sum);
  assert.equal(Count, rows.filter(([, k]) => k === 'k3').length);
  assert.equal((await book.all('big(4321, _, _, \'a "4321", b\')')).length, 1);
  await book.close();
});

test('a goal names the columns that it uses, in queries, clauses and files, and is kept as the plain goal', async () => {
  const root = directory({
    'orders.csv': ORDERS,
    'rules.pl': 'due(C) :-\n    orders{status: open,\n        customer: C}.\nlast.\n',
  });
  const book = await openBook({ roots: [root] });
  try {
    await assert.rejects(
      book.import('rules.pl'),
      /1:0: .*the dict orders\{customer:_\d+, status:open\}; Table\{column: Value\} is a goal only in text that comes after the table/,
    );
    await book.undo();
    await book.import('orders.csv');
    await book.import('rules.pl');
    assert.equal((await book.once('due(C)'))?.C, "O'Neil");
    assert.match(await book.source(), /\ndue\(C\) :-\n {4}orders\(_, C, _, _, _, open\n\)\.\nlast\.\n/);
    assert.equal((await book.once("aggregate_all(sum(A), orders{amount: A, customer: 'Anna'}, S)"))?.S, 19.5);
    assert.deepEqual(await book.once('G = orders{id: 1003, status: S}, call(G)').then(({ S }) => S), 'paid');
    await book.assert('of(C, D) :- orders{customer: C, date: D, status: paid}.');
    await book.retract('of(C, D) :- orders{customer: C, date: D, status: paid}.');
    assert.equal((await book.once('of(C, D)')) ?? null, null);
    await assert.rejects(book.once('orders{custmer: C}'), {
      kind: 'invalid_argument',
      message:
        /The table orders has no column custmer\..*Its columns are id, customer, country, amount, date, status\./,
    });
    const why = await book.why('orders{id: 1002, amount: A}');
    assert.match(JSON.stringify(why), /orders\(1002,/);
  } finally {
    await book.close();
  }
});

test('answers go out as CSV and come back the same', async () => {
  const book = await openBook();
  const text = 'name,n,note\n"=1+1",-5,"a, ""b"""\nplain,2.5,\n';
  await book.import('t.csv', text);
  const csv = await book.query('t(Name, N, Note)').toCSV();
  assert.equal(csv, 'Name,N,Note\r\n\'=1+1,-5,"a, ""b"""\r\nplain,2.5,null\r\n');
  assert.equal(await book.query('t(Name, 7, _Note), X = Name').toCSV(), 'Name,X\r\n');
  assert.equal(
    await book.query("member(X, ['a;=1+1', 'a; =1+1', '\\n=1', '＝1', 'a; b'])").toCSV(),
    "X\r\na;'=1+1\r\na; '=1+1\r\n\"'\n=1\"\r\n'＝1\r\na; b\r\n",
  );
  assert.equal(await book.query('t(Name, 7, _), X = Name').written('table'), 'Name  X\n----  -\n');
  await assert.rejects(
    book.query("member(X, [a, 'b\\0\\c'])").toCSV(),
    /Answer 2 has a NUL character.*as Prolog or JSON/,
  );
  await book.close();
});

const run = async (...args) => {
  const { stdout, stderr } = await promisify(execFile)(process.execPath, [BIN, ...args]).catch((error) => error);
  return { stdout, stderr };
};

test('a column that a table does not have is named when a file is imported', async () => {
  await files('import', { filename: 'orders.csv', text: ORDERS });
  const { text } = await files('import', { filename: 'bad.pl', text: 'bad(X) :- orders{nope: X}.\n' });
  assert.match(
    text,
    /The table orders has no column nope\. Its columns are id, customer, country, amount, date, status\./,
  );
  await files('unimport', { filename: 'orders.csv' });
});

test('hornbook ask takes tables before the rules that name their columns', async () => {
  const root = directory({ 'orders.csv': ORDERS, 'rules.pl': 'due(C) :- orders{status: open, customer: C}.\n' });
  const { stdout } = await promisify(execFile)(process.execPath, [BIN, 'ask', 'rules.pl', 'orders.csv', 'due(C)'], {
    cwd: root,
  });
  assert.equal(stdout, "C = 'O\\'Neil'.\n");
  await promisify(execFile)(process.execPath, [BIN, 'check', 'rules.pl'], { cwd: root });
});

test('hornbook ask reads workbooks', async () => {
  const path = fileURLToPath(workbook('shop.xlsx'));
  const { stdout, stderr } = await run('ask', path, "shop_orders{customer: 'Anna', date: D}");
  assert.equal(stdout, "D = '2026-01-02' ;\nD = '2026-01-05T14:30:00'.\n");
  assert.match(stderr, /shop\.xlsx: Sheet Customers; its row 1 is line 11\./);
});

test('whatever is assumed about a table is told by the tool, the package and ask', async () => {
  const old = Buffer.from([...Buffer.from('word;n;m\n'), 0x80, ...Buffer.from(';1,5;NA\nb;2;3\nc;4;5;6\nd;7\n')]);
  const given = {
    'old.csv': old,
    'bare.csv': '1,2\n3,4\n',
    'texts.csv': 'ann,london\nbob,paris\n',
    'years.csv': ',2010,2020\na,1,2\nb,3,4\n',
  };
  const wanted = {
    'old.csv': [
      'is not UTF-8: it was read as Windows-1252.',
      'Values are separated by semicolons.',
      '1 row (line 5) has fewer values than columns: what is missing is null.',
      '1 row (line 4) has more values than columns: kept as old_ragged(Line, Values).',
      'n: the comma was read as a decimal comma.',
      'm: NA was read as null.',
    ],
    'bare.csv': ['No header was recognized; if the first row is one'],
    'texts.csv': ['The first row was taken for the header; if it is data, import it with columns: "header: false".'],
    'years.csv': ['2010, 2020 in the first row were taken as names of columns'],
  };
  const folder = directory(given);
  const told = [];
  const book = await openBook({ roots: [folder], log: (text) => told.push(text) });
  const ofPackage = async (...contents) => {
    told.length = 0;
    const { table } = await book.import(...contents);
    assert.deepEqual(told, [], 'the result has it all');
    return table.notes.join('\n');
  };
  for (const [name, sentences] of Object.entries(wanted)) {
    const path = join(folder, name);
    writeFileSync(join(server.directory, name), given[name]);
    const texts = {
      tool: (await files('import', { filename: name })).text,
      ask: (await run('ask', path, 'true')).stderr,
      'package, by path': await ofPackage(path),
      'package, by bytes': await ofPackage(name, Buffer.from(given[name])),
    };
    for (const [host, text] of Object.entries(texts))
      for (const sentence of sentences) assert.ok(text.includes(sentence), `${host}: ${sentence}\n${text}`);
  }
  await book.close();
});

test('hornbook ask reads tables and writes answers', async () => {
  const path = directory({ 'orders.csv': ORDERS, 'bad.csv': 'a,b\n1,"x\n' });
  const file = join(path, 'orders.csv');
  const goal = 'orders(Id, Who, _, Amount, _, paid)';
  assert.equal(
    (await run('ask', file, goal)).stdout,
    "Id = 1001,\nWho = 'Anna',\nAmount = 12.5 ;\nId = 1003,\nWho = 'Anna',\nAmount = 7.\n",
  );
  assert.equal(
    (await run('ask', '--format', 'csv', file, goal)).stdout,
    'Id,Who,Amount\r\n1001,Anna,12.5\r\n1003,Anna,7\n',
  );
  assert.equal(
    (await run('ask', '--format', 'jsonl', '-n', '1', file, goal)).stdout,
    '{"Id":1001,"Who":"Anna","Amount":12.5}\n',
  );
  assert.equal(
    (await run('ask', '--format', 'table', file, goal)).stdout,
    'Id    Who   Amount\n----  ----  ------\n1001  Anna    12.5\n1003  Anna       7\n',
  );
  const out = join(path, 'out.json');
  assert.equal((await run('ask', '--out', out, file, goal)).stdout, '');
  assert.deepEqual(JSON.parse(readFileSync(out, 'utf8'))[1], { Id: 1003, Who: 'Anna', Amount: 7 });
  assert.match((await run('ask', join(path, 'bad.csv'), 'true')).stderr, /line 2: a quote is opened and not closed/);
  assert.match(
    (await run('ask', '--format', 'xml', file, goal)).stderr,
    /--format is one of csv, json, jsonl, table, prolog/,
  );
  rmSync(path, { recursive: true });
});
