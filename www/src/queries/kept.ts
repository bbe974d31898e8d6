/** The queries on the page and their answers, kept for a reload of this tab. */
import { readValue } from '../prolog/term.ts';
import type { Session } from '../session.ts';
import { partOf } from '../shelf.ts';
import { type Answer, Query } from './query.ts';

const KEPT = partOf('hornbook.queries');
/** How many queries are kept, how many answers of each, and how long all that may be for one, in characters. */
const MOST = 20;
const MOST_ANSWERS = 100;
const LONGEST = 50_000;

interface Kept {
  text: string;
  variables: string[];
  /** The texts of their values, in the same order, and the rest of each answer. */
  answers: { values: string[]; residual?: string[]; undefined?: boolean; output?: string }[];
  /** How many there were. */
  count: number;
  output: string;
  /** What was wrong with it. */
  message?: string;
}

/**
 * What the tab had before it was reloaded, newest first. It is forgotten here: if showing it hangs the page, the next
 * start does not show it again.
 */
export function takeKept(session: Session): Query[] {
  try {
    const text = sessionStorage.getItem(KEPT);
    sessionStorage.removeItem(KEPT);
    const value: unknown = JSON.parse(text ?? '[]');
    const kept = Array.isArray(value) ? value.filter(isKept).slice(0, MOST) : [];
    return kept.map((one) => restored(session, one));
  } catch {
    return [];
  }
}

/** Keep them, newest first; of what is too long, only the query. */
export function keepQueries(queries: readonly Query[]): void {
  const kept = queries.slice(0, MOST).map((query) => {
    const one = keptOf(query);
    return JSON.stringify(one).length <= LONGEST ? one : { ...one, answers: [], output: '' };
  });
  try {
    sessionStorage.setItem(KEPT, JSON.stringify(kept));
  } catch {
    // Without room for them, they last until the page is closed.
  }
}

function keptOf({ text, variables, answers, output, fault, earlier }: Query): Kept {
  return {
    text,
    variables,
    answers: answers.slice(0, MOST_ANSWERS).map(({ bindings, ...others }) => ({
      values: bindings.map((one) => one.text),
      ...others,
    })),
    count: earlier ?? answers.length,
    output,
    message: fault?.message,
  };
}

function restored(session: Session, { text, variables, answers, count, output, message }: Kept): Query {
  const query = new Query(session, text);
  const answerOf = ({ values, ...others }: Kept['answers'][number]): Answer => ({
    bindings: variables.map((name, at) => ({ name, text: values[at]!, json: readValue(values[at]!) })),
    ...others,
  });
  query.answers.push(...answers.map(answerOf));
  Object.assign(query, { variables, output, earlier: count });
  if (message !== undefined) query.fault = { message, repairs: [] };
  // Without answers it is false only if it had none.
  query.phase = message === undefined ? (answers.length === 0 && count > 0 ? 'stopped' : 'done') : 'error';
  return query;
}

const isText = (value: unknown): value is string => typeof value === 'string';
const areTexts = (value: unknown, count?: number): boolean =>
  Array.isArray(value) && value.every(isText) && (count === undefined || value.length === count);

function isKept(value: unknown): value is Kept {
  const { text, variables, answers, count, output, message } = (value ?? {}) as Partial<Kept>;
  const isAnswer = (one: Partial<Kept['answers'][number]> | null): boolean =>
    areTexts(one?.values, variables?.length) && areTexts(one?.residual ?? []) && isText(one?.output ?? '');
  return (
    [text, output, message ?? ''].every(isText) &&
    Number.isInteger(count) &&
    areTexts(variables) &&
    Array.isArray(answers) &&
    answers.every(isAnswer)
  );
}
