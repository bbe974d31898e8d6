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

/** The text that bytes are: UTF-8, UTF-16 with its mark, or else Windows-1252, which decoders call ISO-8859-1, too. */
export function textOfBytes(bytes: Uint8Array): string {
  const [first, second] = bytes;
  if (first === 0xff && second === 0xfe) return new TextDecoder('utf-16le').decode(bytes);
  if (first === 0xfe && second === 0xff) return new TextDecoder('utf-16be').decode(bytes);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('iso-8859-1').decode(bytes);
  }
}
