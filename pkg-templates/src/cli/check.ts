/** `hornbook check`: what is wrong with Prolog, DML programs, workflows and books, found without running them. */
import { NodeHost, openHornbook, type Opened } from '../node/open.js';
import type { DeepClause } from '../dml.js';
import { checksOn } from '../lsp/checks.js';
import { checkBook, isBook } from './operations.js';
import { mcpServersOf } from './mcp.js';
import { opened as openedDml, type Outcome, type Tools } from './run.js';
import type { Screen } from './terminal.js';
import { text } from './text.js';
import { oneLine } from './visible.js';

/** A problem. Lines count from 1, columns from 0. */
interface Found {
  line: number;
  column: number;
  message: string;
}

/**
 * Print what is wrong with files: `.book` and what begins as a book are books, `.pl` and `.plt` are Prolog, `.yaml` and
 * `.yml` are workflows, all others are DML programs.
 *
 * @param libraries that the engine of a book loads, too
 */
export async function check(files: string[], tools: Tools, libraries: string[], screen: Screen): Promise<Outcome> {
  const checks = new Checks(tools, (line) => screen.err(`${line}\n`));
  let outcome: Outcome = 0;
  try {
    for (const file of files) {
      if (await isBook(file)) {
        if (!(await checkBook(file, libraries, screen))) outcome = 1;
        continue;
      }
      for (const { line, column, message } of await checks.of(file, await text(file))) {
        screen.out(`${oneLine(file)}:${line}:${column}: ${message}\n`);
        outcome = 1;
      }
    }
  } finally {
    await checks.close();
  }
  return outcome;
}

/** Each kind of check is opened when a file first needs it. */
class Checks {
  #dml: DeepClause | undefined;
  #prolog: Opened | undefined;

  constructor(
    private readonly tools: Tools,
    private readonly log: (line: string) => void,
  ) {}

  async of(file: string, text: string): Promise<Found[]> {
    if (/\.plt?$/i.test(file)) return this.#prologs(text);
    if (/\.ya?ml$/i.test(file)) {
      const flaws = await checksOn(new NodeHost(this.log)).checkWorkflow(text);
      // The actions are those of the application that will run it.
      const known = flaws.filter(
        ({ message }) => !message.endsWith('which is not an action. The host has registered none.'),
      );
      return known.map(({ line, column, message }) => ({
        line: line + 1,
        column,
        message: message.replace(/^line \d+, column \d+: /, ''),
      }));
    }
    this.#dml ??= await openedDml(this.tools, await mcpServersOf(this.tools.mcp));
    return this.#dml.checkDML(text);
  }

  async #prologs(text: string): Promise<Found[]> {
    this.#prolog ??= await openHornbook({ roots: [] }, this.log);
    const problems = await this.#prolog.hornbook.check(text);
    // A file that loads others may have its predicates from there.
    const alone = !/^:-\s*(?:use_module\(\s*(?!library\b)|ensure_loaded|include|consult|\[)/m.test(text);
    return problems
      .filter(({ kind }) => alone || kind !== 'undefined')
      .map(({ start, message }) => {
        const before = text.slice(0, start).split('\n');
        return { line: before.length, column: [...before.at(-1)!].length, message };
      });
  }

  async close(): Promise<void> {
    this.#dml?.close();
    await this.#prolog?.close();
  }
}
