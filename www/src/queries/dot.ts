/** Extracts the edges from a graph in Graphviz's language. Its styling is ignored. */

const TOKEN =
  /\s+|\/\/[^\n]*|#[^\n]*|\/\*[\s\S]*?\*\/|(->|--)|"((?:[^"\\]|\\[\s\S])*)"|(-?(?:\.\d+|\d+(?:\.\d*)?)|[\p{L}_][\p{L}\p{N}_]*)|([[\]{};,=:])/uy;

/** A name or quoted text, or a punctuation mark. */
interface Token {
  name?: string;
  mark?: string;
}

interface DotEdge {
  functor: 'edge';
  args: string[];
}

/** The edges as terms `edge(From, To, Label)`; undefined if the text cannot be read or has no edges. */
export function dotEdges(text: string): DotEdge[] | undefined {
  const tokens = tokensOf(text);
  const open = tokens?.findIndex(({ mark }) => mark === '{') ?? -1;
  if (!tokens || open < 0 || open > 3) return undefined;
  const edges: DotEdge[] = [];
  let at = open + 1;
  while (at < tokens.length) {
    const { name } = tokens[at]!;
    at += 1;
    if (name === undefined) continue;
    // A chain such as `a -> b -> c`, and its label.
    const chain = [name];
    while (tokens[at]?.mark === '->' && tokens[at + 1]?.name !== undefined) {
      chain.push(tokens[at + 1]!.name!);
      at += 2;
    }
    let label = '';
    if (tokens[at]?.mark === '[') {
      for (at += 1; at < tokens.length && tokens[at]!.mark !== ']'; at += 1)
        if (tokens[at]!.name === 'label' && tokens[at + 1]?.mark === '=') label = tokens[at + 2]?.name ?? '';
    }
    for (const [index, from] of chain.slice(0, -1).entries())
      edges.push({ functor: 'edge', args: label ? [from, chain[index + 1]!, label] : [from, chain[index + 1]!] });
  }
  return edges.length > 0 ? edges : undefined;
}

function tokensOf(text: string): Token[] | undefined {
  const tokens: Token[] = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const found = TOKEN.exec(text);
    if (!found) return undefined;
    const [, arrow, quoted, name, mark] = found;
    if (arrow) tokens.push({ mark: '->' });
    else if (quoted !== undefined) tokens.push({ name: quoted.replaceAll(/\\(["\\])/g, '$1') });
    else if (name) tokens.push({ name });
    else if (mark) tokens.push({ mark });
  }
  return tokens;
}
