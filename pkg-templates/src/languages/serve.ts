/** The worker's side: runs code of nodes, one piece at a time. */

/** Takes the code and its input as JSON; returns JSON as described at `CodeRunner` of `hornbook/workflow`. */
export type RunCode = (code: string, given: string) => string | Promise<string>;

/** The messages to and from a language worker; the first one from it says that it is ready. */
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
      // The last line of a Python traceback says what the error is.
      const lines = String((error as Error).message)
        .trim()
        .split('\n');
      send({ failed: lines.at(lines[0]!.startsWith('Traceback') ? -1 : 0)! });
    }
  });
  send({ ready: true });
}
