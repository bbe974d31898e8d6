/** Clients that may propose only: each works in a draft of its own, in which everything is allowed. */
import { createHash } from 'node:crypto';
import type { Principal } from './access.js';

/** What stands between a book and a draft in the name of a place. No book has it in its name. */
const OF = '~';

/** Where a client is served: the book, or its draft of the book. */
export function placeOf(principal: Principal, book: string): string {
  const proposes = !principal.may('write', book) && principal.may('propose', book);
  return proposes ? `${book}${OF}${draftName(principal.key)}` : book;
}

/** The book and, if there is one, the draft of a place. */
export function bookAndDraft(place: string): { book: string; draft: string | undefined } {
  const at = place.indexOf(OF);
  return at < 0 ? { book: place, draft: undefined } : { book: place.slice(0, at), draft: place.slice(at + 1) };
}

/** Names of drafts are shown to people: they are the subject as far as it fits, and never those of two subjects. */
function draftName(key: string): string {
  const name = key.replace(/^subject /, '').replace(/ /g, '-');
  if (/^[A-Za-z0-9._-]{1,64}$/.test(name)) return name;
  const hash = createHash('sha256').update(key).digest('hex').slice(0, 12);
  return `${name.replace(/[^A-Za-z0-9._-]/g, '-').slice(0, 40)}-${hash}`;
}
