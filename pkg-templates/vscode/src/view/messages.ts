/** What the extension and its page say to each other. */

/** The files that are open, and which one is looked at. */
export interface ToView {
  files: { name: string; text: string }[];
  active?: string;
}

export type FromView = { kind: 'ready' } | { kind: 'goTo'; file: string; line: number };
