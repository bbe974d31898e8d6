/** Small values of this page, stored by the editor for this workspace. */
import { say } from './editor.ts';

const texts = new Map<string, string>();

/** Load what was stored before. */
export function begin(kept: Record<string, string>): void {
  for (const [name, text] of Object.entries(kept)) texts.set(name, text);
}

const own = {
  getItem: (name: string): string | null => texts.get(name) ?? null,
  setItem(name: string, text: string): void {
    texts.set(name, text);
    say({ kind: 'keep', name, text });
  },
  removeItem(name: string): void {
    texts.delete(name);
    say({ kind: 'keep', name });
  },
};

export const storage = (): typeof own => own;
