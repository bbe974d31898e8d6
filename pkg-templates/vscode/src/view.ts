/** The queries, proofs and history of the playground beside the editor, on the files that are open. */
import * as vscode from 'vscode';
import type { FromView, ToView } from './view/messages.js';

const TYPE = 'hornbook.queries';
/** Milliseconds without a key before the page gets a text. */
const PAUSE_MS = 300;

export class QueriesView implements vscode.Disposable {
  #panel: vscode.WebviewPanel | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The texts by the names that the page has of them. */
  #uris = new Map<string, vscode.Uri>();
  readonly #subscriptions: vscode.Disposable[];

  constructor(private readonly context: vscode.ExtensionContext) {
    const later = () => this.#later();
    this.#subscriptions = [
      vscode.commands.registerCommand('hornbook.openQueries', () => this.#open()),
      vscode.window.registerWebviewPanelSerializer(TYPE, {
        deserializeWebviewPanel: async (panel) => this.#fill(panel),
      }),
      vscode.workspace.onDidChangeTextDocument(later),
      vscode.workspace.onDidOpenTextDocument(later),
      vscode.workspace.onDidCloseTextDocument(later),
      vscode.window.onDidChangeActiveTextEditor(later),
    ];
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  #open(): void {
    if (this.#panel) {
      this.#panel.reveal(undefined, true);
      return;
    }
    const place = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
    this.#fill(vscode.window.createWebviewPanel(TYPE, 'Prolog queries', place, { retainContextWhenHidden: true }));
  }

  #fill(panel: vscode.WebviewPanel): void {
    this.#panel = panel;
    const root = this.context.extensionUri;
    const { webview } = panel;
    webview.options = {
      enableScripts: true,
      localResourceRoots: [vscode.Uri.joinPath(root, 'dist'), vscode.Uri.joinPath(root, 'server')],
    };
    webview.onDidReceiveMessage((message: FromView) => {
      if (message.kind === 'ready') this.#send();
      else void this.#goTo(message.file, message.line);
    });
    panel.onDidDispose(() => (this.#panel = undefined));
    webview.html = this.#html(webview);
  }

  /** Nothing comes from elsewhere: scripts by their nonce, the engine's files from this extension, workers from blobs. */
  #html(webview: vscode.Webview): string {
    const at = (...path: string[]) => webview.asWebviewUri(vscode.Uri.joinPath(this.context.extensionUri, ...path));
    const nonce = crypto.randomUUID().replaceAll('-', '');
    const { cspSource } = webview;
    const policy = [
      "default-src 'none'",
      `script-src 'nonce-${nonce}' 'wasm-unsafe-eval'`,
      'worker-src blob:',
      `style-src ${cspSource} 'unsafe-inline'`,
      `img-src ${cspSource} data:`,
      `connect-src ${cspSource}`,
      "base-uri 'none'",
      "form-action 'none'",
    ];
    return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8" />
    <meta http-equiv="Content-Security-Policy" content="${policy.join('; ')}" />
    <link rel="stylesheet" href="${at('dist', 'view.css')}" />
    <title>Prolog queries</title>
  </head>
  <body data-server="${at('server')}/">
    <div id="app"></div>
    <script nonce="${nonce}" src="${at('dist', 'view.js')}"></script>
  </body>
</html>`;
  }

  #later(): void {
    if (!this.#panel) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#send(), PAUSE_MS);
  }

  #send(): void {
    const documents = vscode.workspace.textDocuments.filter(({ languageId }) => languageId === 'prolog');
    this.#uris = new Map(documents.map(({ uri }) => [vscode.workspace.asRelativePath(uri), uri]));
    const files = documents.map((document) => ({
      name: vscode.workspace.asRelativePath(document.uri),
      text: document.getText(),
    }));
    const active = vscode.window.activeTextEditor?.document.uri;
    const message: ToView = { files, ...(active && { active: vscode.workspace.asRelativePath(active) }) };
    void this.#panel?.webview.postMessage(message);
  }

  async #goTo(file: string, line: number): Promise<void> {
    const uri = this.#uris.get(file);
    if (!uri) return;
    const at = new vscode.Position(line - 1, 0);
    await vscode.window.showTextDocument(uri, {
      viewColumn: vscode.ViewColumn.One,
      selection: new vscode.Range(at, at),
    });
  }
}
