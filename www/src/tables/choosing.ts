/** The dialog with the files that may be added as tables. */
import type { Book } from '../book/book.ts';
import { shortName } from '../book/names.ts';
import { dialog } from '../dialogs.ts';
import { button, h } from '../dom.ts';
import { type Turn, WaitingLine } from '../turns.ts';
import { type Chosen, type Offered, Preview, count } from './preview.ts';

/** How what is added is followed, and called off. */
export interface Following {
  stop: AbortController;
  /** Tell how much of a file is added, from 0 to 1. */
  progress(file: Chosen, share: number): void;
}

/**
 * Show what files would be as tables, and let the person add them. `also` are files that are no tables and added with
 * the first. `add` resolves with why each could not be added, or undefined if it was: those that could not stay in the
 * dialog. Resolves with what is wrong with those that cannot be read, unless the person changed their mind.
 */
export async function chooseTables(
  book: Book,
  files: Offered[],
  also: string[],
  add: (chosen: Chosen[], following: Following) => Promise<(string | undefined)[]>,
): Promise<string[]> {
  let previews: Preview[] = [];
  let others = also;
  /** Of what is being added. */
  let stop: AbortController | undefined;
  let adding: Promise<void> | undefined;
  const isOne = files.length + also.length === 1;
  const title = !isOne
    ? `Add ${files.length + also.length} files`
    : files[0]?.isPasted
      ? 'Add a pasted table'
      : 'Add a table';
  const answer = await dialog(title, (close) => {
    const start = button('Add', () => void done(), { class: 'main' });
    let hasRows = false;
    const cancel = button('Cancel', () => {
      // What is under way says what became of it; what only waits does not keep the person.
      if (!stop || stop.signal.aborted || !hasRows) return close('no');
      stop.abort();
      running.hidden = true;
    });
    const bar = h('progress', { max: 1, 'aria-label': 'Rows added' });
    const rows = h('span', {});
    const running = h('p', { class: 'row importing', hidden: true }, bar, rows);
    const waiting = new WaitingLine(book.session.turns);
    const progress = (file: Chosen, share: number) => {
      hasRows ||= share > 0;
      bar.value = share;
      const number = Math.round(share * file.rows).toLocaleString('en');
      rows.textContent = `${shortName(file.name)}: ${number} of ${count(file.rows, 'row')}`;
    };
    const told = h('p', { class: 'note', role: 'status' });
    const ready = () => previews.filter(({ isReady }) => isReady);
    let isFirst = true;
    const draw = () => {
      const number = ready().length + others.length;
      start.disabled = stop !== undefined || number === 0;
      start.querySelector('span')!.textContent = isOne ? 'Add as facts' : `Add ${count(number, 'file')}`;
      const users = Map.groupBy(
        previews.flatMap((preview) => preview.indicators.map((indicator) => ({ preview, indicator }))),
        ({ indicator }) => indicator,
      );
      for (const preview of previews) {
        const shared = preview.indicators.flatMap((indicator) => {
          const names = users.get(indicator)!.filter((user) => user.preview !== preview);
          return names.map(
            (user) => `${shortName(user.preview.filename)} has ${indicator}, too: it gets the rows of both.`,
          );
        });
        preview.tellShared(shared.join(' '));
      }
      // Until then only the other button could have the focus.
      if (isFirst && number > 0) {
        isFirst = false;
        start.focus();
      }
    };
    const done = (by?: Preview) => {
      if (stop) return;
      const following = { stop: new AbortController(), progress };
      stop = following.stop;
      hasRows = false;
      if (document.activeElement === start) cancel.focus();
      start.disabled = true;
      const what = `adding ${files.length === 1 ? shortName(files[0]!.name) : 'tables'}`;
      const turn: Turn = { what, stop: () => following.stop.abort() };
      waiting.watch(turn);
      adding = book.session.turns
        .take(turn, () => addNow(following, by))
        .finally(() => {
          waiting.watch(undefined);
          stop = undefined;
          draw();
        });
    };
    const addNow = async (following: Following, by?: Preview) => {
      // A field that was just left is read first.
      await Promise.all(previews.map(({ settled }) => settled));
      if (following.stop.signal.aborted) return;
      const chosen = ready();
      if (chosen.length + others.length > 0 && (by?.isReady ?? true)) {
        const files = chosen.map((preview) => preview.chosen);
        if (files[0]) progress(files[0], 0);
        running.hidden = false;
        const faults = await add(files, following);
        running.hidden = true;
        const added = [
          ...others,
          ...chosen.filter((_, at) => faults[at] === undefined).map(({ filename }) => filename),
        ];
        const refused = chosen.filter((_, at) => faults[at] !== undefined);
        others = [];
        previews = previews.filter((preview) => {
          const isAdded = chosen.includes(preview) && !refused.includes(preview);
          if (isAdded) preview.element.remove();
          return !isAdded;
        });
        for (const preview of refused) preview.refuse(faults[chosen.indexOf(preview)]!);
        // What cannot be read at all cannot be changed here.
        if (previews.every(({ isRead }) => !isRead)) return close('yes');
        const names = (all: string[]) => all.map(shortName).join(', ');
        told.textContent = [
          added.length > 0 && `Added ${names(added)}.`,
          `Not added: ${names(previews.map(({ filename }) => filename))}.`,
          following.stop.signal.aborted ? 'Add it after all, or close this.' : 'Change what is wrong, or close this.',
        ]
          .filter(Boolean)
          .join(' ');
        if (added.length > 0) cancel.querySelector('span')!.textContent = 'Close';
      }
    };
    if (also.length > 0) told.textContent = `With them: ${also.map(shortName).join(', ')}.`;
    previews = files.map((file) => {
      const preview: Preview = new Preview(book, file, draw, () => void done(preview));
      return preview;
    });
    draw();
    return [
      told,
      h('div', { class: 'table-previews' }, ...previews.map(({ element }) => element)),
      running,
      waiting.element,
      h('div', { class: 'row end' }, cancel, start),
    ];
  });
  // Escape closes it, too. What waits for something else ends only after that.
  stop?.abort();
  await adding;
  if (answer !== 'yes') return [];
  return previews.flatMap(({ fault }) => fault ?? []);
}
