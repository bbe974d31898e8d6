/** A row of tabs that supports the arrow keys. */
import { h } from './dom.ts';

export interface TabItem {
  id: string;
  label: string;
  /** Shown after the label: a count, or a mark. */
  mark?: string;
  /** What the mark means, for screen readers. */
  meaning?: string;
  controls?: string;
  /** Closes the tab. */
  close?: () => void;
}

export function drawTabs(
  list: HTMLElement,
  items: TabItem[],
  active: string | undefined,
  choose: (id: string) => void,
): void {
  const had = list.contains(document.activeElement) && document.activeElement?.getAttribute('role') === 'tab';
  list.replaceChildren(
    ...items.map((item, index) => {
      const selected = item.id === active;
      const tab = h(
        'button',
        {
          type: 'button',
          role: 'tab',
          id: `tab-${list.id}-${index}`,
          'aria-selected': String(selected),
          tabindex: selected ? 0 : -1,
          'aria-controls': item.controls,
          'data-tab': item.id,
          title: item.close ? 'Delete closes it' : undefined,
          onclick: () => choose(item.id),
        },
        h('span', {}, item.label),
        item.mark ? h('span', { class: 'mark', 'aria-hidden': 'true' }, item.mark) : null,
        item.meaning ? h('span', { class: 'unseen' }, item.meaning) : null,
      );
      if (item.close) tab.addEventListener('keydown', (event) => event.key === 'Delete' && item.close?.());
      return tab;
    }),
  );
  if (had) list.querySelector<HTMLElement>('[aria-selected=true]')?.focus();
}

/** Call once per list. */
export function walkable(list: HTMLElement): void {
  list.addEventListener('keydown', (event) => {
    const tabs = [...list.querySelectorAll<HTMLElement>('[role=tab]')];
    const at = tabs.indexOf(document.activeElement as HTMLElement);
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[event.key];
    if (at < 0 || to === undefined) return;
    event.preventDefault();
    const tab = tabs[(to + tabs.length) % tabs.length];
    tab?.focus();
    tab?.click();
  });
}
