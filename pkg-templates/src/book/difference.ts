/** The values that are not among `others`, each of which stands for one; those with the same key are the same. */
export function difference<T>(values: readonly T[], others: readonly T[], keyOf: (value: T) => string): T[] {
  const counts = new Map<string, number>();
  for (const other of others) counts.set(keyOf(other), (counts.get(keyOf(other)) ?? 0) + 1);
  return values.filter((value) => {
    const key = keyOf(value);
    const left = counts.get(key) ?? 0;
    if (left > 0) counts.set(key, left - 1);
    return left === 0;
  });
}
