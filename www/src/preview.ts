/** Shows what a link holds before it is opened. Loaded when a link is followed by somebody who has a book. */
import { shortName } from './book/names.ts';
import { dialog } from './dialogs.ts';
import { button, h } from './dom.ts';
import { seen } from './odd.ts';
import type { Session } from './session.ts';
import type { Shared } from './share.ts';
import type { Shelved } from './shelf.ts';

/** How much of a file is shown, in characters. */
const SHOWN = 20_000;

/** Show what a link holds. Resolves with what is to be opened: a new book, or the one that it was opened as before. */
export async function choiceOf(
  name: string,
  shared: Shared,
  session: Session,
  known: Shelved | undefined,
): Promise<'new' | 'known' | undefined> {
  const { files, query, notebook } = shared;
  const counts = await Promise.all(files.map(({ name, text }) => sizeOf(name, text, session)));
  const contents: [string, string, string][] = files.map(({ name, text }, index) => [name, text, counts[index]!]);
  if (notebook !== undefined) contents.push(['Notebook', notebook, sizeIn(notebook)]);
  const answer = await dialog('Open the shared book?', (close) => [
    h(
      'p',
      {},
      'This link contains ',
      h('b', {}, name),
      '. It opens as a book of its own, beside yours, and nothing of yours changes.',
      known && ' You have opened this link before: your book of it is ',
      known && h('b', {}, known.name),
      known && '.',
    ),
    h(
      'ul',
      { class: 'preview' },
      ...contents.map(([name, text, size]) => {
        const whole = text.length > SHOWN ? `${text.slice(0, SHOWN)}\n…` : text;
        const shown = h('pre', { tabindex: 0, 'aria-label': `Text of ${name}` });
        return h(
          'li',
          {},
          h(
            'details',
            { ontoggle: () => shown.hasChildNodes() || shown.append(...seen(whole)) },
            h('summary', { title: name }, h('b', {}, shortName(name)), ' ', h('span', { class: 'about' }, size)),
            shown,
          ),
        );
      }),
    ),
    ...(query ? [h('p', { class: 'preview-query', title: query }, 'It asks: ', h('code', {}, ...seen(query)))] : []),
    h(
      'div',
      { class: 'row end' },
      button('Cancel', () => close()),
      known && button('Open again', () => close('new'), { title: 'As a new book' }),
      h(
        'button',
        { type: 'button', class: 'main', autofocus: true, onclick: () => close(known ? 'known' : 'new') },
        known ? 'Open mine' : 'Open',
      ),
    ),
  ]);
  return answer === 'new' || answer === 'known' ? answer : undefined;
}

/** Longer texts are not divided into clauses for their count. */
const LONGEST = 500_000;

/** `1.4 kB`. */
function sizeIn(text: string): string {
  const bytes = new TextEncoder().encode(text).length;
  return bytes < 1000 ? `${bytes} bytes` : `${(bytes / 1000).toFixed(1)} kB`;
}

/** `12 clauses, 1.4 kB`. */
async function sizeOf(name: string, text: string, session: Session): Promise<string> {
  const size = sizeIn(text);
  if (session.hornbook.isDocument(name)) return `document, ${size}`;
  if (text.length > LONGEST) return size;
  const items = await session.hornbook.outline(text).catch(() => []);
  const clauses = items.filter(({ kind }) => ['fact', 'rule', 'grammar'].includes(kind)).length;
  return `${clauses === 1 ? '1 clause' : `${clauses} clauses`}, ${size}`;
}
