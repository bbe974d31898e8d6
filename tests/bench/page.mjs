// The page with 100,000 answers: frame times while scrolling, relative to an empty list of the same length in the same
// page.
import { Visitors, ask } from '../browser/playground.mjs';

const ANSWERS = 100_000;
/** Frames per scroll, and pixels from one to the next: about as fast as a mouse wheel scrolls. */
const FRAMES = 300;
const STEP = 240;

export async function page(rounds) {
  const visitors = await Visitors.start();
  const page = await visitors.open();
  page.setDefaultTimeout(300_000);
  const card = await ask(page, `between(1, ${ANSWERS}, X)`, 'Ask for all');
  const list = card.locator('.scroll');
  const empty = await list.evaluateHandle((list) => {
    const frame = document.createElement('div');
    frame.style.cssText = `height: ${list.clientHeight}px; overflow: auto`;
    const rows = frame.appendChild(document.createElement('div'));
    rows.style.height = `${list.scrollHeight}px`;
    list.after(frame);
    return frame;
  });
  /** The mean frame time of a scroll, in milliseconds. */
  const frameTime = (frame, from) =>
    frame.evaluate(
      async (frame, { from, frames, step }) => {
        const painted = () => new Promise(requestAnimationFrame);
        frame.scrollIntoView({ block: 'center' });
        frame.scrollTop = from;
        await painted();
        await painted();
        const begun = performance.now();
        for (let n = 1; n <= frames; n += 1) {
          frame.scrollTop = from + n * step;
          await painted();
        }
        return (performance.now() - begun) / frames;
      },
      { from, frames: FRAMES, step: STEP },
    );
  const rates = [];
  const ratios = [];
  for (let round = -1; round < rounds; round += 1) {
    // Each round uses another part of the list, which was not drawn before.
    const from = (round + 2) * FRAMES * STEP * 2;
    const alone = await frameTime(empty, from);
    const ours = await frameTime(list, from);
    if (round < 0) continue;
    rates.push(1000 / ours);
    ratios.push(ours / alone);
  }
  await visitors.close();
  const what = `${ANSWERS.toLocaleString('en')} answers in the page, scrolled`;
  return [
    { what, values: rates, unit: 'frames a second' },
    { what: `${what}: time of a frame, to that of an empty list`, values: ratios, goal: 1.1, unit: 'ratio' },
  ];
}
