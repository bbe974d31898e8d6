/** Tables in texts that somebody pastes. */
import { dialog } from '../dialogs.ts';
import { button, h } from '../dom.ts';

/** What ends lines of Prolog, and not all those of a table. */
const PROLOG = /(:-|-->|[.,;(])$/;

/** Whether a text looks like cells that were copied from a spreadsheet: lines with the same number of tabs. */
export function looksLikeTable(text: string): boolean {
  const lines = text.replace(/\r?\n$/, '').split(/\r?\n/);
  const [first] = lines;
  const count = first!.split('\t').length;
  if (lines.length < 2 || count < 2 || first!.startsWith('\t')) return false;
  if (lines.every((line) => PROLOG.test(line.trimEnd()))) return false;
  // A quoted cell may have line ends of its own.
  return text.includes('"') || lines.every((line) => line.split('\t').length === count);
}

/** The extension of a file with this text. */
export const extensionOf = (text: string): string =>
  /^\s*[[{]/.test(text) ? 'json' : text.includes('\t') ? 'tsv' : 'csv';

/** Let somebody paste a table. Resolves with its text, or undefined. */
export async function pastedTable(): Promise<string | undefined> {
  const field = h('textarea', {
    class: 'to-copy',
    rows: 8,
    'aria-label': 'The table',
    placeholder: 'Copy cells in a spreadsheet, with the names of the columns, and paste them here.',
    spellcheck: 'false',
  });
  const answer = await dialog('Paste a table', (close) => {
    const go = button('Continue', () => close('yes'), { class: 'main' });
    go.disabled = true;
    field.addEventListener('input', () => (go.disabled = field.value.trim() === ''));
    // Nobody pastes a table to edit it here.
    field.addEventListener('paste', () => setTimeout(() => field.value.trim() !== '' && close('yes')));
    return [
      field,
      h('p', { class: 'note' }, 'Cells of a spreadsheet, CSV or JSON.'),
      h(
        'div',
        { class: 'row end' },
        button('Cancel', () => close('no')),
        go,
      ),
    ];
  });
  return answer === 'yes' ? field.value : undefined;
}
