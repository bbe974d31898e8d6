// node scripts/transcripts.mjs: writes docs/transcripts.md, an agent's tasks as calls and the server's replies.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { Server } from '../tests/node/harness.mjs';
import { ROOT, isMain, main } from './steps.mjs';

export const FILE = join(ROOT, 'docs', 'transcripts.md');

const assertion = (...clauses) => ['clauses', { operation: 'assert', clauses }];
const ask = (query, values) => ['query_start', { query, take: 10, ...values }];

const TASKS = [
  [
    'Who is whose ancestor',
    assertion(
      'parent(ann, bob). parent(bob, cy). parent(cy, dee).',
      'ancestor(X, Y) :- parent(X, Y).\nancestor(X, Z) :- parent(X, Y), ancestor(Y, Z).',
    ),
    ask('ancestor(ann, Who)'),
  ],
  [
    'A program and its question in one call',
    ask('safe([1, 2, 3]), \\+ safe([1, 1])', {
      assume: 'safe([]).\nsafe([X|Xs]) :- \\+ memberchk(X, Xs), safe(Xs).',
    }),
  ],
  [
    'What if a supplier fails',
    assertion(
      'supplies(acme, bolts). supplies(zenith, bolts). supplies(acme, nuts).',
      ':- dynamic fails/1.',
      'missing(Part) :- supplies(_, Part), \\+ ( supplies(S, Part), \\+ fails(S) ).',
    ),
    ask('missing(Part)', { assume: 'fails(acme).' }),
    ask('missing(Part)'),
  ],
  [
    'A slip, told and corrected',
    assertion('likes(Carol, tea).', 'likes(dan, tea).'),
    ['clauses', { operation: 'replace', old: 'likes(Carol, tea)', clauses: 'likes(carol, tea).' }],
    ask('likes(Who, tea)'),
  ],
  [
    'Operators of another language',
    assertion('rich(P) :- salary(P, S), S > 90000 && S < 200000.'),
    assertion('rich(P) :- salary(P, S), S > 90000, S < 200000.', 'salary(eve, 120000).'),
    ask('rich(P)'),
  ],
  [
    'A name that is misspelt',
    assertion('employee(ann, sales). employee(bob, it).', 'team(D, Ps) :- findall(P, employe(P, D), Ps).'),
    [
      'clauses',
      { operation: 'replace', old: 'team(_, _) :- _', clauses: 'team(D, Ps) :- findall(P, employee(P, D), Ps).' },
    ],
    ask('team(it, Ps)'),
  ],
  [
    'A puzzle with constraints',
    ask(
      'Vs = [S,E,N,D,M,O,R,Y], Vs ins 0..9, all_different(Vs), S*1000 + E*100 + N*10 + D + M*1000 + O*100 + R*10 + E #= M*10000 + O*1000 + N*100 + E*10 + Y, M #\\= 0, S #\\= 0, label(Vs)',
      { take: 1 },
    ),
  ],
  [
    'Many answers, page by page',
    ask('between(1, 1000, N), N mod 7 =:= 0', { take: 3 }),
    ['query_next', { take: 3 }],
    ['query_close', {}],
  ],
  [
    'A file, looked at and taken out again',
    [
      'files',
      {
        operation: 'import',
        filename: 'stock.pl',
        text: '% what there is\nstock(bolts, 5).\nstock(nuts, 0).\nlow(P) :- stock(P, N), N < 3.\nstock(screws, 9).\n',
      },
    ],
    ask('low(P)'),
    ['workspace', { operation: 'list_symbols' }],
    ['files', { operation: 'unimport', filename: 'stock.pl' }],
  ],
  [
    'A change, taken back',
    assertion('price(tea, 3).'),
    ask('retract(price(tea, P)), P1 is P * 2, assertz(price(tea, P1))', { take: 1 }),
    ['workspace', { operation: 'diff' }],
    ['workspace', { operation: 'undo' }],
    ask('price(tea, P)'),
  ],
  [
    'A table, asked by the names of its columns',
    [
      'files',
      {
        operation: 'import',
        filename: 'orders.csv',
        text: 'id,customer,amount,status\n1001,Anna,12.50,paid\n1002,Ben,,open\n1003,Anna,7,paid\n',
      },
    ],
    ask("aggregate_all(sum(A), orders{customer: 'Anna', amount: A, status: paid}, Sum)"),
    ask('orders{id: Id, amount: null}'),
    ['workspace', { operation: 'why', of: 'orders(1002, Who, _, open)' }],
  ],
];

const tokens = (value) => encode(typeof value === 'string' ? value : JSON.stringify(value ?? {})).length;

/** Replace what differs from run to run. */
const steady = (text) =>
  text.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME').replaceAll(/"timestamp":\d+/g, '"timestamp":0');

/** The text of the page. */
export async function transcripts() {
  const server = await Server.start();
  const parts = [
    '# Tasks of an agent',
    'Each call, and the text of its reply, as the server gives them. Behind a call stand the tokens (o200k_base) of the call, of\n' +
      'the text, and of the structured content, which says the same. This page is written by `node scripts/transcripts.mjs`; a test\n' +
      'checks that it is current.',
  ];
  try {
    for (const [index, [title, ...calls]] of TASKS.entries()) {
      await server.reset();
      const told = [];
      let all = 0;
      for (const [name, values] of calls) {
        const { text, data } = await server.call(name, values);
        const call = `${name} ${JSON.stringify(values)}`;
        const counts = [tokens(call), tokens(steady(text)), tokens(steady(JSON.stringify(data)))];
        all += counts[0] + Math.max(counts[1], counts[2]);
        told.push(`> ${call}   [${counts.join(', ')}]\n\n${steady(text)}`);
      }
      const block = told.join('\n\n').replaceAll(/^(?=.)/gm, '    ');
      parts.push(`## ${index + 1}. ${title}: ${all} tokens`, block);
    }
  } finally {
    await server.close();
  }
  return `${parts.join('\n\n')}\n`;
}

if (isMain(import.meta.url)) await main(async () => writeFileSync(FILE, await transcripts()));
