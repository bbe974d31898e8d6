/** Reads files of a zip archive, in Node and in pages. */

const [END, DIRECTORY, LOCAL] = [0x06054b50, 0x02014b50, 0x04034b50];
/** The lengths of the records without names and comments, and the most bytes of a comment. */
const [END_BYTES, DIRECTORY_BYTES, LOCAL_BYTES, COMMENT_BYTES] = [22, 46, 30, 0xffff];
const [STORED, DEFLATED] = [0, 8];
/** The bit of an entry's flags that says it is encrypted. */
const ENCRYPTED = 1;
/** What a number is in the format zip64, where the true one stands elsewhere. */
const [LARGE_16, LARGE_32] = [0xffff, 0xffffffff];
/** No file that is read may be longer, unpacked. */
const MOST_BYTES = 256 * 1024 * 1024;

type Bytes = Uint8Array<ArrayBuffer>;

/** A file of an archive, as its directory tells. */
export interface Entry {
  readonly name: string;
  /** The length of the file, packed and unpacked. */
  readonly packed: number;
  readonly length: number;
  readonly method: number;
  readonly flags: number;
  readonly crc: number;
  /** Where the file begins in the archive. */
  readonly local: number;
}

/** The files of an archive. Throws a sentence's end on what is wrong with it. */
export function entriesOf(archive: Bytes): Entry[] {
  const read = reader(archive);
  let end = archive.byteLength - END_BYTES;
  const first = Math.max(0, end - COMMENT_BYTES);
  while (end >= first && read.four(end) !== END) end--;
  if (end < first) throw new Error('it is cut off, or no zip archive');
  const entries: Entry[] = [];
  const [count, start] = [read.two(end + 10), read.four(end + 16)];
  if (count === LARGE_16 || start === LARGE_32) throw zip64();
  for (let at = start; entries.length < count; ) {
    if (read.four(at) !== DIRECTORY) throw new Error('its list of files is damaged');
    const name = read.two(at + 28);
    entries.push({
      name: new TextDecoder().decode(archive.subarray(at + DIRECTORY_BYTES, at + DIRECTORY_BYTES + name)),
      flags: read.two(at + 8),
      method: read.two(at + 10),
      crc: read.four(at + 16),
      packed: read.four(at + 20),
      length: read.four(at + 24),
      local: read.four(at + 42),
    });
    at += DIRECTORY_BYTES + name + read.two(at + 30) + read.two(at + 32);
  }
  return entries;
}

/** The bytes of a file in an archive. Rejects with a sentence's end on what is wrong with it. */
export async function unpack(archive: Bytes, entry: Entry): Promise<Bytes> {
  const { name, packed, length, method, flags, crc, local } = entry;
  if (flags & ENCRYPTED) throw new Error(`${name} in it is encrypted`);
  if ([packed, length, local].includes(LARGE_32)) throw zip64();
  if (length > MOST_BYTES) throw new Error(`${name} in it has ${length} bytes, more than ${MOST_BYTES}`);
  if (method !== STORED && method !== DEFLATED)
    throw new Error(`${name} in it is packed in a way that is not supported`);
  const read = reader(archive);
  if (read.four(local) !== LOCAL) throw new Error(`${name} in it is damaged`);
  const start = local + LOCAL_BYTES + read.two(local + 26) + read.two(local + 28);
  if (start + packed > archive.byteLength) throw new Error(CUT);
  // A copy, also if the archive is a buffer of Node, whose `slice` is none.
  const bytes = new Uint8Array(archive.subarray(start, start + packed));
  const file = method === STORED ? bytes : await inflated(bytes, length);
  if (file?.length !== length || crcOf(file) !== crc) throw new Error(`${name} in it is damaged`);
  return file;
}

/** The bytes that this is the deflated form of, if they are as many as `length`. */
async function inflated(bytes: Bytes, length: number): Promise<Bytes | undefined> {
  const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream('deflate-raw')).getReader();
  const file = new Uint8Array(length);
  let at = 0;
  for (;;) {
    const { value } = await stream.read().catch(() => ({ value: undefined }));
    if (value === undefined) return at === length ? file : undefined;
    if (at + value.length > length) {
      // The rest may be without end.
      await stream.cancel().catch(() => {});
      return undefined;
    }
    file.set(value, at);
    at += value.length;
  }
}

const CUT = 'it is cut off';

const zip64 = () => new Error('it is in the format zip64, which is not supported');

/** Numbers of two and of four bytes. Throws if the archive ends before. */
function reader(archive: Bytes) {
  const view = new DataView(archive.buffer, archive.byteOffset, archive.byteLength);
  const within = (at: number, bytes: number) => {
    if (at + bytes > view.byteLength) throw new Error(CUT);
    return at;
  };
  return {
    two: (at: number) => view.getUint16(within(at, 2), true),
    four: (at: number) => view.getUint32(within(at, 4), true),
  };
}

/** The checksums of all bytes. */
const CRCS = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >>> 1) ^ 0xedb88320 : crc >>> 1;
  return crc;
});

function crcOf(file: Bytes): number {
  let crc = -1;
  // By index: an iterator takes many times as long.
  for (let at = 0; at < file.length; at++) crc = CRCS[(crc ^ file[at]!) & 0xff]! ^ (crc >>> 8);
  return ~crc >>> 0;
}
