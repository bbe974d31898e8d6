/** What the language server stands on: Node and pages each have their own. */
import type { Hornbook } from '../full/hornbook.js';

/** Something wrong with a text. Lines and columns are from 0, columns in UTF-16 units. */
export interface Flaw {
  line: number;
  column: number;
  message: string;
}

/** The Prolog files of the workspace that are not open. */
export interface Files {
  /** The URIs of all of them. */
  list(folders: string[]): Promise<string[]>;
  /** The text of a file; `undefined` where there is none that can be read. */
  read(uri: string): Promise<string | undefined>;
}

export interface Ground {
  /** Reads texts, and runs nothing. */
  reader: Hornbook;
  /** Asks queries: another than the reader, so that one that takes long keeps no diagnostics waiting. */
  asker(): Promise<Hornbook>;
  /** What is wrong with a DML program. */
  checkDml(text: string): Promise<Flaw[]>;
  /** What is wrong with a workflow. */
  checkWorkflow(text: string): Promise<Flaw[]>;
  files: Files;
}
