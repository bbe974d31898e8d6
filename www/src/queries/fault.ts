/** What is wrong with a query, for people: a sentence, the place in its text, and corrected queries. */
import { pieces, withoutEnd } from '../prolog/highlight.ts';
import { type Topic, habitOf } from './habits.ts';

export interface Fault {
  message: string;
  /** The part of the text that is wrong. */
  place?: { from: number; to: number };
  /** Queries without this fault. */
  repairs: string[];
  /** A query whose run can be stepped through instead. */
  steps?: string;
  /** What somebody wants to know, in place of the message. */
  topic?: Topic;
  /** A clause that was asked as a query. */
  clause?: string;
  /** How long the query may run if it is asked again, in milliseconds. */
  longerMs?: number;
}

/** The longest time limit of a query, in milliseconds. */
const LONGEST_MS = 600_000;

/** A query as far as it says what is wrong with it. */
interface Faulty {
  text: string;
  error: string | undefined;
  next: string;
  place: { line: number; column: number } | undefined;
}

export function faultOf(query: Faulty): Fault | undefined {
  const { text, error, next, place } = query;
  if (error === undefined) return undefined;
  const late = /^The query was stopped after (\d+) ms[.;]?(.*)$/s.exec(error);
  if (late) return stopped(Number(late[1]), late[2]!);
  if (/^(?:This is a rule, not a goal|A query is a goal; a directive)/.test(error))
    return { message: 'This is a clause, not a goal.', repairs: [], clause: `${withoutEnd(text).trim()}.` };
  const unknown = /^Unknown procedure: (\S+)\/(\d+)/.exec(error);
  const refused = /^Security Error: dangerous predicate (\S+)\/\d+ is outside the sandbox\./.exec(error);
  const habit = habitOf(text, (unknown ?? refused)?.[1] ?? '');
  if (habit) {
    const { message, goal, steps, topic } = habit;
    return {
      message,
      place: topic ? undefined : callsOf(text, (unknown ?? refused)![1]!)[0],
      repairs: goal ? [goal] : [],
      steps: steps ? goal : undefined,
      topic,
    };
  }
  if (unknown) return undefinedCall(text, unknown[1]!, Number(unknown[2]), `${error} ${next}`);
  if (refused) {
    const instead = /^(load_files|ensure_loaded)$/.test(refused[1] ?? '')
      ? 'Drop the file into this page instead.'
      : useful(next);
    // One word after the other, since a pattern for both would try each character of a long one as its beginning.
    const word = error.split(/\s/).find((one) => /[^/]\/\d/.test(one)) ?? '';
    const arity = /\/\d+/.exec(word);
    const named = word.slice(0, arity ? arity.index + arity[0].length : undefined);
    return { message: `\`${named}\` is not available: queries run in a sandbox. ${instead}`.trim(), repairs: [] };
  }
  const isText = "Type error: evaluable expected, found '";
  if (error.startsWith(isText)) {
    const [value, rest = ''] = error.slice(isText.length).split("'/0 ");
    if (/\d/.test(value!))
      return {
        message:
          `\`'${value}'\` is text and no number, so it cannot be calculated with. ${raisedIn(`${rest} `)}`.trimEnd(),
        repairs: [],
      };
  }
  if (place) return syntax(text, error, offsetOf(text, place));
  const stack = /stack_bytes = (\d+)\)\.\s*(.*)$/s.exec(error);
  if (stack) {
    const size = `Out of stack (${Math.round(Number(stack[1]) / 2 ** 20)} MB).`;
    return { message: [size, stack[2], 'Is the recursion infinite?'].filter(Boolean).join(' '), repairs: [] };
  }
  const [, missing] =
    /^(.*): (?:neither the book nor its roots have it|the book has no clauses of it)/s.exec(error) ?? [];
  if (missing) return { message: `${missing}: the book has no such file. Drop it into this page.`, repairs: [] };
  return { message: [error, useful(next)].filter(Boolean).join(' '), repairs: [] };
}

/** Stopped by the time limit; `hint` says what is known of why it takes long. */
function stopped(ms: number, hint: string): Fault {
  const message = [`Stopped after ${ms / 1000} s.`, hint.trim(), 'Bound the search, or ask for fewer answers at once.'];
  return {
    message: message.filter(Boolean).join(' '),
    repairs: [],
    longerMs: ms < LONGEST_MS ? Math.min(4 * ms, LONGEST_MS) : undefined,
  };
}

/** The advice, unless it only makes sense to agents. */
const useful = (next: string): string => (/help topic|send it again/.test(next) ? '' : next);

function offsetOf(text: string, { line, column }: { line: number; column: number }): number {
  const before = text.split('\n').slice(0, line - 1);
  return Math.min(text.length, before.reduce((sum, one) => sum + one.length + 1, 0) + column);
}

function undefinedCall(text: string, name: string, arity: number, told: string): Fault {
  const [, meant = ''] = told.split('Did you mean');
  const near = meant
    .split(/[\s,]/)
    .map((word) => /^(.+)\/(\d+)\??$/.exec(word))
    .filter((found) => found !== null)
    .map(([, other, count]) => ({ name: other!, arity: Number(count) }));
  const calls = callsOf(text, name).filter((call) => call.args.length === arity);
  const place = calls[0];
  const same = near.filter((one) => one.name === name);
  if (same.length > 0) {
    const counts = same.map((one) => one.arity).join(' or ');
    const plural = counts === '1' ? 'argument' : 'arguments';
    const missing = same[0]!.arity - arity;
    const repairs = missing > 0 ? calls.map((call) => withArguments(text, call, missing)) : [];
    return { message: `\`${name}\` takes ${counts} ${plural}, not ${arity}.`, place, repairs };
  }
  if (near.length === 0) {
    const message = `\`${name}/${arity}\` is not defined. ${told.replace(/^.*?\. /, '')}`;
    return { message: message.trim(), place, repairs: [] };
  }
  const repairs = near
    .filter((one) => one.arity === arity && calls.length > 0)
    .map((one) => calls.reduceRight((all, { from, to }) => all.slice(0, from) + one.name + all.slice(to), text));
  const names = near.map((one) => `\`${one.name}/${one.arity}\``).join(' or ');
  const missing = `\`${name}/${arity}\` is not defined.`;
  return { message: [missing, raisedIn(told), `Did you mean ${names}?`].filter(Boolean).join(' '), place, repairs };
}

/** The sentence about the clause that raised an error, if it tells one. */
function raisedIn(told: string): string {
  const start = told.indexOf('Raised in ');
  const end = told.indexOf('). ', start);
  return start >= 0 && end >= 0 ? told.slice(start, end + 2) : '';
}

interface Call {
  from: number;
  to: number;
  /** Where its arguments begin; empty for an atom. */
  args: number[];
  /** The end of its closing bracket. */
  end: number;
}

/** Where a name is called in a goal, or occurs as an atom. */
function callsOf(text: string, name: string): Call[] {
  const calls: Call[] = [];
  /** For each open bracket the call whose arguments are in it, if it is one of this name. */
  const open: (Call | undefined)[] = [];
  let begun: Call | undefined;
  for (const { from, to, style } of pieces(text, 'goal')) {
    const mark = text.slice(from, to);
    if (style === 'pl-bracket' && '([{'.includes(mark)) {
      open.push(begun);
      begun = undefined;
    } else if (style === 'pl-bracket' && mark === ',') open.at(-1)?.args.push(to);
    else if (style === 'pl-bracket' && ')]}'.includes(mark)) {
      const call = open.pop();
      if (call) calls.push(Object.assign(call, { end: from }));
    } else if (mark === name && ['pl-functor', 'pl-atom'].includes(style)) {
      if (text[to] === '(') begun = { from, to, args: [to + 1], end: to };
      else calls.push({ from, to, args: [], end: to });
    }
  }
  return calls.sort((a, b) => a.from - b.from);
}

function withArguments(text: string, { to, args, end }: Call, missing: number): string {
  const more = Array.from({ length: missing }, () => '_').join(', ');
  if (args.length === 0) return `${text.slice(0, to)}(${more})${text.slice(to)}`;
  return `${text.slice(0, end)}, ${more}${text.slice(end)}`;
}

const CLOSING: Record<string, string> = { '(': ')', '[': ']', '{': '}' };

/** The closing brackets that are missing at the end; `extra` is a closing bracket without an opening one. */
function brackets(text: string): { open: string; extra?: number } {
  const open: string[] = [];
  for (const { from, to, style } of pieces(text, 'goal')) {
    const mark = text.slice(from, to);
    if (style !== 'pl-bracket' || !'()[]{}'.includes(mark)) continue;
    if (CLOSING[mark]) open.push(CLOSING[mark]);
    else if (open.pop() !== mark) return { open: '', extra: from };
  }
  return { open: open.reverse().join('') };
}

/** Words with a question mark, as one would ask a person. */
const SENTENCE = /^\p{L}[\p{L}'’-]*(?:,? +[\p{L}\p{N}'’-]+)+ *\?$/u;

function syntax(text: string, error: string, at: number): Fault {
  if (SENTENCE.test(text)) {
    const message =
      'This reads like a sentence. A query is a goal: a name, and its arguments in brackets, such as `parent(tom, Who)`.';
    return { message, repairs: [] };
  }
  const rest = text.slice(at);
  const word = /^(?:[\p{ID_Continue}]+|\S)/u.exec(rest)?.[0] ?? '';
  const place = word === '' ? { from: Math.max(0, at - 1), to: at } : { from: at, to: at + word.length };
  // The excerpt in the server's message is underlined above already.
  const plain = error.replace(/:? `[^`]*⟪here⟫[\s\S]*$/u, '').replace(/\.$/, '');
  const [variable] = /(?<!\p{ID_Continue})\p{Lu}\p{ID_Continue}*$/u.exec(text.slice(0, at)) ?? [];
  if (rest.startsWith('(') && variable !== undefined) {
    const before = text.slice(0, at - variable.length);
    const lower = variable.charAt(0).toLowerCase() + variable.slice(1);
    return {
      message: `Predicate names start with a lower-case letter: \`${lower}\`.`,
      place: { from: at - variable.length, to: at },
      repairs: [before + lower + rest],
    };
  }
  const quote = /^["'`]/.exec(rest)?.[0];
  if (quote && /^Unterminated/.test(plain))
    return { message: `${plain}.`, place: { from: at, to: text.length }, repairs: [text + quote] };
  const { open, extra } = brackets(text);
  if (extra !== undefined) {
    const message = `Nothing opens this \`${text[extra]}\`.`;
    return { message, place: { from: extra, to: extra + 1 }, repairs: [text.slice(0, extra) + text.slice(extra + 1)] };
  }
  if (open !== '' && /^[.\s]*$/.test(rest)) {
    const message = `\`${open}\` is missing at the end.`;
    return {
      message,
      place,
      repairs: /[,;|(]\s*$/.test(text.slice(0, at)) ? [] : [text.slice(0, at).trimEnd() + open],
    };
  }
  if (/^End of clause expected/.test(plain)) {
    const ended = text.slice(0, at).trimEnd().replace(/\.$/, '');
    return { message: 'A query ends at the first period.', place, repairs: [`${ended}, ${rest}`, ended] };
  }
  if (
    /^Operator expected/.test(plain) &&
    /[\p{ID_Continue})\]}"']\s*$/u.test(text.slice(0, at)) &&
    /^[\p{L}_[("']/u.test(rest)
  )
    return {
      message: `A comma or an operator is missing before \`${word}\`.`,
      place,
      repairs: [`${text.slice(0, at).trimEnd()}, ${rest}`, ...asOneName(text, at)],
    };
  return { message: `${plain}.`, place, repairs: [] };
}

/** The text with the words around a place as one name, such as that of a person. Single letters are rather variables. */
function asOneName(text: string, at: number): string[] {
  const [before] = /(?<!\p{ID_Continue})\p{L}\p{ID_Continue}+ +$/u.exec(text.slice(0, at)) ?? [];
  const [words] =
    /^\p{L}\p{ID_Continue}+(?: +\p{L}\p{ID_Continue}+)*(?!\p{ID_Continue}| *\()/u.exec(text.slice(at)) ?? [];
  if (before === undefined || words === undefined) return [];
  return [`${text.slice(0, at - before.length)}'${before}${words}'${text.slice(at + words.length)}`];
}
