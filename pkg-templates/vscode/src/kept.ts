/** What a page of the extension keeps with the workspace: texts by name. */
import type * as vscode from 'vscode';

export class Kept {
  /** @param key what the workspace stores them under */
  constructor(
    private readonly state: vscode.Memento,
    private readonly key: string,
  ) {}

  get texts(): Record<string, string> {
    return this.state.get(this.key, {});
  }

  /** Keep a text; without one, forget it. */
  async keep(name: string, text: string | undefined): Promise<void> {
    const { [name]: _, ...others } = this.texts;
    await this.state.update(this.key, text === undefined ? others : { ...others, [name]: text });
  }
}
