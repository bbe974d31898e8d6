/** The contents of the memory, as its export describes them. */

import type { EdgeRecord, ExperienceRecord, NodeRecord, RecordLife } from '../../../pkg/generated/memory.js';

/** A line of the export: one of these, or a record of another kind. */
interface Line {
  node?: NodeRecord;
  edge?: EdgeRecord;
  experience?: ExperienceRecord;
}

/** The standing of something at a time: not there yet, valid, or why it no longer is. */
export type Standing = 'to come' | 'holds' | 'removed' | 'superseded' | 'past';

/** `at` defaults to now. */
export function standing(life: RecordLife, at = Date.now()): Standing {
  const isOver = (time: number | undefined) => time !== undefined && time <= at;
  if ((life.valid_from ?? life.created_at) > at) return 'to come';
  if (isOver(life.removed_at)) return 'removed';
  if (isOver(life.superseded_by?.[1])) return 'superseded';
  return isOver(life.valid_to) ? 'past' : 'holds';
}

export class Records {
  readonly nodes = new Map<string, NodeRecord>();
  readonly edges: EdgeRecord[] = [];
  readonly experiences: ExperienceRecord[] = [];
  /** The number of records of all kinds. */
  readonly count: number;
  /** When something began or ceased to hold, in order. */
  readonly times: number[];

  /** @param exported one line of JSON per record */
  constructor(exported: string) {
    const lines = exported.split('\n').filter(Boolean);
    const times = new Set<number>();
    for (const line of lines) {
      const { node, edge, experience } = JSON.parse(line) as Line;
      if (node) this.nodes.set(node.id, node);
      if (edge) this.edges.push(edge);
      if (experience) this.experiences.push(experience);
      const life = (node ?? edge ?? experience)?.life;
      if (!life) continue;
      for (const time of [life.valid_from ?? life.created_at, life.valid_to, life.removed_at, life.superseded_by?.[1]])
        if (time !== undefined) times.add(time);
    }
    this.count = lines.length;
    this.times = [...times].sort((a, b) => a - b);
  }

  /** An edge cannot hold when one of its ends does not. */
  standingOf(edge: EdgeRecord, at?: number): Standing {
    const lives = [edge.life, this.nodes.get(edge.source_id)?.life, this.nodes.get(edge.target_id)?.life];
    const all = lives.map((life) => (life ? standing(life, at) : 'removed'));
    return all.includes('to come') ? 'to come' : (all.find((one) => one !== 'holds') ?? 'holds');
  }
}

/**
 * If there are more nodes than a picture can show, choose those around `centres`, or by default around the best
 * connected nodes.
 */
export function chosen(
  nodes: NodeRecord[],
  edges: EdgeRecord[],
  most: number,
  centres: ReadonlySet<string>,
): Set<string> {
  const near = new Map<string, string[]>(nodes.map(({ id }) => [id, []]));
  for (const { source_id, target_id } of edges) {
    near.get(source_id)?.push(target_id);
    near.get(target_id)?.push(source_id);
  }
  const byDegree = [...near.keys()].sort((a, b) => near.get(b)!.length - near.get(a)!.length);
  const shown = new Set<string>();
  const from = centres.size > 0 ? [[...centres]] : byDegree.map((id) => [id]);
  for (let rim of from) {
    while (rim.length > 0 && shown.size < most) {
      for (const id of rim) if (shown.size < most) shown.add(id);
      rim = [...new Set(rim.flatMap((id) => near.get(id) ?? []))].filter((id) => near.has(id) && !shown.has(id));
    }
  }
  return shown;
}

/** A time as people write it; short if it is today. */
export function when(ms: number): string {
  const date = new Date(ms);
  const isToday = date.toDateString() === new Date().toDateString();
  return isToday
    ? date.toLocaleTimeString('en', { hour12: false })
    : date.toLocaleString('en', { dateStyle: 'medium', timeStyle: 'short', hour12: false });
}
