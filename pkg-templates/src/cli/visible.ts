/** Text of others on a terminal. */

/** Characters that hide or move what is shown around them: those of control, without a width, and of text direction. */
const UNSEEN = /(?![\t\n])[\p{Cc}\p{Cf}\u2028\u2029]/gu;

/** The text as a person can see it: nothing in it acts on the terminal. */
export const visible = (text: string) => text.replace(UNSEEN, (char) => `\\x${char.codePointAt(0)!.toString(16)}\\`);

export const oneLine = (text: string) => visible(text).replaceAll('\n', '\\n');
