/** Parses messages: long ones in turn, so that whoever sends many of them leaves most of the time to the others. */
import { setTimeout as pause } from 'node:timers/promises';
import { parse, type Parsed } from './message.js';
import { Turns } from './turns.js';

/** A message of fewer bytes is parsed at once. */
const SHORT = 1 << 15;
/** How many times as long as a long message took the next one waits. */
const PAUSES = 3;

export class Parsing {
  readonly #turns = new Turns(1, 1);

  /** @param client the key of the client whose turn it is */
  async parse(body: Buffer, client: string, signal: AbortSignal): Promise<Parsed> {
    if (body.length < SHORT) return parse(body);
    const end = await this.#turns.enter(client, signal);
    const started = performance.now();
    try {
      return parse(body);
    } finally {
      // Meanwhile the others have the thread.
      void pause(PAUSES * (performance.now() - started)).then(end);
    }
  }
}
