/**
 * Runs that are not over. They end with this page, so they are kept by name: the editor tells the person when the page is
 * closed, or else the page does when it is loaded again.
 */
import { tell } from '../../../../www/src/dom.ts';
import { keep, keptJson } from '../../../../www/src/kept.ts';
import { UNFINISHED, ended } from './messages.ts';

const unfinished = new Map<string, string[]>();

/** What is not over in a panel: the names of files. */
export function tellUnfinished(panel: string, files: string[]): void {
  unfinished.set(panel, files);
  const all = [...unfinished.values()].flat();
  keep(UNFINISHED, all.length === 0 ? undefined : JSON.stringify(all));
}

/** Tell what ended with the page that was here before. */
export function tellEnded(): void {
  const text = ended(keptJson(UNFINISHED));
  if (!text) return;
  keep(UNFINISHED, undefined);
  tell(text, 'error');
}
