/** An invalid command line; the message is one sentence. */
export class UsageError extends Error {}
