/** The texts of the workspace: those that are open, as they are in the editor, and the others, as they are on disk. */
import { TextDocument } from 'vscode-languageserver-textdocument';
import { Analysis } from './analysis.js';
import type { Ground } from './ground.js';
import { Modules } from './modules.js';
import type { Definition } from './outline.js';

/** In UTF-16 units: larger texts are not read. */
const LARGEST = 1_000_000;

export class Index {
  readonly #ground: Ground;
  /** Of open texts, for each version one. */
  readonly #open = new Map<string, { version: number; analysis: Promise<Analysis> }>();
  readonly #closed = new Map<string, Analysis>();
  #builtins: Set<string> | undefined;
  #modules: Modules<Analysis> | undefined;

  constructor(ground: Ground) {
    this.#ground = ground;
  }

  /** A text that is open, as it is now. */
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

  /** A text was closed: from now on it is what is on disk. */
  async close(uri: string): Promise<void> {
    this.#open.delete(uri);
    await this.refresh([uri]);
  }

  /** Read files that are not open, those that are gone too. */
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

  /** Every text, those that are open first. */
  async all(): Promise<Analysis[]> {
    const open = await Promise.all([...this.#open.values()].map(({ analysis }) => analysis));
    return [...open, ...this.#closed.values()];
  }

  /** The text with this URI. */
  async text(uri: string): Promise<Analysis | undefined> {
    return (await this.#open.get(uri)?.analysis) ?? this.#closed.get(uri);
  }

  /** What the names of all texts mean. */
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

  /** The clauses of predicates, text by text. */
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

  /** Whether SWI-Prolog, or a library that may be used, has the predicate. */
  isBuiltin(indicator: string): boolean {
    return this.builtins().has(indicator);
  }

  /** `name/arity` of all predicates of SWI-Prolog; none before an engine is ready. */
  builtins(): ReadonlySet<string> {
    if (!this.#builtins || this.#builtins.size === 0) this.#builtins = new Set(this.#ground.reader.builtins());
    return this.#builtins;
  }
}

/** The URI of what a text loads, as it is named there: perhaps without its ending. */
export function loadedUri(name: string, by: string): string {
  const root = /^[^:]+:\/\/[^/]*/.exec(by)?.[0];
  // A text that was never saved has no place that others are beside.
  return root === undefined ? name : root + new URL(encodeURI(name), by.replace(root, 'file://')).pathname;
}
