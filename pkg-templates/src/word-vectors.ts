/** Vectors for texts from a table of word vectors, in this process or page: the one in the Python package wordllama. */
import type { Embed } from './full/hornbook.js';
import { type Entry, entriesOf, unpack } from './unzip.js';

/**
 * A function that makes vectors of texts, as the option `embed` takes it, from the wheel (`.whl`) of the Python package
 * wordllama 0.4. The wheel is read at the first text, and the table then takes 16 MB of memory. A text's vector is the
 * mean of those of its words, so the order of the words does not count. English.
 *
 * @param read gets the bytes of the wheel
 */
export function wordVectors(read: () => Promise<Bytes>): Embed {
  let table: Promise<Table> | undefined;
  return async (texts) => {
    table ??= tableOf(read, () => (table = undefined));
    const known = await table;
    return texts.map((text) => mean(known, text));
  };
}

/** A file that is missing now may be there for the next search; one that is wrong stays so. */
async function tableOf(read: () => Promise<Bytes>, forget: () => void): Promise<Table> {
  let wheel: Bytes;
  try {
    wheel = await read();
  } catch (error) {
    forget();
    throw new Error(`the file of word vectors cannot be read: ${(error as Error).message}`);
  }
  return open(wheel);
}

/** Throws unless this is a wheel with a table, whose parts are checked when it is first used. */
export function checkWheel(wheel: Bytes): void {
  try {
    partsOf(wheel);
  } catch (error) {
    throw unusable(error);
  }
}

/** The bytes of a file. */
type Bytes = Uint8Array<ArrayBuffer>;

/** The command that gets the wheel. */
export const DOWNLOAD = 'pip download wordllama==0.4.0.post1 --no-deps --only-binary :all:';

const unusable = (error: unknown) =>
  new Error(
    `the file of word vectors cannot be used: ${(error as Error).message}. Get the one that is meant by: ${DOWNLOAD}`,
  );

/** A vector for each token. */
interface Table {
  /** The numbers of tokens, which are also their ranks: what is merged first has the least. */
  readonly tokens: ReadonlyMap<string, number>;
  /** The rows of the table, one after the other, as halves. */
  readonly halves: Uint16Array;
  /** The length of a row. */
  readonly width: number;
}

async function open(wheel: Bytes): Promise<Table> {
  try {
    const parts = partsOf(wheel);
    const [weights, tokenizer] = await Promise.all([unpack(wheel, parts.weights), unpack(wheel, parts.tokenizer)]);
    const tokens = tokensIn(tokenizer);
    return { tokens, ...rows(weights, tokens.size) };
  } catch (error) {
    throw unusable(error);
  }
}

function partsOf(wheel: Bytes): { weights: Entry; tokenizer: Entry } {
  if (!ArrayBuffer.isView(wheel)) throw new Error('what came for it is no Uint8Array');
  const entries = entriesOf(wheel);
  const named = (path: RegExp) => entries.find(({ name }) => path.test(name));
  const [weights, tokenizer] = [named(/\/weights\/[^/]+_256\.safetensors$/), named(/\/tokenizers\/[^/]+\.json$/)];
  if (!weights || !tokenizer) throw new Error('it has no table');
  return { weights, tokenizer };
}

const otherTable = () => new Error('its table is not as in wordllama 0.4');

/** What a JSON text says; nothing if it is none. */
function parsed(text: Bytes): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(text));
  } catch {
    return undefined;
  }
}

/** The numbers of tokens: each is that of a row, and every byte is a token. */
function tokensIn(tokenizer: Bytes): Map<string, number> {
  const { model } = (parsed(tokenizer) ?? {}) as { model?: { vocab?: Record<string, number> } };
  const tokens = new Map(Object.entries(model?.vocab ?? {}));
  const areRows = [...tokens.values()].every((row) => Number.isInteger(row) && row >= 0 && row < tokens.size);
  if (!areRows || !BYTES.every((byte) => tokens.has(byte))) throw otherTable();
  return tokens;
}

/** The one tensor of a file in the format safetensors: a row for each token, of half-precision floats. */
function rows(file: Bytes, count: number): Pick<Table, 'halves' | 'width'> {
  const header = file.length < 8 ? Number.NaN : Number(new DataView(file.buffer).getBigUint64(0, true));
  if (!(8 + header <= file.length)) throw otherTable();
  const { __metadata__, ...tensors } = (parsed(file.subarray(8, 8 + header)) ?? {}) as Record<string, unknown>;
  const [tensor, ...others] = Object.values(tensors) as Partial<Tensor | null>[];
  const { dtype, shape: [height, width = 0, ...more] = [], data_offsets: [from, to] = [] } = tensor ?? {};
  const bytes = file.slice(8 + header);
  const isTable = dtype === 'F16' && height === count && Number.isInteger(width) && width > 0;
  const isWhole = from === 0 && to === bytes.length && bytes.length === count * width * 2;
  if (!isTable || !isWhole || others.length > 0 || more.length > 0) throw otherTable();
  const halves = new Uint16Array(bytes.buffer);
  for (let at = 0; at < halves.length; at++)
    if ((halves[at]! & EXPONENT) === EXPONENT) throw new Error('its table has values that are no numbers');
  return { halves, width };
}

interface Tensor {
  dtype: string;
  shape: number[];
  data_offsets: number[];
}

function mean({ tokens, halves, width }: Table, text: string): Float32Array {
  const sum = new Float32Array(width);
  for (const token of tokensOf(tokens, text)) {
    const start = token * width;
    for (let at = 0; at < width; at++) sum[at]! += FLOATS[halves[start + at]!]!;
  }
  return sum;
}

/** The bits of the exponent, which are all set in what is infinite or no number. */
const EXPONENT = 0x7c00;
/** The values of all half-precision floats that are numbers. */
const FLOATS = Float32Array.from({ length: 1 << 16 }, (_, bits) => {
  const [sign, exponent, fraction] = [bits >> 15 ? -1 : 1, (bits >> 10) & 31, bits & 1023];
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
});

/** Before each word. */
const SPACE = '▁';
/** No word is longer to the tokens: merging takes the square of the length. */
const WORD = /\S{1,64}/gu;

/** The tokens of a text, by byte pair encoding. */
function* tokensOf(tokens: ReadonlyMap<string, number>, text: string): Generator<number> {
  // In the table, words in capitals have little in common with the same in lower case.
  for (const [word] of text.toLowerCase().matchAll(WORD)) {
    const parts = [...`${SPACE}${word}`];
    for (;;) {
      let [best, place] = [Number.POSITIVE_INFINITY, 0];
      for (let at = 1; at < parts.length; at++) {
        const rank = tokens.get(parts[at - 1]! + parts[at]!) ?? Number.POSITIVE_INFINITY;
        if (rank < best) [best, place] = [rank, at];
      }
      if (best === Number.POSITIVE_INFINITY) break;
      parts.splice(place - 1, 2, parts[place - 1]! + parts[place]!);
    }
    for (const part of parts) {
      const token = tokens.get(part);
      if (token !== undefined) yield token;
      else for (const byte of new TextEncoder().encode(part)) yield tokens.get(BYTES[byte]!)!;
    }
  }
}

/** The tokens of single bytes. */
const BYTES = Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`);
