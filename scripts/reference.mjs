// The reference of the JavaScript API: Markdown pages made from the type declarations of pkg/, one for each entry point
// that has any. docs/reference/ has them in the site.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { SyntaxKind } from 'typescript/unstable/ast';
import { API, SymbolFlags } from 'typescript/unstable/sync';
import { blockOf, cell, code, documentation, flat, isInternal, signatureOf, summaryOf } from './reference-text.mjs';
import { ROOT } from './steps.mjs';

const PKG = join(ROOT, 'pkg');

/** A declaration that several entry points export is described on the page of the first of these. */
const ORDER = ['hornbook', 'transport', 'web', 'inline', 'node', 'dml', 'workflow', 'ai', 'langgraph'];

/** Members that wasm-bindgen adds to each class, for whoever must free memory early. */
const OF_WASM = new Set(['free', '[Symbol.dispose]']);

const WELL_KNOWN = new Map([
  ['[Symbol.asyncIterator]', 'For `for await`.'],
  ['[Symbol.asyncDispose]', 'For `await using`: the same as `close`.'],
]);

/** The entry points with declarations: the `name` of the page, the `path` that programs import, the `file`. */
export function entries() {
  const { exports } = JSON.parse(readFileSync(join(PKG, 'package.json'), 'utf8'));
  const found = Object.entries(exports)
    .filter(([, target]) => target.types)
    .map(([path, { types }]) => ({
      name: path === '.' ? 'hornbook' : path.slice(2),
      path: path.replace('.', 'hornbook'),
      file: join(PKG, types),
    }));
  const place = ({ name }) => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);
  return found.sort((a, b) => place(a) - place(b));
}

/** The declarations, loaded. Call `close` at the end. */
function load(files) {
  const config = join(ROOT, 'target', 'reference', 'tsconfig.json');
  mkdirSync(dirname(config), { recursive: true });
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2022',
    lib: ['es2023', 'dom', 'dom.asynciterable', 'esnext.disposable'],
    types: ['node'],
    noEmit: true,
  };
  writeFileSync(
    config,
    JSON.stringify({ compilerOptions, files: files.map((file) => relative(dirname(config), file)) }),
  );
  const api = new API({ cwd: ROOT });
  const [project] = api.updateSnapshot({ openProjects: [config] }).getProjects();
  return { project, checker: project.checker, close: () => api.close() };
}

/**
 * The pages, `{ name, exported, markdown }`, and what lacks a description, each as `FILE: NAME`. `exported` are the names
 * that the entry point exports.
 */
export function reference() {
  const all = entries();
  const { project, checker, close } = load(all.map(({ file }) => file));
  try {
    return pagesOf(all, project, checker);
  } finally {
    close();
  }
}

function pagesOf(all, project, checker) {
  /** Page and anchor of each declaration that is described, by the id of its symbol. */
  const homes = new Map();
  const undescribed = new Set();
  const resolved = (symbol) => (symbol.flags & SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol);
  const nodeOf = (symbol) => symbol.declarations[0].resolve(project);
  const pathOf = (node) => relative(PKG, node.getSourceFile().fileName);
  const isOurs = (symbol) => symbol.declarations.length > 0 && !pathOf(nodeOf(symbol)).startsWith('..');

  /** Our types that a declaration refers to. */
  function typesIn(node) {
    const found = new Map();
    const look = (name) => {
      const symbol = checker.getSymbolAtLocation(name);
      if (!symbol) return;
      const type = resolved(symbol);
      if (isOurs(type) && nodeOf(type).kind !== SyntaxKind.TypeParameter) found.set(type.id, type);
    };
    const walk = (child) => {
      if (isHidden(child)) return;
      if (child.kind === SyntaxKind.TypeReference) look(child.typeName);
      if (child.kind === SyntaxKind.ExpressionWithTypeArguments) look(child.expression);
      child.forEachChild(walk);
    };
    walk(node);
    return [...found.values()];
  }

  const pages = all.map(({ name, path, file }) => {
    const source = project.program.getSourceFile(file);
    const symbols = checker.getExportsOfModule(checker.getSymbolAtLocation(source));
    const own = symbols
      .map((symbol) => ({ name: symbol.name, symbol: resolved(symbol) }))
      .filter(({ symbol }) => !isHidden(nodeOf(symbol)));
    const described = own.filter(({ symbol }) => !homes.has(symbol.id));
    for (const one of described) homes.set(one.symbol.id, { page: name, name: one.name });
    return { name, path, source, all: own, described };
  });
  // What these refer to without that anything exports it is described where it is first met.
  for (const page of pages) {
    page.others = [];
    const queue = page.described.map(({ symbol }) => symbol);
    for (let next = queue.shift(); next; next = queue.shift())
      for (const type of typesIn(nodeOf(next))) {
        if (homes.has(type.id)) continue;
        homes.set(type.id, { page: page.name, name: type.name });
        page.others.push({ name: type.name, symbol: type });
        queue.push(type);
      }
  }

  /** `[Query](#Query)`, or the name alone. */
  function linkTo(symbol, page) {
    const home = homes.get(symbol.id);
    return home
      ? `[\`${home.name}\`](${home.page === page ? '' : `./${home.page}.md`}#${home.name})`
      : code(symbol.name);
  }

  /** The text of comments, with links. What nothing describes is noted as `what`. */
  function described(nodes, page, what) {
    const names = new Map([...homes.values()].map((home) => [home.name, home]));
    const link = (target) => {
      const home = names.get(target.split('.')[0]);
      if (!home) return code(target);
      return `[${code(target)}](${home.page === page ? '' : `./${home.page}.md`}#${home.name})`;
    };
    const said = nodes.map((node) => documentation(node, link)).find(({ text, details }) => text + details !== '');
    const path = pathOf(nodes[0]);
    if (!said && !/^(full|generated)\//.test(path)) undescribed.add(`${path}: ${what}`);
    return said ?? documentation(nodes[0], link);
  }

  /** The declarations of a member and of those that it implements, nearest first. */
  function ancestry(member, parent) {
    if (!member.name) return [member];
    const types = (parent.heritageClauses ?? [])
      .flatMap(({ types }) => types)
      .map((type) => checker.getTypeAtLocation(type));
    const inherited = types.map((type) => type && checker.getPropertyOfType(type, member.name.getText()));
    return [member, ...inherited.filter(Boolean).map(nodeOf)];
  }

  function seen(node, page) {
    const types = typesIn(node).filter(({ id }) => homes.has(id));
    return types.length > 0 ? `Types: ${types.map((type) => linkTo(type, page)).join(', ')}` : '';
  }

  /** The rows of the properties that an interface has: first its own, then inherited ones. */
  function table(properties, page, owner) {
    const isOwn = (node) => node.parent.name?.text === owner || node.parent.parent.name?.text === owner;
    const nodes = properties.filter(isOurs).map(nodeOf);
    const order = (node) => node.getStart() + (isOwn(node) ? 0 : 1e9);
    const rows = nodes
      .sort((a, b) => order(a) - order(b))
      .map((node) => {
        const property = node.name.getText().replaceAll(/['"]/g, '');
        const { text } = described([node], page, `${owner}.${property}`);
        const name = `${property}${node.questionToken || node.postfixToken ? '?' : ''}`;
        return `| ${code(name)} | ${cell(code(flat(signatureOf(node, 'type'))))} | ${cell(text)} |`;
      });
    return `| property | type | |\n|---|---|---|\n${rows.join('\n')}`;
  }

  function member(node, parent, page) {
    const { name: owner } = parent;
    const name = node.name?.getText() ?? 'constructor';
    const known = WELL_KNOWN.get(name);
    const nodes = [...ancestry(node, parent), ...parameterOf(node, parent)];
    const { text, details } = known ? { text: known, details: '' } : described(nodes, page, `${owner.text}.${name}`);
    // The forms of an overloaded method stand below one heading.
    const isFirst = parent.members?.find((other) => other.name?.getText() === node.name?.getText()) === node;
    const head = isFirst ? [`### ${code(name)} {#${owner.text}-${name.replaceAll(/\W/g, '')}}`] : [];
    return [...head, blockOf(signatureOf(node)), text, details, seen(node, page)];
  }

  function section({ name, symbol }, page) {
    const node = nodeOf(symbol);
    const commented = node.kind === SyntaxKind.VariableDeclaration ? node.parent.parent : node;
    const { text, details } = described([commented], page, name);
    const head = `## ${code(name)} {#${name}}`;
    if (node.kind === SyntaxKind.ClassDeclaration) {
      const members = node.members.filter((one) => !isHidden(one) && !isOfWasm(one));
      const shown = members.flatMap((one) => member(one, node, page));
      return [head, summaryOf(node), text, details, ...shown];
    }
    if (hasRows(node)) {
      const properties = checker.getPropertiesOfType(checker.getDeclaredTypeOfSymbol(symbol));
      return [head, text, details, table(properties, page, name), seen(node, page)];
    }
    return [head, blockOf(signatureOf(commented)), text, details, seen(node, page)];
  }

  const isOfWasm = (node) => pathOf(node) === 'full/hornbook.d.ts' && OF_WASM.has(node.name?.getText());

  const written = pages.map(({ name, path, source, all: exported, described: own, others }) => {
    const elsewhere = exported.filter(({ symbol }) => homes.get(symbol.id).page !== name);
    const also = elsewhere.map(({ symbol }) => linkTo(symbol, name)).join(', ');
    const markdown = [
      `# ${path}`,
      documentation(source.statements[0], code, 0).text,
      also && `Also exported here: ${also}.`,
      ...sorted(own, nodeOf, source).flatMap((one) => section(one, name)),
      ...(others.length > 0 ? [OTHERS] : []),
      ...others.flatMap((one) => section(one, name)),
    ]
      .filter((part) => part !== '')
      .join('\n\n');
    return { name, path, exported: exported.map((one) => one.name), markdown };
  });
  return { pages: written, undescribed: [...undescribed].sort() };
}

const OTHERS = '## Other types\n\nThe declarations above use these; no entry point exports their names.';

/** Whether it is private, internal, or a constructor that only others call: `Use {@link f}.` */
function isHidden(node) {
  const isPrivate = node.modifiers?.some(({ kind }) => kind === SyntaxKind.PrivateKeyword);
  const isNamedSo = node.name?.kind === SyntaxKind.PrivateIdentifier;
  return isPrivate || isNamedSo || isInternal(node);
}

/** The parameter of the constructor that is this property, which its `@param` describes. */
function parameterOf(node, parent) {
  if (node.kind !== SyntaxKind.PropertyDeclaration) return [];
  const made = parent.members.find(({ kind }) => kind === SyntaxKind.Constructor);
  return made?.parameters.filter(({ name }) => name.text === node.name.text) ?? [];
}

/** Whether it consists of properties, which a table shows. */
function hasRows(node) {
  const members = node.kind === SyntaxKind.InterfaceDeclaration ? node.members : node.type?.members;
  const rows = [SyntaxKind.PropertySignature, SyntaxKind.MethodSignature];
  return members?.every(({ kind }) => rows.includes(kind)) ?? false;
}

/** Functions first, then classes, then types; those that the entry point declares itself before others. */
function sorted(symbols, nodeOf, source) {
  const rank = {
    [SyntaxKind.FunctionDeclaration]: 0,
    [SyntaxKind.VariableDeclaration]: 1,
    [SyntaxKind.ClassDeclaration]: 2,
  };
  return symbols
    .map((one) => ({ one, node: nodeOf(one.symbol) }))
    .map(({ one, node }) => ({ one, rank: 2 * (rank[node.kind] ?? 3) + (node.getSourceFile() === source ? 0 : 1) }))
    .sort((a, b) => a.rank - b.rank)
    .map(({ one }) => one);
}
