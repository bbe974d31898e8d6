// Plain swipl-wasm, used directly as its documentation shows.
import { createRequire } from 'node:module';

export const swipl = createRequire(import.meta.url)('swipl-wasm/dist/swipl-node.js');

/** An instance. `once(goal, input)` returns the bindings of the first answer, or throws the error. */
export async function plain() {
  const { prolog } = await swipl({ arguments: ['-q'], on_output: () => {} });
  const once = (goal, input = {}) => {
    const answer = prolog.query(goal, input).once();
    if (!answer?.success) throw new Error(answer?.message ?? `${goal} failed`);
    return answer;
  };
  return { prolog, once, string: (text) => new prolog.String(text) };
}

/** `read_term/2` and `assertz/1` until the end of the text. */
export const READ_AND_ASSERT = `
read_and_assert(Text) :-
    open_string(Text, In),
    repeat,
    read_term(In, Term, []),
    (   Term == end_of_file
    ->  !
    ;   assertz(kb:Term),
        fail
    ).
`;

/** Naive reverse, and lists to reverse. */
export const NREV = `
app([], L, L).
app([H|T], L, [H|R]) :- app(T, L, R).
nrev([], []).
nrev([H|T], R) :- nrev(T, RT), app(RT, [H], R).
range(N, N, [N]) :- !.
range(I, N, [I|T]) :- I < N, I1 is I+1, range(I1, N, T).
`;

/** This many facts, as text. */
export const facts = (count) =>
  Array.from({ length: count }, (_, i) => `edge(n${i % 1000}, n${(i * 7) % 1000}, ${i}).\n`).join('');
