/** Results of tools. */

/** A part of a result: text, an image or sound, a resource, or a link to one. */
interface Part {
  type: string;
  text?: string;
  uri?: string;
  name?: string;
  mimeType?: string;
  resource?: { uri: string; text?: string; mimeType?: string };
}

interface Result {
  content?: Part[];
  structuredContent?: Record<string, unknown>;
  isError?: boolean;
}

/** The structured content of a result, or else its text. Throws if the tool failed. */
export function resultOf(result: unknown): unknown {
  const { content = [], structuredContent, isError } = result as Result;
  const text = content.map(textOf).join('\n');
  if (isError) throw new Error(text || 'the tool failed and says nothing');
  return structuredContent ?? text;
}

/** The text of a part; of what is no text, what it is and where. */
function textOf({ type, text, uri, name, mimeType, resource }: Part): string {
  const kind = (mime: string | undefined) => (mime === undefined ? '' : `, ${mime}`);
  if (resource) return resource.text ?? `(${type} ${resource.uri}${kind(resource.mimeType)})`;
  if (uri !== undefined) return `(${type} ${uri}${name === undefined ? '' : `: ${name}`}${kind(mimeType)})`;
  return text ?? `(${type}${kind(mimeType)})`;
}
