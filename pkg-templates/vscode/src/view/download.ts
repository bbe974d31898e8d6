/** Downloads go through the editor, which asks where to save them. */
import { sentence, tell } from '../../../../www/src/dom.ts';
import { say } from './editor.ts';

export function download(name: string, contents: string | Blob): void {
  new Blob([contents]).text().then(
    (text) => say({ kind: 'save', name, text }),
    (error: unknown) => tell(sentence(error), 'error'),
  );
}
