// The documents as a site: `npm run docs` builds it into target/docs/, which any server can have under /docs/, or under the path that
// DOCS_BASE names. It loads nothing from elsewhere; the search is a file of its own.
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { entries } from '../../scripts/reference.mjs';

const DOCS = join(import.meta.dirname, '..');
/** Pages of the inner workings; all others that no group names are guides. */
const INSIDE = ['engine', 'engine-protocol', 'journal', 'recordings', 'rules-as-sets', 'costs', 'models', 'programs', 'conformity'];

/** In the order of use; guides that are not named follow. */
const GUIDES = ['package', 'tables', 'documents', 'data', 'constraints', 'review', 'memory', 'dml', 'workflow', 'page'];

/** Those who come from nowhere first. */
const STARTS = ['agents', 'web', 'prolog', 'dml', 'warehouse'];

const title = (path) => /^# (.+)$/m.exec(readFileSync(join(DOCS, path), 'utf8'))?.[1] ?? path;

const pages = (folder = '') =>
  readdirSync(join(DOCS, folder))
    .filter((name) => name.endsWith('.md') && !['index.md', 'cookbook.md', 'contributing.md'].includes(name))
    .filter((name) => !name.startsWith('['))
    .map((name) => ({ text: title(join(folder, name)), link: `/${folder && `${folder}/`}${name.replace(/\.md$/, '')}` }));

/** Those whose links are `/NAME` come first, in this order. */
const ordered = (all, names) => {
  const first = names.map((name) => all.find(({ link }) => link === `/${name}`));
  return [...first, ...all.filter((page) => !first.includes(page))];
};

const isInside = ({ link }) => INSIDE.includes(link.slice(1));
const starts = ordered(
  pages('start'),
  STARTS.map((name) => `start/${name}`),
);
const guides = ordered(
  pages().filter((page) => !isInside(page)),
  GUIDES,
);

export default defineConfig({
  title: 'Hornbook',
  description: 'Logic that agents can hold: SWI-Prolog in WebAssembly with a book of clauses, served over MCP.',
  base: process.env.DOCS_BASE ?? '/docs/',
  outDir: '../target/docs',
  cacheDir: '../target/vitepress',
  cleanUrls: false,
  lastUpdated: false,
  markdown: { languageAlias: { dml: 'prolog' } },
  themeConfig: {
    // The page stands above the documents, wherever both are.
    nav: [{ text: 'Playground', link: '/../', target: '_self' }],
    search: { provider: 'local' },
    outline: [2, 3],
    sidebar: [
      { text: 'Start', items: [{ text: 'What it is', link: '/' }, ...starts] },
      { text: 'Cookbook', link: '/cookbook' },
      { text: 'Guides', items: guides },
      {
        text: 'Reference',
        items: [
          { text: 'Tools', link: '/reference/tools' },
          { text: 'Errors of the package', link: '/reference/errors' },
          ...entries().map(({ name, path }) => ({ text: path, link: `/reference/${name}` })),
        ],
      },
      { text: 'Inside', items: [...pages().filter(isInside), { text: 'How to contribute', link: '/contributing' }] },
    ],
  },
});
