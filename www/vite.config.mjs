// The playground: www/ and what it uses of pkg/, built into target/playground/.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const FACE = fileURLToPath(new URL('../node_modules/@fontsource-variable/inter/LICENSE', import.meta.url));
const WORKER = fileURLToPath(new URL('./service-worker.js', import.meta.url));

/** Gives the service worker the list of the page's files, and a version that changes with any of them. */
function serviceWorker() {
  return {
    name: 'service-worker',
    apply: 'build',
    generateBundle(_options, bundle) {
      const hash = createHash('sha256');
      const names = Object.keys(bundle).sort();
      for (const name of names)
        hash.update(name).update(bundle[name].type === 'chunk' ? bundle[name].code : bundle[name].source);
      const files = [
        './',
        './icon.svg',
        './hornbook.webmanifest',
        ...names.filter((name) => name !== 'index.html').map((name) => `./${name}`),
      ];
      const source = readFileSync(WORKER, 'utf8')
        .replace('__VERSION__', JSON.stringify(hash.digest('hex').slice(0, 16)))
        .replace('__FILES__', JSON.stringify(files));
      this.emitFile({ type: 'asset', fileName: 'service-worker.js', source });
      // The licence of the typeface requires that it is distributed with it.
      this.emitFile({ type: 'asset', fileName: 'assets/inter-licence.txt', source: readFileSync(FACE) });
    },
  };
}

export default {
  base: './',
  build: {
    outDir: '../target/playground',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 2000,
    modulePreload: { polyfill: false },
  },
  worker: { format: 'es' },
  plugins: [serviceWorker()],
};
