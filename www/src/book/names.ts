/** What the files of a book may be called. */
import { hasOdd } from '../odd.ts';

/** Characters of a name; more would be no name that anybody reads. */
const LONGEST = 100;

/** What is wrong with the name of a file, a sentence; undefined where nothing is. */
export function faultOfName(name: string): string | undefined {
  if (name.trim() === '') return 'A file needs a name.';
  if (name.length > LONGEST)
    return `File names can have up to ${LONGEST} characters; this one has ${name.length.toLocaleString('en')}.`;
  if (/\p{Cc}/u.test(name) || hasOdd(name)) return "File names can't contain line breaks or invisible characters.";
  return undefined;
}

/** A name as it is shown: one that was given before there was a limit, or by an agent, may be of any length. */
export function shortName(name: string): string {
  return name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name;
}
