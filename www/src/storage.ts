/** Where `kept.ts` stores small values. Throws if the browser denies it. */
export const storage = (): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> => localStorage;
