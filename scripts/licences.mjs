// The licence texts of others' code. In the package: SWI-Prolog and what it links, the crates in the wasm, and the
// libraries bundled with the language server, the server and the client of other servers.
import { readFileSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Plain, ROOT, run } from './steps.mjs';

/** If there is a choice, the first match is used. */
const PREFERRED = [/^LICENSE[-_.]MIT/i, /^LICENSE/i, /^LICENCE/i, /^COPYING/i, /^UNLICENSE/i];

/** The licences that others' code may have; deny.toml has those for the crates. */
const ALLOWED = new Set([
  '0BSD',
  'Apache-2.0',
  'BlueOak-1.0.0',
  'BSD-2-Clause',
  'BSD-3-Clause',
  'ISC',
  'MIT',
  'OFL-1.1',
  'Unicode-3.0',
  'Unlicense',
  'Zlib',
]);

/** The bundled npm packages, with their licence files. */
const BUNDLED = [
  // Its protocol, types, text documents and vscode-jsonrpc have the same licence.
  ['lsp/server.bundle.js', 'vscode-languageserver', 'License.txt'],
  ['serve/libraries.bundle.js', 'jose', 'LICENSE.md'],
  ['serve/libraries.bundle.js', 'aws4fetch', 'LICENSE'],
  ['serve/libraries.bundle.js', 'prom-client', 'LICENSE'],
  ['serve/libraries.bundle.js', '@opentelemetry/api', 'LICENSE'],
  ['serve/libraries.bundle.js', 'tdigest', 'LICENSE'],
  ['serve/libraries.bundle.js', 'bintrees', 'LICENSE'],
  ['mcp/libraries.bundle.js', '@modelcontextprotocol/client', 'LICENSE'],
  ['mcp/libraries.bundle.js', '@modelcontextprotocol/core', 'LICENSE'],
  ['mcp/libraries.bundle.js', 'zod', 'LICENSE'],
  ['mcp/libraries.bundle.js', 'cross-spawn', 'LICENSE'],
  ['mcp/libraries.bundle.js', 'isexe', 'LICENSE'],
  ['mcp/libraries.bundle.js', 'which', 'LICENSE'],
  ['mcp/libraries.bundle.js', 'path-key', 'license'],
  ['mcp/libraries.bundle.js', 'shebang-regex', 'license'],
  ['mcp/libraries.bundle.js', 'shebang-command', 'license'],
  ['mcp/libraries.bundle.js', 'pkce-challenge', 'LICENSE'],
  ['mcp/libraries.bundle.js', 'eventsource-parser', 'LICENSE'],
  ['mcp/libraries.bundle.js', 'eventsource', 'LICENSE'],
  // These are part of the client.
  ['mcp/libraries.bundle.js', 'ajv', 'LICENSE'],
  ['mcp/libraries.bundle.js', 'ajv-formats', 'LICENSE'],
  ['mcp/libraries.bundle.js', 'fast-deep-equal', 'LICENSE'],
  ['mcp/libraries.bundle.js', 'fast-uri', 'LICENSE'],
  ['mcp/libraries.bundle.js', 'json-schema-traverse', 'LICENSE'],
];

/** The `THIRD-PARTY-LICENSES.txt` of the package. */
export async function thirdPartyLicences() {
  const crates = await cratesInWasm();
  for (const [, name] of BUNDLED) {
    const manifest = readFileSync(join(ROOT, 'node_modules', name, 'package.json'), 'utf8');
    check(`the npm package ${name}`, JSON.parse(manifest).license);
  }
  const texts = new Map();
  for (const { name, version, license, authors, manifest_path } of crates) {
    const text = licenceOf(`the crate ${name}`, dirname(manifest_path), license, authors);
    texts.set(text, [...(texts.get(text) ?? []), `${name} ${version} (${license})`]);
  }
  return [
    'Hornbook itself has the MIT licence: LICENSE. This file has the licences of the other software in this package.',
    section('SWI-Prolog (swipl/)', readFileSync(join(ROOT, 'node_modules', 'swipl-wasm', 'LICENSE.txt'), 'utf8')),
    section(
      'Libraries in swipl/swipl.wasm',
      readFileSync(join(ROOT, 'pkg-templates', 'licences', 'swipl-wasm.txt'), 'utf8'),
    ),
    ...BUNDLED.map(([where, name, file]) =>
      section(`In ${where}: ${name}`, readFileSync(join(ROOT, 'node_modules', name, file), 'utf8')),
    ),
    ...[...texts].map(([text, names]) => section(`In full/hornbook_bg.wasm: ${names.join(', ')}`, text)),
  ].join('\n');
}

/**
 * The licences of npm packages that are bundled into scripts.
 *
 * @param about the first line
 * @param paths of the modules in the scripts, relative to the repository or absolute
 */
export function licencesOfModules(about, paths) {
  const names = new Set(
    paths.flatMap(
      (path) => /.*(?:^|\/)node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(path.replaceAll('\\', '/'))?.[1] ?? [],
    ),
  );
  const sections = [...names].sort().map((name) => {
    const directory = join(ROOT, 'node_modules', name);
    const { license, version, author } = JSON.parse(readFileSync(join(directory, 'package.json'), 'utf8'));
    check(`the npm package ${name}`, license);
    const authors = [author?.name ?? author].filter(Boolean);
    return section(
      `${name} ${version} (${license})`,
      licenceOf(`the npm package ${name}`, directory, license, authors),
    );
  });
  return [about, ...sections].join('\n');
}

const section = (title, text) => `\n${'='.repeat(100)}\n${title}\n${'='.repeat(100)}\n\n${text.trim()}\n`;

/** Whether each part of an SPDX expression leaves us a licence that is allowed. */
const isAllowed = (expression) =>
  expression.split(' AND ').every((part) =>
    part
      .replace(/[()]/g, '')
      .split(/ OR |\//)
      .some((name) => ALLOWED.has(name.trim())),
  );

function check(name, license) {
  if (!license) throw new Plain(`${name} does not state its licence`);
  if (!isAllowed(license)) {
    throw new Plain(`${name} has the licence ${license}, which scripts/licences.mjs does not allow: leave it out`);
  }
}

/** Whether a text is a licence, and does not only say where it is. */
const isWhole = (text) =>
  text.length >= 500 &&
  (!/You may obtain a copy of the License at/.test(text) || /END OF TERMS AND CONDITIONS/.test(text));

/** The text that the licence of a package requires: its own, with the standard one if that is not whole. */
function licenceOf(name, directory, license, authors) {
  const files = readdirSync(directory).sort();
  const texts = PREFERRED.flatMap((wanted) => files.filter((file) => wanted.test(file)));
  const needed = license.includes(' AND ') ? [...new Set(texts)] : texts.slice(0, 1);
  const own = needed
    .map((file) => readFileSync(join(directory, file), 'utf8').replaceAll('\r\n', '\n').trim())
    .join('\n\n');
  if (isWhole(own)) return own;
  const standard = ['MIT', 'Apache-2.0'].find((known) => license.split(/ OR |\//).includes(known));
  if (!standard) {
    throw new Plain(
      `${name} has the licence ${license} without its text, and pkg-templates/licences/ has none: add it`,
    );
  }
  const text = readFileSync(join(ROOT, 'pkg-templates', 'licences', `${standard}.txt`), 'utf8').trim();
  return [own, authors.length > 0 && `Copyright ${authors.join(', ')}`, text].filter(Boolean).join('\n\n');
}

/** The third-party packages whose code is in the wasm, sorted by name, without build scripts, macros and tests. */
async function cratesInWasm() {
  const metadata = JSON.parse(
    await run(
      'cargo',
      ['metadata', '--format-version', '1', '--locked', '--filter-platform', 'wasm32-unknown-unknown'],
      {
        explain: 'the crates and their licences could not be listed',
      },
    ),
  );
  const packages = new Map(metadata.packages.map((found) => [found.id, found]));
  const nodes = new Map(metadata.resolve.nodes.map((node) => [node.id, node]));
  const reached = new Set();
  const walk = (id) => {
    if (
      reached.has(id) ||
      packages.get(id).targets.every(({ kind }) => kind.includes('proc-macro') || kind.includes('custom-build'))
    )
      return;
    reached.add(id);
    for (const { pkg, dep_kinds } of nodes.get(id).deps) if (dep_kinds.some(({ kind }) => kind === null)) walk(pkg);
  };
  walk(metadata.resolve.root);
  const crates = [...reached].map((id) => packages.get(id)).filter(({ source }) => source !== null);
  for (const { name, license } of crates) check(`the crate ${name}`, license);
  return crates.sort((a, b) => (a.name < b.name ? -1 : 1));
}
