/** What the server tells of itself: a line of JSON for each event, on standard error. */

/** What is told of an event beside its name. */
export type Facts = Record<string, string | number | boolean | undefined>;

export type Log = (event: string, facts?: Facts) => void;

export const logTo =
  (write: (line: string) => void): Log =>
  (event, facts = {}) =>
    write(JSON.stringify({ at: new Date().toISOString(), event, ...facts }));
