/** Breakpoints, at which a replay stops: clicking a line number, or F9, toggles one. */
import { type EditorState, type Extension, RangeSet, StateEffect, StateField } from '@codemirror/state';
import { type Command, EditorView, GutterMarker, gutterLineClass, keymap, lineNumbers } from '@codemirror/view';

/** The start of the line. */
const toggled = StateEffect.define<number>();

const stop = new (class extends GutterMarker {
  override elementClass = 'cm-stop';
})();

const stops = StateField.define<RangeSet<GutterMarker>>({
  create: () => RangeSet.empty,
  update(before, { changes, effects }) {
    let all = before.map(changes);
    for (const effect of effects) {
      if (!effect.is(toggled)) continue;
      const at = effect.value;
      const { size } = all;
      all = all.update({ filter: (from) => from !== at });
      if (all.size === size) all = all.update({ add: [stop.range(at)] });
    }
    return all;
  },
  provide: (field) => gutterLineClass.from(field),
});

const toggle: Command = (view) => {
  const { from } = view.state.doc.lineAt(view.state.selection.main.head);
  view.dispatch({ effects: toggled.of(from) });
  return true;
};

/** Clickable line numbers; `changed` receives the lines, from 1. */
export function breakpoints(changed: (lines: number[]) => void): Extension {
  return [
    stops,
    lineNumbers({
      domEventHandlers: {
        mousedown(view, { from }) {
          view.dispatch({ effects: toggled.of(from) });
          return true;
        },
      },
    }),
    keymap.of([{ key: 'F9', run: toggle }]),
    EditorView.updateListener.of(({ state, startState }) => {
      if (state.field(stops) !== startState.field(stops)) changed(linesOf(state));
    }),
  ];
}

function linesOf(state: EditorState): number[] {
  const lines: number[] = [];
  for (const cursor = state.field(stops).iter(); cursor.value; cursor.next())
    lines.push(state.doc.lineAt(cursor.from).number);
  return lines;
}
