/** Goals of SWI-Prolog's own prompt and of SWISH that this page answers in another way. */

/** A name, or with `isPart` a part of a name or of what is said about it. */
export interface Topic {
  word: string;
  isPart: boolean;
}

/** What to do here instead of such a goal. */
export interface Habit {
  message: string;
  /** The query without it. */
  goal?: string;
  /** Whether its run can be stepped through instead. */
  steps?: boolean;
  /** What somebody wants to know. */
  topic?: Topic;
}

const STEPS =
  'The run of every query can be stepped through, forwards and back; a click on a line number stops it there.';

/** Goals that switch the tracer on or off, by name. */
const TRACER = new Set([
  ...['trace', 'notrace', 'gtrace', 'spy', 'nospy', 'nospyall', 'tspy', 'gspy', 'debug', 'nodebug', 'leash'],
  ...['visible', 'debugging'],
]);

const OTHERS: Record<string, string> = {
  help: 'Point at a name, in the text or in a query, to see what it is. F12 goes to its clauses.',
  apropos: 'Type the start of a name, then Ctrl+Space: it lists the names that begin so.',
  edit: 'Files are the tabs beside the queries; F12 goes to the clauses of a name.',
  ls: 'Files are the tabs beside the queries.',
  make: 'Asking saves and loads every file first.',
  profile: 'Each query says how many inferences it took. Step through its run to see where.',
};
OTHERS.manual = OTHERS.help!;

/** How the goal `name` of the query `text` is answered here; undefined if it is none of these. */
export function habitOf(text: string, name: string): Habit | undefined {
  if (TRACER.has(name)) {
    const goal = without(text);
    return { message: STEPS, goal, steps: goal !== undefined };
  }
  const message = Object.hasOwn(OTHERS, name) ? OTHERS[name] : undefined;
  if (message === undefined) return undefined;
  const topic = topicOf(text);
  if (topic) return { message, topic };
  const profiled = name === 'profile' ? argumentOf(text) : undefined;
  return { message, goal: profiled, steps: profiled !== undefined };
}

/** What a query asks about that is only `help(Name)`, `help(Name/Arity)` or `apropos(Word)`. */
function topicOf(text: string): Topic | undefined {
  const query = text.trim().replace(/\.$/, '').trimEnd();
  const [, goal, quoted, plain] =
    /^(help|manual|apropos)\(\s*(?:["']([^"']+)["']|([^\s()"']+))\s*\)$/.exec(query) ?? [];
  const word = quoted ?? plain;
  return word === undefined ? undefined : { word, isPart: goal === 'apropos' };
}

/** The goal of `profile(Goal)` or `profile(Goal, [Option, …])`. */
function argumentOf(text: string): string | undefined {
  const query = text.trim().replace(/\.$/, '').trimEnd();
  if (!/^profile\(/.test(query) || !query.endsWith(')')) return undefined;
  const given = query.slice('profile('.length, -1).trimEnd();
  if (!given.endsWith(']')) return given;
  const before = given.slice(0, given.lastIndexOf('[')).trimEnd();
  return before.endsWith(',') ? before.slice(0, -1) : given;
}

/** A query without the goals of the tracer that it begins with; undefined if nothing else is left. */
function without(text: string): string | undefined {
  let rest = text.trim();
  for (;;) {
    const [goal, name] = /^([a-z]\w*)(?:\([^()]*\))?\s*,\s*/.exec(rest) ?? [];
    if (goal === undefined || !TRACER.has(name!)) break;
    rest = rest.slice(goal.length);
  }
  return rest === text.trim() ? undefined : rest;
}
