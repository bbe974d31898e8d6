/** Invisible characters, and those that reverse the text around them, are shown by their code points. */
// biome-ignore-all lint/suspicious/noControlCharactersInRegex: these are the characters to find
import { highlightSpecialChars } from '@codemirror/view';
import { h } from './dom.ts';

// Control characters except tabs and line ends; direction marks; zero-width characters; tags; unusual line separators.
const ODD =
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u00ad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffc\u{e0000}-\u{e007f}]/gu;

export const hasOdd = (text: string): boolean => text.search(ODD) >= 0;

function numbered(code: number, title?: string): HTMLElement {
  return h(
    'span',
    { class: 'odd', title: title ?? 'Invisible character' },
    `U+${code.toString(16).toUpperCase().padStart(4, '0')}`,
  );
}

/** The text, with odd characters made visible. */
export function seen(text: string): (string | HTMLElement)[] {
  if (!hasOdd(text)) return [text];
  const parts: (string | HTMLElement)[] = [];
  let at = 0;
  for (const match of text.matchAll(ODD)) {
    if (match.index > at) parts.push(text.slice(at, match.index));
    parts.push(numbered(match[0].codePointAt(0)!));
    at = match.index + match[0].length;
  }
  if (at < text.length) parts.push(text.slice(at));
  return parts;
}

/** The same in an editor. */
export const oddInEditor = highlightSpecialChars({
  specialChars: ODD,
  render: (code, description) => numbered(code, description ?? undefined),
});
