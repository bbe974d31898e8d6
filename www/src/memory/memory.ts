/** The memory in the page's book, through the same tools that agents have. */
import type { ToolData, ToolValues } from '../../../pkg/results.js';
import { Signal, debounced, sentence, tell } from '../dom.ts';
import type { Session } from '../session.ts';
import { Records } from './records.ts';

/** How long to wait after the last change before reading the memory again, in milliseconds. */
const PAUSE_MS = 100;
/** Tokens per reply: an agent's budget would cut off what a page can show. */
const BUDGET = 100_000;

type Tool = 'kn_graph' | 'kn_intel' | 'kn_experience' | 'kn_project' | 'kn_idea';

export class Memory {
  records = new Records('');
  /** The time to look at; undefined means now. */
  at: number | undefined;
  /** The records or the time have changed. */
  readonly changed = new Signal();

  constructor(readonly session: Session) {
    session.remembered.on(debounced(PAUSE_MS, () => this.refresh()));
    this.refresh();
  }

  refresh(): void {
    try {
      this.records = new Records(this.session.hornbook.exportMemory());
      this.changed.send();
    } catch (error) {
      tell(sentence(error), 'error');
    }
  }

  lookAt(at: number | undefined): void {
    this.at = at;
    this.changed.send();
  }

  /** The time argument for reading calls. */
  get asOf(): { as_of?: string } {
    return this.at === undefined ? {} : { as_of: new Date(this.at).toISOString() };
  }

  /** Call a tool. Rejects with its message if it refuses. */
  async call<Name extends Tool, Action extends string>(
    tool: Name,
    values: ToolValues<Name, Action>,
  ): Promise<ToolData<Name, Action>> {
    const data = await this.session.ok(tool, { budget: BUDGET, ...values });
    for (const warning of data.warnings ?? []) tell(warning, 'error');
    return data;
  }

  /** Call a tool to change something. Shows a refusal; resolves with whether there was none. */
  async change<Name extends Tool, Action extends string>(
    tool: Name,
    values: ToolValues<Name, Action>,
  ): Promise<boolean> {
    try {
      await this.call(tool, values);
      return true;
    } catch (error) {
      tell(sentence(error), 'error');
      return false;
    }
  }

  export(): string {
    return this.session.hornbook.exportMemory();
  }

  /** Import lines of JSON, as one revision of the book. Resolves with a sentence about the result. */
  async import(lines: string): Promise<string> {
    const work = () => this.session.hornbook.importMemory(lines);
    const report = await this.session.turns.take({ what: 'importing a memory' }, work);
    const { added, replaced, unchanged, not_taken, problems } = report;
    const parts = [`${added} added`, `${replaced} replaced`, `${unchanged} unchanged`].filter(
      (part) => !/^0/.test(part),
    );
    const [first] = problems;
    if (not_taken > 0 && first)
      parts.push(`${not_taken} left out (line ${first.line}: ${first.why.replace(/\.$/, '')})`);
    return `Records imported: ${parts.join(', ') || 'none'}.`;
  }
}
