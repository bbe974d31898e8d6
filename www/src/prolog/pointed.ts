/** The line of a text that something else points to, as a proof or a run does. */
import { StateEffect, StateField } from '@codemirror/state';
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view';

/** The begin of the line; undefined for none. */
const pointTo = StateEffect.define<number | undefined>();

/** A change of the text takes the mark away. */
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

/** Point to a line, from 1, or to none, without taking the keys. */
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
