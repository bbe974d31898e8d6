// A wheel as wordllama's, with a table of a few words.
import { deflateRawSync, gzipSync } from 'node:zlib';

/**
 * The bytes of a wheel whose table has these words with their vectors, and little for every other token. `change` may
 * change what describes the table.
 */
export function wheelOf(words, change = () => {}) {
  const bytes = Array.from({ length: 256 }, (_, byte) => `<0x${byte.toString(16).toUpperCase().padStart(2, '0')}>`);
  // What is merged first has the least number: pairs of letters from the left, up to the whole word.
  const merged = Object.keys(words).flatMap((word) =>
    Array.from(word, (_, at) => [`▁${word}`.slice(0, at + 2), word[at]]).flat(),
  );
  const tokens = [...new Set([...bytes, '▁', ...merged])];
  const width = Object.values(words)[0].length;
  const rows = tokens.flatMap((token) => words[token.replace(/^▁/, '')] ?? [...Array(width - 1).fill(0), 1 / 64]);
  const tensor = { dtype: 'F16', shape: [tokens.length, width], data_offsets: [0, rows.length * 2] };
  const vocab = Object.fromEntries(tokens.map((token, number) => [token, number]));
  change({ tensor, vocab });
  const header = JSON.stringify({ 'embedding.weight': tensor });
  const weights = Buffer.alloc(8 + header.length + rows.length * 2);
  weights.writeBigUInt64LE(BigInt(header.length));
  weights.write(header, 8);
  for (const [at, value] of rows.entries()) weights.writeUInt16LE(half(value), 8 + header.length + at * 2);
  return zipOf({
    'wordllama/weights/tiny_256.safetensors': weights,
    'wordllama/tokenizers/tiny_tokenizer_config.json': Buffer.from(JSON.stringify({ model: { vocab } })),
  });
}

/** The bits of a power of two, a negative one, zero, or what is no number as a half-precision float. */
function half(value) {
  if (value === 0) return 0;
  if (Number.isNaN(value)) return 0x7e00;
  return (value < 0 ? 0x8000 : 0) | ((15 + Math.log2(Math.abs(value))) << 10);
}

/** An archive of these files, the first as it is and the others deflated. */
export function zipOf(files) {
  const parts = [];
  const directory = [];
  let offset = 0;
  for (const [at, [name, content]] of Object.entries(files).entries()) {
    const [method, packed] = at === 0 ? [0, content] : [8, deflateRawSync(content)];
    const common = Buffer.alloc(26);
    for (const [value, place] of [
      [20, 0],
      [method, 4],
      [name.length, 22],
    ])
      common.writeUInt16LE(value, place);
    // The checksum, which gzip writes near its end.
    const gzip = gzipSync(content);
    common.writeUInt32LE(gzip.readUInt32LE(gzip.length - 8), 10);
    common.writeUInt32LE(packed.length, 14);
    common.writeUInt32LE(content.length, 18);
    const entry = Buffer.alloc(14);
    entry.writeUInt32LE(offset, 10);
    const local = Buffer.concat([Buffer.from('PK\x03\x04'), common, Buffer.from(name), packed]);
    directory.push(Buffer.from('PK\x01\x02\x14\x00'), common, entry, Buffer.from(name));
    parts.push(local);
    offset += local.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.write('PK\x05\x06');
  end.writeUInt16LE(Object.keys(files).length, 8);
  end.writeUInt16LE(Object.keys(files).length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...parts, central, end]);
}
