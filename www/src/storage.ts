/** Where `kept.ts` keeps small things. Throws where the browser denies it. */
export const storage = (): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> => localStorage;
