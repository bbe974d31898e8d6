/** Example programs, each with the turns of its scripted model. */
import type { ScriptedTurn } from '../../../../pkg/dml.js';
import change from './change.dml?raw';
import dinner from './dinner.dml?raw';
import people from './people.dml?raw';
import trip from './trip.dml?raw';

export interface Program {
  name: string;
  text: string;
  params: Record<string, string>;
  turns: ScriptedTurn[];
}

const finish = { tool: 'finish', args: { success: true } };
const giveUp = { tool: 'finish', args: { success: false } };
const set = (variable: string, value: unknown) => ({ tool: 'set_result', args: { variable, value } });

export const PROGRAMS: Program[] = [
  {
    name: 'A day trip: going back',
    text: trip,
    params: { City: 'Bern' },
    turns: [
      { text: 'The Matterhorn is hard to beat.', calls: [set('Place', 'Zermatt'), finish] },
      { calls: [set('Hours', 2.5), finish] },
      { text: 'I know of no lake that I would recommend.', calls: [giveUp] },
      { calls: [set('Place', 'Zentrum Paul Klee'), finish] },
      { calls: [set('Hours', 0.5), finish], usage: { inputTokens: 310, outputTokens: 24 } },
    ],
  },
  {
    name: 'Change: a tool in Prolog',
    text: change,
    params: { Price: '315', Paid: '500' },
    turns: [
      { text: 'The change is 185 cents.', calls: [{ tool: 'change', args: { arg1: '185' } }] },
      { calls: [set('Reply', 'Your change is 1.85: three coins of 50, one of 20, one of 10 and one of 5.'), finish] },
    ],
  },
  {
    name: 'Dinner: asking the user',
    text: dinner,
    params: {},
    turns: [{ calls: [set('Dish', 'Risotto'), finish] }, { calls: [set('Dish', 'Rice pudding'), finish] }],
  },
  {
    name: 'People: typed results',
    text: people,
    params: { Text: 'Ada, 36, wrote to Charles, who was 51, about George, 49.' },
    turns: [
      { calls: [set('Names', ['Ada', 'Charles', 'George']), finish] },
      { calls: [set('Ages', ['36', 'fifty-one', 49])] },
      { text: 'They must be integers.', calls: [set('Ages', [36, 51, 49]), finish] },
    ],
  },
  { name: 'A program of your own', text: 'agent_main :-\n    answer("Hello.").\n', params: {}, turns: [] },
];
