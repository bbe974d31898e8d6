/** Optional packages. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

/**
 * The exports of the package, from the current directory or else from next to Hornbook; `undefined` if it is in
 * neither.
 */
export async function installed(name: string): Promise<Record<string, unknown> | undefined> {
  const here = createRequire(join(process.cwd(), 'package.json'));
  for (const find of [() => pathToFileURL(here.resolve(name)).href, () => name]) {
    try {
      return (await import(find())) as Record<string, unknown>;
    } catch (error) {
      if (!['MODULE_NOT_FOUND', 'ERR_MODULE_NOT_FOUND'].includes((error as NodeJS.ErrnoException).code ?? ''))
        throw error;
    }
  }
  return undefined;
}
