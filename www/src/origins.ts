/**
 * What the book's journal does not know of its changes: which client in this browser made one, and which of them belong
 * together, so that one undo undoes them. The browser keeps it beside the book.
 */
import type { RevisionInfo } from '../../pkg/generated/tools.js';
import { Signal } from './dom.ts';
import { keep, keptJson, textsIn } from './kept.ts';
import type { Session } from './session.ts';
import { partOf } from './shelf.ts';
import type { Exchange, Traffic } from './traffic.ts';

const CLIENTS = partOf('hornbook.clients');
const GROUPS = partOf('hornbook.groups');
/** How many entries are kept of each. */
const MOST = 300;
/** How many of the latest revisions may be a call's. */
const LATEST = 20;
/** How much the clocks of the page and of the journal may differ, in milliseconds. */
const CLOCKS_MS = 20;

/** Changes that belong together. */
export interface Group {
  /** The first and the last revision, and the time of the last. */
  from: number;
  to: number;
  at: number;
  /** What was done, such as "Opened a shared book". */
  label: string;
}

/** The tools that make revisions of an operation. */
const TOOLS: Record<string, RegExp> = {
  assert: /^(clauses|files)$/,
  retract: /^(clauses|files)$/,
  import: /^files$/,
  unimport: /^files$/,
  initialization: /^(clauses|files)$/,
  query: /^query_/,
  cells: /^(kn_|dml_|workflow_)/,
  reset: /^workspace$/,
  undo: /^workspace$/,
  redo: /^workspace$/,
};

export class Origins {
  /** Something became known. */
  readonly changed = new Signal();

  constructor(
    private readonly session: Session,
    traffic: Traffic,
  ) {
    window.addEventListener('storage', ({ key }) => (key === CLIENTS || key === GROUPS) && this.changed.send());
    traffic.changed.on((exchange) => {
      if (exchange.client !== 'page' && exchange.method === 'tools/call' && exchange.answer) void this.#learn(exchange);
    });
  }

  /** Who made a revision: `you`, the name of an agent in this page, or `another tab`. */
  of(revision: RevisionInfo): string {
    const client = textsIn(keptJson(CLIENTS)).get(keyOf(revision));
    if (client !== undefined) return client;
    if (revision.by === undefined) return 'you';
    // The name of a client and the id of its connection, or the id alone: only tabs of this browser have the book.
    const [, name] = /^(?:hornbook-)?(.+) \([0-9a-f]+\)$/.exec(revision.by) ?? [];
    return name === undefined || name === 'page' ? 'another tab' : name;
  }

  /** The group that a revision belongs to. */
  group({ revision }: RevisionInfo): Group | undefined {
    return groups().find(({ from, to }) => from <= revision && revision <= to);
  }

  /** Do `work`, whose changes to the book belong together. */
  async together(label: string, work: () => Promise<void>): Promise<void> {
    const before = (await this.#latest(1))[0]?.revision ?? 0;
    try {
      await work();
    } finally {
      const [last] = await this.#latest(1);
      if (last && last.revision > before) {
        const group: Group = { from: before + 1, to: last.revision, at: last.timestamp, label };
        // A number is that of another change if the book was begun anew.
        const others = groups().filter(({ to, at }) => to <= before && at <= last.timestamp);
        keep(GROUPS, JSON.stringify([...others, group].slice(-MOST)));
        this.changed.send();
      }
    }
  }

  /** Remember the changes that a client's call has made. */
  async #learn({ client, params, startedMs, tookMs = 0 }: Exchange): Promise<void> {
    const tool = (params as { name?: string } | undefined)?.name ?? '';
    const begun = performance.timeOrigin + startedMs - CLOCKS_MS;
    const ended = performance.timeOrigin + startedMs + tookMs + CLOCKS_MS;
    const made = (await this.#latest(LATEST)).filter(
      ({ by, operation, timestamp }) =>
        by === undefined && timestamp >= begun && timestamp <= ended && TOOLS[operation]?.test(tool),
    );
    if (made.length === 0) return;
    const known = textsIn(keptJson(CLIENTS));
    for (const revision of made) known.set(keyOf(revision), client);
    keep(CLIENTS, JSON.stringify(Object.fromEntries([...known].slice(-MOST))));
    this.changed.send();
  }

  async #latest(steps: number): Promise<RevisionInfo[]> {
    const { revisions } = await this.session.ok('workspace', { operation: 'history', steps });
    return revisions;
  }
}

/** Numbers begin at 1 again in a new book. */
const keyOf = ({ revision, timestamp }: RevisionInfo): string => `${revision} ${timestamp}`;

function groups(): Group[] {
  const value = keptJson(GROUPS);
  return Array.isArray(value) ? value.filter(isGroup) : [];
}

function isGroup(value: unknown): value is Group {
  const { from, to, at, label } = (value ?? {}) as Partial<Group>;
  return [from, to, at].every((number) => Number.isInteger(number)) && typeof label === 'string';
}
