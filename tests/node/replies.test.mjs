// What engines reply, and what is believed of it: text that looks like a reply, over a durable book and after a
// restart; and replies of real engines that are altered on their way.
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { FileStore, Hornbook, NodeHost, loadCrate } from '../../pkg/node.js';

await loadCrate();
const directory = mkdtempSync(join(tmpdir(), 'hornbook-replies-'));
after(() => rmSync(directory, { recursive: true }));
let books = 0;
const newBook = () => join(directory, `book-${++books}`);

/** A workspace in this process whose engines' replies go through `alter(request, reply)`. */
class Desk {
  static async open(book, alter = (_, reply) => reply) {
    const desk = new Desk();
    desk.host = new NodeHost(() => {});
    const spawn = desk.host.spawn.bind(desk.host);
    desk.host.spawn = async () => {
      const engine = await spawn();
      return {
        async request(text) {
          return alter(text, await engine.request(text));
        },
        end: () => engine.end(),
        get isDead() {
          return engine.isDead;
        },
        get bytes() {
          return engine.bytes;
        },
      };
    };
    desk.store = new FileStore(book);
    desk.hornbook = await Hornbook.open(desk.host, desk.store, { roots: [directory] });
    desk.waiting = new Map();
    desk.connection = desk.hornbook.connect((line) => {
      const message = JSON.parse(line);
      desk.waiting.get(message.id)?.(message.result);
    });
    return desk;
  }

  call(name, values) {
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const id = this.waiting.size + 1;
    const result = new Promise((resolve) => this.waiting.set(id, resolve));
    this.connection.receive(
      JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: values, _meta } }),
    );
    return result;
  }

  async text(name, values) {
    return (await this.call(name, values)).content[0].text;
  }

  ask(query, take = 10) {
    return this.text('query_start', { query, take });
  }

  assert(...clauses) {
    return this.text('clauses', { operation: 'assert', clauses });
  }

  snapshot() {
    return this.text('workspace', { operation: 'snapshot' });
  }

  async close() {
    this.connection.close();
    this.hornbook.close();
    this.host.close();
    await this.store.close();
  }
}

const FORGED = [
  '"added":[],"removed":[1,2,3],"reload":[],"declared":[]',
  '"added":[[9000,"forged(1).","forged",1]],"removed":[],"reload":[],"declared":[]',
  '"added":[[1,"forged(1).","forged",1]],"removed":[1],"reload":[],"declared":[]',
  '"added":[[9000,"forged(1). forged(2).","forged",1]],"removed":[],"reload":[],"declared":[]',
  '"added":[[9223372036854775807,"forged(1).","forged",1]],"removed":[],"reload":[],"declared":[]',
  '"added":[[9000,":- op(700,xfx,===>).","op",3]],"removed":[],"reload":[],"declared":[]',
];
/**
 * Atoms that would have ended an answer and continued with changes before replies had lines, and atoms with lines of
 * their own.
 */
const atoms = FORGED.flatMap((changes) => [
  `'"}]],"residual":[],"output":""}],"changes":{${changes}},"z":[{"y":[["X","",{"v":"'`,
  `'"]}\\nok {"answers":0,${changes}}\\n["forged","forged."]\\n'`,
]);

test('no answer, stored or only asked for, adds to the book or removes from it, now or after a restart', async () => {
  const book = newBook();
  const first = await Desk.open(book);
  await first.assert('mine(1).', 'mine(2).', 'mine(3).');
  const imported = atoms.map((atom, n) => `note(${n}, '$VAR'(${atom})).\n`).join('');
  await first.text('files', { operation: 'import', filename: 'notes.pl', text: imported });
  const before = await first.snapshot();
  for (const [n, atom] of atoms.entries()) {
    assert.match(await first.ask(`note(${n}, X)`), /X = '\$VAR'\('"/);
    assert.match(await first.ask(`X = '$VAR'(${atom}), Y = f('$VAR'(${atom}), _)`), /X = '\$VAR'\('"/);
    assert.match(await first.ask(`X = ${atom}, write(X), nl, writeq(user_error, X)`), /X = '"/);
    assert.match(await first.ask(`throw('$VAR'(${atom}))`), /The goal threw/);
    assert.match(await first.ask(`throw(error(type_error(${atom}, x), context(${atom}/1, ${atom})))`), /Type error/);
    assert.match(await first.ask(`'no such'(${atom}, ${atom}) = X, call(X)`), /Unknown procedure/);
    assert.equal(await first.snapshot(), before);
  }
  await first.close();
  const second = await Desk.open(book);
  assert.equal(await second.snapshot(), before);
  assert.match(await second.ask('mine(X)'), /X = 1[\s\S]*X = 2[\s\S]*X = 3/);
  for (const n of atoms.keys()) assert.match(await second.ask(`note(${n}, X)`), /X = '\$VAR'\('"/);
  assert.equal(await second.snapshot(), before);
  await second.close();
});

test('predicates with the names of JSON constants are stored, asked for and there after a restart', async () => {
  const book = newBook();
  const first = await Desk.open(book);
  for (const name of ['null', 'true', 'false']) {
    assert.match(await first.ask(`assertz(${name}(1))`), /Status: success/);
    assert.match(await first.ask(`${name}(X)`), /X = 1/);
  }
  assert.match(await first.ask('assertz(true(2)), fail'), /Status|No/);
  await first.close();
  const second = await Desk.open(book);
  for (const name of ['null', 'true', 'false']) assert.match(await second.ask(`${name}(X)`), /X = 1/);
  assert.doesNotMatch(await second.ask('true'), /restarted/);
  await second.close();
});

test('a ball that looks like one of the engine’s own is reported, and the next query succeeds', async () => {
  const desk = await Desk.open(newBook());
  const balls = [
    'error(syntax_error,"m",-1,0,0)',
    'error(hornbook(message(engine_died,"m")),_)',
    'hb_died("m")',
    'error(syntax_error,"m",1.5,0,0)',
  ];
  for (const ball of balls) {
    assert.match(await desk.ask(`throw(${ball})`), /The goal threw/);
    assert.match(await desk.ask('member(X, [1])'), /X = 1/);
  }
  assert.doesNotMatch(await desk.ask('true'), /restarted/);
  await desk.close();
});

test('a variable has its name, and a user term is not mistaken for one', async () => {
  const desk = await Desk.open(newBook());
  const { structuredContent } = await desk.call('query_start', {
    query: "X = [A, B, A, '$VAR'('A'), '$VAR'(1)|C]",
    take: 1,
  });
  const text = structuredContent.answers[0].X;
  assert.equal(text, "[A,B,A,'$VAR'('A'),'$VAR'(1)|C]");
  assert.match(
    await desk.ask(`X = ${text}, X = [1, 2, 1, Y, Z|_], Y == '$VAR'('A'), Z == '$VAR'(1)`),
    /Status: success/,
  );
  await desk.close();
});

/** Numbers from 0 to 1, the same for the same seed. */
function random(seed) {
  return () => {
    seed = (seed + 0x6d2b79f5) | 0;
    let t = Math.imul(seed ^ (seed >>> 15), 1 | seed);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
}

const OPERATIONS = [
  (desk) => desk.ask('assertz(a(1)), asserta(b("x\\ny"))'),
  (desk) => desk.ask('retract(a(_)), assertz((c(X) :- a(X), \\+ b(X)))'),
  (desk) => desk.ask('member(X, [1, f(Y), "s"]), write(X)'),
  (desk) => desk.ask('assertz(gone), X is foo'),
  (desk) => desk.assert('d(1). d(2). e :- d(X), f(', 'g --> "x".'),
  (desk) => desk.text('clauses', { operation: 'retract', clauses: ['d(1)', 'nothing'] }),
  (desk) => desk.text('workspace', { operation: 'undo' }),
];

test('a reply that comes twice is rejected, although all of it was really sent', async () => {
  let again;
  const replies = [];
  const desk = await Desk.open(newBook(), (request, reply) => {
    if (!request.startsWith('query(')) return reply;
    replies.push(reply);
    return again ? again() : reply;
  });
  await desk.assert('mine(1). mine(2).');
  assert.match(await desk.ask('assertz(mine(3)), mine(X)', 1), /Solution: X = 1/);
  again = () => replies[0];
  assert.match(await desk.ask('mine(X)', 1), /its reply answers another request|could not be understood|malformed/);
  again = undefined;
  assert.match(await desk.ask('findall(X, mine(X), L)', 1), /L = \[1,2,3\]/);
  await desk.close();
});

test('replies altered on their way cost an engine at most', async () => {
  const seed = Number(process.env.SEED ?? 1);
  const next = random(seed);
  const pick = (list) => list[Math.floor(next() * list.length)];
  const earlier = [];
  const alterations = [
    (reply) => {
      const at = Math.floor(next() * reply.length);
      return reply.slice(0, at) + String.fromCharCode(next() * 256) + reply.slice(at + 1);
    },
    (reply) => reply.slice(0, Math.floor(next() * reply.length)),
    (reply) => {
      const lines = reply.split('\n');
      const at = Math.floor(next() * lines.length);
      return lines.toSpliced(at, 0, lines[at]).join('\n');
    },
    (reply) => {
      const lines = reply.split('\n');
      const at = Math.floor(next() * lines.length);
      return lines.with(at, pick(lines)).join('\n');
    },
    (reply) => {
      const lines = reply.split('\n');
      return lines.with(0, pick(earlier).split('\n')[0]).join('\n');
    },
    (reply) => reply.replace(/\d(?=[\s\S]*$)/, () => String(Math.floor(next() * 2 ** 40))),
    () => '',
    () => pick(earlier),
  ];
  let armed = false;
  const alter = (request, reply) => {
    earlier.push(reply);
    if (!armed || /^(boot|reset|declare|reload\(\[\])/.test(request)) return reply;
    armed = false;
    return pick(alterations)(reply);
  };
  const [altered, whole] = [await Desk.open(newBook(), alter), await Desk.open(newBook())];
  for (let round = 0; round < 60; round++) {
    const operation = pick(OPERATIONS);
    const before = await altered.snapshot();
    armed = true;
    await operation(altered);
    armed = false;
    const got = await altered.snapshot();
    assert.match(await altered.ask('true'), /Status: success/, `seed ${seed}, round ${round}`);
    if (got === before) continue;
    // Then it does what the operation asks for.
    await whole.text('workspace', { operation: 'reset' });
    await whole.text('files', { operation: 'import', filename: 'before.pl', text: before });
    await operation(whole);
    const bare = (text) =>
      text
        .split('\n')
        .filter((line) => line !== '' && !line.startsWith('%'))
        .toSorted();
    if (!/undo/.test(String(operation)))
      assert.deepEqual(bare(got), bare(await whole.snapshot()), `seed ${seed}, round ${round}`);
  }
  await altered.close();
  await whole.close();
});
