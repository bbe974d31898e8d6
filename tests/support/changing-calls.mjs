/**
 * Calls of all tools, one for each operation, that would change a book. `also` are texts for further arguments. `least` is
 * the operation alone, if it must be named.
 */
export function* changingCalls(tools, also) {
  const texts = {
    code: 'agent_main :- book:assertz(owned(2)), answer(done).',
    query: 'assertz(owned(3))',
    clauses: 'owned(4).',
    filename: 'owned.pl',
    text: 'owned(5).',
    contents: 'owned(5).',
    title: 'Owned',
    content: 'It is owned.',
    ...also,
  };
  for (const { name, inputSchema } of tools) {
    const { properties = {}, required = [] } = inputSchema;
    const values = {};
    for (const [key, schema] of Object.entries(properties)) {
      if (key in texts) values[key] = texts[key];
      else if (required.includes(key) && schema.type === 'string') values[key] = 'owned';
    }
    const selector = properties.operation ? 'operation' : 'action';
    for (const operation of properties[selector]?.enum ?? [undefined]) {
      const selected = operation === undefined ? {} : { [selector]: operation };
      yield { name, values: { ...values, ...selected }, least: required.includes(selector) ? selected : undefined };
    }
  }
}
