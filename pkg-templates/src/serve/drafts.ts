/** Clients that may propose only: each works in a draft of its own, in which everything is allowed. */
import { createHash } from 'node:crypto';
import type { Principal } from './access.js';

/** What stands between a book and a draft in the name of a place. No book has it in its name. */
const OF = '~';

/** Where a client is served: the book, or its draft of the book. */
export function placeOf(principal: Principal, book: string): string {
  const proposes = !principal.may('write', book) && principal.may('propose', book);
  return proposes ? `${book}${OF}${draftName(principal.id)}` : book;
}

/** The book and, if there is one, the draft of a place. */
export function bookAndDraft(place: string): { book: string; draft: string | undefined } {
  const at = place.indexOf(OF);
  return at < 0 ? { book: place, draft: undefined } : { book: place.slice(0, at), draft: place.slice(at + 1) };
}

/**
 * Names of drafts are shown to people, so they are the subject itself where it can be a name. What cannot has a name that
 * begins with a period, as no subject here does, and ends in a hash: no two subjects have the same draft.
 */
function draftName(id: string): string {
  if (/^[A-Za-z0-9_-][A-Za-z0-9._-]{0,63}$/.test(id)) return id;
  const hash = createHash('sha256').update(id).digest('hex').slice(0, 24);
  return `.${id.replace(/[^A-Za-z0-9._-]/g, '-').slice(0, 32)}-${hash}`;
}
