/** Answers for other programs: CSV, JSON, Prolog. */
import type { Answer, Binding } from './query.ts';

export interface Format {
  label: string;
  ending: string;
  type: string;
  /** Write the answers in this order; `shown` returns the bindings to include. */
  write(answers: Answer[], shown: (answer: Answer) => Binding[], query: string): string;
}

/** A value without Prolog's quotes. */
function plain({ text, json }: Binding): string {
  return typeof json === 'string' ? json : text === '_' ? '' : text;
}

/** Text that spreadsheets would treat as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

/** The text of a number as a whole, which begins like a formula if it is negative. */
const NUMBER = /^-?\d+(?:\.\d+)?(?:e[+-]?\d+)?$/i;

function field(text: string, isNumber = false): string {
  const safe = !isNumber && FORMULA.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

const residualsOf = (answer: Answer): string => (answer.residual ?? []).join(', ');

const CSV: Format = {
  label: 'CSV',
  ending: 'csv',
  type: 'text/csv',
  write(answers, shown) {
    const constrained = answers.some((answer) => residualsOf(answer) !== '');
    const neither = answers.some((answer) => answer.undefined);
    const names = answers[0] ? shown(answers[0]).map(({ name }) => name) : [];
    const head = [...names, ...(constrained ? ['constraints'] : []), ...(neither ? ['truth'] : [])].map((name) =>
      field(name),
    );
    const lines = answers.map((answer) => [
      ...shown(answer).map((one) => field(plain(one), NUMBER.test(one.text))),
      ...(constrained ? [field(residualsOf(answer))] : []),
      ...(neither ? [answer.undefined ? 'undefined' : 'true'] : []),
    ]);
    return [head, ...lines].map((cells) => `${cells.join(',')}\r\n`).join('');
  },
};

const JSON_FORMAT: Format = {
  label: 'JSON',
  ending: 'json',
  type: 'application/json',
  write(answers, shown) {
    const rows = answers.map((answer) => ({
      // Variable names become keys: `fromEntries` accepts any, including `__proto__`.
      ...Object.fromEntries(shown(answer).map(({ name, text, json }) => [name, json ?? text])),
      ...((answer.residual ?? []).length > 0 ? { residual: answer.residual } : {}),
      ...(answer.undefined ? { undefined: true } : {}),
    }));
    return `[\n${rows.map((row) => `  ${JSON.stringify(row)}`).join(',\n')}\n]\n`;
  },
};

/** A quoted atom. */
const quoted = (text: string): string =>
  `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'").replaceAll('\n', '\\n')}'`;

const PROLOG: Format = {
  label: 'Prolog',
  ending: 'pl',
  type: 'text/x-prolog',
  write(answers, shown, query) {
    const names = answers[0] ? shown(answers[0]).map(({ name }) => name) : [];
    const head = names.length === 0 ? 'answer' : `answer(${names.join(', ')})`;
    const facts = answers.map((answer) => {
      const values = shown(answer).map(({ text }) => (/^<\w/.test(text) ? quoted(text) : text));
      const residual = [residualsOf(answer), answer.undefined ? 'undefined' : ''].filter(Boolean).join(', ');
      // A variable in a residual goal keeps its name there.
      const args = shown(answer).map(({ name, text }, index) => (text === '_' && residual ? name : values[index]));
      return `answer${args.length > 0 ? `(${args.join(', ')})` : ''}${residual ? ` :- ${residual}` : ''}.`;
    });
    const asked = query.split('\n').map((line) => `% ${line}`);
    return [`% ${head} of the query`, ...asked, ...facts].join('\n').concat('\n');
  },
};

export const FORMATS = [CSV, JSON_FORMAT, PROLOG];
