/** Messages between the extension and the language server that go beyond the protocol. */
export type { Answers, Ask, More, Proof, Prove } from '../../../pkg/lsp/queries.js';

/** The query that a lens is about. */
export interface Asked {
  uri: string;
  goal: string;
  /** The line of the comment, from 0. */
  line: number;
}
