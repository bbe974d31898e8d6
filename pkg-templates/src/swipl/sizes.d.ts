/** The sizes in bytes of the files that a page loads, by path in this package. */
export const SIZES: Record<
  'core/hornbook_bg.wasm' | 'full/hornbook_bg.wasm' | 'swipl/swipl.wasm' | 'swipl/hornbook.state',
  number
>;
