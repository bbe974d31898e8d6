/**
 * Runs that are not over. They end with this page, so they are kept by name: the editor tells the person when the page is
 * closed, or else the page does when it is loaded again.
 */
import { tell } from '../../../../www/src/dom.ts';
import { keep, keptJson } from '../../../../www/src/kept.ts';
import { UNFINISHED, ended } from './messages.ts';

const unfinished = new Map<string, string>();

/** What is not over in a panel: the name of a file, or nothing. */
export function tellUnfinished(panel: string, file: string | undefined): void {
  if (unfinished.get(panel) === file) return;
  if (file === undefined) unfinished.delete(panel);
  else unfinished.set(panel, file);
  keep(UNFINISHED, unfinished.size === 0 ? undefined : JSON.stringify([...unfinished.values()]));
}

/** Tell what ended with the page that was here before. */
export function tellEnded(): void {
  const text = ended(keptJson(UNFINISHED));
  if (!text) return;
  keep(UNFINISHED, undefined);
  tell(text, 'error');
}
