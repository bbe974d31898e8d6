/**
 * Small values that the browser stores for this page besides the book: drafts, colours, widths. If it refuses to store
 * them, or has no more room, they last until the page is closed.
 */

import { storage } from './storage.ts';

/** What the browser could not store, or what is newer than its copy. */
const here = new Map<string, string>();

/** What was stored under a name, or undefined. */
export function kept(name: string): string | undefined {
  const newer = here.get(name);
  if (newer !== undefined) return newer;
  try {
    return storage().getItem(name) ?? undefined;
  } catch {
    return undefined;
  }
}

/** Store a text, or delete it with undefined. Returns whether the browser has done so. */
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

/** The JSON value stored under a name; undefined if there is none or it is invalid. */
export function keptJson(name: string): unknown {
  try {
    return JSON.parse(kept(name) ?? 'null') ?? undefined;
  } catch {
    return undefined;
  }
}

/** The members of an object that are texts. */
export function textsIn(value: unknown): Map<string, string> {
  const all = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.entries(value) : [];
  return new Map(all.filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}

/** Store one of the texts under a key, or remove it, and leave those that other tabs stored. */
export function keepText(key: string, name: string, text: string | undefined): boolean {
  const all = textsIn(keptJson(key));
  if (text === undefined) all.delete(name);
  else all.set(name, text);
  return keep(key, all.size === 0 ? undefined : JSON.stringify(Object.fromEntries(all)));
}

/** What a tab remembers over a reload; nothing if the browser denies it. */
export const ofTab = {
  get(name: string): string | undefined {
    try {
      return sessionStorage.getItem(name) ?? undefined;
    } catch {
      return undefined;
    }
  },
  set(name: string, value: string | undefined): void {
    try {
      if (value === undefined) sessionStorage.removeItem(name);
      else sessionStorage.setItem(name, value);
    } catch {
      // It is forgotten with the next load.
    }
  },
};
