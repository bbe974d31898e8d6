// node scripts/circles.mjs: files that need each other in a circle, in Rust (`use` and paths), TypeScript
// (imports, types included) and Prolog (what modules load). Such files can only be understood together. Prints each circle
// with what ties it; the exit code is 1 if there are any. Prolog's goals that name a module tie more files: how many is known,
// and may not grow.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { dirname, join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = join(dirname(fileURLToPath(import.meta.url)), '..');

/** The files under `folder` whose names end in `suffix`, sorted. */
function files(folder, suffix) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true });
  const found = entries.filter((entry) => entry.isFile() && entry.name.endsWith(suffix));
  return found.map((entry) => join(entry.parentPath, entry.name)).sort();
}

/** What one file takes from another: `ties.get(from).get(to)` is the set of names. */
class Ties extends Map {
  add(from, to, name) {
    if (from === to) return;
    if (!this.has(from)) this.set(from, new Map());
    const targets = this.get(from);
    if (!targets.has(to)) targets.set(to, new Set());
    targets.get(to).add(name);
  }

  /** The groups of files that reach each other (Tarjan's strongly connected components). */
  circles() {
    const order = new Map();
    const low = new Map();
    const path = [];
    const found = [];
    const visit = (file) => {
      order.set(file, order.size);
      low.set(file, order.get(file));
      path.push(file);
      for (const to of this.get(file)?.keys() ?? []) {
        if (!order.has(to)) visit(to);
        if (path.includes(to)) low.set(file, Math.min(low.get(file), low.get(to)));
      }
      if (low.get(file) !== order.get(file)) return;
      const circle = path.splice(path.indexOf(file));
      if (circle.length > 1) found.push(circle.sort());
    };
    for (const file of this.keys()) if (!order.has(file)) visit(file);
    return found;
  }
}

/** The imports of TypeScript files, with or without `type`. */
function typescript(folder, ties) {
  for (const file of files(folder, '.ts')) {
    const text = readFileSync(file, 'utf8');
    for (const [, what, from] of text.matchAll(/^(?:import|export)\s+([^'"]*?)\s*from\s*'(\.[^']*)'/gm)) {
      const to = join(dirname(file), from.replace(/\.js$/, '.ts'));
      if (existsSync(to)) ties.add(file, to, what.replaceAll(/\s+/g, ' '));
    }
  }
}

/** The text of a Prolog file without comments, and without strings and back-quoted texts. */
function barePl(text) {
  return text.replaceAll(
    /%.*$|\/\*[\s\S]*?\*\/|0'(?:\\.|''|.)|"(?:[^"\\]|\\[\s\S])*"|`(?:[^`\\]|\\[\s\S])*`|'(?:[^'\\\n]|\\[\s\S]|'')*'/gm,
    (match) => (match.startsWith("'") ? match : match.startsWith('%') || match.startsWith('/*') ? ' ' : '0'),
  );
}

/** What Prolog modules load. */
function prolog(folder, ties) {
  for (const file of files(folder, '.pl')) {
    const text = barePl(readFileSync(file, 'utf8'));
    for (const [, quoted, plain] of text.matchAll(
      /^:- (?:use_module|reexport|autoload|ensure_loaded)\((?:'([^']+)'|(\w+))/gm,
    )) {
      const to = join(dirname(file), `${quoted ?? plain}.pl`);
      if (existsSync(to)) ties.add(file, to, quoted ?? plain);
    }
  }
}

/** Predicates whose arguments are goals that run at once, and parentheses. */
const CONTROL =
  /^(|\\\+|findall|forall|aggregate_all|catch|setup_call_cleanup|call_cleanup|ignore|once|call|uninterrupted|in_module)$/;

/** Goals in the bodies of Prolog clauses that name the module of another file, which they need not load. */
function qualifiedGoals(folder, ties) {
  const texts = new Map(files(folder, '.pl').map((file) => [file, barePl(readFileSync(file, 'utf8'))]));
  const home = new Map();
  for (const [file, text] of texts) home.set(/^:- module\((\w+)/m.exec(text)?.[1], file);
  const TOKEN = /('(?:[^'\\\n]|\\[\s\S]|'')*'|\w+|\\\+)?\(|[)\]}]|[[{]|:-|=>|-->|\.\s|\b(hb_\w+):([a-z]\w*)(?!\w*\/)/g;
  for (const [file, text] of texts) {
    let open = [];
    let inBody = false;
    for (const [token, functor, module, name] of text.matchAll(TOKEN)) {
      if (token.endsWith('(')) open.push(functor ?? '');
      else if (token === '[' || token === '{') open.push(token);
      else if (')]}'.includes(token)) open.pop();
      else if (token.startsWith('.')) [open, inBody] = [[], false];
      else if (!module) inBody ||= open.length === 0;
      else if (inBody && home.has(module) && open.every((at) => CONTROL.test(at)))
        ties.add(file, home.get(module), `${module}:${name}`);
    }
  }
}

/** One module of a crate: its file, what it defines, and what its `use` declarations bring in. */
class RustModule {
  children = new Map();
  defined = new Set();
  /** By the name here: the path, and whether it is only passed on. */
  uses = [];

  constructor(file, path, text) {
    this.file = file;
    this.path = path;
    this.text = text;
  }
}

const ITEM =
  /^(?:pub(?:\([^)]*\))? )?(?:default |async |const |unsafe |extern "C" )*(?:fn|struct|enum|trait|type|const|static|union|macro_rules!) +(\w+)/gm;

/** The text of a Rust file without comments, strings and the module of its tests. */
function bare(text) {
  return text
    .replaceAll(/\/\/.*$/gm, '')
    .replaceAll(/"(?:[^"\\]|\\[\s\S])*"/g, '""')
    .replace(/^#\[cfg\(test\)\]\nmod \w+ \{\n[\s\S]*?^\}/m, '');
}

/** The paths of a tree of `use`, as `[[segments, name here]]`. */
function leaves(tree, before = []) {
  const brace = tree.indexOf('{');
  if (brace < 0) {
    const [path, alias] = tree.trim().split(/\s+as\s+/);
    const segments = [...before, ...path.split('::').map((segment) => segment.trim())];
    if (segments.at(-1) === 'self') segments.pop();
    return [[segments, alias ?? segments.at(-1)]];
  }
  const start = [
    ...before,
    ...tree
      .slice(0, brace)
      .split('::')
      .map((part) => part.trim())
      .filter(Boolean),
  ];
  const inside = tree.slice(brace + 1, tree.lastIndexOf('}'));
  const parts = [''];
  let depth = 0;
  for (const letter of inside) {
    if (letter === '{') depth += 1;
    if (letter === '}') depth -= 1;
    if (letter === ',' && depth === 0) parts.push('');
    else parts[parts.length - 1] += letter;
  }
  return parts.filter((part) => part.trim() !== '').flatMap((part) => leaves(part, start));
}

/** The modules of one crate, by their paths. */
function rustModules(root) {
  const modules = new Map();
  const read = (file, path, folder) => {
    const text = bare(readFileSync(file, 'utf8'));
    const module = new RustModule(file, path, text);
    modules.set(path.join('::'), module);
    for (const [, name] of text.matchAll(ITEM)) module.defined.add(name);
    for (const [, foreign] of text.matchAll(/^extern "" \{\n([\s\S]*?)^\}/gm)) {
      for (const [, name] of foreign.matchAll(/\b(?:type|fn) (\w+)/g)) module.defined.add(name);
    }
    for (const [, passes, tree] of text.matchAll(/^( *pub(?:\([^)]*\))?)? *use ([^;]+);/gm)) {
      for (const [segments, name] of leaves(tree)) module.uses.push({ segments, name, passes: passes !== undefined });
    }
    for (const [, name] of text.matchAll(/^(?:pub(?:\([^)]*\))? )?mod (\w+);/gm)) {
      const below = [join(folder, `${name}.rs`), join(folder, name, 'mod.rs')].find((at) => existsSync(at));
      if (!below || /(^|\/)tests(\.rs|\/)/.test(below)) continue;
      module.children.set(name, [...path, name].join('::'));
      read(below, [...path, name], join(folder, name));
    }
  };
  read(root, [], dirname(root));
  return modules;
}

/** The `use` declarations and paths of the crate whose root is `root`. */
function rust(root, ties) {
  const modules = rustModules(root);
  /** The file that defines what `segments` name in `module`; undefined if it is of another crate. */
  const home = (module, segments, seen = new Set()) => {
    const key = `${module.path.join('::')} ${segments.join('::')}`;
    if (seen.has(key)) return undefined;
    seen.add(key);
    const [first, ...rest] = segments;
    if (first === 'crate') return home(modules.get(''), rest, seen);
    if (first === 'self') return home(module, rest, seen);
    if (first === 'super') return home(modules.get(module.path.slice(0, -1).join('::')), rest, seen);
    if (first === undefined || module.defined.has(first)) return module.file;
    if (module.children.has(first)) return home(modules.get(module.children.get(first)), rest, seen);
    for (const use of module.uses) {
      const isOurs = /^(crate|self|super)$/.test(use.segments[0]) || module.children.has(use.segments[0]);
      if (!isOurs || (use.name !== first && use.name !== '*')) continue;
      const path = use.name === '*' ? [...use.segments.slice(0, -1), ...segments] : [...use.segments, ...rest];
      const found = home(module, path, seen);
      if (found) return found;
    }
    return undefined;
  };
  // A module may use what the one that it is part of defines.
  const parents = (module) => module.path.map((_, at) => modules.get(module.path.slice(0, at).join('::')).file);
  for (const module of modules.values()) {
    const above = parents(module);
    const tie = (to, name) => to && !above.includes(to) && ties.add(module.file, to, name);
    const body = module.text.replaceAll(/^ *(?:pub(?:\([^)]*\))? )?use [^;]+;/gm, '');
    for (const { segments, name, passes } of module.uses) {
      if (name === '*' || (passes && !new RegExp(`\\b${name}\\b`).test(body))) continue;
      tie(home(module, segments), name);
    }
    for (const [path] of body.matchAll(/\b(?:crate|super|self)(?:::\w+)+/g)) {
      tie(home(module, path.split('::')), path.split('::').at(-1));
    }
    for (const [, first, second] of body.matchAll(/(?<![:\w])(\w+)::(\w+)/g)) {
      const child = modules.get(module.children.get(first) ?? 'none');
      if (child) tie(home(child, [second]), second);
    }
  }
}

const ties = new Ties();
for (const crate of readdirSync(join(ROOT, 'src'), { withFileTypes: true })) {
  const root = join(ROOT, 'src', crate.name, 'lib.rs');
  if (crate.isDirectory() && existsSync(root)) rust(root, ties);
}
rust(join(ROOT, 'src', 'lib.rs'), ties);
prolog(join(ROOT, 'prolog'), ties);
for (const folder of ['pkg-templates/src', 'pkg-templates/vscode/src', 'www/src']) typescript(join(ROOT, folder), ties);

/** How many files of prolog/ the goals that name a module tie into a circle, at most. Whoever cuts it writes the new number. */
const BY_GOALS = 47;

const short = (file) => relative(ROOT, file).split(sep).join('/');
const circles = ties.circles();
if (circles.length === 0) {
  qualifiedGoals(join(ROOT, 'prolog'), ties);
  circles.push(...ties.circles().filter((circle) => circle.length > BY_GOALS));
}
for (const circle of circles) {
  console.log(`\n${circle.map(short).join(', ')}`);
  for (const from of circle)
    for (const [to, names] of ties.get(from))
      if (circle.includes(to)) console.log(`  ${short(from)} needs ${[...names].join(', ')} of ${short(to)}`);
}
console.log(`${circles.length} circles of files`);
if (circles.length > 0) process.exitCode = 1;
