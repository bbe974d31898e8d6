/** A book in the address of the page: `#book=` and its files, compressed, in the letters of an address. */

export interface Shared {
  files: { name: string; text: string }[];
  /** A query to begin with. */
  query?: string;
}

const MARK = '#book=';
/** Bytes of an unpacked book; more is no link that anybody means. */
const LONGEST = 5_000_000;

export async function linkTo(shared: Shared): Promise<string> {
  const packed = await through(new TextEncoder().encode(JSON.stringify(shared)), new CompressionStream('deflate-raw'));
  let bytes = '';
  for (const byte of packed) bytes += String.fromCharCode(byte);
  const text = btoa(bytes).replace(/\+/g, '-').replace(/\//g, '_').replace(/=+$/, '');
  const { origin, pathname } = window.location;
  return `${origin}${pathname}${MARK}${text}`;
}

/** The book of an address, or undefined where it has none. Throws a sentence where it cannot be read. */
export async function sharedIn(hash: string): Promise<Shared | undefined> {
  if (!hash.startsWith(MARK)) return undefined;
  try {
    const bytes = atob(hash.slice(MARK.length).replace(/-/g, '+').replace(/_/g, '/'));
    const packed = Uint8Array.from(bytes, (c) => c.charCodeAt(0));
    const text = new TextDecoder().decode(await through(packed, new DecompressionStream('deflate-raw')));
    const { files, query } = JSON.parse(text) as Shared;
    const whole = Array.isArray(files) && files.every(({ name, text }) => typeof name === 'string' && typeof text === 'string');
    if (!whole || (query !== undefined && typeof query !== 'string')) throw new Error('it is no book');
    return { files, query };
  } catch {
    throw new Error('The link does not hold a whole book; it may have been cut off when it was copied.');
  }
}

async function through(bytes: Uint8Array<ArrayBuffer>, change: CompressionStream | DecompressionStream): Promise<Uint8Array> {
  const stream = new Blob([bytes]).stream().pipeThrough(change);
  const chunks: Uint8Array[] = [];
  let length = 0;
  const reader = stream.getReader();
  for (;;) {
    const { done, value } = await reader.read();
    if (done) break;
    length += value.length;
    if (length > LONGEST) throw new Error('it is too long');
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
