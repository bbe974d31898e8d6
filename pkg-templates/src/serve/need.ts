/**
 * The scope that a message needs, as far as that is known before it runs: the book itself enforces read-only access.
 */
import type { Scope } from './access.js';
import { paramsOf, type Message } from './message.js';

/** The tool that a message calls, and the operation. */
function calledBy(message: Message): { tool?: unknown; operation?: unknown } {
  if (message.method !== 'tools/call') return {};
  const { name: tool, arguments: given } = paramsOf(message);
  return { tool, operation: (given as { operation?: unknown } | null | undefined)?.operation };
}

export function scopeOf(message: Message): Scope {
  const { tool, operation } = calledBy(message);
  switch (tool) {
    case 'clauses':
    case 'workflow_run':
    case 'workflow_resume':
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
export function takesTurn(message: Message): boolean {
  const { method } = message;
  if (method === undefined || ['ping', 'initialize', 'server/discover', 'subscriptions/listen'].includes(method))
    return false;
  const { tool } = calledBy(message);
  return typeof tool !== 'string' || !/^(dml|workflow)_/.test(tool);
}

/** Whether a message opens a query. */
export const opensQuery = (message: Message): boolean => calledBy(message).tool === 'query_start';
