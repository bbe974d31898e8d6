/** The graph of the memory: an overview, search, and a node with its neighbours. */
import { button, debounced, h, sentence, tell } from '../dom.ts';
import type { Memory } from './memory.ts';
import { hues, picture, type ShownEdge, type ShownNode } from './picture.ts';
import type { View } from './view.ts';
import type { RecordLife } from '../../../pkg/generated/memory.js';
import { chosen, standing, when, type Standing } from './records.ts';

/** More nodes would be an unreadable tangle. */
const MOST = 200;
const PAUSE_MS = 250;

export class GraphView implements View {
  readonly element: HTMLElement;
  readonly hasTime = true;
  #search = h('input', { type: 'text', placeholder: 'Search', 'aria-label': 'Search graph', autocomplete: 'off' });
  #gone = h('input', { type: 'checkbox' });
  #types = h('div', { class: 'types', role: 'group', 'aria-label': 'Edge types' });
  #status = h('p', { class: 'note', role: 'status' });
  #frame = h('div', {});
  #details = h('div', {});
  #hidden = new Set<string>();
  #selected: string | undefined;
  /** What the search found; undefined if there is no search. */
  #found: Set<string> | undefined;
  #searched = 0;

  constructor(private readonly memory: Memory) {
    this.#search.addEventListener(
      'input',
      debounced(PAUSE_MS, () => void this.#look()),
    );
    this.#gone.addEventListener('change', () => this.draw());
    this.element = h(
      'div',
      { class: 'graph-view' },
      h(
        'div',
        { class: 'row bar' },
        this.#search,
        h('label', { class: 'check' }, this.#gone, 'Ended and removed'),
        this.#types,
      ),
      this.#frame,
      this.#status,
      this.#details,
    );
  }

  draw(): void {
    const { records, at } = this.memory;
    const isShown = (one: Standing) => one === 'holds' || (one !== 'to come' && this.#gone.checked);
    const there = [...records.nodes.values()]
      .map((node): ShownNode => ({ ...node, standing: standing(node.life, at) }))
      .filter((node) => isShown(node.standing));
    if (this.#selected !== undefined && !there.some(({ id }) => id === this.#selected)) this.#selected = undefined;
    const ids = new Set(there.map(({ id }) => id));
    const all = records.edges
      .map((edge): ShownEdge => ({ ...edge, standing: records.standingOf(edge, at) }))
      .filter((edge) => isShown(edge.standing) && ids.has(edge.source_id) && ids.has(edge.target_id));
    this.#drawTypes(all);
    const edges = all.filter(({ type }) => !this.#hidden.has(type));
    const found = new Set([...(this.#found ?? [])].filter((id) => ids.has(id)));
    const centres = found.size > 0 ? found : new Set(this.#selected === undefined ? [] : [this.#selected]);
    const some = there.length > MOST ? chosen(there, edges, MOST, centres) : ids;
    const nodes = there.filter(({ id }) => some.has(id));
    const focused = this.#frame.contains(document.activeElement)
      ? (document.activeElement as HTMLElement).dataset.node
      : undefined;
    this.#frame.replaceChildren(
      nodes.length === 0
        ? h('p', { class: 'empty' }, 'No nodes at this time. Choose another time, or clear it to see the present.')
        : picture({
            nodes,
            edges: edges.filter((edge) => some.has(edge.source_id) && some.has(edge.target_id)),
            hues: hues([...records.nodes.values()].map(({ type }) => type)),
            selected: this.#selected,
            found,
            select: (id) => this.#select(id),
          }),
      this.#legend(nodes),
    );
    if (focused) this.#frame.querySelector<SVGElement>(`[data-node="${CSS.escape(focused)}"]`)?.focus();
    this.#drawStatus(there.length, nodes.length, found.size);
    this.#drawDetails(all);
  }

  #select(id: string | undefined): void {
    this.#selected = this.#selected === id ? undefined : id;
    this.draw();
  }

  async #look(): Promise<void> {
    const looked = ++this.#searched;
    const text = this.#search.value.trim();
    try {
      const values = { limit: 50, stale: this.#gone.checked, ...this.memory.asOf };
      const { nodes } = text
        ? await this.memory.call('kn_graph', { action: 'query', text, ...values })
        : { nodes: undefined };
      if (looked !== this.#searched) return;
      this.#found = nodes && new Set(nodes.map(({ id }) => id));
      if (nodes?.length === 1) this.#selected = nodes[0]!.id;
      this.draw();
    } catch (error) {
      tell(sentence(error), 'error');
    }
  }

  #drawTypes(edges: ShownEdge[]): void {
    const counts = new Map<string, number>();
    for (const { type } of edges) counts.set(type, (counts.get(type) ?? 0) + 1);
    const focused = this.#types.contains(document.activeElement) ? document.activeElement?.textContent : undefined;
    this.#types.replaceChildren(
      ...[...counts]
        .sort(([a], [b]) => (a < b ? -1 : 1))
        .map(([type, count]) => {
          const one = button(
            `${type} ${count}`,
            () => {
              if (!this.#hidden.delete(type)) this.#hidden.add(type);
              this.draw();
            },
            { class: 'chip' },
          );
          one.setAttribute('aria-pressed', String(!this.#hidden.has(type)));
          return one;
        }),
    );
    if (focused) [...this.#types.querySelectorAll('button')].find((one) => one.textContent === focused)?.focus();
  }

  #legend(nodes: ShownNode[]): HTMLElement {
    const all = hues([...this.memory.records.nodes.values()].map(({ type }) => type));
    const types = [...new Set(nodes.map(({ type }) => type))].sort();
    return h(
      'p',
      { class: 'legend' },
      ...types.map((type) => h('span', {}, h('span', { class: `swatch hue-${all.get(type)}` }), type)),
    );
  }

  #drawStatus(all: number, shown: number, found: number): void {
    const search = this.#search.value.trim();
    const parts = [];
    if (this.#found) parts.push(`${found} found for “${search}”.`);
    if (shown < all)
      parts.push(
        `${shown} of ${all} nodes shown: ${this.#found ? 'the matches and their neighbours' : 'the best connected. Search to see others'}.`,
      );
    this.#status.textContent = parts.join(' ');
  }

  #drawDetails(edges: ShownEdge[]): void {
    const node = this.#selected === undefined ? undefined : this.memory.records.nodes.get(this.#selected);
    this.#details.replaceChildren();
    if (!node) return;
    const own = edges.filter(({ source_id, target_id }) => source_id === node.id || target_id === node.id);
    const canChange = this.memory.at === undefined;
    this.#details.append(
      h(
        'section',
        { class: 'details', 'aria-label': node.name },
        h(
          'header',
          { class: 'row' },
          h('h2', {}, node.name),
          h('span', { class: 'badge' }, node.type),
          ...(node.tags ?? []).map((tag) => h('span', { class: 'mark' }, `#${tag}`)),
          canChange && this.#restorable(node.life, node.name, { node_id: node.id }),
          button('', () => this.#select(undefined), { icon: 'close', title: 'Close', class: 'quiet' }),
        ),
        node.description ? h('p', {}, node.description) : null,
        h('p', { class: 'note' }, `${node.namespace} · ${lived(node.life)}`),
        own.length > 0
          ? h(
              'ul',
              { class: 'neighbours' },
              ...own.map((edge) => {
                const isOut = edge.source_id === node.id;
                const other = this.memory.records.nodes.get(isOut ? edge.target_id : edge.source_id);
                const { source_id, target_id, type, life } = edge;
                const name = other?.name ?? 'a deleted node';
                return h(
                  'li',
                  { class: `row${edge.standing === 'holds' ? '' : ' gone'}` },
                  h('span', { class: 'about' }, isOut ? `${type} →` : `← ${type}`),
                  button(name, () => other && this.#select(other.id), { class: 'quiet' }),
                  edge.weight === 1 ? null : h('span', { class: 'mark', title: 'Weight' }, edge.weight),
                  edge.standing === 'holds' ? null : h('span', { class: 'mark' }, edge.standing),
                  canChange && this.#restorable(life, `${type} ${name}`, { source_id, target_id, edge_type: type }),
                );
              }),
            )
          : h('p', { class: 'note' }, 'No edges.'),
      ),
    );
  }

  /** The button that removes something from the memory, or restores it. */
  #restorable(life: RecordLife, name: string, values: Record<string, string>): HTMLElement {
    const action = life.removed_at === undefined ? 'remove' : 'restore';
    const label = action === 'remove' ? 'Remove' : 'Restore';
    return button(label, () => void this.memory.change('kn_graph', { action, ...values }), {
      class: 'quiet',
      name: `${label} ${name}`,
    });
  }
}

function lived(life: RecordLife): string {
  const parts = [`since ${when(life.valid_from ?? life.created_at)}`];
  if (life.valid_to !== undefined) parts.push(`until ${when(life.valid_to)}`);
  if (life.removed_at !== undefined) parts.push(`removed ${when(life.removed_at)}`);
  if (life.superseded_by) parts.push(`superseded ${when(life.superseded_by[1])}`);
  return parts.join(' · ');
}
