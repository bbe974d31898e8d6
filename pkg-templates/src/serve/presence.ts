/**
 * Requests to `/present/NAME`: who has the book before them, and which clause of it. Whoever does not say so again is
 * soon not there, and nothing of it is kept.
 */
import { randomBytes } from 'node:crypto';
import { NAME_CHARS, wrongName } from '../client-name.js';
import { Refusal, later } from './refusal.js';

/** Whoever has said nothing for this long is not there, in milliseconds. */
const GONE_MS = 25_000;
/** How many may be there in a book. */
const MOST = 200;
/** How many others somebody is told of. */
const TOLD = 50;
/** The most bytes of a request. */
const BODY_BYTES = 500;
/** The id of a clause. */
const ID = /^-?\d{1,16}$/;

/** Somebody who has a book before them. */
interface Present {
  name: string;
  /** The id of the clause that they are at. */
  at: string | null;
  /** When they said so. */
  heard: number;
}

/** What somebody says. The first time they have no key. */
export type Said =
  | { key: string; leaves: true }
  | { key: string | undefined; leaves: false; name: string; at: string | null };

/** What they are told. */
export interface Heard {
  key: string;
  others: { name: string; at: string | null }[];
}

export class Presence {
  /** Who is there, by their keys, by book. */
  readonly #books = new Map<string, Map<string, Present>>();

  /** @param now the time in milliseconds */
  constructor(private readonly now: () => number = () => performance.now()) {}

  /** Whether somebody with this key is there. */
  knows(book: string, key: string | undefined): boolean {
    return key !== undefined && this.#of(book).has(key);
  }

  /** Somebody is there, at this clause. */
  take(book: string, key: string | undefined, name: string, at: string | null): Heard {
    const present = this.#of(book);
    const isNew = key === undefined || !present.has(key);
    if (isNew && present.size >= MOST)
      throw later(429, `${MOST} have this book before them already, and no more are told. Try again later.`, 10);
    const own = isNew ? randomBytes(12).toString('base64url') : key;
    present.set(own, { name, at, heard: this.now() });
    this.#books.set(book, present);
    const others = [...present].filter(([other]) => other !== own).slice(0, TOLD);
    return { key: own, others: others.map(([, { name, at }]) => ({ name, at })) };
  }

  leave(book: string, key: string): void {
    this.#of(book).delete(key);
  }

  /** Who is still there. */
  #of(book: string): Map<string, Present> {
    const before = this.now() - GONE_MS;
    for (const [name, present] of this.#books) {
      for (const [key, { heard }] of present) if (heard < before) present.delete(key);
      if (present.size === 0) this.#books.delete(name);
    }
    return this.#books.get(book) ?? new Map<string, Present>();
  }
}

/** What a request says. */
export function saidIn(body: Buffer): Said {
  const wrong = new Refusal(
    400,
    'Send {"name": WHO, "at": ID}, with the id of a clause or null, and the "key" of the answer from then on; or {"key": KEY, "leave": true}',
  );
  if (body.length > BODY_BYTES) throw wrong;
  let given: unknown;
  try {
    given = JSON.parse(body.toString());
  } catch {
    throw wrong;
  }
  const { key, name, at, leave } = (given ?? {}) as Record<string, unknown>;
  if (key !== undefined && typeof key !== 'string') throw wrong;
  if (leave === true && key !== undefined) return { key, leaves: true };
  const isPlace = at === null || (typeof at === 'string' && ID.test(at));
  if (leave !== undefined || typeof name !== 'string' || !isPlace) throw wrong;
  if (name.length > NAME_CHARS) throw new Refusal(400, `Give a name of at most ${NAME_CHARS} characters`);
  const why = wrongName(name);
  if (why !== undefined) throw new Refusal(400, why);
  return { key, leaves: false, name: name.trim(), at };
}
