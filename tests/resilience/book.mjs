// The model of the book: what was answered must be in it; what was not answered before the server was killed may be.
import assert from 'node:assert/strict';
import { clausesOf, textOf } from './operations.mjs';

const texts = (list) => list.filter(({ kind }) => kind !== 'd').map(textOf);
const same = (one, other) => one.length === other.length && one.every((clause, at) => clause === other[at]);

/** The lists after each step of an operation; the first is the one before any step. */
export function statesOf(list, steps) {
  const states = [list];
  for (const step of steps) states.push(step(states.at(-1)));
  return states;
}

export class Model {
  list = [];
  /** The number of the last revision. */
  revision = 0;
  /** What can be undone and redone since clients last worked together: `{before, after}`. */
  undoable = [];
  redoable = [];

  /** An operation of `steps` undos or redos. */
  reversal(operation, steps) {
    const stack = operation === 'undo' ? this.undoable : this.redoable;
    const entries = stack.slice(-steps).reverse();
    return {
      tool: 'workspace',
      values: { operation, steps },
      done: ({ revisions }) => revisions?.length === steps,
      steps: entries.map(
        ({ before, after }) =>
          () =>
            operation === 'undo' ? before : after,
      ),
      reverses: operation,
    };
  }

  /**
   * An operation was carried out alone, up to the given revision: as many of its steps as were answered, or any number
   * if there was no answer. A step that changes nothing is not a revision.
   */
  carriedOut({ operation: { values, steps, reverses }, states, steps: answered }, revision) {
    const count = revision - this.revision;
    const what = `${count} revisions after ${this.revision}, ${answered} of ${steps.length} steps answered, for ${JSON.stringify(values)}`;
    assert.ok(count >= 0 && count <= (answered ?? steps.length), what);
    if (answered > count) assert.deepEqual(states[count], states[answered], what);
    this.list = states[count];
    this.revision = revision;
    const [from, to] = reverses === 'redo' ? [this.redoable, this.undoable] : [this.undoable, this.redoable];
    if (reverses) {
      for (let at = 0; at < count; at += 1) to.push(from.pop());
    } else if (count > 0) {
      this.redoable = [];
      for (let at = 0; at < count; at += 1) this.undoable.push({ before: states[at], after: states[at + 1] });
    }
  }

  /**
   * Clients worked together: each has brought its own clauses to one of its `states`. Their relative order is that of
   * the snapshot.
   */
  workedTogether(statesByClient, snapshot, revision) {
    assert.ok(revision >= this.revision, `revision ${revision} after ${this.revision}`);
    const found = clausesOf(snapshot);
    const known = new Map(statesByClient.flat(2).map((clause) => [textOf(clause), clause]));
    const led = statesByClient.map((states, client) => {
      const own = found.filter((text) => text.startsWith(`c${client}_`));
      const state = states.findLast((list) => same(texts(list), own));
      assert.ok(state, differs(texts(states.at(-1)), own));
      return state;
    });
    const directives = led.flat().filter(({ kind }) => kind === 'd');
    this.list = [...found.map((text) => known.get(text) ?? assert.fail(`${text} is nobody's`)), ...directives];
    this.revision = revision;
    this.undoable = [];
    this.redoable = [];
  }

  /** Checks that the snapshot is this book. */
  check(snapshot) {
    const found = clausesOf(snapshot);
    assert.ok(same(texts(this.list), found), differs(texts(this.list), found));
  }

  of(client) {
    return this.list.filter((clause) => clause.client === client);
  }
}

function differs(expected, found) {
  const without = (list, other) => list.filter((text) => !other.includes(text)).join(' ') || 'none';
  return `the book differs: missing ${without(expected, found)}; too many ${without(found, expected)}; ${expected.length} expected in order:\n${expected.join(' ')}\nfound:\n${found.join(' ')}`;
}
