/** Forms that ask the person using the page. */
import './styles/asking.css';
import { button, h } from './dom.ts';

/** Show a form in `place` until it is answered, or until `signal` says that nobody waits for it any more. */
export function asked<T>(
  place: HTMLElement,
  signal: AbortSignal,
  fill: (answer: (value: T) => void) => HTMLElement,
): Promise<T> {
  return new Promise((resolve, reject) => {
    const form = fill((value) => {
      form.remove();
      resolve(value);
    });
    signal.addEventListener(
      'abort',
      () => {
        form.remove();
        reject(new Error('nobody waits for it any more'));
      },
      { once: true },
    );
    place.append(form);
    form.querySelector<HTMLElement>('input, select, textarea')?.focus();
    form.scrollIntoView({ block: 'nearest' });
  });
}

let count = 0;

/** The user's answer, or `undefined` if they decline; `otherwise` tells them what happens then. */
export function askUser(
  place: HTMLElement,
  prompt: string,
  otherwise: string,
  signal: AbortSignal,
): Promise<string | undefined> {
  count += 1;
  const id = `answer-${count}`;
  return asked<string | undefined>(place, signal, (answer) => {
    const field = h('input', { type: 'text', id, autocomplete: 'off', spellcheck: 'false' });
    return h(
      'form',
      {
        class: 'asking',
        onsubmit: (event: Event) => {
          event.preventDefault();
          answer(field.value);
        },
      },
      h('label', { for: id }, h('b', {}, 'The program asks: '), prompt),
      h(
        'div',
        { class: 'row' },
        field,
        h('button', { type: 'submit', class: 'main' }, 'Answer'),
        button('No answer', () => answer(undefined), {
          class: 'quiet',
          title: otherwise,
        }),
      ),
    );
  });
}
