/** A text as the engine has read it: where its predicates and variables stand. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { OutlineItem, OutlineMark } from '../full/hornbook.js';

/** A mark with what it belongs to. */
export interface Found {
  mark: OutlineMark;
  item: OutlineItem;
}

/** A predicate that a text defines. */
export interface Definition {
  name: string;
  arity: number;
  /** Its clauses, in the order of the text. */
  clauses: Found[];
}

/** `name/arity`. */
export const indicatorOf = ({ name, arity }: { name?: string; arity?: number }): string => `${name}/${arity}`;

const isOfPredicate = ({ name }: OutlineMark): boolean => name !== undefined;

/** One version of a text. */
export class Analysis {
  /** By their indicators. */
  readonly definitions = new Map<string, Definition>();
  /** Where predicates are defined, called and named, by their indicators. */
  readonly #uses = new Map<string, Found[]>();
  /** Predicates that a directive declares, as `dynamic` does. */
  readonly declared = new Set<string>();

  constructor(
    readonly document: TextDocument,
    readonly items: OutlineItem[],
  ) {
    for (const item of items) {
      for (const mark of item.marks) {
        if (!isOfPredicate(mark)) continue;
        const indicator = indicatorOf(mark);
        const found = { mark, item };
        const uses = this.#uses.get(indicator);
        if (uses) uses.push(found);
        else this.#uses.set(indicator, [found]);
        if (mark.kind === 'indicator') this.declared.add(indicator);
        if (mark.kind !== 'head') continue;
        const definition = this.definitions.get(indicator);
        if (definition) definition.clauses.push(found);
        else this.definitions.set(indicator, { name: mark.name!, arity: mark.arity!, clauses: [found] });
      }
    }
  }

  get uri(): string {
    return this.document.uri;
  }

  /** Where the predicate with this indicator stands, of whatever kind. */
  uses(indicator: string): readonly Found[] {
    return this.#uses.get(indicator) ?? [];
  }

  /** The indicators of all predicates that are defined, called or named. */
  indicators(): Iterable<string> {
    return this.#uses.keys();
  }

  /** The innermost mark at an offset, or right before it. */
  at(offset: number): Found | undefined {
    const item = this.items.find(({ marks, end }) => offset <= end && marks.some(covers));
    const mark = item?.marks.filter(covers).at(-1);
    return mark && { mark, item: item! };

    function covers({ start, end }: OutlineMark): boolean {
      return start <= offset && offset <= end;
    }
  }

  /** The marks of the variable of that name in a clause. */
  variables(item: OutlineItem, name: string): OutlineMark[] {
    return item.marks.filter((mark) => mark.kind === 'variable' && this.textOf(mark) === name);
  }

  textOf({ start, end }: { start: number; end: number }): string {
    return this.document.getText().slice(start, end);
  }
}
