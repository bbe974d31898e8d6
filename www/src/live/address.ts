/** The address of a book of `hornbook serve`, as a person types it. */

export interface ServedAddress {
  origin: string;
  /** The name of the book. */
  name: string;
}

const EXAMPLE = 'http://127.0.0.1:8127/mcp/family';

/** Throws a sentence if it is not one. */
export function servedAddress(text: string): ServedAddress {
  const typed = text.trim();
  if (typed === '') throw new Error(`Type the address of the book that your agent uses, as ${EXAMPLE}.`);
  const whole = /^[a-z]+:\/\//i.test(typed) ? typed : `http://${typed}`;
  const url = URL.canParse(whole) ? new URL(whole) : undefined;
  if (!url || !['http:', 'https:'].includes(url.protocol))
    throw new Error(`This is not the address of a book. One looks like ${EXAMPLE}.`);
  if (url.username || url.password)
    throw new Error('Leave the password out of the address: the token has its own field.');
  if (url.hostname.startsWith('['))
    throw new Error('Browsers cannot allow an IPv6 address to a page. Type localhost or 127.0.0.1 instead.');
  const [, name] = /^\/(?:mcp|log|watch)\/([a-z0-9_-]{1,64})\/?$/.exec(url.pathname) ?? [];
  if (name === undefined) throw new Error(`The address names no book. It ends in /mcp/ and the name, as ${EXAMPLE}.`);
  return { origin: url.origin, name };
}

/** Whether the browser keeps a page from reaching an address, since the page came over HTTPS and the address is not. */
export const isMixed = ({ protocol }: Location, origin: string): boolean =>
  protocol === 'https:' && /^http:\/\/(?!localhost(:|$)|127\.)/.test(origin);
