// Many ways to change a book want the same seat at the same time, while another writer never pauses: each change is fine,
// and any two of them violate a constraint.
import { Client } from '../../pkg/client.js';
import { Book } from '../../pkg/book/book.js';

const RULES = [
  ':- dynamic(taken/2).',
  ':- dynamic(closed/1).',
  ':- constraint((taken(S, A), taken(S, B), A @< B), "~w is taken twice"-[S]).',
  ':- constraint((taken(S, _), closed(S)), "~w is closed"-[S]).',
];
/** How many want a seat. */
const AT_ONCE = 3;

const node = (goal) =>
  JSON.stringify({
    name: 'w',
    nodes: [{ name: 'a', language: 'prolog', book: true, run: `?- ${goal}.`, goto: '__end__' }],
  });

/** What each does to take a seat. */
const WAYS = {
  clause: (writer, fact) => writer.tool('clauses', { operation: 'assert', clauses: [`${fact}.`] }),
  file: (writer, fact, seat) =>
    writer.tool('files', { operation: 'import', filename: `seat${seat}.pl`, text: `${fact}.\n` }),
  query: (writer, fact) => writer.tool('query_start', { query: `assertz(${fact})`, take: 1 }),
  program: (writer, fact) => writer.tool('dml_run', { code: `agent_main :- book:assertz(${fact}), answer(done).` }),
  workflow: (writer, fact) => writer.tool('workflow_run', { yaml: node(`assertz(${fact})`) }),
  change: (writer, fact) => done(writer.book.change((tx) => tx.assert(`${fact}.`))),
  draft: (writer, fact) => proposed(writer, fact),
};

/** What became of it: its text, if it failed. */
const done = (work) =>
  work.then(
    () => '',
    (error) => error.message,
  );

async function proposed(writer, fact) {
  const draft = await writer.book.draft(`draft-${writer.name}`);
  try {
    await draft.book.assert(`${fact}.`);
    await draft.proposal();
    const failed = await done(draft.accept({ by: 'ann' }));
    if (failed) await draft.reject({ by: 'ann' });
    return failed;
  } catch (error) {
    return error.message;
  } finally {
    await draft.close();
  }
}

class Writer {
  constructor(name, { hornbook, close }) {
    this.name = name;
    this.book = new Book({ hornbook, log: () => {}, close });
    this.client = new Client(hornbook, name);
  }

  /** The text of a call of a tool that failed; empty if it did not. */
  async tool(name, values) {
    const { text, structured } = await this.client.callTool(name, values);
    return structured?.error || /^Error|constraint refuses/.test(text) ? text : '';
  }
}

const outcomeOf = (failed) => {
  if (!failed) return 'kept';
  if (/is taken twice|is closed/.test(failed)) return 'refused';
  if (/was not carried out|during each of|keep changing the book|were faster|changed meanwhile/.test(failed))
    return 'conflict';
  return `failed: ${failed}`;
};

/**
 * What is wrong with the book in the end, a line each; and how much there was.
 *
 * @param open opens the book for a writer of this name: `{ hornbook, close }`
 * @param seats how many are wanted, one after the other
 */
export async function guarded(open, seats, seed) {
  let state = seed;
  const random = (below) => {
    state = (Math.imul(state, 1103515245) + 12345) & 0x7fffffff;
    return (state >> 8) % below;
  };
  const kinds = Object.keys(WAYS);
  const writers = await Promise.all(kinds.map(async (kind) => new Writer(kind, await open(kind))));
  const restless = new Writer('restless', await open('restless'));
  await restless.tool('clauses', { operation: 'assert', clauses: RULES });
  const [wrong, outcomes] = [[], []];
  let [working, written] = [true, 0];
  // What it writes is what the constraints are about, so that they are asked again after each of its changes.
  const write = async () => {
    for (; working; written += 1) {
      const failed = await restless.tool('clauses', { operation: 'assert', clauses: [`closed(n${written}).`] });
      if (failed && outcomeOf(failed) !== 'conflict') wrong.push(failed);
    }
  };
  const writing = write();
  /** Which seats are taken by whom, as a model that is told each outcome has it. */
  const model = new Set();
  for (let seat = 0; seat < seats; seat += 1) {
    const some = new Set();
    while (some.size < AT_ONCE) some.add(random(kinds.length));
    const chosen = [...some];
    const told = await Promise.all(
      chosen.map(async (at) => outcomeOf(await WAYS[kinds[at]](writers[at], `taken(${seat}, ${kinds[at]})`, seat))),
    );
    for (const [index, at] of chosen.entries()) {
      outcomes.push([kinds[at], told[index]]);
      if (told[index] === 'kept') model.add(`${seat}-${kinds[at]}`);
      if (told[index].startsWith('failed')) wrong.push(`${seat}-${kinds[at]} ${told[index]}`);
    }
    if (told.filter((one) => one === 'kept').length > 1) wrong.push(`${seat} was given twice: ${told}`);
    if (told.every((one) => one === 'refused')) wrong.push(`${seat} was refused to all`);
  }
  working = false;
  await writing;
  for (const writer of [restless, ...writers]) {
    const rows = await writer.book.all('taken(S, W)');
    const found = rows.map(({ S, W }) => `${S}-${W}`).sort();
    if (`${found}` !== `${[...model].sort()}`) wrong.push(`${writer.name} has ${found}, not ${[...model].sort()}`);
  }
  for (const { book } of [...writers, restless]) await book.close();
  const count = (outcome, of) =>
    outcomes.filter(([kind, one]) => one === outcome && (of === undefined || kind === of)).length;
  const all = `${seats} seats, ${written} other writes: ${count('kept')} kept, ${count('refused')} refused, ${count('conflict')} conflicts`;
  return { wrong, told: all, count };
}
