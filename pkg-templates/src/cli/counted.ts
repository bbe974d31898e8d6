/** Numbers as people read them. */

/** `1,200`. */
export const number = (count: number): string => count.toLocaleString('en-US');

/** `1 file`, `1,200 files`. */
export const counted = (count: number, what: string, several = `${what}s`): string =>
  `${number(count)} ${count === 1 ? what : several}`;
