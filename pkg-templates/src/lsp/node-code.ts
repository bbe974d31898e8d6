/** Reads the code of workflow nodes without running it. */
import type { Hornbook } from '../full/hornbook.js';
import type { CodeRunner, LoadOptions, NodeCode, OtherLanguage } from '../workflow.js';
import type { Flaw } from './ground.js';

/** How long a language may take to load and to read the code of a node, in milliseconds. */
const READ_MS = 30_000;

/** Where code cannot be read: the line from 1, the column from 0. */
interface Unread {
  line: number;
  column: number;
  message: string;
}

/** Programs that read the code in the state as `code`, and give where it cannot be read. */
const READERS: Partial<Record<OtherLanguage, string>> = {
  python: `
import ast
try:
    ast.parse(state["code"])
    line, column, message = 0, 0, ""
except SyntaxError as error:
    line, column, message = error.lineno or 1, (error.offset or 1) - 1, error.msg
return {"line": line, "column": max(column, 0), "message": message}
`,
  lua: `
local chunk, why = load(state.code, "=node", "t")
if chunk then return { line = 0, column = 0, message = "" } end
local line, message = why:match("^node:(%d+): (.*)$")
return { line = tonumber(line) or 1, column = 0, message = message or why }
`,
};

/** Nothing may say which language it is, so messages do. */
const NAMES: Record<OtherLanguage, string> = { python: 'Python', lua: 'Lua', javascript: 'JavaScript' };

/** Templates are replaced before Python reads the code. */
const TEMPLATE = /\{\{|\{%/;

/** A goal of a condition or a reducer needs no period. */
const clauseOf = ({ part, code }: NodeCode): string =>
  part === 'run' || /\.\s*$/.test(code) ? code : `${code.trimEnd()} .`;

export class CodeReader {
  readonly #runners = new Map<OtherLanguage, Promise<CodeRunner>>();

  constructor(
    private readonly reader: () => Hornbook | Promise<Hornbook>,
    private readonly languages: NonNullable<LoadOptions['languages']>,
  ) {}

  /** What cannot be read, at its place in the text of the workflow. */
  async flaws(code: NodeCode): Promise<Flaw[]> {
    const language = code.language as OtherLanguage | 'prolog';
    const unread = await (language === 'prolog' ? this.#prolog(clauseOf(code)) : this.#other(language, code.code));
    return unread.map(({ line, column, message }) => ({
      line: code.line + line - 2,
      column: code.column + column,
      message,
    }));
  }

  close(): void {
    for (const runner of this.#runners.values())
      runner.then(
        (runner) => runner.close(),
        () => {},
      );
    this.#runners.clear();
  }

  async #prolog(code: string): Promise<Unread[]> {
    const problems = await (await this.reader()).check(code);
    return problems
      .filter(({ kind }) => kind === 'syntax_error')
      .map(({ start, message }) => {
        const before = code.slice(0, start).split('\n');
        return { line: before.length, column: [...before.at(-1)!].length, message };
      });
  }

  async #other(language: OtherLanguage, code: string): Promise<Unread[]> {
    const [read, start] = [READERS[language], this.languages[language]];
    if (!read || !start || (language === 'python' && TEMPLATE.test(code))) return [];
    let runner = this.#runners.get(language);
    if (!runner) {
      runner = Promise.resolve(start());
      this.#runners.set(language, runner);
    }
    const given = JSON.stringify({ state: { code }, variables: {}, parallel_results: null });
    const { result, error } = JSON.parse(await (await runner).run(read, given, READ_MS)) as {
      result?: Unread;
      error?: string;
    };
    if (!result) return [{ line: 1, column: 0, message: `${error}` }];
    return result.line === 0 ? [] : [{ ...result, message: `${NAMES[language]}: ${result.message}` }];
  }
}
