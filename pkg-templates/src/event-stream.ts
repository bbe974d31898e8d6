/** The events of a response that is a stream of server-sent events. */
export async function* events(body: ReadableStream<Uint8Array>): AsyncGenerator<{ type: string; text: string }> {
  let rest = '';
  const reader = body.pipeThrough(new TextDecoderStream() as ReadableWritablePair<string, Uint8Array>).getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    const parts = (rest + read.value).split('\n\n');
    rest = parts.pop()!;
    for (const part of parts) {
      const fields = part.split('\n').map((line) => /^(event|data): ?(.*)$/s.exec(line) ?? []);
      const lines = fields.filter(([, name]) => name === 'data').map(([, , value]) => value);
      yield { type: fields.find(([, name]) => name === 'event')?.[2] ?? '', text: lines.join('\n') };
    }
  }
}
