/** A store whose errors do not tell where on the machine it is: clients read them. */
import { sep } from 'node:path';
import type { OwnStore } from '../node/open.js';

/** @param folder the folder of the books */
export function discreet(store: OwnStore, folder: string): OwnStore {
  const told = (error: unknown) => {
    if (error instanceof Error) error.message = withoutPaths(error.message, folder);
    return error;
  };
  return guarded(store, told);
}

/** The text without the directories in it. */
function withoutPaths(text: string, folder: string): string {
  const known = text.replaceAll(folder + sep, '').replaceAll(folder, 'the folder of the books');
  return known.replace(/(?<![\w:/\\])(?:[A-Za-z]:)?[\\/](?:[^\s'"\\/]+[\\/])+/g, '');
}

/** The same object, with each error that it throws, or rejects with, passed through `told`. */
function guarded<T extends object>(object: T, told: (error: unknown) => unknown): T {
  return new Proxy(object, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value === 'object' && value !== null && name === 'shared') return guarded(value, told);
      if (typeof value !== 'function') return value;
      return (...values: unknown[]) => {
        try {
          const result: unknown = value.apply(target, values);
          const rethrow = (error: unknown) => {
            throw told(error);
          };
          return result instanceof Promise ? result.catch(rethrow) : result;
        } catch (error) {
          throw told(error);
        }
      };
    },
  });
}
