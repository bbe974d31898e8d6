/** What `hornbook --help` prints. */
import { LIMITS } from '../generated/limits.js';
import { CLIENT_LIMITS } from '../serve/clients.js';

export const HELP = `Usage:
  hornbook [options]                    serve MCP on standard input and output
  hornbook serve --books DIR [options]  serve the books of a folder over HTTP, each at /mcp/NAME
  hornbook ask [options] FILE... GOAL   import the files and tables (csv, json), ask the goal, print the answers
  hornbook run [options] FILE           run a DML program; with --help, list its parameters
  hornbook check [options] FILE...      report the errors of Prolog (.pl), workflows (.yaml) and DML programs
  hornbook eval [options] FILE CASES    run a DML program on cases, one JSON object per line: {"name", "params", "input", "script",
                                        "expect": {"success", "answer", "output", "error"}}
  hornbook flow [options] FILE          run a workflow and print its final state
  hornbook init [options] [HOST...]     add the server to the configuration of MCP hosts: all that are found, or
                                        claude, claude-code, cursor, vscode, windsurf, gemini
  hornbook lsp                          serve an editor on standard input and output: the language server for Prolog, DML
                                        programs and workflows
  hornbook memory export [FILE]         write the memory of --book as JSON Lines, one record per line
  hornbook memory import FILE           add the records of such a file, of server-memory's, or of Kairn's database

Options:
  --book PATH             keep the book in this file (default: in memory only), or use one of hornbook serve, with its token in
                          HORNBOOK_TOKEN: http://HOST:PORT/log/NAME. flow: keep the run in it; run: the program may query and change it
                          by book:Goal
  --log URL               share books between servers on any machine: postgres://HOST/DATABASE, with the npm package pg, or
                          nats://HOST/?monitor=URL, with @nats-io/transport-node and @nats-io/jetstream; passwords are read
                          from PGPASSWORD and NATS_PASSWORD. --book is then a name
  --snapshots URL         with --log, keep snapshots of long books in an object store, and fetch less of the log to
                          open them: s3://BUCKET/PREFIX?endpoint=URL&region=REGION; its key is read from AWS_ACCESS_KEY_ID,
                          AWS_SECRET_ACCESS_KEY and AWS_SESSION_TOKEN
  --root DIR              files under DIR may be imported; repeatable (default: the current directory)
  -l, --kb-libraries A,B  also load these libraries (or set KB_LIBRARIES)
  --timeout MS            time limit of a query, a run, or a node's code, in milliseconds
  --engines N             maximum number of Prolog engines per book; another one starts when a query would have to wait
                          (default: the number of processors, from 2 to 4)
  --limit NAME=N          set a limit; repeatable; NAME is one of
                          ${folded(LIMITS, 90).join('\n                          ')}
  --unknown error|fail    result of calling an undefined predicate (default: error)
  --workspace DIR         run, and the tool dml_run: let programs read and write files in DIR (default: no files)
  --dml-book read|write   let programs of the tool dml_run query the book by book:Goal, or also change it (default: neither)
  --embed URL             also search the memory by meaning, with vectors from URL/embeddings, an OpenAI-compatible endpoint; its key
                          is read from HORNBOOK_EMBED_KEY; vectors are kept in PATH.vectors, next to --book PATH
  --embed-model NAME      model for --embed
  --other-books DIR       let the memory's action crossref also search the books of DIR (NAME.book), read only
  --half-life TYPE=DAYS   days after which an experience of this type loses half its relevance, such as gotcha=120; repeatable
  --tools A,B             sets of tools to serve: prolog, dml, workflow, memory or memory-read (default: prolog)
  -n N                    ask: maximum number of answers to print (default: 10)
  --format FORMAT         ask: write all answers, or those of -n, as csv, json, jsonl, table or prolog
  --out FILE              ask: write them to this file; its ending tells the format
  --param NAME=VALUE      run, eval: a parameter of the program; repeatable; VALUE is JSON or plain text
  --model PROVIDER/MODEL  run, eval, flow: the language model, such as openai/gpt-5; needs the npm packages ai and
                          @ai-sdk/PROVIDER, which read their keys from the environment; repeat it to name fallbacks.
                          flow: the model of DML programs. NAME=PROVIDER/MODEL sets the model of with_model(NAME, Goal)
  --temperature N         run, eval: temperature of the models, unless the program sets it
  --base-url URL          run, eval, flow: address of the provider, if not the usual one
  --script FILE           run, eval, flow: script the model by a JSON file: an array of
                          {"text": TEXT, "calls": [{"tool": NAME, "args": OBJECT}]}
  --tool-file FILE        run, eval, check, flow: a JavaScript module that exports tools for exec/2, each
                          {description, parameters, execute}; flow: they are actions, too, as uses: NAME
  --mcp FILE              flow, run, eval, check: tools of other MCP servers, configured as in MCP hosts:
                          {"mcpServers": {NAME: {"command", "args", "env"} or {"url", "headers"}}}. flow: uses: NAME.TOOL;
                          programs: exec(NAME_TOOL(...), R)
  --repeat N              eval: run each case N times, for pass rates (default: 1)
  --jobs N                eval: concurrent runs (default: 4)
  --price [MODEL=]IN,OUT  run, eval: dollars per million input and output tokens, of MODEL or of all other models; repeatable
  --max-cost DOLLARS      run, eval: maximum cost of a run, by --price: a call that could exceed it is an error in the program,
                          and the next one ends the run
  --cache DIR             run, eval: cache the replies of models in DIR
  --call-timeout MS       run, eval: time limit of one call of a model or a tool
  --retries N             run, eval: how often a turn of a model is tried again after a failure that may pass (default: 3)
  --outages MODE          run, eval: what it does that a model or a tool gives no answer. unknown: no alternative that relies
                          on its "no" is taken; throw: an error at once; fail: the goal is false (default: what the program
                          says, or unknown)
  --record PATH           run: record the run to this file, line by line; eval: record failed runs to this directory
  --replay FILE           run: replay this recording, and continue where it ends
  --books DIR             serve: folder of the books; /mcp/NAME serves DIR/NAME.book
  --host ADDRESS          serve: address to listen on (default: 127.0.0.1; any other needs tokens)
  --port N                serve: port to listen on; 0 chooses a free one (default: 8127)
  --token-file FILE       serve: require one of these tokens, one per line (or set HORNBOOK_TOKEN)
  --issuer URL            serve: require a token of this OAuth issuer for --public-url; its scopes decide what is allowed
  --public-url URL        serve: URL that clients use, for example that of a proxy
  --origin ORIGIN         serve: allow pages of this origin, such as https://agent.example; repeatable
  --client NAME=N         serve: set a limit per client; repeatable; NAME is one of
                          ${folded(Object.keys(CLIENT_LIMITS), 90).join('\n                          ')}
  --open-books N          serve: maximum number of open books, each with its engines (default: 32)
  --idle SECONDS          serve: close a book that has not been used for this long (default: 300)
  --grace SECONDS         serve: time to finish running requests when stopped (default: 30)
  --state KEY=VALUE       flow: a value of the initial state or, with --resume, a change to the state; repeatable; VALUE is
                          JSON or plain text
  --resume RUN            flow: resume a run in the book; without FILE, with the text it was started with
  --from CHECKPOINT       flow --resume: start a new run from this checkpoint of RUN
  --runs                  flow: list the runs in the book; with --resume RUN, its checkpoints
  --watch                 flow: run again whenever the file changes
  --mermaid               flow: print the graph as a Mermaid diagram, without running it
  --yes                   init: change files without asking
  --print                 init: print the configuration, without changing files
  --stdio                 lsp: accepted because editors pass it; has no effect
  --help, --version
`;

/** The names separated by commas, in lines of at most `width` characters. */
function folded(names: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const name of names) {
    const line = lines.at(-1);
    if (line !== undefined && line.length + name.length + 3 <= width) lines.push(`${lines.pop()} ${name},`);
    else lines.push(`${name},`);
  }
  return lines.map((line, index) => (index + 1 < lines.length ? line : line.slice(0, -1)));
}
