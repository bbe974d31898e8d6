/** The contents of files as the workspace takes them: text, or the base64 of a workbook. */

/** How many bytes are turned into characters in one call: arguments of a call are few. */
const SLICE = 0x8000;

/** The extensions of workbooks; of the older ones it is said what to do. */
const WORKBOOKS = ['.xlsx', '.xlsm', '.xlsb', '.xls', '.ods'];
/** The extensions of tables. */
export const TABLES = ['.csv', '.tsv', '.tab', '.json', '.jsonl', '.ndjson', '.yaml', '.yml', ...WORKBOOKS];

const hasOneOf = (filename: string, extensions: string[]): boolean =>
  extensions.some((extension) => filename.toLowerCase().endsWith(extension));

/** Whether a file is a workbook, by its name. */
export const isWorkbook = (filename: string): boolean => hasOneOf(filename, WORKBOOKS);

/** Whether a file is read as tables, by its name. */
export const isTable = (filename: string): boolean =>
  hasOneOf(filename, TABLES) && !hasOneOf(filename, ['.flow.yaml', '.flow.yml']);

/** Bytes as base64, in Node and in pages. */
export function base64Of(bytes: Uint8Array): string {
  return btoa(charactersOf(bytes));
}

/** The text that the bytes of a file are. */
export interface Decoded {
  text: string;
  /** What was assumed, as a sentence. */
  doubt?: string;
}

/** What Windows-1252 has from 0x80 to 0x9f. Some versions of Node decode it as ISO-8859-1, which has controls there. */
const WINDOWS_1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** A character for each byte. */
function charactersOf(bytes: Uint8Array): string {
  let text = '';
  for (let at = 0; at < bytes.length; at += SLICE) text += String.fromCharCode(...bytes.subarray(at, at + SLICE));
  return text;
}

/** Text is UTF-8, UTF-16 with its mark, or else Windows-1252 or ISO-8859-1, as in a file that is read by its path. */
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
    const text = charactersOf(bytes).replace(/[\u0080-\u009f]/g, (c) => WINDOWS_1252[c.charCodeAt(0) - 0x80] ?? c);
    return { text, doubt };
  }
}
