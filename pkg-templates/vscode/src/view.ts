/** The playground's queries, runs, notebooks, memory and history beside the editor, for the files that are open. */
import * as vscode from 'vscode';
import { base64Of, type Decoded, isTable, isWorkbook, textOfBytes } from '../../../pkg/book/contents.js';
import { Kept } from './kept.js';
import { editorModels, statusOf, turnOf } from './models.js';
import { pageOf } from './page.js';
import { promptedGoal } from './prompt.js';
import type { Asked } from './protocol.js';
import { type FromView, type OpenText, type Panel, type ToView, UNFINISHED, ended } from './view/messages.js';

const TYPE = 'hornbook.queries';
/** How long to wait after the last keystroke before sending a text to the page, in milliseconds. */
const PAUSE_MS = 300;
/** The key under which the workspace stores the addresses of the tables in the book. */
const TABLES = 'hornbook.tables';

export class QueriesView implements vscode.Disposable {
  #panel: vscode.WebviewPanel | undefined;
  /** The panel that the page shows when it has loaded. */
  #show: Panel | undefined;
  /** What the page pins when it has loaded; undefined once it has. */
  #toPin: string[] | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** The documents, by the names that the page uses. */
  #uris = new Map<string, vscode.Uri>();
  /** The tables that the person chose and the page has not offered yet, as addresses. */
  readonly #chosen = new Set<string>();
  /** Model turns that the page waits for, by id. */
  #turns = new Map<number, vscode.CancellationTokenSource>();
  readonly #kept: Kept;
  readonly #subscriptions: vscode.Disposable[];

  constructor(private readonly context: vscode.ExtensionContext) {
    this.#kept = new Kept(context.workspaceState, 'hornbook.view');
    const later = () => this.#later();
    this.#subscriptions = [
      vscode.commands.registerCommand('hornbook.openQueries', () => this.#open()),
      vscode.commands.registerCommand('hornbook.pin', ({ goal }: Asked) => this.#pin(goal)),
      vscode.commands.registerCommand('hornbook.pinQuery', async () => {
        const goal = await promptedGoal('A goal whose answers are shown as files change');
        if (goal) this.#pin(goal);
      }),
      vscode.commands.registerCommand('hornbook.addToBook', (uri?: vscode.Uri, all?: vscode.Uri[]) =>
        this.#addToBook(all ?? (uri ? [uri] : [])),
      ),
      vscode.window.registerWebviewPanelSerializer(TYPE, {
        deserializeWebviewPanel: async (panel) => this.#fill(panel),
      }),
      vscode.workspace.onDidChangeTextDocument(later),
      vscode.workspace.onDidOpenTextDocument(later),
      vscode.workspace.onDidCloseTextDocument(later),
      vscode.window.onDidChangeActiveTextEditor(later),
      vscode.lm.onDidChangeChatModels(() => void this.#tellModels()),
      vscode.workspace.onDidSaveTextDocument(({ uri }) => void this.#sendTable(uri)),
    ];
  }

  dispose(): void {
    clearTimeout(this.#timer);
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  /** The tables that were added, as addresses. */
  get #tables(): string[] {
    return this.context.workspaceState.get(TABLES, []);
  }

  async #addToBook(chosen: vscode.Uri[]): Promise<void> {
    const active = vscode.window.activeTextEditor?.document.uri;
    const uris = (chosen.length > 0 || !active ? chosen : [active]).filter(({ path }) => isTable(path));
    if (uris.length === 0) {
      void vscode.window.showWarningMessage('Choose a table: a file .csv, .tsv, .json, .jsonl, .yaml, .xlsx or .ods.');
      return;
    }
    for (const uri of uris) this.#chosen.add(String(uri));
    await this.context.workspaceState.update(TABLES, [...new Set([...this.#tables, ...uris.map(String)])]);
    const isOpen = this.#panel !== undefined;
    this.#open('data');
    // One that is only opened now asks for all of them when it is ready.
    if (isOpen) for (const uri of uris) await this.#sendTable(uri);
  }

  /** Send a table that was added, as it is now. */
  async #sendTable(uri: vscode.Uri): Promise<void> {
    if (!this.#panel || !this.#tables.includes(String(uri))) return;
    try {
      const bytes = await vscode.workspace.fs.readFile(uri);
      const name = vscode.workspace.asRelativePath(uri);
      const { text, doubt }: Decoded = isWorkbook(name) ? { text: base64Of(bytes) } : textOfBytes(name, bytes);
      this.#say({ kind: 'table', name, text, about: doubt, isNew: this.#chosen.delete(String(uri)) });
    } catch {
      // Somebody moved or deleted it.
      await this.#forget(String(uri));
      void vscode.window.showWarningMessage(`${vscode.workspace.asRelativePath(uri)} is no longer there to be read.`);
    }
  }

  async #forget(uri: string): Promise<void> {
    await this.context.workspaceState.update(
      TABLES,
      this.#tables.filter((other) => other !== uri),
    );
  }

  /** @param panel by default the one that fits the active editor */
  #open(panel: Panel = panelFor(vscode.window.activeTextEditor?.document)): void {
    if (this.#panel) {
      this.#panel.reveal(undefined, true);
    } else {
      const place = { viewColumn: vscode.ViewColumn.Beside, preserveFocus: true };
      this.#fill(vscode.window.createWebviewPanel(TYPE, 'Hornbook', place, { retainContextWhenHidden: true }));
    }
    this.#show = panel;
    this.#say({ kind: 'show', panel });
  }

  #pin(goal: string): void {
    this.#open('queries');
    if (this.#toPin) this.#toPin.push(goal);
    else this.#say({ kind: 'pin', goal });
  }

  #fill(panel: vscode.WebviewPanel): void {
    this.#panel = panel;
    this.#toPin ??= [];
    const root = this.context.extensionUri;
    const { webview } = panel;
    webview.options = {
      enableScripts: true,
      localResourceRoots: [vscode.Uri.joinPath(root, 'dist'), vscode.Uri.joinPath(root, 'server')],
    };
    webview.onDidReceiveMessage((message: FromView) => void this.#take(message));
    panel.onDidDispose(() => {
      this.#panel = undefined;
      for (const turn of this.#turns.values()) turn.cancel();
      void this.#tellEnded();
    });
    webview.html = pageOf(webview, root, 'view');
  }

  /** Tell the person which runs ended as the page was closed. */
  async #tellEnded(): Promise<void> {
    const text = ended(JSON.parse(this.#kept.texts[UNFINISHED] ?? 'null'));
    if (!text) return;
    await this.#kept.keep(UNFINISHED, undefined);
    void vscode.window.showWarningMessage(text);
  }

  async #take(message: FromView): Promise<void> {
    switch (message.kind) {
      case 'ready':
        this.#say({ kind: 'begin', kept: this.#kept.texts });
        if (this.#show) this.#say({ kind: 'show', panel: this.#show });
        this.#send();
        for (const goal of this.#toPin ?? []) this.#say({ kind: 'pin', goal });
        this.#toPin = undefined;
        for (const uri of this.#tables) await this.#sendTable(vscode.Uri.parse(uri));
        return this.#tellModels();
      case 'goTo':
        return this.#goTo(message.file, message.line, message.stays);
      case 'write':
        return this.#write(message.file, message.text);
      case 'keep':
        return this.#kept.keep(message.name, message.text);
      case 'removed': {
        const named = (uri: string) => vscode.workspace.asRelativePath(vscode.Uri.parse(uri)) === message.name;
        const uri = this.#tables.find(named);
        return uri === undefined ? undefined : this.#forget(uri);
      }
      case 'save':
        return save(message.name, message.text);
      case 'open': {
        const { language, text: content } = message;
        const document = await vscode.workspace.openTextDocument({ language, content });
        await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One, preserveFocus: true });
        return;
      }
      case 'ask':
        return this.#ask(message);
      case 'stop':
        this.#turns.get(message.id)?.cancel();
    }
  }

  #say(message: ToView): void {
    void this.#panel?.webview.postMessage(message);
  }

  async #tellModels(): Promise<void> {
    if (this.#panel) this.#say({ kind: 'models', models: await editorModels() });
  }

  async #ask({ id, model, request }: Extract<FromView, { kind: 'ask' }>): Promise<void> {
    const cancellation = new vscode.CancellationTokenSource();
    this.#turns.set(id, cancellation);
    try {
      this.#say({ kind: 'turn', id, turn: await turnOf(model, request, cancellation.token) });
    } catch (error) {
      this.#say({ kind: 'failed', id, message: (error as Error).message, status: statusOf(error) });
    } finally {
      this.#turns.delete(id);
      cancellation.dispose();
    }
  }

  #later(): void {
    if (!this.#panel) return;
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#send(), PAUSE_MS);
  }

  #send(): void {
    const of = (panel: Panel) => vscode.workspace.textDocuments.filter((document) => kindOf(document) === panel);
    const [prolog, dml, workflows, notebooks] = [of('queries'), of('dml'), of('workflow'), of('notebook')];
    const all = [...prolog, ...dml, ...workflows, ...notebooks];
    this.#uris = new Map(all.map(({ uri }) => [vscode.workspace.asRelativePath(uri), uri]));
    const active = vscode.window.activeTextEditor?.document.uri;
    this.#say({
      kind: 'files',
      files: prolog.map(opened),
      programs: dml.map(opened),
      workflows: workflows.map(opened),
      notebooks: notebooks.map(opened),
      ...(active && { active: vscode.workspace.asRelativePath(active) }),
    });
  }

  /** Replace the text of a document, and show it. */
  async #write(file: string, text: string): Promise<void> {
    const uri = this.#uris.get(file);
    if (!uri) return;
    const document = await vscode.workspace.openTextDocument(uri);
    const edit = new vscode.WorkspaceEdit();
    const all = new vscode.Range(0, 0, document.lineCount, 0);
    edit.replace(uri, document.validateRange(all), text);
    await vscode.workspace.applyEdit(edit);
    await vscode.window.showTextDocument(document, { viewColumn: vscode.ViewColumn.One });
  }

  async #goTo(file: string, line: number, stays: boolean): Promise<void> {
    const uri = this.#uris.get(file);
    if (!uri) return;
    const at = new vscode.Position(line - 1, 0);
    await vscode.window.showTextDocument(uri, {
      viewColumn: vscode.ViewColumn.One,
      preserveFocus: stays,
      selection: new vscode.Range(at, at),
    });
  }
}

/** The panel that shows a document; none if it is something else. */
function kindOf(document: vscode.TextDocument): Panel | undefined {
  switch (document.languageId) {
    case 'prolog':
      return 'queries';
    case 'dml':
      return 'dml';
    case 'hornbook-workflow':
      return 'workflow';
    case 'yaml':
      return /^nodes:/m.test(document.getText()) ? 'workflow' : undefined;
    case 'markdown':
      return /^[ \t]*(?:`{3,}|~{3,})[ \t]*(?:prolog|pl|query)\b/m.test(document.getText()) ? 'notebook' : undefined;
    default:
      return undefined;
  }
}

const panelFor = (document: vscode.TextDocument | undefined): Panel => (document && kindOf(document)) ?? 'queries';

const opened = (document: vscode.TextDocument): OpenText => ({
  name: vscode.workspace.asRelativePath(document.uri),
  text: document.getText(),
});

/** Ask the person where to save the text, and write it there. */
async function save(name: string, text: string): Promise<void> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const uri = await vscode.window.showSaveDialog({
    defaultUri: folder ? vscode.Uri.joinPath(folder, name) : vscode.Uri.file(name),
  });
  if (uri) await vscode.workspace.fs.writeFile(uri, new TextEncoder().encode(text));
}
