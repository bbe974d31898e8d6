/**
 * The unsaved texts of a book, as this tab has them. Tabs that have the same book open share what they store, until two
 * of them have different texts of a file: then the later one stores its own aside, so that neither replaces the other.
 */
import { keepText, keptJson, textsIn } from '../kept.ts';
import { TAB, isTabOpen, partOf } from '../shelf.ts';

export const DRAFTS = partOf('hornbook.drafts');
/** What the book had when the drafts were begun: marks of the texts, by file. */
const BASES = partOf('hornbook.bases');
/** The drafts that tabs have aside, by {@link asideOf}. */
export const ASIDE = partOf('hornbook.aside');

interface Aside {
  tab: string;
  name: string;
  text: string;
  base?: string;
}

const asideOf = (name: string, tab = TAB): string => `${tab}/${name}`;

/** The drafts that a text of {@link ASIDE} says. */
function asides(): Aside[] {
  return [...textsIn(keptJson(ASIDE))].flatMap(([key, json]) => {
    try {
      const { text, base } = JSON.parse(json) as Partial<Aside>;
      const [, tab, name] = /^([^/]*)\/(.*)$/s.exec(key) ?? [];
      if (tab === undefined || name === undefined || typeof text !== 'string') return [];
      return [{ tab, name, text, ...(typeof base === 'string' && { base }) }];
    } catch {
      return [];
    }
  });
}

export class Drafts {
  /** Whether the browser can still store drafts for the next visit. */
  areKept = true;
  #drafts: Map<string, string>;
  #bases: Map<string, string>;
  /** The files of which another tab has another draft. */
  #aside = new Set<string>();

  /** @param isStored false for a book within another page: the drafts of whoever looks at it are their own */
  constructor(private readonly isStored: boolean) {
    this.#drafts = textsIn(isStored ? keptJson(DRAFTS) : undefined);
    this.#bases = textsIn(isStored ? keptJson(BASES) : undefined);
    if (!isStored) return;
    for (const { tab, name, text, base } of asides()) {
      if (tab !== TAB) continue;
      this.#aside.add(name);
      this.#drafts.set(name, text);
      if (base === undefined) this.#bases.delete(name);
      else this.#bases.set(name, base);
    }
    // Another tab that saves a file forgets the draft of it, or writes its own: this tab keeps what it has.
    window.addEventListener('storage', ({ key }) => key === DRAFTS && this.#keepAgain());
  }

  get names(): string[] {
    return [...this.#drafts.keys()];
  }

  get(name: string): string | undefined {
    return this.#drafts.get(name);
  }

  /** Whether the book's text is another than when the draft of a file was begun. */
  isStale(name: string, saved: string | undefined): boolean {
    const base = this.#bases.get(name);
    return base !== undefined && base !== markOf(saved);
  }

  /** The next draft is made from this text of the book. */
  begin(name: string, saved: string | undefined): void {
    this.#bases.set(name, markOf(saved));
  }

  set(name: string, draft: string): void {
    const before = this.#drafts.get(name);
    this.#drafts.set(name, draft);
    if (!this.isStored) return;
    const stored = textsIn(keptJson(DRAFTS)).get(name);
    if (stored !== undefined && stored !== before && stored !== draft) this.#aside.add(name);
    this.#store(name);
  }

  delete(name: string): void {
    const before = this.#drafts.get(name);
    this.#drafts.delete(name);
    this.#bases.delete(name);
    if (!this.isStored) return;
    if (this.#aside.delete(name)) {
      this.areKept = keepText(ASIDE, asideOf(name), undefined);
      return;
    }
    // Another tab may have a draft of its own.
    if (before === undefined || textsIn(keptJson(DRAFTS)).get(name) !== before) return;
    this.areKept = keepText(DRAFTS, name, undefined);
    keepText(BASES, name, undefined);
  }

  clear(): void {
    for (const name of this.names) this.delete(name);
  }

  /** The drafts that tabs left, which are closed now, unless this tab has the same. */
  async left(): Promise<{ name: string; text: string; drop: () => void }[]> {
    const found: { name: string; text: string; drop: () => void }[] = [];
    for (const { tab, name, text } of this.isStored ? asides() : []) {
      if (tab === TAB || (await isTabOpen(tab))) continue;
      const drop = () => void keepText(ASIDE, asideOf(name, tab), undefined);
      if (text === this.#drafts.get(name)) drop();
      else found.push({ name, text, drop });
    }
    return found;
  }

  #keepAgain(): void {
    const stored = textsIn(keptJson(DRAFTS));
    for (const [name, draft] of this.#drafts) {
      if (this.#aside.has(name) || stored.get(name) === draft) continue;
      if (stored.has(name)) this.#aside.add(name);
      this.#store(name);
    }
  }

  #store(name: string): void {
    const [text, base] = [this.#drafts.get(name), this.#bases.get(name)];
    if (!this.isStored || text === undefined) return;
    if (this.#aside.has(name)) {
      this.areKept = keepText(ASIDE, asideOf(name), JSON.stringify({ text, base }));
      return;
    }
    this.areKept = keepText(DRAFTS, name, text);
    keepText(BASES, name, base);
  }
}

/** A mark that two different texts practically never share: its length and 64 bits (FNV-1a, twice). */
function markOf(text: string | undefined): string {
  if (text === undefined) return 'none';
  let [one, other] = [0x811c9dc5, 0x9747b28c];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    one = Math.imul(one ^ code, 0x01000193);
    other = Math.imul(other ^ code, 0x5bd1e995);
  }
  return `${text.length} ${one >>> 0} ${other >>> 0}`;
}
