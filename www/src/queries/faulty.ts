/** What a card shows of a fault: the sentence, and buttons for what to do instead. */
import { button, h, sentence } from '../dom.ts';
import { seen } from '../odd.ts';
import type { Fault } from './fault.ts';
import type { Topic } from './habits.ts';

export interface FaultActions {
  /** Ask another query instead. */
  ask(text: string): void;
  /** Ask another query, and step through its run. */
  step(text: string): void;
  /** Add a clause to the file in the editor. */
  add(clause: string): void;
  /** Ask the same query again, for so many milliseconds. */
  longer(ms: number): void;
  /** What is known of a topic. */
  manual(topic: Topic): Promise<HTMLElement>;
}

export function drawnFault(
  { message, repairs, steps, topic, clause, longerMs }: Fault,
  actions: FaultActions,
): HTMLElement[] {
  const offered = repairs.map((repair) =>
    button(repair, () => actions.ask(repair), { class: 'chip', title: 'Ask this instead' }),
  );
  const others = [
    steps !== undefined && button('Step through', () => actions.step(steps), { icon: 'steps' }),
    clause !== undefined &&
      button('Add this clause', () => actions.add(clause), { icon: 'plus', title: 'Add it to the file in the editor' }),
    longerMs !== undefined &&
      button(`Run longer: ${longerMs / 1000} s`, () => actions.longer(longerMs), {
        icon: 'again',
        title: 'Ask again, with more time',
      }),
  ].filter((one) => one !== false);
  const parts: HTMLElement[] = [
    h('p', topic ? { class: 'note' } : { class: 'fault', role: 'alert' }, ...withCode(message)),
  ];
  if (topic) {
    const frame = h('div', {});
    void actions.manual(topic).then(
      (known) => frame.replaceChildren(known),
      (error: unknown) => frame.replaceChildren(h('p', { class: 'fault' }, sentence(error))),
    );
    parts.push(frame);
  }
  if (offered.length > 0)
    parts.push(h('div', { class: 'row repairs' }, h('span', { class: 'note' }, 'Ask instead:'), ...offered));
  if (others.length > 0) parts.push(h('div', { class: 'row instead' }, ...others));
  return parts;
}

/** A sentence in which text in backquotes is code. */
export const withCode = (text: string): (string | HTMLElement)[] =>
  text.split(/`([^`]+)`/).flatMap((part, index) => (index % 2 ? [h('code', {}, ...seen(part))] : seen(part)));
