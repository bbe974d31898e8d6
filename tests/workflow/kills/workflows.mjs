// Twelve workflows, each of a different shape, with their initial states. The action `tell` writes down its key.
export const WORKFLOWS = {
  chain: [
    { n: 1 },
    `language: prolog
nodes:
- { name: a, run: "state(n, N), M is N + 1, return(n, M)." }
- { name: b, uses: tell, output: told }
- { name: c, run: "state(n, N), M is N * 10, return(n, M)." }
`,
  ],
  rules: [
    { age: 20 },
    `language: prolog
nodes:
- name: classify
  run: |
    class(A, adult) :- A >= 18.
    class(A, child) :- A < 18.
    state(age, A), class(A, C), return(class, C).
- { name: greet, goto: [{ if: "state.class == 'adult'", to: formal }, { to: plain }] }
- { name: plain, run: "return(greeting, hi).", goto: __end__ }
- { name: formal, run: "return(greeting, 'good day').", goto: __end__ }
`,
  ],
  round: [
    { n: 0 },
    `language: prolog
nodes:
- { name: up, run: "state(n, N), M is N + 1, return(n, M)." }
- { name: tell, uses: tell, output: told, goto: [{ if: "state.n < 3", to: up }, { to: __end__ }] }
`,
  ],
  branches: [
    { v: 1 },
    `language: prolog
nodes:
- { name: s, run: "return(began, true)." }
- { name: x, run: "state(v, V), W is V + 10, return(v, W)." }
- { name: y, uses: tell, output: told }
- { name: join, run: "state(parallel_results, Rs), length(Rs, N), return(branches, N)." }
edges:
- { from: s, to: x, type: parallel, fan_in: join }
- { from: s, to: y, type: parallel, fan_in: join }
- { from: x, to: join }
- { from: y, to: join }
`,
  ],
  items: [
    { items: [1, 2, 3] },
    `language: prolog
nodes:
- name: each
  type: dynamic_parallel
  items: "{{ state.items }}"
  fan_in: join
  steps:
  - { name: double, run: "state(item, I), D is I * 2, return(double, D)." }
  - { name: tell, uses: tell, output: told }
- { name: join, run: "state(parallel_results, Rs), findall(D, (member(R, Rs), D = R.state.double), Ds), return(doubles, Ds)." }
`,
  ],
  loop: [
    { n: 0 },
    `language: prolog
nodes:
- name: w
  type: while_loop
  condition: state.n < 3
  max_iterations: 5
  body:
  - { name: up, run: "state(n, N), M is N + 1, return(n, M)." }
  - { name: tell, uses: tell, output: told }
`,
  ],
  steps: [
    { n: 1 },
    `language: prolog
nodes:
- name: all
  steps:
  - { name: one, run: "state(n, N), M is N + 1, return(n, M)." }
  - { name: two, uses: tell, output: told }
  - { name: three, run: "state(n, N), M is N * 3, return(n, M)." }
- { name: last, run: "return(done, true)." }
`,
  ],
  held: [
    {},
    `language: prolog
nodes:
- { name: bad, run: "throw(oops).", on_error: { mode: graceful } }
- { name: flaky, run: "atom_length(X, _).", on_error: { mode: retry, max_retries: 2, base_delay: 0.01, fallback: rescue } }
- { name: skipped, run: "return(skipped, false)." }
- { name: rescue, run: "return(rescued, true)." }
`,
  ],
  large: [
    { list: [] },
    `language: prolog
nodes:
- { name: grow, run: "state(list, L), length(L, N), append(L, [N], M), return(list, M).", goto: [{ if: "state.list | length < 6", to: grow }, { to: __end__ }] }
`,
  ],
  exact: [
    { n: 2n ** 80n },
    `language: prolog
nodes:
- { name: a, run: "state(n, N), M is N * N, return(m, M)." }
- { name: b, run: "state(m, M), K is M + 1, return(k, _{m: M, k: K, none: null, text: \\"true\\"})." }
`,
  ],
  book: [
    { n: 0 },
    `language: prolog
nodes:
- { name: begin, book: true, run: "assertz(stock(apple, 10)), assertz((left(I, N) :- stock(I, N)))." }
- name: take
  type: while_loop
  condition: state.n < 3
  max_iterations: 5
  body:
  - name: one
    book: true
    run: |
      taken(S, T) :- T is S-1.
      state(n, N), retract(stock(apple, S)), taken(S, T), assertz(stock(apple, T)), assertz(log(N)), M is N+1, return(n, M).
- { name: in_vain, book: true, run: "assertz(log(never)), fail." }
- { name: split, run: "return(began, true)." }
- { name: x, book: true, run: "assertz(log(x))." }
- { name: y, uses: tell, output: told }
- { name: join, book: true, run: "findall(E, log(E), L0), msort(L0, L), left(apple, S), return(log, L), return(left, S)." }
edges:
- { from: split, to: x, type: parallel, fan_in: join }
- { from: split, to: y, type: parallel, fan_in: join }
- { from: x, to: join }
- { from: y, to: join }
`,
  ],
  graph: [
    { n: 1 },
    `language: prolog
state_schema: { notes: { type: list, reduce: append } }
nodes:
- name: sub
  type: workflow
  with: { n: "{{ state.n }}" }
  output: { notes: "{{ result.notes }}", m: "{{ result.m }}" }
  run:
    state_schema: { notes: { type: list, reduce: append } }
    nodes:
    - { name: s, run: "state(n, N), M is N + 1, return(m, M)." }
    - { name: x, book: true, run: "assertz(log(x)), return(notes, x)." }
    - { name: y, uses: tell, output: notes }
    - { name: join, run: "return(notes, joined)." }
    edges:
    - { from: s, to: x, type: parallel, fan_in: join }
    - { from: s, to: y, type: parallel, fan_in: join }
- name: each
  type: dynamic_parallel
  items: [1, 2]
  fan_in: end
  steps:
  - { name: inner, type: workflow, output: { notes: "{{ result.told }}" }, run: { nodes: [{ name: tell, uses: tell, output: told }, { name: b }] } }
- { name: end, book: true, run: "findall(E, log(E), L), return(log, L)." }
`,
  ],
};
