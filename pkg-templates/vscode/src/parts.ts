/** The files of the folder `server` that engines are made of. */
export const FILES = ['full/hornbook_bg.wasm', 'swipl/swipl.wasm', 'swipl/swipl.data', 'swipl/hornbook.state'] as const;
