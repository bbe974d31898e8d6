/** The files in the folder `server` that engines are made from. */
export const FILES = ['full/hornbook_bg.wasm', 'swipl/swipl.wasm', 'swipl/hornbook.state'] as const;
