/** The predicate that a misspelled call probably means. */
import type { Named } from './outline.js';

/** Those of these predicates that are written almost alike, the nearest first: few letters differ, or the arguments. */
export function near({ name = '', arity }: Named, known: Iterable<string>): Named[] {
  const most = name.length < 3 ? 0 : name.length < 6 ? 1 : 2;
  const found: { meant: Named; distance: number }[] = [];
  for (const indicator of known) {
    const at = indicator.lastIndexOf('/');
    if (Math.abs(at - name.length) > most) continue;
    const meant = { name: indicator.slice(0, at), arity: Number(indicator.slice(at + 1)) };
    const edits = editsBetween(name, meant.name, most);
    if (edits <= most) found.push({ meant, distance: edits + (meant.arity === arity ? 0 : 0.5) });
  }
  return found.sort((one, other) => one.distance - other.distance).map(({ meant }) => meant);
}

/** How many letters are added, left out, replaced or swapped with the next one; more than `most` is not told apart. */
function editsBetween(one: string, other: string, most: number): number {
  let [before, row]: [number[], number[]] = [[], [...Array(other.length + 1).keys()]];
  for (let i = 1; i <= one.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= other.length; j += 1) {
      const isSame = one[i - 1] === other[j - 1];
      const isSwapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      next.push(
        Math.min(
          row[j]! + 1,
          next[j - 1]! + 1,
          row[j - 1]! + (isSame ? 0 : 1),
          ...(isSwapped ? [before[j - 2]! + 1] : []),
        ),
      );
    }
    [before, row] = [row, next];
    if (Math.min(...row) > most) return most + 1;
  }
  return row[other.length]!;
}
