/** Help in the editor: what a predicate is on hover, and links to its clauses and occurrences. */
import type { Extension } from '@codemirror/state';
import { EditorView, hoverTooltip, keymap } from '@codemirror/view';
import { dialog } from '../dialogs.ts';
import { button, h, tell } from '../dom.ts';
import { coloured } from '../prolog/highlight.ts';
import type { Session } from '../session.ts';
import type { Outlines, Mark, Place } from './outlines.ts';

export type GoTo = (file: string, line: number) => void;

/** How many places to list. */
const MOST = 100;

/** Turns a goal into a clause. */
const BEFORE = ':- ';

/** `fileOf` returns the file that is shown; without it the text is a goal. */
export function help(session: Session, outlines: Outlines, goTo: GoTo, fileOf?: () => string | undefined): Extension {
  const markAt = async (view: EditorView, position: number): Promise<Mark | undefined> => {
    const text = view.state.doc.toString();
    if (fileOf) return outlines.at(text, position, fileOf());
    const clause = `${BEFORE}${text.replace(/\.\s*$/, '')} .`;
    const mark = await outlines.at(clause, position + BEFORE.length, undefined);
    return mark && { ...mark, from: mark.from - BEFORE.length, to: mark.to - BEFORE.length };
  };
  const jump = (view: EditorView, position: number): boolean => {
    void markAt(view, position).then(async (mark) => {
      if (!mark) return;
      const [place] = await outlines.defining(mark);
      if (place) goTo(place.file, place.line);
      else tell(mark.advice ?? `${mark.shown} has no clauses in the book.`);
    });
    return true;
  };
  const references = (view: EditorView): boolean => {
    void markAt(view, view.state.selection.main.head).then(async (mark) => {
      if (mark) await listed(mark, await outlines.naming(mark), goTo);
      else tell('No predicate at the cursor. Put the cursor on a name.');
    });
    return true;
  };
  return [
    hoverTooltip(async (view, position) => {
      const mark = await markAt(view, position);
      if (!mark || mark.to > view.state.doc.length) return null;
      const dom = await about(session, outlines, mark);
      return { pos: mark.from, end: mark.to, above: true, create: () => ({ dom }) };
    }),
    keymap.of([{ key: 'F12', run: (view) => jump(view, view.state.selection.main.head), shift: references }]),
    EditorView.domEventHandlers({
      mousedown(event, view) {
        if (!event.ctrlKey && !event.metaKey) return false;
        const position = view.posAtCoords({ x: event.clientX, y: event.clientY });
        if (position === null) return false;
        event.preventDefault();
        return jump(view, position);
      },
    }),
  ];
}

/** What is known of a predicate. */
async function about(session: Session, outlines: Outlines, mark: Mark): Promise<HTMLElement> {
  const indicator = mark.shown;
  const clauses = await outlines.defining(mark);
  const table = tableOf(session, indicator);
  const frame = (call: string, ...parts: (string | undefined)[]) =>
    h(
      'div',
      { class: 'about-predicate' },
      coloured(call),
      ...parts.filter((part) => part !== undefined).map((part) => h('p', {}, part)),
    );
  if (clauses.length > 0) {
    const files = [...Map.groupBy(clauses, ({ file }) => file)].map(([file, all]) => {
      const lines = all.slice(0, 5).map(({ line }) => line);
      return `${file}:${lines.join(', ')}${all.length > lines.length ? ', …' : ''}`;
    });
    const count = clauses.length === 1 ? '1 clause' : `${clauses.length} clauses`;
    const where = `${count}, ${files.join('; ')}. F12 goes there.`;
    return table ? frame(table, where) : frame(indicator, await outlines.comment(mark), where);
  }
  if (table) return frame(table, 'A table of the book.');
  const { builtinOf } = await import('../../../pkg-templates/src/lsp/builtins.ts');
  const builtin = builtinOf(indicator);
  if (builtin) return frame(builtin.mode, builtin.text);
  if (session.hornbook.builtins().includes(indicator)) return frame(indicator, 'Built into SWI-Prolog.');
  return frame(indicator, mark.advice ?? 'Not defined in your book.');
}

/** `orders(id, customer)` for a table of the book. */
function tableOf(session: Session, indicator: string): string | undefined {
  const [name, arity] = [indicator.replace(/\/\d+$/, ''), Number(indicator.split('/').at(-1))];
  const columns = session.hornbook.columns(name);
  return columns.length === arity && arity > 0 ? `${name}(${columns.join(', ')})` : undefined;
}

function listed({ shown }: Mark, places: Place[], goTo: GoTo): Promise<string> {
  return dialog(`${shown}: ${places.length === 1 ? '1 place' : `${places.length} places`}`, (close) => [
    h(
      'ul',
      { class: 'places' },
      ...places.slice(0, MOST).map(({ file, line, text }) =>
        h(
          'li',
          {},
          button(
            `${file}:${line}`,
            () => {
              close();
              goTo(file, line);
            },
            { class: 'quiet' },
          ),
          coloured(text),
        ),
      ),
    ),
    ...(places.length > MOST ? [h('p', { class: 'note' }, `The first ${MOST}.`)] : []),
    h(
      'div',
      { class: 'row end' },
      button('Close', () => close(), { class: 'main' }),
    ),
  ]);
}
