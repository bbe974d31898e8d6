// The programs that models wrote for Logic-LM (github.com/teacherpeterpan/Logic-LLM, outputs/logic_programs), as Prolog.
// Each line is translated by itself and by its signs alone, so that a model's slip stays where it was.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The lines of each section of a program, without the comments behind `:::`. */
function sections(text, names) {
  const found = Object.fromEntries(names.map((name) => [name, []]));
  let current;
  for (const line of text.split('\n').map((line) => line.split(':::')[0].trim())) {
    const name = names.find((name) => line.startsWith(`${name}:`));
    if (name) current = found[name];
    else if (line && current) current.push(line);
  }
  return found;
}

const small = (name) => name[0].toLowerCase() + name.slice(1);
const large = (name) => name[0].toUpperCase() + name.slice(1);

/** A line of Pyke as Prolog: `Sees($x, BaldEagle, True)` is `sees(X, baldEagle, true)`. */
const fact = (line) =>
  line
    .replaceAll(/(\$?)\b([A-Za-z]\w*)/g, (_, variable, name) => (variable ? large(name) : small(name)))
    .replaceAll('&&', ',')
    .trim();

/** The clauses of a line: of a rule `If >>> Then && Then`, one for each conclusion. */
function clauses(line) {
  const [before, ...after] = line.split('>>>');
  if (after.length === 0) return [`${fact(line)}.`];
  return after
    .join('>>>')
    .split('&&')
    .map((conclusion) => `${fact(conclusion)} :- ${fact(before)}.`);
}

/** `name/arity` of what a line begins with. */
function indicator(line) {
  const [, name, list] = /^([a-z]\w*)\(([^()]*)\)/.exec(line) ?? [];
  return name && `${name}/${list.split(',').length}`;
}

/** ProofWriter and ProntoQA: Pyke's rules run forward, so each predicate of a rule's head is tabled. */
function rules({ raw_logic_programs: [text], answer }, unknown) {
  const { Predicates, Facts, Rules, Query } = sections(text, ['Predicates', 'Facts', 'Rules', 'Query']);
  const declared = new Set(Predicates.map((line) => indicator(fact(line))).filter(Boolean));
  const written = [...Facts, ...Rules].flatMap(clauses);
  const heads = new Set(written.map(indicator));
  const tabled = new Set(written.filter((clause) => clause.includes(':-')).map(indicator));
  const directives = [
    ...[...tabled].filter((name) => declared.has(name)).map((name) => `:- table ${name}.`),
    ...[...declared].filter((name) => !heads.has(name)).map((name) => `:- dynamic ${name}.`),
  ];
  const asked = fact(Query[0] ?? '');
  const label = /, *(true|false)\)$/.exec(asked)?.[1];
  const query = label ? asked.replace(/, *(true|false)\)$/, ', Label)') : asked;
  // As Logic-LM reads the answers: what is both true and false counts as false.
  const verdict = (answers) => {
    if (!label) return answers.length > 0 ? 'A' : unknown;
    if (answers.length === 0) return unknown;
    const value = answers.includes('Label = false') ? 'false' : 'true';
    return value === label ? 'A' : 'B';
  };
  return { text: [...directives, ...written].join('\n'), queries: [{ query, gold: answer, verdict }] };
}

const SIGNS = { '==': '#=', '!=': '#\\=', '<=': '#=<', '>=': '#>=', '<': '#<', '>': '#>' };

/** LogicalDeduction: constraints over the places, and an answer that holds in each arrangement. */
function places({ raw_logic_programs: [text], answer }) {
  const { Variables, Constraints, Query } = sections(text, ['Domain', 'Variables', 'Constraints', 'Query']);
  const constraint = (line) =>
    line
      .replace(/^AllDifferentConstraint\((.*)\)$/, 'all_different($1)')
      .replaceAll(/\b(?!all_different\b|or\b|and\b|not\b|abs\b)[A-Za-z_]\w*/g, large)
      .replaceAll(/==|!=|<=|>=|<|>/g, (sign) => SIGNS[sign]);
  const named = Variables.map((line) => line.split('[IN]').map((part) => part.trim()));
  const all = named.map(([name]) => large(name));
  const domains = named.map(([name, domain]) => `${large(name)} in ${domain.slice(1, -1).split(/, */).join(' \\/ ')}`);
  const options = Query.map((line) => {
    const [, letter, rest] = /^(\w+)\) *(.*)$/.exec(line) ?? [undefined, '', line];
    const goal = constraint(rest);
    const used = all.map((name) => (new RegExp(`\\b${name}\\b`).test(goal) ? name : '_'));
    return `option('${letter}', [${used.join(', ')}]) :- ${goal}.`;
  });
  const body = [...domains, ...Constraints.map(constraint), `label([${all.join(', ')}])`];
  const program = [
    ':- use_module(library(clpfd)).',
    `arrangement([${all.join(', ')}]) :-\n    ${body.join(',\n    ')}.`,
    ...options,
    "follows(Option) :-\n    arrangement(_), !,\n    member(Option, ['A', 'B', 'C', 'D', 'E', 'F', 'G']),\n    forall(arrangement(Places), option(Option, Places)).",
  ].join('\n');
  const verdict = (answers) => answers[0]?.replace('Option = ', '').replaceAll("'", '');
  return { text: program, queries: [{ query: 'follows(Option)', gold: answer, verdict }] };
}

const READERS = {
  ProofWriter: (program) => rules(program, 'C'),
  ProntoQA: (program) => rules(program, 'B'),
  LogicalDeduction: places,
};

/** The sets of programs in a copy of the repository: a name, and programs with their queries and right answers. */
export function logicLm(folder) {
  const outputs = join(folder, 'outputs', 'logic_programs');
  if (!existsSync(outputs)) return [];
  return readdirSync(outputs).flatMap((file) => {
    const [, data, model] = /^(\w+)_dev_(.*)\.json$/.exec(file) ?? [];
    if (!READERS[data]) return [];
    const programs = JSON.parse(readFileSync(join(outputs, file), 'utf8'));
    return [{ data, model, programs: programs.map((program) => ({ id: program.id, ...READERS[data](program) })) }];
  });
}
