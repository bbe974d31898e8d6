/** Lets the person write a goal. */
import * as vscode from 'vscode';

/** The goal, without `?-` and period; undefined if none was written. */
export async function promptedGoal(prompt: string): Promise<string | undefined> {
  const value = await vscode.window.showInputBox({ prompt, placeHolder: 'ancestor(tom, Who)' });
  const goal = value
    ?.trim()
    .replace(/^\?-\s*/, '')
    .replace(/\.$/, '');
  return goal || undefined;
}
