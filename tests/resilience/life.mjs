// One life of a server on a book: the book is checked, clients work on it, and the server ends.
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { appendFileSync, existsSync, readFileSync, watch } from 'node:fs';
import { statesOf } from './book.mjs';
import { DRAFTER, drawDraft, stateFound } from './drafts.mjs';
import { LISTING, REFUSALS, clausesOf, listed } from './operations.mjs';
import { Process } from '../support/process.mjs';

export const CLIENTS = 3;
const clients = Array.from({ length: CLIENTS }, (_, client) => client);
/** Those whose clauses the book may have. */
const writers = [...clients, DRAFTER];

export class Life {
  /** Operations answered in this life. */
  #answered = 0;

  /**
   * @param bench the book, its model, the random numbers, and the figures of the run
   * @param pending what was not answered when the life before ended; `undefined` when there was nothing
   */
  constructor(bench, pending) {
    this.bench = bench;
    this.pending = pending;
    // The whole book is read in one reply.
    const limits = { reply_tokens: 1e9 };
    this.process = new Process({ book: bench.book, roots: [bench.root], unknown: 'fail', limits });
    /** Whether the journal was torn before this life. */
    this.torn = bench.torn;
    bench.torn = false;
  }

  /** Resolves with what was not answered when the server was killed. */
  async live() {
    const { bench, process } = this;
    const { figures, random } = bench;
    const ending = random() < 0.03 ? 'end' : random() < 0.25 ? 'early' : 'kill';
    const dead = ending === 'early' ? this.#killSoon(random() * 1.5 * (figures.median('book') ?? 500)) : undefined;
    try {
      if ((await this.#checkBook()) && (await this.#checkEngine())) {
        const operations = Math.floor(random() * 40);
        while (this.#answered < operations && !process.gone) await this.#worked(2 + random() * 8, 2 + random() * 5);
        if (ending === 'end') await process.end();
        else await this.#lastOperations();
      }
      await (dead ?? process.kill());
    } catch (error) {
      error.message += `\nin the life ${figures.lives} of ${bench.name}; ${process.stderr}`;
      throw error;
    } finally {
      process.child.kill('SIGKILL');
    }
    figures.lives += 1;
    if (ending !== 'end') figures.kills += 1;
    this.#tear();
    return this.pending;
  }

  async #killSoon(ms) {
    await new Promise((resolve) => setTimeout(resolve, ms));
    await this.process.kill();
  }

  async #killWhenWritten(book) {
    await Promise.race([once(watch(book, { persistent: false }), 'change'), this.process.closed]);
    await this.process.kill();
  }

  /** Kills the server while clients work: after some time, or when the journal is written. */
  async #lastOperations() {
    const { book, random } = this.bench;
    const dead =
      random() < 0.3
        ? this.#killWhenWritten(book)
        : this.#killSoon(random() * [0, 3, 30, 300][Math.floor(random() * 4)]);
    while (!this.process.gone) await this.#worked(1, 3);
    await dead;
  }

  #worked(alone, together) {
    const drawn = this.bench.random();
    if (drawn < 0.4) return this.#alone(alone);
    return drawn < 0.7 ? this.#together(together) : this.#drafts(alone);
  }

  /**
   * Checks that the book contains what was answered, and of what was not answered a part that is whole. False when the
   * server is gone.
   */
  async #checkBook() {
    const { bench, process } = this;
    const snapshot = await process.call(0, 'workspace', { operation: 'snapshot' });
    const time = performance.now() - process.started;
    const history = await process.call(0, 'workspace', { operation: 'history', steps: 1 });
    if (!history) return false;
    bench.figures.time('book', time);
    const { model } = bench;
    const before = model.revision;
    const told = / ended in the middle of a record/.test(process.stderr);
    assert.ok(told || !this.torn, `nothing is told of a torn end: ${process.stderr}`);
    bench.figures.cut += Number(told);
    if (!(await this.#checkDraft(snapshot.dump))) return false;
    if (this.pending?.together) model.workedTogether(this.pending.together, snapshot.dump, history.revision);
    else if (this.pending) model.carriedOut(this.pending, history.revision);
    assert.equal(history.revision, model.revision);
    model.check(snapshot.dump);
    if (this.pending?.operation?.steps.length > 0 && this.pending.steps === undefined) {
      bench.figures.unanswered[model.revision > before ? 'there' : 'not there'] += 1;
    }
    this.pending = undefined;
    return true;
  }

  /** Checks that what was proposed is in the draft, and what was accepted in the book. False when the server is gone. */
  async #checkDraft(dump) {
    const { bench, pending } = this;
    const shown = await this.#shown();
    if (!shown) return false;
    if (!pending?.draft) {
      // Nothing else that anybody does changes a draft.
      assert.deepEqual(shown.added.toSorted(), bench.proposed.texts, 'the draft has changed');
      return true;
    }
    const own = clausesOf(dump).filter((text) => text.startsWith(`c${DRAFTER}_`));
    const { accepted, proposed } = stateFound(pending.draft, own, shown.added);
    bench.proposed = proposed;
    pending.together = writers.map((client) => [client === DRAFTER ? accepted : bench.model.of(client)]);
    return true;
  }

  /** What the draft proposes, although engines may be ended at this very moment. */
  async #shown() {
    for (let tries = 5; ; tries -= 1) {
      const shown = await this.process.desk();
      if (!shown?.error) return shown;
      assert.ok(REFUSALS.has(shown.error.kind) && tries > 1, `the draft cannot be read: ${shown.error.message}`);
    }
  }

  /** Checks that the engine has what the book has, clause by clause. */
  async #agrees() {
    for (let tries = 3; ; tries -= 1) {
      try {
        assert.deepEqual((await this.process.differences()) ?? [], [], 'engine and book do not agree');
        return;
      } catch (error) {
        // The engine may be ended at this very moment.
        if (error instanceof assert.AssertionError || tries === 1) throw error;
      }
    }
  }

  /** Checks that the engine has what the book has. */
  async #checkEngine() {
    const { bench, process } = this;
    await this.#agrees();
    for (const client of writers) {
      const result = await process.call(client, 'query_start', { query: LISTING(client), take: 1 });
      if (!result) return false;
      if (client === 0) bench.figures.time('answer', performance.now() - process.started);
      this.#compare(result, client, bench.model.list);
    }
    return true;
  }

  #compare({ answers }, client, list) {
    const { Lp, Lr, Lf, Lo } = answers[0];
    const found = [Lp, Lr, Lf, Lo].map((text) => text.replaceAll(' ', ''));
    assert.deepEqual(found, listed(list, client), 'the engine has other clauses than the book');
  }

  /** Runs one operation after the other, each on the whole book, including reset, undo and redo. */
  async #alone(count) {
    const { bench, process } = this;
    const { model, random } = bench;
    for (let at = 0; at < count && !process.gone; at += 1) {
      const client = Math.floor(random() * CLIENTS);
      const operation = this.#drawAlone(client);
      const states = statesOf(model.list, operation.steps);
      this.pending = { operation, states };
      const answer = await this.#carryOut(client, operation, model.list);
      if (answer) await this.#agrees();
      this.pending.steps = answer?.steps;
      // The number of revisions tells what can be undone.
      const history = answer && (await process.call(client, 'workspace', { operation: 'history', steps: 1 }));
      if (!history) return;
      model.carriedOut(this.pending, history.revision);
      this.pending = undefined;
    }
  }

  #drawAlone(client) {
    const { model, operations, random } = this.bench;
    const drawn = random();
    if (drawn < 0.02) return operations.reset();
    const back = drawn < 0.17 ? 'undo' : drawn < 0.27 ? 'redo' : undefined;
    const most = back && (back === 'undo' ? model.undoable : model.redoable).length;
    return most
      ? model.reversal(back, 1 + Math.floor(random() * Math.min(most, 3)))
      : operations.draw(client, model.list);
  }

  /** Every client works on its own clauses, all at the same time. */
  async #together(count) {
    const { bench, process } = this;
    const { model, operations } = bench;
    const states = writers.map((client) => [model.of(client)]);
    this.pending = { together: states };
    await Promise.all(
      clients.map(async (client) => {
        for (let at = 0; at < count && !process.gone; at += 1) {
          const [list] = states[client];
          const operation = operations.draw(client, list);
          states[client] = statesOf(list, operation.steps);
          const answer = await this.#carryOut(client, operation, list);
          if (answer) states[client] = [states[client][answer.steps]];
        }
      }),
    );
    await this.#agrees();
    const snapshot = await process.call(0, 'workspace', { operation: 'snapshot' });
    const history = snapshot && (await process.call(0, 'workspace', { operation: 'history', steps: 1 }));
    if (!history) return;
    model.workedTogether(states, snapshot.dump, history.revision);
    this.pending = undefined;
  }

  /** The client under review works on its draft, and a person decides about it. */
  async #drafts(count) {
    const { bench, process } = this;
    const { model, figures, random } = bench;
    for (let at = 0; at < count && !process.gone; at += 1) {
      const before = { accepted: model.of(DRAFTER), proposed: bench.proposed };
      const { kind, run, done, after } = drawDraft(bench, before.accepted, before.proposed);
      this.pending = { draft: [before, after] };
      if (random() < 0.04) {
        setTimeout(() => process.gone || process.endEngines(), random() * 20);
        figures.count('ended from outside');
      }
      const result = await run(process);
      if (!result) return;
      this.#answered += 1;
      figures.operations += 1;
      const isDone = done(result);
      const isRefused =
        REFUSALS.has(result.error?.kind) || (result.errors ?? []).some((text) => /engine|restarted/.test(text));
      assert.ok(isDone || isRefused, `an unexpected answer to what was ${kind}: ${JSON.stringify(result)}`);
      if (isDone) figures.drafts[kind] += 1;
      else figures.refused += 1;
      this.pending.draft = [isDone ? after : before];
      const snapshot = await process.call(0, 'workspace', { operation: 'snapshot' });
      if (!snapshot || !(await this.#checkDraft(snapshot.dump))) return;
      await this.#agrees();
      const history = await process.call(0, 'workspace', { operation: 'history', steps: 1 });
      if (!history) return;
      model.workedTogether(this.pending.together, snapshot.dump, history.revision);
      this.pending = undefined;
    }
  }

  /** How many of its steps were carried out according to the answer; `undefined` without an answer. */
  async #carryOut(client, operation, list) {
    const { bench, process } = this;
    const { figures, random } = bench;
    if (random() < 0.04) {
      setTimeout(() => process.gone || process.endEngines(), random() * 20);
      figures.count('ended from outside');
    }
    const result = await process.call(client, operation.tool, operation.values);
    if (!result) return undefined;
    this.#answered += 1;
    figures.operations += 1;
    if (operation.ending && REFUSALS.has(result.error?.kind)) figures.count(operation.ending);
    const refused =
      REFUSALS.has(result.error?.kind) || (result.errors ?? []).some((text) => /engine|restarted/.test(text));
    if (operation.done(result)) {
      if (operation.listing) this.#compare(result, client, list);
      figures.changes += operation.steps.length > 0 ? 1 : 0;
      return { steps: operation.steps.length };
    }
    if (operation.partly?.(result)) return { steps: 1 };
    if (operation.kept?.(result)) return { steps: 0 };
    assert.ok(refused, `an unexpected answer to ${JSON.stringify(operation.values)}: ${JSON.stringify(result)}`);
    figures.refused += 1;
    return { steps: 0 };
  }

  /** Sometimes tears the end of the journal as well, as a power loss does: part of a record follows. */
  #tear() {
    const { bench } = this;
    if (bench.random() > 0.1 || !existsSync(bench.book)) return;
    const record = readFileSync(bench.book).toString().split('\n').at(-2);
    if (!record?.includes('{"revision"')) return;
    appendFileSync(bench.book, record.slice(0, 1 + Math.floor(bench.random() * (record.length - 1))));
    bench.torn = true;
  }
}
