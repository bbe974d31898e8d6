/** A text without the period at its end, and the blanks before that. */
export const withoutPeriod = (text: string): string => (text.endsWith('.') ? text.slice(0, -1).trimEnd() : text);
