/** The programs of the tab: examples, one of the person's own, and their edits, which the browser stores. */
import { keep, keptJson, textsIn } from '../kept.ts';
import { PROGRAMS } from './examples/index.ts';

/** A program and its inputs, as in the fields. */
export interface Work {
  text: string;
  /** The turns of the scripted model, as JSON. */
  script: string;
  params: Map<string, string>;
}

const KEPT = 'hornbook.dml';

export class Programs {
  /** The name of the program shown. */
  current: string;
  /** Whether the browser can still store changes for the next visit. */
  keeps = true;
  readonly #originals = new Map(
    PROGRAMS.map(({ name, text, params, turns }) => [
      name,
      {
        text,
        script: `[\n${turns.map((turn) => `  ${JSON.stringify(turn)}`).join(',\n')}\n]`,
        params: new Map(Object.entries(params)),
      } satisfies Work,
    ]),
  );
  /** Programs that differ from their originals. */
  readonly #changed: Map<string, Work>;

  constructor() {
    const { current, changed } = (keptJson(KEPT) ?? {}) as { current?: unknown; changed?: unknown };
    const all = typeof changed === 'object' && changed !== null ? Object.entries(changed) : [];
    this.#changed = new Map(
      all.flatMap(([name, work]) => {
        const { text, script } = Object.fromEntries(textsIn(work));
        const whole = this.#originals.has(name) && text !== undefined && script !== undefined;
        return whole ? [[name, { text, script, params: textsIn((work as { params?: unknown }).params) }]] : [];
      }),
    );
    const [first = ''] = this.names;
    this.current = typeof current === 'string' && this.#originals.has(current) ? current : first;
  }

  get names(): string[] {
    return [...this.#originals.keys()];
  }

  /** The shown program, as it was left. */
  get work(): Work {
    return this.#changed.get(this.current) ?? this.#originals.get(this.current)!;
  }

  isChanged(name = this.current): boolean {
    return this.#changed.has(name);
  }

  open(name: string): void {
    this.current = name;
    this.#keep();
  }

  /** Change the shown program. */
  change(work: Work): void {
    if (same(work, this.#originals.get(this.current)!)) this.#changed.delete(this.current);
    else this.#changed.set(this.current, work);
    this.#keep();
  }

  /** Restore the original of the shown program. */
  restore(): void {
    this.#changed.delete(this.current);
    this.#keep();
  }

  #keep(): void {
    const changed = [...this.#changed].map(([name, { text, script, params }]) => [
      name,
      { text, script, params: Object.fromEntries(params) },
    ]);
    this.keeps = keep(KEPT, JSON.stringify({ current: this.current, changed: Object.fromEntries(changed) }));
  }
}

function same(a: Work, b: Work): boolean {
  const params = [...new Set([...a.params.keys(), ...b.params.keys()])].every(
    (name) => (a.params.get(name) ?? '') === (b.params.get(name) ?? ''),
  );
  return a.text === b.text && a.script === b.script && params;
}
