// Bundles the parts of the package that run in Node and use libraries into one file each, so that the package has no
// dependency.
import { join } from 'node:path';

/** Bundle the file `from` of the package in `pkg` into its file `to`. */
export async function bundleForNode(pkg, from, to) {
  // Only full builds have it installed.
  const { build } = await import('esbuild');
  await build({
    entryPoints: [join(pkg, from)],
    outfile: join(pkg, to),
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'error',
    legalComments: 'eof',
    // Some of the libraries are CommonJS.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
}
