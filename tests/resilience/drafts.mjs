// What a client under review does, and the person who decides: operations that are proposed, withdrawn, accepted and
// rejected. The clauses that were accepted are the book's; those that are proposed are in no answer of anybody else.
import assert from 'node:assert/strict';
import { textOf } from './operations.mjs';

/** The client under review, as far as its clauses are concerned. */
export const DRAFTER = 3;

/** What has been proposed: the clauses of each operation that was not withdrawn. */
export class Proposed {
  /** @param operations the clauses of each, in order */
  constructor(operations = []) {
    this.operations = operations;
  }

  get texts() {
    return this.operations.flat().map(textOf).sort();
  }

  with(clauses) {
    return new Proposed([...this.operations, clauses]);
  }

  get withoutLast() {
    return new Proposed(this.operations.slice(0, -1));
  }
}

/**
 * An operation on a draft: `kind`, `run` which carries it out, and `after`, the accepted clauses and the draft once it was
 * carried out.
 */
export function drawDraft({ operations, random }, accepted, proposed) {
  const drawn = random();
  const has = proposed.operations.length > 0;
  if (!has || drawn < 0.5) {
    const clauses = operations.clausesOf(DRAFTER);
    const values = { operation: 'assert', clauses: clauses.map(textOf) };
    return {
      kind: 'proposed',
      run: (process) => process.call('draft', 'clauses', values),
      done: ({ succeeded }) => succeeded === clauses.length,
      after: { accepted, proposed: proposed.with(clauses) },
    };
  }
  if (drawn < 0.65)
    return {
      kind: 'withdrawn',
      run: (process) => process.call('draft', 'workspace', { operation: 'undo', steps: 1 }),
      done: ({ revisions }) => revisions?.length === 1,
      after: { accepted, proposed: proposed.withoutLast },
    };
  const accepts = drawn < 0.85;
  return {
    kind: accepts ? 'accepted' : 'rejected',
    run: (process) => process.desk(accepts ? 'accept' : 'reject'),
    done: ({ decided }) => decided === true,
    after: {
      accepted: accepts ? [...accepted, ...proposed.operations.flat()] : accepted,
      proposed: new Proposed(),
    },
  };
}

/** The one of these states that the book and the draft are in. */
export function stateFound(states, snapshotTexts, draftTexts) {
  const sorted = (texts) => [...texts].sort();
  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  const found = states.findLast(
    ({ accepted, proposed }) =>
      same(sorted(accepted.map(textOf)), sorted(snapshotTexts)) && same(proposed.texts, sorted(draftTexts)),
  );
  const told = states.map(
    ({ accepted, proposed }) => `${accepted.map(textOf).join(' ')} | ${proposed.texts.join(' ')}`,
  );
  assert.ok(
    found,
    `what was proposed and decided is not there:\n${told.join('\nor\n')}\nfound:\n${snapshotTexts.join(' ')} | ${draftTexts.join(' ')}`,
  );
  return found;
}
