// The package as one file, for pages that cannot load anything else: its worker and everything it needs are embedded as
// text.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';

/** Bundle `inline.js` of the package in `pkg` into `inline.bundle.js`. */
export async function bundleInline(pkg) {
  // Only full builds have it installed.
  const { build } = await import('esbuild');
  const packed = (name) => gzipSync(readFileSync(join(pkg, name)), { level: 9 }).toString('base64');
  const { outputFiles } = await build({
    entryPoints: [join(pkg, 'worker-web.js')],
    bundle: true,
    minify: true,
    format: 'iife',
    platform: 'browser',
    write: false,
    logLevel: 'error',
  });
  const parts = {
    WORKER: outputFiles[0].text,
    CRATE: packed('full/hornbook_bg.wasm'),
    SWIPL: packed('swipl/swipl.wasm'),
    STATE: packed('swipl/hornbook.state'),
  };
  const contents = Object.entries(parts)
    .map(([name, text]) => `export const ${name} = ${JSON.stringify(text)};`)
    .join('\n');
  await build({
    entryPoints: [join(pkg, 'inline.js')],
    outfile: join(pkg, 'inline.bundle.js'),
    bundle: true,
    minify: true,
    format: 'esm',
    platform: 'browser',
    charset: 'ascii',
    logLevel: 'error',
    // Bundlers must not look for files beside it: there are none.
    define: { 'import.meta.url': '""' },
    plugins: [
      {
        name: 'parts',
        setup(build) {
          build.onResolve({ filter: /\/swipl\/parts\.js$/ }, () => ({ path: 'parts', namespace: 'parts' }));
          build.onLoad({ filter: /.*/, namespace: 'parts' }, () => ({ contents }));
        },
      },
    ],
  });
}
