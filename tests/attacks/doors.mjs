// Ways to change a book over MCP, as data: each is a list of tool calls, `[tool, arguments]`. None may change what the
// client that tries it may not: `price/2` and the other clauses of `shop.pl`, the rules of who may change what, the
// memory, the documents, what others did.
export const DOORS = {
  'a clause': [['clauses', { operation: 'assert', clauses: ['price(door, 7).'] }]],
  'a clause among allowed ones': [['clauses', { operation: 'assert', clauses: ['note(a, 1).', 'price(door, 7).'] }]],
  'a clause with a module': [['clauses', { operation: 'assert', clauses: ['user:price(door, 7).'] }]],
  'a rule': [['clauses', { operation: 'assert', clauses: ['price(door, X) :- note(door, X).'] }]],
  'a grammar rule': [['clauses', { operation: 'assert', clauses: ['price --> [].'] }]],
  'a clause taken back': [['clauses', { operation: 'retract', clauses: ['price(tea, 3).'] }]],
  'a clause in place of another': [
    ['clauses', { operation: 'replace', old: 'price(tea, 3).', clauses: ['price(tea, 7).'] }],
  ],
  'a clause in place of an allowed one': [
    ['clauses', { operation: 'replace', old: 'note(shop, open).', clauses: ['price(door, 7).'] }],
  ],
  'a right': [['clauses', { operation: 'assert', clauses: ['may_change(eve, _).'] }]],
  'a right of a module': [['clauses', { operation: 'assert', clauses: ['door:may_change(eve, _).'] }]],
  'a quoted right': [['clauses', { operation: 'assert', clauses: ["'may\\x5f\\change'(eve, _)."] }]],
  'a right by a rule': [['clauses', { operation: 'assert', clauses: ['may_change(eve, _) :- true.'] }]],
  'a right by a grammar rule': [['clauses', { operation: 'assert', clauses: ['may_change --> [].'] }]],
  'rights taken back': [['clauses', { operation: 'retract', clauses: ["may_change(eve, [note/2, file('eve.pl')])."] }]],
  'a right in place of another': [
    ['clauses', { operation: 'replace', old: 'may_change(zoe, price/2).', clauses: ['may_change(eve, _).'] }],
  ],
  'a constraint': [['clauses', { operation: 'assert', clauses: [':- constraint(note(_, _), "no notes").'] }]],
  'a constraint taken back': [
    ['clauses', { operation: 'retract', clauses: [':- constraint(price(_, 0), "nothing is free").'] }],
  ],
  'a declaration': [['clauses', { operation: 'assert', clauses: [':- dynamic(price/9).'] }]],
  'an operator': [['clauses', { operation: 'assert', clauses: [':- op(700, xfx, =>>).'] }]],
  'a flag': [['clauses', { operation: 'assert', clauses: [':- set_prolog_flag(double_quotes, atom).'] }]],
  'a table': [['clauses', { operation: 'assert', clauses: [':- table(price/2).'] }]],
  'a library': [['clauses', { operation: 'assert', clauses: [':- use_module(library(chr)).'] }]],
  'a directive that asserts': [['clauses', { operation: 'assert', clauses: [':- assertz(price(door, 7)).'] }]],
  'an initialization': [
    ['clauses', { operation: 'assert', clauses: ['note(b, 1).', ':- initialization(assertz(price(door, 7))).'] }],
  ],
  'a hook of messages': [['clauses', { operation: 'assert', clauses: [':- multifile(prolog:message//1).'] }]],
  'an objection to memories': [['clauses', { operation: 'assert', clauses: ['kn_refuse(_) :- fail.'] }]],
  'a policy for proposals': [['clauses', { operation: 'assert', clauses: ['accepts_proposal(_, _).'] }]],
  'a file': [['files', { operation: 'import', filename: 'door.pl', text: 'door(1).\n' }]],
  'a file of allowed clauses that opens a module': [
    ['files', { operation: 'import', filename: 'door.pl', text: ':- module(door, [may_change/2]).\nnote(c, 1).\n' }],
  ],
  'a file read again': [['files', { operation: 'reload', filename: 'shop.pl', text: 'price(tea, 7).\n' }]],
  'the file of rights read again': [
    ['files', { operation: 'reload', filename: 'rights.pl', text: 'may_change(eve, _).\n' }],
  ],
  'a right in a file of its own': [
    ['files', { operation: 'import', filename: 'eve.pl', text: 'own(1).\nmay_change(eve, _).\n' }],
  ],
  'an initialization in a file of its own': [
    ['files', { operation: 'import', filename: 'eve.pl', text: ':- initialization(assertz(price(door, 7))).\n' }],
  ],
  'a directive in a file of its own': [
    ['files', { operation: 'import', filename: 'eve.pl', text: ':- assertz(may_change(eve, _)).\nown(1).\n' }],
  ],
  'a file of its own that includes another': [
    ['files', { operation: 'import', filename: 'eve.pl', text: ":- include('shop.pl').\nown(2).\n" }],
  ],
  'a file removed': [['files', { operation: 'unimport', filename: 'shop.pl' }]],
  'the file of rights removed': [['files', { operation: 'unimport', filename: 'rights.pl' }]],
  'a table of rows': [['files', { operation: 'import', filename: 'price.csv', text: 'a,b\ndoor,7\n' }]],
  'a document': [['files', { operation: 'import', filename: 'door.txt', text: 'words' }]],
  'a document replaced': [['files', { operation: 'reload', filename: 'list.txt', text: 'other words' }]],
  'a document removed': [['files', { operation: 'unimport', filename: 'list.txt' }]],
  'a query that asserts': [['query_start', { query: 'assertz(price(door, 7))' }]],
  'a query that asserts first': [['query_start', { query: 'asserta(price(door, 7))' }]],
  'a query that retracts': [['query_start', { query: 'retract(price(tea, _))' }]],
  'a query that retracts all': [['query_start', { query: 'retractall(price(_, _))' }]],
  'a query that abolishes': [['query_start', { query: 'abolish(price/2)' }]],
  'a query that declares': [['query_start', { query: 'dynamic(price/9)' }]],
  'a query that erases': [['query_start', { query: 'clause(price(tea, _), true, R), erase(R)' }]],
  'a query that tables': [['query_start', { query: 'table(price/2)' }]],
  'a query that hides it in findall': [['query_start', { query: 'findall(x, assertz(price(door, 7)), _)' }]],
  'a query that hides it in a negation': [['query_start', { query: '\\+ (assertz(price(door, 7)), fail)' }]],
  'a query that catches': [['query_start', { query: 'catch((assertz(price(door, 7)), throw(x)), _, true)' }]],
  'a query that cleans up': [
    ['query_start', { query: 'setup_call_cleanup(true, fail, assertz(price(door, 7))) ; true' }],
  ],
  'a query in a transaction': [['query_start', { query: 'transaction(assertz(price(door, 7)))' }]],
  'a query that builds its goal': [
    ['query_start', { query: 'atom_concat(pri, ce, N), T =.. [N, door, 7], G =.. [assertz, T], call(G)' }],
  ],
  'a query that names modules': [['query_start', { query: 'user:assertz(knowledge_base:price(door, 7))' }]],
  'a query with allowed changes first': [['query_start', { query: 'assertz(note(d, 1)), assertz(price(door, 7))' }]],
  'a later answer': [
    ['query_start', { query: 'member(G, [true, assertz(price(door, 7))]), call(G)', take: 1 }],
    ['query_next', { take: 1 }],
  ],
  'an engine of a query': [
    ['query_start', { query: 'engine_create(x, assertz(price(door, 7)), E), engine_next(E, _)' }],
  ],
  'a right by a query': [['query_start', { query: 'assertz(may_change(eve, _))' }]],
  'a right of a module by a query': [['query_start', { query: 'assertz(door:may_change(eve, _))' }]],
  'rights retracted by a query': [['query_start', { query: 'retractall(may_change(_, _))' }]],
  'rights abolished by a query': [['query_start', { query: 'abolish(may_change/2)' }]],
  'a file loaded by a query': [['query_start', { query: "consult('shop.pl')" }]],
  'a program': [['dml_run', { code: 'agent_main :- book:assertz(price(door, 7)), answer(done).' }]],
  'a program that takes rights': [
    ['dml_run', { code: 'agent_main :- book:retractall(may_change(_, _)), answer(done).' }],
  ],
  'a workflow': [
    [
      'workflow_run',
      {
        yaml: 'name: w\nnodes: [{name: a, language: prolog, book: true, run: "?- assertz(price(door, 7)).", goto: __end__}]',
      },
    ],
  ],
  'a run of a workflow': [
    ['workflow_run', { yaml: 'name: w\nnodes: [{name: a, language: prolog, run: "?- true.", goto: __end__}]' }],
  ],
  'a node of the memory': [['kn_graph', { action: 'add', type: 'thing', name: 'door', description: 'free' }]],
  'an experience': [['kn_experience', { action: 'save', content: 'Doors are free.', type: 'gotcha' }]],
  'something learned': [['kn_intel', { action: 'learn', content: 'Doors are free.', type: 'gotcha' }]],
  'a project': [['kn_project', { action: 'create', name: 'Doors' }]],
  'an idea': [['kn_idea', { action: 'create', title: 'Doors' }]],
  'undo of what others did': [['workspace', { operation: 'undo', all: true }]],
  'undo of all that others did': [['workspace', { operation: 'undo', steps: 50, all: true }]],
  'redo of what others undid': [['workspace', { operation: 'redo', all: true }]],
  'a reset': [['workspace', { operation: 'reset' }]],
};

/** What the book holds that the client may not change. */
export const SHOP = [
  ['files', { operation: 'import', filename: 'shop.pl', text: 'price(tea, 3).\nprice(milk, 1).\nnote(shop, open).\n' }],
  ['files', { operation: 'import', filename: 'list.txt', text: 'words' }],
  ['clauses', { operation: 'assert', clauses: ['price(water, 1).'] }],
  ['clauses', { operation: 'assert', clauses: [':- constraint(price(_, 0), "nothing is free").'] }],
  ['kn_experience', { action: 'save', content: 'Tea is hot.', type: 'gotcha' }],
  ['query_start', { query: 'assertz(price(coffee, 4))' }],
  ['query_start', { query: 'assertz(price(cake, 5))' }],
  ['workspace', { operation: 'undo' }],
];

export const RIGHTS = [
  'files',
  {
    operation: 'import',
    filename: 'rights.pl',
    text: "may_change(eve, [note/2, file('eve.pl')]).\nmay_change(zoe, price/2).\n",
  },
];

/** The arguments of a call: a query is run for its first answers. */
export const asked = (tool, values) => (tool === 'query_start' ? { take: 10, ...values } : values);
