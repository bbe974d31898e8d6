/**
 * Pinned queries and drafts of a book of the workspace, or of the server whose book its agents use: as in the playground,
 * the book as the editor's Node opens it.
 */
import { userInfo } from 'node:os';
import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import type { ReviewDesk } from '../../../pkg/book/desk.js';
import type { Watch, WatchedStep } from '../../../pkg/full/hornbook.js';
import type { Book } from '../../../pkg/index.js';
import { isServed } from '../../../pkg/served-store.js';
import { Kept } from './kept.js';
import { pageOf } from './page.js';
import { promptedGoal } from './prompt.js';
import { DESK_CALLS, type FromView, type ToView } from './view/messages.js';

const TYPE = 'hornbook.review';
const MOST_BOOKS = 100;

export class ReviewView implements vscode.Disposable {
  /** The books that are reviewed, by their addresses. */
  readonly #reviews = new Map<string, BookReview>();
  readonly #commands: vscode.Disposable[];

  constructor(private readonly context: vscode.ExtensionContext) {
    const told = (error: Error) => void vscode.window.showErrorMessage(error.message);
    this.#commands = [
      vscode.commands.registerCommand('hornbook.review', (uri?: vscode.Uri) => this.#review(uri).catch(told)),
      vscode.commands.registerCommand('hornbook.pinInBook', (uri?: vscode.Uri) => this.#pin(uri).catch(told)),
    ];
  }

  dispose(): void {
    for (const command of this.#commands) command.dispose();
    for (const review of this.#reviews.values()) review.panel.dispose();
  }

  /** Show a book. */
  async #review(given: vscode.Uri | undefined): Promise<BookReview | undefined> {
    const uri = given ?? (await chosenBook());
    if (!uri) return undefined;
    const key = String(uri);
    const open = this.#reviews.get(key);
    open?.panel.reveal();
    if (open) return open;
    const review = await BookReview.open(this.context, uri);
    this.#reviews.set(key, review);
    review.panel.onDidDispose(() => {
      this.#reviews.delete(key);
      void review.close();
    });
    return review;
  }

  async #pin(given: vscode.Uri | undefined): Promise<void> {
    const uri = given ?? (await chosenBook());
    const goal = uri && (await promptedGoal(`A goal whose answers are shown as ${nameOf(uri)} changes`));
    if (goal) (await this.#review(uri))?.pin(goal);
  }
}

/** The only book of the workspace, or the one that the person chooses. */
async function chosenBook(): Promise<vscode.Uri | undefined> {
  const books = await vscode.workspace.findFiles('**/*.book', '**/node_modules/**', MOST_BOOKS);
  const agents = vscode.workspace.getConfiguration('hornbook.agents').get('book', '').trim();
  if (isServed(agents)) books.unshift(vscode.Uri.parse(agents));
  if (books.length === 0) {
    const next = 'An agent keeps one with `hornbook --book FILE --review`.';
    void vscode.window.showInformationMessage(`This workspace has no book (.book). ${next}`);
    return undefined;
  }
  if (books.length === 1) return books[0];
  const items = books.map((uri) => ({ label: nameOf(uri), uri }));
  return (await vscode.window.showQuickPick(items, { title: 'Which book?' }))?.uri;
}

/** What people call a book: its path in the workspace, or its address. */
const nameOf = (uri: vscode.Uri): string =>
  uri.scheme === 'file' ? vscode.workspace.asRelativePath(uri) : uri.toString(true);

/** A book that is reviewed in a panel. */
class BookReview {
  readonly panel: vscode.WebviewPanel;
  readonly #kept: Kept;
  /** The goals that the page watches, by its ids. */
  readonly #watches = new Map<number, Watch>();
  /** What the page pins when it has loaded; undefined once it has. */
  #toPin: string[] | undefined = [];

  private constructor(
    { extensionUri: extension, workspaceState }: vscode.ExtensionContext,
    uri: vscode.Uri,
    private readonly book: Book,
    private readonly desk: ReviewDesk,
  ) {
    this.#kept = new Kept(workspaceState, `hornbook.review ${uri}`);
    this.panel = vscode.window.createWebviewPanel(TYPE, `Review: ${nameOf(uri)}`, vscode.ViewColumn.Active, {
      enableScripts: true,
      retainContextWhenHidden: true,
      localResourceRoots: [vscode.Uri.joinPath(extension, 'dist')],
    });
    const { webview } = this.panel;
    webview.onDidReceiveMessage((message: FromView) => void this.#take(message));
    // Agents change it in processes of their own.
    const changed = () => this.#say({ kind: 'changed' });
    book.hornbook.onChange(changed);
    book.hornbook.onCells(changed);
    webview.html = pageOf(webview, extension, 'review');
  }

  static async open(context: vscode.ExtensionContext, uri: vscode.Uri): Promise<BookReview> {
    const at = (...path: string[]) =>
      pathToFileURL(vscode.Uri.joinPath(context.extensionUri, 'server', ...path).fsPath).href;
    const { openBook } = (await import(at('index.js'))) as typeof import('../../../pkg/index.js');
    const { ReviewDesk } = (await import(at('book', 'desk.js'))) as typeof import('../../../pkg/book/desk.js');
    const book = await openBook({ path: uri.scheme === 'file' ? uri.fsPath : uri.toString(true), roots: [] });
    return new BookReview(context, uri, book, new ReviewDesk(book));
  }

  async close(): Promise<void> {
    this.#unwatchAll();
    await this.desk.close();
    await this.book.close();
  }

  /** Pin a goal in the page. */
  pin(goal: string): void {
    if (this.#toPin) this.#toPin.push(goal);
    else this.#say({ kind: 'pin', goal });
  }

  #unwatchAll(): void {
    for (const watch of this.#watches.values()) watch.free();
    this.#watches.clear();
  }

  #say(message: ToView): void {
    void this.panel.webview.postMessage(message);
  }

  async #take(message: FromView): Promise<void> {
    switch (message.kind) {
      case 'ready':
        // A page that is loaded anew watches anew.
        this.#unwatchAll();
        this.#say({ kind: 'begin', kept: this.#kept.texts });
        for (const goal of this.#toPin ?? []) this.#say({ kind: 'pin', goal });
        this.#toPin = undefined;
        return;
      case 'keep':
        return this.#kept.keep(message.name, message.text);
      case 'watch': {
        const { id, goal } = message;
        const watch = this.book.hornbook.watch(goal, (step: WatchedStep) => this.#say({ kind: 'watched', id, step }));
        this.#watches.set(id, watch);
        return;
      }
      case 'unwatch':
        this.#watches.get(message.id)?.free();
        this.#watches.delete(message.id);
        return;
      case 'goTo':
        return goTo(message.file, message.line);
      case 'call':
        return this.#call(message);
    }
  }

  async #call({ id, method, args }: Extract<FromView, { kind: 'call' }>): Promise<void> {
    if (!DESK_CALLS.includes(method)) return;
    // Whoever decides is the person at this machine.
    if (method === 'decide') args[2] = { ...(args[2] as object), by: userInfo().username };
    try {
      const call = this.desk[method] as (...args: unknown[]) => Promise<unknown>;
      this.#say({ kind: 'result', id, value: await call.apply(this.desk, args) });
    } catch (error) {
      this.#say({ kind: 'refused', id, message: (error as Error).message });
    }
    if (method === 'decide') this.#say({ kind: 'changed' });
  }
}

/** Show a line of a file that the book has, if the workspace has it too. */
async function goTo(file: string, line: number): Promise<void> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const at = new vscode.Position(line - 1, 0);
  for (const { uri } of folders) {
    try {
      await vscode.window.showTextDocument(vscode.Uri.joinPath(uri, file), {
        viewColumn: vscode.ViewColumn.Beside,
        selection: new vscode.Range(at, at),
      });
      return;
    } catch {
      // It is not in this folder.
    }
  }
  void vscode.window.showInformationMessage(`${file} is in the book, and not in this workspace.`);
}
