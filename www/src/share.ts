/** A book in the page's address: `#book=` and its compressed files, in URL-safe letters. */
import { base64Of } from '../../pkg-templates/src/book/contents.ts';
import { faultOfName } from './book/names.ts';
import { faultOfBook, partOf } from './shelf.ts';

export interface Shared {
  /** The name of the book. */
  name?: string;
  files: { name: string; text: string }[];
  /** A query to start with. */
  query?: string;
  /** A notebook, as its text. */
  notebook?: string;
}

/** Where the browser stores the notebook. */
export const NOTEBOOK = partOf('hornbook.notebook');

const MARK = '#book=';
/** The maximum size of an unpacked book in bytes; nobody means a link to be larger. */
const LONGEST = 5_000_000;
const MOST_FILES = 200;
/** The maximum length of a link that browsers open and that mail and chat do not cut off, in characters. */
const LONGEST_LINK = 32_000;
const LONGEST_QUERY = 100_000;

/** The link, or undefined if it would be too long to work everywhere. */
export async function linkTo(shared: Shared): Promise<string | undefined> {
  const packed = await through(new TextEncoder().encode(JSON.stringify(shared)), new CompressionStream('deflate-raw'));
  const text = base64Of(packed)
    .replace(/\+/g, '-')
    .replace(/\//g, '_')
    .replace(/={1,2}$/, '');
  const { origin, pathname } = window.location;
  const link = `${origin}${pathname}${MARK}${text}`;
  return link.length <= LONGEST_LINK ? link : undefined;
}

/** Whether the address contains a book. */
export const hasLink = (): boolean => window.location.hash.startsWith(MARK);

/** Remove the book from the address, so that a reload does not offer it again. */
export function forgetLink(): void {
  if (hasLink()) history.replaceState(null, '', window.location.pathname + window.location.search);
}

/** The query in an address, as `?q=` or `#q=`. */
export function queryIn({ search, hash }: Location): string | undefined {
  const query = new URLSearchParams(hash.startsWith('#q=') ? hash.slice(1) : search).get('q')?.trim();
  return query && query.length <= LONGEST_QUERY ? query : undefined;
}

/** Who can open a link to this page, if not everybody. */
export function reachOf({ hostname, protocol }: Location): string | undefined {
  const host = hostname.replace(/^\[|\]$/g, '');
  if (protocol === 'file:' || /^(?:localhost|.*\.localhost|127\..*|::1)$/.test(host)) return 'only this machine';
  if (/^(?:10|192\.168|172\.(?:1[6-9]|2\d|3[01]))\.|\.(?:local|lan|internal)$|^[^.:]+$/.test(host))
    return 'only your network';
  return undefined;
}

/** The book in an address, or undefined. Throws a sentence if it cannot be read. */
export async function sharedIn(hash: string): Promise<Shared | undefined> {
  if (!hash.startsWith(MARK)) return undefined;
  return checked(await unpacked(hash.slice(MARK.length)));
}

/** Decode the contents of a link. Throws a sentence if it is incomplete. */
async function unpacked(letters: string): Promise<unknown> {
  try {
    const bytes = atob(letters.replace(/-/g, '+').replace(/_/g, '/'));
    const packed = Uint8Array.from(bytes, (c) => c.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(await through(packed, new DecompressionStream('deflate-raw'))));
  } catch (error) {
    if (error instanceof TooLong) throw error;
    throw new Error('The link is incomplete. Copy the whole link and open it again.');
  }
}

/** Throws a sentence if it is not a book. */
function checked(value: unknown): Shared {
  const { name, files, query, notebook } = (typeof value === 'object' && value !== null ? value : {}) as {
    name?: unknown;
    files?: unknown;
    query?: unknown;
    notebook?: unknown;
  };
  if (!Array.isArray(files)) throw new Error('The link does not contain a book.');
  if (files.length > MOST_FILES)
    throw new Error(`The book in the link has ${files.length.toLocaleString('en')} files; the limit is ${MOST_FILES}.`);
  const names = new Set<string>();
  for (const file of files as unknown[]) {
    const { name, text } = (typeof file === 'object' && file !== null ? file : {}) as {
      name?: unknown;
      text?: unknown;
    };
    if (typeof name !== 'string' || typeof text !== 'string')
      throw new Error('A file in the link has no name or no text.');
    const fault = faultOfName(name) ?? (names.has(name) ? `Two files are named ${name}.` : undefined);
    if (fault) throw new Error(`The book in the link cannot be opened. ${fault}`);
    names.add(name);
  }
  if (query !== undefined && typeof query !== 'string') throw new Error('The query in the link is not text.');
  if (query !== undefined && query.length > LONGEST_QUERY) throw new Error('The query in the link is too long.');
  if (notebook !== undefined && typeof notebook !== 'string') throw new Error('The notebook in the link is not text.');
  const isNamed = typeof name === 'string' && faultOfBook(name) === undefined;
  return {
    ...(isNamed && { name }),
    files: files.map(({ name, text }: Shared['files'][number]) => ({ name, text })),
    query,
    notebook,
  };
}

class TooLong extends Error {}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  change: CompressionStream | DecompressionStream,
): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(change);
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > LONGEST)
      throw new TooLong(`The book in the link is too large: the limit is ${LONGEST / 1_000_000} MB.`);
    chunks.push(value);
  }
  const all = new Uint8Array(length);
  let at = 0;
  for (const chunk of chunks) {
    all.set(chunk, at);
    at += chunk.length;
  }
  return all;
}
