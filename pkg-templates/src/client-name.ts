/** Names that clients give themselves, which others see and the server's log has. */

/** The most characters of a name that people see. */
export const NAME_CHARS = 60;
/** What hides, or moves what is shown around it. Two characters without a width are left: scripts need them. */
const UNSEEN = /(?![\u200c\u200d])[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u;
const SEEN = /[\p{L}\p{N}\p{P}\p{S}]/u;

/** What is wrong with a name, as a sentence with the next step; undefined if nothing is. */
export function wrongName(name: string): string | undefined {
  const [unseen] = UNSEEN.exec(name) ?? [];
  if (unseen !== undefined) {
    const code = unseen.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0');
    return `The name has an invisible character, U+${code}. Leave it out.`;
  }
  return SEEN.test(name) ? undefined : 'The name has no visible character. Give another one.';
}
