/** Where the nodes of a graph stand. */

export interface Edge {
  from: string;
  to: string;
  label: string;
}

export interface Point {
  name: string;
  x: number;
  y: number;
}

/** Between two nodes, in pixels. */
const GAP = 10;
/** Half of how high a node is. */
const HALF = 14;

/**
 * In rows from the top where no edge leads back, as a family or a hierarchy; otherwise as springs would have it. `half`
 * is half of how wide a node is.
 */
export function laidOut(
  edges: Edge[],
  width: number,
  height: number,
  half: (name: string) => number,
): Map<string, Point> {
  const rows = layers(edges);
  const fits = (row: string[]) => row.reduce((sum, name) => sum + 2 * half(name) + GAP, 0) <= width;
  const inLayers = rows?.every(fits) && rows.length * 2 * HALF <= height;
  const points = rows && inLayers ? inRows(rows, edges) : bySprings(edges);
  const [xs, ys] = [points.map(({ x }) => x), points.map(({ y }) => y)];
  const [left, top] = [Math.min(...xs), Math.min(...ys)];
  const [wide, high] = [Math.max(...xs) - left, Math.max(...ys) - top];
  for (const point of points) {
    point.x = wide < 1 ? width / 2 : 64 + ((point.x - left) / wide) * (width - 128);
    point.y = high < 1 ? height / 2 : 30 + ((point.y - top) / high) * (height - 60);
  }
  if (!inLayers) apart(points, width, height, half);
  return new Map(points.map((point) => [point.name, point]));
}

/** Push nodes that lie upon each other apart, the shorter way. */
function apart(points: Point[], width: number, height: number, half: (name: string) => number): void {
  const halves = points.map(({ name }) => half(name) + GAP / 2);
  for (let sweep = 0; sweep < 200; sweep += 1) {
    let moved = false;
    for (const [i, a] of points.entries()) {
      for (let j = i + 1; j < points.length; j += 1) {
        const b = points[j]!;
        const [dx, dy] = [b.x - a.x, b.y - a.y];
        const [inX, inY] = [halves[i]! + halves[j]! - Math.abs(dx), 2 * HALF + GAP / 2 - Math.abs(dy)];
        if (inX <= 0 || inY <= 0) continue;
        moved = true;
        if (inX < inY) {
          const by = (dx < 0 ? -inX : inX) / 2 + 0.01;
          a.x -= by;
          b.x += by;
        } else {
          const by = (dy < 0 ? -inY : inY) / 2 + 0.01;
          a.y -= by;
          b.y += by;
        }
      }
    }
    for (const point of points) {
      point.x = Math.min(Math.max(point.x, 64), width - 64);
      point.y = Math.min(Math.max(point.y, HALF + 2), height - HALF - 2);
    }
    if (!moved) return;
  }
}

/** The nodes by the length of the longest way to them; undefined where the edges run in circles. */
function layers(edges: Edge[]): string[][] | undefined {
  const depth = new Map<string, number>();
  const inside = new Set<string>();
  const into = Map.groupBy(edges, ({ to }) => to);
  const visit = (name: string): number | undefined => {
    if (inside.has(name)) return undefined;
    const known = depth.get(name);
    if (known !== undefined) return known;
    inside.add(name);
    let deepest = 0;
    for (const { from } of into.get(name) ?? []) {
      const above = visit(from);
      if (above === undefined) return undefined;
      deepest = Math.max(deepest, above + 1);
    }
    inside.delete(name);
    depth.set(name, deepest);
    return deepest;
  };
  for (const { from, to } of edges) if (visit(from) === undefined || visit(to) === undefined) return undefined;
  const rows: string[][] = [];
  for (const [name, at] of depth) {
    rows[at] ??= [];
    rows[at].push(name);
  }
  return rows;
}

/** Each row in the order in which its nodes' neighbours stand, so that few edges cross. */
function inRows(rows: string[][], edges: Edge[]): Point[] {
  const x = new Map<string, number>();
  const spread = (row: string[]) => {
    for (const [index, name] of row.entries()) x.set(name, (index + 0.5) / row.length);
  };
  rows.forEach(spread);
  for (let sweep = 0; sweep < 8; sweep += 1) {
    for (const row of sweep % 2 ? rows.toReversed() : rows) {
      const middle = (name: string) => {
        const near = edges.flatMap(({ from, to }) => (from === name ? [to] : to === name ? [from] : []));
        return near.reduce((sum, other) => sum + (x.get(other) ?? 0.5), 0) / near.length;
      };
      row.sort((a, b) => middle(a) - middle(b));
      spread(row);
    }
  }
  return rows
    .flatMap((row, y) => row.map((name) => ({ name, x: x.get(name) ?? 0.5, y: y * 100 })))
    .map((point) => ({ ...point, x: point.x * 1000 }));
}

/** Springs along the edges, and nodes that keep away from each other. */
function bySprings(edges: Edge[]): Point[] {
  const names = [...new Set(edges.flatMap(({ from, to }) => [from, to]))];
  const points = names.map((name, index) => {
    const angle = (2 * Math.PI * index) / names.length;
    return { name, x: Math.cos(angle) * 150, y: Math.sin(angle) * 150 };
  });
  const at = new Map(points.map((point) => [point.name, point]));
  const ideal = 60 + 400 / Math.sqrt(names.length + 4);
  // Each step looks at all pairs.
  const steps = names.length > 150 ? 100 : 250;
  for (let step = 0; step < steps; step += 1) {
    const pull = new Map(points.map((point) => [point, { x: -point.x * 0.004, y: -point.y * 0.008 }]));
    const push = (point: Point, x: number, y: number) => {
      const sum = pull.get(point)!;
      sum.x += x;
      sum.y += y;
    };
    for (const a of points) {
      for (const b of points) {
        if (a === b) continue;
        const [dx, dy] = [a.x - b.x, a.y - b.y];
        const force = (ideal * ideal) / Math.max(8, Math.hypot(dx, dy)) ** 2 / 40;
        push(a, dx * force, dy * force);
      }
    }
    for (const { from, to } of edges) {
      const [a, b] = [at.get(from)!, at.get(to)!];
      const [dx, dy] = [b.x - a.x, b.y - a.y];
      const distance = Math.max(1, Math.hypot(dx, dy));
      const force = (distance - ideal) / distance / 12;
      push(a, dx * force, dy * force);
      push(b, -dx * force, -dy * force);
    }
    const heat = (3000 / steps) * (1 - step / steps);
    for (const point of points) {
      const { x, y } = pull.get(point)!;
      const length = Math.max(1, Math.hypot(x, y) / heat);
      point.x += x / length;
      point.y += y / length;
    }
  }
  return points;
}
