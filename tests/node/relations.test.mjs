// Relations of the host at their edges: what matches, what holds for whom, where addresses lead, what is told, and what nobody
// may write.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, describe, test } from 'node:test';
import { openBook } from '../../pkg/index.js';
import { Serving } from '../support/serve.mjs';

const folder = mkdtempSync(join(tmpdir(), 'hornbook-relations-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const open = [];
afterEach(async () => {
  for (const book of open.splice(0)) await book.close();
});
async function bookWith(data, clauses = [], options = {}) {
  const book = await openBook({ data, ...options });
  open.push(book);
  if (clauses.length > 0) await book.assert(clauses);
  return book;
}
const fact = 'data_read(o, lim(_, _), [], t, h, [lim(ann, 1000)])';

describe('what comes back', () => {
  test('is compared with what was known, and fills what the answer does not have', async () => {
    const all = function* () {
      yield ['apple', 3];
      yield ['pear', 12];
    };
    const relations = {
      stock: { columns: ['?item', '-count'], answer: all },
      must: { columns: ['+item', '-count'], answer: all },
      short: { columns: ['+item', '-count'], answer: () => [undefined, 7] },
    };
    const book = await bookWith({ own: { relations } }, [
      ':- data(stock/2, own:stock).',
      ':- data(must/2, own:must).',
      ':- data(short/2, own:short).',
    ]);
    assert.deepEqual(await book.all('stock(apple, N)'), [{ N: 3 }]);
    assert.deepEqual(await book.all('must(pear, N)'), [{ N: 12 }]);
    assert.deepEqual(await book.all('must(plum, N)'), []);
    assert.deepEqual(await book.all('short(plum, N)'), [{ N: 7 }]);
  });

  test('is the number that was known if it is equal, though JavaScript tells no floats from integers', async () => {
    const twice = { columns: ['+n', '-m'], answer: (n) => [n, 2 * n] };
    const book = await bookWith({ f: { relations: { twice } } }, [':- data(twice/2, f:twice).']);
    assert.deepEqual(await book.all('twice(2.0, M)'), [{ M: 4 }]);
    assert.deepEqual(await book.all('twice(2, M)'), [{ M: 4 }]);
    assert.deepEqual(await book.all('twice(2.5, M)'), [{ M: 5 }]);
    assert.equal((await book.all('twice(1.0e20, M)')).length, 1);
    await assert.rejects(book.all('twice(100000000000000000000, M)'), /n has more digits than are told exactly/);
  });

  test('holds for the query that asked, whatever others ask meanwhile', async () => {
    let count = 0;
    const book = await bookWith({ own: { relations: { tick: { columns: ['-n'], answer: () => [++count] } } } }, [
      ':- data(tick/1, own:tick).',
    ]);
    const seen = [];
    for await (const { A, B } of book.query('tick(A), member(_, [1, 2, 3]), tick(B)', { ahead: 1 })) {
      seen.push([A, B]);
      await book.all('tick(_)');
    }
    assert.ok(count > 1);
    assert.deepEqual(seen, [
      [1, 1],
      [1, 1],
      [1, 1],
    ]);
  });

  test('ends with the time limit if a generator has no solution for ever', async () => {
    const never = function* () {
      for (;;) yield false;
    };
    const book = await bookWith(
      { own: { relations: { never: { columns: ['-n'], answer: never } } } },
      [':- data(never/1, own:never).'],
      { predicates: { 'nothing/1': never } },
    );
    await assert.rejects(book.all('never(N)', { timeoutMs: 300 }), { kind: 'timeout' });
    await assert.rejects(book.all('nothing(N)', { timeoutMs: 300 }), { kind: 'timeout' });
    assert.deepEqual(await book.all('X = 1'), [{ X: 1 }]);
  });

  test('is not asked for within a transaction, and the error says what to do', async () => {
    const book = await bookWith({ own: { relations: { one: { columns: ['-n'], answer: () => [1] } } } }, [
      ':- data(one/1, own:one).',
    ]);
    await assert.rejects(book.all('transaction(one(N))'), /transaction\/1, snapshot\/1 or a cleanup.*ask before it/s);
    assert.deepEqual(await book.all('one(N), transaction(N > 0)'), [{ N: 1 }]);
  });
});

describe('evidence', () => {
  const prices = { tea: 3 };
  const price = { columns: ['+item', '-price'], answer: (item) => item in prices && [item, prices[item]] };
  const shop = { relations: { price }, record: true };
  const RULES = [':- data(price/2, shop:price).', 'unsold(I) :- member(I, [tea]), \\+ price(I, _).'];

  test('is written by nobody, and does not stand for the rows of a table', async () => {
    const file = join(folder, 'lim.csv');
    writeFileSync(file, 'who,max\nann,10\n');
    const book = await bookWith({ o: file }, [
      ':- data(lim/2, o).',
      ':- dynamic spent/2.',
      ':- constraint((spent(W, N), lim(W, M), N > M), "~w spends too much"-[W]).',
    ]);
    const why = /recorded when relations of the host are read/;
    await assert.rejects(book.assert(`${fact}.`), why);
    await assert.rejects(book.once(`assertz(${fact})`), why);
    await assert.rejects(book.all('true', { assume: [`${fact}.`] }), why);
    await assert.rejects(book.import('forged.pl', `${fact}.\n`), why);
    await assert.rejects(book.assert(':- data(data_read/6, o).'), why);
    await assert.rejects(book.assert('spent(ann, 50).'), /ann spends too much/);
  });

  test('of what was not recorded then cannot be told, so no answer is lost', async () => {
    const book = await bookWith({ shop }, RULES);
    await book.assert('x.');
    await book.all('price(tea, _)');
    const tool = (await book.tools()).find(({ name }) => name === 'workspace');
    const told = await tool.call({ operation: 'diff', of: 'unsold(I)', from: 2 });
    assert.match(told, /cannot be told: price\(tea,_?A?\) was not recorded then/);
    assert.doesNotMatch(told, /^[+-] I = tea/m);
  });

  test('stays when the book is opened again, and when a draft is accepted the newest counts', async () => {
    const path = join(folder, 'draft.book');
    prices.tea = 3;
    const book = await bookWith({ shop }, RULES, { path });
    const draft = await book.draft('bot');
    await draft.book.all('price(tea, _)');
    // Times have seconds.
    await new Promise((done) => setTimeout(done, 1100));
    prices.tea = 9;
    await book.all('price(tea, _)');
    await draft.proposal();
    await draft.accept({ by: 'ann' });
    assert.equal((await book.all('data_read(_, _, _, _, _, _)')).length, 2);
    assert.match(String(await book.why('price(tea, P)')), /price\(tea,9\)/);
    await open.pop().close();
    const again = await bookWith(undefined, [], { path });
    assert.deepEqual(await again.all('price(tea, P)'), [{ P: 9 }]);
  });

  test('stays for the answers that came before a query was stopped', async () => {
    const book = await bookWith({ shop }, RULES);
    const answers = [];
    const ask = async () => {
      for await (const { P } of book.query('price(tea, P) ; repeat, fail', { timeoutMs: 500 })) answers.push(P);
    };
    await assert.rejects(ask(), { kind: 'timeout' });
    assert.equal(answers.length, 1);
    assert.equal((await book.all('data_read(_, _, _, _, _, _)')).length, 1);
  });

  test('is found among many, and after some was taken out', async () => {
    const twice = { columns: ['+n', '-m'], answer: (n) => [n, 2 * n] };
    const book = await bookWith({ f: { relations: { twice }, record: true } }, [':- data(twice/2, f:twice).']);
    const assume = { assume: ['x.'] };
    await book.once('forall(between(1, 300, N), twice(N, _))');
    assert.deepEqual(await book.all('twice(7, M)', assume), [{ M: 14 }]);
    await book.once('retractall(data_read(_, twice(7, _), _, _, _, _))');
    await book.once('twice(8, _)');
    assert.equal((await book.all('data_read(_, _, _, _, _, _)')).length, 299);
    await book.once('twice(7, _)');
    assert.equal((await book.all('data_read(_, twice(7, _), _, _, _, _)')).length, 1);
    assert.match(String(await book.why('twice(8, M)')), /twice\(8,16\) {2}% from f:twice/);
  });

  test('is asked for by who may only read, and not recorded', async () => {
    const [writes, reads] = ['writer-0123456789abcdef-0123456789', 'reader-0123456789abcdef-0123456789'];
    const tokens = join(folder, 'tokens');
    writeFileSync(tokens, `${writes}\nread ${reads}\n`);
    const serving = await Serving.start(join(folder, 'served'), ['--token-file', tokens]);
    try {
      const path = `${serving.url}/log/a`;
      const book = await bookWith({ shop }, RULES, { path, token: writes });
      const reader = await bookWith({ shop }, [], { path, token: reads });
      prices.tea = 5;
      assert.deepEqual(await reader.all('price(tea, P)'), [{ P: 5 }]);
      assert.deepEqual(await book.all('catch(data_read(_, _, _, _, _, _), _, fail)'), []);
      await assert.rejects(reader.assert('x.'), /scope write/);
      await book.assert('y.');
      assert.deepEqual(await reader.all('y'), [{}]);
    } finally {
      for (const book of open.splice(0).reverse()) await book.close();
      await serving.kill();
    }
  });
});

describe('an address', () => {
  const seen = [];
  const listening = createServer((request, response) => {
    seen.push(request.url);
    if (request.url.startsWith('/locked'))
      response.writeHead(401, `no access for ${request.headers.authorization.slice(7)}`);
    response.end('{"v":1}');
  });
  after(() => listening.close());
  const port = async () => {
    if (!listening.listening) await new Promise((done) => listening.listen(0, '127.0.0.1', done));
    return listening.address().port;
  };
  const refused = (source, why) => assert.rejects(openBook({ data: { s: source } }), why);

  test('keeps its origin, its path and its query, whatever is told', async () => {
    const url = `http://127.0.0.1:${await port()}/v1?key=KEY`;
    const relations = { x: { columns: ['+p', '?q', '-v'], path: '/a/{p}/b?fixed=1' } };
    const book = await bookWith({ a: { url, relations } }, [':- data(x/3, a:x).']);
    seen.length = 0;
    for (const p of ['@evil', 'a/../b', '//evil', 'x?y=1', 'x#y', '%2e%2e', '5'])
      assert.deepEqual(await book.all(`x('${p}', _, V)`), [{ V: 1 }], p);
    assert.deepEqual(await book.all("x(tea, 'E&R', V)"), [{ V: 1 }]);
    for (const path of seen) assert.match(path, /^\/v1\/a\/[^/?#]+\/b\?key=KEY&fixed=1/);
    assert.equal(seen.at(-1), '/v1/a/tea/b?key=KEY&fixed=1&q=E%26R');
    for (const p of ['.', '..', '']) await assert.rejects(book.all(`x('${p}', _, V)`), /is no part of an address/);
    await refused(
      { url: 'http://127.0.0.1:4441', relations: { x: { columns: ['+p'], path: '{p}/' } } },
      /begins with a slash/,
    );
    await refused({ url, relations: { x: { columns: ['+key'], path: '/x' } } }, /a column key, which its address sets/);
  });

  test('tells no secrets of headers and urls', async () => {
    const url = `http://127.0.0.1:${await port()}`;
    const relations = { x: { columns: ['-v'], path: '/locked' } };
    const headers = { authorization: 'Bearer hush-literal-1' };
    const book = await bookWith({ s: { url, headers, relations } }, [':- data(x/1, s:x).']);
    await assert.rejects(book.all('x(V)'), ({ message }) => {
      assert.match(message, /401 no access for …/);
      assert.doesNotMatch(message, /hush/);
      return true;
    });
    await refused({ url: 'http://ann:hush-hush@127.0.0.1/', relations }, ({ message }) => {
      assert.match(message, /has a user or a password: give them in `headers`/);
      assert.doesNotMatch(message, /hush|ann/);
      return true;
    });
  });

  test('and other sources that cannot be used are refused when the book is opened', async () => {
    const [server, url] = [{ command: 'x' }, 'https://h'];
    const relations = { f: { columns: ['-n'], answer: () => [1] } };
    await refused({ relations: {} }, /s has no relations/);
    await refused({ url, relations: {} }, /s has no relations/);
    await refused({ server, url, relations: { a: ['-b'] } }, /has a server and a url/);
    await refused({ relations, recrod: true }, /unknown option recrod; there are relations, keepMs, record/);
    await refused({ relations: { f: { ...relations.f, path: '/x' } } }, /unknown option path/);
    for (const keepMs of [Infinity, 1e30, 1.5, -1])
      await refused({ relations, keepMs }, /keepMs of s is a whole number/);
  });
});
