/** Rules for the names of a book's files. */
import { hasOdd } from '../odd.ts';

/** The maximum length of a name in characters; nobody would read a longer one. */
const LONGEST = 100;

/** What is wrong with a file name, as a sentence; undefined if it is valid. */
export function faultOfName(name: string): string | undefined {
  if (name.trim() === '') return 'A file needs a name.';
  if (name.length > LONGEST)
    return `File names can have up to ${LONGEST} characters; this one has ${name.length.toLocaleString('en')}.`;
  if (/\p{Cc}/u.test(name) || hasOdd(name)) return "File names can't contain line breaks or invisible characters.";
  return undefined;
}

/** A name for display: names given by agents, or before there was a limit, may have any length. */
export function shortName(name: string): string {
  return name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name;
}
