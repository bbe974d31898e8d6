/** Building elements. */

type Attributes = Record<string, unknown>;
export type Child = Node | string | number | null | undefined | false;

/**
 * Create an element with attributes and children. Attributes whose names begin with `on` are listeners; `false`, `null`
 * and `undefined` omit an attribute, `true` sets it without a value.
 */
export function h<K extends keyof HTMLElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  set(element, attributes);
  append(element, children);
  return element;
}

/** Like {@link h}, for SVG. */
export function svg<K extends keyof SVGElementTagNameMap>(
  tag: K,
  attributes: Attributes = {},
  ...children: Child[]
): SVGElementTagNameMap[K] {
  const element = document.createElementNS('http://www.w3.org/2000/svg', tag);
  set(element, attributes);
  append(element, children);
  return element;
}

function set(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (value === false || value === null || value === undefined) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value as EventListener);
    else element.setAttribute(name, value === true ? '' : String(value));
  }
}

function append(element: Element, children: Child[]): void {
  for (const child of children) {
    if (child === null || child === undefined || child === false) continue;
    element.append(typeof child === 'number' ? String(child) : child);
  }
}

const ICONS = {
  play: 'M4 2.5v11l9-5.5z',
  stop: 'M3.5 3.5h9v9h-9z',
  close: 'M4 4l8 8M12 4l-8 8',
  plus: 'M8 3v10M3 8h10',
  undo: 'M6 3L2.5 6.5 6 10M3 6.5h6.5a3.5 3.5 0 010 7H6',
  redo: 'M10 3l3.5 3.5L10 10M13 6.5H6.500a3.5 3.5 0 000 7H10',
  save: 'M3 8.5l3.500 3.5L13 4.500',
  share: 'M8 10V2M5 4.500L8 1.500l3 3M3 8v5.500h10V8',
  down: 'M8 2v8M5 7l3 3 3-3M3 13.5h10',
  up: 'M8 11V3M5 6l3-3 3 3M3 13.5h10',
  moon: 'M13 9.500A5.500 5.500 0 016.500 3 5.500 5.500 0 1013 9.500z',
  sun: 'M8 5a3 3 0 100 6 3 3 0 000-6M8 1v1.500M8 13.500V15M1 8h1.500M13.500 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1',
  book: 'M3 2.500h8a2 2 0 012 2v9H5a2 2 0 01-2-2zM3 11.500a2 2 0 012-2h8',
  choose: 'M4 6l4 4 4-4',
  menu: 'M2.500 4.500h11M2.500 8h11M2.500 11.500h11',
  keys: 'M1.500 4h13v8h-13zM4 7h.01M7 7h.01M10 7h.01M12.500 7h.01M5 9.700h6',
  full: 'M6 2.500H2.500V6M10 2.500h3.500V6M2.500 10v3.500H6M13.500 10v3.500H10',
  edit: 'M3 13l.8-3L10.500 3.300l2.200 2.200L6 12.200zM9 5l2 2',
  steps: 'M3 3v10M6 3l7 5-7 5z',
  again: 'M13 8a5 5 0 11-1.500-3.500M13 2v3h-3',
  why: 'M8 1.500v4M8 5.500H4v3M8 5.500h4v3M2.500 8.500h3v3h-3zM10.500 8.500h3v3h-3z',
  pin: 'M5.500 2h5M6.500 2v4L4 9h8L9.500 6V2M8 9v5',
} as const;

/** A 16 by 16 icon in the text colour, for use beside a label or on a labelled button. */
export function icon(name: keyof typeof ICONS): SVGElement {
  const filled = name === 'play' || name === 'stop';
  return svg(
    'svg',
    { class: 'icon', viewBox: '0 0 16 16', width: 16, height: 16, 'aria-hidden': 'true', focusable: 'false' },
    svg('path', {
      d: ICONS[name],
      fill: filled ? 'currentColor' : 'none',
      stroke: filled ? 'none' : 'currentColor',
      'stroke-width': 1.5,
      'stroke-linecap': 'round',
      'stroke-linejoin': 'round',
    }),
  );
}

interface ButtonOptions {
  icon?: keyof typeof ICONS;
  /** Shown on hover, and read out if there is only an icon. */
  title?: string;
  class?: string;
  keys?: string;
  /** Its accessible name, if the label alone is ambiguous. */
  name?: string;
}

export function button(label: string, onclick: () => void, options: ButtonOptions = {}): HTMLButtonElement {
  const title = [options.title, options.keys && `(${options.keys})`].filter(Boolean).join(' ');
  return h(
    'button',
    {
      type: 'button',
      class: options.class,
      title: title || undefined,
      'aria-label': options.name ?? (label ? undefined : options.title),
      onclick,
    },
    options.icon && icon(options.icon),
    label && h('span', {}, label),
  );
}

/** Calls `work` once there was no further call for `ms`. */
export function debounced(ms: number, work: () => void): () => void {
  let timer: number | undefined;
  return () => {
    window.clearTimeout(timer);
    timer = window.setTimeout(work, ms);
  };
}

const polite = h('div', { class: 'unseen', role: 'status', 'aria-live': 'polite' });
const toasts = h('section', { class: 'toasts', 'aria-label': 'Messages' });

/** How many messages are shown at once: more would cover what they are about. */
const MOST_TOASTS = 2;

/** A message on the page. */
export interface Toast {
  isShown(): boolean;
  /** Take its action away: it is too late for that. */
  withdraw(): void;
}

/**
 * Announce what happened, visibly and to screen readers. Errors and messages with an action stay longer; of more than
 * two, the oldest goes, and an error last. The same message again is one message with a count.
 */
export function tell(
  text: string,
  kind: 'done' | 'error' = 'done',
  action?: { label: string; act: () => void },
): Toast {
  if (!polite.isConnected) document.body.append(polite, toasts);
  polite.textContent = text;
  const same = [...toasts.children].find(
    (one) => (one as HTMLElement).dataset.text === text && one.classList.contains(kind),
  ) as HTMLElement | undefined;
  const times = Number(same?.dataset.times ?? 0) + 1;
  same?.remove();
  const said = h('span', {}, text, times > 1 && h('b', {}, ` ×${times}`));
  const toast = h('div', { class: `toast ${kind}`, 'data-text': text, 'data-times': times }, said);
  const act = () => {
    toast.remove();
    action?.act();
  };
  const acting = action && h('button', { type: 'button', class: 'quiet', onclick: act }, action.label);
  if (acting) toast.append(acting);
  toasts.append(toast);
  while (toasts.children.length > MOST_TOASTS)
    (
      [...toasts.children].find((one) => one !== toast && !one.classList.contains('error')) ?? toasts.firstElementChild!
    ).remove();
  setTimeout(() => toast.remove(), kind === 'error' || action ? 9000 : 3500);
  return { isShown: () => toast.isConnected, withdraw: () => acting?.remove() };
}

/** A sentence for anything that was thrown. */
export function sentence(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** A message of SWI-Prolog as a sentence. A leading predicate or term keeps its case. */
export const asSentence = (text: string): string => {
  const begun = /^\S+\/\d+ |^\w+\(/.test(text) ? text : text.charAt(0).toUpperCase() + text.slice(1);
  return /[.?!`]$/.test(begun) ? begun : `${begun}.`;
};

/** Listeners for one kind of event. */
export class Signal<T = void> {
  #listeners = new Set<(value: T) => void>();

  /** Returns a function that removes the listener. */
  on(listener: (value: T) => void): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  send(value: T): void {
    for (const listener of this.#listeners) listener(value);
  }
}
