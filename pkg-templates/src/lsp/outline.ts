/** A text as the engine has read it: its module, its predicates, and the files it loads. */
import type { OutlineItem, OutlineMark } from '../generated/hornbook.js';

/** A mark, and the item it is part of. */
export interface Found {
  mark: OutlineMark;
  item: OutlineItem;
}

/** A predicate that a text defines. */
export interface Definition {
  name: string;
  arity: number;
  /** Its clauses, in textual order. */
  clauses: Found[];
}

/** A mark's reference to a predicate; `module` is the qualifier before the name. */
export type Named = Pick<OutlineMark, 'name' | 'arity' | 'module'>;

/** `name/arity`. */
export const indicatorOf = ({ name, arity }: Named): string => `${name}/${arity}`;

/** Directives that make the predicates they name part of the module. */
const DECLARES = new Set(['dynamic', 'discontiguous', 'table']);

/** One version of a text. */
export class Outline {
  /** The module that its header declares. */
  readonly module: string | undefined;
  /** The indicators that its header exports. */
  readonly exports = new Set<string>();
  /** Modules that it names as qualifiers in heads and declarations. */
  readonly addsTo = new Set<string>();
  /** Where predicates are defined, called and named, by indicator, whatever module qualifies them. */
  readonly #named = new Map<string, Found[]>();

  constructor(
    readonly uri: string,
    readonly text: string,
    readonly items: OutlineItem[],
  ) {
    for (const item of items) {
      const marks = item.marks.filter(({ name }) => name !== undefined);
      if (this.module === undefined && isHeader(item)) {
        this.module = this.#moduleOf(item);
        for (const mark of marks) if (mark.kind === 'indicator') this.exports.add(indicatorOf(mark));
      }
      for (const mark of marks) {
        const found = { mark, item };
        const indicator = indicatorOf(mark);
        const known = this.#named.get(indicator);
        if (known) known.push(found);
        else this.#named.set(indicator, [found]);
        if (mark.module !== undefined && mark.kind !== 'call') this.addsTo.add(mark.module);
      }
    }
  }

  /** All marks with this indicator, whatever their module. */
  named(indicator: string): readonly Found[] {
    return this.#named.get(indicator) ?? [];
  }

  /** The indicators of all predicates that are defined, called or named. */
  indicators(): Iterable<string> {
    return this.#named.keys();
  }

  /** Whether it defines a predicate with one of these module qualifiers. For a module, a declaration counts too. */
  defines(indicator: string, modules: readonly (string | undefined)[], isOfModule: boolean): boolean {
    return this.named(indicator).some(
      ({ mark, item }) =>
        modules.includes(mark.module) && (mark.kind === 'head' || (isOfModule && isDeclaredBy(mark, item, DECLARES))),
    );
  }

  /** Whether it declares a predicate as defined in several files. */
  shares(indicator: string): boolean {
    const isFlat = ({ module }: OutlineMark) =>
      module === undefined || (module === 'user' && this.module === undefined);
    return this.named(indicator).some(({ mark, item }) => isFlat(mark) && isDeclaredBy(mark, item, MULTIFILE));
  }

  /** The innermost mark at an offset or ending right before it. */
  at(offset: number): Found | undefined {
    const item = this.items.find(({ marks, end }) => offset <= end && marks.some(covers));
    const mark = item?.marks.filter(covers).at(-1);
    return mark && { mark, item: item! };

    function covers({ start, end }: OutlineMark): boolean {
      return start <= offset && offset <= end;
    }
  }

  /** The predicates that it has clauses for, by the name they have in it. */
  definitions(): Map<string, Definition> {
    const found = new Map<string, Definition>();
    for (const item of this.items)
      for (const mark of item.marks) {
        if (mark.kind !== 'head') continue;
        const shown = this.shown(mark);
        const known = found.get(shown);
        if (known) known.clauses.push({ mark, item });
        else found.set(shown, { name: mark.name!, arity: mark.arity!, clauses: [{ mark, item }] });
      }
    return found;
  }

  /** The name of a predicate in this text: for its own module, the indicator alone. */
  shown(mark: Named): string {
    const isOwn = mark.module === undefined || mark.module === (this.module ?? 'user');
    return isOwn ? indicatorOf(mark) : `${mark.module}:${indicatorOf(mark)}`;
  }

  textOf({ start, end }: { start: number; end: number }): string {
    return this.text.slice(start, end);
  }

  /**
   * The files that its directives load, by the names given there, and whether they become part of this text's module.
   */
  loads(): { name: string; isPart: boolean }[] {
    return [...this.text.matchAll(LOADS)].flatMap(([, how, list, close]) => {
      if (close === '') return [];
      const names = list!.replace(/\[.*/s, '').includes('library(') ? [] : list!.split(',');
      return names
        .map((name) => name.trim().replace(/^(['"])(.*)\1$/s, '$2'))
        .filter((name) => /^[\w./-]+$/.test(name))
        .map((name) => ({ name, isPart: how !== 'use_module' && how !== 'reexport' }));
    });
  }

  #moduleOf(item: OutlineItem): string | undefined {
    const name = item.marks.find(({ kind }) => kind === 'atom');
    const written = name && this.textOf(name);
    return written?.startsWith("'") ? written.slice(1, -1).replaceAll("''", "'").replaceAll("\\'", "'") : written;
  }
}

/** The closing bracket is optional, so that a text without one is read once, not once from each directive. */
const LOADS =
  /^[ \t]*:-\s*(?:(use_module|ensure_loaded|consult|include|reexport|load_files)\(\s*\[?|\[)([^)\]]*)([)\]]?)/gm;

const MULTIFILE = new Set(['multifile']);

function isHeader({ kind, marks }: OutlineItem): boolean {
  const first = marks.find(({ kind }) => kind === 'call');
  return kind === 'directive' && first?.name === 'module' && first.arity === 2;
}

/** Whether a mark is in a declaration by one of these directives. */
function isDeclaredBy({ kind }: OutlineMark, { marks }: OutlineItem, directives: ReadonlySet<string>): boolean {
  return kind === 'indicator' && marks.some((mark) => mark.kind === 'call' && directives.has(mark.name!));
}

/** Whether a mark names a predicate that a directive imports from a file. */
export function isImport({ kind }: OutlineMark, { marks }: OutlineItem): boolean {
  return kind === 'indicator' && marks.some(({ kind, name }) => kind === 'call' && name === 'use_module');
}
