/** The editor of a file: underlines SWI-Prolog's own errors while you type, and completes its names. */
import { autocompletion, closeBrackets, closeBracketsKeymap, completionKeymap } from '@codemirror/autocomplete';
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language';
import {
  forEachDiagnostic,
  lintGutter,
  lintKeymap,
  nextDiagnostic,
  setDiagnostics,
  type Diagnostic,
} from '@codemirror/lint';
import { highlightSelectionMatches, search, searchKeymap } from '@codemirror/search';
import { Compartment, EditorState, type Extension, type Transaction } from '@codemirror/state';
import {
  EditorView,
  drawSelection,
  highlightActiveLine,
  highlightActiveLineGutter,
  keymap,
  placeholder,
} from '@codemirror/view';
import { atItsCause } from '../../../pkg-templates/src/lsp/cause.ts';
import { Signal, asSentence, debounced, sentence, tell } from '../dom.ts';
import { oddInEditor } from '../odd.ts';
import { goalAt } from '../prolog/at.ts';
import { completion } from '../prolog/completion.ts';
import { prologColours } from '../prolog/highlight.ts';
import { breakpoints } from '../prolog/breakpoints.ts';
import { clauses } from '../prolog/language.ts';
import { point, pointed } from '../prolog/pointed.ts';
import type { Book } from './book.ts';
import type { Outlines } from './outlines.ts';
import { isTables } from '../tables/facts.ts';
import { looksLikeTable } from '../tables/pasted.ts';
import { repairOf } from './problems.ts';

/** How long to wait after the last keystroke before checking the text, in milliseconds. */
const PAUSE_MS = 250;

export class Editor {
  readonly view: EditorView;
  /** The shown text was checked. */
  readonly checked = new Signal<Diagnostic[]>();
  /** The goal at the cursor is to be run. */
  readonly asks = new Signal<string>();
  /** A table was pasted as text: the text, and a function that takes it out again; it returns whether it could. */
  readonly pasted = new Signal<{ text: string; takeBack: () => boolean }>();
  #book: Book;
  #outlines: Outlines;
  #editable = new Compartment();
  #shown: string | undefined;
  #states = new Map<string, EditorState>();
  #version = 0;
  /** Of all texts, and of those that are clauses. */
  #extensions: Extension;
  #prolog: Extension;

  constructor(book: Book, outlines: Outlines, helping: Extension) {
    this.#book = book;
    this.#outlines = outlines;
    const check = debounced(PAUSE_MS, () => void this.check());
    this.#prolog = [
      breakpoints((lines) => this.#shown !== undefined && book.stops.set(this.#shown, lines)),
      lintGutter(),
      clauses,
      prologColours,
      pointed,
      helping,
      autocompletion({ override: [completion(book.session, outlines, () => book.active)], icons: false }),
    ];
    this.#extensions = [
      oddInEditor,
      history(),
      drawSelection(),
      EditorView.lineWrapping,
      // As the clauses of the examples and of SWI-Prolog's own library are indented.
      indentUnit.of('    '),
      indentOnInput(),
      bracketMatching(),
      closeBrackets(),
      highlightActiveLine(),
      highlightActiveLineGutter(),
      highlightSelectionMatches(),
      search({ top: true }),
      placeholder(
        'Write facts and rules, such as  parent(tom, bob).  Or drop .pl files, tables (.csv, .json, .xlsx) and texts here.',
      ),
      keymap.of([
        { key: 'F8', run: nextDiagnostic },
        { key: 'Mod-Enter', run: () => this.#ask() },
        ...closeBracketsKeymap,
        ...completionKeymap,
        ...lintKeymap,
        ...searchKeymap,
        ...historyKeymap,
        ...defaultKeymap,
      ]),
      EditorView.contentAttributes.of({ 'aria-label': 'Clauses', spellcheck: 'false', tabindex: '0' }),
      EditorView.updateListener.of((update) => {
        if (!update.docChanged) return;
        this.#version += 1;
        for (const transaction of update.transactions)
          if (transaction.isUserEvent('input.paste')) this.#lookAtPasted(transaction);
        if (!update.transactions.some((transaction) => transaction.isUserEvent('show')))
          book.edit(update.state.doc.toString());
        check();
      }),
      this.#editable.of([]),
    ];
    this.view = new EditorView({ state: this.#state('') });
    book.textChanged.on(() => this.#show());
    book.tabsChanged.on(() => this.#show());
  }

  #state(text: string, isDocument = false): EditorState {
    return EditorState.create({
      doc: text,
      extensions: isDocument ? this.#extensions : [this.#prolog, this.#extensions],
    });
  }

  /** Show the active file. Each file has its own undo history. */
  #show(): void {
    const tab = this.#book.current;
    const text = this.#book.text();
    for (const name of this.#states.keys())
      if (!this.#book.tabs.some((other) => other.name === name)) this.#states.delete(name);
    // Typing creates the first file, so the editor already shows its text.
    const typed =
      this.#shown === undefined &&
      tab !== undefined &&
      !this.#states.has(tab.name) &&
      this.view.state.doc.toString() === text;
    if (typed) this.#shown = tab.name;
    if (this.#shown !== tab?.name) {
      if (this.#shown !== undefined) this.#states.set(this.#shown, this.view.state);
      this.#shown = tab?.name;
      const kept = tab && this.#states.get(tab.name);
      this.view.setState(kept ?? this.#state(text, tab?.isDocument));
      this.#version += 1;
    }
    if (this.view.state.doc.toString() !== text) {
      const length = this.view.state.doc.length;
      this.view.dispatch({ changes: { from: 0, to: length, insert: text }, userEvent: 'show' });
    }
    const locked = tab?.readOnly ?? false;
    this.view.dispatch({
      effects: this.#editable.reconfigure([EditorState.readOnly.of(locked), EditorView.editable.of(!locked)]),
    });
    void this.check();
  }

  /** Ask SWI-Prolog for problems in the text. */
  async check(): Promise<void> {
    const version = this.#version;
    const text = this.view.state.doc.toString();
    const tab = this.#book.current;
    // The facts of a table are written by the import.
    const isRight = !tab || tab.readOnly || tab.isDocument || (tab.draft === undefined && isTables(text));
    const problems = isRight ? [] : await this.#problems(tab.name, text);
    if (version !== this.#version || text !== this.view.state.doc.toString()) return;
    this.view.dispatch(setDiagnostics(this.view.state, problems));
    this.checked.send(problems);
  }

  async #problems(file: string, text: string): Promise<Diagnostic[]> {
    try {
      const { home, modules } = await this.#outlines.around(file);
      const found = await this.#book.session.hornbook.check(text, home, modules, file);
      const at = (place: number) => Math.min(place, text.length);
      return found
        .map((problem) => atItsCause(problem, text))
        .map((problem) => ({
          from: at(problem.start),
          to: at(problem.end),
          severity: problem.severity,
          message: asSentence(problem.message),
          source: 'SWI-Prolog',
          actions: [repairOf(problem, text)]
            .filter((repair) => repair !== undefined)
            .map(({ label, insert, instead, before = 0 }) => ({
              name: label,
              // The text may have changed since: use the current positions.
              apply: (view: EditorView, from: number, to: number) => {
                const at = from - before;
                const changes = instead === undefined ? { from: to, insert } : { from: at, to: at + instead, insert };
                view.dispatch({ changes, userEvent: 'input.repair' });
                // Its button goes, and the focus with it.
                view.focus();
              },
            })),
        }));
    } catch (error) {
      return [{ from: 0, to: 0, severity: 'error', message: sentence(error) }];
    }
  }

  #lookAtPasted({ changes }: Transaction): void {
    changes.iterChanges((_from, _to, from, to, inserted) => {
      const text = inserted.toString();
      if (!looksLikeTable(text)) return;
      const file = this.#shown;
      const takeBack = () => {
        const { doc } = this.view.state;
        const whole = doc.toString();
        const first = whole.indexOf(text);
        // What was typed before it has moved it.
        const at = doc.sliceString(from, to) === text ? from : first === whole.lastIndexOf(text) ? first : -1;
        if (this.#shown !== file || at < 0) return false;
        this.view.dispatch({ changes: { from: at, to: at + text.length }, userEvent: 'delete' });
        return true;
      };
      this.pasted.send({ text, takeBack });
    });
  }

  #ask(): boolean {
    const { doc, selection } = this.view.state;
    const goal = goalAt(doc.toString(), selection.main.from, selection.main.to);
    if (goal) this.asks.send(goal);
    else tell('No clause at the cursor. Put the cursor in a clause, then ask again.', 'error');
    return true;
  }

  /** Do something that resizes the editor, and keep the cursor in view if it was. */
  keepCursor(work: () => void): void {
    const { view } = this;
    const cursor = view.hasFocus && view.coordsAtPos(view.state.selection.main.head);
    const frame = view.scrollDOM.getBoundingClientRect();
    work();
    if (cursor && cursor.top >= frame.top && cursor.bottom <= frame.bottom)
      view.dispatch({ effects: EditorView.scrollIntoView(view.state.selection.main.head) });
  }

  /** Apply one of a problem's repairs, at its current position. */
  repair(problem: Diagnostic, apply: (view: EditorView, from: number, to: number) => void): void {
    let place: [number, number] | undefined;
    forEachDiagnostic(this.view.state, (one, from, to) => {
      if (one === problem) place = [from, to];
    });
    if (place) apply(this.view, ...place);
  }

  /** Put the cursor at a position, and scroll to it. */
  goTo(position: number): void {
    const at = Math.min(position, this.view.state.doc.length);
    this.view.dispatch({ selection: { anchor: at }, effects: EditorView.scrollIntoView(at, { y: 'center' }) });
    this.view.focus();
  }

  /** Point to a line, from 1. */
  point(line: number): void {
    point(this.view, line);
  }
}
