/** What the single file has inside: the script of the worker, and the rest compressed by gzip, in base64. */
export const WORKER: string;
export const CRATE: string;
export const SWIPL: string;
export const STATE: string;
