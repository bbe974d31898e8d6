/** Vectors for texts from a table of word vectors, in this process or page: the one in the Python package wordllama. */
import type { Embed } from './full/hornbook.js';
import { unzip } from './unzip.js';

/**
 * A function that makes vectors of texts, as the option `embed` takes it, from the wheel (`.whl`) of the Python package
 * wordllama 0.4. The wheel is read at the first text, and the table then takes 16 MB of memory. A text's vector is the
 * mean of those of its words, so the order of the words does not count. English.
 *
 * @param read gets the bytes of the wheel
 */
export function wordVectors(read: () => Promise<Uint8Array<ArrayBuffer>>): Embed {
  let table: Promise<Table> | undefined;
  return async (texts) => {
    table ??= read().then(open);
    // A file that is missing now may be there for the next search.
    table.catch(() => (table = undefined));
    const known = await table;
    return texts.map((text) => mean(known, text));
  };
}

/** A vector for each token. */
interface Table {
  /** The numbers of tokens, which are also their ranks: what is merged first has the least. */
  readonly tokens: ReadonlyMap<string, number>;
  /** The rows of the table, one after the other, as halves. */
  readonly halves: Uint16Array;
  /** The length of a row. */
  readonly width: number;
}

async function open(wheel: Uint8Array<ArrayBuffer>): Promise<Table> {
  try {
    const file = await unzip(wheel);
    const [weights, tokenizer] = await Promise.all([
      file(/\/weights\/[^/]+_256\.safetensors$/),
      file(/\/tokenizers\/[^/]+\.json$/),
    ]);
    if (!weights || !tokenizer) throw new Error('it has no table');
    const { model } = JSON.parse(new TextDecoder().decode(tokenizer));
    const tokens = new Map(Object.entries<number>(model.vocab));
    return { tokens, ...rows(weights, tokens.size) };
  } catch (error) {
    throw new Error(
      `the file of word vectors cannot be used: ${(error as Error).message}. The one that is meant comes by: pip download wordllama --no-deps --only-binary :all:`,
    );
  }
}

/** The one tensor of a file in the format safetensors: a row for each token, of half-precision floats. */
function rows(file: Uint8Array<ArrayBuffer>, count: number): Pick<Table, 'halves' | 'width'> {
  const start = 8 + Number(new DataView(file.buffer, file.byteOffset).getBigUint64(0, true));
  const { __metadata__, ...tensors } = JSON.parse(new TextDecoder().decode(file.subarray(8, start)));
  const [tensor] = Object.values<{ dtype: string; shape: number[] }>(tensors);
  const width = tensor?.shape[1] ?? 0;
  const bytes = file.slice(start);
  if (tensor?.dtype !== 'F16' || tensor.shape[0] !== count || bytes.length !== count * width * 2)
    throw new Error('its table is not as in wordllama 0.4');
  return { halves: new Uint16Array(bytes.buffer), width };
}

function mean({ tokens, halves, width }: Table, text: string): Float32Array {
  const sum = new Float32Array(width);
  for (const token of tokensOf(tokens, text)) {
    const start = token * width;
    for (let at = 0; at < width; at++) sum[at]! += FLOATS[halves[start + at]!]!;
  }
  return sum;
}

/** The values of all half-precision floats. */
const FLOATS = Float32Array.from({ length: 1 << 16 }, (_, bits) => {
  const [sign, exponent, fraction] = [bits >> 15 ? -1 : 1, (bits >> 10) & 31, bits & 1023];
  if (exponent === 31) return Number.NaN;
  return sign * (exponent === 0 ? fraction * 2 ** -24 : (1 + fraction / 1024) * 2 ** (exponent - 15));
});

/** Before each word. */
const SPACE = '▁';
/** No word is longer to the tokens: merging takes the square of the length. */
const WORD = /\S{1,64}/gu;

/** The tokens of a text, by byte pair encoding. */
function* tokensOf(tokens: ReadonlyMap<string, number>, text: string): Generator<number> {
  for (const [word] of text.matchAll(WORD)) {
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
      else for (const byte of new TextEncoder().encode(part)) yield tokens.get(byteToken(byte))!;
    }
  }
}

const byteToken = (byte: number) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`;
