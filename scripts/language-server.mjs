// The language server in one file, with the library that speaks the protocol: the package depends on no other.
import { join } from 'node:path';

/** Bundle `lsp/stdio.js` of the package in `pkg` into `lsp/server.bundle.js`. */
export async function bundleLanguageServer(pkg) {
  // Only what builds everything has it installed.
  const { build } = await import('esbuild');
  await build({
    entryPoints: [join(pkg, 'lsp', 'stdio.js')],
    outfile: join(pkg, 'lsp', 'server.bundle.js'),
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'node',
    target: 'node20',
    logLevel: 'error',
    legalComments: 'eof',
    // The library is of CommonJS.
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
  });
}
