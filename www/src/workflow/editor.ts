/** The editor of a workflow: its YAML, with errors underlined. */
import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands';
import { yaml } from '@codemirror/lang-yaml';
import { HighlightStyle, bracketMatching, syntaxHighlighting } from '@codemirror/language';
import { lintGutter, lintKeymap, setDiagnostics } from '@codemirror/lint';
import { EditorState, StateEffect, StateField } from '@codemirror/state';
import { Decoration, EditorView, drawSelection, keymap, lineNumbers, type DecorationSet } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { oddInEditor } from '../odd.ts';
import type { Flaw, Lines } from './runner.ts';

const colours = HighlightStyle.define([
  { tag: tags.comment, class: 'pl-comment' },
  { tag: tags.definition(tags.propertyName), class: 'pl-functor' },
  { tag: tags.propertyName, class: 'pl-functor' },
  { tag: [tags.string, tags.special(tags.string)], class: 'pl-string' },
  { tag: tags.number, class: 'pl-number' },
  { tag: [tags.punctuation, tags.separator, tags.squareBracket, tags.brace], class: 'pl-bracket' },
]);

/** The lines of the selected node. */
const mark = StateEffect.define<Lines | undefined>();
const marked = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(lines, transaction) {
    let next = lines.map(transaction.changes);
    for (const effect of transaction.effects) {
      if (!effect.is(mark)) continue;
      const { doc } = transaction.state;
      const all = [];
      if (effect.value)
        for (let line = effect.value.from; line <= Math.min(effect.value.to, doc.lines); line += 1)
          all.push(Decoration.line({ class: 'cm-of-node' }).range(doc.line(line).from));
      next = Decoration.set(all);
    }
    return next;
  },
  provide: (field) => EditorView.decorations.from(field),
});

export class YamlEditor {
  readonly view: EditorView;

  /** @param moved called with the line of the cursor, from 1, when a person moved it */
  constructor(changed: () => void, moved: (line: number) => void) {
    this.view = new EditorView({
      state: EditorState.create({
        extensions: [
          lineNumbers(),
          lintGutter(),
          oddInEditor,
          history(),
          drawSelection(),
          EditorView.lineWrapping,
          bracketMatching(),
          closeBrackets(),
          yaml(),
          syntaxHighlighting(colours),
          marked,
          EditorView.contentAttributes.of({ 'aria-label': 'Workflow', spellcheck: 'false', tabindex: '0' }),
          EditorView.updateListener.of((update) => {
            if (update.docChanged) changed();
            else if (update.selectionSet && update.transactions.some((one) => one.isUserEvent('select')))
              moved(update.state.doc.lineAt(update.state.selection.main.head).number);
          }),
          keymap.of([...closeBracketsKeymap, ...lintKeymap, ...historyKeymap, ...defaultKeymap, indentWithTab]),
        ],
      }),
    });
    this.view.scrollDOM.tabIndex = -1;
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  set text(text: string) {
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
  }

  get lines(): number {
    return this.view.state.doc.lines;
  }

  /** Underline a flaw; undefined removes the underline. */
  underline(flaw: Flaw | undefined): void {
    const { doc } = this.view.state;
    const all = flaw ? [flaw] : [];
    const diagnostics = all.map(({ line, column, message }) => {
      const at = doc.line(Math.min(Math.max(line, 1), doc.lines));
      const from = Math.min(at.from + column, at.to);
      return { from, to: Math.max(from, at.to), severity: 'error' as const, message };
    });
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics));
  }

  /** Mark these lines, and show the first; undefined removes the mark. */
  mark(lines: Lines | undefined, show: boolean): void {
    const { doc } = this.view.state;
    const effects: StateEffect<unknown>[] = [mark.of(lines)];
    if (lines && show)
      effects.push(
        EditorView.scrollIntoView(doc.line(Math.min(lines.from, doc.lines)).from, { y: 'start', yMargin: 20 }),
      );
    this.view.dispatch({ effects });
  }

  /** `line` from 1, `column` from 0. */
  goTo(line: number, column: number): void {
    const { doc } = this.view.state;
    const at = doc.line(Math.min(line, doc.lines));
    const anchor = Math.min(at.from + column, at.to);
    this.view.dispatch({ selection: { anchor }, effects: EditorView.scrollIntoView(anchor, { y: 'center' }) });
    this.view.focus();
  }
}
