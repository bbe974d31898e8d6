/**
 * The scope that a message needs, as far as that is known before it runs: the book itself enforces read-only access.
 */
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

/**
 * Whether a message takes a turn of the book. Runs of programs and workflows do not: they have their own engines, and
 * wait for models and users.
 */
export const takesTurn = ({ method, params }: Message): boolean =>
  method !== undefined &&
  !['ping', 'initialize', 'server/discover', 'subscriptions/listen'].includes(method) &&
  !(method === 'tools/call' && /^(dml|workflow)_/.test(String(params?.name)));
