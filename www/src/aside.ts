/**
 * What the browser stores for the page, text by text, shown instead of the page when a text may keep it from starting.
 * Opens none of them by itself, and looks into none.
 */
import { ASIDE, DRAFTS } from './book/drafts.ts';
import { agreed } from './dialogs.ts';
import { button, h, sentence, tell } from './dom.ts';
import { download } from './download.ts';
import { keep, keepText, kept, keptJson, textsIn } from './kept.ts';
import { savedBook } from './rescue.ts';
import type { Session } from './session.ts';
import { NOTEBOOK, forgetLink, hasLink } from './share.ts';
import { WRITTEN } from './early.ts';
import { forgetCutOff } from './starting.ts';

/** How much of a text is shown, in characters. */
const SHOWN = 10_000;
/** Where panels store texts, and what those are. */
const OTHERS: [string, string][] = [
  [ASIDE, 'Other unsaved texts of tabs'],
  [WRITTEN, 'Text that was written while the page was loading'],
  [NOTEBOOK, 'The notebook'],
  ['hornbook.dml', 'Changed DML programs'],
  ['hornbook.workflows', 'Workflows'],
];

interface Stored {
  what: string;
  /** For a download. */
  name: string;
  text: string;
  remove(): void | Promise<void>;
}

/** `reason` says why the texts are shown, a sentence; `open` opens the book. */
export function asideOf(reason: string, open: () => Promise<Session>): HTMLElement {
  const list = h('ul', { class: 'aside-texts' });
  const add = (stored: Stored) => list.append(item(stored));
  for (const [name, text] of textsIn(keptJson(DRAFTS)))
    add({ what: `Unsaved text of ${name}`, name, text, remove: () => forgetDraft(name) });
  for (const [key, what] of OTHERS) {
    const text = kept(key);
    if (text !== undefined) add({ what, name: `${key}.txt`, text, remove: () => void keep(key, undefined) });
  }
  if (hasLink())
    add({ what: 'The link in the address', name: 'link.txt', text: window.location.href, remove: forgetLink });
  const files = button('Show the files of the book', () => {
    files.disabled = true;
    void listFiles(open, add).catch((error: unknown) => tell(sentence(error), 'error'));
  });
  return h(
    'main',
    { class: 'aside', 'aria-label': 'Stored texts' },
    h('h2', {}, 'What this browser stores for the page'),
    h('p', { role: 'alert' }, reason),
    h(
      'p',
      {},
      'Look at a text, download it, or remove it; then open the page, or another book by its name above. Nothing is removed unless you say so.',
    ),
    h('div', { class: 'row' }, button('Open the page', startAgain, { class: 'main' }), files, savedBook()),
    list,
  );
}

function startAgain(): void {
  forgetCutOff();
  window.location.reload();
}

async function listFiles(open: () => Promise<Session>, add: (stored: Stored) => void): Promise<void> {
  const session = await open();
  const { files } = await session.ok('files', { operation: 'list' });
  for (const { filename } of files)
    add({
      what: `The file ${filename}`,
      name: filename,
      text: session.hornbook.source(filename) ?? '',
      remove: async () => void (await session.ok('files', { operation: 'unimport', filename })),
    });
  if (files.length === 0) tell('The book has no files.');
}

function item({ what, name, text, remove }: Stored): HTMLElement {
  const shown = h('pre', { hidden: true, tabindex: 0, 'aria-label': what });
  const show = button('Show', () => {
    shown.hidden = !shown.hidden;
    shown.textContent = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
  });
  const taken = async () => {
    if (!(await agreed(`Remove this text?`, `${what}: download it first if you need it.`, 'Remove', 'Cancel'))) return;
    try {
      await remove();
      element.remove();
    } catch (error) {
      tell(sentence(error), 'error');
    }
  };
  const element = h(
    'li',
    {},
    h(
      'div',
      { class: 'row' },
      h('b', {}, what.slice(0, 150)),
      h('span', { class: 'about' }, `${text.length.toLocaleString('en')} characters`),
      show,
      button('Download', () => download(name, text, 'text/plain')),
      button('Remove', () => void taken(), { class: 'quiet', name: `Remove: ${what.slice(0, 150)}` }),
    ),
    shown,
  );
  return element;
}

function forgetDraft(name: string): void {
  keepText(DRAFTS, name, undefined);
}
