/** The server's own log: a line of JSON per event, on standard error. */

/** Details of an event besides its name. */
export type Facts = Record<string, string | number | boolean | undefined>;

export type Log = (event: string, facts?: Facts) => void;

export const logTo =
  (write: (line: string) => void): Log =>
  (event, facts = {}) =>
    write(JSON.stringify({ at: new Date().toISOString(), event, ...facts }));
