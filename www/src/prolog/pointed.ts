/** The line of a text that something else, such as a proof or a run, points to. */
import { StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';

/** The start of the line; undefined for none. */
const pointTo = StateEffect.define<number | undefined>();

/** Editing the text removes the mark. */
export const pointed = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(lines, transaction) {
    for (const effect of transaction.effects)
      if (effect.is(pointTo))
        return effect.value === undefined
          ? Decoration.none
          : Decoration.set([Decoration.line({ class: 'cm-pointed' }).range(effect.value)]);
    return transaction.docChanged ? Decoration.none : lines;
  },
  provide: (field) => EditorView.decorations.from(field),
});

/** Point to a line, from 1, or to none, without taking the focus. */
export function point(view: EditorView, line: number | undefined): void {
  if (line === undefined) {
    view.dispatch({ effects: pointTo.of(undefined) });
    return;
  }
  const { doc } = view.state;
  const { from } = doc.line(Math.min(line, doc.lines));
  view.dispatch({
    selection: { anchor: from },
    effects: [pointTo.of(from), EditorView.scrollIntoView(from, { y: 'center' })],
  });
}
