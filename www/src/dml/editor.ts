/** The editor of a program, which underlines what `hornbook check` finds. */
import { closeBrackets, closeBracketsKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching } from '@codemirror/language';
import { lintGutter, lintKeymap, nextDiagnostic, setDiagnostics, type Diagnostic } from '@codemirror/lint';
import { EditorState, type Text } from '@codemirror/state';
import { EditorView, drawSelection, keymap } from '@codemirror/view';
import type { Finding } from '../../../pkg/dml.js';
import { oddInEditor } from '../odd.ts';
import { breakpoints } from '../prolog/breakpoints.ts';
import { prologColours } from '../prolog/highlight.ts';
import { clauses } from '../prolog/language.ts';
import { point, pointed } from '../prolog/pointed.ts';

export class ProgramEditor {
  readonly view: EditorView;
  #stops: number[] = [];

  constructor(changed: () => void) {
    this.view = new EditorView({
      state: EditorState.create({
        extensions: [
          breakpoints((lines) => (this.#stops = lines)),
          lintGutter(),
          oddInEditor,
          history(),
          drawSelection(),
          bracketMatching(),
          closeBrackets(),
          clauses,
          prologColours,
          pointed,
          EditorView.lineWrapping,
          EditorView.contentAttributes.of({ 'aria-label': 'Program', spellcheck: 'false', tabindex: '0' }),
          EditorView.updateListener.of((update) => update.docChanged && changed()),
          keymap.of([
            { key: 'F8', run: nextDiagnostic },
            ...closeBracketsKeymap,
            ...lintKeymap,
            ...historyKeymap,
            ...defaultKeymap,
          ]),
        ],
      }),
    });
  }

  get text(): string {
    return this.view.state.doc.toString();
  }

  set text(text: string) {
    this.view.dispatch({ changes: { from: 0, to: this.view.state.doc.length, insert: text } });
  }

  /** The lines with breakpoints, from 1. */
  get stops(): readonly number[] {
    return this.#stops;
  }

  underline(findings: Finding[]): void {
    const { doc } = this.view.state;
    const diagnostics: Diagnostic[] = findings.map((finding) => {
      const from = placeOf(doc, finding);
      const word = /^[\p{L}\p{N}_]+/u.exec(doc.sliceString(from, from + 200))?.[0].length ?? 1;
      return {
        from,
        to: Math.min(from + word, doc.length),
        severity: 'error',
        message: finding.message,
        source: 'hornbook check',
      };
    });
    this.view.dispatch(setDiagnostics(this.view.state, diagnostics));
  }

  /** Put the cursor at a place, and scroll to it. */
  goTo(finding: Pick<Finding, 'line' | 'column'>): void {
    const at = placeOf(this.view.state.doc, finding);
    this.view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
    this.view.focus();
  }

  /** Point to a line, from 1, or to none. */
  point(line: number | undefined): void {
    point(this.view, line);
  }
}

/** Columns count code points; positions are UTF-16 units. */
function placeOf(doc: Text, { line, column }: Pick<Finding, 'line' | 'column'>): number {
  const { from, text } = doc.line(Math.min(line, doc.lines));
  return from + [...text].slice(0, column).join('').length;
}
