/** Resolves names to predicates: what a module does not export is local to it. */
import type { OutlineMark } from '../generated/hornbook.js';
import { atomText, callText } from './names.js';
import { indicatorOf, isImport, type Found, type Named, type Outline } from './outline.js';

/** A place where a predicate occurs. */
export interface Place<T> {
  text: T;
  found: Found;
}

/** The home of predicates shared by several files, and of those that no file has. */
const SHARED = '';

/**
 * Name resolution over a set of texts, at one point in time.
 *
 * A predicate is identified by a key: the text that has it (for a predicate of a module, the text with the module
 * header) and its indicator. A file that defines a predicate refers to its own, and so does a file included into a
 * module.
 */
export class Modules<T extends Outline> {
  /** The texts with module headers, by the name of the module. */
  readonly #headers = new Map<string, T[]>();
  /** For each text that is part of other texts' modules: the texts with their headers. */
  readonly #homes = new Map<T, T[]>();
  /** For each text with a header: the texts that are part of its module. */
  readonly #parts = new Map<T, T[]>();
  /** The texts that define predicates of a module explicitly, as in `Module:Head`, by the name of the module. */
  readonly #adding = new Map<string, T[]>();
  readonly #loaded = new Map<T, Set<T>>();
  readonly #known = new Map<string, boolean>();
  readonly #offering = new Map<string, T[]>();

  /** `resolve` finds the text that another one loads by this name. */
  constructor(
    readonly texts: readonly T[],
    private readonly resolve: (name: string, by: T) => T | undefined,
  ) {
    for (const text of texts) {
      if (text.module !== undefined) put(this.#headers, text.module, text);
      for (const module of text.addsTo) put(this.#adding, module, text);
    }
    for (const text of texts) if (text.module !== undefined) this.#include(text, text, new Set([text]));
  }

  #include(home: T, by: T, seen: Set<T>): void {
    for (const { name, isPart } of by.loads()) {
      const part = isPart ? this.resolve(name, by) : undefined;
      if (!part || part.module !== undefined || seen.has(part)) continue;
      seen.add(part);
      put(this.#homes, part, home);
      put(this.#parts, home, part);
      this.#include(home, part, seen);
    }
  }

  /** The module that a text belongs to. */
  moduleOf(text: T): string | undefined {
    return this.#homesOf(text)[0]?.module;
  }

  /** The names of all modules. */
  names(): string[] {
    return [...this.#headers.keys()];
  }

  /** The keys of the predicates that a name refers to in a text; several if several files offer one. */
  meant(mark: Named, text: T): string[] {
    const indicator = indicatorOf(mark);
    const own = this.#owners(mark, text).map((home) => keyOf(home, indicator));
    return own.length > 0 ? own : this.#offered(indicator, text);
  }

  /** The same for a mark, which may name what a directive imports. */
  meantAt({ mark, item }: Found, text: T): string[] {
    return isImport(mark, item) ? this.#offered(indicatorOf(mark), text) : this.meant(mark, text);
  }

  /** All places where one of these predicates occurs. */
  places(keys: readonly string[]): Place<T>[] {
    const indicators = new Set(keys.map(indicatorIn));
    return this.texts.flatMap((text) =>
      [...indicators]
        .flatMap((indicator) => text.named(indicator))
        .filter((found) => this.meantAt(found, text).some((key) => keys.includes(key)))
        .map((found) => ({ text, found })),
    );
  }

  /** Whether one of these predicates is defined or declared in some text. */
  isDefined(keys: readonly string[]): boolean {
    return keys.some(
      (key) => !this.isShared(key) || this.places([key]).some(({ found }) => found.mark.kind !== 'call'),
    );
  }

  /** Whether the predicate does not belong to a single file or module. */
  isShared(key: string): boolean {
    return key.startsWith(`${SHARED}\n`);
  }

  /** Whether the predicate belongs to the text itself or to its module. */
  isOwn(mark: Named, text: T): boolean {
    return this.#owners(mark, text).length > 0;
  }

  /**
   * A goal of a text rewritten to be called from outside: qualified with the module if it calls predicates that the
   * module does not export.
   */
  asked(goal: string, marks: readonly OutlineMark[], text: T): string {
    const isKept = (mark: OutlineMark) => mark.kind === 'call' && this.shown(mark, text) !== indicatorOf(mark);
    const module = this.moduleOf(text);
    if (module === undefined || !marks.some((mark) => mark.module === undefined && isKept(mark))) return goal;
    const isOneCall = /^\p{Ll}[\p{ID_Continue}]*(?:\([^()]*\))?$/u.test(goal);
    return `${atomText(module)}:${isOneCall ? goal : `(${goal})`}`;
  }

  /** The predicates with this prefix that can be called in a text; with `module`, those of that module. */
  callable(beginning: string, text: T, module?: string): Named[] {
    const found = new Map<string, Named>();
    for (const one of this.texts)
      for (const indicator of one.indicators()) {
        if (!indicator.startsWith(beginning) || found.has(indicator)) continue;
        const mark = one.named(indicator).find(({ mark }) => mark.kind !== 'call')?.mark;
        if (!mark) continue;
        const meant = { name: mark.name!, arity: mark.arity!, ...(module !== undefined && { module }) };
        const isThere = module === undefined ? this.isDefined(this.meant(meant, text)) : this.isOwn(meant, text);
        if (isThere) found.set(indicator, meant);
      }
    return [...found.values()].sort((a, b) => Number(this.isOwn(b, text)) - Number(this.isOwn(a, text)));
  }

  /** How a predicate of `text` is named elsewhere: qualified with the module if that does not export it. */
  shown(mark: Named, text: T): string {
    const [owner] = this.#owners(mark, text);
    const indicator = indicatorOf(mark);
    return owner && !offers(owner, indicator) ? `${owner.module}:${indicator}` : indicator;
  }

  /** Advice for a call of a predicate that some module has but does not export: a sentence. */
  advice(mark: Named): string | undefined {
    const indicator = indicatorOf(mark);
    const home = [...this.#headers.values()].flat().find((one) => this.#has(one, indicator) && !offers(one, indicator));
    if (!home || mark.module !== undefined) return undefined;
    const file = decodeURIComponent(home.uri.split('/').at(-1)!);
    const call = callText(mark.name!, mark.arity!);
    return (
      `${indicator} is of the module ${home.module} (${file}), which does not export it: ` +
      `call ${home.module}:${call} or export it.`
    );
  }

  #homesOf(text: T): T[] {
    return this.#homes.get(text) ?? [text];
  }

  /** The texts that own the predicate a name refers to, unless it comes from another file that offers it. */
  #owners({ module, ...named }: Named, text: T): T[] {
    const homes =
      module === undefined
        ? this.#homesOf(text)
        : module === 'user'
          ? this.#homesOf(text).filter((home) => home.module === undefined)
          : (this.#headers.get(module) ?? []);
    return homes.filter((home) => this.#has(home, indicatorOf(named)));
  }

  /** Whether a file without a module, or the module of a header, has the predicate, exported or not. */
  #has(home: T, indicator: string): boolean {
    const key = keyOf(home, indicator);
    const known = this.#known.get(key) ?? this.#looked(home, indicator);
    this.#known.set(key, known);
    return known;
  }

  #looked(home: T, indicator: string): boolean {
    const { module } = home;
    if (module === undefined) return !home.shares(indicator) && home.defines(indicator, [undefined, 'user'], false);
    const group = [home, ...(this.#parts.get(home) ?? [])];
    if (group.some((text) => text.shares(indicator))) return false;
    return (
      group.some((text) => text.defines(indicator, [undefined, module], true)) ||
      (this.#adding.get(module) ?? []).some((text) => text.defines(indicator, [module], true))
    );
  }

  /**
   * The keys that a name refers to in a text without such a predicate of its own. Files that the text loads take
   * precedence.
   */
  #offered(indicator: string, text: T): string[] {
    let all = this.#offering.get(indicator);
    if (!all) {
      const isHome = (one: T) => !this.#homes.has(one);
      all = this.texts.filter((one) => isHome(one) && offers(one, indicator) && this.#has(one, indicator));
      this.#offering.set(indicator, all);
    }
    const loaded = all.length > 1 ? all.filter((one) => this.#loadedBy(text).has(one)) : [];
    const keys = (loaded.length > 0 ? loaded : all).map((one) => keyOf(one, indicator));
    return keys.length === 0 || this.#isDeclaredShared(indicator) ? [...keys, `${SHARED}\n${indicator}`] : keys;
  }

  #isDeclaredShared(indicator: string): boolean {
    return this.texts.some(
      (text) =>
        text.shares(indicator) || (this.moduleOf(text) !== undefined && text.defines(indicator, ['user'], false)),
    );
  }

  #loadedBy(text: T): Set<T> {
    let known = this.#loaded.get(text);
    if (!known) {
      const texts = text.loads().map(({ name }) => this.resolve(name, text));
      known = new Set(texts.filter((one) => one !== undefined));
      this.#loaded.set(text, known);
    }
    return known;
  }
}

const offers = ({ module, exports }: Outline, indicator: string): boolean =>
  module === undefined || exports.has(indicator);

const keyOf = ({ uri }: Outline, indicator: string): string => `${uri}\n${indicator}`;
const indicatorIn = (key: string): string => key.slice(key.indexOf('\n') + 1);

function put<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}
