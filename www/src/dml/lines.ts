/** Where in a program its texts and its tools stand, from line 1; what stands in several lines is not known. */
export class Lines {
  #texts: { parts: string[]; line: number }[];

  constructor(private readonly code: string) {
    // What stands in braces has another value each time.
    this.#texts = [...code.matchAll(/"((?:[^"\\]|\\[\s\S])*)"/g)].map((match) => ({
      parts: (match[1] ?? '').split(/\{\w+\}/),
      line: this.#lineAt(match.index),
    }));
  }

  ofText(text: string): number | undefined {
    return one(this.#texts.filter(({ parts }) => fits(parts, text)).map(({ line }) => line));
  }

  ofTool(tool: string): number | undefined {
    return one(
      [...this.code.matchAll(/\bexec\(\s*(\w+)/g)]
        .filter(([, name]) => name === tool)
        .map(({ index }) => this.#lineAt(index)),
    );
  }

  #lineAt(index: number): number {
    return this.code.slice(0, index).split('\n').length;
  }
}

/** Whether `text` is the parts in their order, with anything in between. */
function fits(parts: string[], text: string): boolean {
  const [first = '', ...others] = parts;
  const last = others.pop();
  if (last === undefined) return text === first;
  // Braces alone fit everything.
  if (!parts.some((part) => /\w/.test(part)) || !text.startsWith(first)) return false;
  let at = first.length;
  for (const part of others) {
    const found = text.indexOf(part, at);
    if (found < 0) return false;
    at = found + part.length;
  }
  return text.length - last.length >= at && text.endsWith(last);
}

const one = (lines: number[]): number | undefined => (new Set(lines).size === 1 ? lines[0] : undefined);
