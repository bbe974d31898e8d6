// One workflow with Python, Lua, JavaScript and Prolog, which must end the same way in Node and in a page.
export const FOUR = {
  yaml: `
variables: { factor: 3 }
nodes:
  - name: py
    run: |
      return {"score": state["x"] * {{ variables.factor }}, "big": 2**70, "empty": []}
  - name: rules
    run: |
      decide(S, high) :- S > 10, !.
      decide(_, low).
      state(score, S), decide(S, D), return(decision, D).
  - name: lua
    language: lua
    run: |
      return { final = state.decision .. "!", empty = state.empty, n = #state.empty }
  - name: js
    language: javascript
    run: |
      return { letters: [...state.final].length, bigger: state.big + 1n };
`,
  state: { x: 5 },
  final: {
    x: 5,
    score: 15,
    big: 2n ** 70n,
    empty: [],
    decision: 'high',
    final: 'high!',
    n: 0,
    letters: 5,
    bigger: 2n ** 70n + 1n,
  },
};
