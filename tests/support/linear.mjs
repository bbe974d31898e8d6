// Whether a history of appends and reads of one log can have come about one by one, each at some moment between its call
// and its reply. Each append has a value of its own; a read gives all values, in the order of the log.

/**
 * What is wrong with a history, or `undefined`.
 *
 * @param appends `{value, from, to}`, times of the call and of the reply; without `to` nobody knows whether it was done
 * @param reads `{values, from, to}`
 * @param refused values of appends that were answered by an error that promises that nothing was done
 */
export function wrong({ appends, reads, refused = [] }) {
  const last = reads.reduce((a, b) => (b.values.length > a.values.length ? b : a), { values: [] });
  const place = new Map(last.values.map((value, index) => [value, index]));
  if (place.size < last.values.length) return 'a value is there twice';
  const known = new Set(appends.map(({ value }) => value));
  for (const value of last.values) if (!known.has(value)) return `${value} was never appended`;
  for (const value of refused) if (place.has(value)) return `${value} was refused, and is there`;
  for (const { values } of reads)
    if (values.some((value, index) => last.values[index] !== value)) return 'two reads do not agree on the order';

  // What was read was called before the read ended.
  for (const { values, to } of reads)
    for (const { value, from } of appends) {
      const at = place.get(value);
      if (from > to && at !== undefined && at < values.length) return `${value} was read before it was appended`;
    }

  // Each moment divides the log: so much must be there before it, and what is called after it comes behind that.
  const events = [];
  for (const { value, from, to } of appends) {
    const at = place.get(value);
    if (to !== undefined && at === undefined) {
      if (reads.some((read) => read.from > to)) return `${value} was answered, and is lost`;
      continue;
    }
    if (at === undefined) continue;
    events.push({ time: from, begins: at, what: value });
    if (to !== undefined) events.push({ time: to, ends: at + 1 });
  }
  for (const { values, from, to } of reads) {
    events.push({ time: from, reads: values.length });
    events.push({ time: to, ends: values.length });
  }
  // At the same moment a call may come before a reply.
  events.sort((a, b) => a.time - b.time || ('ends' in a ? 1 : 0) - ('ends' in b ? 1 : 0));
  let there = 0;
  for (const event of events) {
    if ('ends' in event) there = Math.max(there, event.ends);
    else if ('reads' in event && event.reads < there) return 'a read does not see what was answered before it';
    else if (event.begins < there) return `${event.what} came before what was answered before it`;
  }
  return undefined;
}
