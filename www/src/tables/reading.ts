/** A file that is read as tables, without adding them: what they would be in the book. */
import type { ImportedTable } from '../../../pkg/generated/hornbook.js';
import type { Session } from '../session.ts';

/** How it is to be read. What is left out is found out. */
export interface Wishes {
  /** `sales(id, amount: number)`: the predicate, its columns and their types. */
  columns?: string;
  /** Whether the first row names the columns. */
  header?: boolean;
  /** The names that its columns had when `columns` was wished for: each wish goes to the column of that name. */
  was?: string[];
}

/** A file as facts. */
export interface ReadTables {
  text: string;
  tables: ImportedTable[];
}

/** As the part of the crate that reads tables names them. */
const FORMATS: Record<string, string> = {
  csv: 'Csv',
  tsv: 'Tsv',
  tab: 'Tsv',
  json: 'Json',
  jsonl: 'JsonLines',
  ndjson: 'JsonLines',
  yaml: 'Yaml',
  yml: 'Yaml',
};
/** The import itself checks how large a table may be. */
const MOST = 2 ** 32 - 1;

/** Read a file, of a workbook its base64. Throws a sentence if it cannot be read as a table. */
export async function readTables(
  session: Session,
  filename: string,
  text: string,
  wishes: Wishes,
): Promise<ReadTables> {
  const { columns = null, header = null, was } = wishes;
  const ending = filename.split('.').at(-1)!.toLowerCase();
  const format = FORMATS[ending] ?? 'Workbook';
  const request = {
    filename,
    format,
    wishes: { columns, header, was },
    most: { rows: MOST, entries: MOST, bytes: MOST },
  };
  const [found, facts] = await session.host.readTable!(JSON.stringify(request), text);
  const { Ok: tables, Err: fault } = JSON.parse(found) as { Ok?: ImportedTable[]; Err?: { message: string } };
  if (tables) return { text: facts, tables };
  throw new Error(fault?.message ?? `${filename} cannot be read as a table.`);
}
