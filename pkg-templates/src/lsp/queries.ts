/** Queries in the comments of a document, their answers, and proofs of answers. */
import { LSPErrorCodes, ResponseError, type Range } from 'vscode-languageserver';
import type { Cancel, Hornbook, Step } from '../full/hornbook.js';
import type { Analysis } from './analysis.js';
import type { Ground } from './ground.js';
import { loadedUri, type Index } from './index.js';

/** `hornbook/ask`: the first answers of a goal, given the current document and the files it loads. */
export interface Ask {
  uri: string;
  goal: string;
  /** The maximum number of answers. */
  take: number;
}

/** `hornbook/more`: further answers of a query. */
export interface More {
  query: string;
  take: number;
}

export interface Answers {
  query: string;
  /** Each as `X = 1, Y = 2`; `true` if there is nothing to show. */
  answers: { text: string; output: string }[];
  more: boolean;
  /** Output after the last answer. */
  output: string;
  error?: string;
  /** Up to three `line: message` entries about parts of the texts that are not in the book. */
  faults: string[];
}

/** `hornbook/prove`: why an answer, by its number from 1, holds. */
export interface Prove {
  uri: string;
  goal: string;
  answer: number;
}

export interface Proof {
  steps: { depth: number; goal: string; how: string; uri?: string; line?: number }[];
  /** Whether steps were left out. */
  cut: boolean;
}

/** A query in a comment, `% ?- goal.` */
export interface Written {
  goal: string;
  range: Range;
}

/** The queries in the comments of a document. A query of several lines ends with its period. */
export function writtenQueries({ items, document }: Analysis): Written[] {
  const comments = items.flatMap(({ marks }) => marks.filter(({ kind }) => kind === 'comment'));
  const found: Written[] = [];
  let open: { lines: string[]; start: number; end: number } | undefined;
  const close = () => {
    const goal = open?.lines.join('\n').trim().replace(/\.$/, '');
    if (goal)
      found.push({ goal, range: { start: document.positionAt(open!.start), end: document.positionAt(open!.end) } });
    open = undefined;
  };
  for (const { start, end } of comments) {
    const text = document.getText().slice(start, end);
    const [, begun] = /^%+!?\s*\?-\s*(\S.*)$/.exec(text) ?? [];
    const goesOn = open && /^[ \t]*\r?\n[ \t]*$/.test(document.getText().slice(open.end, start));
    if (begun !== undefined) {
      close();
      open = { lines: [begun], start, end };
    } else if (open && goesOn && !/\.\s*$/.test(open.lines.at(-1)!)) {
      open.lines.push(text.replace(/^%+/, ''));
      open.end = end;
    }
    if (open && /\.\s*$/.test(open.lines.at(-1)!)) close();
  }
  close();
  return found;
}

/** Runs queries in a book that has the document and what it loads. */
export class Asker {
  /** What is in the book, by URI. */
  readonly #texts = new Map<string, { text: string; faults: string[] }>();
  #turn: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly ground: Ground,
    private readonly index: Index,
  ) {}

  async ask({ goal, take, uri }: Ask, signal: AbortSignal): Promise<Answers> {
    return this.#inTurn(async () => {
      const book = await this.ground.asker();
      const faults = await this.#load(book, uri, signal);
      const asked = await this.#asked(goal, uri);
      return {
        ...(await this.#step(book, signal, (cancel) =>
          book.queryStart(asked, [], take, undefined, cancel, undefined, undefined, 0),
        )),
        faults,
      };
    });
  }

  async more({ query, take }: More, signal: AbortSignal): Promise<Answers> {
    return this.#inTurn(async () => {
      const book = await this.ground.asker();
      return this.#step(book, signal, (cancel) => book.queryNext(query, take, undefined, cancel));
    });
  }

  async prove({ uri, goal, answer }: Prove, signal: AbortSignal): Promise<Proof> {
    return this.#inTurn(async () => {
      const book = await this.ground.asker();
      await this.#load(book, uri, signal);
      const { nodes, clauses, cut } = await book.prove(await this.#asked(goal, uri), answer);
      const steps = nodes.map(({ depth, goal, how, clause }) => {
        const { filename, line } = (clause === undefined ? undefined : clauses[clause]) ?? {};
        return { depth, goal, how, ...(filename !== undefined && { uri: filename, line: line! }) };
      });
      return { steps, cut };
    });
  }

  /** A goal of a document in the form to ask the book. */
  async #asked(goal: string, uri: string): Promise<string> {
    const analysis = await this.index.text(uri);
    const modules = await this.index.modules();
    if (!analysis || modules.moduleOf(analysis) === undefined) return goal;
    const items = await this.ground.reader.outline(`:- ${goal}\n.`);
    const marks = items.flatMap((item) => item.marks);
    return modules.asked(goal, marks, analysis);
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#turn.then(work);
    this.#turn = done.catch(() => {});
    return done;
  }

  /** Load the document and the files it loads into the book, and remove all others. Returns what could not be added. */
  async #load(book: Hornbook, uri: string, signal: AbortSignal): Promise<string[]> {
    const save = (name: string, text: string) => cancellable(book, signal, (cancel) => book.save(name, text, cancel));
    const texts = await this.#withLoaded(uri);
    const gone = [...this.#texts.keys()].filter((known) => !texts.some((text) => text.uri === known));
    for (const uri of gone) {
      await save(uri, '');
      this.#texts.delete(uri);
    }
    const faults: string[] = [];
    for (const { uri: own, document } of texts) {
      const text = document.getText();
      let known = this.#texts.get(own);
      if (known?.text !== text) {
        const { errors } = await save(own, text);
        known = { text, faults: errors };
        this.#texts.set(own, known);
      }
      faults.push(...known.faults);
    }
    return faults.slice(0, 3);
  }

  /** A document, after the ones it loads. */
  async #withLoaded(uri: string, seen = new Set<string>()): Promise<Analysis[]> {
    seen.add(uri);
    const analysis = await this.index.text(uri);
    if (!analysis) return [];
    const texts: Analysis[] = [];
    for (const { name } of analysis.loads()) {
      const other = loadedUri(name, uri);
      for (const candidate of [other, `${other}.pl`])
        if (!seen.has(candidate)) texts.push(...(await this.#withLoaded(candidate, seen)));
    }
    return [...texts, analysis];
  }

  async #step(book: Hornbook, signal: AbortSignal, ask: (cancel: Cancel) => Promise<Step>): Promise<Answers> {
    try {
      const { id, answers, more, output, failure } = await cancellable(book, signal, ask);
      return {
        query: id,
        answers: answers.map((answer) => ({ text: answerText(answer), output: answer.output })),
        more,
        output,
        ...(failure && { error: failure.message }),
        faults: [],
      };
    } catch (error) {
      if (error instanceof ResponseError) throw error;
      return { query: '', answers: [], more: false, output: '', error: (error as Error).message, faults: [] };
    }
  }
}

/** Do what `signal` cancels. */
async function cancellable<T>(book: Hornbook, signal: AbortSignal, work: (cancel: Cancel) => Promise<T>): Promise<T> {
  const cancel = book.cancellation();
  const abort = () => cancel.cancel();
  signal.addEventListener('abort', abort);
  if (signal.aborted) abort();
  try {
    return await work(cancel);
  } catch (error) {
    if (signal.aborted) throw new ResponseError(LSPErrorCodes.RequestCancelled, 'The query was stopped.');
    throw error;
  } finally {
    signal.removeEventListener('abort', abort);
    cancel.free();
  }
}

function answerText({ bindings, residual, undefined: neither }: Step['answers'][number]): string {
  const known = bindings.filter(([, text]) => text !== '_').map(([name, text]) => `${name} = ${text}`);
  const text = [...known, ...residual].join(', ');
  if (neither) return text ? `${text} (undefined: neither true nor false)` : 'undefined: neither true nor false';
  return text || 'true';
}
