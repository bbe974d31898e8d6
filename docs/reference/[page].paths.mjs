// The tools as the server lists them, and the JavaScript API as its types declare it, when the site is built.
import { Client } from '../../pkg/client.js';
import { openHornbook } from '../../pkg/node.js';
import { reference } from '../../scripts/reference.mjs';

const TOOLSETS = {
  prolog: 'Prolog',
  dml: 'DML programs',
  memory: 'Memory',
  workflow: 'Workflows',
};

export default {
  paths: async () => [
    { params: { page: 'tools' }, content: await page() },
    ...reference().pages.map(({ name, markdown }) => ({ params: { page: name }, content: markdown })),
  ],
};

/** The page of all tools, in Markdown. */
export async function page() {
  const parts = [
    '# Tools\n\nWhat the server lists, by the name of the toolset (`--tools NAME,NAME`; `prolog` without it). Every reply is text and, alike, structured content.\n',
  ];
  const seen = new Set();
  for (const [name, title] of Object.entries(TOOLSETS)) {
    const { hornbook, close } = await openHornbook({ tools: [name] }, () => {});
    const client = new Client(hornbook, 'docs');
    const { tools } = await client.request('tools/list', {});
    parts.push(`## ${title}: \`${name}\`\n`, ...tools.filter((tool) => !seen.has(tool.name)).map(section));
    for (const tool of tools) seen.add(tool.name);
    client.close();
    await close();
  }
  return parts.join('\n');
}

function section({ name, description, inputSchema }) {
  const { properties = {}, required = [] } = inputSchema;
  const rows = Object.entries(properties).map(
    ([key, schema]) =>
      `| \`${key}\`${required.includes(key) ? ' (required)' : ''} | ${typeOf(schema)} | ${escaped(schema.description ?? '')} |`,
  );
  const table = rows.length > 0 ? `| argument | type | |\n|---|---|---|\n${rows.join('\n')}\n` : 'No arguments.\n';
  return `### ${name}\n\n::: v-pre\n${blocks(description)}\n:::\n\n${table}`;
}

/** Lines that begin with two spaces belong to an example. */
const blocks = (text) => {
  const [head, example] = text.split(/(?<= Example:)\n/);
  return escaped(head) + (example ? `\n\n\`\`\`yaml\n${example.trim()}\n\`\`\`` : '');
};

const typeOf = (schema) => {
  const { enum: values, type, items, anyOf } = schema;
  if (values) return values.map((value) => `\`${value}\``).join(', ');
  if (anyOf) return anyOf.map(typeOf).join(' or ');
  return type === 'array' ? `list of ${items?.type ?? 'anything'}` : String(type ?? 'anything');
};

const escaped = (text) => text.replaceAll('<', '&lt;').replaceAll('|', '\\|').replaceAll('{{', '&#123;{');
