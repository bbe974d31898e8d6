/** Queries in comments: shows their answers beside them, and proofs. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import { promptedGoal } from './prompt.js';
import type { Answers, Ask, Asked, More } from './protocol.js';
import type { Proofs } from './proofs.js';

/** How many characters of the answers are put behind a line; the hover has all of them. */
const MOST = 500;
/** The margin before them, and the least that is shown, in columns. */
const MARGIN = 3;
const LEAST = 30;
/** The width of the side bar, of the edges of an editor, and of its map, as they usually are. */
const SIDE_PX = 350;
const EDGES_PX = 100;
const MAP_PX = 110;

interface Shown extends Asked {
  /** The query to ask for more answers. */
  query: string;
  answers: Answers['answers'];
  more: boolean;
  output: string;
  error?: string;
  faults: string[];
}

export class AnswersBeside implements vscode.Disposable {
  readonly #style = vscode.window.createTextEditorDecorationType({
    after: { margin: `0 0 0 ${MARGIN}ch`, color: new vscode.ThemeColor('editorCodeLens.foreground') },
    rangeBehavior: vscode.DecorationRangeBehavior.ClosedClosed,
  });
  readonly #wrong = vscode.window.createTextEditorDecorationType({
    after: { margin: `0 0 0 ${MARGIN}ch`, color: new vscode.ThemeColor('editorWarning.foreground') },
  });
  /** What is shown in each document. */
  readonly #shown = new Map<string, Shown[]>();
  readonly #subscriptions: vscode.Disposable[];

  constructor(
    private readonly client: () => Promise<BaseLanguageClient>,
    private readonly proofs: Proofs,
  ) {
    this.#subscriptions = [
      this.#style,
      this.#wrong,
      vscode.commands.registerCommand('hornbook.ask', (asked: Asked) => this.#ask(asked)),
      vscode.commands.registerCommand('hornbook.more', (asked: Asked) => this.#more(asked)),
      vscode.commands.registerCommand('hornbook.why', (asked: Asked, answer = 1) => this.proofs.show(asked, answer)),
      vscode.commands.registerCommand('hornbook.askQuery', () => this.#prompt()),
      vscode.commands.registerCommand('hornbook.clearAnswers', () => this.#clear()),
      vscode.workspace.onDidChangeTextDocument(({ document, contentChanges }) => {
        if (contentChanges.length > 0) this.#moved(document, contentChanges);
      }),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#shown.delete(String(uri))),
      vscode.window.onDidChangeVisibleTextEditors(() => this.#draw()),
      vscode.window.tabGroups.onDidChangeTabGroups(() => this.#draw()),
    ];
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  async #ask(asked: Asked): Promise<void> {
    const take = vscode.workspace.getConfiguration('hornbook').get('answers', 10);
    const found = await this.#request<Ask>('hornbook/ask', { uri: asked.uri, goal: asked.goal, take }, asked.goal);
    if (found) this.#show({ ...asked, ...found });
  }

  async #more(asked: Asked): Promise<void> {
    const shown = this.#shown.get(asked.uri)?.find(({ line }) => line === asked.line);
    if (!shown?.more) return;
    const found = await this.#request<More>('hornbook/more', { query: shown.query, take: 100 }, asked.goal);
    if (found) this.#show({ ...shown, ...found, answers: [...shown.answers, ...found.answers], faults: shown.faults });
  }

  /** Undefined if the request was stopped. */
  async #request<P>(method: string, params: P, goal: string): Promise<Answers | undefined> {
    const client = await this.client();
    const options = { location: vscode.ProgressLocation.Notification, title: `?- ${goal}`, cancellable: true };
    const asked = (token: vscode.CancellationToken) => client.sendRequest<Answers>(method, params, token);
    const source = new vscode.CancellationTokenSource();
    const answered = asked(source.token).catch(() => undefined);
    // Most are answered before anybody could want to stop them.
    const soon = await Promise.race([answered, new Promise<'late'>((resolve) => setTimeout(resolve, 1000, 'late'))]);
    if (soon !== 'late') return soon;
    return vscode.window.withProgress(options, (_, token) => {
      token.onCancellationRequested(() => source.cancel());
      return answered;
    });
  }

  async #prompt(): Promise<void> {
    const editor = vscode.window.activeTextEditor;
    if (!editor) return;
    const goal = await promptedGoal('A goal to ask of this file');
    if (goal) await this.#ask({ uri: String(editor.document.uri), goal, line: editor.selection.active.line });
  }

  #show(shown: Shown): void {
    const others = (this.#shown.get(shown.uri) ?? []).filter(({ line }) => line !== shown.line);
    this.#shown.set(shown.uri, [...others, shown]);
    this.#draw();
  }

  #clear(): void {
    this.#shown.clear();
    this.#draw();
  }

  /** Move shown answers with their lines. Drop those that a change of the text may have made wrong. */
  #moved({ uri }: vscode.TextDocument, changes: readonly vscode.TextDocumentContentChangeEvent[]): void {
    const shown = this.#shown.get(String(uri));
    if (!shown) return;
    const kept = shown.filter(({ line }) => changes.every(({ range }) => range.start.line > line));
    this.#shown.set(String(uri), kept);
    if (kept.length < shown.length) this.#draw();
  }

  #draw(): void {
    for (const editor of vscode.window.visibleTextEditors) {
      const shown = this.#shown.get(String(editor.document.uri)) ?? [];
      const drawn = shown
        .filter(({ line }) => line < editor.document.lineCount)
        .map((one) => ({ decoration: decorationOf(one, editor.document), isWrong: one.error !== undefined }));
      editor.setDecorations(
        this.#style,
        drawn.filter(({ isWrong }) => !isWrong).map(({ decoration }) => decoration),
      );
      editor.setDecorations(
        this.#wrong,
        drawn.filter(({ isWrong }) => isWrong).map(({ decoration }) => decoration),
      );
    }
  }
}

function decorationOf(shown: Shown, document: vscode.TextDocument): vscode.DecorationOptions {
  const { end } = document.lineAt(shown.line).range;
  const line = lineOf(shown).replace(/\s+/g, ' ');
  const contentText = line.length > MOST ? `${line.slice(0, MOST - 1)}…` : line;
  return {
    range: new vscode.Range(end, end),
    hoverMessage: hoverOf(shown),
    renderOptions: { after: { contentText, textDecoration: within(end.character + MARGIN) } },
  };
}

/**
 * Style that cuts what is behind `columns` of a line where the editor probably ends. The interface tells no widths, but
 * puts this property into a style sheet as it is.
 */
function within(columns: number): string {
  const besides = new Set(vscode.window.tabGroups.all.map(({ viewColumn }) => viewColumn)).size;
  const hasMap = vscode.workspace.getConfiguration('editor').get('minimap.enabled', true);
  const own = EDGES_PX + (hasMap ? MAP_PX : 0);
  const room = `calc((100vw - ${SIDE_PX}px) / ${Math.max(1, besides)} - ${own}px - ${columns}ch)`;
  return `none; display: inline-block; max-width: max(${LEAST}ch, ${room}); overflow: hidden; text-overflow: ellipsis; white-space: pre; vertical-align: bottom`;
}

/** The answers on one line. */
function lineOf({ answers, more, error, output }: Shown): string {
  const texts = answers.map(({ text }) => text);
  const end = error !== undefined ? [error] : more ? ['…'] : texts.length === 0 ? ['false'] : [];
  const written = [...answers.map((answer) => answer.output), output].join('').trim();
  return `→ ${[...texts, ...end].join('  ;  ')}${written ? `   ⟪${written}⟫` : ''}`;
}

function hoverOf(shown: Shown): vscode.MarkdownString {
  const { answers, more, error, output, faults, uri, goal, line } = shown;
  const asked: Asked = { uri, goal, line };
  const link = (title: string, command: string, ...args: unknown[]) =>
    `[${title}](command:${command}?${encodeURIComponent(JSON.stringify([asked, ...args]))})`;
  const text = new vscode.MarkdownString('', true);
  text.isTrusted = { enabledCommands: ['hornbook.why', 'hornbook.more', 'hornbook.pin'] };
  for (const [index, answer] of answers.entries()) {
    if (answer.output) text.appendCodeblock(answer.output, 'text');
    text.appendCodeblock(answer.text, 'prolog');
    text.appendMarkdown(`${link('Why?', 'hornbook.why', index + 1)}\n\n`);
  }
  if (output) text.appendCodeblock(output, 'text');
  if (error !== undefined) text.appendText(error);
  else if (more) text.appendMarkdown(link('More answers', 'hornbook.more'));
  else text.appendMarkdown(answers.length === 0 ? 'No answer.' : 'No more answers.');
  text.appendMarkdown(`\n\n${link('Pin: show its answers as files change', 'hornbook.pin')}`);
  if (faults.length > 0) text.appendText(`\n\nNot in the book: ${faults.join('; ')}`);
  return text;
}
