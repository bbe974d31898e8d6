/** The difference of two texts, line by line. */

export interface Line {
  sign: '-' | '+' | ' ';
  text: string;
}

/** How many pairs of lines are compared; what differs beyond that is shown as a whole. */
const PAIRS = 1_000_000;
/** How many equal lines are kept around what differs. */
const AROUND = 2;

/** The lines only in `before` (-), those only in `after` (+), and a few equal ones around them. */
export function differences(before: string[], after: string[]): Line[] {
  let start = 0;
  while (start < before.length && start < after.length && before[start] === after[start]) start += 1;
  let end = 0;
  const most = Math.min(before.length, after.length) - start;
  while (end < most && before.at(-1 - end) === after.at(-1 - end)) end += 1;
  const same = (text: string): Line => ({ sign: ' ', text });
  return [
    ...before.slice(Math.max(0, start - AROUND), start).map(same),
    ...between(before.slice(start, before.length - end), after.slice(start, after.length - end)),
    ...before.slice(before.length - end, before.length - end + AROUND).map(same),
  ];
}

/** By a longest common subsequence of lines. */
function between(before: string[], after: string[]): Line[] {
  const width = after.length + 1;
  const lines: Line[] = [];
  let [i, j] = [0, 0];
  if (before.length * after.length <= PAIRS) {
    const common = new Uint32Array((before.length + 1) * width);
    for (let m = before.length - 1; m >= 0; m -= 1)
      for (let n = after.length - 1; n >= 0; n -= 1)
        common[m * width + n] =
          before[m] === after[n]
            ? common[(m + 1) * width + n + 1]! + 1
            : Math.max(common[(m + 1) * width + n]!, common[m * width + n + 1]!);
    while (i < before.length && j < after.length) {
      if (before[i] === after[j]) {
        lines.push({ sign: ' ', text: before[i]! });
        i += 1;
        j += 1;
      } else if (common[(i + 1) * width + j]! >= common[i * width + j + 1]!)
        lines.push({ sign: '-', text: before[i++]! });
      else lines.push({ sign: '+', text: after[j++]! });
    }
  }
  for (; i < before.length; i += 1) lines.push({ sign: '-', text: before[i]! });
  for (; j < after.length; j += 1) lines.push({ sign: '+', text: after[j]! });
  return lines;
}
