// What clients do, and what it means for the book. A book is a list of clauses, here `{client, kind, number, file}`; no
// number is used twice. Kind `d` is a directive, which keeps its file imported; clauses of kind `o` have an odd second
// argument. Each client has predicates and files of its own, so that its clauses can be followed while others work.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { CHANGES, ODD } from '../support/odd.mjs';

/** Those that are also terms in a goal: there `'.'(1,1)` is a call on a dict. */
const STORED = ODD.filter((odd) => odd !== "'.'(1,1)");

/** Those that the sandbox does not refuse before they run. */
const ALLOWED = CHANGES.filter((change) => !change.includes('clause('));

const FILES = 3;
const RULE_BODY = 'atom(a)';

/** The text of a clause as it appears in a snapshot. */
export function textOf({ client, kind, number }) {
  if (kind === 'o') return `c${client}_o(${number}, ${STORED[number % STORED.length]}).`;
  return `c${client}_${kind}(${number})${kind === 'r' ? ` :- ${RULE_BODY}` : ''}.`;
}

/** A clause, without its period, that unifies with this one and no other. */
const patternOf = (clause) =>
  clause.kind === 'o' ? `c${clause.client}_o(${clause.number}, _)` : textOf(clause).slice(0, -1);

/** The clauses of a snapshot, in order, as their texts; everything else in it must be a comment or a directive. */
export function clausesOf(snapshot) {
  // Clauses that running code added may take several lines, and have their odd argument written differently: the engine
  // is asked whether it is the same.
  const lines = snapshot
    .replace(/\n[ \t]+/g, ' ')
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('%') && !line.startsWith(':-'));
  return lines.map((line) => {
    const [, client, number] = /^c(\d+)_o\((\d+), ?.*\)\.$/s.exec(line) ?? [];
    return number ? textOf({ client, kind: 'o', number: Number(number) }) : line;
  });
}

/** A query for all clauses of a client in the engine, and its expected result. */
export const LISTING = (client) =>
  [
    ...['p', 'r', 'f'].map((kind) => `findall(X, c${client}_${kind}(X), L${kind})`),
    `findall(X, c${client}_o(X, _), Lo)`,
  ].join(', ');
export const listed = (list, client) =>
  ['p', 'r', 'f', 'o'].map(
    (kind) =>
      `[${list
        .filter((clause) => clause.client === client && clause.kind === kind)
        .map(({ number }) => number)
        .join(',')}]`,
  );

/** Goals that end an engine, or come close. The second element is a time limit in milliseconds. */
const ENDINGS = {
  'a loop in Prolog': ['repeat, fail', 50],
  'a loop in C': ['_ is 7 ** 70000000', 50],
  'the C stack': ['assertz((nest(_, A, f(A, x)))), numlist(1, 100000, L), foldl(nest, L, a, T), write(T)', 20_000],
  'the stacks of Prolog': ['length(_, 50000000)', 20_000],
  memory: [
    'numlist(1, 2000000, L), atomic_list_concat(L, A), length(As, 200), maplist(=(A), As), atomic_list_concat(As, B), atom_length(B, _)',
    30_000,
  ],
};

/** Draws operations of clients on the books of one run. */
export class Operations {
  #random;
  #root;
  #next = 1;

  /** @param random numbers from 0 to 1 @param root the directory of the files */
  constructor(random, root) {
    this.#random = random;
    this.#root = root;
  }

  #below(limit) {
    return Math.floor(this.#random() * limit);
  }

  #pick(list) {
    return list[this.#below(list.length)];
  }

  #clause(client, kind, file) {
    return { client, kind, number: this.#next++, file };
  }

  #clauses(client, kinds, file) {
    return Array.from({ length: 1 + this.#below(4) }, () => this.#clause(client, this.#pick(kinds), file));
  }

  /** New clauses of a client. */
  clausesOf(client) {
    return this.#clauses(client, ['p', 'p', 'r', 'o']);
  }

  /**
   * Draws an operation of a client: the tool and its arguments, the expected result, and the steps in which it changes
   * a list. `list` is the book as far as the client knows it.
   */
  draw(client, list) {
    const own = list.filter((clause) => clause.client === client && clause.kind !== 'd');
    const drawn = this.#random();
    if (drawn < 0.25) return this.#assert(client);
    if (drawn < 0.38) return this.#retract(client, own);
    if (drawn < 0.48) return this.#import(client, list);
    if (drawn < 0.54) return this.#unimport(client);
    if (drawn < 0.74) return this.#run(client, own);
    if (drawn < 0.79) return this.#undone(client, own);
    if (drawn < 0.84) return this.#inVain();
    if (drawn < 0.93) return this.#ask(client);
    return this.#end(client);
  }

  #assert(client) {
    const clauses = this.clausesOf(client);
    return {
      tool: 'clauses',
      values: { operation: 'assert', clauses: clauses.map(textOf) },
      done: ({ succeeded }) => succeeded === clauses.length,
      steps: [(list) => [...list, ...clauses]],
    };
  }

  #retract(client, own) {
    const gone = new Set(own.length > 0 && this.#random() < 0.9 ? [this.#pick(own), this.#pick(own)] : []);
    const texts = gone.size > 0 ? [...gone].map(patternOf) : [`c${client}_p(0)`];
    return {
      tool: 'clauses',
      values: { operation: 'retract', clauses: texts },
      done: ({ succeeded }) => succeeded === gone.size,
      steps: [(list) => list.filter((clause) => !gone.has(clause))],
    };
  }

  /** With some layout, so that the journal grows; sometimes a goal adds a clause when the file is read. */
  #import(client, list) {
    const file = `c${client}_${this.#below(FILES)}.pl`;
    const path = join(this.#root, file);
    const imported = list.some((clause) => clause.file === file);
    if (imported) {
      return {
        tool: 'files',
        values: { operation: 'import', filename: path },
        done: ({ status }) => status === 'failed',
        steps: [],
      };
    }
    const clauses = this.#clauses(client, ['f', 'r', 'o'], file);
    const extra = this.#random() < 0.3 ? this.#clause(client, 'p') : undefined;
    const directives = extra ? [this.#clause(client, 'd', file)] : [];
    const lines = [`% ${'-'.repeat(this.#below(20_000))}`, ...clauses.map(textOf)];
    if (extra) lines.push(`:- initialization(assertz(${textOf(extra).slice(0, -1)})).`);
    writeFileSync(path, `${lines.join('\n')}\n`);
    return {
      tool: 'files',
      values: { operation: 'import', filename: path },
      done: ({ status, clausesAdded }) => status === 'success' && clausesAdded === clauses.length,
      // Even if its goal could not run, the clauses are there.
      partly: ({ status, clausesAdded }) => status === 'partial' && clausesAdded === clauses.length,
      // A file whose clauses were all retracted stays imported.
      kept: ({ error }) => error?.kind === 'already_imported',
      steps: [(list) => [...list, ...clauses, ...directives], ...(extra ? [(list) => [...list, extra]] : [])],
    };
  }

  #unimport(client) {
    const file = `c${client}_${this.#below(FILES)}.pl`;
    return {
      tool: 'files',
      values: { operation: 'unimport', filename: join(this.#root, file) },
      done: ({ status }) => status === 'success' || status === 'not_found',
      steps: [(list) => list.filter((clause) => clause.file !== file)],
    };
  }

  /** Clauses that running code adds at both ends and removes. */
  #run(client, own) {
    const [last, first] = [this.#clause(client, this.#pick(['p', 'o'])), this.#clause(client, 'r')];
    const gone = this.#random() < 0.5 ? own.filter(({ kind }) => kind === 'p').at(0) : undefined;
    const goal = [`assertz(${textOf(last).slice(0, -1)})`, `asserta((${textOf(first).slice(0, -1)}))`];
    if (gone) goal.push(`retract(${textOf(gone).slice(0, -1)})`);
    return {
      tool: 'query_start',
      values: { query: goal.join(', '), take: 1 },
      done: ({ changes, error }) => !error && changes?.added === 2 && changes.removed === (gone ? 1 : 0),
      steps: [(list) => [first, ...list.filter((clause) => clause !== gone), last]],
    };
  }

  /** Changes of a query that then fails or throws: they are undone. */
  #undone(client, own) {
    const gone = own.length > 0 ? `retract((${textOf(this.#pick(own)).slice(0, -1)}))` : 'true';
    const end = this.#pick(['fail', 'atom_length(_, _)', 'throw(oops)', 'X = f(X), assertz(cyclic(X))']);
    return {
      tool: 'query_start',
      values: { query: `assertz(c${client}_p(0)), ${gone}, ${end}`, take: 1 },
      done: ({ answers }) => answers?.length === 0,
      steps: [],
    };
  }

  /** Odd or refused changes, and limits that cut them off; the end undoes whatever there was. */
  #inVain() {
    const change = this.#pick(ALLOWED);
    const tried = this.#pick([
      change,
      `catch((${change}), _, true)`,
      `call_with_inference_limit((${change}), ${1 + this.#below(300)}, _)`,
      `catch(call_with_inference_limit((${change}), ${1 + this.#below(300)}, _), _, true), catch((${this.#pick(ALLOWED)}), _, true)`,
    ]);
    return {
      tool: 'query_start',
      values: { query: `(${tried}), fail`, take: 1 },
      done: ({ answers }) => answers?.length === 0,
      steps: [],
    };
  }

  #ask(client) {
    return {
      tool: 'query_start',
      values: { query: LISTING(client), take: 1 },
      done: ({ answers }) => answers?.length === 1,
      listing: true,
      steps: [],
    };
  }

  #end(client) {
    const names = Object.keys(ENDINGS);
    const ending = this.#random() < 0.04 ? 'memory' : this.#pick(names.filter((name) => name !== 'memory'));
    const [goal, timeout_ms] = ENDINGS[ending];
    return {
      ending,
      tool: 'query_start',
      values: { query: `assertz(c${client}_p(0)), ${goal}`, take: 1, timeout_ms },
      done: ({ error }) => error !== undefined,
      steps: [],
    };
  }

  reset() {
    return {
      tool: 'workspace',
      values: { operation: 'reset' },
      done: ({ status }) => status === 'success',
      steps: [() => []],
    };
  }
}

/** What a fault may say about an operation that was not carried out. */
export const REFUSALS = new Set([
  'engine_ended',
  'engine_died',
  'engine_unavailable',
  'out_of_memory',
  'too_deep',
  'timeout',
  'resource_error',
]);
