// The stories of PARARULE-Plus (github.com/Strong-AI-Lab/PARARULE-Plus), sentence by sentence, as Prolog with negation as
// failure: what cannot be concluded is false. The rules go round, so their heads are tabled.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const STORIES = 125; // of each depth

const atom = (words) => words.trim().toLowerCase().replaceAll(' ', '_');

/** `not kind` as a goal about `who`; `needs the mouse` as `needs(Who, mouse)`. */
function goal(words, who) {
  const [, verb, whom] = /^(\w+) the (.*)$/.exec(words) ?? [];
  if (verb) return `${verb}(${who}, ${atom(whom)})`;
  const [, not, quality] = /^(?:is |are )?(not )?(.*)$/.exec(words);
  return `${not ? '\\+ ' : ''}${atom(quality)}(${who})`;
}

/** The clause of a sentence, about the things that the story names. */
function clause(sentence) {
  const text = sentence.replace(/\.$/, '');
  const rule = /^If (?:someone|something) (.*) then (?:they|it) (.*)$/.exec(text);
  const all = /^(?:All )?(.*?) (?:people|animals) are (.*)$/.exec(text);
  if (rule || all) {
    const conditions = rule ? rule[1].split(' and ') : all[1].split(/,? and |, | /);
    const goals = conditions.map((condition) => goal(condition, 'X'));
    return `${goal((rule ?? all)[2], 'X')} :- thing(X), ${goals.join(', ')}.`;
  }
  return `${statement(text)}.`;
}

/** A sentence about one thing. */
function statement(text) {
  const [, who, what] = /^(?:The )?(.*?) ((?:is |\w+ the ).*)$/i.exec(text);
  return goal(what, atom(who));
}

/** The first stories of each depth, with all their questions. */
export function pararule(folder) {
  return [2, 3, 4, 5].flatMap((depth) => {
    const path = join(folder, `Depth${depth}`, `PARARULE_Plus_Depth${depth}_shuffled_test.jsonl`);
    if (!existsSync(path)) return [];
    const stories = readFileSync(path, 'utf8').trim().split('\n').slice(0, STORIES);
    return [
      { data: 'PARARULE-Plus', model: `depth ${depth}`, programs: stories.map((line) => story(JSON.parse(line))) },
    ];
  });
}

function story({ id, context, questions }) {
  const written = context
    .split(/(?<=\.)\s+/)
    .filter(Boolean)
    .map(clause);
  const things = new Set(
    written.flatMap((text) => (text.includes(':-') ? [] : /\(([^)]*)\)/.exec(text)[1].split(', '))),
  );
  const queries = questions.map(({ text, label }) => ({
    query: statement(text.replace(/\.$/, '')),
    gold: label,
    verdict: (answers) => String(answers.length > 0),
  }));
  const names = [...written, ...queries.map(({ query }) => query)].join(' ').matchAll(/(\w+)\(([^)]*)\)/g);
  const heads = new Set(written.map((text) => /^\w+/.exec(text)[0]));
  const open = new Set([...names].filter(([, name]) => name !== 'thing' && !heads.has(name)).map(indicator));
  const tabled = written.filter((text) => text.includes(':-')).map((text) => indicator(/^(\w+)\(([^)]*)\)/.exec(text)));
  const directives = [
    ...[...new Set(tabled)].map((name) => `:- table ${name}.`),
    ...[...open].map((name) => `:- dynamic ${name}.`),
  ];
  return { id, text: [...directives, ...[...things].map((name) => `thing(${name}).`), ...written].join('\n'), queries };
}

const indicator = ([, name, list]) => `${name}/${list.split(', ').length}`;
