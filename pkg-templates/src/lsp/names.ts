/** How names are written in Prolog. */

/** An atom as Prolog text, quoted if necessary. */
export function atomText(name: string): string {
  if (/^\p{Ll}[\p{ID_Continue}]*$/u.test(name) || /^[#$&*+\-./:<=>?@^~\\]+$/.test(name) || name === '!' || name === ';')
    return name;
  return `'${name.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;
}

export const isVariable = (name: string): boolean => /^[\p{Lu}\p{Lt}_][\p{ID_Continue}]*$/u.test(name);

/** `parent/2` as `parent(A, B)`; `hole` formats each argument. */
export function callText(name: string, arity: number, hole: (argument: string, index: number) => string = (a) => a) {
  if (arity === 0) return atomText(name);
  const args = Array.from({ length: arity }, (_, index) => hole('ABCDEFGHIJKLMNOPQRSTUVWXYZ'[index] ?? '_', index));
  return `${atomText(name)}(${args.join(', ')})`;
}

/** Split `name/arity` into its two parts. */
export function parsed(indicator: string): { name: string; arity: number } {
  const slash = indicator.lastIndexOf('/');
  return { name: indicator.slice(0, slash), arity: Number(indicator.slice(slash + 1)) };
}
