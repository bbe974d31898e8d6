/** Statements as people read them, with HORNBOOK_SQL=1 in the environment. */
import type { Parameter, Request } from './source.js';

/** What is told of a statement that is over. */
export interface Told {
  source: string;
  rows: number;
  ms: number;
}

/** @returns a comment that says what came of it, and the statement with its values in place of its parameters */
export function shown({ sql, parameters }: Pick<Request, 'sql' | 'parameters'>, { source, rows, ms }: Told): string {
  const text = sql.replace(
    /("(?:[^"]|"")*"|'(?:[^']|'')*')|\$(\d+)/g,
    (found: string, literal: string | undefined, number: string) =>
      literal === undefined ? value(parameters[Number(number) - 1]!) : found,
  );
  return `-- ${source}: ${rows} ${rows === 1 ? 'row' : 'rows'}, ${ms.toFixed(1)} ms\n${text};\n`;
}

function value(parameter: Parameter): string {
  if (parameter === 'null') return 'NULL';
  if ('text' in parameter) return `'${parameter.text.replaceAll("'", "''")}'`;
  return String(Object.values(parameter)[0]);
}
