/**
 * Requests to `/present/NAME`: who has the book before them, and which clause of it. Nobody is present for longer than
 * their stream is open, and nothing of it is kept.
 */
import { randomBytes } from 'node:crypto';
import type { Exchange } from './exchange.js';
import { Refusal } from './refusal.js';

/** The most characters of a name. */
const NAME_CHARS = 60;
/** How many others a stream tells of. */
const TOLD = 50;
/** The maximum duration of a stream, in milliseconds: its client reconnects, and is authorized again. */
const STREAM_MS = 600_000;
/** The most bytes of the body that says where somebody is. */
const BODY_BYTES = 200;
/** The id of a clause. */
const ID = /^-?\d{1,16}$/;

/** Somebody who has a book before them. */
interface Present {
  name: string;
  /** The id of the clause that they are at. */
  at: string | null;
  /** Somebody else came, went or moved. */
  changed(): void;
}

export class Presence {
  /** Who is there, by their keys, by book. */
  readonly #books = new Map<string, Map<string, Present>>();

  /** Send who else is there, each time that this changes, until the client leaves. */
  async stream(exchange: Exchange, book: string, name: string): Promise<void> {
    const key = randomBytes(12).toString('base64url');
    let isNews = true;
    let wake = () => {};
    const changed = () => {
      isNews = true;
      wake();
    };
    const present = this.#books.get(book) ?? new Map<string, Present>();
    this.#books.set(book, present);
    present.set(key, { name, at: null, changed });
    const others = () => [...present].filter(([other]) => other !== key).map(([, one]) => one);
    const tell = () => {
      for (const one of others()) one.changed();
    };
    tell();
    exchange.event(JSON.stringify({ key }), 'key');
    exchange.onread = () => wake();
    const timer = setTimeout(() => exchange.end(), STREAM_MS);
    try {
      while (!exchange.ended) {
        // Whoever reads slowly gets the newest only.
        if (isNews && !exchange.response.writableNeedDrain) {
          isNews = false;
          const told = others().slice(0, TOLD);
          exchange.event(JSON.stringify(told.map(({ name, at }) => ({ name, at }))), 'others');
        } else {
          await new Promise<void>((resolve) => {
            wake = resolve;
          });
        }
      }
    } finally {
      clearTimeout(timer);
      present.delete(key);
      if (present.size === 0) this.#books.delete(book);
      tell();
    }
  }

  /** Somebody is at another clause now. */
  move(book: string, body: Buffer): void {
    const { key, at } = moveIn(body);
    const present = this.#books.get(book);
    const one = present?.get(key);
    if (!present || !one) throw new Refusal(404, 'Nobody is present with this key: open the stream again');
    one.at = at;
    for (const [other, { changed }] of present) if (other !== key) changed();
  }
}

/** The name that a stream is asked with. */
export function presentName(exchange: Exchange): string {
  if (!exchange.accepts('text/event-stream')) throw new Refusal(406, 'Accept must include text/event-stream');
  const name = new URL(exchange.request.url!, 'http://localhost').searchParams.get('name')?.trim() ?? '';
  if (name === '' || name.length > NAME_CHARS)
    throw new Refusal(400, `Give a name of at most ${NAME_CHARS} characters: /present/NAME?name=WHO`);
  return name;
}

function moveIn(body: Buffer): { key: string; at: string | null } {
  const wrong = new Refusal(400, 'Send {"key": KEY, "at": ID}, with the id of a clause or null');
  if (body.length > BODY_BYTES) throw wrong;
  let given: unknown;
  try {
    given = JSON.parse(body.toString());
  } catch {
    throw wrong;
  }
  const { key, at } = (given ?? {}) as { key?: unknown; at?: unknown };
  const isPlace = at === null || (typeof at === 'string' && ID.test(at));
  if (typeof key !== 'string' || !isPlace) throw wrong;
  return { key, at };
}
