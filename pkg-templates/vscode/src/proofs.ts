/** Why an answer holds, as a text beside the editor whose lines link to the clauses. */
import * as vscode from 'vscode';
import type { BaseLanguageClient } from 'vscode-languageclient';
import type { Asked, Proof, Prove } from './protocol.js';

const SCHEME = 'hornbook-proof';

interface Shown {
  text: string;
  links: vscode.DocumentLink[];
}

export class Proofs implements vscode.Disposable, vscode.TextDocumentContentProvider, vscode.DocumentLinkProvider {
  readonly #shown = new Map<string, Shown>();
  readonly #changed = new vscode.EventEmitter<vscode.Uri>();
  readonly onDidChange = this.#changed.event;
  readonly #subscriptions: vscode.Disposable[];

  constructor(private readonly client: () => Promise<BaseLanguageClient>) {
    this.#subscriptions = [
      vscode.workspace.registerTextDocumentContentProvider(SCHEME, this),
      vscode.languages.registerDocumentLinkProvider({ scheme: SCHEME }, this),
      vscode.workspace.onDidCloseTextDocument(({ uri }) => this.#shown.delete(String(uri))),
    ];
  }

  dispose(): void {
    for (const subscription of this.#subscriptions) subscription.dispose();
  }

  provideTextDocumentContent(uri: vscode.Uri): string {
    return this.#shown.get(String(uri))?.text ?? '';
  }

  provideDocumentLinks({ uri }: vscode.TextDocument): vscode.DocumentLink[] {
    return this.#shown.get(String(uri))?.links ?? [];
  }

  /** @param answer its number, from 1 */
  async show({ uri, goal }: Asked, answer: number): Promise<void> {
    const client = await this.client();
    let proof: Proof;
    try {
      proof = await client.sendRequest<Proof>('hornbook/prove', { uri, goal, answer } satisfies Prove);
    } catch (error) {
      void vscode.window.showInformationMessage(`?- ${goal}: ${(error as Error).message}`);
      return;
    }
    const place = vscode.Uri.from({ scheme: SCHEME, path: `/Why ${goal.replace(/\s+/g, ' ').slice(0, 60)}` });
    this.#shown.set(String(place), textOf(goal, answer, proof));
    this.#changed.fire(place);
    const document = await vscode.workspace.openTextDocument(place);
    await vscode.languages.setTextDocumentLanguage(document, 'hornbook-proof');
    await vscode.window.showTextDocument(document, {
      viewColumn: vscode.ViewColumn.Beside,
      preserveFocus: true,
      preview: true,
    });
  }
}

/** One step per line, indented by its depth, followed by the clause that was used or what decided it. */
function textOf(goal: string, answer: number, { steps, cut }: Proof): Shown {
  const lines = [`% ?- ${goal.replace(/\s+/g, ' ')}.`, `% Answer ${answer} holds since`, ''];
  const links: vscode.DocumentLink[] = [];
  for (const { depth, goal, how, uri, line } of steps) {
    const text = `${'    '.repeat(depth)}${goal}.`;
    if (uri === undefined || line === undefined) {
      lines.push(how === 'clause' ? text : `${text}   % ${how}`);
      continue;
    }
    const target = vscode.Uri.parse(uri);
    const name = `${target.path.split('/').at(-1)}:${line}`;
    const start = text.length + 5;
    const range = new vscode.Range(lines.length, start, lines.length, start + name.length);
    links.push(new vscode.DocumentLink(range, target.with({ fragment: `L${line}` })));
    lines.push(`${text}   % ${name}`);
  }
  if (cut) lines.push('% … and more steps');
  return { text: `${lines.join('\n')}\n`, links };
}
