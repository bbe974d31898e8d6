/** The contents of the single file: the script of the worker, and the rest gzipped, in base64. */
export const WORKER: string;
export const CRATE: string;
export const SWIPL: string;
export const STATE: string;
