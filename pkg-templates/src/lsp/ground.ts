/** What the language server needs from its platform; Node and pages each implement it. */
import type { Hornbook } from '../full/hornbook.js';

/** A problem in a text. Lines and columns count from 0, columns in UTF-16 units. */
export interface Flaw {
  line: number;
  column: number;
  message: string;
}

/** The Prolog files of the workspace that are not open. */
export interface Files {
  /** The URIs of all of them. */
  list(folders: string[]): Promise<string[]>;
  /** The text of a file, or `undefined` if it does not exist or cannot be read. */
  read(uri: string): Promise<string | undefined>;
}

export interface Ground {
  /** Reads texts, and runs nothing. */
  reader: Hornbook;
  /** Runs queries. Separate from the reader, so that a long query does not delay diagnostics. */
  asker(): Promise<Hornbook>;
  /** The problems in a DML program. */
  checkDml(text: string): Promise<Flaw[]>;
  /** The problems in a workflow. */
  checkWorkflow(text: string): Promise<Flaw[]>;
  files: Files;
}
