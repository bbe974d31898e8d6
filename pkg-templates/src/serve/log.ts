/** The server's own log: a line of JSON per event, on standard error. */

/** Details of an event besides its name. */
export type Facts = Record<string, string | number | boolean | undefined>;

/** What would act on a terminal. */
const UNSEEN = /[\p{Cc}\p{Cf}\u2028\u2029]/gu;

export type Log = (event: string, facts?: Facts) => void;

export const logTo =
  (write: (line: string) => void): Log =>
  (event, facts = {}) =>
    write(JSON.stringify({ at: new Date().toISOString(), event, ...facts }).replace(UNSEEN, escaped));

/** A character as JSON has it in a string, where alone one of these can be. */
const escaped = (char: string): string =>
  [...Array(char.length).keys()].map((at) => `\\u${char.charCodeAt(at).toString(16).padStart(4, '0')}`).join('');
