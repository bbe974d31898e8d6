/** Dialogs above the page. */
import { button, h } from './dom.ts';

/** Show a dialog until it is closed. Resolves with the value it was closed with. */
export function dialog(title: string, fill: (close: (value?: string) => void) => HTMLElement[]): Promise<string> {
  return new Promise((resolve) => {
    const element: HTMLDialogElement = h(
      'dialog',
      { class: 'dialog', 'aria-labelledby': 'dialog-title' },
      h('h2', { id: 'dialog-title' }, title),
      ...fill((value) => element.close(value)),
    );
    element.addEventListener('close', () => {
      element.remove();
      resolve(element.returnValue);
    });
    document.body.append(element);
    element.showModal();
    // The focus is on a button at its end.
    element.scrollTop = 0;
  });
}

/** Resolves with whether the person agreed. */
export async function agreed(title: string, text: string, yes: string, no: string): Promise<boolean> {
  const answer = await dialog(title, (close) => [
    h('p', {}, text),
    h(
      'div',
      { class: 'row end' },
      button(no, () => close('no')),
      button(yes, () => close('yes'), { class: 'main' }),
    ),
  ]);
  return answer === 'yes';
}

/** Show a text to copy by hand. */
export function toCopy(title: string, text: string): void {
  const field = h(
    'textarea',
    { class: 'to-copy', rows: 4, readonly: true, 'aria-label': title, spellcheck: 'false' },
    text,
  );
  void dialog(title, (close) => [
    field,
    h(
      'div',
      { class: 'row end' },
      button('Close', () => close(), { class: 'main' }),
    ),
  ]);
  field.focus();
  field.select();
}
