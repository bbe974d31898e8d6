/** An example memory: a small shop, with what its team has learned, does and wants. */

const DAY = 24 * 60 * 60 * 1000;

export const RULES_FILE = 'impact.pl';

export const RULES = `% What a failure of one thing reaches, over the memory of the book.
% ?- reaches(X, postgres).
% ?- impact(Name, 'Postgres').

:- table reaches/2.

reaches(X, Y) :- kn_edge(X, needs, Y).
reaches(X, Z) :- kn_edge(X, needs, Y), reaches(Y, Z).

%   impact(Name, Of): what has this name would fail with what has the name Of.
impact(Name, Of) :-
    kn_node(Y, _, Of),
    reaches(X, Y),
    kn_node(X, _, Name).

%   Nothing may need itself, however far around.
kn_refuse(Message) :-
    reaches(X, X),
    kn_node(X, _, Name),
    format(string(Message), "~w would need itself", [Name]).
`;

/** The records as lines of JSON; `now` is the time from which their ages are measured. */
export function exampleAt(now: number): string {
  const ago = (days: number) => now - days * DAY;
  const node = (id: string, type: string, name: string, days: number, more: object = {}, life: object = {}) => ({
    node: {
      id,
      type,
      name,
      namespace: 'knowledge',
      number: 0,
      description: null,
      properties: null,
      tags: null,
      source_type: 'import',
      updated_at: null,
      life: { created_at: ago(days), ...life },
      ...more,
    },
  });
  const edge = (source_id: string, type: string, target_id: string, days: number, weight = 1, life: object = {}) => ({
    edge: {
      source_id,
      target_id,
      type,
      number: 0,
      weight,
      properties: null,
      life: { created_at: ago(days), ...life },
    },
  });
  const experience = (
    id: string,
    type: string,
    confidence: string,
    days: number,
    content: string,
    context: string,
  ) => ({
    experience: {
      id,
      type,
      confidence,
      content,
      context,
      namespace: 'knowledge',
      number: 0,
      tags: [],
      times: 1,
      learned_at: ago(days),
      life: { created_at: ago(days) },
    },
  });
  const log = (
    id: string,
    days: number,
    failed: boolean,
    action: string,
    result: string,
    next_step: string | null,
  ) => ({
    log: { id, project_id: 'example-move', number: 0, action, result, next_step, failed, created_at: ago(days) },
  });
  const idea = (id: string, title: string, status: string, category: string, score: number) => ({
    idea: { id, title, status, category, score, number: 0, created_at: ago(20) },
  });
  const records = [
    node('shop', 'service', 'Web shop', 90, { description: 'What customers see.', tags: ['frontend'] }),
    node('checkout', 'service', 'Checkout', 88, { description: 'Takes the order and the money.' }),
    node('auth', 'service', 'Sign-in', 80),
    node('payments', 'service', 'Payments', 75, { tags: ['pci'] }),
    node('postgres', 'database', 'Postgres', 90, { description: 'Version 16, one primary and one replica.' }),
    node(
      'redis',
      'cache',
      'Redis',
      85,
      { description: 'Sessions, until they moved to Postgres.' },
      { removed_at: ago(12) },
    ),
    node('queue', 'system', 'Order queue', 40),
    node('ana', 'person', 'Ana', 90),
    node('ben', 'person', 'Ben', 60),
    edge('shop', 'needs', 'checkout', 88),
    edge('shop', 'needs', 'auth', 80),
    edge('shop', 'needs', 'redis', 85),
    edge('auth', 'needs', 'redis', 80, 1, { removed_at: ago(12) }),
    edge('auth', 'needs', 'postgres', 12),
    edge('checkout', 'needs', 'payments', 75),
    edge('checkout', 'needs', 'queue', 40, 0.8),
    edge('payments', 'needs', 'postgres', 75),
    edge('queue', 'needs', 'postgres', 40, 0.6),
    edge('shop', 'owned_by', 'ana', 88),
    edge('auth', 'owned_by', 'ana', 80, 1, { valid_to: ago(30) }),
    edge('auth', 'owned_by', 'ben', 30),
    edge('payments', 'owned_by', 'ben', 60),
    experience(
      'example-pool',
      'gotcha',
      'high',
      4,
      'After a failover the pool keeps dead connections: restart it.',
      'Postgres, PgBouncer',
    ),
    experience(
      'example-idempotent',
      'pattern',
      'high',
      45,
      'Give every charge an idempotency key.',
      'Payments were doubled by a retry',
    ),
    experience(
      'example-sessions',
      'decision',
      'medium',
      12,
      'Sessions live in Postgres: one thing less to run.',
      'Redis was lost twice',
    ),
    experience(
      'example-clock',
      'workaround',
      'low',
      70,
      'Set the clock of the test machine by hand before the nightly run.',
      'Tokens were refused',
    ),
    {
      project: {
        id: 'example-move',
        name: 'Move the sessions',
        phase: 'active',
        active: true,
        number: 0,
        goals: ['Sessions survive a failover', 'Redis is switched off'],
        stakeholders: ['Ana', 'Ben'],
        success_metrics: ['No sign-outs in a failover test'],
        created_at: ago(30),
      },
    },
    log('example-log-1', 28, false, 'Wrote the table and its index', 'Reads take 0.4 ms', 'Write to both'),
    log('example-log-2', 20, true, 'Switched reads over', 'Old sessions were gone', 'Copy them first'),
    log('example-log-3', 12, false, 'Copied, switched over, and turned Redis off', 'Nobody was signed out', null),
    idea('example-replica', 'Read the catalogue from the replica', 'evaluating', 'speed', 0.7),
    idea('example-passkeys', 'Passkeys', 'draft', 'sign-in', 0.8),
    idea('example-outbox', 'An outbox in place of the queue', 'approved', 'reliability', 0.9),
    idea('example-invoices', 'Invoices as PDF', 'done', 'shop', 0.5),
  ];
  return records.map((record) => JSON.stringify(record)).join('\n');
}
