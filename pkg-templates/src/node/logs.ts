/** Logs of books that processes of any machine share, by the address of the server that has them. */
import type { Store } from '../full/hornbook.js';
import { readNatsUrl } from './nats-address.js';

export interface Logs {
  /** The address, without a password. */
  readonly name: string;
  store(book: string): Store & { close(): Promise<void> };
  has(book: string): Promise<boolean>;
  close(): Promise<void>;
}

const isPostgres = (url: string): boolean => /^postgres(ql)?:\/\//.test(url) && URL.canParse(url);

export const isLogs = (url: string): boolean => isPostgres(url) || readNatsUrl(url) !== undefined;

/** Connect to an address that {@link isLogs} accepts. Rejects with a sentence. */
export async function connectLogs(url: string): Promise<Logs> {
  if (isPostgres(url)) {
    const { PostgresLogs } = await import('./postgres-store.js');
    return PostgresLogs.connect(url);
  }
  const { NatsLogs } = await import('./nats-logs.js');
  return NatsLogs.connect(url);
}
