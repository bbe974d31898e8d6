/** The texts of the workspace: those that are open, as they are in the editor, and the others, as they are on disk. */
import { TextDocument } from 'vscode-languageserver-textdocument';
import { Analysis, type Definition, type Found } from './analysis.js';
import type { Ground } from './ground.js';

/** In UTF-16 units: larger texts are not read. */
const LARGEST = 1_000_000;

export class Index {
  readonly #ground: Ground;
  /** Of open texts, for each version one. */
  readonly #open = new Map<string, { version: number; analysis: Promise<Analysis> }>();
  readonly #closed = new Map<string, Analysis>();
  #builtins: Set<string> | undefined;

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

  /** Every text; `first` before all others. */
  async all(first?: string): Promise<Analysis[]> {
    const open = await Promise.all([...this.#open.values()].map(({ analysis }) => analysis));
    const all = [...open, ...this.#closed.values()];
    return all.sort((a, b) => Number(b.uri === first) - Number(a.uri === first));
  }

  /** The text with this URI. */
  async text(uri: string): Promise<Analysis | undefined> {
    return (await this.#open.get(uri)?.analysis) ?? this.#closed.get(uri);
  }

  /** Where a predicate is defined: by the text itself, or else by any other. */
  async definitions(indicator: string, from: Analysis): Promise<{ analysis: Analysis; definition: Definition }[]> {
    const own = from.definitions.get(indicator);
    if (own) return [{ analysis: from, definition: own }];
    return (await this.all()).flatMap((analysis) => {
      const definition = analysis.definitions.get(indicator);
      return definition ? [{ analysis, definition }] : [];
    });
  }

  /** Where a predicate stands in all texts. One that a text defines for itself is not that of others. */
  async uses(indicator: string, from: Analysis): Promise<{ analysis: Analysis; found: Found }[]> {
    const isOwn = from.definitions.has(indicator);
    const texts = (await this.all(from.uri)).filter(
      (analysis) => analysis === from || !isOwn || !analysis.definitions.has(indicator),
    );
    return texts.flatMap((analysis) => analysis.uses(indicator).map((found) => ({ analysis, found })));
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
