/** The contents of files as the workspace takes them: text, or the base64 of a workbook. */

/** How many bytes are turned into characters in one call: arguments of a call are few. */
const SLICE = 0x8000;

/** Whether a file is a workbook, by its name. */
export const isWorkbook = (filename: string): boolean => /\.(xlsx|xlsm|xlsb|xls|ods)$/i.test(filename);

/** Whether a file is read as tables, by its name. */
export const isTable = (filename: string): boolean =>
  isWorkbook(filename) ||
  (/\.(csv|tsv|tab|json|jsonl|ndjson|yaml|yml)$/i.test(filename) && !/\.flow\.ya?ml$/i.test(filename));

/** Bytes as base64, in Node and in pages. */
export function base64Of(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += SLICE) text += String.fromCharCode(...bytes.subarray(at, at + SLICE));
  return btoa(text);
}

/** The text that the bytes of a file are. */
export interface Decoded {
  text: string;
  /** What was assumed, as a sentence. */
  doubt?: string;
}

/** Text is UTF-8, UTF-16 with its mark, or else Windows-1252, which decoders call ISO-8859-1, too. */
export function textOfBytes(filename: string, bytes: Uint8Array): Decoded {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return { text: new TextDecoder('utf-16le').decode(bytes) };
  if (first === 0xfe && second === 0xff) return { text: new TextDecoder('utf-16be').decode(bytes) };
  try {
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes) };
  } catch {
    // ISO-8859-1 has controls there, which no text has.
    const name = bytes.some((byte) => byte >= 0x80 && byte < 0xa0) ? 'Windows-1252' : 'ISO-8859-1';
    const doubt = `${filename} is not UTF-8: it was read as ${name}.`;
    return { text: new TextDecoder('iso-8859-1').decode(bytes), doubt };
  }
}
