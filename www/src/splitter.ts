/** The bar between the two sides, moved by pointer or arrow keys. */
import { h } from './dom.ts';
import { keep, kept } from './kept.ts';

const KEY = 'hornbook.split';

export function splitter(): HTMLElement {
  const bar = h('div', {
    class: 'splitter',
    role: 'separator',
    tabindex: 0,
    'aria-orientation': 'vertical',
    'aria-label': 'Width of the book',
    'aria-valuemin': 20,
    'aria-valuemax': 80,
  });
  const set = (percent: number) => {
    const width = Math.round(Math.min(80, Math.max(20, percent)));
    document.documentElement.style.setProperty('--split', `${width}%`);
    bar.setAttribute('aria-valuenow', String(width));
    keep(KEY, String(width));
  };
  set(Number(kept(KEY) ?? 50) || 50);
  bar.addEventListener('keydown', (event) => {
    const now = Number(bar.getAttribute('aria-valuenow'));
    const to = { ArrowLeft: now - 2, ArrowRight: now + 2, Home: 20, End: 80 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    set(to);
  });
  bar.addEventListener('pointerdown', (event) => {
    bar.setPointerCapture(event.pointerId);
    const move = (moved: PointerEvent) => set((moved.clientX / window.innerWidth) * 100);
    bar.addEventListener('pointermove', move);
    bar.addEventListener('pointerup', () => bar.removeEventListener('pointermove', move), { once: true });
  });
  return bar;
}
