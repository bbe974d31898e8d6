// The playground: www/ and what it uses of pkg/, built into target/playground/.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { licencesOfModules } from '../scripts/licences.mjs';

const LICENCES = fileURLToPath(new URL('../pkg/THIRD-PARTY-LICENSES.txt', import.meta.url));
const WORKER = fileURLToPath(new URL('./service-worker.js', import.meta.url));

/** The modules of the page and of its workers, whose scripts are bundled before it. */
const modules = new Set();
const noted = () => ({ name: 'noted', moduleParsed: ({ id }) => void modules.add(id) });

/**
 * Gives the service worker the list of the page's files, and a version that changes with any of them; and writes the
 * licences, which the page does not load.
 */
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
      const assets = Object.values(bundle).flatMap(({ originalFileNames = [] }) => originalFileNames);
      const about =
        'The licences of the libraries in the scripts and styles of this page, then those of what it has of the package.';
      const licences = `${licencesOfModules(about, [...modules, ...assets])}\n${readFileSync(LICENCES, 'utf8')}`;
      this.emitFile({ type: 'asset', fileName: 'THIRD-PARTY-LICENSES.txt', source: licences });
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
  worker: { format: 'es', plugins: () => [noted()] },
  plugins: [noted(), serviceWorker()],
};
