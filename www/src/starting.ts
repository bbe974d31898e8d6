/**
 * Whether the page survives what it opens. While it starts or opens a link it says so in the browser's storage, again
 * and again; a page that hangs or crashes leaves that behind, and one that is closed or reloaded does not. So the next
 * start knows that a stored text may be the cause (`aside.ts`).
 */
import { keep, kept } from './kept.ts';

const STARTING = 'hornbook.starting';
const BEAT_MS = 500;
/** A page that has said nothing for so long hangs, or is dead. */
const DEAD_MS = 3000;

/** Whether the last page that began something never ended it. */
export async function wasCutOff(): Promise<boolean> {
  const last = Number(kept(STARTING));
  if (!last) return false;
  const left = DEAD_MS - (Date.now() - last);
  // It may be another tab, which is just starting.
  if (left > 0 && left <= DEAD_MS) await new Promise((resolve) => setTimeout(resolve, left));
  return Number(kept(STARTING)) === last;
}

/** Forget what {@link wasCutOff} found. */
export const forgetCutOff = (): void => void keep(STARTING, undefined);

/** What was opened has been shown after this time, in milliseconds, or the page hangs. */
const SHOWN_MS = 1000;

let running = 0;
let timer: number | undefined;

/** Begin something that the page may not survive. Returns a function to call once its texts are in the page. */
export function risky(): () => void {
  running += 1;
  if (running === 1) {
    const beat = () => keep(STARTING, String(Date.now()));
    beat();
    timer = window.setInterval(beat, BEAT_MS);
    window.addEventListener('pagehide', stop);
  }
  return () =>
    void setTimeout(() => {
      running -= 1;
      if (running === 0) stop();
    }, SHOWN_MS);
}

function stop(): void {
  window.clearInterval(timer);
  window.removeEventListener('pagehide', stop);
  forgetCutOff();
}
