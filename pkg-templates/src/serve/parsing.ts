/** Parses messages: long ones in turn, so that whoever sends many of them leaves most of the time to the others. */
import { setTimeout as pause } from 'node:timers/promises';
import { parse, type Message } from './message.js';
import { Turns } from './turns.js';

/** A message of fewer bytes is parsed at once. */
const SHORT = 1 << 15;

export class Parsing {
  readonly #turns = new Turns(1, 1);

  /** @param client the key of the client whose turn it is */
  async parse(body: Buffer, client: string, signal: AbortSignal): Promise<Message | Message[]> {
    if (body.length < SHORT) return parse(body);
    const end = await this.#turns.enter(client, signal);
    const started = performance.now();
    try {
      return parse(body);
    } finally {
      // The next one may begin when others had as much time as this one took.
      void pause(performance.now() - started).then(end);
    }
  }
}
