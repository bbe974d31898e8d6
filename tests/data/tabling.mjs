// The same programs for SWI-Prolog, which tables them.
import { spawn } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const quoted = (text, mark) => `${mark}${text.replaceAll('\\', '\\\\').replaceAll(mark, `\\${mark}`)}${mark}`;

/** A constant as Prolog text. */
function text(value) {
  if (value.variable) return value.variable;
  if (value.atom !== undefined) return quoted(value.atom, "'");
  if (value.string !== undefined) return quoted(value.string, '"');
  if (value.float === undefined) return value.integer ?? value.other;
  const digits = String(value.float);
  return /[.e]/.test(digits)
    ? digits.replace(/^(-?\d+)e/, '$1.0e')
    : value.float >= 1e15
      ? `${value.float.toExponential().replace('e', '.0e')}`
      : `${digits}.0`;
}

const call = (name, terms) => (terms.length > 0 ? `${name}(${terms.map(text).join(', ')})` : name);

const DRIVER = `
:- initialization(main, main).
main([Folder|Seeds]) :-
    forall(member(Seed, Seeds), compare(Folder, Seed)).
% The two zeros are one in sets.
one_zero(X, Y) :- float(X), X =:= 0.0, !, Y = 0.0.
one_zero(X, X).
compare(Folder, Seed) :-
    atomic_list_concat([Folder, /, Seed, '.pl'], File),
    load_files(File, [silent(true)]),
    atom_concat(p, Seed, Module),
    catch(( Module:expected(Expected), sort(Expected, Sorted),
            findall(Tuple, (Module:answer(Raw), maplist(one_zero, Raw, Tuple)), All), sort(All, Got),
            (   Got == Sorted -> writeln(equal(Seed)) ; print(differ(Seed, Got, Sorted)), nl ) ),
          error(Error, _), (print(raised(Seed, Error)), nl)).
`;

/** Programs whose answers are known, to be compared in one process. */
export class Tabling {
  #folder = mkdtempSync(join(tmpdir(), 'hornbook-sets-'));
  #seeds = [];

  add(seed, program, goal, facts, { answers, text: rules }) {
    const lines = [`:- module(p${seed}, []).`, ':- style_check(-singleton).', ':- style_check(-discontiguous).'];
    for (const { name, arity, relation } of program.predicates) {
      lines.push(`:- ${relation ? 'dynamic' : 'table'} ${name}/${arity}.`);
    }
    for (const { name, tuples } of facts) for (const tuple of tuples) lines.push(`${call(name, tuple)}.`);
    lines.push(...rules);
    const tuple = `[${goal.arguments.map(text).join(', ')}]`;
    lines.push(`answer(${tuple}) :- ${call(goal.name, goal.arguments)}.`);
    lines.push(`expected([${answers.map((answer) => `[${answer.map(text).join(', ')}]`).join(', ')}]).`);
    writeFileSync(join(this.#folder, `${seed}.pl`), `${lines.join('\n')}\n`);
    this.#seeds.push(seed);
  }

  async compare() {
    const driver = join(this.#folder, 'driver.pl');
    writeFileSync(driver, DRIVER);
    const differ = [];
    let equal = 0;
    let raised = 0;
    // A process for each few hundred, since tables stay.
    for (let start = 0; start < this.#seeds.length; start += 200) {
      const seeds = this.#seeds.slice(start, start + 200);
      const process = spawn('swipl', [driver, this.#folder, ...seeds.map(String)], {
        stdio: ['ignore', 'pipe', 'pipe'],
      });
      let output = '';
      let errors = '';
      process.stdout.on('data', (data) => {
        output += data;
      });
      process.stderr.on('data', (data) => {
        errors += data;
      });
      await new Promise((resolve, reject) => process.on('close', resolve).on('error', reject));
      const lines = output.split('\n').filter(Boolean);
      equal += lines.filter((line) => line.startsWith('equal')).length;
      raised += lines.filter((line) => line.startsWith('raised')).length;
      differ.push(...lines.filter((line) => line.startsWith('differ')));
      if (lines.length !== seeds.length)
        differ.push(`${lines.length} of ${seeds.length} answered: ${errors.slice(0, 2000)}`);
    }
    rmSync(this.#folder, { recursive: true });
    return { equal, raised, differ };
  }
}
