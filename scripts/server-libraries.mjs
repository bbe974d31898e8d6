// The libraries of `hornbook serve` in one file: the package depends on no other.
import { join } from 'node:path';

/** Bundle `serve/libraries.js` of the package in `pkg` into `serve/libraries.bundle.js`. */
export async function bundleServerLibraries(pkg) {
  // Only what builds everything has it installed.
  const { build } = await import('esbuild');
  await build({
    entryPoints: [join(pkg, 'serve', 'libraries.js')],
    outfile: join(pkg, 'serve', 'libraries.bundle.js'),
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'error',
    legalComments: 'eof',
    // One of them is of CommonJS.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
}
