/** `hornbook check`: what is wrong with Prolog, DML programs, workflows and books. Of a Prolog file, the directives
 * are run as on loading; nothing else runs. */
import { basename, dirname, resolve } from 'node:path';
import { NodeHost, openHornbook, type Opened } from '../node/open.js';
import { installed } from '../node/languages.js';
import type { DeepClause } from '../dml.js';
import { checksOn } from '../lsp/checks.js';
import { checkBook, isBook } from './operations.js';
import { mcpServersOf } from './mcp.js';
import { opened as openedDml, type Outcome, type Tools } from './run.js';
import type { Screen } from './terminal.js';
import { text } from './text.js';
import { oneLine } from './visible.js';

/** How long a directive of a file that is checked may run. */
const DIRECTIVE_MS = 10_000;

/** A problem. Lines count from 1, columns from 0. */
interface Found {
  line: number;
  column: number;
  severity: 'error' | 'warning';
  message: string;
}

/** What is checked, and how it is told. */
export interface Check {
  files: string[];
  /** The libraries that the engine of a book loads, too. */
  libraries: string[];
  /** Print one JSON array, not lines. */
  json: boolean;
}

/**
 * Print what is wrong with files: `.book` and what begins as a book are books, `.pl`, `.prolog` and `.plt` are Prolog,
 * `.yaml` and `.yml` are workflows, all others are DML programs.
 */
export async function check({ files, libraries, json }: Check, tools: Tools, screen: Screen): Promise<Outcome> {
  const checks = new Checks(tools, (line) => screen.err(`${line}\n`));
  const all: ({ file: string } & Found)[] = [];
  let outcome: Outcome = 0;
  try {
    for (const file of files) {
      if (await isBook(file)) {
        let said = '';
        const isSound = await checkBook(file, libraries, json ? { ...screen, out: (text) => (said += text) } : screen);
        if (isSound) continue;
        outcome = 1;
        for (const message of said.split('\n').filter(Boolean))
          all.push({ file, line: 1, column: 0, severity: 'error', message });
        continue;
      }
      for (const found of await checks.of(file, await text(file))) {
        outcome = 1;
        all.push({ file, ...found });
        if (!json) screen.out(`${oneLine(file)}:${found.line}:${found.column}: ${found.message}\n`);
      }
    }
  } finally {
    await checks.close();
  }
  if (json) screen.out(`${JSON.stringify(all, null, 2)}\n`);
  return outcome;
}

/** The goal of `initialization(GOAL): why`, as the text has it. */
function goalOf(error: string): string {
  return error.slice(0, error.indexOf('): '));
}

function placeOf(text: string, at: number): { line: number; column: number } {
  const before = text.slice(0, Math.max(at, 0)).split('\n');
  return { line: before.length, column: [...before.at(-1)!].length };
}

/** Each kind of check is opened when a file first needs it. */
class Checks {
  #dml: DeepClause | undefined;
  #prolog: Promise<Opened> | undefined;
  readonly #host: NodeHost;
  readonly #workflows: ReturnType<typeof checksOn>;

  constructor(
    private readonly tools: Tools,
    private readonly log: (line: string) => void,
  ) {
    this.#host = new NodeHost(log);
    this.#workflows = checksOn(this.#host, async () => (await this.#opened()).hornbook, installed());
  }

  async of(file: string, text: string): Promise<Found[]> {
    if (/\.(plt?|prolog)$/i.test(file)) return this.#prologs(file, text);
    if (/\.ya?ml$/i.test(file)) {
      const flaws = await this.#workflows.checkWorkflow(text);
      // The actions are those of the application that will run it.
      const known = flaws.filter(
        ({ message }) => !message.endsWith('which is not an action. The host has registered none.'),
      );
      return known.map(({ line, column, message }) => ({
        line: line + 1,
        column,
        severity: 'error',
        message: message.replace(/^line \d+, column \d+: /, ''),
      }));
    }
    this.#dml ??= await openedDml(this.tools, await mcpServersOf(this.tools.mcp));
    return (await this.#dml.checkDML(text)).map((found) => ({ ...found, severity: 'error' }));
  }

  async #prologs(file: string, text: string): Promise<Found[]> {
    const problems = await (await this.#opened()).hornbook.check(text);
    // A file that loads others may have its predicates from there.
    const alone = !/^:-\s*(?:use_module\(\s*(?!library\b)|ensure_loaded|include|consult|\[)/m.test(text);
    const found = problems
      .filter(({ kind }) => alone || kind !== 'undefined')
      .map(({ start, severity, message }) => ({ ...placeOf(text, start), severity, message }));
    const failed = /^\s*:-/m.test(text) ? await this.#loading(file, text) : [];
    // Loading says the same of what is refused, and what to do.
    const isKnown = (told: Found) => found.some(({ message }) => told.message.startsWith(message));
    return [...found, ...failed.filter((told) => !isKnown(told))].sort((a, b) => a.line - b.line);
  }

  /** What fails when a file is loaded in order, with its directives, into a book of its own that nobody keeps. */
  async #loading(file: string, text: string): Promise<Found[]> {
    const options = { roots: [dirname(resolve(file)), process.cwd()], timeoutMs: DIRECTIVE_MS };
    const { hornbook, close } = await openHornbook(options, this.log);
    const cancel = hornbook.cancellation();
    try {
      const { errors } = await hornbook.importFile(basename(file), text, undefined, undefined, undefined, cancel);
      return errors.map((error) => {
        const [, line, column, message] = /^(\d+):(\d+): (.*)$/s.exec(error) ?? [];
        const place = line
          ? { line: Number(line), column: Number(column) }
          : placeOf(text, text.indexOf(goalOf(error)));
        return { ...place, severity: 'error', message: message ?? error };
      });
    } finally {
      cancel.free();
      await close();
    }
  }

  #opened(): Promise<Opened> {
    this.#prolog ??= openHornbook({ roots: [] }, this.log);
    return this.#prolog;
  }

  async close(): Promise<void> {
    this.#dml?.close();
    this.#workflows.close();
    this.#host.close();
    await (await this.#prolog)?.close();
  }
}
