/** Where a watched book comes from: `hornbook serve`, or a file. Nothing here writes to it except {@link Source.reverse}. */
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { streamSlot } from '../../../pkg/page/stream-slot.js';
import { ServedStore } from '../../../pkg/served-store.js';
import type { Store } from '../../../pkg/web.js';
import { Signal } from '../dom.ts';
import { Reach } from '../reach/reach.ts';
import { textOf } from '../session.ts';
import { isMixed, servedAddress } from './address.ts';
import { BookFile, WATCHED } from './file.ts';
import { Presence } from './presence.ts';

/** Whether what happens to the book still arrives; if not, why, as a sentence, and whether it never will again. */
export type Standing = { isLive: true } | { isLive: false; why: string; isOver?: true };

/** Why something was not undone or redone, a sentence. */
export class Told extends Error {}

/** How many of the last operations are undone or redone, if `from` is the last revision of the book. */
export interface Reversal {
  steps: number;
  from: number;
}

export interface Source {
  /** The name of the book, and where it is. */
  readonly name: string;
  readonly place: string;
  readonly store: Store;
  standing: Standing;
  /** Its standing, or whether it can be undone, is another. */
  readonly changed: Signal;
  /** Who else watches it, if that is known. */
  readonly presence?: Presence;
  /** Why nothing can be undone from here, a sentence; undefined if it can. */
  readonly cannotUndo?: string;
  /**
   * Undo or redo what `plan` says. It is asked again if the book has changed before that was done, and may throw a
   * {@link Told}. Resolves to what was done; rejects with a sentence.
   */
  reverse(operation: 'undo' | 'redo', plan: () => Promise<Reversal>): Promise<Reversal>;
  /** What was watched is no more, for this reason, a sentence. */
  end(why: string): void;
  /** What is there by now, to be watched anew. */
  again(): Promise<Source>;
  close(): Promise<void>;
}

/** How long the first answer may take, in milliseconds. */
const ANSWER_MS = 10_000;
/** How long an undo may take, in milliseconds. */
const UNDO_MS = 30_000;
/** How often an undo is tried while the book changes. */
const TRIES = 20;

/**
 * A book of `hornbook serve`, for a person of this name. Rejects with a sentence that says what to do.
 */
export async function servedSource(
  typed: string,
  token: string,
  person: string,
  cancelled?: AbortSignal,
): Promise<Source> {
  const { origin, name } = servedAddress(typed);
  const reach = new Reach(origin);
  const address = `${origin}/log/${name}`;
  const headers: Record<string, string> = token ? { Authorization: `Bearer ${token}` } : {};
  try {
    const signal = AbortSignal.any([AbortSignal.timeout(ANSWER_MS), ...(cancelled ? [cancelled] : [])]);
    const answer = await reach.fetch(address, { method: 'HEAD', headers, signal }).catch(async () => {
      cancelled?.throwIfAborted();
      throw new Error(await whyNot(reach));
    });
    if (!answer.ok) throw new Error(refused(answer.status, { origin, name, token }));
    if (!answer.headers.has('stream-next-offset'))
      throw new Error(`What answers at ${origin} is not \`hornbook serve\`. Check the address.`);
    return new Served(reach, name, token, person, answer.headers.get('hornbook-scope') ?? 'read');
  } catch (error) {
    reach.close();
    throw error;
  }
}

/** Why an address cannot be reached, and what to do about it. */
async function whyNot(reach: Reach): Promise<string> {
  const { origin } = reach;
  const page = window.location.origin;
  if (await reach.isThere('/health'))
    return `The server at ${origin} does not let this page in. Start it with this page's origin: hornbook serve --origin ${page}`;
  if (isMixed(window.location, origin))
    return `A page that came over https reaches http only on this machine, and ${origin} is neither. Use the https address of the server.`;
  return `Nothing answers at ${origin}. Start the server there, or check the address: hornbook serve --origin ${page}`;
}

function refused(status: number, { origin, name, token }: { origin: string; name: string; token: string }): string {
  if (status === 401)
    return token
      ? `The server at ${origin} does not know this token. Copy it from the server's token file, without the word before it.`
      : `The server at ${origin} asks for a token. Give one that may read, from its token file.`;
  if (status === 403) return `This token may not read the book ${name}. Give one with the scope read.`;
  if (status === 404)
    return `The server at ${origin} has no book ${name}. Check the name; a book is there once your agent has used it.`;
  if (status === 429) return `The server at ${origin} has too many requests from here. Try again in a moment.`;
  return `The server at ${origin} answers with status ${status}. Its log says why.`;
}

class Served implements Source {
  readonly store: ServedStore & { readOnly: string };
  readonly presence: Presence;
  readonly place: string;
  readonly changed = new Signal();
  cannotUndo: string | undefined;
  standing: Standing = { isLive: true };
  #closed = false;
  /** No stream of what happens to the book is open. */
  #waits = false;

  constructor(
    private readonly reach: Reach,
    readonly name: string,
    private readonly token: string,
    private readonly person: string,
    scope: string,
  ) {
    this.place = new URL(reach.origin).host;
    this.#mayChange(scope === 'write' || scope === 'admin');
    const observed: typeof fetch = (...request) => this.#observed(...request);
    const store = new ServedStore(`${reach.origin}/log/${name}`, token || undefined, observed, streamSlot);
    this.store = Object.assign(store, { readOnly: WATCHED });
    this.presence = new Presence(
      reach,
      `${reach.origin}/present/${name}`,
      this.#headers(),
      person,
      () => this.standing.isLive,
    );
    this.changed.on(() => this.presence.look());
  }

  async reverse(operation: 'undo' | 'redo', plan: () => Promise<Reversal>): Promise<Reversal> {
    if (!this.standing.isLive) throw new Error(`${this.standing.why} Nothing was changed.`);
    const client = new Client({ name: this.person, version: '1' });
    const headers = this.#headers();
    const url = new URL(`${this.reach.origin}/mcp/${this.name}`);
    let isAsked = false;
    let status = 0;
    const fetching: typeof fetch = async (input, init) => {
      status = 0;
      const answer = await this.reach.fetch(input, init);
      ({ status } = answer);
      return answer;
    };
    try {
      const transport = new StreamableHTTPClientTransport(url, { fetch: fetching, requestInit: { headers } });
      await client.connect(transport, { timeout: ANSWER_MS });
      for (let tries = TRIES; tries > 0; tries--) {
        const { steps, from } = await plan();
        isAsked = true;
        const { content, structuredContent, isError } = await client.callTool(
          { name: 'workspace', arguments: { operation, steps, all: true, from } },
          { timeout: UNDO_MS },
        );
        const data = (structuredContent ?? {}) as { error?: { kind?: unknown }; steps?: unknown };
        if (!isError) return { steps: Number(data.steps ?? steps), from };
        if (data.error?.kind !== 'conflict') throw new Told(textOf(content).replace(/^Error: /, ''));
        isAsked = false;
      }
      throw new Told('The book changes faster than this can be done. Let your agent pause, and try again.');
    } catch (error) {
      if (error instanceof Told) throw error;
      if (status === 403) this.#mayChange(false);
      if (status === 401 || status === 403)
        throw new Error('This token may not change the book any more. Watch it with one that may write.');
      if (status === 404 && !isAsked) throw new Error('The server has no such book any more.');
      const what = isAsked ? 'Whether it was done, the list shows once the server is back.' : 'Nothing was changed.';
      throw new Error(`The server at ${this.place} does not answer. ${what}`);
    } finally {
      void client.close();
    }
  }

  end(why: string): void {
    this.#stand({ isLive: false, why, isOver: true });
    void this.presence.close();
    void this.store.close();
  }

  again(): Promise<Source> {
    return servedSource(`${this.reach.origin}/mcp/${this.name}`, this.token, this.person);
  }

  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([this.presence.close(), this.store.close()]);
    this.reach.close();
  }

  #headers(): Record<string, string> {
    return this.token ? { Authorization: `Bearer ${this.token}` } : {};
  }

  /** Each request of the store says whether the server is there. */
  async #observed(...[input, init]: Parameters<typeof fetch>): Promise<Response> {
    // A book that is gone is not begun again by those who only watch.
    if (init?.method === 'PUT') return new Response('there is no such book any more', { status: 404 });
    const isStream = new URL(String(input)).searchParams.has('live');
    if (isStream) {
      this.#waits = true;
      if (this.standing.isLive) this.#stand({ isLive: false, why: 'Waiting for the server…' });
    }
    try {
      const answer = await this.reach.fetch(input, init);
      const { status } = answer;
      if (isStream && answer.ok) this.#waits = false;
      const scope = answer.headers.get('hornbook-scope');
      if (answer.ok && scope !== null) this.#mayChange(scope === 'write' || scope === 'admin');
      if (status === 401 || status === 403)
        this.#stand({ isLive: false, why: 'The server refuses the token now. Stop, and watch with another one.' });
      else if (status >= 500)
        this.#stand({ isLive: false, why: 'The server is stopping. Waiting for it to come back…' });
      else if (status === 404) this.end(`The server at ${this.place} has no book ${this.name} any more.`);
      // Of a log that was rewritten it is not known yet whether it is still that of the same book.
      else if (status !== 410 && !this.#waits) this.#stand({ isLive: true });
      return answer;
    } catch (error) {
      if (!init?.signal?.aborted)
        this.#stand({ isLive: false, why: 'The server does not answer. Waiting for it to come back…' });
      throw error;
    }
  }

  #mayChange(may: boolean): void {
    const before = this.cannotUndo;
    this.cannotUndo = may ? undefined : 'This token may not change the book, so nothing can be undone here.';
    if (before !== this.cannotUndo) this.changed.send();
  }

  #stand(standing: Standing): void {
    const isOver = !this.standing.isLive && this.standing.isOver;
    if (this.#closed || isOver || JSON.stringify(standing) === JSON.stringify(this.standing)) return;
    this.standing = standing;
    this.changed.send();
  }
}

/** A book's file, from this machine. With a handle it is followed; the file alone is as it was when it was chosen. */
export function fileSource(file: File, handle?: FileSystemFileHandle): Source {
  const changed = new Signal();
  const source: Source = {
    name: file.name,
    place: 'a file of this machine',
    store: new BookFile(file, handle, (why) => {
      source.standing = why === undefined ? { isLive: true } : { isLive: false, why };
      changed.send();
    }),
    standing: handle
      ? { isLive: true }
      : { isLive: false, why: 'As it was when you chose it: this browser does not follow files. Choose it again.' },
    changed,
    cannotUndo: 'This page only reads the file. To undo here, serve its folder with `hornbook serve`.',
    reverse: async () => {
      throw new Error('This page only reads the file.');
    },
    end: (why) => {
      source.standing = { isLive: false, why, isOver: true };
      void (source.store as BookFile).close();
      changed.send();
    },
    again: async () => fileSource(handle ? await handle.getFile() : file, handle),
    close: async () => (source.store as BookFile).close(),
  };
  return source;
}
