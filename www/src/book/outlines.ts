/** Where the predicates of the book occur in its texts, as read by the engine. */
import { Modules } from '../../../pkg-templates/src/lsp/modules.ts';
import { parsed } from '../../../pkg-templates/src/lsp/names.ts';
import { indicatorOf, Outline } from '../../../pkg-templates/src/lsp/outline.ts';
import type { Book } from './book.ts';

/** A predicate at a position in a text. */
export interface Mark {
  /** `name/arity`, qualified with a module if it is written so. */
  shown: string;
  from: number;
  to: number;
  /** The predicates it may refer to. */
  keys: string[];
  /** How to call it if it is local to a module, as a sentence. */
  advice: string | undefined;
}

/** A place in a file where a predicate is defined or called. */
export interface Place {
  file: string;
  line: number;
  text: string;
}

/** A predicate that the texts of the book define. */
export interface Defined {
  /** `name/arity`. */
  indicator: string;
  /** The comment before its first clause. */
  comment: string | undefined;
  /** How many clauses there are in the texts, and where the first is. */
  clauses: number;
  first: Place;
}

/** Longer texts, in characters, are not read for this. */
const LARGEST = 500_000;

/** Longer texts, in characters, are not read again at every pause in typing. */
const LONG = 100_000;

/** Stands for text that is in no file: no file can have this name. */
const NO_FILE = '';

export class Outlines {
  #read = new Map<string, Promise<Outline>>();
  /** Name resolution as of the last reading of the files. */
  #latest: Modules<Outline> | undefined;

  constructor(private readonly book: Book) {}

  /** The predicate at a position of a file as it is in the editor, or of clauses that are in no file. */
  async at(text: string, position: number, file: string | undefined): Promise<Mark | undefined> {
    const modules = await this.#modules();
    const outline = await this.#outline(file ?? NO_FILE, text);
    const item = outline.items.find(({ marks }) => marks.some(isThere));
    const mark = item?.marks.find(isThere);
    if (!mark) return undefined;
    const shown = `${mark.module === undefined ? '' : `${mark.module}:`}${indicatorOf(mark)}`;
    const keys = modules.meantAt({ mark, item: item! }, outline);
    return { shown, from: mark.start, to: mark.end, keys, advice: modules.advice(mark) };

    function isThere({ name, start, end }: Outline['items'][number]['marks'][number]): boolean {
      return name !== undefined && start <= position && position <= end;
    }
  }

  /** The clauses that define a predicate. */
  async defining({ keys }: Mark): Promise<Place[]> {
    return this.#places(keys, ['head']);
  }

  /** All occurrences of a predicate. */
  async naming({ keys }: Mark): Promise<Place[]> {
    return this.#places(keys, ['head', 'call', 'indicator']);
  }

  /** The comments right before the first clause of a predicate. */
  async comment({ keys }: Pick<Mark, 'keys'>): Promise<string | undefined> {
    const heads = (await this.#modules()).places(keys).filter(({ found }) => found.mark.kind === 'head');
    const seen = new Set<Outline>();
    for (const { text: outline, found } of heads) {
      if (seen.has(outline)) continue;
      seen.add(outline);
      const { item } = found;
      // Each line is a comment of its own; a blank line ends them.
      let start = item.start;
      const before = item.marks.filter(({ kind, end }) => kind === 'comment' && end <= item.start);
      for (const mark of before.reverse()) {
        if (/\n\s*\n/.test(outline.text.slice(mark.end, start))) break;
        ({ start } = mark);
      }
      if (start === item.start) continue;
      return outline.text
        .slice(start, item.start)
        .replace(/^[ \t]*(?:%+!?|\/\*+)[ \t]?|(?<!\s)\s*\*\/$/gm, '')
        .trim();
    }
    return undefined;
  }

  /** All predicates that the texts define, with their comments. */
  async defined(): Promise<Defined[]> {
    const modules = await this.#modules();
    const marks = new Map<string, Pick<Mark, 'keys'> & { indicator: string }>();
    for (const outline of modules.texts)
      for (const item of outline.items)
        for (const mark of item.marks) {
          if (mark.kind !== 'head') continue;
          const keys = modules.meantAt({ mark, item }, outline);
          marks.set(keys.join(' '), { indicator: indicatorOf(mark), keys });
        }
    return Promise.all(
      [...marks.values()].map(async ({ indicator, keys }) => {
        const places = await this.#places(keys, ['head']);
        return { indicator, comment: await this.comment({ keys }), clauses: places.length, first: places[0]! };
      }),
    );
  }

  /** A goal from a file, rewritten for a query. */
  async asked(goal: string, file: string | undefined): Promise<string> {
    const modules = await this.#modules();
    const outline = modules.texts.find(({ uri }) => uri === file);
    if (!outline || modules.moduleOf(outline) === undefined) return goal;
    const { items } = await this.#outline(NO_FILE, `:- ${goal} .`);
    const marks = items.flatMap((item) => item.marks);
    return modules.asked(goal, marks, outline);
  }

  /**
   * The module that a file belongs to, by its header or as part of another file, and the modules of all files, saved or
   * not.
   */
  async around(file: string): Promise<{ home: string | undefined; modules: string[] }> {
    const modules = await this.#modules(false);
    const outline = modules.texts.find(({ uri }) => uri === file);
    return { home: outline && modules.moduleOf(outline), modules: modules.names() };
  }

  /**
   * The `name/arity` of what can be called in a file or else in a query, as of the last reading of the files. With
   * `module`, what that module has; `undefined` if there is no such module.
   */
  callable(beginning: string, file: string | undefined, module?: string): string[] | undefined {
    const modules = this.#latest;
    if (!modules || (module !== undefined && !modules.names().includes(module))) return undefined;
    const outline = modules.texts.find(({ uri }) => uri === file) ?? new Outline(NO_FILE, '', []);
    return modules.callable(beginning, outline, module).map(indicatorOf);
  }

  /** Whether a predicate is local to a module, so that it can only be called with the module's name. */
  isKept(indicator: string): boolean {
    const isKept = this.#latest?.advice(parsed(indicator)) !== undefined;
    return isKept && !this.book.session.hornbook.builtins().includes(indicator);
  }

  async #places(keys: string[], kinds: string[]): Promise<Place[]> {
    const places = (await this.#modules()).places(keys).filter(({ found }) => kinds.includes(found.mark.kind));
    return places.map(({ text: { uri, text }, found }) => {
      const line = text.slice(0, found.mark.start).split('\n').length;
      return { file: uri, line, text: text.split('\n')[line - 1]!.trim() };
    });
  }

  /** With `isExact`, long texts are also read in their current version. */
  async #modules(isExact = true): Promise<Modules<Outline>> {
    const known = this.#latest;
    const outlines = await Promise.all(
      this.book.tabs
        .filter(({ isDocument }) => !isDocument)
        .map((tab) => {
          const text = this.book.text(tab);
          const before = isExact || text.length < LONG ? undefined : known?.texts.find(({ uri }) => uri === tab.name);
          return before ?? this.#outline(tab.name, text);
        }),
    );
    if (known?.texts.length === outlines.length && known.texts.every((text, at) => text === outlines[at])) return known;
    this.#latest = new Modules(outlines, (name, by) =>
      outlines.find((other) => other !== by && isNamed(other.uri, name)),
    );
    return this.#latest;
  }

  #outline(file: string, text: string): Promise<Outline> {
    const key = `${file}\n${text}`;
    const known = this.#read.get(key);
    if (known) return known;
    // Old versions are never needed again.
    if (this.#read.size > 50 + this.book.tabs.length) this.#read.clear();
    const items = text.length > LARGEST ? Promise.resolve([]) : this.book.session.hornbook.outline(text);
    const read = items.catch(() => {
      this.#read.delete(key);
      return [];
    });
    const outline = read.then((items) => new Outline(file, text, items));
    this.#read.set(key, outline);
    return outline;
  }
}

/** Whether a name in a directive refers to a file: the last parts of the path are equal, apart from `.pl`. */
function isNamed(file: string, name: string): boolean {
  const plain = (path: string) => path.replaceAll('\\', '/').replace(/^(?:\.{1,2}\/)+|\.pl$/g, '');
  const [is, need] = [plain(file), plain(name)];
  return is === need || is.endsWith(`/${need}`) || need.endsWith(`/${is}`);
}
