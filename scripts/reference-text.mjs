// Declarations and their comments as Markdown, for the reference of the JavaScript API.
import { SyntaxKind } from 'typescript/unstable/ast';

/** Inline code. */
export const code = (text) => (text.includes('`') ? `\`\` ${text} \`\`` : `\`${text}\``);

export const blockOf = (text) => `\`\`\`ts\n${text}\n\`\`\``;

/** On one line, without comments. */
export const flat = (text) =>
  text
    .replaceAll(/\/\*[\s\S]*?\*\//g, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** As a cell of a table. */
export const cell = (text) => text.replaceAll('|', '\\|').replaceAll(/\n+/g, ' ');

/** The comment before a declaration, without its frame; where there are several, the one at `place`. */
function comment(node, place = -1) {
  return (node.jsDoc?.at(place)?.getText() ?? '')
    .replace(/^\/\*\*/, '')
    .replace(/\*\/$/, '')
    .split('\n')
    .map((line) => line.replace(/^\s*\* ?/, ''))
    .join('\n')
    .trim();
}

/** Whether its comment says that it is not for users of the package. */
export const isInternal = (node) => /^@internal\b|^Use \{@link/m.test(comment(node));

/** Outside code, what Markdown or the site would take for tags or templates. */
function escaped(text) {
  return text
    .split(/(`+[^`]*`+)/)
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll('<', '&lt;').replaceAll('{{', '&#123;{')))
    .join('');
}

/**
 * The comment of a declaration: its `text`, and `details`: its parameters, what it returns and throws. `link` makes the
 * Markdown of `{@link NAME}`. Of a parameter it is what the comment of its function says of it.
 */
export function documentation(node, link, place) {
  const [all, ...tags] = comment(node.kind === SyntaxKind.Parameter ? node.parent : node, place).split(/^@(?=[a-z])/m);
  const markdown = (text) =>
    examples(escaped(text.trim()))
      .replaceAll(/\{@link\s+(\S+?)\}/g, (_, target) => link(target))
      .replaceAll(/\[`([\w:]+)`\](?!\()/g, (_, target) => link(target))
      .replaceAll(/`?\bdocs\/([\w-]+)\.md`?/g, (_, page) => `[${page}](../${page}.md)`);
  const parsed = tags.map((tag) => /^(\w+)\s*([\s\S]*)$/.exec(tag.replaceAll(/\n\s*/g, ' ')));
  if (node.kind === SyntaxKind.Parameter) {
    const [, said = ''] =
      parsed
        .map(([, , rest]) => rest.match(/^(\w+)\s+(.*)/))
        .find((of) => of?.[1] === node.name.text)
        ?.slice(1) ?? [];
    return { text: markdown(said), details: '' };
  }
  const details = parsed.map(([, name, rest]) => {
    const text = markdown(rest);
    if (name === 'param') return `- ${text.replace(/^(\w+)\s*/, (_, parameter) => `${code(parameter)}: `)}`;
    return `- ${name === 'throws' ? 'Throws' : 'Returns'}: ${text.replace(/^\{(\w+)\}/, (_, error) => link(error))}`;
  });
  return { text: markdown(all), details: details.join('\n') };
}

/** Lines that begin with three spaces are code. */
const examples = (text) =>
  text.replaceAll(/(?:^ {3}.*(?:\n|$))+/gm, (lines) => {
    const plain = lines.replaceAll(/^ {3}/gm, '').replaceAll('&lt;', '<').trimEnd();
    return `${blockOf(plain)}\n`;
  });

/**
 * The text of a declaration without `export declare` and its own comment. With `part`, only that of its type; of a method
 * all but its name.
 */
export function signatureOf(node, part) {
  if (part === 'type' && node.kind !== SyntaxKind.MethodSignature) return node.type?.getText() ?? 'unknown';
  const text = dedented(named(node))
    .replace(/^(export |declare |default )+/, '')
    .replace(/;$/, '');
  return part === 'type' ? text.slice(node.name.getText().length).replace(/^\?/, '') : text;
}

/** The most characters of a line of code that the site shows without scrolling. */
const WIDTH = 72;

/**
 * The text of a declaration. A parameter that is taken apart has the name by which the comment describes it, or
 * `options`. Where a line would be too long each parameter has a line of its own.
 */
function named(node) {
  const text = node.getText();
  const { parameters = [] } = node;
  if (parameters.length === 0) return text;
  const start = node.getStart();
  const names = parameters.map(({ name }) => name.text);
  const described = [...comment(node).matchAll(/^@param (\w+)/gm)].map(([, name]) => name);
  const free = described.find((name) => !names.includes(name)) ?? 'options';
  const shown = parameters.map((one) =>
    one.name.kind === SyntaxKind.ObjectBindingPattern
      ? `${free}${one.getText().slice(one.name.getText().length)}`
      : one.getText(),
  );
  const before = text.slice(0, parameters[0].getStart() - start);
  const after = text.slice(parameters.at(-1).getEnd() - start);
  const line = `${before}${shown.join(', ')}${after}`;
  const [own] = line.replace(/^(export |declare )+/, '').split('\n');
  return own.length > WIDTH ? `${before}\n  ${shown.join(',\n  ')},\n${after}` : line;
}

/** Without the indentation that the last line has. */
function dedented(text) {
  const [indent] = /^ */.exec(text.split('\n').at(-1));
  return text.replaceAll(`\n${indent}`, '\n');
}

/** `class Query<T> implements AsyncIterable<T>`; nothing of a class that is only its name. */
export function summaryOf(node) {
  const text = flat(signatureOf(node).split('{\n')[0]);
  return text === `class ${node.name.text}` ? '' : blockOf(text);
}
