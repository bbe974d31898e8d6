/** Reviews the drafts of a book of the workspace: the playground's list, and the book as the editor's Node opens it. */
import { userInfo } from 'node:os';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import * as vscode from 'vscode';
import type { ReviewDesk } from '../../../pkg/book/desk.js';
import type { Book } from '../../../pkg/index.js';
import { pageOf } from './page.js';
import { DESK_CALLS, type FromView, type ToView } from './view/messages.js';

const TYPE = 'hornbook.review';
const MOST_BOOKS = 100;

export class ReviewView implements vscode.Disposable {
  /** The books that are reviewed, by their addresses. */
  readonly #reviews = new Map<string, BookReview>();
  readonly #command: vscode.Disposable;

  constructor(private readonly context: vscode.ExtensionContext) {
    this.#command = vscode.commands.registerCommand('hornbook.review', (uri?: vscode.Uri) =>
      this.#review(uri).catch((error: Error) => vscode.window.showErrorMessage(error.message)),
    );
  }

  dispose(): void {
    this.#command.dispose();
    for (const review of this.#reviews.values()) review.panel.dispose();
  }

  async #review(given: vscode.Uri | undefined): Promise<void> {
    const uri = given ?? (await chosenBook());
    if (!uri) return;
    const key = String(uri);
    const open = this.#reviews.get(key);
    if (open) return open.panel.reveal();
    const review = await BookReview.open(this.context.extensionUri, uri);
    this.#reviews.set(key, review);
    review.panel.onDidDispose(() => {
      this.#reviews.delete(key);
      void review.close();
    });
  }
}

/** The only book of the workspace, or the one that the person chooses. */
async function chosenBook(): Promise<vscode.Uri | undefined> {
  const books = await vscode.workspace.findFiles('**/*.book', '**/node_modules/**', MOST_BOOKS);
  if (books.length === 0) {
    const next = 'An agent keeps one with `hornbook --book FILE --review`.';
    void vscode.window.showInformationMessage(`This workspace has no book (.book). ${next}`);
    return undefined;
  }
  if (books.length === 1) return books[0];
  const items = books.map((uri) => ({ label: vscode.workspace.asRelativePath(uri), uri }));
  return (await vscode.window.showQuickPick(items, { title: 'Review which book?' }))?.uri;
}

/** A book that is reviewed in a panel. */
class BookReview {
  readonly panel: vscode.WebviewPanel;
  readonly #watcher: vscode.FileSystemWatcher;

  private constructor(
    extension: vscode.Uri,
    uri: vscode.Uri,
    private readonly book: Book,
    private readonly desk: ReviewDesk,
  ) {
    const name = vscode.workspace.asRelativePath(uri);
    this.panel = vscode.window.createWebviewPanel(TYPE, `Review: ${name}`, vscode.ViewColumn.Active, {
      enableScripts: true,
      retainContextWhenHidden: true,
      localResourceRoots: [vscode.Uri.joinPath(extension, 'dist')],
    });
    const { webview } = this.panel;
    webview.onDidReceiveMessage((message: FromView) => void this.#take(message));
    // Agents write to the file in processes of their own.
    this.#watcher = vscode.workspace.createFileSystemWatcher(
      new vscode.RelativePattern(vscode.Uri.joinPath(uri, '..'), basename(uri.fsPath)),
    );
    this.#watcher.onDidChange(() => this.#say({ kind: 'changed' }));
    webview.html = pageOf(webview, extension, 'review');
  }

  static async open(extension: vscode.Uri, uri: vscode.Uri): Promise<BookReview> {
    const at = (...path: string[]) => pathToFileURL(vscode.Uri.joinPath(extension, 'server', ...path).fsPath).href;
    const { openBook } = (await import(at('index.js'))) as typeof import('../../../pkg/index.js');
    const { ReviewDesk } = (await import(at('book', 'desk.js'))) as typeof import('../../../pkg/book/desk.js');
    const book = await openBook({ path: uri.fsPath, roots: [] });
    return new BookReview(extension, uri, book, new ReviewDesk(book));
  }

  async close(): Promise<void> {
    this.#watcher.dispose();
    await this.desk.close();
    await this.book.close();
  }

  #say(message: ToView): void {
    void this.panel.webview.postMessage(message);
  }

  async #take(message: FromView): Promise<void> {
    if (message.kind === 'goTo') return goTo(message.file, message.line);
    if (message.kind !== 'call' || !DESK_CALLS.includes(message.method)) return;
    const { id, method, args } = message;
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
