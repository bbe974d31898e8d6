/** A command line that makes no sense; the message is one sentence. */
export class UsageError extends Error {}
