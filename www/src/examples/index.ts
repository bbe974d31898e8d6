/** Example books, one per file. Suggested queries are in their first comment, as `% ?- goal.` */
import family from './family.pl?raw';
import grammar from './grammar.pl?raw';
import puzzles from './puzzles.pl?raw';
import queens from './queens.pl?raw';
import schedule from './schedule.pl?raw';
import tabling from './tabling.pl?raw';
import { goalInComment } from '../prolog/at.ts';

/** The most goals to suggest. */
const MOST = 8;

export interface Example {
  name: string;
  about: string;
  text: string;
}

export const EXAMPLES: Example[] = [
  { name: 'family.pl', about: 'Facts, rules and recursion', text: family },
  { name: 'queens.pl', about: 'N queens on a chessboard', text: queens },
  { name: 'grammar.pl', about: 'Parsing sentences with a grammar (DCG)', text: grammar },
  { name: 'schedule.pl', about: 'Scheduling with constraints (clpfd)', text: schedule },
  { name: 'puzzles.pl', about: 'SEND + MORE, and a sudoku', text: puzzles },
  { name: 'tabling.pl', about: 'Cycles that terminate, with tabling', text: tabling },
];

/** The goals of a text's `% ?- goal.` lines. */
export function suggested(text: string): string[] {
  const goals: string[] = [];
  for (const [line] of text.matchAll(/^[ \t]*%.*/gm)) {
    const goal = goalInComment(line);
    if (goal) goals.push(goal);
    if (goals.length === MOST) break;
  }
  return goals;
}
