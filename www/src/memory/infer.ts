/** What follows from the memory: the answers to a goal, each with its proof. */
import type { InferredAnswer, RuleItem } from '../../../pkg/generated/memory.js';
import { button, h, sentence } from '../dom.ts';
import { coloured, withoutEnd } from '../prolog/highlight.ts';
import type { Memory } from './memory.ts';
import type { View } from './view.ts';

interface Step {
  goal: string;
  by: string;
  steps: Step[];
}

const LIMIT = 20;

export class Infer implements View {
  readonly element: HTMLElement;
  readonly hasTime = true;
  #goal = h('input', {
    type: 'text',
    value: 'kn_edge(X, needs, Y)',
    'aria-label': 'Goal',
    autocomplete: 'off',
    spellcheck: 'false',
    onkeydown: (event: KeyboardEvent) => event.key === 'Enter' && void this.#ask(),
  });
  #assume = h('textarea', {
    rows: 2,
    spellcheck: 'false',
    'aria-label': 'Clauses to assume, one per line',
    placeholder: 'kn_edge(shop, needs, cache).',
  });
  #answers = h('div', { class: 'inferred', 'aria-live': 'polite' });

  constructor(private readonly memory: Memory) {
    this.element = h(
      'div',
      { class: 'graph-view' },
      h(
        'div',
        { class: 'row infer' },
        h('span', { class: 'prompt', 'aria-hidden': 'true' }, '?-'),
        this.#goal,
        button('Infer', () => void this.#ask(), { icon: 'play', class: 'main' }),
      ),
      h(
        'details',
        { class: 'composer' },
        h('summary', {}, 'What if? Assume clauses for this answer only'),
        this.#assume,
      ),
      this.#answers,
    );
  }

  draw(): void {}

  async #ask(): Promise<void> {
    const goal = withoutEnd(this.#goal.value.trim().replace(/^\?-\s*/, ''));
    if (!goal) return this.#goal.focus();
    const assume = this.#assume.value.split('\n').filter((line) => line.trim());
    this.#answers.replaceChildren(h('p', { class: 'note' }, 'Looking…'));
    try {
      const { answers, total, next_offset } = await this.memory.call('kn_intel', {
        action: 'infer',
        goal,
        limit: LIMIT,
        ...(assume.length > 0 && { assume }),
        ...this.memory.asOf,
      });
      this.#answers.replaceChildren(...answers.map((answer, index) => drawn(answer, index + 1)));
      if (answers.length === 0) this.#answers.append(h('p', { class: 'verdict no' }, 'false'));
      if (next_offset !== undefined)
        this.#answers.append(h('p', { class: 'note' }, `The first ${answers.length}${total ? ` of ${total}` : ''}.`));
    } catch (error) {
      this.#answers.replaceChildren(h('p', { class: 'fault', role: 'alert' }, sentence(error)));
    }
  }
}

function drawn({ bindings, confidence, proof, rules }: InferredAnswer, number: number): HTMLElement {
  const values = Object.entries(bindings).map(([name, value]) => `${name} = ${value}`);
  return h(
    'article',
    { class: 'details', 'aria-label': `Answer ${number}` },
    h(
      'header',
      { class: 'row' },
      values.length > 0 ? coloured(values.join(', ')) : h('span', { class: 'verdict yes' }, 'true'),
      h(
        'span',
        { class: 'badge', title: 'The confidence of the weakest fact' },
        `confidence ${Number(confidence.toFixed(2))}`,
      ),
    ),
    h('ul', { class: 'proof-tree' }, ...stepsOf(proof).map((step) => item(step, rules))),
  );
}

function stepsOf(proof: string[]): Step[] {
  const top: Step[] = [];
  const path: Step[] = [];
  for (const line of proof) {
    const text = line.trimStart();
    path.length = Math.min(path.length, (line.length - text.length) / 2);
    const at = text.lastIndexOf(': ');
    const step = { goal: at < 0 ? text : text.slice(0, at), by: at < 0 ? '' : text.slice(at + 2), steps: [] };
    (path.at(-1)?.steps ?? top).push(step);
    path.push(step);
  }
  return top;
}

function item({ goal, by, steps }: Step, rules: RuleItem[]): HTMLElement {
  const rule = rules.find(({ rule }) => by === `rule ${rule}`);
  const mark = rule
    ? h('span', { class: 'mark', title: rule.text }, rule.from)
    : by && h('span', { class: 'mark' }, kind(by));
  return h(
    'li',
    {},
    h('span', { class: 'proof-line' }, coloured(goal), mark),
    steps.length > 0 && h('ul', {}, ...steps.map((step) => item(step, rules))),
  );
}

/** Only the kind of a fact: its id is in the goal beside it. */
const kind = (by: string): string => by.split('/', 1)[0]!;
