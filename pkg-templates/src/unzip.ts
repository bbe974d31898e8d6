/** Reads files of a zip archive, in Node and in pages. */

const END = 0x06054b50;
/** The length of the end record without its comment, and the most bytes of a comment. */
const [END_BYTES, COMMENT_BYTES] = [22, 0xffff];
const [STORED, DEFLATED] = [0, 8];

/** Gets the bytes of the file whose path matches, if there is one. */
export type Unzipped = (path: RegExp) => Promise<Uint8Array<ArrayBuffer> | undefined>;

/** The files of an archive. Rejects with what is wrong with it. */
export async function unzip(archive: Uint8Array<ArrayBuffer>): Promise<Unzipped> {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const text = (start: number, length: number) => new TextDecoder().decode(archive.subarray(start, start + length));
  let end = archive.byteLength - END_BYTES;
  const first = Math.max(0, end - COMMENT_BYTES);
  while (end >= first && view.getUint32(end, true) !== END) end--;
  if (end < first) throw new Error('it is cut off, or no zip archive');
  const entries = new Map<string, number>();
  let at = view.getUint32(end + 16, true);
  for (let left = view.getUint16(end + 10, true); left > 0; left--) {
    const name = view.getUint16(at + 28, true);
    entries.set(text(at + 46, name), at);
    at += 46 + name + view.getUint16(at + 30, true) + view.getUint16(at + 32, true);
  }
  return async (path) => {
    const [, entry] = [...entries].find(([name]) => path.test(name)) ?? [];
    if (entry === undefined) return undefined;
    const [method, packed, local] = [
      view.getUint16(entry + 10, true),
      view.getUint32(entry + 20, true),
      view.getUint32(entry + 42, true),
    ];
    const start = local + 30 + view.getUint16(local + 26, true) + view.getUint16(local + 28, true);
    // A copy, also if the archive is a buffer of Node, whose `slice` is none.
    const bytes = new Uint8Array(archive.subarray(start, start + packed));
    if (method === STORED) return bytes;
    if (method !== DEFLATED) throw new Error(`${path} is packed in a way that is not supported`);
    const unpacked = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw'));
    return new Uint8Array(await new Response(unpacked).arrayBuffer());
  };
}
