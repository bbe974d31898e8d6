/** A button that opens a menu. */
import { h, icon } from './dom.ts';

export interface MenuItem {
  label: string;
  about?: string;
  act: () => void;
  /** Whether it is on, if it can be switched on and off. */
  checked?: boolean;
}

export function menu(
  label: string,
  items: MenuItem[],
  picture?: Parameters<typeof icon>[0],
  options: { title?: string; class?: string } = {},
): HTMLElement {
  const list = h('div', { class: 'menu-list', role: 'menu', 'aria-label': options.title ?? label });
  list.hidden = true;
  const opener = h(
    'button',
    {
      type: 'button',
      'aria-haspopup': 'menu',
      'aria-expanded': 'false',
      title: options.title,
      'aria-label': label ? undefined : options.title,
      onclick: () => (list.hidden ? open() : close()),
    },
    picture && icon(picture),
    label && h('span', {}, label),
  );
  const frame = h('div', { class: `menu ${options.class ?? ''}` }, opener, list);
  const entries = items.map(({ label: text, about, act, checked }) =>
    h(
      'button',
      {
        type: 'button',
        role: checked === undefined ? 'menuitem' : 'menuitemcheckbox',
        'aria-checked': checked === undefined ? undefined : String(checked),
        tabindex: -1,
        onclick: () => {
          close();
          act();
        },
      },
      h('span', { class: 'label' }, text),
      about ? h('span', { class: 'about' }, about) : null,
    ),
  );
  list.append(...entries);

  const outside = (event: Event) => {
    if (!frame.contains(event.target as Node)) close(false);
  };
  function open(): void {
    list.hidden = false;
    opener.setAttribute('aria-expanded', 'true');
    entries[0]?.focus();
    document.addEventListener('pointerdown', outside);
  }
  function close(back = true): void {
    if (list.hidden) return;
    list.hidden = true;
    opener.setAttribute('aria-expanded', 'false');
    document.removeEventListener('pointerdown', outside);
    if (back) opener.focus();
  }
  frame.addEventListener('keydown', (event) => {
    const at = entries.indexOf(document.activeElement as HTMLButtonElement);
    if (event.key === 'Escape') close();
    else if (event.key === 'Tab') close(false);
    else if (event.key === 'ArrowDown' && list.hidden) open();
    else if (event.key === 'ArrowDown') entries[(at + 1) % entries.length]?.focus();
    else if (event.key === 'ArrowUp') entries[(at - 1 + entries.length) % entries.length]?.focus();
    else if (event.key === 'Home') entries[0]?.focus();
    else if (event.key === 'End') entries.at(-1)?.focus();
    else return;
    if (event.key !== 'Tab') event.preventDefault();
  });
  return frame;
}
