/** The documents of the workspace: open ones as they are in the editor, others as they are on disk. */
import { TextDocument } from 'vscode-languageserver-textdocument';
import { Analysis } from './analysis.js';
import type { Ground } from './ground.js';
import { Modules } from './modules.js';
import type { Definition } from './outline.js';

/** In UTF-16 units. Larger texts are not read. */
const LARGEST = 1_000_000;

export class Index {
  readonly #ground: Ground;
  /** The analysis of the current version of each open document. */
  readonly #open = new Map<string, { version: number; analysis: Promise<Analysis> }>();
  readonly #closed = new Map<string, Analysis>();
  #builtins: Set<string> | undefined;
  #modules: Modules<Analysis> | undefined;

  constructor(ground: Ground) {
    this.#ground = ground;
  }

  /** The current analysis of an open document. */
  analysed(document: TextDocument): Promise<Analysis> {
    const known = this.#open.get(document.uri);
    if (known?.version === document.version) return known.analysis;
    const { uri, languageId, version } = document;
    const frozen = TextDocument.create(uri, languageId, version, document.getText());
    const analysis = this.#read(frozen);
    this.#open.set(uri, { version, analysis });
    this.#closed.delete(uri);
    return analysis;
  }

  /** A document was closed: from now on its text is what is on disk. */
  async close(uri: string): Promise<void> {
    this.#open.delete(uri);
    await this.refresh([uri]);
  }

  /** Re-read files that are not open, and drop those that were deleted. */
  async refresh(uris: readonly string[]): Promise<void> {
    for (const uri of uris) {
      if (this.#open.has(uri)) continue;
      const text = await this.#ground.files.read(uri);
      const analysis = text === undefined ? undefined : await this.#read(TextDocument.create(uri, 'prolog', 0, text));
      // It may have been opened meanwhile.
      if (analysis && !this.#open.has(uri)) this.#closed.set(uri, analysis);
      else this.#closed.delete(uri);
    }
  }

  async #read(document: TextDocument): Promise<Analysis> {
    const text = document.getText();
    const items = text.length > LARGEST ? [] : await this.#ground.reader.outline(text).catch(() => []);
    return new Analysis(document, items);
  }

  /** All documents, open ones first. */
  async all(): Promise<Analysis[]> {
    const open = await Promise.all([...this.#open.values()].map(({ analysis }) => analysis));
    return [...open, ...this.#closed.values()];
  }

  /** The document with this URI. */
  async text(uri: string): Promise<Analysis | undefined> {
    return (await this.#open.get(uri)?.analysis) ?? this.#closed.get(uri);
  }

  /** Name resolution over all documents. */
  async modules(): Promise<Modules<Analysis>> {
    const texts = await this.all();
    const known = this.#modules;
    if (known && known.texts.length === texts.length && known.texts.every((text, at) => text === texts[at]))
      return known;
    const byUri = new Map(texts.map((text) => [text.uri, text]));
    const resolve = (name: string, by: Analysis) => {
      const uri = loadedUri(name, by.uri);
      return byUri.get(uri) ?? byUri.get(`${uri}.pl`);
    };
    this.#modules = new Modules(texts, resolve);
    return this.#modules;
  }

  /** The clauses of predicates, grouped by document. */
  async definitions(keys: readonly string[]): Promise<{ analysis: Analysis; definition: Definition }[]> {
    const places = (await this.modules()).places(keys).filter(({ found }) => found.mark.kind === 'head');
    const byText = new Map<Analysis, Definition>();
    for (const { text, found } of places) {
      const known = byText.get(text);
      if (known) known.clauses.push(found);
      else byText.set(text, { name: found.mark.name!, arity: found.mark.arity!, clauses: [found] });
    }
    return [...byText].map(([analysis, definition]) => ({ analysis, definition }));
  }

  /** Whether the predicate is built into SWI-Prolog or comes from an allowed library. */
  isBuiltin(indicator: string): boolean {
    return this.builtins().has(indicator);
  }

  /** The `name/arity` of all system predicates; empty until an engine is ready. */
  builtins(): ReadonlySet<string> {
    if (!this.#builtins || this.#builtins.size === 0) this.#builtins = new Set(this.#ground.reader.builtins());
    return this.#builtins;
  }
}

/** The URI of a file that a document loads, by the name given there, which may lack the extension. */
export function loadedUri(name: string, by: string): string {
  const root = /^[^:]+:\/\/[^/]*/.exec(by)?.[0];
  // A document that was never saved has no folder to resolve names in.
  return root === undefined ? name : root + new URL(encodeURI(name), by.replace(root, 'file://')).pathname;
}
