/** What the extension and the language server say to each other beside the protocol. */
export type { Answers, Ask, More, Proof, Prove } from '../../../pkg/lsp/queries.js';

/** What a lens is about. */
export interface Asked {
  uri: string;
  goal: string;
  /** Of the comment, from 0. */
  line: number;
}
