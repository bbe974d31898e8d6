/** A run of a query that can be gone through forwards and back, port by port. */
import { button, h, sentence } from '../dom.ts';
import { coloured, withoutEnd } from '../prolog/highlight.ts';
import type { Session } from '../session.ts';

type Run = Awaited<ReturnType<Session['hornbook']['replay']>>;
type Step = Run['steps'][number];

/** Shows a line of a file; `stays` where the person goes on here. */
export type GoTo = (file: string, line: number, stays?: boolean) => void;

/** What a port means, for people. */
const PORTS: Record<string, string> = {
  call: 'The goal is called',
  unify: 'A clause whose head matches is taken',
  exit: 'The goal has succeeded',
  redo: 'Something later has failed: the goal is to find another way',
  fail: 'The goal has no way left',
  exception: 'The goal has raised an error',
  answer: 'An answer of the query',
  error: 'The error that ended the run',
};

/** Run a query again, and show how; `stops` are the lines at which to stop, from 1, by file. */
export async function replay(
  session: Session,
  query: string,
  goTo: GoTo,
  stops: ReadonlyMap<string, number[]>,
): Promise<HTMLElement> {
  try {
    const run = await session.turns.take({ what: 'replaying a run' }, () => session.hornbook.replay(withoutEnd(query)));
    return new Replay(run, goTo, stops).element;
  } catch (error) {
    return h('p', { class: 'fault', role: 'alert' }, `The run cannot be replayed: ${sentence(error)}`);
  }
}

class Replay {
  readonly element: HTMLElement;
  #at = 0;
  #slider: HTMLInputElement;
  #now = h('div', { class: 'replay-now', 'aria-live': 'polite' });
  #frames = h('ol', { class: 'replay-frames', 'aria-label': 'The goals around it, as they were at their last port' });

  constructor(
    private readonly run: Run,
    private readonly goTo: GoTo,
    private readonly stops: ReadonlyMap<string, number[]>,
  ) {
    const last = run.steps.length - 1;
    this.#slider = h('input', {
      type: 'range',
      min: 0,
      max: last,
      value: 0,
      'aria-label': 'Step',
      oninput: () => this.#show(Number(this.#slider.value)),
    });
    this.element = h(
      'section',
      { class: 'replay', 'aria-label': 'The run, step by step' },
      h(
        'div',
        { class: 'row' },
        button('Back', () => this.#show(this.#at - 1), { class: 'small' }),
        this.#slider,
        button('Step', () => this.#show(this.#at + 1), { class: 'small' }),
        button('To breakpoint', () => this.#toStop(), {
          class: 'small',
          title: 'Go on to the next breakpoint: click the number of a line to set one',
        }),
      ),
      this.#now,
      this.#frames,
      run.cut &&
        h('p', { class: 'note' }, `The first ${run.steps.length.toLocaleString('en')} steps; the run has more.`),
    );
    this.#show(0);
  }

  #show(index: number): void {
    const { steps } = this.run;
    this.#at = Math.max(0, Math.min(index, steps.length - 1));
    const step = steps[this.#at];
    if (!step) return;
    const place = this.#placeOf(step);
    const count = `${this.#at + 1} of ${steps.length}`;
    this.#slider.value = String(this.#at);
    this.#slider.setAttribute('aria-valuetext', `${count}: ${step.how} ${step.goal}`);
    this.#now.replaceChildren(
      h('span', { class: `badge port ${step.how}`, title: PORTS[step.how] }, step.how),
      step.how === 'error' ? step.goal : coloured(step.goal),
      ...(place
        ? [
            h(
              'button',
              { type: 'button', class: 'place', onclick: () => this.goTo(place.file, place.line) },
              `${place.file}:${place.line}`,
            ),
          ]
        : []),
      h('span', { class: 'note' }, count),
    );
    this.#frames.replaceChildren(...framesAt(steps, this.#at).map(({ goal }) => h('li', {}, coloured(goal))));
    this.#frames.hidden = !this.#frames.hasChildNodes();
    if (place) this.goTo(place.file, place.line, true);
  }

  /** Where the clause stands, and the line behind it. */
  #placeOf({ clause }: Step): { file: string; line: number; end: number } | undefined {
    const { filename, line, text } = (clause !== undefined && this.run.clauses[clause]) || {};
    if (filename === undefined || line === undefined || text === undefined) return undefined;
    return { file: filename, line, end: line + text.split('\n').length };
  }

  #toStop(): void {
    const { steps } = this.run;
    const next = steps.findIndex((step, index) => {
      const place = index > this.#at ? this.#placeOf(step) : undefined;
      return place && this.stops.get(place.file)?.some((line) => line >= place.line && line < place.end);
    });
    this.#show(next < 0 ? steps.length - 1 : next);
  }
}

/** The goals that are not done at a step, from the query's on, with the values that they had at their last port. */
function framesAt(steps: Step[], at: number): Step[] {
  const frames: Step[] = [];
  for (const step of steps.slice(0, at + 1)) {
    frames.length = Math.min(frames.length, step.depth);
    frames.push(step);
  }
  return frames.slice(0, -1);
}
