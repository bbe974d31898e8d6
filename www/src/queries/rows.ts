/** Rows of any number: they come in portions, and those are drawn that are near to what is in sight. */
import { h } from '../dom.ts';

/** Rows of a portion. */
const PORTION = 50;
/** How near, and how high a row is before it is drawn, in pixels. */
const NEAR = 1500;
const HEIGHT = 33;

interface Portion {
  element: HTMLElement;
  from: number;
  to: number;
  drawn: boolean;
  /** How high it was when it was drawn last, in pixels. */
  height: number | undefined;
}

export class Rows {
  #portions: Portion[] = [];
  #observer: IntersectionObserver;
  #byElement = new Map<Element, Portion>();

  /**
   * @param frame what scrolls
   * @param list gets the portions
   * @param kind the element of a portion and of a row in it that is not drawn yet
   * @param draw a row by its index from 0
   * @param forget comes before rows go that are far from what is in sight
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

  /** There are so many rows now. */
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
    // The first is in sight at once.
    const portion: Portion = { element, from, to: from, drawn: from === 0, height: undefined };
    this.#portions.push(portion);
    this.list.append(element);
    this.#byElement.set(element, portion);
    this.#observer.observe(element);
    return portion;
  }

  #see(portion: Portion, isNear: boolean, height: number): void {
    // In a panel that is not shown nothing has a height, and nothing is to be learnt.
    if (isNear === portion.drawn || height === 0) return;
    if (isNear) {
      portion.drawn = true;
      portion.element.replaceChildren(...range(portion.from, portion.to).map(this.draw));
    } else if (!portion.element.querySelector('.proof-frame, :focus')) {
      // What somebody opened or stands in stays.
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

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index);
