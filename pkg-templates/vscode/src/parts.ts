/** The files of the folder `server` that engines are made of. */
export const FILES = ['full/hornbook_bg.wasm', 'swipl/swipl.wasm', 'swipl/hornbook.state'] as const;
