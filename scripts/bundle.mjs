// What of the package runs in Node and stands on libraries, each in one file with them: the package depends on no other.
import { join } from 'node:path';

/** Bundle the file `from` of the package in `pkg` into its file `to`. */
export async function bundleForNode(pkg, from, to) {
  // Only what builds everything has it installed.
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
    // Some of the libraries are of CommonJS.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
}
