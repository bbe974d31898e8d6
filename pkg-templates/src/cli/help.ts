/** What `hornbook --help` and `hornbook COMMAND --help` print. */
import { COMMANDS } from './commands.js';
import { OPTIONS, OPTION_NAMES, takes } from './options.js';

/** The longest line, in characters. */
const WIDTH = 120;

/** The text of `--help`, or what it says of one command. */
export function help(command?: string): string {
  const commands = Object.entries(COMMANDS).filter(([name]) => command === undefined || name === command);
  const usage = commands.flatMap(([name, ways]) =>
    ways.map((way) => ({ term: ['hornbook', name, way.usage].filter(Boolean).join(' '), text: way.help })),
  );
  const options = OPTION_NAMES.filter((name) => command === undefined || takes(command, name)).map((name) => {
    const option: { short?: string; value?: string; commands: readonly string[]; help: string } = OPTIONS[name];
    const flags = [option.short && `-${option.short}`, name.length > 1 && `--${name}`].filter(Boolean).join(', ');
    // The options of the server are those of the command line as such.
    const owners = command === undefined && !option.commands.includes('') ? `${option.commands.join(', ')}: ` : '';
    return { term: option.value ? `${flags} ${option.value}` : flags, text: owners + option.help };
  });
  const general = [
    {
      term: '-h, --help',
      text: command === undefined ? 'after a command: what it takes' : 'all commands: hornbook --help',
    },
    ...(command === undefined ? [{ term: '--version', text: '' }] : []),
  ];
  return `Usage:\n${list(usage)}\nOptions:\n${list([...options, ...general])}`;
}

/** Two columns: terms, and texts folded beside them. */
function list(entries: readonly { term: string; text: string }[]): string {
  const column = Math.max(...entries.map(({ term }) => term.length)) + 4;
  return entries
    .map(({ term, text }) => {
      const lines = folded(text, WIDTH - column);
      const first = `  ${term}`.padEnd(column) + (lines[0] ?? '');
      return [first, ...lines.slice(1).map((line) => ' '.repeat(column) + line)]
        .map((line) => `${line.trimEnd()}\n`)
        .join('');
    })
    .join('');
}

/** The words of a text in lines of at most `width` characters. */
function folded(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + 1 + word.length <= width) lines[lines.length - 1] = `${line} ${word}`;
    else lines.push(word);
  }
  return lines;
}
