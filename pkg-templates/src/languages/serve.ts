/** A worker's end: it runs code of nodes, one after the other. */

/** Takes the code and, as JSON, what it sees; gives JSON as `CodeRunner` of `hornbook/workflow` has it. */
export type RunCode = (code: string, given: string) => string | Promise<string>;

/** What a worker of a language is told, and what it tells: first that it is ready. */
export interface CodeRequest {
  code: string;
  given: string;
}
export type FromLanguage = { ready: true } | { done: string } | { failed: string };

/** The worker's side of a port. */
export interface LanguagePort {
  send(message: FromLanguage): void;
  onMessage(take: (request: CodeRequest) => void): void;
}

export function serveLanguage({ send, onMessage }: LanguagePort, run: RunCode): void {
  onMessage(async ({ code, given }) => {
    try {
      send({ done: await run(code, given) });
    } catch (error) {
      // Of a trace of Python the last line says what it is.
      const lines = String((error as Error).message)
        .trim()
        .split('\n');
      send({ failed: lines.at(lines[0]!.startsWith('Traceback') ? -1 : 0)! });
    }
  });
  send({ ready: true });
}
