// Checks that a history of appends to and reads of one log is linearizable: each operation takes effect at some moment
// between its call and its reply. Each append has a unique value; a read returns all values in log order.

/**
 * What is wrong with a history, or `undefined`.
 *
 * @param appends `{value, from, to}`, the times of call and reply; without `to` it is unknown whether it took effect
 * @param reads `{values, from, to}`
 * @param refused values of appends that were answered by an error promising that nothing was done
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

  // A value that was read was called before the read ended.
  for (const { values, to } of reads)
    for (const { value, from } of appends) {
      const at = place.get(value);
      if (from > to && at !== undefined && at < values.length) return `${value} was read before it was appended`;
    }

  // Each moment splits the log: what was confirmed or read by then is before the split, and what is called later comes
  // after it.
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
  // At the same moment, calls sort before replies.
  events.sort((a, b) => a.time - b.time || ('ends' in a ? 1 : 0) - ('ends' in b ? 1 : 0));
  let there = 0;
  for (const event of events) {
    if ('ends' in event) there = Math.max(there, event.ends);
    else if ('reads' in event && event.reads < there) return 'a read does not see what was answered before it';
    else if (event.begins < there) return `${event.what} came before what was answered before it`;
  }
  return undefined;
}
