/** Virtual rows: they are grouped into portions, of which only those near the viewport are drawn. */
import { h } from '../dom.ts';

/** The number of rows in a portion. */
const PORTION = 50;
/** The distance counted as near, and the assumed height of a row before it is drawn, in pixels. */
const NEAR = 1500;
const HEIGHT = 33;

interface Portion {
  element: HTMLElement;
  from: number;
  to: number;
  drawn: boolean;
  /** Its height when last drawn, in pixels. */
  height: number | undefined;
}

export class Rows {
  #portions: Portion[] = [];
  #observer: IntersectionObserver;
  #byElement = new Map<Element, Portion>();

  /**
   * @param frame the element that scrolls
   * @param list receives the portions
   * @param kind the elements of a portion and of a row in it that is not drawn yet
   * @param draw draws a row, by its index from 0
   * @param forget called before rows far from the viewport are removed
   */
  constructor(
    frame: HTMLElement,
    private readonly list: HTMLElement,
    private readonly kind: ['tbody', 'tr'] | ['ol', 'li'],
    private readonly draw: (index: number) => HTMLElement,
    private readonly forget?: () => void,
  ) {
    this.#observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting, boundingClientRect } of entries) {
          const portion = this.#byElement.get(target);
          if (portion) this.#see(portion, isIntersecting, boundingClientRect.height);
        }
      },
      { root: frame, rootMargin: `${NEAR}px` },
    );
  }

  /** Set the number of rows. */
  extend(count: number): void {
    let last = this.#portions.at(-1);
    while ((last?.to ?? 0) < count) {
      if (!last || last.to - last.from >= PORTION) last = this.#begin(last?.to ?? 0);
      const to = Math.min(count, last.from + PORTION);
      if (last.drawn) last.element.append(...range(last.to, to).map(this.draw));
      last.to = to;
      last.height = undefined;
      if (!last.drawn) this.#wait(last);
    }
  }

  close(): void {
    this.#observer.disconnect();
  }

  #begin(from: number): Portion {
    const element = h(this.kind[0], this.kind[0] === 'ol' ? { start: from + 1, class: 'portion' } : {});
    // The first portion is visible at once.
    const portion: Portion = { element, from, to: from, drawn: from === 0, height: undefined };
    this.#portions.push(portion);
    this.list.append(element);
    this.#byElement.set(element, portion);
    this.#observer.observe(element);
    return portion;
  }

  #see(portion: Portion, isNear: boolean, height: number): void {
    // Elements of a hidden panel have no height, which says nothing.
    if (isNear === portion.drawn || height === 0) return;
    if (isNear) {
      portion.drawn = true;
      portion.element.replaceChildren(...range(portion.from, portion.to).map(this.draw));
    } else if (!portion.element.querySelector('.proof-frame, :focus')) {
      // Keep what somebody has opened or focused.
      portion.height = height;
      this.forget?.();
      this.#wait(portion);
    }
  }

  #wait(portion: Portion): void {
    const { element, from, to, height } = portion;
    portion.drawn = false;
    element.replaceChildren(
      h(this.kind[1], {
        class: 'later',
        style: `height: ${height ?? (to - from) * HEIGHT}px`,
        'aria-hidden': 'true',
      }),
    );
  }
}

/**
 * Returns a function that keeps the columns of a table from jumping when rows scroll away. Measuring widths is slow, so
 * the first ones are used.
 */
export function holding(table: HTMLTableElement): () => void {
  let isHeld = false;
  return () => {
    if (isHeld) return;
    isHeld = true;
    const heads = [...table.querySelectorAll<HTMLElement>('thead th')];
    const widths = heads.map((head) => [head, head.offsetWidth] as const);
    for (const [head, width] of widths) head.style.minWidth = `${width}px`;
  };
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index);
