/** Rows of any number: they are added at the end in portions, and a portion is drawn when it comes near to what is in sight. */
import { h } from '../dom.ts';

/** Rows of a portion. */
const PORTION = 100;
/** How near, and how high a row is before it is drawn, in pixels. */
const NEAR = 1500;
const HEIGHT = 33;

interface Portion {
  element: HTMLElement;
  from: number;
  to: number;
  drawn: boolean;
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
   */
  constructor(
    frame: HTMLElement,
    private readonly list: HTMLElement,
    private readonly kind: ['tbody', 'tr'] | ['ol', 'li'],
    private readonly draw: (index: number) => HTMLElement,
  ) {
    this.#observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries) {
          const portion = this.#byElement.get(target);
          if (isIntersecting && portion) this.#draw(portion);
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
      if (!last.drawn) this.#wait(last);
    }
  }

  close(): void {
    this.#observer.disconnect();
  }

  #begin(from: number): Portion {
    const element = h(this.kind[0], this.kind[0] === 'ol' ? { start: from + 1, class: 'portion' } : {});
    // The first is in sight at once.
    const portion = { element, from, to: from, drawn: from === 0 };
    this.#portions.push(portion);
    this.list.append(element);
    if (!portion.drawn) {
      this.#byElement.set(element, portion);
      this.#observer.observe(element);
    }
    return portion;
  }

  #wait({ element, from, to }: Portion): void {
    element.replaceChildren(
      h(this.kind[1], { class: 'later', style: `height: ${(to - from) * HEIGHT}px`, 'aria-hidden': 'true' }),
    );
  }

  #draw(portion: Portion): void {
    this.#observer.unobserve(portion.element);
    this.#byElement.delete(portion.element);
    portion.drawn = true;
    portion.element.replaceChildren(...range(portion.from, portion.to).map(this.draw));
  }
}

const range = (from: number, to: number): number[] => Array.from({ length: to - from }, (_, index) => from + index);
