// Bad input: one clear error each, and the server survives. What an error must not reveal is checked in harness.mjs.
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { Server } from './harness.mjs';

let server;
before(async () => (server = await Server.start()));
after(() => server.close());
beforeEach(async () => {
  await server.reset();
  await server.assert('alive(1).');
});

const nested = (levels, open = '(', close = ')') => `${open.repeat(levels)}a${close.repeat(levels)}`;

/** Checks that the server answers, with its contents intact. */
const lives = async () => assert.deepEqual(await server.solve('alive(X)'), ['X = 1']);

describe('arguments of tools', () => {
  for (const [tool, values, message] of [
    ['clauses', {}, "Missing argument 'operation'. Give 'operation', one of assert, retract, replace."],
    [
      'clauses',
      { operation: 'assert' },
      "Missing argument 'clauses'. Give 'clauses', a string or an array of strings.",
    ],
    [
      'clauses',
      { operation: 'assert', clauses: null },
      "Missing argument 'clauses'. Give 'clauses', a string or an array of strings.",
    ],
    [
      'clauses',
      { operation: 'add', clauses: 'a' },
      `Argument 'operation' cannot be "add". 'operation' must be one of assert, retract, replace.`,
    ],
    [
      'clauses',
      { operation: 'assert', clauses: 7 },
      "Argument 'clauses' cannot be 7. 'clauses' must be a string or an array of strings.",
    ],
    [
      'clauses',
      { operation: 'assert', clauses: ['a', ['b']] },
      `Argument 'clauses' cannot be ["a",["b"]]. 'clauses' must be a string or an array of strings.`,
    ],
    [
      'clauses',
      { operation: 'assert', clause: 'a' },
      "Unknown argument 'clause'. The arguments are: operation, clauses, old.",
    ],
    [
      'clauses',
      { operation: 'assert', clauses: 'a', force: true },
      "Unknown argument 'force'. The arguments are: operation, clauses, old.",
    ],
    [
      'files',
      { operation: 'import', file: 'a.pl' },
      "Unknown argument 'file'. The arguments are: operation, filename, text, format, columns, from.",
    ],
    ['files', { operation: 'import', filename: 3 }, "Argument 'filename' cannot be 3. 'filename' must be a string."],
    ['query_start', {}, "Missing argument 'query'. Give 'query', a string."],
    ['query_start', { query: ['a'] }, `Argument 'query' cannot be ["a"]. 'query' must be a string.`],
    [
      'query_start',
      { query: 'a', use_engine: 'yes' },
      `Argument 'use_engine' cannot be "yes". 'use_engine' must be true or false.`,
    ],
    ['query_start', { query: 'a', take: 0 }, "Argument 'take' cannot be 0. 'take' must be an integer of at least 1."],
    [
      'query_start',
      { query: 'a', take: 1.5 },
      "Argument 'take' cannot be 1.5. 'take' must be an integer of at least 1.",
    ],
    [
      'query_start',
      { query: 'a', timeout_ms: -5 },
      "Argument 'timeout_ms' cannot be -5. 'timeout_ms' must be an integer of at least 1.",
    ],
    ['query_next', { id: 'q1' }, "Unknown argument 'id'. The arguments are: query_id, take, timeout_ms."],
    ['query_close', { query_id: 1 }, "Argument 'query_id' cannot be 1. 'query_id' must be a string."],
    [
      'help',
      { topic: 'everything' },
      "There is no help on 'everything'. The topics are: overview, tools, prompts, modes, security, examples. workspace list_symbols shows the predicates of the book.",
    ],
  ]) {
    test(`${tool} ${JSON.stringify(values)}`, async () => {
      const { text } = await server.fails(tool, values, 'invalid_argument');
      assert.equal(text, `Error: ${message}`);
      await lives();
    });
  }

  test('numbers beyond every limit are refused with the limit', async () => {
    assert.match((await server.fails('query_start', { query: 'a', take: 1e9 }, 'limit_reached')).text, /take = \d+/);
    assert.match((await server.fails('query_start', { query: 'a', timeout_ms: 1e12 }, 'limit_reached')).text, /600000/);
    await server.fails('query_start', { query: 'a', take: 1e300 }, 'invalid_argument');
    await lives();
  });
});

describe('requests', () => {
  for (const [method, params, message] of [
    [
      'tools/call',
      { name: 'knowledge_base_dump', arguments: {} },
      /Unknown tool 'knowledge_base_dump'; the tools are: clauses, /,
    ],
    ['tools/call', {}, /"name" must be a string/],
    ['tools/call', { name: 'help', arguments: [] }, /"arguments" must be an object/],
    ['resources/read', { uri: 'file:///etc/passwd' }, /Resource not found: file:\/\/\/etc\/passwd/],
    ['resources/subscribe', { uri: 'prolog://nothing' }, /Resource not found/],
    [
      'prompts/get',
      { name: 'nosuch' },
      /Unknown prompt 'nosuch'; the prompts are: expert, knowledge, optimize, puzzle/,
    ],
    [
      'prompts/get',
      { name: 'expert', arguments: { mood: 'x' } },
      /Unknown argument 'mood'; the arguments are: task, mode/,
    ],
    ['completion/complete', {}, /"ref" must be an object/],
    ['nosuch/method', {}, /Method not found: nosuch\/method/],
  ]) {
    test(`${method} ${JSON.stringify(params)}`, async () => {
      assert.match((await server.refusal(method, params)).message, message);
      await lives();
    });
  }

  test('lines that are not messages get one error each', async () => {
    const lines = [
      '{',
      ']',
      'null',
      '"text"',
      '{}',
      '[]',
      '\u0001\u0002',
      'Content-Length: 5',
      '{"jsonrpc":"2.0","id":1,"method":"ping"} and more',
      '['.repeat(100_000),
      `{"jsonrpc":"2.0","id":{},"method":"ping"}`,
    ];
    for (const line of lines) {
      const before = server.notifications.length;
      server.write(line);
      await server.request('ping');
      const answers = server.notifications.slice(before);
      assert.equal(answers.length, 1, line.slice(0, 50));
      assert.equal(answers[0].id, null);
      assert.ok([-32700, -32600].includes(answers[0].error.code));
    }
    await lives();
  });

  test('responses to nothing and unknown notifications are ignored', async () => {
    const before = server.notifications.length;
    for (const line of [
      '{"jsonrpc":"2.0","id":99999,"result":{}}',
      '{"jsonrpc":"2.0","method":"notifications/nosuch"}',
      '',
      '   ',
    ])
      server.write(line);
    await server.request('ping');
    assert.equal(server.notifications.length, before);
  });

  test('a text with half a surrogate pair is refused, with the id of its request', async () => {
    const before = server.notifications.length;
    server.write(
      String.raw`{"jsonrpc":"2.0","id":"half","method":"tools/call","params":{"name":"clauses","arguments":{"operation":"assert","clauses":"p(\"\ud83d\")."}}}`,
    );
    await server.request('ping');
    const [answer, ...others] = server.notifications.slice(before);
    assert.deepEqual([answer.id, answer.error.code, others], ['half', -32700, []]);
    await lives();
  });

  test('invalid UTF-8 is refused', async () => {
    const before = server.notifications.length;
    server.child.stdin.write(Buffer.from([0xff, 0xfe, 0xc0, 0x0a]));
    await server.request('ping');
    assert.equal(server.notifications[before].error.code, -32700);
    await lives();
  });
});

describe('texts', () => {
  test('control characters in a quoted atom or string survive from the clause to the answer and the snapshot', async () => {
    for (let code = 0; code < 33; code++) {
      const character = String.fromCharCode(code);
      if (character === '\n') continue;
      await server.assert(`control(${code}, 'a${character}b', "a${character}b").`);
      const { data } = await server.ok('query_start', { query: `control(${code}, A, S), atom_length(A, N)`, take: 1 });
      assert.equal(data.answers[0].N, '3');
      assert.ok((await server.snapshot()).includes(`'a${character}b'`));
    }
    const snapshot = await server.snapshot();
    await server.reset();
    await server.import('again', snapshot);
    assert.equal(await server.snapshot(), snapshot);
    assert.deepEqual(await server.solve('aggregate_all(count, control(_, _, _), N)'), ['N = 32']);
  });

  test('control characters elsewhere are a syntax error with its place', async () => {
    const { data } = await server.fails('clauses', {
      operation: 'assert',
      clauses: ['one(1).', 'two(\u0000).', 'three(3).'],
    });
    assert.deepEqual(
      data.failures.map(({ number, line, column }) => [number, line, column]),
      [[2, 1, 4]],
    );
    await server.fails('query_start', { query: 'alive(\u0001)', take: 1 }, 'syntax_error');
    await lives();
  });

  test('a number of more digits than may be read is refused before the engine reads it', async () => {
    const number = '1'.repeat(1_000_000);
    const refused = /has a number of 1000000 digits \(limit: numeral_digits = 10000\)/;
    const one = { operation: 'assert', clauses: ['ok(1).', `\nlong(${number}).`] };
    const { data } = await server.fails('clauses', one);
    assert.match(JSON.stringify(data), refused);
    assert.match(
      (await server.fails('query_start', { query: `X = ${number.slice(0, 20_000)}`, take: 1 }, 'limit_reached')).text,
      /has a number of 20000 digits/,
    );
    assert.match(
      (
        await server.fails(
          'files',
          { operation: 'import', filename: 'long.pl', text: `a.\nlong(${number}).\n` },
          'limit_reached',
        )
      ).text,
      refused,
    );
    const { text } = await server.call('query_start', { query: 'X is 2**100000 mod 7, Y = "x"', take: 1 });
    assert.match(text, /X = 2/);
  });

  test('a time limit of a goal that nobody catches is named, not that of the query', async () => {
    assert.match(
      (await server.fails('query_start', { query: 'call_with_time_limit(0.2, (repeat, fail))', take: 1 })).text,
      /call_with_time_limit\/2 stopped its goal after 200 ms/,
    );
  });

  for (const [what, text] of [
    ['parentheses', nested(1_001)],
    ['parentheses, very many', nested(40_000)],
    ['lists', nested(1_500, '[', ']')],
    ['braces', nested(1_500, '{', '}')],
    ['arguments', nested(1_500, 'f(')],
    ['prefix operators', `${'- '.repeat(1_500)}1`],
    ['negations', `${'\\+ '.repeat(1_500)}a`],
    ['goals', `${'a, '.repeat(1_500)}a`],
    ['open parentheses that nobody closes', '('.repeat(5_000)],
  ]) {
    test(`terms nested too deep are refused: ${what}`, async () => {
      assert.match(
        (await server.fails('query_start', { query: `X = (${text})`, take: 1 }, 'limit_reached')).text,
        /is nested too deeply/,
      );
      const { data } = await server.fails('clauses', {
        operation: 'assert',
        clauses: ['before(1).', `deep((${text})).`, 'after(1).'],
      });
      assert.deepEqual(
        data.failures.map(({ number }) => number),
        [2],
      );
      await server.fails(
        'files',
        { operation: 'import', filename: 'deep.pl', text: `deep((${text})).` },
        'limit_reached',
      );
      await lives();
    });
  }

  test('terms nested up to the limit are accepted', async () => {
    await server.assert([
      `deep(${nested(990)}).`,
      `list(${nested(990, '[', ']')}).`,
      `goals :- ${'true, '.repeat(990)}true.`,
      `sum(${'1+'.repeat(5_000)}1).`,
    ]);
    assert.deepEqual(await server.solve('goals, deep(X)'), ['X = a']);
    assert.deepEqual(await server.solve('sum(_S), N is _S'), ['N = 5001']);
    await lives();
  });

  test('a deep answer made by a program is given or refused, and the engine survives', async () => {
    await server.assert('peano(0, z) :- !. peano(N, s(T)) :- M is N - 1, peano(M, T).');
    await server.ok('query_start', { query: 'member(X, [a, b])', query_id: 'witness', take: 1 });
    const [small] = await server.solve('peano(300, T)');
    assert.equal(small, `T = ${'s('.repeat(300)}z${')'.repeat(300)}`);
    for (const depth of [2_000, 100_000]) await server.call('query_start', { query: `peano(${depth}, T)`, take: 1 });
    assert.equal((await server.ok('query_next', { query_id: 'witness' })).data.answers[0].X, 'b');
    await lives();
  });

  test('a query, a clause and a file that are too long are refused with the limit', async () => {
    assert.match(
      (await server.fails('query_start', { query: `X = "${'x'.repeat(200_000)}"` }, 'limit_reached')).text,
      /query_chars/,
    );
    const large = `large("${'x'.repeat(65 * 1024 * 1024)}").`;
    assert.match(
      (await server.fails('files', { operation: 'import', filename: 'large', text: large }, 'limit_reached')).text,
      /too large/,
    );
    assert.match(
      (await server.fails('clauses', { operation: 'assert', clauses: large }, 'limit_reached')).text,
      /limit: file_bytes/,
    );
    await lives();
  });

  test('a clause of five megabytes is kept', async () => {
    await server.assert(`large("${'é'.repeat(5_000_000)}").`);
    assert.deepEqual(await server.solve('large(_S), string_length(_S, N)'), ['N = 5000000']);
    await lives();
  });

  test('an answer that is too large is refused, and the next query is answered', async () => {
    assert.match(
      (await server.fails('query_start', { query: 'numlist(1, 100000, L)', take: 1 }, 'resource_error')).text,
      /limit: answer_chars = \d+/,
    );
    await lives();
  });

  test('when output is too large, its start is given with the error, even if no heartbeat came in between', async () => {
    for (const query of [
      'repeat, write(abcdefgh), fail',
      "format('~*c', [150000, 0'a]), fail",
      "format('~*c', [150000, 0'a])",
    ]) {
      const { text, data } = await server.fails('query_start', { query, take: 1 }, 'resource_error');
      assert.match(text, /Output: a[\s\S]*…[\s\S]*limit: output_chars = 100000/, query);
      assert.ok(text.length < 4000, query);
      assert.match(data.output, /^a[\s\S]*… \(\d+ more characters; ask for a part of it\)$/, query);
    }
    await lives();
  });

  for (const [text, message] of [
    ["p('open", /unterminated quoted atom that opens here: `.*⟪here⟫.*` \(line 1, column 2\)/],
    ['p("open', /unterminated string that opens here: `.*⟪here⟫.*` \(line 1, column 2\)/],
    ['p. /* open', /unterminated block comment that opens here: `.*⟪here⟫.*` \(line 1, column 3\)/],
    ['p(', /line 1, column 2/],
    ['p q', /operator expected.*line 1, column 2/],
    ['p :- .', /line 1/],
    ['p(1)) .', /line 1, column 4/],
    ['X', /a variable, not a clause/],
    ['7', /a value, not a clause: name it, as in `p\(7\)/],
    ['?- p', /query/],
  ]) {
    test(`not a clause: ${text}`, async () => {
      const { data } = await server.fails('clauses', { operation: 'assert', clauses: text });
      assert.equal(data.failed, 1);
      const { text: told } = await server.call('clauses', { operation: 'assert', clauses: text });
      assert.match(told, message);
      await lives();
    });
  }

  test('an unterminated quote affects only the clause it is in, not the rest of the file', async () => {
    const { data } = await server.import('quotes.pl', "one(1).\nbroken('it).\ntwo(2).\nthree('it''s').\n");
    assert.deepEqual([data.clausesAdded, data.errors.length, data.errors[0].slice(0, 4)], [3, 1, '2:7:']);
    assert.deepEqual(await server.solve('one(A), two(B), three(C)'), ["A = 1, B = 2, C = 'it\\'s'"]);
  });
});
