/** The text of a watched book, clause by clause: what is new is marked, and each says who added it. */
import type { Past, PastEntry } from '../../../pkg/generated/hornbook.js';
import { Signal, button, h } from '../dom.ts';
import { coloured } from '../prolog/highlight.ts';
import { clauses } from '../prolog/language.ts';
import type { Other } from './presence.ts';

/** How long what has just come is marked, in milliseconds. */
const MARKED_MS = 5000;
/** How much of a clause is drawn, in characters. */
const DRAWN = 5000;
/** How many colours there are for people. */
const COLOURS = 5;
/** This close to its end, in pixels, a text is at its end. */
const NEAR = 24;

export class LiveText {
  readonly element = h('div', {
    class: 'live-text',
    tabindex: 0,
    role: 'group',
    'aria-label': 'Text of the watched book',
  });
  /** The revision that added a clause is to be shown. */
  readonly asked = new Signal<number>();
  /** The person is at the clause with this id. */
  readonly moved = new Signal<string>();
  #others: readonly Other[] = [];
  /** What is drawn, by id and text. */
  #drawn = new Map<string, HTMLElement>();
  #sections = new Map<string, { element: HTMLElement; list: HTMLElement }>();
  #open: string | undefined;
  /** Where it was last scrolled to, other than by the person. */
  #scrolledTo = 0;
  /** Whether the newest is drawn, so that what comes next is new. */
  #isNow = false;

  /** `about` tells where a clause comes from. */
  constructor(private readonly about: (entry: PastEntry) => (HTMLElement | string)[]) {}

  /**
   * Draw a book: as it is now, with what has come since the last time marked; or as it was, with what its revision
   * changed marked.
   */
  draw(past: Past, isNow: boolean): void {
    const drawn = new Map<string, HTMLElement>();
    const changed = new Set(past.fresh);
    const isNext = isNow && this.#isNow;
    this.#isNow = isNow;
    const came: HTMLElement[] = [];
    const parts: HTMLElement[] = [];
    const sections = new Map<string, { element: HTMLElement; list: HTMLElement; items: HTMLElement[] }>();
    let section: { items: HTMLElement[] } | undefined;
    let place: string | undefined;
    for (const entry of past.entries) {
      const file = entry.file ?? 'Asserted';
      if (!section || file !== place) {
        // A file may come more than once.
        let name = file;
        while (sections.has(name)) name += ' ';
        const one = { ...(this.#sections.get(name) ?? sectionOf(file)), items: [] };
        sections.set(name, one);
        parts.push(one.element);
        [section, place] = [one, file];
      }
      const key = `${entry.id} ${entry.text}`;
      const before = this.#drawn.get(key);
      const element = before ?? this.#item(entry, key);
      element.classList.toggle('changed', !isNow && changed.has(entry.id));
      if (isNext && !before) came.push(element);
      drawn.set(key, element);
      section.items.push(element);
    }
    for (const { list, items } of sections.values()) arrange(list, items);
    this.#sections = sections;
    if (!isNow && past.removed.length > 0) parts.push(removed(past.removed));
    if (past.entries.length === 0 && past.removed.length === 0) parts.push(h('p', { class: 'note' }, 'No clauses.'));
    if (past.total > past.entries.length)
      parts.unshift(
        h(
          'p',
          { class: 'note' },
          `The ${past.entries.length.toLocaleString('en')} newest of ${past.total.toLocaleString('en')} clauses.`,
        ),
      );
    const { scrollTop, clientHeight, scrollHeight } = this.element;
    // Whoever has scrolled away, or is at a clause, reads; at the end one sees what comes.
    const isAtEnd = scrollTop + clientHeight >= scrollHeight - NEAR;
    const isReading = this.#isTouched() || (scrollTop !== this.#scrolledTo && !isAtEnd);
    this.#drawn = drawn;
    arrange(this.element, parts);
    this.mark(this.#others);
    this.element.scrollTop = scrollTop;
    if (!isReading) this.#scrolledTo = this.element.scrollTop;
    for (const element of came) {
      element.classList.add('came');
      setTimeout(() => element.classList.remove('came'), MARKED_MS);
    }
    if (isNext && isReading) return;
    this.#reveal(came[0] ?? this.element.querySelector<HTMLElement>('.changed, .removed'));
  }

  /** Show who else is at which clause. */
  mark(others: readonly Other[]): void {
    this.#others = others;
    for (const carets of this.element.querySelectorAll('.carets')) carets.remove();
    for (const { name, at } of others) {
      const clause = this.element.querySelector(`li[data-id="${CSS.escape(at ?? '')}"]`);
      if (!clause) continue;
      const known = clause.querySelector('.carets');
      const carets = known ?? clause.appendChild(h('div', { class: 'carets' }));
      carets.append(h('span', { class: 'caret', 'data-colour': colourOf(name) }, name));
    }
  }

  /** Scroll to an element, in this frame only. */
  #reveal(element: HTMLElement | null | undefined): void {
    if (!element) return;
    const [frame, at] = [this.element.getBoundingClientRect(), element.getBoundingClientRect()];
    if (at.top >= frame.top && at.bottom <= frame.bottom) return;
    this.element.scrollTop += at.top - frame.top - frame.height / 3;
    this.#scrolledTo = this.element.scrollTop;
  }

  /** Whether the focus or selected text is in it. */
  #isTouched(): boolean {
    const selection = document.getSelection();
    const isSelected = selection && !selection.isCollapsed && this.element.contains(selection.anchorNode);
    return isSelected === true || (document.activeElement !== this.element && this.element.matches(':focus-within'));
  }

  #item(entry: PastEntry, key: string): HTMLElement {
    const note = h('div', { class: 'about-clause', hidden: true });
    const clause = h(
      'button',
      {
        type: 'button',
        class: 'clause',
        'aria-expanded': 'false',
        title: 'Who added this?',
        onfocus: () => this.moved.send(entry.id),
        onclick: () => {
          const isOpen = note.hidden;
          if (isOpen) {
            const { added } = entry;
            note.replaceChildren(
              h('span', {}, ...this.about(entry)),
              ...(added === undefined
                ? []
                : [button('Show that moment', () => this.asked.send(added), { class: 'quiet small' })]),
            );
            if (this.#open !== key) this.#close();
            this.#open = key;
          }
          note.hidden = !isOpen;
          clause.setAttribute('aria-expanded', String(isOpen));
        },
      },
      coloured(shortened(entry.text), clauses),
    );
    return h('li', { 'data-id': entry.id }, clause, note);
  }

  /** Close what is open. */
  #close(): void {
    const open = this.#open === undefined ? undefined : this.#drawn.get(this.#open);
    const clause = open?.querySelector<HTMLElement>('.clause[aria-expanded=true]');
    clause?.click();
  }
}

/** The same for a name each time, of the colours in `live.css`. */
const colourOf = (name: string): number => [...name].reduce((sum, c) => sum + c.codePointAt(0)!, 0) % COLOURS;

function sectionOf(file: string): { element: HTMLElement; list: HTMLElement } {
  const list = h('ol', {});
  return { element: h('section', { 'aria-label': file }, h('h2', {}, file), list), list };
}

/** Give an element these children. Those that stay are not touched: they keep the focus and selected text. */
function arrange(parent: HTMLElement, children: HTMLElement[]): void {
  const kept = new Set<Node>(children);
  for (const child of [...parent.childNodes]) if (!kept.has(child)) child.remove();
  let next = parent.firstChild;
  for (const child of children) {
    if (child === next) next = next.nextSibling;
    else parent.insertBefore(child, next);
  }
}

const shortened = (text: string): string =>
  text.length > DRAWN
    ? `${text.slice(0, DRAWN)}… % ${(text.length - DRAWN).toLocaleString('en')} more characters`
    : text;

function removed(entries: PastEntry[]): HTMLElement {
  const items = entries.map(({ text }) => h('li', {}, h('del', {}, coloured(shortened(text), clauses))));
  return h(
    'section',
    { class: 'removed', 'aria-label': 'Removed' },
    h('h2', {}, 'Removed by this change'),
    h('ol', {}, ...items),
  );
}
