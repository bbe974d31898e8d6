/** The memory in the page's book, by the tools that agents have. */
import type { MemoryLists } from '../../../pkg/generated/memory.js';
import type { ToolArguments } from '../../../pkg/generated/tools.js';
import { Signal, debounced, sentence, tell } from '../dom.ts';
import type { Session } from '../session.ts';
import { Records } from './records.ts';

/** Milliseconds without a change before the memory is read again. */
const PAUSE_MS = 100;
/** Tokens of a reply: an agent's budget would cut what a page can show. */
const BUDGET = 100_000;

type Tool = 'kn_graph' | 'kn_intel' | 'kn_experience' | 'kn_project' | 'kn_idea';

export class Memory {
  records = new Records('');
  /** The time that is looked at; undefined is now. */
  at: number | undefined;
  /** The records or the time are others. */
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

  /** For the arguments of what is read. */
  get asOf(): { as_of?: string } {
    return this.at === undefined ? {} : { as_of: new Date(this.at).toISOString() };
  }

  /** Ask for what one of the lists has: `kn_idea list`. Rejects with the tool's sentence where it refuses. */
  async list<Name extends keyof MemoryLists>(name: Name, values: Record<string, unknown>): Promise<MemoryLists[Name]> {
    const [tool, action] = name.split(' ') as [Tool, string];
    const data: unknown = await this.#call(tool, { action, ...values });
    return data as MemoryLists[Name];
  }

  /** Rejects with the tool's sentence where it refuses. */
  async #call(tool: Tool, values: Record<string, unknown>): Promise<object> {
    const what = `${tool} ${values.action}`;
    // The tool checks what each action takes.
    const all = { budget: BUDGET, ...values } as ToolArguments[Tool];
    const { data, text, isError } = await this.session.call(tool, all, undefined, { what });
    if (isError) throw new Error('error' in data && typeof data.error === 'string' ? data.error : text);
    for (const warning of data.warnings ?? []) tell(warning, 'error');
    return data;
  }

  /** Ask a tool that changes something: whether it did. A refusal is shown. */
  async change(tool: Tool, values: Record<string, unknown>): Promise<boolean> {
    try {
      await this.#call(tool, values);
      return true;
    } catch (error) {
      tell(sentence(error), 'error');
      return false;
    }
  }

  export(): string {
    return this.session.hornbook.exportMemory();
  }

  /** Take lines of JSON over, as one revision of the book; a sentence about it. */
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
