/** Files of goals: one a line, or what clients have sent, recorded as JSON Lines. */
import { readFile } from 'node:fs/promises';
import { goalsIn } from '../book/consequences.js';
import { UsageError } from './usage.js';

/** The most different goals of recorded messages that are asked: the newest. */
const MOST_RECORDED = 500;

/** Goals that were named or recorded. */
export interface Goals {
  goals: string[];
  /** How many goals of clients were recorded, and how many of them are different; absent for a list of goals. */
  recorded?: { file: string; all: number; different: number };
}

/** The goals of a file, which may be none, and others. */
export async function goalsOf(file: string | undefined, others: string[]): Promise<Goals> {
  if (file === undefined) return { goals: others };
  const text = await readFile(file, 'utf8').catch((error: Error) => {
    throw new UsageError(`${file} cannot be read: ${error.message}`);
  });
  if (!isRecorded(text)) return { goals: [...others, ...goalsIn(text)] };
  const all = recordedIn(text, file);
  // A goal that was asked again is as new as its last time.
  const different = [...new Set(all.reverse())].reverse();
  const known = new Set(others);
  const goals = different.slice(-MOST_RECORDED).filter((goal) => !known.has(goal));
  return { goals: [...others, ...goals], recorded: { file, all: all.length, different: different.length } };
}

/** No goal is a JSON object. */
function isRecorded(text: string): boolean {
  const first = /^\uFEFF?\s*([^\n]*)/.exec(text)![1]!;
  if (!first.startsWith('{') && !first.startsWith('[{')) return false;
  try {
    JSON.parse(first);
    return true;
  } catch {
    return false;
  }
}

/** The goals of the calls of `query_start` among the messages, in their order. Other messages are passed over. */
function recordedIn(text: string, file: string): string[] {
  return text
    .replace(/^\uFEFF/, '')
    .split('\n')
    .flatMap((line, index, lines) => {
      if (line.trim() === '') return [];
      try {
        const read: unknown = JSON.parse(line);
        return (Array.isArray(read) ? read : [read]).flatMap(goalOf);
      } catch {
        // A recording that was broken off ends in the middle of a line.
        if (index === lines.length - 1) return [];
        throw new UsageError(
          `${file}:${index + 1} is not JSON. A recording has one JSON-RPC message a line; a list of goals begins with a goal.`,
        );
      }
    });
}

interface Sent {
  method?: unknown;
  params?: { name?: unknown; arguments?: { query?: unknown; assume?: unknown } | null } | null;
}

function goalOf(message: unknown): string[] {
  const { method, params } = (message ?? {}) as Sent;
  if (method !== 'tools/call' || params?.name !== 'query_start') return [];
  const { query, assume } = params.arguments ?? {};
  // What was asked under assumptions means something else without them.
  if (typeof query !== 'string' || query.trim() === '' || assume !== undefined) return [];
  return [query.trim().replace(/\.$/, '')];
}
