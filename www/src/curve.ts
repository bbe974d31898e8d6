/** Lines of pictures. */

export interface Point {
  x: number;
  y: number;
}

/** A smooth line through the points. */
export function curve(points: Point[]): string {
  const at = ({ x, y }: Point): string => `${x.toFixed(1)} ${y.toFixed(1)}`;
  const [first, ...others] = points;
  let path = `M${at(first!)}`;
  for (const [index, point] of others.entries()) {
    const next = others[index + 1];
    path += next ? `Q${at(point)} ${at({ x: (point.x + next.x) / 2, y: (point.y + next.y) / 2 })}` : `L${at(point)}`;
  }
  return path;
}
