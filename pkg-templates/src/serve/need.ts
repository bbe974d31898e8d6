/** Which scope a message needs, as far as it can be told before it runs: what reads only is kept to that by the book. */
import type { Scope } from './access.js';
import type { Message } from './message.js';

export function scopeOf({ method, params }: Message): Scope {
  if (method !== 'tools/call') return 'read';
  const operation = params?.arguments?.operation;
  switch (params?.name) {
    case 'clauses':
      return 'write';
    case 'files':
      return operation === 'list' ? 'read' : 'write';
    case 'workspace':
      return operation === 'reset' ? 'admin' : operation === 'undo' || operation === 'redo' ? 'write' : 'read';
    default:
      return 'read';
  }
}

/** Runs of programs and workflows have engines of their own, and wait for models and users: they take no turn. */
export const takesTurn = ({ method, params }: Message): boolean =>
  method !== undefined &&
  !['ping', 'initialize', 'server/discover', 'subscriptions/listen'].includes(method) &&
  !(method === 'tools/call' && /^(dml|workflow)_/.test(String(params?.name)));
