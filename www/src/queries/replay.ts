/** Stepping forwards and backwards through a query's run, port by port. */
import { h, sentence } from '../dom.ts';
import { coloured, withoutEnd } from '../prolog/highlight.ts';
import { clauses as program } from '../prolog/language.ts';
import { Scrubber } from '../scrubber.ts';
import type { Session } from '../session.ts';

type Run = Awaited<ReturnType<Session['hornbook']['replay']>>;
type Step = Run['steps'][number];

/** Shows a line of a file; with `stays`, the focus stays where it is. */
export type GoTo = (file: string, line: number, stays?: boolean) => void;

/** What each port means, for people. */
const PORTS: Record<string, string> = {
  call: 'The goal is called',
  unify: 'A clause with a matching head is tried',
  exit: 'The goal has succeeded',
  redo: 'A later goal failed: this goal looks for another solution',
  fail: 'The goal has no more solutions',
  exception: 'The goal has raised an error',
  answer: 'An answer of the query',
  error: 'The error that stopped the run',
};

/** Run a query again, and show its steps; `stops` are the breakpoints, lines from 1, by file. */
export async function replay(
  session: Session,
  query: string,
  goTo: GoTo,
  stops: ReadonlyMap<string, number[]>,
): Promise<HTMLElement> {
  try {
    const run = await session.turns.take({ what: 'replaying a run' }, () => session.hornbook.replay(withoutEnd(query)));
    return scrubbed(run, goTo, stops);
  } catch (error) {
    return h('p', { class: 'fault', role: 'alert' }, `The run could not be replayed: ${sentence(error)}`);
  }
}

function scrubbed(run: Run, goTo: GoTo, stops: ReadonlyMap<string, number[]>): HTMLElement {
  const { steps, cut } = run;
  const count = steps.length.toLocaleString('en');
  const scrubber = new Scrubber(
    {
      count: steps.length,
      show(index) {
        const step = steps[index]!;
        const { port, goal } = step;
        const place = placeOf(run, step);
        if (place) goTo(place.file, place.line, true);
        const badge = h('span', { class: `badge port ${port}`, title: PORTS[port] }, port);
        const at =
          place &&
          h(
            'button',
            { type: 'button', class: 'quiet place', onclick: () => goTo(place.file, place.line) },
            `${place.file}:${place.line}`,
          );
        return {
          now: [badge, port === 'error' ? goal : coloured(goal), at],
          said: `${port} ${goal}`,
          beside: [around(step), clauseOf(run, step)],
        };
      },
      stopsAt(index) {
        const place = placeOf(run, steps[index]!);
        return stops.get(place?.file ?? '')?.some((line) => line >= place!.line && line < place!.end) ?? false;
      },
    },
    cut && h('p', { class: 'note' }, `The first ${count} steps; the run is longer.`),
  );
  return scrubber.element;
}

/** The place of a step's clause, and the line after it. */
function placeOf({ clauses }: Run, { clause }: Step): { file: string; line: number; end: number } | undefined {
  const { filename, line, text } = (clause !== undefined && clauses[clause]) || {};
  if (filename === undefined || line === undefined || text === undefined) return undefined;
  return { file: filename, line, end: line + text.split('\n').length };
}

/** The text of a step's clause, for a page that is too narrow to show it in its file beside the run. */
function clauseOf({ clauses }: Run, { clause }: Step): HTMLElement | undefined {
  const { text } = (clause !== undefined && clauses[clause]) || {};
  return text === undefined ? undefined : h('pre', { class: 'replay-clause' }, coloured(text, program));
}

/** The unfinished goals at a step, outermost first. */
function around({ around: goals, depth }: Step): HTMLElement | undefined {
  if (goals.length === 0) return undefined;
  const left = depth - goals.length;
  return h(
    'ol',
    {
      class: 'replay-frames',
      'aria-label': 'Enclosing goals, with their values at this step',
      start: left + 1,
    },
    ...[...goals].reverse().map((goal) => h('li', {}, coloured(goal))),
  );
}
