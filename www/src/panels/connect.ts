/** Configuration lines that connect agents on this machine to Hornbook, by host. */
import { toCopy } from '../dialogs.ts';
import { button, h, tell } from '../dom.ts';

const SERVER = { command: 'npx', args: ['-y', 'hornbook', '--root', '.', '--book', 'agent.book'] };
const COMMAND = [SERVER.command, ...SERVER.args].join(' ');
const json = (value: unknown): string => JSON.stringify(value, null, 2);

interface Host {
  name: string;
  /** Where the lines belong. */
  where: string;
  lines: string;
}

const HOSTS: Host[] = [
  {
    name: 'All agents on this machine',
    where: 'In a terminal; it shows each change and asks first',
    lines: 'npx hornbook init',
  },
  { name: 'Claude Code', where: 'In a terminal', lines: `claude mcp add hornbook -- ${COMMAND}` },
  { name: 'Codex', where: 'In a terminal', lines: `codex mcp add hornbook -- ${COMMAND}` },
  { name: 'Gemini CLI', where: 'In a terminal', lines: `gemini mcp add hornbook ${COMMAND}` },
  { name: 'VS Code', where: 'In .vscode/mcp.json', lines: json({ servers: { hornbook: SERVER } }) },
  { name: 'Cursor', where: 'In .cursor/mcp.json', lines: json({ mcpServers: { hornbook: SERVER } }) },
  { name: 'Any other', where: 'In its mcp.json', lines: json({ mcpServers: { hornbook: SERVER } }) },
];

/** `watch` asks for the book of an agent, to be watched here. */
export function connectYours(watch: () => void): HTMLElement {
  const host = h('select', { 'aria-label': 'Host' }, ...HOSTS.map(({ name }) => h('option', { value: name }, name)));
  const where = h('p', { class: 'note' });
  const lines = h('pre', { class: 'lines', tabindex: 0, 'aria-label': 'Configuration to copy' });
  const draw = () => {
    const chosen = HOSTS.find(({ name }) => name === host.value)!;
    where.textContent = `${chosen.where}:`;
    lines.textContent = chosen.lines;
  };
  host.addEventListener('change', draw);
  draw();
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(lines.textContent ?? '');
      tell('Copied.');
    } catch {
      toCopy('Configuration', lines.textContent ?? '');
    }
  };
  return h(
    'details',
    { class: 'composer' },
    h('summary', {}, 'Bring your agent'),
    h(
      'div',
      { class: 'row' },
      host,
      button('Copy', () => void copy()),
    ),
    where,
    lines,
    h('p', { class: 'note' }, "The agent keeps its own book in the file agent.book, separate from this page's book."),
    h('div', { class: 'row' }, button('Watch my agent…', watch, { title: 'See here what it does in its book' })),
  );
}
