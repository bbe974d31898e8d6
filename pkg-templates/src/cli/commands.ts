/** The commands of `hornbook`, for reading a command line and for `--help`. */

/** The commands, by name: how each is called, and what it does. The stdio server has no name. */
export const COMMANDS: Record<string, { usage: string; help: string }[]> = {
  '': [{ usage: '[options]', help: 'serve MCP on standard input and output' }],
  serve: [{ usage: '--books DIR [options]', help: 'serve the books of a folder over HTTP, each at /mcp/NAME' }],
  ask: [
    {
      usage: '[options] FILE... GOAL',
      help: 'import the files and tables (csv, json, yaml, xlsx), ask the goal, print the answers',
    },
  ],
  run: [{ usage: '[options] FILE', help: 'run a DML program; with --help, list its parameters' }],
  check: [
    {
      usage: '[options] FILE...',
      help: 'report the errors of Prolog (.pl, .prolog, .plt), workflows (.yaml) with the code in them and DML programs, and the damage of books, also in use',
    },
  ],
  types: [
    {
      usage: '[options] FILE|BOOK',
      help: 'write TypeScript types of the predicates of a Prolog file, a table or a book, from its facts, rules and comments',
    },
  ],
  backup: [
    {
      usage: '[options] BOOK [TO]',
      help: 'copy the file of a book as it is now, while it is in use; without TO, to BOOK.backup-TIME',
    },
  ],
  restore: [
    {
      usage: '[options] BACKUP BOOK',
      help: 'make BOOK a copy of a backup, if all of it can be read and BOOK is not in use',
    },
  ],
  compact: [
    {
      usage: '[options] BOOK',
      help: 'rewrite the file of a book, also in use, without the revisions that it no longer has to undo',
    },
  ],
  bundle: [
    {
      usage: '--release VERSION --out BUNDLE FILE...',
      help: 'put files of rules, tables and documents into a bundle with a version and a hash; the same files make the same bundle',
    },
  ],
  deploy: [
    {
      usage: '[options] BOOK BUNDLE',
      help: 'take over a bundle in a book, also in use, as one revision, once its tests pass there',
    },
  ],
  review: [
    {
      usage: '[options] BOOK [DRAFT]',
      help: 'show what agents propose in drafts, with what would follow, and accept or reject it',
    },
  ],
  diff: [
    {
      usage: '[options] BOOK FROM [TO]',
      help: 'compare what goals answer at two revisions of a book; without TO, with the newest',
    },
  ],
  eval: [
    {
      usage: '[options] FILE CASES',
      help: 'run a DML program on cases, one JSON object per line: {"name", "params", "input", "script", "expect": {"success", "answer", "output", "error"}}',
    },
  ],
  flow: [{ usage: '[options] FILE', help: 'run a workflow and print its final state' }],
  init: [
    {
      usage: '[options] [HOST...]',
      help: 'add the server to the configuration of MCP hosts: all that are found, or claude, claude-code, cursor, vscode, windsurf, gemini',
    },
  ],
  lsp: [
    {
      usage: '',
      help: 'serve an editor on standard input and output: the language server for Prolog, DML programs and workflows',
    },
  ],
  memory: [
    { usage: 'export [FILE]', help: 'write the memory of --book as JSON Lines, one record per line' },
    {
      usage: 'import FILE',
      help: "add the records of such a file, of server-memory's, or of Kairn's database",
    },
  ],
};
