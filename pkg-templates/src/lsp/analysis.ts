/** A document of the editor as the engine has read it. */
import type { TextDocument } from 'vscode-languageserver-textdocument';
import type { OutlineItem, OutlineMark } from '../full/hornbook.js';
import { Outline } from './outline.js';

/** One version of a document. */
export class Analysis extends Outline {
  constructor(
    readonly document: TextDocument,
    items: OutlineItem[],
  ) {
    super(document.uri, document.getText(), items);
  }

  /** The marks of a clause for the variable with this name. */
  variables(item: OutlineItem, name: string): OutlineMark[] {
    return item.marks.filter((mark) => mark.kind === 'variable' && this.textOf(mark) === name);
  }
}
