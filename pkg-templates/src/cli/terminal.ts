/** The terminal, as every command uses it. */
import { createInterface, type Interface } from 'node:readline';
import { visible } from './visible.js';

/** Where events are shown. `status` rewrites one line; it is missing when there is no terminal. */
export interface Screen {
  out(text: string): void;
  err(text: string): void;
  status?: (text: string) => void;
}

/** Standard output and error; on a terminal, also a progress line. Nothing in an error acts on the terminal. */
export function screen(): Screen {
  const { stdout, stderr } = process;
  let shown = false;
  const clear = () => {
    if (shown) stderr.write('\r\x1b[K');
    shown = false;
  };
  const show = (text: string) => {
    clear();
    if (text) stderr.write(text.slice(0, stderr.columns - 1));
    shown = text !== '';
  };
  return {
    out(text) {
      clear();
      stdout.write(text);
    },
    err(text) {
      clear();
      stderr.write(visible(text));
    },
    status: stderr.isTTY ? show : undefined,
  };
}

/** Asks on the terminal, or reads lines from standard input if that is not one. */
export class Asker {
  #lines: AsyncIterator<string> | undefined;
  #interface: Interface | undefined;

  constructor(private readonly screen: Screen) {}

  ask = async (prompt: string): Promise<string | undefined> => {
    this.screen.status?.('');
    this.screen.err(`${prompt} `);
    this.#interface ??= createInterface({ input: process.stdin });
    this.#lines ??= this.#interface[Symbol.asyncIterator]();
    const { value, done } = await this.#lines.next();
    return done ? undefined : value;
  };

  close(): void {
    this.#interface?.close();
  }
}
