/** The agent's side: a live list of all MCP requests and their answers. */
import type { Client } from '@modelcontextprotocol/client';
import type { ToolResults } from '../../../pkg/generated/tools.js';
import { button, h, sentence, tell } from '../dom.ts';
import { keep, kept } from '../kept.ts';
import type { Session } from '../session.ts';
import type { Exchange, Traffic } from '../traffic.ts';
import { tellUndoable } from '../undo.ts';
import { connectYours } from './connect.ts';

/** What the example agent does, call by call. */
const SCRIPT: [string, Record<string, unknown>][] = [
  [
    'clauses',
    {
      operation: 'assert',
      clauses: [
        'likes(ada, chess).',
        'likes(ada, tea).',
        'likes(boole, tea).',
        'friends(X, Y) :- likes(X, Z), likes(Y, Z), X @< Y.',
      ],
    },
  ],
  ['query_start', { query: 'friends(Who, Whom)', take: 5 }],
  ['clauses', { operation: 'assert', clauses: ['likes(cleo chess).'] }],
  ['clauses', { operation: 'assert', clauses: ['likes(cleo, chess).'] }],
  ['query_start', { query: 'friends(Who, Whom)', take: 5 }],
  ['workspace', { operation: 'history' }],
];

/** Set if what agents change needs the person's review. */
const REVIEWED = 'hornbook.reviewed';
/** How long to pause between its calls so that a person can follow, in milliseconds. */
const PACE_MS = 700;

export class AgentPanel {
  readonly element: HTMLElement;
  #list = h('ol', { class: 'exchanges' });
  #none = h('p', { class: 'note' }, 'Nothing yet. Play an agent, or look at the messages from this page.');
  #traffic: Traffic;
  #items = new Map<number, HTMLElement>();
  #filter = h(
    'select',
    { 'aria-label': 'Messages from' },
    ...[
      // Most of the page's own messages are of no interest to anybody.
      ['agent', 'agents'],
      ['page', 'this page'],
      ['', 'everyone'],
    ].map(([value, label]) => h('option', { value }, label)),
  );
  #client: Promise<Client> | undefined;
  #isReviewed = kept(REVIEWED) !== undefined;
  /** The last revision by an agent that was announced. */
  #announced: number | undefined;

  constructor(
    private readonly session: Session,
    traffic: Traffic,
    watch: () => void,
  ) {
    this.#traffic = traffic;
    const play = button('Play an agent', () => void this.#play(play), {
      icon: 'play',
      title: 'A scripted agent writes to your book and queries it. You can undo this.',
    });
    this.#filter.addEventListener('change', () => this.#drawAll());
    this.element = h(
      'div',
      { class: 'agent' },
      h(
        'p',
        { class: 'note' },
        'Hornbook speaks MCP, the Model Context Protocol. This page uses the same tools as an agent. Every message is listed here.',
      ),
      h(
        'div',
        { class: 'row bar' },
        play,
        h('label', { class: 'row' }, h('span', { class: 'from' }, 'From'), this.#filter),
        this.#reviewSwitch(),
        button(
          'Clear',
          () => {
            traffic.clear();
            this.#drawAll();
          },
          { class: 'quiet' },
        ),
      ),
      connectYours(watch),
      this.#composer(),
      this.#none,
      this.#list,
    );
    traffic.changed.on((exchange) => {
      this.#show(exchange);
      this.#announce(exchange);
    });
    this.#drawAll();
  }

  #composer(): HTMLElement {
    const tools = h('select', { 'aria-label': 'Tool' });
    const text = h(
      'textarea',
      { rows: 2, spellcheck: 'false', 'aria-label': 'Arguments, as JSON' },
      '{"operation": "list_symbols"}',
    );
    const list = async () => {
      const { tools: all } = await this.session.client.listTools();
      const chosen = tools.value || 'workspace';
      tools.replaceChildren(
        ...all.map(({ name, description }) => h('option', { value: name, title: description }, name)),
      );
      tools.value = chosen;
    };
    void list();
    this.session.reopened.on(() => {
      // One under review has opened the book again itself.
      if (!this.#isReviewed) this.#client = undefined;
      void list();
    });
    const send = async () => {
      try {
        const values = JSON.parse(text.value || '{}') as Record<string, unknown>;
        const agent = await this.#agent();
        await agent.callTool({ name: tools.value, arguments: values });
      } catch (error) {
        tell(error instanceof SyntaxError ? 'The arguments are not valid JSON.' : sentence(error), 'error');
      }
    };
    return h(
      'details',
      { class: 'composer' },
      h('summary', {}, 'Call a tool yourself'),
      h(
        'div',
        { class: 'row' },
        tools,
        text,
        button('Send', () => void send(), { class: 'main' }),
      ),
    );
  }

  #agent(): Promise<Client> {
    this.#client ??= this.#isReviewed ? this.session.agentUnderReview('agent') : this.session.agent('agent');
    this.#client.catch(() => (this.#client = undefined));
    return this.#client;
  }

  /** Whether agents change the book, or a draft that the person accepts. */
  #reviewSwitch(): HTMLElement {
    const box = h('input', {
      type: 'checkbox',
      checked: this.#isReviewed,
      onchange: () => {
        this.#isReviewed = box.checked;
        keep(REVIEWED, box.checked ? 'true' : undefined);
        void this.#client?.then((client) => client.close());
        this.#client = undefined;
      },
    });
    const title = 'What agents change waits in the history until you accept it. Their own queries see it.';
    return h('label', { class: 'check', title }, box, 'Changes need your review');
  }

  async #play(control: HTMLButtonElement): Promise<void> {
    control.disabled = true;
    try {
      // Played again, it would write everything twice.
      const known = new Set(this.session.hornbook.loose().split('\n'));
      const isKnown = ({ clauses = [] }: { clauses?: string[] }) =>
        clauses.length > 0 && clauses.every((one) => known.has(one));
      for (const [name, values] of SCRIPT) {
        if (isKnown(values)) continue;
        // The book may be opened again meanwhile, with a client of its own.
        const agent = await this.#agent();
        await agent.callTool({ name, arguments: values });
        await new Promise((resolve) => setTimeout(resolve, PACE_MS));
      }
      tell(
        this.#isReviewed
          ? 'The agent is done. What it proposes waits in the history.'
          : 'The agent is done. Its clauses are in your book; you can undo them.',
      );
    } catch (error) {
      tell(sentence(error), 'error');
    } finally {
      control.disabled = false;
    }
  }

  /** Announce what an agent changed in the book, whatever panel is shown, with a way to undo it. */
  #announce({ client, method, params, answer }: Exchange): void {
    // What is proposed has changed nothing, and is announced with the drafts.
    if (client === 'page' || this.#isReviewed || method !== 'tools/call' || !hasChanged(answer?.result)) return;
    const { arguments: values } = params as { arguments?: { operation?: string } };
    if (values?.operation === 'undo' || values?.operation === 'redo') return;
    void this.#newest().then((revision) => {
      if (!revision || revision.number === this.#announced) return;
      this.#announced = revision.number;
      const changes = [
        revision.added > 0 ? `added ${clauses(revision.added)}` : '',
        revision.removed > 0 ? `removed ${clauses(revision.removed)}` : '',
      ].filter(Boolean);
      void tellUndoable(this.session, `${client} ${changes.join(', ') || 'changed your book'}.`);
    });
  }

  /** The last revision. */
  async #newest(): Promise<{ number: number; added: number; removed: number } | undefined> {
    const { revisions } = await this.session.ok('workspace', { operation: 'history', steps: 1 });
    const [last] = revisions;
    return last && { number: last.revision, added: last.added, removed: last.removed };
  }

  #drawAll(): void {
    this.#items.clear();
    this.#list.replaceChildren();
    this.#none.hidden = false;
    for (const exchange of this.#traffic.exchanges) this.#show(exchange);
  }

  #show(exchange: Exchange): void {
    const { value } = this.#filter;
    if (value && (exchange.client === 'page') !== (value === 'page')) return;
    const item = this.#item(exchange);
    const shown = this.#items.get(exchange.number);
    if (shown) {
      (item.firstElementChild as HTMLDetailsElement).open = (shown.firstElementChild as HTMLDetailsElement).open;
      shown.replaceWith(item);
    } else {
      const list = this.#list;
      list.prepend(item);
      while (list.children.length > 300) list.lastElementChild?.remove();
    }
    this.#items.set(exchange.number, item);
    this.#none.hidden = true;
  }

  #item({ number, client, method, params, fromServer, answer, startedMs, tookMs }: Exchange): HTMLElement {
    const when = new Date(performance.timeOrigin + startedMs);
    const named = params as { name?: string; arguments?: unknown; uri?: string } | undefined;
    // Drawn on demand: most are never opened.
    const parts = h('div', {});
    const draw = () =>
      parts.replaceChildren(
        h('p', { class: 'side-of' }, fromServer ? 'Notification' : 'Request'),
        json({ method, params }),
        ...(answer
          ? [h('p', { class: 'side-of' }, 'Answer'), ...readable(answer.result), json(answer.error ?? answer.result)]
          : []),
      );
    const about = method === 'tools/call' ? short(named?.arguments) : (named?.uri ?? '');
    const failed =
      answer !== undefined &&
      (answer.error !== undefined || (answer.result as { isError?: boolean })?.isError === true);
    const state = answer
      ? failed
        ? 'failed'
        : 'answered'
      : fromServer || method.startsWith('notifications/')
        ? 'told'
        : 'waiting';
    return h(
      'li',
      { class: `exchange ${state}`, 'data-client': client, 'data-method': method },
      h(
        'details',
        { ontoggle: draw },
        h(
          'summary',
          {},
          h('span', { class: 'number' }, number),
          h('time', { datetime: when.toISOString() }, when.toLocaleTimeString()),
          h('span', { class: `who ${client}` }, fromServer ? `→ ${client}` : client),
          h(
            'span',
            { class: 'what' },
            h('b', {}, method === 'tools/call' ? named?.name : method),
            ' ',
            h('span', { class: 'about' }, about),
          ),
          h(
            'span',
            { class: 'mark' },
            failed
              ? 'error'
              : tookMs === undefined
                ? state === 'waiting'
                  ? 'waiting'
                  : ''
                : `${Math.round(tookMs)} ms`,
          ),
        ),
        parts,
      ),
    );
  }
}

/** Whether a tool reports that it has changed the book. */
function hasChanged(result: unknown): boolean {
  const { structuredContent: data } = (result ?? {}) as { structuredContent?: ToolResults[keyof ToolResults] };
  if (!data) return false;
  const { added = 0, removed = 0 } = ('changes' in data && data.changes) || {};
  const counts = [
    added + removed,
    'succeeded' in data && data.succeeded,
    'clausesAdded' in data && data.clausesAdded,
    'clausesRemoved' in data && data.clausesRemoved,
  ];
  return counts.some((count) => Number(count) > 0);
}

/** What a tool wrote for the model. */
function readable(result: unknown): HTMLElement[] {
  const content = (result as { content?: { text?: string }[] } | undefined)?.content;
  return content
    ? [
        h(
          'pre',
          { class: 'for-model', tabindex: 0, 'aria-label': 'Text for the model' },
          content.map(({ text }) => text ?? '').join('\n'),
        ),
      ]
    : [];
}

const json = (value: unknown): HTMLElement =>
  h('pre', { class: 'json', tabindex: 0, 'aria-label': 'As JSON' }, JSON.stringify(value, null, 2));

function short(value: unknown): string {
  const text = JSON.stringify(value ?? {});
  return text.length > 90 ? `${text.slice(0, 89)}…` : text;
}

const clauses = (count: number): string => `${count.toLocaleString('en')} ${count === 1 ? 'clause' : 'clauses'}`;
