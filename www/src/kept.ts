/**
 * Small things that the browser keeps for this page beside the book: drafts, colours, widths. Where it keeps nothing,
 * or has no more room, they last as long as the page is open.
 */

import { storage } from './storage.ts';

/** What could not be given to the browser, or is newer than what it has. */
const here = new Map<string, string>();

/** What was kept under a name; undefined where there is nothing. */
export function kept(name: string): string | undefined {
  const newer = here.get(name);
  if (newer !== undefined) return newer;
  try {
    return storage().getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Keep a text, or with undefined nothing: whether the browser has it now. */
export function keep(name: string, text: string | undefined): boolean {
  try {
    if (text === undefined) storage().removeItem(name);
    else storage().setItem(name, text);
    here.delete(name);
    return true;
  } catch {
    if (text === undefined) here.delete(name);
    else here.set(name, text);
    return false;
  }
}

/** What was kept as JSON; undefined where there is nothing, or nothing that can be read. */
export function keptJson(name: string): unknown {
  try {
    return JSON.parse(kept(name) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** The texts of an object by their names; whatever else it has is left out. */
export function textsIn(value: unknown): Map<string, string> {
  const all = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
  return new Map(all.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
